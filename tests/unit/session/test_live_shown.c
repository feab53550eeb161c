/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the counters of a fake kernel to the screen: engine and screen together.
 *
 * The fake processor has two counters for six events, and multiplexes them slice by slice while the
 * load varies. The values on the screen must be close to the true ones, of which the counters saw a
 * third.
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "session/live/live.h"
#include "unit/ui/screen.h"
#include "view/live/live.h"

#define N_EVENTS   6
#define N_COUNTERS 2
#define N_SLICES   3000
#define SLICE_NS   1000000u

struct world {
	struct fake_kernel kernel;
	struct ptui_live *live;
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	char output[96];
	uint64_t truth[N_EVENTS];
};

/* Of named events, in the order of the selector. */
static const uint64_t configs[N_EVENTS] = {
	PERF_COUNT_HW_CPU_CYCLES,	   PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CACHE_REFERENCES,	   PERF_COUNT_HW_CACHE_MISSES,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_MISSES,
};
static const char *const names[N_EVENTS] = { "cycles",	     "instructions", "cache-references",
					     "cache-misses", "branches",     "branch-misses" };
static const double per_slice[N_EVENTS] = { 3.1e6, 4.2e6, 9.1e4, 7.3e3, 8.8e5, 1.2e4 };

static void open_live(struct world *w)
{
	const struct ptui_record_opts record = {
		.events = names, .n_events = N_EVENTS, .system_wide = true, .output = w->output
	};
	const struct ptui_live_opts opts = { .refresh_ms = 20 };
	struct live_view_opts view = { .target = "all", .whole_system = true };
	struct ptui_error err = PTUI_ERROR_INIT;

	w->live = live_new(&record, &opts, &w->kernel.ops, &err);
	assert_non_null(w->live);
	if (ptui_live_start(w->live, &err))
		fail_msg("%s", err.text);
	view.live = w->live;
	assert_int_equal(live_view_open(w->stack, &view, &err), 0);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	setlocale(LC_ALL, "C.UTF-8");
	fake_kernel_init(&w->kernel);
	w->kernel.has_pmu = true;
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	w->keys = keymaps_new(NULL);
	w->stack = stack_new(NULL, w->keys, NULL);
	w->grid = grid_new(30, 70);
	*state = w;
	return w->stack && w->grid ? 0 : -1;
}

static int teardown(void **state)
{
	struct world *w = *state;

	stack_free(w->stack);
	keymaps_free(w->keys);
	grid_free(w->grid);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* Between 0.5 and 1.5, the same in each run. */
static double wobble(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return 0.5 + (double)(*seed >> 8) / (1 << 24);
}

static void run(struct world *w, size_t n_counters)
{
	uint32_t seed = 4711;

	pthread_mutex_lock(&w->kernel.lock);
	for (int cpu = 0; cpu < 2; cpu++)
		for (size_t slice = 0; slice < N_SLICES; slice++) {
			double busy = wobble(&seed);

			for (size_t e = 0; e < N_EVENTS; e++) {
				struct fake_fd *f = fake_find(&w->kernel, PERF_TYPE_HARDWARE,
							      configs[e], -1, cpu);
				uint64_t n = (uint64_t)(busy * per_slice[e]);

				assert_non_null(f);
				w->truth[e] += n;
				f->enabled_ns += SLICE_NS;
				/* those on a counter in this slice */
				if ((e + N_EVENTS - slice * n_counters % N_EVENTS) % N_EVENTS >=
				    n_counters)
					continue;
				f->running_ns += SLICE_NS;
				f->count += n;
			}
		}
	pthread_mutex_unlock(&w->kernel.lock);
}

/* The row of the event; NULL: none. */
static const char *row_of(struct world *w, const char *name)
{
	static char text[4096];
	char wanted[64];

	snprintf(wanted, sizeof(wanted), " %s ", name);
	stack_draw(w->stack, w->grid);
	for (int y = 1; y < w->grid->rows; y++) {
		grid_row_text(w->grid, y, text, sizeof(text));
		if (strstr(text, wanted))
			return strstr(text, wanted) + strlen(wanted);
	}
	return NULL;
}

static double shown_count(const char *row)
{
	static const char units[] = "KMGT";
	char *end;
	double value = strtod(row, &end);
	const char *unit = end[0] == ' ' && end[1] ? strchr(units, end[1]) : NULL;

	return end == row ? NAN : unit ? value * pow(1000, (double)(unit - units + 1)) : value;
}

/* Waits until everything is counted. */
static void await_count(struct world *w, const char *name, double least)
{
	for (int i = 0; i < 1000; i++) {
		const char *row = row_of(w, name);

		if (row && shown_count(row) >= least)
			return;
		loop_turn(stack_loop(w->stack), 100);
	}
	fail_msg("%s is never shown", name);
}

static void await_text(struct world *w, const char *name, const char *text)
{
	for (int i = 0; i < 1000; i++) {
		const char *row = row_of(w, name);

		if (row && strstr(row, text))
			return;
		loop_turn(stack_loop(w->stack), 100);
	}
	fail_msg("%s is never %s", name, text);
}

static void more_events_than_counters(void **state)
{
	struct world *w = *state;

	open_live(w);
	run(w, N_COUNTERS);
	for (size_t e = 0; e < N_EVENTS; e++) {
		double truth = (double)w->truth[e], shown;

		await_count(w, names[e], truth * 0.5);
		shown = shown_count(row_of(w, names[e]));
		if (fabs(shown - truth) > truth * 0.1)
			fail_msg("%s: %g is shown, %g is true", names[e], shown, truth);
		assert_non_null(strstr(row_of(w, names[e]), "33 %"));
	}
}

/* Events that always count are not scaled, and show no share. */
static void as_many_counters_as_events(void **state)
{
	struct world *w = *state;

	open_live(w);
	run(w, N_EVENTS);
	for (size_t e = 0; e < N_EVENTS; e++) {
		double truth = (double)w->truth[e];

		await_count(w, names[e], truth * 0.99);
		assert_true(fabs(shown_count(row_of(w, names[e])) - truth) <= truth * 0.01);
		assert_null(strchr(row_of(w, names[e]), '%'));
	}
}

/* An event that never got a counter does not show 0, and neither does an unsupported one. */
static void what_is_not_counted(void **state)
{
	struct world *w = *state;

	fake_refuse(&w->kernel, (struct fake_refusal){ .errnum = ENOENT,
						       .type = PERF_TYPE_HARDWARE,
						       .config = PERF_COUNT_HW_BRANCH_MISSES,
						       .cpu = -1,
						       .times = -1 });
	w->kernel.never_runs = true;
	open_live(w);
	await_text(w, "cycles", "not counted");
	assert_non_null(strstr(row_of(w, "branch-misses"), "not supported"));
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(more_events_than_counters),
		IN_WORLD(as_many_counters_as_events),
		IN_WORLD(what_is_not_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
