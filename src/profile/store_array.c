/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arrays of a store, whose memory it shares with the profiles that it has published. */
#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "profile/store.h"

#define FIRST_ELEMENTS 1024

struct store_memory {
	atomic_uint refs;
	size_t size; /* in bytes, with `taken` */
	void *taken; /* the elements are there instead; freed with this */
	alignas(max_align_t) unsigned char bytes[];
};

const size_t store_element_bytes[STORE_ARRAYS] = {
	[STORE_TIME] = sizeof(uint64_t),
	[STORE_PERIOD] = sizeof(uint64_t),
	[STORE_THREAD] = sizeof(uint32_t),
	[STORE_COMM] = sizeof(uint32_t),
	[STORE_FRAME] = sizeof(uint32_t),
	[STORE_STACK] = sizeof(uint32_t),
	[STORE_CPU] = sizeof(uint32_t),
	[STORE_EVENT] = sizeof(uint16_t),
	[STORE_HOW] = sizeof(uint8_t),
	[STORE_COUNT] = sizeof(uint32_t),
	[STORE_THREADS] = sizeof(struct thread_id),
	[STORE_NODES] = sizeof(struct stack_node),
	[STORE_FOLDED] = sizeof(struct stack_node),
	[STORE_ENDS] = sizeof(struct stack_end),
	[STORE_FOLDED_OF] = sizeof(uint32_t),
	[STORE_FRAMES] = sizeof(struct profile_frame),
	[STORE_NAMES] = sizeof(const char *),
};

void store_memory_unref(struct store_memory *m)
{
	if (!m || atomic_fetch_sub_explicit(&m->refs, 1, memory_order_acq_rel) != 1)
		return;
	free(m->taken);
	free(m);
}

struct store_memory *store_memory_ref(struct store_memory *m)
{
	if (m)
		atomic_fetch_add_explicit(&m->refs, 1, memory_order_relaxed);
	return m;
}

uint64_t store_memory_bytes(const struct store_memory *m)
{
	return m ? m->size : 0;
}

/* `bytes`: with the struct itself. */
static struct store_memory *memory_new(size_t bytes)
{
	struct store_memory *m = malloc(bytes);

	if (!m)
		return NULL;
	atomic_init(&m->refs, 1);
	m->size = bytes;
	m->taken = NULL;
	return m;
}

void *store_array_at(const struct store_array *a, int kind, size_t i)
{
	unsigned char *bytes;

	if (!a->mem)
		return NULL;
	bytes = a->mem->taken ? a->mem->taken : a->mem->bytes;
	return bytes + i * store_element_bytes[kind];
}

void store_array_clear(struct store_array *a)
{
	store_memory_unref(a->mem);
	*a = (struct store_array){ 0 };
}

struct store_memory *store_array_memory(struct store_array *a, int kind, size_t first, size_t cap)
{
	struct store_memory *mem;
	size_t bytes;

	if (cap > PTRDIFF_MAX / store_element_bytes[kind] - 1)
		return NULL;
	bytes = sizeof(*mem) + cap * store_element_bytes[kind];
	if (a->mem && !first && atomic_load_explicit(&a->mem->refs, memory_order_acquire) == 1) {
		mem = realloc(a->mem, bytes);
		if (!mem)
			return NULL;
		mem->size = bytes;
		a->mem = mem;
	} else {
		mem = memory_new(bytes);
	}
	if (mem && kind == STORE_FRAMES)
		memory_at_random(mem, bytes);
	return mem;
}

void store_array_move(struct store_array *a, int kind, size_t first, struct store_memory *mem,
		      size_t cap)
{
	a->cap = cap;
	if (mem == a->mem)
		return;
	if (a->n > first)
		memcpy(mem->bytes, store_array_at(a, kind, first),
		       (a->n - first) * store_element_bytes[kind]);
	store_memory_unref(a->mem);
	a->mem = mem;
	a->n -= first;
}

int store_array_reserve(struct store_array *a, int kind, size_t more)
{
	size_t cap = a->cap ? a->cap : FIRST_ELEMENTS;
	struct store_memory *mem;

	if (a->mem && a->n + more <= a->cap)
		return 0;
	while (cap < a->n + more)
		cap *= 2;
	mem = store_array_memory(a, kind, 0, cap);
	if (!mem)
		return -ENOMEM;
	store_array_move(a, kind, 0, mem, cap);
	return 0;
}

int store_array_add(struct store_array *a, int kind, const void *elements, size_t n)
{
	int ret = store_array_reserve(a, kind, n);

	if (ret)
		return ret;
	if (n)
		memcpy(store_array_at(a, kind, a->n), elements, n * store_element_bytes[kind]);
	a->n += n;
	return 0;
}

int store_array_share_nodes(struct store_array *a, struct stacks *s)
{
	struct store_memory *mem;

	if (s->nodes && !s->shared) {
		mem = memory_new(sizeof(*mem));
		if (!mem)
			return -ENOMEM;
		mem->taken = s->nodes;
		mem->size += s->cap * sizeof(*s->nodes);
		s->shared = true;
		store_memory_unref(a->mem);
		a->mem = mem;
	}
	a->n = a->cap = s->n;
	return 0;
}
