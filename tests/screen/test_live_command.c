/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of a recorded command, its possible ends, and what follows. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/scene.h"

/* Less than 22 events need on two CPUs, more than Setup needs while it tries events. */
#define FEW_FILES 48
#define WORK	  "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; "

/* From Setup to Live, until the recording has data. */
static void record(struct scene *s, const char *line)
{
	scene_command(s, line);
	scene_record(s);
}

static void leave(struct scene *s)
{
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
}

/* ---- how it ends ---- */

/* It stays on the screen until it was seen, and is browsed then. */
static void ends_badly(struct scene *s, const char *line, const char *told)
{
	scene_open(s);
	record(s, line);
	screen_wait_row(s->screen, 0, told);
	screen_wait(s->screen, "The recording has ended.");
	assert_non_null(strstr(screen_row(s->screen, 0), "✓ ended"));
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "of event 'cpu-clock'");
	leave(s);
	scene_check_file(s, "perf.data", 1);
}

static void test_crashes(void **state)
{
	ends_badly(*state, "sh -c '" WORK "kill -SEGV $$'", "killed by signal 11");
}

static void test_aborts(void **state)
{
	ends_badly(*state, "sh -c '" WORK "kill -ABRT $$'", "killed by signal 6");
}

static void test_exits_3(void **state)
{
	ends_badly(*state, "sh -c '" WORK "exit 3'", "exit 3");
}

static void test_is_killed(void **state)
{
	struct scene *s = *state;

	scene_open(s);
	record(s, "sh -c 'echo $$ >pid; while :; do :; done'");
	scene_await_samples(s);
	assert_int_equal(kill(scene_pid(s, "pid"), SIGKILL), 0);
	screen_wait_row(s->screen, 0, "killed by signal 9");
	leave(s);
	scene_check_file(s, "perf.data", 1);
}

static void test_goes_well(void **state)
{
	struct scene *s = *state;

	scene_open(s);
	record(s, "sh -c '" WORK "'");
	screen_wait(s->screen, "of event 'cpu-clock'");
	leave(s);
	scene_check_file(s, "perf.data", 1);
}

static void test_ends_at_once_without_a_sample(void **state)
{
	struct scene *s = *state;

	scene_open(s);
	scene_events(s, "alignment-faults");
	record(s, "true");
	screen_wait(s->screen, "The recording has ended.");
	screen_wait(s->screen, "No samples were taken.");
	screen_keys(s->screen, "<Enter>");
	screen_wait_row(s->screen, 0, "perf.data");
	leave(s);
	scene_check_file(s, "perf.data", 0);
}

/* Nothing was started: the old recording is unchanged. */
static void test_cannot_be_run(void **state)
{
	struct scene *s = *state;
	char path[PATH_MAX];
	struct stat before, after;

	scene_open(s);
	record(s, "sh -c '" WORK "'");
	screen_wait(s->screen, "of event 'cpu-clock'");
	screen_keys(s->screen, "q");
	screen_wait_row(s->screen, 0, "Setup");
	snprintf(path, sizeof(path), "%s/perf.data", s->folder);
	assert_int_equal(stat(path, &before), 0);
	scene_command(s, "./not-there");
	screen_wait(s->screen, "cannot run ./not-there: No such file or directory");
	screen_keys(s->screen, "r");
	screen_wait(s->screen, "──┐");
	screen_wait(s->screen, "cannot run ./not-there: No such file or directory");
	screen_keys(s->screen, "<Esc>");
	screen_wait_gone(s->screen, "──┐");
	leave(s);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_false(scene_has(s, "perf.data.old"));
}

static void test_a_process_that_is_gone(void **state)
{
	struct scene *s = *state;
	pid_t pid = scene_busy();

	scene_open(s);
	scene_process(s, pid);
	kill(pid, SIGKILL);
	while (scene_lives(pid))
		waitpid(pid, NULL, 0);
	screen_keys(s->screen, "r");
	screen_wait(s->screen, "has ended");
	screen_keys(s->screen, "<Esc>");
	screen_wait_row(s->screen, 0, "ptui  Setup");
	assert_false(scene_has(s, "perf.data"));
	leave(s);
}

/* Reported before the start, and nothing runs if it is started anyway. */
static void test_output_that_cannot_be_written(void **state)
{
	struct scene *s = *state;

	scene_open(s);
	scene_command(s, "sh -c 'echo ran >ran'");
	screen_keys(s->screen, "o");
	screen_wait(s->screen, "output file:");
	screen_keys(s->screen, "<C-e><C-u>/proc/perf.data<Enter>");
	screen_wait(s->screen, "cannot create a file in the directory of /proc/perf.data");
	screen_keys(s->screen, "r");
	screen_wait(s->screen, "cannot create /proc/perf.data");
	leave(s);
	assert_false(scene_has(s, "ran"));
}

static int paused_seconds(struct screen *screen)
{
	const char *at = strstr(screen_row(screen, 0), "paused ");
	int minutes, seconds;

	if (!at || sscanf(at, "paused %d:%d", &minutes, &seconds) != 2)
		return -1;
	return minutes * 60 + seconds;
}

