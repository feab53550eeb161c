/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether events fit a PMU, found by trying, and the groups that do. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "fake/kernel.h"
#include "kernel/fit.h"
#include "lib/need.h"

struct world {
	struct fake_kernel kernel;
	struct event_list events;
	bool may_join[FIT_EVENTS_MAX + 8];
	struct fit fit;
};

static struct event *add(struct world *w, uint32_t type)
{
	uint32_t i = (uint32_t)w->events.n;
	struct event *ev;
	char name[16];

	snprintf(name, sizeof(name), "e%u", i);
	ev = event_list_add(&w->events, name);
	assert_non_null(ev);
	ev->attr.type = type;
	ev->attr.config = i;
	ev->attr.size = PTUI_ATTR_SIZE_VER0;
	w->may_join[i] = true;
	return ev;
}

static void add_alone(struct world *w, size_t n)
{
	while (n--)
		add(w, PERF_TYPE_HARDWARE);
}

static struct event *add_group(struct world *w, size_t n)
{
	uint32_t leader = (uint32_t)w->events.n;

	for (size_t i = 0; i < n; i++) {
		add(w, PERF_TYPE_HARDWARE)->leader = leader;
		w->may_join[leader + i] = false;
	}
	return &w->events.v[leader];
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	w->kernel.has_pmu = true;
	w->kernel.pmu_counters = 4;
	event_list_init(&w->events);
	*state = w;
	return 0;
}

