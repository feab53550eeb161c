/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "text/utf8.h"
#include "unit/ui/screen.h"
#include "widget/line.h"

#define ASIZE(a) (sizeof(a) / sizeof((a)[0]))

static struct grid *g;

/* A line of `width` columns, blank. */
static struct canvas line(int width)
{
	struct canvas all = canvas_of(g);

	grid_clear(g);
	return canvas_part(&all, 0, 0, 1, width);
}

static int setup(void **state)
{
	(void)state;
	g = grid_new(1, 120);
	return g ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	grid_free(g);
	return 0;
}

/* ---- head ---- */

static const char *head(int width, const char *where, const char *state)
{
	struct canvas c = line(width);

	line_head(&c, where, state, ROLE_GOOD);
	return row_text(g, 0);
}

static const char *head_name(int width, const char *name, const char *state)
{
	struct canvas c = line(width);

	line_head_name(&c, "perf.data › Samples › ", name, state, ROLE_GOOD);
	return row_text(g, 0);
}

/* A function without its middle: names of C++ differ at their end. */
static void test_head_name(void **state)
{
	static const char name[] = "std::vector<std::pair<int, int> >::push_back";

	(void)state;
	assert_string_equal(head_name(48, "main", "15 samples"),
			    " perf.data › Samples › main          15 samples");
	assert_string_equal(head_name(60, name, "15 samples"),
			    " perf.data › Samples › std::vec…nt> >::push_back 15 samples");
	/* too narrow for both: the function is more important than the way to it */
	assert_string_equal(head_name(50, name, "15 samples"),
			    " … › std::vector…nt, int> >::push_back 15 samples");
	assert_string_equal(head_name(27, "main", ""), " perf.data › Samples › main");
	assert_string_equal(head_name(26, "main", ""), " … › main");
	for (int w = 0; w < 80; w++) {
		head_name(w, name, "15 samples");
		assert_true(utf8_width(row_text(g, 0)) <= w);
	}
}

static void test_head(void **state)
{
	(void)state;
	assert_string_equal(head(40, "Live  make -j2", "● REC 00:12.4"),
			    " Live  make -j2           ● REC 00:12.4");
	assert_int_equal(grid_style(g, 0, 1), ROLE_TITLE);
	assert_int_equal(grid_style(g, 0, 26), ROLE_GOOD);
	/* the title is truncated, not the state */
	assert_string_equal(head(24, "Live  make -j2", "● REC 00:12.4"), " Live  m… ● REC 00:12.4");
	assert_string_equal(head(16, "Live  make -j2", "● REC 00:12.4"), "  ● REC 00:12.4");
	assert_string_equal(head(10, "Live  make -j2", "● REC 00:12.4"), "● REC 00:…");
	assert_string_equal(head(10, "", ""), "");
	/* without a state, all the room */
	assert_string_equal(head(16, "Live  make -j2 x", ""), " Live  make -j2…");
	assert_string_equal(head(12, "中文字符中文字符", "中文"), " 中文… 中文");
	for (int w = 0; w < 40; w++) {
		head(w, "Live  make -j2", "● REC 00:12.4");
		assert_true(utf8_width(row_text(g, 0)) <= w);
	}
}

/* ---- tabs ---- */

static const char *const names[] = { "cycles", "instructions", "中文", "faults" };

static const char *tabs(int width, size_t current)
{
	struct canvas c = line(width + 10);

	canvas_text(&c, 0, 4, ROLE_DIM, "|");
	line_tabs(&c, 5, width, names, ASIZE(names), current);
	canvas_text(&c, 0, 5 + width, ROLE_DIM, "|");
	return row_text(g, 0) + 4;
}

