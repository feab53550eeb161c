/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One refresh of `ptui top --stdio` over a fake kernel: the weight of samples, which of them are
 * counted, and the first line.
 */
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/top/top.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "session/live/live.h"

#define PID	     100
#define SECOND	     1000000000ull
#define FIRST	     (1000 * SECOND)
#define PLACE_A	     0x1000 /* no module is mapped there: rows are addresses */
#define PLACE_B	     0x2000
#define KERNEL_PLACE 0xffffffff90000000ull

struct world {
	struct fake_kernel kernel;
	struct ptui_live *live;
	struct top_options options;
	struct top top;
	struct ptui_live_opts how;
	pid_t pid;
	uint64_t n;
};

static const char *const events[] = { "cpu-clock" };

static int setup(void **state)
{
	static const pid_t tids[] = { PID };
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	fake_process(&w->kernel, "app", tids, 1);
	w->pid = PID;
	w->how.refresh_ms = 20;
	w->options.record.opts = (struct ptui_record_opts){ .events = events,
							    .n_events = 1,
							    .pids = &w->pid,
							    .n_pids = 1,
							    .period = 7,
							    .out.nowhere = true };
	w->options.sort = "sym";
	w->options.look.delay_ms = 1000;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_live_free(w->live);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static void start(struct world *w)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	w->live = live_new(&w->options.record.opts, &w->how, &w->kernel.ops, &err);
	assert_non_null(w->live);
	assert_int_equal(ptui_live_start(w->live, &err), 0);
	w->top = (struct top){ .o = &w->options, .live = w->live, .look = w->options.look };
}

/* IP, TID, TIME, ID: enough with a fixed period. */
static void emit(struct world *w, uint16_t misc, uint64_t ip, uint64_t at_ns)
{
	uint64_t id =
		fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, 0)->id;
	uint64_t body[4] = { ip, PID | (uint64_t)PID << 32, at_ns, id };

	while (!fake_emit(&w->kernel, 0, PERF_RECORD_SAMPLE, misc, body, sizeof(body)))
		sched_yield();
	w->n++;
}

static void user(struct world *w, uint64_t ip, uint64_t at_ns)
{
	emit(w, PERF_RECORD_MISC_USER, ip, at_ns);
}

