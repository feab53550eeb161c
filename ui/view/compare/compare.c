/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/compare/compare_private.h"
#include "widget/line.h"
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
	const struct compare_rows *before = s->rows;
	const struct compare_views *views;

	if (!s->model)
		return;
	s->rows = compare_rows(s->model);
	views = s->rows ? compare_rows_views(s->rows) : NULL;
	if (views != s->views)
		s->table.cursor_id = 0; /* row numbers refer to other rows now */
	s->views = views;
	if (s->to_top && s->rows != before) {
		s->to_top = false;
		s->table.cursor = s->table.top = 0;
		s->table.cursor_id = 0;
	}
	if (s->rows)
		compare_set_columns(s);
	find_worst(s);
	table_recalc(&s->table);
}

/* ---- requests ---- */

static void show_error(struct compare_screen *s, const struct ptui_error *err)
{
	if (*err->hint)
		stack_say(s->stack, ROLE_BAD, "%s: %s", err->text, err->hint);
	else
		stack_say(s->stack, ROLE_BAD, "%s", err->text);
}

static unsigned zoom(struct compare_screen *s, enum compare_zoom kind)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (compare_zoom(s->model, kind, s->table.cursor, &err)) {
		show_error(s, &err);
		return WISH_REDRAW;
	}
	return compare_changed(s);
}

static unsigned order_chosen(void *ctx, int index)
{
	struct compare_screen *s = ctx;

	if (index < 0)
		return WISH_REDRAW;
	compare_set_order(s->model, (enum compare_order)index);
	s->to_top = true;
	return compare_changed(s);
}

static unsigned choose_order(struct compare_screen *s)
{
	struct menu_item items[N_COMPARE_ORDERS] = { { 0 } };

	for (int i = 0; i < N_COMPARE_ORDERS; i++) {
		items[i].text = compare_order_text((enum compare_order)i);
		items[i].current = compare_how(s->model)->order == (enum compare_order)i;
	}
	if (popup_menu(s->stack, _("Row order"), items, N_COMPARE_ORDERS, order_chosen, s))
		stack_no_memory(s->stack);
	return WISH_REDRAW;
}

/* Sort keys that make sense across recordings: pids differ each time. */
static const char *const sorts[] = { NULL, "dso,symbol", "symbol", "dso", "comm,dso", "comm" };

#define N_SORTS (sizeof(sorts) / sizeof(sorts[0]))

static const char *sort_text(size_t i)
{
	return sorts[i] ? sorts[i] : "comm,dso,symbol";
}

static unsigned sort_chosen(void *ctx, int index)
{
	struct compare_screen *s = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (index < 0)
		return WISH_REDRAW;
	if (compare_set_sort(s->model, sorts[index], &err))
		show_error(s, &err);
	return compare_changed(s);
}

static unsigned choose_sort(struct compare_screen *s)
{
	struct menu_item items[N_SORTS] = { { 0 } };
	const char *now = compare_sort(s->model);

	for (size_t i = 0; i < N_SORTS; i++) {
		items[i].text = sort_text(i);
		items[i].current = !strcmp(sort_text(i), now ? now : sort_text(0));
	}
	if (popup_menu(s->stack, _("Sort by"), items, N_SORTS, sort_chosen, s))
		stack_no_memory(s->stack);
	return WISH_REDRAW;
}

static unsigned filter_done(void *ctx, const char *line)
{
	struct compare_screen *s = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	(void)history_add(&s->filtered, line); /* without memory there is no history */
	if (compare_zoom_text(s->model, line, &err))
		show_error(s, &err);
	return compare_changed(s);
}

static unsigned limit_done(void *ctx, const char *line)
{
	struct compare_screen *s = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	if (compare_set_limit(s->model, line, &err))
		show_error(s, &err);
	return compare_changed(s);
}

static unsigned prompt_filter(struct compare_screen *s)
{
	const struct prompt_opts opts = {
		.label = _("only functions with: "),
		.line = compare_how(s->model)->filter.text,
		.history = &s->filtered,
		.done = filter_done,
		.ctx = s,
	};

	if (prompt_ask(s->stack, &opts))
		stack_no_memory(s->stack);
	return WISH_REDRAW;
}

static unsigned prompt_limit(struct compare_screen *s)
{
	char now[32];
	const struct prompt_opts opts = {
		.label = _("minimum percentage: "),
		.line = now,
		.done = limit_done,
		.ctx = s,
	};

	snprintf(now, sizeof(now), "%g", compare_how(s->model)->filter.limit);
	if (prompt_ask(s->stack, &opts))
		stack_no_memory(s->stack);
	return WISH_REDRAW;
}

/* Explains the numbers, and shows the notes of both files. */
static unsigned show_trust(struct compare_screen *s)
{
	char text[4096];
	size_t n;

	n = (size_t)snprintf(
		text, sizeof(text), "%s\n\n%s\n\n%s",
		_("Each percentage is relative to the samples of its own recording, so "
		  "recordings of different lengths can be compared. If a row's share grew, "
		  "the function may have become slower, or the others faster."),
		_("~ marks differences that may be due to chance: with so few samples, equal "
		  "shares differ by this much in one of twenty pairs of recordings. Four times "
		  "the samples halve this margin: record longer, or at a higher frequency."),
		_("Rebuilding a program makes the functions of its older recordings unknown, "
		  "unless they were made with --buildid-cache."));
	for (int i = 0; i < 2 && n < sizeof(text); i++) {
		const struct trust_fact *f = &s->worst[i];

		if (f->level != TRUST_FINE)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "\n\n! %s: %s\n%s",
					      compare_name(s, i), f->text, f->advice);
	}
	if (popup_message(s->stack, _("Data quality"), text))
		stack_no_memory(s->stack);
	return WISH_REDRAW;
}

