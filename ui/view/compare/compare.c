/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/compare/compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/report_line.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/browser/browser.h"
#include "view/compare/compare_private.h"
#include "view/copy_row.h"
#include "widget/popup.h"

/* ---- slow work runs in threads, while the visible rows stay usable ---- */

/* ---- loading ---- */

/* Data of the thread. */
struct load_task {
	struct words texts; /* of the path and the options */
	const char *path[2];
	struct ptui_load_opts opts;
	struct ptui_profile *profile[2];
	struct ptui_error err;
	int ret;
};

/* The most important note of each file. */
static void find_worst(struct compare_screen *s)
{
	for (int i = 0; i < 2; i++) {
		struct trust_fact facts[TRUST_FACTS_MAX];
		struct ptui_profile *p = compare_profile(s->model, i);
		const struct ptui_event_info *e = compare_event(s->model, i);
		uint32_t event = 0;

		while (e && ptui_profile_event(p, event) != e)
			event++;
		if (!e ||
		    !trust_facts(p, event, s->rows ? compare_rows_hist(s->rows, i) : NULL, facts))
			s->worst[i].level = TRUST_FINE;
		else
			s->worst[i] = facts[0];
		compare_lone_events(s->model, i, s->lone[i], sizeof(s->lone[i]));
	}
}

/* Updates the screen for the current rows. */
static void compare_recalc(void *self)
{
	struct compare_screen *s = self;

	if (!s->model)
		return;
	s->rows = compare_rows(s->model);
	find_worst(s);
	rows_view_set_rows(&s->view, s->rows ? s->rows->nodes : NULL);
}

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

	ptui_profile_unref(t->profile[0]);
	ptui_profile_unref(t->profile[1]);
	words_release(&t->texts);
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

	if (!t->ret)
		s->model = compare_new(t->profile[0], t->profile[1], &t->err);
	if (!s->model) {
		load_failed(s, t, &t->err);
		return;
	}
	memcpy(s->model->times, s->times, sizeof(s->times));
	s->view.tabs = &s->model->tabs;
	s->view.look = &s->view.tabs->look;
	rows_view_count(&s->view);
	stack_wish(s->stack, s, WISH_RECALC);
}

static const struct worker_ops load_ops = { load_run, load_done, load_release };

/* Loads both. Owner of the worker: `s`. */
static int compare_load(struct compare_screen *s, const struct compare_view_opts *opts,
			struct ptui_error *err)
{
	struct load_task *t = calloc(1, sizeof(*t));

	if (!t)
		return ptui_error_nomem(err);
	t->profile[0] = opts->before ? ptui_profile_ref(opts->before) : NULL;
	t->profile[1] = opts->after ? ptui_profile_ref(opts->after) : NULL;
	t->opts = opts->load;
	load_opts_keep(&t->opts, &t->texts);
	t->path[0] = words_keep(&t->texts, opts->before_path);
	t->path[1] = words_keep(&t->texts, opts->after_path);
	if (t->texts.failed) {
		load_release(t);
		return ptui_error_nomem(err);
	}
	return worker_start_shown(&s->loading, s->stack, &load_ops, t, s, err) ? 0 : -EAGAIN;
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

static const struct worker_ops compare_counting = { count_run, count_done, count_release };

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

/* Shows the details of a row in a popup when they are ready. */
static void compare_show_details(struct compare_screen *s, uint32_t row)
{
	struct tell_task *t = calloc(1, sizeof(*t));

	worker_abandon(&s->telling);
	if (t) {
		t->views = compare_views_ref(s->rows->views);
		t->swapped = rows_tabs_now(s->view.tabs)->look.swapped;
		t->row = row;
		worker_start(&s->telling, stack_loop(s->stack), &tell_ops, t, s, NULL);
	}
	if (!s->telling)
		stack_no_memory(s->stack);
}

/* ---- completion ---- */

/* Cancels running work and restores the visible view; WISH_PASS: none running. */
static unsigned compare_stop(struct compare_screen *s)
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

/* ---- requests ---- */

static unsigned order_chosen(void *ctx, int index)
{
	return index < 0 ? WISH_REDRAW : compare_order_by(ctx, (enum compare_order)index);
}

static unsigned choose_order(struct compare_screen *s)
{
	struct menu_item items[N_COMPARE_ORDERS] = { { 0 } };

	for (unsigned i = 0; i < N_COMPARE_ORDERS; i++) {
		items[i].text = compare_order_text((enum compare_order)i);
		items[i].current = s->view.look->compare_order == i;
	}
	return popup_menu(s->stack, _("Row order"), items, N_COMPARE_ORDERS, order_chosen, s);
}

/* Explains the numbers, and shows the notes of both files. */
static unsigned show_trust(struct compare_screen *s)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s\n\n%s\n\n%s",
		 _("Each percentage is relative to the samples of its own recording, so "
		   "recordings of different lengths can be compared. If a row's share grew, "
		   "the function may have become slower, or the others faster."),
		 _("~ marks differences that may be due to chance: with so few samples, equal "
		   "shares differ by this much in one of twenty pairs of recordings. Four times "
		   "the samples halve this margin: record longer, or at a higher frequency."),
		 _("Rebuilding a program makes the functions of its older recordings unknown, "
		   "unless they were made with --buildid-cache."));
	for (int i = 0; i < 2; i++) {
		const struct trust_fact *f = &s->worst[i];

		if (f->level != TRUST_FINE)
			text_append(text, sizeof(text), "\n\n! %s: %s\n%s", compare_name(s, i),
				    f->text, f->advice);
	}
	return popup_message(s->stack, _("Data quality"), text);
}

