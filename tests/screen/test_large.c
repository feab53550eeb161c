/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slow operations do not block: ESC cancels, and quitting meanwhile restores the terminal. One
 * recording never arrives (a pipe), another has so many callchains that a view takes a second.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/harness/screen.h"

#define FUNCTIONS 20000
#define SAMPLES	  200000

static char folder[64], large[96], pipe_path[96];
static int pipe_fd = -1;

/* A library of functions that lie side by side, for tests/bench/big. */
static int make_library(const char *path)
{
	char source[128], command[512];
	FILE *f;

	snprintf(source, sizeof(source), "%s.s", path);
	f = fopen(source, "w");
	if (!f)
		return -1;
	fputs(".text\n", f);
	for (int i = 0; i < FUNCTIONS; i++)
		fprintf(f,
			".globl f%d\n.type f%d,@function\n.p2align 6\nf%d: .skip 64,0x90\n"
			".size f%d,64\n",
			i, i, i, i);
	fprintf(f,
		".data\n.globl bench_functions\n.type bench_functions,@object\n.p2align 2\n"
		"bench_functions: .long %d\n.size bench_functions,4\n"
		".section .note.GNU-stack,\"\",@progbits\n",
		FUNCTIONS);
	fclose(f);
	snprintf(command, sizeof(command), "${CC:-cc} -shared -o %s %s", path, source);
	return system(command);
}

static int make_recordings(void **state)
{
	char library[96], command[512];

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/ptui-large-%d", (int)getpid());
	snprintf(library, sizeof(library), "%s/many.so", folder);
	snprintf(pipe_path, sizeof(pipe_path), "%s/pipe", folder);
	if (mkdir(folder, 0700) || mkfifo(pipe_path, 0600))
		return -1;
	pipe_fd = open(pipe_path, O_RDWR | O_CLOEXEC);
	snprintf(command, sizeof(command), "\"$top_builddir\"/tests/bench/big %s/data %s %d wide",
		 folder, library, SAMPLES);
	if (!make_library(library) && !system(command))
		snprintf(large, sizeof(large), "%s/data", folder);
	return pipe_fd < 0 ? -1 : 0;
}

static int remove_recordings(void **state)
{
	char command[128];

	(void)state;
	close(pipe_fd);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static struct screen *start(const char *path)
{
	static const char *const env[] = { "XDG_CONFIG_HOME=/nonexistent", NULL };
	const char *argv[] = { getenv("PTUI"), "report", "-i", path, NULL };
	const struct screen_opts opts = { .argv = argv, .env = env, .cols = 120 };

	assert_non_null(argv[0]);
	return screen_start(&opts);
}

static struct screen *start_large(void)
{
	struct screen *s;

	if (!*large)
		skip_because("the large recording cannot be made here: no compiler?");
	s = start(large);
	screen_wait(s, "Shared Object");
	screen_wait_gone(s, "loading…");
	screen_wait_gone(s, "counting");
	return s;
}

static bool is_cursor_at(struct screen *s, void *row)
{
	return screen_cursor_row(s) == *(int *)row;
}

static void check_end(struct screen *s)
{
	int status = screen_wait_end(s);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	screen_check_sane(s);
	screen_free(s);
}

static void test_leave_what_loads(void **state)
{
	static const char *const keys[] = { "<Esc>", "q", "<C-c>" };

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct screen *s = start(pipe_path);

		screen_wait(s, "loading…");
		/* keys work meanwhile */
		screen_keys(s, "?");
		screen_wait(s, "Everywhere");
		screen_keys(s, "q");
		screen_wait_gone(s, "Everywhere");
		screen_keys(s, keys[i]);
		check_end(s);
	}
}

static void test_terminated_while_it_loads(void **state)
{
	struct screen *s = start(pipe_path);
	int status;

	(void)state;
	screen_wait(s, "loading…");
	screen_signal(s, SIGTERM);
	status = screen_wait_end(s);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	screen_check_sane(s);
	screen_free(s);
}

/* The first view can be left, whether more is loaded or not. */
static void test_leave_the_first_view(void **state)
{
	struct screen *s;

	(void)state;
	if (!*large)
		skip_because("the large recording cannot be made here: no compiler?");
	s = start(large);
	screen_wait(s, "of event 'cpu-clock'");
	screen_keys(s, "q");
	check_end(s);
}

