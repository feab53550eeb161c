/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/live_worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

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
	uint64_t one = 1;

	if (!hot)
		return;
	live_hot_free(w->answer);
	w->answer = hot;
	/* a full counter is readable as well */
	if (write(w->fd, &one, sizeof(one)) < 0)
		return;
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

static int start(struct live_worker *w)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;
	int r = pthread_attr_init(&attr);

	if (r)
		return r;
	/* signals are for the thread that polls */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	r = pthread_create(&thread, &attr, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return r;
}

struct live_worker *live_worker_new(struct ptui_error *err)
{
	struct live_worker *w = calloc(1, sizeof(*w));
	int r;

	if (!w) {
		ptui_error_nomem(err);
		return NULL;
	}
	w->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->fd < 0) {
		ptui_error_errno(err, errno, NULL, _("no eventfd for the live view"));
		free(w);
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->news, NULL);
	w->users = 2;
	r = start(w);
	if (r) {
		ptui_error_errno(err, r, NULL, _("no thread for the live view"));
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
	uint64_t n;

	pthread_mutex_lock(&w->lock);
	/* nothing to read: the answer was taken already */
	if (read(w->fd, &n, sizeof(n)) < 0)
		n = 0;
	hot = w->answer;
	w->answer = NULL;
	pthread_mutex_unlock(&w->lock);
	return hot;
}
