/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "widget/find.h"

#include <stdio.h>
#include <string.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "widget/line.h"
#include "widget/prompt.h"
#include "widget/table.h"

#define SLICE_LINES 64 /* between checks of the clock */
#define SLICE_NS    4000000ull

void find_init(struct find *f, struct stack *s, const struct find_ops *ops, void *ctx)
{
	*f = (struct find){ .stack = s, .ops = ops, .ctx = ctx };
}

void find_init_table(struct find *f, struct stack *s, struct table *t)
{
	find_init(f, s, &table_find_ops, t);
}

/* ---- the search ---- */

static size_t next_line(const struct find *f, size_t line, size_t n)
{
	if (f->direction > 0)
		return line + 1 < n ? line + 1 : 0;
	return line ? line - 1 : n - 1;
}

/* True if a slice has ended: looked at the clock now and then. */
static bool slice_ends(const struct find *f, size_t looked, uint64_t began)
{
	return f->in_slices && looked % SLICE_LINES == 0 && loop_now_ns() - began > SLICE_NS;
}

enum find_found find_more(struct find *f)
{
	size_t n = f->ops->count(f->ctx), looked = 0;
	uint64_t began = loop_now_ns();

	if (f->ops->place(f->ctx) != f->from)
		return FIND_GIVEN_UP;
	/* the lines may have changed */
	if (f->line >= n)
		f->line = 0;
	if (f->left > n)
		f->left = n;
	for (; f->left; f->left--, f->line = next_line(f, f->line, n)) {
		if (slice_ends(f, ++looked, began))
			return FIND_LATER;
		if (f->ops->matches(f->ctx, f->line)) {
			f->ops->show(f->ctx, f->line);
			return FIND_HERE;
		}
	}
	return FIND_NOWHERE;
}

/* Checks every line once, from here on (`again`: from the one after the last match), wrapping around. */
static enum find_found find_start(struct find *f, int direction, bool again)
{
	size_t n = f->ops->count(f->ctx);
	bool is_match;

	f->line = f->ops->here(f->ctx, &is_match);
	f->left = n;
	f->direction = direction;
	f->from = f->ops->place(f->ctx);
	f->counted = f->n_found = f->nth = 0;
	if (again && is_match && n)
		f->line = next_line(f, f->line, n);
	return find_more(f);
}

enum find_found find_text(struct find *f, const char *text)
{
	f->ops->set_text(f->ctx, text);
	return *text ? find_start(f, 1, false) : FIND_GIVEN_UP;
}

enum find_found find_again(struct find *f, int direction)
{
	return find_start(f, direction, true);
}

bool find_count(struct find *f)
{
	size_t n = f->ops->count(f->ctx), looked = 0, here;
	uint64_t began = loop_now_ns();
	bool is_match;

	here = f->ops->here(f->ctx, &is_match);
	for (; f->counted < n; f->counted++) {
		if (slice_ends(f, ++looked, began))
			return false;
		if (!f->ops->matches(f->ctx, f->counted))
			continue;
		f->n_found++;
		if (f->counted <= here)
			f->nth = f->n_found;
	}
	f->n = f->n_found;
	f->at = here < n && f->ops->matches(f->ctx, here) ? f->nth : 0;
	return true;
}

/* ---- the prompt ---- */

void find_release(struct find *f)
{
	if (f->timer)
		loop_remove(stack_loop(f->stack), f->timer);
	words_release(&f->history);
}

static void find_continue(void *ctx);

/* Continues later if there may be more, or to count; else reports the result. */
static void find_report(struct find *f, enum find_found found)
{
	bool later = found == FIND_LATER;

	f->last = found;
	f->n = 0;
	if (found == FIND_NOWHERE && f->report)
		stack_say(f->stack, ROLE_NOTE, _("No row contains “%s”."), f->text);
	if (found == FIND_HERE && f->typing)
		later = !find_count(f);
	if (later && !f->timer)
		f->timer = loop_after(stack_loop(f->stack), 1, find_continue, f);
}

/* "3 of 17", or "not found" if there are none. */
static void count_text(size_t at, size_t n, char *buf, size_t size, style_t *style)
{
	if (n) {
		snprintf(buf, size, _("%s of %s"), grouped(at).text, grouped(n).text);
	} else {
		*style = ROLE_NOTE;
		snprintf(buf, size, "%s", _("not found"));
	}
}

static void find_state(void *ctx, char *buf, size_t size, style_t *style)
{
	const struct find *f = ctx;

	if (f->n || f->last == FIND_NOWHERE)
		count_text(f->at, f->n, buf, size, style);
}

static void find_continue(void *ctx)
{
	struct find *f = ctx;

	f->timer = 0;
	find_report(f, f->last == FIND_LATER ? find_more(f) : f->last);
	loop_dirty(stack_loop(f->stack));
}

