/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/latest_worker.h"

#include <stdlib.h>

#include "view/worker.h"

/* Outlives the latest_worker if that leaves it. */
struct task {
	const struct latest_worker_ops *ops;
	void *ctx, *job, *answer;
	bool owns_ctx; /* its latest_worker has left */
};

struct latest_worker {
	const struct latest_worker_ops *ops;
	void *ctx, *owner;
	struct loop *loop;
	struct worker *running; /* NULL: no job … */
	struct task *task;	/* … else this one */
	void *next;		/* NULL: none */
	bool is_outdated;	/* something was submitted since the running job */
};

static void release_ctx(const struct latest_worker_ops *ops, void *ctx)
{
	if (ops->release_ctx)
		ops->release_ctx(ctx);
}

static void release_task(void *task)
{
	struct task *t = task;

	t->ops->release_job(t->job);
	if (t->answer)
		t->ops->release_answer(t->answer);
	if (t->owns_ctx)
		release_ctx(t->ops, t->ctx);
	free(t);
}

static void run_task(void *task, struct worker *worker)
{
	struct task *t = task;

	(void)worker;
	t->answer = t->ops->work(t->ctx, t->job);
}

static bool start(struct latest_worker *w, void *job);

static void task_done(void *task, void *owner)
{
	struct latest_worker *w = owner;
	struct task *t = task;
	void *answer = t->answer, *next = w->next;
	bool is_latest = !w->is_outdated;

	t->answer = w->next = w->running = NULL;
	if (next)
		start(w, next);
	w->ops->done(w->owner, answer, is_latest);
}

static bool start(struct latest_worker *w, void *job)
{
	static const struct worker_ops ops = { run_task, task_done, release_task };
	struct task *t = malloc(sizeof(*t));

	if (!t) {
		w->ops->release_job(job);
		return false;
	}
	*t = (struct task){ .ops = w->ops, .ctx = w->ctx, .job = job };
	w->task = t;
	w->is_outdated = false;
	w->running = worker_start(w->loop, &ops, t, w, NULL);
	return w->running;
}

struct latest_worker *latest_worker_new(struct loop *loop, const struct latest_worker_ops *ops,
					void *ctx, void *owner)
{
	struct latest_worker *w = malloc(sizeof(*w));

	if (w)
		*w = (struct latest_worker){ .ops = ops, .ctx = ctx, .owner = owner, .loop = loop };
	else
		release_ctx(ops, ctx);
	return w;
}

void latest_worker_free(struct latest_worker *w)
{
	if (!w)
		return;
	if (w->running)
		w->task->owns_ctx = true;
	else
		release_ctx(w->ops, w->ctx);
	worker_abandon(&w->running);
	if (w->next)
		w->ops->release_job(w->next);
	free(w);
}

bool latest_worker_submit(struct latest_worker *w, void *job)
{
	if (w->next)
		w->ops->release_job(w->next);
	w->next = NULL;
	w->is_outdated = true;
	if (!w->running)
		return !job || start(w, job);
	w->next = job;
	return true;
}
