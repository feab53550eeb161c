/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "model/compare/compare.h"
#include "unit/profile/made.h"

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
	assert_true(compare_is_current(c));
	assert_false(compare_job_next(c, &job));
}

/* "before after delta name" a line; ~ is chance. */
static const char *rows(struct compare *c)
{
	static char text[2048];
	struct compare_rows *r = compare_rows(c);
	struct buf b = BUF_INIT;
	char name[64], dash[] = "-";

	for (size_t i = 0; i < compare_rows_n(r); i++) {
		struct compare_row row;
		char share[2][16];

		compare_rows_get(r, i, &row);
		snprintf(share[0], sizeof(share[0]), "%.0f", row.before * 100);
		snprintf(share[1], sizeof(share[1]), "%.0f", row.after * 100);
		buf_addf(&b, "%s %s %s%+.0f %s\n", row.is_before ? share[0] : dash,
			 row.is_after ? share[1] : dash, compare_row_is_sure(&row) ? "" : "~",
			 row.delta * 100,
			 compare_rows_name(r, i, compare_rows_n_names(r) - 1, name, sizeof(name)));
		assert_int_equal(compare_rows_find(r, compare_rows_id(r, i)), i);
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
		compare_set_order(c, expected[i].order);
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
	compare_swap(c);
	/* names and rows change places together */
	assert_ptr_equal(compare_profile(c, false), first);
	count(c);
	assert_ptr_equal(compare_profile(c, true), first);
	assert_string_equal(rows(c), "50 - -50 [.] fresh\n30 60 +30 [.] parse\n- 20 +20 [.] gone\n"
				     "15 12 ~-3 [.] same\n5 8 ~+3 [k] wait\n");
	compare_rows_all(compare_rows(c), true, &all);
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
	assert_int_equal(compare_zoom(c, COMPARE_ZOOM_DSO, 3, &err), 0);
	count(c);
	assert_string_equal(rows(c), "12 15 ~+3 [.] same\n");
	assert_string_equal(compare_zoom_name(c, 0, text, sizeof(text)), "lib");
	assert_true(compare_unzoom(c));
	count(c);
	assert_int_equal(compare_zoom(c, COMPARE_ZOOM_COMM, 0, &err), 0);
	assert_int_equal(compare_zoom_text(c, "AR", &err), 0);
	count(c);
	assert_string_equal(rows(c), "60 30 -30 [.] parse\n");
	assert_int_equal(compare_n_zooms(c), 2);
	assert_string_equal(compare_zoom_name(c, 1, text, sizeof(text)), "'AR'");
	assert_int_equal(compare_zoom_text(c, "", &err), 0);
	assert_true(compare_unzoom(c));
	assert_false(compare_unzoom(c));
	assert_int_equal(compare_zoom(c, COMPARE_ZOOM_KERNEL, 0, &err), 0);
	count(c);
	assert_string_equal(rows(c), "8 5 ~-3 [k] wait\n");
	/* once more is out of it */
	assert_int_equal(compare_zoom(c, COMPARE_ZOOM_KERNEL, 0, &err), 0);
	assert_int_equal(compare_zoom(c, COMPARE_ZOOM_DSO, 99, &err), -ENOENT);
	assert_int_equal(compare_n_zooms(c), 0);
	compare_free(c);
}

static void test_limit_and_chance(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct compare *c = compare(before(), after());

	(void)state;
	assert_int_equal(compare_set_limit(c, "20 %", &err), 0);
	count(c);
	assert_string_equal(rows(c),
			    "- 50 +50 [.] fresh\n60 30 -30 [.] parse\n20 - -20 [.] gone\n");
	assert_int_equal(compare_rows_n_below(compare_rows(c)), 2);
	assert_int_equal(compare_set_limit(c, "101", &err), -EINVAL);
	assert_int_equal(compare_set_limit(c, "x", &err), -EINVAL);
	assert_int_equal(compare_set_limit(c, "0", &err), 0);
	compare_toggle_sure(c);
	count(c);
	assert_string_equal(rows(c),
			    "- 50 +50 [.] fresh\n60 30 -30 [.] parse\n20 - -20 [.] gone\n");
	assert_int_equal(compare_rows_n_below(compare_rows(c)), 0);
	assert_int_equal(compare_rows_n_unsure(compare_rows(c)), 2);
	assert_true(compare_rows_most(compare_rows(c)) > 0.499);
	compare_free(c);
}

static void test_children(void **state)
{
	struct compare *c = compare(before(), after());

	(void)state;
	assert_true(compare_has_children(c));
	compare_toggle_children(c);
	count(c);
	assert_true(compare_rows_children(compare_rows(c)));
	compare_set_order(c, COMPARE_BY_BEFORE);
	count(c);
	assert_non_null(strstr(rows(c), "92 95 ~+3 [.] main\n60 30 -30 [.] parse\n"));
	compare_free(c);
}

static void test_sort_keys(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct compare *c = compare(before(), after());

	(void)state;
	assert_int_equal(compare_set_sort(c, "nonsense", &err), -EINVAL);
	assert_int_equal(compare_set_sort(c, "comm", &err), 0);
	count(c);
	assert_string_equal(rows(c), "92 95 ~+3 a\n8 5 ~-3 b\n");
	assert_int_equal(compare_zoom(c, COMPARE_ZOOM_DSO, 0, &err), -ENOENT);
	/* without a function column the other columns are searched */
	assert_int_equal(compare_zoom_text(c, "B", &err), 0);
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
	assert_false(compare_cancel(c));
	count(c);
	compare_swap(c);
	assert_true(compare_job_next(c, &first));
	assert_non_null(first.views); /* nothing is counted twice */
	compare_set_order(c, COMPARE_BY_AFTER);
	compare_job_run(&first, NULL, NULL);
	compare_job_done(c, &first);
	compare_job_release(&first);
	assert_false(compare_is_current(c));
	assert_true(compare_cancel(c));
	assert_true(compare_is_current(c));
	assert_false(compare_how(c)->swapped);
	assert_int_equal(compare_how(c)->order, COMPARE_BY_CHANGE);
	compare_toggle_children(c);
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
	assert_int_equal(compare_n_tabs(c), 1);
	assert_string_equal(compare_tab_names(c)[0], "cycles");
	assert_string_equal(compare_lone_events(c, true, text, sizeof(text)), "faults, cycles");
	assert_string_equal(compare_lone_events(c, false, text, sizeof(text)), "");
	assert_int_equal(compare_event(c, true)->samples, 100);
	compare_free(c);
	name_event(p, 0, "clock");
	c = compare_new(p, q, NULL);
	assert_int_equal(compare_n_tabs(c), 0);
	assert_true(compare_is_current(c));
	assert_null(compare_rows(c));
	assert_string_equal(compare_lone_events(c, false, text, sizeof(text)), "clock");
	compare_free(c);
	q->events = own;
	q->n_events = 1;
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_details(void **state)
{
	struct compare *c = compare(before(), after());
	char *text;

	(void)state;
	count(c);
	text = compare_rows_details(compare_rows(c), 1);
	assert_non_null(text);
	expect(text, "a · prog · [.] parse\n");
	expect(text, "samples in it                     60            30\n");
	expect(text, "share                         60.00%        30.00%\n");
	expect(text, "difference -30.00%, 0.50 times the share\n");
	expect(text, "the difference is larger.");
	expect(text, "called by\n  main                        60.00%        30.00%\n");
	free(text);
	text = compare_rows_details(compare_rows(c), 0);
	expect(text, "difference +50.00%, new\n");
	free(text);
	text = compare_rows_details(compare_rows(c), 3);
	expect(text, "the difference is not significant");
	free(text);
	compare_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),	      cmocka_unit_test(test_swap),
		cmocka_unit_test(test_narrowed_down), cmocka_unit_test(test_limit_and_chance),
		cmocka_unit_test(test_children),      cmocka_unit_test(test_sort_keys),
		cmocka_unit_test(test_jobs),	      cmocka_unit_test(test_events),
		cmocka_unit_test(test_details),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
