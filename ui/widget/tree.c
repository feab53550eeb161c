/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/strings.h"
#include "text/utf8.h"
#include "widget/tree.h"
#include "widget/tree_gather.h"

#define INDENT	  3 /* columns per level; also the width before the table's columns */
#define TEXT_SIZE 1024
#define HEAD_SIZE 128

#define LINES_MAX 64 /* levels with connecting lines */

/* --- rows --- */

/* The end of the rows below a row. */
static size_t rows_end(const struct tree *t, size_t row)
{
	size_t end = row + 1;

	while (end < t->n_rows && t->rows[end].depth > t->rows[row].depth)
		end++;
	return end;
}

/* SIZE_MAX for rows at depth 0. */
static size_t row_parent(const struct tree *t, size_t row)
{
	uint32_t depth = t->rows[row].depth;

	if (!depth)
		return SIZE_MAX;
	while (row && t->rows[row].depth >= depth)
		row--;
	return row;
}

static size_t row_entry(const struct tree *t, size_t row)
{
	while (row && t->rows[row].depth)
		row--;
	return row;
}

static size_t row_find(const struct tree *t, uint64_t node)
{
	for (size_t row = 0; row < t->n_rows; row++) {
		if (t->rows[row].node == node)
			return row;
	}
	return SIZE_MAX;
}

