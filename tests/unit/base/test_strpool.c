/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include "base/strpool.h"
#include "lib/need.h"
#include "unit/base/guard.h"
#include "unit/base/random.h"

static void test_starts_with_the_empty_name(void **state)
{
	struct strpool p;

	(void)state;
	assert_int_equal(strpool_init(&p), 0);
	assert_int_equal(p.n, 1);
	assert_string_equal(strpool_get(&p, 0), "");
	assert_int_equal(strpool_add(&p, ""), 0);
	assert_int_equal(strpool_find(&p, ""), 0);
	assert_int_equal(strpool_find(&p, "x"), PTUI_NONE);
	assert_string_equal(strpool_get(&p, 1), "");
	assert_string_equal(strpool_get(&p, PTUI_NONE), "");
	strpool_release(&p);
	strpool_release(&p);
}

/* Names of few letters, so that most repeat, or are part of others. */
static void test_against_search(void **state)
{
	static char seen[3000][8];
	static const char *pointers[3000];
	struct strpool p;
	uint64_t seed = 21;
	uint32_t n = 1;

	(void)state;
	assert_int_equal(strpool_init(&p), 0);
	pointers[0] = strpool_get(&p, 0);
	for (uint32_t round = 0; round < 20000; round++) {
		char name[8] = "";
		uint32_t len = random_below(&seed, 7), want;

		for (uint32_t i = 0; i < len; i++)
			name[i] = (char)('a' + random_below(&seed, 3));
		for (want = 0; want < n && strcmp(seen[want], name); want++)
			;
		assert_int_equal(strpool_find(&p, name), want < n ? want : PTUI_NONE);
		assert_int_equal(strpool_add(&p, name), want);
		if (want == n) {
			memcpy(seen[n], name, sizeof(name));
			pointers[n++] = strpool_get(&p, want);
		}
		assert_int_equal(p.n, n);
	}
	assert_in_range(n, 1000, 1 + 3 + 9 + 27 + 81 + 243 + 729); /* most of the possible names
								      occurred */
	for (uint32_t i = 0; i < n; i++) {
		assert_string_equal(strpool_get(&p, i), seen[i]);
		assert_ptr_equal(strpool_get(&p, i), pointers[i]); /* valid until release */
	}
	strpool_release(&p);
}

static void test_add_n(void **state)
{
	char *end = guard_end();
	struct strpool p;
	uint32_t id;

	(void)state;
	assert_non_null(end);
	assert_int_equal(strpool_init(&p), 0);
	/* no NUL: only n bytes are read */
	memcpy(end - 4, "comm", 4);
	id = strpool_add_n(&p, end - 4, 4);
	assert_string_equal(strpool_get(&p, id), "comm");
	assert_int_equal(strpool_add(&p, "comm"), id);
	assert_int_equal(strpool_add_n(&p, "commander", 4), id);
	assert_int_not_equal(strpool_add_n(&p, "commander", 5), id);
	/* a fixed-size field: ignores bytes after the NUL */
	assert_int_equal(strpool_add_n(&p, "comm\0garbage", 12), id);
	assert_int_equal(strpool_add_n(&p, "\0comm", 5), 0);
	assert_int_equal(strpool_add_n(&p, "comm", 0), 0);
	strpool_release(&p);
}

static void test_many_names(void **state)
{
	struct strpool p;

	(void)state;
	assert_int_equal(strpool_init(&p), 0);
	for (uint32_t i = 1; i <= 50000; i++) {
		char name[24];

		snprintf(name, sizeof(name), "function_%u", i);
		assert_int_equal(strpool_add(&p, name), i);
	}
	for (uint32_t i = 1; i <= 50000; i++) {
		char name[24];

		snprintf(name, sizeof(name), "function_%u", i);
		assert_int_equal(strpool_find(&p, name), i);
	}
	strpool_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starts_with_the_empty_name),
		cmocka_unit_test(test_against_search),
		cmocka_unit_test(test_add_n),
		cmocka_unit_test(test_many_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
