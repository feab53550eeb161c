/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui report` on a terminal, with a recording that is the same everywhere:
 *
 *	cycles	main;serve;parse;eval	40	main;serve;parse;lex	20
 *		main;serve;send		25	main;idle		15
 *	misses	main;serve;send		 3	main;serve;parse;lex	 1
 *	faults	(none)
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/need.h"
#include "screen/recording.h"
#include "screen/steps.h"

static char folder[FOLDER_BYTES], empty_folder[FOLDER_BYTES], gone_folder[FOLDER_BYTES];

static const char *const events[] = { "cycles", "faults", "misses", NULL };

/* Not closed yet. */
static struct recording *make_one(const char *where)
{
	struct recording *r = recording_new(where, events);
	int i;

	recording_thread(r, 4000000, 4000000, "server");
	recording_module(r, "server");
	for (i = 0; i < 5; i++) {
		recording_sample(r, 0, "main;serve;parse;eval", 8000000);
		recording_sample(r, 0, "main;serve;parse;lex", 4000000);
		recording_sample(r, 0, "main;idle", 3000000);
		recording_module(r, "libsend.so");
		recording_sample(r, 0, "main;serve;send", 5000000);
	}
	recording_sample(r, 2, "main;serve;send", 3000);
	recording_sample(r, 2, "main;serve;parse;lex", 1000);
	return r;
}

/* libgone.so does not exist any more, and libold.so is another file than the recorded one. */
static void make_gone(void)
{
	char gone[FOLDER_BYTES + 32], other[FOLDER_BYTES + 32], old[FOLDER_BYTES + 32];
	struct recording *r;

	make_folder(gone_folder);
	r = recording_new(gone_folder, events);
	recording_thread(r, 4000000, 4000000, "server");
	recording_module(r, "server");
	recording_sample(r, 0, "main;serve;parse;eval", 8000000);
	recording_module(r, "libgone.so");
	recording_sample(r, 0, "send", 5000000);
	recording_module(r, "libold.so");
	recording_sample(r, 0, "recv", 3000000);
	recording_module(r, "libother.so");
	recording_sample(r, 0, "other", 4000000);
	recording_close(r);
	snprintf(gone, sizeof(gone), "%s/libgone.so", gone_folder);
	snprintf(other, sizeof(other), "%s/libother.so", gone_folder);
	snprintf(old, sizeof(old), "%s/libold.so", gone_folder);
	assert_int_equal(unlink(gone), 0);
	assert_int_equal(unlink(old), 0);
	assert_int_equal(link(other, old), 0);
}

static int make_recordings(void **state)
{
	struct recording *r;

	(void)state;
	make_folder(folder);
	recording_close(make_one(folder));
	make_gone();
	make_folder(empty_folder);
	r = recording_new(empty_folder, events);
	recording_thread(r, 4000000, 4000000, "server");
	recording_close(r);
	return 0;
}

static int remove_recordings(void **state)
{
	(void)state;
	recording_remove(folder);
	recording_remove(empty_folder);
	recording_remove(gone_folder);
	return 0;
}

static struct screen *browse(int rows, int cols)
{
	const struct visit how = { .folder = folder, .rows = rows, .cols = cols };
	struct screen *s = visit_report(&how);

	wait_cursor(s, "main");
	return s;
}

static void test_a_visit(void **state)
{
	struct screen *s = browse(0, 0);

	(void)state;
	screen_keys(s, "<Enter>");
	wait_cursor(s, "-");
	screen_keys(s, "/");
	screen_wait(s, "find:");
	screen_keys(s, "nowhere to be found<Enter>");
	screen_wait(s, "nowhere to be found");
	screen_wait_gone(s, "find:");
	screen_keys(s, "o"); /* without main, which has all of it */
	screen_wait(s, "Overhead");
	screen_keys(s, "L");
	screen_wait(s, "minimum percentage:");
	screen_keys(s, "<C-u>50<Enter>");
	screen_wait(s, "All rows are below the limit");
	screen_keys(s, "L");
	screen_wait(s, "minimum percentage:");
	screen_keys(s, "<C-u>7x<Enter>");
	screen_wait(s, "'7x' is not a percentage");
	screen_keys(s, "T");
	screen_wait(s, "Data quality");
	screen_keys(s, "q");
	screen_wait_gone(s, "Data quality");
	screen_keys(s, "S");
	screen_wait(s, "Sort by");
	screen_keys(s, "q");
	screen_wait_gone(s, "Sort by");
	screen_keys(s, "q");
	finish(s, 0);
}

/* The picture of each size, and what small ones hide. */
static void test_sizes(void **state)
{
	static const char *const masks[] = { "/tmp/[^/]*/", NULL }; /* paths of modules */
	struct screen *s = browse(24, 80);

	(void)state;
	screen_golden(s, "browser-80x24", NULL);
	screen_keys(s, "e");
	screen_golden(s, "browser-open-80x24", NULL);
	screen_resize(s, 10, 40);
	screen_golden(s, "browser-open-40x10", NULL);
	screen_resize(s, 40, 120);
	screen_golden(s, "browser-open-120x40", masks);
	screen_resize(s, 60, 200);
	screen_golden(s, "browser-open-200x60", masks);
	screen_resize(s, 24, 80);
	screen_golden(s, "browser-open-80x24", NULL);
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/*
 * serve() is in 85 of 100, and calls parse() in 60 and send() in 25 of them: the rest is in
 * test_butterfly of unit/profile.
 */
static void test_butterfly(void **state)
{
	struct screen *s = browse(0, 0);

	(void)state;
	screen_keys(s, "<Home><Down>B");
	screen_wait_row(s, 0, "perf.data › Butterfly › serve");
	wait_cursor(s, "100.00%    85.00%  function");
	screen_golden(s, "butterfly-80x24", NULL);
	screen_resize(s, 50, 160);
	screen_golden(s, "butterfly-160x50", NULL);
	screen_resize(s, 10, 40);
	screen_golden(s, "butterfly-40x10", NULL);
	screen_resize(s, 24, 80);
	/* a caller becomes the centre, and back, with the cursor where it was */
	screen_keys(s, "<Up><Enter>");
	screen_wait_row(s, 0, "› Butterfly › main");
	wait_cursor(s, "100.00%   100.00%  function");
	screen_wait(s, "85.00%    85.00%  callee     server         serve");
	screen_keys(s, "<Enter>");
	screen_wait(s, "This is the function itself");
	screen_keys(s, "<BS>");
	screen_wait_row(s, 0, "› Butterfly › serve");
	wait_cursor(s, "100.00%    85.00%  caller     server         main");
	screen_keys(s, "<End><Enter>");
	screen_wait_row(s, 0, "› Butterfly › send");
	screen_wait(s, "itself");
	screen_keys(s, "<BS><BS>");
	wait_cursor(s, "serve");
	/* a function of a callchain, and only some samples */
	screen_keys(s, "<Home>e<Down><Down><Down>B");
	screen_wait_row(s, 0, "› Butterfly › eval");
	screen_keys(s, "q<C-c>");
	finish(s, 0);
}

/* The 15 samples of serve() and what it calls, as a list, and back to the row. */
static void test_samples(void **state)
{
	static const char *const masks[] = { "/tmp/[^/]*/", NULL };
	struct screen *s = browse(0, 0);
	char path[FOLDER_BYTES + 32];

	(void)state;
	screen_keys(s, "<Home><Down>l");
	screen_wait_row(s, 0, "perf.data › Samples › serve");
	screen_wait_row(s, 0, "15 samples");
	screen_golden(s, "samples-80x24", NULL);
	screen_resize(s, 10, 40);
	screen_golden(s, "samples-40x10", NULL);
	screen_resize(s, 60, 200);
	screen_golden(s, "samples-200x60", NULL);
	screen_resize(s, 24, 80);
	screen_keys(s, "/send<Enter>");
	screen_wait_gone(s, "find:");
	wait_cursor(s, "send");
	screen_keys(s, "<Enter>");
	screen_wait(s, "serve+0x");
	screen_golden(s, "samples-one-80x24", masks);
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "serve+0x");
	screen_keys(s, "y");
	screen_wait(s, "copied to the clipboard");
	screen_keys(s, "P");
	screen_wait(s, "wrote perf.hist.0");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "› Samples");
	wait_cursor(s, "85.00%");
	/* the menu has it as well; the second event has other samples */
	screen_keys(s, "<Tab>");
	screen_wait(s, "Samples: 2 of event 'misses'");
	wait_cursor(s, "100.00%");
	screen_keys(s, "m");
	screen_wait(s, "(l) list the samples of this row");
	screen_keys(s, "l");
	screen_wait_row(s, 0, "2 samples");
	screen_keys(s, "<C-c>");
	finish(s, 0);
	snprintf(path, sizeof(path), "%s/perf.hist.0", folder);
	assert_int_equal(unlink(path), 0);
}

/* --samples: of a row, some of its samples, spread over all. */
static void test_some_samples(void **state)
{
	static const char *const args[] = { "report", "-i", "perf.data", "--samples", "3", NULL };
	const struct visit how = { .folder = folder, .args = args };
	struct screen *s = visit(&how);

	(void)state;
	wait_cursor(s, "main");
	screen_keys(s, "<Home><Down>l");
	screen_wait_row(s, 0, "3 of 15 samples");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Of a group: where not all columns have room, those that tell its events apart stay. */
static void test_samples_of_group(void **state)
{
	static const char *const args[] = { "report", "-i", "perf.data", "--group", NULL };
	const struct visit how = { .folder = folder, .args = args, .cols = 60, .rows = 24 };
	struct screen *s = visit(&how);

	(void)state;
	wait_cursor(s, "main");
	screen_keys(s, "<Home><Down>l");
	screen_wait_row(s, 0, "17 samples");
	screen_wait_row(s, 2, "Event");
	screen_wait(s, "misses");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Another recording, merged with this one: both have samples in main(). */
static void test_merge(void **state)
{
	char merged[FOLDER_BYTES], first[FOLDER_BYTES + 16], second[FOLDER_BYTES + 16];
	const struct visit how = { .folder = merged };
	struct recording *r;
	struct screen *s;

	(void)state;
	make_folder(merged);
	recording_close(make_one(merged));
	snprintf(first, sizeof(first), "%s/perf.data", merged);
	snprintf(second, sizeof(second), "%s/other.data", merged);
	assert_int_equal(rename(first, second), 0);
	r = recording_new(merged, events);
	recording_thread(r, 4000001, 4000001, "client");
	recording_module(r, "client");
	recording_sample(r, 0, "begin;ask", 5000000);
	recording_close(r);
	s = visit_report(&how);
	screen_wait(s, "Samples: 1 of event 'cycles'");
	screen_keys(s, "A");
	screen_wait(s, "Merge with, newest first");
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "perf.data + other.data");
	screen_wait(s, "Samples: 21 of event 'cycles'");
	screen_wait(s, "client");
	screen_wait(s, "server");
	/* what is merged has no file that could be loaded again */
	screen_keys(s, "A");
	screen_wait(s, "These samples are in no file.");
	screen_keys(s, "q");
	screen_wait(s, "Samples: 1 of event 'cycles'");
	screen_keys(s, "<C-c>");
	finish(s, 0);
	recording_remove(merged);
}

/* From a function in a callchain to its row, and back. */
static void test_jump(void **state)
{
	struct screen *s = browse(0, 0);

	(void)state;
	screen_keys(s, "j");
	screen_wait(s, "This is the row of the function");
	screen_keys(s, "<BS>");
	screen_wait(s, "There is no jump to go back from");
	screen_keys(s, "e");
	screen_keys(s, "<Home><Down><Down><Down>");
	wait_cursor(s, "eval");
	screen_keys(s, "j");
	wait_cursor(s, "40.00%    40.00%");
	screen_keys(s, "<BS>");
	wait_cursor(s, "40.00% eval");
	screen_keys(s, "m");
	screen_wait(s, "(j) go from a function in a callchain");
	screen_keys(s, "<Esc>o");
	screen_wait(s, "self only");
	screen_keys(s, "<Home>");
	wait_cursor(s, "eval");
	screen_keys(s, "e");
	screen_wait(s, "-    40.00%");
	screen_keys(s, "<Down>j");
	screen_wait(s, "o shows rows of callers, too");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Several recordings as one: the title says so, and a copied line would name only one of them. */
static void test_several(void **state)
{
	static const char *const args[] = { "report", "perf.data", "perf.data", NULL };
	const struct visit how = { .folder = folder, .args = args };
	struct screen *s = visit(&how);

	(void)state;
	screen_wait_row(s, 0, "perf.data and 1 more file");
	screen_wait(s, "Samples: 20 of event 'cycles'");
	screen_keys(s, "Y");
	screen_wait(s, "These samples are in no file.");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* The DSOs without symbols as a screen of its own, which has all as well, and leads to the functions of one. */
static void test_symbols(void **state)
{
	static const char *const masks[] = { "/tmp/[^/]*/", NULL };
	const struct visit how = { .folder = gone_folder, .rows = 24, .cols = 80 };
	struct screen *s = visit_report(&how);

	(void)state;
	screen_wait(s, "unknown 40.0% (libgone.so)");
	screen_keys(s, "M");
	screen_wait(s, "DSOs without symbols");
	screen_golden(s, "symbols-80x24", NULL);
	screen_resize(s, 10, 40);
	screen_golden(s, "symbols-40x10", NULL);
	screen_resize(s, 60, 200);
	screen_golden(s, "symbols-200x60", NULL);
	screen_resize(s, 24, 80);
	screen_keys(s, "/old<Enter>");
	wait_cursor(s, "libold.so");
	screen_keys(s, "<Enter>");
	screen_wait(s, "has build-id");
	screen_golden(s, "symbols-details-80x24", masks);
	screen_keys(s, "<Esc>m");
	screen_wait(s, "copy the path of this DSO");
	screen_keys(s, "<Esc>a");
	screen_wait(s, "perf.data › DSOs  ");
	screen_golden(s, "symbols-all-80x24", NULL);
	screen_keys(s, "<Enter>");
	screen_wait(s, "All of its samples have function names.");
	screen_keys(s, "<Esc>a");
	screen_wait(s, "DSOs without symbols");
	screen_keys(s, "<Down>d");
	screen_wait(s, "perf.data › libold.so");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "› libold.so");
	screen_keys(s, "Mq");
	screen_wait_gone(s, "DSOs without symbols");
	screen_keys(s, "m<End>");
	screen_wait(s, "(M) list the DSOs without symbols");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* As long as the terminal is too small for anything, it waits. */
static void test_tiny(void **state)
{
	struct screen *s = browse(24, 80);

	(void)state;
	screen_resize(s, 1, 1);
	screen_keys(s, "e<Down>");
	screen_resize(s, 3, 12);
	screen_keys(s, "<Up>");
	screen_resize(s, 24, 80);
	screen_golden(s, "browser-open-80x24", NULL);
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* What floats over the rows finds its place in every size. */
static void test_sizes_of_what_floats(void **state)
{
	static const struct {
		const char *keys, *text;
	} floating[] = {
		{ "?", "Help: Browser" },    { "m", "expand all entries" },
		{ "S", "Sort by" },	     { "T", "Data quality" },
		{ "/serve", "find: serve" }, { "L", "minimum percentage: 0" },
	};
	struct screen *s = browse(24, 80);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(floating) / sizeof(floating[0]); i++) {
		screen_keys(s, floating[i].keys);
		screen_wait(s, floating[i].text);
		screen_resize(s, 1, 1);
		screen_keys(s, "<Down>");
		screen_resize(s, 4, 200);
		screen_resize(s, 60, 5);
		screen_keys(s, "<Up>");
		screen_resize(s, 10, 40);
		screen_resize(s, 24, 80);
		screen_wait(s, floating[i].text);
		screen_keys(s, "<Esc>");
		/* closed, not only being drawn again: a key that comes too soon after ESC belongs to it */
		screen_golden(s, "browser-80x24", NULL);
	}
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Level by level, all of it, and closed again: the cursor stays on its row. */
static void test_callchains(void **state)
{
	struct screen *s = browse(40, 80);
	int at;

	(void)state;
	screen_keys(s, "G"); /* the callee first: a chain has all its callers */
	screen_keys(s, "/eval<Enter>");
	wait_cursor(s, "eval");
	screen_wait_gone(s, "find:");
	at = screen_cursor_row(s);
	screen_keys(s, "+");
	screen_wait_row(s, at + 1, "parse");
	screen_wait_row(s, at + 2, "serve");
	screen_wait_row(s, at + 3, "main");
	assert_int_equal(screen_cursor_row(s), at);
	screen_keys(s, "+");
	screen_wait_gone(s, "-parse");
	wait_cursor(s, "+");
	wait_cursor(s, "eval");
	assert_int_equal(screen_cursor_row(s), at);

	/* everything: each row has its own, the cursor's moves with it */
	screen_keys(s, "E");
	wait_cursor(s, "-");
	wait_cursor(s, "eval");
	assert_true(screen_cursor_row(s) > at);
	screen_golden(s, "browser-all-open-80x40", NULL);
	screen_keys(s, "C");
	wait_cursor(s, "+");
	wait_cursor(s, "eval");
	assert_int_equal(screen_cursor_row(s), at);
	screen_keys(s, "e");
	wait_cursor(s, "-");
	screen_keys(s, "<Down><Down>c");
	wait_cursor(s, "+");
	wait_cursor(s, "eval");

	/* other rows: the cursor stays on its own */
	screen_keys(s, "o");
	screen_wait(s, "Overhead");
	wait_cursor(s, "eval");
	screen_keys(s, "o");
	screen_wait(s, "Children");
	wait_cursor(s, "eval");
	screen_keys(s, "q");
	finish(s, 0);
}

static void test_levels(void **state)
{
	struct screen *s = browse(24, 80);
	int at = screen_cursor_row(s);

	(void)state;
	screen_keys(s, "<Enter>");
	screen_wait_row(s, at + 1, "serve");
	screen_keys(s, "<Down>");
	wait_cursor(s, "85.00%");
	wait_cursor(s, "+");
	screen_keys(s, "<Enter>");
	screen_wait_row(s, at + 2, "parse");
	screen_keys(s, "<Down>+");
	screen_wait_row(s, at + 3, "eval");
	screen_wait_row(s, at + 4, "lex");
	screen_golden(s, "browser-levels-80x24", NULL);
	screen_keys(s, "<Up><Enter>");
	screen_wait_row(s, at + 2, "idle");
	/* rows below stay open when the level is opened again */
	screen_keys(s, "<Enter>");
	screen_wait_row(s, at + 3, "eval");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Left, where nothing is to be undone: as perf, a list of events to choose from. */
static void test_events(void **state)
{
	struct screen *s = browse(0, 0);

	(void)state;
	screen_keys(s, "<Home>d");
	screen_wait_row(s, 0, "› server");
	screen_keys(s, "<Left>"); /* undoes the zoom */
	screen_wait_gone(s, "› server");
	screen_keys(s, "<Left>");
	screen_wait(s, "Samples of the events");
	screen_wait(s, "•          20  cycles");
	screen_wait(s, "            2  misses");
	screen_keys(s, "<Down><Enter>");
	screen_wait_row(s, 0, "[misses]");
	screen_keys(s, "<Left>");
	screen_wait(s, "Samples of the events");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "Samples of the events");
	screen_wait_row(s, 0, "[misses]");
	screen_keys(s, "q");
	finish(s, 0);
}

/* A tab for each event that has samples. */
static void test_tabs(void **state)
{
	struct screen *s = browse(0, 0);
	int y, x;

	(void)state;
	screen_wait_row(s, 0, "[cycles]");
	screen_wait_row(s, 0, "misses");
	assert_int_equal(screen_find(s, "faults", NULL), -1);
	screen_keys(s, "<Tab>");
	screen_wait_row(s, 0, "[misses]");
	screen_wait(s, "Samples: 2 of event 'misses'");
	screen_wait(s, "75.00%");
	screen_golden(s, "browser-tab-80x24", NULL);
	screen_keys(s, "<Tab>");
	screen_wait(s, "of event 'cycles'");
	screen_keys(s, "<S-Tab>");
	screen_wait(s, "of event 'misses'");
	screen_wait_row(s, 0, "[misses]");
	y = screen_find(s, "cycles", &x);
	assert_int_equal(y, 0);
	screen_click(s, y, x + 1);
	screen_wait_row(s, 0, "[cycles]");
	screen_wait(s, "of event 'cycles'");
	screen_keys(s, "q");
	finish(s, 0);
}

/* A line of tabs is longer than the screen: the one that is seen is always there. */
static void test_many_tabs(void **state)
{
	static const char *const six[] = { "cycles",   "instructions",	   "cache-misses",
					   "branches", "context-switches", "page-faults",
					   NULL };
	enum { N = sizeof(six) / sizeof(six[0]) - 1 };
	char many[FOLDER_BYTES], name[64];
	const struct visit how = { .folder = many };
	struct recording *r;
	struct screen *s;
	size_t i;

	(void)state;
	make_folder(many);
	r = recording_new(many, six);
	recording_thread(r, 4000000, 4000000, "server");
	recording_module(r, "server");
	for (i = 0; i < N; i++)
		recording_sample(r, i, "main;serve", 1000);
	recording_close(r);
	s = visit_report(&how);
	for (i = 0; i <= N; i++) {
		snprintf(name, sizeof(name), "[%s]", six[i % N]);
		screen_wait_row(s, 0, name);
		screen_resize(s, 10, i % 2 ? 80 : 40);
		screen_keys(s, "<Tab>");
	}
	screen_keys(s, "<S-Tab><S-Tab>");
	screen_wait_row(s, 0, "[page-faults]");
	screen_resize(s, 10, 40);
	screen_golden(s, "browser-many-tabs-40x10", NULL);
	screen_keys(s, "<C-c>");
	finish(s, 0);
	recording_remove(many);
}

static void test_mouse(void **state)
{
	struct screen *s = browse(0, 0);
	int y, x;

	(void)state;
	y = screen_find(s, "idle", &x);
	screen_click(s, y, x);
	wait_cursor(s, "idle");
	assert_int_equal(screen_cursor_row(s), y);
	screen_keys(s, "q");
	finish(s, 0);
}

static void test_without_samples(void **state)
{
	static const char *const args[] = { "report", "-i", "perf.data", NULL };
	const struct visit how = { .folder = empty_folder, .args = args };
	struct screen *s = visit(&how);

	(void)state;
	screen_wait(s, "No samples: the program");
	screen_golden(s, "browser-empty-80x24", NULL);
	screen_keys(s, "<End><Home><PgDn><PgUp><Up><Down><Enter>+eEcC<Left><Right>nN<Esc>");
	screen_keys(s, "ooGGHH<Tab><S-Tab>/x<Enter>");
	screen_wait_gone(s, "find:");
	screen_keys(s, "m");
	screen_wait(s, "Browser");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* perf's keys: into what the row is of, and out again. */
/* Keys faster than counting: rows change in between. */
static void test_in_a_hurry(void **state)
{
	struct screen *s = browse(0, 0);
	int i;

	(void)state;
	for (i = 0; i < 300; i++)
		screen_keys(s, "oF<Home><Down>ed<Left>t<Left>oe");
	screen_keys(s, "C<Home>");
	screen_wait_gone(s, "counting…");
	screen_wait(s, "[.] main");
	wait_cursor(s, "main");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* The next key comes before the rows of the next tab. */
static void test_search_in_what_comes(void **state)
{
	static const char *const keys[] = { "\tn", "\tN", "\tt", "\td", "\te",
					    "\tE", "\t+", "\tF", "\tT", "\ti" };
	struct screen *s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		s = browse(40, 120); /* the header of the recording has many lines */
		screen_keys(s, "/serve<Enter>");
		wait_cursor(s, "serve");
		screen_wait_gone(s, "find:");
		screen_send(s, keys[i], 2);
		screen_wait(s, "[misses]");
		screen_keys(s, "<C-c>");
		finish(s, 0);
	}
}

static void test_zooms(void **state)
{
	struct screen *s = browse(0, 0);

	(void)state;
	screen_keys(s, "/send<Enter>");
	wait_cursor(s, "libsend.so");
	screen_wait_gone(s, "find:");
	screen_keys(s, "d");
	screen_wait_row(s, 0, "perf.data › libsend.so");
	screen_wait(s, "Samples: 5 of 20 of event 'cycles'");
	screen_wait_gone(s, "[.] main");
	screen_keys(s, "F");
	screen_wait(s, "100.00%   100.00%");
	screen_wait(s, "percentages of the zoom");
	screen_golden(s, "browser-zoom-80x24", NULL);
	screen_keys(s, "t");
	screen_wait_row(s, 0, "› libsend.so › thread server");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "thread server");
	screen_keys(s, "<Left>");
	screen_wait(s, "[.] main");
	screen_keys(s, "fEVAL<Enter>");
	screen_wait_row(s, 0, "› 'EVAL'");
	screen_wait_gone(s, "[.] main");
	screen_keys(s, "k");
	screen_wait(s, "No rows › 'EVAL' › kernel");
	screen_keys(s, "q");
	finish(s, 0);
}

/* send() is in a library: without it, its 25% are the own time of serve(). */
static void test_hide(void **state)
{
	static const char *const masks[] = { "/tmp/[^/]*/ *", NULL };
	struct screen *s = browse(0, 0);

	(void)state;
	screen_wait(s, "85.00%     0.00%");
	screen_keys(s, "/send<Enter>");
	wait_cursor(s, "libsend.so");
	screen_wait_gone(s, "find:");
	screen_keys(s, "X");
	screen_wait(s, "Time goes to the callers");
	screen_golden(s, "browser-hide-80x24", masks);
	screen_keys(s, "d");
	screen_wait_row(s, 0, "perf.data › without libsend.so");
	screen_wait(s, "85.00%    25.00%");
	screen_wait_gone(s, "[.] send");
	screen_keys(s, "Xr");
	screen_wait_row(s, 0, "› without recursion");
	screen_keys(s, "Xp");
	screen_wait(s, "hide DSOs: libsend.so");
	screen_keys(s, "<C-u>serv*<Enter>");
	screen_wait_row(s, 0, "› without serv*");
	/* nothing is left of the other chains but main() */
	screen_wait(s, "75.00%    75.00%");
	screen_keys(s, "<Esc>");
	screen_wait(s, "60.00%     0.00%");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "› without");
	screen_wait(s, "[.] send");
	screen_keys(s, "q");
	finish(s, 0);
}

/* The menu shows what it would zoom into, and does it. */
static void test_menu(void **state)
{
	struct screen *s = browse(30, 100);

	(void)state;
	screen_keys(s, "m");
	screen_wait(s, "zoom into thread server");
	screen_golden(s, "browser-menu-100x30", NULL);
	screen_keys(s, "T");
	screen_wait(s, "Data quality");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "Data quality");
	screen_keys(s, "i");
	screen_wait(s, "The recording");
	screen_wait(s, "event : name = cycles");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "event : name = cycles");
	screen_keys(s, "q");
	finish(s, 0);
}

/* Another recording is opened on top, and a new one can be made. */
static void test_other_recordings(void **state)
{
	struct screen *s = browse(0, 0);

	(void)state;
	screen_keys(s, "s");
	screen_wait(s, "Recordings here");
	screen_wait(s, "• ");
	screen_keys(s, "s");
	screen_wait(s, "recording:");
	screen_keys(s, empty_folder);
	screen_keys(s, "/p<Tab><Enter>");
	screen_wait(s, "No samples: the program");
	screen_keys(s, "q");
	wait_cursor(s, "main");
	screen_keys(s, "r");
	screen_wait_row(s, 0, "Setup");
	screen_keys(s, "<Esc>");
	wait_cursor(s, "main");
	screen_keys(s, "q");
	finish(s, 0);
}

static void test_print(void **state)
{
	struct screen *s = browse(0, 0);
	char path[FOLDER_BYTES + 32];

	(void)state;
	screen_keys(s, "P");
	screen_wait(s, "wrote perf.hist.0");
	screen_keys(s, "q");
	finish(s, 0);
	snprintf(path, sizeof(path), "%s/perf.hist.0", folder);
	assert_int_equal(unlink(path), 0);
}

/* Levels open into levels and then into callchains, and are searched, printed and left. */
static void test_hierarchy(void **state)
{
	static const char *const args[] = { "report", "--hierarchy", "-i", "perf.data", NULL };
	const struct visit how = { .folder = folder, .args = args };
	struct screen *s = visit(&how);
	char path[FOLDER_BYTES + 32], text[4096];
	FILE *in;
	size_t n;

	(void)state;
	screen_wait(s, "Command / Shared Object / Symbol");
	wait_cursor(s, "100.00%  server");
	screen_keys(s, "l");
	screen_wait(s, "open this one");
	screen_keys(s, "o");
	screen_wait(s, "A hierarchy has no rows of callers.");
	screen_keys(s, "+<Down>");
	wait_cursor(s, "75.00% server");
	screen_keys(s, "+<Down>");
	wait_cursor(s, "40.00% [.] eval");
	screen_keys(s, "j");
	screen_wait(s, "The rows are a hierarchy");
	screen_keys(s, "+");
	screen_wait(s, "40.00% main");
	screen_golden(s, "browser-hierarchy-80x24", NULL);
	screen_keys(s, "E/send<Enter>");
	wait_cursor(s, "send");
	screen_wait_gone(s, "find:");
	screen_keys(s, "C");
	screen_wait_gone(s, "[.] eval");
	screen_keys(s, "+fsend<Enter>");
	screen_wait(s, "25.00% libsend.so");
	screen_wait_gone(s, "75.00% server");
	screen_keys(s, "P");
	screen_wait(s, "wrote perf.hist.0");
	screen_keys(s, "g");
	screen_wait(s, "Shared Object  Symbol");
	screen_keys(s, "q");
	finish(s, 0);
	snprintf(path, sizeof(path), "%s/perf.hist.0", folder);
	in = fopen(path, "r");
	assert_non_null(in);
	n = fread(text, 1, sizeof(text) - 1, in);
	text[n] = '\0';
	fclose(in);
	assert_int_equal(unlink(path), 0);
	assert_non_null(strstr(text, "+ 25.00% libsend.so\n"));
}

/* Columns and widths are those of the next start, unless the command line has some. */
static void test_columns(void **state)
{
	static const char *const args[] = { "report", "-s", "dso", NULL, "report", NULL };
	const struct visit again = { .folder = folder, .again = true };
	const struct visit with_bad = { .folder = folder, .again = true, .args = args + 4 };
	const struct visit by_dso = { .folder = folder, .again = true, .args = args };
	struct screen *s = browse(0, 0);
	char path[FOLDER_BYTES + 32];
	FILE *out;

	(void)state;
	screen_keys(s, "W");
	screen_wait(s, "columns: overhead_children,overhead,comm,dso,symbol");
	screen_keys(s, "<C-u>overhead,symbol,dso:700<Enter>");
	screen_wait(s, "the width of a column is 1 to 500");
	screen_keys(s, "<C-u>overhead,sym,dso:7,sample<Enter>");
	screen_wait(s, "Shared…       Samples");
	screen_keys(s, "q");
	finish(s, 0);
	s = visit_report(&again);
	screen_wait(s, "Shared…       Samples");
	screen_keys(s, "W");
	screen_wait(s, "columns: overhead,symbol,dso:7,sample");
	screen_keys(s, "<Esc>q");
	finish(s, 0);
	s = visit(&by_dso);
	screen_wait(s, "Self  Shared Object");
	screen_keys(s, "q");
	finish(s, 0);
	snprintf(path, sizeof(path), "%s/ptui/browser", folder);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs("sort samples no-such-key\nwidth comm 0\n\001\nsort samples dso\nsort sam", out);
	fclose(out);
	s = visit(&with_bad);
	screen_wait(s, "4 invalid lines ignored in");
	screen_wait(s, "Self  Shared Object");
	screen_keys(s, "q");
	finish(s, 0);
}

/* Fields of tracepoints are loaded when they are chosen, and kept as sort keys. */
static void test_fields(void **state)
{
	char where[FOLDER_BYTES], command[256];
	const struct visit how = { .folder = where }, again = { .folder = where, .again = true };
	struct screen *s;

	(void)state;
	need("root");
	need("tracefs");
	make_folder(where);
	snprintf(
		command, sizeof(command),
		"\"$PTUI\" record -e sched:sched_switch -o %s/perf.data -- sleep .1 >/dev/null 2>&1",
		where);
	assert_int_equal(system(command), 0);
	s = visit_report(&how);
	screen_wait(s, "Trace output");
	screen_keys(s, "xv");
	screen_wait(s, "only fields:");
	screen_keys(s, "prev_nothing == 3");
	screen_wait(s, "no event has a field 'prev_nothing'");
	screen_keys(s, "<C-u>prev_comm == sleep && prev_pid > 0<Enter>");
	screen_wait(s, "fields prev_comm == sleep && prev_pid > 0");
	screen_wait(s, " of event 'sched:sched_switch'");
	screen_wait(s, "prev_comm=sleep");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "fields prev_comm");
	screen_keys(s, "S");
	screen_wait(s, "Sort by");
	screen_keys(s, "S");
	screen_wait(s, "sort by: trace");
	screen_keys(s, "<C-u>prev_comm,prev_nothing<Enter>");
	screen_wait(s, "unknown key 'prev_nothing'");
	screen_keys(s, "<C-u>next_comm,prev_c<Tab><Enter>");
	screen_wait(s, "by next_comm,prev_comm");
	screen_wait(s, "sleep");
	/* they cannot be loaded from another recording */
	snprintf(command, sizeof(command), "cd %s && mv perf.data kept && cp %s/perf.data .", where,
		 empty_folder);
	assert_int_equal(system(command), 0);
	screen_keys(s, "S");
	screen_wait(s, "Sort by");
	screen_keys(s, "S");
	screen_wait(s, "sort by: next_comm");
	screen_keys(s, "<C-u>next_pid<Enter>");
	screen_wait(s, "The file is another recording now.");
	screen_wait(s, "by next_comm,prev_comm");
	screen_keys(s, "q");
	finish(s, 0);
	snprintf(command, sizeof(command), "cd %s && mv kept perf.data", where);
	assert_int_equal(system(command), 0);
	s = visit_report(&again);
	screen_wait(s, "by next_comm,prev_comm");
	screen_wait(s, "sleep");
	screen_keys(s, "q");
	finish(s, 0);
	recording_remove(where);
}

/*
 * A file that was not finished or is truncated: shows what is readable, and that it is incomplete.
 */
static void test_cut_short(void **state)
{
	char cut[FOLDER_BYTES], path[FOLDER_BYTES + 16];
	const struct visit how = { .folder = cut };
	struct recording *r;
	struct screen *s;
	struct stat st;

	(void)state;
	make_folder(cut);
	r = make_one(cut);
	recording_lost(r, 12);
	recording_close(r);
	snprintf(path, sizeof(path), "%s/perf.data", cut);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size - 300), 0);
	s = visit_report(&how);
	wait_cursor(s, "main");
	screen_wait(s, "! cut short");
	screen_keys(s, "T");
	screen_wait(s, "Data quality");
	screen_golden(s, "browser-cut-short-80x24", NULL);
	screen_keys(s, "<C-c>");
	finish(s, 0);
	recording_remove(cut);
}

/* Loading can be cancelled. */
static void test_left_while_loading(void **state)
{
	static const char *const args[] = { "report", "-i", "pipe", NULL };
	const struct visit how = { .folder = folder, .args = args };
	char path[FOLDER_BYTES + 16];
	struct screen *s;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/pipe", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_CLOEXEC); /* there is a writer */
	assert_true(fd >= 0);
	s = visit(&how);
	screen_wait(s, "ESC stops loading");
	screen_resize(s, 10, 40);
	screen_golden(s, "browser-loading-40x10", NULL);
	screen_keys(s, "<Esc>");
	finish(s, 0);
	close(fd);
}

static void test_interrupted(void **state)
{
	struct screen *s = browse(0, 0);

	(void)state;
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

static void test_what_cannot_be_loaded(void **state)
{
	static const char *const args[] = { "report", "-i", "/dev/null/nothing", NULL };
	const struct visit how = { .folder = folder, .args = args };
	struct screen *s = visit(&how);

	(void)state;
	screen_wait(s, "ptui: report: ");
	finish(s, 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_visit),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_tiny),
		cmocka_unit_test(test_butterfly),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_some_samples),
		cmocka_unit_test(test_samples_of_group),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_sizes_of_what_floats),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_callchains),
		cmocka_unit_test(test_tabs),
		cmocka_unit_test(test_many_tabs),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_without_samples),
		cmocka_unit_test(test_search_in_what_comes),
		cmocka_unit_test(test_zooms),
		cmocka_unit_test(test_hide),
		cmocka_unit_test(test_in_a_hurry),
		cmocka_unit_test(test_menu),
		cmocka_unit_test(test_other_recordings),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_hierarchy),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_left_while_loading),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_what_cannot_be_loaded),
	};

	return cmocka_run_group_tests(tests, make_recordings, remove_recordings);
}
