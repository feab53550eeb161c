/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting for display, on a fake kernel with a PMU of four counters: what is opened and closed
 * when, shares, errors, refusals, and whether the marked events fit.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "ptui/record.h"
#include "session/count/count.h"
#include "session/count/count_target.h"

#define LOOK_MS 5
#define GIVE_UP 12000 /* polls: one minute */

struct world {
	struct fake_kernel kernel;
	struct ptui_count_opts opts;
	struct ptui_count *count;
	struct ptui_count_run *run; /* instead of `count` */
	pid_t pid;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	w->kernel.has_pmu = true;
	w->kernel.pmu_counters = 4;
	w->opts.refresh_ms = 10;
	w->opts.settle_ms = 1;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_count_run_free(w->run);
	count_end(w->count);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static void start(struct world *w)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	w->count = count_new(&w->opts, &w->kernel.ops, &err);
	assert_non_null(w->count);
}

/* Texts are marked unless they start with '?'. Ends with NULL. */
static void wish(struct world *w, const char *const *texts)
{
	struct ptui_count_wish v[16];
	size_t n = 0;

	for (; texts[n]; n++)
		v[n] = (struct ptui_count_wish){ .text = texts[n] + (*texts[n] == '?'),
						 .marked = *texts[n] != '?' };
	assert_int_equal(ptui_count_set(w->count, v, n), 0);
}

#define WISH(w, ...) wish(w, (const char *const[]){ __VA_ARGS__, NULL })

static void look(struct world *w)
{
	struct pollfd fd = { .fd = w->run ? ptui_count_run_wake_fd(w->run) :
					    ptui_count_wake_fd(w->count),
			     .events = POLLIN };

	poll(&fd, 1, LOOK_MS);
	if (w->run)
		ptui_count_run_ack(w->run);
	else
		ptui_count_ack(w->count);
}

