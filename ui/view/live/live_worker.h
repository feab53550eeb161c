/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that counts the hottest functions: a struct latest_worker whose jobs are the latest
 * profile and the open rows.
 */
#ifndef VIEW_LIVE_LIVE_WORKER_H
#define VIEW_LIVE_LIVE_WORKER_H

#include "model/live/live_hot.h"
#include "ptui/error.h"

struct latest_worker;

/* Free it with latest_worker_free(). NULL with err set on failure. */
struct latest_worker *live_worker_new(struct ptui_error *err);
/* Copies the job, and takes a reference to the profile. 0 or -ENOMEM. */
int live_worker_submit(struct latest_worker *w, const struct live_hot_job *job);
/* The answer, owned by the caller; NULL: none. */
struct live_hot *live_worker_take(struct latest_worker *w);

#endif
