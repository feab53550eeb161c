/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "model/browser/browser.h"
#include "model/browser/browser_state.h"
#include "model/report_line.h"
#include "unit/profile/made.h"

/* What the screen does. */
#define LOOK(b)	   (&b->tabs.look)
#define CHANGED(b) rows_tabs_changed(&b->tabs)

static struct ptui_profile *program(void)
{
	struct made *m = made_new();

	made_sample(m, "main run", 60, 1);
	made_sample(m, "main eval", 40, 2);
	return made_take(m);
}

static struct browser *browser(struct ptui_profile *p)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct browser *b = browser_new(p, &opts, NULL);

	assert_non_null(b);
	ptui_profile_unref(p); /* it has its own */
	return b;
}

static void toggle_children(struct browser *b)
{
	rows_look_toggle_children(LOOK(b));
	CHANGED(b);
}

static void toggle_order(struct browser *b)
{
	rows_look_toggle_chain_order(LOOK(b));
	CHANGED(b);
}

static int set_sort(struct browser *b, const char *keys, struct ptui_error *err)
{
	int ret = rows_look_set_sort(LOOK(b), NULL, keys, err);

	if (!ret)
		CHANGED(b);
	return ret;
}

static int set_limit(struct browser *b, const char *text)
{
	int ret = rows_look_set_limit(LOOK(b), text, NULL);

	return ret ? ret : browser_show(b, NULL);
}

static int zoom(struct browser *b, enum rows_zoom kind, uint64_t node, struct ptui_error *err)
{
	int ret = rows_look_zoom(LOOK(b), kind, browser_rows(b), node, err);

	if (!ret)
		CHANGED(b);
	return ret;
}

static int zoom_symbol(struct browser *b, const char *text)
{
	int ret = rows_look_zoom_text(LOOK(b), text, NULL);

	if (!ret)
		CHANGED(b);
	return ret;
}

static bool unzoom(struct browser *b)
{
	bool ret = rows_look_unzoom(LOOK(b));

	if (ret)
		CHANGED(b);
	return ret;
}

static const char *offer(struct browser *b, enum rows_zoom kind, uint64_t node, char *buf,
			 size_t size)
{
	return rows_look_zoom_offer(LOOK(b), kind, browser_rows(b), node, buf, size);
}

/* What a thread would do. */
static void count(struct browser *b)
{
	struct browser_job job;

	assert_true(browser_job_next(b, &job));
	browser_job_run(&job, NULL, NULL);
	browser_job_done(b, &job);
	browser_job_release(&job);
}

static void test_wishes_make_jobs(void **state)
{
	struct browser *b = browser(program());
	struct browser_job job;

	(void)state;
	assert_null(browser_rows(b));
	assert_false(rows_tabs_is_current(&b->tabs));
	count(b);
	assert_true(rows_tabs_is_current(&b->tabs));
	assert_false(browser_job_next(b, &job));
	assert_int_equal(rows_n(browser_rows(b)), 3);
	toggle_children(b);
	assert_int_equal(LOOK(b)->chain_order, PTUI_CALLEE);
	assert_int_equal(rows_n(browser_rows(b)), 3); /* the old rows stay */
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 2);
	/* an explicit order is kept */
	toggle_order(b);
	toggle_children(b);
	toggle_children(b);
	assert_int_equal(LOOK(b)->chain_order, PTUI_CALLER);
	browser_free(b);
}

static void test_a_wish_while_it_is_counted(void **state)
{
	struct browser *b = browser(program());
	struct browser_job job;

	(void)state;
	assert_true(browser_job_next(b, &job));
	browser_job_run(&job, NULL, NULL);
	toggle_children(b);
	browser_job_done(b, &job);
	browser_job_release(&job);
	/* better than nothing, but another job is needed */
	assert_int_equal(rows_n(browser_rows(b)), 3);
	assert_false(rows_tabs_is_current(&b->tabs));
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 2);

	toggle_order(b);
	assert_true(browser_job_next(b, &job));
	assert_int_equal(set_limit(b, "50"), 0);
	browser_job_run(&job, NULL, NULL);
	browser_job_done(b, &job);
	browser_job_release(&job);
	assert_true(rows_tabs_is_current(&b->tabs));
	assert_int_equal(rows_n(browser_rows(b)), 1);

	toggle_order(b);
	assert_true(browser_job_next(b, &job));
	browser_job_run(&job, NULL, NULL);
	browser_job_release(&job); /* the screen was closed meanwhile */
	browser_free(b);
}

