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
}

void stacks_release(struct stacks *s)
{
	if (!s->shared)
		free(s->nodes);
	free(s->slots);
	stacks_init(s);
}

void stacks_drop_slots(struct stacks *s)
{
	free(s->slots);
	s->slots = NULL;
	s->n_slots = s->n_used = 0;
}

/* Makes room for one more node. 0 or -ENOMEM. */
static int nodes_grow(struct stacks *s)
{
	struct stack_node *own = NULL;
	size_t cap = 0;

	if (s->n < s->cap)
		return 0;
	if (!s->shared)
		return vec_grow(&s->nodes, &s->cap, s->n + 1) ? -ENOMEM : 0;
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

/* The slot of a node, or the free one for it. */
static struct stack_slot *slot_find(const struct stacks *s, const struct stack_node *node)
{
	size_t mask = s->n_slots - 1, at = hash_pair(node->parent, node->frame) & mask;

	while (s->slots[at].node != PTUI_NONE && !node_same(&s->slots[at].key, node))
		at = (at + 1) & mask;
	return &s->slots[at];
}

/* Makes room for one more; at most 5 of 8 slots are used. 0 or -ENOMEM. */
static int slots_grow(struct stacks *s)
{
	struct stacks to = { .n_slots = s->n_slots ? 2 * s->n_slots : 1024 };

	if ((s->n_used + 1) * 8 <= s->n_slots * 5)
		return 0;
	if (to.n_slots > PTRDIFF_MAX / sizeof(*to.slots))
		return -ENOMEM;
	to.slots = hash_alloc(to.n_slots * sizeof(*to.slots));
	if (!to.slots)
		return -ENOMEM;
	memset(to.slots, 0xff, to.n_slots * sizeof(*to.slots)); /* all free */
	for (size_t i = 0; i < s->n_slots; i++)
		if (s->slots[i].node != PTUI_NONE)
			*slot_find(&to, &s->slots[i].key) = s->slots[i];
	free(s->slots);
	s->slots = to.slots;
	s->n_slots = to.n_slots;
	return 0;
}

uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t frame)
{
	struct stack_node node = { parent, frame };
	struct stack_slot *slot = NULL;

	/* Most nodes follow their parent, since the new end of a chain is added at once. */
	if (parent != PTUI_NONE && parent + 1 < s->n && node_same(&s->nodes[parent + 1], &node))
		return parent + 1;
	/* the newest node has no children yet, and its first one will follow it */
	if (parent == PTUI_NONE || parent + 1 < s->n) {
		if (slots_grow(s))
			return PTUI_NONE;
		slot = slot_find(s, &node);
		if (slot->node != PTUI_NONE)
			return slot->node;
	}
	if (s->n >= PTUI_NONE || nodes_grow(s))
		return PTUI_NONE;
	if (slot) {
		*slot = (struct stack_slot){ node, (uint32_t)s->n };
		s->n_used++;
	}
	s->nodes[s->n] = node;
	return (uint32_t)s->n++;
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
	stacks_drop_slots(s);
	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *node = &s->nodes[i];

		if (node->parent != PTUI_NONE && i == (size_t)node->parent + 1)
			continue;
		if (slots_grow(s))
			return -ENOMEM;
		*slot_find(s, node) = (struct stack_slot){ *node, (uint32_t)i };
		s->n_used++;
	}
	s->partial = false;
	return 0;
}
