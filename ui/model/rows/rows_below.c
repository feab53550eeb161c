/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The children of rows: callchains, or the functions of a thread or a CPU. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/rows/rows_private.h"

/* Limits of the functions of a thread or CPU: number, and minimum share of the total. */
#define FUNCTIONS_MAX	   100
#define FUNCTIONS_MIN_PART 2000

struct maker {
	struct rows *b;
	const struct ptui_calltree *tree;
	uint32_t row;
	int err;
};

void rows_frame_text(const struct ptui_calltree *t, uint32_t call, uint32_t frame, char *buf,
		     size_t size)
{
	const struct ptui_callnode *at = ptui_calltree_node(t, call);
	char line[ROW_BYTES], branches[ROW_BYTES];
	size_t len;

	ptui_calltree_frame(t, at, frame, buf, size);
	ptui_calltree_line(t, at, frame, line, sizeof(line));
	ptui_calltree_branches(t, at, frame, branches, sizeof(branches));
	len = strnlen(buf, size);
	if (len < size && (*line || *branches))
		snprintf(buf + len, size - len, "%s%s%s", *line ? " " : "", line, branches);
}

static void make_frame(struct maker *m, uint32_t call, uint32_t frame, enum rows_kind kind,
		       bool head)
{
	const struct node node = {
		.row = m->row, .call = call, .frame = frame, .kind = (uint8_t)kind, .head = head
	};

	if (!m->err)
		m->err = rows_add(m->b, &node);
}

static void make_branches(struct maker *m, uint32_t first)
{
	for (uint32_t at = first; at != PTUI_NONE; at = ptui_calltree_node(m->tree, at)->next)
		make_frame(m, at, 0, ROWS_BRANCH, false);
}

/* The remaining functions of a node; or its children if there are none. */
static void make_inside(struct maker *m, uint32_t call, uint32_t first_frame, bool head)
{
	const struct ptui_callnode *n = ptui_calltree_node(m->tree, call);

	for (uint32_t i = first_frame; i < n->n_frames; i++)
		make_frame(m, call, i, ROWS_FRAME, head && i == first_frame);
	if (first_frame >= n->n_frames)
		make_branches(m, n->first_child);
}

/* A chain with only the row's function has no information. */
static bool has_callers(const struct rows *b, const struct ptui_row *r)
{
	return r->chain_depth > (b->symbol != SIZE_MAX);
}

static void make_note(struct maker *m, bool of_rows)
{
	make_frame(m, NONE, of_rows, ROWS_NOTE, false);
}

/*
 * A single root is expanded at once if it has all samples of the row, or is the row's own function:
 * samples in the function itself are on its callers, which are often below the limit.
 */
static void make_of_row(struct maker *m)
{
	uint32_t first = ptui_calltree_first(m->tree);
	const struct ptui_callnode *root = ptui_calltree_node(m->tree, first);
	char own[ROW_BYTES], name[ROW_BYTES];
	size_t n = m->b->n_nodes;
	struct ptui_row r;
	bool is_own;

	*own = *name = '\0'; /* not all of them: this is done for each row that opens */
	ptui_hist_row(m->b->hist, m->row, &r);
	if (root) {
		rows_hist_cell(m->b->hist, m->row, "symbol", own, sizeof(own));
		ptui_calltree_frame(m->tree, root, 0, name, sizeof(name));
	}
	is_own = rows_unmarked(own) != own && !strcmp(rows_unmarked(own), name);
	if (root && root->next == PTUI_NONE && (is_own || root->cumul == r.period_children))
		make_inside(m, first, is_own, true);
	else
		make_branches(m, first);
	if (m->b->n_nodes == n && has_callers(m->b, &r))
		make_note(m, false);
}

static void make_functions(struct maker *m, const struct ptui_hist *functions)
{
	uint64_t least = m->b->total / FUNCTIONS_MIN_PART;

	for (uint32_t i = 0; i < ptui_hist_n_rows(functions) && i < FUNCTIONS_MAX && !m->err; i++) {
		struct ptui_row r;

		ptui_hist_row(functions, i, &r);
		if (r.period <= least)
			break;
		make_frame(m, i, 0, ROWS_FUNCTION, false);
	}
}

/* The next level of a hierarchy. */
static void make_levels(struct maker *m, uint32_t of)
{
	size_t n;
	uint32_t *v = rows_levels_below(m->b, of, &n);

	m->err = v ? 0 : -ENOMEM;
	for (size_t i = 0; i < n && !m->err; i++) {
		const struct node node = rows_entry(m->b, v[i], ROWS_LEVEL);

		m->err = rows_add(m->b, &node);
	}
	if (!n)
		make_note(m, true);
	free(v);
}

/* ---- their ids ---- */

