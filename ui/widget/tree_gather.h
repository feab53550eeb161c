/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gathers the rows of a tree from its nodes: all, or those below one node. Without recursion, since
 * callchains may be arbitrarily deep; so it can also be interrupted and continued.
 */
#ifndef WIDGET_TREE_GATHER_H
#define WIDGET_TREE_GATHER_H

#include "widget/tree.h"

/* ---- the open nodes: a set of ids; 0 is not an id ---- */

struct tree_ids;

/* NULL: out of memory. */
struct tree_ids *tree_ids_new(void);
void tree_ids_free(struct tree_ids *s); /* NULL ok */
/* 0, also if already present; or -ENOMEM. */
int tree_ids_add(struct tree_ids *s, uint64_t id);
void tree_ids_remove(struct tree_ids *s, uint64_t id);
bool tree_ids_has(const struct tree_ids *s, uint64_t id);
/* All of them, in no order; valid until the next change. */
const uint64_t *tree_ids_get(const struct tree_ids *s, size_t *ret_n);

/* ---- the rows ---- */

struct tree_row {
	uint64_t node;
	uint32_t depth;
	bool last; /* last child of its parent */
};

/* The rows below one at depth 0, which itself is not kept: the caller has it. */
struct tree_part {
	uint64_t node;
	size_t top;   /* its index at depth 0 */
	size_t first; /* in display order: the row right below it */
	struct tree_row *rows;
	size_t n, room;
};

/* Rows below one node, and the stack of nodes whose children are being queried. */
struct gather {
	struct tree_row *rows;
	size_t n, room;
	size_t most; /* rows */
	struct level {
		uint64_t node;
		size_t at, n; /* next child, number of children */
	} * levels;
	size_t depth, levels_room;
	uint32_t base;	       /* depth of the first rows */
	struct tree_ids *open; /* open nodes */
	bool all;	       /* opens every node; else those of `open` */
	bool full;
	unsigned steps; /* for the clock */
};

/* The rows below `node`, whose own row is at depth `base` - 1. 0 or -ENOMEM. */
int gather_begin(struct tree *t, struct gather *g, uint64_t node, uint32_t base);
/* 0: complete; 1: it is later than `until_ns`, more to do; -ENOMEM. until_ns 0: no limit. */
int gather_run(struct tree *t, struct gather *g, uint64_t until_ns);

/* Opens rows, at once or in slices: one of them, or all at depth 0 that are to be open, one after the other. */
struct opening {
	size_t row;	 /* the only one; SIZE_MAX: all rows that are, or become, open */
	uint64_t node;	 /* of that one */
	struct gather g; /* in progress: rows below one node */
	bool busy;	 /* it is */
	size_t n_all;	 /* at depth 0 */
	size_t *tops;	 /* those that are looked at, by index; NULL: all */
	size_t n_tops, at;
	struct tree_part *parts; /* complete ones */
	size_t n_parts, room;
	size_t n; /* rows so far */
	uint64_t cursor,
		from; /* the cursor moves to it if it is still on this node; TREE_TOP: no */
};

/* As gather_run(). o->row is SIZE_MAX; o->g has its options. */
int opening_run(struct tree *t, struct opening *o, uint64_t until_ns);
/* Without o->g.open. */
void opening_release(struct opening *o);

/* Frees parts and their array. */
void tree_parts_free(struct tree_part *parts, size_t n);

#endif
