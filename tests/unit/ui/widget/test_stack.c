/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/popup.h"
#include "widget/prompt.h"
#include "widget/stack.h"

static struct keymaps *keys;
static struct stack *s;
static struct grid *g;
static int recalcs, closes, chosen;
static char one[] = "one", taken[64];

static void draw(void *self, const struct canvas *c)
{
	canvas_text(c, 0, 0, ROLE_TEXT, self);
}

static void recalc(void *self)
{
	(void)self;
	recalcs++;
}

static void closed(void *self)
{
	(void)self;
	closes++;
}

static const enum request hints[] = { REQ_SEARCH, REQ_HELP, REQ_BACK, REQ_NONE };
static const struct screen_ops ops = {
	.title = "Rows", .keymap = KEYMAP_LIST, .hints = hints,
	.draw = draw,	 .recalc = recalc,	.close = closed,
};

static int setup(void **state)
{
	(void)state;
	recalcs = closes = 0;
	chosen = -2;
	keys = keymaps_new(NULL);
	s = keys ? stack_new(NULL, keys, NULL) : NULL;
	g = grid_new(10, 60);
	return s && g && stack_push(s, &ops, one) == 0 ? 0 : -1;
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

static void test_frame(void **state)
{
	(void)state;
	stack_draw(s, g);
	check_rows(g, " Rows", "one", "", "", "", "", "", "", "", " / find   ? help   ESC back");
	stack_say(s, ROLE_BAD, "no %s", "rows");
	stack_draw(s, g);
	assert_string_equal(row_text(g, 9), " no rows");
	press('x');
	assert_string_equal(row_text(g, 9), " x does nothing here; ? lists the keys that do");
	press(K_CTRL | 'l');
	assert_string_equal(row_text(g, 9), " / find   ? help   ESC back");
	assert_int_equal(recalcs, 1);
	stack_wish(s, taken, WISH_RECALC);
	stack_draw(s, g);
	assert_int_equal(recalcs, 1);
}

static void test_leave(void **state)
{
	static char two[] = "two";

	(void)state;
	assert_int_equal(stack_push(s, &ops, two), 0);
	assert_true(stack_is_top(s, two));
	press(K_ESC);
	assert_int_equal(closes, 1);
	assert_false(stack_has(s, two));
	assert_int_equal(stack_push(s, &ops, two), 0);
	press(K_CTRL | 'c');
	assert_int_equal(closes, 3);
	assert_true(stack_is_done(s));
	assert_int_equal(stack_run(s), 0);
}

static void test_help(void **state)
{
	(void)state;
	press('?');
	assert_string_equal(row_text(g, 0), " Help: Rows");
	assert_memory_equal(row_text(g, 1), " Everywhere ", 12);
	assert_non_null(strstr(row_text(g, 2), "list the keys that work here"));
	press(K_END);
	assert_null(strstr(row_text(g, 1), "Everywhere"));
	press('q');
	assert_string_equal(row_text(g, 1), "one");
}

static unsigned done(void *ctx, const char *line)
{
	(void)ctx;
	snprintf(taken, sizeof(taken), "%s", line ? line : "(cancelled)");
	return WISH_RECALC;
}

/* What is taken changes the facts of the screen below. */
static void test_prompt(void **state)
{
	const struct prompt_opts opts = { .label = "find: ", .done = done };

	(void)state;
	stack_draw(s, g);
	assert_int_equal(prompt_ask(s, &opts), 0);
	press('q');
	press('m');
	assert_string_equal(row_text(g, 9), "find: qm");
	assert_int_equal(g->cursor_x, 8);
	press(K_ENTER);
	assert_string_equal(taken, "qm");
	assert_int_equal(recalcs, 2);
	assert_int_equal(g->cursor_y, -1);
	assert_int_equal(prompt_ask(s, &opts), 0);
	press(K_ESC);
	assert_string_equal(taken, "(cancelled)");
	assert_false(stack_is_done(s));
}

static unsigned choose(void *ctx, int index)
{
	(void)ctx;
	chosen = index;
	return WISH_REDRAW;
}

static void test_menu(void **state)
{
	const struct menu_item items[] = {
		{ "off", 'o', true, false }, { "next", 'n', false, true }, { "last", 0, false, false }
	};

	(void)state;
	assert_int_equal(popup_menu(s, "Row", items, 3, choose, NULL), 0);
	stack_draw(s, g);
	assert_non_null(strstr(row_text(g, 4), "• (n) next"));
	press('o');
	assert_int_equal(chosen, -2);
	press('n');
	assert_int_equal(chosen, 1);
	assert_int_equal(popup_menu(s, "Row", items, 3, choose, NULL), 0);
	press(K_DOWN);
	press(K_ENTER);
	assert_int_equal(chosen, 2);
	assert_int_equal(popup_menu(s, "Row", items, 3, choose, NULL), 0);
	press(K_ESC);
	assert_int_equal(chosen, -1);
	assert_false(stack_is_done(s));
}

static unsigned answer(void *ctx, bool yes)
{
	(void)ctx;
	chosen = yes;
	return WISH_NONE;
}

static void test_messages(void **state)
{
	(void)state;
	assert_int_equal(popup_message(s, "Lost", "one\ntwo"), 0);
	stack_draw(s, g);
	assert_non_null(strstr(row_text(g, 3), "┌─ Lost "));
	assert_non_null(strstr(row_text(g, 4), "│ one"));
	press(K_ENTER);
	assert_string_equal(row_text(g, 4), "");
	assert_int_equal(popup_ask(s, "Stop?", "stop", "go on", answer, NULL), 0);
	press('n');
	assert_int_equal(chosen, 0);
	assert_int_equal(popup_ask(s, "Stop?", "stop", "go on", answer, NULL), 0);
	press(K_ENTER);
	assert_int_equal(chosen, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_frame, setup, teardown),
		cmocka_unit_test_setup_teardown(test_leave, setup, teardown),
		cmocka_unit_test_setup_teardown(test_help, setup, teardown),
		cmocka_unit_test_setup_teardown(test_prompt, setup, teardown),
		cmocka_unit_test_setup_teardown(test_menu, setup, teardown),
		cmocka_unit_test_setup_teardown(test_messages, setup, teardown),
	};

	return cmocka_run_group_tests_name("ui/stack", tests, use_utf8, NULL);
}