/* Lets the fake kernel's time pass and the thread read until the condition holds. */
#define AWAIT(w, condition)                                \
	do {                                               \
		int left_ = GIVE_UP;                       \
		while (!(condition) && --left_) {          \
			fake_run(&(w)->kernel, 8);         \
			look(w);                           \
		}                                          \
		if (!left_)                                \
			fail_msg("never: %s", #condition); \
	} while (0)

static struct ptui_count_event get(struct world *w, const char *text, size_t i)
{
	struct ptui_count_event e;

	ptui_count_get(w->count, text, NULL, i, &e);
	return e;
}

static size_t n_open(struct world *w)
{
	size_t n;

	pthread_mutex_lock(&w->kernel.lock);
	n = w->kernel.n_open;
	pthread_mutex_unlock(&w->kernel.lock);
	return n;
}

static size_t n_opens(struct world *w)
{
	size_t n;

	pthread_mutex_lock(&w->kernel.lock);
	n = w->kernel.n_opens;
	pthread_mutex_unlock(&w->kernel.lock);
	return n;
}

static struct ptui_count_fit fit_of(struct world *w)
{
	struct ptui_count_fit fit;

	ptui_count_get_fit(w->count, &fit);
	return fit;
}

static void assert_about(double is, double should)
{
	if (!(is > should - 0.001 && is < should + 0.001))
		fail_msg("%f, not %f", is, should);
}

/* ---- counting ---- */

static void counts_what_is_wished(void **state)
{
	struct world *w = *state;
	struct ptui_count_event e;

	start(w);
	assert_int_equal(get(w, "cycles", 0).state, PTUI_COUNT_UNTRIED);
	assert_int_equal(ptui_count_n_events(w->count, "cycles", NULL), 0);
	WISH(w, "?cycles");
	AWAIT(w, get(w, "cycles", 0).n_history >= 3 && get(w, "cycles", 0).count > 0);
	e = get(w, "cycles", 0);
	assert_string_equal(e.name, "cycles");
	assert_int_equal(e.state, PTUI_COUNT_COUNTING);
	assert_about(e.running_share, 1);
	assert_int_equal(e.count % 1000, 0); /* on both CPUs, 1000 per ms */
	assert_int_equal(e.count, e.scaled);
	assert_int_equal(n_open(w), 2);
	/* a missing hardware event is not replaced by a clock, unlike in recordings */
	w->kernel.has_pmu = false;
	WISH(w, "?cycles:u");
	AWAIT(w, get(w, "cycles:u", 0).state == PTUI_COUNT_NOT_SUPPORTED);
}

/* Two CPUs, a million a second each; the fake clock advances at each reading. */
static void a_rate_is_of_all_cpus(void **state)
{
	struct world *w = *state;

	start(w);
	WISH(w, "instructions");
	AWAIT(w, get(w, "instructions", 0).rate > 1.9e6 && get(w, "instructions", 0).rate <= 2e6);
}

static void what_was_there_goes_on(void **state)
{
	struct world *w = *state;
	size_t opens;

	start(w);
	WISH(w, "cs", "?faults");
	AWAIT(w, get(w, "cs", 0).n_history >= 2 && get(w, "faults", 0).n_history >= 1);
	opens = n_opens(w);
	WISH(w, "cs", "?migrations");
	AWAIT(w, get(w, "migrations", 0).state == PTUI_COUNT_COUNTING);
	assert_int_equal(n_opens(w), opens + 2);
	assert_true(get(w, "cs", 0).n_history >= 2);
	AWAIT(w, n_open(w) == 4);
	assert_int_equal(get(w, "faults", 0).state, PTUI_COUNT_UNTRIED);
	/* the same again, one twice: no change */
	WISH(w, "cs", "?migrations", "?cs");
	AWAIT(w, get(w, "cs", 0).n_history >= 6);
	assert_int_equal(n_opens(w), opens + 2);
}

/* Scrolling through a list opens only the final event. */
static void nothing_is_opened_on_the_way(void **state)
{
	struct world *w = *state;

	w->opts.settle_ms = 2000;
	start(w);
	WISH(w, "?cs");
	WISH(w, "?faults");
	WISH(w, "?migrations");
	AWAIT(w, get(w, "migrations", 0).state == PTUI_COUNT_COUNTING);
	assert_int_equal(n_opens(w), 2);
}

static void all_is_closed_without_wishes(void **state)
{
	struct world *w = *state;

	start(w);
	WISH(w, "cs", "faults");
	AWAIT(w, n_open(w) == 4);
	assert_int_equal(ptui_count_set(w->count, NULL, 0), 0);
	AWAIT(w, n_open(w) == 0);
}

static void all_is_closed_without_acks(void **state)
{
	struct timespec nap = { .tv_nsec = 5000000 };
	struct world *w = *state;

	start(w);
	WISH(w, "cs", "faults");
	AWAIT(w, get(w, "cs", 0).n_history >= 1);
	for (int left = GIVE_UP; n_open(w); left--) {
		assert_true(left);
		nanosleep(&nap, NULL);
	}
	/* and opens again after an ack */
	AWAIT(w, get(w, "cs", 0).n_history >= 1 && n_open(w) == 4);
}

static void a_process_is_counted_by_its_threads(void **state)
{
	static const pid_t tids[] = { 70, 71, 72 };
	struct world *w = *state;
	struct ptui_error err;

	fake_process(&w->kernel, "app", tids, 3);
	w->pid = 70;
	w->opts.pids = &w->pid;
	w->opts.n_pids = 1;
	start(w);
	WISH(w, "cs");
	AWAIT(w, get(w, "cs", 0).count > 0);
	assert_int_equal(n_open(w), 3);
	assert_non_null(
		fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 72, -1));
	assert_false(ptui_count_refused(w->count, &err));
}

static void history_is_the_last_of_it(void **state)
{
	struct world *w = *state;
	struct ptui_count_event e;

	start(w);
	WISH(w, "cs");
	AWAIT(w, get(w, "cs", 0).generation > PTUI_COUNT_HISTORY + 10);
	e = get(w, "cs", 0);
	assert_int_equal(e.n_history, PTUI_COUNT_HISTORY);
	assert_true(e.history[PTUI_COUNT_HISTORY - 1] == e.rate);
}

/* ---- shares and errors ---- */

