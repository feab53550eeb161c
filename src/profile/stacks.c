/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/stacks.h"

#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

_Static_assert(sizeof(struct stack_node) == 8, "one load a node on the way up a chain");

void stacks_init(struct stacks *s)
{
	memset(s, 0, sizeof(*s));
	index_table_init(&s->index);
}

void stacks_release(struct stacks *s)
{
	free(s->nodes);
	index_table_release(&s->index);
	stacks_init(s);
}

static bool node_same(const void *owner, uint32_t index, const void *key)
{
	const struct stacks *s = owner;
	const struct stack_node *want = key;

	return s->nodes[index].parent == want->parent && s->nodes[index].frame == want->frame;
}

/*
 * Whether `index` is found without the hash table: directly after its parent. Most nodes are, since the
 * new end of a chain is added at once.
 */
static bool follows_parent(uint32_t index, uint32_t parent)
{
	return parent != PTUI_NONE && index == parent + 1;
}

static uint32_t node_find(const struct stacks *s, const struct stack_node *node, uint64_t hash)
{
	uint32_t next = node->parent + 1;

	if (node->parent != PTUI_NONE) {
		if (next >= s->n) /* the newest node has no children yet */
			return PTUI_NONE;
		if (node_same(s, next, node))
			return next;
	}
	return index_table_find(&s->index, hash, node_same, s, node);
}

uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t frame)
{
	struct stack_node node = { parent, frame };
	uint64_t hash = hash_pair(parent, frame);
	uint32_t index = node_find(s, &node, hash);

	if (index != PTUI_NONE)
		return index;
	if (s->n >= PTUI_NONE || vec_grow(&s->nodes, &s->cap, s->n + 1))
		return PTUI_NONE;
	index = (uint32_t)s->n;
	if (!follows_parent(index, parent) && index_table_add(&s->index, hash, index))
		return PTUI_NONE;
	s->nodes[s->n++] = node;
	return index;
}
