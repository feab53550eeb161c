/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "text/strings.h"
#include "widget/tree_private.h"

#define INDENT	  3 /* columns per level; also the width before the table's columns */
#define HEAD_SIZE 128

#define LINES_MAX 64 /* levels with connecting lines */

/* --- callbacks of the table --- */

static uint64_t rows_id(void *ctx, size_t row)
{
	return tree_row_at(ctx, row).node;
}

static size_t rows_find(void *ctx, uint64_t id)
{
	return tree_row_find(ctx, id);
}

static const char *rows_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			     style_t *style)
{
	struct tree *t = ctx;

	return t->ops->cell(t->ctx, tree_row_at(t, row).node, column, buf, size, style);
}

static const char *sign_of(const struct tree *t, uint64_t node)
{
	if (!t->ops->opens(t->ctx, node))
		return " ";
	return tree_ids_has(t->open, node) ? "-" : "+";
}

/* The connecting lines through a row of a part: bits of the levels above it that continue below. */
static uint64_t lines_above(const struct tree_part *p, size_t at)
{
	uint32_t depth = p->rows[at].depth;
	uint64_t lines = 0;

	while (at && depth > 1) {
		at--;
		if (p->rows[at].depth >= depth)
			continue;
		depth = p->rows[at].depth;
		if (depth < LINES_MAX && !p->rows[at].last)
			lines |= UINT64_C(1) << depth;
	}
	return lines;
}

static void draw_lines(struct tree *t, const struct tree_row *row, const struct canvas *line,
		       style_t flags, int skip)
{
	uint32_t depth = row->depth;

	for (uint32_t d = 1; d < depth && d < LINES_MAX; d++) {
		if (t->lines >> d & 1)
			canvas_text(line, 0, ((int)d - 1) * INDENT - skip,
				    (style_t)(ROLE_FRAME | flags), "│");
	}
	if (depth < LINES_MAX)
		t->lines = (t->lines & ((UINT64_C(1) << depth) - 1)) | (uint64_t)!row->last
									       << depth;
}

/* A row below depth 0: lines, sign, head, label. */
static bool rows_draw(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip)
{
	struct tree *t = ctx;
	char buf[ROW_BYTES], elided[ROW_BYTES], head[HEAD_SIZE] = "";
	style_t style = ROLE_TEXT, head_style = ROLE_TEXT;
	size_t at;
	const struct tree_part *p = tree_row_part(t, row, &at);
	const struct tree_row *r;
	const char *text;
	int x;

	if (!p) {
		t->lines = 0;
		return false;
	}
	r = &p->rows[at];
	x = ((int)r->depth - 1) * INDENT - skip;
	/* rows are drawn from the top: each computes the lines for the next */
	if (row == t->table.top)
		t->lines = lines_above(p, at);
	draw_lines(t, r, line, flags, skip);
	text = t->ops->label(t->ctx, r->node, buf, sizeof(buf), &style, head, sizeof(head),
			     &head_style);
	canvas_text(line, 0, x, (style_t)(ROLE_TEXT | flags), sign_of(t, r->node));
	x += 2;
	if (head[0])
		x += canvas_text(line, 0, x, (style_t)(head_style | flags), head) + 1;
	/* while it is scrolled sideways, all of it is wanted */
	if (t->elide && !skip)
		text = table_elide(&t->table, text, line->at.w - x, elided);
	canvas_cell_from(line, 0, x > 0 ? x : 0, line->at.w - (x > 0 ? x : 0), x < 0 ? -x : 0,
			 (style_t)(style | flags), text);
	return true;
}

static bool rows_matches(void *ctx, size_t row, const char *wanted)
{
	struct tree *t = ctx;

	return t->ops->matches(t->ctx, tree_row_at(t, row).node, wanted);
}

static const struct table_ops rows_ops = {
	.n_rows = offsetof(struct tree, n_rows),
	.cell = rows_cell,
	.draw = rows_draw,
	.id = rows_id,
	.find = rows_find,
	.matches = rows_matches,
};

/* --- the widget --- */

int tree_init(struct tree *t, const struct tree_ops *ops, void *ctx)
{
	memset(t, 0, sizeof(*t));
	table_init(&t->table, &rows_ops, t);
	t->ops = ops;
	t->ctx = ctx;
	t->open = tree_ids_new();
	return t->open ? 0 : -ENOMEM;
}

void tree_release(struct tree *t)
{
	if (t->open)
		tree_expand_end(t);
	tree_discard(t, t->parts, t->n_parts, t->open);
	t->parts = NULL;
	t->open = NULL;
	t->n_rows = t->n_top = t->n_parts = t->room = 0;
}

