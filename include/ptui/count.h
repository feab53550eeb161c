/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events counted for as long as somebody looks, without a recording: what a preview shows. Takes:
 * texts of events as -e takes them, and whom to count. Gives: of each its rate, running share and
 * history, or why it cannot be counted; and whether those that are marked fit the counters of this
 * machine together, and which groups would.
 *
 *	front end --set(texts)--> thread: opens what is new, closes what is gone, reads
 *	    ^                        |
 *	    '---- wake fd, get ------'  publishes every refresh_ms
 *
 *	new -> set -> (wake fd; ack, get, fit … set again) -> free
 *
 * One thread at a time, the front end's, calls all of this. No call waits for the kernel.
 */
#ifndef PTUI_COUNT_H
#define PTUI_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "ptui/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PTUI_COUNT_HISTORY 64
#define PTUI_COUNT_NAME	   128
#define PTUI_COUNT_EVENTS  16 /* of one text are counted; a glob may name hundreds */

struct ptui_count;

struct ptui_count_opts {
	const pid_t *pids; /* copied; none: the whole system */
	size_t n_pids;
	unsigned refresh_ms; /* 0: 500; at least 10 */
	/* a change waits so long for the next one before anything is opened: who runs through a
	   list opens nothing. 0: 150 */
	unsigned settle_ms;
};

/* One text that is to be counted. */
struct ptui_count_wish {
	const char *text;   /* as -e takes it */
	const char *filter; /* as --filter takes it; NULL: none */
	bool marked;	    /* it will be recorded, together with the others that are marked */
};

/* Starts the thread; opens nothing. NULL on failure. */
struct ptui_count *ptui_count_new(const struct ptui_count_opts *opts, struct ptui_error *err);
/* NULL ok. What is open is closed in the thread, which nobody waits for. */
void ptui_count_free(struct ptui_count *c);

/*
 * What is to be counted from now on, instead of what was. What was there before goes on counting as
 * it did, its history with it. The texts are copied; one that comes twice is counted once. No
 * texts: nothing is counted, and the thread sleeps. 0 or -ENOMEM, and all is as it was.
 */
int ptui_count_set(struct ptui_count *c, const struct ptui_count_wish *wishes, size_t n);

/*
 * For poll(): readable when something was published since the last ptui_count_ack(). Call that
 * first, then look. Who does not for 20 publications does not look: all is closed, and opened again
 * by the next ack.
 */
int ptui_count_wake_fd(const struct ptui_count *c);
void ptui_count_ack(struct ptui_count *c);

enum ptui_count_state {
	PTUI_COUNT_UNTRIED, /* nothing was opened yet */
	PTUI_COUNT_COUNTING,
	PTUI_COUNT_WAITING,	  /* open, but it never had a counter while it was on */
	PTUI_COUNT_NOT_SUPPORTED, /* it cannot be opened */
	PTUI_COUNT_ERROR,	  /* pinned (D), and the kernel could not keep it on a counter */
};

struct ptui_count_event {
	char name[PTUI_COUNT_NAME]; /* of the event itself, where the text names several */
	enum ptui_count_state state;
	unsigned long long count;  /* since it was opened, over CPUs and threads */
	unsigned long long scaled; /* count * enabled / running */
	double running_share;	   /* running / enabled since the last refresh, 0 to 1 */
	double rate;		   /* scaled, a second, over the last refresh; NaN: not known yet */
	/* rates, the oldest first; NaN where it was on no counter */
	double history[PTUI_COUNT_HISTORY];
	size_t n_history;
	unsigned long long generation; /* grows with each reading */
};

/* Events of a text that was set: 0 while it is untried, at most PTUI_COUNT_EVENTS. */
size_t ptui_count_n_events(const struct ptui_count *c, const char *text, const char *filter);
/* The i-th of them. False: there is none (yet); *ret is untried, with the text as its name. */
bool ptui_count_get(const struct ptui_count *c, const char *text, const char *filter, size_t i,
		    struct ptui_count_event *ret);

/*
 * Does this machine refuse to count anything at all for this target (kernel.perf_event_paranoid, a
 * sandbox, the process is gone)? True, with the reason and what would lift it. Known when the first
 * event was tried.
 */
bool ptui_count_refused(const struct ptui_count *c, struct ptui_error *ret);

/* ---- do the marked events fit the counters together? ---- */

enum ptui_count_fit_state {
	PTUI_FIT_UNKNOWN,  /* none of the marked events needs a counter, or it is being tried */
	PTUI_FIT_TOGETHER, /* all of them are counted all of the time */
	PTUI_FIT_IN_TURNS, /* there are fewer counters than that: they take turns */
	PTUI_FIT_NEVER,	   /* a group is larger than the unit: it will never count */
};

struct ptui_count_fit {
	enum ptui_count_fit_state state;
	size_t n_events; /* marked that need a counter of a unit */
	size_t n_over;	 /* so many counters more than there are; of the unit that lacks most */
	double expected_share; /* of the time, the event that counts least; 1: all of it */
	double measured_share; /* least of the marked that are counted now; NaN: not known yet */
	bool watchdog;	       /* the NMI watchdog holds a counter: sysctl kernel.nmi_watchdog=0 */
	char too_large[PTUI_COUNT_NAME]; /* the group that never counts: its text; else "" */
	size_t n_groups;		 /* in the proposal; 0: there is none */
	double proposed_share;		 /* as expected_share, in these groups */
	unsigned long long generation;	 /* grows when it is tried anew */
};

/*
 * It was tried whether the kernel takes them on its counters at once: nothing that another tool
 * holds at this moment is known otherwise.
 */
void ptui_count_get_fit(const struct ptui_count *c, struct ptui_count_fit *ret);

/*
 * The marked texts, grouped so that each group fits: one text a line, in the order of the marks; what
 * needs no grouping stands as it did, groups of the person stay together unless they never count.
 * free() it. NULL: there is no proposal, or no memory.
 */
char *ptui_count_proposal(const struct ptui_count *c);

#ifdef __cplusplus
}
#endif
#endif
