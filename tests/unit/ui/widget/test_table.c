/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "unit/ui/screen.h"
#include "widget/find.h"
#include "widget/table.h"

/* Rows are numbers: n of them, from `first` on; counts calls for cells. */
struct rows {
	size_t n, first;
	size_t asked;
	bool asked_beyond;
	const char *mark; /* before the symbol; NULL: none */
};

static size_t rows_count(void *ctx)
{
	return ((struct rows *)ctx)->n;
}

static const char *rows_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			     style_t *style)
{
	struct rows *r = ctx;

	r->asked++;
	r->asked_beyond |= row >= r->n;
	if (column == 0)
		*style = ROLE_HOT;
	if (column)
		snprintf(buf, size, "%ssymbol-%zu", r->mark ? r->mark : "", row + r->first);
	else
		snprintf(buf, size, "%zu", row + r->first);
	return buf;
}

static uint64_t rows_id(void *ctx, size_t row)
{
	return row + ((struct rows *)ctx)->first + 1;
}

static size_t rows_find(void *ctx, uint64_t id)
{
	struct rows *r = ctx;

	return id > r->first && id - r->first - 1 < r->n ? id - r->first - 1 : SIZE_MAX;
}

static const struct table_ops ops = {
	.count = rows_count,
	.cell = rows_cell,
	.id = rows_id,
	.find = rows_find,
};

static const struct table_column columns[] = {
	{ .title = "Number", .width = 6, .align = ALIGN_RIGHT },
	{ .title = "Symbol", .width = 8, .min = 4, .fill = true },
};

static void make(struct table *t, struct rows *r)
{
	table_init(t, &ops, r);
	table_set_columns(t, columns, 2);
	table_recalc(t);
}

static void test_draw(void **state)
{
	struct grid *g = grid_new(4, 18);
	struct canvas c = canvas_of(g);
	struct rows r = { .n = 2 };
	struct table t;

	(void)state;
	make(&t, &r);
	t.sort = 0;
	table_request(&t, REQ_DOWN);
	table_draw(&t, &c);
	check_rows(g, "Number↓ Symbol", "     0  symbol-0", "     1  symbol-1", "");
	assert_int_equal(cursor_row(g, 0), 2);
	assert_int_equal(cursor_row(g, 17), 2);
	assert_int_equal(grid_style(g, 1, 5), ROLE_HOT);
	t.header = false;
	table_request(&t, REQ_RIGHT);
	table_draw(&t, &c);
	check_rows(g, "     0", "     1");
	grid_free(g);
}

static void test_elide(void **state)
{
	struct grid *g = grid_new(2, 10);
	struct canvas c = canvas_of(g);
	struct rows r = { .n = 1, .first = 123456 };
	struct table t;

	(void)state;
	make(&t, &r);
	t.header = false;
	t.columns[0].width = 0; /* the number is not shown */
	t.columns[1].elide = true;
	table_draw(&t, &c);
	check_rows(g, "sym…123456", "");
	r.mark = "[x] "; /* a mark stays */
	table_draw(&t, &c);
	check_rows(g, "[x] sy…456", "");
	r.mark = "";
	table_find_ops.set_text(&t, "bol"); /* what was searched for stays visible */
	table_draw(&t, &c);
	check_rows(g, "symbol-12…", "");
	table_find_ops.set_text(&t, "");
	table_request(&t, REQ_RIGHT); /* all of it */
	table_draw(&t, &c);
	check_rows(g, "23456", "");
	grid_free(g);
}

static void test_long(void **state)
{
	struct grid *g = grid_new(11, 40);
	struct canvas c = canvas_of(g);
	struct rows r = { .n = 100000 };
	struct table t;

	(void)state;
	make(&t, &r);
	table_draw(&t, &c);
	assert_int_equal(t.page, 10);
	assert_int_equal(table_request(&t, REQ_PAGE_DOWN), WISH_REDRAW);
	assert_int_equal(t.cursor, 10);
	assert_int_equal(table_request(&t, REQ_LAST), WISH_REDRAW);
	assert_int_equal(t.cursor, 99999);
	assert_int_equal(t.top, 99990);
	assert_int_equal(table_request(&t, REQ_DOWN), WISH_NONE);
	assert_int_equal(table_request(&t, REQ_OPEN), WISH_PASS);
	table_draw(&t, &c);
	assert_int_equal(cursor_row(g, 0), 10);
	/* two pictures of ten rows of two cells */
	assert_true(r.asked <= 40);
	grid_free(g);
}

