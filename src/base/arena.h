/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arena: memory that is freed all at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include "ptui/types.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* the current one, followed by older ones */
	size_t bytes;		   /* allocated so far */
};

#define ARENA_INIT      \
	{               \
		NULL, 0 \
	}

void arena_init(struct arena *a);
void arena_release(struct arena *a);
/* Zeroed, aligned for any type. NULL: out of memory. */
void *arena_alloc(struct arena *a, size_t bytes);
/* Unaligned copies. NULL: out of memory. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_memdup0(struct arena *a, const void *bytes, size_t n); /* adds a NUL */
char *arena_printf(struct arena *a, const char *fmt, ...) PTUI_PRINTF(2, 3);

#endif
