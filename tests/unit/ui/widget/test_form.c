/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/form.h"

static const enum form_kind kinds[] = { FORM_NOTE, FORM_TEXT, FORM_CHOICE, FORM_NOTE, FORM_TOGGLE };
static char acts[64];
static size_t n_rows = 5;

static size_t count(void *ctx)
{
	(void)ctx;
	return n_rows;
}

static void row(void *ctx, size_t i, struct form_row *r)
{
	static const char *const labels[] = { "", "Target", "Graph", "", "All" };

	(void)ctx;
	assert_true(i < n_rows);
	r->kind = kinds[i];
	r->label = labels[i];
	snprintf(r->value, sizeof(r->value), "v%zu", i);
	snprintf(r->explanation, sizeof(r->explanation), "what %zu is", i);
}

static unsigned act(void *ctx, size_t i, enum form_act what)
{
	size_t n = strlen(acts);

	(void)ctx;
	assert_true(i < n_rows);
	snprintf(acts + n, sizeof(acts) - n, "%zu%c ", i, "EN<"[what]);
	return WISH_RECALC;
}

static const struct form_ops ops = { count, row, act };

static void test_cursor(void **state)
{
	struct form f;

	(void)state;
	form_init(&f, &ops, NULL, 8);
	form_recalc(&f);
	assert_int_equal(f.cursor, 1);
	form_request(&f, REQ_UP);
	assert_int_equal(f.cursor, 1);
	form_request(&f, REQ_DOWN);
	form_request(&f, REQ_DOWN);
	assert_int_equal(f.cursor, 4);
	form_request(&f, REQ_UP);
	assert_int_equal(f.cursor, 2);
	form_request(&f, REQ_LAST);
	assert_int_equal(f.cursor, 4);
	form_request(&f, REQ_FIRST);
	assert_int_equal(f.cursor, 1);
	assert_int_equal(form_request(&f, REQ_SEARCH), WISH_PASS);
}

static void test_act(void **state)
{
	struct form f;

	(void)state;
	*acts = '\0';
	form_init(&f, &ops, NULL, 8);
	form_recalc(&f);
	assert_int_equal(form_request(&f, REQ_NEXT_VALUE), WISH_PASS);
	assert_int_equal(form_request(&f, REQ_OPEN), WISH_RECALC);
	form_move_to(&f, 2);
	form_request(&f, REQ_NEXT_VALUE);
	form_request(&f, REQ_PREV_VALUE);
	form_request(&f, REQ_OPEN);
	form_move_to(&f, 4);
	form_request(&f, REQ_OPEN);
	form_request(&f, REQ_PREV_VALUE);
	assert_string_equal(acts, "1E 2N 2< 2E 4N 4N ");
}

/* A click moves the cursor, on the cursor row it acts like Enter, a double click acts once. */
static void test_mouse(void **state)
{
	struct term_event e = {
		.kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = 2, .time_ns = 1000000000
	};
	struct grid *g = grid_new(5, 50);
	struct canvas c = canvas_of(g);
	struct form f;

	(void)state;
	*acts = '\0';
	form_init(&f, &ops, NULL, 8);
	form_recalc(&f);
	form_draw(&f, &c);
	assert_int_equal(form_mouse(&f, &e), WISH_REDRAW);
	assert_int_equal(f.cursor, 2);
	assert_string_equal(acts, "");
	e.time_ns += 100000000;
	form_mouse(&f, &e);
	assert_string_equal(acts, "2E ");
	e.time_ns += 100000000;
	assert_int_equal(form_mouse(&f, &e), WISH_NONE);
	assert_string_equal(acts, "2E ");
	e.time_ns += 500000000;
	form_mouse(&f, &e);
	assert_string_equal(acts, "2E 2E ");
	/* a note is only read; nothing is below the end */
	e.y = 0;
	assert_int_equal(form_mouse(&f, &e), WISH_PASS);
	e.y = -1;
	assert_int_equal(form_mouse(&f, &e), WISH_PASS);
	e.y = 5;
	assert_int_equal(form_mouse(&f, &e), WISH_PASS);
	e.mouse = MOUSE_WHEEL_UP;
	assert_int_equal(form_mouse(&f, &e), WISH_REDRAW);
	assert_int_equal(f.cursor, 1);
	grid_free(g);
}

static void test_draw(void **state)
{
	struct grid *g = grid_new(5, 50);
	struct canvas c = canvas_of(g);
	struct form f;

	(void)state;
	form_init(&f, &ops, NULL, 8);
	form_recalc(&f);
	form_draw(&f, &c);
	check_rows(g, "          v0                     what 0 is",
		   " Target   v1                     what 1 is",
		   " Graph  ‹ v2 ›                   what 2 is");
	assert_int_equal(cursor_row(g, 1), 1);
	/* The explanation is the first to go. */
	c = canvas_part(&c, 0, 0, 5, 24);
	grid_clear(g);
	form_draw(&f, &c);
	check_rows(g, "          v0", " Target   v1", " Graph  ‹ v2 ›");
	grid_free(g);
}

/* Rows that are gone since the last recalc are neither shown nor asked for. */
static void test_shrunk(void **state)
{
	static const enum request requests[] = { REQ_UP,	 REQ_DOWN,	 REQ_FIRST,
						 REQ_LAST,	 REQ_PAGE_UP,	 REQ_PAGE_DOWN,
						 REQ_NEXT_VALUE, REQ_PREV_VALUE, REQ_OPEN };
	struct term_event e = { .kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1 };
	struct grid *g = grid_new(5, 60);
	struct canvas c = canvas_of(g);
	struct form f;

	(void)state;
	for (n_rows = 0; n_rows < 5; n_rows++) {
		size_t now = n_rows;

		n_rows = 5;
		form_init(&f, &ops, NULL, 8);
		form_recalc(&f);
		form_draw(&f, &c);
		n_rows = now;
		for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
			form_move_to(&f, 4);
			form_request(&f, requests[i]);
		}
		for (e.y = 0; e.y < 6; e.y++) {
			form_mouse(&f, &e);
			form_mouse(&f, &e);
		}
		form_draw(&f, &c);
		form_recalc(&f);
		assert_true(f.cursor < now || !now);
	}
	n_rows = 5;
	grid_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cursor), cmocka_unit_test(test_act),
		cmocka_unit_test(test_mouse),  cmocka_unit_test(test_draw),
		cmocka_unit_test(test_shrunk),
	};

	return cmocka_run_group_tests_name("ui/form", tests, use_utf8, NULL);
}
