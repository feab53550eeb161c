/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include "base/i18n.h"
#include "event/attr.h"
#include "event/catalog.h"
#include "event/selector.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"
#include "ptui/doctor.h"
#include "record/try.h"

/* Who is counted: oneself, or a CPU where the unit knows no tasks. */
static int open_once(const struct kernel_ops *ops, struct event *ev, pid_t tid, int cpu)
{
	int fd;

	do {
		fd = ops->perf_event_open(ops->ctx, &ev->attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	} while (fd == -EINTR);
	if (fd >= 0)
		ops->close(ops->ctx, fd);
	return fd < 0 ? fd : 0;
}

static int try_one(const struct kernel_ops *ops, struct event *ev, struct ptui_error *why)
{
	pid_t tid = 0;
	int cpu = -1, ret;

	ev->attr.disabled = 1;
	ev->attr.size = attr_size_min(&ev->attr);
	ret = open_once(ops, ev, tid, cpu);
	/* user mode only is what everybody may count */
	if (ret == -EACCES && diagnose_paranoid(ops) > 1 && !ev->attr.exclude_user) {
		ev->attr.exclude_kernel = ev->attr.exclude_hv = 1;
		ret = open_once(ops, ev, tid, cpu);
	}
	if (ret == -EINVAL && ev->cpus) {
		tid = -1;
		cpu = cpus_list_pick(ev->cpus, 0);
		ret = open_once(ops, ev, tid, cpu);
	}
	return ret ? diagnose_open(ops, ev, tid, cpu, -ret, 1, why) : 0;
}

int record_try(const char *event, const struct kernel_ops *ops, struct ptui_error *why)
{
	struct catalog *catalog = catalog_new(&ops->roots);
	struct event_list list;
	int ret;

	event_list_init(&list);
	ret = catalog ? selector_parse(catalog, event, &list, why) : ptui_error_nomem(why);
	for (size_t i = 0; !ret && i < list.n; i++)
		ret = try_one(ops, &list.v[i], why);
	event_list_release(&list);
	catalog_free(catalog);
	return ret;
}

int ptui_event_try(const char *event, struct ptui_error *why)
{
	return record_try(event, kernel_ops_real(), why);
}
