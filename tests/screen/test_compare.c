/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two recordings side by side, which are the same everywhere:
 *
 *		before/		after/
 *	cycles	parse	  60	  30
 *		fresh	   –	  50
 *		old	  20	   –
 *		send	  12	  15
 *		idle	   8	   5
 *	misses	parse	   3	   4
 *		send	   1	   –
 *	faults	parse	   1	   (no such event)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/recording.h"
#include "screen/steps.h"

static char folder[FOLDER_BYTES];

static void samples(struct recording *r, size_t event, const char *chain, int n)
{
	while (n--)
		recording_sample(r, event, chain, 1000000);
}

/* Each in its own directory, with its own ELF files. */
static struct recording *begin(const char *name, const char *const *events)
{
	char path[FOLDER_BYTES + 32];
	struct recording *r;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(mkdir(path, 0755), 0);
	r = recording_new(path, events);
	recording_thread(r, 4000000, 4000000, "server");
	recording_module(r, "server");
	return r;
}

static int make_recordings(void **state)
{
	static const char *const three[] = { "cycles", "misses", "faults", NULL };
	static const char *const two[] = { "cycles", "misses", NULL };
	static const char *const clock[] = { "clock", NULL };
	static const char *const precise[] = { "cpu-clock:ppp", NULL };
	static const char *const plain[] = { "cpu-clock", NULL };
	struct recording *r;

	(void)state;
	make_folder(folder);
	r = begin("other", clock);
	samples(r, 0, "main;parse", 1);
	recording_close(r);
	r = begin("precise", precise);
	samples(r, 0, "main;parse", 25);
	recording_close(r);
	r = begin("plain", plain);
	samples(r, 0, "main;parse", 50);
	recording_close(r);
	r = begin("before", three);
	samples(r, 0, "main;parse", 60);
	samples(r, 0, "main;old", 20);
	samples(r, 0, "main;send", 12);
	samples(r, 0, "main;idle", 8);
	samples(r, 1, "main;parse", 3);
	samples(r, 1, "main;send", 1);
	samples(r, 2, "main;parse", 1);
	recording_close(r);
	r = begin("after", two);
	samples(r, 0, "main;parse", 30);
	samples(r, 0, "main;work;fresh", 50);
	samples(r, 0, "main;send", 15);
	samples(r, 0, "main;idle", 5);
	samples(r, 1, "main;parse", 4);
	recording_lost(r, 7);
	recording_close(r);
	return 0;
}

static int remove_recordings(void **state)
{
	(void)state;
	recording_remove(folder);
	return 0;
}

/* From the Browser of the later one, by the path of the other. */
static struct screen *compare_both(const char *after, const char *path, int rows, int cols)
{
	const char *const args[] = { "report", "-i", after, NULL };
	const struct visit how = { .folder = folder, .args = args, .rows = rows, .cols = cols };
	struct screen *s = visit(&how);

	screen_wait(s, "of event 'c");
	check_frame(s);
	screen_keys(s, "D");
	screen_wait(s, "Compare with, newest first");
	screen_keys(s, "D");
	screen_wait(s, "recording:");
	screen_keys(s, path);
	screen_keys(s, "<Enter>");
	return s;
}

static struct screen *compare_with(const char *path, int rows, int cols)
{
	return compare_both("after/perf.data", path, rows, cols);
}

static struct screen *compare(int rows, int cols)
{
	struct screen *s = compare_with("before/perf.data", rows, cols);

	screen_wait(s, "Delta");
	check_frame(s);
	return s;
}

