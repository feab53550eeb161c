/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "unit/profile/made.h"

static struct ptui_hist *view(struct ptui_profile *p, const char *fields, bool children,
			      enum ptui_chain_order order)
{
	struct ptui_hist_opts o = { .fields = fields, .children = children, .order = order };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, &o, &err);

	if (!h)
		fail_msg("%s", err.text);
	return h;
}

static void check_rows(struct ptui_profile *p, const char *fields, bool children,
		       enum ptui_chain_order order, const char *expected)
{
	struct ptui_hist *h = view(p, fields, children, order);

	assert_string_equal(made_rows(h), expected);
	ptui_hist_free(h);
}

static void test_rows_add_up(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "main run", 30, 1);
	made_sample(m, "main eval", 50, 2);
	made_sample(m, "main other run", 20, 3);
	p = made_take(m);
	check_rows(p, "overhead,sample,sym", false, PTUI_CALLEE,
		   "50.00%|2|[.] run\n50.00%|1|[.] eval\n");
	check_rows(p, "overhead,sym", false, PTUI_CALLEE, "50.00%|[.] eval\n50.00%|[.] run\n");
	check_rows(p, "sym,period", false, PTUI_CALLEE, "[.] eval|50\n[.] run|50\n");
	ptui_profile_unref(p);
}

/* Equal rows: by name, then those without a name by address. */
static void test_ties(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "0x900", 1, 1);
	made_sample(m, "zeta", 1, 1);
	made_sample(m, "0x100", 1, 1);
	made_sample(m, "alpha", 1, 1);
	made_sample(m, "lib:alpha", 1, 1);
	p = made_take(m);
	check_rows(p, "overhead,dso,sym", false, PTUI_CALLEE,
		   "20.00%|lib|[.] alpha\n"
		   "20.00%|prog|[.] alpha\n"
		   "20.00%|prog|[.] zeta\n"
		   "20.00%|prog|[.] 0x0000000000000100\n"
		   "20.00%|prog|[.] 0x0000000000000900\n");
	ptui_profile_unref(p);
}

static void test_unknown(void **state)
{
	struct made *m = made_new();
	struct ptui_unknown u;
	struct ptui_profile *p;
	struct ptui_hist *h;
	struct ptui_row row;

	(void)state;
	made_sample(m, "main 0x900", 6, 1);
	made_sample(m, "main lib:0x10", 4, 2);
	made_sample(m, "lib:0x20", 3, 3);
	made_sample(m, "main run", 50, 4);
	p = made_take(m);
	h = view(p, NULL, true, PTUI_CALLER);
	ptui_hist_unknown(h, &u);
	assert_int_equal(u.period, 13);
	assert_string_equal(u.module, "lib");
	assert_int_equal(u.module_period, 7);
	assert_null(u.why);
	ptui_hist_row(h, 0, &row);
	assert_int_equal(row.period_children, 60); /* main */
	assert_int_equal(row.chain_depth, 2);
	ptui_hist_free(h);
	ptui_profile_unref(p);

	m = made_new();
	made_sample(m, "gone:0x10", 2, 1);
	made_sample(m, "lib:0x10", 1, 2);
	p = made_take(m);
	h = view(p, NULL, false, PTUI_CALLEE);
	ptui_hist_unknown(h, &u);
	assert_string_equal(u.module, "gone");
	assert_string_equal(u.why, "/opt/gone does not exist (any more)");
	ptui_hist_free(h);
	ptui_profile_unref(p);

	m = made_new();
	made_sample(m, "main", 1, 1);
	p = made_take(m);
	h = view(p, NULL, false, PTUI_CALLEE);
	ptui_hist_unknown(h, &u);
	assert_int_equal(u.period, 0);
	assert_null(u.module);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_keys_that_group(void **state)
{
	size_t groups = 0, i;

	(void)state;
	for (i = 0; ptui_hist_key_name(i); i++) {
		groups += ptui_hist_key_groups(i);
		if (!strcmp(ptui_hist_key_name(i), "overhead"))
			assert_false(ptui_hist_key_groups(i));
		if (!strcmp(ptui_hist_key_name(i), "symbol"))
			assert_true(ptui_hist_key_groups(i));
	}
	assert_true(groups && groups < i);
	assert_false(ptui_hist_key_groups(i));
}

/* No sample yet, as at the start of Live. */
static void test_no_sample(void **state)
{
	struct ptui_profile *p = made_take(made_new());

	(void)state;
	check_rows(p, "overhead_children,overhead,sample,sym", true, PTUI_CALLER, "");
	check_rows(p, "overhead,sym", false, PTUI_CALLEE, "");
	ptui_profile_unref(p);
}

static void test_children(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "main run parse", 30, 1);
	made_sample(m, "main run", 20, 2);
	made_sample(m, "main eval", 50, 3);
	p = made_take(m);
	check_rows(p, "overhead_children,overhead,sample,sym", true, PTUI_CALLER,
		   "100.00%|0.00%|0|[.] main\n"
		   "50.00%|50.00%|1|[.] eval\n"
		   "50.00%|20.00%|1|[.] run\n"
		   "30.00%|30.00%|1|[.] parse\n");
	ptui_profile_unref(p);
}

