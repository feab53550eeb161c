/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every widget at every size down to nothing, with 0, 1 and many rows, and all requests between two
 * draws: nothing is drawn outside of its canvas, and the cursor row is visible if there is room.
 */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/form.h"
#include "widget/line.h"
#include "widget/pane.h"
#include "widget/prompt.h"
#include "widget/table.h"
#include "widget/tree.h"

#define ROWS 9
#define COLS 44

static const enum request asked[] = {
	REQ_DOWN,  REQ_LAST,   REQ_PAGE_UP,    REQ_RIGHT,	 REQ_UP,	   REQ_PAGE_DOWN,
	REQ_FIRST, REQ_LEFT,   REQ_OPEN,       REQ_TOGGLE,	 REQ_EXPAND_ENTRY, REQ_DOWN,
	REQ_LAST,  REQ_TOGGLE, REQ_EXPAND_ALL, REQ_COLLAPSE_ALL,
};

static struct grid *g;
static size_t n_rows;

static size_t count(void *ctx)
{
	(void)ctx;
	return n_rows;
}

static const char *cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			style_t *style)
{
	(void)ctx;
	*style = column ? ROLE_TEXT : ROLE_HOT;
	snprintf(buf, size, column ? "中文-%zu" : "%zu", row);
	return buf;
}

static const struct table_column columns[] = {
	{ .title = "Überschrift", .width = 8, .align = ALIGN_RIGHT, .hide = 1 },
	{ .title = "Name", .width = 10, .min = 4, .fill = true },
};

static size_t node_count(void *ctx, uint64_t node)
{
	(void)ctx;
	return node == TREE_TOP ? n_rows : node < 1000000 ? 2 : 0;
}

static uint64_t node_child(void *ctx, uint64_t node, size_t i)
{
	(void)ctx;
	return node == TREE_TOP ? i + 1 : node * 1000000 + i;
}

static bool node_opens(void *ctx, uint64_t node)
{
	return node_count(ctx, node) > 0;
}

static const char *node_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			     style_t *style)
{
	return cell(ctx, (size_t)node, column, buf, size, style);
}

static const char *node_label(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
			      char *head, size_t head_size, style_t *head_style)
{
	(void)ctx;
	(void)style;
	(void)head_style;
	snprintf(head, head_size, "71.20%%");
	snprintf(buf, size, "字-%llu", (unsigned long long)node);
	return buf;
}

static bool form_row(void *ctx, size_t i, const struct canvas *line, style_t flags, int skip)
{
	struct form_row row;

	(void)ctx;
	(void)flags;
	(void)skip;
	row = (struct form_row)FORM_ROW_INIT;
	row.is_choice = i % 2;
	row.label = "标签";
	snprintf(row.value, sizeof(row.value), "value-%zu", i);
	snprintf(row.explanation, sizeof(row.explanation), "说明");
	form_row_draw(line, line->at.w, 10, &row);
	return true;
}

static const struct table_ops table_ops = { .count = count, .cell = cell };
static const struct tree_ops tree_ops = {
	.count = node_count,
	.child = node_child,
	.opens = node_opens,
	.cell = node_cell,
	.label = node_label,
};
static const struct table_ops form_ops = { .count = count, .draw = form_row };

/* A part of the grid of this size, one row and column from its edge; around it are dots. */
static struct canvas part_of(int h, int w)
{
	struct canvas all = canvas_of(g);

	grid_clear(g);
	canvas_fill(&all, 0, 0, ROWS, COLS, ROLE_DIM, '.');
	all = canvas_part(&all, 1, 1, h, w);
	canvas_clear(&all);
	return all;
}

static void check_outside(int h, int w)
{
	for (int y = 0; y < ROWS; y++) {
		for (int x = 0; x < COLS; x++) {
			const struct cell *c = &g->cells[y * COLS + x];

			if (y >= 1 && y < 1 + h && x >= 1 && x < 1 + w)
				continue;
			if (c->ch != '.' || c->width != 1 || c->style != ROLE_DIM)
				fail_msg("%d*%d: drawn outside at %d,%d", h, w, y, x);
		}
	}
}

static int rows_of_the_cursor(int h, int w)
{
	int n = 0;

	for (int y = 0; w > 0 && y < h; y++)
		n += (g->cells[(1 + y) * COLS + 1].style & STYLE_CURSOR) != 0;
	return n;
}

