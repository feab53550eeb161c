/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "lib/need.h"
#include "model/amount.h"
#include "model/live/live.h"

#define SECOND 1000000000u

static struct ptui_live_event counting(const char *name, uint64_t scaled, double rate)
{
	return (struct ptui_live_event){ .name = name,
					 .state = PTUI_LIVE_COUNTING,
					 .count = scaled,
					 .scaled = scaled,
					 .rate = rate,
					 .enabled_ns = SECOND,
					 .running_ns = SECOND,
					 .running_share = 1 };
}

static void update(struct live_model *m, const struct ptui_live_event *events, size_t n,
		   const struct ptui_live_stats *stats, enum ptui_live_state state,
		   bool target_gone)
{
	if (!m->lines)
		assert_int_equal(live_model_init(m, n), 0);
	for (size_t i = 0; i < n; i++)
		m->lines[i].facts = events[i];
	live_model_update(m, stats, state, target_gone);
}

static void feed(struct live_model *m, const struct ptui_live_event *events, size_t n,
		 uint64_t elapsed_ns, enum ptui_live_state state)
{
	struct ptui_live_stats stats = { .elapsed_ns = elapsed_ns };

	update(m, events, n, &stats, state, false);
}

static void test_history_moves_with_time_only(void **state)
{
	struct ptui_live_event e = counting("cycles", 100, 10);
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	feed(&m, &e, 1, SECOND, PTUI_LIVE_RUNNING);
	e.rate = 20;
	feed(&m, &e, 1, 2u * SECOND, PTUI_LIVE_RUNNING);
	feed(&m, &e, 1, 2u * SECOND + 1, PTUI_LIVE_RUNNING);
	assert_int_equal(m.lines[0].rates.n, 2);
	feed(&m, &e, 1, 3u * SECOND, PTUI_LIVE_PAUSED);
	assert_int_equal(m.lines[0].rates.n, 2);
	assert_true(m.lines[0].rates.values[0] == 10);
	assert_true(m.lines[0].rates.values[1] == 20);
	live_model_release(&m);
}

static void test_history_forgets_the_oldest(void **state)
{
	struct ptui_live_event e = counting("cycles", 100, 0);
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	for (uint64_t i = 1; i <= LIVE_HISTORY + 3; i++) {
		e.rate = (double)i;
		feed(&m, &e, 1, i * SECOND, PTUI_LIVE_RUNNING);
	}
	assert_int_equal(m.lines[0].rates.n, LIVE_HISTORY);
	assert_true(m.lines[0].rates.values[0] == 4);
	assert_true(m.lines[0].rates.values[LIVE_HISTORY - 1] == LIVE_HISTORY + 3);
	live_model_release(&m);
}

static void test_what_is_not_counted_has_gaps(void **state)
{
	struct ptui_live_event events[] = {
		{ .name = "cycles",
		  .state = PTUI_LIVE_NOT_SUPPORTED,
		  .profile_event = PTUI_NONE,
		  .reason = "This machine has no cycles." },
		{ .name = "faults", .state = PTUI_LIVE_NOT_COUNTED, .rate = 5 },
	};
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	feed(&m, events, 2, SECOND, PTUI_LIVE_RUNNING);
	assert_string_equal(m.lines[0].facts.reason, "This machine has no cycles.");
	assert_null(m.lines[1].facts.reason);
	assert_true(isnan(m.lines[1].rates.values[0]));
	assert_false(m.shares);
	live_model_release(&m);
}

static void test_share_is_shown_from_its_first_time_on(void **state)
{
	struct ptui_live_event e = counting("cycles", 100, 10);
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	feed(&m, &e, 1, SECOND, PTUI_LIVE_RUNNING);
	assert_false(m.shares);
	e.running_share = 0.63;
	feed(&m, &e, 1, 2u * SECOND, PTUI_LIVE_RUNNING);
	assert_true(m.shares);
	e.running_share = 1;
	feed(&m, &e, 1, 3u * SECOND, PTUI_LIVE_RUNNING);
	assert_true(m.shares);
	live_model_release(&m);
}