/* A sample counts once per row, however often the function is on the stack. */
static void test_recursion_counts_once(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "main f g f g f", 10, 1);
	p = made_take(m);
	check_rows(p, "overhead_children,overhead,sym", true, PTUI_CALLER,
		   "100.00%|100.00%|[.] f\n100.00%|0.00%|[.] main\n100.00%|0.00%|[.] g\n");
	h = view(p, "sym,overhead_children", true, PTUI_CALLER);
	/* f is the sample's own row, with the whole chain; g starts at its first call */
	assert_string_equal(made_tree(h, 0, 0), "10 main f g f g f");
	assert_string_equal(made_tree(h, 1, 0), "10 g f g f");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_callers_are_above(void **state)
{
	struct ptui_hist_opts o = { .fields = "overhead_children,sym",
				    .children = true,
				    .order = PTUI_CALLER };
	struct made *m = made_new();
	struct ptui_hist *h;
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "zz yy aa", 10, 1);
	p = made_take(m);
	check_rows(p, "overhead_children,sym", true, PTUI_CALLER,
		   "100.00%|[.] aa\n100.00%|[.] zz\n100.00%|[.] yy\n");
	/* without chains to draw, by name only */
	o.no_chains = true;
	h = ptui_hist_new(p, &o, NULL);
	assert_string_equal(made_rows(h), "100.00%|[.] aa\n100.00%|[.] yy\n100.00%|[.] zz\n");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static struct made *made_three_names(void)
{
	struct made *m = made_new();

	made_sample(m, "f", 10, 1);
	made_thread(m, "b", 7, 3);
	made_sample(m, "f", 30, 2);
	made_thread(m, "c", 7, 2);
	made_sample(m, "f", 60, 3);
	return m;
}

static void test_threads_and_cpus(void **state)
{
	struct ptui_profile *p;
	struct made *m;

	(void)state;
	p = made_take(made_three_names());
	check_rows(p, "overhead,pid", false, PTUI_CALLEE, "90.00%|      7:c\n10.00%|      1:a\n");
	ptui_profile_unref(p);
	m = made_three_names();
	made_last_comm(m, 7, "d");
	p = made_take(m);
	check_rows(p, "overhead,pid", false, PTUI_CALLEE, "90.00%|      7:d\n10.00%|      1:a\n");
	check_rows(p, "comm,overhead", false, PTUI_CALLEE, "a|10.00%\nb|30.00%\nc|60.00%\n");
	check_rows(p, "cpu,overhead", false, PTUI_CALLEE, "000|10.00%\n002|60.00%\n003|30.00%\n");
	ptui_profile_unref(p);
	m = made_new();
	made_thread(m, "b", 7, PTUI_NONE);
	made_sample(m, "f", 30, 2);
	p = made_take(m);
	check_rows(p, "cpu,overhead", false, PTUI_CALLEE, "-001|100.00%\n");
	ptui_profile_unref(p);
}

