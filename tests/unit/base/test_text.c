/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "lib/need.h"
#include "unit/base/random.h"

static int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_ALL, "C.UTF-8") ? 0 : -1;
}

static int use_c(void **state)
{
	(void)state;
	return setlocale(LC_ALL, "C") ? 0 : -1;
}

static void check_escape(const char *s, const char *want)
{
	struct buf b = BUF_INIT;

	text_escape(&b, s);
	assert_int_equal(b.err, 0);
	assert_non_null(b.data);
	assert_string_equal(buf_str(&b), want);
	buf_release(&b);
}

static void test_escape_controls(void **state)
{
	(void)state;
	check_escape("", "");
	check_escape("plain text ~", "plain text ~");
	check_escape("a\nb\tc", "a\\nb\\tc");
	check_escape("\x1b[31mred\r\a\x7f", "\\x1b[31mred\\x0d\\x07\\x7f");
}

static void test_escape_utf8(void **state)
{
	(void)state;
	check_escape("gr\xc3\xbc\xc3\x9f \xe6\xbc\xa2", "gr\xc3\xbc\xc3\x9f \xe6\xbc\xa2");
	/* a C1 control: CSI as one character */
	check_escape("a\xc2\x9b"
		     "31m",
		     "a\\xc2\\x9b31m");
	/* a bidi override, and an isolate */
	check_escape("x\xe2\x80\xaey", "x\\xe2\\x80\\xaey");
	check_escape("\xe2\x81\xa6z\xe2\x81\xa9", "\\xe2\\x81\\xa6z\\xe2\\x81\\xa9");
}

static void test_escape_invalid(void **state)
{
	(void)state;
	check_escape("\xff\xfe", "\\xff\\xfe");
	check_escape("\xc3(", "\\xc3(");		 /* an incomplete character */
	check_escape("ok\xe2\x80", "ok\\xe2\\x80");	 /* … by the end */
	check_escape("\xc0\xaf", "\\xc0\\xaf");		 /* overlong "/" */
	check_escape("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* half of a surrogate pair */
	check_escape("\xff\xc3\xbc", "\\xff\xc3\xbc");	 /* resynchronizes */
}

static void test_escape_in_c_locale(void **state)
{
	(void)state;
	check_escape("a\xc3\xbc", "a\\xc3\\xbc");
}

/* For any input: no control bytes in the output, and escaping it again changes nothing. */
static void test_escape_random(void **state)
{
	uint64_t seed = 31;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct buf once = BUF_INIT, twice = BUF_INIT;
		char s[24];
		size_t n = random_below(&seed, sizeof(s)), i;

		for (i = 0; i < n; i++)
			s[i] = (char)(1 + random_below(&seed, 255));
		s[n] = '\0';
		text_escape(&once, s);
		for (i = 0; i < once.len; i++) {
			unsigned char c = (unsigned char)once.data[i];

			assert_true(c >= ' ' && c != 0x7f);
		}
		text_escape(&twice, buf_str(&once));
		assert_string_equal(buf_str(&twice), buf_str(&once));
		buf_release(&once);
		buf_release(&twice);
	}
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc d"), 5);
	assert_int_equal(text_width("gr\xc3\xbc\xc3\x9f"), 4);
	assert_int_equal(text_width("\xe6\xbc\xa2\xe5\xad\x97"), 4); /* wide */
	assert_int_equal(text_width("e\xcc\x81"), 1);		     /* combining */
	assert_int_equal(text_width("\xff\xff"
				    "a"),
			 3);
	assert_int_equal(text_width("a\xe2\x80"), 3);
}

static void check_piece(const char *s, const char *want)
{
	assert_int_equal(text_piece(s), strlen(want));
	assert_memory_equal(s, want, strlen(want));
}

static void test_piece(void **state)
{
	(void)state;
	check_piece("", "");
	check_piece("one two", "one");
	check_piece("one\ntwo", "one");
	check_piece(" one", "");
	check_piece("内存", "内");
	/* a full stop stays with its word, a bracket with what follows it */
	check_piece("存。足", "存。");
	check_piece("（原因）", "（原");
	check_piece("perf读取", "perf");
	check_piece("\xff读", "\xff读");
}

