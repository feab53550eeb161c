/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/live/live_worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/latest_worker.h"

static void job_free(void *arg)
{
	struct live_hot_job *job = arg;

	ptui_profile_unref(job->profile);
	free((void *)(uintptr_t)job->open);
	free(job);
}

/* After a failure it is counted again at the next refresh. */
static void *count(void *maker, void *job)
{
	return live_hot_make(maker, job, NULL);
}

/* Also if the next job waits: they may come faster than they are counted. */
static void counted(void *worker, void *hot, bool is_latest)
{
	struct live_worker *w = worker;

	(void)is_latest;
	w->done(w->ctx, hot);
}

static void answer_free(void *hot)
{
	live_hot_free(hot);
}

static void maker_free(void *maker)
{
	live_hot_maker_free(maker);
}

int live_worker_init(struct live_worker *w, struct loop *loop,
		     void (*done)(void *ctx, struct live_hot *hot), void *ctx)
{
	static const struct latest_worker_ops ops = {
		.work = count,
		.done = counted,
		.release_job = job_free,
		.release_answer = answer_free,
		.release_ctx = maker_free,
	};
	struct live_hot_maker *maker = live_hot_maker_new();

	*w = (struct live_worker){ .done = done, .ctx = ctx };
	w->worker = maker ? latest_worker_new(loop, &ops, maker, w) : NULL;
	return w->worker ? 0 : -ENOMEM;
}

int live_worker_submit(struct live_worker *w, const struct live_hot_job *job)
{
	struct live_hot_job *own = malloc(sizeof(*own));
	uint64_t *open = malloc((job->n_open + 1) * sizeof(*open));

	if (!own || !open) {
		free(own);
		free(open);
		return -ENOMEM;
	}
	*own = *job;
	if (job->n_open)
		memcpy(open, job->open, job->n_open * sizeof(*open));
	own->open = open;
	ptui_profile_ref(job->profile);
	return latest_worker_submit(w->worker, own) ? 0 : -ENOMEM;
}