static void test_tabs(void **state)
{
	struct canvas c = line(60);

	(void)state;
	assert_string_equal(tabs(50, 0), "|           [cycles] · instructions · 中文 · faults|");
	assert_string_equal(tabs(39, 1), "|cycles · [instructions] · 中文 · faults|");
	/* … stands for hidden tabs; the current one is always visible */
	assert_string_equal(tabs(38, 1), "|      … [instructions] · 中文 · faults|");
	assert_string_equal(tabs(30, 1), "|     … [instructions] · 中文 …|");
	assert_string_equal(tabs(18, 1), "|… [instructions] …|");
	assert_string_equal(tabs(17, 1), "|instructions     |");
	assert_string_equal(tabs(8, 1), "|instruc…|");
	assert_string_equal(tabs(17, 3), "|… 中文 · [faults]|");
	assert_string_equal(tabs(16, 3), "|      … [faults]|");
	assert_string_equal(tabs(12, 0), "|  [cycles] …|");
	assert_int_equal(line_tabs(&c, 0, 60, names, 4, 0), 39);
	/* drawn in what they need, the same ones are there */
	assert_int_equal(line_tabs_fit(names, 4, 0, 60), 39);
	assert_int_equal(line_tabs_fit(names, 4, 1, 17), 17);
	assert_int_equal(line_tabs_fit(names, 4, 1, 30), 25);
	assert_string_equal(tabs(25, 1), "|… [instructions] · 中文 …|");
	/* nothing to draw, nowhere to draw */
	assert_int_equal(line_tabs(&c, 0, 60, names, 0, 0), 0);
	assert_int_equal(line_tabs(&c, 0, 0, names, 4, 0), 0);
	assert_int_equal(line_tabs(&c, 0, -5, names, 4, 0), 0);
	assert_int_equal(line_tabs(&c, 0, 60, names, 4, 4), 0);
}

/* Only the current tab is bold, and in brackets as well. */
static void test_tab_looks(void **state)
{
	(void)state;
	tabs(39, 1);
	for (int x = 0; x < 39; x++) {
		bool bold = grid_style(g, 0, 5 + x) & STYLE_BOLD;

		assert_int_equal(bold, x >= 9 && x < 23);
	}
}

/* What is hit is what is drawn: every column, at every width, for every tab. */
static void test_tab_at(void **state)
{
	(void)state;
	for (int width = 0; width <= 60; width++) {
		for (size_t current = 0; current < ASIZE(names); current++) {
			int hit[ASIZE(names)] = { 0 };
			struct canvas c = line(width);
			int w = line_tabs(&c, 0, width, names, ASIZE(names), current);

			for (int x = -2; x < width + 2; x++) {
				int tab = line_tab_at(names, ASIZE(names), current, width, x);

				assert_in_range(tab + 1, 0, ASIZE(names));
				if (tab < 0)
					continue;
				assert_true(x >= width - w && x < width);
				hit[tab]++;
			}
			for (size_t i = 0; i < ASIZE(names); i++) {
				bool whole = strstr(row_text(g, 0), names[i]);
				int name_w = utf8_width(names[i]) + (i == current ? 2 : 0);

				/* alone, and truncated */
				if (w == width && i == current && hit[i] == width)
					continue;
				if (whole)
					assert_int_equal(hit[i], name_w);
				else
					assert_true(hit[i] == 0 || hit[i] == 2); /* its … */
			}
		}
	}
	/* the dot between two tabs is neither; … is the next one there */
	assert_int_equal(line_tab_at(names, 4, 1, 39, 5), 0);
	assert_int_equal(line_tab_at(names, 4, 1, 39, 6), -1);
	assert_int_equal(line_tab_at(names, 4, 1, 39, 8), -1);
	assert_int_equal(line_tab_at(names, 4, 1, 39, 9), 1);
	assert_int_equal(line_tab_at(names, 4, 1, 18, 0), 0);
	assert_int_equal(line_tab_at(names, 4, 1, 18, 17), 2);
	assert_int_equal(line_tab_at(names, 0, 0, 18, 3), -1);
}

