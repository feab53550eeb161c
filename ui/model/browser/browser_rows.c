/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/browser_rows.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "text/i18n.h"
#include "text/utf8.h"

#define NONE PTUI_NONE

/* Nodes are in one array; the children of a node are contiguous. */
struct node {
	uint64_t id;
	uint32_t row;	/* of the histogram */
	uint32_t call;	/* node of the row's call tree; NONE: the row itself, or a note */
	uint32_t frame; /* index of that node's function */
	uint32_t first_child, n_children; /* valid when made */
	uint8_t kind;
	bool head; /* a frame that shows its call tree's percentage */
	bool made;
};

struct browser_rows {
	atomic_uint refs;
	struct ptui_hist *hist;
	struct browser_limits limits;
	uint64_t total, min_period; /* of a branch */
	size_t symbol, dso;	    /* columns of functions and DSOs; SIZE_MAX: none */
	int path_width;

	struct node *nodes; /* rows come first */
	size_t n_nodes, cap_nodes, n_rows;
	size_t hint;		      /* the last returned node: usually queried next */
	struct index_table index;     /* of nodes, by id */
	uint64_t *row_ids;	      /* by row of the histogram, including hidden ones */
	struct ptui_calltree **trees; /* by row of the histogram; NULL: not made */
	bool incomplete;	      /* children are missing, for lack of memory */
};

/* ---- ids ---- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_pair(hash, hash_bytes(text, strlen(text)));
}

static bool is_node(const void *owner, uint32_t node, const void *id)
{
	return ((const struct browser_rows *)owner)->nodes[node].id == *(const uint64_t *)id;
}

static struct node *find_node(const struct browser_rows *b, uint64_t id)
{
	uint32_t i;

	if (b->hint < b->n_nodes && b->nodes[b->hint].id == id)
		return &b->nodes[b->hint];
	i = index_table_find(&b->index, id, is_node, b, &id);
	return i != PTUI_NONE ? &b->nodes[i] : NULL;
}

/*
 * Adds a node. If an earlier node has the same id (static functions of one name), derives the next
 * id from it.
 */
static int add_node(struct browser_rows *b, const struct node *like)
{
	struct node *node;

	if (b->n_nodes + 1 >= NONE || vec_grow(&b->nodes, &b->cap_nodes, b->n_nodes + 1))
		return -ENOMEM;
	node = &b->nodes[b->n_nodes];
	*node = *like;
	while (node->id == BROWSER_TOP || find_node(b, node->id))
		node->id = hash_text(node->id, "again");
	if (index_table_add(&b->index, node->id, (uint32_t)b->n_nodes))
		return -ENOMEM;
	b->n_nodes++;
	return 0;
}

/* ---- rows ---- */

static double percent_of(const struct browser_rows *b, uint64_t period)
{
	return b->total ? 100.0 * (double)period / (double)b->total : 0;
}

static uint64_t row_period(const struct browser_rows *b, uint32_t row)
{
	struct ptui_row r;

	ptui_hist_row(b->hist, row, &r);
	return ptui_hist_children(b->hist) ? r.period_children : r.period;
}

/* Numbers change when samples are counted again: hash the other columns. */
static uint64_t row_id(const struct browser_rows *b, uint32_t row)
{
	uint64_t id = 1;
	char cell[2048];

	for (size_t c = 0; c < ptui_hist_n_columns(b->hist); c++) {
		if (ptui_hist_column(b->hist, c)->number)
			continue;
		ptui_hist_cell(b->hist, row, c, cell, sizeof(cell));
		id = hash_text(id, cell);
	}
	return id;
}

static void widen_path(struct browser_rows *b, uint32_t row)
{
	struct ptui_row_origin from;
	int width;

	ptui_hist_row_origin(b->hist, row, &from);
	width = from.dso_path ? utf8_width(from.dso_path) : 0;
	if (width > b->path_width)
		b->path_width = width;
}

static void clear(struct browser_rows *b)
{
	b->n_nodes = 0;
	b->n_rows = 0;
	index_table_release(&b->index);
	for (size_t i = 0; i < ptui_hist_n_rows(b->hist); i++) {
		ptui_calltree_free(b->trees[i]);
		b->trees[i] = NULL;
	}
}

