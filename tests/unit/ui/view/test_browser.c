/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Browser in a grid, on a made profile: contents and keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/profile/made.h"
#include "unit/ui/screen.h"
#include "view/browser/browser.h"

struct world {
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	char folder[64], before[4096];
	unsigned again;
	char like[64];
	bool unwound;
};

/* 100 in total, and more than a page of library functions. */
static struct ptui_profile *program(void)
{
	struct made *m = made_new();
	char chain[64];

	made_sample(m, "main run parse token", 30, 1);
	made_sample(m, "main run parse skip", 20, 2);
	made_sample(m, "main eval", 40, 3);
	made_thread(m, "helper", 7, 0);
	made_sample(m, "idle kernel:wait", 9, 4);
	made_thread(m, "a", 1, 0);
	for (int i = 0; i < 50; i++) {
		snprintf(chain, sizeof(chain), "libdeep:f%02d", i);
		made_sample(m, chain, i == 49 ? 1 : 0, 5);
	}
	return made_take(m);
}

static unsigned again(void *ctx, const char *path, bool unwound)
{
	struct world *w = ctx;

	w->again++;
	w->unwound = unwound;
	snprintf(w->like, sizeof(w->like), "%s", path ? path : "");
	return WISH_REDRAW;
}

static void browse(struct world *w, struct ptui_profile *p, const struct browser_opts *opts)
{
	assert_int_equal(browser_open(w->stack, p, "some/perf.data", opts, NULL), 0);
	ptui_profile_unref(p);
}

static void open_browser(struct world *w)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;

	opts.record_again = again;
	opts.ctx = w;
	browse(w, program(), &opts);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	setlocale(LC_ALL, "C.UTF-8");
	assert_non_null(w);
	snprintf(w->folder, sizeof(w->folder), "/tmp/ptui-browser-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	assert_non_null(getcwd(w->before, sizeof(w->before)));
	assert_int_equal(chdir(w->folder), 0);
	w->keys = keymaps_new(NULL);
	w->grid = grid_new(24, 100);
	w->stack = stack_new(NULL, w->keys, NULL);
	assert_non_null(w->stack);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	char command[128];

	stack_free(w->stack);
	keymaps_free(w->keys);
	grid_free(w->grid);
	assert_int_equal(chdir(w->before), 0);
	snprintf(command, sizeof(command), "rm -r %s", w->folder);
	assert_int_equal(system(command), 0);
	free(w);
	return 0;
}

static void press(struct world *w, key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(w->stack, &e);
}

static void type(struct world *w, const char *text)
{
	for (; *text; text++)
		press(w, (key_code)(unsigned char)*text);
}

static int row_with(struct world *w, const char *text)
{
	grid_clear(w->grid);
	stack_draw(w->stack, w->grid);
	for (int y = 0; y < w->grid->rows; y++) {
		if (strstr(row_text(w->grid, y), text))
			return y;
	}
	return -1;
}

static void give_up(struct world *w, const char *what, const char *text)
{
	for (int y = 0; y < w->grid->rows; y++)
		print_error("%2d|%s\n", y, row_text(w->grid, y));
	fail_msg("%s: %s", what, text);
}

/* Draws until the text is visible: results of counting arrive with the loop's turns. */
static int wait_seen(struct world *w, const char *text)
{
	for (int turns = 0; turns < 100; turns++) {
		int y = row_with(w, text);

		if (y >= 0)
			return y;
		loop_turn(stack_loop(w->stack), 100);
	}
	give_up(w, "not seen", text);
	return -1;
}

static void wait_gone(struct world *w, const char *text)
{
	for (int turns = 0; turns < 100; turns++) {
		if (row_with(w, text) < 0)
			return;
		loop_turn(stack_loop(w->stack), 100);
	}
	give_up(w, "still seen", text);
}

static void check_row(struct world *w, int y, const char *text)
{
	row_with(w, "");
	if (strncmp(row_text(w->grid, y), text, strlen(text)))
		give_up(w, "wanted", text);
}

/* The cursor's row begins so. */
static void check_cursor(struct world *w, const char *text)
{
	int y;

	row_with(w, "");
	y = cursor_row(w->grid, 0);
	if (y < 0 || !strstr(row_text(w->grid, y), text))
		give_up(w, "not under the cursor", text);
}

