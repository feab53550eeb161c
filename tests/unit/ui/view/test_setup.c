/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Setup screen and its lists in a grid: what is seen, and what keys do. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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
	char browsed[128];
	char folder[64]; /* where the programs and files of a test are */
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
	ret->max_freq_hz = 100000;
	ret->output_exists = opts->output && !strcmp(opts->output, "old.data");
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

static unsigned browse(void *ctx, const char *path)
{
	struct world *w = ctx;

	snprintf(w->browsed, sizeof(w->browsed), "%s", path);
	return WISH_REDRAW;
}

static void open_screen(struct world *w, int rows, int cols)
{
	struct setup_screen_opts opts = { .start = start, .browse = browse, .ctx = w,
					  .state_path = w->path, .check = check };
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
	snprintf(w->folder, sizeof(w->folder), "/tmp/ptui-files-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	w->keys = keymaps_new(NULL);
	assert_non_null(w->keys);
	open_screen(w, 24, 100);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	char command[96];

	close_screen(w);
	keymaps_free(w->keys);
	unlink(w->path);
	snprintf(command, sizeof(command), "rm -rf %s", w->folder);
	assert_int_equal(system(command), 0);
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
	wait_seen(w, "not ready: no command yet");
	wait_seen(w, "ptui record -F 4000 -g -e cycles -- …");
	wait_seen(w, "the command to record is not said yet");
	wait_seen(w, "Enter on Target asks for it; p chooses a process that runs");
	press(w, 'y'); /* a line that would record something else */
	wait_seen(w, "the command to record is not said yet");
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
	wait_seen(w, "no event is called 'task-clok'");
	wait_seen(w, "^ the name of an event");
	wait_seen(w, "did you mean task-clock?");
	wait_seen(w, "event: task-clok"); /* stays, to be mended */
	press(w, K_BACKSPACE);
	type(w, "xk");
	press(w, K_ENTER);
	wait_seen(w, "'task-cloxk'");
	press(w, K_ESC);
	assert_false(seen(w, "task-cloxk"));
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

static void test_process_that_ends(void **state)
{
	struct world *w = *state;
	char pid[32], expected[64];
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		pause();
		_exit(0);
	}
	snprintf(pid, sizeof(pid), "%d", (int)child);
	snprintf(expected, sizeof(expected), "-p %d", (int)child);
	press(w, 'p');
	press(w, '/');
	type(w, pid);
	press(w, K_ENTER);
	wait_seen(w, "1 of ");
	press(w, K_ENTER);
	wait_seen(w, expected);
	wait_seen(w, "cycles ok");

	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	wait_seen(w, "✗ the process has ended"); /* by itself, without a key */
	wait_seen(w, "Enter on Target lists those that run");
	press(w, 'r'); /* the list, since another one must be chosen */
	wait_seen(w, "Setup › Process");
	assert_int_equal(w->n_started, 0);
}

/* Its end is told, while the list is looked at. */
static void test_process_ends_in_the_list(void **state)
{
	struct world *w = *state;
	char pid[32];
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		pause();
		_exit(0);
	}
	snprintf(pid, sizeof(pid), "%d test", (int)child);
	press(w, 'p');
	press(w, '/');
	type(w, pid);
	press(w, K_ENTER);
	wait_seen(w, "1 of ");
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	press(w, K_ENTER); /* before the list knows it, or behind */
	wait_seen(w, "has ended");
	wait_seen(w, "Setup › Process");
	wait_seen(w, "no process has");
}

