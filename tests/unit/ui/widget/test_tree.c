/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/find.h"
#include "widget/tree.h"

/*
 * A forest of `tops` nodes from `first` on. An id is a path of digits in bytes: node n has the
 * children n*16+1 and n*16+2, down to three levels; of every top, the last child is a leaf.
 */
struct forest {
	size_t tops, first;
	size_t asked; /* nodes whose children were queried */
	size_t given; /* children that were */
	size_t many;  /* children of each node at depth 0; 0: two */
	bool no_second;
};

#define TOP_ID(i) ((uint64_t)(i) << 8 | 0xf0000000000000u)

static int level_of(uint64_t node)
{
	return (node & 0xff) == 0 ? 0 : (node & 0x0f) == 0 ? 1 : 2;
}

static size_t forest_count(void *ctx, uint64_t node)
{
	struct forest *f = ctx;

	f->asked++;
	if (node == TREE_TOP)
		return f->tops;
	if (level_of(node) == 2)
		return 0;
	if (level_of(node) == 0 && f->many)
		return f->many;
	return level_of(node) == 0 && f->no_second ? 1 : 2;
}

static uint64_t forest_child(void *ctx, uint64_t node, size_t i)
{
	struct forest *f = ctx;

	f->given++;
	if (node == TREE_TOP)
		return TOP_ID(f->first + i);
	if (level_of(node) == 0 && f->many)
		return node | (i + 1) << 36 | 0x11;
	return level_of(node) == 0 ? node | (i + 1) << 4 : node | (i + 1);
}

static size_t forest_find(void *ctx, uint64_t node)
{
	const struct forest *f = ctx;
	size_t top = (size_t)(node >> 8 & 0xffffff) - f->first;

	return level_of(node) == 0 && top < f->tops ? top : SIZE_MAX;
}

static bool forest_opens(void *ctx, uint64_t node)
{
	(void)ctx;
	return level_of(node) < 2;
}

static const char *forest_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			       style_t *style)
{
	(void)ctx;
	(void)style;
	snprintf(buf, size, column ? "top" : "%u", (unsigned)(node >> 8 & 0xffffff));
	return buf;
}

static const char *forest_label(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
				char *head, size_t head_size, style_t *head_style)
{
	(void)ctx;
	(void)style;
	*head_style = ROLE_HOT;
	snprintf(head, head_size, "%d %%", 10 * level_of(node));
	snprintf(buf, size, "node-%x", (unsigned)(node & 0xff));
	return buf;
}

static bool forest_matches(void *ctx, uint64_t node, const char *text)
{
	(void)ctx;
	return !strcmp(text, "top") && level_of(node) == 0;
}

static const struct tree_ops ops = {
	.count = forest_count,
	.child = forest_child,
	.opens = forest_opens,
	.cell = forest_cell,
	.label = forest_label,
	.matches = forest_matches,
};

static const struct tree_ops found_ops = {
	.count = forest_count,
	.child = forest_child,
	.find = forest_find,
	.opens = forest_opens,
	.cell = forest_cell,
	.label = forest_label,
	.matches = forest_matches,
};

static const struct table_column columns[] = {
	{ .title = "Number", .width = 6, .align = ALIGN_RIGHT },
	{ .title = "What", .width = 4, .fill = true },
};

static void make(struct tree *t, struct forest *f)
{
	assert_int_equal(tree_init(t, &ops, f), 0);
	table_set_columns(&t->table, columns, 2);
	assert_int_equal(tree_recalc(t), 0);
}

/* Draws it, and returns how many rows were asked for since the last time. */
static size_t drawn(struct tree *t, struct forest *f, int rows, int cols)
{
	struct grid *g = grid_new(rows, cols);
	struct canvas c = canvas_of(g);
	size_t given;

	tree_draw(t, &c);
	grid_free(g);
	given = f->given;
	f->given = 0;
	return given;
}

