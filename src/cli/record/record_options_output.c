/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for the output: file, size limits, compression. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "cli/record/record_options.h"

#define LEVEL_DEFAULT 1 /* as in perf */
#define LEVEL_MAX     22

/* As in perf: a sample with it must fit a record. */
#define AUX_SAMPLE_DEFAULT 4096
#define AUX_SAMPLE_MAX	   (60u * 1024)
#define AUX_SNAPSHOT_MAX   (1ULL << 30)

/* -z, -z5: as in perf, 0 is the default, and too large values mean the maximum. */
int record_read_level(void *field, const char *value, bool unset, struct ptui_error *err)
{
	unsigned *level = field;
	uint64_t n = LEVEL_DEFAULT;

	if (value && option_number(value, 0, UINT64_MAX, &n))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("expected a number from 1 to 22, not '%s'"), value);
	if (!n)
		n = LEVEL_DEFAULT;
	*level = unset ? 0 : n < LEVEL_MAX ? (unsigned)n : LEVEL_MAX;
	return 0;
}

/* "100K": perf's units, powers of 1024. False: invalid. */
static bool read_size(const char *value, bool bare, uint64_t *ret)
{
	static const char units[] = "BKMG";
	size_t len = strlen(value);
	const char *unit = len ? strchr(units, value[len - 1]) : NULL;
	char *number = strdup(value);
	uint64_t n = 0;
	bool ok;

	if (number && unit)
		number[len - 1] = '\0';
	ok = number && (unit || bare) && !option_number(number, 0, UINT64_MAX, &n) &&
	     !__builtin_mul_overflow(n, unit ? 1ULL << 10 * (unit - units) : 1, ret);
	free(number);
	return ok;
}

int record_read_max_size(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (read_size(value, false, field) && *(uint64_t *)field)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected a size with unit B, K, M or G, such as 100M, not '%s'"),
			      value);
}

int record_read_flush(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (read_size(value, true, field))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected a number of bytes, such as 4096 or 64K, not '%s'"),
			      value);
}

int record_read_wakeup_events(void *field, const char *value, bool unset, struct ptui_error *err)
{
	uint64_t n;

	(void)unset;
	if (option_number(value, 1, UINT32_MAX, &n))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("expected a number of samples, such as 100, not '%s'"),
				      value);
	*(uint32_t *)field = (uint32_t)n;
	return 0;
}

int record_read_watermark(void *field, const char *value, bool unset, struct ptui_error *err)
{
	uint64_t n;

	(void)unset;
	if (!read_size(value, true, &n) || !n || n > UINT32_MAX)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, value,
			_("expected a number of bytes, such as 4096 or 64K, not '%s'"), value);
	*(uint32_t *)field = (uint32_t)n;
	return 0;
}

int record_read_memory(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (read_size(value, true, field) && *(uint64_t *)field)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected a size, such as 512K or 64M, not '%s'"), value);
}

/* -S, -Se, -S1M, -Se1M */
int record_read_aux_snapshot(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_record_aux *aux = field;
	const char *size = value ? value : "";

	(void)unset;
	aux->snapshot = true;
	aux->on_exit = *size == 'e';
	size += aux->on_exit;
	if (!*size || (read_size(size, true, &aux->snapshot_bytes) && aux->snapshot_bytes &&
		       aux->snapshot_bytes <= AUX_SNAPSHOT_MAX))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected e, a size up to 1G such as 64K, or both, not '%s'"),
			      value);
}

int record_read_aux_sample(void *field, const char *value, bool unset, struct ptui_error *err)
{
	uint64_t *bytes = field;

	(void)unset;
	*bytes = AUX_SAMPLE_DEFAULT;
	if (!value || (read_size(value, true, bytes) && *bytes && *bytes <= AUX_SAMPLE_MAX))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected a number of bytes from 1 to %u, not '%s'"),
			      AUX_SAMPLE_MAX, value);
}

static bool stdout_is(mode_t type)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && (st.st_mode & S_IFMT) == type;
}

static int exclude(struct ptui_error *err, const char *a, const char *b)
{
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
			      _("%s and %s cannot be used together"), a, b);
}

int record_settle_output(struct ptui_record_opts *opts, struct ptui_error *err)
{
	const struct ptui_record_output *out = &opts->out;
	bool is_stdout;

	/* as in perf: ptui record ... | ptui report -i - */
	if (!opts->output && !out->append && stdout_is(S_IFIFO))
		opts->output = "-";
	is_stdout = opts->output && !strcmp(opts->output, "-");
	if (opts->output && !*opts->output)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, opts->output,
				      _("-o requires a file name, not '%s'"), opts->output);
	if (is_stdout && isatty(STDOUT_FILENO))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, opts->output,
			_("refusing to write a recording to a terminal (-o -): redirect standard "
			  "output to a file or a pipe"));
	if (out->append && out->overwrite)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, NULL,
			_("-A and -f cannot be used together: a file is either appended to or replaced"));
	if (out->wakeup_events && out->wakeup_bytes)
		return exclude(err, "--wakeup-events", "--wakeup-watermark");
	if (out->no_buffering && (out->wakeup_events || out->wakeup_bytes))
		return exclude(err, "--no-buffering",
			       out->wakeup_events ? "--wakeup-events" : "--wakeup-watermark");
	if (out->append && is_stdout)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, opts->output,
				      _("-A requires a file: cannot append to a pipe"));
	return 0;
}
