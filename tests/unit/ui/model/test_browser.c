/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "model/browser/browser.h"
#include "unit/profile/made.h"

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
	assert_false(browser_is_current(b));
	count(b);
	assert_true(browser_is_current(b));
	assert_false(browser_job_next(b, &job));
	assert_int_equal(browser_rows_n(browser_rows(b)), 3);
	browser_toggle_children(b);
	assert_int_equal(browser_opts(b)->hist.order, PTUI_CALLEE);
	assert_int_equal(browser_rows_n(browser_rows(b)), 3); /* the old rows stay */
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 2);
	/* an explicit order is kept */
	browser_toggle_order(b);
	browser_toggle_children(b);
	browser_toggle_children(b);
	assert_int_equal(browser_opts(b)->hist.order, PTUI_CALLER);
	browser_free(b);
}

static void test_a_wish_while_it_is_counted(void **state)
{
	struct browser *b = browser(program());
	struct browser_job job;

	(void)state;
	assert_true(browser_job_next(b, &job));
	browser_job_run(&job, NULL, NULL);
	browser_toggle_children(b);
	browser_job_done(b, &job);
	browser_job_release(&job);
	/* better than nothing, but another job is needed */
	assert_int_equal(browser_rows_n(browser_rows(b)), 3);
	assert_false(browser_is_current(b));
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 2);

	browser_toggle_order(b);
	assert_true(browser_job_next(b, &job));
	assert_int_equal(browser_set_limit(b, "50", NULL), 0);
	browser_job_run(&job, NULL, NULL);
	browser_job_done(b, &job);
	browser_job_release(&job);
	assert_true(browser_is_current(b));
	assert_int_equal(browser_rows_n(browser_rows(b)), 1);

	browser_toggle_order(b);
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
	struct browser_rows *rows;
	struct browser_job job;

	(void)state;
	assert_false(browser_cancel(b)); /* nothing to go back to */
	count(b);
	assert_int_equal(browser_set_sort(b, "dso", NULL), 0);
	count(b);
	rows = browser_rows(b);
	assert_int_equal(browser_set_sort(b, "symbol", NULL), 0);
	browser_toggle_children(b);
	assert_int_equal(browser_zoom_symbol(b, "eval", NULL), 0);
	assert_true(browser_job_next(b, &job));
	assert_true(browser_cancel(b));
	browser_job_run(&job, cancel, NULL);
	assert_null(job.rows);
	assert_int_equal(job.err.code, ECANCELED);
	browser_job_done(b, &job);
	browser_job_release(&job);
	assert_true(browser_is_current(b));
	assert_ptr_equal(browser_rows(b), rows);
	assert_null(browser_error(b));
	assert_string_equal(browser_opts(b)->hist.sort, "dso");
	assert_true(browser_opts(b)->hist.children);
	assert_int_equal(browser_n_zooms(b), 0);
	/* and a limit set meanwhile stays */
	browser_toggle_order(b);
	assert_int_equal(browser_set_limit(b, "3", NULL), 0);
	assert_true(browser_cancel(b));
	assert_true(browser_opts(b)->limits.row_percent == 3);
	browser_free(b);
}

static void test_sort(void **state)
{
	struct browser *b = browser(program());
	struct ptui_error err = PTUI_ERROR_INIT;
	char many[2 * BROWSER_SORT_MAX];

	(void)state;
	count(b);
	assert_int_equal(browser_set_sort(b, "dso", NULL), 0);
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 1);
	assert_int_equal(browser_set_sort(b, "nonsense", &err), -EINVAL);
	assert_true(*err.text);
	assert_true(browser_is_current(b));
	assert_string_equal(browser_opts(b)->hist.sort, "dso");
	memset(many, ',', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	assert_int_equal(browser_set_sort(b, many, NULL), -EINVAL);
	assert_int_equal(browser_set_sort(b, "", NULL), 0);
	assert_null(browser_opts(b)->hist.sort);
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 3);
	assert_null(browser_error(b));
	browser_free(b);
}

static void test_limit(void **state)
{
	struct browser *b = browser(program());

	(void)state;
	assert_int_equal(browser_set_limit(b, "50", NULL), 0); /* before there are rows */
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 2);
	assert_int_equal(browser_set_limit(b, "0.5 %", NULL), 0);
	assert_int_equal(browser_rows_n(browser_rows(b)), 3);
	assert_int_equal(browser_set_limit(b, "", NULL), -EINVAL);
	assert_int_equal(browser_set_limit(b, "101", NULL), -EINVAL);
	assert_int_equal(browser_set_limit(b, "nan", NULL), -EINVAL);
	assert_int_equal(browser_set_limit(b, "1x", NULL), -EINVAL);
	assert_int_equal(browser_rows_n(browser_rows(b)), 3);
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
	struct browser_rows *rows = browser_rows(b);
	char cell[256];

	for (size_t i = 0; i < browser_rows_n(rows); i++) {
		uint64_t id = browser_rows_child(rows, BROWSER_TOP, i);

		if (!strncmp(browser_rows_cell(rows, id, column, cell, sizeof(cell)), text,
			     strlen(text)))
			return id;
	}
	fail_msg("no row %s", text);
	return 0;
}

static void check_crumbs(const struct browser *b, const char *expected)
{
	char all[512] = "", one[128];

	for (size_t i = 0; i < browser_n_zooms(b); i++) {
		strcat(all, i ? " > " : "");
		strcat(all, browser_zoom_text(b, i, one, sizeof(one)));
	}
	assert_string_equal(all, expected);
}

