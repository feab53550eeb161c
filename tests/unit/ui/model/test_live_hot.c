/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/need.h"
#include "model/live/live_hot.h"
#include "profile/hist/hist.h"
#include "unit/profile/made.h"
#include "view/worker.h"

/* The tree as text, open rows with callers: "70 parse(70 run main) 30 eval". */
static void print(struct rows *rows, uint64_t id, char *buf, size_t size)
{
	for (size_t i = 0; i < rows_count(rows, id); i++) {
		uint64_t child = rows_child(rows, id, i);
		char text[128], percent[32] = "";
		size_t n = strlen(buf);

		if (rows_kind(rows, child) == ROWS_ROW)
			rows_cell(rows, child, rows_n_columns(rows) - 1, text, sizeof(text));
		else
			rows_label(rows, child, text, sizeof(text));
		if (rows_percent(rows, child) >= 0)
			snprintf(percent, sizeof(percent), "%.0f ", rows_percent(rows, child));
		snprintf(buf + n, size - n, "%s%s%s", i ? " " : "", percent,
			 text + strspn(text, " "));
		if (!rows_count(rows, child))
			continue;
		strncat(buf, "(", size - strlen(buf) - 1);
		print(rows, child, buf, size);
		strncat(buf, ")", size - strlen(buf) - 1);
	}
}

static const char *text_of(const struct live_hot *h)
{
	static char buf[1024];

	buf[0] = 0;
	print(h->rows, ROWS_TOP, buf, sizeof(buf));
	return buf;
}

static uint64_t id_of(const struct live_hot *h, const char *function)
{
	for (size_t i = 0; i < rows_n(h->rows); i++) {
		uint64_t id = rows_child(h->rows, ROWS_TOP, i);
		char text[128];

		if (strstr(rows_cell(h->rows, id, rows_n_columns(h->rows) - 1, text, sizeof(text)),
			   function))
			return id;
	}
	fail_msg("there is no row %s", function);
	return 0;
}

static double now_of(const struct live_hot *h, const char *function)
{
	return h->now[rows_row(h->rows, id_of(h, function))];
}

/* Opens, but its children are not made. */
static bool is_unmade(const struct live_hot *h, uint64_t id)
{
	return rows_opens(h->rows, id) && !rows_count(h->rows, id) && rows_deferred(h->rows);
}

static struct ptui_profile *profile(uint64_t parse, uint64_t eval, uint64_t leaf)
{
	struct made *m = made_new();

	if (parse)
		made_sample(m, "main run parse", parse, 1);
	if (eval)
		made_sample(m, "main run eval", eval, 2);
	made_sample(m, "main a leaf", leaf + 2, 3);
	made_sample(m, "main b leaf", leaf - 2, 4);
	return made_take(m);
}

static struct live_hot *make_job(struct live_hot_maker *k, const struct live_hot_job *job)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct live_hot *h = live_hot_make(k, job, &err);

	if (!h)
		fail_msg("%s", err.text);
	return h;
}

static struct live_hot *make(struct live_hot_maker *k, struct ptui_profile *p, uint64_t generation,
			     uint64_t left, const uint64_t *open, size_t n_open)
{
	const struct live_hot_job job = {
		.profile = p, .generation = generation, .left = left, .open = open, .n_open = n_open
	};

	return make_job(k, &job);
}

static void test_hottest_first(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = profile(50, 30, 10);
	struct live_hot *h = make(k, p, 1, 0, NULL, 0);
	struct ptui_row facts;
	char text[64];

	(void)state;
	assert_string_equal(text_of(h), "50 [.] parse 30 [.] eval 20 [.] leaf");
	assert_string_equal(rows_column(h->rows, 1)->name, "comm");
	assert_string_equal(rows_cell(h->rows, id_of(h, "leaf"), 1, text, sizeof(text)), "a");
	assert_string_equal(rows_cell(h->rows, id_of(h, "leaf"), 2, text, sizeof(text)), "prog");
	ptui_hist_row(rows_hist(h->rows), rows_row(h->rows, id_of(h, "leaf")), &facts);
	assert_int_equal(facts.samples, 2);
	assert_true(isnan(now_of(h, "leaf")));
	assert_int_equal(rows_width(h->rows, 2), 4);
	assert_int_equal(rows_row(h->rows, 12345), PTUI_NONE);
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
}

