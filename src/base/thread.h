/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads with all signals blocked: signals go to the thread that handles them. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts run(ctx). `ret` NULL: detached. 0 or a negative errno. */
int thread_start(pthread_t *ret, void *(*run)(void *ctx), void *ctx);

/* Number of CPUs on which this process may run; at least 1. */
unsigned thread_cpus(void);

/* For pthread_cond_timedwait() until a time of clock_monotonic_ns(). 0 or a negative errno. */
int thread_cond_init(pthread_cond_t *cond);
/* Waits, with the lock held, until the condition or that time. False: the time has passed. */
bool thread_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_ns);

#endif