int browser_rows_set_limits(struct browser_rows *b, const struct browser_limits *limits)
{
	size_t n = ptui_hist_n_rows(b->hist);

	clear(b);
	b->limits = *limits;
	b->min_period = (uint64_t)((double)b->total * (limits->chain_percent / 100.0));
	for (uint32_t i = 0; i < n; i++) {
		struct node node = { .row = i, .call = NONE, .kind = BROWSER_ROW };

		if (percent_of(b, row_period(b, i)) < limits->row_percent)
			continue;
		node.id = b->row_ids[i];
		if (add_node(b, &node)) {
			clear(b);
			return -ENOMEM;
		}
		b->n_rows++;
	}
	return 0;
}

struct browser_rows *browser_rows_new(struct ptui_hist *h, const struct browser_limits *limits,
				      struct ptui_error *err)
{
	struct browser_rows *b = calloc(1, sizeof(*b));
	size_t n = ptui_hist_n_rows(h);

	if (!b) {
		ptui_hist_free(h);
		goto nomem;
	}
	atomic_init(&b->refs, 1);
	b->hist = h;
	b->total = ptui_hist_total_period(h);
	b->symbol = b->dso = SIZE_MAX;
	for (size_t c = 0; c < ptui_hist_n_columns(h); c++) {
		if (!strcmp(ptui_hist_column(h, c)->name, "symbol"))
			b->symbol = c;
		if (!strcmp(ptui_hist_column(h, c)->name, "dso"))
			b->dso = c;
	}
	b->trees = calloc(n + 1, sizeof(*b->trees));
	b->row_ids = calloc(n + 1, sizeof(*b->row_ids));
	for (uint32_t i = 0; b->row_ids && i < n; i++) {
		b->row_ids[i] = row_id(b, i);
		if (b->dso != SIZE_MAX)
			widen_path(b, i);
	}
	if (b->trees && b->row_ids && !browser_rows_set_limits(b, limits))
		return b;
	browser_rows_free(b);
nomem:
	ptui_error_nomem(err);
	return NULL;
}

struct browser_rows *browser_rows_ref(struct browser_rows *b)
{
	atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
	return b;
}

void browser_rows_free(struct browser_rows *b)
{
	if (!b || atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1)
		return;
	if (b->trees)
		clear(b);
	free(b->trees);
	free(b->row_ids);
	free(b->nodes);
	index_table_release(&b->index);
	ptui_hist_free(b->hist);
	free(b);
}

/* ---- children ---- */

/* "[.] main": the row's function, without its mark. */
static void row_function(const struct browser_rows *b, uint32_t row, char *buf, size_t size)
{
	char cell[2048];

	buf[0] = '\0';
	if (b->symbol == SIZE_MAX)
		return;
	ptui_hist_cell(b->hist, row, b->symbol, cell, sizeof(cell));
	if (cell[0] == '[' && cell[1] && cell[2] == ']' && cell[3] == ' ')
		snprintf(buf, size, "%s", cell + 4);
}

struct maker {
	struct browser_rows *b;
	const struct ptui_calltree *tree;
	uint64_t parent; /* id */
	uint32_t row;
	int err;
};

static void make_frame(struct maker *m, uint32_t call, uint32_t frame, enum browser_kind kind,
		       bool head)
{
	struct node node = {
		.row = m->row, .call = call, .frame = frame, .kind = (uint8_t)kind, .head = head
	};
	char name[2048];

	if (m->err)
		return;
	ptui_calltree_frame(m->tree, ptui_calltree_node(m->tree, call), frame, name, sizeof(name));
	node.id = hash_text(m->parent + kind, name);
	m->err = add_node(m->b, &node);
}

static void make_branches(struct maker *m, uint32_t first)
{
	for (uint32_t at = first; at != PTUI_NONE; at = ptui_calltree_node(m->tree, at)->next)
		make_frame(m, at, 0, BROWSER_BRANCH, false);
}

/* The remaining functions of a node; or its children if there are none. */
static void make_inside(struct maker *m, uint32_t call, uint32_t first_frame, bool head)
{
	const struct ptui_callnode *n = ptui_calltree_node(m->tree, call);

	for (uint32_t i = first_frame; i < n->n_frames; i++)
		make_frame(m, call, i, BROWSER_FRAME, head && i == first_frame);
	if (first_frame >= n->n_frames)
		make_branches(m, n->first_child);
}

