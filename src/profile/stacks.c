/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/stacks.h"

#include <errno.h>
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

uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t frame)
{
	struct stack_node node = { parent, frame };
	uint32_t next = parent + 1, index = (uint32_t)s->n;
	bool newest = parent != PTUI_NONE && next >= s->n; /* it has no children yet */
	uint64_t hash = 0;

	if (parent != PTUI_NONE && !newest && node_same(s, next, &node))
		return next;
	if (!newest) {
		hash = hash_pair(parent, frame);
		index = index_table_find(&s->index, hash, node_same, s, &node);
		if (index != PTUI_NONE)
			return index;
		index = (uint32_t)s->n;
	}
	if (s->n >= PTUI_NONE || (s->n == s->cap && vec_grow(&s->nodes, &s->cap, s->n + 1)) ||
	    (!newest && index_table_add(&s->index, hash, index)))
		return PTUI_NONE;
	s->nodes[s->n++] = node;
	return index;
}

uint32_t stacks_append(struct stacks *s, uint32_t parent, uint32_t frame)
{
	if (s->n >= PTUI_NONE || (s->n == s->cap && vec_grow(&s->nodes, &s->cap, s->n + 1)))
		return PTUI_NONE;
	s->partial = true;
	s->nodes[s->n] = (struct stack_node){ parent, frame };
	return (uint32_t)s->n++;
}

int stacks_index(struct stacks *s)
{
	int ret = 0;

	if (!s->partial)
		return 0;
	index_table_release(&s->index);
	for (size_t i = 0; i < s->n && !ret; i++) {
		struct stack_node node = s->nodes[i];

		if (!follows_parent((uint32_t)i, node.parent))
			ret = index_table_add(&s->index, hash_pair(node.parent, node.frame),
					      (uint32_t)i);
	}
	s->partial = ret;
	return ret;
}
