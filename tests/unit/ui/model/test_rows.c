/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "model/rows/rows.h"
#include "unit/profile/made.h"

static struct rows *make_rows(struct ptui_profile *p, enum ptui_chain_order order, double limit,
			      double chain_limit)
{
	struct ptui_hist_opts o = { .children = true, .order = order };
	struct rows_opts opts = { .limits = { limit, chain_limit } };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, &o, &err);
	struct rows *b;

	if (!h)
		fail_msg("%s", err.text);
	b = rows_new(h, &opts, &err);
	if (!b)
		fail_msg("%s", err.text);
	return b;
}

/* Everything below a node as text: "+" for what opens, a level deeper a blank more. */
static void put(struct buf *out, struct rows *b, uint64_t id, int depth, int deepest)
{
	size_t n = rows_count(b, id);

	for (size_t i = 0; i < n; i++) {
		uint64_t child = rows_child(b, id, i);
		double percent = rows_percent(b, child);
		char text[256];

		for (int k = 0; k < depth; k++)
			buf_add_char(out, ' ');
		buf_add_char(out, rows_opens(b, child) ? '+' : '.');
		if (percent >= 0)
			buf_addf(out, "%.0f ", percent);
		if (rows_kind(b, child) == ROWS_ROW)
			rows_cell(b, child, 4, text, sizeof(text));
		else
			rows_label(b, child, text, sizeof(text));
		buf_addf(out, "%s\n", text);
		if (depth < deepest)
			put(out, b, child, depth + 1, deepest);
	}
}

