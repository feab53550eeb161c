/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening and closing the rows of a tree, at once or in slices. */
#include <errno.h>
#include <stdlib.h>

#include "term/loop.h"
#include "widget/tree_private.h"

#define FREED_AT_ONCE 1000 /* parts and open nodes */

/* --- what is freed in a thread --- */

struct waste {
	struct tree_part *parts;
	size_t n;
	struct tree_ids *open;
};

static void waste_free(void *what)
{
	struct waste *w = what;

	tree_parts_free(w->parts, w->n);
	tree_ids_free(w->open);
	free(w);
}

void tree_discard(struct tree *t, struct tree_part *parts, size_t n, struct tree_ids *open)
{
	size_t n_open = 0;
	struct waste *w = NULL;

	if (open)
		(void)tree_ids_get(open, &n_open);
	if (t->put_away && n + n_open > FREED_AT_ONCE)
		w = malloc(sizeof(*w));
	if (w) {
		*w = (struct waste){ parts, n, open };
		t->put_away(waste_free, w);
	} else {
		tree_parts_free(parts, n);
		tree_ids_free(open);
	}
}

/* --- opening, at once or in slices --- */

/* `row`: the only one; SIZE_MAX: all that are open, or (`all`) can be. */
static void opening_init(struct tree *t, struct opening *o, size_t row, bool all,
			 struct tree_ids *open)
{
	*o = (struct opening){ .row = row, .g = { .all = all, .open = open } };
	if (row != SIZE_MAX)
		return;
	o->n_all = t->ops->count(t->ctx, TREE_TOP);
	if (o->n_all > TREE_ROWS_MAX)
		o->n_all = TREE_ROWS_MAX;
	o->n_tops = o->n_all;
	o->g.most = TREE_ROWS_MAX - o->n_all;
}

static void opening_clear(struct tree *t, struct opening *o)
{
	tree_discard(t, o->parts, o->n_parts, o->g.open != t->open ? o->g.open : NULL);
	o->parts = NULL;
	o->n_parts = 0;
	opening_release(o);
}

static struct opening *opening_new(struct tree *t, size_t row, bool all, struct tree_ids *open)
{
	struct opening *o = malloc(sizeof(*o));

	if (o)
		opening_init(t, o, row, all, open);
	return o;
}

static void opening_free(struct tree *t, struct opening *o)
{
	if (o)
		opening_clear(t, o);
	free(o);
}

/* Ends it. `keep`: the row stays to be opened. */
static void tree_end(struct tree *t, bool keep)
{
	struct opening *o = t->opening;

	t->opening = NULL;
	if (o && o->row != SIZE_MAX && !keep)
		tree_ids_remove(t->open, o->node);
	opening_free(t, o);
}

void tree_expand_end(struct tree *t)
{
	tree_end(t, false);
}

int tree_expand_begin(struct tree *t)
{
	struct tree_ids *open = tree_ids_new();

	tree_expand_end(t);
	t->opening = open ? opening_new(t, SIZE_MAX, true, open) : NULL;
	if (t->opening)
		return 0;
	tree_ids_free(open);
	return -ENOMEM;
}

static struct tree_ids *open_nodes(const struct tree *t)
{
	return t->opening && t->opening->row == SIZE_MAX && !t->opening->g.all ?
		       t->opening->g.open :
		       t->open;
}

const uint64_t *tree_open_nodes(const struct tree *t, size_t *ret_n)
{
	return tree_ids_get(open_nodes(t), ret_n);
}

size_t tree_next_open(const struct tree *t, size_t row, int depth)
{
	size_t at, i;
	const struct tree_part *p = tree_row_part(t, row, &at);

	for (; p && depth > 1 && at + 1 < p->n; at++)
		if (p->rows[at].depth < (uint32_t)depth &&
		    p->rows[at + 1].depth > p->rows[at].depth)
			return p->first + at;
	i = p ? (size_t)(p - t->parts) + 1 : tree_parts_before(t, at);
	return i < t->n_parts && depth > 0 ? t->parts[i].first - 1 : SIZE_MAX;
}