static const struct ptui_event_info *event_of(void *self)
{
	struct compare_screen *s = self;
	const struct ptui_event_info *before = compare_event(s->model, false);

	return before ? before : compare_event(s->model, true);
}

/* The words of the `ptui report` line for one side. */
static void report_words(const struct compare_screen *s, bool after, struct words *ret)
{
	const struct ptui_event_info *event = compare_event(s->model, after);
	const struct rows_tabs *tabs = s->view.tabs;
	struct ptui_hist_opts hist = { .no_chains = true };
	const struct report_line line = {
		.path = s->path[after != compare_is_swapped(s)],
		.hist = &hist,
		.has_callchains = event && event->has_callchains,
		.event = tabs->n > 1 ? tabs->names[tabs->at] : NULL,
	};

	rows_look_apply(s->view.look, &hist);
	hist.children &= compare_has_children(s->model);
	hist.filter.times = s->times[after != compare_is_swapped(s)];
	report_line_words(&line, ret);
}

/* ptui compares on the screen only: a report of each recording. */
static unsigned copy_reports(struct compare_screen *s)
{
	struct words words = WORDS_INIT;

	if (!s->path[0] || !s->path[1])
		return stack_say(s->stack, ROLE_NOTE, _("%s: these samples are in no file."),
				 s->name[s->path[0] != NULL]);
	report_words(s, false, &words);
	words_add(&words, ";");
	report_words(s, true, &words);
	return copy_command(s->stack, &words);
}

static bool screen_can(void *self, enum request req)
{
	struct compare_screen *s = self;

	if (!s->model)
		return stack_answers(req);
	switch (req) {
	case REQ_CHILDREN:
	case REQ_HIDE:
		return compare_has_children(s->model);
	case REQ_CHAIN_ORDER:
	case REQ_PERCENTAGE:
	case REQ_ZOOM_CPU:
		return false;
	default:
		return rows_view_can(&s->view, req, false);
	}
}

static unsigned back(struct compare_screen *s)
{
	unsigned wishes;

	if (rows_walk_stop(&s->view))
		return WISH_REDRAW;
	wishes = compare_stop(s);
	if (!(wishes & WISH_PASS))
		return wishes;
	return s->model ? rows_view_request(&s->view, REQ_BACK) : WISH_PASS;
}

static unsigned screen_request(void *self, enum request req)
{
	struct compare_screen *s = self;

	if (req == REQ_BACK)
		return back(s);
	if (!s->model)
		return WISH_PASS;
	if (!screen_can(s, req))
		return WISH_NONE;
	switch (req) {
	case REQ_ORDER:
		return choose_order(s);
	case REQ_SWAP:
		s->view.look->swapped = !s->view.look->swapped;
		return rows_view_changed(&s->view);
	case REQ_SURE_ONLY:
		s->view.look->sure_only = !s->view.look->sure_only;
		return rows_view_changed(&s->view);
	case REQ_TRUST:
		return show_trust(s);
	case REQ_COPY_COMMAND:
		return copy_reports(s);
	case REQ_OPEN:
		if (tree_cursor(&s->view.tree))
			compare_show_details(s, rows_row(s->view.rows, tree_cursor(&s->view.tree)));
		return WISH_REDRAW;
	default:
		return rows_view_request(&s->view, req);
	}
}

/* ---- the screen ---- */

static void screen_close(void *self)
{
	struct compare_screen *s = self;

	worker_abandon(&s->loading);
	worker_abandon(&s->telling);
	worker_put_away(free_model, s->model);
	rows_view_release(&s->view);
	words_release(&s->texts);
	free(s);
}

