/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "ptui/compare.h"
#include "unit/profile/made.h"

static struct ptui_hist *view(struct ptui_profile *p, const char *sort, bool children)
{
	struct ptui_hist_opts o = { .sort = sort, .children = children };
	struct ptui_hist *h = ptui_hist_new(p, &o, NULL);

	assert_non_null(h);
	return h;
}

/* "before after delta name" a line, in hundredths of a percent. */
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

/* What is in one of them only counts as nothing in the other; ids and totals are not theirs. */
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

/* Two functions of one name in one module: the heavier is taken for the heavier. */
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

static void test_modules_tell_rows_apart(void **state)
{
	struct made *before = made_new(), *after = made_new();

	(void)state;
	made_sample(before, "lib:f", 100, 1);
	made_sample(after, "other:f", 100, 1);
	check("0 100 +100 other\n"
	      "100 0 -100 lib\n",
	      before, after, "dso,sym", false, 1);
}

/* With callers' rows the difference is that of function and callees. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grown_shrunk_new_gone),
		cmocka_unit_test(test_same_name_twice),
		cmocka_unit_test(test_modules_tell_rows_apart),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_other_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
