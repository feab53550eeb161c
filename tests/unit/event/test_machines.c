/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other machines, as described in machines.table:
 *
 *	@ NAME			start of a machine
 *	+ PMU FILE TEXT		a file of its sysfs
 *	= list			the names of its PMU events, as in ptui list, one per line
 *	= default		the default events of a recording
 *	= SELECTOR		the parsed events (describe.h), up to an empty line
 *	= ? EVENT		details: "unit MiB", "scale 6.1e-05", "cpus 0" …
 *
 * Lines that start with # are comments. Each machine is a test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "event/catalog_public.h"
#include "event/event.h"
#include "lib/need.h"
#include "unit/event/describe.h"
#include "unit/event/tree.h"

#define MACHINES_MAX 16
#define LINE_BYTES   512

static struct tree tree;
static char *table;
static char *machines[MACHINES_MAX]; /* start of each in the table, after the line with its name */
static struct CMUnitTest tests[MACHINES_MAX];

/* The line at *at without its newline, in `line`; false at the end of the machine. */
static bool next_line(const char **at, char line[LINE_BYTES])
{
	size_t len = strcspn(*at, "\n");

	if (!**at)
		return false;
	assert_true(len < LINE_BYTES);
	memcpy(line, *at, len);
	line[len] = '\0';
	*at += len + ((*at)[len] == '\n');
	return true;
}

static void write_file(const char *line)
{
	char unit[64], file[64];
	int text = 0;

	if (sscanf(line, "+ %63s %63s %n", unit, file, &text) != 2 || !text)
		fail_msg("no file: %s", line);
	assert_int_equal(tree_write_unit(&tree, unit, file, line + text), 0);
}

/* ---- queries ---- */

static void add_list(struct buf *out, struct catalog *catalog)
{
	const struct catalog_entry *entries;
	size_t n;

	assert_int_equal(catalog_entries(catalog, EVENT_PMU, &entries, &n, NULL), 0);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%s%s\n", entries[i].name, entries[i].alias ? " OR " : "",
			 entries[i].alias ? entries[i].alias : "");
}

static void add_default(struct buf *out, struct catalog *catalog)
{
	struct event_list list;

	event_list_init(&list);
	assert_int_equal(catalog_add_default(catalog, &list), 0);
	for (size_t i = 0; i < list.n; i++)
		describe_event(out, &list, &list.v[i]);
	event_list_release(&list);
}

static void add_text(struct buf *out, const char *name, const char *text)
{
	for (const char *line = text; line && *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		buf_addf(out, "%s %.*s\n", name, (int)len, line);
		line += len;
	}
}

static void add_details(struct buf *out, const char *event)
{
	struct ptui_catalog *c = catalog_public_new(&tree.roots);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_event_details d;

	assert_non_null(c);
	if (ptui_catalog_details(c, event, &d, &err))
		fail_msg("%s: %s", event, err.text);
	add_text(out, "pmu", d.pmu);
	if (d.n_events > 1)
		buf_addf(out, "events %zu\n", d.n_events);
	add_text(out, "encoding", d.encoding);
	add_text(out, "desc", d.desc);
	add_text(out, "cpus", d.cpus);
	if (d.uncore)
		buf_add_str(out, "uncore\n");
	add_text(out, "unit", d.unit);
	if (d.scale != 1)
		buf_addf(out, "scale %g\n", d.scale);
	if (d.per_pkg)
		buf_add_str(out, "per-pkg\n");
	if (d.snapshot)
		buf_add_str(out, "snapshot\n");
	add_text(out, "term", d.terms);
	add_text(out, "cap", d.caps);
	ptui_event_details_release(&d);
	ptui_catalog_free(c);
}

static void check(struct catalog *catalog, const char *what, const char *expected)
{
	struct buf got = BUF_INIT;

	if (!strcmp(what, "list"))
		add_list(&got, catalog);
	else if (!strcmp(what, "default"))
		add_default(&got, catalog);
	else if (!strncmp(what, "? ", 2))
		add_details(&got, what + 2);
	else
		describe_selector(&got, catalog, what);
	if (strcmp(buf_str(&got), expected))
		fail_msg("\n= %s\n%s", what, buf_str(&got));
	buf_release(&got);
}

/* ---- a machine ---- */

static void test_machine(void **state)
{
	const char *at = *state;
	char line[LINE_BYTES], what[LINE_BYTES];
	struct catalog *catalog = NULL;
	struct buf expected = BUF_INIT;
	size_t n_checked = 0;

	assert_true(next_line(&at, line));
	tree_begin_machine(&tree, line);
	while (next_line(&at, line)) {
		if (*line == '+')
			write_file(line);
		if (*line != '=')
			continue;
		snprintf(what, sizeof(what), "%s", line + 2);
		buf_clear(&expected);
		while (next_line(&at, line) && *line)
			buf_addf(&expected, "%s\n", line);
		if (!catalog)
			catalog = catalog_new(&tree.roots);
		assert_non_null(catalog);
		check(catalog, what, buf_str(&expected));
		n_checked++;
	}
	assert_true(n_checked > 0);
	buf_release(&expected);
	catalog_free(catalog);
}

/* Splits the table by machine. -1: unreadable. */
static int read_table(void)
{
	const char *top = getenv("top_srcdir");
	struct buf text = BUF_INIT;
	char path[512];
	int n = 0;

	snprintf(path, sizeof(path), "%s/tests/unit/event/machines.table", top ? top : ".");
	buf_add_char(&text, '\n');
	if (file_read(path, 1 << 20, &text, NULL))
		return -1;
	table = buf_take(&text);
	for (char *at = table; (at = strstr(at, "\n@ ")) && n < MACHINES_MAX; n++) {
		*at = '\0';
		at += strlen("\n@ ");
		machines[n] = at;
	}
	return n;
}

static int set_up(void **state)
{
	(void)state;
	return tree_make(&tree);
}

static int tear_down(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

int main(void)
{
	int n = read_table(), ret;
	char names[MACHINES_MAX][32];

	if (n < 1) {
		fprintf(stderr, "no table: run in make check, or with top_srcdir set\n");
		return 1;
	}
	for (int i = 0; i < n; i++) {
		snprintf(names[i], sizeof(names[i]), "%.*s", (int)strcspn(machines[i], "\n"),
			 machines[i]);
		tests[i] = (struct CMUnitTest){ names[i], test_machine, NULL, NULL, machines[i] };
	}
	ret = _cmocka_run_group_tests("machines", tests, (size_t)n, set_up, tear_down);
	free(table);
	return ret;
}
