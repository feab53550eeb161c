/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task in a thread of its own; its end is an event of the loop. Nothing waits for it.
 *
 *	loop	start ............... progress ............. done(task, owner)
 *		  \                                         /         \
 *	thread	   run(task, worker) --worker_progress-->--'           release(task)
 *
 * The task has its own memory, so that it may outlive its owner. An owner that closes leaves its
 * worker: the task is asked to stop, ends when it can, and is released in its own thread. A process
 * that exits does not wait for it either.
 */
#ifndef VIEW_WORKER_H
#define VIEW_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "ptui/error.h"
#include "term/canvas.h"
#include "widget/stack.h"

struct worker;

struct worker_ops {
	void (*run)(void *task, struct worker *w); /* in the thread */
	/* On the loop, unless the owner has left: moves results out of the task. */
	void (*done)(void *task, void *owner);
	void (*release)(void *task); /* in any thread: freeing may be slow */
};

/*
 * Starts it as *worker, which belongs to the owner, and is NULL again when done() is called or the owner
 * leaves it. False: no thread could be created; the task was released.
 */
bool worker_start(struct worker **worker, struct loop *loop, const struct worker_ops *ops,
		  void *task, void *owner, struct ptui_error *err);
/* The same for a screen, which is drawn every 100 ms until it ends, for its progress. */
bool worker_start_shown(struct worker **worker, struct stack *s, const struct worker_ops *ops,
			void *task, void *screen, struct ptui_error *err);
/* Asks the task to stop; done() is still called. */
void worker_cancel(struct worker *w);
/* As cancel, but done() is not called; sets it to NULL, which is ok. */
void worker_abandon(struct worker **worker);

/* In the thread: a ptui_progress_fn, with `worker` as its context. */
int worker_progress(void *worker, const char *what, uint64_t done, uint64_t total);
/* In any thread: true if it was asked to stop. */
bool worker_is_cancelled(struct worker *w);

struct worker_state {
	char what[128];	      /* "": no progress reported yet */
	uint64_t done, total; /* total 0: unknown */
};

/* The progress that was reported, or the one before it. On the loop, which never waits for it. */
void worker_get_state(struct worker *w, struct worker_state *ret);
/* The same in percent; -1: unknown. NULL ok. */
int worker_percent(struct worker *w);
/* Draws it with a bar, for a screen that has nothing else to show. */
void worker_draw(const struct canvas *c, struct worker *w, const char *escape_does);

/* Calls release(what) in a thread, since freeing may be slow. NULL ok. */
void worker_put_away(void (*release)(void *what), void *what);

/* ---- only the latest of several jobs ---- */

/*
 * Runs only the latest job, for questions that become outdated: one worker at a time.
 *
 *	loop --submit--> [ next job ] --> worker: work() --> done(owner, answer)
 *
 * A job that has not started is replaced by the next one.
 */
struct latest_worker;

struct latest_worker_ops {
	/* In a thread; returns the answer, which may be NULL. */
	void *(*work)(void *ctx, void *job);
	/*
	 * On the loop, for each job that was started; owns the answer. `is_latest`: nothing was submitted
	 * since.
	 */
	void (*done)(void *owner, void *answer, bool is_latest);
	void (*release_job)(void *job);
	void (*release_answer)(void *answer);
	void (*release_ctx)(void *ctx); /* after the last use; may be NULL */
};

/* NULL: out of memory; `ctx` is released then, too. */
struct latest_worker *latest_worker_new(struct loop *loop, const struct latest_worker_ops *ops,
					void *ctx, void *owner);
/* Does not wait for a running job, whose answer is dropped. NULL ok. */
void latest_worker_free(struct latest_worker *w);
/* Owns the job; NULL only withdraws the previous one. False: no thread could be started for it. */
bool latest_worker_submit(struct latest_worker *w, void *job);

#endif
