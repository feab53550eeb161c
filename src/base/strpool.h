/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names are kept once and compared as 32-bit ids. Ids are dense, from 0, in order of first
 * sight; id 0 is always "". Not thread-safe; pointers stay valid until release.
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
/* The id, or PTUI_NONE when out of memory. */
uint32_t strpool_add(struct strpool *p, const char *s);
/* The same for at most n bytes; a NUL ends the name earlier (fixed fields of a record). */
uint32_t strpool_add_n(struct strpool *p, const char *s, size_t n);
/* The id if it was seen before, else PTUI_NONE. */
uint32_t strpool_find(const struct strpool *p, const char *s);
/* Borrowed; "" for an id that does not exist. */
static inline const char *strpool_get(const struct strpool *p, uint32_t id)
{
	return id < p->n ? p->names[id] : "";
}

/* Some of the names of a pool to another one: who keeps ids asks for the new ones. */
struct strpool_move {
	const struct strpool *from;
	struct strpool *to;
	uint32_t *now; /* by old id; PTUI_NONE: not asked for yet */
	bool failed;   /* out of memory: what was told since is of no use */
};

int strpool_move_init(struct strpool_move *mv, const struct strpool *from, struct strpool *to);
void strpool_move_release(struct strpool_move *mv);
/* PTUI_NONE stays what it is. */
uint32_t strpool_move(struct strpool_move *mv, uint32_t id);

#endif
