/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -s and -F to keys, as in perf. */
#include <errno.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "profile/keys.h"

static const struct {
	const char *sort, *fields;
	bool children, samples;
	const char *shown, *sorted;
} plans[] = {
	{ NULL, NULL, false, false, "overhead comm dso symbol", "overhead comm dso symbol" },
	{ NULL, NULL, true, false, "overhead_children overhead comm dso symbol",
	  "overhead_children overhead comm dso symbol" },
	{ NULL, NULL, false, true, "overhead sample comm dso symbol",
	  "overhead comm dso symbol sample" },
	{ "sym", NULL, false, false, "overhead symbol", "overhead symbol" },
	{ "sy,co", NULL, false, false, "overhead symbol comm", "overhead symbol comm" },
	{ "s", NULL, false, false, "overhead symbol", "overhead symbol" },
	{ "p", NULL, false, false, "overhead pid", "overhead pid" },
	{ "over", NULL, false, false, "overhead", "overhead" },
	{ "COMM", NULL, false, false, "overhead comm", "overhead comm" },
	{ "comm,comm", NULL, false, false, "overhead comm", "overhead comm" },
	{ "+cpu", NULL, false, false, "overhead comm dso symbol cpu",
	  "overhead comm dso symbol cpu" },
	{ NULL, "sample,comm", false, false, "sample comm", "sample comm" },
	{ NULL, "comm,overhead", true, false, "comm overhead", "comm overhead" },
	{ NULL, "+period", false, false, "overhead period comm dso symbol",
	  "overhead comm dso symbol period" },
	{ "dso", "sample", false, false, "sample dso", "dso sample" },
	{ "sample,dso", NULL, false, false, "overhead sample dso", "overhead sample dso" },
};

static void check_names(const struct hist_key *const *keys, size_t n, const char *expected)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? " " : "", keys[i]->name);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void test_plans(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		const struct hist_columns columns = { .children = plans[i].children,
						      .samples = plans[i].samples };
		struct hist_plan plan;

		assert_int_equal(hist_plan_make(&plan, PTUI_MODE_SAMPLES, NULL, plans[i].sort,
						plans[i].fields, &columns, NULL),
				 0);
		check_names(plan.show, plan.n_show, plans[i].shown);
		check_names(plan.sort, plan.n_sort, plans[i].sorted);
	}
}

static void test_mistakes(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(ptui_hist_check_keys(NULL, "comm,symbo1", NULL, &err), -EINVAL);
	assert_string_equal(err.text, "--sort: unknown key 'symbo1'");
	assert_string_equal(err.hint, "did you mean 'symbol'?");
	memset(&err, 0, sizeof(err));
	assert_int_equal(ptui_hist_check_keys(NULL, NULL, "qqqqqq", &err), -EINVAL);
	assert_string_equal(err.text, "--fields: unknown key 'qqqqqq'");
	memset(&err, 0, sizeof(err));
	assert_int_equal(ptui_hist_check_keys(NULL, "", ",", &err), -EINVAL);
	assert_string_equal(err.text, "--fields: no key given");
	assert_int_equal(ptui_hist_check_keys(NULL, "comm", NULL, NULL), 0);
}

static void test_every_key_is_found_by_its_name(void **state)
{
	(void)state;
	for (size_t i = 0; ptui_hist_key_name(i); i++) {
		const char *name = ptui_hist_key_name(i);

		assert_ptr_equal(hist_key_find(name, strlen(name)), hist_key_at(i));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_every_key_is_found_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