static void test_follows(void **state)
{
	struct find f;
	struct grid *g = grid_new(6, 40);
	struct canvas c = canvas_of(g);
	struct rows r = { .n = 100, .first = 50 };
	struct table t;

	(void)state;
	make(&t, &r);
	table_draw(&t, &c);
	table_move_to(&t, 20);
	r.first = 40;
	table_recalc(&t);
	assert_int_equal(t.cursor, 30);
	/* gone: stays in place */
	r.first = 1000;
	table_recalc(&t);
	assert_int_equal(t.cursor, 30);
	r.n = 3;
	table_recalc(&t);
	assert_int_equal(t.cursor, 2);
	r.n = 0;
	table_recalc(&t);
	assert_int_equal(t.cursor, 0);
	table_draw(&t, &c);
	assert_int_equal(table_request(&t, REQ_UP), WISH_NONE);
	find_init_table(&f, NULL, &t);
	assert_int_equal(find_text(&f, "x"), FIND_NOWHERE);
	assert_int_equal(find_again(&f, -1), FIND_NOWHERE);
	grid_free(g);
}

/* Until moved, the cursor is on the first row, whichever that is. */
static void test_follows_the_first(void **state)
{
	struct find f;
	struct grid *g = grid_new(6, 40);
	struct canvas c = canvas_of(g);
	struct rows r = { .n = 100, .first = 50 };
	struct term_event e = { .kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = 1 };
	struct table t;

	(void)state;
	make(&t, &r);
	t.follow_first = true;
	table_draw(&t, &c);
	r.first = 40;
	table_recalc(&t);
	assert_int_equal(t.cursor, 0);
	assert_int_equal(t.top, 0);
	/* no key of this table; and one that leads nowhere */
	table_request(&t, REQ_OPEN);
	table_request(&t, REQ_UP);
	r.first = 30;
	table_recalc(&t);
	assert_int_equal(t.cursor, 0);
	/* moved, even if back to the start */
	table_request(&t, REQ_DOWN);
	table_request(&t, REQ_UP);
	r.first = 20;
	table_recalc(&t);
	assert_int_equal(t.cursor, 10);
	assert_int_equal(t.top, 10);
	/* to the first one, whichever that is */
	table_request(&t, REQ_FIRST);
	r.first = 10;
	table_recalc(&t);
	assert_int_equal(t.cursor, 0);
	/* a click selects this row */
	table_draw(&t, &c);
	table_mouse(&t, &e);
	r.first = 5;
	table_recalc(&t);
	assert_int_equal(t.cursor, 5);
	table_request(&t, REQ_FIRST);
	table_draw(&t, &c);
	e.mouse = MOUSE_WHEEL_DOWN;
	table_mouse(&t, &e);
	r.first = 0;
	table_recalc(&t);
	assert_int_equal(t.top, 8);
	/* so does a search match */
	r.first = 3;
	table_recalc(&t);
	table_request(&t, REQ_FIRST);
	find_init_table(&f, NULL, &t);
	assert_int_equal(find_text(&f, "symbol-3"), FIND_HERE);
	assert_int_equal(t.cursor, 0);
	r.first = 2;
	table_recalc(&t);
	assert_int_equal(t.cursor, 1);
	grid_free(g);
}