struct still {
	long samples;
	int since; /* seconds of the pause */
};

/* For two seconds of its clock, as many samples as before. */
static bool is_still(struct screen *screen, void *ctx)
{
	struct still *still = ctx;
	long samples = scene_samples(screen);
	int now = paused_seconds(screen);

	if (samples != still->samples)
		*still = (struct still){ .samples = samples, .since = now };
	return now >= still->since + 2;
}

static bool goes_on(struct screen *screen, void *ctx)
{
	(void)ctx;
	return scene_seconds(screen) >= 0;
}

/* Nothing is counted meanwhile; the command continues. */
static void test_pause(void **state)
{
	struct scene *s = *state;
	pid_t pid;
	struct still still = { .samples = -1 };

	scene_open(s);
	record(s, "sh -c 'echo $$ >pid; while :; do :; done'");
	pid = scene_pid(s, "pid");
	scene_await_samples(s);
	screen_keys(s->screen, "<Space>");
	screen_wait_row(s->screen, 0, "⏸ paused");
	/* samples already in the rings arrive, and are unwound; after them none */
	screen_wait(s->screen, "  0 ns/s");
	screen_wait_until(s->screen, is_still, &still, "no more samples, and the clock goes on");
	assert_true(scene_lives(pid));
	screen_keys(s->screen, "<Space>");
	screen_wait_until(s->screen, goes_on, NULL, "it records again");
	leave(s);
	scene_await_gone(pid);
	scene_check_file(s, "perf.data", 1);
}

/* ---- again ---- */

static void test_twice(void **state)
{
	struct scene *s = *state;

	scene_open(s);
	for (int i = 0; i < 2; i++) {
		record(s, i ? "sh -c 'sleep 0; " WORK "'" : "sh -c '" WORK "'");
		screen_wait(s->screen, "of event 'cpu-clock'");
		screen_keys(s->screen, "q");
		screen_wait_row(s->screen, 0, "Setup");
	}
	leave(s);
	scene_check_file(s, "perf.data", 1);
	scene_check_file(s, "perf.data.old", 1);
}

/* ---- what it finds ---- */

static int remove_file(struct scene *s, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	return unlink(path);
}

/* ptui must raise its own limit of files; the command keeps the original one. */
static void test_limits(void **state)
{
	struct scene *s = *state;
	struct rlimit before, few;
	char line[128], path[64];
	FILE *in;
	unsigned long soft = 0, hard = 0;

	need("root");
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ FEW_FILES, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	scene_open(s);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	scene_events(
		s, "cpu-clock,task-clock,page-faults,cs,migrations,minor-faults,major-faults,"
		   "alignment-faults,emulation-faults,cpu-clock:u,task-clock:u,page-faults:u,cs:u,"
		   "migrations:u,minor-faults:u,major-faults:u,alignment-faults:u,"
		   "emulation-faults:u,cpu-clock:k,task-clock:k,page-faults:k,cs:k");
	for (int i = 0; i < 2; i++) {
		record(s, "sh -c 'ulimit -n >>limits; echo >now; read line; " WORK "'");
		scene_text(s, "now");
		snprintf(path, sizeof(path), "/proc/%d/limits", (int)screen_pid(s->screen));
		in = fopen(path, "r");
		assert_non_null(in);
		while (fgets(line, sizeof(line), in))
			sscanf(line, "Max open files %lu %lu", &soft, &hard);
		fclose(in);
		assert_true(soft == hard && soft > FEW_FILES);
		screen_keys(s->screen, "o");
		screen_wait_row(s->screen, 0, "Output");
		screen_keys(s->screen, "i");
		screen_wait(s->screen, "type:");
		screen_keys(s->screen, "on<Enter><Esc>");
		screen_wait(s->screen, "of event 'cpu-clock'");
		screen_keys(s->screen, "q");
		screen_wait_row(s->screen, 0, "Setup");
		assert_int_equal(remove_file(s, "now"), 0);
	}
	assert_string_equal(scene_text(s, "limits"), "48\n48\n");
	leave(s);
}

static bool has_second_line(struct screen *screen, void *ctx)
{
	const char *text = scene_text(ctx, "size");

	(void)screen;
	return strchr(strchr(text, '\n') + 1, '\n') != NULL;
}

/* Its terminal has the room that its output has on the screen, from the start on. */
static void test_size(void **state)
{
	struct scene *s = *state;

	s->rows = 30;
	s->cols = 100;
	scene_open(s);
	record(s, "sh -c 'trap \"stty size >>size\" WINCH; stty size >size; while :; do :; done'");
	assert_string_equal(scene_text(s, "size"), "26 100\n");
	scene_await_samples(s);
	screen_resize(s->screen, 20, 60);
	screen_wait_until(s->screen, has_second_line, s, "the command hears of the new size");
	assert_string_equal(scene_text(s, "size"), "26 100\n16 60\n");
	leave(s);
}

