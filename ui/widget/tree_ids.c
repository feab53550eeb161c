/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "widget/tree.h"
#include "widget/tree_ids.h"

/* Open addressing, one after the other; at most half full. 0 is a free slot. */
struct tree_ids {
	uint64_t *slots;
	size_t room; /* a power of two */
	size_t n;
};

#define ROOM_FIRST 64

static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
	x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

/* The slot of an id, or the free one where it would be. */
static size_t slot_of(const uint64_t *slots, size_t room, uint64_t id)
{
	size_t at = (size_t)mixed(id) & (room - 1);

	while (slots[at] && slots[at] != id)
		at = (at + 1) & (room - 1);
	return at;
}

struct tree_ids *tree_ids_new(void)
{
	struct tree_ids *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->slots = calloc(ROOM_FIRST, sizeof(*s->slots));
	s->room = ROOM_FIRST;
	if (!s->slots) {
		free(s);
		return NULL;
	}
	return s;
}

void tree_ids_free(struct tree_ids *s)
{
	if (!s)
		return;
	free(s->slots);
	free(s);
}

static int tree_ids_grow(struct tree_ids *s)
{
	size_t i, room = s->room * 2;
	uint64_t *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < s->room; i++) {
		if (s->slots[i])
			slots[slot_of(slots, room, s->slots[i])] = s->slots[i];
	}
	free(s->slots);
	s->slots = slots;
	s->room = room;
	return 0;
}

int tree_ids_add(struct tree_ids *s, uint64_t id)
{
	size_t at = slot_of(s->slots, s->room, id);

	if (!id || s->slots[at])
		return 0;
	if ((s->n + 1) * 2 > s->room) {
		if (tree_ids_grow(s) < 0)
			return -ENOMEM;
		at = slot_of(s->slots, s->room, id);
	}
	s->slots[at] = id;
	s->n++;
	return 0;
}

void tree_ids_remove(struct tree_ids *s, uint64_t id)
{
	size_t mask = s->room - 1, hole = slot_of(s->slots, s->room, id), at = hole;

	if (!s->slots[hole])
		return;
	s->n--;
	/* Those behind the hole that would not be found past it move up. */
	for (;;) {
		size_t home;

		at = (at + 1) & mask;
		if (!s->slots[at])
			break;
		home = (size_t)mixed(s->slots[at]) & mask;
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		s->slots[hole] = s->slots[at];
		hole = at;
	}
	s->slots[hole] = 0;
}

bool tree_ids_has(const struct tree_ids *s, uint64_t id)
{
	return id && s->slots[slot_of(s->slots, s->room, id)] == id;
}

void tree_ids_clear(struct tree_ids *s)
{
	memset(s->slots, 0, s->room * sizeof(*s->slots));
	s->n = 0;
}

uint64_t tree_id(uint64_t parent, const void *what, size_t size)
{
	const unsigned char *bytes = what;
	uint64_t id = mixed(parent + UINT64_C(0x9e3779b97f4a7c15));
	size_t i;

	for (i = 0; i < size; i++)
		id = (id ^ bytes[i]) * UINT64_C(0x100000001b3);
	id = mixed(id ^ size);
	return id != TREE_TOP ? id : 1;
}
