/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include "base/i18n.h"
#include "kernel/diagnose.h"
#include "kernel/fallback.h"

/* What the person is told; "" for what does not change the meaning of a sample. */
struct told {
	char *text;
	size_t size;
};

/* 1: changed; 0: this rule does not apply; negative: failed. */
static int lower_precision(const struct kernel_ops *ops, struct event *ev, int errnum,
			   const struct told *told)
{
	(void)ops;
	(void)errnum;
	(void)told;
	if (!ev->precise_max || !ev->attr.precise_ip)
		return 0;
	ev->attr.precise_ip--;
	return 1;
}

/*
 * Units that know no modes (uncore, msr, energy) take no exclude_* at all, and that guests are left
 * out is what the selector says when nobody says anything.
 */
static int leave_guests_in(const struct kernel_ops *ops, struct event *ev, int errnum,
			   const struct told *told)
{
	(void)ops;
	(void)told;
	if (errnum != EINVAL || !ev->attr.exclude_guest || ev->host_given)
		return 0;
	ev->attr.exclude_guest = 0;
	return 1;
}

static int cycles_to_clock(const struct kernel_ops *ops, struct event *ev, int errnum,
			   const struct told *told)
{
	int ret;

	(void)ops;
	if (errnum != ENOENT && errnum != ENODEV && errnum != ENXIO && errnum != EOPNOTSUPP)
		return 0;
	if (ev->attr.type != PERF_TYPE_HARDWARE || (ev->attr.config & UINT32_MAX) != PERF_COUNT_HW_CPU_CYCLES)
		return 0;
	/* a clock has none: what was asked for cannot be had, and that is what to tell */
	if (ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
		return 0;

	snprintf(told->text, told->size,
		 _("this machine cannot count %s: cpu-clock is recorded instead"), ev->name);
	ret = event_use_cpu_clock(ev);
	return ret ? ret : 1;
}

static int leave_out_kernel(const struct kernel_ops *ops, struct event *ev, int errnum,
			    const struct told *told)
{
	int paranoid = diagnose_paranoid(ops);
	int ret;

	if (errnum != EACCES || paranoid <= 1 || ev->attr.exclude_kernel)
		return 0;
	/* k was asked for, and u is not what was meant by it. */
	if (ev->attr.exclude_user)
		return 0;

	/* Of the sideband's records the kernel's side is of little use. */
	if (!ev->sideband)
		snprintf(told->text, told->size,
			 _("kernel.perf_event_paranoid is %d: the kernel's side of %s is left out (:u)"),
			 paranoid, ev->name);
	ret = event_exclude_kernel(ev);
	return ret ? ret : 1;
}

static int (*const rules[])(const struct kernel_ops *ops, struct event *ev, int errnum,
			    const struct told *told) = {
	leave_out_kernel,
	lower_precision,
	leave_guests_in,
	cycles_to_clock,
};

bool fallback_find(const struct kernel_ops *ops, struct event *ev, int errnum, char *text,
		   size_t size, int *ret_error)
{
	const struct told told = { text, size };
	size_t i;
	int ret;

	*ret_error = 0;
	*text = '\0';
	/* The target or the limits are the trouble, not the event. */
	if (errnum == ESRCH || errnum == EMFILE || errnum == ENFILE || errnum == ENOMEM)
		return false;
	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		ret = rules[i](ops, ev, errnum, &told);
		if (ret > 0)
			return true;
		if (ret < 0) {
			*ret_error = ret;
			return false;
		}
	}
	return false;
}
