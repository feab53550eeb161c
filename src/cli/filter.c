/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"

int filter_read_name(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (!*value || strchr(value, ','))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, ENOTSUP, value,
			_("expected a single name, not '%s': ptui does not support lists yet; "
			  "use perf"),
			value);
	*(const char **)field = value;
	return 0;
}

int filter_read_percentage(void *field, const char *value, bool unset, struct ptui_error *err)
{
	bool *relative = field;

	(void)unset;
	*relative = !strcmp(value, "relative");
	if (*relative || !strcmp(value, "absolute"))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("'%s' is neither relative nor absolute"), value);
}

int filter_read_tid(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_hist_filter *f = field;
	char *end;
	long tid = strtol(value, &end, 10);

	(void)unset;
	if (end == value || *end || tid < 0 || tid > INT32_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("'%s' is not a thread id"), value);
	f->by_thread = true;
	f->tid = (int32_t)tid;
	return 0;
}