static void test_two_events_make_a_third_number(void **state)
{
	struct ptui_live_event events[] = {
		counting("cycles:u", 1000, 50),
		counting("instructions:u", 1500, 100),
		counting("cache-references", 10, 4),
		counting("cache-misses", 5, 1),
		counting("task-clock:u", 4000000000u, 1.5e9),
	};
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	feed(&m, events, 5, 4u * (uint64_t)SECOND, PTUI_LIVE_RUNNING);
	assert_int_equal(m.n_derived, 3);
	assert_string_equal(m.derived[0].title, "instructions/cycle");
	assert_true(m.derived[0].value == 2.0);
	assert_string_equal(m.derived[1].title, "CPUs used");
	assert_true(m.derived[1].value == 1.5);
	assert_string_equal(m.derived[2].title, "cache miss rate");
	assert_int_equal(m.derived[2].unit, LIVE_DERIVED_PERCENT);
	assert_true(m.derived[2].value == 25.0);
	assert_true(amount_is_time(m.lines[4].facts.name));
	/* nothing runs: over all */
	feed(&m, events, 5, 4u * (uint64_t)SECOND, PTUI_LIVE_PAUSED);
	assert_true(m.derived[0].value == 1.5);
	assert_true(m.derived[1].value == 1.0);
	assert_true(m.derived[2].value == 50.0);
	live_model_release(&m);
}

