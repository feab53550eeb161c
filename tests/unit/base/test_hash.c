/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "lib/need.h"
#include "ptui/types.h"
#include "unit/base/guard.h"
#include "unit/base/random.h"

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static size_t count_equal_neighbours(uint64_t *v, size_t n)
{
	size_t same = 0;

	qsort(v, n, sizeof(*v), compare_u64);
	for (size_t i = 1; i < n; i++)
		same += v[i] == v[i - 1];
	return same;
}

static void test_stays_inside_its_bytes(void **state)
{
	char *end = guard_end();

	(void)state;
	assert_non_null(end);
	for (size_t n = 0; n < 64; n++) {
		char copy[64];

		memset(end - n, (int)n + 1, n);
		memcpy(copy, end - n, n);
		/* independent of alignment */
		assert_true(hash_bytes(end - n, n) == hash_bytes(copy, n));
	}
}

/* Lengths count: zeros of any length hash differently. */
static void test_length_counts(void **state)
{
	static const char zeros[300];
	uint64_t v[301];

	(void)state;
	for (size_t n = 0; n <= 300; n++)
		v[n] = hash_bytes(zeros, n);
	assert_int_equal(count_equal_neighbours(v, 301), 0);
}

/* Similar names: no 64-bit collisions, and the half that tables use is spread, too. */
static void test_similar_names(void **state)
{
	enum { N = 200000 };
	uint64_t *v = malloc(N * sizeof(*v));
	size_t same32;

	(void)state;
	assert_non_null(v);
	for (size_t i = 0; i < N; i++) {
		char name[32];

		snprintf(name, sizeof(name), "symbol_%zu_init", i);
		v[i] = hash_bytes(name, strlen(name));
	}
	assert_int_equal(count_equal_neighbours(v, N), 0);
	for (size_t i = 0; i < N; i++)
		v[i] >>= 32;
	same32 = count_equal_neighbours(v, N);
	/* chance alone gives n^2/2^33 = 4.7 */
	assert_in_range(same32, 0, 20);
	free(v);
}

/* One changed input bit changes about half of the output bits. */
static void test_every_bit_matters(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (size_t n = 1; n <= 40; n++) {
		for (size_t bit = 0; bit < n * 8; bit++) {
			unsigned int changed = 0, round;

			for (round = 0; round < 16; round++) {
				unsigned char s[40];
				uint64_t before;

				for (size_t i = 0; i < n; i++)
					s[i] = (unsigned char)random_next(&seed);
				before = hash_bytes(s, n);
				s[bit / 8] ^= (unsigned char)(1 << bit % 8);
				changed += (unsigned int)__builtin_popcountll(before ^
									      hash_bytes(s, n));
			}
			/* 16 x 32 expected, sigma 16 */
			assert_in_range(changed, 400, 624);
		}
	}
}

/* Two changed bits must not cancel out. */
static void test_two_bits_do_not_cancel(void **state)
{
	enum { BITS = 32 * 8 };
	static uint64_t v[BITS * (BITS - 1) / 2];
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < BITS; i++) {
		for (size_t j = i + 1; j < BITS; j++) {
			unsigned char s[32] = { 0 };

			s[i / 8] ^= (unsigned char)(1 << i % 8);
			s[j / 8] ^= (unsigned char)(1 << j % 8);
			v[n++] = hash_bytes(s, sizeof(s));
		}
	}
	assert_int_equal(count_equal_neighbours(v, n), 0);
}

static void test_hash_u64_spreads_small_numbers(void **state)
{
	enum { N = 100000 };
	static uint64_t v[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		v[i] = hash_pair(i % 1000, i / 1000) >> 32;
	/* n^2/2^33 = 1.2 by chance */
	assert_in_range(count_equal_neighbours(v, N), 0, 10);
	assert_true(hash_pair(1, 2) != hash_pair(2, 1));
}

static bool same_number(const void *owner, uint32_t index, const void *key)
{
	const uint64_t *items = owner;

	return items[index] == *(const uint64_t *)key;
}

static uint32_t naive_find(const uint64_t *items, uint32_t n, uint64_t key)
{
	for (uint32_t i = 0; i < n; i++)
		if (items[i] == key)
			return i;
	return PTUI_NONE;
}

typedef uint64_t (*hash_fn)(uint64_t key);

static uint64_t good_hash(uint64_t key)
{
	return hash_u64(key);
}

/* Only 4 different slots, the last one at the end of the table: wraps around. */
static uint64_t bad_hash(uint64_t key)
{
	return (uint64_t)(0xfffffffcU + key % 4) << 32;
}

static uint64_t one_hash(uint64_t key)
{
	(void)key;
	return 0;
}

/* Checks the table after two of three items were removed. */
static void check_removal(struct index_table *t, hash_fn hash, const uint64_t *items, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (i % 3)
			index_table_remove(t, hash(items[i]), i);
	assert_int_equal(t->n, (n + 2) / 3);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(index_table_find(t, hash(items[i]), same_number, items, &items[i]),
				 i % 3 ? PTUI_NONE : i);
}

static void check_table(hash_fn hash, uint32_t n_max, uint64_t seed)
{
	uint64_t *items = malloc(n_max * sizeof(*items));
	struct index_table t;
	uint32_t n = 0;

	assert_non_null(items);
	index_table_init(&t);
	while (n < n_max) {
		uint64_t key = random_below(&seed, n_max * 2);
		uint32_t want = naive_find(items, n, key);
		uint32_t got = index_table_find(&t, hash(key), same_number, items, &key);

		assert_int_equal(got, want);
		if (got != PTUI_NONE)
			continue;
		items[n] = key;
		assert_int_equal(index_table_add(&t, hash(key), n), 0);
		n++;
		assert_int_equal(t.n, n);
		assert_true((uint64_t)t.n * 10 <= ((uint64_t)t.mask + 1) * 7);
	}
	check_removal(&t, hash, items, n);
	index_table_release(&t);
	assert_null(t.slots);
	free(items);
}

static void test_table_against_search(void **state)
{
	(void)state;
	check_table(good_hash, 3000, 11);
	check_table(bad_hash, 700, 12);
	check_table(one_hash, 500, 13);
}

static void test_table_empty(void **state)
{
	struct index_table t;
	uint64_t key = 1;

	(void)state;
	index_table_init(&t);
	assert_int_equal(index_table_find(&t, 1, same_number, NULL, &key), PTUI_NONE);
	index_table_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stays_inside_its_bytes),
		cmocka_unit_test(test_length_counts),
		cmocka_unit_test(test_similar_names),
		cmocka_unit_test(test_every_bit_matters),
		cmocka_unit_test(test_two_bits_do_not_cancel),
		cmocka_unit_test(test_hash_u64_spreads_small_numbers),
		cmocka_unit_test(test_table_against_search),
		cmocka_unit_test(test_table_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
