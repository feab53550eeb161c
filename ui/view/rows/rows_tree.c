/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of a view of rows: its nodes as text, and its columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/rows/rows_view.h"

#define TREE_MARGIN 4 /* columns of the tree besides the table's: signs, scroll bar */
#define FLAT_MARGIN 1
#define GAP	    2 /* between columns */

/* ---- nodes ---- */

static size_t node_count(void *ctx, uint64_t node)
{
	struct rows_view *v = ctx;
	size_t n = v->rows ? rows_count(v->rows, node) : 0;

	if (v->rows && rows_incomplete(v->rows))
		stack_no_memory(v->stack);
	return n;
}

static uint64_t node_child(void *ctx, uint64_t node, size_t i)
{
	struct rows_view *v = ctx;

	return rows_child(v->rows, node, i);
}

static size_t node_find(void *ctx, uint64_t node)
{
	struct rows_view *v = ctx;

	return v->rows ? rows_place(v->rows, node) : SIZE_MAX;
}

static bool node_opens(void *ctx, uint64_t node)
{
	struct rows_view *v = ctx;

	return v->rows && rows_opens(v->rows, node);
}

static style_t heat(double percent)
{
	return percent < 0.005 ? ROLE_DIM : style_heat(percent);
}

const char *rows_view_whole_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
				 style_t *style)
{
	struct rows_view *v = ctx;
	const struct ptui_column *c;
	const char *text;

	if (v->from[column] < 0)
		return v->ops->own_cell(v->screen, node, (size_t)(-1 - v->from[column]), buf, size,
					style);
	c = rows_column(v->rows, (size_t)v->from[column]);
	if (!c) /* counted again by other keys: the columns follow */
		return "";
	text = v->ops->text ? v->ops->text(v->screen, node, c, buf, size) : NULL;
	return text ? text : rows_cell(v->rows, node, (size_t)v->from[column], buf, size);
}

/* A function's name without its middle, but with what was searched for. */
static const char *shorten(const struct rows_view *v, char *buf, size_t size, int width)
{
	const char *search = v->tree.table.search;
	char name[ROW_BYTES];
	size_t n;

	snprintf(name, sizeof(name), "%s", buf);
	name_short(name, width, buf, size);
	if (*search && utf8_find(name, search, &n) && !utf8_find(buf, search, &n))
		snprintf(buf, size, "%s", name);
	return buf;
}

static const char *node_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			     style_t *style)
{
	struct rows_view *v = ctx;
	struct ptui_row_origin from;
	const struct ptui_column *c;
	const char *text;

	if (!v->rows || column >= v->tree.table.n_columns)
		return "";
	text = rows_view_whole_cell(ctx, node, column, buf, size, style);
	c = v->from[column] < 0 ? NULL : rows_column(v->rows, (size_t)v->from[column]);
	if (!c)
		return text;
	if (!strncmp(c->name, "overhead", 8))
		*style = heat(strtod(text, NULL));
	else if (c->number && text == buf)
		group_digits(buf, size);
	else if (!c->number && (size_t)v->from[column] != v->name)
		*style = ROLE_DIM; /* the DSO is context */
	if (v->paths && !strcmp(c->name, "dso") && rows_origin(v->rows, node, &from) &&
	    from.dso_path)
		return from.dso_path;
	/* while it is scrolled sideways, all of it is wanted */
	if (v->name_w && !v->full_names && !v->tree.table.skip && text == buf &&
	    !strcmp(c->name, "symbol"))
		return shorten(v, buf, size, v->name_w);
	return text;
}

/* The numbers of a row that has no columns. */
static void put_measures(const struct rows_view *v, uint64_t node, char *buf, size_t size)
{
	char cell[ROW_BYTES];

	*buf = '\0';
	for (size_t i = 0; rows_measure(v->rows, node, i, cell, sizeof(cell)); i++) {
		const struct ptui_column *c = rows_column(v->rows, i);

		if (strncmp(c->name, "overhead", 8) != 0)
			group_digits(cell, sizeof(cell));
		text_join(buf, size, "  ", "%*s", i ? grouped_width((int)c->width) : 6, cell);
	}
}