static int cancel(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	(void)ctx;
	(void)what;
	(void)done;
	(void)total;
	return 1;
}

/* Back to the visible rows: keys, zooms, and everything. */
static void test_cancelled(void **state)
{
	struct browser *b = browser(program());
	struct rows *rows;
	struct browser_job job;

	(void)state;
	assert_false(browser_cancel(b)); /* nothing to go back to */
	count(b);
	assert_int_equal(set_sort(b, "dso", NULL), 0);
	count(b);
	rows = browser_rows(b);
	assert_int_equal(set_sort(b, "symbol", NULL), 0);
	toggle_children(b);
	assert_int_equal(zoom_symbol(b, "eval"), 0);
	assert_true(browser_job_next(b, &job));
	assert_true(browser_cancel(b));
	browser_job_run(&job, cancel, NULL);
	assert_null(job.rows.made);
	assert_int_equal(job.rows.err.code, ECANCELED);
	browser_job_done(b, &job);
	browser_job_release(&job);
	assert_true(rows_tabs_is_current(&b->tabs));
	assert_ptr_equal(browser_rows(b), rows);
	assert_null(rows_tabs_error(&b->tabs));
	assert_string_equal(LOOK(b)->sort, "dso");
	assert_true(LOOK(b)->children);
	assert_int_equal(LOOK(b)->n_zooms, 0);
	/* and a limit set meanwhile stays */
	toggle_order(b);
	assert_int_equal(set_limit(b, "3"), 0);
	assert_true(browser_cancel(b));
	assert_true(LOOK(b)->limits.row_percent == 3);
	browser_free(b);
}

static void test_sort(void **state)
{
	struct browser *b = browser(program());
	struct ptui_error err = PTUI_ERROR_INIT;
	char many[2 * ROWS_TEXT_MAX];

	(void)state;
	count(b);
	assert_int_equal(set_sort(b, "dso", NULL), 0);
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 1);
	assert_int_equal(set_sort(b, "nonsense", &err), -EINVAL);
	assert_true(*err.text);
	assert_true(rows_tabs_is_current(&b->tabs));
	assert_string_equal(LOOK(b)->sort, "dso");
	memset(many, ',', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	assert_int_equal(set_sort(b, many, NULL), -EINVAL);
	assert_int_equal(set_sort(b, "", NULL), 0);
	assert_string_equal(LOOK(b)->sort, "");
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 3);
	assert_null(rows_tabs_error(&b->tabs));
	browser_free(b);
}

static void test_limit(void **state)
{
	struct browser *b = browser(program());

	(void)state;
	assert_int_equal(set_limit(b, "50"), 0); /* before there are rows */
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 2);
	assert_int_equal(set_limit(b, "0.5 %"), 0);
	assert_int_equal(rows_n(browser_rows(b)), 3);
	assert_int_equal(set_limit(b, ""), -EINVAL);
	assert_int_equal(set_limit(b, "101"), -EINVAL);
	assert_int_equal(set_limit(b, "nan"), -EINVAL);
	assert_int_equal(set_limit(b, "1x"), -EINVAL);
	assert_int_equal(rows_n(browser_rows(b)), 3);
	browser_free(b);
}

static struct ptui_profile *two_threads(void)
{
	struct made *m = made_new();

	made_sample(m, "main lib:copy", 60, 1);
	made_sample(m, "main run", 10, 2);
	made_thread(m, "b", 7, 0);
	made_sample(m, "main run", 30, 3);
	return made_take(m);
}

/* The row with this prefix in a column. */
static uint64_t row_with(struct browser *b, size_t column, const char *text)
{
	struct rows *rows = browser_rows(b);
	char cell[256];

	for (size_t i = 0; i < rows_n(rows); i++) {
		uint64_t id = rows_child(rows, ROWS_TOP, i);

		if (!strncmp(rows_cell(rows, id, column, cell, sizeof(cell)), text, strlen(text)))
			return id;
	}
	fail_msg("no row %s", text);
	return 0;
}

static void check_crumbs(struct browser *b, const char *expected)
{
	char all[512] = "", one[128];

	for (size_t i = 0; i < LOOK(b)->n_zooms; i++) {
		strcat(all, i ? " > " : "");
		strcat(all, rows_look_zoom_name(LOOK(b), i, one, sizeof(one)));
	}
	assert_string_equal(all, expected);
}