static void test_zooms(void **state)
{
	struct browser *b = browser(two_threads());
	char text[128];

	(void)state;
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_DSO, 1, NULL), -ENOENT); /* no rows yet */
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 5);
	assert_string_equal(browser_zoom_offer(b, BROWSER_ZOOM_THREAD, row_with(b, 2, "b"), text,
					       sizeof(text)),
			    "zoom into thread b");
	assert_string_equal(browser_zoom_offer(b, BROWSER_ZOOM_DSO, row_with(b, 4, "[.] copy"),
					       text, sizeof(text)),
			    "zoom into lib");
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_THREAD, row_with(b, 2, "a"), NULL), 0);
	assert_false(browser_is_current(b));
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 3);
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_DSO, row_with(b, 4, "[.] run"), NULL), 0);
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 2);
	assert_int_equal(browser_zoom_symbol(b, "RU", NULL), 0);
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 1);
	assert_true(browser_rows_percent(browser_rows(b), row_with(b, 4, "[.] run")) == 10);
	check_crumbs(b, "thread a > prog > 'RU'");
	browser_toggle_relative(b);
	count(b);
	assert_true(browser_rows_percent(browser_rows(b), row_with(b, 4, "[.] run")) == 100);
	/* another text instead of the first */
	assert_int_equal(browser_zoom_symbol(b, "ma", NULL), 0);
	count(b);
	row_with(b, 4, "[.] main");
	check_crumbs(b, "thread a > prog > 'ma'");
	/* out of one in the middle, then step by step */
	assert_string_equal(browser_zoom_offer(b, BROWSER_ZOOM_DSO, 0, text, sizeof(text)),
			    "zoom out of the DSO");
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_DSO, BROWSER_TOP, NULL), 0);
	check_crumbs(b, "thread a > 'ma'");
	assert_true(browser_unzoom(b));
	check_crumbs(b, "thread a");
	assert_true(browser_unzoom(b));
	assert_false(browser_unzoom(b));
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 5);
	browser_free(b);
}

static void test_zooms_that_are_not_there(void **state)
{
	struct browser *b = browser(two_threads());
	struct ptui_error err = PTUI_ERROR_INIT;
	char text[128], many[2 * BROWSER_SORT_MAX];
	uint64_t row;

	(void)state;
	assert_int_equal(browser_set_sort(b, "symbol", NULL), 0);
	count(b);
	row = row_with(b, 2, "[.] run");
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_THREAD, row, &err), -ENOENT);
	assert_true(*err.text);
	assert_string_equal(browser_zoom_offer(b, BROWSER_ZOOM_THREAD, row, text, sizeof(text)),
			    "");
	assert_int_equal(browser_set_sort(b, "pid", NULL), 0);
	count(b);
	row = row_with(b, 2, "      7:b");
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_DSO, row, NULL), -ENOENT);
	assert_string_equal(browser_zoom_offer(b, BROWSER_ZOOM_THREAD, row, text, sizeof(text)),
			    "zoom into thread b 7");
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_THREAD, row, NULL), 0);
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 1);
	check_crumbs(b, "thread b 7");
	assert_int_equal(browser_zoom(b, BROWSER_ZOOM_KERNEL, row, NULL), 0);
	check_crumbs(b, "thread b 7 > kernel");
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 0);
	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	assert_int_equal(browser_zoom_symbol(b, many, NULL), -EINVAL);
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
	events[2] = p->events[0];
	events[2].name = "two";
	free(p->events);
	p->events = events;
	p->n_events = 3;
	for (size_t i = 0; i < p->samples.n; i++)
		p->samples.event[i] = (uint16_t)(i + 1);
	b = browser(p);
	assert_int_equal(browser_n_tabs(b), 2);
	assert_string_equal(browser_tab_names(b)[0], "one");
	assert_int_equal(browser_tab_event(b, 1), 2);
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 2);
	browser_move_tab(b, -1);
	assert_int_equal(browser_tab(b), 1);
	assert_null(browser_rows(b)); /* made when first shown */
	count(b);
	browser_move_tab(b, 1);
	assert_true(browser_is_current(b));
	browser_toggle_children(b); /* applies to all tabs */
	count(b);
	browser_set_tab(b, 1);
	assert_false(browser_is_current(b));
	browser_set_tab(b, 7);
	assert_int_equal(browser_tab(b), 1);
	/* switch tabs before this one is counted: it is counted when shown again */
	assert_true(browser_job_next(b, &job));
	browser_set_tab(b, 0);
	browser_job_run(&job, cancel, NULL);
	assert_null(job.rows);
	browser_job_done(b, &job);
	browser_job_release(&job);
	browser_set_tab(b, 1);
	assert_null(browser_error(b));
	assert_false(browser_is_current(b));
	count(b);
	assert_true(browser_is_current(b));
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
	assert_int_equal(browser_n_tabs(b), 0);
	assert_null(browser_rows(b));
	assert_false(browser_job_next(b, &job));
	browser_move_tab(b, 1);
	browser_free(b);

	b = browser(made_take(made_new())); /* an event without samples is shown all the same */
	assert_int_equal(browser_n_tabs(b), 1);
	count(b);
	assert_int_equal(browser_rows_n(browser_rows(b)), 0);
	browser_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wishes_make_jobs),
		cmocka_unit_test(test_a_wish_while_it_is_counted),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_zooms),
		cmocka_unit_test(test_zooms_that_are_not_there),
		cmocka_unit_test(test_tabs),
		cmocka_unit_test(test_nothing_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