static void test_other_events_do_not_count(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct ptui_hist_opts o = { .event = 1 };
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	made_sample(m, "f", 10, 1);
	made_sample(m, "g", 10, 1);
	p = made_take(m);
	p->samples.event[1] = 1;
	check_rows(p, "overhead,sym", false, PTUI_CALLEE, "100.00%|[.] f\n");
	assert_null(ptui_hist_new(p, &o, &err));
	assert_string_equal(err.text, "the recording has no event number 1");
	ptui_profile_unref(p);
}

static void test_widths(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct ptui_hist_opts o = { .fields = "overhead,comm,dso,sym" };
	struct ptui_hist *h;

	(void)state;
	made_thread(m, "somewhat-longer", 1, 0);
	made_sample(m, "0x10", 1, 1);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_int_equal(ptui_hist_column(h, 0)->width, 8);
	assert_int_equal(ptui_hist_column(h, 1)->width, 15);
	assert_int_equal(ptui_hist_column(h, 2)->width, 16); /* a function has no name */
	assert_int_equal(ptui_hist_column(h, 3)->width, 22);
	assert_null(ptui_hist_column(h, 4));
	ptui_hist_free(h);
	o.separated = true;
	h = ptui_hist_new(p, &o, NULL);
	assert_int_equal(ptui_hist_column(h, 2)->width, 13); /* "Shared Object" */
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* "reach/stacks, cut n at max, unread n: dso n, dso n" */
static void check_stacks(struct ptui_profile *p, bool no_chains, const char *expected)
{
	struct ptui_hist_opts o = { .no_chains = no_chains };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);
	struct buf out = BUF_INIT;
	struct ptui_hist_stacks s;

	assert_non_null(h);
	ptui_hist_stacks(h, &s);
	buf_addf(&out, "%d/%d, cut %d at %d, unread %d:", (int)s.reach, (int)s.stacks, (int)s.cut,
		 (int)s.max_stack, (int)s.unread);
	for (size_t i = 0; i < s.n_ends; i++)
		buf_addf(&out, "%s %s %d", i ? "," : "", s.ends[i].dso, (int)s.ends[i].stacks);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
	ptui_hist_free(h);
}

static void test_how_far_stacks_reach(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "_start main run", 9, 1);
	made_sample(m, "_start main run kernel:read", 9, 2);
	made_sample(m, "libc:qsort compare", 9, 3);
	made_sample(m, "libc:0x30 compare", 9, 4);
	made_sample(m, "kernel:fork", 9, 5); /* not the user's */
	made_sample(m, "compare", 9, 6);
	made_sample(m, "nowhere:0x9 nowhere:0x8 libc:qsort compare", 9, 7);
	made_sample(m, "nowhere:0x9 libc:x _start main", 9, 8); /* a bogus frame outside of the
								   start function */
	made_sample(m, "nowhere:0x9 kernel:fork", 9, 9);
	made_sample(m, "unread:f main", 9, 10);
	p = made_take(m);
	check_stacks(p, false, "3/8, cut 0 at 127, unread 1: libc 3, prog 1, [unknown] 1");
	check_stacks(p, true, "3/8, cut 0 at 127, unread 1: libc 3, prog 1, [unknown] 1");
	p->events[0].max_stack = 3;
	/* only stacks that do not reach a start are cut */
	check_stacks(p, false, "3/8, cut 1 at 3, unread 1: libc 2, prog 1, [unknown] 1");
	p->events[0].has_callchains = false;
	check_stacks(p, false, "0/0, cut 0 at 0, unread 0:");
	ptui_profile_unref(p);
}

/* "reach + cut + truncated + early = stacks (unwound, guessed), not unwound n, lost n: dso n (why)" */
static void check_unwound(struct ptui_profile *p, const struct ptui_hist_filter *filter,
			  const char *expected)
{
	struct ptui_hist_opts o = { .children = true };
	struct ptui_hist *h;
	struct buf out = BUF_INIT;
	struct ptui_hist_stacks s;

	if (filter)
		o.filter = *filter;
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	ptui_hist_stacks(h, &s);
	assert_int_equal(s.stacks, s.reach + s.cut + s.truncated + s.early);
	buf_addf(&out,
		 "%d + %d + %d + %d (%d, %d), not unwound %d, lost %d, late %d:", (int)s.reach,
		 (int)s.cut, (int)s.truncated, (int)s.early, (int)s.unwound, (int)s.guessed,
		 (int)s.not_unwound, (int)s.lost, (int)s.late);
	for (size_t i = 0; i < s.n_ends; i++)
		buf_addf(&out, "%s %s %d%s%s", i ? "," : "", s.ends[i].dso, (int)s.ends[i].stacks,
			 s.ends[i].why ? " " : "", s.ends[i].why ? s.ends[i].why : "");
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
	ptui_hist_free(h);
}

