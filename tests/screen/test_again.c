/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live: choosing other events while recording, and recording again with them. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/scene.h"

/* Prints a line each time that it starts. */
#define COMMAND "sh -c 'echo $$ >>pids; while :; do :; done'"

/* In Live, with samples. */
static void record_command(struct scene *s, const char *command)
{
	scene_open(s);
	scene_events(s, "cpu-clock");
	scene_command(s, command);
	scene_record(s);
	scene_await_samples(s);
}

/* The same without unwound stacks, and higher: the trust line is longer. */
static void record_without_unwinding(struct scene *s)
{
	s->rows = 40;
	s->cols = 120;
	scene_open(s);
	scene_events(s, "cpu-clock");
	scene_command(s, COMMAND);
	screen_keys(s->screen, "g");
	screen_wait_gone(s->screen, "dwarf,live");
	scene_record(s);
	scene_await_samples(s);
}

/* From Live to the report. */
static void stop_recording(struct scene *s)
{
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "of event 'cpu-clock'");
}

static void end(struct scene *s)
{
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
}

static void check_both_files(struct scene *s)
{
	scene_check_file(s, "perf.data", 1);
	scene_check_file(s, "perf.data.old", 1);
}

/* From Live: adds page-faults. */
static void add_faults(struct scene *s)
{
	screen_keys(s->screen, "r");
	screen_wait_row(s->screen, 0, "Live › Events");
	screen_keys(s->screen, "/");
	screen_keys(s->screen, "page-faults<Enter>");
	screen_wait_row(s->screen, 0, "/ page-faults");
	screen_wait(s->screen, "[ ] page-faults");
	screen_keys(s->screen, "<Space>");
	screen_wait(s->screen, "[x] page-faults");
	screen_keys(s->screen, "<Enter>");
}

static void await_faults(struct scene *s)
{
	screen_wait_row(s->screen, 0, " Live  ");
	screen_wait(s->screen, "▸ cpu-clock");
	screen_wait(s->screen, "  page-faults");
	scene_await_samples(s);
}

static size_t count_lines(struct scene *s, const char *name)
{
	size_t n = 0;

	for (const char *at = scene_text(s, name); (at = strchr(at, '\n')); at++)
		n++;
	return n;
}

/* Its page faults come before its first line. */
static bool began_twice(struct screen *screen, void *ctx)
{
	struct scene *s = ctx;

	(void)screen;
	return count_lines(s, "pids") == 2;
}

static void test_a_command(void **state)
{
	struct scene *s = *state;

	record_command(s, COMMAND);
	/* looking changes nothing */
	screen_keys(s->screen, "r");
	screen_wait_row(s->screen, 0, "Live › Events");
	screen_wait(s->screen, "[x] cpu-clock");
	screen_keys(s->screen, "<Esc>");
	screen_wait_row(s->screen, 0, "Live  ");
	assert_int_equal(count_lines(s, "pids"), 1);
	assert_int_equal(screen_find(s->screen, "page-faults", NULL), -1);
	add_faults(s);
	await_faults(s);
	screen_wait_until(s->screen, began_twice, s, "the command begins again");
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "The previous recording is in perf.data.old: press D to compare.");
	screen_wait(s->screen, "of event 'cpu-clock'");
	/* Setup has them as well */
	screen_keys(s->screen, "r");
	screen_wait_row(s->screen, 0, "Setup");
	screen_wait(s->screen, "-e page-faults --");
	end(s);
	check_both_files(s);
}

/* The first recording exists, and is compared with the key from the message. */
static void test_compared(void **state)
{
	struct scene *s = *state;

	record_command(s, COMMAND);
	add_faults(s);
	await_faults(s);
	stop_recording(s);
	screen_keys(s->screen, "D");
	screen_wait(s->screen, "  perf.data.old  ");
	assert_true(screen_find(s->screen, "  perf.data  ", NULL) < 0); /* not with itself */
	screen_keys(s->screen, "D");
	screen_wait(s->screen, "recording:");
	screen_keys(s->screen, "perf.data.old<Enter>");
	screen_wait_row(s->screen, 0, "Compare  ");
	screen_wait_row(s->screen, 2, "before  perf.data.old");
	screen_wait_row(s->screen, 3, "after   perf.data ");
	screen_wait(s->screen, "only after: page-faults");
	end(s);
}

