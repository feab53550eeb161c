/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include "base/radix.h"
#include "lib/need.h"
#include "unit/base/random.h"

#define ITEMS_MAX 5000

/* By value, then by place before: what a stable sort returns. */
static int compare(const void *va, const void *vb)
{
	const struct radix_item *a = va, *b = vb;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Sorts n numbers with random bits in `mask`, and compares with qsort(). */
static void check_sorted(size_t n, uint64_t mask)
{
	static struct radix_item v[ITEMS_MAX], expected[ITEMS_MAX];
	uint64_t seed = n ^ mask;

	for (size_t i = 0; i < n; i++) {
		uint64_t random = (uint64_t)random_next(&seed) << 32 | random_next(&seed) << 1;

		v[i] = expected[i] = (struct radix_item){ random & mask, (uint32_t)i };
	}
	qsort(expected, n, sizeof(*expected), compare);
	assert_int_equal(radix_sort(v, n), 0);
	for (size_t i = 0; i < n; i++) {
		assert_true(v[i].value == expected[i].value);
		assert_int_equal(v[i].index, expected[i].index);
	}
}

/* The same for numbers of which the last ones are places. */
static void check_words(size_t n, uint64_t mask)
{
	enum { LOW = 13 };
	static struct radix_item expected[ITEMS_MAX];
	static uint64_t v[ITEMS_MAX];
	uint64_t seed = n ^ mask;

	for (size_t i = 0; i < n; i++) {
		uint64_t random = (uint64_t)random_next(&seed) << 32 | random_next(&seed) << 1;

		expected[i] = (struct radix_item){ (random & mask) >> LOW, (uint32_t)(n - i) };
		v[i] = expected[i].value << LOW | expected[i].index;
	}
	assert_int_equal(radix_sort(expected, n), 0);
	assert_int_equal(radix_sort_words(v, n, LOW), 0);
	for (size_t i = 0; i < n; i++)
		assert_true(v[i] == (expected[i].value << LOW | expected[i].index));
}

static void test_words(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 48, 49, 2047, 4095, 4096, ITEMS_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		check_words(sizes[i], UINT64_MAX);
		check_words(sizes[i], 0x6000); /* mostly equal */
		check_words(sizes[i], 0x3ff00000);
		check_words(sizes[i], 0xffffULL << 48);
		check_words(sizes[i], 0x8000000000ffe000);
		check_words(sizes[i], 0xc0000000fffffffe);
	}
}

static void test_sorts_like_qsort(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 47, 48, 49, 50, 2047, 2048, ITEMS_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		check_sorted(sizes[i], UINT64_MAX);
		check_sorted(sizes[i], 2);	    /* mostly equal */
		check_sorted(sizes[i], 0x3ff00000); /* bits that are equal in all */
		check_sorted(sizes[i], 0xffffULL << 48);
		check_sorted(sizes[i], 0x8000000000000ffe); /* two groups, by the last bits */
		check_sorted(sizes[i], 0xc0000000fffffffe);
		check_sorted(sizes[i], 0x8000000000000002); /* few groups, mostly equal */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sorts_like_qsort),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
