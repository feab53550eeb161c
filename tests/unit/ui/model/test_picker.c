/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events to choose from: rows, search, marks that stay whatever is searched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "model/picker.h"

static const struct ptui_catalog_entry entries[] = {
	{ "cpu-cycles", "cycles", NULL, "hardware", "Hardware event", 0 },
	{ "cache-misses", NULL, "Last-level cache accesses that missed.", "hardware", "Hardware event", 0 },
	{ "cpu-clock", NULL, NULL, "software", "Software event", 0 },
	{ "sched:sched_switch", NULL, NULL, "tracepoint", "Tracepoint event", 0 },
	{ "sched:sched_wakeup", NULL, NULL, "tracepoint", "Tracepoint event", 0 },
	{ "rNNN", NULL, NULL, "raw", "Raw hardware event descriptor", 1 },
};

static int setup(void **state)
{
	struct picker *p = malloc(sizeof(*p));
	size_t i;

	picker_init(p);
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		assert_int_equal(picker_add(p, &entries[i]), 0);
	assert_int_equal(picker_search(p, ""), 0);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	picker_release(*state);
	free(*state);
	return 0;
}

static const char *rows(const struct picker *p, char buf[1024])
{
	size_t i, n = 0;

	*buf = '\0';
	for (i = 0; i < p->n_rows; i++) {
		const struct picker_entry *e = picker_entry(p, i);

		n += (size_t)snprintf(buf + n, 1024 - n, "%s%s%s ", e ? "" : "#",
				      e ? e->name : p->groups[p->rows[i].group].kind,
				      e && e->mark ? "*" : "");
	}
	return buf;
}

static const char *marked(const struct picker *p, char buf[1024])
{
	struct words w = WORDS_INIT;
	char *text;

	assert_int_equal(picker_marked(p, &w), 0);
	assert_int_equal(picker_n_marked(p), w.n);
	text = words_join(&w);
	snprintf(buf, 1024, "%s", text);
	free(text);
	words_release(&w);
	return buf;
}

static void test_rows(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	assert_string_equal(rows(p, buf), "#hardware cpu-cycles cache-misses #software cpu-clock "
					  "#tracepoint sched:sched_switch sched:sched_wakeup ");
	assert_int_equal(picker_toggle(p, 0), 0);
	assert_string_equal(rows(p, buf), "#hardware #software cpu-clock "
					  "#tracepoint sched:sched_switch sched:sched_wakeup ");
	assert_null(picker_entry(p, 0));
	assert_null(picker_entry(p, 99));
	assert_int_equal(picker_toggle(p, 99), 0);
}

static void test_search(void **state)
{
	struct picker *p = *state;
	char buf[1024];
	uint64_t id;

	assert_int_equal(picker_toggle(p, 0), 0); /* closed: a search looks into it all the same */
	assert_int_equal(picker_search(p, "cache MI"), 0);
	assert_string_equal(rows(p, buf), "#hardware cache-misses ");
	assert_int_equal(p->n_fits, 1);
	id = picker_id(p, 1);
	assert_int_equal(picker_search(p, "accesses"), 0); /* in the description */
	assert_int_equal(p->n_fits, 1);
	assert_int_equal(picker_find(p, id), 1);
	assert_int_equal(picker_search(p, "switch"), 0);
	assert_int_equal(picker_find(p, id), SIZE_MAX);
	assert_int_equal(picker_search(p, "none of them"), 0);
	assert_int_equal(p->n_rows, 0);
	assert_int_equal(picker_search(p, ""), 0);
	assert_int_equal(p->n_fits, 5);
}

static void test_marks(void **state)
{
	struct words events = WORDS_INIT;
	struct picker *p = *state;
	char buf[1024];

	assert_int_equal(words_split(&events, "cycles task-clock:u sched:sched_wakeup", NULL), 0);
	assert_int_equal(picker_toggle(p, 0), 0);
	assert_int_equal(picker_mark_all(p, &events), 0);
	/* What is marked is seen; the words it was asked for with stay. */
	assert_string_equal(rows(p, buf), "#hardware cpu-cycles* cache-misses #software cpu-clock "
					  "#tracepoint sched:sched_switch sched:sched_wakeup* ");
	assert_string_equal(marked(p, buf), "task-clock:u cycles sched:sched_wakeup");

	assert_int_equal(picker_search(p, "clock"), 0);
	assert_int_equal(picker_toggle(p, 1), 0);
	assert_int_equal(picker_search(p, "cycles"), 0);
	assert_int_equal(picker_toggle(p, 1), 0);
	assert_string_equal(marked(p, buf), "task-clock:u sched:sched_wakeup cpu-clock");
	assert_int_equal(picker_toggle(p, 1), 0);
	assert_string_equal(marked(p, buf), "task-clock:u sched:sched_wakeup cpu-clock cpu-cycles");
	words_release(&events);
}

static void test_twice_the_same(void **state)
{
	struct words events = WORDS_INIT;
	struct picker *p = *state;
	char buf[1024];

	assert_int_equal(words_split(&events, "cycles cpu-cycles", NULL), 0);
	assert_int_equal(picker_mark_all(p, &events), 0);
	assert_string_equal(marked(p, buf), "cpu-cycles cycles");
	words_release(&events);
}

static void test_trouble(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct picker *p = *state;

	ptui_error_set(&err, PTUI_ERROR_SYSTEM, 2, NULL, "tracefs is not mounted");
	ptui_error_hint(&err, "mount it");
	assert_int_equal(picker_add_trouble(p, "probe", &err), 0);
	assert_int_equal(picker_search(p, ""), 0);
	assert_string_equal(p->groups[p->n_groups - 1].trouble, "tracefs is not mounted; mount it");
}

static void test_of_this_machine(void **state)
{
	struct ptui_catalog *catalog = ptui_catalog_new();
	struct words events = WORDS_INIT;
	struct picker p;
	char buf[1024];

	(void)state;
	assert_non_null(catalog);
	picker_init(&p);
	assert_int_equal(picker_load(&p, catalog), 0);
	assert_true(p.n_entries > 20);
	assert_int_equal(words_split(&events, "cpu-clock", NULL), 0);
	assert_int_equal(picker_mark_all(&p, &events), 0);
	assert_int_equal(p.typed.n, 0);
	assert_string_equal(marked(&p, buf), "cpu-clock");
	words_release(&events);
	picker_release(&p);
	ptui_catalog_free(catalog);
}

static void test_open_and_close(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	assert_int_equal(picker_heading(p, 2), 0);
	assert_true(picker_is_open(p, 0));
	assert_false(picker_is_open(p, 1)); /* an entry */
	assert_int_equal(picker_set_open(p, 2, false), 0);
	assert_string_equal(rows(p, buf), "#hardware #software cpu-clock #tracepoint "
					  "sched:sched_switch sched:sched_wakeup ");
	assert_false(picker_is_open(p, 0));
	assert_int_equal(picker_search(p, "cache"), 0);
	assert_true(picker_is_open(p, 0)); /* what was found is seen */
	assert_int_equal(picker_search(p, ""), 0);
	assert_int_equal(picker_set_open(p, 0, true), 0);
	assert_int_equal(p->n_rows, 8);
	assert_int_equal(picker_set_open(p, 99, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_rows),
		TEST(test_search),
		TEST(test_marks),
		TEST(test_twice_the_same),
		TEST(test_trouble),
		cmocka_unit_test(test_of_this_machine),
		TEST(test_open_and_close),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
