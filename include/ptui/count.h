/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live event counts without a recording, for previews. Takes event texts in -e syntax and a target.
 * Provides the rate, running share and history of each event, or why it cannot be counted; whether
 * the marked events fit the PMU counters together; and a proposed grouping if they do not.
 *
 *	front end --set(texts)--> thread: opens new events, closes removed ones, reads
 *	    ^                        |
 *	    '---- wake fd, get ------'  publishes every refresh_ms
 *
 *	new -> set -> (wake fd; ack, get, fit … set again) -> free
 *
 * All functions must be called from one thread at a time. No call blocks on the kernel.
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
#define PTUI_COUNT_EVENTS  16 /* events counted per text; a glob may match hundreds */

struct ptui_count;

struct ptui_count_opts {
	const pid_t *pids; /* copied; NULL: system-wide */
	size_t n_pids;
	unsigned refresh_ms; /* 0: 500; at least 10 */
	/*
	 * delay before a changed set of events is opened, so that scrolling through a list opens
	 * nothing; 0: 150
	 */
	unsigned settle_ms;
};

/* One event text to count. */
struct ptui_count_wish {
	const char *text;   /* as -e takes it */
	const char *filter; /* as --filter takes it; NULL: none */
	bool marked;	    /* selected for recording, together with the other marked events */
};

/* Starts the thread; opens no events. NULL on failure with err set. */
struct ptui_count *ptui_count_new(const struct ptui_count_opts *opts, struct ptui_error *err);
/* NULL is allowed. Does not wait: the thread closes the events in the background. */
void ptui_count_free(struct ptui_count *c);

/*
 * Replaces the set of events to count. Events in both sets keep counting and keep their history.
 * The texts are copied; duplicates are counted once. With n == 0 the thread sleeps. Returns 0, or
 * -ENOMEM and nothing changes.
 */
int ptui_count_set(struct ptui_count *c, const struct ptui_count_wish *wishes, size_t n);

/*
 * For poll(): readable when something was published since the last ptui_count_ack(). Call
 * ptui_count_ack() before reading results. After 20 publications without an ack the thread closes
 * all events; the next ack opens them again.
 */
int ptui_count_wake_fd(const struct ptui_count *c);
void ptui_count_ack(struct ptui_count *c);

enum ptui_count_state {
	PTUI_COUNT_UNTRIED, /* nothing was opened yet */
	PTUI_COUNT_COUNTING,
	PTUI_COUNT_WAITING,	  /* open, but it was never scheduled on a counter */
	PTUI_COUNT_NOT_SUPPORTED, /* it cannot be opened */
	PTUI_COUNT_ERROR,	  /* pinned (D), and the kernel could not schedule it */
};

struct ptui_count_event {
	char name[PTUI_COUNT_NAME]; /* of the event, if the text resolves to several */
	enum ptui_count_state state;
	unsigned long long count;  /* since it was opened, summed over CPUs and threads */
	unsigned long long scaled; /* count * enabled / running */
	double running_share;	   /* running / enabled since the last refresh, 0 to 1 */
	/* scaled count per second over the last refresh; NaN: not known yet */
	double rate;
	/* rates, oldest first; NaN while it was not scheduled */
	double history[PTUI_COUNT_HISTORY];
	size_t n_history;
	unsigned long long generation; /* grows with each reading */
};

/* Number of events of a text: 0 while untried, at most PTUI_COUNT_EVENTS. */
size_t ptui_count_n_events(const struct ptui_count *c, const char *text, const char *filter);
/*
 * The i-th event of a text. False: no such event (yet); *ret is then UNTRIED, with the text as its
 * name.
 */
bool ptui_count_get(const struct ptui_count *c, const char *text, const char *filter, size_t i,
		    struct ptui_count_event *ret);

/*
 * True if nothing can be counted for this target (kernel.perf_event_paranoid, a sandbox, an exited
 * process); *ret gets the reason and the remedy. Known after the first event was tried.
 */
bool ptui_count_refused(const struct ptui_count *c, struct ptui_error *ret);

/* ---- do the marked events fit the counters together? ---- */

enum ptui_count_fit_state {
	PTUI_FIT_UNKNOWN,  /* no marked event needs a counter, or the check is still running */
	PTUI_FIT_TOGETHER, /* all are counted all the time */
	PTUI_FIT_IN_TURNS, /* not enough counters: the kernel multiplexes them */
	PTUI_FIT_NEVER,	   /* a group needs more counters than the PMU has: it never counts */
};

struct ptui_count_fit {
	enum ptui_count_fit_state state;
	size_t n_events;       /* marked events that need a PMU counter */
	size_t n_over;	       /* number of missing counters, on the PMU that lacks most */
	double expected_share; /* running share of the event that counts least, 0 to 1 */
	double measured_share; /* smallest running share of the marked events; NaN: not known yet */
	bool watchdog;	       /* the NMI watchdog holds a counter: sysctl kernel.nmi_watchdog=0 */
	char too_large[PTUI_COUNT_NAME]; /* text of the group that never counts, or "" */
	size_t n_groups;		 /* groups in the proposal; 0: no proposal */
	double proposed_share;		 /* expected_share with the proposed groups */
	unsigned long long generation;	 /* grows with each new check */
};