static void test_utf8_floor(void **state)
{
	static const char s[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
	static const size_t want[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11 };

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_int_equal(text_utf8_floor(s, i), want[i]);
	/* not UTF-8: truncated at `len`, and nothing before the string is read */
	assert_int_equal(text_utf8_floor("\xff\xff\xff", 2), 2);
	assert_int_equal(text_utf8_floor("\x80\x80\x80\x80\x80", 5), 5);
	assert_int_equal(text_utf8_floor("\x80", 1), 1);
}

static void test_grouped(void **state)
{
	char buf[64];

	(void)state;
	text_set_numbers(); /* of the C locale, which has no separator: a comma */
	assert_string_equal(text_grouped(buf, sizeof(buf), UINT64_MAX),
			    "18,446,744,073,709,551,615");
	assert_string_equal(text_grouped(buf, sizeof(buf), 9999), "9999");
	assert_string_equal(text_grouped(buf, sizeof(buf), 10000), "10,000");
	if (!setlocale(LC_NUMERIC, "en_US.UTF-8"))
		skip_because("there is no locale en_US.UTF-8");
	text_set_numbers();
	assert_string_equal(text_grouped(buf, sizeof(buf), 0), "0");
	assert_string_equal(text_grouped(buf, sizeof(buf), 999), "999");
	assert_string_equal(text_grouped_from(4, buf, sizeof(buf), 999), "999");
	assert_string_equal(text_grouped_from(4, buf, sizeof(buf), 9999), "9,999");
	assert_string_equal(text_grouped(buf, sizeof(buf), 1000), "1000");
	assert_string_equal(text_grouped(buf, sizeof(buf), UINT64_MAX),
			    "18,446,744,073,709,551,615");
	text_grouped(buf, 4, 123456);
	assert_true(strlen(buf) < 4);
	assert_string_equal(setlocale(LC_NUMERIC, NULL), "C");
}

static void check_percent(double percent)
{
	char expected[400], buf[TEXT_NUMBER_BYTES];

	snprintf(expected, sizeof(expected), "%.2f%%", percent);
	assert_int_equal(text_percent(buf, percent), strlen(expected));
	assert_string_equal(buf, expected);
}

static void test_percent(void **state)
{
	static const double some[] = { 0,
				       0.005,
				       0.015,
				       0.025,
				       0.125,
				       0.375,
				       0.004999999,
				       0x1.47ae147ae147ap-8,
				       99.995,
				       99.999,
				       100,
				       5e-324,
				       2.2250738585072014e-308,
				       0x1p-60,
				       0x1p52,
				       0x1.8p52,
				       12345.675,
				       9007199254740991.0,
				       0x1p53,
				       1e15,
				       0x1p-11,
				       3.125,
				       0.0625,
				       1e-9 };
	uint64_t random = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		check_percent(some[i]);
	for (unsigned i = 0; i <= 800; i++) /* with ties */
		check_percent(i / 8.0 / 100);
	for (unsigned i = 0; i < 100000; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		check_percent(100.0 * (double)(random >> 40) /
			      (double)(1 + (random >> 8) % (1 << 24)));
	}
}

static void test_decimal(void **state)
{
	char buf[TEXT_NUMBER_BYTES];

	(void)state;
	assert_int_equal(text_decimal(buf, 0), 1);
	assert_string_equal(buf, "0");
	assert_int_equal(text_decimal(buf, 1200), 4);
	assert_string_equal(buf, "1200");
	assert_int_equal(text_decimal(buf, UINT64_MAX), 20);
	assert_string_equal(buf, "18446744073709551615");
}

static void test_hex16(void **state)
{
	uint64_t value = 0;

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		char expected[17], buf[17];

		snprintf(expected, sizeof(expected), "%016" PRIx64, value);
		*text_hex16(buf, value) = '\0';
		assert_string_equal(buf, expected);
		value = i < 256 ? i * 0x0101010101010101 :
				  value * 6364136223846793005 + 1442695040888963407;
	}
}

static void test_is_plain(void **state)
{
	(void)state;
	assert_true(text_is_plain("", 0));
	assert_true(text_is_plain(" a~", 3));
	assert_true(text_is_plain("ab\n", 2));
	assert_false(text_is_plain("ab\n", 3));
	assert_false(text_is_plain("\x7f", 1));
	assert_false(text_is_plain("\xc3\xa4", 2));
	/* each byte, beside each other one, at each place of a word and after it */
	for (unsigned i = 0; i < 256 * 256; i++) {
		char text[11] = "0123456789";
		bool plain = i % 256 >= ' ' && i % 256 <= '~' && i / 256 >= ' ' && i / 256 <= '~';

		text[i % 9] = (char)(i % 256);
		text[i % 9 + 1] = (char)(i / 256);
		assert_int_equal(text_is_plain(text, 10), plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grouped),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_decimal),
		cmocka_unit_test(test_hex16),
		cmocka_unit_test(test_is_plain),
		cmocka_unit_test_setup(test_escape_controls, use_utf8),
		cmocka_unit_test_setup(test_escape_utf8, use_utf8),
		cmocka_unit_test_setup(test_escape_invalid, use_utf8),
		cmocka_unit_test_setup(test_escape_in_c_locale, use_c),
		cmocka_unit_test_setup(test_escape_random, use_utf8),
		cmocka_unit_test_setup(test_width, use_utf8),
		cmocka_unit_test_setup(test_piece, use_utf8),
		cmocka_unit_test(test_utf8_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
