/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slow work runs in threads, while the visible rows stay usable. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/compare/compare_private.h"
#include "widget/popup.h"

/* ---- progress ---- */

static void watch(struct compare_screen *s)
{
	rows_view_watch(&s->view, s->loading || s->counting || s->telling);
}

bool compare_get_work(struct compare_screen *s, struct worker_state *ret)
{
	struct worker *w = s->loading ? s->loading : s->counting ? s->counting : s->telling;

	if (!w)
		return false;
	worker_get_state(w, ret);
	return true;
}

/* ---- loading ---- */

/* Data of the thread. */
struct load_task {
	char *path[2];
	char *symfs, *kallsyms, *vmlinux, *buildid_dir;
	struct ptui_load_opts opts; /* its texts are the ones above */
	struct ptui_profile *profile[2];
	struct ptui_error err;
	int ret;
};

static void load_run(void *task, struct worker *w)
{
	struct load_task *t = task;

	t->opts.progress = worker_progress;
	t->opts.progress_ctx = w;
	for (int i = 0; i < 2 && !t->ret; i++) {
		if (t->profile[i])
			continue;
		t->profile[i] = ptui_profile_load(t->path[i], &t->opts, &t->err, &t->ret);
		if (!t->profile[i] && t->ret == -ENODATA)
			ptui_error_set(&t->err, PTUI_ERROR_INPUT, ENODATA, t->path[i],
				       _("%s is empty: nothing was recorded"), t->path[i]);
	}
}

static void load_release(void *task)
{
	struct load_task *t = task;

	for (int i = 0; i < 2; i++) {
		ptui_profile_unref(t->profile[i]);
		free(t->path[i]);
	}
	free(t->symfs);
	free(t->kallsyms);
	free(t->vmlinux);
	free(t->buildid_dir);
	free(t);
}

/* Closes the screen; `s` is freed. */
static void load_failed(struct compare_screen *s, const struct load_task *t,
			const struct ptui_error *err)
{
	struct stack *stack = s->stack;

	stack_remove(stack, s);
	if (t->ret != -ECANCELED)
		popup_error(stack, err);
}

static void load_done(void *task, void *owner)
{
	struct compare_screen *s = owner;
	struct load_task *t = task;

	s->loading = NULL;
	watch(s);
	if (!t->ret)
		s->model = compare_new(t->profile[0], t->profile[1], &t->err);
	if (!s->model) {
		load_failed(s, t, &t->err);
		return;
	}
	s->loaded_after = t->profile[1];
	s->view.tabs = &s->model->tabs;
	s->view.look = &s->view.tabs->look;
	(void)compare_changed(s);
	stack_wish(s->stack, s, WISH_RECALC);
}

static const struct worker_ops load_ops = {
	.run = load_run,
	.done = load_done,
	.release = load_release,
};

static bool copy_text(const char *text, char **ret)
{
	*ret = text ? strdup(text) : NULL;
	return !text || *ret;
}

int compare_load(struct compare_screen *s, const struct compare_view_opts *opts,
		 struct ptui_error *err)
{
	struct load_task *t = calloc(1, sizeof(*t));

	if (!t)
		return ptui_error_nomem(err);
	t->opts = opts->load;
	t->profile[0] = opts->before ? ptui_profile_ref(opts->before) : NULL;
	t->profile[1] = opts->after ? ptui_profile_ref(opts->after) : NULL;
	if (!copy_text(opts->before_path, &t->path[0]) ||
	    !copy_text(opts->after_path, &t->path[1]) || !copy_text(opts->load.symfs, &t->symfs) ||
	    !copy_text(opts->load.kernel.kallsyms, &t->kallsyms) ||
	    !copy_text(opts->load.kernel.vmlinux, &t->vmlinux) ||
	    !copy_text(opts->load.buildid_dir, &t->buildid_dir)) {
		load_release(t);
		return ptui_error_nomem(err);
	}
	t->opts.symfs = t->symfs;
	t->opts.kernel.kallsyms = t->kallsyms;
	t->opts.kernel.vmlinux = t->vmlinux;
	t->opts.buildid_dir = t->buildid_dir;
	s->loading = worker_start(stack_loop(s->stack), &load_ops, t, s, err);
	watch(s);
	return s->loading ? 0 : -EAGAIN;
}