static void test_search(void **state)
{
	struct grid *g = grid_new(6, 30);
	struct canvas c = canvas_of(g);
	struct rows r = { .n = 100 };
	struct table t;
	struct find f;

	(void)state;
	make(&t, &r);
	find_init_table(&f, NULL, &t);
	/* rows that were removed since the table was recalculated are not looked at */
	r.n = 50;
	r.asked_beyond = false;
	assert_int_equal(find_text(&f, "symbol-70"), FIND_NOWHERE);
	assert_false(r.asked_beyond);
	r.n = 100;
	assert_int_equal(find_text(&f, "SYMBOL-7"), FIND_HERE);
	assert_int_equal(t.cursor, 7);
	assert_int_equal(find_again(&f, 1), FIND_HERE);
	assert_int_equal(t.cursor, 70);
	assert_int_equal(find_again(&f, -1), FIND_HERE);
	assert_int_equal(find_again(&f, -1), FIND_HERE);
	assert_int_equal(t.cursor, 79);
	table_draw(&t, &c);
	assert_int_equal(grid_style(g, cursor_row(g, 0), 8), ROLE_MATCH | STYLE_CURSOR);
	assert_int_equal(find_text(&f, "nothing"), FIND_NOWHERE);
	assert_int_equal(t.cursor, 79);
	assert_int_equal(find_text(&f, ""), FIND_GIVEN_UP);
	assert_string_equal(t.search, "");
	grid_free(g);
}

static void test_count(void **state)
{
	struct rows r = { .n = 100 };
	struct table t;
	struct find f;

	(void)state;
	make(&t, &r);
	find_init_table(&f, NULL, &t);
	assert_int_equal(find_text(&f, "symbol-7"), FIND_HERE); /* and 70 to 79 */
	assert_true(find_count(&f));
	assert_int_equal(f.at, 1);
	assert_int_equal(f.n, 11);
	assert_int_equal(find_again(&f, -1), FIND_HERE);
	assert_true(find_count(&f));
	assert_int_equal(f.at, 11);
	assert_int_equal(f.n, 11);
	table_request(&t, REQ_DOWN); /* not a match */
	assert_true(find_count(&f));
	assert_int_equal(f.at, 0);
	assert_int_equal(find_text(&f, "symbol-100"), FIND_NOWHERE);
	assert_true(find_count(&f));
	assert_int_equal(f.n, 0);
}

static void test_mouse(void **state)
{
	struct grid *g = grid_new(6, 30);
	struct canvas c = canvas_of(g);
	struct rows r = { .n = 100 };
	struct table t;
	struct term_event e = { .kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = 3 };

	(void)state;
	make(&t, &r);
	table_draw(&t, &c);
	assert_int_equal(table_mouse(&t, &e), WISH_REDRAW);
	assert_int_equal(t.cursor, 2);
	/* the second click of a double click opens; so does one on the cursor row */
	e.time_ns = 100000000;
	assert_int_equal(table_mouse(&t, &e), WISH_OPEN);
	e.time_ns += 100000000;
	assert_int_equal(table_mouse(&t, &e), WISH_NONE);
	e.time_ns += 500000000;
	assert_int_equal(table_mouse(&t, &e), WISH_OPEN);
	e.y = 4;
	assert_int_equal(table_mouse(&t, &e), WISH_REDRAW);
	assert_int_equal(table_mouse(&t, &e), WISH_OPEN);
	/* without the focus no cursor is visible: the click only moves it */
	t.focus = false;
	assert_int_equal(table_mouse(&t, &e), WISH_NONE);
	t.focus = true;
	e.button = 3;
	assert_int_equal(table_mouse(&t, &e), WISH_PASS);
	e.button = 1;
	e.mouse = MOUSE_RELEASE;
	assert_int_equal(table_mouse(&t, &e), WISH_PASS);
	e.mouse = MOUSE_PRESS;
	e.y = 3;
	table_mouse(&t, &e);
	e.y = 0;
	assert_int_equal(table_mouse(&t, &e), WISH_PASS);
	e.mouse = MOUSE_WHEEL_DOWN;
	assert_int_equal(table_mouse(&t, &e), WISH_REDRAW);
	assert_int_equal(t.top, 3);
	assert_int_equal(t.cursor, 3);
	e.mouse = MOUSE_WHEEL_UP;
	assert_int_equal(table_mouse(&t, &e), WISH_REDRAW);
	assert_int_equal(table_mouse(&t, &e), WISH_NONE);
	assert_int_equal(t.top, 0);
	grid_free(g);
}

