/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cursor.h"
#include "lib/need.h"
#include "unit/base/guard.h"

static const uint8_t BYTES[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

/* Numbers are read unaligned, in either byte order. */
static void check_numbers(bool swap)
{
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != swap;
	struct cursor c;

	cursor_init(&c, BYTES, sizeof(BYTES), swap);
	assert_int_equal(cursor_u8(&c), 1);
	assert_int_equal(cursor_u16(&c), little ? 0x0302 : 0x0203);
	assert_int_equal(cursor_u32(&c), little ? 0x07060504 : 0x04050607);
	assert_true(cursor_u64(&c) == (little ? 0x0f0e0d0c0b0a0908ULL : 0x08090a0b0c0d0e0fULL));
	assert_int_equal(cursor_left(&c), 0);
	assert_false(c.bad);
}

static void test_numbers(void **state)
{
	(void)state;
	check_numbers(false);
	check_numbers(true);
}

/* Buffers of every size, before an inaccessible page. */
static void test_past_the_end(void **state)
{
	char *end = guard_end();

	(void)state;
	assert_non_null(end);
	memset(end - 16, 0xff, 16);
	for (size_t n = 0; n <= 16; n++) {
		struct cursor c;

		for (int swap = 0; swap < 2; swap++) {
			cursor_init(&c, end - n, n, swap);
			assert_int_equal(cursor_u8(&c), n >= 1 ? 0xff : 0);
			assert_int_equal(c.bad, n < 1);
			cursor_init(&c, end - n, n, swap);
			assert_int_equal(cursor_u16(&c), n >= 2 ? 0xffff : 0);
			assert_int_equal(c.bad, n < 2);
			cursor_init(&c, end - n, n, swap);
			assert_int_equal(cursor_u32(&c), n >= 4 ? 0xffffffff : 0);
			assert_int_equal(c.bad, n < 4);
			cursor_init(&c, end - n, n, swap);
			assert_true(cursor_u64(&c) == (n >= 8 ? UINT64_MAX : 0));
			assert_int_equal(c.bad, n < 8);
		}
	}
}

/* After a bad read nothing more is returned, even if it would fit. */
static void test_bad_sticks(void **state)
{
	struct cursor c;

	(void)state;
	cursor_init(&c, BYTES, 3, false);
	assert_int_equal(cursor_u32(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_u8(&c), 0);
	assert_int_equal(cursor_left(&c), 0);
	assert_true(c.bad);
}

static void test_bytes(void **state)
{
	struct cursor c;

	(void)state;
	cursor_init(&c, BYTES, sizeof(BYTES), false);
	assert_ptr_equal(cursor_bytes(&c, 4), BYTES);
	assert_ptr_equal(cursor_bytes(&c, 0), BYTES + 4);
	assert_int_equal(cursor_left(&c), sizeof(BYTES) - 4);
	assert_null(cursor_bytes(&c, SIZE_MAX));
	assert_true(c.bad);
}

static void test_strings(void **state)
{
	static const char field[] = "name\0\0\0open";
	struct cursor c;

	(void)state;
	cursor_init(&c, field, 11, false);
	assert_string_equal(cursor_str(&c, 7), "name");
	assert_false(c.bad);
	assert_null(cursor_str(&c, 4)); /* no NUL inside the field */
	assert_true(c.bad);

	cursor_init(&c, field, 7, false);
	assert_null(cursor_str(&c, 8));
	assert_true(c.bad);

	cursor_init(&c, field, 7, false);
	assert_null(cursor_str(&c, 0)); /* not even the NUL */
	assert_true(c.bad);

	cursor_init(&c, field, 11, false);
	assert_string_equal(cursor_cstr(&c), "name");
	assert_int_equal(cursor_left(&c), 6);
	assert_string_equal(cursor_cstr(&c), "");
	assert_string_equal(cursor_cstr(&c), "");
	assert_false(c.bad);
	assert_string_equal(cursor_cstr(&c), ""); /* no NUL up to the end */
	assert_true(c.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	   cmocka_unit_test(test_past_the_end),
		cmocka_unit_test(test_bad_sticks), cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
