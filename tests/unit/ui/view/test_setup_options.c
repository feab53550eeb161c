/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Options screen, and pasting a command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "unit/ui/view/setup_world.h"

static void open_options(struct world *w)
{
	press(w, 'a');
	press(w, 'm');
	wait_seen(w, "Setup › Options");
	wait_seen(w, "all at default");
}

static void search(struct world *w, const char *text)
{
	press(w, '/');
	type(w, text);
	press(w, K_ENTER);
}

static void test_form(void **state)
{
	struct world *w = *state;

	wait_seen(w, "more options, all at their defaults");
	open_options(w);
	wait_seen(w, "Events and sampling");
	/* the flag, its explanation, and what it becomes */
	search(w, "new threads");
	wait_seen(w, "do not record child processes and new threads");
	press(w, ' ');
	wait_seen(w, "on");
	press(w, K_ESC);
	wait_seen(w, "1 of ");
	wait_seen(w, " *  -i, --no-inherit");
	press(w, K_ESC);
	wait_seen(w, "-e cycles -i -a");
	wait_seen(w, "1 differs: -i");
	/* and back */
	press(w, 'm');
	search(w, "new threads");
	press(w, 'u');
	press(w, 'u');
	wait_seen(w, "this option is at its default");
	press(w, K_ESC);
	press(w, K_ESC);
	wait_seen(w, "-e cycles -a");
}

/* Those with a row in Setup are listed only while they have a value that the row cannot show. */
static void test_list(void **state)
{
	struct world *w = *state;

	open_options(w);
	wait_seen(w, " Events and sampling"); /* a heading */
	search(w, "NO-INHERIT");
	wait_seen(w, "-i, --no-inherit");
	press(w, K_ESC);
	search(w, "no such thing");
	wait_seen(w, "no option matches \"no such thing\"");
	press(w, K_ESC);
	search(w, "--quiet");
	wait_seen(w, "no option matches \"--quiet\"");
	press(w, K_ESC);
	search(w, "--freq");
	wait_seen(w, "no option matches \"--freq\"");
	press(w, K_ESC);
	press(w, K_ESC);
	press(w, 'l');
	type(w, "perf record -F max -a");
	press(w, K_ENTER);
	wait_seen(w, "1 differs: -F max");
	press(w, 'm');
	search(w, "--freq");
	wait_seen(w, " *  -F, --freq");
	wait_seen(w, "max");
}

/* Beside the explanation there is room for the longest names. */
static void test_wide(void **state)
{
	struct world *w = *state;

	open_options(w);
	grid_free(w->grid);
	w->grid = grid_new(60, 200);
	assert_non_null(w->grid);
	wait_seen(w, "-j, --branch-filter FILTER[,FILTER...]");
}

/* A search that is cancelled leaves the cursor and the text of before. */
static void test_cancelled_search(void **state)
{
	struct world *w = *state;

	open_options(w);
	search(w, "no-b");
	press(w, K_DOWN); /* a heading */
	press(w, K_DOWN);
	wait_seen(w, "store build-ids in a table");
	press(w, '/');
	press(w, K_CTRL | 'u');
	type(w, "new threads");
	wait_seen(w, "do not record child processes and new threads");
	press(w, K_ESC);
	wait_seen(w, "Setup › Options   / no-b");
	wait_seen(w, "store build-ids in a table");
	press(w, K_ESC);
	wait_seen(w, "all at default");
}

static void test_value(void **state)
{
	struct world *w = *state;

	open_options(w);
	search(w, "pfm-events");
	press(w, K_ENTER);
	wait_seen(w, "--pfm-events:");
	type(w, "X:Y");
	press(w, K_ENTER);
	wait_seen(w, " *      --pfm-events EVENT");
	wait_seen(w, "X:Y");
	/* edits the current value; an empty line removes the option */
	press(w, K_ENTER);
	press(w, K_CTRL | 'u');
	press(w, K_ENTER);
	press(w, K_ESC);
	wait_seen(w, "all at default");
}

static void test_line(void **state)
{
	struct world *w = *state;

	press(w, 'l');
	wait_seen(w, "line:");
	type(w, "perf record -F 99 -N -e cycles -- make -j2");
	press(w, K_ENTER);
	wait_seen(w, "set 3 options from the command line");
	wait_seen(w, "ptui record -F 99 -e cycles -N -- make -j2");
	wait_seen(w, "1 differs: -N");
	/* not such a line: the prompt stays, with the error */
	press(w, 'l');
	type(w, "make -j2");
	press(w, K_ENTER);
	wait_seen(w, "expected a line such as 'perf record");
	press(w, K_ESC);
	wait_seen(w, "ptui record -F 99");
	/* refused options are listed by name */
	press(w, 'm');
	press(w, 'l');
	type(w, "perf record --nonsense -a");
	press(w, K_ENTER);
	wait_seen(w, "Skipped:");
	wait_seen(w, "no such option --nonsense");
	wait_seen(w, "ptui record -a");
	press(w, K_ESC);
	wait_seen(w, "ptui  Setup");
}

/* Contradictions are reported before the start. */
static void test_contradiction(void **state)
{
	struct world *w = *state;
	unsigned started = w->n_started;

	press(w, 'l');
	type(w, "perf record --all-kernel -a");
	press(w, K_ENTER);
	wait_seen(w, "1 differs: --all-kernel");
	press(w, 'm');
	search(w, "all-user");
	press(w, ' ');
	press(w, K_ESC);
	press(w, K_ESC);
	wait_seen(w, "these options cannot be combined");
	wait_seen(w, "--all-kernel and --all-user cannot be used together");
	press(w, 'r');
	assert_int_equal(w->n_started, started);
}

static void test_small(void **state)
{
	struct world *w = *state;

	close_screen(w);
	open_screen(w, 8, 40);
	press(w, 'm');
	wait_seen(w, "Setup › Opti");
	for (int i = 0; i < 60; i++)
		press(w, K_DOWN);
	press(w, K_ESC);
	wait_seen(w, "ptui  Setup");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_form),	      TEST(test_cancelled_search),
					    TEST(test_value),	      TEST(test_line),
					    TEST(test_contradiction), TEST(test_small),
					    TEST(test_wide),	      TEST(test_list) };

	setenv("PERF_CONFIG", "/dev/null", 1);
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