static void check(struct rows *b, int deepest, const char *expected)
{
	struct buf out = BUF_INIT;

	put(&out, b, ROWS_TOP, 0, deepest);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static struct ptui_profile *program(void)
{
	struct made *m = made_new();

	made_sample(m, "main run parse token", 30, 1);
	made_sample(m, "main run parse skip", 20, 2);
	made_sample(m, "main eval", 49, 3);
	made_sample(m, "main tiny", 1, 4);
	return made_take(m);
}

static uint64_t row_of(struct rows *b, const char *symbol)
{
	char cell[256];

	for (size_t i = 0; i < rows_n(b); i++) {
		uint64_t id = rows_child(b, ROWS_TOP, i);

		if (!strcmp(rows_cell(b, id, 4, cell, sizeof(cell)), symbol))
			return id;
	}
	fail_msg("no row %s", symbol);
	return 0;
}

static void test_levels(void **state)
{
	struct ptui_profile *p = program();
	struct rows *b = make_rows(p, PTUI_CALLER, 40, 0.5);

	(void)state;
	/* the row's own function is not repeated; branches are below the last function of a run */
	check(b, 3,
	      "+100 [.] main\n"
	      " +50 run\n"
	      "  +parse\n"
	      "   .30 token\n"
	      "   .20 skip\n"
	      " .49 eval\n"
	      " .1 tiny\n"
	      "+50 [.] run\n"
	      " +50 parse\n"
	      "  .30 token\n"
	      "  .20 skip\n"
	      "+50 [.] parse\n"
	      " .30 token\n"
	      " .20 skip\n"
	      "+49 [.] eval\n"
	      " .49 main\n"
	      " .eval\n");
	assert_int_equal(rows_n(b), 4);
	assert_int_equal(rows_n_hidden(b), 3);
	rows_free(b);

	b = make_rows(p, PTUI_CALLEE, 45, 0.5);
	check(b, 1,
	      ".100 [.] main\n"
	      "+50 [.] run\n"
	      " .50 main\n"
	      "+50 [.] parse\n"
	      " .50 run\n"
	      " .main\n"
	      "+49 [.] eval\n"
	      " .49 main\n");
	rows_free(b);
	ptui_profile_unref(p);
}

static void test_limit_of_branches(void **state)
{
	struct ptui_profile *p = program();
	struct rows *b = make_rows(p, PTUI_CALLER, 50, 25);
	struct rows_limits limits = { 0, 60 };

	(void)state;
	check(b, 2,
	      "+100 [.] main\n"
	      " +50 run\n"
	      "  +parse\n"
	      " .49 eval\n"
	      "+50 [.] run\n"
	      " +50 parse\n"
	      "  .30 token\n"
	      "+50 [.] parse\n"
	      " .30 token\n");
	/* main is above it, nothing below main is; the others do not open at all */
	assert_int_equal(rows_set_limits(b, &limits), 0);
	assert_int_equal(rows_n(b), 7);
	assert_int_equal(rows_count(b, row_of(b, "[.] main")), 1);
	assert_int_equal(rows_kind(b, rows_child(b, row_of(b, "[.] main"), 0)), ROWS_NOTE);
	assert_false(rows_opens(b, row_of(b, "[.] eval")));
	rows_free(b);
	ptui_profile_unref(p);
}

/* Self samples of a function are on its callers; below the limit they are hidden. */
static void test_own_samples(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct rows *b;

	(void)state;
	made_sample(m, "start main run", 60, 1);
	made_sample(m, "start main eval", 39, 2);
	made_sample(m, "start main", 1, 3);
	p = made_take(m);
	b = make_rows(p, PTUI_CALLER, 90, 5);
	check(b, 1,
	      "+100 [.] start\n"
	      " +100 main\n"
	      "+100 [.] main\n"
	      " .60 run\n"
	      " .39 eval\n");
	rows_free(b);
	b = make_rows(p, PTUI_CALLER, 90, 0.5);
	check(b, 1,
	      "+100 [.] start\n"
	      " +100 main\n"
	      "+100 [.] main\n"
	      " +99 main\n"
	      " +1 start\n");
	rows_free(b);
	ptui_profile_unref(p);
}

/* More samples of the same program: the numbers change, the ids do not. */
static void test_ids_stay(void **state)
{
	struct ptui_profile *p = program(), *q;
	struct rows *b = make_rows(p, PTUI_CALLER, 0, 0.5), *c;
	struct made *m = made_new();
	uint64_t main_id, run_id, parse_id;

	(void)state;
	made_sample(m, "start", 500, 1);
	made_sample(m, "main run parse token", 300, 2);
	made_sample(m, "main run parse skip", 100, 3);
	made_sample(m, "main eval", 700, 4);
	q = made_take(m);
	c = make_rows(q, PTUI_CALLER, 0, 0.5);
	main_id = row_of(b, "[.] main");
	assert_true(main_id == row_of(c, "[.] main"));
	assert_true(row_of(b, "[.] eval") == row_of(c, "[.] eval"));
	assert_true(row_of(c, "[.] eval") != row_of(c, "[.] start"));
	run_id = rows_child(b, main_id, 0);
	assert_true(run_id == rows_child(c, main_id, 1)); /* eval is first there */
	parse_id = rows_child(b, run_id, 0);
	assert_true(parse_id == rows_child(c, run_id, 0));
	/* the id of another tree's node is unknown */
	rows_free(c);
	c = make_rows(q, PTUI_CALLER, 0, 0.5);
	assert_int_equal(rows_count(c, run_id), 0);
	assert_false(rows_opens(c, run_id));
	rows_free(b);
	rows_free(c);
	ptui_profile_unref(p);
	ptui_profile_unref(q);
}

/* Keys of a level are one row, below that of the key before; numbers are sums. */
static void test_hierarchy(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { .sort = "comm,dso,sym", .order = PTUI_CALLER };
	struct rows_opts opts = { .limits = { 0, 0.5 }, .hierarchy = true };
	struct rows_limits limit = { 25, 0.5 };
	struct rows_order order = { "hierarchy", false };
	struct ptui_row_origin from;
	struct ptui_function f;
	struct ptui_profile *p;
	uint64_t comm, dso, symbol;
	char text[64];
	struct rows *b;

	(void)state;
	made_sample(m, "main run", 40, 1);
	made_sample(m, "main lib:f", 30, 2);
	made_sample(m, "main eval", 20, 3);
	made_thread(m, "b", 2, 0);
	made_sample(m, "lib:f", 10, 4);
	p = made_take(m);
	b = rows_new(ptui_hist_new(p, &o, NULL), &opts, NULL);
	assert_non_null(b);
	assert_true(rows_is_hierarchy(b));
	assert_int_equal(rows_n_columns(b), 2);
	assert_string_equal(rows_column(b, 1)->title, "Command / Shared Object / Symbol");
	comm = rows_child(b, ROWS_TOP, 0);
	assert_string_equal(rows_cell(b, comm, 1, text, sizeof(text)), "a");
	dso = rows_child(b, comm, 0);
	symbol = rows_child(b, dso, 0);
	/* what a node's samples have in common are its keys, and those above */
	assert_true(rows_is_inner(b, comm) && rows_is_inner(b, dso) && !rows_is_inner(b, symbol));
	assert_true(rows_origin(b, comm, &from));
	assert_string_equal(from.comm, "a");
	assert_null(from.dso);
	assert_true(rows_origin(b, dso, &from));
	assert_string_equal(from.comm, "a");
	assert_string_equal(from.dso, "prog");
	assert_false(rows_code(b, dso, &f));
	assert_true(rows_code(b, symbol, &f));
	assert_string_equal(rows_function(b, dso, text, sizeof(text)), "");
	assert_string_equal(rows_function(b, symbol, text, sizeof(text)), "run");
	assert_true(rows_match(b, symbol, "run") && !rows_match(b, dso, "run"));
	assert_non_null(rows_measure(b, dso, 0, text, sizeof(text)));
	assert_string_equal(text + strspn(text, " "), "60.00%");
	assert_null(rows_measure(b, dso, 1, text, sizeof(text)));
	assert_int_equal(rows_n_trees(b, ROWS_TOP), 4);
	assert_int_equal(rows_n_trees(b, comm), 6);
	check(b, 2,
	      "+90 \n"
	      " +60 prog\n"
	      "  +40 [.] run\n"
	      "  +20 [.] eval\n"
	      " +30 lib\n"
	      "  +30 [.] f\n"
	      "+10 \n"
	      " +10 lib\n"
	      "  .10 [.] f\n");
	assert_int_equal(rows_count(b, symbol), 2); /* its callchain */
	/* smaller rows are hidden at each level, and the order is that of each level */
	assert_int_equal(rows_set_limits(b, &limit), 0);
	check(b, 2, "+90 \n +60 prog\n  +40 [.] run\n +30 lib\n  +30 [.] f\n");
	limit.row_percent = 45;
	assert_int_equal(rows_set_limits(b, &limit), 0);
	check(b, 2, "+90 \n +60 prog\n  .all rows are below 45.00%\n");
	limit.row_percent = 0;
	assert_int_equal(rows_set_limits(b, &limit), 0);
	assert_int_equal(rows_set_order(b, &order), 0);
	check(b, 1, "+90 \n +30 lib\n +60 prog\n+10 \n +10 lib\n");
	rows_free(b);
	ptui_profile_unref(p);
}

/* Shares of CPU modes add up from level to level. */
static void test_modes_hierarchy(void **state)
{
	struct ptui_hist_opts o = { .sort = "comm,sym", .show_modes = true };
	struct rows_opts opts = { .hierarchy = true };
	struct made *m = made_new();
	struct ptui_profile *p;
	uint64_t comm, symbol;
	struct rows *b;
	char text[64];

	(void)state;
	made_sample(m, "main run", 60, 1);
	made_sample(m, "main kernel:read", 40, 2);
	p = made_take(m);
	b = rows_new(ptui_hist_new(p, &o, NULL), &opts, NULL);
	assert_non_null(b);
	comm = rows_child(b, ROWS_TOP, 0);
	symbol = rows_child(b, comm, 0);
	rows_cell(b, comm, 1, text, sizeof(text));
	assert_string_equal(text + strspn(text, " "), "40.00%");
	rows_cell(b, comm, 2, text, sizeof(text));
	assert_string_equal(text + strspn(text, " "), "60.00%");
	assert_non_null(rows_measure(b, symbol, 2, text, sizeof(text)));
	assert_string_equal(text + strspn(text, " "), "60.00%");
	rows_free(b);
	ptui_profile_unref(p);
}

/* A filter can leave none. */
static void test_empty_hierarchy(void **state)
{
	struct ptui_hist_opts o = { .sort = "comm,dso,symbol",
				    .filter = { .comm = "none of these" } };
	struct rows_opts opts = { .hierarchy = true };
	struct ptui_profile *p = program();
	struct rows *b = rows_new(ptui_hist_new(p, &o, NULL), &opts, NULL);

	(void)state;
	assert_non_null(b);
	assert_int_equal(rows_n(b), 0);
	rows_free(b);
	ptui_profile_unref(p);
}

/* Rows with equal texts are still distinct. */
static void test_same_names(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { .sort = "sym" };
	struct rows_opts opts = { .limits = { 0, 0.5 } };
	struct ptui_profile *p;
	struct rows *b;
	uint64_t one, two;

	(void)state;
	made_sample(m, "f", 10, 1);
	made_sample(m, "lib:f", 5, 2); /* without a DSO column */
	p = made_take(m);
	b = rows_new(ptui_hist_new(p, &o, NULL), &opts, NULL);
	one = rows_child(b, ROWS_TOP, 0);
	two = rows_child(b, ROWS_TOP, 1);
	assert_int_equal(rows_n(b), 2);
	assert_true(one && two && one != two);
	assert_true(rows_child(b, ROWS_TOP, 2) == ROWS_TOP);
	rows_free(b);
	ptui_profile_unref(p);
}

static void test_many_rows(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct rows *b;

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		char name[48];

		snprintf(name, sizeof(name), "main f%u", i);
		made_sample(m, name, 1, i);
	}
	p = made_take(m);
	b = make_rows(p, PTUI_CALLER, 0, 0);
	assert_int_equal(rows_count(b, ROWS_TOP), 100001);
	for (size_t i = 0; i < 100001; i++)
		assert_true(rows_child(b, ROWS_TOP, i) != ROWS_TOP);
	assert_int_equal(rows_count(b, row_of(b, "[.] main")), 100000);
	rows_free(b);
	ptui_profile_unref(p);
}

