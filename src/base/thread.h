/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that no signal interrupts: signals go to the thread that has the handlers. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/* Starts run(ctx) with all signals blocked. `ret` NULL: detached. 0 or a negative errno. */
int thread_start(pthread_t *ret, void *(*run)(void *ctx), void *ctx);

#endif
