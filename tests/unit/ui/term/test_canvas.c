/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "term/canvas.h"
#include "text/utf8.h"
#include "unit/ui/screen.h"

static void test_clip(void **state)
{
	struct grid *g = grid_new(4, 10);
	struct canvas all = canvas_of(g), part = canvas_part(&all, 1, 2, 2, 4);

	(void)state;
	canvas_fill(&all, 0, 0, 4, 10, ROLE_DIM, '.');
	assert_int_equal(canvas_text(&part, 0, -1, ROLE_TEXT, "abcdefgh"), 8);
	canvas_text(&part, 1, 3, ROLE_TEXT, "xyz");
	canvas_text(&part, 2, 0, ROLE_TEXT, "below");
	canvas_text(&part, -1, 0, ROLE_TEXT, "above");
	check_rows(g, "..........", "..bcd…....", ".....…....", "..........");
	assert_int_equal(grid_style(g, 1, 2), ROLE_TEXT);
	assert_int_equal(grid_style(g, 1, 6), ROLE_DIM);
	/* a part of a part, past every edge */
	part = canvas_part(&part, -5, -5, 100, 100);
	assert_int_equal(part.at.h, 2);
	assert_int_equal(part.at.w, 4);
	part = canvas_part(&part, 9, 9, 1, 1);
	assert_int_equal(part.at.h * part.at.w, 0);
	canvas_text(&part, 0, 0, ROLE_TEXT, "nowhere");
	grid_free(g);
}

static void test_wide(void **state)
{
	struct grid *g = grid_new(3, 6);
	struct canvas c = canvas_of(g);

	(void)state;
	assert_int_equal(canvas_text(&c, 0, 0, ROLE_TEXT, "中文字符"), 8);
	check_rows(g, "中文 …");
	/* cut in half on the right, on the left */
	canvas_text(&c, 1, 1, ROLE_TEXT, "中文字");
	check_rows(g, "中文 …", " 中文…");
	canvas_text(&c, 2, -1, ROLE_TEXT, "中b");
	check_rows(g, "中文 …", " 中文…", " b");
	/* overwriting one half blanks the other */
	canvas_text(&c, 0, 1, ROLE_TEXT, "x");
	canvas_text(&c, 0, 3, ROLE_TEXT, "y");
	check_rows(g, " x y …");
	grid_free(g);
}

static void test_combining(void **state)
{
	struct grid *g = grid_new(1, 8);
	struct canvas c = canvas_of(g);

	(void)state;
	assert_int_equal(canvas_text(&c, 0, 0, ROLE_TEXT, "e\u0301a\u0308\u0323\u0301z"), 3);
	check_rows(g, "e\u0301a\u0308\u0323z");
	/* without a base it is dropped */
	grid_clear(g);
	assert_int_equal(canvas_text(&c, 0, 0, ROLE_TEXT, "\u0301a"), 1);
	check_rows(g, "a");
	grid_free(g);
}

static void test_escape(void **state)
{
	struct grid *g = grid_new(1, 40);
	struct canvas c = canvas_of(g);

	(void)state;
	canvas_text(&c, 0, 0, ROLE_TEXT, "a\033[2Jb\nc\td\x7f\xff|\xc2\x9b|\u202e");
	check_rows(g, "a\\x1b[2Jb\\nc\\td\\x7f\ufffd|\\x9b|\\u202e");
	assert_int_equal(utf8_width("a\033[2Jb\nc\td\x7f\xff|\xc2\x9b|\u202e"), 32);
	grid_free(g);
}

static void test_cell(void **state)
{
	struct grid *g = grid_new(6, 12);
	struct canvas c = canvas_of(g);

	(void)state;
	canvas_fill(&c, 0, 0, 6, 12, ROLE_TEXT, '.');
	canvas_cell(&c, 0, 2, 6, ALIGN_LEFT, ROLE_TEXT, "abc");
	canvas_cell(&c, 1, 2, 6, ALIGN_RIGHT, ROLE_TEXT, "abc");
	canvas_cell(&c, 2, 2, 6, ALIGN_RIGHT, ROLE_TEXT, "abcdefg");
	canvas_cell(&c, 3, 2, 6, ALIGN_LEFT, ROLE_TEXT, "中文字符");
	canvas_cell_from(&c, 4, 2, 6, 2, ROLE_TEXT, "abcdefgh");
	canvas_cell_from(&c, 5, 2, 6, 1, ROLE_TEXT, "中文字符");
	check_rows(g, "..abc   ....", "..   abc....", "..abcde…....", "..中文 …....",
		   "..cdefgh....", ".. 文字…....");
	grid_free(g);
}