static void choose_sort(struct screen *s)
{
	screen_keys(s, "S");
	screen_wait(s, "Sort by");
	screen_keys(s, "<Down><Enter>");
	screen_wait(s, "counting…");
}

/* The old view stays usable, and comes back. */
static void test_take_a_sort_back(void **state)
{
	struct screen *s = start_large();
	int next = screen_cursor_row(s) + 1;

	(void)state;
	choose_sort(s);
	screen_wait(s, "Command");
	screen_wait(s, "ESC stops it");
	screen_keys(s, "<Down>");
	screen_wait_until(s, is_cursor_at, &next, "the cursor moves meanwhile");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "counting");
	screen_wait(s, "Command");
	assert_int_equal(screen_find(s, "by dso,symbol", NULL), -1);
	/* without cancelling the new view appears */
	choose_sort(s);
	screen_wait(s, "by dso,symbol");
	screen_wait_gone(s, "counting");
	assert_int_equal(screen_find(s, "Command", NULL), -1);
	screen_keys(s, "<C-c>");
	check_end(s);
}

/* Another event, that is counted for the first time: back to the one that was shown. */
static void test_take_a_tab_back(void **state)
{
	struct screen *s = start_large();

	(void)state;
	screen_wait(s, "of event 'cpu-clock'");
	screen_keys(s, "<Tab>");
	screen_wait(s, "of event 'task-clock'");
	screen_wait(s, "ESC stops");
	screen_keys(s, "<Esc>");
	screen_wait(s, "of event 'cpu-clock'");
	screen_wait_gone(s, "counting");
	screen_wait(s, "Shared Object");
	screen_keys(s, "<C-c>");
	check_end(s);
}

static void test_quit_in_the_middle(void **state)
{
	static const struct {
		const char *keys, *sign;
	} cases[] = {
		{ "o", "counting…" },
		{ "<Tab>", "counting…" },
		{ "E", "opening…" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct screen *s = start_large();

		screen_keys(s, cases[i].keys);
		screen_wait(s, cases[i].sign);
		screen_keys(s, "<C-c>");
		check_end(s);
	}
}

static void test_stop_opening_all(void **state)
{
	struct screen *s = start_large();

	(void)state;
	screen_keys(s, "E");
	screen_wait(s, "opening…");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "opening…");
	/* nothing was opened, all can be */
	assert_int_equal(screen_find(s, "-  ", NULL), -1);
	screen_keys(s, "E");
	screen_wait(s, "opening…");
	screen_keys(s, "C");
	screen_wait_gone(s, "opening…");
	assert_int_equal(screen_find(s, "-  ", NULL), -1);
	screen_keys(s, "E");
	screen_wait(s, "opening…");
	screen_wait_gone(s, "opening…");
	screen_wait(s, "-  ");
	screen_keys(s, "<C-c>");
	check_end(s);
}

/* Very many rows are open when others are counted: these appear, and are opened between keys. */
static void test_all_stay_open(void **state)
{
	struct screen *s = start_large();

	(void)state;
	screen_keys(s, "L<C-u>0<Enter>");
	screen_wait(s, "+  ");
	screen_keys(s, "E");
	screen_wait(s, "-  ");
	screen_wait_gone(s, "opening…");
	screen_keys(s, "o");
	screen_wait(s, "self only");
	screen_wait_gone(s, "counting…");
	screen_wait_gone(s, "opening…");
	screen_wait(s, "-  ");
	/* with so many open, a limit takes a thread, too */
	screen_keys(s, "L<C-u>0.0007<Enter>");
	screen_wait(s, "below 0.0007%");
	screen_wait_gone(s, "counting…");
	screen_wait_gone(s, "opening…");
	screen_wait(s, "-  ");
	screen_keys(s, "<C-c>");
	check_end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leave_what_loads),
		cmocka_unit_test(test_terminated_while_it_loads),
		cmocka_unit_test(test_leave_the_first_view),
		cmocka_unit_test(test_take_a_sort_back),
		cmocka_unit_test(test_take_a_tab_back),
		cmocka_unit_test(test_quit_in_the_middle),
		cmocka_unit_test(test_stop_opening_all),
		cmocka_unit_test(test_all_stay_open),
	};

	return cmocka_run_group_tests(tests, make_recordings, remove_recordings);
}
