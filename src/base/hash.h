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

/* Memory for a hash table, all of which will be used; to be freed with free(). NULL: none. */
void *hash_alloc(size_t bytes);

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
};

typedef bool (*index_same_fn)(const void *owner, uint32_t index, const void *key);

void index_table_init(struct index_table *t);
void index_table_release(struct index_table *t);
/* Returns the index; PTUI_NONE: none. */
uint32_t index_table_find(const struct index_table *t, uint64_t hash, index_same_fn same,
			  const void *owner, const void *key);
/*
 * For loops over many hashes: loads the slot that index_table_find() looks at first, some items ahead;
 * and the index in it, of the item that will be compared (PTUI_NONE: none).
 */
static inline void index_table_prefetch(const struct index_table *t, uint64_t hash)
{
	if (t->slots)
		__builtin_prefetch(&t->slots[(uint32_t)(hash >> 32) & t->mask]);
}

static inline uint32_t index_table_first(const struct index_table *t, uint64_t hash)
{
	return t->slots ? (uint32_t)t->slots[(uint32_t)(hash >> 32) & t->mask] : UINT32_MAX;
}

/* Adds without checking for duplicates. 0 or -ENOMEM. */
int index_table_add(struct index_table *t, uint64_t hash, uint32_t index);
/* Removes an index that was added with this hash. Does not shrink the table. */
void index_table_remove(struct index_table *t, uint64_t hash, uint32_t index);

#endif
