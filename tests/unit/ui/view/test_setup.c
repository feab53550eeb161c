/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Setup screen in a grid: contents and keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/ui/screen.h"
#include "unit/ui/view/setup_world.h"
#include "view/setup/setup_private.h"

static void test_first_sight(void **state)
{
	struct world *w = *state;

	wait_seen(w, "Target");
	wait_seen(w, "press Enter to set one");
	wait_seen(w, "not ready: no command yet");
	wait_seen(w, "ptui record --call-graph dwarf,live -e cycles -- …");
	wait_seen(w, "no command yet");
	wait_seen(w, "press Enter on Target to set one, p to choose a process");
	press(w, 'y'); /* a line that would record something else */
	wait_seen(w, "no command yet");
	press(w, 'r'); /* asks for what is missing instead */
	wait_seen(w, "command:");
	assert_int_equal(w->n_started, 0);
}

static void test_command(void **state)
{
	struct world *w = *state;

	press(w, K_ENTER);
	type(w, "make -j2");
	press(w, K_ENTER);
	wait_seen(w, "ptui record --call-graph dwarf,live -e cycles -- make -j2");
	wait_seen(w, "cycles ok");
	wait_seen(w, "kernel samples ok");
	press(w, 'g');
	wait_seen(w, "ptui record -g -e cycles -- make -j2");
	press(w, 'g');
	wait_seen(w, "ptui record -e cycles -- make -j2");
	press(w, 'f');
	press(w, K_CTRL | 'u');
	type(w, "99");
	press(w, K_ENTER);
	wait_seen(w, "ptui record -F 99 -e cycles -- make -j2");
	press(w, 'r');
	assert_int_equal(w->n_started, 1);
	assert_string_equal(w->started, "cycles F 99 c 0 g 0 a 0 p 0 argv make -j2");

	/* The next session has the same choices. */
	close_screen(w);
	open_screen(w, 24, 100);
	wait_seen(w, "ptui record -F 99 -e cycles -- make -j2");
}

static void test_refused(void **state)
{
	struct world *w = *state;

	assert_false(seen(w, "w why"));
	press(w, 'a');
	assert_true(seen(w, "checking …")); /* no turn of the loop, no answer */
	wait_seen(w, "-a");
	press(w, 't');
	type(w, "task-clock");
	press(w, K_ENTER);
	wait_seen(w, "task-clock is forbidden");
	wait_seen(w, "ask the owner");
	wait_seen(w, "1 thing is refused");
	wait_seen(w, "w why");
	press(w, 'w');
	wait_seen(w, "Problems on this machine");
	press(w, K_ESC);
	assert_false(seen(w, "d remove"));
	press(w, K_DOWN);
	press(w, K_DOWN);
	wait_seen(w, "d remove");
	press(w, K_UP);
	press(w, K_UP);
	press(w, 't');
	type(w, "task-clok");
	press(w, K_ENTER);
	wait_seen(w, "unknown event 'task-clok'");
	wait_seen(w, "^ an event name");
	wait_seen(w, "did you mean task-clock?");
	wait_seen(w, "event: task-clok"); /* stays, to be mended */
	press(w, K_BACKSPACE);
	type(w, "xk");
	press(w, K_ENTER);
	wait_seen(w, "'task-cloxk'");
	press(w, K_ESC);
	assert_false(seen(w, "task-cloxk"));
	press(w, 'r');
	assert_string_equal(w->started, "task-clock F 0 c 0 g 4 a 1 p 0 argv - ");
	/* Lifted outside, which is seen without a key. */
	__atomic_store_n(&all_allowed, true, __ATOMIC_SEQ_CST);
	wait_seen(w, "✓ ready");
	assert_false(seen(w, "forbidden"));
	__atomic_store_n(&all_allowed, false, __ATOMIC_SEQ_CST);
}

/* A row shows problems of its events, also of several. */
static void test_one_of_a_list_is_refused(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	wait_seen(w, "-a");
	press(w, 't');
	type(w, "cycles,task-clock");
	press(w, K_ENTER);
	wait_seen(w, "task-clock is forbidden");
	wait_seen(w, "✗ refused");
}

