/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of selector.table, each a test of its own:
 *
 *	SELECTOR
 *	NAME KIND TYPE:CONFIG FLAGS...		an event, in order; with a pattern in the
 *						selector, in any order
 *	! LINE					of the sentence, when it is a mistake
 *	? LINE					of the hint
 *	(an empty line)
 *
 * Lines that start with # are comments. A row that fails shows what there was, in this form.
 */
#include "base/buf.h"
#include "event/selector.h"
#include "lib/need.h"
#include "unit/event/tree.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	char *selector;
	struct buf expected;
};

static struct tree tree;
static struct catalog *catalog;

static void add_flag(struct buf *out, bool on, const char *name)
{
	if (on)
		buf_addf(out, " %s", name);
}

static void add_number(struct buf *out, bool given, const char *name, uint64_t value)
{
	if (given)
		buf_addf(out, " %s=%llu", name, (unsigned long long)value);
}

static void add_terms(struct buf *out, const struct event *ev)
{
	const struct event_terms *t = &ev->terms;
	const struct perf_event_attr *attr = &ev->attr;

	if (attr->config1)
		buf_addf(out, " config1=%#llx", (unsigned long long)attr->config1);
	if (attr->config2)
		buf_addf(out, " config2=%#llx", (unsigned long long)attr->config2);
	if (attr->config3)
		buf_addf(out, " config3=%#llx", (unsigned long long)attr->config3);
	if (attr->config4)
		buf_addf(out, " config4=%#llx", (unsigned long long)attr->config4);
	add_number(out, attr->bp_type, "bp_type", attr->bp_type);
	add_number(out, t->given & EVENT_TERM_PERIOD, "period", t->period);
	add_number(out, t->given & EVENT_TERM_FREQ, "freq", t->freq_hz);
	add_number(out, t->given & EVENT_TERM_TIME, "time", t->time);
	add_number(out, t->given & EVENT_TERM_CALLGRAPH, "callgraph", t->callgraph);
	add_number(out, t->given & EVENT_TERM_STACK_SIZE, "stack", t->stack_bytes);
	add_number(out, t->given & EVENT_TERM_MAX_STACK, "max_stack", t->max_stack);
	add_number(out, t->given & EVENT_TERM_INHERIT, "inherit", t->inherit);
	add_number(out, t->given & EVENT_TERM_OVERWRITE, "overwrite", t->overwrite);
	add_number(out, t->given & EVENT_TERM_BRANCH, "branch", t->branch_sample_type);
	add_number(out, t->given & EVENT_TERM_NR, "nr", t->nr);
	add_flag(out, t->given & EVENT_TERM_PERCORE, "percore");
	add_flag(out, t->given & EVENT_TERM_AUX, "aux");
	if (ev->pmu)
		buf_addf(out, " pmu=%s", ev->pmu);
	if (ev->cpus)
		buf_addf(out, " cpus=%s", ev->cpus);
	if (ev->driver_config)
		buf_addf(out, " driver=%s", ev->driver_config);
}

static void add_event(struct buf *out, const struct event_list *list, const struct event *ev)
{
	const struct perf_event_attr *attr = &ev->attr;

	buf_addf(out, "%s %s %u:%#llx", ev->name, event_kind_name(ev->kind), attr->type,
		 (unsigned long long)attr->config);
	add_flag(out, attr->exclude_user, "exclude_user");
	add_flag(out, attr->exclude_kernel, "exclude_kernel");
	add_flag(out, attr->exclude_hv, "exclude_hv");
	add_flag(out, attr->exclude_host, "exclude_host");
	add_flag(out, attr->exclude_guest, "exclude_guest");
	add_flag(out, attr->exclude_idle, "exclude_idle");
	if (attr->precise_ip)
		buf_addf(out, " precise_ip=%d", (int)attr->precise_ip);
	add_flag(out, ev->precise_max, "precise_max");
	add_flag(out, attr->pinned, "pinned");
	add_flag(out, attr->exclusive, "exclusive");
	add_flag(out, ev->mode_given, "mode_given");
	add_flag(out, ev->sample_read, "sample_read");
	add_flag(out, ev->weak, "weak");
	add_terms(out, ev);
	if (ev->tp_system)
		buf_addf(out, " %s/%s", ev->tp_system, ev->tp_name);
	if (ev->leader != ev - list->v)
		buf_addf(out, " leader=%s", list->v[ev->leader].name);
	if (ev->group_name)
		buf_addf(out, " group=%s", ev->group_name);
	buf_add_char(out, '\n');
}

/* Each line of `text` behind `mark`. */
static void add_lines(struct buf *out, const char *mark, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		buf_addf(out, "%s%.*s\n", mark, (int)len, text);
		text += len + (text[len] == '\n');
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct event *)a)->name, ((const struct event *)b)->name);
}