static void eight_on_four_run_half_of_the_time(void **state)
{
	struct world *w = *state;
	struct ptui_count_fit fit;
	struct ptui_count_event e;

	start(w);
	WISH(w, "cycles", "instructions", "cache-references", "cache-misses", "branches",
	     "branch-misses", "bus-cycles", "ref-cycles");
	AWAIT(w, fit_of(w).state == PTUI_FIT_IN_TURNS);
	/* the rows show the result: half, over whole rotations */
	AWAIT(w, fabs(get(w, "bus-cycles", 0).running_share - 0.5) < 0.001);
	AWAIT(w, fabs(fit_of(w).measured_share - 0.5) < 0.001);
	e = get(w, "branches", 0);
	assert_true(e.scaled > e.count);
	fit = fit_of(w);
	assert_int_equal(fit.n_events, 8);
	assert_int_equal(fit.n_over, 4);
	assert_about(fit.expected_share, 0.5);
	assert_int_equal(fit.n_groups, 2);
	assert_about(fit.proposed_share, 0.5);
	assert_false(fit.watchdog);
}

static void assert_proposal(struct world *w, const char *text)
{
	char *is = ptui_count_proposal(w->count);

	assert_non_null(is);
	assert_string_equal(is, text);
	free(is);
}

static void a_group_of_six_never_counts(void **state)
{
	static const char group[] =
		"{cycles,instructions,branches,branch-misses,cache-references,cache-misses}:u";
	struct world *w = *state;
	struct ptui_count_fit fit;

	start(w);
	WISH(w, group, "cs");
	AWAIT(w, fit_of(w).state == PTUI_FIT_NEVER);
	fit = fit_of(w);
	assert_string_equal(fit.too_large, group);
	assert_int_equal(fit.n_over, 2);
	assert_about(fit.expected_share, 0);
	assert_proposal(w, "{cycles,instructions,branches,branch-misses}:u\n"
			   "{cache-references,cache-misses}:u\ncs\n");
	/* and the state is WAITING: enabled, but never on a counter */
	AWAIT(w, get(w, group, 5).state == PTUI_COUNT_WAITING && get(w, group, 5).n_history);
	assert_int_equal(get(w, group, 0).state, PTUI_COUNT_WAITING);
	assert_int_equal(get(w, group, 0).count, 0);
	assert_true(isnan(get(w, group, 0).rate));
	assert_int_equal(get(w, "cs", 0).state, PTUI_COUNT_COUNTING);
}

static void the_proposal_keeps_groups_and_the_order(void **state)
{
	struct world *w = *state;

	start(w);
	WISH(w, "cs", "cycles:u", "{branches,branch-misses}:S", "instructions", "cache-references",
	     "cache-misses:D", "?bus-cycles");
	AWAIT(w, fit_of(w).state == PTUI_FIT_IN_TURNS);
	assert_int_equal(fit_of(w).n_events, 6);
	assert_proposal(w, "cs\n{cycles:u,instructions,cache-references}\n"
			   "{branches,branch-misses}:S\ncache-misses:D\n");
}

static void other_marks_are_tried_again(void **state)
{
	struct world *w = *state;
	unsigned long long generation;

	start(w);
	WISH(w, "cycles", "instructions", "branches", "branch-misses", "cache-misses");
	AWAIT(w, fit_of(w).state == PTUI_FIT_IN_TURNS);
	generation = fit_of(w).generation;
	/* highlighting another event does not change the marks */
	WISH(w, "cycles", "instructions", "branches", "branch-misses", "cache-misses", "?cs");
	AWAIT(w, get(w, "cs", 0).n_history);
	assert_int_equal(fit_of(w).generation, generation);
	assert_int_equal(fit_of(w).state, PTUI_FIT_IN_TURNS);
	WISH(w, "cycles", "instructions", "branches", "branch-misses");
	assert_int_equal(fit_of(w).state, PTUI_FIT_UNKNOWN);
	assert_null(ptui_count_proposal(w->count));
	AWAIT(w, fit_of(w).state == PTUI_FIT_TOGETHER);
	assert_int_equal(fit_of(w).n_groups, 0);
	assert_null(ptui_count_proposal(w->count));
	WISH(w, "cs");
	AWAIT(w, fit_of(w).generation == generation + 2);
	assert_int_equal(fit_of(w).state, PTUI_FIT_UNKNOWN);
}