/* Replaces rows [from, end) with `n` rows. */
static int rows_splice(struct tree *t, size_t from, size_t end, const struct tree_row *rows,
		       size_t n)
{
	size_t all = t->n_rows - (end - from) + n;

	tree_expand_end(t);
	if (all > t->room) {
		struct tree_row *bigger = reallocarray(t->rows, all, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		t->rows = bigger;
		t->room = all;
	}
	if (end < t->n_rows)
		memmove(&t->rows[from + n], &t->rows[end], (t->n_rows - end) * sizeof(*rows));
	if (n)
		memcpy(&t->rows[from], rows, n * sizeof(*rows));
	t->n_rows = all;
	return 0;
}

/* After the rows changed: moves the cursor to `node`, which must exist. */
static void tree_follow(struct tree *t, uint64_t node)
{
	t->table.cursor_id = node;
	table_recalc(&t->table);
}

/* The node under the cursor, or the row's own node if the cursor is below it. */
static uint64_t cursor_after_close(const struct tree *t, size_t row)
{
	size_t at = t->table.cursor;

	return at > row && at < rows_end(t, row) ? t->rows[row].node : tree_cursor(t);
}

/* Queries the children of a row again; `all`: opens every level. */
static int row_open(struct tree *t, size_t row, bool all)
{
	uint64_t cursor = tree_cursor(t), node = t->rows[row].node;
	size_t end = rows_end(t, row);
	struct gather g = { .all = all, .open = t->open, .most = TREE_ROWS_MAX };
	int ret;

	g.most -= t->n_rows - (end - row - 1);
	ret = gather_begin(t, &g, node, t->rows[row].depth + 1);
	if (ret == 0)
		ret = gather_run(t, &g, 0);
	if (ret == 0)
		ret = rows_splice(t, row + 1, end, g.rows, g.n);
	if (ret == 0) {
		t->full = g.full;
		tree_follow(t, cursor);
	}
	gather_release(&g);
	return ret;
}

static int row_set_open(struct tree *t, size_t row, bool open)
{
	uint64_t node = t->rows[row].node, cursor;
	int ret;

	if (open) {
		ret = tree_ids_add(t->open, node);
		if (ret == 0)
			ret = row_open(t, row, false);
		if (ret < 0)
			tree_ids_remove(t->open, node);
		return ret;
	}
	cursor = cursor_after_close(t, row);
	tree_ids_remove(t->open, node);
	t->full = false;
	ret = rows_splice(t, row + 1, rows_end(t, row), NULL, 0);
	tree_follow(t, cursor);
	return ret;
}

int tree_set_open(struct tree *t, uint64_t node, bool open)
{
	size_t row;

	if (node == TREE_TOP || tree_is_open(t, node) == open)
		return 0;
	row = row_find(t, node);
	if (row != SIZE_MAX)
		return row_set_open(t, row, open);
	if (open)
		return tree_ids_add(t->open, node);
	tree_ids_remove(t->open, node);
	return 0;
}

static int entry_expand(struct tree *t, size_t row)
{
	int ret = 0;

	if (t->ops->opens(t->ctx, t->rows[row].node))
		ret = tree_ids_add(t->open, t->rows[row].node);
	return ret < 0 ? ret : row_open(t, row, true);
}

static int entry_collapse(struct tree *t, size_t row)
{
	size_t i, end = rows_end(t, row);

	for (i = row + 1; i < end; i++)
		tree_ids_remove(t->open, t->rows[i].node);
	return row_set_open(t, row, false);
}

/* Installs the gathered rows; none if gathering failed. */
static void tree_set_rows(struct tree *t, struct gather *g, int ret)
{
	free(t->rows);
	t->rows = NULL;
	t->n_rows = t->room = 0;
	t->full = g->full;
	if (ret < 0)
		return;
	t->rows = g->rows;
	t->n_rows = g->n;
	t->room = g->room;
	g->rows = NULL;
}

/* The cursor's node and its ancestors, nearest first; *ret_n of them. NULL: out of memory. */
static uint64_t *cursor_path(const struct tree *t, size_t *ret_n)
{
	size_t row = t->table.cursor, n = 0;
	size_t levels = row < t->n_rows ? t->rows[row].depth + 1 : 0;
	uint64_t *path = calloc(levels + 1, sizeof(*path));

	if (path) {
		for (; n < levels && row != SIZE_MAX; row = row_parent(t, row))
			path[n++] = t->rows[row].node;
	}
	*ret_n = n;
	return path;
}

/* The cursor stays on its node, or moves to the nearest remaining ancestor. */
static int tree_replace(struct tree *t, struct gather *g, int ret)
{
	size_t i, n;
	uint64_t *path = cursor_path(t, &n);

	if (!path)
		return -ENOMEM;
	tree_set_rows(t, g, ret);
	for (i = 0; i < n; i++) {
		if (row_find(t, path[i]) != SIZE_MAX)
			break;
	}
	tree_follow(t, i < n ? path[i] : TREE_TOP);
	free(path);
	return ret;
}

/* Gathers all rows again. `keep`: the present rows are still true, and stay if memory runs out. */
static int tree_rebuild(struct tree *t, bool all, bool keep)
{
	struct gather g = { .all = all, .open = t->open, .most = TREE_ROWS_MAX };
	int ret = gather_begin(t, &g, TREE_TOP, 0);

	tree_expand_end(t);
	if (ret == 0)
		ret = gather_run(t, &g, 0);
	if (ret == 0 || !keep)
		ret = tree_replace(t, &g, ret);
	gather_release(&g);
	return ret;
}

/* --- opening all in slices --- */

int tree_expand_begin(struct tree *t)
{
	struct gather *g = calloc(1, sizeof(*g));

	tree_expand_end(t);
	if (!g)
		return -ENOMEM;
	*g = (struct gather){ .all = true, .open = tree_ids_new(), .most = TREE_ROWS_MAX };
	t->expanding = g;
	if (g->open && gather_begin(t, g, TREE_TOP, 0) == 0)
		return 0;
	tree_expand_end(t);
	return -ENOMEM;
}

static struct tree_ids *open_nodes(const struct tree *t)
{
	return t->expanding && !t->expanding->all ? t->expanding->open : t->open;
}

const uint64_t *tree_open_nodes(const struct tree *t, size_t *ret_n)
{
	return tree_ids_get(open_nodes(t), ret_n);
}

struct tree_ids *tree_take_open(struct tree *t)
{
	struct tree_ids *none = tree_ids_new(), *ret = open_nodes(t);

	if (!none)
		return NULL;
	if (ret == t->open)
		t->open = none;
	else
		t->expanding->open = none;
	tree_expand_end(t);
	return ret;
}

int tree_reopen_begin(struct tree *t, struct tree_ids *open, uint64_t cursor)
{
	int ret = tree_expand_begin(t);

	if (ret) {
		tree_ids_free(open);
		return ret;
	}
	tree_ids_free(t->expanding->open);
	t->expanding->open = open;
	t->expanding->all = false;
	t->expanding->cursor = cursor;
	t->expanding->from = tree_cursor(t);
	return 0;
}

/* Shows what was gathered in slices. */
static int expand_finish(struct tree *t, struct gather *g)
{
	bool moved = tree_cursor(t) != g->from;
	int ret = tree_replace(t, g, 0);

	if (ret)
		return ret;
	tree_ids_free(t->open);
	t->open = g->open;
	g->open = NULL;
	if (g->cursor != TREE_TOP && !moved && row_find(t, g->cursor) != SIZE_MAX)
		tree_follow(t, g->cursor);
	return 0;
}

int tree_expand_step(struct tree *t, uint64_t ns, size_t *ret_rows)
{
	struct gather *g = t->expanding;
	int ret;

	*ret_rows = t->n_rows;
	if (!g)
		return 0;
	ret = gather_run(t, g, ns);
	*ret_rows = g->n;
	if (ret == 0)
		ret = expand_finish(t, g);
	if (ret <= 0)
		tree_expand_end(t);
	return ret;
}

void tree_expand_end(struct tree *t)
{
	if (!t->expanding)
		return;
	tree_ids_free(t->expanding->open);
	gather_release(t->expanding);
	free(t->expanding);
	t->expanding = NULL;
}

int tree_recalc(struct tree *t)
{
	return tree_rebuild(t, false, false);
}

static int tree_expand_all(struct tree *t)
{
	return tree_rebuild(t, true, true);
}

static int tree_collapse_all(struct tree *t)
{
	tree_ids_clear(t->open);
	return tree_rebuild(t, false, true);
}

/* --- callbacks of the table --- */

static uint64_t rows_id(void *ctx, size_t row)
{
	return ((struct tree *)ctx)->rows[row].node;
}

static const char *rows_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			     style_t *style)
{
	struct tree *t = ctx;

	return t->ops->cell(t->ctx, t->rows[row].node, column, buf, size, style);
}

