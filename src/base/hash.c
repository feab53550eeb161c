/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashing of bytes, and the index table. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/vec.h"
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

/* Two chains of products, which the processor computes beside each other. */
struct hash_wide hash_words(const uint64_t *words, size_t n, uint64_t seed)
{
	uint64_t a = K0 ^ seed, b = K2 + (n ^ seed) * K1;

	for (size_t i = 0; i < n; i++) {
		a = mul_fold(a ^ words[i], K1) + i;
		b = mul_fold(b + words[i], K2) ^ words[i];
	}
	return (struct hash_wide){ { mul_fold(a ^ K2, K0), mul_fold(b ^ K0, K1) } };
}

/*
 * A slot's place depends only on the stored half of the hash: growing needs no keys. It is the high bits,
 * so growing moves the slots in their order.
 */
#define TABLE_MIN_SLOTS 16

static inline uint32_t slot_index(uint64_t slot)
{
	return (uint32_t)slot;
}

void index_table_init(struct index_table *t)
{
	*t = (struct index_table){ .slots = NULL };
}

void index_table_release(struct index_table *t)
{
	free(t->slots);
	index_table_init(t);
}

int index_table_copy(struct index_table *to, const struct index_table *from)
{
	size_t bytes = from->slots ? ((size_t)from->mask + 1) * sizeof(*from->slots) : 0;
	uint64_t *slots = bytes ? malloc(bytes) : NULL;

	if (bytes && !slots)
		return -ENOMEM;
	if (bytes)
		memcpy(slots, from->slots, bytes);
	*to = *from;
	to->slots = slots;
	return 0;
}

uint32_t index_table_find(const struct index_table *t, uint64_t hash, index_same_fn same,
			  const void *owner, const void *key)
{
	uint32_t at = index_table_begin(t, hash), i;

	do {
		i = index_table_next(t, hash, &at);
	} while (i != PTUI_NONE && !same(owner, i, key));
	return i;
}

/* There is always a free slot: the table is never full. */
static void place_slot(const struct index_table *t, uint64_t slot)
{
	uint32_t at = index_table_begin(t, slot);

	while (slot_index(t->slots[at]) != PTUI_NONE)
		at = (at + 1) & t->mask;
	t->slots[at] = slot;
}

/* At most 7 of 10 slots are used. */
static bool table_has_room(uint64_t n_slots, uint64_t n)
{
	return n * 10 <= n_slots * 7;
}

/* Makes room for n indices. 0 or -ENOMEM. */
static int table_grow(struct index_table *t, uint64_t n)
{
	uint64_t old_n = t->slots ? (uint64_t)t->mask + 1 : 0;
	uint64_t new_n = old_n ? hash_slots_after(old_n) : TABLE_MIN_SLOTS;
	struct index_table to = { .n = t->n };

	while (!table_has_room(new_n, n))
		new_n *= 2;
	/* `mask` has 32 bits */
	if (new_n - 1 > UINT32_MAX || new_n > PTRDIFF_MAX / sizeof(*to.slots))
		return -ENOMEM;
	to.slots = malloc((size_t)new_n * sizeof(*to.slots));
	if (!to.slots)
		return -ENOMEM;
	memory_at_random(to.slots, (size_t)new_n * sizeof(*to.slots));
	memset(to.slots, 0xff, (size_t)new_n * sizeof(*to.slots)); /* all free */
	to.mask = (uint32_t)(new_n - 1);
	to.shift = 32 - (unsigned)__builtin_ctzll(new_n);
	for (uint64_t i = 0; i < old_n; i++)
		if (slot_index(t->slots[i]) != PTUI_NONE)
			place_slot(&to, t->slots[i]);
	free(t->slots);
	*t = to;
	return 0;
}

int index_table_reserve(struct index_table *t, uint32_t n)
{
	return t->slots && table_has_room((uint64_t)t->mask + 1, n) ? 0 : table_grow(t, n);
}

int index_table_add(struct index_table *t, uint64_t hash, uint32_t index)
{
	assert(index != PTUI_NONE);
	if (index_table_reserve(t, t->n + 1))
		return -ENOMEM;
	place_slot(t, (hash & ~(uint64_t)UINT32_MAX) | index);
	t->n++;
	return 0;
}

void index_table_remove(struct index_table *t, uint64_t hash, uint32_t index)
{
	uint64_t slot = (hash & ~(uint64_t)UINT32_MAX) | index;
	uint32_t hole = index_table_begin(t, hash), at;

	while (t->slots[hole] != slot)
		hole = (hole + 1) & t->mask;
	/* move slots that are unreachable beyond the hole */
	for (at = (hole + 1) & t->mask; slot_index(t->slots[at]) != PTUI_NONE;
	     at = (at + 1) & t->mask) {
		uint32_t home = index_table_begin(t, t->slots[at]);

		if (((at - home) & t->mask) < ((at - hole) & t->mask))
			continue;
		t->slots[hole] = t->slots[at];
		hole = at;
	}
	t->slots[hole] = UINT64_MAX;
	t->n--;
}
