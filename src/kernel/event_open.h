/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening an event: the one caller of perf_event_open(), and what is tried instead if the kernel
 * refuses. A table of fallbacks: each looks at the event and the errno, and changes the event or passes.
 *
 *	any       :u                      perf_event_paranoid forbids the kernel's side
 *	cycles:P  precise 3, 2, 1, 0      as precise as this machine can
 *	any       with guests             a unit without modes takes no exclude_* bit
 *	cycles    cpu-clock               no PMU (a virtual machine)
 */
#ifndef KERNEL_EVENT_OPEN_H
#define KERNEL_EVENT_OPEN_H

#include <stdbool.h>
#include "base/buf.h"
#include "event/event.h"
#include "kernel/ops.h"

enum event_fallback {
	FALLBACK_USER_ONLY = 1,
	FALLBACK_PRECISION = 2,
	FALLBACK_GUESTS = 4,
	FALLBACK_CLOCK = 8, /* another event */
	FALLBACK_ALL = 15,
};

struct event_open {
	const struct kernel_ops *ops;
	pid_t tid; /* -1: all tasks on `cpu`, or those of the event's control group; 0: this thread */
	int cpu;   /* -1: wherever the task runs */
	int group_fd; /* -1: no group */
	bool weak;    /* EINVAL says that the group does not fit its unit: nothing else is tried */
	unsigned fallbacks; /* bits of enum event_fallback; 0: the event as it is */
};

/*
 * The fd, close-on-exec, or a negative errno, which diagnose_open() explains. Fallbacks change `ev`.
 * `given_up`, NULL ok, gets a line for each that changes the meaning of a sample, also if all failed.
 */
int event_open(const struct event_open *how, struct event *ev, struct buf *given_up);

/* Opens it for this thread, as it is, and closes it. 0 or a negative errno. */
int event_open_probe(const struct kernel_ops *ops, const struct perf_event_attr *attr);

#endif
