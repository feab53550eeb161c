/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashing, and the only hash table: from a 64-bit hash to a 32-bit index. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t hash_u64(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	return x;
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	return hash_u64(a * 0x9e3779b97f4a7c15ULL ^ hash_u64(b + 0x7f4a7c15ULL));
}

uint64_t hash_bytes(const void *bytes, size_t n);

/* 128 bits, for keys that are not kept: two keys with the same hash are the same. */
struct hash_wide {
	uint64_t v[2];
};
struct hash_wide hash_words(const uint64_t *words, size_t n, uint64_t seed);

/*
 * Open addressing, linear probing. Stores (hash, index) only: the items are in the owner's array,
 * and `same` compares item `index` with the key.
 *
 *   slot: [ high 32 bits of the hash | index ]   index PTUI_NONE: free
 */
struct index_table {
	uint64_t *slots;
	uint32_t mask; /* number of slots - 1; 0: not allocated */
	uint32_t n;
	unsigned shift; /* of the stored half: what is left are the bits of a slot's place */
};

typedef bool (*index_same_fn)(const void *owner, uint32_t index, const void *key);

void index_table_init(struct index_table *t);
void index_table_release(struct index_table *t);
/* Returns the index; PTUI_NONE: none. */
uint32_t index_table_find(const struct index_table *t, uint64_t hash, index_same_fn same,
			  const void *owner, const void *key);
/*
 * The same as a loop, without a function that compares: the next index whose item may have the hash,
 * PTUI_NONE after the last one. *at is to be index_table_begin() before.
 */
static inline uint32_t index_table_begin(const struct index_table *t, uint64_t hash)
{
	return (uint32_t)(hash >> 32) >> t->shift;
}

static inline uint32_t index_table_next(const struct index_table *t, uint64_t hash, uint32_t *at)
{
	if (!t->slots)
		return UINT32_MAX;
	for (;;) {
		uint64_t slot = t->slots[*at];

		*at = (*at + 1) & t->mask;
		if ((uint32_t)slot == UINT32_MAX || slot >> 32 == hash >> 32)
			return (uint32_t)slot;
	}
}

/* For large tables, whose growth costs most: the number of slots after n. */
static inline uint64_t hash_slots_after(uint64_t n)
{
	return n >= 1u << 14 && n <= 1u << 18 ? 4 * n : 2 * n;
}

/*
 * For loops over many hashes: loads the slot that index_table_find() looks at first, some items ahead;
 * and the index in it, of the item that will be compared (PTUI_NONE: none).
 */
static inline void index_table_prefetch(const struct index_table *t, uint64_t hash)
{
	if (t->slots)
		__builtin_prefetch(&t->slots[index_table_begin(t, hash)]);
}

static inline uint32_t index_table_first(const struct index_table *t, uint64_t hash)
{
	return t->slots ? (uint32_t)t->slots[index_table_begin(t, hash)] : UINT32_MAX;
}

/* Makes an initialized table, without indices, a copy of another one. 0 or -ENOMEM. */
int index_table_copy(struct index_table *to, const struct index_table *from);
/* Makes room for n indices in all, which would take some moves otherwise. 0 or -ENOMEM. */
int index_table_reserve(struct index_table *t, uint32_t n);
/* Adds without checking for duplicates. 0 or -ENOMEM. */
int index_table_add(struct index_table *t, uint64_t hash, uint32_t index);
/* Removes an index that was added with this hash. Does not shrink the table. */
void index_table_remove(struct index_table *t, uint64_t hash, uint32_t index);

#endif
