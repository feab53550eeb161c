/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	const uint64_t one = 1;

	w->run(w->ctx);
	while (write(w->fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	return NULL;
}

void worker_stop(struct worker *w)
{
	if (!w->runs)
		return;
	pthread_join(w->thread, NULL);
	loop_remove(w->loop, w->watch);
	close(w->fd);
	w->runs = false;
}

static void worker_ended(void *ctx, int fd, short revents)
{
	struct worker *w = ctx;

	(void)fd;
	(void)revents;
	worker_stop(w);
	w->done(w->ctx);
}

int worker_start(struct worker *w, struct loop *loop, void (*run)(void *ctx),
		 void (*done)(void *ctx), void *ctx)
{
	sigset_t all, old;
	int err;

	*w = (struct worker){ .loop = loop, .run = run, .done = done, .ctx = ctx };
	w->fd = eventfd(0, EFD_CLOEXEC);
	if (w->fd < 0)
		return -errno;
	w->watch = loop_watch(loop, w->fd, POLLIN, worker_ended, w);
	if (!w->watch) {
		close(w->fd);
		return -ENOMEM;
	}
	/* signals are the loop's */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&w->thread, NULL, worker_main, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err) {
		loop_remove(loop, w->watch);
		close(w->fd);
		return -err;
	}
	w->runs = true;
	return 0;
}

bool worker_runs(const struct worker *w)
{
	return w->runs;
}
