/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inlined functions in callchains, and rows by source line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "profile/debug.h"
#include "unit/profile/made.h"

/* Words get the addresses 0, 16, 32 ... in the order in which they are first used. */
#define MAIN 0
#define RUN  16
#define LEAF 32
#define BARE 48

struct fake_debug {
	struct profile_debug ops;
	unsigned asked, freed;
	bool before[4]; /* by address / 16: `before` of the last call */
};

/* run: step was inlined. leaf: outer was, and inner into that. main has a line. bare has nothing. */
/* Of C++: step and outer, which differ at their end. */
static char long_names[2][3000];

static size_t fake_scopes(struct profile_debug *ops, const struct profile_frame *f, bool before,
			  struct profile_scope *ret, size_t max)
{
	static const struct profile_scope run[] = { { "step", "/src/run.c", 5 },
						    { NULL, "/src/run.c", 9 } };
	static const struct profile_scope leaf[] = { { "inner", "/src/leaf.h", 1 },
						     { "outer", "/src/leaf.h", 2 },
						     { NULL, "/src/leaf.c", 3 } };
	static const struct profile_scope plain[] = { { NULL, "/src/main.c", 7 } };
	static const struct {
		const struct profile_scope *v;
		size_t n;
	} at[] = { { plain, 1 }, { run, 2 }, { leaf, 3 }, { NULL, 0 } };
	struct fake_debug *d = (struct fake_debug *)ops;
	size_t i = f->addr / 16;

	assert_in_range(i, 0, 3);
	assert_true(at[i].n <= max);
	d->asked++;
	d->before[i] = before;
	for (size_t k = 0; k < at[i].n; k++)
		ret[k] = at[i].v[k];
	if (*long_names[0] && (i == 1 || i == 2))
		ret[i - 1].name = long_names[i - 1];
	return at[i].n;
}

static void fake_free(struct profile_debug *ops)
{
	((struct fake_debug *)ops)->freed++;
}

static struct fake_debug fake;

static struct ptui_profile *profile_new(void)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	made_sample(m, "main run leaf", 30, 1);
	made_sample(m, "main run bare", 20, 2);
	made_sample(m, "main leaf", 10, 3);
	p = made_take(m);
	fake = (struct fake_debug){ .ops = { .scopes = fake_scopes, .free = fake_free } };
	p->debug = &fake.ops;
	return p;
}

static struct ptui_hist *hist_of(struct ptui_profile *p, const char *sort,
				 enum ptui_inlines inlines, bool children)
{
	struct ptui_hist_opts o = {
		.sort = sort, .children = children, .order = PTUI_CALLER, .inlines = inlines
	};
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);

	assert_non_null(h);
	return h;
}

static void check_rows(struct ptui_profile *p, const char *sort, enum ptui_inlines inlines,
		       bool children, const char *expected)
{
	struct ptui_hist *h = hist_of(p, sort, inlines, children);

	assert_string_equal(made_rows(h), expected);
	ptui_hist_free(h);
}

static void test_chains(void **state)
{
	struct ptui_profile *p = profile_new();
	struct ptui_hist *h = hist_of(p, "comm", PTUI_INLINES_ON, false);

	(void)state;
	assert_string_equal(
		made_tree(h, 0, 0),
		"60 main(50 run step (inlined)(30 leaf outer (inlined) inner (inlined))(20 bare))"
		"(10 leaf outer (inlined) inner (inlined))");
	ptui_hist_free(h);
	h = hist_of(p, "comm", PTUI_INLINES_OFF, false);
	assert_string_equal(made_tree(h, 0, 0), "60 main(50 run(30 leaf)(20 bare))(10 leaf)");
	ptui_hist_free(h);
	ptui_profile_unref(p);
	assert_int_equal(fake.freed, 1);
}

/* In a chain, the line of a function is that of its call of what is inlined there. */
static void test_lines_of_chains(void **state)
{
	struct ptui_profile *p = profile_new();
	struct ptui_hist_opts o = { .sort = "comm",
				    .order = PTUI_CALLER,
				    .inlines = PTUI_INLINES_ON,
				    .chain_key = PTUI_CHAIN_SRCLINE };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);
	struct ptui_calltree *t = h ? ptui_hist_calltree(h, 0, 0, NULL) : NULL;
	const struct ptui_callnode *node;
	char lines[512] = "";

	(void)state;
	assert_non_null(t);
	for (uint32_t i = 0; (node = ptui_calltree_node(t, i)); i++)
		for (uint32_t k = 0; k < node->n_frames; k++) {
			char name[64], line[64];
			size_t n = strlen(lines);

			ptui_calltree_frame(t, node, k, name, sizeof(name));
			ptui_calltree_line(t, node, k, line, sizeof(line));
			snprintf(lines + n, sizeof(lines) - n, "%s %s, ", name, line);
		}
	assert_non_null(strstr(lines, "run run.c:9, step (inlined) run.c:5, "));
	assert_non_null(strstr(
		lines, "leaf leaf.c:3, outer (inlined) leaf.h:2, inner (inlined) leaf.h:1, "));
	ptui_calltree_free(t);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* Inlined functions have rows as callers; the sample itself is in the function with the symbol. */