static void test_rows_and_chains(void **state)
{
	struct world *w = *state;
	int y;

	open_browser(w);
	y = wait_seen(w, "[.] main");
	check_row(w, 0, " some/perf.data");
	check_row(w, 2, " Samples: 54 of event 'made', Event count (approx.): 100 ");
	check_row(w, 3, "   Children      Self  Command  Shared Object  Symbol");
	check_row(w, y, "+    90.00%     0.00%  a        prog           [.] main");
	assert_int_equal(row_with(w, "callees below · with children"), 2);
	press(w, 'e');
	check_row(w, y, "-    90.00%     0.00%  a        prog           [.] main");
	check_row(w, y + 1, "   - 50.00% run");
	check_row(w, y + 2, "   │  -        parse");
	check_row(w, y + 3, "   │       30.00% token");
	check_row(w, y + 4, "   │       20.00% skip");
	check_row(w, y + 5, "     40.00% eval");
	press(w, 'V');
	check_row(w, y + 5, "     40.00% eval  prog");
	press(w, 'V');
	wait_gone(w, "eval  prog");
	press(w, 'c');
	press(w, 'G');
	wait_seen(w, "callers below");
	wait_gone(w, "counting");
	/* from the callee up: one run of callers has one percentage */
	press(w, '/');
	type(w, "token");
	press(w, K_ENTER);
	check_cursor(w, "[.] token");
	y = row_with(w, "[.] token");
	press(w, '+');
	check_row(w, y + 1, "     30.00% parse");
	check_row(w, y + 2, "            run");
	check_row(w, y + 3, "            main");
}

/* Finds rows far below, by their texts; not by numbers. */
static void test_search(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, '/');
	type(w, "F49");
	press(w, K_ENTER);
	check_cursor(w, "f49");
	press(w, '/');
	press(w, K_CTRL | 'u');
	type(w, "libdeep");
	press(w, K_ENTER);
	check_cursor(w, "libdeep");
	press(w, K_HOME);
	press(w, 'n');
	check_cursor(w, "f49"); /* the heaviest of them */
	press(w, 'N');
	check_cursor(w, "libdeep");
	press(w, '/');
	press(w, K_CTRL | 'u');
	type(w, "90.00");
	press(w, K_ENTER);
	wait_seen(w, "No row contains");
	/* finds open rows as well */
	press(w, K_HOME);
	press(w, 'e');
	press(w, '/');
	press(w, K_CTRL | 'u');
	type(w, "skip");
	press(w, K_ENTER);
	check_cursor(w, "20.00% skip");
}

static void test_zooms(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, 'F');
	wait_seen(w, "zoom in first");
	press(w, '/');
	type(w, "wait");
	press(w, K_ENTER);
	press(w, 't');
	wait_seen(w, "some/perf.data › thread helper");
	wait_gone(w, "[.] main");
	assert_int_equal(row_with(w, "Samples: 1 of 54 of event 'made'"), 2);
	press(w, 'F');
	wait_seen(w, "100.00%   100.00%  helper   kernel");
	wait_seen(w, "percentages of the zoom");
	press(w, 'd');
	wait_seen(w, "thread helper › kernel");
	wait_gone(w, "[.] idle");
	press(w, K_ESC);
	wait_gone(w, "› kernel");
	wait_seen(w, "[.] idle");
	press(w, 't');
	wait_gone(w, "thread helper");
	press(w, 'k');
	wait_seen(w, "some/perf.data › kernel");
	press(w, 'f');
	type(w, "nothing like it");
	press(w, K_ENTER);
	wait_seen(w, "No rows › kernel › 'nothing like it'. ESC undoes the last step.");
	press(w, 'm'); /* without a row */
	wait_seen(w, "(k) zoom out of the kernel");
	assert_int_equal(row_with(w, "zoom into thread"), -1);
	press(w, K_ESC);
	press(w, K_LEFT);
	wait_seen(w, "[k] wait");
	press(w, 'f');
	type(w, "wait");
	press(w, K_ENTER);
	wait_seen(w, "› 'wait'");
	press(w, 'f');
	press(w, K_CTRL | 'u');
	press(w, K_ENTER);
	wait_gone(w, "› 'wait'");
	/* q leaves, whatever the zooms */
	press(w, 'q');
	assert_true(stack_is_done(w->stack));
}

