/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters: valid syntax, and positions of errors. */
#include <errno.h>
#include <string.h>
#include "event/selector/filter.h"
#include "event/selector/selector.h"
#include "lib/need.h"
#include "unit/event/tree.h"

static struct tree tree;
static struct catalog *catalog;
static struct event_list events;

static void test_forms(void **state)
{
	static const struct {
		const char *filter;
		int at;		  /* of the error; -1: valid */
		const char *what; /* part of the error */
	} cases[] = {
		{ "pid == 0", -1, NULL },
		{ "pid==0", -1, NULL },
		{ " ( pid != 0x1f ) ", -1, NULL },
		{ "pid > -1 && comm ~ \"cc*\" || !(pid < 5)", -1, NULL },
		{ "comm == 'it''s'", 12, "unexpected text" },
		{ "comm == \"a b && c\"", -1, NULL },
		{ "!pid == 3", -1, NULL },
		{ "pid & 0x10 && pid >= 4", -1, NULL },
		{ "CPU & CPUS{0-3,8}", -1, NULL },
		{ "comm.ustring == \"x\"", -1, NULL },
		{ "pid.function == do_exit", -1, NULL },
		{ "common_pid != 7", -1, NULL },
		{ "pidd == 0", 0, "has no field called pidd" },
		{ "pid == 0 && pidd == 0", 12, "has no field called pidd" },
		{ "(pid == 0", 0, "missing closing" },
		{ "pid == 0)", 8, "unmatched closing" },
		{ "pid == 0 &&", 11, "field name missing" },
		{ "&& pid == 0", 0, "field name missing" },
		{ "pid ==", 6, "value missing" },
		{ "pid", 3, "operator missing" },
		{ "pid 5", 4, "operator missing" },
		{ "pid && pid == 0", 4, "operator missing" },
		{ "pid = 5", 4, "operator missing" },
		{ "5 == pid", 0, "field name missing" },
		{ "comm == \"open", 8, "unterminated" },
		{ "CPU & CPUS{1", 6, "unterminated" },
		{ "pid == 0 pid == 1", 9, "unexpected text" },
		{ "pid == 0 & pid == 1", 9, "unexpected text" },
		{ "()", 1, "field name missing" },
		{ "", 0, "is empty" },
		{ " ", 0, "is empty" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		int ret = event_filter_check(catalog, &events.v[0], cases[i].filter, &err);

		if ((ret == 0) != (cases[i].at < 0))
			fail_msg("%s: %s", cases[i].filter, err.text);
		if (!ret)
			continue;
		assert_int_equal(ret, -EINVAL);
		if (caret(&err) != (size_t)cases[i].at || !strstr(err.text, cases[i].what))
			fail_msg("%s: at %zu: %s", cases[i].filter, caret(&err), err.text);
	}
}

/* Very deep nesting: no stack overflow. */
static void test_deep(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 100000; i++)
		buf_add_char(&text, i & 1 ? '(' : '!');
	assert_int_equal(event_filter_check(catalog, &events.v[0], buf_str(&text), &err), -EINVAL);
	assert_non_null(strstr(err.text, "too deep"));
	buf_release(&text);
}

/* Two filters for one event: both must match. */
static void test_both(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(event_filter_set(catalog, &events.v[0], "pid == 1", &err), 0);
	assert_int_equal(event_filter_set(catalog, &events.v[0], "pidd == 1", &err), -EINVAL);
	assert_string_equal(events.v[0].filter, "pid == 1");
	assert_int_equal(event_filter_set(catalog, &events.v[0], "pid > 1", &err), 0);
	assert_string_equal(events.v[0].filter, "(pid == 1) && (pid > 1)");
}

static int set_up(void **state)
{
	(void)state;
	if (tree_make(&tree) ||
	    tree_write(&tree, "tracing/events/sched/sched_switch/format",
		       "name: sched_switch\nformat:\n"
		       "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		       "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		       "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"))
		return -1;
	catalog = catalog_new(&tree.roots);
	return catalog ? selector_parse(catalog, "sched:sched_switch", &events, NULL) : -1;
}

static int tear_down(void **state)
{
	(void)state;
	event_list_release(&events);
	catalog_free(catalog);
	tree_remove(&tree);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_both),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
