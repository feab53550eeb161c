/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "kernel/diagnose.h"
#include "kernel/fallback.h"
#include "ptui/log.h"

/*
 * The modifiers behind the last colon; "" when there are none. A tracepoint's only colon parts
 * system and name, and an event's name has no capital but the modifiers' own.
 */
static const char *modifiers(const struct event *ev)
{
	const char *colon = strrchr(ev->name, ':');

	if (!colon || (ev->kind == EVENT_TRACEPOINT && strchr(ev->name, ':') == colon))
		return "";
	return colon + 1;
}

static int rename_event(struct event *ev, struct buf *name)
{
	char *text = buf_take(name);

	if (!text)
		return -ENOMEM;
	free(ev->name);
	ev->name = text;
	return 1;
}

/* 1: changed; 0: this rule does not apply; negative: failed. */
static int lower_precision(const struct kernel_ops *ops, struct event *ev, int errnum)
{
	(void)ops;
	(void)errnum;
	if (!ev->attr.precise_ip || !strchr(modifiers(ev), 'P'))
		return 0;
	ev->attr.precise_ip--;
	return 1;
}

static int cycles_to_clock(const struct kernel_ops *ops, struct event *ev, int errnum)
{
	struct buf name = BUF_INIT;
	const char *m;

	(void)ops;
	if (errnum != ENOENT && errnum != ENODEV && errnum != ENXIO && errnum != EOPNOTSUPP)
		return 0;
	if (ev->attr.type != PERF_TYPE_HARDWARE || ev->attr.config != PERF_COUNT_HW_CPU_CYCLES)
		return 0;

	/* Precision is the processor's: its letters do not belong to a clock. */
	buf_add_str(&name, "cpu-clock");
	for (m = modifiers(ev); *m; m++) {
		if (*m == 'p' || *m == 'P')
			continue;
		if (!strchr(buf_str(&name), ':'))
			buf_add_char(&name, ':');
		buf_add_char(&name, *m);
	}
	ptui_log(PTUI_LOG_WARN, "kernel",
		 _("this machine cannot count %s (%s): cpu-clock is recorded instead"), ev->name,
		 strerror(errnum));
	ev->kind = EVENT_SOFTWARE;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	ev->attr.precise_ip = 0;
	return rename_event(ev, &name);
}

static int leave_out_kernel(const struct kernel_ops *ops, struct event *ev, int errnum)
{
	struct buf name = BUF_INIT;
	int paranoid = diagnose_paranoid(ops);

	if (errnum != EACCES || paranoid <= 1 || ev->attr.exclude_kernel)
		return 0;
	/* k was asked for, and u is not what was meant by it. */
	if (ev->attr.exclude_user)
		return 0;

	ev->attr.exclude_kernel = 1;
	ev->attr.exclude_hv = 1;
	if (ev->sideband)
		return 1;
	ptui_log(PTUI_LOG_WARN, "kernel",
		 _("kernel.perf_event_paranoid is %d: %s is recorded without the kernel's side (:u)"),
		 paranoid, ev->name);
	buf_add_str(&name, ev->name);
	if (!*modifiers(ev))
		buf_add_char(&name, ':');
	buf_add_char(&name, 'u');
	return rename_event(ev, &name);
}

static int (*const rules[])(const struct kernel_ops *ops, struct event *ev, int errnum) = {
	leave_out_kernel,
	lower_precision,
	cycles_to_clock,
};

bool fallback_apply(const struct kernel_ops *ops, struct event *ev, int errnum, int *ret_error)
{
	size_t i;
	int ret;

	*ret_error = 0;
	/* The target or the limits are the trouble, not the event. */
	if (errnum == ESRCH || errnum == EMFILE || errnum == ENFILE || errnum == ENOMEM)
		return false;
	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		ret = rules[i](ops, ev, errnum);
		if (ret > 0)
			return true;
		if (ret < 0) {
			*ret_error = ret;
			return false;
		}
	}
	return false;
}
