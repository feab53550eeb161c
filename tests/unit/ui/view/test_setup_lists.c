/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists that Setup opens: events, processes. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "unit/ui/view/setup_world.h"

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
	/* ESC forgets marks, after a question. */
	press(w, 'e');
	press(w, '/');
	type(w, "alignment");
	press(w, K_ENTER);
	press(w, ' ');
	press(w, K_ESC); /* the search */
	wait_seen(w, "3 marked");
	press(w, K_ESC);
	press(w, 'q');
	wait_seen(w, "-e cycles -e page-faults -a");
}

/* Enter in the catalog adds the cursor row, unless the user has changed marks. */
static void test_picker_enter(void **state)
{
	struct world *w = *state;

	press(w, 'a');
	press(w, 'g'); /* for a shorter line */
	press(w, 'g');
	press(w, 'e');
	press(w, '/');
	type(w, "page-faults");
	press(w, K_ENTER);
	press(w, K_ENTER);
	wait_seen(w, "-e cycles -e page-faults -a");
	press(w, 'e');
	press(w, '/');
	type(w, "page-faults");
	wait_seen(w, "1 of "); /* which of the matches, while typing */
	press(w, K_CTRL | 'u');
	type(w, "no such thing");
	wait_seen(w, "not found");
	wait_seen(w, "no event matches \"no such thing\"");
	press(w, K_CTRL | 'u');
	type(w, "alignment");
	press(w, K_ENTER);
	press(w, ' ');
	press(w, K_ESC);
	press(w, K_HOME);
	press(w, K_LEFT); /* closes the heading */
	wait_seen(w, "▸ Hardware (10)");
	wait_seen(w, "  1 marked"); /* stays marked there */
	press(w, K_DOWN);
	press(w, K_DOWN);
	press(w, K_ENTER);
	wait_seen(w, "-e cycles -e page-faults -e alignment-faults -a");
	/* on the row below the events: up to the first of them */
	press(w, K_UP);
	press(w, K_UP);
	press(w, K_UP);
	press(w, K_DELETE);
	wait_seen(w, "record -e page-faults -e alignment-faults -a");
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

/* Exits with the test, and inherits no open files. */
static pid_t start_sleeper(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	pause();
	_exit(0);
}

static void test_process_that_ends(void **state)
{
	struct world *w = *state;
	char pid[32], expected[64];
	pid_t child = start_sleeper();

	snprintf(pid, sizeof(pid), "%d test_setup", (int)child);
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
	wait_seen(w, "✗ the process has ended"); /* automatically, without a key */
	wait_seen(w, "press Enter on Target to choose one");
	press(w, 'r'); /* the list, since another one must be chosen */
	wait_seen(w, "Setup › Process");
	assert_int_equal(w->n_started, 0);
}

/* Its exit is reported while the list is open. */
static void test_process_ends_in_the_list(void **state)
{
	struct world *w = *state;
	char pid[32];
	pid_t child = start_sleeper();

	snprintf(pid, sizeof(pid), "%d test", (int)child);
	press(w, 'p');
	press(w, '/');
	type(w, pid);
	press(w, K_ENTER);
	wait_seen(w, "1 of ");
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	press(w, K_ENTER); /* before or after the list is updated */
	wait_seen(w, "has ended");
	wait_seen(w, "Setup › Process");
	wait_seen(w, "no process matches");
}

#define TAG "ptui-test-hottest"

static pid_t start_script(const char *script)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execl("/bin/sh", "sh", "-c", script, TAG, NULL);
	_exit(127);
}

/* Until the cursor is moved it is on the first row: the one that is busiest now, once that is known. */
static void test_busiest_process(void **state)
{
	struct world *w = *state;
	pid_t idle =
		start_script("i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; kill -STOP $$");
	char expected[64];
	pid_t busy;

	assert_int_equal(waitpid(idle, NULL, WUNTRACED), idle);
	busy = start_script("while :; do :; done");
	press(w, 'p');
	press(w, '/');
	type(w, TAG);
	press(w, K_ENTER);
	wait_seen(w, "2 of ");
	wait_seen(w, " %"); /* read twice */
	press(w, K_ENTER);
	snprintf(expected, sizeof(expected), "-p %d", (int)busy);
	wait_seen(w, expected);
	assert_int_equal(kill(idle, SIGKILL), 0);
	assert_int_equal(kill(busy, SIGKILL), 0);
	assert_int_equal(waitpid(idle, NULL, 0), idle);
	assert_int_equal(waitpid(busy, NULL, 0), busy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)
		TEST(test_picker),
		TEST(test_picker_enter),
		TEST(test_process),
		TEST(test_process_that_ends),
		TEST(test_process_ends_in_the_list),
		TEST(test_busiest_process),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
