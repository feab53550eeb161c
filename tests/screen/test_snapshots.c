/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flight recording of a program that does one thing, and later another (tests/screen/work.c):
 * snapshots by key, their list, each in a tab while recording continues, and what perf reads from
 * the files.
 */
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/scene.h"
#include "screen/steps.h"

/* On one CPU: one ring has all of the program's samples. It keeps about a third of a second. */
#define FLIGHT "ptui record -e cpu-clock -F 4000 --overwrite -m 16 -- ./work"
#define FLIGHT_TOLD \
	"ptui record -e cpu-clock -F 4000 --overwrite -m 16 -- sh -c 'echo $$ >pid; exec ./work'"

static void copy_work(struct scene *s)
{
	const char *top = getenv("top_builddir");
	char command[1024];

	snprintf(command, sizeof(command), "cp '%s/tests/screen/work' '%s/work'", top ? top : ".",
		 s->folder);
	assert_int_equal(system(command), 0);
}

/* From Setup, with a pasted line, to Live. */
static struct screen *start(struct scene *s, const char *line)
{
	struct screen *screen;

	copy_work(s);
	screen = scene_open(s);
	screen_keys(screen, "l");
	screen_wait(screen, "line:");
	screen_keys(screen, "<C-e><C-u>");
	screen_send(screen, line, strlen(line));
	screen_keys(screen, "<Enter>");
	screen_wait_gone(screen, "line:");
	screen_wait(screen, " -e cpu-clock ");
	scene_record(s);
	screen_wait_row(screen, 0, "REC");
	return screen;
}

static void take(struct screen *s, int number)
{
	char text[64];

	screen_keys(s, "s");
	snprintf(text, sizeof(text), "Snapshot %d (key)", number);
	screen_wait(s, text);
}

/* The program has begun with its work. */
static void await_work(struct screen *s)
{
	screen_keys(s, "o");
	screen_wait(s, "work: ");
	screen_keys(s, "q");
	screen_wait_row(s, 0, "REC");
}

/* It does the other thing, long enough for the ring to have nothing else. */
static void turn(struct screen *s)
{
	screen_keys(s, "o");
	screen_wait_row(s, 0, "Output");
	screen_keys(s, "iturn<Enter>");
	screen_wait(s, "turned long ago");
	screen_keys(s, "q");
	screen_wait_row(s, 0, "REC");
}

/* The snapshot files in order of time. */
static size_t files_of(struct scene *s, char names[8][256])
{
	char pattern[128];
	glob_t found;
	size_t n = 0;

	snprintf(pattern, sizeof(pattern), "%s/perf.data.2*", s->folder);
	if (!glob(pattern, 0, NULL, &found))
		for (; n < found.gl_pathc && n < 8; n++)
			snprintf(names[n], 256, "%s", strrchr(found.gl_pathv[n], '/') + 1);
	globfree(&found);
	return n;
}

/* How many of the samples that perf finds in the file are of this function; all of them: "". */
static long perf_samples(struct scene *s, const char *name, const char *function)
{
	char command[512], text[64];
	FILE *out;

	snprintf(command, sizeof(command),
		 "perf script -F ip,sym -i '%s/%s' 2>/dev/null | grep -c '%s'", s->folder, name,
		 *function ? function : ".");
	out = popen(command, "r");
	assert_non_null(out);
	assert_non_null(fgets(text, sizeof(text), out));
	pclose(out);
	return atol(text);
}

static bool goes_on(struct screen *s, void *ctx)
{
	return scene_seconds(s) > *(int *)ctx;
}

/* The clock of the recording, which is shown, runs. */
static void await_clock(struct screen *s)
{
	int seconds = scene_seconds(s);

	assert_true(seconds >= 0);
	screen_wait_until(s, goes_on, &seconds, "the recording goes on");
}

/* The number of the first event in Live: its scaled count, as shown. */
static const char *count_of(struct screen *s, char buf[32])
{
	int y = screen_find(s, "cpu-clock ", NULL);
	const char *row = y < 0 ? "" : screen_row(s, y), *at = strstr(row, "cpu-clock ");

	snprintf(buf, 32, "%.12s", at ? at + strlen("cpu-clock ") : "");
	return buf;
}

static bool counts_on(struct screen *s, void *ctx)
{
	char now[32];

	return *count_of(s, now) && strcmp(now, ctx);
}

/* ---- one phase a snapshot ---- */