static void describe(struct buf *out, const char *selector)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct event_list list;

	event_list_init(&list);
	if (selector_parse(catalog, selector, &list, &err)) {
		assert_int_equal(list.n, 0);
		assert_true(ptui_error_is_set(&err));
		add_lines(out, "! ", err.text);
		add_lines(out, "? ", err.hint);
	} else {
		/* a pattern's events come in the folder's order */
		if (strpbrk(selector, "*?[") && !strchr(selector, '{')) {
			qsort(list.v, list.n, sizeof(*list.v), by_text);
			for (size_t i = 0; i < list.n; i++)
				list.v[i].leader = (uint32_t)i;
		}
		for (size_t i = 0; i < list.n; i++)
			add_event(out, &list, &list.v[i]);
	}
	event_list_release(&list);
}

static void test_row(void **state)
{
	struct row *row = *state;
	struct buf got = BUF_INIT;

	describe(&got, row->selector);
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

/* Each kind of cores counts for itself. */
static void test_hybrid(void **state)
{
	static const struct {
		const char *selector, *events;
	} cases[] = {
		{ "cycles:u", "cpu_atom/cycles/u hardware 0:0xa00000000 exclude_kernel exclude_hv "
			      "exclude_guest mode_given pmu=cpu_atom cpus=4-11\n"
			      "cpu_core/cycles/u hardware 0:0x400000000 exclude_kernel exclude_hv "
			      "exclude_guest mode_given pmu=cpu_core cpus=0-3\n" },
		{ "r1a8", "cpu_atom/r1a8/ raw 10:0x1a8 exclude_guest pmu=cpu_atom cpus=4-11\n"
			  "cpu_core/r1a8/ raw 4:0x1a8 exclude_guest pmu=cpu_core cpus=0-3\n" },
		{ "mem-loads", "cpu_atom/mem-loads/ pmu 10:0xd0 exclude_guest pmu=cpu_atom "
			       "cpus=4-11\n"
			       "cpu_core/mem-loads/ pmu 4:0xcd exclude_guest pmu=cpu_core "
			       "cpus=0-3\n" },
		{ "cpu_core/cycles/", "cpu_core/cycles/ pmu 0:0x400000000 exclude_guest "
				      "pmu=cpu_core cpus=0-3\n" },
		{ "cs", "cs software 1:0x3 exclude_guest\n" },
		{ "cycles/cpu=2/", "cpu_atom/cycles,cpu=2/ hardware 0:0xa00000000 exclude_guest "
				   "pmu=cpu_atom cpus=4-11,2\n"
				   "cpu_core/cycles,cpu=2/ hardware 0:0x400000000 exclude_guest "
				   "pmu=cpu_core cpus=0-3,2\n" },
		/* a group is of one kind; software events stay with the first */
		{ "x{cycles,cs,instructions}",
		  "cpu_atom/cycles/ hardware 0:0xa00000000 exclude_guest pmu=cpu_atom cpus=4-11 "
		  "group=x\n"
		  "cs software 1:0x3 exclude_guest leader=cpu_atom/cycles/\n"
		  "cpu_atom/instructions/ hardware 0:0xa00000001 exclude_guest pmu=cpu_atom "
		  "cpus=4-11 leader=cpu_atom/cycles/\n"
		  "cpu_core/cycles/ hardware 0:0x400000000 exclude_guest pmu=cpu_core cpus=0-3\n"
		  "cpu_core/instructions/ hardware 0:0x400000001 exclude_guest pmu=cpu_core "
		  "cpus=0-3 leader=cpu_core/cycles/\n" },
	};
	struct roots before = tree.roots;
	struct catalog *normal = catalog;
	struct buf got = BUF_INIT;

	(void)state;
	assert_int_equal(tree_make_hybrid(&tree), 0);
	catalog = catalog_new(&tree.roots);
	assert_non_null(catalog);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_clear(&got);
		describe(&got, cases[i].selector);
		if (strcmp(buf_str(&got), cases[i].events))
			fail_msg("\n%s\n%s", cases[i].selector, buf_str(&got));
	}
	buf_release(&got);
	catalog_free(catalog);
	catalog = normal;
	tree.roots = before;
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
	/* what needs no tracefs does without */
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
	/* the place is still shown, and nothing is cut off behind it */
	assert_non_null(strstr(err.text, ",pgae-faults\n"));
	assert_non_null(strstr(err.text, "^ the name of an event"));
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

/* The rows of the table, or -1. */
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
	tests[n_tests++] = (struct CMUnitTest)cmocka_unit_test(test_hybrid);
	tests[n_tests++] = (struct CMUnitTest)cmocka_unit_test(test_without_tracefs);
	tests[n_tests++] = (struct CMUnitTest)cmocka_unit_test(test_long_text);
	ret = _cmocka_run_group_tests("selector", tests, n_tests, set_up, tear_down);
	for (int i = 0; i < n; i++) {
		free(rows[i].selector);
		buf_release(&rows[i].expected);
	}
	return ret;
}
