/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "unit/ui/screen.h"
#include "widget/form.h"

static void draw(struct grid *g, int width)
{
	static const char *const labels[] = { "", "Target", "Graph" };
	struct canvas all = canvas_of(g);
	struct form_row row;

	grid_clear(g);
	for (int i = 0; i < 3; i++) {
		struct canvas line = canvas_part(&all, i, 0, 1, width);

		row = (struct form_row)FORM_ROW_INIT;
		row.label = labels[i];
		row.is_choice = i == 2;
		snprintf(row.value, sizeof(row.value), "v%d", i);
		snprintf(row.explanation, sizeof(row.explanation), "what %d is", i);
		row.current = "is";
		form_row_draw(&line, width, 8, &row);
	}
}

static void test_draw(void **state)
{
	struct grid *g = grid_new(5, 50);

	(void)state;
	draw(g, 50);
	check_rows(g, "          v0                     what 0 is",
		   " Target   v1                     what 1 is",
		   " Graph  ‹ v2 ›                   what 2 is");
	assert_int_equal(grid_style(g, 0, 33), ROLE_DIM);
	assert_int_equal(grid_style(g, 0, 40), ROLE_FIELD);
	/* The explanation is the first to go. */
	draw(g, 24);
	check_rows(g, "          v0", " Target   v1", " Graph  ‹ v2 ›");
	grid_free(g);
}

/* The detail follows the value; both make room for the explanation, or displace it. */
static void test_detail(void **state)
{
	struct grid *g = grid_new(1, 40);
	struct canvas c = canvas_of(g);
	struct form_row row = FORM_ROW_INIT;

	(void)state;
	row.label = "Target";
	row.is_choice = true;
	snprintf(row.value, sizeof(row.value), "command");
	snprintf(row.detail, sizeof(row.detail), "make -j2");
	snprintf(row.explanation, sizeof(row.explanation), "(a)");
	form_row_draw(&c, 40, 8, &row);
	check_rows(g, " Target ‹ command ›  make -j2  (a)");
	snprintf(row.detail, sizeof(row.detail), "make -j2 all check install");
	grid_clear(g);
	form_row_draw(&c, 40, 8, &row);
	check_rows(g, " Target ‹ command ›  make -j2 all chec…");
	/* a long explanation begins up to the middle of the row */
	*row.detail = '\0';
	snprintf(row.explanation, sizeof(row.explanation), "(p) process · a");
	grid_clear(g);
	form_row_draw(&c, 40, 8, &row);
	check_rows(g, " Target ‹ command ›     (p) process · a");
	snprintf(row.explanation, sizeof(row.explanation), "(p) process, (a) a");
	grid_clear(g);
	form_row_draw(&c, 40, 8, &row);
	check_rows(g, " Target ‹ command ›");
	grid_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draw),
		cmocka_unit_test(test_detail),
	};

	return cmocka_run_group_tests_name("ui/form", tests, use_utf8, NULL);
}