/* Of tens of thousands of branches only those get an id that are asked for: the rest is other slices' work. */
static void test_ids_when_asked_for(void **state)
{
	struct made *m = made_new();
	struct rows_order by_symbol = { "symbol", true };
	struct ptui_profile *p;
	uint64_t main_id, child[3];
	struct rows *b;

	(void)state;
	for (unsigned i = 0; i < 30000; i++) {
		char name[48];

		snprintf(name, sizeof(name), "main f%u", i);
		made_sample(m, name, 30000 - i, i);
	}
	p = made_take(m);
	b = make_rows(p, PTUI_CALLER, 0, 0);
	main_id = row_of(b, "[.] main");
	for (size_t i = 0; i < 3; i++)
		child[i] = rows_child(b, main_id, i * 10000);
	rows_free(b);
	b = make_rows(p, PTUI_CALLER, 0, 0);
	assert_int_equal(rows_count(b, main_id), 30000);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(rows_row(b, child[i]), PTUI_NONE);
		assert_true(rows_child(b, main_id, i * 10000) == child[i]);
		assert_int_equal(rows_kind(b, child[i]), ROWS_BRANCH);
	}
	/* a thread makes all of them */
	rows_free(b);
	b = make_rows(p, PTUI_CALLER, 0, 0);
	assert_int_equal(rows_make(b, main_id), 0);
	assert_int_equal(rows_kind(b, child[2]), ROWS_BRANCH);
	/* places of the visible rows */
	assert_int_equal(rows_place(b, main_id), 0);
	assert_true(rows_place(b, child[0]) == SIZE_MAX);
	assert_int_equal(rows_set_order(b, &by_symbol), 0);
	for (size_t i = 0; i < rows_n(b); i++)
		assert_int_equal(rows_place(b, rows_child(b, ROWS_TOP, i)), i);
	assert_int_equal(rows_set_limits(b, &(struct rows_limits){ 50, 50 }), 0);
	assert_int_equal(rows_n(b), 1);
	assert_int_equal(rows_place(b, main_id), 0);
	rows_free(b);
	ptui_profile_unref(p);
}

