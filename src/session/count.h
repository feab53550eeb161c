/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind struct ptui_count.
 *
 *	front end's:	count.c		wishes in, facts out, both under the lock
 *	the thread's:	count_thread.c	when: settles, reads, sleeps, ends
 *			count_set.c	one text: opened, read
 *			count_fit.c	all marked texts: do they fit, which groups would
 *	the closer's:	count_thread.c	sets that are gone: a tracepoint takes 20 ms to close
 */
#ifndef SESSION_COUNT_H
#define SESSION_COUNT_H

#include <pthread.h>
#include "event/catalog.h"
#include "kernel/counters.h"
#include "kernel/fit.h"
#include "ptui/count.h"

#define COUNT_UNSEEN_MAX 20 /* publications that nobody asked for */

/* A text as it was asked for; owned. */
struct count_wish {
	char *text, *filter; /* filter may be NULL */
	bool marked;
};

struct count_wishes {
	struct count_wish *v;
	size_t n;
};

/* 0 or -ENOMEM, with *ret to be released in any case. One that comes twice is in it once. */
int count_wishes_copy(struct count_wishes *ret, const struct count_wish *from, size_t n);
void count_wishes_release(struct count_wishes *w);
/* Do both name the same events? */
bool count_is_same(const struct count_wish *a, const char *text, const char *filter);

/* One event of a text. */
struct count_event {
	struct ptui_count_event shown;	    /* under the lock */
	double history[PTUI_COUNT_HISTORY]; /* a ring; under the lock too */
	size_t next;
	struct counter_sum before; /* the thread's: as it was read last */
	uint64_t read_ns;
};

/* One text. The thread's, but for what is shown, which is written under the lock. */
struct count_set {
	struct count_wish wish;
	struct event_list events;
	struct counters counters;
	bool open;
	struct count_event *v; /* the first n events of the list */
	size_t n;
	bool refused;
	struct ptui_error why;	     /* refused: because */
	struct count_set *next_gone; /* while it waits to be closed */
};

/*
 * Parses and opens it for these processes (n_pids 0: the whole system). NULL: out of memory. One
 * that cannot be counted is a set too, refused.
 */
struct count_set *count_set_open(const struct kernel_ops *ops, struct catalog *catalog,
				 const struct count_wish *wish, const pid_t *pids, size_t n_pids);
/* Reads all, and shows it with `lock` held. */
void count_set_read(struct count_set *set, uint64_t now_ns, pthread_mutex_t *lock);
void count_set_free(struct count_set *set);

/* What was found out of the marked texts. */
struct count_fit {
	struct ptui_count_fit shown; /* measured_share is not in it */
	char *proposal;
};

/* Tries it; some system calls an event. 0 or -ENOMEM. */
int count_fit_make(const struct kernel_ops *ops, struct catalog *catalog,
		   const struct count_wishes *wishes, struct count_fit *ret);

struct ptui_count {
	const struct kernel_ops *ops;
	pid_t *pids;
	size_t n_pids;
	uint64_t refresh_ns, settle_ns;
	int wake_fd;
	pthread_t thread;
	struct catalog *catalog; /* the thread's */

	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t news;  /* for the thread: wishes, an ack, the end */
	bool stop;
	struct count_wishes wishes;
	uint64_t wished, applied; /* how often that changed; which of them holds */
	uint64_t wished_ns;
	uint64_t marked, fitted; /* how often marks changed; which of them `fit` is about */
	unsigned unseen;
	struct count_set **sets; /* only the thread changes it */
	size_t n_sets;
	struct count_fit fit;
	bool refused;
	struct ptui_error why;
	struct count_set *gone; /* for the closer */
	bool closing;		/* there is one */
};

/* ptui_count_new() over any kernel. */
struct ptui_count *count_new(const struct ptui_count_opts *opts, const struct kernel_ops *ops,
			     struct ptui_error *err);
/* As free, and waits until all is closed. */
void count_end(struct ptui_count *c);

/* When no thread uses it any more. */
void count_release(struct ptui_count *c);

/* count_thread.c */
int count_thread_start(struct ptui_count *c, struct ptui_error *err);

#endif
