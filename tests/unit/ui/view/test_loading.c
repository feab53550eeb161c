/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Browser while its recording is loaded, from a source that goes on when it is asked to. */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/profile/made.h"
#include "unit/ui/screen.h"
#include "view/browser/browser.h"

#define FAILURE "cannot read some/perf.data: Input/output error"

static struct {
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	int steps[2];	      /* the pipe that the source reads its steps from */
	atomic_int n_running; /* sources */
	int failed;	      /* what the loader reported */
	char folder[64], before[4096];
} w;

/*
 * `part`: the first so many of three, or all of it. The hottest function changes with each part; "late" is an
 * event that comes before the other one, and has samples only in the last part.
 */
static struct ptui_profile *program(int part)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	made_sample(m, "main run", 10, 1);
	made_sample(m, "main eval", 8, 2);
	if (part > 1)
		made_sample(m, "main eval", 20, 3);
	if (part > 2)
		made_sample(m, "main skip", 62, 4);
	made_event(m, "late", 1);
	if (part > 2)
		made_sample(m, "main tail", 7, 5);
	p = made_take(m);
	if (part < 4) {
		p->trust.loaded_bytes = 20 * (uint64_t)part;
		p->trust.total_bytes = 100;
	}
	return p;
}

/* A part of so many rows and callchains that a thread opens them. */
static struct ptui_profile *many(void)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	char chain[64];

	for (int i = 0; i < 6000; i++) {
		snprintf(chain, sizeof(chain), "main f%d", i);
		made_sample(m, chain, 1, 1);
	}
	made_event(m, "late", 1);
	p = made_take(m);
	p->trust.loaded_bytes = 20;
	p->trust.total_bytes = 100;
	return p;
}

/* A step: a part that follows, 'm' one of many rows, 'a' all of it, or 'x' an error. Ends when it is cancelled. */
static struct ptui_profile *source(const char *path, const struct ptui_load_opts *opts,
				   struct ptui_error *err, int *ret_error)
{
	struct ptui_profile *p = NULL;
	char step = 0;

	(void)path;
	w.n_running++;
	while (step != 'a' && step != 'x') {
		struct pollfd in = { .fd = w.steps[0], .events = POLLIN };

		if (opts->progress(opts->progress_ctx, "reading", 10, 100))
			break;
		if (poll(&in, 1, 5) != 1 || read(w.steps[0], &step, 1) != 1)
			continue;
		if (step == 'm')
			opts->partial(opts->partial_ctx, many());
		if (step >= '1' && step <= '3')
			opts->partial(opts->partial_ctx, program(step - '0'));
	}
	*ret_error = -ECANCELED;
	if (step == 'x')
		*ret_error = ptui_error_set(err, PTUI_ERROR_SYSTEM, EIO, NULL, "%s", FAILURE);
	if (step == 'a')
		p = program(4);
	w.n_running--;
	return p;
}

static void failed(void *ctx, int ret, const struct ptui_error *err)
{
	(void)ctx;
	(void)err;
	w.failed = ret;
}

static int setup(void **state)
{
	const struct browser_load load = { .path = "some/perf.data",
					   .opts = BROWSER_OPTS_INIT,
					   .source = source,
					   .failed = failed };

	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	w.failed = 0;
	snprintf(w.folder, sizeof(w.folder), "/tmp/ptui-loading-XXXXXX");
	assert_non_null(mkdtemp(w.folder));
	assert_non_null(getcwd(w.before, sizeof(w.before)));
	assert_int_equal(chdir(w.folder), 0);
	assert_int_equal(pipe(w.steps), 0);
	w.keys = keymaps_new(NULL);
	w.grid = grid_new(24, 100);
	w.stack = stack_new(NULL, w.keys, NULL);
	assert_non_null(w.stack);
	assert_int_equal(browser_load_open(w.stack, &load, NULL), 0);
	return 0;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	stack_free(w.stack);
	while (w.n_running)
		usleep(1000);
	close(w.steps[0]);
	close(w.steps[1]);
	keymaps_free(w.keys);
	grid_free(w.grid);
	assert_int_equal(chdir(w.before), 0);
	snprintf(command, sizeof(command), "rm -r %s", w.folder);
	assert_int_equal(system(command), 0);
	return 0;
}