static void test_modules(void **state)
{
	struct made *m = made_new();
	struct ptui_row_origin from;
	struct ptui_profile *p;
	struct rows *b;
	uint64_t lib, branch;

	(void)state;
	made_sample(m, "main libc:copy", 60, 1);
	made_sample(m, "main", 40, 2);
	p = made_take(m);
	b = make_rows(p, PTUI_CALLER, 0, 0);
	lib = row_of(b, "[.] copy");
	assert_string_equal(rows_dso(b, lib), "libc");
	assert_int_equal(rows_path_width(b), strlen("/opt/libc"));
	branch = rows_child(b, row_of(b, "[.] main"), 0);
	assert_string_equal(rows_dso(b, branch), "libc"); /* its own, not the row's */
	assert_true(rows_origin(b, branch, &from));
	assert_string_equal(from.dso, "prog");
	assert_string_equal(from.comm, "a");
	assert_false(rows_origin(b, 1234, &from));
	assert_null(rows_dso(b, 1234));
	/* any identifying text, including the whole path; no number */
	assert_true(rows_match(b, lib, "COPY"));
	assert_true(rows_match(b, lib, "opt/libc"));
	assert_false(rows_match(b, lib, "60"));
	assert_true(rows_match(b, branch, "copy"));
	assert_false(rows_match(b, branch, "libc"));
	assert_false(rows_match(b, 1234, ""));
	rows_free(b);
	ptui_profile_unref(p);
}

