/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "text/utf8.h"
#include "unit/ui/screen.h"
#include "widget/scroll.h"

static void test_requests(void **state)
{
	struct scroll s = { 0, 0, 0 };

	(void)state;
	scroll_fit(&s, 100, 10);
	assert_int_equal(scroll_request(&s, REQ_UP), WISH_REDRAW);
	assert_int_equal(s.top, 0);
	scroll_request(&s, REQ_DOWN);
	assert_int_equal(s.top, 1);
	scroll_request(&s, REQ_PAGE_DOWN);
	assert_int_equal(s.top, 11);
	scroll_request(&s, REQ_LAST);
	assert_int_equal(s.top, 90);
	scroll_request(&s, REQ_PAGE_DOWN);
	assert_int_equal(s.top, 90);
	scroll_request(&s, REQ_PAGE_UP);
	assert_int_equal(s.top, 80);
	scroll_request(&s, REQ_FIRST);
	assert_int_equal(s.top, 0);
	assert_int_equal(scroll_request(&s, REQ_SEARCH), WISH_PASS);
	assert_int_equal(scroll_request(&s, REQ_NONE), WISH_PASS);
}

static void test_fit(void **state)
{
	struct scroll s = { 0, 0, 0 };

	(void)state;
	/* a request before the first draw */
	assert_int_equal(scroll_request(&s, REQ_LAST), WISH_REDRAW);
	assert_int_equal(s.top, 0);
	scroll_fit(&s, 100, 10);
	scroll_request(&s, REQ_LAST);
	/* a higher window and fewer lines: the last line stays at the end */
	scroll_fit(&s, 100, 30);
	assert_int_equal(s.top, 70);
	scroll_fit(&s, 20, 30);
	assert_int_equal(s.top, 0);
	scroll_fit(&s, 20, 0);
	assert_int_equal(s.page, 1);
	scroll_fit(&s, 20, -5);
	assert_int_equal(s.page, 1);
	scroll_fit(&s, 0, 5);
	scroll_request(&s, REQ_LAST);
	assert_int_equal(s.top, 0);
}

static void test_wheel(void **state)
{
	struct term_event e = { .kind = TERM_MOUSE, .mouse = MOUSE_WHEEL_DOWN };
	struct scroll s = { 0, 0, 0 };

	(void)state;
	scroll_fit(&s, 14, 10);
	assert_int_equal(scroll_mouse(&s, &e), WISH_REDRAW);
	assert_int_equal(s.top, 3);
	scroll_mouse(&s, &e);
	assert_int_equal(s.top, 4);
	e.mouse = MOUSE_WHEEL_UP;
	scroll_mouse(&s, &e);
	assert_int_equal(s.top, 1);
	scroll_mouse(&s, &e);
	assert_int_equal(s.top, 0);
	e.mouse = MOUSE_PRESS;
	assert_int_equal(scroll_mouse(&s, &e), WISH_PASS);
}

/* The lines of a text, with | between them. */
static const char *wrapped(const char *text, int width)
{
	static char buf[512];
	size_t at = 0, lines = 0, n;
	const char *next = text;

	buf[0] = '\0';
	while (next && at < sizeof(buf)) {
		const char *line = next;

		next = scroll_wrap(line, width, &n);
		at += (size_t)snprintf(buf + at, sizeof(buf) - at, "%s%.*s", lines++ ? "|" : "",
				       (int)n, line);
	}
	assert_int_equal(scroll_wrap_count(text, width), lines);
	return buf;
}

static void test_wrap(void **state)
{
	(void)state;
	assert_string_equal(wrapped("", 10), "");
	assert_string_equal(wrapped("one two three", 13), "one two three");
	assert_string_equal(wrapped("one two three", 12), "one two|three");
	assert_string_equal(wrapped("one two three", 7), "one two|three");
	assert_string_equal(wrapped("one two three", 6), "one|two|three");
	assert_string_equal(wrapped("one two three", 5), "one|two|three");
	assert_string_equal(wrapped("one two three", 4), "one|two|thre|e");
	/* existing newlines stay, also empty lines */
	assert_string_equal(wrapped("a\n\nb c", 10), "a||b c");
	assert_string_equal(wrapped("a\n", 10), "a|");
	assert_string_equal(wrapped("\n", 10), "|");
	/* several blanks are one break, and make no line of their own */
	assert_string_equal(wrapped("one    two", 5), "one|two");
	assert_string_equal(wrapped("one    ", 5), "one");
	assert_string_equal(wrapped("one    \ntwo", 5), "one|two");
	assert_string_equal(wrapped("one   two", 6), "one|two");
	/* indentation stays, and a word that is too long is cut */
	assert_string_equal(wrapped("  one two", 6), "  one|two");
	assert_string_equal(wrapped("  abcdefgh", 6), "  abcd|efgh");
}

/* Columns are counted, not bytes; a character is never cut. */
static void test_wrap_wide(void **state)
{
	(void)state;
	assert_string_equal(wrapped("中文字符", 4), "中文|字符");
	assert_string_equal(wrapped("中文字符", 5), "中文|字符");
	assert_string_equal(wrapped("中文 字符", 6), "中文|字符");
	assert_string_equal(wrapped("中文", 1), "中|文");
	assert_string_equal(wrapped("äöü", 0), "ä|ö|ü");
	assert_string_equal(wrapped("äöü", -3), "ä|ö|ü");
	assert_string_equal(wrapped("e\u0301e\u0301e\u0301", 2), "e\u0301e\u0301|e\u0301");
	assert_string_equal(wrapped("\xff\xfe", 1), "\xff|\xfe");
	/* a control character has the width of its escape */
	assert_string_equal(wrapped("a\033b", 5), "a\033|b");
}

/* A line may break next to any wide character, but does not begin with a full stop. */
static void test_wrap_chinese(void **state)
{
	(void)state;
	assert_string_equal(wrapped("内存不足。", 8), "内存不|足。");
	assert_string_equal(wrapped("无法打开（原因）", 10), "无法打开|（原因）");
	assert_string_equal(wrapped("按 Enter 指定", 8), "按 Enter|指定");
	assert_string_equal(wrapped("按 Enter 指定", 12), "按 Enter 指|定");
	assert_string_equal(wrapped("用perf读取", 6), "用perf|读取");
	assert_string_equal(wrapped("用perf读取", 5), "用|perf|读取");
}

/* A text without a blank, as long as it likes: lines are cut off it, each once. */
static void test_wrap_long(void **state)
{
	size_t n = 4 << 20;
	char *text = malloc(n + 1);
	struct timespec begin, end;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', n);
	text[n] = '\0';
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	assert_int_equal(scroll_wrap_count(text, 64), n / 64);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	/* walked once for each of its lines it would be minutes */
	assert_true(end.tv_sec - begin.tv_sec < 10);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),  cmocka_unit_test(test_fit),
		cmocka_unit_test(test_wheel),	  cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_wrap_wide), cmocka_unit_test(test_wrap_chinese),
		cmocka_unit_test(test_wrap_long),
	};

	return cmocka_run_group_tests_name("ui/scroll", tests, use_utf8, NULL);
}