static struct term_event press_at(int y, int x)
{
	return (struct term_event){
		.kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = y, .x = x
	};
}

#define each_size(h, w)                     \
	for (int h = ROWS - 2; h >= 0; h--) \
		for (int w = COLS - 2; w >= 0; w--)

#define each_request(i) for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)

static const size_t sizes[] = { 0, 1, 5, 300 };
#define each_n(i) for (size_t i = 0; i < 4 && (n_rows = sizes[i], true); i++)

static void test_table(void **state)
{
	struct table t;

	(void)state;
	each_n(n)
	{
		table_init(&t, &table_ops, NULL);
		table_set_columns(&t, columns, 2);
		table_recalc(&t);
		each_size(h, w)
		{
			each_request(i)
			{
				struct canvas c = part_of(h, w);
				struct term_event e = press_at(h - 1, w / 2);

				table_request(&t, asked[i]);
				table_draw(&t, &c);
				check_outside(h, w);
				assert_int_equal(rows_of_the_cursor(h, w), n_rows && h && w);
				table_mouse(&t, &e);
				assert_true(t.cursor < n_rows || !n_rows);
			}
		}
	}
}

static void test_tree(void **state)
{
	struct tree t;

	(void)state;
	each_n(n)
	{
		assert_int_equal(tree_init(&t, &tree_ops, NULL), 0);
		table_set_columns(&t.table, columns, 2);
		assert_int_equal(tree_recalc(&t), 0);
		for (int h = ROWS - 2; h >= 0; h--) {
			for (int w = COLS - 2; w >= 0; w -= w > 16 ? 9 : 1) {
				each_request(i)
				{
					struct canvas c = part_of(h, w);
					struct term_event e = press_at(h - 1, w / 2);

					tree_request(&t, asked[i]);
					tree_draw(&t, &c);
					check_outside(h, w);
					assert_int_equal(rows_of_the_cursor(h, w),
							 n_rows && h && w);
					tree_mouse(&t, &e);
				}
			}
		}
		tree_release(&t);
	}
}

static void test_form(void **state)
{
	struct table t;

	(void)state;
	each_n(n)
	{
		table_init(&t, &form_ops, NULL);
		table_recalc(&t);
		each_size(h, w)
		{
			each_request(i)
			{
				struct canvas c = part_of(h, w);
				struct term_event e = press_at(h - 1, w / 2);

				table_request(&t, asked[i]);
				table_draw(&t, &c);
				check_outside(h, w);
				table_mouse(&t, &e);
				assert_true(t.cursor < n_rows || !n_rows);
			}
		}
	}
}

static void test_pane(void **state)
{
	(void)state;
	each_n(n)
	{
		struct pane *p = pane_new(100);

		assert_non_null(p);
		for (size_t i = 0; i < n_rows; i++)
			assert_int_equal(pane_write(p, "中文 and some more of a text\n", 32), 0);
		each_size(h, w)
		{
			each_request(i)
			{
				struct canvas c = part_of(h, w);

				pane_request(p, asked[i]);
				pane_draw(p, &c);
				check_outside(h, w);
			}
		}
		pane_free(p);
	}
}

static void test_prompt(void **state)
{
	static struct prompt p;
	static const char *const labels[] = { "", "find: ", "标签标签标签标签: " };

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		prompt_init(&p, "中文 and some more of a text that is long", NULL);
		each_size(h, w)
		{
			struct canvas c = part_of(h, w);

			g->cursor_y = -1;
			prompt_request(&p, w % 2 ? REQ_EDIT_BEGIN : REQ_EDIT_END);
			prompt_draw(&p, &c, labels[k]);
			check_outside(h, w);
			/* the cursor is visible wherever there is a column for it */
			if (h && w) {
				assert_int_equal(g->cursor_y, 1);
				assert_in_range(g->cursor_x, 1, w);
			} else {
				assert_int_equal(g->cursor_y, -1);
			}
			prompt_click(&p, w / 2);
			assert_true(p.at <= p.length);
		}
	}
}

static int setup(void **state)
{
	(void)state;
	g = grid_new(ROWS, COLS);
	return g ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	grid_free(g);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_table), TEST(test_tree),   TEST(test_form),
		TEST(test_pane),  TEST(test_prompt),
	};

	return cmocka_run_group_tests_name("ui/sizes", tests, use_utf8, NULL);
}