/* Changes of its terminal do not affect ptui. */
static void test_changes_its_terminal(void **state)
{
	struct scene *s = *state;

	scene_open(s);
	record(s, "sh -c 'stty raw -echo -isig; printf \"\\033[?1049h\\033[31mhello\"; echo >now;"
		  " while :; do :; done'");
	scene_text(s, "now");
	scene_await_samples(s);
	screen_keys(s->screen, "o");
	screen_wait(s->screen, "hello");
	leave(s);
	scene_check_file(s, "perf.data", 1);
}

/* An interactive shell with jobs, which ignores SIGTERM. */
static void test_a_shell(void **state)
{
	struct scene *s = *state;
	pid_t pid, job;

	scene_open(s);
	record(s, "bash --norc --noprofile -i");
	screen_keys(s->screen, "o");
	screen_wait_row(s->screen, 0, "Output");
	screen_keys(s->screen, "i");
	screen_wait(s->screen, "type:");
	screen_keys(s->screen, "set -m; (while :; do :; done) & echo $! >job; echo $$ >pid<Enter>");
	job = scene_pid(s, "job");
	pid = scene_pid(s, "pid");
	screen_keys(s->screen, "<Esc>");
	screen_wait_row(s->screen, 0, "Live");
	scene_await_samples(s);
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "of event 'cpu-clock'");
	scene_await_gone(pid);
	scene_await_gone(job);
	leave(s);
	scene_check_file(s, "perf.data", 1);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_set_up, scene_tear_down)

/* ---- record --tui ---- */

/* Live at once, with that command line; then the Browser, and the file. */
static void test_record_tui(void **state)
{
	static const char *const words[] = {
		"record", "--tui", "-F333", "-gomy.data", "sh", "-c", "while :; do :; done", NULL
	};
	struct scene *s = *state;

	scene_start(s, words);
	screen_wait_row(s->screen, 0, "Live  sh -c");
	screen_wait_row(s->screen, 0, "REC");
	scene_await_samples(s);
	screen_keys(s->screen, "Y");
	screen_wait(s->screen, "record --tui -F333");
	assert_string_equal(strchr(screen_clipboard(s->screen), ' '),
			    " record --tui -F333 -gomy.data sh -c 'while :; do :; done'");
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "of event 'c");
	/* the same line again, from the recording's header */
	screen_keys(s->screen, "i");
	screen_wait(s->screen, "The recording");
	screen_keys(s->screen, "<Esc>");
	screen_wait_gone(s->screen, "─ The recording");
	screen_keys(s->screen, "q");
	screen_wait(s->screen, "The recording is in my.data.");
	scene_ended(s, 0);
	scene_check_file(s, "my.data", 1);
}

/* A perf map that the command wrote when it exited, as Java does: the Browser has its names. */
static void test_record_tui_late_map(void **state)
{
	static char line[4096];
	static const char *const words[] = { "record", "--tui", "-F999", "-e", "cpu-clock:u",
					     "sh",     "-c",	line,	 NULL };
	struct scene *s = *state;
	char map[64];

	snprintf(line, sizeof(line), "echo $$ >pid; exec %s/tests/cli/jit exit /tmp/perf-$$.map",
		 getenv("top_builddir"));
	scene_start(s, words);
	screen_wait(s->screen, "[.] at_exit");
	screen_wait_row(s->screen, 0, "✓ loaded");
	snprintf(map, sizeof(map), "/tmp/perf-%d.map", (int)scene_pid(s, "pid"));
	assert_int_equal(unlink(map), 0);
	screen_keys(s->screen, "q");
	scene_ended(s, 0);
}

/* Leaving Live keeps the file as well, and it is said where it is. */
static void test_record_tui_leave(void **state)
{
	static const char *const words[] = { "record", "--tui", "-F333",
					     "sh",     "-c",	"while :; do :; done",
					     NULL };
	struct scene *s = *state;

	scene_start(s, words);
	screen_wait_row(s->screen, 0, "Live  sh -c");
	scene_await_samples(s);
	screen_keys(s->screen, "q");
	screen_wait(s->screen, "go on recording");
	screen_keys(s->screen, "q");
	screen_wait(s->screen, "The recording is in perf.data");
	scene_ended(s, 0);
	scene_check_file(s, "perf.data", 1);
}

/* It cannot be started: the reason is printed. */
static void test_record_tui_fails(void **state)
{
	static const char *const words[] = { "record", "--tui", "./no-such-program", NULL };
	struct scene *s = *state;

	scene_start(s, words);
	screen_wait(s->screen, "no-such-program");
	scene_ended(s, 255);
	assert_false(scene_has(s, "perf.data"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(test_crashes),
		SCENE(test_aborts),
		SCENE(test_exits_3),
		SCENE(test_is_killed),
		SCENE(test_goes_well),
		SCENE(test_ends_at_once_without_a_sample),
		SCENE(test_cannot_be_run),
		SCENE(test_a_process_that_is_gone),
		SCENE(test_output_that_cannot_be_written),
		SCENE(test_pause),
		SCENE(test_twice),
		SCENE(test_limits),
		SCENE(test_size),
		SCENE(test_changes_its_terminal),
		SCENE(test_a_shell),
		SCENE(test_record_tui),
		SCENE(test_record_tui_late_map),
		SCENE(test_record_tui_leave),
		SCENE(test_record_tui_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
