/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/vec.h"

_Static_assert(sizeof(struct stack_node) == 8, "one load a node on the way up a chain");

void stacks_init(struct stacks *s)
{
	memset(s, 0, sizeof(*s));
	index_table_init(&s->index);
}

void stacks_release(struct stacks *s)
{
	if (!s->shared)
		free(s->nodes);
	index_table_release(&s->index);
	stacks_init(s);
}

void stacks_drop_index(struct stacks *s)
{
	index_table_release(&s->index);
}

int stacks_reserve(struct stacks *s, size_t n)
{
	if (n <= s->cap)
		return 0;
	if (vec_grow(&s->nodes, &s->cap, n))
		return -ENOMEM;
	memory_at_random(s->nodes, s->cap * sizeof(*s->nodes));
	return 0;
}

/* Makes room for one more node. 0 or -ENOMEM. */
static int nodes_grow(struct stacks *s)
{
	struct stack_node *own = NULL;
	size_t cap = 0;

	if (s->n < s->cap)
		return 0;
	if (!s->shared)

		return stacks_reserve(s, s->n + 1);
	if (vec_grow(&own, &cap, s->n > PTUI_NONE / 2 ? s->n + 1 : 2 * s->n + 1))
		return -ENOMEM;
	memcpy(own, s->nodes, s->n * sizeof(*own));
	s->nodes = own;
	s->cap = cap;
	s->shared = false;
	return 0;
}

static bool node_same(const struct stack_node *a, const struct stack_node *b)
{
	return a->parent == b->parent && a->frame == b->frame;
}

static uint64_t node_hash(const struct stack_node *node)
{
	return hash_pair(node->parent, node->frame);
}

static uint32_t node_find(const struct stacks *s, const struct stack_node *node, uint64_t hash)
{
	uint32_t at = index_table_begin(&s->index, hash), i;

	do {
		i = index_table_next(&s->index, hash, &at);
	} while (i != PTUI_NONE && !node_same(&s->nodes[i], node));
	return i;
}

/* Most nodes follow their parent, since the new end of a chain is added at once. */
static bool node_follows(const struct stacks *s, const struct stack_node *node)
{
	return node->parent != PTUI_NONE && node->parent + 1 < s->n &&
	       node_same(&s->nodes[node->parent + 1], node);
}

/* The newest node has no children yet, and its first one will follow it. */
static bool is_indexed(const struct stacks *s, uint32_t parent)
{
	return parent == PTUI_NONE || parent + 1 < s->n;
}

static uint32_t push_hashed(struct stacks *s, const struct stack_node *node, uint64_t hash)
{
	bool indexed;

	if (node_follows(s, node))
		return node->parent + 1;
	indexed = is_indexed(s, node->parent);
	if (indexed) {
		uint32_t found = node_find(s, node, hash);

		if (found != PTUI_NONE)
			return found;
	}
	if (s->n >= PTUI_NONE || nodes_grow(s) ||
	    (indexed && index_table_add(&s->index, hash, (uint32_t)s->n)))
		return PTUI_NONE;
	s->nodes[s->n] = *node;
	return (uint32_t)s->n++;
}

uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t frame)
{
	const struct stack_node node = { parent, frame };

	return push_hashed(s, &node, node_hash(&node));
}

uint32_t stacks_push_path(struct stacks *s, uint32_t parent, uint32_t frame, uint32_t path)
{
	const struct stack_node node = { parent, frame };

	return push_hashed(s, &node, (uint64_t)path << 32);
}

uint32_t stacks_find_path(const struct stacks *s, uint32_t parent, uint32_t frame, uint32_t path)
{
	const struct stack_node node = { parent, frame };

	if (node_follows(s, &node))
		return parent + 1;
	return is_indexed(s, parent) ? node_find(s, &node, (uint64_t)path << 32) : PTUI_NONE;
}

uint32_t stacks_append(struct stacks *s, uint32_t parent, uint32_t frame)
{
	if (s->n >= PTUI_NONE || nodes_grow(s))
		return PTUI_NONE;
	s->partial = true;
	s->nodes[s->n] = (struct stack_node){ parent, frame };
	return (uint32_t)s->n++;
}

int stacks_index(struct stacks *s)
{
	if (!s->partial)
		return 0;
	stacks_drop_index(s);
	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *node = &s->nodes[i];

		if (node->parent != PTUI_NONE && i == (size_t)node->parent + 1)
			continue;
		if (index_table_add(&s->index, node_hash(node), (uint32_t)i))
			return -ENOMEM;
	}
	s->partial = false;
	return 0;
}
