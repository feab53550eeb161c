/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tabs: what is visible, which screens belong together, and what happens to those behind. */
#include <stdio.h>
#include <string.h>

#include "unit/ui/screen.h"
#include "widget/popup.h"
#include "widget/prompt.h"
#include "widget/stack.h"

static struct keymaps *keys;
static struct stack *s;
static struct grid *g;
static char base[] = "base", live[] = "live", list[] = "list", file[] = "file", over[] = "over";
static char closed_names[256];
static int recalcs, finishes;

static void draw(void *self, const struct canvas *c)
{
	canvas_text(c, 0, 0, ROLE_TEXT, self);
}

static void head(void *self, const struct canvas *line)
{
	canvas_text(line, 0, 1, ROLE_TEXT, self);
}

static void recalc(void *self)
{
	(void)self;
	recalcs++;
}

static void closed(void *self)
{
	strcat(closed_names, self);
	strcat(closed_names, " ");
}

static bool finish(void *self, int signal)
{
	(void)self;
	(void)signal;
	finishes++;
	return true;
}

static int head_x;

static unsigned head_mouse(void *self, const struct term_event *e)
{
	(void)self;
	head_x = e->x;
	return WISH_NONE;
}

static const enum request hints[] = { REQ_SEARCH, REQ_HELP, REQ_BACK, REQ_NONE };
static const struct screen_ops ops = { .title = "Rows",
				       .keymap = KEYMAP_LIST,
				       .hints = hints,
				       .head = head,
				       .draw = draw,
				       .recalc = recalc,
				       .finish = finish,
				       .close = closed,
				       .head_mouse = head_mouse };
static const struct screen_ops other_ops = {
	.title = "File", .keymap = KEYMAP_LIST, .draw = draw, .close = closed
};

/* base | live | list | file, the last in front */
static int setup(void **state)
{
	(void)state;
	*closed_names = '\0';
	recalcs = finishes = 0;
	keys = keymaps_new(NULL);
	s = keys ? stack_new(NULL, keys, NULL) : NULL;
	g = grid_new(10, 90);
	if (!s || !g || stack_push(s, &ops, base) || stack_push(s, &ops, live))
		return -1;
	stack_make_tab(s, live, "Live");
	if (stack_push(s, &ops, list))
		return -1;
	stack_make_tab(s, NULL, "Snapshots");
	if (stack_push(s, &ops, file))
		return -1;
	stack_make_tab(s, NULL, "#2 gc");
	stack_draw(s, g);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	stack_free(s);
	keymaps_free(keys);
	grid_free(g);
	return 0;
}

static void see(void)
{
	stack_draw(s, g);
}

static void press(key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(s, &e);
	if (!stack_is_done(s))
		see();
}

static void click(int y, int x)
{
	struct term_event e = {
		.kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = y, .x = x
	};

	head_x = -1;
	stack_event(s, &e);
	see();
}

/* ---- visible ---- */

static void test_names(void **state)
{
	(void)state;
	assert_int_equal(stack_n_tabs(s), 3);
	assert_string_equal(row_text(g, 0), " Live · Snapshots · [#2 gc]  file");
	assert_string_equal(row_text(g, 1), "file");
	assert_string_equal(row_text(g, 9), " / find   > next tab   ? help   ESC back");
	stack_make_tab(s, file, "#2 gc-pause");
	see();
	assert_string_equal(row_text(g, 0), " Live · Snapshots · [#2 gc-pause]  file");
	/* long names are truncated, at whole characters */
	stack_make_tab(s, file, "ああああああああああああああああああ");
	see();
	/* without room for all, they still begin at the left */
	assert_string_equal(row_text(g, 0), " … Snapshots · [ああああああああああああああ]  file");
	assert_int_equal(stack_n_tabs(s), 3);
}