static uint64_t frame_id(const struct rows *b, const struct node *n, uint64_t parent)
{
	const struct ptui_calltree *tree = b->below[n->row].tree;
	const struct ptui_callnode *at = ptui_calltree_node(tree, n->call);
	char name[ROW_BYTES], line[ROW_BYTES];
	uint64_t id;

	ptui_calltree_frame(tree, at, n->frame, name, sizeof(name));
	id = rows_hash(parent + n->kind, name);
	/* several places of one function may have one line */
	return ptui_calltree_line(tree, at, n->frame, line, sizeof(line)) ?
		       rows_hash(id + ptui_calltree_frame_id(tree, at, n->frame), line) :
		       id;
}

static uint64_t function_id(const struct rows *b, const struct node *n, uint64_t parent)
{
	const struct ptui_hist *functions = b->below[n->row].functions;
	struct ptui_row_origin from;
	char name[ROW_BYTES];

	ptui_hist_row_origin(functions, n->call, &from);
	return rows_hash(rows_hash(parent, from.dso ? from.dso : ""),
			 rows_hist_cell(functions, n->call, "symbol", name, sizeof(name)));
}

static uint64_t child_id(const struct rows *b, const struct node *n, uint64_t parent)
{
	char text[ROW_BYTES];

	switch (n->kind) {
	case ROWS_LEVEL:
		b->source->cell(b->of, n->frame, b->n_measures, text, sizeof(text));
		return rows_hash(parent + ROWS_LEVEL, text);
	case ROWS_FUNCTION:
		return function_id(b, n, parent);
	case ROWS_NOTE:
		return rows_hash(parent, "note");
	default:
		return frame_id(b, n, parent);
	}
}

/* Ids of the children up to the i-th one, in their order: equal names get different ids. 0 or -ENOMEM. */
static int name_children(struct rows *b, const struct node *of, size_t i)
{
	uint32_t at = of->first_child + (uint32_t)i, from = at;
	int ret = 0;

	while (from > of->first_child && rows_node(b, from - 1)->id == ROWS_TOP)
		from--;
	for (; from <= at && !ret; from++)
		ret = rows_set_id(b, from, child_id(b, rows_node(b, from), of->id));
	return ret;
}

/* Of the branches of a row, with limits of the row or of all. */
static uint64_t least_period(const struct rows *b, uint32_t row)
{
	struct ptui_row r;

	if (!b->opts.deferred)
		return b->min_period;
	ptui_hist_row(b->hist, row, &r);
	return (uint64_t)((double)r.period_children * b->opts.limits.chain_percent / 100);
}

static int make_children(struct rows *b, struct node *of)
{
	struct below *below = &b->below[of->row];
	struct maker m = { .b = b, .row = of->row };
	size_t first = b->n_nodes;
	bool inner = rows_is_inner(b, of->id);

	if (!inner && !below->tree && !below->functions) {
		below->tree = ptui_hist_calltree(b->hist, of->row, least_period(b, of->row), NULL);
		if (!below->tree)
			return -ENOMEM;
		b->n_made++;
	}
	m.tree = below->tree;
	if (inner)
		make_levels(&m, of->frame);
	else if (below->functions)
		make_functions(&m, below->functions);
	else if (rows_is_entry(of))
		make_of_row(&m);
	else
		make_inside(&m, of->call, of->frame + 1, false);
	/* if out of memory: what exists of them */
	of->first_child = (uint32_t)first;
	of->n_children = (uint32_t)(b->n_nodes - first);
	of->made = true;
	return m.err;
}

/* Its children are made by rows_make() only. */
static bool is_deferred(const struct rows *b, const struct node *n)
{
	return b->opts.deferred && n->kind == ROWS_ROW && !b->below[n->row].tree &&
	       !b->below[n->row].functions;
}

static bool row_opens(const struct rows *b, const struct node *n)
{
	struct ptui_row r;

	if (!b->hist)
		return false;
	if (b->opts.deferred)
		return n->made ? n->n_children : b->opts.has_chains;
	ptui_hist_row(b->hist, n->row, &r);
	return has_callers(b, &r) && r.period_children && r.period_children >= b->min_period;
}

bool rows_opens(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);
	const struct ptui_callnode *call;

	if (!n)
		return false;
	switch (n->kind) {
	case ROWS_ROW:
	case ROWS_LEVEL:
		return rows_is_inner(b, id) || row_opens(b, n);
	case ROWS_BRANCH:
		call = ptui_calltree_node(b->below[n->row].tree, n->call);
		return call->n_frames > 1 || call->first_child != PTUI_NONE;
	case ROWS_FRAME:
		call = ptui_calltree_node(b->below[n->row].tree, n->call);
		return n->frame + 1 == call->n_frames && call->first_child != PTUI_NONE;
	default:
		return false;
	}
}

size_t rows_count(struct rows *b, uint64_t id)
{
	struct node *n;

	if (id == ROWS_TOP)
		return b->n_rows;
	if (!rows_opens(b, id))
		return 0;
	n = rows_find(b, id);
	if (!n->made && is_deferred(b, n))
		b->deferred = true;
	else if (!n->made)
		b->incomplete |= make_children(b, n) != 0;
	return n->n_children;
}

