/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "event/event.h"
#include "lib/need.h"

static void test_list(void **state)
{
	struct event_list list;
	char name[16] = "first";

	(void)state;
	event_list_init(&list);
	assert_non_null(event_list_add(&list, name));
	memset(name, 'x', 5); /* the list has a copy */
	for (int i = 0; i < 100; i++)
		assert_int_equal(event_list_add(&list, "more")->leader, i + 1);
	assert_int_equal(list.n, 101);
	assert_string_equal(list.v[0].name, "first");
	event_list_truncate(&list, 200);
	assert_int_equal(list.n, 101);
	event_list_truncate(&list, 1);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.v[0].name, "first");
	event_list_release(&list);
	assert_int_equal(list.n, 0);
	event_list_release(&list);
}

static void test_default(void **state)
{
	struct event_list list;

	(void)state;
	event_list_init(&list);
	assert_int_equal(event_list_add_default(&list), 0);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.v[0].name, "cycles");
	assert_true(list.v[0].precise_max);
	assert_false(list.v[0].attr.exclude_guest);
	event_list_release(&list);
}

/* As perf 6.1 names events. */
static void test_modifiers(void **state)
{
	static const struct {
		const char *expected;
		struct perf_event_attr attr;
	} cases[] = {
		{ "", { .exclude_guest = 1 } },
		{ ":HG", { .exclude_guest = 0 } },
		{ ":ppp", { .precise_ip = 3 } },
		{ ":pppH", { .precise_ip = 3, .exclude_guest = 1 } },
		{ ":uH", { .exclude_kernel = 1, .exclude_hv = 1, .exclude_guest = 1 } },
		{ ":u", { .exclude_kernel = 1, .exclude_hv = 1 } },
		{ ":kuH", { .exclude_hv = 1, .exclude_guest = 1 } },
		{ ":h", { .exclude_kernel = 1, .exclude_user = 1 } },
		{ ":G", { .exclude_host = 1 } },
		{ ":kuppH", { .exclude_hv = 1, .precise_ip = 2, .exclude_guest = 1 } },
	};
	char buf[EVENT_MODIFIERS_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(event_modifiers(&cases[i].attr, buf), cases[i].expected);
}

static void test_use_cpu_clock(void **state)
{
	struct event_list list;
	struct event *ev;

	(void)state;
	event_list_init(&list);
	assert_int_equal(event_list_add_default(&list), 0);
	ev = &list.v[0];
	ev->attr.precise_ip = 0; /* no level could be opened */
	assert_int_equal(event_use_cpu_clock(ev), 0);
	assert_string_equal(ev->name, "cpu-clock:ppp");
	assert_int_equal(ev->kind, EVENT_SOFTWARE);
	assert_int_equal(ev->attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(ev->attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(ev->attr.precise_ip, 3);
	event_list_release(&list);
}

static void test_exclude_kernel(void **state)
{
	static const struct {
		const char *name;
		enum event_kind kind;
		const char *expected;
	} cases[] = {
		{ "cycles", EVENT_HARDWARE, "cycles:u" },
		{ "cycles:P", EVENT_HARDWARE, "cycles:Pu" },
		{ "r1a8", EVENT_RAW, "r1a8:u" },
		{ "r1a8:p", EVENT_RAW, "r1a8:pu" },
		{ "4:0x1a8", EVENT_RAW, "4:0x1a8:u" },
		{ "4:0x1a8:p", EVENT_RAW, "4:0x1a8:pu" },
		{ "sched:sched_switch", EVENT_TRACEPOINT, "sched:sched_switch" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct event_list list;
		struct event *ev;

		event_list_init(&list);
		ev = event_list_add(&list, cases[i].name);
		ev->kind = cases[i].kind;
		assert_int_equal(event_exclude_kernel(ev), 0);
		assert_string_equal(ev->name, cases[i].expected);
		assert_true(ev->attr.exclude_kernel && ev->attr.exclude_hv);
		assert_false(ev->attr.exclude_user);
		event_list_release(&list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),	       cmocka_unit_test(test_default),
		cmocka_unit_test(test_modifiers),      cmocka_unit_test(test_use_cpu_clock),
		cmocka_unit_test(test_exclude_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
