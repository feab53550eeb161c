/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What floats, at sizes from roomy to none. */
#include <stdio.h>

#include "text/utf8.h"
#include "unit/ui/screen.h"
#include "widget/popup.h"
#include "widget/stack.h"

static struct keymaps *keys;
static struct stack *s;
static struct grid *g;
static int chosen, answers;
static char below[] = "below";

static void draw(void *self, const struct canvas *c)
{
	(void)self;
	canvas_fill(c, 0, 0, c->at.h, c->at.w, ROLE_TEXT, '.');
}

static const struct screen_ops ops = { .title = "Below", .keymap = KEYMAP_LIST, .draw = draw };

static int setup(void **state)
{
	(void)state;
	chosen = -2;
	answers = 0;
	keys = keymaps_new(NULL);
	s = keys ? stack_new(NULL, keys, NULL) : NULL;
	g = grid_new(10, 40);
	return s && g && stack_push(s, &ops, below) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	stack_free(s);
	keymaps_free(keys);
	grid_free(g);
	return 0;
}

static void resize(int rows, int cols)
{
	assert_int_equal(grid_resize(g, rows, cols), 0);
	stack_draw(s, g);
}

static void event(const struct term_event *e)
{
	stack_event(s, e);
	assert_false(stack_is_done(s));
	stack_draw(s, g);
}

static void press(key_code key)
{
	event(&(struct term_event){ .kind = TERM_KEY, .key = key });
}

static void mouse(enum mouse_what what, int y, int x)
{
	event(&(struct term_event){
		.kind = TERM_MOUSE, .mouse = what, .button = 1, .y = y, .x = x });
}

static void click(int y, int x)
{
	mouse(MOUSE_PRESS, y, x);
}

/* The column of a text in a row; -1: not found. */
static int column_of(int y, const char *text)
{
	const char *row = row_text(g, y), *at = strstr(row, text);
	char before[512];

	if (!at)
		return -1;
	snprintf(before, sizeof(before), "%.*s", (int)(at - row), row);
	return utf8_width(before);
}

static int row_of(const char *text)
{
	for (int y = 0; y < g->rows; y++) {
		if (strstr(row_text(g, y), text))
			return y;
	}
	return -1;
}

/* At every size down to nothing, with every key: no crash, and it can be closed. */
static void try_all_sizes(void)
{
	static const key_code tried[] = { K_DOWN, K_PGDN, K_END, K_UP, K_PGUP, K_HOME, K_RIGHT };

	for (int rows = 24; rows >= 1; rows -= rows > 12 ? 4 : 1) {
		for (int cols = 80; cols >= 1; cols -= cols > 44 ? 12 : 1) {
			resize(rows, cols);
			for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++)
				press(tried[i]);
			mouse(MOUSE_WHEEL_DOWN, 0, 0);
			mouse(MOUSE_RELEASE, 3, 3);
			for (int y = 0; y < rows; y++)
				assert_true(utf8_width(row_text(g, y)) <= cols);
		}
	}
	assert_false(stack_is_top(s, below));
}

/* ---- messages ---- */

static const char words[] = "The recorder lost 1,204 samples because the rings were full.\n\n"
			    "Larger rings (--mmap-pages) or a lower rate would help.";

static void test_message(void **state)
{
	(void)state;
	assert_int_equal(popup_message(s, "Lost", words), WISH_REDRAW);
	stack_draw(s, g);
	check_rows(g, " Below", "..┌─ Lost ───────────────────────────┐..",
		   "..│ The recorder lost 1,204 samples  │..",
		   "..│ because the rings were full.     │..",
		   "..│                                  │..",
		   "..│ Larger rings (--mmap-pages) or a │..",
		   "..│ lower rate would help.           │..",
		   "..└──────────────────────────────────┘..",
		   "........................................", " Enter back");
}

static void test_message_wraps(void **state)
{
	(void)state;
	assert_int_equal(popup_message(s, "Lost", words), WISH_REDRAW);
	resize(10, 40);
	assert_int_equal(row_of("Lost"), 1);
	assert_int_equal(row_of("The recorder lost 1,204 samples"), 2);
	assert_int_equal(row_of("because the rings were full."), 3);
	assert_int_equal(row_of("Larger rings (--mmap-pages) or a"), 5);
	assert_int_equal(row_of("lower rate would help."), 6);
	/* the hints are its own, and are seen */
	assert_int_equal(row_of("Enter back"), 9);
	press(K_ENTER);
	assert_true(stack_is_top(s, below));
}

