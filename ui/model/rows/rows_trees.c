/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rows/rows_trees.h"

#include <errno.h>
#include <stdlib.h>
#include "text/i18n.h"

/* Callchains that can be walked in well under a millisecond. */
#define CHAINS_AT_ONCE 5000

struct one {
	uint32_t row;
	struct ptui_calltree *tree;
};

struct rows_trees {
	struct rows *rows;
	struct ptui_hist *hist; /* owned by the rows */
	uint64_t min_period;
	struct one *v;
	size_t n, made;
};

/* Number of callchains in its tree; 0: no tree to make. */
static uint64_t cost(const struct rows *rows, uint32_t row)
{
	struct ptui_row r;

	if (row == PTUI_NONE || rows_has_tree(rows, row))
		return 0;
	ptui_hist_row(rows_hist(rows), row, &r);
	/* no branch is larger than its row */
	return r.period_children < rows_min_period(rows) ? 0 : r.n_chains;
}

/* What trees are made for: a node, or several. */
struct wanted {
	uint64_t id;
	const uint64_t *ids; /* NULL: all below `id` */
	size_t n;	     /* rows at most */
};

static uint32_t wanted_row(const struct rows *rows, const struct wanted *w, size_t i)
{
	if (!w->ids)
		return rows_tree(rows, w->id, i);
	return rows_own_tree(rows, w->ids[i]);
}

static struct rows_trees *trees_new(struct rows *rows, const struct wanted *w, int *ret_err)
{
	struct rows_trees *t;
	uint64_t chains = 0;

	*ret_err = 0;
	for (size_t i = 0; i < w->n && chains <= CHAINS_AT_ONCE; i++)
		chains += cost(rows, wanted_row(rows, w, i));
	if (chains <= CHAINS_AT_ONCE)
		return NULL;
	*ret_err = -ENOMEM;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->v = calloc(w->n, sizeof(*t->v));
	if (!t->v) {
		free(t);
		return NULL;
	}
	t->rows = rows_ref(rows);
	t->hist = rows_view(rows);
	t->min_period = rows_min_period(rows);
	for (size_t i = 0; i < w->n; i++) {
		uint32_t row = wanted_row(rows, w, i);

		if (cost(rows, row))
			t->v[t->n++].row = row;
	}
	*ret_err = 0;
	return t;
}

struct rows_trees *rows_trees_new(struct rows *rows, uint64_t id, int *ret_err)
{
	const struct wanted w = { .id = id, .n = rows_n_trees(rows, id) };

	return trees_new(rows, &w, ret_err);
}

struct rows_trees *rows_trees_new_of(struct rows *rows, const uint64_t *ids, size_t n, int *ret_err)
{
	const struct wanted w = { .ids = ids, .n = n };

	return trees_new(rows, &w, ret_err);
}

int rows_trees_run(struct rows_trees *t, ptui_progress_fn progress, void *ctx)
{
	const char *what = _("building the callchains");

	for (t->made = 0; t->made < t->n; t->made++) {
		struct one *o = &t->v[t->made];

		if (progress && progress(ctx, what, t->made, t->n))
			return -ECANCELED;
		o->tree = ptui_hist_calltree(t->hist, o->row, t->min_period, NULL);
		if (!o->tree)
			return -ENOMEM;
	}
	return 0;
}

bool rows_trees_take(struct rows_trees *t)
{
	for (size_t i = 0; i < t->made; i++) {
		rows_set_tree(t->rows, t->v[i].row, t->v[i].tree, t->min_period);
		t->v[i].tree = NULL;
	}
	return t->made == t->n;
}

const struct rows *rows_trees_rows(const struct rows_trees *t)
{
	return t->rows;
}

void rows_trees_free(struct rows_trees *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		ptui_calltree_free(t->v[i].tree);
	rows_free(t->rows);
	free(t->v);
	free(t);
}
