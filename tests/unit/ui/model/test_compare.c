/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "model/compare/compare.h"
#include "unit/profile/made.h"

/* What the screen does. */
#define LOOK(c)	   (&c->tabs.look)
#define CHANGED(c) rows_tabs_changed(&c->tabs)

/* A hundred samples each: what differs by ten or so is chance. */
static void put(struct made *m, const char *chain, unsigned n)
{
	static uint64_t time_ns;

	for (unsigned i = 0; i < n; i++)
		made_sample(m, chain, 1000, ++time_ns * 1000000);
}

static struct ptui_profile *before(void)
{
	struct made *m = made_new();

	put(m, "main parse", 60);
	put(m, "main gone", 20);
	put(m, "main lib:same", 12);
	made_thread(m, "b", 2, 0);
	put(m, "kernel:wait", 8);
	return made_take(m);
}

static struct ptui_profile *after(void)
{
	struct made *m = made_new();

	put(m, "main parse", 30);
	put(m, "main fresh", 50);
	put(m, "main lib:same", 15);
	made_thread(m, "b", 2, 0);
	put(m, "kernel:wait", 5);
	return made_take(m);
}

static struct compare *compare(struct ptui_profile *p, struct ptui_profile *q)
{
	struct compare *c = compare_new(p, q, NULL);

	assert_non_null(c);
	ptui_profile_unref(p); /* it has its own */
	ptui_profile_unref(q);
	return c;
}

/* What a thread would do. */
static void count(struct compare *c)
{
	struct compare_job job;

	assert_true(compare_job_next(c, &job));
	compare_job_run(&job, NULL, NULL);
	compare_job_done(c, &job);
	compare_job_release(&job);
	assert_true(rows_tabs_is_current(&c->tabs));
	assert_false(compare_job_next(c, &job));
}

static void set_order(struct compare *c, enum compare_order order)
{
	LOOK(c)->compare_order = order;
	CHANGED(c);
}

static void swap(struct compare *c)
{
	LOOK(c)->swapped = !LOOK(c)->swapped;
	CHANGED(c);
}

static void toggle_children(struct compare *c)
{
	rows_look_toggle_children(LOOK(c));
	CHANGED(c);
}

static int set_sort(struct compare *c, const char *keys, struct ptui_error *err)
{
	int ret = rows_look_set_sort(LOOK(c), NULL, keys, err);

	CHANGED(c);
	return ret;
}

static int set_limit(struct compare *c, const char *text, struct ptui_error *err)
{
	int ret = rows_look_set_limit(LOOK(c), text, err);

	CHANGED(c);
	return ret;
}

static int zoom(struct compare *c, enum rows_zoom kind, size_t i, struct ptui_error *err)
{
	struct rows *rows = compare_rows(c)->nodes;
	int ret = rows_look_zoom(LOOK(c), kind, rows, rows_child(rows, ROWS_TOP, i), err);

	CHANGED(c);
	return ret;
}

static int zoom_text(struct compare *c, const char *text, struct ptui_error *err)
{
	int ret = rows_look_zoom_text(LOOK(c), text, err);

	CHANGED(c);
	return ret;
}

static bool unzoom(struct compare *c)
{
	CHANGED(c);
	return rows_look_unzoom(LOOK(c));
}

/* The row of the comparison in a line. */
static uint32_t row_at(struct compare *c, size_t i)
{
	return rows_shown(compare_rows(c)->nodes, i);
}