static const enum request screen_hints[] = {
	REQ_OPEN,   REQ_ORDER,	  REQ_SWAP,  REQ_SURE_ONLY, REQ_SEARCH, REQ_NEXT_EVENT,
	REQ_FILTER, REQ_CHILDREN, REQ_TRUST, REQ_HELP,	    REQ_BACK,	REQ_NONE,
};

static const struct screen_ops screen_ops = {
	.title = N_("Compare"),
	.keymap = KEYMAP_COMPARE,
	.hints = screen_hints,
	.recalc = compare_recalc,
	.head = compare_head,
	.draw = rows_view_draw_screen,
	.request = screen_request,
	.can = screen_can,
	.mouse = rows_view_mouse,
	.head_mouse = rows_view_head_mouse,
	.close = screen_close,
};

/* The function is of the recording that was given as after, if the row is in both. */
static void code_of_row(void *self, uint64_t node, struct annotate_opts *ret)
{
	struct compare_screen *s = self;
	struct compare_row row;
	bool swapped = compare_is_swapped(s), after;
	const struct ptui_event_info *event;
	struct ptui_profile *p;

	compare_rows_get(s->rows, rows_row(s->view.rows, node), &row);
	after = (swapped ? row.is_before : row.is_after) != swapped;
	p = compare_profile(s->model, after);
	event = compare_event(s->model, after);
	*ret = (struct annotate_opts){ .where = compare_name(s, after),
				       .path = s->path[after != swapped],
				       .profile = ptui_profile_ref(p),
				       .only = s->view.look->only,
				       .probe_then = s->probe_then };
	snprintf(ret->only.lists[ROWS_LIST_TIMES], ROWS_TEXT_MAX, "%s",
		 s->times[after != swapped] ? s->times[after != swapped] : "");
	while (ret->event + 1 < ptui_profile_n_events(p) &&
	       ptui_profile_event(p, ret->event) != event)
		ret->event++;
}

static const enum request menu[] = {
	REQ_OPEN,	   REQ_ANNOTATE,     REQ_PROBE,	   REQ_ZOOM_THREAD, REQ_ZOOM_DSO,
	REQ_ZOOM_FUNCTION, REQ_ZOOM_KERNEL,  REQ_HIDE,	   REQ_FILTER,	    REQ_ORDER,
	REQ_SORT,	   REQ_CHILDREN,     REQ_SWAP,	   REQ_SURE_ONLY,   REQ_PERCENT_LIMIT,
	REQ_PATHS,	   REQ_FULL_NAMES,   REQ_COPY_ROW, REQ_HEADER,	    REQ_TRUST,
	REQ_PRINT,	   REQ_COPY_COMMAND, REQ_NONE,
};

static const struct rows_room rooms[] = {
	{ "comm", .min = 7, .hide = 3 },
	{ "dso", .min = 13, .hide = 2 },
	{ "symbol", .most = 24, .min = 24 }, /* the rest is scrolled */
	{ NULL },
};

static const struct rows_view_ops view_ops = {
	.screen = &screen_ops,
	.menu = menu,
	.rooms = rooms,
	.job = compare_job,
	.counting_ops = &compare_counting,
	.event = event_of,
	.print_head = compare_print_head,
	.draw_info = compare_draw_info,
	.draw_empty = compare_draw_empty,
	.draw_note = compare_draw_note,
	.code = code_of_row,
	.own = compare_own,
	.own_cell = compare_own_cell,
	.own_order = compare_own_order,
};

int compare_view_open(struct stack *stack, const struct compare_view_opts *opts,
		      struct ptui_error *err)
{
	struct compare_screen *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return ptui_error_nomem(err);
	s->stack = stack;
	s->probe_then = opts->probe_then;
	if (rows_view_init(&s->view, stack, &view_ops, s, true)) {
		free(s);
		return ptui_error_nomem(err);
	}
	s->view.boxes[ROWS_INFO].size = 2;
	s->view.tree.slice_ns = ROWS_SLICE_NS;
	s->path[0] = words_keep(&s->texts, opts->before_path);
	s->path[1] = words_keep(&s->texts, opts->after_path);
	s->name[0] = opts->before_name ? words_keep(&s->texts, opts->before_name) : s->path[0];
	s->name[1] = opts->after_name ? words_keep(&s->texts, opts->after_name) : s->path[1];
	s->times[0] = words_keep(&s->texts, opts->before_times);
	s->times[1] = words_keep(&s->texts, opts->after_times);
	if (s->texts.failed) {
		screen_close(s);
		return ptui_error_nomem(err);
	}
	if (stack_push(stack, &screen_ops, s))
		return ptui_error_nomem(err);
	ret = compare_load(s, opts, err);
	if (ret)
		stack_remove(stack, s);
	return ret;
}
