/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "lib/need.h"
#include "ptui/error.h"

static void test_set_fills_and_returns(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_false(ptui_error_is_set(&err));
	assert_int_equal(ptui_error_set(&err, PTUI_ERROR_FORMAT, EINVAL, "perf.data",
					"offset %d is odd", 7),
			 -EINVAL);
	assert_true(ptui_error_is_set(&err));
	assert_int_equal(err.domain, PTUI_ERROR_FORMAT);
	assert_int_equal(err.code, EINVAL);
	assert_string_equal(err.object, "perf.data");
	assert_string_equal(err.text, "offset 7 is odd");
	assert_string_equal(err.hint, "");
}

static void test_null_error_still_returns(void **state)
{
	(void)state;
	assert_int_equal(ptui_error_set(NULL, PTUI_ERROR_INPUT, EPERM, NULL, "x"), -EPERM);
	assert_int_equal(ptui_error_errno(NULL, ENOENT, NULL, "x"), -ENOENT);
	assert_int_equal(ptui_error_nomem(NULL), -ENOMEM);
	ptui_error_prefix(NULL, "x");
	ptui_error_hint(NULL, "x");
	assert_false(ptui_error_is_set(NULL));
}

static void test_errno_names_the_reason(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char want[256];

	(void)state;
	assert_int_equal(ptui_error_errno(&err, EACCES, "/x", "cannot open %s", "/x"), -EACCES);
	snprintf(want, sizeof(want), "cannot open /x: %s", strerror(EACCES));
	assert_string_equal(err.text, want);
	assert_int_equal(err.domain, PTUI_ERROR_SYSTEM);
	/* an unknown errno is reported, too */
	ptui_error_errno(&err, 98765, NULL, "odd");
	assert_non_null(strstr(err.text, "98765"));
}

static void test_set_replaces_the_former(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, "first", "first");
	ptui_error_hint(&err, "try this");
	ptui_error_nomem(&err);
	assert_string_equal(err.text, "out of memory");
	assert_string_equal(err.object, "");
	assert_string_equal(err.hint, "");
	assert_int_equal(err.code, ENOMEM);
}

static void test_prefix(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	ptui_error_prefix(&err, "nothing to prefix");
	assert_string_equal(err.text, "");
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, NULL, "inner");
	ptui_error_prefix(&err, "middle %d", 2);
	ptui_error_prefix(&err, "outer");
	assert_string_equal(err.text, "outer: middle 2: inner");
}

/* A long name in the prefix does not push out the reason. */
static void test_prefix_too_long(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char name[3000];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, NULL, "inner");
	ptui_error_prefix(&err, "no %s", name);
	assert_non_null(strstr(err.text, "nnn...: inner"));
	assert_ptr_equal(strstr(err.text, "no nnn"), err.text);
	/* what fits is not cut */
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, NULL, "inner");
	ptui_error_prefix(&err, "%.*s", (int)sizeof(err.text) - 8, name);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_null(strstr(err.text, "..."));
}

/* The old text may be an argument of the new one. */
static void test_own_fields_as_arguments(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, "event", "inner");
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, err.object, "again: %s", err.text);
	assert_string_equal(err.text, "again: inner");
	assert_string_equal(err.object, "event");
	ptui_error_prefix(&err, "<%s>", err.text);
	assert_string_equal(err.text, "<again: inner>: again: inner");
}

static void test_hint_adds_lines(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	ptui_error_hint(&err, "advice without an error");
	assert_string_equal(err.hint, "");
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, NULL, "x");
	ptui_error_hint(&err, "one %d", 1);
	ptui_error_hint(&err, "two");
	assert_string_equal(err.hint, "one 1\ntwo");
}

/* Full hints end with a whole or truncated line, never with an empty one. */
static void test_hint_overflow(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char line[101];

	(void)state;
	memset(line, 'h', 100);
	line[100] = '\0';
	for (int fill = 1; fill <= 100; fill++) {
		ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, NULL, "x");
		ptui_error_hint(&err, "%.*s", fill, line);
		for (int i = 0; i < 30; i++)
			ptui_error_hint(&err, "%s", line);
		assert_in_range(strlen(err.hint), sizeof(err.hint) - 3, sizeof(err.hint) - 1);
		assert_int_equal(err.hint[strlen(err.hint) - 1], 'h');
	}
}

/* Whatever the offset, a multi-byte character is there completely or not at all. */
static void test_cut_between_characters(void **state)
{
	static const char *const chars[] = { "\xc3\xa4", "\xe2\x80\xa6", "\xf0\x9f\x98\x80" };
	struct ptui_error err = PTUI_ERROR_INIT;
	char s[2048];

	(void)state;
	for (size_t c = 0; c < 3; c++) {
		size_t bytes = strlen(chars[c]);

		for (size_t shift = 0; shift < 5; shift++) {
			size_t n = shift, text_n;

			memset(s, 'x', shift);
			while (n + bytes < sizeof(s)) {
				memcpy(s + n, chars[c], bytes);
				n += bytes;
			}
			s[n] = '\0';
			ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, s, "%s", s);
			text_n = strlen(err.text);
			assert_int_equal((text_n - shift) % bytes, 0);
			assert_true(text_n + bytes >= sizeof(err.text));
			assert_memory_equal(err.text, s, text_n);
			assert_int_equal((strlen(err.object) - shift) % bytes, 0);
			assert_true(strlen(err.object) + bytes >= sizeof(err.object));
			/* once more through the prefix, which moves the cut */
			ptui_error_prefix(&err, "p");
			assert_int_equal((strlen(err.text) - shift - 3) % bytes, 0);
			assert_true(strlen(err.text) + bytes >= sizeof(err.text));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_fills_and_returns),
		cmocka_unit_test(test_null_error_still_returns),
		cmocka_unit_test(test_errno_names_the_reason),
		cmocka_unit_test(test_set_replaces_the_former),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_prefix_too_long),
		cmocka_unit_test(test_own_fields_as_arguments),
		cmocka_unit_test(test_hint_adds_lines),
		cmocka_unit_test(test_hint_overflow),
		cmocka_unit_test(test_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