/* ---- counting ---- */

static void count(struct compare_screen *s);

static void count_run(void *task, struct worker *w)
{
	compare_job_run(task, worker_progress, w);
}

static void count_done(void *task, void *owner)
{
	struct compare_screen *s = owner;

	s->counting = NULL;
	compare_job_done(s->model, task);
	/* the old rows are freed with the task, and a key may come before the next draw */
	compare_recalc(s);
	if (rows_tabs_error(s->view.tabs))
		stack_say(s->stack, ROLE_BAD, "%s", rows_tabs_error(s->view.tabs)->text);
	count(s);
	watch(s);
	stack_wish(s->stack, s, WISH_RECALC);
}

static void count_release(void *task)
{
	compare_job_release(task);
	free(task);
}

static const struct worker_ops count_ops = {
	.run = count_run,
	.done = count_done,
	.release = count_release,
};

/* Starts counting if needed, unless already running: its end calls this again. */
static void count(struct compare_screen *s)
{
	struct compare_job *job;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (s->counting || rows_tabs_is_current(s->view.tabs))
		return;
	job = calloc(1, sizeof(*job));
	if (job && compare_job_next(s->model, job))
		s->counting = worker_start(stack_loop(s->stack), &count_ops, job, s, &err);
	if (!s->counting)
		stack_say(s->stack, ROLE_BAD, "%s", job ? err.text : _("out of memory"));
	watch(s);
}

unsigned compare_changed(void *self)
{
	struct compare_screen *s = self;

	/* the running job is obsolete */
	if (s->counting && !rows_tabs_is_current(s->view.tabs))
		worker_cancel(s->counting);
	count(s);
	return WISH_RECALC;
}

/* ---- details ---- */

struct tell_task {
	struct compare_views *views; /* a reference */
	bool swapped;
	uint32_t row;
	char *text;
};

static void details_run(void *task, struct worker *w)
{
	struct tell_task *t = task;

	(void)w;
	t->text = compare_details(t->views, t->swapped, t->row);
}

static void details_done(void *task, void *owner)
{
	struct compare_screen *s = owner;
	struct tell_task *t = task;

	s->telling = NULL;
	watch(s);
	/* not over another screen */
	if (stack_is_top(s->stack, s))
		popup_message(s->stack, _("Before and after"), t->text);
	stack_wish(s->stack, s, WISH_REDRAW);
}

static void details_release(void *task)
{
	struct tell_task *t = task;

	compare_views_unref(t->views);
	free(t->text);
	free(t);
}

static const struct worker_ops tell_ops = {
	.run = details_run,
	.done = details_done,
	.release = details_release,
};

void compare_show_details(struct compare_screen *s, uint32_t row)
{
	struct tell_task *t = calloc(1, sizeof(*t));

	worker_abandon(&s->telling);
	if (t) {
		t->views = compare_views_ref(s->rows->views);
		t->swapped = rows_tabs_now(s->view.tabs)->look.swapped;
		t->row = row;
		s->telling = worker_start(stack_loop(s->stack), &tell_ops, t, s, NULL);
	}
	if (!s->telling)
		stack_no_memory(s->stack);
	watch(s);
}

/* ---- completion ---- */

unsigned compare_stop(struct compare_screen *s)
{
	if (s->loading)
		return WISH_POP;
	if (!s->counting && !s->telling)
		return WISH_PASS;
	worker_abandon(&s->telling);
	if (s->counting) {
		worker_abandon(&s->counting);
		if (!rows_tabs_cancel(s->view.tabs))
			return WISH_POP;
	}
	watch(s);
	return WISH_RECALC;
}

static void free_model(void *model)
{
	compare_free(model);
}

void compare_leave(struct compare_screen *s)
{
	worker_abandon(&s->loading);
	worker_abandon(&s->counting);
	worker_abandon(&s->telling);
	watch(s);
	worker_put_away(free_model, s->model);
	s->model = NULL;
}
