/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows as a hierarchy: a source of rows whose columns are the measures, and one with the sort keys' texts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/rows/rows_private.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"

static const struct ptui_hierarchy_node *node_at(const struct rows *b, uint32_t row)
{
	return ptui_hierarchy_node(b->levels, row);
}

/* ---- the source ---- */

static const struct ptui_column *level_column(const void *of, size_t column)
{
	return &((const struct rows *)of)->columns[column];
}

/* The texts of the keys of a node's level. */
static void put_keys(const struct rows *b, const struct ptui_hierarchy_node *node, char *buf,
		     size_t size)
{
	const struct ptui_hist *h = ptui_hierarchy_level(b->levels, node->level);
	char cell[ROW_BYTES];

	buf[0] = '\0';
	for (size_t i = 0; i < ptui_hist_n_columns(h); i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		if (c->level != node->level)
			continue;
		ptui_hist_cell(h, node->row, i, cell, sizeof(cell));
		text_join(buf, size, "  ", "%s", cell + strspn(cell, " "));
	}
}

static void level_cell(const void *of, size_t row, size_t column, char *buf, size_t size)
{
	const struct rows *b = of;
	const struct ptui_hierarchy_node *node = node_at(b, (uint32_t)row);

	if (column < b->n_measures)
		ptui_hist_cell(ptui_hierarchy_level(b->levels, node->level), node->row,
			       b->measures[column], buf, size);
	else
		put_keys(b, node, buf, size);
}

static const struct ptui_hist *level_hist(const void *of, size_t *row)
{
	const struct rows *b = of;
	const struct ptui_hierarchy_node *node = node_at(b, (uint32_t)*row);

	*row = node->first;
	return ptui_hierarchy_common(b->levels, node->level);
}

static const struct rows_source level_source = {
	.column = level_column,
	.cell = level_cell,
	.hist = level_hist,
};

/* ---- making it ---- */

/* "Command / Shared Object / Symbol"; keys of one level as "Command+Symbol". */
static void put_titles(struct rows *b)
{
	for (unsigned level = 0; level < ptui_hierarchy_n_levels(b->levels); level++) {
		const char *between = " / ";

		for (size_t i = 0; i < ptui_hist_n_columns(b->hist); i++) {
			const struct ptui_column *c = ptui_hist_column(b->hist, i);

			if (c->level != level)
				continue;
			text_join(b->title, sizeof(b->title), between, "%s",
				  _(c->title) + strspn(_(c->title), " "));
			between = "+";
		}
	}
}

static int make_columns(struct rows *b)
{
	size_t n = ptui_hist_n_columns(b->hist);

	b->columns = calloc(n + 1, sizeof(*b->columns));
	b->measures = calloc(n + 1, sizeof(*b->measures));
	if (!b->columns || !b->measures)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (ptui_hist_column(b->hist, i)->level != PTUI_NONE)
			continue;
		b->columns[b->n_measures] = *ptui_hist_column(b->hist, i);
		b->measures[b->n_measures++] = i;
	}
	put_titles(b);
	b->columns[b->n_measures] =
		(struct ptui_column){ .name = "hierarchy", .title = b->title, .groups = true };
	return 0;
}

/* Sums may be wider than the rows'. */
static void widen(struct rows *b, uint32_t row)
{
	char cell[ROW_BYTES];

	for (size_t c = 0; c <= b->n_measures; c++) {
		level_cell(b, row, c, cell, sizeof(cell));
		b->columns[c].width = (unsigned)utf8_widest((int)b->columns[c].width, cell);
	}
}

uint32_t *rows_levels_make(struct rows *b, size_t *ret_n, struct ptui_error *err)
{
	size_t n;
	uint32_t *list;

	b->levels = ptui_hierarchy_new(b->hist, err);
	if (!b->levels)
		return NULL;
	n = ptui_hierarchy_n_nodes(b->levels);
	list = malloc((n + 1) * sizeof(*list));
	if (!list || make_columns(b)) {
		free(list);
		ptui_error_nomem(err);
		return NULL;
	}
	b->source = &level_source;
	b->of = b;
	*ret_n = 0;
	for (uint32_t i = 0; i < n; i += node_at(b, i)->n_below + 1) {
		widen(b, i);
		list[(*ret_n)++] = i;
	}
	return list;
}

void rows_levels_release(struct rows *b)
{
	ptui_hierarchy_free(b->levels);
	free(b->columns);
	free(b->measures);
}

/* ---- nodes ---- */

uint32_t *rows_levels_below(const struct rows *b, uint32_t node, size_t *ret_n)
{
	uint32_t n_below = node_at(b, node)->n_below, end = node + n_below, n = 0;
	uint32_t *v = malloc(((size_t)n_below + 1) * sizeof(*v));

	*ret_n = 0;
	if (!v)
		return NULL;
	for (uint32_t i = node + 1; i <= end; i += node_at(b, i)->n_below + 1)
		if (rows_is_visible(b, i))
			v[n++] = i;
	if (rows_sort(b, NULL, v, n)) {
		free(v);
		return NULL;
	}
	*ret_n = n;
	return v;
}

size_t rows_levels_column(const struct rows *b, uint32_t node, const char *key)
{
	unsigned level = node == NONE ? UINT32_MAX : node_at(b, node)->level;

	for (size_t i = 0; i < ptui_hist_n_columns(b->hist); i++) {
		const struct ptui_column *c = ptui_hist_column(b->hist, i);

		if (c->groups && c->level <= level && !strcmp(c->name, key))
			return i;
	}
	return SIZE_MAX;
}

bool rows_is_hierarchy(const struct rows *b)
{
	return b->levels;
}

int rows_n_levels(const struct rows *b)
{
	return b->levels ? (int)ptui_hierarchy_n_levels(b->levels) : 1;
}

bool rows_is_inner(const struct rows *b, uint64_t id)
{
	const struct node *n = b->levels ? rows_find(b, id) : NULL;

	return n && rows_is_entry(n) && node_at(b, n->frame)->n_below;
}

const char *rows_measure(const struct rows *b, uint64_t id, size_t i, char *buf, size_t size)
{
	const struct node *n = rows_find(b, id);

	if (!n || n->kind != ROWS_LEVEL || i >= b->n_measures)
		return NULL;
	level_cell(b, n->frame, i, buf, size);
	return buf;
}
