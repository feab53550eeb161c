/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/latest_worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/wake.h"
#include "text/i18n.h"

struct latest_worker {
	const struct latest_worker_ops *ops;
	void *ctx;
	int fd;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	int users; /* owner and thread: the last one frees */
	bool ends, has_answer;
	void *job; /* NULL: none */
	uint64_t n_jobs;
	void *answer;
	uint64_t answer_number;
};

/* Requires the lock. */
static void set_job(struct latest_worker *w, void *job)
{
	if (w->job)
		w->ops->release_job(w->job);
	w->job = job;
}

static void set_answer(struct latest_worker *w, bool has_answer, void *answer, uint64_t number)
{
	if (w->answer)
		w->ops->release_answer(w->answer);
	w->has_answer = has_answer;
	w->answer = answer;
	w->answer_number = number;
}

static void unref(struct latest_worker *w)
{
	bool last = !--w->users;

	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	if (!last)
		return;
	set_job(w, NULL);
	set_answer(w, false, NULL, 0);
	if (w->ops->release_ctx)
		w->ops->release_ctx(w->ctx);
	close(w->fd);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void *latest_worker_main(void *arg)
{
	struct latest_worker *w = arg;

	pthread_setname_np(pthread_self(), w->ops->thread_name);
	pthread_mutex_lock(&w->lock);
	while (!w->ends) {
		void *job = w->job, *answer;
		uint64_t number = w->n_jobs;

		if (!job) {
			pthread_cond_wait(&w->changed, &w->lock);
			continue;
		}
		w->job = NULL;
		pthread_mutex_unlock(&w->lock);
		answer = w->ops->work(w->ctx, job);
		w->ops->release_job(job);
		pthread_mutex_lock(&w->lock);
		set_answer(w, true, answer, number);
		wake_set(w->fd);
	}
	unref(w);
	return NULL;
}

static struct latest_worker *fail(const struct latest_worker_ops *ops, void *ctx)
{
	if (ops->release_ctx)
		ops->release_ctx(ctx);
	return NULL;
}

struct latest_worker *latest_worker_new(const struct latest_worker_ops *ops, void *ctx,
					struct ptui_error *err)
{
	struct latest_worker *w = calloc(1, sizeof(*w));
	int ret;

	if (!w) {
		ptui_error_nomem(err);
		return fail(ops, ctx);
	}
	w->fd = wake_open(err);
	if (w->fd < 0) {
		free(w);
		return fail(ops, ctx);
	}
	w->ops = ops;
	w->ctx = ctx;
	w->users = 2;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	ret = thread_start(NULL, latest_worker_main, w);
	if (!ret)
		return w;
	ptui_error_errno(err, -ret, NULL, _("cannot start a thread"));
	w->users = 1;
	latest_worker_free(w, false);
	return NULL;
}

void latest_worker_free(struct latest_worker *w, bool waits)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->ends = true;
	pthread_cond_broadcast(&w->changed);
	while (waits && w->users > 1)
		pthread_cond_wait(&w->changed, &w->lock);
	unref(w);
}

uint64_t latest_worker_submit(struct latest_worker *w, void *job)
{
	uint64_t number;

	pthread_mutex_lock(&w->lock);
	set_job(w, job);
	number = ++w->n_jobs;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return number;
}

int latest_worker_fd(const struct latest_worker *w)
{
	return w->fd;
}

bool latest_worker_take(struct latest_worker *w, void **ret_answer, uint64_t *ret_number)
{
	bool has_answer;

	pthread_mutex_lock(&w->lock);
	wake_clear(w->fd);
	has_answer = w->has_answer;
	*ret_answer = w->answer;
	*ret_number = w->answer_number;
	w->answer = NULL;
	w->has_answer = false;
	pthread_mutex_unlock(&w->lock);
	return has_answer;
}