/* Hidden DSOs and recursion are undone one by one, the last one first, between zooms. */
static void test_hidden(void **state)
{
	struct browser *b = browser(two_threads());
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist_filter f;

	(void)state;
	count(b);
	assert_int_equal(rows_look_hide(LOOK(b), "libc.so*", &err), 0);
	assert_int_equal(zoom(b, ROWS_ZOOM_KERNEL, 0, NULL), 0);
	assert_int_equal(rows_look_hide(LOOK(b), "[kernel]", &err), 0);
	assert_int_equal(rows_look_hide(LOOK(b), "libc.so*", &err), -EEXIST);
	rows_look_toggle_recursion(LOOK(b));
	check_crumbs(b, "kernel > without libc.so*,[kernel] > without recursion");
	f = rows_only_filter(&LOOK(b)->only);
	assert_string_equal(f.hide_dsos, "libc.so*\n[kernel]");
	assert_true(f.collapse_recursion);
	assert_true(rows_look_unzoom(LOOK(b)));
	assert_true(rows_look_unzoom(LOOK(b)));
	check_crumbs(b, "kernel > without libc.so*");
	assert_int_equal(rows_look_set_hidden(LOOK(b), "a, b,,a", &err), 0);
	check_crumbs(b, "kernel > without a,b");
	assert_int_equal(rows_look_set_hidden(LOOK(b), "", &err), 0);
	check_crumbs(b, "kernel");
	f = rows_only_filter(&LOOK(b)->only);
	assert_null(f.hide_dsos);
	assert_false(f.collapse_recursion);
	browser_free(b);
}

/* Lists of the command line are set, changed and undone like all zooms. */
static void test_only(void **state)
{
	static const struct {
		enum rows_zoom kind;
		const char *text;
		int ret;
	} lines[] = {
		{ ROWS_ZOOM_LISTS + ROWS_LIST_STACK, "cop", 0 },
		{ ROWS_ZOOM_LISTS + ROWS_LIST_COMMS, "a,x y", 0 },
		{ ROWS_ZOOM_LISTS + ROWS_LIST_PIDS, "x", -EINVAL },
		{ ROWS_ZOOM_LISTS + ROWS_LIST_TIMES, "10%/2", 0 },
		{ ROWS_ZOOM_LISTS + ROWS_LIST_TIMES, "40%-30%", -EINVAL },
		{ ROWS_ZOOM_LISTS + ROWS_LIST_FIELDS, "prev_pid >", -EINVAL },
		{ ROWS_ZOOM_LISTS + ROWS_LIST_FIELDS, "prev_pid > 1", 0 },
		{ ROWS_ZOOM_SOCKET, "x", -EINVAL },
		{ ROWS_ZOOM_SOCKET, "1", 0 },
		{ ROWS_ZOOM_LISTS + ROWS_LIST_TIMES, "1,2", 0 },
	};
	struct browser *b = browser(two_threads());
	struct ptui_error err = PTUI_ERROR_INIT;
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(rows_look_set_only(LOOK(b), lines[i].kind, lines[i].text, &err),
				 lines[i].ret);
	check_crumbs(b,
		     "stacks with cop > comms a,x y > fields prev_pid > 1 > socket 1 > times 1,2");
	assert_string_equal(rows_only_filter(&LOOK(b)->only).comms, "a\nx y");
	assert_string_equal(rows_look_only_text(LOOK(b), ROWS_ZOOM_LISTS + ROWS_LIST_COMMS, text,
						sizeof(text)),
			    "a,x y");
	assert_string_equal(rows_look_only_text(LOOK(b), ROWS_ZOOM_SOCKET, text, sizeof(text)),
			    "1");
	assert_true(unzoom(b));
	assert_true(unzoom(b));
	assert_false(rows_only_filter(&LOOK(b)->only).by_socket);
	assert_int_equal(rows_look_set_only(LOOK(b), ROWS_ZOOM_LISTS + ROWS_LIST_FIELDS, "", &err),
			 0);
	check_crumbs(b, "stacks with cop > comms a,x y");
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 2); /* copy and its caller of a */
	browser_free(b);
}

