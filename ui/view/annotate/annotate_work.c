/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code is read, and samples are counted, in threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/annotate/annotate_private.h"

struct ptui_function annotate_function_copy(const struct ptui_function *of, struct words *texts)
{
	struct ptui_function ret = *of;

	ret.symbol = words_keep(texts, of->symbol);
	ret.dso = words_keep(texts, of->dso);
	ret.path = words_keep(texts, of->path);
	return ret;
}

/* ---- in the thread ---- */

struct task {
	struct words texts;	   /* of the function and the symbol */
	struct annotate_opts opts; /* as the screen's; the profile is a reference */
	struct ptui_function function;

	struct annotate_code *code; /* given if only samples are counted, or the result */
	struct ptui_annotate_counts *counts;
	struct annotate_event events[ANNOTATE_EVENTS_MAX];
	size_t n_events;
	struct ptui_error err;
};

static struct ptui_annotate_filter filter_of(const struct task *t)
{
	return (struct ptui_annotate_filter){
		.samples = rows_only_filter(&t->opts.only),
		.parent = t->opts.parent,
		.since_ns = t->opts.since_ns,
	};
}

/* The hottest function of this name. */
static int find_function(struct task *t)
{
	const struct ptui_annotate_filter filter = filter_of(t);
	const char *symbol = t->opts.symbol;
	struct ptui_function_samples *all;
	size_t n, i = 0;
	int ret = 0;

	all = ptui_annotate_functions(t->opts.profile, symbol ? PTUI_NONE : t->opts.event, &filter,
				      &n, &t->err);
	if (!all)
		return -ENOMEM;
	while (i < n &&
	       (!all[i].function.symbol || (symbol && strcmp(all[i].function.symbol, symbol) != 0)))
		i++;
	if (i < n) {
		t->function = annotate_function_copy(&all[i].function, &t->texts);
		if (t->texts.failed)
			ret = ptui_error_nomem(&t->err);
	} else if (symbol) {
		ret = ptui_error_set(&t->err, PTUI_ERROR_INPUT, ENOENT, symbol,
				     _("no samples are in a function '%s'"), symbol);
		ptui_error_hint(&t->err, _("go back, and press a on a function of the list"));
	} else {
		ret = ptui_error_set(&t->err, PTUI_ERROR_INPUT, ENOENT, NULL,
				     _("no samples are in a function whose name is known"));
		ptui_error_hint(&t->err, _("go back, and press M for the DSOs without symbols"));
	}
	free(all);
	return ret;
}

static int read_code(struct task *t, struct worker *w)
{
	const struct ptui_annotate_opts opts = { .progress = worker_progress, .progress_ctx = w };
	struct ptui_annotation *a;

	if (!t->function.symbol && !t->function.path && find_function(t))
		return -1;
	a = ptui_annotate_new(t->opts.profile, &t->function, &opts, &t->err);
	if (!a)
		return -1;
	t->code = annotate_code_new(a);
	return t->code ? 0 : ptui_error_nomem(&t->err);
}

static void add_event(struct task *t, uint32_t event)
{
	struct annotate_event *e = &t->events[t->n_events];

	if (t->n_events == ANNOTATE_EVENTS_MAX)
		return;
	e->event = event;
	snprintf(e->name, sizeof(e->name), "%s", ptui_profile_event(t->opts.profile, event)->name);
	t->n_events++;
}

/* The chosen event, then the others that have samples. */
static void choose_events(struct task *t)
{
	size_t n = ptui_counts_n_events(t->counts);

	if (n > ptui_profile_n_events(t->opts.profile))
		n = ptui_profile_n_events(t->opts.profile);
	if (t->opts.event < n)
		add_event(t, t->opts.event);
	for (uint32_t i = 0; i < n; i++)
		if (i != t->opts.event && ptui_counts_global(t->counts, i).samples)
			add_event(t, i);
}

static void task_run(void *task, struct worker *w)
{
	struct task *t = task;
	const struct ptui_annotate_filter filter = filter_of(t);

	if (!t->code && read_code(t, w))
		return;
	t->counts = ptui_annotate_count(t->code->annotation, t->opts.profile, &filter, &t->err);
	if (t->counts)
		choose_events(t);
}

static void task_release(void *task)
{
	struct task *t = task;

	ptui_profile_unref(t->opts.profile);
	annotate_code_unref(t->code);
	ptui_annotate_counts_free(t->counts);
	words_release(&t->texts);
	free(t);
}

/* NULL: out of memory. */
static struct task *task_new(const struct annotate_screen *s, struct ptui_profile *p)
{
	struct task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->opts = s->opts;
	t->opts.profile = ptui_profile_ref(p);
	t->opts.symbol = words_keep(&t->texts, s->opts.symbol);
	t->function = annotate_function_copy(&s->function, &t->texts);
	if (!t->texts.failed)
		return t;
	task_release(t);
	return NULL;
}

/* ---- reading, on the loop ---- */

static void go_to_hottest(struct annotate_screen *s)
{
	uint32_t line = annotate_hottest(s->model);

	if (line == PTUI_NONE)
		line = annotate_first_code(s->model);
	table_recalc(&s->table);
	if (line == PTUI_NONE)
		return;
	table_move_to(&s->table, annotate_row_of(s->model, line));
	s->to_middle = true;
}

static void read_done(void *task, void *owner)
{
	struct annotate_screen *s = owner;
	struct task *t = task;

	s->err = t->err;
	if (!s->function.symbol)
		s->function = annotate_function_copy(&t->function, &s->texts);
	if (s->texts.failed)
		ptui_error_nomem(&s->err);
	if (t->counts) {
		s->model = annotate_new(t->code, t->counts, t->events, t->n_events);
		t->counts = NULL;
		if (!s->model)
			ptui_error_nomem(&s->err);
	}
	if (s->model)
		go_to_hottest(s);
	stack_wish(s->stack, s, WISH_RECALC);
}

int annotate_read(struct annotate_screen *s, struct ptui_error *err)
{
	static const struct worker_ops ops = { task_run, read_done, task_release };
	struct task *t = task_new(s, s->opts.profile);

	if (!t)
		return ptui_error_nomem(err);
	return worker_start_shown(&s->reading, s->stack, &ops, t, s, err) ? 0 : -EAGAIN;
}

/* ---- counting again ---- */

static void count_done(void *task, void *owner)
{
	struct annotate_screen *s = owner;
	struct task *t = task;

	if (!t->counts) /* the old ones stay, until the next profile */
		return;
	annotate_set_counts(s->model, t->counts, t->events, t->n_events);
	t->counts = NULL;
	ptui_profile_unref(s->opts.profile);
	s->opts.profile = ptui_profile_ref(t->opts.profile);
	s->columns_w = 0;
	stack_wish(s->stack, s, WISH_REDRAW);
}

void annotate_refresh(void *ctx)
{
	struct annotate_screen *s = ctx;
	static const struct worker_ops ops = { task_run, count_done, task_release };
	struct ptui_error err = PTUI_ERROR_INIT;
	uint64_t generation = 0;
	struct ptui_profile *p;
	struct task *t;

	if (!s->model || s->counting)
		return;
	p = s->opts.newest(s->opts.ctx, &generation);
	if (p && generation != s->generation) {
		t = task_new(s, p);
		if (t)
			t->code = annotate_code_ref(s->model->code);
		if (t && worker_start(&s->counting, stack_loop(s->stack), &ops, t, s, &err))
			s->generation = generation;
	}
	ptui_profile_unref(p);
}