static bool screen_can(void *self, enum request req)
{
	struct compare_screen *s = self;

	if (!s->model)
		return req == REQ_BACK || req == REQ_HELP || req == REQ_QUIT ||
		       req == REQ_SUSPEND || req == REQ_REDRAW;
	switch (req) {
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		return compare_n_tabs(s->model) > 1;
	case REQ_CHILDREN:
		return compare_has_children(s->model);
	default:
		return true;
	}
}

/* Changes that require new rows. */
static unsigned view_request(struct compare_screen *s, enum request req)
{
	switch (req) {
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		compare_move_tab(s->model, req == REQ_NEXT_EVENT ? 1 : -1);
		return compare_changed(s);
	case REQ_CHILDREN:
		compare_toggle_children(s->model);
		return compare_changed(s);
	case REQ_SWAP:
		compare_swap(s->model);
		return compare_changed(s);
	case REQ_SURE_ONLY:
		compare_toggle_sure(s->model);
		return compare_changed(s);
	case REQ_ZOOM_THREAD:
		return zoom(s, COMPARE_ZOOM_COMM);
	case REQ_ZOOM_DSO:
		return zoom(s, COMPARE_ZOOM_DSO);
	case REQ_ZOOM_KERNEL:
		return zoom(s, COMPARE_ZOOM_KERNEL);
	default:
		return WISH_PASS;
	}
}

static unsigned handle_question(struct compare_screen *s, enum request req)
{
	switch (req) {
	case REQ_ORDER:
		return choose_order(s);
	case REQ_SORT:
		return choose_sort(s);
	case REQ_FILTER:
		return prompt_filter(s);
	case REQ_PERCENT_LIMIT:
		return prompt_limit(s);
	case REQ_TRUST:
		return show_trust(s);
	case REQ_PRINT:
		compare_print(s);
		return WISH_REDRAW;
	case REQ_OPEN:
		if (s->rows && s->table.cursor < compare_rows_n(s->rows))
			compare_show_details(s, s->table.cursor);
		return WISH_REDRAW;
	default:
		return WISH_PASS;
	}
}

static unsigned back(struct compare_screen *s)
{
	unsigned wishes = compare_stop(s);

	if (!(wishes & WISH_PASS))
		return wishes;
	return s->model && compare_unzoom(s->model) ? compare_changed(s) : WISH_PASS;
}

static unsigned screen_request(void *self, enum request req)
{
	struct compare_screen *s = self;
	unsigned wishes = WISH_PASS;

	if (req == REQ_BACK)
		return back(s);
	if (!s->model)
		return WISH_PASS;
	if (!screen_can(s, req))
		return WISH_NONE;
	wishes = view_request(s, req);
	if (wishes & WISH_PASS)
		wishes = handle_question(s, req);
	if (wishes & WISH_PASS)
		wishes = find_request(&s->find, req);
	return wishes & WISH_PASS ? table_request(&s->table, req) : wishes;
}

static unsigned screen_mouse(void *self, const struct term_event *e)
{
	struct compare_screen *s = self;
	struct term_event in = *e;
	unsigned wishes;

	if (!s->rows || !box_has(&s->boxes[BOX_BODY], e->y))
		return WISH_PASS;
	in.y -= s->boxes[BOX_BODY].y;
	wishes = table_mouse(&s->table, &in);
	return wishes & WISH_OPEN ? handle_question(s, REQ_OPEN) : wishes;
}

/* A click on a tab. */
static unsigned screen_head_mouse(void *self, const struct term_event *e)
{
	struct compare_screen *s = self;
	size_t n = s->model ? compare_n_tabs(s->model) : 0;
	int tab;

	if (e->mouse != MOUSE_PRESS || e->button != 1 || n < 2)
		return WISH_PASS;
	tab = line_tab_at(compare_tab_names(s->model), n, compare_tab(s->model), s->tabs_w,
			  e->x - s->tabs_x);
	if (tab < 0 || (size_t)tab == compare_tab(s->model))
		return WISH_PASS;
	compare_set_tab(s->model, (size_t)tab);
	return compare_changed(s);
}

/* ---- the screen ---- */

static void screen_close(void *self)
{
	struct compare_screen *s = self;

	compare_leave(s);
	find_release(&s->find);
	history_release(&s->filtered);
	free(s->name[0]);
	free(s->name[1]);
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
	.draw = compare_draw,
	.request = screen_request,
	.can = screen_can,
	.mouse = screen_mouse,
	.head_mouse = screen_head_mouse,
	.close = screen_close,
};

static const struct box boxes[N_COMPARE_BOXES] = {
	[BOX_INFO] = { .size = 2, .hide = 2 },
	[BOX_BODY] = { .size = 4, .fill = true },
	[BOX_RULE] = { .size = 1, .hide = 3 },
	[BOX_NOTE] = { .size = 1, .hide = 1 },
};

int compare_view_open(struct stack *stack, const struct compare_view_opts *opts,
		      struct ptui_error *err)
{
	struct compare_screen *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return ptui_error_nomem(err);
	s->stack = stack;
	table_init(&s->table, &compare_table_ops, s);
	s->table.in_slices = true;
	find_init_table(&s->find, stack, &s->table);
	s->filtered = (struct history)HISTORY_INIT;
	s->name[0] = strdup(opts->before_name ? opts->before_name : opts->before_path);
	s->name[1] = strdup(opts->after_name ? opts->after_name : opts->after_path);
	memcpy(s->boxes, boxes, sizeof(boxes));
	if (!s->name[0] || !s->name[1]) {
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