static unsigned typed(void *ctx, const char *line)
{
	struct find *f = ctx;

	/* a longer text is searched for from the start position, not from the last match */
	f->ops->go(f->ctx, f->began);
	f->report = false;
	find_report(f, find_text(f, line));
	return WISH_REDRAW;
}

static unsigned done(void *ctx, const char *line)
{
	struct find *f = ctx;

	f->typing = false;
	f->ops->go(f->ctx, f->began);
	find_copy(f->text, line ? line : "");
	f->report = true;
	find_report(f, find_text(f, f->text));
	return WISH_REDRAW;
}

static unsigned find_open_prompt(struct find *f)
{
	const struct prompt_opts opts = {
		.label = _("find: "),
		.history = &f->history,
		.changed = typed,
		.state = find_state,
		.done = done,
		.ctx = f,
	};

	f->began = f->ops->place(f->ctx);
	f->typing = true;
	f->last = FIND_GIVEN_UP;
	f->n = 0;
	return prompt_open(f->stack, &opts);
}

static unsigned again(struct find *f, int direction)
{
	if (!*f->text)
		return find_open_prompt(f);
	f->report = true;
	find_report(f, find_again(f, direction));
	return WISH_REDRAW;
}

unsigned find_request(struct find *f, enum request req)
{
	switch (req) {
	case REQ_SEARCH:
		return find_open_prompt(f);
	case REQ_SEARCH_NEXT:
		return again(f, 1);
	case REQ_SEARCH_PREV:
		return again(f, -1);
	default:
		return WISH_PASS;
	}
}

void find_copy(char to[FIND_SIZE], const char *text)
{
	size_t n = text_utf8_floor(text, strnlen(text, FIND_SIZE - 1));

	memcpy(to, text, n);
	to[n] = '\0';
}

/* ---- filters ---- */

void filter_head(const struct filter *f, const struct canvas *line, const char *where,
		 const char *state, style_t style)
{
	char text[192];

	snprintf(text, sizeof(text), *f->table->search ? "%s   / %s" : "%s", where,
		 f->table->search);
	line_head(line, text, state, style);
}

unsigned filter_show(struct filter *f, const char *text)
{
	snprintf(f->table->search, sizeof(f->table->search), "%s", text);
	f->show(f->table->ctx);
	return WISH_RECALC;
}

static bool is_entry(const struct filter *f, size_t row)
{
	return !f->is_entry || f->is_entry(f->table->ctx, row);
}

/* To the next entry from this row on (step 1) or backwards (-1), around the ends. */
static void go_to_entry(struct filter *f, size_t row, int step)
{
	size_t n = f->table->n_rows;

	for (size_t left = n; left; left--, row += (size_t)step) {
		row = row == SIZE_MAX ? n - 1 : row >= n ? 0 : row;
		if (!is_entry(f, row))
			continue;
		table_show(f->table, row);
		break;
	}
}

static unsigned filter_typed(void *ctx, const char *line)
{
	struct filter *f = ctx;
	unsigned wishes = filter_show(f, line);

	table_recalc(f->table);
	if (f->is_entry && *line)
		go_to_entry(f, 0, 1);
	return wishes;
}

/* Which of the entries shown the cursor is on. */
static void filter_state(void *ctx, char *buf, size_t size, style_t *style)
{
	const struct filter *f = ctx;
	size_t at = 0, n = 0;

	for (size_t row = 0; row < f->table->n_rows; row++) {
		n += is_entry(f, row);
		if (row == f->table->cursor)
			at = n;
	}
	if (*f->table->search)
		count_text(at, n, buf, size, style);
}

static unsigned filter_done(void *ctx, const char *line)
{
	struct filter *f = ctx;
	struct table *t = f->table;
	unsigned wishes;

	if (line)
		return WISH_RECALC;
	wishes = filter_show(f, f->text_before);
	table_recalc(t);
	table_move_to_id(t, f->cursor_before);
	t->top = f->top_before;
	return wishes;
}

static unsigned ask(struct filter *f)
{
	struct table *t = f->table;
	const struct prompt_opts opts = {
		.label = "/ ",
		.line = t->search,
		.changed = filter_typed,
		.state = filter_state,
		.done = filter_done,
		.ctx = f,
	};

	memcpy(f->text_before, t->search, sizeof(f->text_before));
	f->cursor_before = t->cursor < t->n_rows ? t->ops->id(t->ctx, t->cursor) : 0;
	f->top_before = t->top;
	return prompt_open(f->stack, &opts);
}

unsigned filter_request(struct filter *f, enum request req)
{
	bool all = !*f->table->search;
	int step = req == REQ_SEARCH_PREV ? -1 : 1;

	switch (req) {
	case REQ_SEARCH:
		return ask(f);
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREV:
		if (all)
			return ask(f);
		go_to_entry(f, f->table->cursor + (size_t)step, step);
		return WISH_REDRAW;
	case REQ_BACK:
		return all ? WISH_PASS : filter_show(f, "");
	default:
		return table_request(f->table, req);
	}
}
