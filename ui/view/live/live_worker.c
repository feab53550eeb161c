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

static void answer_free(void *hot)
{
	live_hot_free(hot);
}

static void maker_free(void *maker)
{
	live_hot_maker_free(maker);
}

static const struct latest_worker_ops ops = {
	.thread_name = "ptui-rows",
	.work = count,
	.release_job = job_free,
	.release_answer = answer_free,
	.release_ctx = maker_free,
};

struct latest_worker *live_worker_new(struct ptui_error *err)
{
	struct live_hot_maker *maker = live_hot_maker_new();

	if (maker)
		return latest_worker_new(&ops, maker, err);
	ptui_error_nomem(err);
	return NULL;
}

int live_worker_submit(struct latest_worker *w, const struct live_hot_job *job)
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
	latest_worker_submit(w, own);
	return 0;
}

struct live_hot *live_worker_take(struct latest_worker *w)
{
	uint64_t number;
	void *hot;

	return latest_worker_take(w, &hot, &number) ? hot : NULL;
}
