/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a tree, gathered from its nodes: all of them, or those below one. Without recursion, a
 * callchain may be as deep as it likes; and so it can be stopped and gone on with.
 */
#ifndef WIDGET_TREE_GATHER_H
#define WIDGET_TREE_GATHER_H

#include "widget/tree.h"
#include "widget/tree_ids.h"

struct tree_row {
	uint64_t node;
	uint32_t depth;
	bool last; /* of its parent's children */
};

/* Rows that are being gathered; and the nodes whose children are being asked for. */
struct gather {
	struct tree_row *rows;
	size_t n, room;
	size_t most; /* rows */
	struct level {
		uint64_t node;
		size_t at, n; /* the next child, children */
	} * levels;
	size_t depth, levels_room;
	uint32_t base;	       /* depth of the first rows */
	struct tree_ids *open; /* what is opened */
	bool all;	       /* opens what it meets */
	bool full;
};

/* The rows below `node`, whose own row is at depth `base` - 1. 0 or -ENOMEM. */
int gather_begin(struct tree *t, struct gather *g, uint64_t node, uint32_t base);
/* 0: all are there; 1: there are more, and `ns` are over; -ENOMEM. ns 0: as long as it takes. */
int gather_run(struct tree *t, struct gather *g, uint64_t ns);
/* What is in it; `open` is not its own. */
void gather_release(struct gather *g);

#endif
