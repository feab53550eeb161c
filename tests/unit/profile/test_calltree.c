/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "lib/need.h"
#include "unit/profile/made.h"

static void check_tree(struct ptui_profile *p, const char *sym, enum ptui_chain_order order,
		       bool children, uint64_t min_period, const char *expected)
{
	struct ptui_hist_opts o = { .sort = "sym", .children = children, .order = order };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);

	assert_non_null(h);
	for (size_t r = 0; r < ptui_hist_n_rows(h); r++) {
		char cell[64];

		ptui_hist_cell(h, r, ptui_hist_n_columns(h) - 1, cell, sizeof(cell));
		if (strcmp(cell + 4, sym))
			continue;
		assert_string_equal(made_tree(h, r, min_period), expected);
		ptui_hist_free(h);
		return;
	}
	fail_msg("there is no row %s", sym);
}

static struct ptui_profile *branches(void)
{
	struct made *m = made_new();

	made_sample(m, "main run parse leaf", 30, 1);
	made_sample(m, "main run eval leaf", 20, 2);
	made_sample(m, "main leaf", 10, 3);
	return made_take(m);
}

static void test_callees_first(void **state)
{
	struct ptui_profile *p = branches();

	(void)state;
	check_tree(p, "leaf", PTUI_CALLEE, false, 0,
		   "60 leaf(30 parse run main)(20 eval run main)(10 main)");
	ptui_profile_unref(p);
}

static void test_callers_first(void **state)
{
	struct ptui_profile *p = branches();

	(void)state;
	check_tree(p, "leaf", PTUI_CALLER, false, 0,
		   "60 main(50 run(30 parse leaf)(20 eval leaf))(10 leaf)");
	check_tree(p, "run", PTUI_CALLER, true, 0, "50 run(30 parse leaf)(20 eval leaf)");
	check_tree(p, "eval", PTUI_CALLER, true, 0, "20 eval leaf");
	ptui_profile_unref(p);
}

static void test_minimum(void **state)
{
	struct ptui_profile *p = branches();

	(void)state;
	check_tree(p, "leaf", PTUI_CALLEE, false, 20,
		   "60 leaf(30 parse run main)(20 eval run main)");
	check_tree(p, "leaf", PTUI_CALLEE, false, 21, "60 leaf(30 parse run main)");
	check_tree(p, "leaf", PTUI_CALLEE, false, 61, "");
	ptui_profile_unref(p);
}

/* A chain that ends within another one splits the node. */
static void test_an_end_splits(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "a b c", 5, 1);
	made_sample(m, "a b", 3, 2);
	p = made_take(m);
	check_tree(p, "a", PTUI_CALLER, true, 0, "8 a b(5 c)");
	ptui_profile_unref(p);
}

/* Without symbols every address is a function; of equals the greater one is first. */
static void test_addresses(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "0x10 leaf", 5, 1);
	made_sample(m, "0x20 leaf", 5, 2);
	p = made_take(m);
	check_tree(p, "leaf", PTUI_CALLEE, false, 0, "10 leaf(5 0x1020)(5 0x1000)");
	ptui_profile_unref(p);
}

#define TIMES 200

static void *make_trees(void *view)
{
	for (int i = 0; i < TIMES; i++) {
		struct ptui_calltree *t = ptui_hist_calltree(view, 0, 0, NULL);
		uint32_t first = t ? ptui_calltree_first(t) : PTUI_NONE;
		const struct ptui_callnode *n = t ? ptui_calltree_node(t, first) : NULL;
		bool right = n && n->cumul == 60 && n->first_child != PTUI_NONE;

		ptui_calltree_free(t);
		if (!right)
			return NULL;
	}
	return view;
}

/* One thread opens a row while another opens all. */
static void test_two_threads(void **state)
{
	struct ptui_profile *p = branches();
	struct ptui_hist_opts o = { .sort = "sym" };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);
	pthread_t thread;
	void *made;

	(void)state;
	assert_non_null(h);
	assert_int_equal(pthread_create(&thread, NULL, make_trees, h), 0);
	assert_ptr_equal(make_trees(h), h);
	assert_int_equal(pthread_join(thread, &made), 0);
	assert_ptr_equal(made, h);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callees_first), cmocka_unit_test(test_callers_first),
		cmocka_unit_test(test_minimum),	      cmocka_unit_test(test_an_end_splits),
		cmocka_unit_test(test_addresses),     cmocka_unit_test(test_two_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