static void test_zooms(void **state)
{
	struct browser *b = browser(two_threads());
	char text[128];

	(void)state;
	assert_int_equal(zoom(b, ROWS_ZOOM_DSO, 1, NULL), -ENOENT); /* no rows yet */
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 5);
	assert_string_equal(offer(b, ROWS_ZOOM_THREAD, row_with(b, 2, "b"), text, sizeof(text)),
			    "zoom into thread b");
	assert_string_equal(offer(b, ROWS_ZOOM_DSO, row_with(b, 4, "[.] copy"), text, sizeof(text)),
			    "zoom into lib");
	assert_int_equal(zoom(b, ROWS_ZOOM_THREAD, row_with(b, 2, "a"), NULL), 0);
	assert_false(rows_tabs_is_current(&b->tabs));
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 3);
	assert_int_equal(zoom(b, ROWS_ZOOM_DSO, row_with(b, 4, "[.] run"), NULL), 0);
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 2);
	assert_int_equal(zoom_symbol(b, "RU"), 0);
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 1);
	assert_true(rows_percent(browser_rows(b), row_with(b, 4, "[.] run")) == 10);
	check_crumbs(b, "thread a > prog > 'RU'");
	LOOK(b)->relative = true;
	CHANGED(b);
	count(b);
	assert_true(rows_percent(browser_rows(b), row_with(b, 4, "[.] run")) == 100);
	/* another text instead of the first */
	assert_int_equal(zoom_symbol(b, "ma"), 0);
	count(b);
	row_with(b, 4, "[.] main");
	check_crumbs(b, "thread a > prog > 'ma'");
	/* out of one in the middle, then step by step */
	assert_string_equal(offer(b, ROWS_ZOOM_DSO, 0, text, sizeof(text)), "zoom out of the DSO");
	assert_int_equal(zoom(b, ROWS_ZOOM_DSO, ROWS_TOP, NULL), 0);
	check_crumbs(b, "thread a > 'ma'");
	assert_true(unzoom(b));
	check_crumbs(b, "thread a");
	assert_true(unzoom(b));
	assert_false(unzoom(b));
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 5);
	browser_free(b);
}

/* The filters of the command line are zooms, which the command copied from the screen has, too. */
static void test_zooms_of_the_command_line(void **state)
{
	const struct ptui_hist_filter filter = { .comms = "a\nb",
						 .tids = "1,2",
						 .cpus = "0-3",
						 .times = "0%-90%",
						 .dsos = "prog\nlib",
						 .resolved = true,
						 .symbol = "a" };
	const char *const crumbs[] = {
		"comms a,b > threads 1,2 > CPUs 0-3 > times 0%-90% > DSOs prog,lib > with symbols > 'a'",
		"comms a,b > threads 1,2 > CPUs 0-3 > times 0%-90% > DSOs prog,lib > with symbols",
		"comms a,b > threads 1,2 > CPUs 0-3 > times 0%-90% > DSOs prog,lib",
		"comms a,b > threads 1,2 > CPUs 0-3 > times 0%-90%",
		"comms a,b > threads 1,2 > CPUs 0-3",
		"comms a,b > threads 1,2",
		"comms a,b",
	};
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct ptui_profile *p = two_threads();
	struct words words = WORDS_INIT;
	struct ptui_hist_opts hist = { .sort = NULL };
	struct browser *b;

	(void)state;
	opts.filter = &filter;
	b = browser_new(p, &opts, NULL);
	ptui_profile_unref(p);
	rows_look_apply(LOOK(b), &hist);
	report_line_filter(&hist.filter, false, &words);
	assert_false(words.failed);
	assert_int_equal(words.n, 13);
	assert_string_equal(words.v[0], "--comms");
	assert_string_equal(words.v[1], "a,b");
	assert_string_equal(words.v[7], "0%-90%");
	assert_string_equal(words.v[10], "--hide-unresolved");
	words_release(&words);
	for (size_t i = 0; i < sizeof(crumbs) / sizeof(crumbs[0]); i++) {
		check_crumbs(b, crumbs[i]);
		assert_true(unzoom(b));
	}
	assert_false(unzoom(b));
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 5);
	browser_free(b);
}

