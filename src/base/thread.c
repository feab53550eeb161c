/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/thread.h"

#include <signal.h>

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