static void test_draw(void **state)
{
	struct grid *g = grid_new(9, 30);
	struct canvas c = canvas_of(g);
	struct forest f = { .tops = 2 };
	struct tree t;

	(void)state;
	make(&t, &f);
	assert_int_equal(tree_request(&t, REQ_TOGGLE), WISH_REDRAW);
	table_move_to(&t.table, 1);
	assert_int_equal(tree_request(&t, REQ_OPEN), WISH_REDRAW);
	tree_draw(&t, &c);
	check_rows(g, "   Number  What", "-       0  top", "   - 10 % node-10",
		   "   │    20 % node-11", "   │    20 % node-12", "   + 10 % node-20",
		   "+       1  top", "");
	assert_int_equal(cursor_row(g, 0), 2);
	assert_int_equal(cursor_row(g, 29), 2);
	assert_int_equal(grid_style(g, 3, 8), ROLE_HOT);
	table_move_to(&t.table, 2);
	assert_int_equal(tree_request(&t, REQ_OPEN), WISH_PASS);
	assert_int_equal(tree_request(&t, REQ_TOGGLE), WISH_NONE);
	/* the line continues when its start is scrolled away, and ends at the last child */
	tree_set_open(&t, TOP_ID(0) | 0x20, true);
	assert_int_equal(grid_resize(g, 4, 22), 0);
	c = canvas_of(g);
	table_move_to(&t.table, 5);
	tree_draw(&t, &c);
	check_rows(g, "   Number  What", "   │    20 % node-12", "   - 10 % node-20",
		   "        20 % node-21");
	table_move_to(&t.table, 2);
	tree_set_open(&t, TOP_ID(0) | 0x20, false);
	assert_int_equal(grid_resize(g, 9, 30), 0);
	c = canvas_of(g);
	/* scrolled to the right: the deeper rows lose their first columns */
	tree_request(&t, REQ_RIGHT);
	tree_draw(&t, &c);
	assert_string_equal(row_text(g, 3), "   % node-11");
	tree_release(&t);
	grid_free(g);
}

static void test_keeps(void **state)
{
	struct forest f = { .tops = 10, .first = 5 };
	struct tree t;

	(void)state;
	make(&t, &f);
	assert_int_equal(tree_set_open(&t, TOP_ID(8), true), 0);
	assert_int_equal(tree_set_open(&t, TOP_ID(8) | 0x20, true), 0);
	assert_int_equal(t.n_rows, 14);
	table_move_to(&t.table, 7);
	assert_true(tree_cursor(&t) == (TOP_ID(8) | 0x22));
	/* after a change cursor and open nodes follow the ids */
	f.first = 0;
	assert_int_equal(tree_recalc(&t), 0);
	assert_int_equal(t.n_rows, 14);
	assert_true(tree_cursor(&t) == (TOP_ID(8) | 0x22));
	assert_int_equal(t.table.cursor, 12);
	/* the second child is gone: the nearest parent has the cursor */
	f.no_second = true;
	assert_int_equal(tree_recalc(&t), 0);
	assert_true(tree_cursor(&t) == TOP_ID(8));
	/* and is open again when it reappears */
	f.no_second = false;
	assert_int_equal(tree_recalc(&t), 0);
	assert_true(tree_is_open(&t, TOP_ID(8) | 0x20));
	assert_int_equal(t.n_rows, 14);
	/* closing above the cursor moves it */
	table_move_to(&t.table, 12);
	assert_int_equal(tree_set_open(&t, TOP_ID(8), false), 0);
	assert_true(tree_cursor(&t) == TOP_ID(8));
	assert_int_equal(t.n_rows, 10);
	f.tops = 0;
	assert_int_equal(tree_recalc(&t), 0);
	assert_true(tree_cursor(&t) == TREE_TOP);
	assert_int_equal(tree_request(&t, REQ_TOGGLE), WISH_PASS);
	tree_release(&t);
}

static void test_entries(void **state)
{
	struct find find;
	struct forest f = { .tops = 3 };
	struct tree t;

	(void)state;
	make(&t, &f);
	table_move_to(&t.table, 1);
	tree_request(&t, REQ_EXPAND_ENTRY);
	assert_int_equal(t.n_rows, 9);
	table_move_to(&t.table, 4);
	tree_request(&t, REQ_EXPAND_ENTRY);
	assert_int_equal(t.n_rows, 3);
	assert_int_equal(t.table.cursor, 1);
	tree_request(&t, REQ_TOGGLE);
	assert_int_equal(t.n_rows, 5); /* one level: those below are closed too */
	tree_request(&t, REQ_COLLAPSE_ENTRY);
	assert_int_equal(t.n_rows, 3);
	tree_request(&t, REQ_EXPAND_ALL);
	assert_int_equal(t.n_rows, 21);
	table_move_to(&t.table, 20);
	tree_request(&t, REQ_COLLAPSE_ALL);
	assert_int_equal(t.n_rows, 3);
	assert_int_equal(t.table.cursor, 2);
	find_init_table(&find, NULL, &t.table);
	assert_int_equal(find_text(&find, "top"), FIND_HERE);
	tree_release(&t);
}

