/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
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

/* No function has callers or callees. */
static void test_one_function(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "a", 5, 1);
	made_sample(m, "b", 3, 2);
	p = made_take(m);
	for (int i = 0; i < 4; i++)
		check_tree(p, "a", i & 1 ? PTUI_CALLER : PTUI_CALLEE, i & 2, 0, "5 a");
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

/* By address, each place in a function is a node of its own; lines are unknown here: functions. */
static void test_keys(void **state)
{
	static const struct {
		enum ptui_chain_key key;
		const char *expected;
	} keys[] = {
		{ PTUI_CHAIN_FUNCTION, "9 leaf main" },
		{ PTUI_CHAIN_ADDRESS, "8 leaf(5 main)(3 main) 1 leaf main" },
		{ PTUI_CHAIN_SRCLINE, "9 leaf main" },
	};
	struct made *m = made_new();
	struct ptui_profile *p;

	(void)state;
	made_sample(m, "main leaf", 5, 1);
	made_sample(m, "main+4 leaf", 3, 2);
	made_sample(m, "main leaf+8", 1, 3);
	p = made_take(m);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct ptui_hist_opts o = { .sort = "sym", .chain_key = keys[i].key };
		struct ptui_hist *h = ptui_hist_new(p, &o, NULL);

		assert_non_null(h);
		assert_int_equal(ptui_hist_n_rows(h), 1);
		assert_string_equal(made_tree(h, 0, 0), keys[i].expected);
		ptui_hist_free(h);
	}
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
/* Chains of one weight: by the address of their first different function, whatever else is below that. */
static void test_order_of_ends(void **state)
{
	static const char *const expected[] = { "q", "p", "r" };
	struct ptui_hist_opts o = { .sort = "sym", .order = PTUI_CALLEE };
	struct made *m = made_new();
	struct ptui_profile *p;
	struct ptui_calltree *t;
	struct ptui_hist *h;
	uint32_t *ends;
	size_t n;

	(void)state;
	made_sample(m, "p low leaf", 6, 1);
	made_sample(m, "q high leaf", 6, 2);
	made_sample(m, "r low leaf", 3, 3); /* "low" has more samples than "high" */
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	assert_int_equal(ptui_hist_n_rows(h), 1);
	t = ptui_hist_calltree(h, 0, 0, NULL);
	assert_non_null(t);
	ends = ptui_calltree_ends(t, 0, &n);
	assert_non_null(ends);
	assert_int_equal(n, 3);
	for (size_t i = 0; i < n; i++) {
		const struct ptui_callnode *node = ptui_calltree_node(t, ends[i]);
		char name[16];

		ptui_calltree_frame(t, node, node->n_frames - 1, name, sizeof(name));
		assert_string_equal(name, expected[i]);
	}
	free(ends);
	ptui_calltree_free(t);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

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

/* ---- any stacks, against a count of every sample ---- */

#define FUNCS	  5
#define DEEPEST	  8
#define N_SAMPLES 300

struct one_sample {
	char comm, chain[DEEPEST + 1]; /* functions are letters */
	uint64_t period;
};

static struct one_sample any[N_SAMPLES];

/* With recursion, and in an order that is not that of time. */
static struct ptui_profile *any_stacks(uint32_t seed)
{
	struct made *m = made_new();

	for (unsigned i = 0; i < N_SAMPLES; i++) {
		struct one_sample *s = &any[i];
		char words[2 * DEEPEST], comm[2] = "";
		size_t depth;

		seed = seed * 1664525 + 1013904223;
		depth = 1 + (seed >> 20) % DEEPEST;
		s->period = (seed >> 8) % 5;
		s->comm = comm[0] = "xy"[seed >> 31];
		for (size_t k = 0; k < depth; k++) {
			seed = seed * 1664525 + 1013904223;
			s->chain[k] = words[2 * k] = (char)('a' + (seed >> 24) % FUNCS);
			words[2 * k + 1] = k + 1 < depth ? ' ' : '\0';
		}
		s->chain[depth] = '\0';
		made_thread(m, comm, 1, 0);
		made_sample(m, words, s->period, (seed >> 4) % 1000);
	}
	return made_take(m);
}

/* The part of a chain that is in the tree of `func`, in the order of the tree; "": none. */
static void chain_of(const struct one_sample *s, char func, bool children,
		     enum ptui_chain_order order, char *ret)
{
	const char *first = strchr(s->chain, func), *last = strrchr(s->chain, func);
	size_t n = strlen(s->chain), begin = 0, end = n;

	*ret = '\0';
	if (s->chain[n - 1] != func) {
		if (!children || !first)
			return;
		begin = order == PTUI_CALLER ? (size_t)(first - s->chain) : 0;
		end = order == PTUI_CALLER ? n : (size_t)(last - s->chain) + 1;
	}
	for (size_t i = begin; i < end; i++)
		*ret++ = s->chain[order == PTUI_CALLER ? i : end - 1 - (i - begin)];
	*ret = '\0';
}

struct any_row {
	char comm, func; /* comm 0: any */
	bool children;
	enum ptui_chain_order order;
};

static struct {
	uint64_t all, ends;
} samples_of; /* what period_of() was asked for */

/* Period of the chains of a row that begin with `prefix`, and of those that are it. */
static uint64_t period_of(const struct any_row *row, const char *prefix, uint64_t *ret_hits,
			  bool *ret_any)
{
	size_t n = strlen(prefix);
	uint64_t sum = 0;

	*ret_hits = 0;
	*ret_any = false;
	samples_of.all = samples_of.ends = 0;
	for (size_t i = 0; i < N_SAMPLES; i++) {
		char chain[DEEPEST + 1];

		chain_of(&any[i], row->func, row->children, row->order, chain);
		if ((row->comm && any[i].comm != row->comm) || !*chain || strncmp(chain, prefix, n))
			continue;
		*ret_any = true;
		sum += any[i].period;
		*ret_hits += chain[n] ? 0 : any[i].period;
		samples_of.all++;
		samples_of.ends += !chain[n];
	}
	return sum;
}

/* Checks the nodes from `at` on; returns the number of functions in them. */
static size_t check_nodes(const struct ptui_calltree *t, uint32_t at, const struct any_row *row,
			  const char *above)
{
	size_t n = 0;

	for (; at != PTUI_NONE; at = ptui_calltree_node(t, at)->next) {
		const struct ptui_callnode *node = ptui_calltree_node(t, at);
		char prefix[DEEPEST + 2];
		uint64_t hits = 0;
		bool is_there;

		strcpy(prefix, above);
		for (uint32_t i = 0; i < node->n_frames; i++, n++) {
			ptui_calltree_frame(t, node, i, prefix + strlen(prefix), 2);
			assert_int_equal(period_of(row, prefix, &hits, &is_there), node->cumul);
			assert_true(is_there);
			assert_int_equal(samples_of.all, node->cumul_samples);
		}
		assert_int_equal(hits, node->hits);
		assert_int_equal(samples_of.ends, node->hit_samples);
		n += check_nodes(t, node->first_child, row, prefix);
	}
	return n;
}

/* The number of different beginnings of a row's chains. */
static size_t count_prefixes(const struct any_row *row, char *prefix)
{
	size_t n = strlen(prefix), sum = 0;
	uint64_t hits;
	bool is_there;

	for (char f = 'a'; f < 'a' + FUNCS && n < DEEPEST; f++) {
		prefix[n] = f;
		prefix[n + 1] = '\0';
		period_of(row, prefix, &hits, &is_there);
		if (is_there)
			sum += 1 + count_prefixes(row, prefix);
		prefix[n] = '\0';
	}
	return sum;
}

static uint32_t deepest(const struct any_row *row)
{
	size_t max = 0;

	for (size_t i = 0; i < N_SAMPLES; i++) {
		char chain[DEEPEST + 1];

		chain_of(&any[i], row->func, row->children, row->order, chain);
		if ((!row->comm || any[i].comm == row->comm) && strlen(chain) > max)
			max = strlen(chain);
	}
	return (uint32_t)max;
}

/* All nodes in which chains end, the largest first. */
static void check_ends(const struct ptui_calltree *t, uint64_t min)
{
	size_t n, found = 0;
	uint32_t *ends = ptui_calltree_ends(t, min, &n);

	assert_non_null(ends);
	for (uint32_t at = 0; ptui_calltree_node(t, at); at++) {
		const struct ptui_callnode *node = ptui_calltree_node(t, at);

		found += node->hits && node->hits >= min;
		for (uint32_t below = node->first_child; below != PTUI_NONE;
		     below = ptui_calltree_node(t, below)->next)
			assert_int_equal(ptui_calltree_node(t, below)->parent, at);
	}
	assert_int_equal(n, found);
	for (size_t i = 1; i < n; i++)
		assert_true(ptui_calltree_node(t, ends[i - 1])->hits >=
			    ptui_calltree_node(t, ends[i])->hits);
	free(ends);
}

static void check_row(struct ptui_hist *h, size_t i, const struct any_row *row)
{
	struct ptui_calltree *t = ptui_hist_calltree(h, i, 0, NULL);
	char prefix[DEEPEST + 2] = "";
	struct ptui_row r;
	uint64_t hits;
	bool is_there;

	assert_non_null(t);
	ptui_hist_row(h, i, &r);
	assert_int_equal(r.period_children, period_of(row, "", &hits, &is_there));
	assert_int_equal(r.chain_depth, deepest(row));
	assert_int_equal(ptui_calltree_count(t, h, i, NULL), 0);
	check_ends(t, 0);
	check_ends(t, r.period_children / 4);
	assert_int_equal(check_nodes(t, ptui_calltree_first(t), row, ""),
			 count_prefixes(row, prefix));
	ptui_calltree_free(t);
}

static void check_view(struct ptui_profile *p, const char *sort, bool children,
		       enum ptui_chain_order order)
{
	struct ptui_hist_opts o = { .sort = sort, .children = children, .order = order };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);
	size_t n_columns;

	assert_non_null(h);
	n_columns = ptui_hist_n_columns(h);
	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		struct any_row row = { .children = children, .order = order };
		char cell[16];

		ptui_hist_cell(h, i, n_columns - 1, cell, sizeof(cell));
		row.func = cell[4]; /* after "[.] " */
		if (strcmp(sort, "sym")) {
			ptui_hist_cell(h, i, n_columns - 2, cell, sizeof(cell));
			row.comm = cell[0];
		}
		check_row(h, i, &row);
	}
	ptui_hist_free(h);
}

static void test_any_stacks(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++) {
		struct ptui_profile *p = any_stacks(seed);

		for (int children = 0; children < 2; children++) {
			check_view(p, "sym", children, PTUI_CALLER);
			check_view(p, "sym", children, PTUI_CALLEE);
			check_view(p, "comm,sym", children, PTUI_CALLER);
			check_view(p, "comm,sym", children, PTUI_CALLEE);
		}
		ptui_profile_unref(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callees_first), cmocka_unit_test(test_callers_first),
		cmocka_unit_test(test_minimum),	      cmocka_unit_test(test_an_end_splits),
		cmocka_unit_test(test_one_function),  cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_two_threads),   cmocka_unit_test(test_any_stacks),
		cmocka_unit_test(test_keys),	      cmocka_unit_test(test_order_of_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
