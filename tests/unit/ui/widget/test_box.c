/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/box.h"

/* "0+1 1+5 6+1": first line and lines of each box, "-": not shown. */
static const char *reflowed(struct box *boxes, size_t n, int rows)
{
	static char buf[256];
	size_t at = 0;

	box_reflow(boxes, n, rows);
	*buf = '\0';
	for (size_t i = 0; i < n; i++) {
		if (boxes[i].h)
			at += (size_t)snprintf(buf + at, sizeof(buf) - at, "%s%d+%d", i ? " " : "",
					       boxes[i].y, boxes[i].h);
		else
			at += (size_t)snprintf(buf + at, sizeof(buf) - at, "%s-", i ? " " : "");
	}
	return buf;
}

#define check(boxes, rows, text) \
	assert_string_equal(reflowed(boxes, sizeof(boxes) / sizeof((boxes)[0]), rows), text)

/* A typical screen: hides rules before facts, facts before rows. */
#define SCREEN                                                                     \
	{                                                                          \
		{ .size = 1 }, { .size = 1, .hide = 3 }, { .size = 2, .hide = 2 }, \
			{ .size = 3, .fill = true }, { .size = 1, .hide = 3 },     \
		{                                                                  \
			.size = 1, .hide = 1                                       \
		}                                                                  \
	}

static void test_screen(void **state)
{
	struct box boxes[] = SCREEN;

	(void)state;
	check(boxes, 60, "0+1 1+1 2+2 4+54 58+1 59+1");
	check(boxes, 10, "0+1 1+1 2+2 4+4 8+1 9+1");
	check(boxes, 9, "0+1 1+1 2+2 4+3 7+1 8+1");
	/* both rules at once, though one of them would still fit */
	check(boxes, 8, "0+1 - 1+2 3+4 - 7+1");
	check(boxes, 6, "0+1 - - 1+4 - 5+1");
	check(boxes, 4, "0+1 - - 1+3 - -");
	/* boxes that are never hidden are clipped, from the end */
	check(boxes, 2, "0+1 - - 1+1 - -");
	check(boxes, 1, "0+1 - - - - -");
	check(boxes, 0, "- - - - - -");
	check(boxes, -1, "- - - - - -");
	/* and everything comes back */
	check(boxes, 6, "0+1 - - 1+4 - 5+1");
}

/* At every size boxes neither overlap nor leave a line free. */
static void test_every_size(void **state)
{
	struct box boxes[] = SCREEN;

	(void)state;
	for (int rows = 1; rows <= 60; rows++) {
		int at = 0;

		box_reflow(boxes, 6, rows);
		for (size_t i = 0; i < 6; i++) {
			assert_true(boxes[i].h >= 0);
			if (boxes[i].h)
				assert_int_equal(boxes[i].y, at);
			at += boxes[i].h;
		}
		assert_int_equal(at, rows);
	}
}

static void test_shrink(void **state)
{
	struct box boxes[] = { { .size = 5, .min = 1 },
			       { .size = 4, .min = 2 },
			       { .size = 2, .fill = true } };

	(void)state;
	check(boxes, 12, "0+5 5+4 9+3");
	/* the last one first, never below its minimum; then the end is clipped */
	check(boxes, 10, "0+5 5+3 8+2");
	check(boxes, 8, "0+4 4+2 6+2");
	check(boxes, 5, "0+1 1+2 3+2");
	check(boxes, 4, "0+1 1+2 3+1");
	check(boxes, 3, "0+1 1+2 -");
	check(boxes, 1, "0+1 - -");
	/* nothing to be shown: the minimum; without one nothing */
	boxes[0].size = -7;
	boxes[1].size = boxes[1].min = 0;
	check(boxes, 12, "0+1 - 1+11");
}

/* The highest number is hidden first, all of one number at once, and only as many as needed. */
static void test_hide(void **state)
{
	struct box boxes[] = { { .size = 4 },
			       { .size = 4, .hide = 1 },
			       { .size = 4, .hide = 2 },
			       { .size = 4, .hide = 1 },
			       { .size = 1, .hide = 3 } };

	(void)state;
	check(boxes, 20, "0+4 4+4 8+4 12+4 16+1");
	check(boxes, 16, "0+4 4+4 8+4 12+4 -");
	check(boxes, 15, "0+4 4+4 - 8+4 -");
	check(boxes, 11, "0+4 - - - -");
	check(boxes, 3, "0+3 - - - -");
	boxes[0].off = true;
	check(boxes, 8, "- 0+4 - 4+4 -");
}

/* The cells drawn by a box and hit by the mouse are the same. */
static void test_cells(void **state)
{
	struct box boxes[] = SCREEN;
	struct grid *g = grid_new(6, 20);
	struct canvas c = canvas_of(g), part;

	(void)state;
	box_reflow(boxes, 6, 6);
	part = box_canvas(&boxes[1], &c);
	assert_int_equal(part.at.h * part.at.w, 0);
	for (size_t i = 0; i < 6; i++) {
		part = box_canvas(&boxes[i], &c);
		canvas_fill(&part, 0, 0, 99, 99, ROLE_TEXT, '0' + (uint32_t)i);
	}
	check_rows(g, "00000000000000000000", "33333333333333333333", "33333333333333333333",
		   "33333333333333333333", "33333333333333333333", "55555555555555555555");
	/* a canvas smaller than the layout clips, and does not exceed the grid */
	c = canvas_part(&c, 0, 0, 2, 3);
	part = box_canvas(&boxes[5], &c);
	assert_int_equal(part.at.h * part.at.w, 0);
	grid_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_screen), cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_shrink), cmocka_unit_test(test_hide),
		cmocka_unit_test(test_cells),
	};

	return cmocka_run_group_tests_name("ui/box", tests, use_utf8, NULL);
}
