/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts are in an arena; ids are indices of names[], found by an index table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/strpool.h"
#include "base/vec.h"

struct key {
	const char *s;
	size_t n; /* no NUL inside */
};

/* strncmp() stops at the name's NUL, so names[][n] exists if it returns 0. */
static bool same_name(const void *owner, uint32_t index, const void *key)
{
	const struct strpool *p = owner;
	const struct key *k = key;
	const char *name = p->names[index];

	return !strncmp(name, k->s, k->n) && !name[k->n];
}

static uint32_t find_n(const struct strpool *p, const struct key *k, uint64_t hash)
{
	return index_table_find(&p->index, hash, same_name, p, k);
}

int strpool_init(struct strpool *p)
{
	memset(p, 0, sizeof(*p));
	arena_init(&p->text);
	index_table_init(&p->index);
	if (strpool_add(p, "") == PTUI_NONE) {
		strpool_release(p);
		return -ENOMEM;
	}
	return 0;
}

void strpool_release(struct strpool *p)
{
	arena_release(&p->text);
	index_table_release(&p->index);
	free(p->names);
	memset(p, 0, sizeof(*p));
}

int strpool_share(struct strpool *to, const struct strpool *from)
{
	index_table_release(&to->index);
	index_table_init(&to->index);
	if (vec_grow(&to->names, &to->cap, from->n) || index_table_copy(&to->index, &from->index))
		return -ENOMEM;
	memcpy(to->names, from->names, from->n * sizeof(*to->names));
	to->n = from->n;
	return 0;
}

uint32_t strpool_add_n(struct strpool *p, const char *s, size_t n)
{
	struct key k = { s, strnlen(s, n) };
	uint64_t hash = hash_bytes(s, k.n);
	uint32_t id = find_n(p, &k, hash);
	const char *name;

	if (id != PTUI_NONE)
		return id;
	if (p->n == PTUI_NONE || vec_grow(&p->names, &p->cap, (size_t)p->n + 1))
		return PTUI_NONE;
	name = arena_memdup0(&p->text, s, k.n);
	if (!name || index_table_add(&p->index, hash, p->n))
		return PTUI_NONE;
	p->names[p->n] = name;
	return p->n++;
}

uint32_t strpool_add(struct strpool *p, const char *s)
{
	return strpool_add_n(p, s, strlen(s));
}

uint32_t strpool_find(const struct strpool *p, const char *s)
{
	struct key k = { s, strlen(s) };

	return find_n(p, &k, hash_bytes(s, k.n));
}

int strpool_move_init(struct strpool_move *mv, const struct strpool *from, struct strpool *to)
{
	*mv = (struct strpool_move){ .from = from, .to = to };
	mv->now = malloc(((size_t)from->n + 1) * sizeof(*mv->now));
	if (!mv->now)
		return -ENOMEM;
	memset(mv->now, 0xff, ((size_t)from->n + 1) * sizeof(*mv->now));
	return 0;
}

void strpool_move_release(struct strpool_move *mv)
{
	free(mv->now);
	memset(mv, 0, sizeof(*mv));
}

uint32_t strpool_move(struct strpool_move *mv, uint32_t id)
{
	if (id >= mv->from->n)
		return PTUI_NONE;
	if (mv->now[id] == PTUI_NONE)
		mv->now[id] = strpool_add(mv->to, mv->from->names[id]);
	if (mv->now[id] == PTUI_NONE)
		mv->failed = true;
	return mv->now[id];
}