/* A thousand events: only those around the current one are processed. */
static void test_many_tabs(void **state)
{
	static char texts[1000][20];
	static const char *many[1000];
	struct canvas c = line(60);

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(texts[i], sizeof(texts[i]), "event-%d", i);
		many[i] = texts[i];
	}
	assert_int_equal(line_tabs(&c, 0, 60, many, 1000, 500), 51);
	assert_string_equal(row_text(g, 0),
			    "         … [event-500] · event-501 · event-502 · event-503 …");
	assert_int_equal(line_tab_at(many, 1000, 500, 60, 12), 500);
	assert_int_equal(line_tab_at(many, 1000, 500, 60, 59), 504);
	assert_int_equal(line_tab_at(many, 1000, 500, 60, 10), 499);
}

/* ---- facts ---- */

static const struct line_fact facts[] = {
	{ "lost 0", ROLE_DIM, 0 },
	{ "unknown 1.8 %", ROLE_NOTE, 2 },
	{ "broken 3 %", ROLE_BAD, 3 },
	{ "running 100 %", ROLE_DIM, 2 },
};

static const char *told(int width, const char *title, size_t n)
{
	struct canvas c = line(width);

	line_facts(&c, title, facts, n);
	return row_text(g, 0);
}

static void test_facts(void **state)
{
	(void)state;
	assert_string_equal(told(80, "trust", 4),
			    " trust  lost 0 · unknown 1.8 % · broken 3 % · running 100 %");
	assert_int_equal(grid_style(g, 0, 1), ROLE_TITLE);
	assert_int_equal(grid_style(g, 0, 17), ROLE_NOTE);
	/* exact fit, and one less: the highest number is hidden */
	assert_string_equal(told(59, "trust", 4),
			    " trust  lost 0 · unknown 1.8 % · broken 3 % · running 100 %");
	assert_string_equal(told(58, "trust", 4), " trust  lost 0 · unknown 1.8 % · running 100 %");
	/* of one number, the last one first */
	assert_string_equal(told(45, "trust", 4), " trust  lost 0 · unknown 1.8 %");
	assert_string_equal(told(29, "trust", 4), " trust  lost 0");
	/* 0 is never hidden, but clipped */
	assert_string_equal(told(10, "trust", 4), " trust  l…");
	assert_string_equal(told(80, "trust", 0), " trust");
	for (int w = 0; w < 80; w++)
		assert_true(utf8_width(told(w, "trust", 4)) <= w);
}

/* No title, whether NULL or "": the facts begin in its place. */
static void test_facts_without_title(void **state)
{
	(void)state;
	assert_string_equal(told(80, "", 4),
			    " lost 0 · unknown 1.8 % · broken 3 % · running 100 %");
	assert_string_equal(told(80, NULL, 4),
			    " lost 0 · unknown 1.8 % · broken 3 % · running 100 %");
	assert_string_equal(told(52, "", 4),
			    " lost 0 · unknown 1.8 % · broken 3 % · running 100 %");
	assert_string_equal(told(51, "", 4), " lost 0 · unknown 1.8 % · running 100 %");
	assert_string_equal(told(80, "", 0), "");
}

/* ---- hints ---- */

static const enum request wanted[] = { REQ_OPEN, REQ_SEARCH, REQ_SORT, REQ_HELP, REQ_BACK };
static struct keymaps *keys;

/* With the words of the table. */
static const struct line_hint *wanted_hints(void)
{
	static struct line_hint hints[ASIZE(wanted)];

	for (size_t i = 0; i < ASIZE(wanted); i++)
		hints[i] = (struct line_hint){ wanted[i], request_info(wanted[i])->word };
	return hints;
}

static const char *hints(int width, enum keymap map)
{
	struct canvas c = line(width);

	line_hints(&c, 0, keys, map, wanted_hints(), ASIZE(wanted));
	return row_text(g, 0);
}