static void test_phases(void **state)
{
	struct scene *s = *state;
	char files[8][256], count[32];
	struct screen *screen = start(s, FLIGHT);
	long all;

	await_work(screen);
	await_clock(screen);
	take(screen, 1);
	turn(screen);
	take(screen, 2);
	screen_keys(screen, "S");
	screen_wait_row(screen, 0, "Live · [Snapshots]");
	screen_wait_row(screen, 0, "2 files");
	screen_wait(screen, " paused"); /* the sentence wraps depending on its numbers */
	check_frame(screen);

	/* the one of the second phase, in a tab */
	screen_keys(screen, "<Home>n");
	screen_wait(screen, "name of #2:");
	screen_keys(screen, "later<Enter>");
	screen_wait(screen, "#2 later:");
	screen_keys(screen, "<Enter>");
	screen_wait_row(screen, 0, "Live · Snapshots · [#2 later]");
	screen_wait(screen, "of event 'cpu-clock'");
	wait_cursor(screen, "later_loop");

	/* back and forth; recording continues, and the tab is unchanged */
	screen_keys(screen, "t");
	screen_wait_row(screen, 0, " › ");
	screen_keys(screen, ">");
	screen_wait_row(screen, 0, "[Live] · Snapshots · #2 later");
	await_clock(screen);
	count_of(screen, count);
	screen_wait_until(screen, counts_on, count, "the counter goes on");
	screen_keys(screen, "<lt>");
	screen_wait_row(screen, 0, "Live · Snapshots · [#2 later]");
	screen_wait_row(screen, 0, " › ");
	wait_cursor(screen, "later_loop");
	screen_keys(screen, "<lt>");
	screen_wait_row(screen, 0, "Live · [Snapshots] · #2 later");
	await_clock(screen);

	/* the file of the first, next to it; compared with each other */
	screen_keys(screen, "*<Down><Enter>");
	screen_wait_row(screen, 0, "[#1]");
	wait_cursor(screen, "数える");
	assert_int_equal(screen_find(screen, "later_loop", NULL), -1);
	screen_keys(screen, "q");
	screen_wait_row(screen, 0, "[Snapshots] · #2 later");
	screen_keys(screen, "D");
	screen_wait_row(screen, 0, "[#1 → #2]");
	screen_wait(screen, "later_loop");
	screen_wait(screen, "数える");
	screen_keys(screen, "q");
	screen_wait_row(screen, 0, "[Snapshots]");

	assert_int_equal(files_of(s, files), 2);
	scene_check_file(s, files[0], 100);
	scene_check_file(s, files[1], 100);
	assert_true(perf_samples(s, files[0], "数える") > perf_samples(s, files[0], "") / 2);
	assert_int_equal(perf_samples(s, files[0], "later_loop"), 0);
	all = perf_samples(s, files[1], "");
	assert_true(perf_samples(s, files[1], "later_loop") > all * 9 / 10);
	assert_true(perf_samples(s, files[1], "数える\\|hot_loop\\|warm_loop") < all / 20);

	/* quitting with tabs open: the terminal is sane, and the recording's file whole */
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
	scene_check_file(s, "perf.data", 100);
}

/* ---- samples in our memory (-M) ---- */

static bool has_more(struct screen *s, void *ctx)
{
	return scene_samples(s) > *(long *)ctx;
}

/* Live keeps counting in memory while a snapshot is open. */
static void test_memory(void **state)
{
	struct scene *s = *state;
	char files[8][256];
	struct screen *screen = start(s, "ptui record -e cpu-clock -F 1000 -M 128K -- ./work");
	long samples;

	await_work(screen);
	scene_await_samples(s);
	take(screen, 1);
	samples = scene_samples(screen);
	assert_true(samples > 0);
	screen_keys(screen, "S");
	screen_wait_row(screen, 0, "1 file,");
	screen_keys(screen, "<Enter>");
	screen_wait_row(screen, 0, "Live · Snapshots · [#1]");
	/* too few samples to know the hottest function */
	screen_wait(screen, "of event 'cpu-clock'");
	screen_keys(screen, ">");
	screen_wait_row(screen, 0, "[Live] · Snapshots · #1");
	screen_wait_until(screen, has_more, &samples, "samples come");
	screen_keys(screen, "<lt>q");
	screen_wait_row(screen, 0, "[Live] · Snapshots");
	assert_int_equal(files_of(s, files), 1);
	scene_check_file(s, files[0], 1);
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
	scene_check_file(s, files[0], 1);
	scene_check_file(s, "perf.data", 1);
}

/* The browser shows what the file has, so leaving it loses nothing. */
static void test_memory_at_the_end(void **state)
{
	struct scene *s = *state;
	struct screen *screen = start(s, "ptui record -e cpu-clock -F 1000 -M 65K -- ./work");
	long samples = 3000; /* more than fit */

	await_work(screen);
	screen_wait_until(screen, has_more, &samples, "samples come");
	screen_keys(screen, "<Enter>");
	screen_wait(screen, "The memory buffer (-M) kept the last ");
	screen_wait_row(screen, 0, "perf.data");
	wait_cursor(screen, "数える");
	screen_keys(screen, "q");
	screen_wait_row(screen, 0, "Setup");
	scene_check_file(s, "perf.data", 100);
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
}

/* ---- the files ---- */

