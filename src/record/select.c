/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include "base/i18n.h"
#include "event/selector.h"
#include "ptui/log.h"
#include "record/select.h"

static int check_one(const struct event *ev, struct ptui_error *err)
{
	const uint32_t given = ev->terms.given;

	if (given & EVENT_TERM_OVERWRITE && ev->terms.overwrite)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EOPNOTSUPP, ev->name,
			_("%s: ptui does not keep only the last samples of an event yet "
			  "(overwrite)"),
			ev->name);
	if (given & EVENT_TERM_AUX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EOPNOTSUPP, ev->name,
				      _("%s: ptui does not record AUX data yet"), ev->name);
	if (ev->driver_config)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EOPNOTSUPP, ev->name,
				      _("%s: ptui does not set up a unit's driver yet (@...)"),
				      ev->name);
	if (given & (EVENT_TERM_NR | EVENT_TERM_PERCORE))
		ptui_log(PTUI_LOG_WARN, "record",
			 _("%s: nr and percore mean nothing to a recording"), ev->name);
	return 0;
}

int record_select(struct catalog *catalog, const char *text, struct event_list *list,
		  struct ptui_error *err)
{
	size_t before = list->n;
	int ret = selector_parse(catalog, text, list, err);

	for (size_t i = before; !ret && i < list->n; i++)
		ret = check_one(&list->v[i], err);
	if (ret)
		event_list_truncate(list, before);
	return ret;
}