/* With children callers have rows, and callchains begin at their side. */
static void test_children(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = profile(50, 30, 10), *q = profile(60, 30, 10);
	struct live_hot_job job = { .profile = p, .generation = 1 };
	struct live_hot *h;

	(void)state;
	rows_look_toggle_children(&job.view.look);
	h = live_hot_make(k, &job, NULL);
	assert_string_equal(text_of(h), "100 [.] main 80 [.] run 50 [.] parse 30 [.] eval "
					"20 [.] leaf 12 [.] a 8 [.] b");
	live_hot_free(h);
	job.profile = q;
	job.generation = 2;
	h = live_hot_make(k, &job, NULL);
	assert_true(now_of(h, "parse") == 100);
	assert_true(now_of(h, "main") == 0); /* itself */
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

static struct live_hot *make_by(struct live_hot_maker *k, struct ptui_profile *p,
				enum live_hot_by by, const uint64_t *open, size_t n_open)
{
	struct live_hot_job job = {
		.profile = p, .generation = 1, .open = open, .n_open = n_open, .view.by = by
	};
	struct live_hot *h = live_hot_make(k, &job, NULL);

	assert_non_null(h);
	return h;
}

static struct ptui_profile *threads(void)
{
	struct made *m = made_new();

	made_sample(m, "main parse", 40, 1);
	made_thread(m, "worker", 7, 1);
	made_sample(m, "main eval", 35, 2);
	made_sample(m, "main parse", 25, 3);
	return made_take(m);
}

/* One row per thread or CPU; their functions below, with shares of the total. */
static void test_threads_and_cpus(void **state)
{
	static const struct {
		enum live_hot_by by;
		const char *closed, *name, *open;
	} cases[] = {
		{ LIVE_HOT_THREADS, "60 7:worker 40 1:a", "worker",
		  "60 7:worker(35 [.] eval 25 [.] parse) 40 1:a" },
		{ LIVE_HOT_CPUS, "60 001 40 000", "000", "60 001 40 000(40 [.] parse)" },
		{ LIVE_HOT_FUNCTIONS, "40 [.] parse 35 [.] eval 25 [.] parse", "eval",
		  "40 [.] parse 35 [.] eval(35 main) 25 [.] parse" },
	};
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = threads();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct live_hot *h = make_by(k, p, cases[i].by, NULL, 0);
		uint64_t id = id_of(h, cases[i].name);

		assert_string_equal(text_of(h), cases[i].closed);
		assert_true(is_unmade(h, id));
		live_hot_free(h);
		h = make_by(k, p, cases[i].by, &id, 1);
		assert_string_equal(text_of(h), cases[i].open);
		assert_false(is_unmade(h, id));
		live_hot_free(h);
	}
	live_hot_maker_free(k);
	ptui_profile_unref(p);
}

/* With very many CPUs each has its row, the busiest on top, and they add up to the total. */
static void test_many_cpus(void **state)
{
	enum { N = 64 };
	struct live_hot_maker *k = live_hot_maker_new();
	struct made *m = made_new();
	struct live_hot_job job = { .generation = 1,
				    .view.by = LIVE_HOT_CPUS,
				    .view.whole_system = true };
	double sum = 0, last = 100;
	struct live_hot *h;

	(void)state;
	for (uint32_t cpu = 0; cpu < N; cpu++) {
		made_thread(m, "busy", 100 + (int32_t)cpu, cpu);
		made_sample(m, "main work", 2 * cpu + 2, cpu + 1);
		made_thread(m, "swapper", 0, cpu);
		made_sample(m, "kernel:idle", N - cpu, cpu + 1);
	}
	job.profile = made_take(m);
	job.profile->events[0].name = "cpu-clock";
	h = live_hot_make(k, &job, NULL);
	assert_int_equal(rows_n(h->rows), N);
	assert_true(h->has_busy);
	for (size_t i = 0; i < N; i++) {
		uint64_t id = rows_child(h->rows, ROWS_TOP, i);
		double percent = rows_percent(h->rows, id), busy = h->busy[rows_row(h->rows, id)];
		int cpu = rows_cpu(h->rows, id);

		assert_int_equal(cpu, N - 1 - i);
		assert_true(percent <= last);
		assert_true(fabs(busy - 100.0 * (2 * cpu + 2) / (N + cpu + 2)) < 1e-9);
		last = percent;
		sum += percent;
	}
	assert_true(fabs(sum - 100) < 1e-6);
	live_hot_free(h);
	/* tasks have no idle time */
	job.view.whole_system = false;
	h = live_hot_make(k, &job, NULL);
	assert_false(h->has_busy);
	assert_true(isnan(h->busy[0]));
	live_hot_free(h);
	/* other events do not count it */
	job.view.whole_system = true;
	job.profile->events[0].name = "cycles";
	job.generation++;
	h = live_hot_make(k, &job, NULL);
	assert_false(h->has_busy);
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(job.profile);
}

