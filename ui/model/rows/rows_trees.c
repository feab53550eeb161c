/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rows/rows_trees.h"

#include <errno.h>
#include <stdlib.h>

#include "base/vec.h"
#include "text/i18n.h"

/* Callchains that can be walked, and rows whose callchains can be counted, in well under a millisecond. */
#define CHAINS_AT_ONCE 5000
#define ROWS_AT_ONCE   5000

struct one {
	uint32_t row;
	struct ptui_calltree *tree;
};

struct rows_trees {
	struct rows *rows;
	struct ptui_hist *hist; /* owned by the rows */
	uint64_t min_period;
	uint32_t *wanted;
	size_t n_wanted;
	struct one *v; /* made */
	size_t n, cap;
	bool complete;
};

/* Number of callchains in a tree; 0: it is empty. */
static uint64_t cost(const struct ptui_hist *h, uint32_t row, uint64_t min_period)
{
	struct ptui_row r;

	ptui_hist_row(h, row, &r);
	/* no branch is larger than its row */
	return r.period_children < min_period ? 0 : r.n_chains;
}

/* What trees are made for: a node, or several. */
struct wanted {
	uint64_t id;
	const uint64_t *ids; /* NULL: all below `id` */
	size_t n;	     /* rows at most */
};

/* PTUI_NONE: it has its tree, or has none. */
static uint32_t wanted_row(const struct rows *rows, const struct wanted *w, size_t i)
{
	uint32_t row = w->ids ? rows_own_tree(rows, w->ids[i]) : rows_tree(rows, w->id, i);

	return row != PTUI_NONE && !rows_has_tree(rows, row) ? row : PTUI_NONE;
}

/* Whether that takes no thread. */
static bool is_quick(struct rows *rows, const struct wanted *w)
{
	uint64_t chains = 0;

	if (w->n > ROWS_AT_ONCE)
		return false;
	for (size_t i = 0; i < w->n && chains <= CHAINS_AT_ONCE; i++) {
		uint32_t row = wanted_row(rows, w, i);

		if (row != PTUI_NONE)
			chains += cost(rows_hist(rows), row, rows_min_period(rows));
	}
	return chains <= CHAINS_AT_ONCE;
}

static struct rows_trees *trees_new(struct rows *rows, const struct wanted *w, int *ret_err)
{
	struct rows_trees *t;

	*ret_err = 0;
	if (is_quick(rows, w))
		return NULL;
	*ret_err = -ENOMEM;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->wanted = malloc(w->n * sizeof(*t->wanted));
	if (!t->wanted) {
		free(t);
		return NULL;
	}
	t->rows = rows_ref(rows);
	t->hist = rows_view(rows);
	t->min_period = rows_min_period(rows);
	for (size_t i = 0; i < w->n; i++) {
		uint32_t row = wanted_row(rows, w, i);

		if (row != PTUI_NONE)
			t->wanted[t->n_wanted++] = row;
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

	for (size_t i = 0; i < t->n_wanted; i++) {
		uint32_t row = t->wanted[i];

		if (progress && progress(ctx, what, i, t->n_wanted))
			return -ECANCELED;
		if (!cost(t->hist, row, t->min_period))
			continue;
		if (vec_grow(&t->v, &t->cap, t->n + 1))
			return -ENOMEM;
		t->v[t->n] = (struct one){ row,
					   ptui_hist_calltree(t->hist, row, t->min_period, NULL) };
		if (!t->v[t->n].tree)
			return -ENOMEM;
		t->n++;
	}
	t->complete = true;
	return 0;
}

bool rows_trees_take(struct rows_trees *t)
{
	for (size_t i = 0; i < t->n; i++)
		rows_set_tree(t->rows, t->v[i].row, t->v[i].tree, t->min_period);
	t->n = 0;
	return t->complete;
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
	free(t->wanted);
	free(t->v);
	free(t);
}