static void test_save_and_delete(void **state)
{
	struct scene *s = *state;
	char files[8][256];
	struct screen *screen = start(s, FLIGHT);

	await_work(screen);
	await_clock(screen);
	take(screen, 1);
	take(screen, 2);
	screen_keys(screen, "S");
	screen_wait_row(screen, 0, "2 files");
	assert_int_equal(files_of(s, files), 2);

	/* never overwrites a file without a question */
	screen_keys(screen, "<Home>w");
	screen_wait(screen, "save #2 as: perf.data.2");
	screen_keys(screen, "<C-u>wor<Tab><Enter>");
	screen_wait(screen, "work already exists.");
	screen_keys(screen, "n");
	screen_wait_gone(screen, "work already exists.");
	screen_keys(screen, "w");
	screen_wait(screen, "save #2 as:");
	screen_keys(screen, "<C-u>mine.data<Enter>");
	screen_wait(screen, "#2 is in mine.data now.");
	scene_check_file(s, "mine.data", 100);
	assert_int_equal(files_of(s, files), 1);

	screen_keys(screen, "<End>x");
	screen_wait(screen, "Delete #1?");
	screen_keys(screen, "<Esc>");
	screen_wait_gone(screen, "Delete #1?");
	assert_int_equal(files_of(s, files), 1);
	screen_keys(screen, "x");
	screen_wait(screen, "Delete #1?");
	screen_keys(screen, "y");
	screen_wait_row(screen, 0, "1 file,");
	assert_int_equal(files_of(s, files), 0);

	/* the list stays after the recording, next to the Browser */
	screen_keys(screen, "<lt>");
	screen_wait_row(screen, 0, "[Live]");
	screen_keys(screen, "<Enter>");
	screen_wait_row(screen, 0, "Snapshots · [perf.data]");
	screen_wait(screen, "of event 'cpu-clock'");
	screen_keys(screen, "<lt>");
	screen_wait_row(screen, 0, "[Snapshots]");
	screen_wait(screen, "#2: ");
	screen_keys(screen, "s");
	screen_wait(screen, "snapshots can no longer be taken");
	screen_keys(screen, "<Enter>");
	screen_wait_row(screen, 0, "[#2]");
	wait_cursor(screen, "数える");
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
	scene_check_file(s, "mine.data", 100);
}

/* ---- the recording ends while another tab is in front ---- */

static void test_end_behind(void **state)
{
	struct scene *s = *state;
	struct screen *screen = start(s, FLIGHT_TOLD);

	await_work(screen);
	await_clock(screen);
	take(screen, 1);
	screen_keys(screen, "o");
	screen_wait_row(screen, 0, "Output");
	screen_keys(screen, "q");
	screen_keys(screen, "S");
	screen_wait_row(screen, 0, "[Snapshots]");
	screen_keys(screen, "<Enter>");
	screen_wait_row(screen, 0, "[#1]");
	wait_cursor(screen, "数える");
	assert_int_equal(kill(scene_pid(s, "pid"), SIGTERM), 0);
	screen_wait(screen, "The recording has ended.");
	screen_wait_row(screen, 0, "Live · Snapshots · [#1]");
	wait_cursor(screen, "数える");
	screen_keys(screen, ">");
	screen_wait_row(screen, 0, "✓ ended");
	screen_keys(screen, "<Enter>");
	screen_wait_row(screen, 0, "Snapshots · #1 · [perf.data]");
	screen_keys(screen, "q");
	screen_wait_row(screen, 0, "Snapshots");
	screen_keys(screen, "q");
	screen_wait_row(screen, 0, "Snapshots");
	screen_keys(screen, "q");
	screen_wait_row(screen, 0, "Setup");
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
}

/* ---- nothing to list ---- */

static void test_empty(void **state)
{
	static const char *const masks[] = { "[0-9]{2}:[0-9]{2}", NULL };
	struct scene *s = *state;
	struct screen *screen = start(s, FLIGHT);

	screen_keys(screen, "S");
	screen_golden(screen, "snapshots-empty-80x24", masks);
	screen_keys(screen, "s");
	screen_wait_row(screen, 0, "1 file,");
	screen_keys(screen, "xy");
	screen_wait_gone(screen, "1 file,");
	screen_wait(screen, "No snapshots left: press s to take one.");
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
}

static void test_cannot(void **state)
{
	static const char *const masks[] = { "[0-9]{2}:[0-9]{2}", NULL };
	struct scene *s = *state;
	struct screen *screen = start(s, "ptui record -e cpu-clock -- ./work");

	screen_keys(screen, "S");
	screen_golden(screen, "snapshots-cannot-80x24", masks);
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_phases, scene_set_up, scene_tear_down),
		cmocka_unit_test_setup_teardown(test_memory, scene_set_up, scene_tear_down),
		cmocka_unit_test_setup_teardown(test_memory_at_the_end, scene_set_up,
						scene_tear_down),
		cmocka_unit_test_setup_teardown(test_save_and_delete, scene_set_up,
						scene_tear_down),
		cmocka_unit_test_setup_teardown(test_end_behind, scene_set_up, scene_tear_down),
		cmocka_unit_test_setup_teardown(test_empty, scene_set_up, scene_tear_down),
		cmocka_unit_test_setup_teardown(test_cannot, scene_set_up, scene_tear_down),
	};

	setenv("WORK_ONE_CPU", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