/* ESC without a zoom. */
static void test_back(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, K_LEFT);
	assert_false(stack_is_done(w->stack));
	press(w, K_ESC);
	assert_true(stack_is_done(w->stack));
}

/* After sorting, the hottest row is visible if the cursor was not moved. */
static void test_first_row(void **state)
{
	struct ptui_profile *p;
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct made *m = made_new();
	struct world *w = *state;
	char chain[64];

	made_sample(m, "main", 1, 1);
	for (int i = 0; i < 50; i++) {
		snprintf(chain, sizeof(chain), "main f%02d", i);
		made_sample(m, chain, 100 - (uint64_t)i, 2);
	}
	p = made_take(m);
	browse(w, p, &opts);
	wait_seen(w, "[.] main");
	check_cursor(w, "[.] main");
	press(w, 'o');
	wait_gone(w, "[.] main");
	check_cursor(w, "[.] f00");
	assert_int_equal(cursor_row(w->grid, 0), row_with(w, "Overhead") + 1);
	/* a cursor that was moved stays on its row */
	press(w, K_DOWN);
	press(w, 'o');
	wait_seen(w, "Children");
	check_cursor(w, "[.] f01");
}

static void test_menu(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, 'm');
	wait_seen(w, "(t) zoom into thread a");
	wait_seen(w, "(d) zoom into prog");
	press(w, 'd');
	wait_seen(w, "perf.data › prog");
	press(w, 'd');
	wait_seen(w, "f49");
	/* what does not open has a menu */
	press(w, '/');
	type(w, "f49");
	press(w, K_ENTER);
	press(w, K_ENTER);
	wait_seen(w, "(d) zoom into libdeep");
	press(w, K_ESC);
	wait_gone(w, "zoom into libdeep");
	press(w, 'r');
	assert_int_equal(w->again, 1);
}

static void test_without_chains(void **state)
{
	struct ptui_profile *p = program();
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;

	p->events[0].has_callchains = false;
	browse(w, p, &opts);
	wait_seen(w, "Overhead");
	press(w, 'm');
	wait_seen(w, "(t) zoom into thread");
	assert_int_equal(row_with(w, "expand or collapse"), -1);
	assert_int_equal(row_with(w, "new recording"), -1);
}

static void test_sort(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, 'S');
	wait_seen(w, "Sort by");
	press(w, 'S'); /* other keys */
	wait_seen(w, "sort by:");
	/* the keys of this recording, with what they are */
	wait_seen(w, "comm                command name");
	wait_seen(w, "overhead_children   the same, including callees");
	type(w, "comm,d");
	press(w, K_TAB);
	wait_seen(w, "sort by: comm,dso");
	press(w, K_ENTER);
	wait_seen(w, "by comm,dso");
	wait_gone(w, "Symbol");
	press(w, 'S');
	press(w, 'S');
	press(w, K_CTRL | 'u');
	type(w, "nonsense");
	press(w, K_ENTER);
	wait_seen(w, "unknown key 'nonsense'");
	press(w, K_ESC);
	press(w, 'S');
	press(w, 'S');
	press(w, K_CTRL | 'u');
	type(w, "dso");
	press(w, K_ENTER);
	wait_seen(w, "by dso");
	wait_gone(w, "Command");
	press(w, 't');
	wait_seen(w, "sort by comm or pid");
}

static void test_limit(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, 'L');
	press(w, K_CTRL | 'u');
	type(w, "10");
	press(w, K_ENTER);
	wait_seen(w, "52 rows below 10%");
	press(w, 'L');
	press(w, K_CTRL | 'u');
	type(w, "99");
	press(w, K_ENTER);
	wait_seen(w, "All rows are below the limit");
}

static void check_file(const char *path, const char *expected)
{
	char text[16384];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	assert_string_equal(text, expected);
}

