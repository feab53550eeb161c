/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "profile/debug.h"
#include "ptui/compare.h"
#include "session/merge/merge.h"
#include "unit/profile/made.h"

static struct ptui_hist *view(struct ptui_profile *p, const char *sort, bool children)
{
	struct ptui_hist_opts o = { .sort = sort, .children = children };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);

	assert_non_null(h);
	return h;
}

/* Lines "before after delta name", in hundredths of a percent. */
static const char *rows(const struct ptui_compare *c, size_t name_col)
{
	static char text[2048];
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < ptui_compare_n_rows(c); i++) {
		struct ptui_compare_row r;
		char cell[64];

		ptui_compare_row(c, i, &r);
		ptui_compare_cell(c, i, name_col, cell, sizeof(cell));
		buf_addf(&b, "%.0f %.0f %+.0f %s\n", r.share_before * 100, r.share_after * 100,
			 r.delta * 100, cell);
	}
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

static void check(const char *expected, struct made *before, struct made *after, const char *sort,
		  bool children, size_t name_col)
{
	struct ptui_profile *p = made_take(before), *q = made_take(after);
	struct ptui_hist *a = view(p, sort, children), *b = view(q, sort, children);
	struct ptui_compare *c = ptui_compare_new(a, b, NULL);

	assert_non_null(c);
	assert_string_equal(rows(c, name_col), expected);
	ptui_compare_free(c);
	ptui_hist_free(a);
	ptui_hist_free(b);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

/* Rows of only one view count as 0 in the other; ids and totals differ. */
static void test_grown_shrunk_new_gone(void **state)
{
	struct made *before = made_new(), *after = made_new();

	(void)state;
	made_sample(before, "grows", 20, 1);
	made_sample(before, "gone", 30, 2);
	made_sample(before, "stays", 50, 3);
	made_sample(after, "stays", 500, 1);
	made_sample(after, "new", 100, 2);
	made_sample(after, "grows", 400, 3);
	check("", made_new(), made_new(), "sym", false, 1);
	check("30 0 -30 [.] gone\n"
	      "20 40 +20 [.] grows\n"
	      "0 10 +10 [.] new\n"
	      "50 50 +0 [.] stays\n",
	      before, after, "sym", false, 1);
}

/* Two functions with the same name in one module: the hotter ones are matched. */
static void test_same_name_twice(void **state)
{
	struct made *before = made_new(), *after = made_new();

	(void)state;
	made_thread(before, "a", 1, 0);
	made_sample(before, "lib:f", 60, 1);
	made_sample(before, "other:f", 40, 2);
	made_sample(after, "other:f", 30, 1);
	made_sample(after, "lib:f", 70, 2);
	check("60 70 +10 [.] f\n"
	      "40 30 -10 [.] f\n",
	      before, after, "sym", false, 1);
}

static void test_rows_by_module(void **state)
{
	struct made *before = made_new(), *after = made_new();

	(void)state;
	made_sample(before, "lib:f", 100, 1);
	made_sample(after, "other:f", 100, 1);
	check("0 100 +100 other\n"
	      "100 0 -100 lib\n",
	      before, after, "dso,sym", false, 1);
}

/* With children the difference includes callees. */
static void test_children(void **state)
{
	struct made *before = made_new(), *after = made_new();

	(void)state;
	made_sample(before, "main f", 50, 1);
	made_sample(before, "main g", 50, 2);
	made_sample(after, "main f", 80, 1);
	made_sample(after, "main", 20, 2);
	check("50 0 -50 [.] g\n"
	      "50 80 +30 [.] f\n"
	      "0 20 +0 [.] main\n",
	      before, after, "sym", true, 2);
}

static double noise_of(unsigned n_before, unsigned in_before, unsigned n_after, unsigned in_after,
		       double *ret_delta)
{
	struct made *before = made_new(), *after = made_new();
	struct ptui_profile *p, *q;
	struct ptui_hist *a, *b;
	struct ptui_compare *c;
	struct ptui_compare_row r;

	for (unsigned i = 0; i < n_before; i++)
		made_sample(before, i < in_before ? "f" : "other", 7, i);
	for (unsigned i = 0; i < n_after; i++)
		made_sample(after, i < in_after ? "f" : "other", 9, i);
	p = made_take(before);
	q = made_take(after);
	a = view(p, "sym", false);
	b = view(q, "sym", false);
	c = ptui_compare_new(a, b, NULL);
	assert_non_null(c);
	ptui_compare_row(c, 0, &r);
	*ret_delta = r.delta < 0 ? -r.delta : r.delta;
	ptui_compare_free(c);
	ptui_hist_free(a);
	ptui_hist_free(b);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
	return r.noise;
}

/* A hundred times the samples make a tenth of the noise. */
static void test_noise(void **state)
{
	double delta, few, many;

	(void)state;
	few = noise_of(100, 50, 100, 55, &delta);
	assert_true(delta > 0.0499 && delta < 0.0501);
	assert_true(few > 0.139 && few < 0.141); /* 2 * sqrt(2 * 0.25 / 102) */
	many = noise_of(10000, 5000, 10000, 5500, &delta);
	assert_true(many > 0.0139 && many < 0.0142);
	assert_true(delta > many);
	/* 3 new samples of 100 may be chance, 8 are not */
	assert_true(noise_of(100, 0, 100, 3, &delta) > delta);
	assert_true(noise_of(100, 0, 100, 8, &delta) < delta);
	/* nor is a drop from three samples of three to none significant */
	assert_true(noise_of(3, 3, 3, 0, &delta) >= delta);
	assert_true(noise_of(4, 4, 4, 0, &delta) < delta);
}

/* One sample with a period of a thousand is one sample. */
static void test_weight(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_all all;
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		made_sample(m, "f", 1, 50 + i);
	made_sample(m, "g", 100000, 20);
	p = made_take(m);
	h = view(p, "sym", false);
	ptui_hist_all(h, &all);
	assert_int_equal(all.samples, 101);
	assert_int_equal(all.period, 100100);
	assert_int_equal(all.first_ns, 20);
	assert_int_equal(all.last_ns, 149);
	assert_true(all.equal_samples > 1 && all.equal_samples < 1.01);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void keep_debug(struct profile_debug *d)
{
	(void)d;
}

static const uint8_t *id_a(struct profile_debug *d, uint32_t dso, size_t *ret_n)
{
	(void)d;
	(void)dso;
	*ret_n = 1;
	return (const uint8_t *)"a";
}

static const uint8_t *id_b(struct profile_debug *d, uint32_t dso, size_t *ret_n)
{
	(void)id_a(d, dso, ret_n);
	return (const uint8_t *)"b";
}

/* A range of addresses is the same function in the same build only, unless the builds are unknown. */
static void test_ranges(void **state)
{
	static struct profile_debug a = { .free = keep_debug, .build_id = id_a };
	static struct profile_debug b = { .free = keep_debug, .build_id = id_b };
	const struct {
		struct profile_debug *before, *after;
		bool same;
	} cases[] = { { &a, &a, true }, { &a, &b, false }, { NULL, NULL, true } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made *before = made_new(), *after = made_new();
		struct ptui_profile *p, *q;
		struct ptui_hist *h[2];
		struct ptui_compare *c;

		made_sample(before, "0x10-0x20", 75, 1);
		made_sample(before, "f", 25, 2);
		made_sample(after, "0x10-0x20", 60, 1);
		made_sample(after, "f", 40, 2);
		p = made_take(before);
		q = made_take(after);
		p->debug = cases[i].before;
		q->debug = cases[i].after;
		h[0] = view(p, "sym", false);
		h[1] = view(q, "sym", false);
		c = ptui_compare_new(h[0], h[1], NULL);
		assert_non_null(c);
		assert_int_equal(ptui_compare_n_rows(c), cases[i].same ? 2 : 3);
		ptui_compare_free(c);
		ptui_hist_free(h[0]);
		ptui_hist_free(h[1]);
		ptui_profile_unref(p);
		ptui_profile_unref(q);
	}
}

static void test_other_keys(void **state)
{
	struct made *m = made_new();
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_profile *p;
	struct ptui_hist *a, *b;

	(void)state;
	made_sample(m, "f", 1, 1);
	p = made_take(m);
	a = view(p, "sym", false);
	b = view(p, "dso", false);
	assert_null(ptui_compare_new(a, b, &err));
	assert_int_equal(err.code, EINVAL);
	ptui_hist_free(a);
	ptui_hist_free(b);
	ptui_profile_unref(p);
}

/* ---- several profiles as one ---- */

/* Every sample whose bit is set in `which`: part 0 has bit 0. */
static struct ptui_profile *made_part(unsigned which, const char *host)
{
	static const char *const chains[] = { "main run parse",	   "main run eval add",
					      "main kernel:write", "lib:start main run",
					      "main 0x10",	   "nowhere:0x99" };
	struct made *m = made_new();
	struct ptui_profile *p;

	for (unsigned i = 0; i < 60; i++) {
		if (!(which >> (i / 6 % 3) &
		      1)) /* each part has all functions, in the same order */
			continue;
		made_thread(m, i % 4 ? "a" : "b", 1 + (int32_t)(i % 5), i % 2);
		made_sample(m, chains[i % 6], 10 + i % 7, 100 + i / 3 * 10);
	}
	p = made_take(m);
	p->host = strdup(host);
	p->timed = true;
	return p;
}

static struct ptui_profile *merged(struct ptui_profile *a, struct ptui_profile *b)
{
	struct profile_merge *m = profile_merge_new();
	struct ptui_profile *p;

	assert_non_null(m);
	assert_int_equal(profile_merge_add(m, a, NULL), 0);
	assert_int_equal(profile_merge_add(m, b, NULL), 0);
	ptui_profile_unref(a);
	ptui_profile_unref(b);
	p = profile_merge_take(m);
	assert_non_null(p);
	profile_merge_free(m);
	return p;
}

static void assert_shows(struct ptui_profile *a, struct ptui_profile *b)
{
	static const char *const sorts[] = { "comm,dso,sym", "pid", "cpu", "sym" };

	for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++)
		for (int children = 0; children < 2; children++) {
			struct ptui_hist_opts o = { .sort = sorts[i],
						    .children = children,
						    .show_samples = true,
						    .show_period = true };
			struct ptui_hist *x = ptui_hist_new(a, &o, NULL);
			struct ptui_hist *y = ptui_hist_new(b, &o, NULL);
			char *text;

			assert_non_null(x);
			assert_non_null(y);
			text = strdup(made_rows(x));
			assert_string_equal(made_rows(y), text);
			free(text);
			ptui_hist_free(x);
			ptui_hist_free(y);
		}
	ptui_profile_unref(a);
	ptui_profile_unref(b);
}

static uint64_t repeated(struct ptui_profile *p)
{
	struct ptui_trust t;

	ptui_profile_trust(p, &t);
	return t.repeated;
}

/* Parts without a common sample are the profile of all their samples. */
static void test_merge_is_the_sum(void **state)
{
	struct ptui_profile *p = merged(made_part(1, "x"), made_part(6, "x"));

	(void)state;
	assert_int_equal(repeated(p), 0);
	assert_int_equal(ptui_profile_event(p, 0)->samples, 60);
	assert_shows(made_part(7, "x"), p);
}

/* A sample that both have counts once. */
static void test_merge_counts_once(void **state)
{
	struct ptui_profile *p = merged(made_part(3, "x"), made_part(6, "x"));

	(void)state;
	assert_int_equal(repeated(p), 18);
	assert_shows(made_part(7, "x"), p);
	p = merged(made_part(7, "x"), made_part(7, "x"));
	assert_int_equal(repeated(p), 60);
	assert_int_equal(p->n_frames, 9);
	assert_shows(made_part(7, "x"), p);
}

/* Equal samples of two machines are two, and so are those without times. */
static void test_merge_machines(void **state)
{
	struct ptui_profile *p = merged(made_part(7, "x"), made_part(7, "y")), *a;
	struct ptui_trust t;

	(void)state;
	ptui_profile_trust(p, &t);
	assert_int_equal(t.repeated, 0);
	assert_int_equal(t.hosts, 2);
	assert_int_equal(t.shared_threads, 5);
	assert_int_equal(p->samples.n_threads, 10);
	assert_int_equal(ptui_profile_event(p, 0)->samples, 120);
	ptui_profile_unref(p);
	a = made_part(7, "x");
	a->timed = false;
	p = merged(a, made_part(7, "x"));
	assert_int_equal(repeated(p), 0);
	ptui_profile_unref(p);
}

/* Events that were recorded otherwise are not one. */
static void test_merge_events(void **state)
{
	struct ptui_profile *a = made_part(7, "x"), *b = made_part(7, "x"), *p;

	(void)state;
	b->event_keys = calloc(b->n_events, sizeof(*b->event_keys));
	assert_non_null(b->event_keys);
	b->event_keys[0] = 1;
	p = merged(a, b);
	assert_int_equal(ptui_profile_n_events(p), 2);
	assert_int_equal(repeated(p), 0);
	assert_int_equal(ptui_profile_event(p, 1)->samples, 60);
	ptui_profile_unref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge_is_the_sum),
		cmocka_unit_test(test_merge_counts_once),
		cmocka_unit_test(test_merge_machines),
		cmocka_unit_test(test_merge_events),
		cmocka_unit_test(test_grown_shrunk_new_gone),
		cmocka_unit_test(test_same_name_twice),
		cmocka_unit_test(test_rows_by_module),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_weight),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_other_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