static void test_zooms_that_are_not_there(void **state)
{
	struct browser *b = browser(two_threads());
	struct ptui_error err = PTUI_ERROR_INIT;
	char text[128], many[2 * ROWS_TEXT_MAX];
	uint64_t row;

	(void)state;
	assert_int_equal(set_sort(b, "symbol", NULL), 0);
	count(b);
	row = row_with(b, 2, "[.] run");
	assert_int_equal(zoom(b, ROWS_ZOOM_THREAD, row, &err), -ENOENT);
	assert_true(*err.text);
	assert_string_equal(offer(b, ROWS_ZOOM_THREAD, row, text, sizeof(text)), "");
	assert_int_equal(set_sort(b, "pid", NULL), 0);
	count(b);
	row = row_with(b, 2, "      7:b");
	assert_int_equal(zoom(b, ROWS_ZOOM_DSO, row, NULL), -ENOENT);
	assert_string_equal(offer(b, ROWS_ZOOM_THREAD, row, text, sizeof(text)),
			    "zoom into thread b 7");
	assert_int_equal(zoom(b, ROWS_ZOOM_THREAD, row, NULL), 0);
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 1);
	check_crumbs(b, "thread b 7");
	assert_int_equal(zoom(b, ROWS_ZOOM_KERNEL, row, NULL), 0);
	check_crumbs(b, "thread b 7 > kernel");
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 0);
	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	assert_int_equal(zoom_symbol(b, many), -EINVAL);
	browser_free(b);
}

static void test_tabs(void **state)
{
	struct ptui_profile *p = program();
	struct ptui_event_info *events = calloc(3, sizeof(*events));
	struct browser_job job;
	struct browser *b;

	(void)state;
	assert_non_null(events);
	events[0] = (struct ptui_event_info){ .name = "idle" };
	events[1] = p->events[0];
	events[1].name = "one";
	events[1].leader = 1;
	events[2] = p->events[0];
	events[2].name = "two";
	events[2].leader = 2;
	free(p->events);
	p->events = events;
	p->n_events = 3;
	for (size_t i = 0; i < p->samples.n; i++)
		p->samples.event[i] = (uint16_t)(i + 1);
	b = browser(p);
	assert_int_equal(b->tabs.n, 2);
	assert_string_equal(b->tabs.names[0], "one");
	assert_int_equal(b->tabs.v[1].event[0], 2);
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 2);
	rows_tabs_move(&b->tabs, -1);
	assert_int_equal(b->tabs.at, 1);
	assert_null(browser_rows(b)); /* made when first shown */
	count(b);
	rows_tabs_move(&b->tabs, 1);
	assert_true(rows_tabs_is_current(&b->tabs));
	toggle_children(b); /* applies to all tabs */
	count(b);
	rows_tabs_set(&b->tabs, 1);
	assert_false(rows_tabs_is_current(&b->tabs));
	rows_tabs_set(&b->tabs, 7);
	assert_int_equal(b->tabs.at, 1);
	/* switch tabs before this one is counted: it is counted when shown again */
	assert_true(browser_job_next(b, &job));
	rows_tabs_set(&b->tabs, 0);
	browser_job_run(&job, cancel, NULL);
	assert_null(job.rows.made);
	browser_job_done(b, &job);
	browser_job_release(&job);
	rows_tabs_set(&b->tabs, 1);
	assert_null(rows_tabs_error(&b->tabs));
	assert_false(rows_tabs_is_current(&b->tabs));
	count(b);
	assert_true(rows_tabs_is_current(&b->tabs));
	browser_free(b);
}

static void test_nothing_in_it(void **state)
{
	struct ptui_profile *p = made_take(made_new());
	struct browser_job job;
	struct browser *b;

	(void)state;
	p->n_events = 0;
	b = browser(p);
	assert_int_equal(b->tabs.n, 0);
	assert_null(browser_rows(b));
	assert_false(browser_job_next(b, &job));
	rows_tabs_move(&b->tabs, 1);
	browser_free(b);

	b = browser(made_take(made_new())); /* an event without samples is shown all the same */
	assert_int_equal(b->tabs.n, 1);
	count(b);
	assert_int_equal(rows_n(browser_rows(b)), 0);
	browser_free(b);
}

