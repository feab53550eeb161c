/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a tree: where one is, and those below the open ones. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "widget/tree_private.h"

struct tree_part *tree_row_part(const struct tree *t, size_t row, size_t *ret_at)
{
	size_t n = bisect(i, t->n_parts, t->parts[i].first <= row);
	struct tree_part *p = n ? &t->parts[n - 1] : NULL;

	*ret_at = p ? row - p->first : row;
	if (!p || *ret_at < p->n)
		return p;
	*ret_at += p->top + 1 - p->n;
	return NULL;
}

size_t tree_parts_before(const struct tree *t, size_t top)
{
	return bisect(i, t->n_parts, t->parts[i].top < top);
}

/* The rows in the first n parts. */
static size_t rows_below(const struct tree *t, size_t n)
{
	const struct tree_part *p = n ? &t->parts[n - 1] : NULL;

	return p ? p->first - p->top - 1 + p->n : 0;
}

/* NULL: no rows are below it. */
static struct tree_part *top_part(const struct tree *t, size_t top)
{
	size_t i = tree_parts_before(t, top);

	return i < t->n_parts && t->parts[i].top == top ? &t->parts[i] : NULL;
}

struct tree_row tree_row_at(const struct tree *t, size_t row)
{
	size_t at;
	const struct tree_part *p = tree_row_part(t, row, &at);

	if (p)
		return p->rows[at];
	return (struct tree_row){ .node = t->ops->child(t->ctx, TREE_TOP, at),
				  .last = at + 1 == t->n_top };
}

/* In a part: the end of the rows below one. */
static size_t part_end(const struct tree_part *p, size_t at)
{
	size_t end = at + 1;

	while (end < p->n && p->rows[end].depth > p->rows[at].depth)
		end++;
	return end;
}

size_t tree_rows_end(const struct tree *t, size_t row)
{
	size_t at;
	const struct tree_part *p = tree_row_part(t, row, &at);

	if (p)
		return p->first + part_end(p, at);
	p = top_part(t, at);
	return row + 1 + (p ? p->n : 0);
}

size_t tree_row_entry(const struct tree *t, size_t row)
{
	size_t at;
	const struct tree_part *p = tree_row_part(t, row, &at);

	return p ? p->first - 1 : row;
}

/* Index at depth 0; SIZE_MAX: it is not there. */
static size_t top_find(const struct tree *t, uint64_t node)
{
	size_t top = 0;

	if (t->ops->find)
		top = t->ops->find(t->ctx, node);
	else
		while (top < t->n_top && t->ops->child(t->ctx, TREE_TOP, top) != node)
			top++;
	return top < t->n_top ? top : SIZE_MAX;
}

size_t tree_row_find(const struct tree *t, uint64_t node)
{
	size_t top;

	if (t->hint < t->n_rows && tree_row_at(t, t->hint).node == node)
		return t->hint;
	top = top_find(t, node);
	if (top != SIZE_MAX)
		return top + rows_below(t, tree_parts_before(t, top));
	for (const struct tree_part *p = t->parts; p < t->parts + t->n_parts; p++)
		for (size_t i = 0; i < p->n; i++)
			if (p->rows[i].node == node)
				return p->first + i;
	return SIZE_MAX;
}

void tree_parts_number(struct tree *t, size_t i)
{
	size_t below = rows_below(t, i);

	for (; i < t->n_parts; i++) {
		t->parts[i].first = t->parts[i].top + 1 + below;
		below += t->parts[i].n;
	}
	t->n_rows = t->n_top + below;
}

/* Replaces the rows below one at depth 0. Takes rows->rows, unless it fails. */
static int top_set_below(struct tree *t, size_t top, struct gather *rows)
{
	size_t i = tree_parts_before(t, top);
	bool has = i < t->n_parts && t->parts[i].top == top;
	struct tree_part part = { .node = t->ops->child(t->ctx, TREE_TOP, top),
				  .top = top,
				  .n = rows->n };

	if (!has && part.n && vec_grow(&t->parts, &t->room, t->n_parts + 1))
		return -ENOMEM;
	if (has)
		free(t->parts[i].rows);
	if (has != (part.n > 0)) {
		if (i + has < t->n_parts)
			memmove(&t->parts[i + !has], &t->parts[i + has],
				(t->n_parts - i - has) * sizeof(part));
		t->n_parts = has ? t->n_parts - 1 : t->n_parts + 1;
	}
	if (part.n) {
		part.rows = rows->rows;
		part.room = rows->room;
		rows->rows = NULL;
		t->parts[i] = part;
	}
	tree_parts_number(t, i);
	return 0;
}

/* Replaces the rows below one. */
int tree_set_below(struct tree *t, size_t row, struct gather *rows)
{
	size_t at, end;
	struct tree_part *p = tree_row_part(t, row, &at);

	if (!p)
		return top_set_below(t, at, rows);
	end = part_end(p, at++);
	if (vec_grow(&p->rows, &p->room, p->n - (end - at) + rows->n))
		return -ENOMEM;
	if (end < p->n)
		memmove(&p->rows[at + rows->n], &p->rows[end], (p->n - end) * sizeof(p->rows[0]));
	if (rows->n)
		memcpy(&p->rows[at], rows->rows, rows->n * sizeof(p->rows[0]));
	p->n = p->n - (end - at) + rows->n;
	tree_parts_number(t, (size_t)(p - t->parts));
	return 0;
}

void tree_follow(struct tree *t, uint64_t node, size_t row)
{
	t->table.cursor_id = node;
	t->hint = row;
	table_recalc(&t->table);
}

uint64_t *tree_cursor_path(const struct tree *t, size_t *ret_n)
{
	size_t at, n = 0;
	const struct tree_part *p = tree_row_part(t, t->table.cursor, &at);
	uint32_t depth = p ? p->rows[at].depth : 0;
	uint64_t *path = t->table.cursor < t->n_rows ? malloc((depth + 1) * sizeof(*path)) : NULL;

	*ret_n = 0;
	if (!path)
		return NULL;
	for (at++; p && at-- > 0;) {
		if (p->rows[at].depth != depth - n)
			continue;
		path[n++] = p->rows[at].node;
	}
	path[n++] = p ? p->node : t->table.cursor_id;
	*ret_n = n;
	return path;
}

uint64_t tree_path_find(const struct tree *t, const uint64_t *path, size_t n, size_t *ret_row)
{
	size_t top = n ? top_find(t, path[n - 1]) : SIZE_MAX, found = 0;
	const struct tree_part *p;

	if (top == SIZE_MAX)
		return TREE_TOP;
	*ret_row = top + rows_below(t, tree_parts_before(t, top));
	p = top_part(t, top);
	for (size_t i = 0; p && i < p->n; i++) {
		size_t depth = p->rows[i].depth;

		if (depth > found && depth < n && p->rows[i].node == path[n - 1 - depth]) {
			found = depth;
			*ret_row = p->first + i;
		}
	}
	return path[n - 1 - found];
}