void tree_draw(struct tree *t, const struct canvas *c)
{
	struct canvas right = canvas_part(c, 0, INDENT, c->at.h, c->at.w - INDENT);
	struct canvas left = canvas_part(c, 0, 0, c->at.h, INDENT);

	if (t->flat) {
		table_draw(&t->table, c);
		return;
	}
	canvas_clear(&left);
	table_draw(&t->table, &right);
	for (int y = 0; y < t->table.page; y++) {
		size_t row = t->table.top + (size_t)y, at;
		int line = t->table.header_h + y;

		if (row >= t->n_rows)
			break;
		if (!tree_row_part(t, row, &at))
			canvas_text(&left, line, 0, ROLE_TEXT, sign_of(t, tree_node(t, row)));
		if (row == t->table.cursor && t->table.focus)
			canvas_add_flags(&left, line, 0, INDENT, STYLE_CURSOR);
	}
}

static unsigned wish_of(int ret)
{
	return ret < 0 ? WISH_NO_MEM : WISH_REDRAW;
}

static unsigned tree_toggle(struct tree *t, unsigned otherwise)
{
	uint64_t node = tree_cursor(t);

	if (!t->ops->opens(t->ctx, node))
		return otherwise;
	t->table.moved = true; /* opening a row counts as moving */
	return wish_of(tree_row_set_open(t, t->table.cursor, !tree_is_open(t, node)));
}

unsigned tree_request(struct tree *t, enum request req)
{
	size_t entry;

	if (t->table.cursor >= t->n_rows)
		return table_request(&t->table, req);
	entry = tree_row_entry(t, t->table.cursor);
	switch (req) {
	case REQ_OPEN:
		/* A row without children may mean something else to the view. */
		return tree_toggle(t, WISH_PASS);
	case REQ_TOGGLE:
		return tree_toggle(t, WISH_NONE);
	case REQ_EXPAND_ENTRY:
		t->table.moved = true;
		if (tree_is_open(t, tree_node(t, entry)))
			return wish_of(tree_entry_collapse(t, entry));
		return wish_of(tree_entry_expand(t, entry));
	case REQ_COLLAPSE_ENTRY:
		return wish_of(tree_entry_collapse(t, entry));
	case REQ_EXPAND_ALL:
		return wish_of(tree_expand_all(t));
	case REQ_COLLAPSE_ALL:
		return wish_of(tree_collapse_all(t));
	default:
		return table_request(&t->table, req);
	}
}

unsigned tree_mouse(struct tree *t, const struct term_event *e)
{
	int indent = t->flat ? 0 : INDENT, x = e->x - t->table.at.x + indent, sign;
	struct term_event in = *e;
	unsigned wish;

	/* a click on a sign is one on its row */
	if (x >= 0 && x < indent)
		in.x = t->table.at.x;
	wish = table_mouse(&t->table, &in);
	if ((wish & WISH_PASS) || e->mouse != MOUSE_PRESS)
		return wish;
	sign = tree_depth(t, t->table.cursor) * INDENT;
	if (sign)
		sign -= t->table.skip;
	if (x != sign)
		return wish;
	if (t->asks && t->ops->opens(t->ctx, tree_cursor(t)))
		return wish | WISH_OPEN;
	wish &= ~WISH_OPEN;
	if (!t->asks)
		wish |= tree_toggle(t, WISH_NONE);
	return wish;
}

uint64_t tree_node(const struct tree *t, size_t row)
{
	return tree_row_at(t, row).node;
}

int tree_depth(const struct tree *t, size_t row)
{
	size_t at;
	const struct tree_part *p = tree_row_part(t, row, &at);

	return p ? (int)p->rows[at].depth : 0;
}

uint64_t tree_cursor_entry(const struct tree *t)
{
	size_t at;
	const struct tree_part *p = tree_row_part(t, t->table.cursor, &at);

	return p ? p->node : tree_cursor(t);
}

uint64_t tree_cursor(const struct tree *t)
{
	return t->table.cursor < t->n_rows ? t->table.cursor_id : TREE_TOP;
}

char *tree_cursor_text(const struct tree *t, char *buf, size_t size)
{
	uint64_t node = tree_cursor(t);
	char cell[ROW_BYTES], head[HEAD_SIZE] = "";
	style_t style = ROLE_TEXT, head_style = ROLE_TEXT;
	const char *label;

	if (node == TREE_TOP || !tree_depth(t, t->table.cursor))
		return table_cursor_text(&t->table, buf, size);
	label = t->ops->label(t->ctx, node, cell, sizeof(cell), &style, head, sizeof(head),
			      &head_style);
	snprintf(buf, size, "%s%s%s", head, *head ? " " : "", label);
	return buf;
}

bool tree_is_open(const struct tree *t, uint64_t node)
{
	return tree_ids_has(t->open, node);
}