static void the_watchdog_is_reported(void **state)
{
	struct world *w = *state;

	fake_file(&w->kernel, "proc/sys/kernel/nmi_watchdog", "1\n");
	w->kernel.pmu_held = 1;
	start(w);
	WISH(w, "cycles", "instructions", "branches", "branch-misses");
	AWAIT(w, fit_of(w).state == PTUI_FIT_IN_TURNS);
	assert_true(fit_of(w).watchdog);
	assert_about(fit_of(w).expected_share, 0.75);
}

static void a_pinned_event_without_room_is_an_error(void **state)
{
	struct world *w = *state;

	w->kernel.pmu_held = 3;
	start(w);
	WISH(w, "cycles:D", "{instructions,branches}:D");
	AWAIT(w, get(w, "{instructions,branches}:D", 0).state == PTUI_COUNT_ERROR);
	assert_int_equal(get(w, "{instructions,branches}:D", 1).state, PTUI_COUNT_ERROR);
	AWAIT(w, get(w, "cycles:D", 0).state == PTUI_COUNT_COUNTING);
}

/* ---- refusals ---- */

static void what_is_not_there_says_why(void **state)
{
	struct world *w = *state;
	struct ptui_error why;

	w->kernel.has_pmu = false;
	start(w);
	WISH(w, "cs", "cycles", "no-such-event");
	AWAIT(w, get(w, "no-such-event", 0).state == PTUI_COUNT_NOT_SUPPORTED);
	assert_int_equal(get(w, "cycles", 0).state, PTUI_COUNT_NOT_SUPPORTED);
	assert_false(ptui_count_refused(w->count, &why));
}

static void a_refusal_has_a_remedy(void **state)
{
	struct world *w = *state;
	struct ptui_error why;

	w->kernel.privileged = false;
	start(w);
	WISH(w, "cs", "cycles");
	AWAIT(w, ptui_count_refused(w->count, &why));
	assert_non_null(strstr(why.hint, "kernel.perf_event_paranoid"));
	/* after permission is given */
	fake_set_paranoid(&w->kernel, 0);
	assert_int_equal(ptui_count_set(w->count, NULL, 0), 0);
	AWAIT(w, !ptui_count_n_events(w->count, "cs", NULL));
	WISH(w, "cs");
	AWAIT(w, get(w, "cs", 0).state == PTUI_COUNT_COUNTING);
	AWAIT(w, !ptui_count_refused(w->count, &why));
}

static void an_exited_process_is_reported(void **state)
{
	struct world *w = *state;
	struct ptui_error why;

	w->pid = 70;
	w->opts.pids = &w->pid;
	w->opts.n_pids = 1;
	start(w);
	WISH(w, "cs");
	AWAIT(w, ptui_count_refused(w->count, &why));
	assert_non_null(strstr(why.text, "70"));
}

/* ---- a run until its end, as `ptui stat --tui` shows it ---- */

static void begin_run(struct world *w, const char *events)
{
	const struct ptui_record_opts what = { .events = &events,
					       .n_events = 1,
					       .system_wide = true };
	const struct ptui_count_run_opts opts = { .what = &what, .interval_ms = 1 };
	struct ptui_error err = PTUI_ERROR_INIT;

	w->run = count_run_new(&opts, &w->kernel.ops, &err);
	if (!w->run || ptui_count_run_start(w->run, &err))
		fail_msg("%s", err.text);
}

static struct ptui_count_total total_of(const struct ptui_count_run *run, size_t i)
{
	struct ptui_count_total t;

	assert_true(ptui_count_run_get(run, i, &t));
	return t;
}

static bool has_ended(const struct ptui_count_run *run)
{
	struct ptui_count_run_state state;

	ptui_count_run_get_state(run, &state);
	assert_int_equal(state.error, 0);
	return state.ended;
}

static void end_run(struct world *w)
{
	ptui_count_run_stop(w->run);
	AWAIT(w, has_ended(w->run));
}