/* The end of an unwound stack stays with the sample under each filter. */
static void test_unwound_stacks(void **state)
{
	const struct ptui_hist_filter of_thread = { .by_thread = true, .tid = 2 };
	const struct ptui_hist_filter of_gone = { .dso = "gone" };
	const struct ptui_hist_filter of_main = { .symbol = "main" };
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_how(m, STACK_REACHED);
	made_sample(m, "libc:clone_of_no_name main", 1, 1);
	made_how(m, STACK_REACHED | STACK_GUESSED);
	made_sample(m, "_start main jit", 1, 2);
	made_how(m, STACK_TRUNCATED);
	made_sample(m, "main run", 1, 3);
	made_sample(m, "_start main run", 1, 4); /* complete */
	made_how(m, STACK_CUT);
	made_sample(m, "main run", 1, 5); /* the same stack with another reason */
	made_thread(m, "a", 2, 0);
	made_how(m, STACK_BROKEN);
	made_sample(m, "gone:f main run", 1, 6);
	made_sample(m, "unread:f main run", 1, 7);
	made_how(m, STACK_BROKEN | STACK_GUESSED);
	made_sample(m, "gone:g jit", 1, 8);
	made_how(m, STACK_NOT_UNWOUND);
	made_sample(m, "kernel:read", 1, 9);
	made_how(m, STACK_LOST);
	made_sample(m, "kernel:read", 1, 10);
	made_how(m, STACK_LATE);
	made_sample(m, "kernel:read", 1, 10);
	made_how(m, STACK_RECORDED);
	made_sample(m, "_start main", 1, 11);
	p = made_take(m);
	check_unwound(p, NULL,
		      "4 + 1 + 1 + 3 (8, 2), not unwound 1, lost 1, late 1: gone 2 "
		      "/opt/gone does not exist (any more), unread 1");
	check_unwound(p, &of_thread,
		      "1 + 0 + 0 + 3 (3, 1), not unwound 1, lost 1, late 1: gone 2 "
		      "/opt/gone does not exist (any more), unread 1");
	check_unwound(p, &of_gone,
		      "0 + 0 + 0 + 2 (2, 1), not unwound 0, lost 0, late 0: gone 2 "
		      "/opt/gone does not exist (any more)");
	check_unwound(p, &of_main,
		      "4 + 1 + 1 + 2 (7, 1), not unwound 0, lost 0, late 0: gone 1 "
		      "/opt/gone does not exist (any more), unread 1");
	ptui_profile_unref(p);
}

/* If the kernel's limit was raised, the deepest stack shows it. */
static void test_deep_stacks(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct buf deep = BUF_INIT;

	(void)state;
	for (int i = 0; i < 130; i++)
		buf_addf(&deep, "%sf", i ? " " : "");
	made_sample(m, buf_str(&deep), 1, 1);
	buf_add_str(&deep, " g");
	made_sample(m, buf_str(&deep), 1, 2);
	p = made_take(m);
	check_stacks(p, false, "0/2, cut 1 at 131, unread 0: prog 1");
	buf_release(&deep);
	ptui_profile_unref(p);
}