/* A tab keeps its number, even when its screen is replaced. */
static void test_numbers(void **state)
{
	unsigned first = stack_make_tab(s, live, "Live"), third = stack_make_tab(s, file, "#2");

	(void)state;
	assert_int_not_equal(first, third);
	assert_int_equal(stack_replace(s, file, &other_ops, over), 0);
	assert_true(stack_raise_tab(s, first));
	assert_true(stack_name_tab(s, third, "#2 gc-pause"));
	assert_true(stack_raise_tab(s, third));
	see();
	assert_string_equal(row_text(g, 0), " Live · Snapshots · [#2 gc-pause]  File");
	stack_remove(s, over);
	assert_false(stack_raise_tab(s, third));
	assert_false(stack_name_tab(s, third, "x"));
	assert_false(stack_raise_tab(s, 0));
	assert_int_equal(stack_make_tab(s, over, "x"), 0);
	assert_int_equal(stack_push(s, &ops, file), 0);
	assert_true(stack_make_tab(s, file, "#3") > third);
}

static void test_keys(void **state)
{
	(void)state;
	press('>');
	assert_string_equal(row_text(g, 0), " [Live] · Snapshots · #2 gc  live");
	press('>');
	assert_string_equal(row_text(g, 0), " Live · [Snapshots] · #2 gc  list");
	press('<');
	press('<');
	assert_string_equal(row_text(g, 0), " Live · Snapshots · [#2 gc]  file");
	assert_string_equal(closed_names, "");
}

static void test_without_tabs(void **state)
{
	(void)state;
	stack_remove(s, file);
	stack_remove(s, list);
	see();
	assert_string_equal(row_text(g, 0), " live");
	assert_string_equal(row_text(g, 9), " / find   ? help   ESC back");
	press('>');
	assert_string_equal(row_text(g, 9),
			    " > has no effect here; ? lists the keys of this screen");
	press('?');
	for (int y = 1; y < 9; y++)
		assert_null(strstr(row_text(g, y), "next tab"));
}

static void test_help(void **state)
{
	bool told = false;

	(void)state;
	press('?');
	for (int y = 1; y < 9; y++)
		told = told || strstr(row_text(g, y), "to the next tab");
	assert_true(told);
	/* it is above its screen, and stays there */
	press('<');
	assert_string_equal(row_text(g, 1), "list");
	press('>');
	assert_non_null(strstr(row_text(g, 0), "Help: Rows"));
	assert_non_null(strstr(row_text(g, 0), "[#2 gc]"));
}

static void test_mouse(void **state)
{
	(void)state;
	click(0, 2);
	assert_string_equal(row_text(g, 1), "live");
	click(0, 12);
	assert_string_equal(row_text(g, 1), "list");
	/* the rest of the line belongs to the screen */
	click(0, 35);
	assert_string_equal(row_text(g, 1), "list");
	assert_int_equal(head_x, 35 - 28);
}

static void test_narrow(void **state)
{
	(void)state;
	assert_int_equal(grid_resize(g, 10, 40), 0);
	see();
	assert_non_null(strstr(row_text(g, 0), "[#2 gc]"));
	assert_non_null(strstr(row_text(g, 0), "file"));
	assert_int_equal(grid_resize(g, 10, 8), 0);
	see();
}

/* ---- which go together ---- */

static void test_closing(void **state)
{
	(void)state;
	press('<');
	press('<');
	press(K_ESC);
	assert_string_equal(closed_names, "live ");
	/* the one that was in front before */
	assert_string_equal(row_text(g, 0), " [Snapshots] · #2 gc  list");
	stack_remove(s, file);
	see();
	assert_string_equal(row_text(g, 0), " list");
	press(K_ESC);
	assert_string_equal(closed_names, "live file list ");
	assert_string_equal(row_text(g, 0), " base");
	press(K_ESC);
	assert_true(stack_is_done(s));
}

/* Screens above a closed one in a tab behind are closed with it, others are not. */
static void test_closing_behind(void **state)
{
	(void)state;
	assert_int_equal(stack_push(s, &ops, over), 0);
	assert_true(stack_raise(s, live));
	stack_remove(s, file);
	assert_string_equal(closed_names, "over file ");
	assert_true(stack_is_top(s, live));
	assert_int_equal(stack_n_tabs(s), 2);
}

