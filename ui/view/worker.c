/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/worker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/wake.h"
#include "text/i18n.h"
#include "widget/spark.h"

#define SHOW_MS	  100
#define BAR_WIDTH 60

struct worker {
	const struct worker_ops *ops;
	void *task, *owner;
	struct worker **place; /* the owner's */
	struct loop *loop;
	unsigned watch;
	int fd;		     /* written by the thread when it ends */
	struct stack *stack; /* where the owner is drawn … */
	unsigned timer;	     /* … as often as this; 0: it is not */

	atomic_int users; /* owner and thread: the last one frees */
	atomic_bool cancelled;
	struct worker_state seen; /* the last one that the loop got */
	/* Of the state. The loop only tries to get it: the thread may have lost its CPU while it has it. */
	pthread_mutex_t lock;
	struct worker_state state;
};

static void release(void *what)
{
	struct worker *w = what;

	if (w->task)
		w->ops->release(w->task);
	close(w->fd);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

/* True: it was the last reference; the caller must release it. */
static bool unref(struct worker *w)
{
	return atomic_fetch_sub_explicit(&w->users, 1, memory_order_acq_rel) == 1;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	w->ops->run(w->task, w);
	wake_set(w->fd);
	if (unref(w))
		release(w);
	return NULL;
}

static void worker_ended(void *ctx)
{
	struct worker *w = ctx;
	const struct worker_ops *ops = w->ops;
	void *task = w->task, *owner = w->owner;

	/* makes everything visible that the thread wrote before it ended */
	wake_clear(w->fd);
	loop_remove(w->loop, w->watch);
	loop_remove(w->loop, w->timer);
	w->task = NULL;
	*w->place = NULL;
	if (unref(w))
		release(w);
	ops->done(task, owner);
	worker_put_away(ops->release, task);
}

static struct worker *worker_new(struct loop *loop)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->fd = wake_open(NULL);
	w->watch = w->fd < 0 ? 0 : loop_watch(loop, w->fd, worker_ended, w);
	if (!w->watch || pthread_mutex_init(&w->lock, NULL)) {
		loop_remove(loop, w->watch);
		if (w->fd >= 0)
			close(w->fd);
		free(w);
		return NULL;
	}
	w->loop = loop;
	atomic_init(&w->users, 2);
	return w;
}

bool worker_start(struct worker **worker, struct loop *loop, const struct worker_ops *ops,
		  void *task, void *owner, struct ptui_error *err)
{
	struct worker *w = worker_new(loop);
	int ret;

	*worker = w;
	if (!w) {
		ptui_error_nomem(err);
		ops->release(task);
		return false;
	}
	w->ops = ops;
	w->task = task;
	w->owner = owner;
	w->place = worker;
	ret = thread_start(NULL, worker_main, w);
	if (!ret)
		return true;
	*worker = NULL;
	ptui_error_errno(err, -ret, NULL, _("cannot start a thread"));
	loop_remove(loop, w->watch);
	release(w);
	return false;
}

static void draw_screen(void *ctx)
{
	const struct worker *w = ctx;

	stack_wish(w->stack, w->owner, WISH_REDRAW);
}

bool worker_start_shown(struct worker **worker, struct stack *s, const struct worker_ops *ops,
			void *task, void *screen, struct ptui_error *err)
{
	struct worker *w;

	if (!worker_start(worker, stack_loop(s), ops, task, screen, err))
		return false;
	w = *worker;
	w->stack = s;
	w->timer = loop_every(w->loop, SHOW_MS, draw_screen, w);
	return true;
}

void worker_cancel(struct worker *w)
{
	atomic_store_explicit(&w->cancelled, true, memory_order_relaxed);
}

void worker_abandon(struct worker **worker)
{
	struct worker *w = *worker;

	*worker = NULL;
	if (!w)
		return;
	loop_remove(w->loop, w->watch);
	loop_remove(w->loop, w->timer);
	worker_cancel(w);
	if (unref(w))
		worker_put_away(release, w);
}

int worker_progress(void *worker, const char *what, uint64_t done, uint64_t total)
{
	struct worker *w = worker;
	bool cancelled;

	pthread_mutex_lock(&w->lock);
	snprintf(w->state.what, sizeof(w->state.what), "%s", what ? what : "");
	w->state.done = done;
	w->state.total = total;
	/* not by what the loop does when it has seen this */
	cancelled = worker_is_cancelled(w);
	pthread_mutex_unlock(&w->lock);
	return cancelled;
}

bool worker_is_cancelled(struct worker *w)
{
	return atomic_load_explicit(&w->cancelled, memory_order_relaxed);
}