/* A process continues; only the events change. */
static void test_a_process(void **state)
{
	struct scene *s = *state;
	pid_t pid = scene_busy();

	scene_open(s);
	scene_events(s, "cpu-clock");
	scene_process(s, pid);
	scene_record(s);
	scene_await_samples(s);
	add_faults(s);
	screen_wait(s->screen, "▸ cpu-clock");
	screen_wait(s->screen, "  page-faults");
	scene_await_samples(s);
	assert_true(scene_lives(pid));
	stop_recording(s);
	assert_true(scene_lives(pid));
	kill(pid, SIGKILL);
	scene_await_gone(pid);
	end(s);
	check_both_files(s);
}

static void write_script(struct scene *s, const char *name)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs("#!/bin/sh\nwhile :; do :; done\n", out) >= 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

/* The error is shown over Setup, and the first recording is unchanged. */
static void test_cannot_be_started(void **state)
{
	struct scene *s = *state;
	char path[PATH_MAX];

	write_script(s, "w");
	record_command(s, "./w");
	snprintf(path, sizeof(path), "%s/w", s->folder);
	assert_int_equal(unlink(path), 0);
	add_faults(s);
	screen_wait(s->screen, "─ Error ─");
	screen_wait(s->screen, "cannot run ./w: No such file or directory");
	screen_wait_row(s->screen, 0, "Setup");
	screen_wait(s->screen, "The previous recording is in perf.data.");
	screen_keys(s->screen, "<Esc>");
	screen_wait_gone(s->screen, "─ Error ─");
	end(s);
	scene_check_file(s, "perf.data", 1);
}

/* The command exits while events are chosen: nothing is lost, and it runs again. */
static void test_ends_meanwhile(void **state)
{
	struct scene *s = *state;

	record_command(s, COMMAND);
	screen_keys(s->screen, "r");
	screen_wait_row(s->screen, 0, "Live › Events");
	assert_int_equal(kill(scene_pid(s, "pids"), SIGKILL), 0);
	screen_wait(s->screen, "The recording has ended.");
	screen_keys(s->screen, "<Esc>");
	screen_wait_row(s->screen, 0, "killed by signal 9");
	add_faults(s);
	await_faults(s);
	end(s);
	check_both_files(s);
}

/*
 * From the trust line of Live: the same again with unwound stacks. The shell is built without frame
 * pointers.
 */
static void test_unwound_in_live(void **state)
{
	struct scene *s = *state;

	record_without_unwinding(s);
	screen_wait(s->screen, "! stacks reach start 0%");
	screen_keys(s->screen, "T");
	screen_wait(s->screen, "(r) record again with unwound stacks");
	screen_keys(s->screen, "r");
	screen_wait_until(s->screen, began_twice, s, "the command begins again");
	scene_await_samples(s);
	stop_recording(s);
	screen_wait(s->screen, "stacks reach start 100%");
	assert_int_equal(screen_find(s->screen, "unwinds them", NULL), -1);
	end(s);
}

/* From a recording alone: Setup is like it, but for the stacks. */
static void test_unwound_in_the_browser(void **state)
{
	static const char *const report[] = { "report", NULL };
	struct scene *s = *state;

	record_without_unwinding(s);
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "r unwinds them");
	screen_keys(s->screen, "r"); /* Setup is there already */
	screen_wait_row(s->screen, 0, "Setup");
	screen_wait(s->screen, "set up to record again with unwound stacks; u undoes it");
	screen_wait(s->screen, "dwarf,live");
	/* something else in Setup: the recording is what counts */
	screen_keys(s->screen, "a");
	screen_wait(s->screen, "until you stop it");
	end(s);
	scene_start(s, report);
	screen_wait(s->screen, "r unwinds them");
	screen_keys(s->screen, "T");
	screen_wait(s->screen, "(r) record again with unwound stacks");
	screen_keys(s->screen, "r");
	screen_wait_row(s->screen, 0, "Setup");
	screen_wait(s->screen, "dwarf,live");
	screen_wait(s->screen, "-e cpu-clock");
	screen_wait(s->screen, "sh -c 'echo $$ >>pids; while :; do :; done'");
	screen_keys(s->screen, "r");
	screen_wait_row(s->screen, 0, "● REC");
	scene_await_samples(s);
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "stacks reach start 100%");
	end(s);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_set_up, scene_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(test_a_command),
		SCENE(test_compared),
		SCENE(test_a_process),
		SCENE(test_cannot_be_started),
		SCENE(test_ends_meanwhile),
		SCENE(test_unwound_in_live),
		SCENE(test_unwound_in_the_browser),
	};

	return cmocka_run_group_tests_name("screen/again", tests, NULL, NULL);
}