static void test_mouse(void **state)
{
	struct grid *g = grid_new(9, 30);
	struct canvas c = canvas_of(g);
	struct forest f = { .tops = 2 };
	struct tree t;
	struct term_event e = { .kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = 2 };

	(void)state;
	make(&t, &f);
	tree_draw(&t, &c);
	tree_mouse(&t, &e);
	assert_true(tree_is_open(&t, TOP_ID(1)));
	tree_draw(&t, &c);
	e.y = 4;
	e.x = 10;
	assert_int_equal(tree_mouse(&t, &e), WISH_REDRAW);
	assert_int_equal(t.n_rows, 4);
	e.x = 3;
	tree_mouse(&t, &e);
	assert_int_equal(t.n_rows, 6);
	/* a click on the sign toggles once, without opening again */
	tree_draw(&t, &c);
	assert_int_equal(tree_mouse(&t, &e), WISH_REDRAW);
	assert_int_equal(t.n_rows, 4);
	/* next to it, on the cursor row, the screen opens it */
	e.x = 10;
	e.time_ns = 1000000000;
	assert_int_equal(tree_mouse(&t, &e), WISH_OPEN);
	assert_int_equal(t.n_rows, 4);
	/* the caller's request opens a row, also from its sign: it may take a thread */
	t.asks = true;
	e.x = 3;
	e.time_ns = 9000000000;
	assert_int_equal(tree_mouse(&t, &e) & WISH_OPEN, WISH_OPEN);
	assert_int_equal(t.n_rows, 4);
	tree_release(&t);
	grid_free(g);
}

static void test_many(void **state)
{
	struct grid *g = grid_new(25, 80);
	struct canvas c = canvas_of(g);
	struct forest f = { .tops = 100000 };
	struct tree t;

	(void)state;
	make(&t, &f);
	assert_int_equal(t.n_rows, 100000);
	/* children of closed nodes are not queried */
	assert_int_equal(f.asked, 1);
	tree_draw(&t, &c);
	tree_request(&t, REQ_LAST);
	tree_request(&t, REQ_TOGGLE);
	tree_draw(&t, &c);
	assert_int_equal(f.asked, 2);
	assert_int_equal(t.n_rows, 100002);
	tree_request(&t, REQ_EXPAND_ALL);
	assert_int_equal(t.n_rows, 700000);
	assert_true(tree_cursor(&t) == TOP_ID(99999));
	tree_request(&t, REQ_COLLAPSE_ALL);
	assert_int_equal(t.n_rows, 100000);
	tree_release(&t);
	grid_free(g);
}

/* Millions of rows cost as much as those that are looked at, on any terminal, and as few as none. */
static void test_millions(void **state)
{
	static const size_t numbers[] = { 0, 1, 100000, 3000000 };
	static const int sizes[][2] = { { 10, 40 }, { 24, 80 }, { 100, 300 } };

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct forest f = { .tops = numbers[i] };
		struct tree t;

		assert_int_equal(tree_init(&t, &found_ops, &f), 0);
		table_set_columns(&t.table, columns, 2);
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			static const enum request moves[] = { REQ_PAGE_DOWN, REQ_LAST,	  REQ_UP,
							      REQ_TOGGLE,    REQ_PAGE_UP, REQ_LAST,
							      REQ_TOGGLE,    REQ_FIRST };
			int h = sizes[k][0], w = sizes[k][1];
			size_t most = 20 * (size_t)h;

			assert_int_equal(tree_recalc(&t), 0);
			assert_in_range(drawn(&t, &f, h, w), 0, most);
			for (size_t m = 0; m < sizeof(moves) / sizeof(moves[0]); m++) {
				tree_request(&t, moves[m]);
				assert_in_range(drawn(&t, &f, h, w), 0, most);
				/* some are open now */
				assert_int_equal(tree_recalc(&t), 0);
				assert_in_range(drawn(&t, &f, h, w), 0, most);
			}
			assert_int_equal(t.table.cursor, 0);
		}
		tree_release(&t);
	}
}

/* A row with very many children opens in slices; until then nothing has changed, and a key takes it back. */
static void test_open_in_slices(void **state)
{
	struct forest f = { .tops = 10, .many = 50000 };
	size_t rows, steps = 0;
	struct tree t;
	int ret;

	(void)state;
	make(&t, &f);
	t.slice_ns = 1;
	f.given = 0;
	assert_int_equal(tree_request(&t, REQ_TOGGLE), WISH_REDRAW);
	assert_non_null(t.opening);
	assert_in_range(f.given, 1, 100);
	assert_int_equal(t.n_rows, 10);
	do {
		f.given = 0;
		ret = tree_expand_step(&t, 1, &rows);
		assert_in_range(f.given, 0, 100);
		steps++;
	} while (ret == 1);
	assert_int_equal(ret, 0);
	assert_null(t.opening);
	assert_in_range(steps, 500, 50000);
	assert_int_equal(t.n_rows, 50010);
	assert_int_equal(tree_next_open(&t, 0, 1), 0);
	assert_true(tree_next_open(&t, 1, 2) == SIZE_MAX);
	/* the next key closes it, or ends what is not open yet */
	tree_request(&t, REQ_TOGGLE);
	assert_int_equal(t.n_rows, 10);
	tree_request(&t, REQ_TOGGLE);
	assert_non_null(t.opening);
	assert_true(tree_is_open(&t, TOP_ID(0)));
	tree_expand_end(&t);
	assert_false(tree_is_open(&t, TOP_ID(0)));
	assert_int_equal(tree_expand_step(&t, 1, &rows), 0);
	assert_int_equal(t.n_rows, 10);
	/* with other rows it is open */
	tree_request(&t, REQ_TOGGLE);
	assert_int_equal(tree_recalc(&t), 0);
	assert_null(t.opening);
	assert_int_equal(t.n_rows, 50010);
	/* those below another one stay */
	table_move_to(&t.table, 50005);
	t.slice_ns = 0;
	tree_request(&t, REQ_TOGGLE);
	assert_int_equal(t.n_rows, 100010);
	assert_true(tree_node(&t, 50000) == (TOP_ID(0) | 50000ull << 36 | 0x11));
	assert_true(tree_node(&t, 50001) == TOP_ID(1));
	assert_true(tree_cursor(&t) == TOP_ID(5));
	tree_release(&t);
}

