/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "widget/filter.h"

#include <stdio.h>
#include <string.h>

#include "widget/find.h"
#include "widget/line.h"
#include "widget/prompt.h"

void filter_head(const struct filter *f, const struct canvas *line, const char *where,
		 const char *state, style_t style)
{
	char text[192];

	snprintf(text, sizeof(text), *f->table->search ? "%s   / %s" : "%s", where,
		 f->table->search);
	line_head(line, 0, text, state, style);
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

static unsigned typed(void *ctx, const char *line)
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
		find_count_text(at, n, buf, size, style);
}

static unsigned done(void *ctx, const char *line)
{
	struct filter *f = ctx;
	struct table *t = f->table;
	unsigned wishes;
	size_t row;

	if (line)
		return WISH_RECALC;
	wishes = filter_show(f, f->text_before);
	table_recalc(t);
	row = f->cursor_before ? table_row_of(t, f->cursor_before) : SIZE_MAX;
	if (row != SIZE_MAX)
		table_move_to(t, row);
	t->top = f->top_before;
	return wishes;
}

static unsigned ask(struct filter *f)
{
	struct table *t = f->table;
	const struct prompt_opts opts = {
		.label = "/ ",
		.line = t->search,
		.changed = typed,
		.state = filter_state,
		.done = done,
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
