/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that counts the hottest functions, so that no key waits for it.
 *
 *	screen --submit: the latest profile, what is open--> [ one job ] --thread--> [ one answer ]
 *	screen <--------------- fd is readable, take <---------------------------------'
 *
 * A job that has not begun is replaced by the next one, an answer that was not taken as well.
 */
#ifndef VIEW_LIVE_LIVE_WORKER_H
#define VIEW_LIVE_LIVE_WORKER_H

#include "model/live/live_hot.h"
#include "ptui/error.h"

struct live_worker;

/* NULL on failure. */
struct live_worker *live_worker_new(struct ptui_error *err);
/* Does not wait: a job that is at work ends by itself, and nobody hears of it. NULL ok. */
void live_worker_free(struct live_worker *w);

/* Copies the job, with a reference of its own to the profile. 0 or -ENOMEM. */
int live_worker_submit(struct live_worker *w, const struct live_hot_job *job);

/* For poll(): readable when there is an answer. Stays the worker's. */
int live_worker_fd(const struct live_worker *w);
/* The answer, the caller's from now on; NULL: none. */
struct live_hot *live_worker_take(struct live_worker *w);

#endif