static void test_layout(void **state)
{
	static const struct table_column many[] = {
		{ .title = "a", .width = 8, .align = ALIGN_RIGHT },
		{ .title = "b", .width = 10, .min = 4, .hide = 1 },
		{ .title = "c", .width = 6, .hide = 2 },
		{ .title = "d", .width = 20, .min = 10, .fill = true },
	};
	int widths[TABLE_COLUMNS_MAX];
	struct rows r = { 0 };
	struct table t;

	(void)state;
	table_init(&t, &ops, &r);
	table_set_columns(&t, many, 4);
	table_layout(&t, 60, widths);
	assert_int_equal(widths[1], 10);
	assert_int_equal(widths[3], 60 - 8 - 10 - 6 - 6);
	/* all of them, cut */
	table_layout(&t, 34, widths);
	assert_int_equal(widths[0], 8);
	assert_int_equal(widths[1], 4);
	assert_int_equal(widths[3], 10);
	/* the highest is hidden first */
	table_layout(&t, 30, widths);
	assert_int_equal(widths[2], 0);
	assert_true(widths[1] > 0);
	assert_int_equal(widths[0] + widths[1] + widths[3] + 4, 30);
	table_layout(&t, 21, widths);
	assert_int_equal(widths[1], 0);
	assert_int_equal(widths[3], 11);
	/* nothing left to hide: clipped at the edge */
	for (int i = 0; i < 20; i++) {
		table_layout(&t, i, widths);
		assert_true(widths[0] <= i);
		assert_true(!widths[3] || widths[0] + 2 + widths[3] <= i);
	}
}

/* Very many rows: no slice checks all, and all slices together find the match. */
static void test_search_in_slices(void **state)
{
	struct rows r = { .n = 3000000, .first = 0 };
	struct table t;
	struct find f;
	int slices = 1;

	(void)state;
	make(&t, &r);
	find_init_table(&f, NULL, &t);
	f.in_slices = true;
	r.asked = 0;
	assert_int_equal(find_text(&f, "symbol-2999999"), FIND_LATER);
	assert_true(r.asked < 2 * r.n);
	while (find_more(&f) == FIND_LATER)
		slices++;
	assert_true(slices > 1);
	assert_int_equal(t.cursor, 2999999);
	/* moving the cursor ends the search */
	assert_int_equal(find_text(&f, "nowhere"), FIND_LATER);
	table_request(&t, REQ_UP);
	assert_int_equal(find_more(&f), FIND_GIVEN_UP);
	/* few rows are searched at once, even if there were more before */
	table_move_to(&t, 0);
	assert_int_equal(find_text(&f, "nowhere"), FIND_LATER);
	r.n = 3;
	t.n_rows = 3;
	assert_int_equal(find_more(&f), FIND_NOWHERE);
}

/* Columns are as wide as their titles, and with `most` as their cells up to that. */
static void test_fit_columns(void **state)
{
	const struct table_column fitted[] = {
		{ .title = "Number", .width = 2, .align = ALIGN_RIGHT },
		{ .title = "Symbol", .most = 40 },
		{ .title = "Symbol", .most = 8 },
	};
	struct rows r = { .n = 12, .first = 0 };
	struct table t;

	(void)state;
	table_init(&t, &ops, &r);
	table_fit_columns(&t, fitted, 3);
	assert_int_equal(t.columns[0].width, 6);
	assert_int_equal(t.columns[1].width, strlen("symbol-11"));
	assert_int_equal(t.columns[2].width, 8);
}

/* All cells of the cursor row, also those that are hidden; nothing without rows. */
static void test_cursor_text(void **state)
{
	struct rows r = { .n = 12, .first = 5 };
	struct table t;
	char text[64];

	(void)state;
	make(&t, &r);
	table_move_to(&t, 2);
	assert_string_equal(table_cursor_text(&t, text, sizeof(text)), "7  symbol-7");
	r.n = 0;
	assert_string_equal(table_cursor_text(&t, text, sizeof(text)), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draw),
		cmocka_unit_test(test_elide),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_follows),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_follows_the_first),
		cmocka_unit_test(test_search_in_slices),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_fit_columns),
		cmocka_unit_test(test_cursor_text),
	};

	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
