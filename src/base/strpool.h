/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned strings, compared by 32-bit ids. Ids are dense, from 0, in order of first use; id 0 is
 * "". Not thread-safe; pointers are valid until release.
 */
#ifndef BASE_STRPOOL_H
#define BASE_STRPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/hash.h"
#include "ptui/types.h"

struct strpool {
	struct arena text;
	const char **names;
	size_t cap;
	uint32_t n;
	struct index_table index;
};

int strpool_init(struct strpool *p); /* 0 or -ENOMEM */
void strpool_release(struct strpool *p);
/*
 * Gives a new pool the strings of another one, with their ids. Texts are not copied, so the other pool must
 * outlive it. Strings that are added to one of them later are not added to the other. 0 or -ENOMEM.
 */
int strpool_share(struct strpool *to, const struct strpool *from);
/* Returns the id; PTUI_NONE: out of memory. */
uint32_t strpool_add(struct strpool *p, const char *s);
/* The same for at most n bytes, up to a NUL (fixed-size fields of records). */
uint32_t strpool_add_n(struct strpool *p, const char *s, size_t n);
/* The id of a known string, else PTUI_NONE. */
uint32_t strpool_find(const struct strpool *p, const char *s);
/* Borrowed; "" for an unknown id. */
static inline const char *strpool_get(const struct strpool *p, uint32_t id)
{
	return id < p->n ? p->names[id] : "";
}

/* Moves used names to another pool; owners of ids call strpool_move() for the new ones. */
struct strpool_move {
	const struct strpool *from;
	struct strpool *to;
	uint32_t *now; /* new id by old id; PTUI_NONE: not moved yet */
	bool failed;   /* out of memory: the new ids are invalid */
};

int strpool_move_init(struct strpool_move *mv, const struct strpool *from, struct strpool *to);
void strpool_move_release(struct strpool_move *mv);
/* Returns the new id; PTUI_NONE for PTUI_NONE. */
uint32_t strpool_move(struct strpool_move *mv, uint32_t id);

#endif
