/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One task in a thread of its own, and its end as an event of the loop. Nobody ever waits for it.
 *
 *	loop	start ................ how far? ............ done(task, owner)
 *		  \                                         /         \
 *	thread	   run(task, worker) --worker_progress-->--'           release(task)
 *
 * Takes: a task (memory of its own: whoever leaves it takes nothing away from it), what to run, and
 * what to do when it has ended. An owner that goes away leaves its worker: the task is asked to
 * stop, ends when it can, and is released in its own thread. A process that exits meanwhile does
 * not wait for it either.
 */
#ifndef VIEW_WORKER_H
#define VIEW_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "ptui/error.h"
#include "term/loop.h"

struct worker;

struct worker_ops {
	void (*run)(void *task, struct worker *w); /* in the thread */
	/* On the loop, unless the owner has left: takes what it wants out of the task. */
	void (*done)(void *task, void *owner);
	void (*release)(void *task); /* in some thread: what is large takes long to free */
};

/*
 * Starts; the worker is the owner's until done() is called or it leaves. NULL: no thread can be had;
 * the task was released.
 */
struct worker *worker_start(struct loop *loop, const struct worker_ops *ops, void *task,
			    void *owner, struct ptui_error *err);
/* The task should stop; done() comes all the same. */
void worker_cancel(struct worker *w);
/* As cancel, and done() does not come. NULL ok. */
void worker_leave(struct worker *w);

/* In the thread: a ptui_progress_fn, `worker` as its context. */
int worker_progress(void *worker, const char *what, uint64_t done, uint64_t total);
/* In any thread: it was asked to stop. */
bool worker_is_cancelled(struct worker *w);

struct worker_state {
	char what[128];	      /* "": it has not told yet */
	uint64_t done, total; /* total 0: not known */
	bool cancelled;
};

/* What the task told last. */
void worker_get_state(struct worker *w, struct worker_state *ret);

/* Frees in a thread what may take long: release(what). NULL ok. */
void worker_put_away(void (*release)(void *what), void *what);

#endif