static void leave(struct screen *s)
{
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

static void test_sizes(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	screen_golden(s, "compare-80x24", NULL);
	screen_resize(s, 10, 40);
	screen_golden(s, "compare-40x10", NULL);
	screen_resize(s, 40, 120);
	screen_golden(s, "compare-120x40", NULL);
	screen_resize(s, 60, 200);
	screen_golden(s, "compare-200x60", NULL);
	leave(s);
}

/* Which is before and which is after is by age, and can be turned. */
static void test_swap(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	wait_cursor(s, "new   50.00%    +50.00%");
	screen_keys(s, "x");
	screen_wait(s, "after/perf.data → before/perf.data");
	wait_cursor(s, "50.00%     gone    -50.00%");
	screen_wait_row(s, 2, "before  after/perf.data");
	screen_keys(s, "x");
	wait_cursor(s, "new   50.00%    +50.00%");
	leave(s);
}

static void test_orders(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	screen_keys(s, "S");
	screen_golden(s, "compare-orders-80x24", NULL);
	screen_keys(s, "<Down><Down><Enter>");
	screen_wait(s, "decreases first");
	wait_cursor(s, "-30.00%");
	screen_keys(s, "S<End><Enter>");
	screen_wait(s, "by after");
	wait_cursor(s, "fresh");
	leave(s);
}

/* Clicks on titles sort by the column; again: in reverse. */
static void test_titles(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	screen_click(s, 4, 3);
	screen_wait(s, "Before↓");
	screen_wait(s, "by before");
	wait_cursor(s, "parse");
	screen_click(s, 4, 64);
	screen_wait(s, "Symbol↓");
	screen_wait_row(s, 5, "fresh");
	screen_wait_row(s, 6, "idle");
	screen_click(s, 4, 64);
	screen_wait(s, "Symbol↑");
	screen_wait_row(s, 5, "send");
	wait_cursor(s, "send");
	leave(s);
}

/* Three of three and one of four: not significant. */
static void test_chance(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	screen_keys(s, "<Tab>");
	screen_wait(s, "[misses]");
	screen_wait(s, "~+25.00%");
	screen_golden(s, "compare-few-80x24", NULL);
	screen_keys(s, "c");
	screen_wait(s, "Every difference may be due to chance: press c to show them.");
	screen_wait(s, "2 hidden: may be due to chance");
	screen_keys(s, "<S-Tab>");
	screen_wait(s, "[cycles]");
	wait_cursor(s, "fresh");
	screen_wait(s, "2 hidden: may be due to chance");
	assert_int_equal(screen_find(s, "idle", NULL), -1);
	screen_keys(s, "T");
	screen_wait(s, "in one of twenty pairs");
	leave(s);
}

static void test_details(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	screen_keys(s, "<Enter>");
	screen_golden(s, "compare-details-80x24", NULL);
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "Before and after");
	leave(s);
}

/* Each zoom is in the first line, and is undone separately. */
static void test_narrowed_down(void **state)
{
	struct screen *s = compare(24, 100);

	(void)state;
	screen_keys(s, "f");
	screen_wait(s, "only functions with:");
	screen_keys(s, "EN<Enter>");
	screen_wait(s, "› 'EN'");
	wait_cursor(s, "send");
	screen_wait_gone(s, "parse");
	screen_keys(s, "d");
	screen_wait(s, "› 'EN' › server");
	screen_keys(s, "k");
	screen_wait(s, "No rows are left. ESC undoes the last step.");
	screen_keys(s, "<Esc>");
	wait_cursor(s, "send");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "› server");
	/* while it counts, ESC takes back the last one */
	screen_wait_gone(s, "counting…");
	screen_keys(s, "<Esc>");
	screen_wait(s, "parse");
	screen_keys(s, "L");
	screen_wait(s, "minimum percentage:");
	screen_keys(s, "<C-u>16<Enter>");
	screen_wait(s, "2 rows below 16%");
	screen_wait_gone(s, "send");
	screen_keys(s, "L<C-u>99<Enter>");
	screen_wait(s, "All rows are below the limit: L changes it.");
	screen_keys(s, "<Esc>");
	screen_wait(s, "of event 'cycles'");
	leave(s);
}

static void test_other_keys(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	screen_keys(s, "o");
	screen_wait(s, "with children");
	screen_wait(s, "100.00%  100.00%      0.00%");
	screen_keys(s, "o");
	screen_wait(s, "self only");
	screen_keys(s, "b");
	screen_wait(s, "Sort by");
	screen_keys(s, "<End><Enter>");
	screen_wait(s, "sort by:");
	screen_keys(s, "<C-u>comm<Enter>");
	screen_wait_gone(s, "Symbol");
	wait_cursor(s, "100.00%  100.00%      0.00%");
	leave(s);
}

static void test_search(void **state)
{
	struct screen *s = compare(24, 80);

	(void)state;
	screen_keys(s, "/idl<Enter>");
	wait_cursor(s, "idle");
	screen_keys(s, "/nowhere<Enter>");
	screen_wait(s, "nowhere");
	leave(s);
}

static void test_print(void **state)
{
	static const char expected[] =
		"# before: before/perf.data, 100 samples in 99.0 ms, 100 M events\n"
		"# after: after/perf.data, 100 samples in 99.0 ms, 100 M events\n"
		"# cycles, by change, ~ may be due to chance\n"
		"#\n"
		"#  Before    After      Delta  Command  Shared Object  Symbol\n"
		"#\n"
		"      new   50.00%    +50.00%  server   server         [.] fresh\n"
		"   60.00%   30.00%    -30.00%  server   server         [.] parse\n"
		"   20.00%     gone    -20.00%  server   server         [.] old\n"
		"   12.00%   15.00%    ~+3.00%  server   server         [.] send\n"
		"    8.00%    5.00%    ~-3.00%  server   server         [.] idle\n";
	struct screen *s = compare(24, 80);
	char path[FOLDER_BYTES + 16], text[4096] = "";
	FILE *in;

	(void)state;
	screen_keys(s, "P");
	screen_wait(s, "wrote perf.hist.0");
	leave(s);
	snprintf(path, sizeof(path), "%s/perf.hist.0", folder);
	in = fopen(path, "r");
	assert_non_null(in);
	assert_true(fread(text, 1, sizeof(text) - 1, in) > 0);
	fclose(in);
	assert_string_equal(text, expected);
	assert_int_equal(unlink(path), 0);
}