static void test_print(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, 'f');
	type(w, "a"); /* main, eval, parse, wait */
	press(w, K_ENTER);
	wait_gone(w, "[.] run");
	press(w, 'e');
	press(w, 'P');
	wait_seen(w, "wrote perf.hist.0");
	check_file("perf.hist.0", "# some/perf.data › 'a'\n"
				  "# Samples: 4 of 54 of event 'made', Event count (approx.): 99\n"
				  "#\n"
				  "#  Children      Self  Command  Shared Object  Symbol\n"
				  "#\n"
				  "-    90.00%     0.00%  a        prog           [.] main\n"
				  "   - 50.00% run\n"
				  "      -        parse\n"
				  "           30.00% token\n"
				  "           20.00% skip\n"
				  "     40.00% eval\n"
				  "+    50.00%     0.00%  a        prog           [.] parse\n"
				  "+    40.00%    40.00%  a        prog           [.] eval\n"
				  "+     9.00%     9.00%  helper   kernel         [k] wait\n");
	press(w, 'P');
	wait_seen(w, "wrote perf.hist.1");
	assert_int_equal(chdir("/proc"), 0); /* not writable */
	press(w, 'P');
	wait_seen(w, "cannot write perf.hist.0");
}

#define MANY 40000 /* functions: printing them takes several slices */

static struct ptui_profile *many_functions(void)
{
	struct made *m = made_new();
	char chain[64];

	for (int i = 0; i < MANY; i++) {
		snprintf(chain, sizeof(chain), "many:f%05d", i);
		made_sample(m, chain, (uint64_t)(MANY - i), 1);
	}
	return made_take(m);
}

static size_t count_lines(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t n = 0;
	int c;

	assert_non_null(f);
	while ((c = fgetc(f)) != EOF)
		n += c == '\n';
	fclose(f);
	return n;
}

/* Keys are handled meanwhile: the next one ends it. */
static void test_print_many(void **state)
{
	static const key_code keys[] = { K_ESC, K_DOWN, 'L' };
	const struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;

	browse(w, many_functions(), &opts);
	wait_seen(w, "[.] f00000");
	wait_gone(w, "counting");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		press(w, 'P');
		assert_int_equal(row_with(w, "printing…"), 0);
		assert_int_equal(access("perf.hist.0", F_OK), 0);
		press(w, keys[i]);
		if (keys[i] != 'L')
			wait_seen(w, "Printing was stopped.");
		assert_int_equal(row_with(w, "printing…"), -1);
		assert_int_equal(access("perf.hist.0", F_OK), -1);
	}
	press(w, K_ESC); /* the prompt */
	wait_seen(w, "[.] f00000");
	press(w, 'P');
	wait_seen(w, "wrote perf.hist.0");
	assert_int_equal(row_with(w, "printing…"), -1);
	assert_int_equal(count_lines("perf.hist.0"), MANY + 5);
	press(w, 'P');
	assert_int_equal(row_with(w, "printing…"), 0); /* closed meanwhile */
}

static void make_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void test_other_files(void **state)
{
	struct world *w = *state;

	make_file("broken.data", "PERFILE2");
	make_file("notes.txt", "nothing of it");
	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, 's');
	wait_seen(w, "broken.data");
	assert_int_equal(row_with(w, "notes.txt"), -1);
	press(w, K_ENTER);
	wait_seen(w, "Error");
	press(w, K_ESC);
	wait_gone(w, "Error");
	check_cursor(w, "[.] main");
	press(w, 's');
	press(w, 's');
	wait_seen(w, "recording:");
	type(w, "no");
	press(w, K_TAB);
	wait_seen(w, "recording: notes.txt");
	press(w, K_ENTER);
	wait_seen(w, "Error");
	press(w, K_ESC);
	wait_gone(w, "Error");
	press(w, 'i'); /* its file does not exist */
	wait_seen(w, "some/perf.data");
	assert_int_equal(row_with(w, "The recording"), -1);
}

static void test_trust(void **state)
{
	struct ptui_profile *p = program();
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;

	p->trust.lost_events = 3;
	p->events[0].enabled_ns = 1000;
	p->events[0].running_ns = 250;
	browse(w, p, &opts);
	wait_seen(w, "[.] main");
	wait_seen(w, "! lost 3 (5.3%)");
	wait_seen(w, "! running 25.0%");
	press(w, 'T');
	wait_seen(w, "larger ring buffers (-m 4M)");
	wait_seen(w, "The event was counted only 25.0% of the time");
	wait_seen(w, "✓ unknown 0.0%");
	press(w, K_ESC);
	wait_gone(w, "larger ring buffers");
}

