/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live's rows: filtered, by other sort keys, with a minimum percentage, printed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/keymap.h"
#include "unit/profile/made.h"
#include "unit/ui/view/live_made.h"

/* Two threads of two commands on two CPUs, in two modules. */
static struct ptui_profile *work(void)
{
	struct made *m = made_new();

	made_thread(m, "cc1", 11, 0);
	made_sample(m, "main run parse", 40, 1);
	made_sample(m, "main run libm:sin", 20, 2);
	made_thread(m, "as", 12, 1);
	made_sample(m, "main emit", 30, 3);
	made_sample(m, "main libm:cos", 10, 4);
	return made_take(m);
}

static void show(void)
{
	publish(work());
	open_live();
	draw(24, 110);
	wake();
	waits_for("parse");
	key(K_HOME);
}

static void type(const char *text)
{
	for (; *text; text++)
		key((key_code)*text);
}

static void gone(const char *text)
{
	uint64_t until_ns = loop_now_ns() + 30 * (uint64_t)SECOND;

	do {
		loop_turn(stack_loop(t.stack), 100);
		draw(24, 110);
	} while (row_of(text) >= 0 && loop_now_ns() < until_ns);
	does_not_see(text);
}

static void test_only_a_command_a_module_and_back(void **state)
{
	(void)state;
	show();
	type("m");
	sees("zoom into thread cc1");
	sees("zoom into prog");
	sees("zoom into 'parse'");
	type("1");
	gone("emit");
	sees("only thread cc1 (ESC)");
	sees("40.00%");
	type("m2");
	gone("sin");
	sees("only thread cc1 · only prog (ESC)");
	sees("40.00%");
	type("F");
	waits_for("100.00%");
	sees("percentages of these (F)");
	/* out of the first, while the second stays */
	type("m");
	sees("zoom out of the thread");
	type("1");
	waits_for("emit");
	does_not_see("only thread cc1");
	does_not_see("sin");
	waits_for("57.14%");
	/* undoes the last zoom first, with its relative percentages */
	key(K_ESC);
	waits_for("sin");
	waits_for("40.00%");
	does_not_see("(ESC)");
	does_not_see("percentages of these");
	/* nothing left to undo */
	key(K_ESC);
	sees("go on recording");
}

/* "(x) text" in a row of the menu. False: none, or without a letter. */
static bool menu_line(int y, char *ret_key, char *text, size_t size)
{
	const char *at = strchr(row(y), '(');

	for (; at; at = strchr(at + 1, '(')) {
		const char *end;
		size_t n;

		if (!at[1] || at[2] != ')' || at[3] != ' ' || !(end = strstr(at, "│")))
			continue;
		n = (size_t)(end - (at + 4));
		while (n && at[4 + n - 1] == ' ')
			n--;
		*ret_key = at[1];
		snprintf(text, size, "%.*s", (int)n, at + 4);
		return true;
	}
	return false;
}

/* A letter in the menu is the screen's key for the same request, or unbound; each appears once. */
static void check_menu_letters(void)
{
	bool seen[128] = { false };
	char text[256], key;
	int lines = 0;

	draw(40, 160);
	for (int y = 0; y < t.grid->rows; y++) {
		enum request req;

		if (!menu_line(y, &key, text, sizeof(text)))
			continue;
		lines++;
		if (seen[(unsigned char)key])
			fail_msg("(%c) twice", key);
		seen[(unsigned char)key] = true;
		req = keymaps_find(t.keys, KEYMAP_LIVE, (key_code)key);
		/* the names of zooms are in the line */
		if (strncmp(text, "zoom ", 5) == 0)
			continue;
		if (req != REQ_NONE && strcmp(text, request_info(req)->help) != 0)
			fail_msg("(%c) %s: on the screen it is: %s", key, text,
				 request_info(req)->help);
	}
	assert_true(lines > 5);
}

static void test_letters_of_the_menu(void **state)
{
	(void)state;
	show();
	type("m");
	check_menu_letters();
	key(K_ESC);
	type("t");
	waits_for("11:cc1");
	key(K_HOME);
	type("m");
	check_menu_letters();
	key(K_ESC);
	/* user bindings take precedence */
	assert_int_equal(keymaps_bind(t.keys, KEYMAP_LIVE, '1', REQ_FREEZE), 0);
	assert_int_equal(keymaps_bind(t.keys, KEYMAP_LIVE, '2', REQ_PRINT), 0);
	type("m");
	check_menu_letters();
}

static void test_percentages_need_something_else(void **state)
{
	(void)state;
	show();
	type("F");
	sees("zoom in first");
	type("m");
	does_not_see("show percentages relative to the zoom");
}

