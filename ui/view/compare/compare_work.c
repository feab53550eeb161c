/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slow work runs in threads, while the visible rows stay usable. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "view/browser/browser.h"
#include "view/compare/compare_private.h"
#include "widget/popup.h"

/* ---- loading ---- */

/* Data of the thread. */
struct load_task {
	char *path[2];
	struct ptui_load_opts opts; /* copied */
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
	load_opts_release(&t->opts);
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
	if (!t->ret)
		s->model = compare_new(t->profile[0], t->profile[1], &t->err);
	if (!s->model) {
		load_failed(s, t, &t->err);
		return;
	}
	s->loaded_after = t->profile[1];
	s->view.tabs = &s->model->tabs;
	s->view.look = &s->view.tabs->look;
	rows_view_count(&s->view);
	stack_wish(s->stack, s, WISH_RECALC);
}

static const struct worker_ops load_ops = { load_run, load_done, load_release };

int compare_load(struct compare_screen *s, const struct compare_view_opts *opts,
		 struct ptui_error *err)
{
	struct load_task *t = calloc(1, sizeof(*t));

	if (!t)
		return ptui_error_nomem(err);
	t->profile[0] = opts->before ? ptui_profile_ref(opts->before) : NULL;
	t->profile[1] = opts->after ? ptui_profile_ref(opts->after) : NULL;
	if (load_opts_copy(&t->opts, &opts->load) || text_copy(&t->path[0], opts->before_path) ||
	    text_copy(&t->path[1], opts->after_path)) {
		load_release(t);
		return ptui_error_nomem(err);
	}
	s->loading = worker_start(stack_loop(s->stack), &load_ops, t, s, err);
	worker_show(s->loading, s->stack, s);
	return s->loading ? 0 : -EAGAIN;
}

/* ---- counting ---- */

static void count_run(void *task, struct worker *w)
{
	compare_job_run(task, worker_progress, w);
}

static void count_done(void *task, void *owner)
{
	struct compare_screen *s = owner;

	compare_job_done(s->model, task);
	/* the old rows are freed with the task, and a key may come before the next draw */
	compare_recalc(s);
	rows_view_counted(&s->view);
}

static void count_release(void *task)
{
	compare_job_release(task);
	free(task);
}

const struct worker_ops compare_counting = { count_run, count_done, count_release };

void *compare_job(void *self)
{
	struct compare_job *job = calloc(1, sizeof(*job));

	if (job)
		(void)compare_job_next(((struct compare_screen *)self)->model, job);
	return job;
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

static const struct worker_ops tell_ops = { details_run, details_done, details_release };

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
}

/* ---- completion ---- */

unsigned compare_stop(struct compare_screen *s)
{
	if (s->loading)
		return WISH_POP;
	if (!s->view.counting && !s->telling)
		return WISH_PASS;
	worker_abandon(&s->telling);
	if (!s->view.counting)
		return WISH_RECALC;
	worker_abandon(&s->view.counting);
	return rows_tabs_cancel(s->view.tabs) ? WISH_RECALC : WISH_POP;
}

static void free_model(void *model)
{
	compare_free(model);
}

void compare_leave(struct compare_screen *s)
{
	worker_abandon(&s->loading);
	worker_abandon(&s->telling);
	worker_put_away(free_model, s->model);
	s->model = NULL;
}
