/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is left out of the bytes that ncurses writes. */
#include <stdio.h>
#include <string.h>

#include "lib/need.h"
#include "term/private.h"

static const struct {
	const char *text, *left;
} cases[] = {
	{ "", "" },
	{ "text", "text" },
	{ "\033(B\033[m", "\033[m" },
	{ "a\033[39m\033(B\033[mb", "a\033[mb" },
	{ "\033[39;49m\033(B\033[0;7mb", "\033[0;7mb" },
	{ "\033[39m\033[49m\033[m", "\033[m" },
	/* default colours without a reset */
	{ "\033[39mtext\033[m", "\033[39mtext\033[m" },
	{ "\033[39m\033[1m", "\033[39m\033[1m" },
	{ "\033[39m\033[38;5;203m", "\033[39m\033[38;5;203m" },
	{ "\033[39m\033[049m", "\033[39m\033[049m" },
	/* cut */
	{ "\033[39m", "\033[39m" },
	{ "\033[39m\033(B", "\033[39m" },
	{ "\033[39m\033[", "\033[39m\033[" },
	{ "\033[39", "\033[39" },
	{ "\033(", "\033(" },
	{ "\033", "\033" },
};

static void test_cases(void **state)
{
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n;

		snprintf(text, sizeof(text), "%s", cases[i].text);
		n = curses_trim(text, strlen(text));
		assert_int_equal(n, strlen(cases[i].left));
		assert_memory_equal(text, cases[i].left, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
