/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "event/selector/filter.h"
#include "event/selector/selector.h"
#include "ptui/log.h"
#include "record/select.h"

static int check_one(const struct event *ev, struct ptui_error *err)
{
	const uint32_t given = ev->terms.given;

	if (ev->driver_config)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EOPNOTSUPP, ev->name,
				      _("%s: ptui does not support PMU driver configuration yet "
					"(@...)"),
				      ev->name);
	if (ev->kind == EVENT_TOOL)
		ptui_log(PTUI_LOG_WARN, "record", _("%s cannot be sampled: it is not a counter"),
			 ev->name);
	if (given & (EVENT_TERM_NR | EVENT_TERM_PERCORE))
		ptui_log(PTUI_LOG_WARN, "record",
			 _("%s: nr and percore have no effect on a recording"), ev->name);
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

int record_filter(struct catalog *catalog, struct event_list *list, size_t from, const char *filter,
		  bool exclude_self, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = from; i < list->n && !ret; i++) {
		struct event *ev = &list->v[i];

		if (filter)
			ret = event_filter_set(catalog, ev, filter, err);
		if (!ret && exclude_self && ev->kind != EVENT_TRACEPOINT)
			ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
					     _("%s does not support filters: --exclude-perf is "
					       "for tracepoints"),
					     ev->name);
		ev->exclude_self = exclude_self;
	}
	return ret;
}

/* "common_pid != 12 && common_pid != 13": common_pid is a thread id. */
static int own_threads(const char *proc, struct buf *out)
{
	struct buf path = BUF_INIT;
	struct dirent *item;
	DIR *dir;

	buf_addf(&path, "%s/self/task", proc);
	dir = path.err ? NULL : opendir(buf_str(&path));
	buf_release(&path);
	if (!dir)
		return -errno;
	while ((item = readdir(dir))) {
		if (item->d_name[0] != '.')
			buf_addf(out, "%scommon_pid != %s", out->len ? " && " : "", item->d_name);
	}
	closedir(dir);
	return out->err;
}

/* A recorder that traces its own system calls has more to write the more it writes. */
static bool excludes_self(const struct event *ev, bool system_wide)
{
	if (ev->exclude_self)
		return true;
	/* its filters accept addresses only */
	if (ev->kind != EVENT_TRACEPOINT || !strcmp(ev->tp_system, "ftrace"))
		return false;
	return system_wide;
}

int record_exclude_self(struct event_list *list, const char *proc, bool system_wide)
{
	struct buf threads = BUF_INIT;
	bool warned = false;
	int ret = 0;

	for (size_t i = 0; i < list->n && !ret; i++) {
		if (!excludes_self(&list->v[i], system_wide))
			continue;
		ret = threads.len ? 0 : own_threads(proc, &threads);
		if (!ret)
			ret = event_filter_also(&list->v[i], buf_str(&threads));
		if (!ret && !warned)
			ptui_log(PTUI_LOG_INFO, "record",
				 _("tracepoints exclude ptui's own threads: %s"),
				 buf_str(&threads));
		warned = true;
	}
	buf_release(&threads);
	return ret;
}

void record_warn_group_inherit(const struct event_list *list, bool inherit)
{
	for (size_t i = 0; inherit && i < list->n; i++) {
		const struct event *ev = &list->v[i];

		if (ev->terms.given & EVENT_TERM_INHERIT || ev->leader != i ||
		    !(ev->attr.read_format & PERF_FORMAT_GROUP) || ev->attr.inherit)
			continue;
		ptui_log(PTUI_LOG_WARN, "record",
			 _("%s: groups with :S are not inherited: new threads and child processes "
			   "are not recorded"),
			 ev->name);
	}
}
