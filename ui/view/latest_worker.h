/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that runs only the latest job, for questions that become outdated.
 *
 *	loop --submit--> [ one job ] --thread: work()--> [ one answer ] --fd is readable--> take
 *
 * A job that has not started is replaced by the next one; so is an answer that was not taken.
 */
#ifndef VIEW_LATEST_WORKER_H
#define VIEW_LATEST_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "ptui/error.h"

struct latest_worker;

struct latest_worker_ops {
	const char *thread_name;
	void *(*work)(void *ctx,
		      void *job); /* in the thread; returns the answer, which may be NULL */
	void (*release_job)(void *job);
	void (*release_answer)(void *answer);
	void (*release_ctx)(void *ctx); /* after the last use; may be NULL */
};

/* NULL with err set on failure; `ctx` is released then, too. */
struct latest_worker *latest_worker_new(const struct latest_worker_ops *ops, void *ctx,
					struct ptui_error *err);
/* `waits`: waits for the running job. Otherwise it ends in the background. NULL ok. */
void latest_worker_free(struct latest_worker *w, bool waits);

/* Owns the job; NULL only withdraws the previous one. Returns its number, from 1. */
uint64_t latest_worker_submit(struct latest_worker *w, void *job);
/* For poll(): readable if there is an answer. Owned by the worker. */
int latest_worker_fd(const struct latest_worker *w);
/* The answer, now owned by the caller, and the number of its job. False: none. */
bool latest_worker_take(struct latest_worker *w, void **ret_answer, uint64_t *ret_number);

#endif