void worker_get_state(struct worker *w, struct worker_state *ret)
{
	if (!pthread_mutex_trylock(&w->lock)) {
		w->seen = w->state;
		pthread_mutex_unlock(&w->lock);
	}
	*ret = w->seen;
}

int worker_percent(struct worker *w)
{
	struct worker_state state = { .total = 0 };

	if (w)
		worker_get_state(w, &state);
	return state.total ? (int)(100 * state.done / state.total) : -1;
}

void worker_draw(const struct canvas *c, struct worker *w, const char *escape_does)
{
	int y = c->at.h / 3, width = c->at.w - 8 < BAR_WIDTH ? c->at.w - 8 : BAR_WIDTH;
	struct worker_state state;

	if (width < 1)
		return;
	worker_get_state(w, &state);
	canvas_text(c, y, 4, ROLE_TEXT, state.what);
	if (state.total) {
		spark_bar(c, y + 1, 4, width, (double)state.done / (double)state.total, ROLE_NOTE);
		canvas_printf(c, y + 1, 5 + width, ROLE_TEXT, "%3d%%",
			      (int)(100 * state.done / state.total));
	}
	canvas_text(c, y + 2, 4, ROLE_DIM, escape_does);
}

/* ---- freeing in a thread ---- */

struct refuse {
	void (*release)(void *what);
	void *what;
};

static void *put_away_main(void *arg)
{
	struct refuse *r = arg;

	r->release(r->what);
	free(r);
	return NULL;
}

void worker_put_away(void (*free_it)(void *what), void *what)
{
	struct refuse *r = what ? malloc(sizeof(*r)) : NULL;

	if (r) {
		*r = (struct refuse){ free_it, what };
		if (!thread_start(NULL, put_away_main, r))
			return;
		free(r);
	}
	if (what)
		free_it(what);
}

/* ---- only the latest of several jobs ---- */

/* Outlives the latest_worker if that leaves it. */
struct task {
	const struct latest_worker_ops *ops;
	void *ctx, *job, *answer;
	bool owns_ctx; /* its latest_worker has left */
};

struct latest_worker {
	const struct latest_worker_ops *ops;
	void *ctx, *owner;
	struct loop *loop;
	struct worker *running; /* NULL: no job … */
	struct task *task;	/* … else this one */
	void *next;		/* NULL: none */
	bool is_outdated;	/* something was submitted since the running job */
};

static void release_ctx(const struct latest_worker_ops *ops, void *ctx)
{
	if (ops->release_ctx)
		ops->release_ctx(ctx);
}

static void release_task(void *task)
{
	struct task *t = task;

	t->ops->release_job(t->job);
	if (t->answer)
		t->ops->release_answer(t->answer);
	if (t->owns_ctx)
		release_ctx(t->ops, t->ctx);
	free(t);
}

static void run_task(void *task, struct worker *worker)
{
	struct task *t = task;

	(void)worker;
	t->answer = t->ops->work(t->ctx, t->job);
}

static bool start(struct latest_worker *w, void *job);

static void task_done(void *task, void *owner)
{
	struct latest_worker *w = owner;
	struct task *t = task;
	void *answer = t->answer, *next = w->next;
	bool is_latest = !w->is_outdated;

	t->answer = w->next = NULL;
	if (next)
		start(w, next);
	w->ops->done(w->owner, answer, is_latest);
}

static bool start(struct latest_worker *w, void *job)
{
	static const struct worker_ops ops = { run_task, task_done, release_task };
	struct task *t = malloc(sizeof(*t));

	if (!t) {
		w->ops->release_job(job);
		return false;
	}
	*t = (struct task){ .ops = w->ops, .ctx = w->ctx, .job = job };
	w->task = t;
	w->is_outdated = false;
	return worker_start(&w->running, w->loop, &ops, t, w, NULL);
}

struct latest_worker *latest_worker_new(struct loop *loop, const struct latest_worker_ops *ops,
					void *ctx, void *owner)
{
	struct latest_worker *w = malloc(sizeof(*w));

	if (w)
		*w = (struct latest_worker){ .ops = ops, .ctx = ctx, .owner = owner, .loop = loop };
	else
		release_ctx(ops, ctx);
	return w;
}

void latest_worker_free(struct latest_worker *w)
{
	if (!w)
		return;
	if (w->running)
		w->task->owns_ctx = true;
	else
		release_ctx(w->ops, w->ctx);
	worker_abandon(&w->running);
	if (w->next)
		w->ops->release_job(w->next);
	free(w);
}

bool latest_worker_submit(struct latest_worker *w, void *job)
{
	if (w->next)
		w->ops->release_job(w->next);
	w->next = NULL;
	w->is_outdated = true;
	if (!w->running)
		return !job || start(w, job);
	w->next = job;
	return true;
}