/* Opens all between keys: until done, nothing has changed, and opening a row aborts it. */
static void test_expand_in_slices(void **state)
{
	struct forest f = { .tops = 100000 };
	struct tree t;
	size_t rows, slices = 1;
	int ret;

	(void)state;
	make(&t, &f);
	table_move_to(&t.table, 50000);
	assert_int_equal(tree_expand_begin(&t), 0);
	while ((ret = tree_expand_step(&t, 100000, &rows)) == 1) {
		assert_int_equal(t.n_rows, 100000);
		assert_false(tree_is_open(&t, TOP_ID(0)));
		assert_in_range(rows, 1, 700000);
		slices++;
	}
	assert_int_equal(ret, 0);
	assert_true(slices > 1);
	assert_int_equal(t.n_rows, 700000);
	assert_true(tree_is_open(&t, TOP_ID(99999)));
	assert_true(tree_cursor(&t) == TOP_ID(50000));

	tree_request(&t, REQ_COLLAPSE_ALL);
	assert_int_equal(tree_expand_begin(&t), 0);
	assert_int_equal(tree_expand_step(&t, 100000, &rows), 1);
	tree_request(&t, REQ_TOGGLE);
	assert_int_equal(tree_expand_step(&t, 100000, &rows), 0);
	assert_int_equal(t.n_rows, 100002);
	assert_int_equal(tree_expand_begin(&t), 0);
	tree_expand_end(&t);
	assert_int_equal(t.n_rows, 100002);
	assert_int_equal(tree_expand_begin(&t), 0);
	tree_release(&t);
}

/* Rows change while very many are open: closed at first, then as before. */
static void test_reopen(void **state)
{
	struct forest f = { .tops = 50000 };
	struct tree_ids *open;
	uint64_t cursor;
	struct tree t;
	size_t n, rows;

	(void)state;
	make(&t, &f);
	tree_request(&t, REQ_EXPAND_ALL);
	table_move_to(&t.table, 70001);
	cursor = tree_cursor(&t);
	tree_open_nodes(&t, &n);
	assert_true(n >= 50000);
	open = tree_take_open(&t);
	assert_non_null(open);
	assert_int_equal(tree_recalc(&t), 0);
	assert_int_equal(t.n_rows, 50000);
	assert_int_equal(tree_reopen_begin(&t, open, cursor), 0);
	tree_open_nodes(&t, &rows);
	assert_int_equal(rows, n);
	assert_int_equal(tree_expand_step(&t, 1000, &rows), 1);
	/* the rows changed once more */
	open = tree_take_open(&t);
	assert_int_equal(tree_recalc(&t), 0);
	assert_int_equal(tree_reopen_begin(&t, open, cursor), 0);
	while (tree_expand_step(&t, 1000000, &rows))
		;
	assert_int_equal(t.n_rows, 350000);
	assert_true(tree_cursor(&t) == cursor);
	tree_open_nodes(&t, &rows);
	assert_int_equal(rows, n);
	/* a key that opens or closes ends it */
	open = tree_take_open(&t);
	assert_int_equal(tree_recalc(&t), 0);
	assert_int_equal(tree_reopen_begin(&t, open, TREE_TOP), 0);
	tree_request(&t, REQ_TOGGLE);
	assert_int_equal(tree_expand_step(&t, 0, &rows), 0);
	assert_int_equal(t.n_rows, 50002);
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draw),	       cmocka_unit_test(test_keeps),
		cmocka_unit_test(test_entries),	       cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_many),	       cmocka_unit_test(test_expand_in_slices),
		cmocka_unit_test(test_reopen),	       cmocka_unit_test(test_millions),
		cmocka_unit_test(test_open_in_slices),
	};

	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
