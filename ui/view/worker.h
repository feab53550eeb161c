/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One task in a thread of its own, and its end as an event of the loop.
 *
 * Takes: what to run there and what to do here when it has ended. Not for telling how far it is
 * (the task keeps that where a timer can look), nor for cancelling it (the task's own flag).
 */
#ifndef VIEW_WORKER_H
#define VIEW_WORKER_H

#include <pthread.h>
#include <stdbool.h>

#include "term/loop.h"

struct worker {
	struct loop *loop;
	pthread_t thread;
	int fd; /* written to by the thread when it ends */
	unsigned watch;
	bool runs;
	void (*run)(void *ctx);	 /* in the thread */
	void (*done)(void *ctx); /* on the loop; another task may be started there */
	void *ctx;
};

/* 0 or a negative errno. No task may be running in `w`, which is all zero at first. */
int worker_start(struct worker *w, struct loop *loop, void (*run)(void *ctx),
		 void (*done)(void *ctx), void *ctx);
bool worker_runs(const struct worker *w);
/* Waits for the end of what runs; done() is not called. */
void worker_stop(struct worker *w);

#endif
