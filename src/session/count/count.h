/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internals of struct ptui_count.
 *
 *	front end:	count.c		sets wishes, reads results, both under the lock
 *	thread:		count_thread.c	settles, reads, sleeps, ends
 *			count_set.c	one text: opens, reads
 *			count_fit.c	all marked texts: whether they fit, and groups that would
 *	closer thread:	count_thread.c	closes old sets: a tracepoint takes 20 ms to close
 */
#ifndef SESSION_COUNT_H
#define SESSION_COUNT_H

#include <pthread.h>
#include "event/catalog.h"
#include "kernel/counters.h"
#include "kernel/fit.h"
#include "ptui/count.h"

#define COUNT_UNSEEN_MAX 20 /* publications without an ack before counting stops */

/* A requested text; owned. */
struct count_wish {
	char *text, *filter; /* filter may be NULL */
	bool marked;
};

struct count_wishes {
	struct count_wish *v;
	size_t n;
};

/* 0 or -ENOMEM; *ret is to be released in any case. Duplicates are merged. */
int count_wishes_copy(struct count_wishes *ret, const struct count_wish *from, size_t n);
void count_wishes_release(struct count_wishes *w);
/* Whether both name the same events. */
bool count_is_same(const struct count_wish *a, const char *text, const char *filter);
/* NULL: there is none. */
struct count_wish *count_find_wish(const struct count_wishes *w, const char *text,
				   const char *filter);

/* One event of a text. */
struct count_event {
	struct ptui_count_event shown;	    /* under the lock */
	double history[PTUI_COUNT_HISTORY]; /* ring buffer; under the lock */
	size_t next;
	struct counter_sum before; /* owned by the thread: the last reading */
	uint64_t read_ns;
};

/* One text. Owned by the thread; what is shown is written under the lock. */
struct count_set {
	struct count_wish wish;
	struct event_list events;
	struct counters counters;
	bool open;
	struct count_event *v; /* the first n events of the list */
	size_t n;
	bool refused;
	struct ptui_error why;	     /* the reason, if refused */
	struct count_set *next_gone; /* in the closer's list */
};

/*
 * Parses and opens a text for these processes (n_pids 0: system-wide). NULL: out of memory. If it
 * cannot be counted, returns a refused set.
 */
struct count_set *count_set_open(const struct kernel_ops *ops, struct catalog *catalog,
				 const struct count_wish *wish, const pid_t *pids, size_t n_pids);
/* Reads all counters; publishes the values with `lock` held. */
void count_set_read(struct count_set *set, uint64_t now_ns, pthread_mutex_t *lock);
void count_set_free(struct count_set *set);

/* Whether the marked texts fit the counters. */
struct count_fit {
	struct ptui_count_fit shown; /* without measured_share */
	char *proposal;
};

/* Tries it, with a few system calls per event. 0 or -ENOMEM. */
int count_fit_make(const struct kernel_ops *ops, struct catalog *catalog,
		   const struct count_wishes *wishes, struct count_fit *ret);

struct ptui_count {
	const struct kernel_ops *ops;
	pid_t *pids;
	size_t n_pids;
	uint64_t refresh_ns, settle_ns;
	int wake_fd;
	pthread_t thread;
	struct catalog *catalog; /* owned by the thread */

	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t news;  /* wakes the thread: wishes, an ack, the end */
	bool stop;
	struct count_wishes wishes;
	uint64_t wished, applied; /* changes of `wishes` so far; the last one applied */
	uint64_t wished_ns;
	uint64_t marked, fitted; /* changes of marks so far; the one that `fit` is about */
	unsigned unseen;
	struct count_set **sets; /* changed only by the thread */
	size_t n_sets;
	struct count_fit fit;
	bool refused;
	struct ptui_error why;
	struct count_set *gone; /* list for the closer */
	bool closing;		/* the closer runs */
};

/* ptui_count_new() over any kernel. */
struct ptui_count *count_new(const struct ptui_count_opts *opts, const struct kernel_ops *ops,
			     struct ptui_error *err);
/* Like ptui_count_free(), but waits until everything is closed. */
void count_end(struct ptui_count *c);

/* The open set of a text, under the lock; NULL: none. */
const struct count_set *count_find_set(const struct ptui_count *c, const char *text,
				       const char *filter);

/* Frees it; no thread may use it any more. */
void count_release(struct ptui_count *c);

/* count_thread.c */
int count_thread_start(struct ptui_count *c, struct ptui_error *err);

#endif
