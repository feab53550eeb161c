/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include "lib/need.h"
#include "ptui/log.h"

struct heard {
	int n;
	enum ptui_log_level level;
	char room[32];
	char text[2048];
};

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	struct heard *h = ctx;

	h->n++;
	h->level = level;
	strncpy(h->room, room, sizeof(h->room) - 1);
	strncpy(h->text, text, sizeof(h->text) - 1);
	errno = EBADF; /* a callback that writes may leave anything here */
}

static int silence(void **state)
{
	(void)state;
	ptui_log_set(NULL, NULL, PTUI_LOG_DEBUG);
	return 0;
}

static void test_without_a_callback(void **state)
{
	(void)state;
	assert_false(ptui_log_wants(PTUI_LOG_WARN));
	ptui_log(PTUI_LOG_WARN, "base", "%s", "x");
}

static void test_levels(void **state)
{
	struct heard h = { 0 };

	(void)state;
	ptui_log_set(hear, &h, PTUI_LOG_INFO);
	assert_true(ptui_log_wants(PTUI_LOG_WARN));
	assert_true(ptui_log_wants(PTUI_LOG_INFO));
	assert_false(ptui_log_wants(PTUI_LOG_DEBUG));
	ptui_log(PTUI_LOG_DEBUG, "base", "unheard");
	assert_int_equal(h.n, 0);
	ptui_log(PTUI_LOG_INFO, "record", "%d rings", 4);
	assert_int_equal(h.n, 1);
	assert_int_equal(h.level, PTUI_LOG_INFO);
	assert_string_equal(h.room, "record");
	assert_string_equal(h.text, "4 rings");
}

static void test_errno_survives(void **state)
{
	struct heard h = { 0 };

	(void)state;
	ptui_log_set(hear, &h, PTUI_LOG_DEBUG);
	errno = ENOSPC;
	ptui_log(PTUI_LOG_WARN, "base", "x");
	assert_int_equal(errno, ENOSPC);
}

static void test_one_line(void **state)
{
	struct heard h = { 0 };

	(void)state;
	ptui_log_set(hear, &h, PTUI_LOG_DEBUG);
	ptui_log(PTUI_LOG_WARN, "base", "a\nb\n\n");
	assert_string_equal(h.text, "a b");
}

static void test_long_line_ends_in_ellipsis(void **state)
{
	struct heard h = { 0 };
	char s[3000];
	size_t n;

	(void)state;
	ptui_log_set(hear, &h, PTUI_LOG_DEBUG);
	for (size_t shift = 0; shift < 2; shift++) {
		memset(s, 'x', sizeof(s));
		for (n = shift; n + 2 < sizeof(s); n += 2)
			memcpy(s + n, "\xc3\xa4", 2);
		s[n] = '\0';
		ptui_log(PTUI_LOG_WARN, "base", "%s", s);
		n = strlen(h.text);
		assert_in_range(n, 1020, 1023);
		assert_string_equal(h.text + n - 3, "\xe2\x80\xa6");
		assert_int_equal((n - 3 - shift) % 2, 0);
		assert_memory_equal(h.text, s, n - 3);
	}
	/* just fits: nothing is cut */
	memset(s, 'y', 1023);
	s[1023] = '\0';
	ptui_log(PTUI_LOG_WARN, "base", "%s", s);
	assert_string_equal(h.text, s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_without_a_callback, silence),
		cmocka_unit_test_teardown(test_levels, silence),
		cmocka_unit_test_teardown(test_errno_survives, silence),
		cmocka_unit_test_teardown(test_one_line, silence),
		cmocka_unit_test_teardown(test_long_line_ends_in_ellipsis, silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