struct tree_ids *tree_take_open(struct tree *t)
{
	struct tree_ids *none = tree_ids_new(), *ret = open_nodes(t);

	if (!none)
		return NULL;
	if (ret == t->open) {
		tree_end(t, true);
		t->open = none;
	} else {
		t->opening->g.open = none;
		tree_end(t, true);
	}
	return ret;
}

int tree_reopen_begin(struct tree *t, struct tree_ids *open, uint64_t cursor)
{
	tree_expand_end(t);
	t->opening = opening_new(t, SIZE_MAX, false, open);
	if (!t->opening) {
		tree_ids_free(open);
		return -ENOMEM;
	}
	t->opening->cursor = cursor;
	t->opening->from = tree_cursor(t);
	return 0;
}

/* Shows the rows below those that were opened. The cursor stays on its node, or moves to the nearest remaining ancestor. */
static void tree_replace(struct tree *t, struct opening *o)
{
	size_t n, row = SIZE_MAX;
	uint64_t *path = tree_cursor_path(t, &n);

	tree_discard(t, t->parts, t->n_parts, NULL);
	t->parts = o->parts;
	t->n_parts = o->n_parts;
	t->room = o->room;
	t->n_top = o->n_all;
	t->full = o->g.full;
	o->parts = NULL;
	o->n_parts = 0;
	tree_parts_number(t, 0);
	tree_follow(t, tree_path_find(t, path, n, &row), row);
	free(path);
}

static void finish_many(struct tree *t, struct opening *o)
{
	bool moved = tree_cursor(t) != o->from;
	size_t row;

	tree_replace(t, o);
	tree_discard(t, NULL, 0, t->open);
	t->open = o->g.open;
	row = o->cursor == TREE_TOP || moved ? SIZE_MAX : tree_row_find(t, o->cursor);
	if (row != SIZE_MAX)
		tree_follow(t, o->cursor, row);
}

static int finish_row(struct tree *t, struct opening *o)
{
	uint64_t cursor = tree_cursor(t);
	size_t at = t->table.cursor, end = tree_rows_end(t, o->row), n = end - o->row - 1;
	int ret = tree_set_below(t, o->row, &o->g);

	if (ret)
		return ret;
	t->full = o->g.full;
	tree_follow(t, cursor, at < end ? at : at - n + o->g.n);
	return 0;
}

/* Works on what is being opened until then, at most; 0: it is open; 1: more to do. */
static int tree_run(struct tree *t, uint64_t until_ns)
{
	struct opening *o = t->opening;
	int ret = o->row == SIZE_MAX ? opening_run(t, o, until_ns) : gather_run(t, &o->g, until_ns);

	if (ret > 0)
		return ret;
	t->opening = NULL;
	if (ret == 0 && o->row == SIZE_MAX)
		finish_many(t, o);
	else if (ret == 0)
		ret = finish_row(t, o);
	if (ret && o->row != SIZE_MAX)
		tree_ids_remove(t->open, o->node);
	opening_free(t, o);
	return ret;
}

int tree_expand_step(struct tree *t, uint64_t ns, size_t *ret_rows)
{
	const struct opening *o = t->opening;
	int ret;

	*ret_rows = t->n_rows;
	if (!o)
		return 0;
	ret = tree_run(t, ns ? loop_now_ns() + ns : 0);
	*ret_rows = ret > 0 ? o->n + o->g.n : t->n_rows;
	return ret;
}

/* Opens a row, with all levels or as they are, after the node was made an open one. */
static int row_open(struct tree *t, size_t row, bool all)
{
	struct tree_row r = tree_row_at(t, row);
	struct opening *o = opening_new(t, row, all, t->open);
	int ret = -ENOMEM;

	if (o) {
		o->node = r.node;
		o->g.most = TREE_ROWS_MAX + tree_rows_end(t, row) - row - 1 - t->n_rows;
		t->opening = o;
		ret = gather_begin(t, &o->g, r.node, r.depth + 1);
		ret = ret ? ret : tree_run(t, t->slice_ns ? loop_now_ns() + t->slice_ns : 0);
	}
	if (ret >= 0)
		return 0;
	if (t->opening)
		tree_end(t, false);
	else
		tree_ids_remove(t->open, r.node);
	return ret;
}