/* Three of four user stacks do not reach _start: both keys lead to a Setup with unwound stacks. */
static struct ptui_profile *broken_stacks(void)
{
	struct made *m = made_new();

	made_sample(m, "_start main run", 25, 1);
	made_sample(m, "lib:sort", 25, 2);
	made_sample(m, "lib:sort run", 25, 3);
	made_sample(m, "gone:0x10", 25, 4);
	return made_take(m);
}

static void test_record_with_unwound_stacks(void **state)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;

	browse(w, broken_stacks(), &opts);
	wait_seen(w, "! stacks reach start 25% (end in");
	assert_int_equal(row_with(w, "unwinds them"), -1); /* it cannot */
	press(w, 'T');
	wait_seen(w, "Data quality");
	assert_int_equal(row_with(w, "(r) record again with unwound stacks"), -1);
	press(w, K_ESC);
	press(w, 'q');
	opts.record_again = again;
	opts.ctx = w;
	browse(w, broken_stacks(), &opts);
	wait_seen(w, "! stacks reach start 25% (end in");
	wait_seen(w, " · r unwinds them");
	assert_int_equal(grid_resize(w->grid, 24, 80), 0);
	wait_seen(w, "! unknown 25.0% (gone) · ! stacks reach start 25% · r unwinds them");
	press(w, 'r');
	assert_int_equal(w->again, 1);
	assert_true(w->unwound);
	assert_string_equal(w->like, "some/perf.data");
	press(w, 'T');
	wait_seen(w, "(r) record again with unwound stacks");
	press(w, 'r');
	assert_int_equal(w->again, 2);
	assert_true(w->unwound);
	wait_gone(w, "Data quality");
}

/* Nothing is to be gained: the same again. What Setup made is already in it. */
static void test_record_the_same(void **state)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;

	opts.record_again = again;
	opts.ctx = w;
	opts.from_setup = true;
	browse(w, program(), &opts);
	wait_seen(w, "[.] main");
	w->unwound = true;
	press(w, 'T');
	wait_seen(w, "Data quality");
	press(w, K_ESC);
	press(w, 'r');
	assert_int_equal(w->again, 1);
	assert_string_equal(w->like, "");
}

static void test_symbols(void **state)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;

	browse(w, broken_stacks(), &opts);
	wait_seen(w, "[.] main");
	press(w, 'M');
	wait_seen(w, "perf.data › DSOs without symbols");
	wait_seen(w, "1 DSO");
	wait_seen(w, " 25.00%  gone  file not found  the recorded file (--symfs DIR)");
	press(w, K_ENTER);
	wait_seen(w, "/opt/gone does not exist (any more)");
	wait_seen(w, "Copy the file from the recorded machine");
	press(w, K_ESC);
	press(w, 'm');
	wait_seen(w, "(y) copy the path of this DSO");
	press(w, K_ESC);
	assert_int_equal(grid_resize(w->grid, 10, 40), 0);
	wait_seen(w, " 25.00%  gone");
	wait_seen(w, "file not found");
	assert_int_equal(grid_resize(w->grid, 60, 200), 0);
	press(w, 'q');
	wait_seen(w, "Samples: 4 of event");
	press(w, 'm');
	wait_seen(w, "(M) list the DSOs without symbols");
	press(w, K_ESC);
	press(w, 'T');
	wait_seen(w, "(M) list the DSOs without symbols");
	press(w, 'M');
	wait_seen(w, "› DSOs without symbols");
}

/* C++ names in full, DSOs with their paths, and the row as it is shown. */
static void test_names(void **state)
{
	static const char name[] = "lib:outer::a_long_namespace::inner_thing::the_function_itself";
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct made *m = made_new();
	struct world *w = *state;

	made_sample(m, name, 10, 1);
	browse(w, made_take(m), &opts);
	assert_int_equal(grid_resize(w->grid, 24, 60), 0);
	wait_seen(w, "[.] out…nction_itself");
	assert_int_equal(row_with(w, "a_long_namespace"), -1);
	press(w, 'v');
	wait_seen(w, "outer::a_long");
	assert_int_equal(row_with(w, "_itself"), -1);
	press(w, 'v');
	press(w, K_RIGHT);
	wait_seen(w, "a_long_namespace");
	press(w, K_LEFT);
	assert_int_equal(grid_resize(w->grid, 24, 200), 0);
	wait_seen(w, "lib  ");
	wait_seen(w, "inner_thing::the_function_itself");
	assert_int_equal(row_with(w, "/opt/lib"), -1);
	press(w, 'p');
	wait_seen(w, "/opt/lib  ");
	press(w, 'y');
	wait_seen(w, "cannot be copied"); /* there is no terminal */
	press(w, 'p');
	wait_gone(w, "/opt/lib");
}

