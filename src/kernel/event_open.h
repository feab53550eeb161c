/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens events; the only caller of perf_event_open(). A table of fallbacks for refused events: each
 * row checks the event and errno, and changes the event or passes.
 *
 *	any       :u                      perf_event_paranoid forbids measuring the kernel
 *	cycles:P  precise 3, 2, 1, 0      highest level the machine supports
 *	any       with guests             a PMU without modes rejects exclude_* bits
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
	pid_t tid;	    /* -1: all tasks on `cpu`, or of the event's cgroup; 0: this thread */
	int cpu;	    /* -1: wherever the task runs */
	int group_fd;	    /* -1: no group */
	bool weak;	    /* EINVAL: the group does not fit its PMU; no fallback applies */
	unsigned fallbacks; /* bits of enum event_fallback; 0: the event as it is */
};

/*
 * The close-on-exec fd, or a negative errno for diagnose_open(). Fallbacks change `ev`. `given_up`
 * (may be NULL) gets a line for each fallback that changes the meaning of a sample, even if all
 * failed.
 */
int event_open(const struct event_open *how, struct event *ev, struct buf *given_up);

/* Opens it for this thread, as it is, and closes it. 0 or a negative errno. */
int event_open_probe(const struct kernel_ops *ops, const struct perf_event_attr *attr);

#endif