/* "main run parse" */
static void check_order(struct rows *b, const char *key, bool reverse, const char *expected)
{
	struct rows_order order = { .reverse = reverse };
	struct buf out = BUF_INIT;
	uint64_t main_id = row_of(b, "[.] main");
	char cell[256];

	snprintf(order.key, sizeof(order.key), "%s", key);
	assert_int_equal(rows_set_order(b, &order), 0);
	for (size_t i = 0; i < rows_n(b); i++)
		buf_addf(&out, "%s%s", i ? " " : "",
			 rows_cell(b, rows_child(b, ROWS_TOP, i), 4, cell, sizeof(cell)) + 4);
	assert_string_equal(buf_str(&out), expected);
	assert_true(main_id == row_of(b, "[.] main"));
	buf_release(&out);
}

/* By a column: the largest number or the first text first; rows keep their ids and children. */
static void test_order(void **state)
{
	struct ptui_profile *p = program();
	struct rows *b = make_rows(p, PTUI_CALLER, 0, 0.5);
	uint64_t child = rows_child(b, row_of(b, "[.] main"), 0);

	(void)state;
	check_order(b, "symbol", false, "eval main parse run skip tiny token");
	check_order(b, "symbol", true, "token tiny skip run parse main eval");
	check_order(b, "overhead", false, "eval token skip tiny main run parse");
	assert_true(child == rows_child(b, row_of(b, "[.] main"), 0));
	/* equal ones stay as counted; no such column: all do */
	check_order(b, "dso", false, "main run parse eval token skip tiny");
	check_order(b, "nonsense", false, "main run parse eval token skip tiny");
	check_order(b, "", false, "main run parse eval token skip tiny");
	rows_free(b);
	ptui_profile_unref(p);
}

/* Rows that are made again all the time open when somebody makes their children. */
static void test_deferred(void **state)
{
	struct ptui_hist_opts o = { .order = PTUI_CALLEE }, of_thread = { .sort = "symbol" };
	struct rows_opts opts = { .limits = { 0, 0.5 }, .most = 3, .deferred = true };
	struct ptui_profile *p = program();
	struct rows *b;
	uint64_t eval, token;
	char text[64];

	(void)state;
	b = rows_new(ptui_hist_new(p, &o, NULL), &opts, NULL);
	assert_int_equal(rows_n(b), 3);
	assert_false(rows_may_open(b));
	assert_false(rows_opens(b, rows_child(b, ROWS_TOP, 0)));
	rows_free(b);
	opts.has_chains = true;
	b = rows_new(ptui_hist_new(p, &o, NULL), &opts, NULL);
	eval = rows_child(b, ROWS_TOP, 0);
	token = rows_child(b, ROWS_TOP, 1);
	assert_true(rows_opens(b, eval));
	assert_false(rows_deferred(b));
	assert_int_equal(rows_count(b, eval), 0);
	assert_true(rows_deferred(b));
	assert_false(rows_deferred(b)); /* told once */
	assert_int_equal(rows_make(b, eval), 0);
	assert_int_equal(rows_count(b, eval), 1);
	assert_string_equal(rows_label(b, rows_child(b, eval, 0), text, sizeof(text)), "main");
	/* the functions of a row; of all here */
	assert_int_equal(rows_set_functions(b, token, ptui_hist_new(p, &of_thread, NULL)), 0);
	assert_int_equal(rows_count(b, token), 4);
	assert_int_equal(rows_kind(b, rows_child(b, token, 0)), ROWS_FUNCTION);
	assert_true(rows_percent(b, rows_child(b, token, 0)) == 49);
	assert_string_equal(rows_function(b, rows_child(b, token, 0), text, sizeof(text)), "eval");
	assert_true(rows_is_unshared(b));
	rows_free(rows_ref(b));
	rows_free(b);
	ptui_profile_unref(p);
}

static const struct ptui_column *list_column(const void *of, size_t column)
{
	static const struct ptui_column columns[] = { { .name = "dso", .title = "DSO" },
						      { .name = "symbol", .title = "Symbol" } };

	(void)of;
	return &columns[column];
}

static const char *const list_texts[3][2] = { { "libc", "[.] copy" },
					      { "prog", "[.] main" },
					      { "prog", "[.] add" } };

static void list_cell(const void *of, size_t row, size_t column, char *buf, size_t size)
{
	(void)of;
	snprintf(buf, size, "%s", list_texts[row][column]);
}

