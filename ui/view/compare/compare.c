/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/report_line.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/compare/compare_private.h"
#include "view/copy_row.h"
#include "widget/popup.h"

/* ---- notes ---- */

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

void compare_recalc(void *self)
{
	struct compare_screen *s = self;

	if (!s->model)
		return;
	s->rows = compare_rows(s->model);
	find_worst(s);
	rows_view_set_rows(&s->view, s->rows ? s->rows->nodes : NULL);
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

/* The words of the `ptui report` line for one side. 0 or -ENOMEM. */
static int report_words(const struct compare_screen *s, bool after, struct words *ret)
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
	return report_line_words(&line, ret);
}

/* ptui compares on the screen only: a report of each recording. */
static unsigned copy_reports(struct compare_screen *s)
{
	struct words words = WORDS_INIT;
	int ret;

	if (!s->path[0] || !s->path[1])
		return stack_say(s->stack, ROLE_NOTE, _("%s: these samples are in no file."),
				 s->name[s->path[0] != NULL]);
	ret = report_words(s, false, &words);
	if (!ret)
		ret = words_add(&words, ";");
	if (!ret)
		ret = report_words(s, true, &words);
	return copy_command(s->stack, &words, ret);
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
	unsigned wishes = compare_stop(s);

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

	compare_leave(s);
	rows_view_release(&s->view);
	free(s->name[0]);
	free(s->name[1]);
	free(s->path[0]);
	free(s->path[1]);
	free(s);
}

static const enum request screen_hints[] = {
	REQ_OPEN,     REQ_ORDER, REQ_SWAP, REQ_SURE_ONLY, REQ_SEARCH, REQ_FILTER,
	REQ_CHILDREN, REQ_TRUST, REQ_HELP, REQ_BACK,	  REQ_NONE,
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
	.title = N_("Compare"),
	.map = KEYMAP_COMPARE,
	.menu = menu,
	.rooms = rooms,
	.job = compare_job,
	.counting_ops = &compare_counting,
	.request = screen_request,
	.can = screen_can,
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
	if (text_copy(&s->name[0], opts->before_name ? opts->before_name : opts->before_path) ||
	    text_copy(&s->name[1], opts->after_name ? opts->after_name : opts->after_path) ||
	    text_copy(&s->path[0], opts->before_path) || text_copy(&s->path[1], opts->after_path)) {
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