/* Longer than the screen: it scrolls, and the bar covers no text. */
static void test_message_scrolls(void **state)
{
	char text[40 * 8] = "";

	(void)state;
	for (int i = 0; i < 30; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "line %d!\n", i);
	assert_int_equal(popup_message(s, "Many", text), WISH_REDRAW);
	resize(10, 40);
	assert_int_equal(row_of("line 0!"), 1);
	assert_int_equal(row_of("line 6!"), 7);
	assert_int_equal(row_of("Enter back"), 9);
	assert_int_equal(column_of(1, "█"), column_of(0, "┐"));
	press(K_DOWN);
	assert_int_equal(row_of("line 1!"), 1);
	press(K_PGDN);
	assert_int_equal(row_of("line 8!"), 1);
	press(K_END);
	assert_int_equal(row_of("line 29!"), 6); /* and the empty one after the last \n */
	mouse(MOUSE_WHEEL_UP, 3, 20);
	assert_int_equal(row_of("line 29!"), -1);
	press(K_HOME);
	assert_int_equal(row_of("line 0!"), 1);
	try_all_sizes();
}

static void test_message_clicks(void **state)
{
	(void)state;
	assert_int_equal(popup_message(s, "Lost", "one\ntwo"), WISH_REDRAW);
	stack_draw(s, g);
	click(row_of("one"), column_of(row_of("one"), "one"));
	assert_false(stack_is_top(s, below));
	click(row_of("┌"), column_of(row_of("┌"), "┌"));
	assert_false(stack_is_top(s, below));
	click(0, 0);
	assert_true(stack_is_top(s, below));
	assert_int_equal(popup_message(s, "Lost", "one\ntwo"), WISH_REDRAW);
	stack_draw(s, g);
	click(9, 1);
	assert_true(stack_is_top(s, below));
}

static unsigned act(void *ctx, int index)
{
	assert_ptr_equal(ctx, &chosen);
	assert_true(stack_is_top(s, below)); /* it has closed */
	chosen = index;
	return WISH_REDRAW;
}

static const struct menu_item acts[] = { { .text = "record again", .key = 'r' },
					 { .text = "list the DSOs", .key = 'M' } };

/* Their keys and clicks; they stay visible below a long text. */
static void test_message_actions(void **state)
{
	char text[40 * 8] = "";

	(void)state;
	assert_int_equal(popup_message_with(s, "Lost", "one", acts, 2, act, &chosen), WISH_REDRAW);
	resize(10, 40);
	assert_int_equal(row_of("(r) record again"), row_of("one") + 2);
	assert_int_equal(row_of("(M) list the DSOs"), row_of("one") + 3);
	press('x');
	assert_false(stack_is_top(s, below));
	press('M');
	assert_int_equal(chosen, 1);
	for (int i = 0; i < 30; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "line %d!\n", i);
	assert_int_equal(popup_message_with(s, "Many", text, acts, 2, act, &chosen), WISH_REDRAW);
	resize(8, 40);
	assert_true(row_of("(r) record again") > 0);
	press(K_END);
	assert_true(row_of("line 29!") > 0);
	click(row_of("(r) record again"), column_of(row_of("(r) record again"), "(r)") + 2);
	assert_int_equal(chosen, 0);
	assert_int_equal(popup_message_with(s, "Many", text, acts, 2, act, &chosen), WISH_REDRAW);
	chosen = -2;
	resize(10, 40);
	press(K_ENTER);
	assert_true(stack_is_top(s, below));
	assert_int_equal(chosen, -2);
	assert_int_equal(popup_message_with(s, "Many", text, acts, 2, act, &chosen), WISH_REDRAW);
	try_all_sizes();
}

static void test_error(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	snprintf(err.text, sizeof(err.text), "cannot open cycles: no permission");
	snprintf(err.hint, sizeof(err.hint), "perf_event_paranoid 1 would lift it");
	assert_int_equal(popup_error(s, &err), WISH_REDRAW);
	stack_draw(s, g);
	assert_int_equal(row_of("Error"), 2);
	assert_int_equal(row_of("cannot open cycles: no permission"), 3);
	assert_int_equal(row_of("perf_event_paranoid 1 would lift it"), 5);
	press('q');
	/* without a hint there is no gap */
	*err.hint = '\0';
	assert_int_equal(popup_error(s, &err), WISH_REDRAW);
	stack_draw(s, g);
	assert_int_equal(row_of("└") - row_of("┌"), 2);
	/* and the longest there can be is all there */
	memset(err.text, 'x', sizeof(err.text) - 1);
	memset(err.hint, 'y', sizeof(err.hint) - 1);
	assert_int_equal(popup_error(s, &err), WISH_REDRAW);
	resize(10, 40);
	press(K_END);
	assert_int_equal(row_of("yyy"), 1);
	try_all_sizes();
}

/* ---- menus ---- */

static unsigned choose(void *ctx, int index)
{
	(void)ctx;
	chosen = index;
	return WISH_REDRAW;
}

static void open_menu(int n)
{
	struct menu_item items[100];
	char texts[100][32];

	assert_true(n <= 100);
	for (int i = 0; i < n; i++) {
		snprintf(texts[i], sizeof(texts[i]), "item %d!", i);
		items[i] = (struct menu_item){ .text = texts[i], .off = i == 1 };
	}
	chosen = -2;
	assert_int_equal(popup_menu(s, "Row", items, (size_t)n, choose, NULL), WISH_REDRAW);
	stack_draw(s, g);
}