/*
 * Determined by opening the events on the real counters, so counters that other tools use at that
 * moment are accounted for.
 */
void ptui_count_get_fit(const struct ptui_count *c, struct ptui_count_fit *ret);

/*
 * The marked texts, grouped so that each group fits the counters: one text per line, in the order
 * of the marks. Texts that need no grouping stay unchanged; the user's own groups stay together
 * unless they can never count. The caller frees it. NULL: no proposal, or out of memory.
 */
char *ptui_count_proposal(const struct ptui_count *c);

/* ---- counting a target until its end, as `ptui stat` does ---- */

struct ptui_count_run;
struct ptui_record_opts;

struct ptui_count_run_opts {
	/* events, filters, cgroups, shape and target with its workload; copied */
	const struct ptui_record_opts *what;
	const char *const *metrics; /* -M of `ptui stat`; copied */
	size_t n_metrics;
	/* count all events for each of these cgroups: "a,b"; NULL: none, or those with tasks */
	const char *each_cgroup;
	bool per_cgroup;
	unsigned detail;      /* number of -d */
	bool no_scale;	      /* multiplexed counts are not extrapolated */
	bool no_group_digits; /* in the text */
	bool metric_no_group, metric_no_merge;
	unsigned interval_ms; /* 0: 1000 */
	unsigned timeout_ms;  /* 0: none */
	/* the workload gets a pseudo-terminal of this size */
	unsigned short rows, cols;
};

/* Parses the events, and opens none. NULL on failure with err set. */
struct ptui_count_run *ptui_count_run_new(const struct ptui_count_run_opts *opts,
					  struct ptui_error *err);
/*
 * Opens the counters, and starts the workload, which inherits the signal mask and dispositions of the
 * calling thread, and a thread that reads the counters. 0 or a negative errno with err set.
 */
int ptui_count_run_start(struct ptui_count_run *r, struct ptui_error *err);
/* Requests the end. The workload gets SIGTERM, and SIGKILL if called again. Async-signal-safe. */
void ptui_count_run_stop(struct ptui_count_run *r);
/* Disables the counters, or enables them again. */
void ptui_count_run_pause(struct ptui_count_run *r, bool pause);
/* NULL is allowed. Ends it, and kills a workload that still runs. */
void ptui_count_run_free(struct ptui_count_run *r);

/* For poll(): readable when something was published since the last ack. */
int ptui_count_run_wake_fd(const struct ptui_count_run *r);
void ptui_count_run_ack(struct ptui_count_run *r);

struct ptui_count_run_state {
	bool ended;   /* the totals are final; the text is complete */
	bool paused;  /* the counters are disabled */
	bool stopped; /* ended by ptui_count_run_stop() or the timeout */
	/* as of the last reading; since the start, without regard to pauses */
	unsigned long long elapsed_ns;
	unsigned long long user_ns, system_ns; /* of the workload, at the end */
	unsigned long long n_intervals;	       /* grows with each reading */
	int child_status;		       /* as of waitpid(); -1: none, or it still runs */
	int error;			       /* the negative errno that ended it; 0: none */
};
void ptui_count_run_get_state(const struct ptui_count_run *r, struct ptui_count_run_state *ret);
/* The error that ended it; unset if none. */
void ptui_count_run_error(const struct ptui_count_run *r, struct ptui_error *ret);

struct ptui_count_sum {
	double value; /* scaled by enabled / running time, in units of the event */
	double rate;  /* value per second of the elapsed time; NaN: not known */
	double share; /* running / enabled, 0 to 1; 1 if it was never enabled */
	bool counted; /* it was on a counter */
};

enum ptui_count_total_state {
	PTUI_TOTAL_UNREAD, /* not read yet */
	PTUI_TOTAL_COUNTED,
	PTUI_TOTAL_NOT_COUNTED,	  /* it was never on a counter */
	PTUI_TOTAL_NOT_SUPPORTED, /* the kernel or the PMU refuses it */
};

struct ptui_count_total {
	char name[PTUI_COUNT_NAME];
	char cgroup[PTUI_COUNT_NAME]; /* "": all */
	char unit[32];		      /* "msec", or "" */
	bool decimals;		      /* the unit divides the count */
	enum ptui_count_total_state state;
	struct ptui_count_sum interval, total;
	char ratio
		[96];  /* of the total to others, as `ptui stat` prints it: "2.00 insn per cycle" */
	char why[768]; /* if it is not supported */
};
/* After new. The i-th event; false: there are no more. */
size_t ptui_count_run_n_events(const struct ptui_count_run *r);
bool ptui_count_run_get(const struct ptui_count_run *r, size_t i, struct ptui_count_total *ret);

/* Master side of the workload's pseudo-terminal; -1: no workload. Owned by the run. */
int ptui_count_run_command_fd(const struct ptui_count_run *r);
void ptui_count_run_set_size(struct ptui_count_run *r, unsigned short rows, unsigned short cols);

/*
 * After the end: the text of `ptui stat`. Owned by the run. NULL: it has not ended, or failed.
 */
const char *ptui_count_run_text(const struct ptui_count_run *r);

#ifdef __cplusplus
}
#endif
#endif