static const char *sign_of(const struct tree *t, size_t row)
{
	uint64_t node = t->rows[row].node;

	if (!t->ops->opens(t->ctx, node))
		return " ";
	return tree_ids_has(t->open, node) ? "-" : "+";
}

/* The connecting lines through a row: bits of the levels above it that continue below. */
static uint64_t lines_above(const struct tree *t, size_t row)
{
	uint32_t depth = t->rows[row].depth;
	uint64_t lines = 0;

	while (row && depth > 1) {
		row--;
		if (t->rows[row].depth >= depth)
			continue;
		depth = t->rows[row].depth;
		if (depth < LINES_MAX && !t->rows[row].last)
			lines |= UINT64_C(1) << depth;
	}
	return lines;
}

static void draw_lines(struct tree *t, size_t row, const struct canvas *line, style_t flags,
		       int skip)
{
	uint32_t depth = t->rows[row].depth;

	/* rows are drawn from the top: each computes the lines for the next */
	if (row == t->table.top)
		t->lines = lines_above(t, row);
	for (uint32_t d = 1; d < depth && d < LINES_MAX; d++) {
		if (t->lines >> d & 1)
			canvas_text(line, 0, ((int)d - 1) * INDENT - skip,
				    (style_t)(ROLE_FRAME | flags), "│");
	}
	if (depth < LINES_MAX)
		t->lines = (t->lines & ((UINT64_C(1) << depth) - 1)) | (uint64_t)!t->rows[row].last
									       << depth;
}

