/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "unit/ui/screen.h"
#include "widget/spark.h"

static double values[300];
static size_t n_values;
static struct grid *g;

static int setup(void **state)
{
	(void)state;
	n_values = 0;
	g = grid_new(1, 140);
	return g ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	grid_free(g);
	return 0;
}

static void add(size_t n, const double *more)
{
	memcpy(values + n_values, more, n * sizeof(*more));
	n_values += n;
}
#define ADD(...) \
	add(sizeof((double[]){ __VA_ARGS__ }) / sizeof(double), (const double[]){ __VA_ARGS__ })

/* The text between two bars, so that blanks count. */
static const char *drawn(size_t width)
{
	struct canvas c = canvas_of(g);
	char buf[140 * SPARK_CHAR + 1];

	grid_clear(g);
	canvas_printf(&c, 0, 0, ROLE_DIM, "|%s|",
		      spark_text(values, n_values, width, buf, sizeof(buf)));
	return row_text(g, 0);
}

static const char *bar(int width, double part)
{
	struct canvas c = canvas_of(g);

	grid_clear(g);
	canvas_text(&c, 0, width > 0 ? width : 0, ROLE_DIM, "|");
	spark_bar(&c, 0, 0, width, part, ROLE_NOTE);
	return row_text(g, 0);
}

static void test_scale(void **state)
{
	(void)state;
	ADD(0, 1, 2, 3, 4, 5, 6, 7, 8);
	assert_string_equal(drawn(9), "|▁▂▃▄▅▆▇██|");
	n_values = 0;
	/* the same form, whatever the unit */
	ADD(0, 1e12, 2e12, 4e12);
	assert_string_equal(drawn(4), "|▁▃▅█|");
	n_values = 0;
	ADD(0, 1e-9, 2e-9, 4e-9);
	assert_string_equal(drawn(4), "|▁▃▅█|");
	n_values = 0;
	/* all zeros is low, not high; a single value is the highest */
	ADD(0, 0, 0);
	assert_string_equal(drawn(3), "|▁▁▁|");
	n_values = 0;
	ADD(5);
	assert_string_equal(drawn(3), "|  █|");
}

/* Only visible values determine the scale: an old peak has no effect. */
static void test_scale_of_what_is_seen(void **state)
{
	(void)state;
	ADD(1000, 1, 2, 4);
	assert_string_equal(drawn(4), "|█▁▁▁|");
	assert_string_equal(drawn(3), "|▃▅█|");
}

static void test_gaps(void **state)
{
	(void)state;
	assert_string_equal(drawn(3), "|   |");
	ADD(8, -1, NAN, INFINITY, 0, 4);
	assert_string_equal(drawn(8), "|  █   ▁▅|");
}

static void test_many(void **state)
{
	char buf[2 * SPARK_CHAR + 1];

	(void)state;
	for (n_values = 0; n_values < 290; n_values++)
		values[n_values] = n_values % 2 ? 8 : 0;
	/* the newest is on the right */
	assert_string_equal(drawn(6), "|▁█▁█▁█|");
	/* no room, nothing drawn */
	assert_string_equal(drawn(0), "||");
	/* no more than fits into the buffer, in whole characters */
	assert_string_equal(spark_text(values, n_values, 9, buf, sizeof(buf)), "█▁");
	assert_string_equal(spark_text(values, n_values, 9, buf, 4), "");
}

static void test_ascii(void **state)
{
	(void)state;
	g->ascii_art = true;
	ADD(0, 1, 2, 3, 4, 5, 6, 7, 8);
	assert_string_equal(drawn(10), "| __.--=###|");
	assert_string_equal(bar(4, 0.5), "##  |");
}

static void test_bar(void **state)
{
	(void)state;
	assert_string_equal(bar(4, 0), "    |");
	assert_string_equal(bar(4, 0.5), "██  |");
	assert_string_equal(bar(4, 1), "████|");
	assert_string_equal(bar(4, 7), "████|");
	assert_string_equal(bar(4, -1), "    |");
	assert_string_equal(bar(4, NAN), "    |");
	assert_string_equal(bar(1, 1 / 8.0), "▏|");
	assert_string_equal(bar(1, 4 / 8.0), "▌|");
	assert_string_equal(bar(1, 7 / 8.0), "▉|");
	assert_string_equal(bar(2, 0.75), "█▌|");
	assert_string_equal(bar(0, 1), "|");
	assert_string_equal(bar(-4, 1), "|");
	/* more is never shorter */
	for (int eighths = 0; eighths <= 32; eighths++) {
		int full = 0;

		bar(4, eighths / 32.0);
		for (int x = 0; x < 4; x++) {
			uint32_t ch = g->cells[x].ch;

			full += ch == ' ' ? 0 : ch == 0x2588 ? 8 : 0x2590 - (int)ch;
		}
		assert_int_equal(full, eighths);
	}
	assert_int_equal(grid_style(g, 0, 0), ROLE_NOTE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_scale), TEST(test_scale_of_what_is_seen),
		TEST(test_gaps),  TEST(test_many),
		TEST(test_ascii), TEST(test_bar),
	};

	return cmocka_run_group_tests_name("ui/spark", tests, use_utf8, NULL);
}
