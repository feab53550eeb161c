/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen while a recording is loaded. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/browser.h"
#include "view/worker.h"
#include "widget/line.h"
#include "widget/popup.h"

#define LOOK_MS 100 /* how often the screen looks how far it is */

struct loader {
	struct stack *stack;
	struct browser_load what; /* its path is a copy */
	char *path;
	struct worker worker;
	unsigned timer;
	bool stopping;

	/* the thread's */
	atomic_bool cancel;
	pthread_mutex_t lock; /* of the three below */
	char doing[128];
	uint64_t done, total;

	/* its result */
	struct ptui_profile *profile;
	struct ptui_error err;
	int ret;
};

/* ---- in the thread ---- */

static int load_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	struct loader *l = ctx;

	pthread_mutex_lock(&l->lock);
	snprintf(l->doing, sizeof(l->doing), "%s", what ? what : "");
	l->done = done;
	l->total = total;
	pthread_mutex_unlock(&l->lock);
	return atomic_load(&l->cancel);
}

static void load_run(void *ctx)
{
	struct loader *l = ctx;
	struct ptui_load_opts opts = l->what.load;

	opts.progress = load_progress;
	opts.progress_ctx = l;
	l->profile = ptui_profile_load(l->what.path, &opts, &l->err, &l->ret);
}

/* ---- on the loop ---- */

static void load_failed(struct loader *l, int ret)
{
	struct browser_load what = l->what;
	struct ptui_error err = l->err;

	stack_remove(l->stack, l); /* frees it */
	if (what.failed)
		what.failed(what.ctx, ret, &err);
}

static void load_done(void *ctx)
{
	struct loader *l = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret = l->ret;

	if (l->stopping)
		ret = -ECANCELED;
	else if (l->profile)
		ret = browser_open(l->stack, l, l->profile, l->what.path, &l->what.opts, &err);
	if (!ret)
		return; /* the loader is gone */
	if (ptui_error_is_set(&err))
		l->err = err;
	load_failed(l, ret);
}

static void load_look(void *ctx)
{
	struct loader *l = ctx;

	stack_wish(l->stack, l, WISH_REDRAW);
}

static unsigned load_opened(void *self, struct stack *s)
{
	struct loader *l = self;

	l->timer = loop_every(stack_loop(s), LOOK_MS, load_look, l);
	return WISH_REDRAW;
}

static void load_head(void *self, const struct canvas *line)
{
	struct loader *l = self;

	line_head(line, 0, l->what.path, l->stopping ? _("stopping…") : _("loading…"), ROLE_NOTE);
}

static void load_draw(void *self, const struct canvas *c)
{
	struct loader *l = self;
	uint64_t done, total;
	char doing[128];
	int y = c->at.h / 3, w = c->at.w - 8;

	pthread_mutex_lock(&l->lock);
	snprintf(doing, sizeof(doing), "%s", l->doing);
	done = l->done;
	total = l->total;
	pthread_mutex_unlock(&l->lock);
	if (w > 60)
		w = 60;
	if (w < 1)
		return;
	canvas_text(c, y, 4, ROLE_TEXT, doing);
	if (total) {
		progress_bar(c, y + 1, 4, w, done, total, ROLE_NOTE);
		canvas_printf(c, y + 1, 5 + w, ROLE_TEXT, "%3d%%",
			      (int)(100.0 * (double)done / (double)total));
	}
	canvas_text(c, y + 2, 4, ROLE_DIM, _("ESC stops loading and leaves"));
}

static void load_cancel(struct loader *l)
{
	l->stopping = true;
	atomic_store(&l->cancel, true);
}

static unsigned load_request(void *self, enum request req)
{
	struct loader *l = self;

	if (req != REQ_BACK && req != REQ_QUIT)
		return WISH_PASS;
	load_cancel(l);
	return WISH_REDRAW;
}

static bool load_finish(void *self, int signal)
{
	struct loader *l = self;

	(void)signal;
	load_cancel(l);
	return !worker_runs(&l->worker);
}

static void load_close(void *self)
{
	struct loader *l = self;

	atomic_store(&l->cancel, true);
	loop_remove(stack_loop(l->stack), l->timer);
	worker_stop(&l->worker);
	ptui_profile_unref(l->profile);
	pthread_mutex_destroy(&l->lock);
	free(l->path);
	free(l);
}

static const enum request load_hints[] = { REQ_BACK, REQ_NONE };

static const struct screen_ops load_ops = {
	.title = N_("Loading"),
	.keymap = KEYMAP_GENERAL,
	.hints = load_hints,
	.open = load_opened,
	.head = load_head,
	.draw = load_draw,
	.request = load_request,
	.finish = load_finish,
	.close = load_close,
};

int browser_load_open(struct stack *s, const struct browser_load *what, struct ptui_error *err)
{
	struct loader *l = calloc(1, sizeof(*l));
	int ret;

	if (!l)
		return ptui_error_nomem(err);
	l->path = strdup(what->path);
	if (!l->path) {
		free(l);
		return ptui_error_nomem(err);
	}
	l->stack = s;
	l->what = *what;
	l->what.path = l->path;
	l->ret = -ENOMEM;
	pthread_mutex_init(&l->lock, NULL);
	if (stack_push(s, &load_ops, l))
		return ptui_error_nomem(err);
	ret = worker_start(&l->worker, stack_loop(s), load_run, load_done, l);
	if (!ret)
		return 0;
	stack_remove(s, l);
	return ptui_error_errno(err, -ret, NULL, _("cannot start a thread"));
}