/* The value of each pair: rates 50 and 100, counts 1000 and 1500 so far. */
static void test_every_ratio(void **state)
{
	static const struct {
		const char *over, *under;
		bool whole_system;
		const char *title, *running, *ended; /* title NULL: they have nothing in common */
	} cases[] = {
		{ "instructions", "cycles", false, "instructions/cycle", "2.00", "1.50" },
		{ "instructions:uH", "cpu-cycles/period=9/u", true, NULL, NULL, NULL },
		{ "instructions:upp", "cpu-cycles/period=9/u", true, "instructions/cycle", "2.00",
		  "1.50" },
		{ "cpu_core/instructions/", "cpu_core/cycles/", true, "instructions/cycle", "2.00",
		  "1.50" },
		{ "cpu_core/instructions/", "cpu_atom/cycles/", true, NULL, NULL, NULL },
		{ "cpu_core/instructions/u", "cpu_core/cycles/", true, NULL, NULL, NULL },
		{ "instructions", "cycles/overwrite/", true, "instructions/cycle", "2.00", "1.50" },
		{ "cycles", "cpu-clock", true, "clock, idle too", "2.00 GHz", "1.50 GHz" },
		{ "cycles:u", "cpu-clock", true, NULL, NULL, NULL },
		{ "cache-misses", "cache-references", true, "cache miss rate", "200.0 %",
		  "150.0 %" },
		{ "branch-misses", "branches", true, "branch miss rate", "200.0 %", "150.0 %" },
		{ "branch-misses", "branch-instructions", true, "branch miss rate", "200.0 %",
		  "150.0 %" },
		{ "L1-dcache-load-misses", "L1-dcache-loads", true, "L1 miss rate", "200.0 %",
		  "150.0 %" },
		{ "L1-icache-load-misses", "L1-icache-loads", true, "L1i miss rate", "200.0 %",
		  "150.0 %" },
		{ "LLC-load-misses", "LLC-loads", true, "LLC miss rate", "200.0 %", "150.0 %" },
		{ "node-load-misses", "node-loads", true, "node miss rate", "200.0 %", "150.0 %" },
		{ "dTLB-load-misses", "dTLB-loads", true, "dTLB miss rate", "200.0 %", "150.0 %" },
		{ "iTLB-load-misses", "iTLB-loads", true, "iTLB miss rate", "200.0 %", "150.0 %" },
		{ "stalled-cycles-frontend", "cycles", true, "front end stalled", "200.0 %",
		  "150.0 %" },
		{ "stalled-cycles-backend", "cpu-cycles", true, "back end stalled", "200.0 %",
		  "150.0 %" },
		{ "cache-misses", "instructions", true, "cache misses/1000", "2000.00", "1500.00" },
		{ "branch-misses", "instructions", true, "branch misses/1000", "2000.00",
		  "1500.00" },
		{ "page-faults", "cycles", true, NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		/* the order in which they are recorded does not matter */
		struct ptui_live_event events[] = { counting(cases[i].under, 1000, 50),
						    counting(cases[i].over, 1500, 100) };
		struct live_model m;
		char buf[64];

		memset(&m, 0, sizeof(m));
		m.whole_system = cases[i].whole_system;
		feed(&m, events, 2, SECOND, PTUI_LIVE_RUNNING);
		if (!cases[i].title) {
			assert_int_equal(m.n_derived, 0);
			live_model_release(&m);
			continue;
		}
		assert_string_equal(m.derived[0].title, cases[i].title);
		assert_string_equal(live_derived_text(&m.derived[0], 2, buf, sizeof(buf)),
				    cases[i].running);
		feed(&m, events, 2, SECOND, PTUI_LIVE_PAUSED);
		assert_string_equal(live_derived_text(&m.derived[0], 2, buf, sizeof(buf)),
				    cases[i].ended);
		live_model_release(&m);
	}
}

/* Each has a qualifier, and only matching events are paired. */
static void test_several_pairs_of_a_kind(void **state)
{
	struct ptui_live_event events[] = {
		counting("cycles:u", 1000, 50),
		counting("cycles:k", 1000, 10),
		counting("instructions:k", 1500, 5),
		counting("instructions:u", 1500, 100),
	};
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	m.whole_system = true;
	feed(&m, events, 4, SECOND, PTUI_LIVE_RUNNING);
	assert_int_equal(m.n_derived, 2);
	assert_string_equal(m.derived[0].of, "k");
	assert_true(m.derived[0].value == 0.5);
	assert_string_equal(m.derived[1].of, "u");
	assert_true(m.derived[1].value == 2.0);
	live_model_release(&m);
}

/* Running time of task targets, by the counters or by a clock. */
static void test_cpus_used(void **state)
{
	struct ptui_live_event events[] = { counting("page-faults", 1000, 50),
					    counting("cpu-clock", 3000000000u, 1.97e9) };
	char buf[64];

	(void)state;
	events[0].running_ns = 3u * (uint64_t)SECOND;
	events[0].running_rate = 1.5;
	for (size_t n = 1; n <= 2; n++) {
		struct live_model m;

		memset(&m, 0, sizeof(m));
		feed(&m, events, n, 2u * SECOND, PTUI_LIVE_RUNNING);
		assert_int_equal(m.n_derived, 1);
		assert_string_equal(m.derived[0].title, "CPUs used");
		assert_string_equal(live_derived_text(&m.derived[0], 2, buf, sizeof(buf)),
				    n == 1 ? "1.50 of 2" : "1.97 of 2");
		assert_string_equal(live_derived_text(&m.derived[0], 64, buf, sizeof(buf)),
				    n == 1 ? "1.50 of 64" : "1.97 of 64");
		feed(&m, events, n, 2u * SECOND, PTUI_LIVE_PAUSED);
		assert_string_equal(live_derived_text(&m.derived[0], 2, buf, sizeof(buf)),
				    "1.50 of 2");
		live_model_release(&m);
		/* a system is always on */
		memset(&m, 0, sizeof(m));
		m.whole_system = true;
		feed(&m, events, n, 2u * SECOND, PTUI_LIVE_RUNNING);
		assert_int_equal(m.n_derived, 0);
		live_model_release(&m);
	}
}

/* A counter that had to share its place did not run all the time. */
static void test_cpus_used_is_not_guessed(void **state)
{
	struct ptui_live_event events[] = { counting("cycles", 1000, 50),
					    counting("instructions", 1000, 50) };
	struct live_model m;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		events[i].running_rate = 0.5;
		events[i].running_share = 0.5;
	}
	memset(&m, 0, sizeof(m));
	feed(&m, events, 2, 2u * SECOND, PTUI_LIVE_RUNNING);
	assert_string_equal(m.derived[1].title, "CPUs used");
	assert_true(isnan(m.derived[1].value));
	events[1].running_share = 1;
	events[1].running_ns = 2 * events[1].running_ns;
	events[1].running_rate = 1;
	feed(&m, events, 2, 3u * SECOND, PTUI_LIVE_RUNNING);
	assert_true(m.derived[1].value == 1);
	live_model_release(&m);
}