static void test_rate(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	wait_seen(w, "cycles ok");
	press(w, 'f');
	wait_seen(w, "the kernel currently allows at most 100000");
	press(w, K_CTRL | 'u');
	type(w, "-5");
	press(w, K_ENTER);
	wait_seen(w, "'-5' is not a positive number");
	wait_seen(w, "sampling frequency in Hz: -5");
	press(w, K_CTRL | 'u');
	type(w, "200k");
	press(w, K_ENTER);
	wait_seen(w, "-F 200000");
	wait_seen(w, "! at most 100000 now");
	press(w, K_LEFT); /* on the rate's row: by period */
	wait_seen(w, "one sample every 1000000 events");
	wait_seen(w, "-c 1000000");
	assert_false(seen(w, "at most"));
	press(w, K_ENTER);
	press(w, K_CTRL | 'u');
	type(w, "1M5");
	press(w, K_ENTER);
	wait_seen(w, "'1M5' is not a positive number");
	press(w, K_ESC);
	press(w, K_RIGHT);
	wait_seen(w, "-F 200000");
	press(w, ' ');
	wait_seen(w, "‹ count only ›");
	wait_seen(w, "ptui stat -e cycles -a");
	assert_false(seen(w, "Call graph"));
	press(w, 'f'); /* a frequency would be sampled */
	wait_seen(w, "sampling frequency in Hz: 200000");
	press(w, K_ESC);
	wait_seen(w, "‹ count only ›");
	press(w, ' ');
	wait_seen(w, "record --call-graph");
	wait_seen(w, "‹ auto ›");
}

/* Flight recorder: mode and size. */
static void test_flight_recorder(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	wait_seen(w, "off · memory · rings");
	press(w, 'f');
	press(w, K_ESC);
	press(w, K_DOWN);
	press(w, K_DOWN);
	press(w, K_ENTER);
	wait_seen(w, "the last 64M, until a snapshot");
	wait_seen(w, "-M 64M");
	press(w, K_ENTER);
	wait_seen(w, "memory for samples: 64M");
	press(w, K_CTRL | 'u');
	type(w, "much");
	press(w, K_ENTER);
	wait_seen(w, "expected a size");
	press(w, K_CTRL | 'u');
	type(w, "1M");
	press(w, K_ENTER);
	wait_seen(w, "the last 1M, until a snapshot");
	press(w, K_RIGHT);
	wait_seen(w, "the last 8M per CPU, until a snapshot");
	wait_seen(w, "--overwrite -m 8M");
	press(w, K_ENTER);
	wait_seen(w, "size of each ring buffer: 8M");
	press(w, K_ESC);
	press(w, ' ');
	assert_false(seen(w, "until a snapshot"));
	assert_false(seen(w, "--overwrite"));
	press(w, K_LEFT);
	wait_seen(w, "until a snapshot");
}

/* The whole system, as long as a command runs, or for a time. */
static void test_end(void **state)
{
	struct world *w = *state;

	assert_false(seen(w, "manual · timed")); /* a command ends by itself */
	press(w, 'a');
	wait_seen(w, " End         ‹ manual ›  until you stop it");
	wait_seen(w, "-e cycles -a");
	press(w, K_DOWN);
	press(w, ' ');
	wait_seen(w, " End         ‹ timed ›  after 10 seconds");
	wait_seen(w, "-e cycles -a -- sleep 10");
	press(w, K_ENTER);
	wait_seen(w, "end after: 10");
	press(w, K_CTRL | 'u');
	type(w, "soon");
	press(w, K_ENTER);
	wait_seen(w, "'soon' is not a time such as 90, 90s, 2m or 1h");
	press(w, K_CTRL | 'u');
	type(w, "2m");
	press(w, K_ENTER);
	wait_seen(w, "after 120 seconds");
	wait_seen(w, "cycles ok");
	press(w, 'r');
	assert_string_equal(w->started, "cycles F 0 c 0 g 4 a 1 p 0 argv sleep 120");
	press(w, K_LEFT);
	wait_seen(w, "until you stop it");
	press(w, K_LEFT);
	wait_seen(w, "after 120 seconds");

	/* the next target: its end is that of its command */
	press(w, K_HOME);
	press(w, K_RIGHT);
	wait_seen(w, "‹ whole system ›  while a command runs: press Enter to set one");
	wait_seen(w, "-a -- …");
	assert_false(seen(w, "manual · timed"));
	press(w, 'r');
	wait_seen(w, "command:");
	type(w, "make");
	press(w, K_ENTER);
	wait_seen(w, "‹ whole system ›  while this runs: make");
	wait_seen(w, "-e cycles -a -- make");
	press(w, 'r');
	assert_string_equal(w->started, "cycles F 0 c 0 g 4 a 1 p 0 argv make ");

	press(w, 'l');
	type(w, "perf record -a -- sleep 3");
	press(w, K_ENTER);
	wait_seen(w, "after 3 seconds");
	wait_seen(w, "ptui record -a -- sleep 3");
	close_screen(w);
	open_screen(w, 24, 100);
	wait_seen(w, "after 3 seconds");
}

