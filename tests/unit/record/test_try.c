/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether an event opens, tried on a made kernel. */
#include <errno.h>
#include <string.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/doctor/try.h"

static struct fake_kernel kernel;
static struct tries *tries;

static int setup(void **state)
{
	(void)state;
	fake_kernel_init(&kernel);
	tries = tries_new(&kernel.ops);
	assert_non_null(tries);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tries_free(tries);
	assert_int_equal(kernel.n_open, 0);
	fake_kernel_release(&kernel);
	return 0;
}

static void opens_and_is_closed(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(tries_event(tries, "cpu-clock", &why), 0);
	assert_int_equal(tries_event(tries, "{cpu-clock,page-faults}", &why), 0);
	assert_int_equal(kernel.n_opens, 3);
	assert_false(ptui_error_is_set(&why));
}

static void a_refusal_has_its_reason(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	assert_true(tries_event(tries, "cycles", &why) < 0);
	assert_non_null(strstr(why.text, "cycles"));
	why = (struct ptui_error)PTUI_ERROR_INIT;
	assert_int_equal(tries_event(tries, "no-such-event", &why), -EINVAL);
	assert_non_null(strstr(why.text, "no-such-event"));
}

/* User-mode counting needs no rights. */
static void user_mode_is_enough(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	kernel.privileged = false;
	fake_set_paranoid(&kernel, 2);
	assert_int_equal(tries_event(tries, "cpu-clock", &why), 0);
	assert_true(tries_event(tries, "cpu-clock:k", &why) < 0);
	assert_non_null(strstr(why.hint, "perf_event_paranoid"));
}

/* A PMU without task support is tried on one of its CPUs. */
static void a_pmu_without_task_support(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	kernel.has_pmu = true;
	fake_file(&kernel, "sys/bus/event_source/devices/uncore_imc/type", "20\n");
	fake_file(&kernel, "sys/bus/event_source/devices/uncore_imc/cpumask", "1\n");
	fake_file(&kernel, "sys/bus/event_source/devices/uncore_imc/format/event", "config:0-7\n");
	fake_refuse(&kernel,
		    (struct fake_refusal){
			    .errnum = EINVAL, .type = 20, .config = -1, .cpu = -1, .times = 1 });
	assert_int_equal(tries_event(tries, "uncore_imc/event=4/", &why), 0);
	assert_int_equal(kernel.n_opens, 2);
}

/* A PMU without modes refuses exclude_guest, which was not requested. */
static void a_pmu_without_modes(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	kernel.no_modes = 9;
	fake_file(&kernel, "sys/bus/event_source/devices/msr/type", "9\n");
	fake_file(&kernel, "sys/bus/event_source/devices/msr/format/event", "config:0-63\n");
	assert_int_equal(tries_event(tries, "msr/event=0/", &why), 0);
	assert_true(tries_event(tries, "msr/event=0/u", &why) < 0);
	assert_true(tries_event(tries, "msr/event=0/H", &why) < 0);
}

/* A result is cached: the event is not opened again. */
static void results_are_cached(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT, again = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(tries_event(tries, "cpu-clock", &why), 0);
	assert_true(tries_event(tries, "cycles", &why) < 0);
	assert_int_equal(kernel.n_opens, 2);
	assert_int_equal(tries_event(tries, "cpu-clock", &again), 0);
	assert_false(ptui_error_is_set(&again));
	assert_true(tries_event(tries, "cycles", &again) < 0);
	assert_string_equal(again.text, why.text);
	assert_int_equal(kernel.n_opens, 2);
	assert_string_equal(again.hint, why.hint);
}

#define ON_KERNEL(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_KERNEL(opens_and_is_closed), ON_KERNEL(a_refusal_has_its_reason),
		ON_KERNEL(user_mode_is_enough), ON_KERNEL(a_pmu_without_task_support),
		ON_KERNEL(a_pmu_without_modes), ON_KERNEL(results_are_cached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
