/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every way out restores the terminal; a recording leaves a file that perf and ptui read, and no
 * process.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/scene.h"

#define LOOP "sh -c 'echo $$ >pid; while :; do :; done'"
/* Ignores signals that end other commands. */
#define STUBBORN "sh -c 'trap \"\" TERM HUP INT; echo $$ >pid; while :; do :; done'"

/* By Ctrl-C, or by a signal. */
static void leave_by(struct scene *s, int sig)
{
	if (!sig) {
		screen_keys(s->screen, "<C-c>");
		scene_ended(s, 0);
	} else {
		screen_signal(s->screen, sig);
		scene_ended_by(s, sig);
	}
}

/* ---- from a recording of a command ---- */

/* Live, with samples; returns the command's pid. */
static pid_t record_command(struct scene *s, const char *line)
{
	scene_open(s);
	scene_command(s, line);
	scene_record(s);
	scene_await_samples(s);
	return scene_pid(s, "pid");
}

static void test_the_menu(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, LOOP);

	screen_keys(s->screen, "q");
	screen_wait(s->screen, "stop the command and leave");
	screen_keys(s->screen, "q");
	screen_wait_row(s->screen, 0, "Setup");
	screen_wait(s->screen, "The recording is in perf.data; the command has ended: killed by");
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
	screen_keys(s->screen, "q");
	scene_ended(s, 0);
}

static void test_stop_and_browse(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, LOOP);

	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "of event 'cpu-clock'");
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
	screen_keys(s->screen, "q");
	screen_wait_row(s->screen, 0, "Setup");
	screen_keys(s->screen, "q");
	scene_ended(s, 0);
}

static void test_ctrl_c(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, LOOP);

	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
	assert_true(screen_find(s->screen, "ptui: The recording is in perf.data; the command",
				NULL) >= 0);
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
}

static void test_ctrl_c_over_it(void **state)
{
	static const char *const over[][2] = { { "?", "Help: Live" },
					       { "o", "Output" },
					       { "/", "find:" },
					       { "q", "go on recording" } };
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(over) / sizeof(over[0]); i++) {
		char gone[PATH_MAX];
		pid_t pid = record_command(s, LOOP);

		screen_keys(s->screen, over[i][0]);
		screen_wait(s->screen, over[i][1]);
		screen_keys(s->screen, "<C-c>");
		scene_ended(s, 0);
		scene_await_gone(pid);
		scene_check_file(s, "perf.data", 1);
		snprintf(gone, sizeof(gone), "%s/pid", s->folder);
		assert_int_equal(unlink(gone), 0);
	}
}

static void signalled(struct scene *s, int sig)
{
	pid_t pid = record_command(s, LOOP);

	screen_signal(s->screen, sig);
	scene_ended_by(s, sig);
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
}

static void test_sigint(void **state)
{
	signalled(*state, SIGINT);
}

static void test_sigterm(void **state)
{
	signalled(*state, SIGTERM);
}

static void test_sighup(void **state)
{
	signalled(*state, SIGHUP);
}

static void test_hang_up(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, LOOP);
	int status;

	screen_hang_up(s->screen);
	status = screen_wait_end(s->screen);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGHUP);
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
}

/* What was written before the last flush is in the file. */
static bool has_been_synced(struct screen *s, void *ctx)
{
	(void)ctx;
	return scene_seconds(s) >= 2;
}

static pid_t record_some_seconds(struct scene *s)
{
	pid_t pid = record_command(s, LOOP);

	screen_wait_until(s->screen, has_been_synced, NULL, "two seconds have passed");
	return pid;
}

static void faults(struct scene *s, int sig)
{
	pid_t pid = record_some_seconds(s);

	screen_signal(s->screen, sig);
	scene_ended_by(s, sig);
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 100);
}

static void test_abort(void **state)
{
	faults(*state, SIGABRT);
}

static void test_fault(void **state)
{
	faults(*state, SIGSEGV);
}

static void test_sigquit(void **state)
{
	faults(*state, SIGQUIT);
}

