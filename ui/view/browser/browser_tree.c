/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/names.h"
#include "text/utf8.h"
#include "view/browser/browser_private.h"

#define TREE_MARGIN 4 /* columns of the tree besides the table's: signs, scroll bar */
#define GAP	    2 /* between columns */
#define NAME_SIZE   1024

/* ---- nodes ---- */

static size_t node_count(void *ctx, uint64_t node)
{
	struct browser_screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);
	size_t n = rows ? browser_rows_count(rows, node) : 0;

	if (rows && browser_rows_incomplete(rows))
		stack_no_memory(b->stack);
	return n;
}

static uint64_t node_child(void *ctx, uint64_t node, size_t i)
{
	struct browser_screen *b = ctx;

	return browser_rows_child(browser_rows(b->model), node, i);
}

static bool node_opens(void *ctx, uint64_t node)
{
	struct browser_screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);

	return rows && browser_rows_opens(rows, node);
}

static bool is_name(const struct ptui_column *c)
{
	return !strcmp(c->name, "comm") || !strcmp(c->name, "dso");
}

static bool has_functions(const struct ptui_hist *h)
{
	for (size_t i = 0; i < ptui_hist_n_columns(h); i++) {
		if (!strcmp(ptui_hist_column(h, i)->name, "symbol"))
			return true;
	}
	return false;
}

static style_t heat(double percent)
{
	return percent < 0.005 ? ROLE_DIM : style_heat(percent);
}

static const char *node_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			     style_t *style)
{
	struct browser_screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);
	const struct ptui_hist *h = browser_rows_hist(rows);
	const struct ptui_column *c = ptui_hist_column(h, column);
	const char *search = b->tree.table.search;
	struct ptui_row_origin from;
	size_t n;

	if (!c)
		return "";
	browser_rows_cell(rows, node, column, buf, size);
	if (!strncmp(c->name, "overhead", 8))
		*style = heat(strtod(buf, NULL));
	else if (is_name(c) && has_functions(h))
		*style = ROLE_DIM; /* the DSO is context */
	if (b->paths && !strcmp(c->name, "dso") && browser_rows_origin(rows, node, &from) &&
	    from.dso_path)
		return from.dso_path;
	/* while it is scrolled sideways, all of it is wanted */
	if (b->name_w && !b->full_names && !b->tree.table.skip && !strcmp(c->name, "symbol")) {
		char name[NAME_SIZE];

		snprintf(name, sizeof(name), "%s", buf);
		name_short(name, b->name_w, buf, size);
		/* what was searched for is not left out */
		if (*search && utf8_find(name, search, &n) && !utf8_find(buf, search, &n))
			snprintf(buf, size, "%s", name);
	}
	return buf;
}

static const char *node_label(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
			      char *head, size_t head_size, style_t *head_style)
{
	struct browser_screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);
	double percent = browser_rows_percent(rows, node);
	enum browser_kind kind = browser_rows_kind(rows, node);
	const char *dso = b->modules ? browser_rows_dso(rows, node) : NULL;
	size_t n;

	if (kind == BROWSER_NOTE)
		*style = ROLE_DIM;
	/* names are aligned, with or without a percentage */
	if (percent >= 0)
		snprintf(head, head_size, "%5.2f%%", percent);
	else if (kind == BROWSER_FRAME)
		snprintf(head, head_size, "%6s", "");
	*head_style = heat(percent);
	browser_rows_label(rows, node, buf, size);
	if (kind == BROWSER_FRAME && !b->full_names) {
		char name[NAME_SIZE];

		snprintf(name, sizeof(name), "%s", buf);
		name_short(name, 0, buf, size);
	}
	n = strlen(buf);
	if (dso)
		snprintf(buf + n, size - n, "  %s", dso);
	return buf;
}

static bool node_matches(void *ctx, uint64_t node, const char *text)
{
	struct browser_screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);

	/* the tree may still show another tab */
	return rows && browser_rows_match(rows, node, text);
}

const struct tree_ops browser_tree_ops = {
	.count = node_count,
	.child = node_child,
	.opens = node_opens,
	.cell = node_cell,
	.label = node_label,
	.matches = node_matches,
};

/* ---- columns ---- */

/* Minimum widths, and the order of hiding if even these do not fit. */
static const struct {
	const char *name; /* of the sort key */
	int min, hide;
} column_rooms[] = {
	{ "overhead", 0, 1 }, /* next to children only */
	{ "comm", 6, 3 },     { "dso", 17, 2 },	  { "pid", 12, 5 },
	{ "sample", 0, 4 },   { "period", 0, 4 }, { "symbol", 20, 0 },
};

static struct table_column make_column(const struct ptui_column *c, bool first, bool fill)
{
	struct table_column column = {
		.title = _(c->title),
		.width = utf8_width(_(c->title)),
		.align = c->number ? ALIGN_RIGHT : ALIGN_LEFT,
		.fill = fill,
	};

	if (column.width < (int)c->width)
		column.width = (int)c->width;
	for (size_t k = 0; !first && k < sizeof(column_rooms) / sizeof(column_rooms[0]); k++) {
		if (strcmp(c->name, column_rooms[k].name))
			continue;
		column.min = column_rooms[k].min;
		column.hide = fill ? 0 : column_rooms[k].hide;
	}
	return column;
}

/* The column that takes the remaining width and scrolls: functions, if shown. */
static size_t filled(const struct ptui_hist *h, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(ptui_hist_column(h, i)->name, "symbol"))
			return i;
	}
	return n - 1;
}

void browser_set_columns(struct browser_screen *b, int width)
{
	const struct ptui_hist *h = browser_rows_hist(b->rows);
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t n = ptui_hist_n_columns(h), fill, symbol = SIZE_MAX;
	int need = TREE_MARGIN - GAP, path = b->paths ? browser_rows_path_width(b->rows) : 0;
	int widths[TABLE_COLUMNS_MAX];

	if (n > TABLE_COLUMNS_MAX)
		n = TABLE_COLUMNS_MAX;
	fill = filled(h, n);
	for (size_t i = 0; i < n; i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		columns[i] = make_column(c, !i, i == fill);
		if (!strcmp(c->name, "dso") && path > columns[i].width)
			columns[i].width = path;
		if (!strcmp(c->name, "symbol"))
			symbol = i;
		need += columns[i].width + GAP;
	}
	/* if it fits, keep it next to the previous column */
	if (need <= width && fill + 1 < n) {
		columns[fill].fill = false;
		columns[n - 1].fill = true;
	}
	table_set_columns(&b->tree.table, columns, n);
	table_layout(&b->tree.table, width - TREE_MARGIN, widths);
	b->name_w = symbol == SIZE_MAX ? 0 : widths[symbol];
	b->columns_w = width;
}
