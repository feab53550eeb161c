/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Setup screen and its lists in a grid: what is seen, and what keys do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/ui/screen.h"
#include "view/setup.h"

struct world {
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	char path[64];
	unsigned n_started;
	char started[256];
};

/* What the made machine says. */
static int check(const struct ptui_record_opts *opts, struct ptui_check *ret,
		 struct ptui_error *err)
{
	size_t i;

	(void)err;
	memset(ret, 0, sizeof(*ret));
	ret->problems = calloc(opts->n_events + 1, sizeof(*ret->problems));
	for (i = 0; i < opts->n_events; i++) {
		struct ptui_problem *p = &ret->problems[ret->n_problems];

		if (!strcmp(opts->events[i], "cycles"))
			continue;
		p->refused = true;
		ptui_error_set(&p->what, PTUI_ERROR_SYSTEM, 1, opts->events[i], "%s is forbidden",
			       opts->events[i]);
		ptui_error_hint(&p->what, "ask the owner");
		ret->n_problems++;
	}
	snprintf(ret->first, sizeof(ret->first), "cycles");
	ret->kernel_samples = true;
	return 0;
}

static unsigned start(void *ctx, const struct ptui_record_opts *opts)
{
	struct world *w = ctx;

	w->n_started++;
	snprintf(w->started, sizeof(w->started), "%s F %d c %d g %d a %d p %d argv %s %s",
		 opts->n_events ? opts->events[opts->n_events - 1] : "-", (int)opts->freq_hz,
		 (int)opts->period, opts->callchain, opts->system_wide,
		 opts->n_pids ? (int)opts->pids[0] : 0, opts->argv ? opts->argv[0] : "-",
		 opts->argv && opts->argv[1] ? opts->argv[1] : "");
	return WISH_REDRAW;
}

static void open_screen(struct world *w, int rows, int cols)
{
	struct setup_screen_opts opts = { .start = start, .ctx = w, .state_path = w->path,
					  .check = check };
	struct ptui_error err = PTUI_ERROR_INIT;

	w->grid = grid_new(rows, cols);
	w->stack = stack_new(NULL, w->keys, &err);
	assert_non_null(w->stack);
	assert_int_equal(setup_open(w->stack, &opts, &err), 0);
}

static void close_screen(struct world *w)
{
	stack_free(w->stack);
	grid_free(w->grid);
	w->stack = NULL;
	w->grid = NULL;
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	int fd;

	setlocale(LC_ALL, "C.UTF-8");
	snprintf(w->path, sizeof(w->path), "/tmp/ptui-screen-XXXXXX");
	fd = mkstemp(w->path);
	assert_true(fd >= 0);
	close(fd);
	w->keys = keymaps_new(NULL);
	assert_non_null(w->keys);
	open_screen(w, 24, 100);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	close_screen(w);
	keymaps_free(w->keys);
	unlink(w->path);
	free(w);
	return 0;
}

static void press(struct world *w, key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(w->stack, &e);
}

static void type(struct world *w, const char *text)
{
	for (; *text; text++)
		press(w, (key_code)(unsigned char)*text);
}

static bool seen(struct world *w, const char *text)
{
	int y;

	grid_clear(w->grid);
	stack_draw(w->stack, w->grid);
	for (y = 0; y < w->grid->rows; y++)
		if (strstr(row_text(w->grid, y), text))
			return true;
	return false;
}

/* Draws until the text is there: what a thread has to say comes with the loop's turns. */
static void wait_seen(struct world *w, const char *text)
{
	int y, turns;

	for (turns = 0; turns < 100; turns++) {
		if (seen(w, text))
			return;
		loop_turn(stack_loop(w->stack), 100);
	}
	for (y = 0; y < w->grid->rows; y++)
		print_error("%s\n", row_text(w->grid, y));
	fail_msg("not seen: %s", text);
}

static void test_first_sight(void **state)
{
	struct world *w = *state;

	wait_seen(w, "Target");
	wait_seen(w, "Enter says which");
	wait_seen(w, "not ready");
	wait_seen(w, "ptui record -F 4000 -g -e cycles");
	press(w, 'r'); /* says what is missing instead */
	wait_seen(w, "the command to record is not said yet");
	assert_int_equal(w->n_started, 0);
}

static void test_command(void **state)
{
	struct world *w = *state;

	press(w, K_ENTER);
	type(w, "make -j2");
	press(w, K_ENTER);
	wait_seen(w, "ptui record -F 4000 -g -e cycles -- make -j2");
	wait_seen(w, "cycles ok");
	wait_seen(w, "kernel samples ok");
	press(w, 'g');
	wait_seen(w, "ptui record -F 4000 -e cycles -- make -j2");
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

	press(w, 'a');
	wait_seen(w, "-a");
	press(w, 't');
	type(w, "task-clock");
	press(w, K_ENTER);
	wait_seen(w, "task-clock is forbidden");
	wait_seen(w, "ask the owner");
	wait_seen(w, "1 thing is refused");
	press(w, 't');
	type(w, "task-clok");
	press(w, K_ENTER);
	wait_seen(w, "task-clock"); /* the nearest name */
	press(w, K_ESC);
	press(w, 'r');
	assert_string_equal(w->started, "task-clock F 4000 c 0 g 1 a 1 p 0 argv - ");
}

static void test_picker(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	press(w, 'e');
	wait_seen(w, "Setup › Events");
	wait_seen(w, "1 marked");
	press(w, '/');
	type(w, "page-faults");
	press(w, K_ENTER);
	wait_seen(w, "page-faults");
	press(w, ' ');
	wait_seen(w, "2 marked");
	press(w, K_ENTER);
	wait_seen(w, "-e cycles -e page-faults -a");
	/* ESC forgets marks. */
	press(w, 'e');
	press(w, '/');
	type(w, "alignment");
	press(w, K_ENTER);
	press(w, ' ');
	press(w, K_ESC); /* the search */
	wait_seen(w, "3 marked");
	press(w, K_ESC);
	wait_seen(w, "-e cycles -e page-faults -a");
}

static void test_process(void **state)
{
	struct world *w = *state;
	char pid[32], expected[64];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	snprintf(expected, sizeof(expected), "-p %s", pid);
	press(w, 'p');
	wait_seen(w, "Setup › Process");
	press(w, '/');
	type(w, pid);
	type(w, " test");
	press(w, K_ENTER);
	wait_seen(w, "1 of ");
	press(w, K_ENTER);
	wait_seen(w, expected);
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
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_first_sight),
		TEST(test_command),
		TEST(test_refused),
		TEST(test_picker),
		TEST(test_process),
		TEST(test_sizes),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
