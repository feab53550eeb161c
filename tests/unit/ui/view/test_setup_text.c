/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences and command lines over several rows. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "unit/ui/screen.h"
#include "view/setup/setup_private.h"
#include "widget/scroll.h"

static void expect(const struct grid *g, const char *const *rows, int n)
{
	char buf[512];
	int i;

	for (i = 0; i < n; i++) {
		grid_row_text(g, i, buf, sizeof(buf));
		assert_string_equal(buf, rows[i]);
	}
}

static void test_sentence(void **state)
{
	static const char *const rows[] = { "",	    " a sentence", " that is", " abcdefghij",
					    " klm", "  ^",	   "" };
	struct grid *g = grid_new(7, 14);
	struct canvas c = canvas_of(g);
	const char *text = "a sentence that is abcdefghijklm\n ^";

	(void)state;
	assert_int_equal(scroll_text(&c, 1, 1, 10, ROLE_TEXT, text), 5);
	expect(g, rows, 7);
	assert_int_equal(scroll_text(NULL, 0, 0, 10, ROLE_TEXT, text), 5);
	assert_int_equal(scroll_text(NULL, 0, 0, 100, ROLE_TEXT, text), 2);
	assert_int_equal(scroll_text(NULL, 0, 0, 0, ROLE_TEXT, "ab"), 2);
	assert_int_equal(scroll_text(NULL, 0, 0, 9, ROLE_TEXT, ""), 0);
	grid_free(g);
}

/* The last row shows that there is more, but for a text that can be scrolled. */
static void test_cut(void **state)
{
	static const char *const cut[] = { "a", "sentence…" }, *const more[] = { "a", "sentence" },
				 *const narrow[] = { "abcdef", "ghijk…" };
	struct grid *g = grid_new(2, 14);
	struct canvas c = canvas_of(g);

	(void)state;
	assert_int_equal(scroll_text(&c, 0, 0, 10, ROLE_TEXT, "a\nsentence\n\nthat"), 4);
	expect(g, cut, 2);
	grid_clear(g);
	assert_int_equal(scroll_lines(&c, 0, 0, 10, ROLE_TEXT, "a\nsentence\n\nthat"), 4);
	expect(g, more, 2);
	grid_clear(g);
	assert_int_equal(scroll_text(&c, 0, 0, 10, ROLE_TEXT, "a\nsentence\n"), 2);
	expect(g, more, 2);
	grid_clear(g);
	assert_int_equal(scroll_text(&c, 0, 0, 6, ROLE_TEXT, "abcdefghijklmno"), 3);
	expect(g, narrow, 2);
	grid_free(g);
}

static void test_wide(void **state)
{
	static const char *const rows[] = { "中中", "文文" };
	struct grid *g = grid_new(2, 6);
	struct canvas c = canvas_of(g);

	(void)state;
	assert_int_equal(scroll_text(&c, 0, 0, 5, ROLE_TEXT, "中中文文"), 2);
	expect(g, rows, 2);
	grid_free(g);
}

static void test_command(void **state)
{
	static const char *const rows[] = { "ptui record \\", "  -e 'a b' -- make \\", "  -e 2",
					    "" };
	struct words words = WORDS_INIT;
	struct grid *g = grid_new(4, 22);
	struct canvas c = canvas_of(g);

	(void)state;
	assert_int_equal(words_split(&words, "ptui record -e 'a b' -- make -e 2", NULL), 0);
	assert_int_equal(setup_command_text(&c, 0, 20, &words), 3);
	expect(g, rows, 4);
	assert_int_equal(setup_command_text(NULL, 0, 80, &words), 1);
	assert_true(setup_command_text(NULL, 0, 1, &words) > 7); /* and it ends */
	words_release(&words);
	assert_int_equal(setup_command_text(NULL, 0, 80, &words), 0);
	grid_free(g);
}

/* In a narrow terminal an option and its value are on lines of their own rather than broken. */
static void test_narrow(void **state)
{
	static const char *const rows[] = { "ptui record \\", "  --call-graph \\",
					    "  dwarf,live -e x -a", "" };
	struct words words = WORDS_INIT;
	struct grid *g = grid_new(4, 24);
	struct canvas c = canvas_of(g);

	(void)state;
	assert_int_equal(words_split(&words, "ptui record --call-graph dwarf,live -e x -a", NULL),
			 0);
	assert_int_equal(setup_command_text(&c, 0, 22, &words), 3);
	expect(g, rows, 4);
	words_release(&words);
	grid_free(g);
}

static void test_long_word(void **state)
{
	static const char *const rows[] = { "x \\", "  abcdef", "ghijklmn", "opq y", "" };
	struct words words = WORDS_INIT;
	struct grid *g = grid_new(5, 10);
	struct canvas c = canvas_of(g);

	(void)state;
	assert_int_equal(words_split(&words, "x abcdefghijklmnopq y", NULL), 0);
	assert_int_equal(setup_command_text(&c, 0, 8, &words), 4);
	expect(g, rows, 5);
	words_release(&words);
	grid_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sentence),  cmocka_unit_test(test_cut),
		cmocka_unit_test(test_wide),	  cmocka_unit_test(test_command),
		cmocka_unit_test(test_long_word), cmocka_unit_test(test_narrow),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
