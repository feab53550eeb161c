/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do events fit the counters of their unit together? How many counters there are cannot be read, and
 * which event may use which of them neither: it is tried. A pinned group that the kernel cannot put
 * on counters at once is in its error state at once (a read of 0 bytes), so that no time need pass:
 *
 *	cycles                                   on
 *	cycles, instructions                     on
 *	cycles, instructions, cache-misses       on
 *	  … and branches                         error: they take turns
 *
 * Where they do not, the kernel counts from the head of a list that turns, until one does not fit:
 * the same is done with each of them at the head, which tells how much of the time each counts.
 */
#ifndef KERNEL_FIT_H
#define KERNEL_FIT_H

#include <stdbool.h>
#include "event/event.h"
#include "kernel/ops.h"

#define FIT_EVENTS_MAX 64 /* that need a counter */

struct fit_event {
	bool needs;	/* a counter of a unit, which this machine has */
	double share;	/* of the time on a counter, as the events stand; 1 for who needs none */
	uint32_t group; /* in the proposal; PTUI_NONE */
};

struct fit {
	struct fit_event *events; /* as many as in the list */
	size_t n_events;
	size_t n_needs;	       /* events that need a counter */
	size_t n_over;	       /* counters that are missing, in the unit where most are */
	double share;	       /* least of all events */
	uint32_t never;	       /* leader of a group that does not fit even alone; PTUI_NONE */
	bool watchdog;	       /* the NMI watchdog holds a counter of the cores' unit */
	uint32_t n_groups;     /* of the proposal; 0: as they stand is best, or they fit */
	double proposed_share; /* least, in these groups */
};

/*
 * Tries it for this thread (for units that count no threads: on one of their CPUs), which takes some
 * system calls an event, and many where they do not fit. `may_join`, by event: it stands alone, and
 * a proposal may put it into a group with others of these. 0; -E2BIG: more than FIT_EVENTS_MAX;
 * -ENOMEM. *ret is to be released in any case.
 */
int fit_try(const struct kernel_ops *ops, const struct event_list *events, const bool *may_join,
	    struct fit *ret);
void fit_release(struct fit *fit);

#endif