static void step(char c)
{
	assert_int_equal(write(w.steps[1], &c, 1), 1);
}

static void press(key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(w.stack, &e);
}

static void type(const char *text)
{
	for (; *text; text++)
		press((key_code)(unsigned char)*text);
}

static int row_with(const char *text)
{
	grid_clear(w.grid);
	stack_draw(w.stack, w.grid);
	for (int y = 0; y < w.grid->rows; y++)
		if (strstr(row_text(w.grid, y), text))
			return y;
	return -1;
}

static void give_up(const char *what, const char *text)
{
	for (int y = 0; y < w.grid->rows; y++)
		print_error("%2d|%s\n", y, row_text(w.grid, y));
	fail_msg("%s: %s", what, text);
}

static int wait_seen(const char *text)
{
	for (int turns = 0; turns < 500; turns++) {
		int y = row_with(text);

		if (y >= 0)
			return y;
		loop_turn(stack_loop(w.stack), 100);
	}
	give_up("not seen", text);
	return -1;
}

static void check_cursor(const char *text)
{
	int y;

	row_with("");
	y = cursor_row(w.grid, 0);
	if (y < 0 || !strstr(row_text(w.grid, y), text))
		give_up("not under the cursor", text);
}

static void does_not_see(const char *text)
{
	if (row_with(text) >= 0)
		give_up("seen", text);
}

/* Each profile replaces the one before; at the end nothing is left of loading. */
static void test_parts(void **state)
{
	(void)state;
	wait_seen("ESC stops loading and leaves");
	step('1');
	assert_int_equal(wait_seen("loading… 20% of 100 B"), 0);
	wait_seen("Samples: 2 of event 'made'");
	wait_seen("55.56%  a        prog           [.] run");
	assert_true(row_with("! 20% loaded") > 0);
	assert_int_equal(row_with("ESC stops loading"), 2);
	step('2');
	assert_int_equal(wait_seen("loading… 40% of 100 B"), 0);
	wait_seen("Samples: 3 of event 'made'");
	wait_seen("26.32%  a        prog           [.] run");
	does_not_see("late");
	step('3');
	wait_seen("[made] · late");
	wait_seen("Samples: 4 of event 'made'");
	step('a');
	wait_seen("Samples: 4 of event 'made'");
	while (row_with("loading") >= 0 || row_with("ESC stops") >= 0)
		loop_turn(stack_loop(w.stack), 100);
	does_not_see("loaded");
	wait_seen("62.00%    62.00%  a        prog           [.] skip");
	press(K_TAB);
	wait_seen("[.] tail");
	assert_int_equal(w.failed, 0);
}

/* The cursor is on its row, or on the first one if it was not moved; open rows and zooms stay. */
static void test_keys(void **state)
{
	(void)state;
	step('1');
	wait_seen("[.] run");
	check_cursor("[.] main");
	press('o'); /* self only */
	wait_seen("Overhead");
	check_cursor("[.] run");
	step('2');
	wait_seen("Samples: 3 of event 'made'");
	while (row_with("73.68%  a        prog           [.] eval") < 0)
		loop_turn(stack_loop(w.stack), 100);
	check_cursor("[.] eval");
	press('/');
	type("run");
	press(K_ENTER);
	check_cursor("[.] run");
	press('e');
	wait_seen("main");
	press('f');
	type("r");
	step('3');
	wait_seen("Samples: 4 of event 'made'");
	press(K_ESC); /* leaves the prompt */
	wait_seen("10.00%  a        prog           [.] run");
	check_cursor("[.] run");
	wait_seen("loading… 60%");
	press('S');
	wait_seen("Sort by");
	step('a');
	press(K_DOWN);
	press(K_ENTER);
	wait_seen("by dso,symbol");
	check_cursor("[.] run");
}