/* All of a row of the text: "24,000 cycles (50.00%)". */
static void assert_row(const struct ptui_count_run *run, const char *event, const char *value,
		       const char *share)
{
	const char *text = ptui_count_run_text(run), *at, *end;
	char row[256];

	assert_non_null(text);
	at = strstr(text, event);
	assert_non_null(at);
	end = at + strcspn(at, "\n");
	while (at > text && at[-1] != '\n')
		at--;
	snprintf(row, sizeof(row), "%.*s", (int)(end - at), at);
	if (!strstr(row, value) || !strstr(row, share))
		fail_msg("no '%s' and '%s' in '%s'", value, share, row);
	if (!*share && strchr(row, '%'))
		fail_msg("a share in '%s'", row);
}

/* Eight events on four counters, on two CPUs; a clock is always on. */
static void a_run_scales_what_counts_in_turns(void **state)
{
	struct world *w = *state;
	struct ptui_count_total t;

	begin_run(w, "cycles,instructions,branches,branch-misses,cache-misses,cache-references,"
		     "bus-cycles,ref-cycles,cs");

	fake_run(&w->kernel, 800);
	AWAIT(w, total_of(w->run, 0).total.value >= 1600 * 1000);
	end_run(w);
	for (size_t i = 0; i < 8; i++) {
		t = total_of(w->run, i);
		assert_int_equal(t.state, PTUI_TOTAL_COUNTED);
		assert_true(t.total.share > 0.49 && t.total.share < 0.51);
		/* a million per second, as if it had counted all the time */
		assert_true(t.total.value >= 1600 * 1000 * 0.98);
		assert_about(t.total.value / total_of(w->run, 0).total.value, 1);
	}
	t = total_of(w->run, 8);
	assert_string_equal(t.name, "cs");
	assert_about(t.total.share, 1);
	assert_about(t.total.value / total_of(w->run, 0).total.value, 1);
	assert_row(w->run, "cycles", "", "(50.00%)");
	assert_row(w->run, "cs", "", "");
}

static void a_run_goes_on_without_a_refused_event(void **state)
{
	struct world *w = *state;

	fake_refuse(&w->kernel, (struct fake_refusal){ .errnum = ENOENT,
						       .type = PERF_TYPE_HARDWARE,
						       .config = PERF_COUNT_HW_CACHE_MISSES,
						       .cpu = -1,
						       .tid = 0,
						       .times = -1 });
	begin_run(w, "cache-misses,cs");
	AWAIT(w, total_of(w->run, 1).state == PTUI_TOTAL_COUNTED);
	end_run(w);
	assert_int_equal(total_of(w->run, 0).state, PTUI_TOTAL_NOT_SUPPORTED);
	assert_true(*total_of(w->run, 0).why);
	assert_row(w->run, "cache-misses", "<not supported>", "");
}

static void a_run_names_what_was_never_counted(void **state)
{
	struct world *w = *state;

	w->kernel.pmu_held = 4;
	begin_run(w, "cycles,cs");
	AWAIT(w, total_of(w->run, 1).total.value > 0);
	end_run(w);
	assert_int_equal(total_of(w->run, 0).state, PTUI_TOTAL_NOT_COUNTED);
	assert_false(total_of(w->run, 0).total.counted);
	assert_row(w->run, "cycles", "<not counted>", "");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(counts_what_is_wished),
		T(a_rate_is_of_all_cpus),
		T(what_was_there_goes_on),
		T(nothing_is_opened_on_the_way),
		T(all_is_closed_without_wishes),
		T(all_is_closed_without_acks),
		T(a_process_is_counted_by_its_threads),
		T(history_is_the_last_of_it),
		T(eight_on_four_run_half_of_the_time),
		T(a_group_of_six_never_counts),
		T(the_proposal_keeps_groups_and_the_order),
		T(other_marks_are_tried_again),
		T(the_watchdog_is_reported),
		T(a_pinned_event_without_room_is_an_error),
		T(what_is_not_there_says_why),
		T(a_refusal_has_a_remedy),
		T(an_exited_process_is_reported),
		T(a_run_scales_what_counts_in_turns),
		T(a_run_goes_on_without_a_refused_event),
		T(a_run_names_what_was_never_counted),
	};

	return cmocka_run_group_tests_name("session/count", tests, NULL, NULL);
}
