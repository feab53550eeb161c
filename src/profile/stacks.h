/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack table: every callchain is stored once, as the path to a node of a prefix tree.
 *
 *   main ── run ── parse        node 0 (none, main)   node 1 (0, run)   node 2 (1, parse)
 *             └─── eval         node 3 (1, eval)
 *
 * A node is (parent, frame); a sample has the number of its innermost node. Parents have smaller
 * numbers than their children.
 */
#ifndef PROFILE_STACKS_H
#define PROFILE_STACKS_H

#include "base/hash.h"
#include "ptui/types.h"

struct stack_node {
	uint32_t parent; /* PTUI_NONE: outermost */
	uint32_t frame;
};

/*
 * The outer end and the depth of a stack, by node. User frames outside of all DSOs do not count,
 * nor do frames outside of a start function: the caller of main may use the frame pointer for
 * something else, which the kernel then follows.
 */
struct stack_end {
	uint32_t frame;
	uint32_t depth;
};

struct stacks {
	struct stack_node *nodes;
	size_t n, cap;
	struct index_table index; /* nodes after their parent are not in it */
	bool partial;		  /* stacks_append() has added nodes that are not in it either */
	bool shared; /* `nodes` belong to others, too: not to be moved, changed or freed */
};

void stacks_init(struct stacks *s);
void stacks_release(struct stacks *s);
/* Makes room for n nodes in all, none of which is shared. 0 or -ENOMEM. */
int stacks_reserve(struct stacks *s, size_t n);
/* The node of `frame` called from `parent` (PTUI_NONE: outermost). PTUI_NONE: out of memory. */
uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t frame);

/*
 * A table in which nodes are found by their paths, instead. The path of a node is known before its parent is found, so
 * all nodes of a chain can be loaded from memory at once. All nodes of a table are pushed in the same way.
 */
#define STACKS_NO_PATH 0 /* of the parent of the outermost frame */

static inline uint32_t stacks_path(uint32_t parent_path, uint32_t frame)
{
	return (uint32_t)(hash_pair(parent_path, frame) >> 32);
}

/* As stacks_push(); `path`: that of the node. */
uint32_t stacks_push_path(struct stacks *s, uint32_t parent, uint32_t frame, uint32_t path);
/* The same if it is in the table; PTUI_NONE: it is not. */
uint32_t stacks_find_path(const struct stacks *s, uint32_t parent, uint32_t frame, uint32_t path);
/* Loads what these look at first, */
static inline void stacks_prefetch(const struct stacks *s, uint32_t path)
{
	index_table_prefetch(&s->index, (uint64_t)path << 32);
}
/* and then. */
static inline void stacks_prefetch_node(const struct stacks *s, uint32_t path)
{
	uint32_t node = index_table_first(&s->index, (uint64_t)path << 32);

	if (node != PTUI_NONE)
		__builtin_prefetch(&s->nodes[node]);
}

/*
 * Adds a node that is not in the table yet. stacks_push() does not find it, unless as the first after
 * its parent, until stacks_index(). PTUI_NONE: out of memory.
 */
uint32_t stacks_append(struct stacks *s, uint32_t parent, uint32_t frame);
/* Makes all nodes known to stacks_push(), not to stacks_push_path(). 0 or -ENOMEM. */
int stacks_index(struct stacks *s);
/* Frees what only stacks_push() needs. */
void stacks_drop_index(struct stacks *s);

#endif
