/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "unit/profile/made.h"

/* Two programs, a library, the kernel: 100 in all. */
static struct ptui_profile *program(void)
{
	struct made *m = made_new();

	made_sample(m, "main run", 30, 1);
	made_sample(m, "main lib:copy", 20, 2);
	made_sample(m, "main lib:copy kernel:fault", 10, 3);
	made_thread(m, "b", 7, 0);
	made_sample(m, "main lib:Copy2", 25, 4);
	made_sample(m, "0x900", 5, 5);
	made_thread(m, "b", 8, 0);
	made_sample(m, "kernel:fault", 10, 6);
	return made_take(m);
}

static struct ptui_hist *view(struct ptui_profile *p, const struct ptui_hist_opts *opts)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, opts, &err);

	if (!h)
		fail_msg("%s", err.text);
	return h;
}

static void check(const struct ptui_hist_opts *opts, uint64_t shown_samples, uint64_t shown_period,
		  const char *rows)
{
	struct ptui_profile *p = program();
	struct ptui_hist *h = view(p, opts);
	struct ptui_hist_shown shown;

	assert_string_equal(made_rows(h), rows);
	ptui_hist_shown(h, &shown);
	assert_int_equal(shown.samples, shown_samples);
	assert_int_equal(shown.period, shown_period);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_nothing_is_left_out(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,sample,comm,dso" };

	(void)state;
	check(&o, 6, 100,
	      "30.00%|1|a|prog\n25.00%|1|b|lib\n20.00%|1|a|lib\n10.00%|1|a|kernel\n"
	      "10.00%|1|b|kernel\n5.00%|1|b|prog\n");
}

static void test_samples_are_chosen(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,sample,sym", .filter.comm = "b" };

	(void)state;
	check(&o, 3, 40,
	      "25.00%|1|[.] Copy2\n10.00%|1|[k] fault\n5.00%|1|[.] 0x0000000000000900\n");
	o.relative = true;
	check(&o, 3, 40,
	      "62.50%|1|[.] Copy2\n25.00%|1|[k] fault\n12.50%|1|[.] 0x0000000000000900\n");
	o.relative = false;
	o.filter.comm = NULL;
	o.filter.by_thread = true;
	o.filter.tid = 8;
	check(&o, 1, 10, "10.00%|1|[k] fault\n");
	o.filter.comm = "nobody";
	check(&o, 0, 0, "");
	o.relative = true;
	check(&o, 0, 0, "");
}

static void test_functions_are_chosen(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,sym", .filter.dso = "lib" };

	(void)state;
	check(&o, 2, 45, "25.00%|[.] Copy2\n20.00%|[.] copy\n");
	o.filter = (struct ptui_hist_filter){ .kernel = true };
	check(&o, 2, 20, "20.00%|[k] fault\n");
	o.filter = (struct ptui_hist_filter){ .symbol = "COPY" };
	check(&o, 2, 45, "25.00%|[.] Copy2\n20.00%|[.] copy\n");
	o.filter = (struct ptui_hist_filter){ .symbol = "copy", .comm = "a" };
	check(&o, 1, 20, "20.00%|[.] copy\n");
	/* rows of other keys add up the rest */
	o = (struct ptui_hist_opts){ .fields = "overhead,comm", .filter.dso = "lib" };
	check(&o, 2, 45, "25.00%|b\n20.00%|a\n");
}

static void test_lists(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,sample,sym" };

	(void)state;
	o.filter = (struct ptui_hist_filter){ .comms = "b\nnobody" };
	check(&o, 3, 40,
	      "25.00%|1|[.] Copy2\n10.00%|1|[k] fault\n5.00%|1|[.] 0x0000000000000900\n");
	o.filter = (struct ptui_hist_filter){ .tids = "1,8" };
	check(&o, 4, 70, "30.00%|1|[.] run\n20.00%|2|[k] fault\n20.00%|1|[.] copy\n");
	o.filter = (struct ptui_hist_filter){ .pids = "2-7" };
	check(&o, 0, 0, "");
	o.filter = (struct ptui_hist_filter){ .dsos = "lib\n/opt/kernel" };
	check(&o, 4, 65, "25.00%|1|[.] Copy2\n20.00%|2|[k] fault\n20.00%|1|[.] copy\n");
	o.filter = (struct ptui_hist_filter){ .symbols = "copy\nrun" };
	check(&o, 2, 50, "30.00%|1|[.] run\n20.00%|1|[.] copy\n");
	o.filter = (struct ptui_hist_filter){ .symbols = "copy\nrun", .dsos = "lib\nlib2" };
	check(&o, 1, 20, "20.00%|1|[.] copy\n");
}

/* Samples with such a function anywhere in their callchain. */
static void test_stacks(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,sym", .filter.stack = "COPY" };

	(void)state;
	check(&o, 3, 55, "25.00%|[.] Copy2\n20.00%|[.] copy\n10.00%|[k] fault\n");
	o.filter.comm = "b";
	check(&o, 1, 25, "25.00%|[.] Copy2\n");
	o.filter = (struct ptui_hist_filter){ .stack = "fault" }; /* without a callchain, too */
	check(&o, 2, 20, "20.00%|[k] fault\n");
	o.filter.stack = "main";
	o.fields = "overhead,comm,dso,sym,symoff";
	check(&o, 4, 85,
	      "30.00%|a|prog|[.] run|[.] run+0x0\n25.00%|b|lib|[.] Copy2|[.] Copy2+0x0\n"
	      "20.00%|a|lib|[.] copy|[.] copy+0x0\n10.00%|a|kernel|[k] fault|[k] fault+0x0\n");
	o.filter.stack = "nothing";
	check(&o, 0, 0, "");
}

/* ---- what only some samples have ---- */

static uint32_t id_of(const struct ptui_profile *p, const char *name)
{
	uint32_t i = 0;

	while (i < p->names.n && strcmp(strpool_get(&p->names, i), name) != 0)
		i++;
	assert_true(i < p->names.n);
	return i;
}

static uint32_t value_of(struct ptui_profile *p, uint32_t field, const char *text)
{
	const uint32_t id = id_of(p, text);

	return trace_values_add(
		&p->trace,
		&(struct trace_value){ .field = field, .bytes = id, .shown = id, .raw = id });
}

/* The i-th sample: prev_pid i, prev_comm and control group by turns; the last one has none. */
static struct ptui_profile *traced(void)
{
	static const char *const fields[] = { "prev_pid", "prev_comm", "prev_state" };
	static const char *const comms[] = { "cc1", "sh" }, *const groups[] = { "/a/b", "/c" };
	static const uint64_t periods[] = { 30, 20, 10, 25, 5 };
	struct made *m = made_new();
	struct ptui_profile *p;
	size_t n = 6;

	for (size_t i = 0; i < 5; i++) {
		if (i == 3)
			made_thread(m, "b", 7, 0);
		made_sample(m, "main", periods[i], i);
	}
	made_sample(m, "prev_pid prev_comm prev_state 0 1 2 3 4 cc1 sh /a/b /c", 10, 6); /* names */
	p = made_take(m);
	assert_int_equal(p->samples.n, n);
	p->events[0].extras = PTUI_EXTRA_FIELDS | PTUI_EXTRA_CGROUP;
	p->trace.fields = calloc(3, sizeof(*p->trace.fields));
	p->extras = calloc(n + 1, sizeof(*p->extras));
	p->extra_of = calloc(n, sizeof(*p->extra_of));
	assert_true(p->trace.fields && p->extras && p->extra_of);
	for (size_t i = 0; i < 3; i++)
		p->trace.fields[p->trace.n_fields++] =
			(struct trace_key){ .name = id_of(p, fields[i]), .loaded = i < 2 };
	p->extras[p->n_extras++] = (struct extra)EXTRA_NONE;
	for (size_t i = 0; i + 1 < n; i++) {
		char pid[2] = { (char)('0' + i), '\0' };
		const uint32_t values[] = { value_of(p, 0, pid), value_of(p, 1, comms[i % 2]) };
		struct extra e = EXTRA_NONE;

		e.fields = tuples_add(&p->trace.tuples, values, 2);
		e.cgroup_name = id_of(p, groups[i % 2]);
		p->extra_of[i] = (uint32_t)p->n_extras;
		p->extras[p->n_extras++] = e;
	}
	return p;
}

static void test_fields(void **state)
{
	static const struct {
		struct ptui_hist_filter filter;
		uint64_t samples; /* by their pids: a bit each */
	} cases[] = {
		{ { .fields = "prev_pid == 0" }, 0x01 },
		{ { .fields = "prev_pid!=0" }, 0x1e },
		{ { .fields = "prev_pid >= 0x2" }, 0x1c },
		{ { .fields = "prev_pid > -1 && prev_pid < 2" }, 0x03 },
		{ { .fields = "prev_pid <= 2" }, 0x07 },
		{ { .fields = "prev_pid & 4" }, 0x10 },
		{ { .fields = "prev_pid < 0xffffffff81000000" },
		  0x1f }, /* an address, not negative */
		{ { .fields = "prev_pid >= 0xffffffff81000000" }, 0 },
		{ { .fields = "prev_comm == sh" }, 0x0a },
		{ { .fields = "prev_comm != \"sh\"" }, 0x15 },
		{ { .fields = "prev_comm ~ 'c*'" }, 0x15 },
		{ { .fields = "prev_comm > 1" }, 0 },
		{ { .fields = "prev_pid == 1||prev_pid == 3&&prev_comm == cc1" }, 0x02 },
		{ { .fields = "prev_comm==cc1&&prev_pid==4 || prev_pid==1" }, 0x12 },
		{ { .fields = "prev_comm == sh", .comm = "b" }, 0x08 },
		{ { .fields = "nothing != 3" }, 0 },
		{ { .cgroups = "/a/b" }, 0x15 },
		{ { .cgroups = "/x\n/[ac]*" }, 0x1f },
		{ { .cgroups = "/c", .fields = "prev_pid > 1" }, 0x08 },
	};
	static const uint64_t periods[] = { 30, 20, 10, 25, 5 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ptui_hist_opts o = { .filter = cases[i].filter };
		struct ptui_profile *p = traced();
		struct ptui_hist *h = view(p, &o);
		struct ptui_hist_shown shown;
		uint64_t period = 0;

		for (size_t k = 0; k < 5; k++)
			period += cases[i].samples >> k & 1 ? periods[k] : 0;
		ptui_hist_shown(h, &shown);
		if (shown.period != period)
			fail_msg("case %zu: %llu", i, (unsigned long long)shown.period);
		ptui_hist_free(h);
		ptui_profile_unref(p);
	}
}

static void test_fields_are_known(void **state)
{
	static const char *const wrong[] = {
		"",
		"prev_pid",
		"prev_pid >",
		"prev_pid = 3",
		"prev_pid > x",
		"== 3",
		"prev_pid == 3 &&",
		"prev_pid == 3 prev_pid == 4",
		"prev_comm == 'sh",
	};
	struct ptui_profile *p = traced(), *plain = program();
	bool lacks;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const struct ptui_hist_filter f = { .fields = wrong[i] };

		assert_int_equal(ptui_hist_check_filter(&f, NULL), -EINVAL);
	}
	assert_int_equal(ptui_profile_check_filter(
				 p, &(struct ptui_hist_filter){ .fields = "prev_pid == 3" }, &lacks,
				 NULL),
			 0);
	assert_false(lacks);
	assert_int_equal(ptui_profile_check_filter(p,
						   &(struct ptui_hist_filter){
							   .fields = "prev_pid==3||prev_state==R" },
						   &lacks, NULL),
			 0);
	assert_true(lacks);
	assert_int_equal(ptui_profile_check_filter(
				 p, &(struct ptui_hist_filter){ .fields = "next_pid == 3" }, &lacks,
				 NULL),
			 -EINVAL);
	assert_int_equal(ptui_profile_check_filter(
				 plain, &(struct ptui_hist_filter){ .cgroups = "/" }, &lacks, NULL),
			 -EINVAL);
	ptui_profile_unref(plain);
	ptui_profile_unref(p);
}