/* Left and Right go through the values in either direction; rows without values leave them alone. */
static void test_values_go_round(void **state)
{
	struct world *w = *state;

	press(w, K_DOWN);
	press(w, K_RIGHT); /* an event */
	wait_seen(w, "has no effect here");
	for (int i = 0; i < 3; i++)
		press(w, K_DOWN);
	wait_seen(w, "--call-graph dwarf,live -e cycles");
	press(w, K_RIGHT);
	wait_seen(w, "record -g -e cycles");
	press(w, K_LEFT);
	wait_seen(w, "--call-graph dwarf,live -e cycles");
	press(w, K_LEFT);
	wait_seen(w, "record -e cycles");
	press(w, K_ENTER); /* nothing to edit: the next one */
	wait_seen(w, "--call-graph dwarf,live -e cycles");
}

/* A table that was not recalculated yet asks for rows that are gone: they are empty, and do nothing. */
static void test_rows_that_are_gone(void **state)
{
	struct setup_screen v = { .line_taken = { .n_options = 0 } };
	struct grid *g = grid_new(1, 60);
	struct canvas line = canvas_of(g);
	char text[256];
	size_t n, i;

	(void)state;
	assert_int_equal(setup_init(&v.setup), 0);
	assert_int_equal(setup_set_event(&v.setup, 1, "page-faults", NULL), 0);
	v.setup.target = SETUP_SYSTEM;
	n = setup_row_ops.count(&v);
	v.setup.target = SETUP_COMMAND; /* has no row End */
	setup_remove_event(&v.setup, 1);
	assert_int_equal(setup_row_ops.count(&v), n - 2);
	v.table.cursor = n - 3;
	assert_int_equal(setup_row_here(&v, &i), SETUP_MORE);
	for (size_t gone = n - 2; gone < n + 100; gone++) {
		assert_true(setup_row_ops.draw(&v, gone, &line, 0, 0));
		assert_int_equal(grid_row_text(g, 0, text, sizeof(text)), 0);
		v.table.cursor = gone;
		assert_int_equal(setup_row_here(&v, &i), N_SETUP_ROWS);
		assert_int_equal(setup_open_row(&v), WISH_NONE);
		assert_int_equal(setup_step_row(&v, 1), WISH_PASS);
	}
	grid_free(g);
	setup_release(&v.setup);
}

static void test_output(void **state)
{
	struct world *w = *state;
	int i;

	press(w, 'a');
	wait_seen(w, "new file");
	press(w, 'o');
	press(w, K_CTRL | 'u');
	type(w, "-");
	press(w, K_ENTER);
	wait_seen(w, "requires a file name");
	press(w, K_BACKSPACE);
	type(w, "old.data");
	press(w, K_ENTER);
	wait_seen(w, "-o old.data");
	wait_seen(w, "existing file becomes .old");
	press(w, 'o');
	press(w, K_CTRL | 'u');
	type(w, "~/p.data");
	press(w, K_ENTER);
	wait_seen(w, "-o /home/me/p.data");
	/* wider than the screen: all of it is in the command line */
	press(w, 'o');
	press(w, K_CTRL | 'u');
	for (i = 0; i < 12; i++)
		type(w, "a-long-folder/");
	type(w, "end.data");
	press(w, K_ENTER);
	wait_seen(w, "/end.data");
	wait_seen(w, "…");
}

static void make_file(struct world *w, const char *name)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", w->folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
}

