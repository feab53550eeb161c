/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/event_open.h"

#include <errno.h>
#include "base/i18n.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"

/* ---- fallbacks: 1: the event was changed; 0: this one does not apply; negative: failed ---- */

static int lower_precision(const struct kernel_ops *ops, struct event *ev, int errnum,
			   struct buf *given_up)
{
	(void)ops;
	(void)errnum;
	(void)given_up;
	if (!ev->precise_max || !ev->attr.precise_ip)
		return 0;
	ev->attr.precise_ip--;
	return 1;
}

/*
 * PMUs without modes (uncore, msr, energy) reject all exclude_* bits; the default exclude_guest
 * must be cleared.
 */
static int clear_exclude_guest(const struct kernel_ops *ops, struct event *ev, int errnum,
			       struct buf *given_up)
{
	(void)ops;
	(void)given_up;
	if (errnum != EINVAL || !ev->attr.exclude_guest || ev->host_given)
		return 0;
	ev->attr.exclude_guest = 0;
	return 1;
}

static int cycles_to_clock(const struct kernel_ops *ops, struct event *ev, int errnum,
			   struct buf *given_up)
{
	int ret;

	(void)ops;
	if (errnum != ENOENT && errnum != ENODEV && errnum != ENXIO && errnum != EOPNOTSUPP)
		return 0;
	if (ev->attr.type != PERF_TYPE_HARDWARE ||
	    (ev->attr.config & UINT32_MAX) != PERF_COUNT_HW_CPU_CYCLES)
		return 0;
	/* clocks have none: report the original error */
	if (ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
		return 0;
	buf_addf(given_up, _("this machine cannot count %s: recording cpu-clock instead"),
		 ev->name);
	buf_add_char(given_up, '\n');
	ret = event_use_cpu_clock(ev);
	return ret ? ret : 1;
}

static int exclude_kernel(const struct kernel_ops *ops, struct event *ev, int errnum,
			  struct buf *given_up)
{
	int paranoid, ret;

	/* with an explicit k, :u is no substitute */
	if (errnum != EACCES || ev->attr.exclude_kernel || ev->attr.exclude_user)
		return 0;
	paranoid = diagnose_paranoid(ops);
	if (paranoid <= 1)
		return 0;
	/* The sideband hardly needs the kernel part. */
	if (!ev->sideband) {
		buf_addf(
			given_up,
			_("kernel.perf_event_paranoid is %d: measuring %s without the kernel (:u)"),
			paranoid, ev->name);
		buf_add_char(given_up, '\n');
	}
	ret = event_exclude_kernel(ev);
	return ret ? ret : 1;
}

static const struct {
	enum event_fallback bit;
	int (*apply)(const struct kernel_ops *ops, struct event *ev, int errnum,
		     struct buf *given_up);
} fallbacks[] = {
	{ FALLBACK_USER_ONLY, exclude_kernel },
	{ FALLBACK_PRECISION, lower_precision },
	{ FALLBACK_GUESTS, clear_exclude_guest },
	{ FALLBACK_CLOCK, cycles_to_clock },
};

/* 1: try again; 0: no fallback left. */
static int try_fallbacks(const struct event_open *how, struct event *ev, int errnum,
			 struct buf *given_up)
{
	int ret = 0;

	/* The target or a limit is the cause, not the event. */
	if (errnum == ESRCH || errnum == EMFILE || errnum == ENFILE || errnum == ENOMEM)
		return 0;
	if (errnum == ENODEV && how->cpu >= 0 && !cpus_is_online(&how->ops->roots, how->cpu))
		return 0;
	if (errnum == EINVAL && how->weak)
		return 0;
	for (size_t i = 0; !ret && i < sizeof(fallbacks) / sizeof(*fallbacks); i++)
		if (how->fallbacks & fallbacks[i].bit)
			ret = fallbacks[i].apply(how->ops, ev, errnum, given_up);
	return ret > 0 && given_up->err ? given_up->err : ret;
}

/* ---- opening ---- */

int event_open(const struct event_open *how, struct event *ev, struct buf *given_up)
{
	bool of_group = how->tid == -1 && ev->cgroup;
	pid_t target = of_group ? ev->cgroup_fd : how->tid;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC | (of_group ? PERF_FLAG_PID_CGROUP : 0);
	struct buf unused = BUF_INIT;
	int fd, ret;

	do {
		fd = how->ops->perf_event_open(how->ops->ctx, &ev->attr, target, how->cpu,
					       how->group_fd, flags);
		ret = fd == -EINTR;
		if (fd < 0 && !ret)
			ret = try_fallbacks(how, ev, -fd, given_up ? given_up : &unused);
	} while (ret > 0);
	buf_release(&unused);
	return ret ? ret : fd;
}

int event_open_probe(const struct kernel_ops *ops, const struct perf_event_attr *attr)
{
	const struct event_open how = { .ops = ops, .cpu = -1, .group_fd = -1 };
	struct event ev = { .attr = *attr };
	int fd = event_open(&how, &ev, NULL);

	if (fd >= 0)
		ops->close(ops->ctx, fd);
	return fd < 0 ? fd : 0;
}
