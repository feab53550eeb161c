/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the hottest functions in a thread: a struct latest_worker whose jobs are the latest profile
 * and the open rows.
 */
#ifndef VIEW_LIVE_LIVE_WORKER_H
#define VIEW_LIVE_LIVE_WORKER_H

#include "model/live/live_hot.h"
#include "view/latest_worker.h"

struct live_worker {
	struct latest_worker *worker; /* free it with latest_worker_free() */
	void (*done)(void *ctx, struct live_hot *hot);
	void *ctx;
};

/* `done` owns the answer; NULL: it failed. 0 or -ENOMEM. */
int live_worker_init(struct live_worker *w, struct loop *loop,
		     void (*done)(void *ctx, struct live_hot *hot), void *ctx);
/* Copies the job, and takes a reference to the profile. 0 or -ENOMEM. */
int live_worker_submit(struct live_worker *w, const struct live_hot_job *job);

#endif