static void test_base_takes_all(void **state)
{
	(void)state;
	assert_false(stack_raise(s, base));
	assert_false(stack_raise(s, over));
	stack_remove(s, base);
	assert_true(stack_is_done(s));
	assert_string_equal(closed_names, "file list live base ");
}

static void test_return_to_base(void **state)
{
	static const struct screen_ops first = { .title = "first",
						 .keymap = KEYMAP_LIST,
						 .draw = draw };

	(void)state;
	stack_remove(s, base);
	assert_int_equal(stack_push(s, &first, base), 0);
	assert_int_equal(stack_push(s, &ops, live), 0);
	stack_make_tab(s, live, "Live");
	assert_int_equal(stack_push(s, &ops, list), 0);
	stack_make_tab(s, list, "Snapshots");
	assert_true(stack_return_to(s, &first));
	assert_true(stack_is_top(s, base));
}

static void test_return_in_a_tab(void **state)
{
	(void)state;
	assert_int_equal(stack_push(s, &other_ops, over), 0);
	press('<');
	assert_true(stack_return_to(s, &other_ops));
	assert_true(stack_is_top(s, over));
	assert_string_equal(closed_names, "");
}

/* A prompt takes all keys; it stays with its screen. */
static void test_prompt_behind(void **state)
{
	const struct prompt_opts opts = { .label = "name: " };

	(void)state;
	assert_int_equal(prompt_open(s, &opts), WISH_REDRAW);
	press('>');
	assert_string_equal(row_text(g, 9), "name: >");
	stack_make_tab(s, NULL, "a prompt is no tab");
	assert_int_equal(stack_n_tabs(s), 3);
	assert_true(stack_raise(s, live));
	see();
	assert_string_equal(row_text(g, 9), " / find   > next tab   ? help   ESC back");
	press('<');
	assert_string_equal(row_text(g, 9), "name: >");
	press(K_ESC);
	assert_true(stack_is_top(s, file));
}

/* A question must be answered before switching tabs. */
static void test_menu_stays(void **state)
{
	const struct menu_item items[] = { { "one", 'o', false, true } };

	(void)state;
	assert_int_equal(popup_menu(s, "Row", items, 1, NULL, NULL), WISH_REDRAW);
	press('>');
	press(K_ESC);
	assert_true(stack_is_top(s, file));
}

/* ---- behind the front ---- */

static void test_replaced_behind(void **state)
{
	(void)state;
	press('<');
	assert_true(stack_is_top(s, list));
	assert_int_equal(stack_push(s, &ops, over), 0);
	stack_remove(s, over);
	*closed_names = '\0';
	assert_int_equal(stack_replace(s, file, &other_ops, over), 0);
	assert_string_equal(closed_names, "file ");
	assert_true(stack_is_top(s, list));
	see();
	assert_string_equal(row_text(g, 0), " Live · [Snapshots] · #2 gc  list");
	press('>');
	assert_string_equal(row_text(g, 1), "over");
	assert_int_equal(stack_n_tabs(s), 3);
	/* in front it works as usual */
	assert_int_equal(stack_replace(s, over, &ops, file), 0);
	assert_true(stack_is_top(s, file));
}

static void test_replaced_on_a_screen_behind(void **state)
{
	(void)state;
	assert_int_equal(stack_push(s, &ops, over), 0);
	press('<');
	assert_int_equal(stack_replace(s, over, &other_ops, over), 0);
	assert_true(stack_is_top(s, list));
	press('>');
	assert_string_equal(row_text(g, 1), "over");
	press(K_ESC);
	assert_true(stack_is_top(s, file));
}

static void test_facts_of_a_tab_behind(void **state)
{
	(void)state;
	see();
	recalcs = 0;
	stack_wish(s, live, WISH_RECALC);
	see();
	assert_int_equal(recalcs, 0);
	assert_true(stack_raise(s, live));
	see();
	assert_int_equal(recalcs, 1);
}

