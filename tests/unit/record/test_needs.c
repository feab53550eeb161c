/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an older kernel does not know is refused by its option's name; weights have two forms. */
#include <errno.h>
#include <string.h>
#include "event/attr.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/needs.h"
#include "record/options.h"

struct world {
	struct fake_kernel kernel;
	struct event_list events;
	struct ptui_error err;
};

static int setup(void **state)
{
	static struct world w;
	struct event *ev;

	memset(&w, 0, sizeof(w));
	fake_kernel_init(&w.kernel);
	event_list_init(&w.events);
	ev = event_list_add(&w.events, "cpu-clock");
	assert_non_null(ev);
	ev->kind = EVENT_SOFTWARE;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	event_list_release(&w->events);
	fake_kernel_release(&w->kernel);
	return 0;
}

static void by_the_options_name(void **state)
{
	static const struct {
		struct ptui_shape shape;
		const char *option;
	} cases[] = {
		{ { .use_clockid = true, .clockid = 1 }, "--clockid" },
		{ { .switch_events = true }, "--switch-events" },
		{ { .namespaces = true }, "--namespaces" },
		{ { .all_cgroups = true }, "--all-cgroups" },
		{ { .data_page_size = true }, "--data-page-size" },
		{ { .code_page_size = true }, "--code-page-size" },
	};
	struct world *w = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		w->kernel.before_4_1 = false;
		w->kernel.no_sample_type = 0;
		assert_int_equal(needs_check(&cases[i].shape, &w->events, &w->kernel.ops, &w->err), 0);
		w->kernel.before_4_1 = true;
		w->kernel.no_sample_type = PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
					   PERF_SAMPLE_CODE_PAGE_SIZE;
		assert_int_equal(needs_check(&cases[i].shape, &w->events, &w->kernel.ops, &w->err),
				 -ENOTSUP);
		assert_string_equal(w->err.object, cases[i].option);
		assert_non_null(strstr(w->err.text, "this kernel does not know it"));
	}
}

static void a_trace_of_its_own(void **state)
{
	struct ptui_shape shape = { .callgraph = PTUI_CALLGRAPH_NONE };
	struct world *w = *state;

	w->events.v[0].pmu = "cpu";
	assert_int_equal(needs_check(&shape, &w->events, &w->kernel.ops, &w->err), 0);
	w->events.v[0].pmu = "intel_pt";
	assert_int_equal(needs_check(&shape, &w->events, &w->kernel.ops, &w->err), -ENOTSUP);
	assert_non_null(strstr(w->err.text, "does not read yet"));
}

static uint64_t configured_type(struct world *w, struct options *o)
{
	uint64_t lowered;

	assert_int_equal(options_configure(o, &w->kernel.ops, &w->events, &lowered, &w->err), 0);
	return w->events.v[0].attr.sample_type;
}

static void weights(void **state)
{
	struct options o = { .shape = { .weight = true } };
	struct world *w = *state;
	uint64_t both = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;

	assert_true((configured_type(w, &o) & both) == PERF_SAMPLE_WEIGHT_STRUCT);
	w->kernel.no_sample_type = PERF_SAMPLE_WEIGHT_STRUCT;
	assert_true((configured_type(w, &o) & both) == PERF_SAMPLE_WEIGHT);
}

static void frequencies(void **state)
{
	struct options o = { .freq_hz = 9000 };
	struct world *w = *state;
	uint64_t lowered;

	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "5000\n");
	configured_type(w, &o);
	assert_int_equal(w->events.v[0].attr.sample_freq, 5000);
	o.strict_freq = true;
	assert_int_equal(options_configure(&o, &w->kernel.ops, &w->events, &lowered, &w->err), -EINVAL);
	assert_non_null(strstr(w->err.text, "9000 samples a second"));
	assert_non_null(strstr(w->err.text, "5000"));
	o = (struct options){ .max_freq = true };
	configured_type(w, &o);
	assert_int_equal(w->events.v[0].attr.sample_freq, 5000);
	fake_remove(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate");
	assert_int_equal(options_configure(&o, &w->kernel.ops, &w->events, &lowered, &w->err), -ENOENT);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(by_the_options_name),
		IN_WORLD(a_trace_of_its_own),
		IN_WORLD(weights),
		IN_WORLD(frequencies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
