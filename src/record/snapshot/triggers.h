/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who asks for snapshots by himself: a condition on the counters of the recording, and events that
 * are counted for nothing else (trigger_event.h).
 *
 *	triggers_arm() --text--> condition --lock--.
 *	                                           v  some ten times a second
 *	recorder's poll() --> triggers_turn() --> condition_look() --came true--> snapshots_ask(WHEN)
 *	          ^               |
 *	          '-- fds --------'--> trigger_event_hits() ------------------> snapshots_ask(EVENT)
 *
 * The recorder's thread looks; who arms is another one. To its poll() all of it is a few more fds, and
 * an earlier end of the waiting.
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

/* The condition, and where it is at. */
struct trigger_when {
	struct condition condition; /* no text: there is none */
	bool holds;		    /* at the last look */
	bool waiting; /* it came true so soon after the last snapshot that it has to wait */
	bool over;    /* no more are taken: it was to be one, or they have all the space there is */
	uint64_t fired;
	uint64_t looked_ns; /* 0: no span has begun */
};

struct triggers {
	struct trigger_event event;
	int fd;		      /* an eventfd: something was armed */
	pthread_mutex_t lock; /* of `when` and its members */
	struct trigger_when when;
	/* of triggers_begin(), borrowed; the rest is the recorder's thread's */
	struct counters *counters;
	struct snapshots *snapshots;
	const struct pump
		*pump; /* set before the thread begins; NULL: whatever is kept is new each time */
	uint64_t max_bytes; /* of the snapshots by a condition; 0: any */
	double *totals;	    /* by event, for a look */
	uint64_t next_ns;
	uint64_t fired_ns; /* 0: never */
	bool told_often, told_old;
	bool begun;
};

/* Always to be released. */
int triggers_init(struct triggers *t, struct ptui_error *err);
void triggers_release(struct triggers *t);

/*
 * Everything is open; now the names mean what they mean. `when`: of ptui_record_trigger. 0, or negative,
 * told: one of them is no condition.
 */
int triggers_begin(struct triggers *t, struct counters *counters, struct snapshots *snapshots,
		   const char *const *when, size_t n_when, struct ptui_error *err);

/* Any thread but the recorder's, one at a time; `text` NULL: nothing from now on. As ptui_recording_arm(). */
int triggers_arm(struct triggers *t, const char *text, struct ptui_error *err);
void triggers_get_armed(struct triggers *t, struct ptui_armed *ret);

/* ---- the recorder's thread ---- */

size_t triggers_n_fds(const struct triggers *t);
void triggers_fill_poll(const struct triggers *t, struct pollfd *fds);
/* At most `ms`: until the next look. */
int triggers_wait_ms(struct triggers *t, int ms);
/* Behind poll(): asks for what is to be taken. */
void triggers_turn(struct triggers *t, const struct pollfd *fds);
/* The recording is over: a condition that could never be compared is told. */
void triggers_end(struct triggers *t);

#endif
