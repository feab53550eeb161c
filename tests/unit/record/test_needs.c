/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that an older kernel does not support are refused by name; sample weights have two forms.
 */
#include <errno.h>
#include <string.h>
#include "event/attr.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/doctor/needs.h"
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
		assert_int_equal(needs_check(&cases[i].shape, &w->kernel.ops, &w->err), 0);
		w->kernel.before_4_1 = true;
		w->kernel.no_sample_type = PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
					   PERF_SAMPLE_CODE_PAGE_SIZE;
		assert_int_equal(needs_check(&cases[i].shape, &w->kernel.ops, &w->err), -ENOTSUP);
		assert_string_equal(w->err.object, cases[i].option);
		assert_non_null(strstr(w->err.text, "is not supported by this kernel"));
	}
}

static uint64_t configured_type(struct world *w, struct options *o)
{
	uint64_t lowered;

	assert_int_equal(options_configure(o, &w->kernel.ops, &w->events, &lowered, &w->err), 0);
	return w->events.v[0].attr.sample_type;
}

static void weights(void **state)
{
	struct options o = { .given.shape = { .weight = true } };
	struct world *w = *state;
	uint64_t both = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;

	assert_true((configured_type(w, &o) & both) == PERF_SAMPLE_WEIGHT_STRUCT);
	w->kernel.no_sample_type = PERF_SAMPLE_WEIGHT_STRUCT;
	assert_true((configured_type(w, &o) & both) == PERF_SAMPLE_WEIGHT);
}

static void frequencies(void **state)
{
	struct options o = { .given.freq_hz = 9000 };
	struct world *w = *state;
	uint64_t lowered;

	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "5000\n");
	configured_type(w, &o);
	assert_int_equal(w->events.v[0].attr.sample_freq, 5000);
	o.given.strict_freq = true;
	assert_int_equal(options_configure(&o, &w->kernel.ops, &w->events, &lowered, &w->err),
			 -EINVAL);
	assert_non_null(strstr(w->err.text, "9000 Hz"));
	assert_non_null(strstr(w->err.text, "5000"));
	o = (struct options){ .given.max_freq = true };
	configured_type(w, &o);
	assert_int_equal(w->events.v[0].attr.sample_freq, 5000);
	fake_remove(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate");
	assert_int_equal(options_configure(&o, &w->kernel.ops, &w->events, &lowered, &w->err),
			 -ENOENT);
}

/* The caller may free its options afterwards. */
static void the_copy_is_whole(void **state)
{
	char text[] = "text";
	const char *words[] = { text, NULL, text };
	char *argv[] = { text, text, NULL };
	size_t after[] = { 7, 8, 9 };
	bool flags[] = { true, false, true };
	pid_t tasks[] = { 4, 5, 6 };
	struct ptui_record_opts from = {
		.events = words,
		.filters = words,
		.exclude_self = flags,
		.n_events = 3,
		.pids = tasks,
		.n_pids = 3,
		.tids = tasks,
		.n_tids = 2,
		.user = text,
		.cpus = text,
		.ring_pages = text,
		.cgroups = words,
		.cgroup_after = after,
		.n_cgroups = 3,
		.argv = argv,
		.buildid_dir = text,
		.output = text,
		.cmdline = "a\0b",
		.cmdline_bytes = 4,
		.trigger = { .when = words, .n_when = 1, .events = words, .n_events = 3 },
		.control = { .delay = text, .channel = text },
	};
	struct options o;
	const struct ptui_record_opts *g = &o.given;

	(void)state;
	assert_int_equal(options_copy(&o, &from), 0);
	memset(text, 'x', 4);
	memset(words, 0, sizeof(words));
	memset(argv, 0, sizeof(argv));
	memset(after, 0, sizeof(after));
	memset(flags, 0, sizeof(flags));
	memset(tasks, 0, sizeof(tasks));
	for (size_t i = 0; i < 3; i += 2) {
		assert_string_equal(g->events[i], "text");
		assert_string_equal(g->filters[i], "text");
		assert_string_equal(g->cgroups[i], "text");
		assert_string_equal(g->trigger.events[i], "text");
		assert_true(g->exclude_self[i]);
	}
	assert_null(g->filters[1]);
	assert_false(g->exclude_self[1]);
	/* a missing array has an empty entry each */
	assert_null(g->trigger.filters[2]);
	assert_string_equal(g->trigger.when[0], "text");
	assert_int_equal(g->cgroup_after[2], 9);
	assert_int_equal(g->pids[2], 6);
	assert_int_equal(g->tids[1], 5);
	assert_string_equal(g->user, "text");
	assert_string_equal(g->cpus, "text");
	assert_string_equal(g->ring_pages, "text");
	assert_string_equal(g->buildid_dir, "text");
	assert_string_equal(g->output, "text");
	assert_string_equal(g->control.delay, "text");
	assert_string_equal(g->control.channel, "text");
	assert_string_equal(g->argv[1], "text");
	assert_null(g->argv[2]);
	assert_memory_equal(g->cmdline, "a\0b", 4);
	options_release(&o);
	/* empty options: the defaults, and no command */
	from = (struct ptui_record_opts){ .argv = argv };
	assert_int_equal(options_copy(&o, &from), 0);
	assert_string_equal(g->output, "perf.data");
	assert_non_null(g->buildid_dir);
	assert_null(g->argv);
	options_release(&o);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(by_the_options_name),
		IN_WORLD(weights),
		IN_WORLD(frequencies),
		IN_WORLD(the_copy_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