/* A key that takes a thread's work changes the first line at once, though more is loaded all the time. */
static void key_is_seen(key_code key, const char *work)
{
	press(key);
	assert_int_equal(row_with(work), 0);
	assert_int_equal(row_with("loading… 20%"), 0);
	while (row_with(work) >= 0)
		loop_turn(stack_loop(w.stack), 100);
}

static void test_keys_are_seen(void **state)
{
	(void)state;
	step('m');
	wait_seen("[.] main");
	key_is_seen('o', "counting…");
	key_is_seen('E', "opening…");
	press('C');
	/* but newer samples are counted all the time */
	step('2');
	while (row_with("Samples: 3 of event 'made'") < 0) {
		does_not_see("counting…");
		loop_turn(stack_loop(w.stack), 100);
	}
	does_not_see("counting…");
}

/* ESC or ^C keeps what is there and says so, in the first line, the trust line and what is printed. */
static void stop_with(key_code key)
{
	char text[4096];
	FILE *f;
	size_t n;

	step('2');
	wait_seen("73.68%");
	press(key);
	assert_true(wait_seen("40% of some/perf.data is loaded") > 2);
	assert_non_null(strstr(row_text(w.grid, 0), "40% loaded"));
	assert_true(row_with("! 40% loaded") > 2);
	does_not_see("ESC stops");
	press('T');
	wait_seen("later ones are missing");
	press(K_ESC);
	press('P');
	wait_seen("wrote perf.hist.0");
	f = fopen("perf.hist.0", "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	assert_non_null(strstr(text, "# 40% of some/perf.data is loaded\n"));
	/* what comes later changes nothing */
	while (w.n_running)
		loop_turn(stack_loop(w.stack), 10);
	wait_seen("73.68%");
	assert_int_equal(w.failed, 0);
}

static void test_stopped(void **state)
{
	(void)state;
	stop_with(K_ESC);
	press(K_ESC);
	assert_true(stack_is_done(w.stack));
}

static void test_interrupted(void **state)
{
	(void)state;
	stop_with(K_CTRL | 'c');
}

/* Before there are rows, nothing is kept. */
static void test_left_early(void **state)
{
	(void)state;
	wait_seen("ESC stops loading and leaves");
	press(K_ESC);
	assert_int_equal(w.failed, -ECANCELED);
	assert_true(stack_is_done(w.stack));
}

static void test_left(void **state)
{
	(void)state;
	step('1');
	wait_seen("[.] run");
	press('q');
	assert_true(stack_is_done(w.stack));
}

/* What could be read is shown, with the reason. */
static void test_error(void **state)
{
	(void)state;
	step('1');
	wait_seen("[.] run");
	step('2');
	step('x');
	wait_seen(FAILURE);
	press(K_ESC);
	assert_int_equal(wait_seen("40% loaded"), 0);
	wait_seen("73.68%");
	press('T');
	wait_seen("later ones are missing");
	wait_seen("Input/output error");
	assert_int_equal(w.failed, 0);
}

/* An error right after the first rows, which are not on the screen yet; and one before. */
static void test_early_error(void **state)
{
	(void)state;
	step('1');
	step('x');
	wait_seen(FAILURE);
	press(K_ESC);
	wait_seen("[.] run");
	assert_int_equal(wait_seen("20% loaded"), 0);
}

static void test_error_without_rows(void **state)
{
	(void)state;
	step('x');
	while (!w.failed)
		loop_turn(stack_loop(w.stack), 100);
	assert_int_equal(w.failed, -EIO);
}

static void test_resized(void **state)
{
	(void)state;
	step('1');
	wait_seen("[.] run");
	grid_free(w.grid);
	w.grid = grid_new(10, 40);
	assert_int_equal(wait_seen("loading… 20% of 100 B"), 0);
	step('2');
	wait_seen("loading… 40% of 100 B");
	press(K_ESC);
	wait_seen("40% loaded");
}

int main(void)
{
#define WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		WORLD(test_parts),	 WORLD(test_keys),	    WORLD(test_stopped),
		WORLD(test_interrupted), WORLD(test_left_early),    WORLD(test_left),
		WORLD(test_error),	 WORLD(test_early_error),   WORLD(test_error_without_rows),
		WORLD(test_resized),	 WORLD(test_keys_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