static void test_rate(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	wait_seen(w, "cycles ok");
	press(w, 'f');
	wait_seen(w, "the kernel takes 100000 at most now");
	press(w, K_CTRL | 'u');
	type(w, "-5");
	press(w, K_ENTER);
	wait_seen(w, "'-5' is no number above 0");
	wait_seen(w, "samples a second: -5");
	press(w, K_CTRL | 'u');
	type(w, "200k");
	press(w, K_ENTER);
	wait_seen(w, "-F 200000");
	wait_seen(w, "! at most 100000 now");
	press(w, ' '); /* on the rate's row: by period */
	wait_seen(w, "one sample every 1000000 events");
	wait_seen(w, "-c 1000000");
	assert_false(seen(w, "at most"));
	press(w, K_ENTER);
	press(w, K_CTRL | 'u');
	type(w, "1M5");
	press(w, K_ENTER);
	wait_seen(w, "'1M5' is no number above 0");
	press(w, K_ESC);
	press(w, K_LEFT);
	wait_seen(w, "-F 200000");
}

static void test_output(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	wait_seen(w, "a new file");
	press(w, 'o');
	press(w, K_CTRL | 'u');
	type(w, "-");
	press(w, K_ENTER);
	wait_seen(w, "needs the name of a file");
	press(w, K_BACKSPACE);
	type(w, "old.data");
	press(w, K_ENTER);
	wait_seen(w, "-o old.data");
	wait_seen(w, "the old one is kept as .old");
	press(w, 'o');
	press(w, K_CTRL | 'u');
	setenv("HOME", "/home/me", 1);
	type(w, "~/p.data");
	press(w, K_ENTER);
	wait_seen(w, "-o /home/me/p.data");
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

/* Tab in the prompts; what is recorded comes back with Up in the next session. */
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
	wait_seen(w, "/one file'"); /* quoted where a shell wants it */
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
	wait_seen(w, "no shell reads this line");
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

/* Choices that cannot be kept are told once; a damaged file is told, and is whole again. */
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
	wait_seen(w, "2 lines of the last choices");
	wait_seen(w, "-- make -j3");
	close_screen(w);
	open_screen(w, 24, 100);
	assert_false(seen(w, "of the last choices"));
	close_screen(w);

	unlink(w->path);
	snprintf(w->path, sizeof(w->path), "/dev/null/setup");
	open_screen(w, 24, 100);
	press(w, 'a');
	press(w, 'r');
	assert_int_equal(w->n_started, 1);
	wait_seen(w, "cannot keep the choices");
	press(w, K_DOWN);
	press(w, 'r');
	assert_int_equal(w->n_started, 2);
	assert_false(seen(w, "cannot keep the choices"));
}

static void test_leave(void **state)
{
	struct world *w = *state;

	press(w, K_ESC);
	wait_seen(w, "Leave ptui?");
	press(w, K_ESC);
	assert_false(seen(w, "Leave ptui?"));
	press(w, 'q');
	assert_true(stack_is_done(w->stack));
}

/* Enter in the catalog means the row it is pressed on, unless marks were set by hand. */
static void test_picker_enter(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	press(w, 'e');
	press(w, '/');
	type(w, "page-faults");
	press(w, K_ENTER);
	press(w, K_ENTER);
	wait_seen(w, "-e cycles -e page-faults -a");
	press(w, 'e');
	press(w, '/');
	type(w, "no such thing");
	wait_seen(w, "no event has \"no such thing\"");
	press(w, K_CTRL | 'u');
	type(w, "alignment");
	press(w, K_ENTER);
	press(w, ' ');
	press(w, K_ESC);
	press(w, K_HOME);
	press(w, K_LEFT); /* closes the heading */
	wait_seen(w, "▸ Hardware event");
	press(w, K_DOWN);
	press(w, K_DOWN);
	press(w, K_ENTER);
	wait_seen(w, "-e cycles -e page-faults -e alignment-faults -a");
	press(w, K_DOWN);
	press(w, K_DELETE); /* the first event's row */
	wait_seen(w, "-e page-faults -e alignment-faults -a");
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
		TEST(test_process_that_ends),
		TEST(test_process_ends_in_the_list),
		TEST(test_rate),
		TEST(test_output),
		TEST(test_browse),
		TEST(test_prompt),
		TEST(test_state_file),
		TEST(test_leave),
		TEST(test_picker_enter),
		TEST(test_sizes),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
