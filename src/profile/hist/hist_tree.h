/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of a view as a tree. With children on, it has a node for each stack of classes whose
 * samples are equal under the keys that do not look at the function (comm, pid, cpu), so each node
 * is of one row:
 *
 *	comm a:  main ── run ─┬─ parse      nodes 0 1 2
 *	                      └─ eval       node 3
 *	comm b:  main ── run ─── eval       nodes 4 5 6, with other rows
 *
 * Parents have smaller numbers than their children. Without children the nodes are those of the
 * profile, and have no rows.
 *
 * The end of a stack is nearly always the function of the sample itself, whose row counts it already. Such an
 * end is a leaf: it has no node, but an id, NODE_LEAF and the number of its class. With broken frame pointers
 * that is nearly half of all nodes. hist_node_parent() and hist_node_frame() (hist.h) take both.
 */
#ifndef PROFILE_HIST_TREE_H
#define PROFILE_HIST_TREE_H

#include "profile/stacks.h"

/* Flag of hist_tree.row: a caller of the node has the same row. */
#define NODE_REPEATS (1U << 31)
/* Flag of an id: that of a leaf. */
#define NODE_LEAF (1U << 30)
#define NODES_MAX NODE_LEAF

static inline bool node_is_leaf(uint32_t node)
{
	return node >> 30 == 1; /* not PTUI_NONE */
}

/* What is needed of a node on the way through the tree: half a cache line. */
struct hist_node {
	uint32_t parent, frame;
	uint32_t child, next; /* callees, leaves among them */
	uint64_t period;      /* of all classes whose stacks it is part of */
	uint32_t n_classes;   /* number of these */
	uint32_t first_cls;   /* the first of them */
};
_Static_assert(sizeof(struct hist_node) == 32, "two in a cache line");

struct hist_tree {
	size_t n;
	const struct stack_node *stacks; /* without children: the profile's */

	/* By node; NULL without children, and if all ends are leaves without callers. */
	struct hist_node *own;
	uint32_t *row; /* number of the row before sorting, and flag; PTUI_NONE: none */
	/* Only with chains or times: the next node of the same row; in caller order only if not repeated. */
	uint32_t *next_same;
	double *times; /* elapsed time of its classes; only for the key latency_children */
};

/* Whether the node or one of its callers is of the row, by its number before sorting; PTUI_NONE: of any. */
static inline bool hist_tree_has_row(const struct hist_tree *t, uint32_t node, uint32_t row)
{
	for (; node != PTUI_NONE; node = t->own[node].parent)
		if (t->row[node] != PTUI_NONE &&
		    (row == PTUI_NONE || (t->row[node] & ~NODE_REPEATS) == row))
			return true;
	return false;
}

void hist_tree_release(struct hist_tree *t);

#endif