/* "before after delta name" a line; ~ is chance. */
static const char *rows(struct compare *c)
{
	static char text[2048];
	struct compare_rows *r = compare_rows(c);
	struct rows *nodes = r->nodes;
	struct buf b = BUF_INIT;
	char name[64], dash[] = "-";

	for (size_t i = 0; i < rows_n(nodes); i++) {
		uint64_t node = rows_child(nodes, ROWS_TOP, i);
		struct compare_row row;
		char share[2][16];

		compare_rows_get(r, rows_row(nodes, node), &row);
		snprintf(share[0], sizeof(share[0]), "%.0f", row.before * 100);
		snprintf(share[1], sizeof(share[1]), "%.0f", row.after * 100);
		buf_addf(&b, "%s %s %s%+.0f %s\n", row.is_before ? share[0] : dash,
			 row.is_after ? share[1] : dash, compare_row_is_sure(&row) ? "" : "~",
			 row.delta * 100,
			 rows_cell(nodes, node, rows_n_columns(nodes) - 1, name, sizeof(name)));
	}
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

static void test_orders(void **state)
{
	static const struct {
		enum compare_order order;
		const char *rows;
	} expected[] = {
		{ COMPARE_BY_CHANGE, "- 50 +50 [.] fresh\n60 30 -30 [.] parse\n20 - -20 [.] gone\n"
				     "12 15 ~+3 [.] same\n8 5 ~-3 [k] wait\n" },
		{ COMPARE_BY_GROWN, "- 50 +50 [.] fresh\n12 15 ~+3 [.] same\n8 5 ~-3 [k] wait\n"
				    "20 - -20 [.] gone\n60 30 -30 [.] parse\n" },
		{ COMPARE_BY_SHRUNK, "60 30 -30 [.] parse\n20 - -20 [.] gone\n8 5 ~-3 [k] wait\n"
				     "12 15 ~+3 [.] same\n- 50 +50 [.] fresh\n" },
		{ COMPARE_BY_FACTOR, "- 50 +50 [.] fresh\n20 - -20 [.] gone\n60 30 -30 [.] parse\n"
				     "8 5 ~-3 [k] wait\n12 15 ~+3 [.] same\n" },
		{ COMPARE_BY_BEFORE, "60 30 -30 [.] parse\n20 - -20 [.] gone\n12 15 ~+3 [.] same\n"
				     "8 5 ~-3 [k] wait\n- 50 +50 [.] fresh\n" },
		{ COMPARE_BY_AFTER, "- 50 +50 [.] fresh\n60 30 -30 [.] parse\n12 15 ~+3 [.] same\n"
				    "8 5 ~-3 [k] wait\n20 - -20 [.] gone\n" },
	};
	struct compare *c = compare(before(), after());

	(void)state;
	assert_int_equal(sizeof(expected) / sizeof(expected[0]), N_COMPARE_ORDERS);
	for (size_t i = 0; i < N_COMPARE_ORDERS; i++) {
		set_order(c, expected[i].order);
		count(c);
		assert_string_equal(rows(c), expected[i].rows);
	}
	compare_free(c);
}

static void test_swap(void **state)
{
	struct compare *c = compare(before(), after());
	struct ptui_profile *first = compare_profile(c, false);
	struct ptui_hist_all all;

	(void)state;
	count(c);
	swap(c);
	/* names and rows change places together */
	assert_ptr_equal(compare_profile(c, false), first);
	count(c);
	assert_ptr_equal(compare_profile(c, true), first);
	assert_string_equal(rows(c), "50 - -50 [.] fresh\n30 60 +30 [.] parse\n- 20 +20 [.] gone\n"
				     "15 12 ~-3 [.] same\n5 8 ~+3 [k] wait\n");
	ptui_hist_all(compare_rows_hist(compare_rows(c), true), &all);
	assert_int_equal(all.samples, 100);
	assert_int_equal(all.last_ns - all.first_ns, 99000000);
	compare_free(c);
}

static void test_narrowed_down(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct compare *c = compare(before(), after());
	char text[64];

	(void)state;
	count(c);
	assert_int_equal(zoom(c, ROWS_ZOOM_DSO, 3, &err), 0);
	count(c);
	assert_string_equal(rows(c), "12 15 ~+3 [.] same\n");
	assert_string_equal(rows_look_zoom_name(LOOK(c), 0, text, sizeof(text)), "lib");
	assert_true(unzoom(c));
	count(c);
	assert_int_equal(zoom(c, ROWS_ZOOM_THREAD, 0, &err), 0);
	assert_int_equal(zoom_text(c, "AR", &err), 0);
	count(c);
	assert_string_equal(rows(c), "60 30 -30 [.] parse\n");
	assert_int_equal(LOOK(c)->n_zooms, 2);
	assert_string_equal(rows_look_zoom_name(LOOK(c), 1, text, sizeof(text)), "'AR'");
	assert_int_equal(zoom_text(c, "", &err), 0);
	assert_true(unzoom(c));
	assert_false(unzoom(c));
	assert_int_equal(zoom(c, ROWS_ZOOM_KERNEL, 0, &err), 0);
	count(c);
	assert_string_equal(rows(c), "8 5 ~-3 [k] wait\n");
	/* once more is out of it */
	assert_int_equal(zoom(c, ROWS_ZOOM_KERNEL, 0, &err), 0);
	assert_int_equal(zoom(c, ROWS_ZOOM_DSO, 99, &err), -ENOENT);
	assert_int_equal(LOOK(c)->n_zooms, 0);
	compare_free(c);
}

static void test_limit_and_chance(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct compare *c = compare(before(), after());

	(void)state;
	assert_int_equal(set_limit(c, "20 %", &err), 0);
	count(c);
	assert_string_equal(rows(c),
			    "- 50 +50 [.] fresh\n60 30 -30 [.] parse\n20 - -20 [.] gone\n");
	assert_int_equal(compare_rows(c)->n_below, 2);
	assert_int_equal(set_limit(c, "101", &err), -EINVAL);
	assert_int_equal(set_limit(c, "x", &err), -EINVAL);
	assert_int_equal(set_limit(c, "0", &err), 0);
	LOOK(c)->sure_only = true;
	CHANGED(c);
	count(c);
	assert_string_equal(rows(c),
			    "- 50 +50 [.] fresh\n60 30 -30 [.] parse\n20 - -20 [.] gone\n");
	assert_int_equal(compare_rows(c)->n_below, 0);
	assert_int_equal(compare_rows(c)->n_unsure, 2);
	assert_true(compare_rows(c)->most > 0.499);
	compare_free(c);
}

static void test_children(void **state)
{
	struct compare *c = compare(before(), after());

	(void)state;
	assert_true(compare_has_children(c));
	toggle_children(c);
	count(c);
	assert_true(ptui_hist_children(compare_rows_hist(compare_rows(c), true)));
	set_order(c, COMPARE_BY_BEFORE);
	count(c);
	assert_non_null(strstr(rows(c), "92 95 ~+3 [.] main\n60 30 -30 [.] parse\n"));
	compare_free(c);
}

static void test_sort_keys(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct compare *c = compare(before(), after());

	(void)state;
	assert_int_equal(set_sort(c, "nonsense", &err), -EINVAL);
	assert_int_equal(set_sort(c, "comm", &err), 0);
	count(c);
	assert_string_equal(rows(c), "92 95 ~+3 a\n8 5 ~-3 b\n");
	assert_int_equal(zoom(c, ROWS_ZOOM_DSO, 0, &err), -ENOENT);
	/* without a function column the other columns are searched */
	assert_int_equal(zoom_text(c, "B", &err), 0);
	count(c);
	assert_string_equal(rows(c), "8 5 ~-3 b\n");
	compare_free(c);
}

/* The old rows stay until a wish is fulfilled; it can be taken back. */
static void test_jobs(void **state)
{
	struct compare *c = compare(before(), after());
	struct compare_job first, second;

	(void)state;
	assert_null(compare_rows(c));
	assert_false(rows_tabs_cancel(&c->tabs));
	count(c);
	swap(c);
	assert_true(compare_job_next(c, &first));
	assert_non_null(first.views); /* nothing is counted twice */
	set_order(c, COMPARE_BY_AFTER);
	compare_job_run(&first, NULL, NULL);
	compare_job_done(c, &first);
	compare_job_release(&first);
	assert_false(rows_tabs_is_current(&c->tabs));
	assert_true(rows_tabs_cancel(&c->tabs));
	assert_true(rows_tabs_is_current(&c->tabs));
	assert_false(LOOK(c)->swapped);
	assert_int_equal(LOOK(c)->compare_order, COMPARE_BY_CHANGE);
	toggle_children(c);
	assert_true(compare_job_next(c, &second));
	assert_null(second.views);
	compare_job_release(&second);
	compare_free(c);
}

static void name_event(struct ptui_profile *p, size_t i, const char *name)
{
	p->events[i].name = name;
}

/* Events are the same when their names are. */
static void test_events(void **state)
{
	static struct ptui_event_info many[] = {
		{ .name = "faults", .samples = 3 },
		{ .name = "cycles", .samples = 100 },
		{ .name = "cycles", .samples = 1 },
		{ .name = "idle" },
	};
	struct ptui_profile *p = before(), *q = after();
	struct ptui_event_info *own = q->events;
	struct compare *c;
	char text[64];

	(void)state;
	name_event(p, 0, "cycles");
	q->events = many;
	q->n_events = 4;
	c = compare_new(p, q, NULL);
	assert_non_null(c);
	assert_int_equal(c->tabs.n, 1);
	assert_string_equal(c->tabs.names[0], "cycles");
	assert_string_equal(compare_lone_events(c, true, text, sizeof(text)), "faults, cycles");
	assert_string_equal(compare_lone_events(c, false, text, sizeof(text)), "");
	assert_int_equal(compare_event(c, true)->samples, 100);
	compare_free(c);
	name_event(p, 0, "clock");
	c = compare_new(p, q, NULL);
	assert_int_equal(c->tabs.n, 0);
	assert_true(rows_tabs_is_current(&c->tabs));
	assert_null(compare_rows(c));
	assert_string_equal(compare_lone_events(c, false, text, sizeof(text)), "clock");
	compare_free(c);
	q->events = own;
	q->n_events = 1;
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

/* perf asks for precise events, also where it makes no difference. */
static void test_precise_events(void **state)
{
	static const struct {
		const char *before, *after;
		bool same;
	} cases[] = {
		{ "cpu-clock", "cpu-clock:ppp", true },	 { "cycles:P", "cycles", true },
		{ "cycles:u", "cycles:uppp", true },	 { "cycles:Pu", "cycles:u", true },
		{ "cycles", "cycles:u", false },	 { "cycles:k", "cycles:uppp", false },
		{ "cycles:ppp", "instructions", false }, { "sched:pow", "sched", false },
		{ "cycles:u", "cycles:ukppp", false },
	};
	struct ptui_profile *p = before(), *q = after();
	struct compare *c;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		name_event(p, 0, cases[i].before);
		name_event(q, 0, cases[i].after);
		c = compare_new(p, q, NULL);
		assert_int_equal(c->tabs.n, cases[i].same);
		compare_free(c);
	}
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

/* Clocks count nanoseconds. */
static void test_details_of_a_clock(void **state)
{
	struct ptui_profile *p = before(), *q = after();
	struct compare *c;
	char *text;

	(void)state;
	name_event(p, 0, "cpu-clock");
	name_event(q, 0, "cpu-clock:ppp");
	c = compare(p, q);
	count(c);
	text = compare_details(compare_rows(c)->views, false, row_at(c, 1));
	assert_non_null(text);
	expect(text, "CPU time in it");
	expect(text, "CPU time in total             100 us        100 us\n");
	expect(text, " us");
	assert_null(strstr(text, "events"));
	free(text);
	compare_free(c);
}

static void test_details(void **state)
{
	struct compare *c = compare(before(), after());
	char *text;

	(void)state;
	count(c);
	text = compare_details(compare_rows(c)->views, false, row_at(c, 1));
	assert_non_null(text);
	expect(text, "a · prog · [.] parse\n");
	expect(text, "samples in it                     60            30\n");
	expect(text, "share                         60.00%        30.00%\n");
	expect(text, "difference -30.00%, 0.50 times the share\n");
	expect(text, "the difference is larger.");
	expect(text, "called by\n  main                        60.00%        30.00%\n");
	free(text);
	text = compare_details(compare_rows(c)->views, false, row_at(c, 0));
	expect(text, "difference +50.00%, new\n");
	free(text);
	text = compare_details(compare_rows(c)->views, false, row_at(c, 3));
	expect(text, "the difference is not significant");
	free(text);
	compare_free(c);
}

/* Two callers that differ at the end of long names, as functions of C++ do. */
static struct ptui_profile *called(unsigned n)
{
	struct made *m = made_new();
	char chain[3100];

	for (char end = 'a'; end <= 'b'; end++) {
		memset(chain, 't', 3000);
		snprintf(chain + 3000, sizeof(chain) - 3000, "_%c leaf", end);
		put(m, chain, end == 'a' ? n : 100 - n);
	}
	return made_take(m);
}

static void test_long_callers(void **state)
{
	struct compare *c = compare(called(60), called(30));
	char *text;

	(void)state;
	count(c);
	text = compare_details(compare_rows(c)->views, false, row_at(c, 0));
	assert_non_null(text);
	expect(text, "leaf\n");
	expect(text, "ttt_b        40.00%        70.00%\n");
	expect(text, "ttt_a        60.00%        30.00%\n");
	free(text);
	compare_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_swap),
		cmocka_unit_test(test_narrowed_down),
		cmocka_unit_test(test_limit_and_chance),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_sort_keys),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_precise_events),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_details_of_a_clock),
		cmocka_unit_test(test_long_callers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
