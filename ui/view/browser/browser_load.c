/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress screen while a recording is loaded. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/browser/browser_private.h"
#include "view/work_draw.h"
#include "widget/line.h"

#define LOOK_MS 100 /* interval of progress updates */

/* Data of the thread. */
struct load_task {
	char *path, *symfs, *kallsyms, *vmlinux;
	struct ptui_load_opts opts; /* its texts are the ones above */
	struct ptui_profile *profile;
	struct ptui_error err;
	int ret;
};

struct loader {
	struct stack *stack;
	struct browser_load what; /* its path and name are copies */
	char *path, *name;
	struct worker *worker;
	unsigned timer;
};

/* ---- in the thread ---- */

static void load_run(void *task, struct worker *w)
{
	struct load_task *t = task;

	t->opts.progress = worker_progress;
	t->opts.progress_ctx = w;
	t->profile = ptui_profile_load(t->path, &t->opts, &t->err, &t->ret);
}

static void load_release(void *task)
{
	struct load_task *t = task;

	ptui_profile_unref(t->profile);
	free(t->path);
	free(t->symfs);
	free(t->kallsyms);
	free(t->vmlinux);
	free(t);
}

static bool copy_text(const char *text, char **ret)
{
	*ret = text ? strdup(text) : NULL;
	return !text || *ret;
}

static struct load_task *load_task_new(const struct browser_load *what)
{
	struct load_task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->opts = what->load;
	t->opts.cycles = true;
	t->ret = -ENOMEM;
	if (!copy_text(what->path, &t->path) || !copy_text(what->load.symfs, &t->symfs) ||
	    !copy_text(what->load.kernel.kallsyms, &t->kallsyms) ||
	    !copy_text(what->load.kernel.vmlinux, &t->vmlinux)) {
		load_release(t);
		return NULL;
	}
	t->opts.symfs = t->symfs;
	t->opts.kernel.kallsyms = t->kallsyms;
	t->opts.kernel.vmlinux = t->vmlinux;
	return t;
}

/* ---- on the loop ---- */

/* Closes the screen; `l` is freed. */
static void load_failed(struct loader *l, int ret, const struct ptui_error *err)
{
	struct browser_load what = l->what;

	stack_remove(l->stack, l);
	if (what.failed)
		what.failed(what.ctx, ret, err);
}

static void load_done(void *task, void *owner)
{
	struct loader *l = owner;
	struct load_task *t = task;
	/* a copy: the loader is closed while the Browser replaces it */
	struct browser_opts opts = l->what.opts;
	int ret = t->ret;

	l->worker = NULL;
	if (t->profile)
		ret = browser_open(l->stack, l, t->profile, l->what.name, &opts, &t->err);
	/* else the loader is closed */
	if (ret)
		load_failed(l, ret, &t->err);
}

static const struct worker_ops load_worker = {
	.run = load_run,
	.done = load_done,
	.release = load_release,
};

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

	line_head(line, 0, l->what.name, _("loading…"), ROLE_NOTE);
}

static void load_draw(void *self, const struct canvas *c)
{
	struct loader *l = self;
	struct worker_state state;

	if (!l->worker)
		return;
	worker_get_state(l->worker, &state);
	work_draw(c, &state, _("ESC stops loading and leaves"));
}

/* The thread continues until its next step, without being waited for. */
static unsigned load_request(void *self, enum request req)
{
	struct ptui_error none = PTUI_ERROR_INIT;

	if (req != REQ_BACK && req != REQ_QUIT)
		return WISH_PASS;
	load_failed(self, -ECANCELED, &none);
	return req == REQ_QUIT ? WISH_QUIT : WISH_REDRAW;
}

static void load_close(void *self)
{
	struct loader *l = self;

	worker_abandon(&l->worker);
	loop_remove(stack_loop(l->stack), l->timer);
	free(l->path);
	free(l->name);
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
	.close = load_close,
};

int browser_load_open(struct stack *s, const struct browser_load *what, struct ptui_error *err)
{
	struct loader *l = calloc(1, sizeof(*l));
	struct load_task *task = load_task_new(what);

	if (l) {
		l->path = strdup(what->path);
		l->name = strdup(what->name ? what->name : what->path);
	}
	if (!l || !task || !l->path || !l->name) {
		if (task)
			load_release(task);
		if (l) {
			free(l->path);
			free(l->name);
		}
		free(l);
		return ptui_error_nomem(err);
	}
	l->stack = s;
	l->what = *what;
	l->what.path = l->path;
	l->what.name = l->name;
	if (stack_push(s, &load_ops, l)) {
		load_release(task);
		return ptui_error_nomem(err);
	}
	l->worker = worker_start(stack_loop(s), &load_worker, task, l, err);
	if (l->worker)
		return 0;
	stack_remove(s, l);
	return -EAGAIN;
}
