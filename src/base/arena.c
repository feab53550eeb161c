/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arena: chunks from calloc(), filled from the start and never reused, so that allocations are
 * zero without a memset().
 *
 *   arena.chunk -> [ used ####..... cap ] -> [ full ] -> [ one big item ] -> NULL
 */
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"

#define CHUNK_FIRST_BYTES 4096
#define CHUNK_MAX_BYTES	  (1024 * 1024)

struct arena_chunk {
	struct arena_chunk *older;
	size_t used;
	size_t cap;
	alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *a)
{
	*a = (struct arena)ARENA_INIT;
}

void arena_release(struct arena *a)
{
	struct arena_chunk *chunk = a->chunk;

	while (chunk) {
		struct arena_chunk *older = chunk->older;

		free(chunk);
		chunk = older;
	}
	arena_init(a);
}

static struct arena_chunk *chunk_new(size_t cap)
{
	struct arena_chunk *chunk;

	if (cap > PTRDIFF_MAX - sizeof(*chunk))
		return NULL;
	chunk = calloc(1, sizeof(*chunk) + cap);
	if (chunk)
		chunk->cap = cap;
	return chunk;
}

/* A chunk with n free bytes at its start or end; chunks double in size. */
static struct arena_chunk *chunk_add(struct arena *a, size_t n)
{
	struct arena_chunk *chunk;
	size_t cap = a->chunk ? a->chunk->cap * 2 : CHUNK_FIRST_BYTES;

	if (cap > CHUNK_MAX_BYTES)
		cap = CHUNK_MAX_BYTES;
	if (a->chunk && n > cap / 4) {
		/* a big item gets its own chunk, after the current one, which still has room */
		chunk = chunk_new(n);
		if (chunk) {
			chunk->older = a->chunk->older;
			a->chunk->older = chunk;
		}
		return chunk;
	}
	chunk = chunk_new(cap > n ? cap : n);
	if (chunk) {
		chunk->older = a->chunk;
		a->chunk = chunk;
	}
	return chunk;
}

static void *arena_carve(struct arena *a, size_t n, size_t align)
{
	struct arena_chunk *chunk = a->chunk;
	size_t at = 0;

	if (chunk)
		at = (chunk->used + align - 1) & ~(align - 1);
	if (!chunk || at > chunk->cap || n > chunk->cap - at) {
		chunk = chunk_add(a, n);
		if (!chunk)
			return NULL;
		at = 0;
	}
	chunk->used = at + n;
	a->bytes += n;
	return chunk->bytes + at;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	return arena_carve(a, bytes, alignof(max_align_t));
}

char *arena_memdup0(struct arena *a, const void *bytes, size_t n)
{
	char *copy;

	if (n == SIZE_MAX)
		return NULL;
	copy = arena_carve(a, n + 1, 1);
	if (copy && n)
		memcpy(copy, bytes, n);
	return copy;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	char *copy = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n >= 0)
		copy = arena_carve(a, (size_t)n + 1, 1);
	if (copy) {
		va_start(ap, fmt);
		vsnprintf(copy, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_memdup0(a, s, strlen(s));
}