static void test_menu_keys(void **state)
{
	(void)state;
	open_menu(3);
	press(K_UP);
	press(K_DOWN);
	/* a disabled item is not chosen, and the menu stays */
	press(K_ENTER);
	assert_int_equal(chosen, -2);
	assert_int_equal(cursor_row(g, column_of(row_of("item 1!"), "item")), row_of("item 1!"));
	press(K_DOWN);
	press(K_DOWN);
	press(K_ENTER);
	assert_int_equal(chosen, 2);
	open_menu(3);
	press('q');
	assert_int_equal(chosen, -1);
	open_menu(0);
	press(K_ENTER);
	assert_int_equal(chosen, -2);
	press(K_ESC);
	assert_int_equal(chosen, -1);
}

static void test_menu_long(void **state)
{
	(void)state;
	open_menu(60);
	assert_int_equal(row_of("item 0!"), 1);
	assert_int_equal(row_of("item 6!"), 7);
	assert_int_equal(row_of("Enter choose   ESC back"), 9);
	/* the bar covers none of the text */
	assert_int_equal(column_of(1, "█"), column_of(0, "┐"));
	press(K_PGDN);
	press(K_PGDN);
	assert_int_equal(row_of("item 14!"), 7);
	press(K_END);
	assert_int_equal(row_of("item 59!"), 7);
	mouse(MOUSE_WHEEL_UP, 3, 20);
	press(K_ENTER);
	assert_int_equal(chosen, 56);
	open_menu(60);
	press(K_END);
	press(K_HOME);
	assert_int_equal(row_of("item 0!"), 1);
	try_all_sizes();
}

static void test_menu_clicks(void **state)
{
	(void)state;
	open_menu(3);
	click(row_of("item 2!"), column_of(row_of("item 2!"), "item"));
	assert_int_equal(chosen, 2);
	open_menu(3);
	click(row_of("item 1!"), column_of(row_of("item 1!"), "item"));
	assert_int_equal(chosen, -2);
	/* on the frame: nothing; outside: closed */
	click(row_of("└"), column_of(row_of("└"), "└"));
	assert_int_equal(chosen, -2);
	click(row_of("└") + 1, 0);
	assert_int_equal(chosen, -1);
	assert_true(stack_is_top(s, below));
	/* scrolled: clicks hit what is drawn */
	open_menu(60);
	press(K_END);
	click(3, column_of(3, "item"));
	assert_int_equal(chosen, 55);
}

/* ---- questions ---- */

static unsigned answer(void *ctx, bool yes)
{
	(void)ctx;
	answers++;
	chosen = yes;
	return WISH_NONE;
}

static void ask(const char *text)
{
	chosen = -2;
	assert_int_equal(popup_ask(s, text, "stop", "go on", answer, NULL), WISH_REDRAW);
	stack_draw(s, g);
}

static void test_question(void **state)
{
	static const struct {
		key_code key;
		int yes;
	} keyed[] = { { 'y', 1 },     { 'Y', 1 },   { 'n', 0 }, { 'N', 0 },
		      { K_ENTER, 1 }, { K_ESC, 0 }, { 'q', 0 } };
	int y;

	(void)state;
	for (size_t i = 0; i < sizeof(keyed) / sizeof(keyed[0]); i++) {
		ask("Stop?");
		press(keyed[i].key);
		assert_int_equal(chosen, keyed[i].yes);
		assert_int_equal(answers, i + 1);
		assert_true(stack_is_top(s, below));
	}
	ask("Stop?");
	press(K_RIGHT);
	press(K_ENTER);
	assert_int_equal(chosen, 0);
	ask("Stop?");
	y = row_of("(y) stop");
	click(y, column_of(y, "(y)") + 9);
	assert_int_equal(chosen, -2);
	click(0, 0);
	assert_int_equal(chosen, -2);
	click(y, column_of(y, "(n)"));
	assert_int_equal(chosen, 0);
	ask("Stop?");
	click(y, column_of(y, "stop"));
	assert_int_equal(chosen, 1);
}

/* The answers are seen, however long the question is; and all of it can be read. */
static void test_question_long(void **state)
{
	char text[600] = "";

	(void)state;
	for (int i = 0; i < 60; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "word%d ", i);
	ask(text);
	assert_int_equal(row_of("(y) stop"), 7);
	assert_int_equal(row_of("Enter choose"), 9);
	assert_int_equal(row_of("word0 "), 1);
	assert_int_equal(row_of("word59"), -1);
	press(K_END);
	assert_int_equal(row_of("word59"), 6);
	assert_int_equal(row_of("(y) stop"), 7);
	try_all_sizes();
	press('y');
	assert_int_equal(chosen, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_message),	   TEST(test_message_wraps),   TEST(test_message_scrolls),
		TEST(test_message_clicks), TEST(test_error),	       TEST(test_menu_keys),
		TEST(test_menu_long),	   TEST(test_menu_clicks),     TEST(test_question),
		TEST(test_question_long),  TEST(test_message_actions),
	};

	return cmocka_run_group_tests_name("ui/popup", tests, use_utf8, NULL);
}
