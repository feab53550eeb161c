/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui report` on a terminal: opens a recording, goes through it, and leaves the terminal as it
 * was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/harness/screen.h"

static char recording[64];

static int make_recording(void **state)
{
	char command[512];

	(void)state;
	snprintf(recording, sizeof(recording), "/tmp/ptui-browser-%d.data", (int)getpid());
	snprintf(command, sizeof(command),
		 "\"$PTUI\" record -q -g -e cpu-clock -F 2000 -o %s -- "
		 "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done' >/dev/null 2>&1",
		 recording);
	if (system(command))
		recording[0] = '\0';
	return 0;
}

static int remove_recording(void **state)
{
	(void)state;
	if (*recording)
		unlink(recording);
	return 0;
}

static struct screen *start(const char *path)
{
	static const char *const env[] = { "XDG_CONFIG_HOME=/nonexistent", NULL };
	const char *argv[] = { getenv("PTUI"), "report", "-i", path, NULL };
	const struct screen_opts opts = { .argv = argv, .env = env };

	assert_non_null(argv[0]);
	return screen_start(&opts);
}

static bool on_first_row(struct screen *s, void *ctx)
{
	(void)ctx;
	return screen_cursor_row(s) == 4;
}

static struct screen *browse(void)
{
	struct screen *s;

	need("perf");
	assert_true(*recording);
	s = start(recording);
	screen_wait(s, "of event 'cpu-clock'");
	screen_wait_until(s, on_first_row, NULL, "the cursor is on the first row");
	return s;
}

/* The program has ended with this status, and the terminal is as it was. */
static void finish(struct screen *s, int status)
{
	int wstatus = screen_wait_end(s);

	assert_true(WIFEXITED(wstatus));
	assert_int_equal(WEXITSTATUS(wstatus), status);
	screen_check_sane(s);
	screen_free(s);
}

static void test_a_visit(void **state)
{
	struct screen *s = browse();

	(void)state;
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 4, "-");
	screen_keys(s, "/");
	screen_wait(s, "find:");
	screen_keys(s, "nowhere to be found<Enter>");
	screen_wait(s, "nowhere to be found");
	screen_wait_gone(s, "find:");
	screen_keys(s, "L");
	screen_wait(s, "least percentage shown:");
	screen_keys(s, "<C-u>100<Enter>");
	screen_wait(s, "All rows are below the limit");
	screen_keys(s, "L");
	screen_wait(s, "least percentage shown:");
	screen_keys(s, "<C-u>7x<Enter>");
	screen_wait(s, "'7x' is no percentage");
	screen_keys(s, "T");
	screen_wait(s, "How far to trust this");
	screen_keys(s, "q");
	screen_wait_gone(s, "How far to trust this");
	screen_keys(s, "S");
	screen_wait(s, "One row for each");
	screen_keys(s, "q");
	screen_wait_gone(s, "One row for each");
	screen_keys(s, "q");
	finish(s, 0);
}

static void test_interrupted(void **state)
{
	struct screen *s = browse();

	(void)state;
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

static void test_what_cannot_be_loaded(void **state)
{
	struct screen *s = start("/dev/null/nothing");

	(void)state;
	screen_wait(s, "ptui: report: ");
	finish(s, 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_visit),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_what_cannot_be_loaded),
	};

	return cmocka_run_group_tests(tests, make_recording, remove_recording);
}