static const char *node_label(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
			      char *head, size_t head_size, style_t *head_style)
{
	struct rows_view *v = ctx;
	double percent = rows_percent(v->rows, node);
	enum rows_kind kind = rows_kind(v->rows, node);
	const char *dso = v->modules ? rows_dso(v->rows, node) : NULL;

	if (kind == ROWS_NOTE)
		*style = ROLE_DIM;
	/* names are aligned, with or without a percentage */
	if (kind == ROWS_LEVEL)
		put_measures(v, node, head, head_size);
	else if (percent >= 0)
		snprintf(head, head_size, "%5.2f%%", percent);
	else if (kind == ROWS_FRAME)
		snprintf(head, head_size, "%6s", "");
	*head_style = heat(percent);
	rows_label(v->rows, node, buf, size);
	if (kind == ROWS_FRAME && !v->full_names)
		shorten(v, buf, size, 0);
	if (dso)
		text_append(buf, size, "  %s", dso);
	return buf;
}

static bool node_matches(void *ctx, uint64_t node, const char *text)
{
	struct rows_view *v = ctx;

	return v->rows && rows_match(v->rows, node, text);
}

const struct tree_ops rows_tree_ops = {
	.count = node_count,
	.child = node_child,
	.find = node_find,
	.opens = node_opens,
	.cell = node_cell,
	.label = node_label,
	.matches = node_matches,
};

/* ---- columns ---- */

static const struct rows_room *room_of(const struct rows_view *v, const char *key)
{
	for (const struct rows_room *r = v->ops->rooms; r->key; r++)
		if (!strcmp(r->key, key))
			return r;
	return v->ops->other;
}

uint64_t rows_view_columns_id(const struct rows_view *v)
{
	uint64_t id = 0;

	for (size_t i = 0; v->rows && i < rows_n_columns(v->rows); i++)
		id = hash_pair(id, hash_bytes(rows_column(v->rows, i)->name,
					      strlen(rows_column(v->rows, i)->name)));
	return id;
}

/* Of rows that are counted again all the time: the widest so far. */
static int grown_width(struct rows_view *v, size_t column, int width)
{
	uint64_t columns = rows_view_columns_id(v);

	if (columns != v->grown_for)
		memset(v->grown, 0, sizeof(v->grown));
	v->grown_for = columns;
	if (width > v->grown[column])
		v->grown[column] = width;
	return v->grown[column];
}

static struct table_column make_column(struct rows_view *v, size_t column, bool fill)
{
	const struct ptui_column *from = rows_column(v->rows, column);
	const struct rows_room *room = column || !from->number ? room_of(v, from->name) : NULL;
	struct table_column c = {
		.title = v->ops->column_title ? v->ops->column_title(v->screen, from) :
						_(from->title),
		.width = (int)from->width,
		.align = from->number ? ALIGN_RIGHT : ALIGN_LEFT,
		.fill = fill,
	};

	if (v->ops->grows && strncmp(from->name, "overhead", 8) != 0)
		c.width = grown_width(v, column, rows_width(v->rows, column));
	if (room) {
		/* the functions take what is left */
		if (c.width < room->least || (v->ops->grows && fill))
			c.width = room->least;
		if (room->most && c.width > room->most)
			c.width = room->most;
		c.min = room->min;
		c.hide = fill ? 0 : room->hide;
	}
	if (rows_look_width(&v->look->widths, from->name)) { /* the user's */
		c.width = rows_look_width(&v->look->widths, from->name);
		c.fill = false;
		return c;
	}
	if (v->paths && !strcmp(from->name, "dso") && c.width < rows_path_width(v->rows))
		c.width = rows_path_width(v->rows);
	/* numbers of samples have room in perf's column */
	if (from->number && (!strcmp(from->name, "period") || c.width > 12))
		c.width = grouped_width(c.width);
	if (c.width < utf8_width(c.title))
		c.width = utf8_width(c.title);
	return c;
}

