/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help lists what does something in its screen, with the current keys. */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/popup.h"
#include "widget/prompt.h"
#include "widget/stack.h"

static struct keymaps *keys;
static struct stack *s;
static struct grid *g;
static char rows[] = "rows";

static void draw(void *self, const struct canvas *c)
{
	canvas_text(c, 0, 0, ROLE_TEXT, self);
}

static bool can(void *self, enum request req)
{
	(void)self;
	return req != REQ_SEARCH && req != REQ_SEARCH_NEXT && req != REQ_SEARCH_PREV;
}

static bool has_key(void *self, key_code key)
{
	(void)self;
	return key == 'q';
}

static unsigned on_key(void *self, key_code key)
{
	(void)self;
	return key == 'q' ? WISH_REDRAW : WISH_PASS;
}

static const enum request hints[] = { REQ_SEARCH, REQ_BACK, REQ_NONE };
static const struct screen_ops all = { .title = "Rows", .keymap = KEYMAP_LIST, .draw = draw };
static const struct screen_ops some = { .title = "Some",
					.keymap = KEYMAP_LIST,
					.draw = draw,
					.hints = hints,
					.can = can,
					.has_key = has_key,
					.key = on_key };

static int setup(void **state)
{
	(void)state;
	keys = keymaps_new(NULL);
	s = keys ? stack_new(NULL, keys, NULL) : NULL;
	g = grid_new(60, 100);
	return s && g ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	stack_free(s);
	keymaps_free(keys);
	grid_free(g);
	return 0;
}

static void press(key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(s, &e);
	if (!stack_is_done(s))
		stack_draw(s, g);
}

static void type(const char *text)
{
	for (; *text; text++)
		press((key_code)*text);
}

static int row_of(const char *text)
{
	for (int y = 0; y < g->rows; y++) {
		if (strstr(row_text(g, y), text))
			return y;
	}
	return -1;
}

static void open_on(const struct screen_ops *ops)
{
	assert_int_equal(stack_push(s, ops, rows), 0);
	stack_draw(s, g);
	press(K_F1);
	assert_true(row_of("Help: ") == 0);
}

static void test_all(void **state)
{
	(void)state;
	open_on(&all);
	assert_string_equal(row_text(g, row_of("undo the last step")),
			    "  ESC  q       undo the last step, or leave this screen");
	assert_true(row_of("find rows that contain a string") > 0);
	/* bindings of other views are not listed */
	assert_int_equal(row_of("choose the next value"), -1);
	assert_int_equal(row_of("list the actions for this row"), -1);
}

static void test_what_the_screen_cannot(void **state)
{
	(void)state;
	open_on(&some);
	assert_int_equal(row_of("find rows that contain a string"), -1);
	assert_int_equal(row_of("Searching"), -1);
	assert_true(row_of("move up one row") > 0);
	/* and q is a letter of the screen */
	assert_true(row_of("  ESC      ") > 0);
	assert_null(strstr(row_text(g, row_of("undo the last step")), "q "));
	press(K_ESC);
	assert_int_equal(row_of("/ find"), -1);
	assert_true(row_of("ESC back") > 0);
	press('q');
	assert_true(stack_has(s, rows));
	press(K_ESC);
	assert_false(stack_has(s, rows));
}

static void test_bound_otherwise(void **state)
{
	(void)state;
	assert_int_equal(keymaps_bind(keys, KEYMAP_LIST, 'x', REQ_UP), 0);
	assert_int_equal(keymaps_bind(keys, KEYMAP_GENERAL, 'q', REQ_NONE), 0);
	assert_int_equal(keymaps_bind(keys, KEYMAP_LIST, K_DOWN, REQ_NONE), 0);
	open_on(&all);
	assert_non_null(strstr(row_text(g, row_of("move up one row")), " x  Up "));
	assert_null(strstr(row_text(g, row_of("undo the last step")), "q "));
	assert_int_equal(row_of("move down one row"), -1);
}

