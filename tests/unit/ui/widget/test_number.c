/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "text/number.h"
#include "text/utf8.h"
#include "unit/ui/screen.h"

static char buf[64];

static void test_count(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 7, "7" },
		{ 999, "999" },
		{ 0.004, "0.00" },
		{ 0.5, "0.50" },
		{ 9.994, "9.99" },
		{ 9.996, "10.0" },
		{ 99.94, "99.9" },
		{ 99.96, "100" },
		{ 999.4, "999" },
		/* what would be written as 1000 is of the next unit */
		{ 999.6, "1.00 K" },
		{ 1000, "1.00 K" },
		{ 1235, "1.24 K" },
		{ 9994, "9.99 K" },
		{ 9996, "10.0 K" },
		{ 99960, "100 K" },
		{ 999499, "999 K" },
		{ 999500, "1.00 M" },
		{ 38.9e9, "38.9 G" },
		{ 5e12, "5.00 T" },
		{ 5e15, "5.00 P" },
		{ 1.8446744073709552e19, "18.4 E" },
		{ -1, "–" },
		{ NAN, "–" },
		{ INFINITY, "–" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_ptr_equal(number_count(buf, sizeof(buf), rows[i].value), buf);
		assert_string_equal(buf, rows[i].text);
	}
}

static void test_full(void **state)
{
	(void)state;
	/* the C locale has nothing between the digits */
	assert_string_equal(text_grouped(buf, sizeof(buf), 0), "0");
	assert_string_equal(text_grouped(buf, sizeof(buf), UINT64_MAX), "18446744073709551615");
}

static void test_bytes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0 B" },
		{ 1023, "1023 B" },
		{ 1024, "1.00 KB" },
		{ 1536, "1.50 KB" },
		{ 1023 * 1024, "1023 KB" },
		{ 1024 * 1024 - 1, "1.00 MB" },
		{ 14889779, "14.2 MB" },
		{ 3ull << 30, "3.00 GB" },
		{ UINT64_MAX, "16.0 EB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(number_bytes(buf, sizeof(buf), rows[i].bytes), rows[i].text);
}

static void test_times(void **state)
{
	static const struct {
		uint64_t ns;
		const char *span, *clock;
	} rows[] = {
		{ 0, "0 ns", "00:00.0" },
		{ 340, "340 ns", "00:00.0" },
		{ 3400, "3.40 us", "00:00.0" },
		{ 340000000, "340 ms", "00:00.3" },
		{ 999499999, "999 ms", "00:00.9" },
		{ 999500000, "1.00 s", "00:00.9" },
		{ 12499999999, "12.5 s", "00:12.4" },
		{ 59999999999, "60.0 s", "00:59.9" },
		{ 3599999999999, "3600 s", "59:59.9" },
		{ 3600000000000, "3600 s", "1:00:00" },
		{ 3871999999999, "3872 s", "1:04:31" },
		{ 90061000000000, "90061 s", "25:01:01" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(number_span_ns(buf, sizeof(buf), rows[i].ns), rows[i].span);
		assert_string_equal(number_clock_ns(buf, sizeof(buf), rows[i].ns), rows[i].clock);
	}
	/* no end of time */
	assert_string_equal(number_clock_ns(buf, sizeof(buf), UINT64_MAX), "5124095:34:33");
}

static void test_percent(void **state)
{
	(void)state;
	assert_string_equal(number_percent(buf, sizeof(buf), 0), "0.00%");
	assert_string_equal(number_percent(buf, sizeof(buf), 11.824), "11.82%");
	assert_string_equal(number_percent(buf, sizeof(buf), 100), "100.00%");
	assert_string_equal(number_percent(buf, sizeof(buf), NAN), "–");
}

/* A column of them keeps its width: seven columns hold every count. */
static void test_width(void **state)
{
	(void)state;
	for (double v = 0.001; v < 1e18; v *= 1.0137) {
		assert_in_range(utf8_width(number_count(buf, sizeof(buf), v)), 1, 6);
		assert_in_range(utf8_width(number_bytes(buf, sizeof(buf), (uint64_t)v)), 1, 7);
	}
}

/* The text has the value, to three digits, and is monotonic. */
static void test_value(void **state)
{
	static const char units[] = " KMGTPE";
	double before = 0;

	(void)state;
	for (double v = 1; v < 1e18; v *= 1.0037) {
		char *end;
		double read = strtod(number_count(buf, sizeof(buf), v), &end);

		if (*end)
			read *= pow(1000, (double)(strchr(units, end[1]) - units));
		assert_true(fabs(read - v) <= v * 0.00501 + (v < 10 ? 0.005 : 0));
		assert_true(read >= before);
		before = read;
	}
}

static void test_cut(void **state)
{
	(void)state;
	memset(buf, '#', sizeof(buf));
	assert_string_equal(number_bytes(buf, 5, 14889779), "14.2");
	assert_int_equal(buf[5], '#');
	assert_string_equal(text_grouped(buf, 1, 12), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_count),	cmocka_unit_test(test_full),
		cmocka_unit_test(test_bytes),	cmocka_unit_test(test_times),
		cmocka_unit_test(test_percent), cmocka_unit_test(test_width),
		cmocka_unit_test(test_value),	cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests_name("ui/number", tests, use_utf8, NULL);
}