static void test_an_absent_half_is_no_ratio(void **state)
{
	struct ptui_live_event events[] = { counting("instructions", 1, 1),
					    { .name = "cycles",
					      .state = PTUI_LIVE_NOT_SUPPORTED,
					      .profile_event = PTUI_NONE,
					      .reason = "This machine has no cycles." } };
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	m.whole_system = true;
	feed(&m, events, 2, SECOND, PTUI_LIVE_RUNNING);
	assert_int_equal(m.n_derived, 0);
	live_model_release(&m);
}

static const char *trouble(uint64_t lost, uint64_t throttled, double fill)
{
	const struct ptui_live_stats stats = { .lost_samples = lost,
					       .throttled = throttled,
					       .ring_fill_max = fill };
	static char buf[512];

	*buf = 0;
	live_trouble_text(&stats, buf, sizeof(buf));
	return buf;
}

/* Records with names are no samples, and a lower rate does not save them. */
static void test_lost_sideband(void **state)
{
	const struct ptui_live_stats stats = { .lost = 9, .lost_sideband = 9, .ring_fill_max = 1 };
	char buf[512] = "";

	(void)state;
	assert_int_equal(live_lost(&stats), 0);
	live_trouble_text(&stats, buf, sizeof(buf));
	assert_non_null(strstr(buf, "names may be wrong"));
	assert_null(strstr(buf, "-F"));
}

static void test_trouble_and_what_helps(void **state)
{
	(void)state;
	assert_string_equal(trouble(0, 0, 0.5), "");
	assert_non_null(strstr(trouble(0, 0, 0.9), "nearly full"));
	assert_non_null(strstr(
		trouble(7, 0, 1),
		"samples are lost: lower the frequency (-F) or enlarge the ring buffers (-m)"));
	assert_null(strstr(trouble(7, 0, 1), "nearly full"));
	assert_non_null(
		strstr(trouble(7, 1, 1), " · the kernel throttles: lower the frequency (-F)"));
}

static void test_numbers_of_different_things_are_not_divided(void **state)
{
	struct ptui_live_event events[] = {
		counting("cycles:k", 1000, 50),
		counting("instructions:u", 1500, 100),
		counting("branches-of-mine", 1, 1),
		counting("branch-misses", 1, 1),
	};
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	m.whole_system = true;
	feed(&m, events, 4, SECOND, PTUI_LIVE_RUNNING);
	assert_int_equal(m.n_derived, 0);
	live_model_release(&m);
}

static void test_a_missing_half_is_unknown(void **state)
{
	struct ptui_live_event events[] = {
		counting("cycles", 0, 0),
		counting("instructions", 1500, 100),
	};
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	feed(&m, events, 2, SECOND, PTUI_LIVE_RUNNING);
	assert_true(isnan(m.derived[0].value));
	events[0] = counting("cycles", 1000, 50);
	events[0].state = PTUI_LIVE_NOT_COUNTED;
	feed(&m, events, 2, 2u * SECOND, PTUI_LIVE_RUNNING);
	assert_true(isnan(m.derived[0].value));
	live_model_release(&m);
}