static void test_ascii(void **state)
{
	struct grid *g = grid_new(3, 12);
	struct canvas c = canvas_of(g);

	(void)state;
	g->ascii_art = true;
	canvas_frame(&c, "t中");
	canvas_text(&c, 1, 2, ROLE_TEXT, "▁█…é");
	check_rows(g, "+- t中 ----+", "| _#~é     |", "+----------+");
	g->ascii_text = true;
	canvas_text(&c, 1, 2, ROLE_TEXT, "中é▸a\u0301");
	check_rows(g, "+- t中 ----+", "| ? ?>a    |");
	grid_free(g);
}

static void test_mark(void **state)
{
	struct grid *g = grid_new(1, 20);
	struct canvas c = canvas_of(g);

	(void)state;
	canvas_text(&c, 0, 0, ROLE_TEXT | STYLE_CURSOR, "Main 中MAIN xmai");
	assert_int_equal(canvas_mark(&c, 0, "main", ROLE_MATCH), 2);
	assert_int_equal(grid_style(g, 0, 0), ROLE_MATCH | STYLE_CURSOR);
	assert_int_equal(grid_style(g, 0, 4), ROLE_TEXT | STYLE_CURSOR);
	assert_int_equal(grid_style(g, 0, 6), ROLE_TEXT | STYLE_CURSOR);
	assert_int_equal(grid_style(g, 0, 7), ROLE_MATCH | STYLE_CURSOR);
	assert_int_equal(canvas_mark(&c, 0, "中m", ROLE_GOOD), 1);
	assert_int_equal(grid_style(g, 0, 6), ROLE_GOOD | STYLE_CURSOR);
	assert_int_equal(canvas_mark(&c, 0, "nothing", ROLE_MATCH), 0);
	grid_free(g);
}

static void test_utf8(void **state)
{
	size_t n;

	(void)state;
	assert_int_equal(utf8_before("a中", 4), 1);
	assert_int_equal(utf8_before("a\xff", 2), 1);
	assert_int_equal(utf8_before("a", 0), 0);
	assert_int_equal(utf8_fit("a中e\u0301x", 4), 7);
	assert_int_equal(utf8_fit("a中", 2), 1);
	assert_ptr_equal(utf8_find("nothing", "", &n), NULL);
	assert_string_equal(utf8_find("xÄBc", "äb", &n), "ÄBc");
	assert_int_equal(n, 3);
	/* overlong, surrogate, too high, cut off */
	assert_int_equal(utf8_width("\xc0\xaf"), 2);
	assert_int_equal(utf8_width("\xed\xa0\x80"), 3);
	assert_int_equal(utf8_width("\xf4\x90\x80\x80"), 4);
	assert_int_equal(utf8_width("\xe4\xb8"), 2);
}

static void test_scrollbar(void **state)
{
	struct grid *g = grid_new(5, 1);
	struct canvas c = canvas_of(g);

	(void)state;
	canvas_scrollbar(&c, 0, 0, 5, 0, 5, 5);
	check_rows(g, "", "", "", "", "");
	canvas_scrollbar(&c, 0, 0, 5, 0, 5, 100000);
	check_rows(g, "█", "│", "│", "│", "│");
	canvas_scrollbar(&c, 0, 0, 5, 99995, 5, 100000);
	check_rows(g, "│", "│", "│", "│", "█");
	grid_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clip),	  cmocka_unit_test(test_wide),
		cmocka_unit_test(test_combining), cmocka_unit_test(test_escape),
		cmocka_unit_test(test_cell),	  cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_mark),	  cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_scrollbar),
	};

	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
