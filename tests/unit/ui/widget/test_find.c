/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searching a scrolling text: the match stays visible. */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/find.h"
#include "widget/pane.h"

static struct pane *p;
static struct find f;
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
	find_init(&f, NULL, &pane_find_ops, p);
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
	assert_int_equal(find_text(&f, "three"), FIND_HERE);
	redraw();
	check_line(cursor_row(g, 0), "line 6 Three");
	assert_int_equal(find_again(&f, 1), FIND_HERE);
	redraw();
	check_line(cursor_row(g, 0), "line 9 Three");
	assert_int_equal(find_again(&f, 1), FIND_HERE);
	redraw();
	check_line(cursor_row(g, 0), "line 0 Three");
	assert_int_equal(find_again(&f, -1), FIND_HERE);
	assert_int_equal(find_again(&f, -1), FIND_HERE);
	redraw();
	check_line(cursor_row(g, 0), "line 6 Three");
	assert_int_equal(find_text(&f, "four"), FIND_NOWHERE);
	redraw();
	assert_int_equal(cursor_row(g, 0), -1);
	assert_int_equal(find_again(&f, 1), FIND_NOWHERE);
	assert_int_equal(find_text(&f, ""), FIND_GIVEN_UP);
}

static void test_flows(void **state)
{
	(void)state;
	assert_int_equal(find_text(&f, "line 9"), FIND_HERE);
	assert_false(pane_follows(p));
	write_lines(12);
	redraw();
	check_line(cursor_row(g, 0), "line 9 Three");
	/* lines were dropped at the top: 6 is now the eighth */
	assert_int_equal(find_text(&f, "line 6"), FIND_HERE);
	write_lines(3);
	redraw();
	check_line(cursor_row(g, 0), "line 6 Three");
	/* and now it is dropped itself */
	write_lines(10);
	redraw();
	assert_int_equal(cursor_row(g, 0), -1);
	assert_int_equal(find_again(&f, 1), FIND_NOWHERE);
	pane_request(p, REQ_LAST);
	assert_true(pane_follows(p));
}

/* While typing: from the initial position; cancelled: back to it. */
static void test_place(void **state)
{
	uint64_t place = pane_find_ops.place(p);

	(void)state;
	assert_int_equal(find_text(&f, "line 0"), FIND_HERE);
	pane_find_ops.go(p, place);
	assert_true(pane_follows(p));
	pane_request(p, REQ_FIRST);
	pane_request(p, REQ_DOWN);
	redraw();
	place = pane_find_ops.place(p);
	assert_int_equal(find_text(&f, "line 9"), FIND_HERE);
	pane_find_ops.go(p, place);
	redraw();
	check_line(0, "line 1");
}

/* Lines 6 and 9 are seen: 6 is the third of four matches. */
static void test_count(void **state)
{
	(void)state;
	assert_int_equal(find_text(&f, "three"), FIND_HERE);
	assert_true(find_count(&f));
	assert_int_equal(f.at, 3);
	assert_int_equal(f.n, 4);
}

static void test_copy(void **state)
{
	char text[FIND_SIZE];

	(void)state;
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
		cmocka_unit_test_setup_teardown(test_count, setup, teardown),
		cmocka_unit_test(test_copy),
	};

	return cmocka_run_group_tests_name("ui/find", tests, use_utf8, NULL);
}