/* SIGKILL cannot restore the terminal; file and command are as after a fault. */
static void test_sigkill(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_some_seconds(s);
	int status;

	screen_signal(s->screen, SIGKILL);
	status = screen_wait_end(s->screen);
	assert_true(WIFSIGNALED(status));
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 100);
}

/* ---- a command that ignores signals ---- */

static void test_stubborn_command_needs_a_question(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, STUBBORN);

	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "again to kill it");
	assert_true(scene_lives(pid));
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "of event 'cpu-clock'");
	scene_await_gone(pid);
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
	scene_check_file(s, "perf.data", 1);
}

static void test_stubborn_and_ctrl_c(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, STUBBORN);

	screen_keys(s->screen, "<C-c>");
	screen_wait(s->screen, "again to kill it");
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
}

static void test_stubborn_and_sigterm(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, STUBBORN);

	screen_signal(s->screen, SIGTERM);
	scene_ended_by(s, SIGTERM);
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
}

/* CPU time so far, in clock ticks; -1: exited. */
static long ticks_of(pid_t pid)
{
	unsigned long user, system;
	char path[64];
	FILE *in;
	int n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	in = fopen(path, "r");
	if (!in)
		return -1;
	n = fscanf(in, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
		   &system);
	fclose(in);
	return n == 2 ? (long)(user + system) : -1;
}

/* It waits without polling the closed terminal in a loop. */
static void test_stubborn_and_hang_up(void **state)
{
	struct scene *s = *state;
	pid_t pid = record_command(s, STUBBORN), ptui = screen_pid(s->screen);
	long before = ticks_of(ptui), now = before, last = before;
	int status;

	screen_hang_up(s->screen);
	while (now >= 0) {
		last = now;
		screen_pump(s->screen, 100);
		now = scene_lives(pid) ? ticks_of(ptui) : -1;
	}
	status = screen_wait_end(s->screen);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGHUP);
	assert_true(last - before < sysconf(_SC_CLK_TCK));
	scene_check_file(s, "perf.data", 1);
}

/* ---- recording other users' or existing processes ---- */

static void test_process_goes_on(void **state)
{
	static const char *const ways[] = { "q", "<C-c>" };
	struct scene *s = *state;
	pid_t pid = scene_busy();

	for (size_t i = 0; i < 2; i++) {
		scene_open(s);
		scene_process(s, pid);
		scene_record(s);
		scene_await_samples(s);
		screen_keys(s->screen, ways[i]);
		if (!i) {
			screen_wait_row(s->screen, 0, "Setup");
			screen_wait(s->screen, "The recording is in perf.data.");
			screen_keys(s->screen, "q");
		}
		scene_ended(s, 0);
		assert_true(scene_lives(pid));
		scene_check_file(s, "perf.data", 1);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_process_ends(void **state)
{
	struct scene *s = *state;
	pid_t pid = scene_busy();

	scene_open(s);
	scene_process(s, pid);
	scene_record(s);
	scene_await_samples(s);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	screen_wait(s->screen, "of event 'cpu-clock'");
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
	scene_check_file(s, "perf.data", 1);
}

static void test_whole_system(void **state)
{
	static const int signals[] = { 0, SIGTERM, SIGABRT };
	struct scene *s = *state;

	for (size_t i = 0; i < 3; i++) {
		scene_open(s);
		screen_keys(s->screen, "a");
		screen_wait(s->screen, "whole system");
		scene_record(s);
		scene_await_samples(s);
		assert_int_equal(screen_find(s->screen, "CPUs used", NULL), -1);
		if (signals[i] == SIGABRT)
			screen_wait_until(s->screen, has_been_synced, NULL, "two seconds");
		leave_by(s, signals[i]);
		scene_check_file(s, "perf.data", 1);
	}
}

/* ---- where nothing is recorded ---- */

static const char *const in_setup[][2] = {
	{ "", "Setup" },	   { "?", "Help: Setup" },
	{ "c", "command:" },	   { "p", "Setup › Process" },
	{ "e", "Setup › Events" },
};

static void test_setup(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGABRT, SIGINT, SIGTERM };
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(in_setup) / sizeof(in_setup[0]); i++)
		for (int signalled = 0; signalled < 2; signalled++) {
			scene_open(s);
			screen_keys(s->screen, in_setup[i][0]);
			screen_wait(s->screen, in_setup[i][1]);
			leave_by(s, signalled ? signals[i] : 0);
		}
	assert_false(scene_has(s, "perf.data"));
}

