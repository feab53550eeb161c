/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs only the latest job, for questions that become outdated: one worker at a time.
 *
 *	loop --submit--> [ next job ] --> worker: work() --> done(owner, answer)
 *
 * A job that has not started is replaced by the next one.
 */
#ifndef VIEW_LATEST_WORKER_H
#define VIEW_LATEST_WORKER_H

#include <stdbool.h>

#include "term/loop.h"

struct latest_worker;

struct latest_worker_ops {
	/* In a thread; returns the answer, which may be NULL. */
	void *(*work)(void *ctx, void *job);
	/*
	 * On the loop, for each job that was started; owns the answer. `is_latest`: nothing was submitted
	 * since.
	 */
	void (*done)(void *owner, void *answer, bool is_latest);
	void (*release_job)(void *job);
	void (*release_answer)(void *answer);
	void (*release_ctx)(void *ctx); /* after the last use; may be NULL */
};

/* NULL: out of memory; `ctx` is released then, too. */
struct latest_worker *latest_worker_new(struct loop *loop, const struct latest_worker_ops *ops,
					void *ctx, void *owner);
/* Does not wait for a running job, whose answer is dropped. NULL ok. */
void latest_worker_free(struct latest_worker *w);
/* Owns the job; NULL only withdraws the previous one. False: no thread could be started for it. */
bool latest_worker_submit(struct latest_worker *w, void *job);

#endif
