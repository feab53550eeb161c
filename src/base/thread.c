/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>
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