static void test_browse(void **state)
{
	struct world *w = *state;
	char path[160];

	make_file(w, "perf.data");
	make_file(w, "perf.data.old");
	press(w, 'b');
	wait_seen(w, "recording: perf.data");
	press(w, K_CTRL | 'u');
	type(w, w->folder);
	type(w, "/none");
	press(w, K_ENTER);
	wait_seen(w, "/none: No such file");
	assert_string_equal(w->browsed, "");
	press(w, K_CTRL | 'w');
	type(w, "p");
	press(w, K_TAB);
	wait_seen(w, "/perf.data");
	wait_seen(w, "│ perf.data "); /* the ways on */
	press(w, K_ENTER);
	snprintf(path, sizeof(path), "%s/perf.data", w->folder);
	assert_string_equal(w->browsed, path);
	assert_false(seen(w, "recording:"));
}

/* Tab in prompts; Up recalls recorded commands in the next session. */
static void test_prompt(void **state)
{
	struct world *w = *state;

	make_file(w, "one file");
	press(w, K_ENTER);
	type(w, "cat ");
	type(w, w->folder);
	type(w, "/on");
	press(w, K_TAB);
	press(w, K_ENTER);
	wait_seen(w, "/one file'"); /* quoted where a shell requires it */
	press(w, K_ENTER);
	press(w, K_CTRL | 'u');
	type(w, "make all");
	press(w, K_ENTER);
	press(w, 'r');
	assert_int_equal(w->n_started, 1);
	press(w, K_ENTER);
	press(w, K_CTRL | 'u');
	type(w, "make | tee");
	press(w, K_ENTER);
	wait_seen(w, "requires a shell");
	press(w, K_ESC);
	wait_seen(w, "-- make all");
	close_screen(w);
	open_screen(w, 24, 100);
	press(w, K_ENTER);
	press(w, K_CTRL | 'u');
	press(w, K_UP);
	wait_seen(w, "command: make all");
	press(w, K_ESC);

	press(w, 't');
	type(w, "{cycles,page-f");
	press(w, K_TAB);
	wait_seen(w, "event: {cycles,page-faults");
	press(w, K_ESC);
}

/* Choices that cannot be saved are reported once; a damaged file is reported, and rewritten. */
static void test_state_file(void **state)
{
	struct world *w = *state;
	FILE *f;

	close_screen(w);
	f = fopen(w->path, "w");
	assert_non_null(f);
	fputs("command make -j3\ngarbage\nfrequency x\n", f);
	assert_int_equal(fclose(f), 0);
	open_screen(w, 24, 100);
	wait_seen(w, "2 invalid lines of the saved setup");
	wait_seen(w, "-- make -j3");
	close_screen(w);
	open_screen(w, 24, 100);
	assert_false(seen(w, "of the saved setup"));
	close_screen(w);

	unlink(w->path);
	snprintf(w->path, sizeof(w->path), "/dev/null/setup");
	open_screen(w, 24, 100);
	press(w, 'a');
	press(w, 'r');
	assert_int_equal(w->n_started, 1);
	wait_seen(w, "cannot save the setup");
	press(w, K_DOWN);
	press(w, 'r');
	assert_int_equal(w->n_started, 2);
	assert_false(seen(w, "cannot save the setup"));
}

static void test_leave(void **state)
{
	struct world *w = *state;

	wait_seen(w, "q quit");
	press(w, K_ESC);
	assert_true(stack_is_done(w->stack));
}

static void test_sizes(void **state)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 10, 40 }, { 24, 80 }, { 40, 120 }, { 60, 200 }, { 3, 10 }, { 1, 1 } };
	struct world *w = *state;
	size_t i;

	press(w, 'a');
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		assert_int_equal(grid_resize(w->grid, sizes[i].rows, sizes[i].cols), 0);
		if (sizes[i].rows >= 10) {
			wait_seen(w, "Same as");
			wait_seen(w, "Target");
		}
		seen(w, "");
		press(w, 'e');
		seen(w, "");
		press(w, K_ESC);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)
		TEST(test_first_sight),
		TEST(test_command),
		TEST(test_refused),
		TEST(test_one_of_a_list_is_refused),
		TEST(test_rate),
		TEST(test_flight_recorder),
		TEST(test_end),
		TEST(test_values_go_round),
		TEST(test_rows_that_are_gone),
		TEST(test_output),
		TEST(test_browse),
		TEST(test_prompt),
		TEST(test_state_file),
		TEST(test_leave),
		TEST(test_sizes),
#undef TEST
	};

	/* before any thread reads the environment */
	setenv("HOME", "/home/me", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
