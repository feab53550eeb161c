/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/ranges.h"
#include "lib/need.h"

/* "1-3 7-7" */
static const char *text_of(const struct ranges *r)
{
	static char text[512];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < r->n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%" PRIu64 "-%" PRIu64,
				      i ? " " : "", r->v[i].from, r->v[i].to);
	return text;
}

static void test_numbers(void **state)
{
	static const char *const wrong[] = { "",    ",",  "1,", "a",   "1-",
					     "3-1", "-1", "11", "1 2", "1,,2" };
	struct ranges r = { 0 };

	(void)state;
	assert_int_equal(ranges_parse_numbers(&r, "1-3,7,0", 10), 0);
	assert_string_equal(text_of(&r), "1-3 7-7 0-0");
	assert_true(ranges_have(&r, 2) && ranges_have(&r, 7) && ranges_have(&r, 0));
	assert_false(ranges_have(&r, 4));
	ranges_release(&r);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(ranges_parse_numbers(&r, wrong[i], 10), -EINVAL);
		ranges_release(&r);
	}
}

static void test_times(void **state)
{
	static const struct {
		const char *text, *ranges;
	} times[] = {
		{ "1.5,2", "1500000000-2000000000" },
		{ "1.000000001,", "1000000001-18446744073709551615" },
		{ ",2", "0-2000000000" },
		{ "3", "3000000000-18446744073709551615" },
		{ "1,2 4,5", "1000000000-2000000000 4000000000-5000000000" },
		{ "10%", "1000-1099" },
		{ "10%/1", "1000-1099" },
		{ "10%/10", "1900-2000" },
		{ "40%-60%", "1400-1599" },
		{ "0%-10%,90%-100%", "1000-1099 1900-2000" },
		{ "10%/2, 10%/3", "1100-1199 1200-1299" },
		{ "100%", "1000-2000" },
	};
	static const char *const wrong[] = { "",      " ",	 "x",	   "2,1",
					     "1,2,3", "10%/0",	 "10%/11", "60%-40%",
					     "101%",  "-1%-10%", "nan%",   "10%x" };
	const struct range all = { 1000, 2000 };
	struct ranges r = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		assert_int_equal(ranges_parse_times(&r, times[i].text, &all), 0);
		assert_string_equal(text_of(&r), times[i].ranges);
		ranges_release(&r);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (ranges_parse_times(&r, wrong[i], &all) != -EINVAL)
			fail_msg("'%s' is a range of time", wrong[i]);
		ranges_release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
