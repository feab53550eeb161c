/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searching a scrolling text: the match stays visible. */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/find.h"
#include "widget/pane.h"

static struct pane *p;
static struct grid *g;
static struct canvas c;

static int setup(void **state)
{
	(void)state;
	p = pane_new(20);
	g = grid_new(5, 30);
	if (!p || !g)
		return -1;
	c = canvas_of(g);
	for (int i = 0; i < 10; i++) {
		char line[32];

		snprintf(line, sizeof(line), "line %d%s\n", i, i % 3 ? "" : " Three");
		pane_write(p, line, strlen(line));
	}
	pane_draw(p, &c);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	pane_free(p);
	grid_free(g);
	return 0;
}

static void redraw(void)
{
	grid_clear(g);
	pane_draw(p, &c);
}

/* The last column is the scroll bar's. */
static void check_line(int y, const char *text)
{
	assert_true(y >= 0);
	assert_memory_equal(row_text(g, y), text, strlen(text));
	assert_int_equal(row_text(g, y)[strlen(text)], ' ');
}

static void write_lines(int n)
{
	while (n--)
		pane_write(p, "more\n", 5);
}

static void test_pane(void **state)
{
	(void)state;
	/* lines 5 to 9 are seen: 6 is the first there, then 9, then around to 0 */
	assert_true(pane_search(p, "three"));
	redraw();
	check_line(cursor_row(g, 0), "line 6 Three");
	assert_true(pane_search_again(p, 1));
	redraw();
	check_line(cursor_row(g, 0), "line 9 Three");
	assert_true(pane_search_again(p, 1));
	redraw();
	check_line(cursor_row(g, 0), "line 0 Three");
	assert_true(pane_search_again(p, -1));
	assert_true(pane_search_again(p, -1));
	redraw();
	check_line(cursor_row(g, 0), "line 6 Three");
	assert_false(pane_search(p, "four"));
	redraw();
	assert_int_equal(cursor_row(g, 0), -1);
	assert_false(pane_search_again(p, 1));
	assert_true(pane_search(p, ""));
	assert_false(pane_search_again(p, 1));
}

static void test_flows(void **state)
{
	(void)state;
	assert_true(pane_search(p, "line 9"));
	assert_false(pane_follows(p));
	write_lines(12);
	redraw();
	check_line(cursor_row(g, 0), "line 9 Three");
	/* lines were dropped at the top: 6 is now the eighth */
	assert_true(pane_search(p, "line 6"));
	write_lines(3);
	redraw();
	check_line(cursor_row(g, 0), "line 6 Three");
	/* and now it is dropped itself */
	write_lines(10);
	redraw();
	assert_int_equal(cursor_row(g, 0), -1);
	assert_false(pane_search_again(p, 1));
	pane_request(p, REQ_LAST);
	assert_true(pane_follows(p));
}

/* While typing: from the initial position; cancelled: back to it. */
static void test_place(void **state)
{
	uint64_t place = pane_place(p);

	(void)state;
	assert_true(pane_search(p, "line 0"));
	pane_go(p, place);
	assert_true(pane_follows(p));
	pane_request(p, REQ_FIRST);
	pane_request(p, REQ_DOWN);
	redraw();
	place = pane_place(p);
	assert_true(pane_search(p, "line 9"));
	pane_go(p, place);
	redraw();
	check_line(0, "line 1");
}

static bool even(void *ctx, size_t i)
{
	++*(int *)ctx;
	return i % 2 == 0;
}

static void test_line(void **state)
{
	char text[FIND_SIZE];
	int asked = 0;

	(void)state;
	assert_int_equal(find_line(5, 1, 1, even, &asked), 2);
	assert_int_equal(find_line(5, 1, -1, even, &asked), 0);
	assert_int_equal(find_line(5, 99, 1, even, &asked), 0);
	assert_int_equal(find_line(0, 0, 1, even, &asked), FIND_NONE);
	find_copy(text, "a中");
	assert_string_equal(text, "a中");
	/* whole characters */
	find_copy(
		text,
		"中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中中");
	assert_int_equal(strlen(text), 126);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pane, setup, teardown),
		cmocka_unit_test_setup_teardown(test_flows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_place, setup, teardown),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests_name("ui/find", tests, use_utf8, NULL);
}
