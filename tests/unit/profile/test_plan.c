/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -s and -F to keys, as in perf. */
#include <errno.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "profile/hist/keys.h"
#include "profile/profile.h"

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

/* There is a key for each of HIST_FIELDS_MAX fields; one more is refused by its name. */
static void test_too_many_fields(void **state)
{
	struct trace_key fields[HIST_FIELDS_MAX + 1];
	struct ptui_event_info events[] = { { .name = "wide:other" }, { .name = "wide:event" } };
	struct ptui_profile p = { .events = events, .n_events = 2 };
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(strpool_init(&p.names), 0);
	for (unsigned i = 0; i <= HIST_FIELDS_MAX; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		fields[i] = (struct trace_key){ .event = 1, .name = strpool_add(&p.names, name) };
	}
	p.trace.fields = fields;
	p.trace.n_fields = HIST_FIELDS_MAX;
	assert_int_equal(ptui_hist_check_keys(&p, "trace_fields,f3/raw", NULL, &err), 0);
	p.trace.n_fields++;
	assert_int_equal(ptui_hist_check_keys(&p, "comm,trace_fields", NULL, &err), -E2BIG);
	assert_string_equal(err.text,
			    "--sort: no room for the field 'f32' of wide:event: there are "
			    "at most 32 fields of tracepoints");
	assert_int_equal(ptui_hist_check_keys(&p, "comm", "event.*", &err), -E2BIG);
	assert_int_equal(ptui_hist_check_keys(&p, "f0,f32", NULL, NULL), 0);
	strpool_release(&p.names);
}

static const struct {
	const char *key, *why;
} refused_keys[] = {
	{ "symbol_iaddr", "'symbol' has the same rows" },
	{ "SIMD", "it comes from Arm SPE traces, which ptui does not decode" },
};

static void test_keys_of_perf_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused_keys) / sizeof(refused_keys[0]); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		char text[160];

		snprintf(text, sizeof(text), "--sort: ptui does not have perf's key '%s': %s",
			 refused_keys[i].key, refused_keys[i].why);
		assert_int_equal(ptui_hist_check_keys(NULL, refused_keys[i].key, NULL, &err),
				 -EINVAL);
		assert_string_equal(err.text, text);
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

/* And a plan has room for all keys. */
static void test_every_key_is_found_by_its_name(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; ptui_hist_key_name(i); i++) {
		const char *name = ptui_hist_key_name(i);

		assert_ptr_equal(hist_key_find(name, strlen(name)), hist_key_at(i));
	}
	assert_true(i && i <= HIST_KEYS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_too_many_fields),
		cmocka_unit_test(test_keys_of_perf_alone),
		cmocka_unit_test(test_every_key_is_found_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
