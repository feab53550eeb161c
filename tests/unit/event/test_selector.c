/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of selector.table, one test each: a selector, its parsed events (describe.h), an empty
 * line. Lines that start with # are comments. A failing row prints the actual result in this form.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "event/selector/selector.h"
#include "lib/need.h"
#include "unit/event/describe.h"
#include "unit/event/tree.h"

struct row {
	char *selector;
	struct buf expected;
};

static struct tree tree;
static struct catalog *catalog;

static void test_row(void **state)
{
	struct row *row = *state;
	struct buf got = BUF_INIT;

	describe_selector(&got, catalog, row->selector);
	if (strcmp(buf_str(&got), buf_str(&row->expected)))
		fail_msg("\n%s\n%s", row->selector, buf_str(&got));
	buf_release(&got);
}

static void test_list_is_as_it_was(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct event_list list;

	(void)state;
	event_list_init(&list);
	assert_int_equal(selector_parse(catalog, "cycles,faults:u", &list, &err), 0);
	assert_true(selector_parse(catalog, "{cs,sched:sched_switch},nothing", &list, &err) < 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.v[1].name, "faults:u");
	assert_int_equal(selector_parse(catalog, "{cs,sched:sched_switch}", &list, &err), 0);
	assert_int_equal(list.n, 4);
	assert_int_equal(list.v[3].leader, 2);
	event_list_release(&list);
}

static void test_without_tracefs(void **state)
{
	struct roots roots = { .sysfs = "/sys", .proc = "/nowhere", .tracefs = "/nowhere" };
	struct catalog *cat = catalog_new(&roots);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct event_list list;

	(void)state;
	event_list_init(&list);
	assert_int_equal(selector_parse(cat, "sched:sched_switch", &list, &err), -ENOENT);
	assert_non_null(strstr(err.text, "is not mounted"));
	assert_non_null(strstr(err.hint, "mount -t tracefs"));
	err = (struct ptui_error)PTUI_ERROR_INIT;
	assert_int_equal(selector_parse(cat, "sched:*", &list, &err), -ENOENT);
	/* selectors that need no tracefs */
	assert_int_equal(selector_parse(cat, "cycles:u,cs", &list, &err), 0);
	err = (struct ptui_error)PTUI_ERROR_INIT;
	assert_int_equal(selector_parse(cat, "cyclse:u", &list, &err), -EINVAL);
	assert_non_null(strstr(err.hint, "cycles"));
	assert_int_equal(list.n, 2);
	event_list_release(&list);
	catalog_free(cat);
}

static void test_long_text(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf text = BUF_INIT;
	struct event_list list;

	(void)state;
	event_list_init(&list);
	for (int i = 0; i < 20000; i++)
		buf_add_str(&text, "page-faults,");
	buf_add_str(&text, "pgae-faults");
	assert_int_equal(selector_parse(catalog, buf_str(&text), &list, &err), -EINVAL);
	/* the position is still shown, and nothing after it is truncated */
	assert_non_null(strstr(err.text, ",pgae-faults\n"));
	assert_non_null(strstr(err.text, "^ an event name"));
	assert_non_null(strstr(err.hint, "page-faults"));
	buf_release(&text);
	event_list_release(&list);
}

static int set_up(void **state)
{
	(void)state;
	if (tree_make(&tree))
		return -1;
	catalog = catalog_new(&tree.roots);
	return catalog ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	catalog_free(catalog);
	tree_remove(&tree);
	return 0;
}

#define ROWS_MAX 400

static struct row rows[ROWS_MAX];
static struct CMUnitTest tests[ROWS_MAX + 4];

/* The number of rows, or -1. */
static int read_table(void)
{
	const char *top = getenv("top_srcdir");
	char path[512], line[512];
	bool in_row = false;
	int n = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/unit/event/selector.table", top ? top : ".");
	file = fopen(path, "r");
	if (!file)
		return -1;
	while (n < ROWS_MAX && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!in_row && (!*line || *line == '#'))
			continue;
		if (!in_row)
			rows[n].selector = strdup(line);
		else if (*line)
			buf_addf(&rows[n].expected, "%s\n", line);
		else
			n++;
		in_row = *line != '\0';
	}
	n += in_row;
	fclose(file);
	return n;
}

int main(void)
{
	int n = read_table(), ret;
	size_t n_tests = 0;

	if (n < 1) {
		fprintf(stderr, "no table: run in make check, or with top_srcdir set\n");
		return 1;
	}
	for (int i = 0; i < n; i++)
		tests[n_tests++] = (struct CMUnitTest){ rows[i].selector, test_row, NULL, NULL,
							&rows[i] };
	tests[n_tests++] = (struct CMUnitTest)cmocka_unit_test(test_list_is_as_it_was);
	tests[n_tests++] = (struct CMUnitTest)cmocka_unit_test(test_without_tracefs);
	tests[n_tests++] = (struct CMUnitTest)cmocka_unit_test(test_long_text);
	ret = _cmocka_run_group_tests("selector", tests, n_tests, set_up, tear_down);
	for (int i = 0; i < n; i++) {
		free(rows[i].selector);
		buf_release(&rows[i].expected);
	}
	return ret;
}