static void make_note(struct maker *m)
{
	struct node node = { .row = m->row, .call = NONE, .kind = BROWSER_NOTE };

	node.id = hash_text(m->parent, "note");
	m->err = add_node(m->b, &node);
}

/*
 * A single root is expanded at once if it has all samples of the row, or is the row's own function:
 * samples in the function itself are on its callers, which are often below the limit.
 */
static void make_of_row(struct maker *m)
{
	uint32_t first = ptui_calltree_first(m->tree);
	const struct ptui_callnode *root = ptui_calltree_node(m->tree, first);
	char own[2048] = "", name[2048] = "";
	struct ptui_row r;
	bool is_own;

	ptui_hist_row(m->b->hist, m->row, &r);
	if (root) {
		row_function(m->b, m->row, own, sizeof(own));
		ptui_calltree_frame(m->tree, root, 0, name, sizeof(name));
	}
	is_own = *own && !strcmp(own, name);
	if (root && root->next == PTUI_NONE && (is_own || root->cumul == r.period_children))
		make_inside(m, first, is_own, true);
	else
		make_branches(m, first);
}

static int make_children(struct browser_rows *b, uint32_t i)
{
	struct node node = b->nodes[i]; /* copied: the array moves */
	struct ptui_calltree **tree = &b->trees[node.row];
	struct maker m = { .b = b, .parent = node.id, .row = node.row };
	size_t first = b->n_nodes;

	if (!*tree)
		*tree = ptui_hist_calltree(b->hist, node.row, b->min_period, NULL);
	if (!*tree)
		return -ENOMEM;
	m.tree = *tree;
	if (node.kind == BROWSER_ROW)
		make_of_row(&m);
	else
		make_inside(&m, node.call, node.frame + 1, false);
	if (!m.err && node.kind == BROWSER_ROW && b->n_nodes == first)
		make_note(&m);
	/* if out of memory: what exists of them */
	b->nodes[i].first_child = (uint32_t)first;
	b->nodes[i].n_children = (uint32_t)(b->n_nodes - first);
	b->nodes[i].made = true;
	return m.err;
}

bool browser_rows_opens(const struct browser_rows *b, uint64_t id)
{
	const struct node *n = find_node(b, id);
	const struct ptui_callnode *call;
	struct ptui_row r;

	if (!n)
		return false;
	switch (n->kind) {
	case BROWSER_ROW:
		ptui_hist_row(b->hist, n->row, &r);
		/* a chain with only the row's function has no information */
		return r.chain_depth > (b->symbol != SIZE_MAX) && r.period_children &&
		       r.period_children >= b->min_period;
	case BROWSER_BRANCH:
		call = ptui_calltree_node(b->trees[n->row], n->call);
		return call->n_frames > 1 || call->first_child != PTUI_NONE;
	case BROWSER_FRAME:
		call = ptui_calltree_node(b->trees[n->row], n->call);
		return n->frame + 1 == call->n_frames && call->first_child != PTUI_NONE;
	default:
		return false;
	}
}

size_t browser_rows_count(struct browser_rows *b, uint64_t id)
{
	struct node *n;
	size_t i;

	if (id == BROWSER_TOP)
		return b->n_rows;
	if (!browser_rows_opens(b, id))
		return 0;
	n = find_node(b, id);
	i = (size_t)(n - b->nodes);
	if (!n->made)
		b->incomplete |= make_children(b, (uint32_t)i) != 0;
	return b->nodes[i].n_children;
}

bool browser_rows_incomplete(struct browser_rows *b)
{
	bool ret = b->incomplete;

	b->incomplete = false;
	return ret;
}

uint64_t browser_rows_child(struct browser_rows *b, uint64_t id, size_t i)
{
	size_t n = id == BROWSER_TOP ? b->n_rows : browser_rows_count(b, id);

	if (i >= n)
		return BROWSER_TOP;
	b->hint = id == BROWSER_TOP ? i : find_node(b, id)->first_child + i;
	return b->nodes[b->hint].id;
}

/* ---- trees made by threads ---- */

struct ptui_hist *browser_rows_view(struct browser_rows *b)
{
	return b->hist;
}

uint32_t browser_rows_row(const struct browser_rows *b, uint64_t id)
{
	const struct node *n = find_node(b, id);

	return n ? n->row : PTUI_NONE;
}

uint32_t browser_rows_shown(const struct browser_rows *b, size_t i)
{
	return i < b->n_rows ? b->nodes[i].row : PTUI_NONE;
}