/* There is a profile even before the first sample. */
static void test_no_samples_are_no_rows(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = made_take(made_new());
	struct live_hot *h = make(k, p, 1, 0, NULL, 0);

	(void)state;
	assert_string_equal(text_of(h), "");
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
}

static void test_callers_come_when_asked_for(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = profile(50, 30, 10);
	struct live_hot *h = make(k, p, 1, 0, NULL, 0);
	uint64_t open[] = { 77, id_of(h, "leaf"), id_of(h, "eval") };

	(void)state;
	assert_true(is_unmade(h, open[1]));
	live_hot_free(h);
	h = make(k, p, 1, 0, open, 3);
	assert_string_equal(text_of(h), "50 [.] parse 30 [.] eval(30 run main) "
					"20 [.] leaf(12 a(main) 8 b(main))");
	assert_false(is_unmade(h, open[1]));
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
}

/* What the next update needs nothing of is freed at once; rows can be opened, and weights switched off. */
static void test_decay(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = profile(50, 30, 10), *q = profile(50, 90, 30);
	struct live_hot_job job = { .profile = p, .generation = 1 };
	struct live_hot *h, *g;
	uint64_t open;

	(void)state;
	live_hot_free(make(k, p, 1, 0, NULL, 0));
	job.view.half_life_ns = UINT64_C(1000000000000);
	h = make_job(k, &job);
	assert_string_equal(text_of(h), "50 [.] parse 30 [.] eval 20 [.] leaf");
	assert_int_equal(rows_hist(h->rows)->n_classes, 0);
	assert_true(rows_is_unshared(h->rows));
	open = id_of(h, "eval");
	assert_true(is_unmade(h, open));
	job.open = &open;
	job.n_open = 1;
	g = make_job(k, &job);
	assert_string_equal(text_of(g), "50 [.] parse 30 [.] eval(30 run main) 20 [.] leaf");
	assert_string_equal(text_of(h), "50 [.] parse 30 [.] eval 20 [.] leaf");
	live_hot_free(g);
	live_hot_free(h);
	h = make(k, q, 2, 0, NULL, 0);
	assert_string_equal(text_of(h), "45 [.] eval 30 [.] leaf 25 [.] parse");
	assert_true(rows_hist(h->rows)->n_classes > 0);
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

static void test_ids_outlive_a_refresh(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = profile(50, 30, 10), *q = profile(50, 90, 30);
	struct live_hot *h = make(k, p, 1, 0, NULL, 0), *g;
	uint64_t leaf = id_of(h, "leaf"), caller;
	char text[64];

	(void)state;
	live_hot_free(h);
	h = make(k, p, 1, 0, &leaf, 1);
	caller = rows_child(h->rows, rows_child(h->rows, leaf, 1), 0); /* of b */
	g = make(k, q, 2, 0, &leaf, 1);
	assert_string_equal(text_of(g), "45 [.] eval 30 [.] leaf(16 a(main) 14 b(main)) "
					"25 [.] parse");
	assert_int_equal(id_of(g, "leaf"), leaf);
	/* its children are made by those who ask */
	rows_child(g->rows, rows_child(g->rows, leaf, 1), 0);
	assert_string_equal(rows_label(g->rows, caller, text, sizeof(text)), "main");
	live_hot_free(g);
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

static void test_now_is_the_last_refresh(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct ptui_profile *p = profile(50, 0, 10), *q = profile(80, 10, 10),
			    *r = profile(20, 30, 10), *s = profile(60, 30, 10);
	struct live_hot *h;
	uint64_t open;

	(void)state;
	live_hot_free(make(k, p, 1, 0, NULL, 0));
	h = make(k, q, 2, 0, NULL, 0);
	assert_true(now_of(h, "parse") == 75);
	assert_true(now_of(h, "eval") == 25);
	assert_true(now_of(h, "leaf") == 0);
	open = id_of(h, "parse");
	live_hot_free(h);
	/* opening a row is not a refresh */
	h = make(k, q, 2, 0, &open, 1);
	assert_true(now_of(h, "parse") == 75);
	live_hot_free(h);
	/* old samples were dropped: unknown, so the last value stays */
	h = make(k, r, 3, 60, NULL, 0);
	assert_true(now_of(h, "parse") == 75);
	live_hot_free(h);
	h = make(k, s, 4, 60, NULL, 0);
	assert_true(now_of(h, "parse") == 100);
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
	ptui_profile_unref(r);
	ptui_profile_unref(s);
}

static void test_equal_names_have_different_ids(void **state)
{
	struct live_hot_maker *k = live_hot_maker_new();
	struct made *m = made_new();
	struct ptui_profile *p;
	struct live_hot *h;

	(void)state;
	made_sample(m, "x:main lib:f", 10, 1);
	made_sample(m, "y:main lib:f", 10, 2);
	p = made_take(m);
	h = make(k, p, 1, 0, NULL, 0);
	for (size_t i = 0; i < rows_n(h->rows); i++)
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(rows_child(h->rows, ROWS_TOP, i),
					     rows_child(h->rows, ROWS_TOP, j));
	live_hot_free(h);
	live_hot_maker_free(k);
	ptui_profile_unref(p);
}

static void no_event(void *ctx, const struct term_event *event)
{
	(void)ctx;
	(void)event;
}

static void no_paint(void *ctx)
{
	(void)ctx;
}

static void *count_job(void *maker, void *job)
{
	return live_hot_make(maker, job, NULL);
}

static void keep_hot(void *ctx, void *hot, bool is_latest)
{
	struct live_hot **kept = ctx;

	(void)is_latest;
	live_hot_free(*kept);
	*kept = hot;
}

static void free_job(void *job)
{
	ptui_profile_unref(((struct live_hot_job *)job)->profile);
	free(job);
}

static void free_hot(void *hot)
{
	live_hot_free(hot);
}

static void free_maker(void *maker)
{
	live_hot_maker_free(maker);
}

static struct live_hot_job *job_of(struct ptui_profile *p, uint64_t generation)
{
	struct live_hot_job *job = calloc(1, sizeof(*job));

	assert_non_null(job);
	job->profile = ptui_profile_ref(p);
	job->generation = generation;
	return job;
}

static void test_worker_answers_with_the_latest(void **state)
{
	struct ptui_profile *p = profile(50, 30, 10), *q = profile(50, 90, 30);
	static const struct loop_ops ops = { .event = no_event, .paint = no_paint };
	static const struct latest_worker_ops counts = { count_job, keep_hot, free_job, free_hot,
							 free_maker };
	struct loop *loop = loop_new(NULL, &ops, NULL, NULL);
	struct live_hot *h = NULL;
	struct latest_worker *w;

	(void)state;
	w = latest_worker_new(loop, &counts, live_hot_maker_new(), &h);
	for (uint64_t i = 1; i <= 50; i++)
		assert_true(latest_worker_submit(w, job_of(p, i)));
	assert_true(latest_worker_submit(w, job_of(q, 100)));
	while (!h || h->generation != 100)
		assert_int_equal(loop_turn(loop, 5000), 0);
	assert_string_equal(text_of(h), "45 [.] eval 30 [.] leaf 25 [.] parse");
	live_hot_free(h);
	latest_worker_submit(w, job_of(q, 100));
	latest_worker_free(w);
	loop_free(loop);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hottest_first),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_threads_and_cpus),
		cmocka_unit_test(test_many_cpus),
		cmocka_unit_test(test_no_samples_are_no_rows),
		cmocka_unit_test(test_callers_come_when_asked_for),
		cmocka_unit_test(test_decay),
		cmocka_unit_test(test_ids_outlive_a_refresh),
		cmocka_unit_test(test_now_is_the_last_refresh),
		cmocka_unit_test(test_equal_names_have_different_ids),
		cmocka_unit_test(test_worker_answers_with_the_latest),
	};

	return cmocka_run_group_tests_name("model/live_hot", tests, NULL, NULL);
}
