/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starting the recording: opening counters and reading /proc takes a while with many processes or
 * events; keys are handled meanwhile.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/live/live_private.h"
#include "view/worker.h"
#include "widget/popup.h"

/* A faster start shows no message. */
#define WORDS_MS 300

struct live_start {
	struct stack *stack;
	struct live_view_opts opts; /* copied; the live is the task's */
	struct worker *worker;	    /* NULL: ended */
	unsigned timer;
	bool shown, cancelled;
};

/* Data of the thread. */
struct start_task {
	struct ptui_live *live;
	sigset_t mask; /* of the loop's thread */
	struct ptui_error err;
	int ret;
};

/* The command inherits the signal mask of the starting thread: must not be the worker's. */
static void task_run(void *task, struct worker *w)
{
	struct start_task *t = task;
	sigset_t mine;

	(void)w;
	pthread_sigmask(SIG_SETMASK, &t->mask, &mine);
	t->ret = ptui_live_start(t->live, &t->err);
	pthread_sigmask(SIG_SETMASK, &mine, NULL);
}

static void task_release(void *task)
{
	struct start_task *t = task;

	ptui_live_free(t->live);
	free(t);
}

/* Started, or failed. Closes the screen, and frees what is not passed on. */
static void task_done(void *task, void *owner)
{
	struct start_task *t = task;
	struct live_start *l = owner;
	struct live_view_opts opts = l->opts;
	struct ptui_error err = t->err;
	struct stack *stack = l->stack;
	bool told = t->ret && !l->cancelled, fine = !t->ret && !l->cancelled;

	l->worker = NULL;
	l->opts = (struct live_view_opts){ NULL };
	stack_remove(stack, l);
	if (fine) {
		opts.live = t->live;
		t->live = NULL;
		told = live_view_open(stack, &opts, &err);
	}
	live_opts_release(&opts);
	if (told)
		opts.failed(opts.ctx, &err);
}

static const struct worker_ops task_ops = { task_run, task_done, task_release };

static void show_progress(void *ctx)
{
	struct live_start *l = ctx;

	l->timer = 0;
	l->shown = true;
	stack_wish(l->stack, l, WISH_REDRAW);
}

static void draw(void *self, const struct canvas *c)
{
	struct live_start *l = self;
	struct canvas in;

	if (!l->shown)
		return;
	in = popup_frame(c, _("Starting"), 2, 44);
	canvas_cell(&in, 0, 0, in.at.w, ALIGN_LEFT, ROLE_TEXT, l->opts.target);
	canvas_cell(&in, 1, 0, in.at.w, ALIGN_LEFT, ROLE_DIM,
		    l->cancelled ? _("stopping…") : _("ESC cancels"));
}

static void cancel(struct live_start *l)
{
	l->cancelled = true;
	if (l->worker)
		ptui_live_stop(l->opts.live);
}

static unsigned request(void *self, enum request req)
{
	if (req != REQ_BACK)
		return WISH_PASS;
	cancel(self);
	return WISH_REDRAW;
}

static bool can(void *self, enum request req)
{
	(void)self;
	return req == REQ_BACK || req == REQ_QUIT;
}

static bool finish(void *self, int signal)
{
	struct live_start *l = self;

	(void)signal;
	cancel(l);
	return !l->worker;
}

static void close_start(void *self)
{
	struct live_start *l = self;

	loop_remove(stack_loop(l->stack), l->timer);
	cancel(l);
	worker_abandon(&l->worker);
	live_opts_release(&l->opts);
	free(l);
}

static const enum request hints[] = { REQ_BACK, REQ_NONE };

static const struct screen_ops ops = {
	.title = N_("Starting"),
	.keymap = KEYMAP_GENERAL,
	.floating = true,
	.hints = hints,
	.draw = draw,
	.request = request,
	.can = can,
	.finish = finish,
	.close = close_start,
};

int live_view_start(struct stack *s, const struct live_view_opts *opts, struct ptui_error *err)
{
	struct live_start *l = calloc(1, sizeof(*l));
	struct start_task *t = calloc(1, sizeof(*t));

	if (!l || !t || live_opts_copy(&l->opts, opts)) {
		ptui_live_free(opts->live);
		if (l)
			live_opts_release(&l->opts);
		free(l);
		free(t);
		return ptui_error_nomem(err);
	}
	t->live = opts->live;
	pthread_sigmask(SIG_SETMASK, NULL, &t->mask);
	l->stack = s;
	if (stack_push(s, &ops, l)) {
		task_release(t);
		return ptui_error_nomem(err);
	}
	l->timer = loop_after(stack_loop(s), WORDS_MS, show_progress, l);
	l->worker = worker_start(stack_loop(s), &task_ops, t, l, err);
	if (l->worker)
		return 0;
	stack_remove(s, l);
	return -EAGAIN;
}
