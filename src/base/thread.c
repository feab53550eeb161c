/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int thread_start(pthread_t *ret, void *(*run)(void *ctx), void *ctx)
{
	sigset_t all, before;
	pthread_t thread;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(ret ? ret : &thread, NULL, run, ctx);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!failed && !ret)
		pthread_detach(thread);
	return -failed;
}

unsigned thread_cpus(void)
{
	cpu_set_t set;
	long online;

	if (!sched_getaffinity(0, sizeof(set), &set))
		return (unsigned)CPU_COUNT(&set);
	online = sysconf(_SC_NPROCESSORS_ONLN); /* more than the set has room for */
	return online > 0 ? (unsigned)online : 1;
}

struct one_of_each {
	pthread_t thread;
	bool started;
	void (*run)(void *ctx, size_t i);
	void *ctx;
	size_t i;
};

static void *run_one(void *ctx)
{
	struct one_of_each *one = ctx;

	one->run(one->ctx, one->i);
	return NULL;
}

void thread_each(size_t n, void (*run)(void *ctx, size_t i), void *ctx)
{
	struct one_of_each *v = n > 1 ? calloc(n, sizeof(*v)) : NULL;

	for (size_t i = 1; v && i < n; i++) {
		v[i] = (struct one_of_each){ .run = run, .ctx = ctx, .i = i };
		v[i].started = !thread_start(&v[i].thread, run_one, &v[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (!v || !v[i].started)
			run(ctx, i);
	for (size_t i = 1; v && i < n; i++)
		if (v[i].started)
			pthread_join(v[i].thread, NULL);
	free(v);
}

int thread_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;
	int failed;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	failed = pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
	return -failed;
}

bool thread_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_ns)
{
	struct timespec until = { .tv_sec = (time_t)(until_ns / 1000000000),
				  .tv_nsec = (long)(until_ns % 1000000000) };

	return !pthread_cond_timedwait(cond, lock, &until);
}

/* ---- batches ---- */

static void *batches_main(void *ctx)
{
	struct batch_thread *t = ctx;
	int err;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		while (t->taken == t->given && !t->ended)
			pthread_cond_wait(&t->changed, &t->lock);
		if (t->taken == t->given)
			break;
		err = t->err;
		pthread_mutex_unlock(&t->lock);
		if (!err)
			err = t->work(t->ctx, t->taken % t->n_batches);
		pthread_mutex_lock(&t->lock);
		t->err = err;
		t->taken++;
		pthread_cond_broadcast(&t->changed);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void batches_destroy(struct batch_thread *t)
{
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->changed);
}

int batch_thread_start(struct batch_thread *t)
{
	int err;

	t->given = t->taken = 0;
	t->ended = false;
	t->err = 0;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->changed, NULL);
	err = thread_start(&t->thread, batches_main, t);
	if (err)
		batches_destroy(t);
	return err;
}

int batch_thread_give(struct batch_thread *t)
{
	int err;

	pthread_mutex_lock(&t->lock);
	t->given++;
	pthread_cond_broadcast(&t->changed);
	while (t->given - t->taken == t->n_batches)
		pthread_cond_wait(&t->changed, &t->lock);
	err = t->err;
	pthread_mutex_unlock(&t->lock);
	return err;
}

int batch_thread_finish(struct batch_thread *t)
{
	pthread_mutex_lock(&t->lock);
	t->ended = true;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	batches_destroy(t);
	return t->err;
}
