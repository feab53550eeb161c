/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether an event opens, tried on a made kernel. */
#include <errno.h>
#include <string.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/try.h"

static struct fake_kernel kernel;

static int setup(void **state)
{
	(void)state;
	fake_kernel_init(&kernel);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	assert_int_equal(kernel.n_open, 0);
	fake_kernel_release(&kernel);
	return 0;
}

static void opens_and_is_closed(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(record_try("cpu-clock", &kernel.ops, &why), 0);
	assert_int_equal(record_try("{cpu-clock,page-faults}", &kernel.ops, &why), 0);
	assert_int_equal(kernel.n_opens, 3);
	assert_false(ptui_error_is_set(&why));
}

static void a_refusal_has_its_reason(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	assert_true(record_try("cycles", &kernel.ops, &why) < 0);
	assert_non_null(strstr(why.text, "cycles"));
	why = (struct ptui_error)PTUI_ERROR_INIT;
	assert_int_equal(record_try("no-such-event", &kernel.ops, &why), -EINVAL);
	assert_non_null(strstr(why.text, "no-such-event"));
}

/* What everybody may count in user mode is there for them. */
static void user_mode_is_enough(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	kernel.privileged = false;
	fake_set_paranoid(&kernel, 2);
	assert_int_equal(record_try("cpu-clock", &kernel.ops, &why), 0);
	assert_true(record_try("cpu-clock:k", &kernel.ops, &why) < 0);
	assert_non_null(strstr(why.hint, "perf_event_paranoid"));
}

/* A unit that knows no tasks is tried on one of its CPUs. */
static void a_unit_of_a_socket(void **state)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	(void)state;
	kernel.has_pmu = true;
	fake_file(&kernel, "sys/bus/event_source/devices/uncore_imc/type", "20\n");
	fake_file(&kernel, "sys/bus/event_source/devices/uncore_imc/cpumask", "1\n");
	fake_file(&kernel, "sys/bus/event_source/devices/uncore_imc/format/event", "config:0-7\n");
	fake_refuse(&kernel, (struct fake_refusal){ .errnum = EINVAL, .type = 20, .config = -1,
						    .cpu = -1, .times = 1 });
	assert_int_equal(record_try("uncore_imc/event=4/", &kernel.ops, &why), 0);
	assert_int_equal(kernel.n_opens, 2);
}

#define ON_KERNEL(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_KERNEL(opens_and_is_closed),
		ON_KERNEL(a_refusal_has_its_reason),
		ON_KERNEL(user_mode_is_enough),
		ON_KERNEL(a_unit_of_a_socket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
