/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that counts the hottest functions, so that no key waits for it: a
 * struct latest_worker whose jobs are the latest profile and the rows that are open.
 */
#ifndef VIEW_LIVE_LIVE_WORKER_H
#define VIEW_LIVE_LIVE_WORKER_H

#include "model/live/live_hot.h"
#include "ptui/error.h"

struct latest_worker;

/* To be freed with latest_worker_free(). NULL with err set on failure. */
struct latest_worker *live_worker_new(struct ptui_error *err);
/* Copies the job, with a reference of its own to the profile. 0 or -ENOMEM. */
int live_worker_submit(struct latest_worker *w, const struct live_hot_job *job);
/* The answer, the caller's from now on; NULL: none. */
struct live_hot *live_worker_take(struct latest_worker *w);

#endif