/* Everything that was tried is closed again. */
static int teardown(void **state)
{
	struct world *w = *state;

	fit_release(&w->fit);
	event_list_release(&w->events);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static const struct fit *try_it(struct world *w)
{
	fit_release(&w->fit);
	assert_int_equal(fit_try(&w->kernel.ops, &w->events, w->may_join, &w->fit), 0);
	return &w->fit;
}

static void assert_share(double is, double should)
{
	if (is < should - 0.001 || is > should + 0.001)
		fail_msg("a share of %.3f, not %.3f", is, should);
}

static void assert_groups(const struct world *w, const char *groups)
{
	char is[FIT_EVENTS_MAX + 1] = "";
	size_t i;

	for (i = 0; i < w->events.n; i++)
		is[i] = w->fit.events[i].group == PTUI_NONE ? '-' :
							      (char)('0' + w->fit.events[i].group);
	is[i] = '\0';
	assert_string_equal(is, groups);
}

static void four_fit_four(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	add_alone(w, 2);
	add_group(w, 2);
	fit = try_it(w);
	assert_int_equal(fit->n_needs, 4);
	assert_int_equal(fit->n_over, 0);
	assert_share(fit->share, 1);
	assert_int_equal(fit->never, PTUI_NONE);
	assert_int_equal(fit->n_groups, 0);
	assert_false(fit->watchdog);
}

static void eight_take_turns_on_four(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	add_alone(w, 8);
	fit = try_it(w);
	assert_int_equal(fit->n_over, 4);
	assert_share(fit->share, 0.5);
	for (size_t i = 0; i < 8; i++)
		assert_share(fit->events[i].share, 0.5);
	assert_int_equal(fit->never, PTUI_NONE);
	assert_int_equal(fit->n_groups, 2);
	assert_groups(w, "00001111");
	assert_share(fit->proposed_share, 0.5);
}

/* The last one is scheduled with the first: a group of four would leave it alone. */
static void five_count_more_alone_than_in_groups(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	add_alone(w, 5);
	fit = try_it(w);
	assert_int_equal(fit->n_over, 1);
	assert_share(fit->share, 0.8);
	assert_groups(w, "00001");
	assert_share(fit->proposed_share, 0.5);
}

static void a_group_of_six_never_counts_on_four(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	add(w, PERF_TYPE_SOFTWARE);
	add_group(w, 6);
	fit = try_it(w);
	assert_int_equal(fit->never, 1);
	assert_int_equal(fit->n_over, 2);
	assert_share(fit->share, 0);
	assert_share(fit->events[0].share, 1);
	assert_groups(w, "-000011");
	assert_share(fit->proposed_share, 0.5);
	/* the same with a kernel that checks when a member is added */
	w->kernel.max_group = 4;
	fit = try_it(w);
	assert_int_equal(fit->never, 1);
	assert_groups(w, "-000011");
}

/* A weak group is split if the kernel refuses it, but not if there is no room for it. */
static void a_weak_group_is_a_group_where_the_kernel_takes_it(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	add_group(w, 6)->weak = true;
	w->kernel.max_group = 4;
	fit = try_it(w);
	assert_int_equal(fit->never, PTUI_NONE);
	assert_share(fit->share, 4 / 6.0);
	w->kernel.max_group = 0;
	fit = try_it(w);
	assert_int_equal(fit->never, 0);
}

static void groups_of_the_user_stay(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	add_group(w, 3);
	add_alone(w, 3);
	fit = try_it(w);
	assert_int_equal(fit->never, PTUI_NONE);
	assert_int_equal(fit->n_over, 2);
	assert_share(fit->share, 0.5);
	assert_share(fit->events[5].share, 0.75);
	assert_groups(w, "000111");
	/* nothing is added to them, and no other proposal is needed */
	event_list_truncate(&w->events, 3);
	add_group(w, 3);
	fit = try_it(w);
	assert_share(fit->share, 0.5);
	assert_int_equal(fit->n_groups, 0);
}

static void the_watchdog_holds_one(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	fake_file(&w->kernel, "proc/sys/kernel/nmi_watchdog", "1\n");
	w->kernel.pmu_held = 1;
	add_alone(w, 4);
	fit = try_it(w);
	assert_true(fit->watchdog);
	assert_int_equal(fit->n_over, 1);
	assert_share(fit->share, 0.75);
	fake_file(&w->kernel, "proc/sys/kernel/nmi_watchdog", "0\n");
	w->kernel.pmu_held = 0;
	fit = try_it(w);
	assert_false(fit->watchdog);
	assert_share(fit->share, 1);
}

static void the_watchdog_is_irrelevant_without_counters(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	fake_file(&w->kernel, "proc/sys/kernel/nmi_watchdog", "1\n");
	w->kernel.has_pmu = false;
	add(w, PERF_TYPE_SOFTWARE);
	add_alone(w, 8);
	add(w, PERF_TYPE_TRACEPOINT);
	fit = try_it(w);
	assert_int_equal(fit->n_needs, 0);
	assert_share(fit->share, 1);
	assert_false(fit->watchdog);
	assert_int_equal(fit->n_groups, 0);
}

/* Cache and raw events use the core PMU; another PMU has its own counters. */
static void pmus_are_tried_one_by_one(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	for (size_t i = 0; i < 6; i++)
		add(w, i % 2 ? PERF_TYPE_HW_CACHE : PERF_TYPE_RAW);
	for (size_t i = 0; i < 5; i++)
		add(w, 17);
	fit = try_it(w);
	assert_int_equal(fit->n_needs, 11);
	assert_int_equal(fit->n_over, 2);
	assert_share(fit->events[0].share, 4 / 6.0);
	assert_share(fit->events[6].share, 4 / 5.0);
	assert_share(fit->share, 4 / 6.0);
	assert_groups(w, "00001122223");
}

static void the_kernels_side_may_be_forbidden(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	w->kernel.privileged = false;
	add_alone(w, 8);
	fit = try_it(w);
	assert_int_equal(fit->n_needs, 8);
	assert_share(fit->share, 0.5);
	fake_set_paranoid(&w->kernel, 3);
	assert_int_equal(try_it(w)->n_needs, 0);
}

static void exclusive_events_do_not_share_the_pmu(void **state)
{
	const struct fit *fit;
	struct world *w = *state;

	add(w, PERF_TYPE_HARDWARE)->attr.exclusive = 1;
	w->may_join[0] = false;
	add_alone(w, 2);
	fit = try_it(w);
	assert_share(fit->events[0].share, 1 / 3.0);
	assert_groups(w, "011");
}

static void hundreds_are_not_tried(void **state)
{
	struct world *w = *state;

	add_alone(w, FIT_EVENTS_MAX + 1);
	assert_int_equal(fit_try(&w->kernel.ops, &w->events, w->may_join, &w->fit), -E2BIG);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(four_fit_four),
		T(eight_take_turns_on_four),
		T(five_count_more_alone_than_in_groups),
		T(a_group_of_six_never_counts_on_four),
		T(a_weak_group_is_a_group_where_the_kernel_takes_it),
		T(groups_of_the_user_stay),
		T(the_watchdog_holds_one),
		T(the_watchdog_is_irrelevant_without_counters),
		T(pmus_are_tried_one_by_one),
		T(the_kernels_side_may_be_forbidden),
		T(exclusive_events_do_not_share_the_pmu),
		T(hundreds_are_not_tried),
	};

	return cmocka_run_group_tests_name("kernel/fit", tests, NULL, NULL);
}