/* Quitting waits for screens behind as well. */
static void test_quit(void **state)
{
	(void)state;
	press(K_CTRL | 'c');
	assert_int_equal(finishes, 4);
	assert_true(stack_is_done(s));
	assert_string_equal(closed_names, "file list live base ");
}

/* The wishes of one that has gone are not those of whoever is in front then. */
static unsigned goes_and_pops(void *self, enum request req)
{
	if (req != REQ_BACK)
		return WISH_PASS;
	stack_remove(s, self);
	return WISH_POP;
}

static void test_gone_with_a_wish(void **state)
{
	static const struct screen_ops goer = {
		.title = "", .keymap = KEYMAP_LIST, .draw = draw, .request = goes_and_pops
	};

	(void)state;
	assert_int_equal(stack_push(s, &goer, over), 0);
	stack_make_tab(s, over, "over");
	press(K_ESC);
	assert_true(stack_is_top(s, file));
	assert_int_equal(stack_n_tabs(s), 3);
}

#define TABS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* ---- the light ---- */

static const char *lit;

static void light_text(void *ctx, char *buf, size_t size, style_t *ret_style)
{
	assert_ptr_equal(ctx, live);
	snprintf(buf, size, "%s", lit);
	*ret_style = ROLE_HOT;
}

/* The column of the light in the first line, in its style; -1: none. */
static int light_at(void)
{
	for (int x = 0; x < g->cols; x++)
		if (g->cells[x].ch == 0x25cf)
			return grid_style(g, 0, x) == ROLE_HOT ? x : -2;
	return -1;
}

static void test_light(void **state)
{
	static const struct screen_ops own = { .title = "Live",
					       .keymap = KEYMAP_LIST,
					       .has_light = true,
					       .head = head,
					       .draw = draw };
	static char self[] = "own";

	(void)state;
	lit = "● REC 00:12";
	stack_set_light(s, (struct stack_light){ light_text, live });
	/* in every tab, above everything in it, and under popups */
	for (int i = 0; i < 3; i++) {
		press('>');
		assert_int_equal(light_at(), 90 - 1 - 11);
		assert_non_null(strstr(row_text(g, 0), "● REC 00:12"));
	}
	press('?');
	assert_int_equal(light_at(), 90 - 1 - 11);
	press(K_ESC);
	assert_int_equal(popup_message(s, "Title", "Text"), WISH_REDRAW);
	see();
	assert_int_equal(light_at(), 90 - 1 - 11);
	press(K_ESC);
	/* a screen that shows it itself */
	assert_int_equal(stack_push(s, &own, self), 0);
	see();
	assert_int_equal(light_at(), -1);
	press(K_ESC);
	/* off, and on again */
	lit = "";
	see();
	assert_int_equal(light_at(), -1);
	lit = "● REC 00:13";
	see();
	assert_int_equal(light_at(), 90 - 1 - 11);
	/* on a narrow screen only its mark */
	assert_int_equal(grid_resize(g, 10, 40), 0);
	see();
	assert_int_equal(light_at(), 38);
	assert_null(strstr(row_text(g, 0), "REC"));
	/* of an owner that has been replaced it stays */
	stack_forget_light(s, base);
	see();
	assert_int_equal(light_at(), 38);
	stack_forget_light(s, live);
	see();
	assert_int_equal(light_at(), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TABS(test_names),
		TABS(test_numbers),
		TABS(test_keys),
		TABS(test_without_tabs),
		TABS(test_help),
		TABS(test_mouse),
		TABS(test_narrow),
		TABS(test_closing),
		TABS(test_closing_behind),
		TABS(test_base_takes_all),
		TABS(test_return_to_base),
		TABS(test_return_in_a_tab),
		TABS(test_prompt_behind),
		TABS(test_menu_stays),
		TABS(test_replaced_behind),
		TABS(test_replaced_on_a_screen_behind),
		TABS(test_facts_of_a_tab_behind),
		TABS(test_quit),
		TABS(test_gone_with_a_wish),
		TABS(test_light),
	};

	return cmocka_run_group_tests_name("ui/stack: tabs", tests, use_utf8, NULL);
}