/* ---- what cannot be compared ---- */

/* The functions of the first half are those of parse only. */
static void test_times_of_one(void **state)
{
	const char *const args[] = { "report", "-i", "before/perf.data", NULL };
	const struct visit how = { .folder = folder, .args = args, .rows = 24, .cols = 100 };
	struct screen *s = visit(&how);

	(void)state;
	screen_wait(s, "of event 'c");
	screen_keys(s, "D");
	screen_wait(s, "Compare with, newest first");
	screen_keys(s, "t");
	screen_wait(s, "times before and after: 0%-50%:50%-100%");
	screen_keys(s, "<C-u>0%-40%");
	screen_wait(s, "expected two ranges of time");
	screen_keys(s, ":60%-100%<Enter>");
	screen_wait(s, "0%-40% → before/perf.data 60%-100%");
	screen_wait(s, "new");
	screen_wait(s, "100.00%");
	screen_keys(s, "x");
	screen_wait(s, "60%-100% → before/perf.data 0%-40%");
	screen_wait(s, "gone");
	screen_keys(s, "q");
	screen_wait(s, "of event 'c");
	leave(s);
}

static void test_no_event_in_both(void **state)
{
	struct screen *s = compare_with("other/perf.data", 24, 100);

	(void)state;
	screen_wait(s, "No event was sampled in both. Before: clock. After: cycles, misses.");
	screen_keys(s, "<Esc>");
	screen_wait(s, "of event 'cycles'");
	leave(s);
}

/* perf's default is precise; a clock is compared with the same one, and its time shown as time. */
static void test_precise(void **state)
{
	struct screen *s = compare_both("precise/perf.data", "plain/perf.data", 24, 80);

	(void)state;
	screen_wait(s, "50 samples in 49.0 ms, 50.0 ms of CPU time");
	screen_wait(s, "25 samples in 24.0 ms, 25.0 ms of CPU time");
	screen_wait(s, "event before: cpu-clock");
	leave(s);
}

/* With itself: nothing differs, and nothing is guessed. */
static void test_with_itself(void **state)
{
	struct screen *s = compare_with("after/perf.data", 24, 80);

	(void)state;
	screen_wait(s, "50.00%   50.00%      0.00%");
	screen_keys(s, "<Esc>");
	screen_wait(s, "of event 'cycles'");
	leave(s);
}

static void test_no_recording(void **state)
{
	struct screen *s = compare_with("not-there", 24, 80);

	(void)state;
	screen_wait(s, "not-there");
	screen_wait(s, "No such file or directory");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "No such file or directory");
	screen_wait(s, "of event 'cycles'");
	leave(s);
}

/* Loading can be cancelled. */
static void test_loading_is_given_up(void **state)
{
	char path[FOLDER_BYTES + 16];
	struct screen *s;

	(void)state;
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	s = compare_with("fifo", 24, 80);
	screen_wait_row(s, 0, "loading…");
	screen_wait(s, "ESC stops loading and leaves");
	screen_keys(s, "S"); /* nothing to sort yet */
	screen_wait(s, "S has no effect here");
	screen_keys(s, "<Esc>");
	screen_wait(s, "of event 'cycles'");
	leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),	      cmocka_unit_test(test_swap),
		cmocka_unit_test(test_orders),	      cmocka_unit_test(test_titles),
		cmocka_unit_test(test_chance),	      cmocka_unit_test(test_details),
		cmocka_unit_test(test_narrowed_down), cmocka_unit_test(test_other_keys),
		cmocka_unit_test(test_search),	      cmocka_unit_test(test_print),
		cmocka_unit_test(test_times_of_one),  cmocka_unit_test(test_no_event_in_both),
		cmocka_unit_test(test_precise),	      cmocka_unit_test(test_with_itself),
		cmocka_unit_test(test_no_recording),  cmocka_unit_test(test_loading_is_given_up),
	};

	return cmocka_run_group_tests_name("screen/compare", tests, make_recordings,
					   remove_recordings);
}