static void test_parents(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,parent", .parent = "^copy$|run" };

	(void)state;
	check(&o, 6, 100, "40.00%|[other]\n30.00%|copy\n30.00%|run\n");
	o.filter.has_parent = true;
	check(&o, 3, 60, "30.00%|copy\n30.00%|run\n");
	o.relative = true;
	check(&o, 3, 60, "50.00%|copy\n50.00%|run\n");
	/* the first match from the innermost function, or from the outermost one */
	o = (struct ptui_hist_opts){ .fields = "overhead,parent", .parent = "main|copy" };
	check(&o, 6, 100, "55.00%|main\n30.00%|copy\n15.00%|[other]\n");
	o.order = PTUI_CALLER;
	check(&o, 6, 100, "85.00%|main\n15.00%|[other]\n");
	assert_int_equal(ptui_hist_check_pattern("-p", "a(b", NULL), -EINVAL);
	assert_int_equal(ptui_hist_check_pattern("-p", "a|b", NULL), 0);
}

static void test_intervals(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,time", .show_ns = true, .quantum_ns = 4 };

	(void)state;
	check(&o, 6, 100, "60.00%|0.000000000\n40.00%|0.000000004\n");
	o.quantum_ns = 0;
	o.show_ns = false;
	check(&o, 6, 100, "100.00%|0.000000\n");
}