/* The output after all emitted samples have been read. */
static const char *look(struct world *w)
{
	struct pollfd wake = { .fd = ptui_live_wake_fd(w->live), .events = POLLIN };
	static struct buf out;
	struct ptui_profile *p;

	for (;;) {
		ptui_live_ack(w->live);
		p = ptui_live_profile(w->live, &w->top.info);
		if (w->top.info.taken == w->n)
			break;
		ptui_profile_unref(p);
		assert_int_equal(poll(&wake, 1, 30000), 1);
	}
	buf_clear(&out);
	assert_int_equal(top_text(&w->top, p, &out, NULL), 0);
	ptui_profile_unref(p);
	return buf_str(&out);
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("there is no '%s' in\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("there is '%s' in\n%s", part, text);
}

/* The percentage of the row with this place; weights are rounded to a table of steps. */
static void is_about(const char *text, const char *place, double percent)
{
	const char *row = strstr(text, place);

	assert_non_null(row);
	while (row > text && row[-1] != '\n')
		row--;
	assert_true(fabs(strtod(row, NULL) - percent) < 0.3);
}

/*
 * Like perf, each refresh multiplies earlier weights by 7/8: 7/15 and 8/15; after two refreshes
 * 49/64.
 */
static void old_samples_decay_as_in_perf(void **state)
{
	struct world *w = *state;
	const char *text;

	start(w);
	user(w, PLACE_A, FIRST);
	user(w, PLACE_B, FIRST + SECOND);
	text = look(w);
	is_about(text, "0x0000000000001000", 46.67);
	is_about(text, "0x0000000000002000", 53.33);
	w->top.look.delay_ms = 500;
	text = look(w);
	is_about(text, "0x0000000000001000", 43.36);
	w->top.look.delay_ms = 50;
	text = look(w);
	is_about(text, "0x0000000000001000", 6.47);
	/* rows that have decayed completely are removed */
	user(w, PLACE_B, FIRST + 8 * SECOND);
	text = look(w);
	has(text, " 100.00%  [.] 0x0000000000002000");
	has_not(text, "0x0000000000001000");
}

static void zero_counts_what_came_since(void **state)
{
	struct world *w = *state;
	const char *text;

	w->options.look.zero = true;
	start(w);
	user(w, PLACE_A, FIRST);
	user(w, PLACE_B, FIRST + SECOND);
	text = look(w);
	has(text, "  50.00%  [.] 0x0000000000001000");
	w->top.since_ns = FIRST + 1;
	text = look(w);
	has(text, " 100.00%  [.] 0x0000000000002000");
	has_not(text, "0x0000000000001000");
}

static void what_is_hidden_does_not_count(void **state)
{
	struct world *w = *state;
	const char *text;

	start(w);
	user(w, PLACE_A, FIRST);
	emit(w, PERF_RECORD_MISC_KERNEL, KERNEL_PLACE, FIRST);
	has(look(w), "  50.00%  [.] 0x0000000000001000");
	w->top.look.hide_kernel = true;
	text = look(w);
	has(text, " 100.00%  [.] 0x0000000000001000");
	has_not(text, "[k]");
	w->top.look.hide_kernel = false;
	w->top.look.hide_user = true;
	text = look(w);
	has(text, " 100.00%  [k] ");
	has_not(text, "[.]");
}

static void few_samples_are_left_out(void **state)
{
	struct world *w = *state;
	const char *text;

	start(w);
	user(w, PLACE_A, FIRST);
	user(w, PLACE_B, FIRST);
	user(w, PLACE_B, FIRST);
	w->top.look.min_samples = 1;
	text = look(w);
	has(text, "0x0000000000002000");
	has_not(text, "0x0000000000001000");
	w->top.look.min_samples = 2;
	has_not(look(w), "[.]");
	w->top.look.min_samples = 0;
	w->top.look.entries = 1;
	text = look(w);
	has(text, "0x0000000000002000");
	has_not(text, "0x0000000000001000");
}

static void the_first_line(void **state)
{
	struct world *w = *state;
	const char *text;
	pid_t pids[] = { 12, 34 };

	w->options.record.pids = (struct pid_words){ pids, 2, 2 };
	start(w);
	w->top.passed_s = 2;
	w->top.now = (struct top_counts){
		.samples = 200, .kernel = 50, .exact = 20, .lost = 3, .dropped = 4
	};
	w->top.stats.lost = 30;
	w->top.stats.dropped_samples = 40;
	text = look(w);
	has(text, "   PerfTop:     100 irqs/sec  kernel:25.0%  exact: 10.0% lost: 3/30 drop: 4/40 "
		  "[7 cpu-clock],  (target_pid: 12,34)\n---");
	has_not(text, "WARNING");
}

/* Samples dropped for lack of memory are reported, those that have decayed are not. */
static void short_memory_is_reported(void **state)
{
	struct world *w = *state;
	const char *text;

	w->how.max_samples = 10;
	start(w);
	for (unsigned i = 0; i < 100; i++)
		user(w, PLACE_A, FIRST + i * SECOND);
	text = look(w);
	assert_true(w->top.info.left >= 80);
	has(text, "WARNING: only the last ");
	w->top.look.delay_ms = 50;
	has_not(look(w), "WARNING");
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(old_samples_decay_as_in_perf),
		IN_WORLD(zero_counts_what_came_since),
		IN_WORLD(what_is_hidden_does_not_count),
		IN_WORLD(few_samples_are_left_out),
		IN_WORLD(the_first_line),
		IN_WORLD(short_memory_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