static void test_setup_hang_up(void **state)
{
	struct scene *s = *state;
	int status;

	scene_open(s);
	screen_hang_up(s->screen);
	status = screen_wait_end(s->screen);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGHUP);
}

/* The terminal is restored from the first byte on. */
static void test_killed_while_it_begins(void **state)
{
	struct scene *s = *state;
	int status;

	for (int i = 0; i < 12; i++) {
		scene_start(s, NULL);
		while (!screen_bytes(s->screen))
			screen_pump(s->screen, 1000);
		screen_signal(s->screen, SIGTERM);
		status = screen_wait_end(s->screen);
		assert_true(WIFSIGNALED(status));
		screen_check_sane(s->screen);
	}
}

/* A pipe without data: loading never ends. */
static void test_loading(void **state)
{
	static const char *const words[] = { "report", "-i", "pipe", NULL };
	static const char *const keys[] = { "<Esc>", "q", "<C-c>" };
	struct scene *s = *state;
	char path[PATH_MAX];
	int status;

	snprintf(path, sizeof(path), "%s/pipe", s->folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	for (size_t i = 0; i < 3; i++) {
		scene_start(s, words);
		screen_wait(s->screen, "waiting for the pipe");
		screen_keys(s->screen, keys[i]);
		scene_ended(s, 0);
	}
	scene_start(s, words);
	screen_wait(s->screen, "waiting for the pipe");
	screen_signal(s->screen, SIGTERM);
	scene_ended_by(s, SIGTERM);
	scene_start(s, words);
	screen_wait(s->screen, "waiting for the pipe");
	screen_hang_up(s->screen);
	status = screen_wait_end(s->screen);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGHUP);
}

static void test_browser(void **state)
{
	static const char *const words[] = { "report", NULL };
	static const char *const over[][2] = { { "", "of event 'cpu-clock'" },
					       { "?", "Help: Browser" },
					       { "/", "find:" } };
	static const int signals[] = { SIGTERM, SIGSEGV, SIGHUP };
	struct scene *s = *state;

	record_command(s, LOOP);
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
	for (size_t i = 0; i < sizeof(over) / sizeof(over[0]); i++)
		for (int signalled = 0; signalled < 2; signalled++) {
			scene_start(s, words);
			screen_wait(s->screen, "of event 'cpu-clock'");
			screen_keys(s->screen, over[i][0]);
			screen_wait(s->screen, over[i][1]);
			leave_by(s, signalled ? signals[i] : 0);
		}
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_set_up, scene_tear_down)

/* Two programs are built from this: test_ways_out, and test_ways_out_2 with the later tests. */
int main(int argc, char **argv)
{
	const struct CMUnitTest commands[] = {
		SCENE(test_the_menu),	    SCENE(test_stop_and_browse), SCENE(test_ctrl_c),
		SCENE(test_ctrl_c_over_it), SCENE(test_sigint),		 SCENE(test_sigterm),
		SCENE(test_sighup),	    SCENE(test_hang_up),	 SCENE(test_abort),
		SCENE(test_fault),	    SCENE(test_sigquit),	 SCENE(test_sigkill),
	};
	const struct CMUnitTest others[] = {
		SCENE(test_stubborn_command_needs_a_question),
		SCENE(test_stubborn_and_ctrl_c),
		SCENE(test_stubborn_and_sigterm),
		SCENE(test_stubborn_and_hang_up),
		SCENE(test_process_goes_on),
		SCENE(test_process_ends),
		SCENE(test_whole_system),
		SCENE(test_setup),
		SCENE(test_setup_hang_up),
		SCENE(test_killed_while_it_begins),
		SCENE(test_loading),
		SCENE(test_browser),
	};

	if (argc > 0 && strstr(argv[0], "_2"))
		return cmocka_run_group_tests_name("others", others, one_at_a_time, NULL);
	return cmocka_run_group_tests_name("commands", commands, NULL, NULL);
}
