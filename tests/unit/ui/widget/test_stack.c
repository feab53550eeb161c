/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/popup.h"
#include "widget/prompt.h"
#include "widget/stack.h"
#include "widget/table.h"

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
	.title = "Rows",
	.keymap = KEYMAP_LIST,
	.hints = hints,
	.draw = draw,
	.recalc = recalc,
	.close = closed,
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
	assert_string_equal(row_text(g, 9),
			    " x has no effect here; ? lists the keys of this screen");
	press(K_CTRL | 'l');
	assert_string_equal(row_text(g, 9), " / find   ? help   ESC back");
	assert_int_equal(recalcs, 1);
	stack_wish(s, taken, WISH_RECALC);
	stack_draw(s, g);
	assert_int_equal(recalcs, 1);
}

/* A message longer than a line goes over those above, until the next key or a click on it. */
static void test_long_message(void **state)
{
	(void)state;
	assert_int_equal(grid_resize(g, 8, 20), 0);
	stack_say(s, ROLE_BAD, "no rows: use --rows to have some of them");
	stack_draw(s, g);
	check_rows(g, " Rows", "one", "", "", "", " no rows: use --rows", " to have some of",
		   " them");
	assert_int_equal(grid_style(g, 5, 1), ROLE_BAD);
	press(K_CTRL | 'l');
	assert_string_equal(row_text(g, 6), "");
	/* half of the screen at most; what is left out shows */
	assert_int_equal(grid_resize(g, 4, 20), 0);
	stack_say(s, ROLE_BAD, "no rows: use --rows to have some of them");
	stack_draw(s, g);
	check_rows(g, " Rows", "one", " no rows: use --rows", " to have some of th…");
	for (int cols = 12; cols > 0; cols--)
		for (int rows = 9; rows > 0; rows--) {
			assert_int_equal(grid_resize(g, rows, cols), 0);
			stack_say(s, ROLE_BAD, "no rows: use --rows to have some of them");
			stack_draw(s, g);
		}
}

static void draw_part(void *self, const struct canvas *c)
{
	canvas_text(c, 1, 0, ROLE_TEXT, self);
}