static void test_many_samples(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	uint64_t total = 0;
	struct ptui_hist *h;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		char chain[64];

		snprintf(chain, sizeof(chain), "main f%u g%u", i % 97, i % 1009);
		made_sample(m, chain, 1 + i % 5, i);
		total += 1 + i % 5;
	}
	p = made_take(m);
	h = view(p, NULL, true, PTUI_CALLER);
	assert_int_equal(ptui_hist_n_rows(h), 1 + 97 + 1009);
	assert_int_equal(ptui_hist_total_period(h), total);
	total = 0;
	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		struct ptui_row r;

		ptui_hist_row(h, i, &r);
		total += r.period;
		assert_true(r.period_children >= r.period);
	}
	assert_int_equal(total, ptui_hist_total_period(h));
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* More classes of one stack than its list has room for: each is found again. */
static void test_many_commands_in_one_stack(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	for (int32_t i = 0; i < 90; i++) {
		char comm[16];

		snprintf(comm, sizeof(comm), "worker-%d", i % 30);
		made_thread(m, comm, 1 + i % 30, 0);
		made_sample(m, "main loop wait", 1 + (uint64_t)i % 30, (uint64_t)i);
	}
	p = made_take(m);
	h = view(p, "sample,comm,sym", false, PTUI_CALLEE);
	assert_int_equal(ptui_hist_n_rows(h), 30);
	for (size_t i = 0; i < 30; i++) {
		struct ptui_row r;

		ptui_hist_row(h, i, &r);
		assert_int_equal(r.samples, 3);
		assert_int_equal(r.n_chains, 1); /* one class */
	}
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* Of very many rows, the widths of columns and the completeness of stacks are found beside the order. */
static void test_many_rows(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { .children = true };
	struct ptui_hist_stacks stacks;
	uint64_t last = UINT64_MAX;
	struct ptui_profile *p;
	struct ptui_hist *h;
	size_t n;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		char chain[64];

		snprintf(chain, sizeof(chain), "%s f%0*u", i % 4 ? "_start" : "main",
			 5 + (i == 777) * 30, i);
		made_sample(m, chain, 1 + i % 5, i);
	}
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_int_equal(ptui_hist_n_rows(h), 20002);
	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		struct ptui_row r;

		ptui_hist_row(h, i, &r);
		assert_true(r.period_children <= last);
		last = r.period_children;
	}
	n = ptui_hist_n_columns(h);
	assert_string_equal(ptui_hist_column(h, n - 1)->name, "symbol");
	assert_int_equal(ptui_hist_column(h, n - 1)->width, 4 + 1 + 35);
	ptui_hist_stacks(h, &stacks);
	assert_int_equal(stacks.stacks, 20000);
	assert_int_equal(stacks.reach, 15000);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* Of very many rows of one weight, the shares of CPU modes are compared once they are known. */
static void test_many_ties(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		char chain[64];

		snprintf(chain, sizeof(chain), "%s%05u", i % 2 ? "kernel:k" : "f", 20000 - i);
		made_sample(m, chain, 7, i);
	}
	p = made_take(m);
	h = view(p, "overhead_children,overhead_sys,sym", true, PTUI_CALLER);
	assert_int_equal(ptui_hist_n_rows(h), 20000);
	for (size_t i = 0; i < 20000; i++) {
		char name[64], want[64];

		ptui_hist_cell(h, i, 2, name, sizeof(name));
		snprintf(want, sizeof(want), i < 10000 ? "[k] k%05zu" : "[.] f%05zu",
			 i < 10000 ? 2 * i + 1 : 2 * (i - 10000) + 2);
		assert_string_equal(name, want);
	}
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

struct wanted {
	const char *until; /* cancels at this step */
	int told;
};

static int on_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	struct wanted *w = ctx;

	assert_true(!total || done <= total);
	w->told++;
	return w->until && !strcmp(what, w->until);
}

/* Each step reports progress, and can be cancelled. */
static void test_cancel(void **state)
{
	static const char *const parts[] = {
		"adding up the samples",
		"adding up the rows",
		"collecting the callchains",
		"sorting the rows",
	};
	struct made *m = made_new();
	struct wanted w = { 0 };
	struct ptui_hist_opts o = {
		.children = true, .order = PTUI_CALLER, .progress = on_progress, .progress_ctx = &w
	};
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "main run", 30, 1);
	p = made_take(m);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;

		w.until = parts[i];
		assert_null(ptui_hist_new(p, &o, &err));
		assert_int_equal(err.code, ECANCELED);
	}
	w = (struct wanted){ 0 };
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	assert_true(w.told >= 5);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void check_group(struct ptui_profile *p, const char *fields, enum ptui_grouping grouping,
			unsigned sort, const char *want)
{
	const struct ptui_hist_opts o = { .fields = fields,
					  .children = strstr(fields, "children") != NULL,
					  .no_chains = true,
					  .order = PTUI_CALLER,
					  .grouping = grouping,
					  .group_sort = sort };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);

	assert_non_null(h);
	assert_string_equal(made_rows(h), want);
	ptui_hist_free(h);
}