/* The screen's own columns come after the leading overhead. */
static size_t own_place(const struct rows_view *v)
{
	size_t at = 0;

	while (at < rows_n_columns(v->rows) &&
	       !strncmp(rows_column(v->rows, at)->name, "overhead", 8))
		at++;
	return at;
}

static size_t add_own(struct rows_view *v, struct table_column *columns, size_t n)
{
	struct table_column own[ROWS_OWN_MAX];
	size_t n_own = v->ops->own ? v->ops->own(v->screen, own) : 0;

	for (size_t i = 0; i < n_own; i++, n++) {
		columns[n] = own[i];
		v->from[n] = -1 - (int)i;
	}
	return n;
}

/* The column of the table that shows this one, as in `from`. */
static size_t column_at(const struct rows_view *v, size_t n, int from)
{
	for (size_t i = 0; i < n; i++)
		if (v->from[i] == from)
			return i;
	return SIZE_MAX;
}

/* If all columns fit, the functions stay next to the column before them. */
static void place_fill(struct rows_view *v, struct table_column *columns, size_t n, int width)
{
	size_t fill = column_at(v, n, (int)v->name);
	int need = TREE_MARGIN - GAP;

	for (size_t i = 0; i < n; i++)
		need += columns[i].width + GAP;
	if (need <= width && fill + 1 < n && !v->ops->grows && columns[n - 1].align == ALIGN_LEFT &&
	    columns[fill].fill) { /* its width may be the user's */
		columns[fill].fill = false;
		columns[n - 1].fill = true;
	}
}

/* The mark in the title of the column that the rows are sorted by. */
static void mark_order(struct rows_view *v)
{
	const struct rows_order *order = &v->look->order;
	struct table *t = &v->tree.table;

	t->sort_up = *order->key && order->reverse;
	if (*order->key)
		t->sort = column_at(v, t->n_columns, (int)rows_find_column(v->rows, order->key));
	else
		t->sort = v->own_sort ? column_at(v, t->n_columns, v->own_sort) : SIZE_MAX;
}

void rows_view_set_columns(struct rows_view *v, int width)
{
	size_t n_rows = v->rows ? rows_n_columns(v->rows) : 0, n = 0, own;
	struct table_column columns[TABLE_COLUMNS_MAX];
	int widths[TABLE_COLUMNS_MAX];

	if (!n_rows)
		return;
	if (n_rows > TABLE_COLUMNS_MAX - ROWS_OWN_MAX)
		n_rows = TABLE_COLUMNS_MAX - ROWS_OWN_MAX;
	/* the column that takes the remaining width and scrolls: functions, if shown */
	v->name = rows_find_column(v->rows, "symbol");
	if (v->name >= n_rows)
		v->name = n_rows - 1;
	own = own_place(v);
	for (size_t i = 0; i < n_rows; i++) {
		if (i == own)
			n = add_own(v, columns, n);
		columns[n] = make_column(v, i, i == v->name);
		v->from[n++] = (int)i;
	}
	place_fill(v, columns, n, width);
	table_set_columns(&v->tree.table, columns, n);
	table_layout(&v->tree.table, width - (v->tree.flat ? FLAT_MARGIN : TREE_MARGIN), widths);
	v->name_w = strcmp(rows_column(v->rows, v->name)->name, "symbol") ?
			    0 :
			    widths[column_at(v, n, (int)v->name)];
	v->columns_w = width;
	v->columns_id = rows_view_columns_id(v);
	mark_order(v);
}

unsigned rows_view_order_by(struct rows_view *v, size_t column)
{
	int from = column < v->tree.table.n_columns ? v->from[column] : -1 - ROWS_OWN_MAX;

	if (from >= 0) {
		v->to_top = true;
		rows_look_order_by(v->look, rows_column(v->rows, (size_t)from)->name);
		return rows_view_shown(v);
	}
	return v->ops->own_order ? v->ops->own_order(v->screen, (size_t)(-1 - from)) : WISH_PASS;
}
