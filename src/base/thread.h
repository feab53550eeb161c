/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads with all signals blocked: signals go to the thread that handles them. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/* Starts run(ctx). `ret` NULL: detached. 0 or a negative errno. */
int thread_start(pthread_t *ret, void *(*run)(void *ctx), void *ctx);

#endif