/* The events of a group are side by side, with the rows that only one of them has. */
static void test_groups(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "main run", 30, 1);
	made_sample(m, "main eval", 70, 2);
	made_event(m, "faults", 0);
	made_thread(m, "b", 2, 1);
	made_sample(m, "main run", 6, 3);
	made_thread(m, "a", 1, 0);
	made_sample(m, "main", 2, 4);
	made_event(m, "alone", 2);
	made_sample(m, "main touch", 7, 5);
	p = made_take(m);
	assert_int_equal(ptui_profile_leader(p, 1, PTUI_GROUP_RECORDED), 0);
	assert_int_equal(ptui_profile_leader(p, 1, PTUI_GROUP_NONE), 1);
	assert_int_equal(ptui_profile_leader(p, 2, PTUI_GROUP_ALL), 2);
	check_group(p, "overhead,sym", PTUI_GROUP_NONE, 0, "70.00%|[.] eval\n30.00%|[.] run\n");
	check_group(p, "overhead,sample,sym", PTUI_GROUP_RECORDED, 0,
		    "  70.00%   0.00%|           1           0|[.] eval\n"
		    "  30.00%  75.00%|           1           1|[.] run\n"
		    "   0.00%  25.00%|           0           1|[.] main\n");
	check_group(p, "overhead,sym", PTUI_GROUP_RECORDED, 1,
		    "  30.00%  75.00%|[.] run\n"
		    "   0.00%  25.00%|[.] main\n"
		    "  70.00%   0.00%|[.] eval\n");
	check_group(p, "overhead,comm,cpu,sym", PTUI_GROUP_RECORDED, 0,
		    "  70.00%   0.00%|a|000|[.] eval\n"
		    "  30.00%   0.00%|a|000|[.] run\n"
		    "   0.00%  75.00%|b|001|[.] run\n"
		    "   0.00%  25.00%|a|000|[.] main\n");
	check_group(p, "overhead_children,overhead,sym", PTUI_GROUP_RECORDED, 0,
		    " 100.00% 100.00%|   0.00%  25.00%|[.] main\n"
		    "  70.00%   0.00%|  70.00%   0.00%|[.] eval\n"
		    "  30.00%  75.00%|  30.00%  75.00%|[.] run\n");
	ptui_profile_unref(p);
}

/* As perf does: names that differ in their numbers only are one. */
static void test_commands_without_digits(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts opts = { .sort = "comm_nodigit" };
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_thread(m, "kworker/3:1", 3, 0);
	made_sample(m, "main", 30, 1);
	made_thread(m, "work", 4, 0);
	made_sample(m, "main", 25, 2);
	made_thread(m, "kworker/12:0", 5, 0);
	made_sample(m, "main", 45, 3);
	p = made_take(m);
	h = ptui_hist_new(p, &opts, NULL);
	assert_non_null(h);
	assert_string_equal(made_rows(h), "75.00%|kworker/<N>:<N>\n25.00%|work\n");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_add_up),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_keys_that_group),
		cmocka_unit_test(test_no_sample),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_recursion_counts_once),
		cmocka_unit_test(test_callers_are_above),
		cmocka_unit_test(test_threads_and_cpus),
		cmocka_unit_test(test_other_events_do_not_count),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_how_far_stacks_reach),
		cmocka_unit_test(test_unwound_stacks),
		cmocka_unit_test(test_deep_stacks),
		cmocka_unit_test(test_many_samples),
		cmocka_unit_test(test_many_commands_in_one_stack),
		cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_many_ties),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_commands_without_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