/* A row below depth 0: lines, sign, head, label. */
static bool rows_draw(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip)
{
	struct tree *t = ctx;
	char buf[TEXT_SIZE], head[HEAD_SIZE] = "";
	style_t style = ROLE_TEXT, head_style = ROLE_TEXT;
	int x = ((int)t->rows[row].depth - 1) * INDENT - skip;
	const char *text;

	if (!t->rows[row].depth) {
		t->lines = 0;
		return false;
	}
	draw_lines(t, row, line, flags, skip);
	text = t->ops->label(t->ctx, t->rows[row].node, buf, sizeof(buf), &style, head,
			     sizeof(head), &head_style);
	canvas_text(line, 0, x, (style_t)(ROLE_TEXT | flags), sign_of(t, row));
	x += 2;
	if (head[0])
		x += canvas_text(line, 0, x, (style_t)(head_style | flags), head) + 1;
	canvas_cell_from(line, 0, x > 0 ? x : 0, line->at.w - (x > 0 ? x : 0), x < 0 ? -x : 0,
			 (style_t)(style | flags), text);
	return true;
}

static bool rows_matches(void *ctx, size_t row, const char *wanted)
{
	struct tree *t = ctx;

	return t->ops->matches(t->ctx, t->rows[row].node, wanted);
}

static const struct table_ops rows_ops = {
	.n_rows = offsetof(struct tree, n_rows),
	.cell = rows_cell,
	.draw = rows_draw,
	.id = rows_id,
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
	tree_expand_end(t);
	free(t->rows);
	tree_ids_free(t->open);
	t->rows = NULL;
	t->open = NULL;
	t->n_rows = t->room = 0;
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
		size_t row = t->table.top + (size_t)y;
		int line = t->table.header_h + y;

		if (row >= t->n_rows)
			break;
		if (!t->rows[row].depth)
			canvas_text(&left, line, 0, ROLE_TEXT, sign_of(t, row));
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
	size_t row = t->table.cursor;

	if (!t->ops->opens(t->ctx, t->rows[row].node))
		return otherwise;
	t->table.moved = true; /* opening a row counts as moving */
	return wish_of(row_set_open(t, row, !tree_is_open(t, t->rows[row].node)));
}

unsigned tree_request(struct tree *t, enum request req)
{
	size_t entry;

	if (t->table.cursor >= t->n_rows)
		return table_request(&t->table, req);
	entry = row_entry(t, t->table.cursor);
	switch (req) {
	case REQ_OPEN:
		/* A row without children may mean something else to the view. */
		return tree_toggle(t, WISH_PASS);
	case REQ_TOGGLE:
		return tree_toggle(t, WISH_NONE);
	case REQ_EXPAND_ENTRY:
		t->table.moved = true;
		if (tree_is_open(t, t->rows[entry].node))
			return wish_of(entry_collapse(t, entry));
		return wish_of(entry_expand(t, entry));
	case REQ_COLLAPSE_ENTRY:
		return wish_of(entry_collapse(t, entry));
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
	sign = (int)t->rows[t->table.cursor].depth * INDENT;
	if (t->rows[t->table.cursor].depth)
		sign -= t->table.skip;
	if (x == sign)
		wish = (wish & ~WISH_OPEN) | tree_toggle(t, WISH_NONE);
	return wish;
}

uint64_t tree_node(const struct tree *t, size_t row)
{
	return t->rows[row].node;
}

int tree_depth(const struct tree *t, size_t row)
{
	return (int)t->rows[row].depth;
}

uint64_t tree_cursor_entry(const struct tree *t)
{
	return t->table.cursor < t->n_rows ? t->rows[row_entry(t, t->table.cursor)].node : TREE_TOP;
}

uint64_t tree_cursor(const struct tree *t)
{
	return t->table.cursor < t->n_rows ? t->rows[t->table.cursor].node : TREE_TOP;
}

char *tree_cursor_text(const struct tree *t, char *buf, size_t size)
{
	uint64_t node = tree_cursor(t);
	char cell[1024], head[HEAD_SIZE] = "";
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