static void test_rows(void **state)
{
	struct ptui_profile *p = profile_new();

	(void)state;
	check_rows(p, "sym", PTUI_INLINES_ON, true,
		   "100.00%|0.00%|[.] main\n"
		   "83.33%|0.00%|[.] run\n"
		   "83.33%|0.00%|[.] step (inlined)\n"
		   "66.67%|66.67%|[.] leaf\n"
		   "66.67%|0.00%|[.] outer (inlined)\n"
		   "66.67%|0.00%|[.] inner (inlined)\n"
		   "33.33%|33.33%|[.] bare\n");
	ptui_profile_unref(p);
}

static void test_long_names(void **state)
{
	struct ptui_profile *p = profile_new();
	struct ptui_hist *h;

	(void)state;
	for (int i = 0; i < 2; i++) {
		memset(long_names[i], 't', sizeof(long_names[i]) - 2);
		long_names[i][sizeof(long_names[i]) - 2] = (char)('a' + i);
	}
	h = hist_of(p, "sym", PTUI_INLINES_ON, true);
	assert_int_equal(ptui_hist_n_rows(h), 7);
	ptui_hist_free(h);
	ptui_profile_unref(p);
	*long_names[0] = '\0';
}

/* By default only where user stacks were copied, as in perf. */
static void test_default(void **state)
{
	struct ptui_profile *p = profile_new();

	(void)state;
	assert_false(ptui_inlines_wanted(p, 0, PTUI_INLINES_UNWOUND));
	check_rows(p, "comm", PTUI_INLINES_UNWOUND, false, "100.00%|a\n");
	assert_int_equal(fake.asked, 0);
	p->events[0].stacks_dumped = true;
	assert_true(ptui_inlines_wanted(p, 0, PTUI_INLINES_UNWOUND));
	assert_false(ptui_inlines_wanted(p, 0, PTUI_INLINES_OFF));
	ptui_profile_unref(p);
}

/* A sampled address is an instruction; a caller's is the one after its call. */
static void test_before(void **state)
{
	struct ptui_profile *p = profile_new();

	(void)state;
	check_rows(p, "srcline", PTUI_INLINES_OFF, false, "66.67%|leaf.h:1\n33.33%|bare+0\n");
	assert_true(fake.before[MAIN / 16]);
	assert_true(fake.before[RUN / 16]);
	assert_false(fake.before[LEAF / 16]);
	assert_false(fake.before[BARE / 16]);
	ptui_profile_unref(p);
}

static void test_lines(void **state)
{
	struct ptui_profile *p = profile_new();
	unsigned asked;

	(void)state;
	check_rows(p, "srcfile", PTUI_INLINES_OFF, false, "66.67%|leaf.h\n33.33%|\n");
	asked = fake.asked;
	check_rows(
		p, "srcline", PTUI_INLINES_OFF, true,
		"100.00%|0.00%|main.c:7\n83.33%|0.00%|run.c:5\n66.67%|66.67%|leaf.h:1\n33.33%|33.33%|bare+0\n");
	assert_int_equal(fake.asked, asked); /* read once */
	check_rows(p, "srcline", PTUI_INLINES_ON, true,
		   "100.00%|0.00%|main.c:7\n83.33%|0.00%|run.c:5\n66.67%|66.67%|leaf.h:1\n"
		   "66.67%|0.00%|leaf.h:2\n33.33%|33.33%|bare+0\n");
	ptui_profile_unref(p);
}

/* The inlined profile lives as long as any histogram of it. */
static void test_lifetime(void **state)
{
	struct ptui_profile *p = profile_new();
	struct ptui_hist *h = hist_of(p, "sym", PTUI_INLINES_ON, true);
	unsigned asked = fake.asked;

	(void)state;
	ptui_hist_free(hist_of(p, "sym", PTUI_INLINES_ON, true));
	assert_int_equal(fake.asked, asked); /* made once */
	ptui_profile_unref(p);
	assert_int_equal(fake.freed, 0);
	assert_int_equal(ptui_hist_n_rows(h), 7);
	ptui_hist_free(h);
	assert_int_equal(fake.freed, 1);
}

static int cancel(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	(void)ctx;
	(void)what;
	(void)done;
	(void)total;
	return 1;
}

static void test_cancel(void **state)
{
	struct ptui_profile *p = profile_new();
	struct ptui_hist_opts o = { .sort = "sym", .inlines = PTUI_INLINES_ON, .progress = cancel };
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_null(ptui_hist_new(p, &o, &err));
	assert_int_equal(err.code, ECANCELED);
	o.inlines = PTUI_INLINES_OFF;
	o.sort = "srcline";
	assert_null(ptui_hist_new(p, &o, &err));
	check_rows(p, "srcfile", PTUI_INLINES_ON, false, "66.67%|leaf.h\n33.33%|\n");
	ptui_profile_unref(p);
	assert_int_equal(fake.freed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains),	   cmocka_unit_test(test_rows),
		cmocka_unit_test(test_default),	   cmocka_unit_test(test_before),
		cmocka_unit_test(test_lines),	   cmocka_unit_test(test_lines_of_chains),
		cmocka_unit_test(test_lifetime),   cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_long_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