/* What is kept for the next start, and what a file must not do. */
static void test_state(void **state)
{
	static const char *const bad[] = {
		"sort",
		"sort samples",
		"sort samples ",
		"sort all dso",
		"sort samples a.b.c(",
		"width comm",
		"width comm 0",
		"width comm 501",
		"width comm 1x",
		"width comm 99999",
		"order dso",
		"columns samples overhead,no-such-key",
	};
	char folder[] = "/tmp/ptui-state-XXXXXX", path[64], line[2048];
	struct browser_state kept = { .widths.n = 0 }, s;
	struct browser *b = browser(program());
	struct ptui_error err = PTUI_ERROR_INIT;
	FILE *out;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/ptui/browser", folder);
	assert_int_equal(browser_state_load(&s, path, &err), 0); /* there is none */
	assert_int_equal(rows_look_set_columns(LOOK(b), NULL, "overhead, comm:12,sym:30", &err), 0);
	assert_string_equal(LOOK(b)->fields, "overhead,comm,sym");
	assert_int_equal(rows_look_width(&LOOK(b)->widths, "symbol"), 30);
	assert_int_equal(rows_look_set_columns(LOOK(b), NULL, "comm:0", &err), -EINVAL);
	assert_int_equal(rows_look_set_columns(LOOK(b), NULL, "comm:501", &err), -EINVAL);
	assert_int_equal(rows_look_set_columns(LOOK(b), NULL, "nothing", &err), -EINVAL);
	assert_string_equal(LOOK(b)->fields, "overhead,comm,sym");
	browser_state_keep(&kept, b->profile, LOOK(b));
	snprintf(kept.of[BROWSER_BRANCHES].sort, ROWS_TEXT_MAX, "symbol_to");
	assert_int_equal(browser_state_save(&kept, path, &err), 0);
	browser_free(b);

	b = browser(program());
	assert_int_equal(browser_state_load(&s, path, &err), 0);
	assert_string_equal(s.of[BROWSER_BRANCHES].sort, "symbol_to");
	browser_state_use(&s, b->profile, LOOK(b));
	assert_string_equal(LOOK(b)->fields, "overhead,comm,sym");
	assert_int_equal(rows_look_width(&LOOK(b)->widths, "comm"), 12);
	/* the next columns have no width, and "" is the default */
	assert_int_equal(rows_look_set_columns(LOOK(b), NULL, "overhead,comm", &err), 0);
	assert_int_equal(rows_look_width(&LOOK(b)->widths, "comm"), 0);
	assert_int_equal(rows_look_set_columns(LOOK(b), NULL, "", &err), 0);
	assert_int_equal(LOOK(b)->widths.n, 0);
	/* keys that this recording has no data for are not used */
	snprintf(s.of[BROWSER_SAMPLES].columns, ROWS_TEXT_MAX, "overhead,weight");
	browser_state_use(&s, b->profile, LOOK(b));
	assert_string_equal(LOOK(b)->fields, "");
	snprintf(s.of[BROWSER_SAMPLES].columns, ROWS_TEXT_MAX, "overhead,prev_comm");
	browser_state_use(&s, b->profile, LOOK(b));
	assert_string_equal(LOOK(b)->fields, "");
	browser_free(b);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		out = fopen(path, "w");
		assert_non_null(out);
		fprintf(out, "sort samples dso\n%s\n", bad[i]);
		fclose(out);
		if (browser_state_load(&s, path, &err) != -EBADMSG)
			fail_msg("%s", bad[i]);
		assert_string_equal(s.of[BROWSER_SAMPLES].sort, "dso");
		assert_int_equal(s.widths.n, 0);
	}
	memset(line, 'a', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	out = fopen(path, "w");
	fprintf(out, "sort samples %s\nwidth %s 5\n%s", line, line, line);
	fclose(out);
	assert_int_equal(browser_state_load(&s, path, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "3 invalid lines"));
	/* not a file, and a place where none can be made */
	assert_true(browser_state_load(&s, folder, &err) < 0);
	snprintf(line, sizeof(line), "%s/x", path);
	assert_true(browser_state_save(&kept, line, &err) < 0);
	assert_int_equal(unlink(path), 0);
	path[strlen(path) - strlen("/browser")] = '\0';
	assert_int_equal(rmdir(path), 0); /* nothing else is left in it */
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wishes_make_jobs),
		cmocka_unit_test(test_a_wish_while_it_is_counted),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_only),
		cmocka_unit_test(test_zooms),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_zooms_of_the_command_line),
		cmocka_unit_test(test_zooms_that_are_not_there),
		cmocka_unit_test(test_tabs),
		cmocka_unit_test(test_nothing_in_it),
		cmocka_unit_test(test_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
