/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads with all signals blocked: signals go to the thread that handles them. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts run(ctx). `ret` NULL: detached. 0 or a negative errno. */
int thread_start(pthread_t *ret, void *(*run)(void *ctx), void *ctx);

/* Number of CPUs on which this process may run; at least 1. */
unsigned thread_cpus(void);

/*
 * Calls run(ctx, i) for each i below n, all at once: the first one here, the others in threads of their own, or here as
 * well if there is none for them.
 */
void thread_each(size_t n, void (*run)(void *ctx, size_t i), void *ctx);

/* For pthread_cond_timedwait() until a time of clock_monotonic_ns(). 0 or a negative errno. */
int thread_cond_init(pthread_cond_t *cond);
/* Waits, with the lock held, until the condition or that time. False: the time has passed. */
bool thread_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_ns);

/*
 * A thread that works on batches in the order in which they were filled. Batch i is the filler's until it gives it,
 * then the thread's until it was worked on; there are n_batches, which the owner keeps.
 */
struct batch_thread {
	/* Works on a batch, in the thread. 0 or a negative errno: later batches are dropped. */
	int (*work)(void *ctx, size_t batch);
	void *ctx;
	size_t n_batches;
	/* its own */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t given, taken;
	bool ended;
	int err;
};

/* `work`, `ctx` and n_batches are set. 0 or a negative errno: nothing is to be ended. */
int batch_thread_start(struct batch_thread *t);
/* Gives the batch that was filled, and waits until the next one is free. 0, or what `work` returned. */
int batch_thread_give(struct batch_thread *t);
/* Waits until all given batches are done, and ends the thread. 0, or what `work` returned. */
int batch_thread_finish(struct batch_thread *t);

/* The batch to fill. */
static inline size_t batch_thread_next(const struct batch_thread *t)
{
	return t->given % t->n_batches;
}

#endif
