/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do events fit the counters of their PMU together? The number of counters, and which event may use
 * which, cannot be read, so it is tried. A pinned group that the kernel cannot schedule is in error
 * state at once (a read returns 0 bytes), without any delay:
 *
 *	cycles                                   on
 *	cycles, instructions                     on
 *	cycles, instructions, cache-misses       on
 *	  … and branches                         error: multiplexed
 *
 * If not, the kernel schedules from the head of a rotating list until one does not fit. The same is
 * tried with each event at the head, which gives the running share of each.
 */
#ifndef KERNEL_FIT_H
#define KERNEL_FIT_H

#include <stdbool.h>
#include "event/event.h"
#include "kernel/ops.h"

#define FIT_EVENTS_MAX 64 /* that need a counter */

struct fit_event {
	bool needs;	/* needs a counter of a PMU of this machine */
	double share;	/* running share with the given groups; 1 without a counter */
	uint32_t group; /* in the proposal; PTUI_NONE */
};

struct fit {
	struct fit_event *events; /* as many as in the list */
	size_t n_events;
	size_t n_needs;	       /* events with a counter of their own */
	size_t n_over;	       /* missing counters, on the PMU that lacks most */
	double share;	       /* least of all events */
	uint32_t never;	       /* leader of a group that never fits; PTUI_NONE */
	bool watchdog;	       /* the NMI watchdog uses a core PMU counter */
	uint32_t n_groups;     /* of the proposal; 0: none needed */
	double proposed_share; /* least, in these groups */
};

/*
 * Tries the events for this thread (uncore events: on a CPU of the PMU); takes some system calls
 * per event, and many if they do not fit. `may_join`, by event: it is not grouped, and a proposal
 * may group it with others of these. 0; -E2BIG: more than FIT_EVENTS_MAX; -ENOMEM. Release *ret in
 * any case.
 */
int fit_try(const struct kernel_ops *ops, const struct event_list *events, const bool *may_join,
	    struct fit *ret);
void fit_release(struct fit *fit);

#endif
