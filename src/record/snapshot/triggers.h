/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Automatic snapshots: by a condition on the counters of the recording, and by events that are
 * counted for nothing else (trigger_event.h).
 *
 *	triggers_arm() --text--> condition --lock--.
 *	                                           v  about ten times per second
 *	recorder's poll() --> triggers_turn() --> condition_evaluate() --became true--> snapshots_ask(WHEN)
 *	          ^               |
 *	          '-- fds --------'--> trigger_event_hits() ------------------> snapshots_ask(EVENT)
 *
 * The recorder thread evaluates; another thread arms. Triggers add fds and a shorter timeout to the
 * recorder's poll().
 */
#ifndef RECORD_SNAPSHOT_TRIGGERS_H
#define RECORD_SNAPSHOT_TRIGGERS_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include "kernel/counters.h"
#include "record/snapshot/condition.h"
#include "record/snapshot/snapshots.h"
#include "record/snapshot/trigger_event.h"

/* The condition and its state. */
struct trigger_when {
	struct condition condition; /* without text: none */
	bool holds;		    /* at the last evaluation */
	bool waiting;		    /* became true too soon after the last snapshot */
	bool over;		    /* no more snapshots: `once`, or the space limit is reached */
	uint64_t fired;
	uint64_t evaluated_ns; /* time of the last evaluation; 0: no interval has begun */
};

struct triggers {
	struct trigger_event event;
	int fd;		      /* an eventfd: a condition was armed */
	pthread_mutex_t lock; /* of `when` and its members */
	struct trigger_when when;
	/* from triggers_begin(), borrowed; all below belongs to the recorder thread */
	struct counters *counters;
	struct snapshots *snapshots;
	/* set before the thread starts; NULL: all kept samples count as new */
	const struct pump *pump;
	uint64_t max_bytes; /* of snapshots by a condition; 0: unlimited */
	double *totals;	    /* scratch, by event */
	uint64_t next_ns;
	uint64_t fired_ns; /* 0: never */
	bool logged_often, logged_old;
	bool begun;
};

/* Call triggers_release() in any case. */
int triggers_init(struct triggers *t, struct ptui_error *err);
void triggers_release(struct triggers *t);

/*
 * Call when everything is open: event names are resolved now. `when`: of ptui_record_trigger. 0, or
 * negative with err set: invalid condition.
 */
int triggers_begin(struct triggers *t, struct counters *counters, struct snapshots *snapshots,
		   const char *const *when, size_t n_when, struct ptui_error *err);

/* From any other thread, one at a time; `text` NULL disarms. See ptui_recording_arm(). */
int triggers_arm(struct triggers *t, const char *text, struct ptui_error *err);
void triggers_get_armed(struct triggers *t, struct ptui_armed *ret);

/* ---- in the recorder thread ---- */

size_t triggers_n_fds(const struct triggers *t);
void triggers_fill_poll(const struct triggers *t, struct pollfd *fds);
/* The timeout until the next evaluation, at most `ms`. */
int triggers_wait_ms(struct triggers *t, int ms);
/* Call after poll(): requests due snapshots. */
void triggers_turn(struct triggers *t, const struct pollfd *fds);
/* At the end of the recording: logs a condition that could never be compared. */
void triggers_end(struct triggers *t);

#endif