bool browser_rows_has_tree(const struct browser_rows *b, uint32_t row)
{
	return b->trees[row];
}

uint64_t browser_rows_min_period(const struct browser_rows *b)
{
	return b->min_period;
}

void browser_rows_set_tree(struct browser_rows *b, uint32_t row, struct ptui_calltree *tree,
			   uint64_t min_period)
{
	if (b->trees[row] || min_period != b->min_period)
		ptui_calltree_free(tree);
	else
		b->trees[row] = tree;
}

/* ---- properties of a node ---- */

const struct ptui_hist *browser_rows_hist(const struct browser_rows *b)
{
	return b->hist;
}

size_t browser_rows_n(const struct browser_rows *b)
{
	return b->n_rows;
}

size_t browser_rows_n_hidden(const struct browser_rows *b)
{
	return ptui_hist_n_rows(b->hist) - b->n_rows;
}

enum browser_kind browser_rows_kind(const struct browser_rows *b, uint64_t id)
{
	const struct node *n = find_node(b, id);

	return n ? (enum browser_kind)n->kind : BROWSER_NOTE;
}

double browser_rows_percent(const struct browser_rows *b, uint64_t id)
{
	const struct node *n = find_node(b, id);

	if (n && n->kind == BROWSER_ROW)
		return percent_of(b, row_period(b, n->row));
	if (n && (n->kind == BROWSER_BRANCH || n->head))
		return percent_of(b, ptui_calltree_node(b->trees[n->row], n->call)->cumul);
	return -1;
}

const char *browser_rows_cell(const struct browser_rows *b, uint64_t id, size_t column, char *buf,
			      size_t size)
{
	const struct node *n = find_node(b, id);

	if (size)
		buf[0] = '\0';
	if (n && n->kind == BROWSER_ROW && column < ptui_hist_n_columns(b->hist))
		ptui_hist_cell(b->hist, n->row, column, buf, size);
	return buf;
}

const char *browser_rows_label(const struct browser_rows *b, uint64_t id, char *buf, size_t size)
{
	const struct node *n = find_node(b, id);

	if (n && n->kind == BROWSER_NOTE)
		snprintf(buf, size, _("all branches are below %.2f%%"), b->limits.chain_percent);
	else if (n && n->call != NONE)
		ptui_calltree_frame(b->trees[n->row], ptui_calltree_node(b->trees[n->row], n->call),
				    n->frame, buf, size);
	else if (size)
		buf[0] = '\0';
	return buf;
}

int browser_rows_path_width(const struct browser_rows *b)
{
	return b->path_width;
}

bool browser_rows_origin(const struct browser_rows *b, uint64_t id, struct ptui_row_origin *ret)
{
	const struct node *n = find_node(b, id);

	if (!n)
		return false;
	ptui_hist_row_origin(b->hist, n->row, ret);
	return true;
}

const char *browser_rows_dso(const struct browser_rows *b, uint64_t id)
{
	const struct node *n = find_node(b, id);
	struct ptui_row_origin from;

	if (!n || n->kind == BROWSER_NOTE)
		return NULL;
	if (n->kind != BROWSER_ROW)
		return ptui_calltree_dso(b->trees[n->row],
					 ptui_calltree_node(b->trees[n->row], n->call), n->frame);
	ptui_hist_row_origin(b->hist, n->row, &from);
	return from.dso;
}

bool browser_rows_match(const struct browser_rows *b, uint64_t id, const char *text)
{
	const struct node *n = find_node(b, id);
	struct ptui_row_origin from;
	char buf[2048];
	size_t bytes;

	if (!n)
		return false;
	if (n->kind != BROWSER_ROW)
		return utf8_find(browser_rows_label(b, id, buf, sizeof(buf)), text, &bytes);
	for (size_t c = 0; c < ptui_hist_n_columns(b->hist); c++) {
		if (ptui_hist_column(b->hist, c)->number)
			continue;
		ptui_hist_cell(b->hist, n->row, c, buf, sizeof(buf));
		if (utf8_find(buf, text, &bytes))
			return true;
	}
	if (b->dso == SIZE_MAX)
		return false;
	ptui_hist_row_origin(b->hist, n->row, &from);
	return from.dso_path && utf8_find(from.dso_path, text, &bytes);
}
