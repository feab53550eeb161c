/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "text/utf8.h"
#include "widget/form.h"
#include "widget/scroll.h"

/* An empty note if the owner has fewer rows by now: it is never asked for a row that is gone. */
static void get_row(const struct form *f, size_t i, struct form_row *row)
{
	memset(row, 0, sizeof(*row));
	row->label = "";
	row->value_style = row->detail_style = ROLE_FIELD;
	row->explanation_style = ROLE_DIM;
	if (i < f->ops->count(f->ctx))
		f->ops->row(f->ctx, i, row);
	else
		row->kind = FORM_NOTE;
}

static enum form_kind kind_of(const struct form *f, size_t i)
{
	struct form_row row;

	get_row(f, i, &row);
	return row.kind;
}

void form_init(struct form *f, const struct form_ops *ops, void *ctx, int label_width)
{
	*f = (struct form){ .ops = ops, .ctx = ctx, .label_width = label_width, .focus = true };
}

/* ---- the cursor ---- */

/* The nearest row that is not a note: first in this direction, then in the other. */
static size_t no_note(const struct form *f, size_t row, int direction)
{
	for (int turn = 0; turn < 2; turn++, direction = -direction) {
		size_t i = row;

		/* wraps below 0, too */
		while (i < f->n_rows && kind_of(f, i) == FORM_NOTE)
			i += (size_t)direction;
		if (i < f->n_rows)
			return i;
	}
	return row;
}

static unsigned move(struct form *f, size_t row, int direction)
{
	if (!f->n_rows)
		return WISH_NONE;
	if (row >= f->n_rows)
		row = f->n_rows - 1;
	f->cursor = no_note(f, row, direction);
	/* Going up from the first row shows the notes above it. */
	if (row == 0)
		f->top = 0;
	return WISH_REDRAW;
}

void form_move_to(struct form *f, size_t row)
{
	move(f, row, 1);
}

void form_recalc(struct form *f)
{
	f->n_rows = f->ops->count(f->ctx);
	if (!f->n_rows)
		f->cursor = f->top = 0;
	else
		move(f, f->cursor, 1);
}

/* ---- drawing ---- */

/* Value and detail in `w` columns from `x`; returns the columns used. */
static int draw_value(const struct canvas *c, int y, int x, int w, const struct form_row *row)
{
	bool goes_round = row->kind == FORM_CHOICE || row->kind == FORM_TOGGLE;
	int value_w = utf8_width(row->value) + (goes_round ? 2 : 0), at = value_w + 2, shown;

	shown = goes_round && w > 2 ? w - 2 : w;
	canvas_cell(c, y, x, shown, ALIGN_LEFT, row->value_style, row->value);
	if (goes_round) {
		canvas_text(c, y, x - 2, ROLE_DIM, "‹");
		canvas_text(c, y, value_w > w ? x + w - 1 : x + value_w - 1, ROLE_DIM, "›");
	}
	if (!*row->detail || at >= w)
		return value_w;
	canvas_cell(c, y, x + at, w - at, ALIGN_LEFT, row->detail_style, row->detail);
	return at + utf8_width(row->detail);
}

static void draw_explanation(const struct canvas *c, int y, int x, int w,
			     const struct form_row *row)
{
	struct canvas part = canvas_part(c, y, x, 1, w);

	canvas_text(&part, 0, 0, row->explanation_style, row->explanation);
	if (*row->current)
		canvas_mark(&part, 0, row->current, ROLE_FIELD);
}

static void draw_row(const struct form *f, const struct canvas *c, int y, size_t i)
{
	struct form_row row;
	int x = f->label_width + 2, w, at, value_w;

	get_row(f, i, &row);
	if (x > c->at.w / 2)
		x = c->at.w / 2;
	w = c->at.w - x - 1;
	canvas_cell(c, y, 1, x - 4, ALIGN_LEFT, ROLE_TEXT, row.label);
	if (row.kind == FORM_NOTE && !*row.label)
		row.value_style = ROLE_DIM;
	value_w = draw_value(c, y, x, w, &row);
	/* The explanation has a fixed column, unless a long value needs the room. */
	at = w * 3 / 5;
	if (at < value_w + 2)
		at = value_w + 2;
	if (*row.explanation && at + utf8_width(row.explanation) <= w)
		draw_explanation(c, y, x + at, w - at, &row);
	if (f->focus && i == f->cursor)
		canvas_add_flags(c, y, 0, c->at.w, STYLE_CURSOR);
}

void form_draw(struct form *f, const struct canvas *c)
{
	size_t page = c->at.h > 0 ? (size_t)c->at.h : 0;

	f->page = c->at.h;
	f->at = c->at;
	if (!page)
		return;
	scroll_follow(&f->top, f->cursor, f->n_rows, f->page);
	for (size_t i = 0; i < page && f->top + i < f->n_rows; i++)
		draw_row(f, c, (int)i, f->top + i);
	canvas_scrollbar(c, 0, c->at.w - 1, c->at.h, f->top, page, f->n_rows);
}

/* ---- requests ---- */

/* Enter, Left, Right depend on the row. */
static unsigned form_act_on(struct form *f, enum form_act what)
{
	enum form_kind kind;

	if (f->cursor >= f->n_rows)
		return WISH_PASS;
	kind = kind_of(f, f->cursor);
	if (kind == FORM_NOTE)
		return WISH_PASS;
	if (kind == FORM_TOGGLE)
		what = FORM_NEXT;
	else if (kind != FORM_CHOICE && what != FORM_EDIT)
		return WISH_PASS;
	return f->ops->act(f->ctx, f->cursor, what);
}

unsigned form_request(struct form *f, enum request req)
{
	size_t row = scroll_cursor(req, f->cursor, f->n_rows, f->page);

	if (row != SIZE_MAX)
		return move(f, row, row < f->cursor || req == REQ_LAST ? -1 : 1);
	switch (req) {
	case REQ_OPEN:
		return form_act_on(f, FORM_EDIT);
	case REQ_PREV_VALUE:
		return form_act_on(f, FORM_PREV);
	case REQ_NEXT_VALUE:
		return form_act_on(f, FORM_NEXT);
	default:
		return WISH_PASS;
	}
}

/* On the cursor row a click acts like Enter; notes are only read. */
unsigned form_mouse(struct form *f, const struct term_event *e)
{
	const struct scroll_list list = { f->n_rows, f->cursor, &f->top, f->at, &f->opened_ns };
	size_t row;
	unsigned wishes = scroll_list_mouse(&list, e, &row);

	if (e->mouse == MOUSE_PRESS && !(wishes & WISH_PASS) && kind_of(f, row) == FORM_NOTE)
		return WISH_PASS;
	if (row != f->cursor)
		return move(f, row, row < f->cursor ? -1 : 1);
	return wishes & WISH_OPEN ? form_act_on(f, FORM_EDIT) : wishes;
}
