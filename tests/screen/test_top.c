/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui top` on a terminal: the Live screen with its options, and nothing is left afterwards. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "screen/scene.h"

/* The program's own files in the directory are not recordings. */
static void no_file(struct scene *s)
{
	DIR *dir = opendir(s->folder);
	struct dirent *e;

	assert_non_null(dir);
	while ((e = readdir(dir)))
		if (strstr(e->d_name, "data"))
			fail_msg("there is a file %s", e->d_name);
	closedir(dir);
}

static struct screen *top(struct scene *s, const char *const *words)
{
	scene_start(s, words);
	screen_wait_row(s->screen, 0, "Live");
	return s->screen;
}

static void test_the_whole_system(void **state)
{
	static const char *const words[] = { "top", "-F", "500", "-d", "0.2", NULL };
	struct scene *s = *state;
	struct screen *screen;
	pid_t busy = scene_busy();

	screen = top(s, words);
	screen_wait_row(screen, 0, "the whole system");
	screen_wait_row(screen, 0, "500 Hz");
	scene_await_samples(s);
	screen_wait(screen, "decay: half every 1.04 s");
	screen_wait(screen, "Shared Object");
	/* as in perf top: not by process */
	assert_int_equal(screen_find(screen, "Command", NULL), -1);
	assert_int_equal(screen_find(screen, "perf.data", NULL), -1);
	screen_keys(screen, "K");
	screen_wait(screen, "without the kernel (K)");
	/* no question: nothing would be lost */
	screen_keys(screen, "q");
	screen_wait(screen, "These samples are in no file");
	screen_keys(screen, "q");
	scene_ended(s, 0);
	no_file(s);
	kill(busy, SIGKILL);
}

static void test_effects_of_options(void **state)
{
	static char pid[16];
	static const char *const words[] = { "top", "-p", pid, "-Kznd0.2", "-s", "comm", NULL };
	struct scene *s = *state;
	struct screen *screen;
	pid_t busy = scene_busy();
	char target[32];

	snprintf(pid, sizeof(pid), "%d", (int)busy);
	snprintf(target, sizeof(target), "pid %d", (int)busy);
	screen = top(s, words);
	screen_wait_row(screen, 0, target);
	screen_wait(screen, "only since the last update (D)");
	screen_wait(screen, "without the kernel (K)");
	screen_wait(screen, "Command");
	screen_wait(screen, "Samples");
	screen_wait(screen, "test_top");
	assert_int_equal(screen_find(screen, "Shared Object", NULL), -1);
	assert_int_equal(screen_find(screen, "Symbol", NULL), -1);
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
	no_file(s);
	kill(busy, SIGKILL);
}

static void test_browses_what_is_in_memory(void **state)
{
	static char pid[16];
	static const char *const words[] = { "top", "-g", "-c", "1000000", "-p", pid, NULL };
	struct scene *s = *state;
	struct screen *screen;
	pid_t busy = scene_busy();

	snprintf(pid, sizeof(pid), "%d", (int)busy);
	screen = top(s, words);
	screen_wait_row(screen, 0, "every 1,000,000");
	scene_await_samples(s);
	screen_keys(screen, "<Enter>");
	screen_wait_row(screen, 0, "sampled data");
	screen_wait(screen, "No file was written: w saves these samples.");
	screen_wait(screen, "scene_busy");
	screen_keys(screen, "i");
	screen_wait(screen, "These samples are in no file yet: w saves them.");
	/* nothing is lost without a question */
	screen_keys(screen, "q");
	screen_wait(screen, "These samples are in no file");
	screen_keys(screen, "g");
	screen_wait_gone(screen, "These samples are in no file");
	screen_wait_row(screen, 0, "sampled data");
	no_file(s);
	screen_keys(screen, "w");
	screen_wait(screen, "save the samples as: perf.data");
	screen_keys(screen, "<C-u>mine.data<Enter>");
	screen_wait(screen, "The samples are in mine.data.");
	scene_check_file(s, "mine.data", 1);
	/* saved: no question */
	screen_keys(screen, "q");
	scene_ended(s, 0);
	assert_false(scene_has(s, "perf.data"));
	kill(busy, SIGKILL);
}

/* Two keys, as a question in between; the first of its answers loses nothing. */
static void test_leaving_saves(void **state)
{
	static char pid[16];
	static const char *const words[] = { "top", "-g", "-c", "1000000", "-p", pid, NULL };
	struct scene *s = *state;
	struct screen *screen;
	pid_t busy = scene_busy();

	snprintf(pid, sizeof(pid), "%d", (int)busy);
	screen = top(s, words);
	scene_await_samples(s);
	screen_keys(screen, "q");
	screen_wait(screen, "These samples are in no file");
	screen_keys(screen, "g");
	screen_wait_gone(screen, "These samples are in no file");
	screen_keys(screen, "q");
	screen_wait(screen, "These samples are in no file");
	screen_keys(screen, "<Enter>");
	scene_ended(s, 0);
	scene_check_file(s, "perf.data", 1);
	kill(busy, SIGKILL);
}

static void test_leaving_drops(void **state)
{
	static char pid[16];
	static const char *const words[] = { "top", "-c", "1000000", "-p", pid, NULL };
	struct scene *s = *state;
	struct screen *screen;
	pid_t busy = scene_busy();

	snprintf(pid, sizeof(pid), "%d", (int)busy);
	screen = top(s, words);
	scene_await_samples(s);
	screen_keys(screen, "q");
	screen_wait(screen, "These samples are in no file");
	screen_keys(screen, "q");
	scene_ended(s, 0);
	no_file(s);
	kill(busy, SIGKILL);
}

static void test_only_a_module(void **state)
{
	static const char *const words[] = { "top", "-F", "500", "-d0.2", "--dsos=test_top", NULL };
	struct scene *s = *state;
	struct screen *screen;
	pid_t busy = scene_busy();

	screen = top(s, words);
	screen_wait(screen, "[.] scene_busy");
	assert_int_equal(screen_find(screen, "[k]", NULL), -1);
	assert_int_equal(screen_find(screen, "libc.so", NULL), -1);
	screen_keys(screen, "q");
	screen_wait(screen, "These samples are in no file");
	screen_keys(screen, "q");
	scene_ended(s, 0);
	kill(busy, SIGKILL);
}

/* The target has exited: its samples can still be browsed. */
static void test_its_target_ends(void **state)
{
	static char pid[16];
	static const char *const words[] = { "top", "-c", "1000000", "-p", pid, NULL };
	struct scene *s = *state;
	pid_t busy = scene_busy();

	snprintf(pid, sizeof(pid), "%d", (int)busy);
	top(s, words);
	scene_await_samples(s);
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);
	screen_wait_row(s->screen, 0, "sampled data");
	screen_keys(s->screen, "q");
	screen_wait(s->screen, "These samples are in no file");
	screen_keys(s->screen, "q");
	scene_ended(s, 0);
	no_file(s);
}

static void test_a_signal(void **state)
{
	static const char *const words[] = { "top", "-F", "100", NULL };
	struct scene *s = *state;

	top(s, words);
	screen_signal(s->screen, SIGTERM);
	scene_ended_by(s, SIGTERM);
	no_file(s);
}

static void test_what_cannot_be_watched(void **state)
{
	static const char *const nobody[] = { "top", "-p", "2147483647", NULL };
	static const char *const text[] = { "top", "-E", "5", NULL };
	struct scene *s = *state;

	scene_start(s, nobody);
	screen_wait(s->screen, "ptui: top: ");
	scene_ended(s, 255);
	scene_start(s, text);
	screen_wait(s->screen, "ptui: top: -E: not supported on the screen yet");
	scene_ended(s, 129);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_set_up, scene_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(test_the_whole_system),
		SCENE(test_effects_of_options),
		SCENE(test_browses_what_is_in_memory),
		SCENE(test_leaving_saves),
		SCENE(test_leaving_drops),
		SCENE(test_only_a_module),
		SCENE(test_its_target_ends),
		SCENE(test_a_signal),
		SCENE(test_what_cannot_be_watched),
	};

	return cmocka_run_group_tests(tests, one_at_a_time, NULL);
}
