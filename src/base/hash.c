/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashing of bytes, and the index table. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/hash.h"
#include "ptui/types.h"

/* Odd, half of the bits set, no pattern: primes near random 64-bit numbers. */
#define K0 0x9fb21c651e98df25ULL
#define K1 0xd1342543de82ef95ULL
#define K2 0xaf251af3b0f025b5ULL

/* Folds the 128-bit product: every input bit affects every output bit. */
static inline uint64_t mul_fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t low = al * bl, m1 = al * bh, m2 = ah * bl;
	uint64_t mid = (low >> 32) + (uint32_t)m1 + (uint32_t)m2;

	return (uint32_t)low ^ (mid << 32) ^ (ah * bh + (m1 >> 32) + (m2 >> 32) + (mid >> 32));
#endif
}

static inline uint64_t load64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t load32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* 8 bytes per step; the last step may use some of the last 8 bytes a second time. */
uint64_t hash_bytes(const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t h = K0 ^ (n * K1);
	uint64_t last = 0;
	size_t left = n;

	while (left > 8) {
		h = mul_fold(h ^ load64(p), K1);
		p += 8;
		left -= 8;
	}
	if (n >= 8)
		last = load64(p + left - 8);
	else if (n >= 4)
		last = load32(p) | load32(p + n - 4) << 32;
	else if (n)
		last = (uint64_t)p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16;
	h = mul_fold(h ^ last, K1);
	return mul_fold(h ^ K2, K0);
}

/* A slot's place depends only on the stored half of the hash: growing needs no keys. */
#define TABLE_MIN_SLOTS 16

static inline uint32_t slot_index(uint64_t slot)
{
	return (uint32_t)slot;
}

static inline uint32_t slot_home(uint64_t slot)
{
	return (uint32_t)(slot >> 32);
}

void index_table_init(struct index_table *t)
{
	*t = (struct index_table){ NULL, 0, 0 };
}

void index_table_release(struct index_table *t)
{
	free(t->slots);
	index_table_init(t);
}

uint32_t index_table_find(const struct index_table *t, uint64_t hash, index_same_fn same,
			  const void *owner, const void *key)
{
	uint32_t home = slot_home(hash);

	if (!t->slots)
		return PTUI_NONE;
	for (uint32_t at = home & t->mask; slot_index(t->slots[at]) != PTUI_NONE;
	     at = (at + 1) & t->mask) {
		uint64_t slot = t->slots[at];

		if (slot_home(slot) == home && same(owner, slot_index(slot), key))
			return slot_index(slot);
	}
	return PTUI_NONE;
}

/* There is always a free slot: the table is never full. */
static void place_slot(uint64_t *slots, uint32_t mask, uint64_t slot)
{
	uint32_t at = slot_home(slot) & mask;

	while (slot_index(slots[at]) != PTUI_NONE)
		at = (at + 1) & mask;
	slots[at] = slot;
}

/*
 * Lookups are at random places. With huge pages, each costs one cache miss instead of several: those
 * of the page tables.
 */
#define HUGE_BYTES ((size_t)2 << 20)

void *hash_alloc(size_t bytes)
{
	void *p;

	if (bytes < HUGE_BYTES)
		return malloc(bytes);
	p = aligned_alloc(HUGE_BYTES, (bytes + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1));
#ifdef MADV_HUGEPAGE
	if (p)
		madvise(p, bytes, MADV_HUGEPAGE); /* it may fail */
#endif
	return p;
}

static int table_grow(struct index_table *t)
{
	uint64_t old_n = t->slots ? (uint64_t)t->mask + 1 : 0;
	uint64_t new_n = old_n ? old_n * 2 : TABLE_MIN_SLOTS;
	uint64_t *slots;

	/* `mask` has 32 bits */
	if (new_n - 1 > UINT32_MAX || new_n > PTRDIFF_MAX / sizeof(*slots))
		return -ENOMEM;
	slots = hash_alloc((size_t)new_n * sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	memset(slots, 0xff, (size_t)new_n * sizeof(*slots)); /* all free */
	for (uint64_t i = 0; i < old_n; i++)
		if (slot_index(t->slots[i]) != PTUI_NONE)
			place_slot(slots, (uint32_t)(new_n - 1), t->slots[i]);
	free(t->slots);
	t->slots = slots;
	t->mask = (uint32_t)(new_n - 1);
	return 0;
}

int index_table_add(struct index_table *t, uint64_t hash, uint32_t index)
{
	int ret;

	assert(index != PTUI_NONE);
	/* at most 7 of 10 slots are used */
	if (!t->slots || ((uint64_t)t->n + 1) * 10 > ((uint64_t)t->mask + 1) * 7) {
		ret = table_grow(t);
		if (ret)
			return ret;
	}
	place_slot(t->slots, t->mask, (hash & ~(uint64_t)UINT32_MAX) | index);
	t->n++;
	return 0;
}

void index_table_remove(struct index_table *t, uint64_t hash, uint32_t index)
{
	uint64_t slot = (hash & ~(uint64_t)UINT32_MAX) | index;
	uint32_t hole = slot_home(hash) & t->mask, at;

	while (t->slots[hole] != slot)
		hole = (hole + 1) & t->mask;
	/* move slots that are unreachable beyond the hole */
	for (at = (hole + 1) & t->mask; slot_index(t->slots[at]) != PTUI_NONE;
	     at = (at + 1) & t->mask) {
		uint32_t home = slot_home(t->slots[at]) & t->mask;

		if (((at - home) & t->mask) < ((at - hole) & t->mask))
			continue;
		t->slots[hole] = t->slots[at];
		hole = at;
	}
	t->slots[hole] = UINT64_MAX;
	t->n--;
}