/* Of a histogram with the first row last. */
static const struct ptui_hist *list_hist(const void *of, size_t *row)
{
	*row = (*row + 2) % 3;
	return of;
}

/* Rows of another source: in the order of the list, without children. */
static void test_list(void **state)
{
	const struct rows_source source = {
		.n_columns = 2, .column = list_column, .cell = list_cell, .hist = list_hist
	};
	const struct rows_order by_symbol = { "symbol", false };
	uint32_t *list = malloc(2 * sizeof(*list));
	struct made *m = made_new();
	struct ptui_function code;
	struct ptui_profile *p;
	struct ptui_hist *of;
	struct rows *b;
	uint64_t add;

	(void)state;
	made_sample(m, "main", 50, 1);
	made_sample(m, "add", 30, 2);
	made_sample(m, "lib:copy", 20, 3);
	p = made_take(m);
	of = ptui_hist_new(p, &(struct ptui_hist_opts){ .sort = "dso,symbol" }, NULL);
	assert_true(list && of);
	list[0] = 1;
	list[1] = 2;
	b = rows_new_list(&source, of, list, 2);
	assert_non_null(b);
	assert_int_equal(rows_n(b), 2);
	assert_int_equal(rows_shown(b, 0), 1);
	add = rows_child(b, ROWS_TOP, 1);
	assert_int_equal(rows_row(b, add), 2);
	assert_false(rows_opens(b, add));
	assert_true(rows_percent(b, add) < 0);
	assert_true(rows_match(b, add, "ADD"));
	assert_string_equal(rows_dso(b, add), "prog");
	assert_true(rows_code(b, add, &code));
	assert_string_equal(code.symbol, "add");
	assert_int_equal(rows_set_order(b, &by_symbol), 0);
	assert_true(add == rows_child(b, ROWS_TOP, 0));
	rows_free(b);
	ptui_hist_free(of);
	ptui_profile_unref(p);
}

static void test_no_rows(void **state)
{
	struct ptui_profile *p = made_take(made_new());
	struct rows *b = make_rows(p, PTUI_CALLER, 0, 0.5);

	(void)state;
	assert_int_equal(rows_count(b, ROWS_TOP), 0);
	assert_true(rows_child(b, ROWS_TOP, 0) == ROWS_TOP);
	assert_false(rows_opens(b, 1234));
	rows_free(b);
	ptui_profile_unref(p);
}

/* The same row, whether all rows are searched at once or one after the other. */
static void test_row_of_a_function(void **state)
{
	struct made *m = made_new();
	struct ptui_profile *p;
	struct rows *b;
	uint64_t main_row, run;

	(void)state;
	made_sample(m, "main run leaf", 50, 1);
	made_thread(m, "other", 7, 0);
	made_sample(m, "main run leaf", 60, 2);
	made_sample(m, "main", 10, 3);
	p = made_take(m);
	b = make_rows(p, PTUI_CALLER, 0, 0);
	for (size_t i = 0; i < rows_n(b); i++) {
		struct ptui_row_origin of, found;
		char name[64];
		size_t at[2] = { 0, 0 };
		uint64_t ret[2] = { ROWS_TOP, ROWS_TOP };

		main_row = rows_child(b, ROWS_TOP, i);
		if (strcmp(rows_function(b, main_row, name, sizeof(name)), "main") != 0)
			continue;
		run = rows_child(b, main_row, 0);
		assert_string_equal(rows_function(b, run, name, sizeof(name)), "run");
		while (!rows_of_function(b, run, 1, &at[0], &ret[0]))
			;
		assert_true(rows_of_function(b, run, SIZE_MAX, &at[1], &ret[1]));
		assert_int_equal(ret[0], ret[1]);
		assert_int_equal(rows_kind(b, ret[0]), ROWS_ROW);
		assert_string_equal(rows_function(b, ret[0], name, sizeof(name)), "run");
		assert_true(rows_origin(b, run, &of) && rows_origin(b, ret[0], &found));
		assert_string_equal(of.comm, found.comm);
	}
	rows_free(b);
	ptui_profile_unref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row_of_a_function),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_limit_of_branches),
		cmocka_unit_test(test_own_samples),
		cmocka_unit_test(test_ids_stay),
		cmocka_unit_test(test_same_names),
		cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_ids_when_asked_for),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_no_rows),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_deferred),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_hierarchy),
		cmocka_unit_test(test_modes_hierarchy),
		cmocka_unit_test(test_empty_hierarchy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