/* An unbound key shows a message with the key of the help. */
static void test_unbound(void **state)
{
	(void)state;
	assert_int_equal(stack_push(s, &all, rows), 0);
	press('x');
	assert_true(row_of("x has no effect here; ? lists the keys of this screen") == 59);
	press(K_CTRL | 'x');
	assert_true(row_of("Ctrl-X has no effect here") == 59);
	press(K_F1);
	press(K_F12);
	assert_true(row_of("F12 has no effect here; ? lists") == 59);
}

static void test_floating(void **state)
{
	const struct menu_item items[] = { { "leave", 'q', false, false } };
	struct words typed = WORDS_INIT;
	struct prompt_opts ask = { .label = "x: " };

	(void)state;
	assert_int_equal(stack_push(s, &all, rows), 0);
	assert_int_equal(popup_menu(s, "Row", items, 1, NULL, NULL), WISH_REDRAW);
	press('?');
	assert_true(row_of("Help: Menu") == 0);
	assert_true(row_of("  ESC       ") > 0);
	assert_int_equal(row_of("choose the next value"), -1);
	press('?');
	press('q');
	assert_int_equal(popup_message(s, "Lost", "one"), WISH_REDRAW);
	press('h');
	assert_true(row_of("  Enter  ESC  q") > 0);
	assert_int_equal(row_of("open, edit or choose"), -1);
	assert_int_equal(row_of("find rows"), -1);
	press(K_ESC);
	press(K_ENTER);
	assert_int_equal(prompt_open(s, &ask), WISH_REDRAW);
	press('?');
	assert_true(row_of("x: ?") == 59);
	press(K_F1);
	assert_true(row_of("Help: Edit a line") == 0);
	assert_true(row_of("accept the line") > 0);
	assert_int_equal(row_of("recall the previous line of the history"), -1);
	assert_int_equal(row_of("complete the word"), -1);
	press(K_ESC);
	press(K_ENTER);
	ask.history = &typed;
	assert_int_equal(prompt_open(s, &ask), WISH_REDRAW);
	press(K_F1);
	assert_true(row_of("recall the previous line of the history") > 0);
	words_release(&typed);
}

static void test_search(void **state)
{
	int first;

	(void)state;
	open_on(&all);
	press('/');
	type("row");
	press(K_ENTER);
	first = cursor_row(g, 2);
	assert_true(first > 0);
	assert_int_equal(first, row_of("move up one row"));
	press('n');
	assert_int_equal(cursor_row(g, 2), row_of("move down one row"));
	press('N');
	assert_int_equal(cursor_row(g, 2), first);
	/* round the start */
	press('N');
	assert_int_equal(cursor_row(g, 2), row_of("find rows that contain a string"));
	/* keys too */
	press('/');
	type("PgDn");
	press(K_ENTER);
	assert_int_equal(cursor_row(g, 2), row_of("move down one page"));
	press('/');
	type("no such thing");
	press(K_ENTER);
	assert_int_equal(cursor_row(g, 2), -1);
	assert_true(row_of("No row contains “no such thing”.") == 59);
}

/* On a small terminal texts wrap, and matches are scrolled to. */
static void test_narrow(void **state)
{
	char text[2048] = "";

	(void)state;
	assert_int_equal(grid_resize(g, 10, 40), 0);
	open_on(&all);
	for (int page = 0; page < 20; page++) {
		for (int y = 1; y < 9; y++) {
			const char *row = row_text(g, y);
			size_t n = strlen(text);

			snprintf(text + n, sizeof(text) - n, "%s ", row + strspn(row, " "));
		}
		if (strstr(text, "previous match"))
			break;
		press(K_PGDN);
	}
	assert_null(strstr(text, "…"));
	press(K_HOME);
	assert_true(row_of("Everywhere") == 1);
	press('/');
	type("previous match");
	press(K_ENTER);
	assert_true(cursor_row(g, 2) != -1);
	assert_true(row_of("previous") > 0);
	press(K_HOME);
	press(K_UP);
	press(K_PGUP);
	assert_true(row_of("Everywhere") == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_the_screen_cannot, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bound_otherwise, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unbound, setup, teardown),
		cmocka_unit_test_setup_teardown(test_floating, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search, setup, teardown),
		cmocka_unit_test_setup_teardown(test_narrow, setup, teardown),
	};

	return cmocka_run_group_tests_name("ui/help", tests, use_utf8, NULL);
}