/* Only the top screen can draw a part of itself, over its own picture of this size. */
static void test_part(void **state)
{
	static const struct screen_ops parts = {
		.title = "Parts", .keymap = KEYMAP_LIST, .draw = draw, .draw_part = draw_part
	};
	static char self[] = "two";

	(void)state;
	stack_draw(s, g);
	stack_wish(s, one, WISH_PART);
	assert_false(stack_draw_part(s, g)); /* has no draw_part() */
	assert_int_equal(stack_push(s, &parts, self), 0);
	stack_draw(s, g);
	assert_false(stack_draw_part(s, g)); /* has no wish */
	snprintf(self, sizeof(self), "2nd");
	canvas_text(&(struct canvas){ g, { 0, 0, 10, 60 } }, 0, 20, ROLE_TEXT, "old");
	stack_wish(s, self, WISH_PART);
	assert_true(stack_draw_part(s, g));
	assert_string_equal(row_text(g, 0), " Parts");
	assert_string_equal(row_text(g, 1), "two");
	assert_string_equal(row_text(g, 2), "2nd");
	assert_false(stack_draw_part(s, g)); /* fulfilled */
	stack_wish(s, one, WISH_PART);
	assert_false(stack_draw_part(s, g)); /* is below */
	assert_int_equal(stack_push(s, &ops, one), 0);
	stack_wish(s, self, WISH_PART);
	assert_false(stack_draw_part(s, g));
	press(K_ESC);
	stack_wish(s, self, WISH_PART);
	assert_int_equal(grid_resize(g, 9, 60), 0);
	assert_false(stack_draw_part(s, g)); /* another size */
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
	assert_non_null(strstr(row_text(g, 2), "list the keys of this screen"));
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

/* An accepted line changes the facts of the screen below. */
static void test_prompt(void **state)
{
	const struct prompt_opts opts = { .label = "find: ", .done = done };

	(void)state;
	stack_draw(s, g);
	assert_int_equal(prompt_open(s, &opts), WISH_REDRAW);
	press('q');
	press('m');
	assert_string_equal(row_text(g, 9), "find: qm");
	assert_int_equal(g->cursor_x, 8);
	press(K_ENTER);
	assert_string_equal(taken, "qm");
	assert_int_equal(recalcs, 2);
	assert_int_equal(g->cursor_y, -1);
	assert_int_equal(prompt_open(s, &opts), WISH_REDRAW);
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

/* Returns WISH_PASS for a request unknown to the screen below. */
static unsigned choose_in_vain(void *ctx, int index)
{
	(void)ctx;
	chosen = index;
	return WISH_PASS;
}

static void test_gone_menu(void **state)
{
	const struct menu_item items[] = { { "one", 'o', false, true } };

	(void)state;
	assert_int_equal(popup_menu(s, "Row", items, 1, choose_in_vain, NULL), WISH_REDRAW);
	press(K_ENTER);
	assert_int_equal(chosen, 0);
	assert_true(stack_is_top(s, one));
	assert_int_equal(popup_menu(s, "Row", items, 1, choose_in_vain, NULL), WISH_REDRAW);
	press(K_ESC);
	assert_int_equal(chosen, -1);
	assert_true(stack_is_top(s, one));
}

static void test_menu(void **state)
{
	const struct menu_item items[] = { { "off", 'o', true, false },
					   { "next", 'n', false, true },
					   { "last", 0, false, false } };

	(void)state;
	assert_int_equal(popup_menu(s, "Row", items, 3, choose, NULL), WISH_REDRAW);
	stack_draw(s, g);
	assert_non_null(strstr(row_text(g, 4), "• (n) next"));
	press('o');
	assert_int_equal(chosen, -2);
	press('n');
	assert_int_equal(chosen, 1);
	assert_int_equal(popup_menu(s, "Row", items, 3, choose, NULL), WISH_REDRAW);
	press(K_DOWN);
	press(K_ENTER);
	assert_int_equal(chosen, 2);
	assert_int_equal(popup_menu(s, "Row", items, 3, choose, NULL), WISH_REDRAW);
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
	assert_int_equal(popup_message(s, "Lost", "one\ntwo"), WISH_REDRAW);
	stack_draw(s, g);
	assert_non_null(strstr(row_text(g, 3), "┌─ Lost "));
	assert_non_null(strstr(row_text(g, 4), "│ one"));
	press(K_ENTER);
	assert_string_equal(row_text(g, 4), "");
	assert_int_equal(popup_ask(s, "Stop?", "stop", "go on", answer, NULL), WISH_REDRAW);
	press('n');
	assert_int_equal(chosen, 0);
	assert_int_equal(popup_ask(s, "Stop?", "stop", "go on", answer, NULL), WISH_REDRAW);
	press(K_ENTER);
	assert_int_equal(chosen, 1);
}

/* ---- the mouse ---- */

static unsigned hit_by(void *self, const struct term_event *e);
static unsigned head_hit_by(void *self, const struct term_event *e);
static unsigned asked_for(void *self, enum request req);

static const struct screen_ops mouse_ops = {
	.title = "Rows",
	.keymap = KEYMAP_LIST,
	.hints = hints,
	.draw = draw,
	.close = closed,
	.request = asked_for,
	.mouse = hit_by,
	.head_mouse = head_hit_by,
};

static struct {
	int y, x, head_x, opened;
	enum request asked;
	unsigned wishes;
} hit;

static unsigned hit_by(void *self, const struct term_event *e)
{
	(void)self;
	hit.y = e->y;
	hit.x = e->x;
	return hit.wishes;
}

static unsigned head_hit_by(void *self, const struct term_event *e)
{
	(void)self;
	assert_int_equal(e->y, 0);
	hit.head_x = e->x;
	return WISH_REDRAW;
}

static unsigned asked_for(void *self, enum request req)
{
	(void)self;
	hit.asked = req;
	hit.opened += req == REQ_OPEN;
	return req == REQ_BACK || req == REQ_HELP ? WISH_PASS : WISH_REDRAW;
}

static void click(int y, int x)
{
	struct term_event e = {
		.kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = y, .x = x
	};

	hit.y = hit.x = hit.head_x = -1;
	hit.asked = REQ_NONE;
	hit.opened = 0;
	stack_event(s, &e);
	if (!stack_is_done(s))
		stack_draw(s, g);
}

static char clicked[] = "clicked";

static void start_mouse(int rows)
{
	memset(&hit, 0, sizeof(hit));
	assert_int_equal(grid_resize(g, rows, 60), 0);
	assert_int_equal(stack_push(s, &mouse_ops, clicked), 0);
	stack_draw(s, g);
}

/* The first line belongs to the screen; rules and blanks to none. */
static void test_mouse_places(void **state)
{
	(void)state;
	start_mouse(20);
	click(0, 7);
	assert_int_equal(hit.head_x, 7);
	assert_int_equal(hit.y, -1);
	click(1, 7);
	assert_int_equal(hit.head_x, -1);
	assert_int_equal(hit.y, -1);
	click(2, 7);
	assert_int_equal(hit.y, 2);
	assert_int_equal(hit.x, 7);
	click(17, 7);
	assert_int_equal(hit.y, 17);
	click(18, 7);
	assert_int_equal(hit.y, -1);
	/* without rules; without a head */
	start_mouse(10);
	click(0, 3);
	assert_int_equal(hit.head_x, 3);
	click(1, 3);
	assert_int_equal(hit.y, 1);
	click(8, 3);
	assert_int_equal(hit.y, 8);
	start_mouse(2);
	click(0, 3);
	assert_int_equal(hit.head_x, -1);
	assert_int_equal(hit.y, 0);
}

/* " / find   ? help   ESC back": a click on a hint presses that key. */
static void test_hint_clicks(void **state)
{
	(void)state;
	start_mouse(10);
	click(9, 1);
	assert_int_equal(hit.asked, REQ_SEARCH);
	click(9, 6);
	assert_int_equal(hit.asked, REQ_SEARCH);
	click(9, 8);
	assert_int_equal(hit.asked, REQ_NONE);
	click(9, 40);
	assert_int_equal(hit.asked, REQ_NONE);
	click(9, 10);
	assert_string_equal(row_text(g, 0), " Help: Rows");
	/* and those of the help are the help's */
	press(K_ESC);
	assert_string_equal(row_text(g, 1), "clicked");
	/* a message in their place is only clicked away */
	stack_say(s, ROLE_BAD, "no rows");
	stack_draw(s, g);
	click(9, 1);
	assert_int_equal(hit.asked, REQ_NONE);
	assert_string_equal(row_text(g, 9), " / find   ? help   ESC back");
	stack_say(s, ROLE_BAD, "no rows: use --rows to have some of them in this list of rows");
	stack_draw(s, g);
	click(8, 1);
	assert_int_equal(hit.asked, REQ_NONE);
	assert_string_equal(row_text(g, 9), " / find   ? help   ESC back");
	click(9, 20);
	assert_int_equal(hit.asked, REQ_BACK);
	assert_false(stack_has(s, clicked));
}

/* A popup shows no hints of the screen below, and they cannot be hit. */
static void test_no_hints(void **state)
{
	const struct prompt_opts opts = { .label = "find: " };

	(void)state;
	start_mouse(10);
	assert_int_equal(prompt_open(s, &opts), WISH_REDRAW);
	stack_draw(s, g);
	assert_string_equal(row_text(g, 9), "find:");
	click(9, 1);
	assert_int_equal(hit.asked, REQ_NONE);
	assert_false(stack_is_top(s, clicked));
	click(0, 3);
	click(2, 3);
	assert_int_equal(hit.head_x, -1);
	assert_int_equal(hit.y, -1);
}

/* WISH_OPEN of a clicked widget calls the screen as if the key was pressed. */
static void test_wish_open(void **state)
{
	(void)state;
	start_mouse(10);
	click(3, 3);
	assert_int_equal(hit.opened, 0);
	hit.wishes = WISH_OPEN;
	click(3, 3);
	assert_int_equal(hit.opened, 1);
	/* a screen removed by the click is not called */
	hit.wishes = WISH_OPEN | WISH_POP;
	click(3, 3);
	assert_false(stack_has(s, clicked));
}

static unsigned opens_menu(void *self, const struct term_event *e)
{
	static const struct menu_item items[] = { { "one", 0, false, false },
						  { "two", 0, false, false } };

	(void)self;
	if (e->mouse == MOUSE_PRESS)
		assert_int_equal(popup_menu(s, "Row", items, 2, choose, NULL), WISH_REDRAW);
	return WISH_REDRAW;
}

/* A double click that opens a menu does not choose from it. */
static void test_double_click(void **state)
{
	static const struct screen_ops opener = {
		.title = "Rows",
		.keymap = KEYMAP_LIST,
		.draw = draw,
		.mouse = opens_menu,
	};
	struct term_event e = { .kind = TERM_MOUSE,
				.mouse = MOUSE_PRESS,
				.button = 1,
				.y = 4,
				.x = 28,
				.time_ns = 1000000000 };

	(void)state;
	chosen = -2;
	assert_int_equal(stack_push(s, &opener, clicked), 0);
	stack_draw(s, g);
	stack_event(s, &e);
	stack_draw(s, g);
	assert_memory_equal(row_text(g, 4) + strspn(row_text(g, 4), " "), "│   one", 9);
	e.mouse = MOUSE_RELEASE;
	stack_event(s, &e);
	e.mouse = MOUSE_PRESS;
	e.time_ns += 200000000;
	stack_event(s, &e);
	assert_false(stack_is_top(s, clicked));
	assert_int_equal(chosen, -2);
	/* elsewhere, or later, the click counts */
	e.time_ns += 500000000;
	stack_event(s, &e);
	assert_int_equal(chosen, 0);
}

/* ---- the end of the session ---- */

static char next[] = "next";
static int opened_next;

static void pop_next(void *ctx)
{
	stack_wish(ctx, next, WISH_POP);
}

/* The last screen is removed, wishes, and pushes the next: all in one call. */
static void go_on(void *ctx)
{
	struct stack *stack = ctx;

	stack_remove(stack, one);
	assert_true(stack_is_done(stack));
	stack_wish(stack, one, WISH_RECALC);
	opened_next = stack_push(stack, &ops, next) == 0;
	assert_int_not_equal(loop_after(stack_loop(stack), 0, pop_next, stack), 0);
}

static void test_last_makes_room(void **state)
{
	(void)state;
	opened_next = 0;
	assert_int_not_equal(loop_after(stack_loop(s), 0, go_on, s), 0);
	assert_int_equal(stack_run(s), 0);
	assert_int_equal(opened_next, 1);
	/* it ran until the next one was closed */
	assert_int_equal(closes, 2);
	assert_true(stack_is_done(s));
}

static unsigned push_again(void *ctx, const char *line)
{
	(void)line;
	stack_remove(ctx, one);
	stack_wish(ctx, one, WISH_REDRAW);
	assert_int_equal(stack_push(ctx, &ops, next), 0);
	return WISH_REDRAW;
}

/* The same from the answer to a prompt. */
static void test_prompt_makes_room(void **state)
{
	const struct prompt_opts opts = { .label = "x: ", .done = push_again, .ctx = s };

	(void)state;
	assert_int_equal(prompt_open(s, &opts), WISH_REDRAW);
	press(K_ENTER);
	assert_true(stack_is_top(s, next));
	assert_int_not_equal(loop_after(stack_loop(s), 0, pop_next, s), 0);
	assert_int_equal(stack_run(s), 0);
	assert_int_equal(closes, 2);
}

static void quit_and_push(void *ctx)
{
	stack_wish(ctx, one, WISH_QUIT);
	assert_int_equal(stack_push(ctx, &ops, next), 0);
}

/* WISH_QUIT quits even if another handler pushes a screen. */
static void test_quit(void **state)
{
	(void)state;
	assert_int_not_equal(loop_after(stack_loop(s), 0, quit_and_push, s), 0);
	assert_int_equal(stack_run(s), 0);
	assert_true(stack_has(s, next));
}

static void remove_self(void *self)
{
	stack_remove(s, self);
}

static void push_over(void *self)
{
	static char over[] = "over";

	(void)self;
	if (!stack_has(s, over))
		assert_int_equal(stack_push(s, &ops, over), 0);
}

/* A screen may remove itself or show a message while it is recalculated. */
static void test_recalc_moves(void **state)
{
	static const struct screen_ops goes = {
		.title = "",
		.keymap = KEYMAP_LIST,
		.draw = draw,
		.recalc = remove_self,
	};
	static const struct screen_ops tells = {
		.title = "",
		.keymap = KEYMAP_LIST,
		.draw = draw,
		.recalc = push_over,
	};

	(void)state;
	assert_int_equal(stack_push(s, &goes, next), 0);
	stack_draw(s, g);
	assert_false(stack_has(s, next));
	assert_string_equal(row_text(g, 1), "one");
	for (int i = 0; i < 20; i++) /* enough to reallocate the layers */
		assert_int_equal(stack_push(s, &tells, next), 0);
	stack_draw(s, g);
	assert_string_equal(row_text(g, 1), "over");
	stack_remove(s, one);
	stack_draw(s, g);
	assert_true(stack_is_done(s));
}

/* A worker has replaced the rows since the last paint: a key must not refer to those that are gone. */
static void test_recalc_before_key(void **state)
{
	const struct term_event e = { .kind = TERM_KEY, .key = 'x' };

	(void)state;
	stack_draw(s, g);
	assert_int_equal(recalcs, 1);
	stack_wish(s, one, WISH_RECALC);
	stack_event(s, &e);
	assert_int_equal(recalcs, 2);
	stack_event(s, &e);
	assert_int_equal(recalcs, 2);
}

/* A list whose rows are halved by one key, and counted by another: those from the cursor on. */
static struct {
	size_t n, from_cursor;
	struct table table;
} halved;

static unsigned halve_rows(void *self, enum request req)
{
	(void)self;
	if (req == REQ_SEARCH) {
		halved.n /= 2;
		return WISH_RECALC;
	}
	halved.from_cursor = halved.n - halved.table.cursor;
	return req == REQ_HELP ? WISH_REDRAW : WISH_PASS;
}

/* Keys that come at once: the first one changes rows, and the next refers to them before they are painted. */
static void test_recalc_between_keys(void **state)
{
	static const struct table_ops rows = { .n_rows = offsetof(typeof(halved), n) };
	static const struct screen_ops list = {
		.title = "",
		.keymap = KEYMAP_LIST,
		.draw = draw,
		.request = halve_rows,
		.table = offsetof(typeof(halved), table),
	};
	const key_code typed[] = { K_END, '/', '?' };

	(void)state;
	halved.n = 40;
	table_init(&halved.table, &rows, &halved);
	assert_int_equal(stack_push(s, &list, &halved), 0);
	for (size_t i = 0; i < 3; i++)
		stack_event(s, &(struct term_event){ .kind = TERM_KEY, .key = typed[i] });
	assert_int_equal(halved.from_cursor, 1); /* the last of 20, which was the last of 40 */
}

static bool offers_none(void *self, enum request req)
{
	(void)self;
	return stack_answers(req);
}

/* Without an effect, with a reason, with one. */
static unsigned in_vain(void *self, enum request req)
{
	(void)self;
	if (req == REQ_SEARCH_NEXT)
		return stack_note(s, "nothing to find");
	return req == REQ_SEARCH ? WISH_REDRAW : req == REQ_LEFT ? WISH_POP : WISH_PASS;
}

/* A key of what is not possible now does not do nothing without a word. */
static void test_not_offered(void **state)
{
	static const struct screen_ops none = {
		.title = "",
		.keymap = KEYMAP_LIST,
		.draw = draw,
		.request = in_vain,
		.can = offers_none,
	};

	(void)state;
	assert_int_equal(stack_push(s, &none, next), 0);
	press('/');
	assert_string_equal(row_text(g, 9),
			    " / has no effect here; ? lists the keys of this screen");
	press('n');
	assert_string_equal(row_text(g, 9), " nothing to find");
	press('?');
	assert_memory_equal(row_text(g, 0), " Help", 5);
	press(K_ESC);
	press(K_LEFT);
	assert_true(stack_is_top(s, one));
	assert_null(strstr(row_text(g, 9), "no effect"));
}

static bool is_finished;
static int asked_to_finish;

static bool finish(void *self, int signal)
{
	(void)self;
	assert_int_equal(signal, 0);
	asked_to_finish++;
	return is_finished;
}

static const struct screen_ops busy_ops = {
	.title = "Busy", .keymap = KEYMAP_LIST, .draw = draw, .finish = finish, .close = closed
};

/* A screen below that has something to finish is waited for, whatever is above it. */
static void test_quit_waits(void **state)
{
	static const struct menu_item items[] = { { .text = "x" } };
	static char busy[] = "busy";

	(void)state;
	is_finished = false;
	asked_to_finish = 0;
	assert_int_equal(stack_push(s, &busy_ops, busy), 0);
	assert_int_equal(popup_menu(s, "Menu", items, 1, NULL, NULL), WISH_REDRAW);
	press(K_CTRL | 'c');
	assert_int_equal(asked_to_finish, 1);
	assert_false(stack_is_done(s));
	is_finished = true;
	assert_int_equal(stack_run(s), 0);
	assert_true(stack_is_done(s));
	assert_int_equal(asked_to_finish, 2);
	assert_int_equal(closes, 2);
}

/* A second request does not wait. */
static void test_quit_twice(void **state)
{
	static char busy[] = "busy";

	(void)state;
	is_finished = false;
	assert_int_equal(stack_push(s, &busy_ops, busy), 0);
	press(K_CTRL | 'c');
	assert_false(stack_is_done(s));
	press(K_CTRL | 'c');
	assert_true(stack_is_done(s));
	assert_int_equal(closes, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_frame, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_message, setup, teardown),
		cmocka_unit_test_setup_teardown(test_part, setup, teardown),
		cmocka_unit_test_setup_teardown(test_leave, setup, teardown),
		cmocka_unit_test_setup_teardown(test_help, setup, teardown),
		cmocka_unit_test_setup_teardown(test_prompt, setup, teardown),
		cmocka_unit_test_setup_teardown(test_menu, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gone_menu, setup, teardown),
		cmocka_unit_test_setup_teardown(test_messages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mouse_places, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hint_clicks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_hints, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wish_open, setup, teardown),
		cmocka_unit_test_setup_teardown(test_double_click, setup, teardown),
		cmocka_unit_test_setup_teardown(test_last_makes_room, setup, teardown),
		cmocka_unit_test_setup_teardown(test_prompt_makes_room, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_recalc_moves, setup, teardown),
		cmocka_unit_test_setup_teardown(test_recalc_before_key, setup, teardown),
		cmocka_unit_test_setup_teardown(test_recalc_between_keys, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_offered, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quit_waits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quit_twice, setup, teardown),
	};

	return cmocka_run_group_tests_name("ui/stack", tests, use_utf8, NULL);
}
