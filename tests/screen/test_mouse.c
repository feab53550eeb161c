/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mouse in the Browser, pasting into a prompt, and Ctrl-Z. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/harness/screen.h"

static char recording[64];

static int make_recording(void **state)
{
	char command[512];

	(void)state;
	snprintf(recording, sizeof(recording), "/tmp/ptui-mouse-%d.data", (int)getpid());
	snprintf(command, sizeof(command),
		 "\"$PTUI\" record -q -g -e cpu-clock -e page-faults -F 2000 -o %s -- "
		 "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; ls' >/dev/null 2>&1",
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

static bool cursor_in(struct screen *s, void *row)
{
	return screen_cursor_row(s) == *(int *)row;
}

static void wait_cursor(struct screen *s, int row)
{
	screen_wait_until(s, cursor_in, &row, "the cursor is in the row that was clicked");
}

static struct screen *browse(void)
{
	static const char *const env[] = { "XDG_CONFIG_HOME=/nonexistent", NULL };
	const char *argv[] = { getenv("PTUI"), "report", "-i", recording, NULL };
	const struct screen_opts opts = { .argv = argv, .env = env, .rows = 24, .cols = 100 };
	struct screen *s;

	need("perf");
	assert_true(*recording);
	assert_non_null(argv[0]);
	s = screen_start(&opts);
	screen_wait(s, "of event 'cpu-clock'");
	wait_cursor(s, 4);
	/* from now on the hints stay where they are: this row can be expanded */
	screen_wait_row(s, 4, "+");
	return s;
}

static void finish(struct screen *s)
{
	int wstatus;

	screen_keys(s, "<C-c>");
	wstatus = screen_wait_end(s);
	assert_true(WIFEXITED(wstatus));
	assert_int_equal(WEXITSTATUS(wstatus), 0);
	screen_check_sane(s);
	screen_free(s);
}

static void click_on(struct screen *s, const char *text)
{
	int x, y;

	screen_wait(s, text);
	y = screen_find(s, text, &x);
	screen_click(s, y, x);
}

static void test_tabs(void **state)
{
	struct screen *s = browse();

	(void)state;
	screen_wait_row(s, 0, "[cpu-clock] · page-faults");
	click_on(s, "page-faults");
	screen_wait(s, "of event 'page-faults'");
	screen_wait_row(s, 0, "cpu-clock · [page-faults]");
	click_on(s, "cpu-clock ·");
	screen_wait(s, "of event 'cpu-clock'");
	/* next to the tabs is no tab */
	screen_click(s, 0, 2);
	screen_keys(s, "?");
	screen_wait_row(s, 0, "Help:");
	screen_keys(s, "q");
	screen_wait(s, "of event 'cpu-clock'");
	finish(s);
}

static void test_rows(void **state)
{
	struct screen *s = browse();

	(void)state;
	screen_wait_row(s, 4, "+");
	/* one click moves, one more opens, one more closes; a double click opens as well */
	screen_click(s, 5, 40);
	wait_cursor(s, 5);
	screen_click(s, 4, 40);
	wait_cursor(s, 4);
	screen_wait_row(s, 4, "+");
	screen_click(s, 4, 40);
	screen_wait_row(s, 4, "-");
	screen_keys(s, "c");
	screen_wait_row(s, 4, "+");
	/* only the sign */
	screen_click(s, 4, 0);
	screen_wait_row(s, 4, "-");
	screen_click(s, 4, 0);
	screen_wait_row(s, 4, "+");
	finish(s);
}

/* In the catalog a click on the cursor row marks it, in other lists it chooses. */
static void test_lists(void **state)
{
	static const char *const env[] = { "XDG_CONFIG_HOME=/nonexistent",
					   "XDG_STATE_HOME=/nonexistent", NULL };
	const char *argv[] = { getenv("PTUI"), NULL };
	const struct screen_opts opts = { .argv = argv, .env = env, .rows = 24, .cols = 100 };
	struct screen *s;
	int y, x;

	(void)state;
	assert_non_null(argv[0]);
	s = screen_start(&opts);
	screen_wait(s, "Target");
	screen_keys(s, "e");
	screen_wait(s, "[ ] cpu-clock");
	screen_wait_gone(s, "checking events"); /* then rows move */
	screen_keys(s, "/branch-misses<Enter>");
	screen_wait_row(s, 0, "/ branch-misses");
	screen_wait(s, "[ ] branch-misses");
	screen_keys(s, "<Home>");
	y = screen_find(s, "[ ] branch-misses", &x);
	screen_click(s, y, x);
	wait_cursor(s, y);
	screen_wait_row(s, y, "[ ] branch-misses");
	screen_click(s, y, x);
	screen_wait_row(s, y, "[x] branch-misses");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "/ branch-misses");
	screen_keys(s, "<Esc>");
	screen_wait(s, "The marks were changed");
	screen_keys(s, "q");
	screen_wait(s, "Target");
	screen_keys(s, "p");
	screen_wait(s, "PID");
	/* one that does not end: this test */
	screen_keys(s, "/test_mouse<Enter>");
	screen_wait_row(s, 0, "/ test_mouse");
	screen_wait_row(s, 23, "Enter");
	screen_keys(s, "<Home>");
	wait_cursor(s, 3);
	screen_click(s, 3, 20);
	screen_wait(s, "Target      ‹ process ›");
	finish(s);
}

static void test_hints(void **state)
{
	struct screen *s = browse();

	(void)state;
	click_on(s, "? help");
	screen_wait_row(s, 0, "Help: Browser");
	click_on(s, "ESC back");
	screen_wait(s, "of event 'cpu-clock'");
	screen_wait_row(s, 23, "? help"); /* not the hints of the help any more */
	click_on(s, "/ find");
	screen_wait_row(s, 23, "find:");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "find:");
	finish(s);
}

/* A prompt has one line: several pasted lines become one, and are not executed. */
static void test_paste(void **state)
{
	struct screen *s = browse();

	(void)state;
	screen_keys(s, "/");
	screen_wait_row(s, 23, "find:");
	screen_paste(s, "one \\\n  two\nthree\tfour\n");
	screen_wait_row(s, 23, "find: one   two three four");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "find:");
	/* without a prompt a paste is ignored: q would leave */
	screen_paste(s, "qqq");
	screen_keys(s, "?");
	screen_wait_row(s, 0, "Help:");
	finish(s);
}

/* Stopped with a prompt open, continued with the same picture. */
static void test_stopped(void **state)
{
	struct screen *s = browse();
	char *head;

	(void)state;
	screen_keys(s, "/ab");
	screen_wait_row(s, 23, "find: ab");
	head = strdup(screen_row(s, 0));
	assert_non_null(head);
	screen_keys(s, "<C-z>");
	screen_wait_stopped(s);
	screen_check_sane(s);
	screen_continue(s);
	screen_wait_row(s, 23, "find: ab");
	screen_wait_row(s, 0, head);
	screen_keys(s, "c");
	screen_wait_row(s, 23, "find: abc");
	/* detects a size that changed meanwhile */
	screen_keys(s, "<C-z>");
	screen_wait_stopped(s);
	screen_resize(s, 12, 60);
	screen_continue(s);
	screen_wait_row(s, 11, "find: abc");
	screen_keys(s, "<Esc>");
	screen_wait_row(s, 11, "help");
	free(head);
	finish(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tabs),  cmocka_unit_test(test_rows),
		cmocka_unit_test(test_lists), cmocka_unit_test(test_hints),
		cmocka_unit_test(test_paste), cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, make_recording, remove_recording);
}