/* Clocks count nanoseconds. */
static void test_clock(void **state)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;
	struct made *m = made_new();
	struct ptui_profile *p;

	made_sample(m, "main", 71200000000u, 1);
	p = made_take(m);
	p->events[0].name = "cpu-clock:u";
	browse(w, p, &opts);
	wait_seen(w, "Event count (approx.): 71.2 s");
}

static void test_sizes(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	assert_int_equal(grid_resize(w->grid, 10, 40), 0);
	wait_seen(w, "+    90.00%     0.00%  [.] main");
	assert_true(row_with(w, "trust") > 0);
	assert_int_equal(grid_resize(w->grid, 30, 200), 0);
	assert_int_equal(row_with(w, "/opt"), -1);
	press(w, 'H');
	wait_gone(w, "Shared Object");
	assert_int_equal(grid_resize(w->grid, 1, 1), 0);
	row_with(w, "");
	assert_int_equal(grid_resize(w->grid, 24, 100), 0);
	press(w, 'H');
	wait_seen(w, "Shared Object");
	assert_int_equal(row_with(w, "/opt"), -1);
}

static void annotate(struct world *w, const char *chain, const char *symbol)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct made *m = made_new();

	made_sample(m, chain, 30, 1);
	opts.annotates = true;
	opts.symbol = symbol;
	browse(w, made_take(m), &opts);
}

/* As `ptui annotate` opens it. */
static void test_annotate(void **state)
{
	struct world *w = *state;

	annotate(w, "main run", NULL);
	wait_seen(w, "some/perf.data › run");
	wait_seen(w, "cannot annotate 'run'"); /* its file was made up */
	press(w, 'a');			       /* there is nothing to act on */
	press(w, K_ESC);
	wait_seen(w, "[.] main");
}

static void test_annotate_nothing(void **state)
{
	struct world *w = *state;

	annotate(w, "main run", "nowhere");
	wait_seen(w, "no samples are in a function 'nowhere'");
	wait_seen(w, "press a on a function of the list");
	press(w, K_ESC);
	wait_seen(w, "[.] main");
	annotate(w, "0x10", NULL);
	wait_seen(w, "no samples are in a function whose name is known");
	wait_seen(w, "press M for the DSOs without symbols");
	press(w, K_ESC);
	wait_seen(w, "0x");
	press(w, 'a');
	wait_seen(w, "The function of this row is unknown: it has no symbol.");
}

/* A row must be one function. */
static void test_annotate_rows(void **state)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct world *w = *state;

	opts.hist.sort = "dso";
	browse(w, program(), &opts);
	wait_seen(w, "prog");
	press(w, 'a');
	wait_seen(w, "This row has several functions: sort by symbol first.");
	assert_int_equal(row_with(w, " › "), -1);
}