/* Only that function, with its callers open. */
static void test_only_a_function(void **state)
{
	(void)state;
	show();
	type("m3");
	gone("emit");
	sees("only 'parse' (ESC)");
	waits_for(" run");
	assert_true(row_of(" run") > row_of("[.] parse"));
	type("V");
	sees("run  prog");
}

static void test_only_a_thread_and_a_cpu(void **state)
{
	(void)state;
	show();
	type("t");
	waits_for("11:cc1");
	key(K_HOME);
	type("m1");
	gone("12:as");
	sees("only thread cc1 11 (ESC)");
	/* it continues among functions */
	type("t");
	waits_for("parse");
	does_not_see("emit");
	key(K_ESC);
	waits_for("emit");
	type("p");
	waits_for("CPU 1");
	key(K_END);
	type("m4");
	gone("CPU 0");
	sees("only CPU 1 (ESC)");
	type("p");
	waits_for("emit");
	does_not_see("parse");
}

/* The action applies to the row of the menu, or does nothing if that is gone. */
static void test_a_row_that_goes(void **state)
{
	struct made *m;

	(void)state;
	show();
	type("m");
	sees("zoom into prog");
	m = made_new();
	made_sample(m, "other", 7, 9);
	publish(made_take(m));
	wake();
	waits_for("100.00%");
	type("2");
	waits_for("other");
	does_not_see("(ESC)");
}

static void test_sort(void **state)
{
	(void)state;
	show();
	type("mb");
	sees("Sort by");
	type("b");
	sees("sort by:");
	/* with the keys, and what they are */
	sees("dso                 program, library or kernel module");
	sees("overhead            share of the samples, by period");
	type("d");
	key(K_TAB);
	sees("sort by: dso");
	key(K_ENTER);
	gone("parse");
	sees("30.00%");
	does_not_see("Command");
	sees("Overhead  Shared Object");
	type("mbb");
	key(K_CTRL | 'u');
	type("nonsense");
	key(K_ENTER);
	sees("unknown key 'nonsense'");
	key(K_ESC);
	waits_for("libm");
	type("mb");
	key(K_HOME);
	key(K_ENTER);
	waits_for("[.] parse");
	sees("Command");
}

static void test_limit(void **state)
{
	(void)state;
	show();
	type("L");
	key(K_CTRL | 'u');
	type("25");
	key(K_ENTER);
	gone("sin");
	sees("from 25 % on (L)");
	sees("emit");
	type("L");
	key(K_CTRL | 'u');
	type("much");
	key(K_ENTER);
	sees("'much' is not a percentage from 0 to 100");
	sees("from 25 % on (L)");
}

static void test_titles(void **state)
{
	(void)state;
	show();
	sees("Overhead");
	type("H");
	does_not_see("Overhead");
	type("H");
	sees("Overhead");
}

static void test_print(void **state)
{
	char folder[] = "/tmp/ptui-live-XXXXXX", text[4096] = "", back[4096];
	FILE *in;

	(void)state;
	assert_non_null(getcwd(back, sizeof(back)));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	show();
	type("+");
	waits_for(" run");
	type("L");
	key(K_CTRL | 'u');
	type("25");
	key(K_ENTER);
	gone("sin");
	waits_for(" run"); /* its branch is counted again */
	type("P");
	sees("wrote perf.hist.0");
	in = fopen("perf.hist.0", "r");
	assert_non_null(in);
	assert_true(fread(text, 1, sizeof(text) - 1, in) > 0);
	fclose(in);
	assert_non_null(strstr(text, "# 00:12.4, make -j2\n# cycles, from 25 % on (L)\n"));
	assert_non_null(strstr(text, "Overhead  Command   Shared Object  Symbol"));
	assert_non_null(strstr(text, "-    40.00%  cc1       prog           [.] parse\n"));
	assert_non_null(strstr(text, "40.00% run\n"));
	assert_non_null(strstr(text, "+    30.00%  as        prog           [.] emit\n"));
	assert_null(strstr(text, "sin"));
	assert_int_equal(unlink("perf.hist.0"), 0);
	assert_int_equal(chdir(back), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE(test_only_a_command_a_module_and_back),
		LIVE(test_letters_of_the_menu),
		LIVE(test_percentages_need_something_else),
		LIVE(test_only_a_function),
		LIVE(test_only_a_thread_and_a_cpu),
		LIVE(test_a_row_that_goes),
		LIVE(test_sort),
		LIVE(test_limit),
		LIVE(test_titles),
		LIVE(test_print),
	};

	return cmocka_run_group_tests_name("view/live_menu", tests, NULL, NULL);
}