static int row_close(struct tree *t, size_t row)
{
	struct gather none = { .n = 0 };
	uint64_t cursor = tree_cursor(t), node = tree_row_at(t, row).node;
	size_t at = t->table.cursor, end = tree_rows_end(t, row);
	int ret = tree_set_below(t, row, &none);

	tree_ids_remove(t->open, node);
	t->full = false;
	if (at > row && at < end) {
		cursor = node;
		at = row;
	} else if (at >= end) {
		at -= end - row - 1;
	}
	tree_follow(t, cursor, at);
	return ret;
}

int tree_row_set_open(struct tree *t, size_t row, bool open)
{
	int ret;

	tree_expand_end(t);
	if (!open)
		return row_close(t, row);
	ret = tree_ids_add(t->open, tree_row_at(t, row).node);
	return ret ? ret : row_open(t, row, false);
}

int tree_set_open(struct tree *t, uint64_t node, bool open)
{
	size_t row;

	if (node == TREE_TOP || tree_is_open(t, node) == open)
		return 0;
	row = tree_row_find(t, node);
	if (row != SIZE_MAX)
		return tree_row_set_open(t, row, open);
	if (open)
		return tree_ids_add(t->open, node);
	tree_ids_remove(t->open, node);
	return 0;
}

int tree_entry_expand(struct tree *t, size_t row)
{
	int ret = 0;

	tree_expand_end(t);
	if (t->ops->opens(t->ctx, tree_row_at(t, row).node))
		ret = tree_ids_add(t->open, tree_row_at(t, row).node);
	return ret < 0 ? ret : row_open(t, row, true);
}

int tree_entry_collapse(struct tree *t, size_t row)
{
	size_t end = tree_rows_end(t, row);

	tree_expand_end(t);
	for (size_t i = row + 1; i < end; i++)
		tree_ids_remove(t->open, tree_row_at(t, i).node);
	return row_close(t, row);
}

/* --- all rows --- */

static int by_index(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* If few are open, only these are looked at. Without memory: all. */
static void opening_list(struct tree *t, struct opening *o)
{
	size_t n, n_found = 0;
	const uint64_t *open = tree_ids_get(o->g.open, &n);

	if (n && (!t->ops->find || n > o->n_all / 16))
		return;
	o->tops = malloc((n + 1) * sizeof(*o->tops));
	for (size_t i = 0; o->tops && i < n; i++) {
		size_t top = t->ops->find(t->ctx, open[i]);

		if (top < o->n_all)
			o->tops[n_found++] = top;
	}
	if (!o->tops)
		return;
	qsort(o->tops, n_found, sizeof(*o->tops), by_index);
	o->n_tops = n_found;
}

/* Gathers all rows again. `keep`: the present rows are still true, and stay if memory runs out. */
static int tree_rebuild(struct tree *t, bool all, bool keep)
{
	struct opening o;
	int ret;

	tree_end(t, true);
	opening_init(t, &o, SIZE_MAX, all, t->open);
	if (!all)
		opening_list(t, &o);
	ret = opening_run(t, &o, 0);
	if (ret == 0 || !keep)
		tree_replace(t, &o);
	opening_clear(t, &o);
	return ret;
}

int tree_recalc(struct tree *t)
{
	return tree_rebuild(t, false, false);
}

int tree_expand_all(struct tree *t)
{
	return tree_rebuild(t, true, true);
}

int tree_collapse_all(struct tree *t)
{
	struct tree_ids *none = tree_ids_new();

	tree_expand_end(t);
	if (!none)
		return -ENOMEM;
	tree_discard(t, NULL, 0, t->open);
	t->open = none;
	return tree_rebuild(t, false, true);
}