/* These are not in the total either. */
static void test_dropped(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,sample,sym" };

	(void)state;
	o.filter = (struct ptui_hist_filter){ .times = "0.000000002,0.000000004" };
	check(&o, 3, 55, "45.45%|1|[.] Copy2\n36.36%|1|[.] copy\n18.18%|1|[k] fault\n");
	o.filter = (struct ptui_hist_filter){ .times = "0%-20%,80%-100%" };
	check(&o, 3, 45, "66.67%|1|[.] run\n22.22%|1|[k] fault\n11.11%|1|[.] 0x0000000000000900\n");
	o.filter = (struct ptui_hist_filter){ .cpus = "1-3" };
	check(&o, 0, 0, "");
	o.filter = (struct ptui_hist_filter){ .cpus = "0" };
	o.fields = "overhead,comm";
	check(&o, 6, 100, "60.00%|a\n40.00%|b\n");
	o.filter = (struct ptui_hist_filter){ .resolved = true };
	check(&o, 5, 95, "63.16%|a\n36.84%|b\n");
}

/* A function that is a range of addresses has no symbol. */
static void test_range_is_unknown(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { .sort = "sym", .filter = { .hide_dsos = "[unknown]" } };
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "main 0x10-0x20", 75, 1);
	made_sample(m, "main f", 25, 2);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	assert_string_equal(made_rows(h), "75.00%|[.] main\n25.00%|[.] f\n");
	ptui_hist_free(h);
	o.filter = (struct ptui_hist_filter){ .resolved = true };
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	assert_string_equal(made_rows(h), "100.00%|[.] f\n");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_wrong_lists(void **state)
{
	static const struct ptui_hist_filter wrong[] = {
		{ .pids = "1,x" }, { .tids = "" },	 { .cpus = "3-1" },  { .cpus = "70000" },
		{ .times = "x" },  { .times = "10%/0" }, { .times = "2,1" }, { .times = "50%-40%" },
	};
	const struct ptui_hist_filter right = {
		.pids = "1,2", .tids = "4", .cpus = "0-3,7", .times = ",1.5 2,"
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		err = (struct ptui_error)PTUI_ERROR_INIT;
		assert_int_equal(ptui_hist_check_filter(&wrong[i], &err), -EINVAL);
		assert_true(err.text[0] == '-');
	}
	assert_int_equal(ptui_hist_check_filter(&right, NULL), 0);
}

