/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --switch-output and related options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/record/record_options.h"

/* perf's units: upper case for sizes, lower case for times. */
static const struct unit {
	char letter;
	bool time;
	uint64_t one; /* bytes, nanoseconds */
} units[] = {
	{ 'B', false, 1 },
	{ 'K', false, 1ULL << 10 },
	{ 'M', false, 1ULL << 20 },
	{ 'G', false, 1ULL << 30 },
	{ 's', true, 1000000000ULL },
	{ 'm', true, 60 * 1000000000ULL },
	{ 'h', true, 3600 * 1000000000ULL },
	{ 'd', true, 86400 * 1000000000ULL },
};

static const struct unit *find_unit(char letter)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (units[i].letter == letter)
			return &units[i];
	return NULL;
}

/* "100M", "30s". False: neither. */
static bool read_rule(const char *value, struct ptui_record_switch *ret)
{
	size_t len = strlen(value);
	const struct unit *unit = len ? find_unit(value[len - 1]) : NULL;
	char *number = unit ? strndup(value, len - 1) : NULL;
	uint64_t n = 0;
	bool ok = number && !option_number(number, 1, UINT64_MAX, &n) &&
		  !__builtin_mul_overflow(n, unit->one, unit->time ? &ret->after_ns : &ret->bytes);

	free(number);
	return ok;
}

int record_read_switch(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_record_switch *rule = field;

	rule->on = !unset;
	rule->bytes = rule->after_ns = 0;
	if (unset || !value || !strcmp(value, "signal") || read_rule(value, rule))
		return 0;
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, value,
		_("expected signal, a size with unit B, K, M or G, or a time with unit s, m, h "
		  "or d, such as 100M or 30s, not '%s'"),
		value);
}

int record_read_max_files(void *field, const char *value, bool unset, struct ptui_error *err)
{
	uint64_t n;

	(void)unset;
	if (option_number(value, 1, UINT32_MAX, &n))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("expected the number of files to keep, not '%s'"), value);
	*(unsigned *)field = (unsigned)n;
	return 0;
}

int record_settle_switch(struct ptui_record_opts *opts, struct ptui_error *err)
{
	struct ptui_record_switch *rule = &opts->out.change;

	/* as in perf: the event is another reason to switch */
	if (opts->trigger.n_events)
		rule->on = true;
	if (rule->on && opts->output && !strcmp(opts->output, "-"))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, opts->output,
			_("--switch-output requires a file: a pipe cannot be switched"));
	if (rule->on && opts->out.append)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("-A and --switch-output cannot be used together"));
	return 0;
}
