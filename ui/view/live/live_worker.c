/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/live/live_worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/wake.h"
#include "text/i18n.h"

struct live_worker {
	pthread_mutex_t lock;
	pthread_cond_t news; /* a job, or the end */
	bool has_job, end;
	struct live_hot_job job; /* owns its profile and ids while has_job */
	struct live_hot *answer;
	int fd;
	int users; /* the screen and the thread: the last one frees */
};

static void job_clear(struct live_hot_job *job)
{
	ptui_profile_unref(job->profile);
	free((void *)job->open);
	memset(job, 0, sizeof(*job));
}

/* With the lock held. */
static void leave(struct live_worker *w)
{
	bool last = --w->users == 0;

	pthread_mutex_unlock(&w->lock);
	if (!last)
		return;
	if (w->has_job)
		job_clear(&w->job);
	live_hot_free(w->answer);
	close(w->fd);
	pthread_cond_destroy(&w->news);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void answer(struct live_worker *w, struct live_hot *hot)
{
	if (!hot)
		return;
	live_hot_free(w->answer);
	w->answer = hot;
	wake_set(w->fd);
}

static void *work(void *arg)
{
	struct live_worker *w = arg;
	struct live_hot_maker *maker = live_hot_maker_new();

	pthread_setname_np(pthread_self(), "ptui-rows");
	pthread_mutex_lock(&w->lock);
	while (!w->end) {
		struct live_hot_job job;
		struct live_hot *hot;

		if (!w->has_job) {
			pthread_cond_wait(&w->news, &w->lock);
			continue;
		}
		job = w->job;
		w->has_job = false;
		pthread_mutex_unlock(&w->lock);
		/* what could not be counted is counted again at the next refresh */
		hot = maker ? live_hot_make(maker, &job, NULL) : NULL;
		job_clear(&job);
		pthread_mutex_lock(&w->lock);
		answer(w, hot);
	}
	pthread_mutex_unlock(&w->lock);
	live_hot_maker_free(maker);
	pthread_mutex_lock(&w->lock);
	leave(w);
	return NULL;
}

struct live_worker *live_worker_new(struct ptui_error *err)
{
	struct live_worker *w = calloc(1, sizeof(*w));
	int r;

	if (!w) {
		ptui_error_nomem(err);
		return NULL;
	}
	w->fd = wake_open(err);
	if (w->fd < 0) {
		free(w);
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->news, NULL);
	w->users = 2;
	r = thread_start(NULL, work, w);
	if (r) {
		ptui_error_errno(err, -r, NULL, _("cannot start a thread"));
		w->users = 1;
		live_worker_free(w);
		return NULL;
	}
	return w;
}

void live_worker_free(struct live_worker *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->end = true;
	pthread_cond_signal(&w->news);
	leave(w);
}

int live_worker_submit(struct live_worker *w, const struct live_hot_job *job)
{
	uint64_t *open = NULL;

	if (job->n_open) {
		open = malloc(job->n_open * sizeof(*open));
		if (!open)
			return -ENOMEM;
		memcpy(open, job->open, job->n_open * sizeof(*open));
	}
	pthread_mutex_lock(&w->lock);
	if (w->has_job)
		job_clear(&w->job);
	w->job = *job;
	w->job.open = open;
	ptui_profile_ref(job->profile);
	w->has_job = true;
	pthread_cond_signal(&w->news);
	pthread_mutex_unlock(&w->lock);
	return 0;
}

int live_worker_fd(const struct live_worker *w)
{
	return w->fd;
}

struct live_hot *live_worker_take(struct live_worker *w)
{
	struct live_hot *hot;

	pthread_mutex_lock(&w->lock);
	wake_clear(w->fd);
	hot = w->answer;
	w->answer = NULL;
	pthread_mutex_unlock(&w->lock);
	return hot;
}