/* Callers that pass the filter get rows, whatever the sample's own function. */
static void test_callers(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead_children,overhead,comm,sym",
				    .children = true,
				    .order = PTUI_CALLER,
				    .filter.dso = "lib" };
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	check(&o, 3, 55, "30.00%|20.00%|a|[.] copy\n25.00%|25.00%|b|[.] Copy2\n");
	o.relative = true;
	check(&o, 3, 55, "54.55%|36.36%|a|[.] copy\n45.45%|45.45%|b|[.] Copy2\n");
	p = program();
	h = view(p, &o);
	assert_int_equal(ptui_hist_total_period(h), 55);
	/* chains are not filtered */
	assert_string_equal(made_tree(h, 0, 0), "20 main copy 10 copy fault");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_unknown(void **state)
{
	struct ptui_hist_opts o = { .filter.comm = "b" };
	struct ptui_profile *p = program();
	struct ptui_hist *h = view(p, &o);
	struct ptui_unknown u;

	(void)state;
	ptui_hist_unknown(h, &u);
	assert_int_equal(u.period, 5);
	ptui_hist_free(h);
	o.filter.dso = "lib";
	h = view(p, &o);
	ptui_hist_unknown(h, &u);
	assert_int_equal(u.period, 0);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_origin(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead,sym", .filter.kernel = true };
	struct ptui_profile *p = program();
	struct ptui_hist *h = view(p, &o);
	struct ptui_row_origin from;

	(void)state;
	ptui_hist_row_origin(h, 0, &from);
	assert_null(from.comm);
	assert_false(from.has_thread);
	assert_string_equal(from.dso, "kernel");
	assert_string_equal(from.dso_path, "/opt/kernel");
	assert_true(from.kernel);
	ptui_hist_free(h);

	o = (struct ptui_hist_opts){ .fields = "overhead,pid,comm", .filter.comm = "a" };
	h = view(p, &o);
	ptui_hist_row_origin(h, 0, &from);
	assert_string_equal(from.comm, "a");
	assert_true(from.has_thread);
	assert_int_equal(from.tid, 1);
	assert_string_equal(from.thread, "a");
	assert_null(from.dso);
	assert_false(from.kernel);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_left_out),
		cmocka_unit_test(test_samples_are_chosen),
		cmocka_unit_test(test_functions_are_chosen),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_fields_are_known),
		cmocka_unit_test(test_parents),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_range_is_unknown),
		cmocka_unit_test(test_wrong_lists),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_origin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