bool rows_incomplete(struct rows *b)
{
	bool ret = b->incomplete;

	b->incomplete = false;
	return ret;
}

bool rows_deferred(struct rows *b)
{
	bool ret = b->deferred;

	b->deferred = false;
	return ret;
}

int rows_make(struct rows *b, uint64_t id)
{
	struct node *n = rows_find(b, id);
	int ret;

	if (!n || n->made || !rows_opens(b, id))
		return 0;
	rows_changed(b);
	ret = make_children(b, n);
	return ret || !n->n_children ? ret : name_children(b, n, n->n_children - 1);
}

int rows_set_functions(struct rows *b, uint64_t id, struct ptui_hist *functions)
{
	struct node *n = rows_find(b, id);

	if (!n || n->kind != ROWS_ROW || n->made) {
		ptui_hist_free(functions);
		return 0;
	}
	b->below[n->row].functions = functions;
	b->n_made++;
	rows_changed(b);
	return make_children(b, n);
}

uint64_t rows_child(struct rows *b, uint64_t id, size_t i)
{
	size_t n = rows_count(b, id);
	const struct node *of;

	if (i >= n)
		return ROWS_TOP;
	if (id == ROWS_TOP) {
		b->hint = b->shown[i];
		return rows_node(b, b->hint)->id;
	}
	of = rows_find(b, id);
	b->hint = of->first_child + i;
	if (rows_node(b, b->hint)->id == ROWS_TOP)
		b->incomplete |= name_children(b, of, i) != 0;
	return rows_node(b, b->hint)->id;
}

size_t rows_place(const struct rows *b, uint64_t id)
{
	uint32_t i = rows_top_find(b, id);

	return i == PTUI_NONE ? SIZE_MAX : b->places[i];
}

/* ---- functions of nodes ---- */

uint32_t rows_frame(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);
	struct ptui_calltree *tree;

	if (!n || !b->hist || n->kind == ROWS_NOTE)
		return PTUI_NONE;
	if (rows_is_inner(b, id) && rows_levels_column(b, n->frame, "symbol") == SIZE_MAX)
		return PTUI_NONE;
	if (rows_is_entry(n))
		return ptui_hist_row_frame(b->hist, n->row);
	if (n->kind == ROWS_FUNCTION)
		return ptui_hist_row_frame(b->below[n->row].functions, n->call);
	tree = b->below[n->row].tree;
	return ptui_calltree_frame_id(tree, ptui_calltree_node(tree, n->call), n->frame);
}

static bool has_comm(const struct rows *b, uint32_t row, const char *comm)
{
	struct ptui_row_origin from;

	ptui_hist_row_origin(b->hist, row, &from);
	return comm && from.comm && !strcmp(from.comm, comm);
}

bool rows_of_function(const struct rows *b, uint64_t id, size_t n, size_t *at, uint64_t *ret)
{
	uint32_t frame = rows_frame(b, id);
	struct ptui_row_origin from = { 0 };

	if (frame == PTUI_NONE || !rows_origin(b, id, &from))
		return true;
	for (; n && *at < b->n_rows; n--, (*at)++) {
		uint32_t row = rows_shown(b, *at), other = ptui_hist_row_frame(b->hist, row);
		bool is_same;

		if (other == PTUI_NONE || !ptui_hist_is_function(b->hist, frame, other))
			continue;
		is_same = has_comm(b, row, from.comm);
		if (is_same || *ret == ROWS_TOP)
			*ret = rows_node(b, b->shown[*at])->id;
		if (is_same)
			return true;
	}
	return *at >= b->n_rows;
}

/* ---- trees made by threads ---- */

struct ptui_hist *rows_view(struct rows *b)
{
	return b->hist;
}

size_t rows_n_trees(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);

	if (id == ROWS_TOP)
		return b->levels ? b->n_below : b->n_rows;
	return n && b->levels && rows_is_entry(n) ?
		       ptui_hierarchy_node(b->levels, n->frame)->n_below + (size_t)1 :
		       n != NULL;
}

uint32_t rows_tree(const struct rows *b, uint64_t id, size_t i)
{
	const struct node *n = rows_find(b, id);

	if (id == ROWS_TOP)
		return b->levels ? (uint32_t)i : rows_shown(b, i);
	return b->levels && rows_is_entry(n) ? ptui_hierarchy_node(b->levels, n->frame + i)->leaf :
					       n->row;
}

uint32_t rows_own_tree(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);

	return n && rows_is_entry(n) && !rows_is_inner(b, id) ? n->row : PTUI_NONE;
}

bool rows_has_tree(const struct rows *b, uint32_t row)
{
	return b->n_made && b->below[row].tree;
}

uint64_t rows_min_period(const struct rows *b)
{
	return b->min_period;
}

void rows_set_tree(struct rows *b, uint32_t row, struct ptui_calltree *tree, uint64_t min_period)
{
	if (b->below[row].tree || min_period != b->min_period) {
		ptui_calltree_free(tree);
	} else {
		b->below[row].tree = tree;
		b->n_made += tree != NULL;
	}
}