static void test_phases(void **state)
{
	struct ptui_live_event e = counting("cycles", 100, 10);
	struct ptui_live_stats stats = { .elapsed_ns = 1 };
	struct live_model m;

	(void)state;
	memset(&m, 0, sizeof(m));
	update(&m, &e, 1, &stats, PTUI_LIVE_RUNNING, false);
	assert_string_equal(live_phase_text(m.phase, true), "● REC");
	assert_string_equal(live_phase_text(m.phase, false), "● LIVE");
	update(&m, &e, 1, &stats, PTUI_LIVE_PAUSED, false);
	assert_string_equal(live_phase_text(m.phase, true), "⏸ paused");
	update(&m, &e, 1, &stats, PTUI_LIVE_RUNNING, true);
	assert_string_equal(live_phase_text(m.phase, true), "● target gone");
	m.stop_asked = true;
	update(&m, &e, 1, &stats, PTUI_LIVE_RUNNING, true);
	assert_string_equal(live_phase_text(m.phase, true), "● stopping");
	update(&m, &e, 1, &stats, PTUI_LIVE_ENDED, true);
	assert_string_equal(live_phase_text(m.phase, true), "✓ ended");
	update(&m, &e, 1, &stats, PTUI_LIVE_FAILED, true);
	assert_string_equal(live_phase_text(m.phase, true), "✗ failed");
	live_model_release(&m);
}

static void test_words(void **state)
{
	char buf[160];

	(void)state;
	assert_string_equal(live_child_text(-1, buf, sizeof(buf)), "");
	assert_string_equal(live_child_text(2 << 8, buf, sizeof(buf)), "exit 2");
	assert_string_equal(live_child_text(SIGSEGV, buf, sizeof(buf)),
			    "killed by signal 11 (Segmentation fault)");
	assert_string_equal(live_missing_text(true, 0, 0, buf, sizeof(buf)), "");
	assert_string_equal(live_missing_text(true, 12, 0, buf, sizeof(buf)),
			    "only in the file: the oldest 12 samples");
	assert_string_equal(live_missing_text(true, 0, 3, buf, sizeof(buf)),
			    "only in the file: 3 samples that came too fast to be shown");
	assert_string_equal(live_missing_text(true, 12, 3, buf, sizeof(buf)),
			    "only in the file: the oldest 12 samples, and 3 that came "
			    "too fast to be shown");
	assert_string_equal(live_missing_text(false, 0, 0, buf, sizeof(buf)), "");
	assert_string_equal(live_missing_text(false, 12, 0, buf, sizeof(buf)),
			    "the oldest 12 samples are no longer shown");
	assert_string_equal(live_missing_text(false, 0, 3, buf, sizeof(buf)),
			    "3 samples came too fast to be shown");
	assert_string_equal(live_missing_text(false, 12, 3, buf, sizeof(buf)),
			    "the oldest 12 samples are no longer shown, and 3 came too fast to be "
			    "shown");
}

/* A clock of CPUs counts any task: it only shows the number of CPUs. */
static void test_clocks_of_a_whole_system(void **state)
{
	struct ptui_live_event e = counting("cpu-clock", SECOND, SECOND);
	struct live_model m;

	(void)state;
	for (int whole = 0; whole < 2; whole++) {
		memset(&m, 0, sizeof(m));
		m.whole_system = whole;
		feed(&m, &e, 1, SECOND, PTUI_LIVE_RUNNING);
		assert_int_equal(m.n_derived, !whole);
		live_model_release(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history_moves_with_time_only),
		cmocka_unit_test(test_history_forgets_the_oldest),
		cmocka_unit_test(test_what_is_not_counted_has_gaps),
		cmocka_unit_test(test_share_is_shown_from_its_first_time_on),
		cmocka_unit_test(test_two_events_make_a_third_number),
		cmocka_unit_test(test_every_ratio),
		cmocka_unit_test(test_several_pairs_of_a_kind),
		cmocka_unit_test(test_cpus_used),
		cmocka_unit_test(test_cpus_used_is_not_guessed),
		cmocka_unit_test(test_an_absent_half_is_no_ratio),
		cmocka_unit_test(test_lost_sideband),
		cmocka_unit_test(test_trouble_and_what_helps),
		cmocka_unit_test(test_numbers_of_different_things_are_not_divided),
		cmocka_unit_test(test_a_missing_half_is_unknown),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_clocks_of_a_whole_system),
	};

	return cmocka_run_group_tests_name("model/live", tests, NULL, NULL);
}