static enum request hint_at(int width, int x)
{
	return line_hint_at(keys, KEYMAP_BROWSER, wanted_hints(), ASIZE(wanted), width, x);
}

static void test_hints(void **state)
{
	(void)state;
	keys = keymaps_new(NULL);
	assert_non_null(keys);
	assert_string_equal(hints(80, KEYMAP_BROWSER),
			    " Enter open   / find   S sort   ? help   ESC back");
	assert_int_equal(grid_style(g, 0, 1), ROLE_KEY);
	assert_int_equal(grid_style(g, 0, 7), ROLE_DIM);
	/* requests not bound in this view are not shown */
	assert_string_equal(hints(80, KEYMAP_LIST), " Enter open   / find   ? help   ESC back");
	/* help keeps its place, whoever must go */
	assert_string_equal(hints(49, KEYMAP_BROWSER),
			    " Enter open   / find   S sort   ? help   ESC back");
	assert_string_equal(hints(48, KEYMAP_BROWSER), " Enter open   / find   S sort   ? help");
	assert_string_equal(hints(37, KEYMAP_BROWSER), " Enter open   / find   ? help");
	assert_string_equal(hints(22, KEYMAP_BROWSER), " Enter open   ? help");
	assert_string_equal(hints(19, KEYMAP_BROWSER), " / find   ? help");
	assert_string_equal(hints(10, KEYMAP_BROWSER), " ? help");
	assert_string_equal(hints(4, KEYMAP_BROWSER), " ? …");
	/* with user bindings */
	assert_int_equal(keymaps_bind(keys, KEYMAP_BROWSER, K_CTRL | 'f', REQ_SEARCH), 0);
	assert_int_equal(keymaps_bind(keys, KEYMAP_LIST, '/', REQ_NONE), 0);
	assert_string_equal(hints(80, KEYMAP_BROWSER),
			    " Enter open   Ctrl-F find   S sort   ? help   ESC back");
	keymaps_free(keys);
}

/* The columns of a hint and of nothing else are the hint. */
static void test_hint_at(void **state)
{
	(void)state;
	keys = keymaps_new(NULL);
	assert_non_null(keys);
	assert_int_equal(hint_at(80, 0), REQ_NONE);
	assert_int_equal(hint_at(80, 1), REQ_OPEN);
	assert_int_equal(hint_at(80, 10), REQ_OPEN);
	assert_int_equal(hint_at(80, 11), REQ_NONE);
	assert_int_equal(hint_at(80, 13), REQ_NONE);
	assert_int_equal(hint_at(80, 14), REQ_SEARCH);
	assert_int_equal(hint_at(80, 48), REQ_BACK);
	assert_int_equal(hint_at(80, 49), REQ_NONE);
	assert_int_equal(hint_at(80, -1), REQ_NONE);
	/* hidden hints cannot be hit */
	assert_int_equal(hint_at(22, 14), REQ_HELP);
	assert_int_equal(hint_at(4, 3), REQ_HELP);
	assert_int_equal(hint_at(4, 4), REQ_NONE);
	for (int width = 0; width <= 60; width++) {
		hints(width, KEYMAP_BROWSER);
		for (int x = 0; x < 60; x++) {
			bool drawn = g->cells[x].ch != ' ';

			if (drawn)
				assert_int_not_equal(hint_at(width, x), REQ_NONE);
			else if (x + 1 >= width || g->cells[x + 1].ch == ' ')
				assert_true(hint_at(width, x) == REQ_NONE || x + 1 == width);
		}
	}
	keymaps_free(keys);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_head),   TEST(test_head_name),
		TEST(test_tabs),   TEST(test_tab_looks),
		TEST(test_tab_at), TEST(test_many_tabs),
		TEST(test_facts),  TEST(test_facts_without_title),
		TEST(test_hints),  TEST(test_hint_at),
	};

	return cmocka_run_group_tests_name("ui/line", tests, use_utf8, NULL);
}