/* The functions in a callchain, too. */
static void test_annotate_callchain(void **state)
{
	struct world *w = *state;

	open_browser(w);
	wait_seen(w, "[.] main");
	press(w, 'e');
	wait_seen(w, "50.00% run");
	press(w, K_DOWN);
	check_cursor(w, "run");
	press(w, 'a');
	wait_seen(w, "some/perf.data › run");
	press(w, K_ESC);
	wait_seen(w, "of event 'made'");
	check_cursor(w, "run");
	/* ESC does not wait for the code, and neither does the end */
	press(w, 'a');
	assert_int_equal(row_with(w, "some/perf.data › run"), 0);
	press(w, K_ESC);
	check_cursor(w, "run");
	press(w, 'a');
	assert_int_equal(row_with(w, "some/perf.data › run"), 0);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* The numbers of the events of a group are side by side; digits sort by one of them. */
static void test_group(void **state)
{
	struct world *w = *state;
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct made *m = made_new();
	int one, two;

	made_sample(m, "main", 30, 1);
	made_sample(m, "run", 70, 2);
	made_event(m, "faults", 0);
	made_sample(m, "main", 9, 3);
	made_sample(m, "touch", 1, 4);
	made_event(m, "alone", 2);
	made_sample(m, "main", 5, 5);
	opts.hist.children = false;
	browse(w, made_take(m), &opts);
	wait_seen(w, "Samples: 4 of the events 'made, faults'");
	assert_int_equal(row_with(w, "Event count"), -1);
	one = wait_seen(w, "70.00%   0.00%");
	two = wait_seen(w, "30.00%  90.00%");
	assert_true(one < two);
	assert_true(wait_seen(w, " 0.00%  10.00%") > two);

	press(w, '1');
	wait_seen(w, "Sorted by event 1 of the group: faults");
	for (int turns = 0; row_with(w, "30.00%  90.00%") > row_with(w, "70.00%   0.00%");
	     turns++) {
		assert_true(turns < 100);
		loop_turn(stack_loop(w->stack), 100);
	}
	press(w, '7');
	wait_seen(w, "The group has no event number 7.");
	press(w, '0');
	for (int turns = 0; row_with(w, "30.00%  90.00%") < row_with(w, "70.00%   0.00%");
	     turns++) {
		assert_true(turns < 100);
		loop_turn(stack_loop(w->stack), 100);
	}

	/* an event without a group has its own tab, where digits zoom */
	press(w, K_TAB);
	wait_seen(w, "Samples: 1 of event 'alone'");
	press(w, '2');
	wait_seen(w, "prog");
	wait_gone(w, "The group");
}

/* The first sample has a payload, as those of tracepoints do. */
static struct ptui_profile *tracepoints(void)
{
	struct ptui_profile *p = program();

	p->events[0].extras = PTUI_EXTRA_TRACE;
	p->extras = calloc(2, sizeof(*p->extras));
	p->extra_of = calloc(p->samples.n, sizeof(*p->extra_of));
	assert_non_null(p->extras);
	assert_non_null(p->extra_of);
	p->n_extras = 2;
	p->extras[0].trace = PTUI_NONE;
	p->extras[1].trace = p->samples.comm[3];
	p->extra_of[0] = 1;
	return p;
}

/* Enter on a row that does not open lists its samples with their payload; ESC keeps the row. */
static void test_tracepoints(void **state)
{
	struct world *w = *state;
	struct browser_opts opts = BROWSER_OPTS_INIT;

	opts.hist.no_chains = true;
	opts.hist.children = false;
	opts.hist.sort = "sym";
	browse(w, tracepoints(), &opts);
	wait_seen(w, "eval");
	press(w, K_DOWN);
	wait_seen(w, "token");
	press(w, K_ENTER);
	wait_seen(w, "some/perf.data › Samples › token");
	wait_seen(w, "1 sample");
	wait_seen(w, "Trace output");
	wait_seen(w, "30  helper");
	press(w, K_ESC);
	wait_seen(w, "Overhead");
	press(w, K_UP);
	press(w, K_ENTER);
	wait_seen(w, "Samples › eval");
	wait_seen(w, "0.000000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(test_record_with_unwound_stacks),
		IN_WORLD(test_record_the_same),
		IN_WORLD(test_symbols),
		IN_WORLD(test_names),
		IN_WORLD(test_clock),
		IN_WORLD(test_rows_and_chains),
		IN_WORLD(test_search),
		IN_WORLD(test_zooms),
		IN_WORLD(test_back),
		IN_WORLD(test_first_row),
		IN_WORLD(test_menu),
		IN_WORLD(test_without_chains),
		IN_WORLD(test_sort),
		IN_WORLD(test_group),
		IN_WORLD(test_tracepoints),
		IN_WORLD(test_limit),
		IN_WORLD(test_print),
		IN_WORLD(test_print_many),
		IN_WORLD(test_other_files),
		IN_WORLD(test_trust),
		IN_WORLD(test_sizes),
		IN_WORLD(test_annotate),
		IN_WORLD(test_annotate_nothing),
		IN_WORLD(test_annotate_rows),
		IN_WORLD(test_annotate_callchain),
	};

	/* no test begins with the sort keys of another one */
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
