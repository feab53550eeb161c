/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target options: -p, -t and so on. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "cli/record/record_options.h"

/* "12,345"; *ret_bad points to an invalid number. */
static int read_numbers(struct pid_words *list, const char *value, const char **ret_bad)
{
	char one[16];

	for (;;) {
		size_t n = strcspn(value, ",");
		uint64_t pid;

		*ret_bad = value;
		if (n >= sizeof(one))
			return -EINVAL;
		memcpy(one, value, n);
		one[n] = '\0';
		if (option_number(one, 1, INT32_MAX, &pid))
			return -EINVAL;
		if (vec_grow(&list->pids, &list->cap, list->n + 1))
			return -ENOMEM;
		list->pids[list->n++] = (pid_t)pid;
		if (!value[n])
			return 0;
		value += n + 1;
	}
}

static int read_ids(void *field, const char *value, bool threads, struct ptui_error *err)
{
	const char *bad = NULL;
	int ret = read_numbers(field, value, &bad), len;

	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (!ret)
		return 0;
	len = (int)strcspn(bad, ",");
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, bad,
		       threads ? _("invalid thread ID '%.*s'") : _("invalid process ID '%.*s'"),
		       len, bad);
	if (len && !threads && !strchr("-0123456789", *bad))
		ptui_error_hint(err, _("'pgrep -d, %.*s' lists the IDs of its processes"), len,
				bad);
	return -EINVAL;
}

int record_read_pids(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	return read_ids(field, value, false, err);
}

int record_read_tids(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	return read_ids(field, value, true, err);
}

int record_read_inherit(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_record_opts *opts = field;

	(void)value;
	(void)err;
	opts->no_inherit = !unset;
	opts->inherit = unset;
	return 0;
}

int record_read_cgroup(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_options *o = field;
	struct cgroup_words *list = &o->cgroups;

	(void)unset;
	if (vec_grow(&list->after, &list->cap_after, list->texts.n + 1))
		return ptui_error_nomem(err);
	list->after[list->texts.n] = o->events.texts.n;
	return option_words_add(&list->texts, value) ? ptui_error_nomem(err) : 0;
}
