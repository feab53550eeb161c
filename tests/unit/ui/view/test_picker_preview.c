/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picker's preview on a fake kernel with four counters per core: cells, notes on multiplexed
 * events, and accepting the proposed groups.
 */
#include <dirent.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake/kernel.h"
#include "model/amount.h"
#include "session/count/count.h"
#include "unit/ui/screen.h"
#include "view/picker/picker_private.h"

#define TURN_MS 5
#define GIVE_UP 12000 /* turns: a minute */

struct world {
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	struct fake_kernel kernel;
	struct words marks; /* at first */
	struct words taken; /* events */
};

static struct world *world; /* for callbacks without a context */
static pid_t counted_pid;

static struct ptui_count *make_count(const struct ptui_count_opts *opts, struct ptui_error *err)
{
	struct ptui_count_opts quick = *opts;

	quick.refresh_ms = 10;
	quick.settle_ms = 1;
	counted_pid = opts->n_pids ? opts->pids[0] : 0;
	return count_new(&quick, &world->kernel.ops, err);
}

static int try_event(const char *event, struct ptui_error *why)
{
	(void)event;
	(void)why;
	return 0;
}

static unsigned done(void *ctx, const struct words *marks)
{
	struct world *w = ctx;

	words_release(&w->taken);
	for (size_t i = 0; i < marks->n; i += 2)
		words_add(&w->taken, marks->v[i]);
	return WISH_NONE;
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	setlocale(LC_ALL, "C.UTF-8");
	fake_kernel_init(&w->kernel);
	w->kernel.has_pmu = true;
	w->kernel.pmu_counters = 4;
	w->keys = keymaps_new(NULL);
	w->grid = grid_new(40, 120);
	*state = world = w;
	return 0;
}

static size_t n_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static size_t n_threads_before;

static void *no_task(void *arg)
{
	return arg;
}

/* Sanitizers have a thread of their own; an ended one may still be listed. */
static void note_threads(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, no_task, NULL), 0);
	pthread_join(thread, NULL);
	n_threads_before = n_threads();
	for (int i = 0; i < 20; i++) {
		size_t n = n_threads();

		if (n < n_threads_before)
			n_threads_before = n;
		poll(NULL, 0, TURN_MS);
	}
}

/* Threads of a closed screen are waited for only here. */
static void await_threads(void)
{
	for (int left = GIVE_UP; n_threads() > n_threads_before; left--) {
		assert_true(left);
		poll(NULL, 0, TURN_MS);
	}
}

static int teardown(void **state)
{
	struct world *w = *state;

	stack_free(w->stack);
	await_threads();
	/* establishes that they have ended before */
	pthread_mutex_lock(&w->kernel.lock);
	pthread_mutex_unlock(&w->kernel.lock);
	grid_free(w->grid);
	keymaps_free(w->keys);
	fake_kernel_release(&w->kernel);
	words_release(&w->marks);
	words_release(&w->taken);
	free(w);
	return 0;
}

/* ---- the screen ---- */

static void open_marked(struct world *w, const char *const *events, pid_t pid)
{
	struct picker_opts opts = { .marks = &w->marks,
				    .done = done,
				    .ctx = w,
				    .preview = true,
				    .pid = pid,
				    .count = make_count,
				    .try_event = try_event };
	struct ptui_error err = PTUI_ERROR_INIT;

	for (; *events; events++) {
		assert_int_equal(words_add(&w->marks, *events), 0);
		assert_int_equal(words_add(&w->marks, ""), 0);
	}
	w->stack = stack_new(NULL, w->keys, &err);
	assert_non_null(w->stack);
	assert_int_equal(picker_open(w->stack, &opts, &err), 0);
}

static void press(struct world *w, key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(w->stack, &e);
}

/* The row that has the text; -1. */
static int find(struct world *w, const char *text)
{
	grid_clear(w->grid);
	stack_draw(w->stack, w->grid);
	for (int y = 0; y < w->grid->rows; y++)
		if (strstr(row_text(w->grid, y), text))
			return y;
	return -1;
}

/* Is `part` in the first row that has the text? */
static bool row_has(struct world *w, const char *text, const char *part)
{
	int y = find(w, text);

	return y >= 0 && strstr(row_text(w->grid, y), part);
}

static void turn(struct world *w)
{
	fake_run(&w->kernel, 8);
	loop_turn(stack_loop(w->stack), TURN_MS);
}

static void __attribute__((noreturn)) never(struct world *w, const char *what)
{
	for (int y = 0; y < w->grid->rows; y++)
		print_error("%s\n", row_text(w->grid, y));
	fail_msg("never: %s", what);
	abort();
}

#define AWAIT(w, condition)                     \
	do {                                    \
		int left_ = GIVE_UP;            \
		while (!(condition) && --left_) \
			turn(w);                \
		if (!left_)                     \
			never(w, #condition);   \
	} while (0)

#define OPEN(w, pid, ...)                                                        \
	do {                                                                     \
		open_marked(w, (const char *const[]){ __VA_ARGS__, NULL }, pid); \
		AWAIT(w, find(w, " marked · ") >= 0);                            \
	} while (0)

/* ---- rows ---- */

static void what_is_marked_is_counted(void **state)
{
	struct world *w = *state;

	OPEN(w, 0, "cycles:u", "context-switches");
	assert_true(find(w, "counting the whole system · ") == 0);
	AWAIT(w, row_has(w, "[x] cycles:u", "/s") && row_has(w, "[x] cycles:u", "█") &&
			 row_has(w, "[x] cycles:u", "100 %"));
	AWAIT(w, row_has(w, "[x] context-switches", "100 %"));
	/* the others are not counted */
	assert_false(row_has(w, "[ ] page-faults", "/s"));
	assert_int_equal(find(w, "Marked together"), -1);
	assert_int_equal(counted_pid, 0);
}

static void the_current_event_is_counted(void **state)
{
	struct world *w = *state;

	OPEN(w, 0, "context-switches");
	press(w, '/');
	for (const char *c = "page-faults"; *c; c++)
		press(w, (key_code)*c);
	press(w, K_ENTER);
	AWAIT(w, row_has(w, "[ ] page-faults", "100 %"));
	/* and in more detail on the right */
	AWAIT(w, find(w, "100 % running") > 0);
	/* off, and on again */
	press(w, 'v');
	assert_int_equal(find(w, "counting the whole system"), -1);
	assert_false(row_has(w, "[ ] page-faults", "/s"));
	assert_int_equal(find(w, "100 % running"), -1);
	press(w, 'v');
	AWAIT(w, row_has(w, "[ ] page-faults", "100 %"));
	/* a heading is nothing that could be counted; the marks still are */
	press(w, K_HOME);
	AWAIT(w, !row_has(w, "[ ] page-faults", "/s"));
	press(w, K_ESC);
	AWAIT(w, row_has(w, "[x] context-switches", "100 %"));
}

/* The column where the rate ends. */
static long rate_ends(struct world *w)
{
	int y = find(w, "[x] instructions");
	const char *row = y < 0 ? "" : row_text(w->grid, y), *slash = strstr(row, "/s");

	return slash ? slash - row : -1;
}

static void columns_do_not_jump(void **state)
{
	struct world *w = *state;
	long column;

	OPEN(w, 0, "instructions");
	AWAIT(w, row_has(w, "[x] instructions", "100 %"));
	column = rate_ends(w);
	assert_true(column > 0);
	for (int i = 0; i < 20; i++) {
		fake_run(&w->kernel, i % 2 ? 8 : 800);
		loop_turn(stack_loop(w->stack), 20);
		assert_int_equal(rate_ends(w), column);
	}
}

static void the_target_is_counted(void **state)
{
	static const pid_t tids[] = { 70, 71 };
	struct world *w = *state;

	fake_process(&w->kernel, "app", tids, 2);
	OPEN(w, 70, "context-switches");
	assert_true(find(w, "counting process 70 · ") == 0);
	AWAIT(w, row_has(w, "[x] context-switches", "100 %"));
	assert_int_equal(counted_pid, 70);
}

/* ---- all of them together ---- */

static void multiplexing_is_reported_before(void **state)
{
	struct world *w = *state;

	OPEN(w, 0, "cycles", "instructions", "branches", "branch-misses", "cache-misses",
	     "context-switches");
	AWAIT(w, find(w, "Marked together: 5 events, 1 counter too few:") > 0);
	assert_true(find(w, "expect 80 % running") > 0);
	/* rows have that colour, and show the share */
	AWAIT(w, row_has(w, "[x] cycles", "%") && !row_has(w, "[x] cycles", "100 %"));
	assert_int_equal(find(w, "watchdog"), -1);
	/* the proposal can be accepted */
	assert_true(find(w, "(P) as 2 groups, at least 50 % running:") > 0);
	assert_true(find(w, "{cycles,instructions,") > 0);
	press(w, 'P');
	assert_true(find(w, "[x] cycles  {1}") > 0);
	assert_true(find(w, "[x] branch-misses  {1}") > 0);
	assert_int_equal(find(w, "[x] cache-misses  {"), -1);
	AWAIT(w, find(w, "expect 50 % running") > 0);
	assert_int_equal(find(w, "(P) as"), -1);
	press(w, K_ENTER);
	assert_int_equal(w->taken.n, 3);
	assert_string_equal(w->taken.v[0], "{cycles,instructions,branches,branch-misses}");
	assert_string_equal(w->taken.v[1], "cache-misses");
	assert_string_equal(w->taken.v[2], "context-switches");
}

static void a_group_that_never_counts_is_reported_before(void **state)
{
	struct world *w = *state;

	OPEN(w, 0, "{cycles,instructions,branches,branch-misses,cache-misses,cache-references}:u");
	AWAIT(w, find(w, "will never count: 2") > 0);
	AWAIT(w, row_has(w, "[x] cycles  {1}", "–") && row_has(w, "[x] cycles  {1}", "  0 %"));
	press(w, 'P');
	press(w, K_ENTER);
	assert_int_equal(w->taken.n, 2);
	assert_string_equal(w->taken.v[0], "{cycles,instructions,branches,branch-misses}:u");
	assert_string_equal(w->taken.v[1], "{cache-misses,cache-references}:u");
}

static void the_watchdog_is_reported(void **state)
{
	struct world *w = *state;

	fake_file(&w->kernel, "proc/sys/kernel/nmi_watchdog", "1\n");
	w->kernel.pmu_held = 1;
	OPEN(w, 0, "cycles", "instructions", "branches", "branch-misses");
	AWAIT(w, find(w, "NMI watchdog uses a counter") > 0);
	assert_true(find(w, "kernel.nmi_watchdog=0") > 0);
	assert_true(find(w, "expect 75 % running") > 0);
}

static void what_fits_needs_no_words(void **state)
{
	struct world *w = *state;

	OPEN(w, 0, "cycles", "instructions");
	AWAIT(w, row_has(w, "[x] instructions", "100 %"));
	press(w, 'P');
	assert_true(find(w, "the marked events need no further groups") > 0);
	assert_int_equal(find(w, "Marked together"), -1);
}

static void a_pinned_event_without_room_is_an_error(void **state)
{
	struct world *w = *state;

	w->kernel.pmu_held = 4;
	OPEN(w, 0, "cycles:D");
	AWAIT(w, row_has(w, "[x] cycles:D", "✗ error state"));
	AWAIT(w, find(w, "will never count: others hold") > 0);
}

/* If counting is refused, the reason is shown, and it is not tried again and again. */
static void without_rights_the_reason_is_shown(void **state)
{
	struct world *w = *state;

	w->kernel.privileged = false;
	OPEN(w, 0, "context-switches");
	AWAIT(w, find(w, "no preview: ") > 0);
	assert_true(find(w, "kernel.perf_event_paranoid") > 0);
	assert_int_equal(find(w, "counting the whole system"), -1);
	await_threads();
	assert_int_equal(w->kernel.n_open, 0);
	/* until it was lifted */
	fake_set_paranoid(&w->kernel, -1);
	press(w, 'v');
	AWAIT(w, row_has(w, "[x] context-switches", "100 %"));
	assert_int_equal(find(w, "no preview: "), -1);
}

static void there_is_room_for_it_everywhere(void **state)
{
	static const int sizes[][2] = {
		{ 10, 40 }, { 14, 60 }, { 24, 80 }, { 30, 100 }, { 60, 200 }
	};
	struct world *w = *state;

	OPEN(w, 0, "cycles", "instructions", "branches", "branch-misses", "cache-misses");
	AWAIT(w, find(w, "Marked together") > 0);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		grid_free(w->grid);
		w->grid = grid_new(sizes[i][0], sizes[i][1]);
		assert_true(find(w, "[x] cycles") > 0);
		if (sizes[i][0] >= 24) {
			assert_true(find(w, "Marked together") > 0);
			AWAIT(w, row_has(w, "[x] cycles", "/s"));
		}
	}
}

/* ---- cells and sentences ---- */

static void an_event_is_a_cell(void **state)
{
	struct ptui_count_event cell = PREVIEW_NOTHING;
	struct ptui_count_event e = { .name = "cpu-clock", .state = PTUI_COUNT_UNTRIED };

	(void)state;
	preview_add(&cell, &e);
	assert_int_equal(cell.state, PTUI_COUNT_UNTRIED);
	assert_true(isnan(cell.rate));
	e.state = PTUI_COUNT_COUNTING;
	e.rate = 2e9;
	e.running_share = 0.5;
	preview_add(&cell, &e);
	assert_int_equal(cell.state, PTUI_COUNT_COUNTING);
	assert_true(amount_is_time(cell.name));
	assert_true(cell.rate == 2e9 && cell.running_share == 0.5);
}

/* Of a glob: together, and the worst of them. */
static void events_of_one_text_are_added_up(void **state)
{
	struct ptui_count_event cell = PREVIEW_NOTHING;
	struct ptui_count_event e;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		e = (struct ptui_count_event){ .name = "x",
					       .state = PTUI_COUNT_COUNTING,
					       .rate = 10,
					       .running_share = i == 1 ? 0.25 : 1,
					       .n_history = 2 };
		e.history[0] = (double)i;
		e.history[1] = 5;
		preview_add(&cell, &e);
	}
	assert_true(cell.rate == 30 && cell.running_share == 0.25);
	assert_true(cell.history[0] == 3 && cell.history[1] == 15);
	e.state = PTUI_COUNT_ERROR;
	preview_add(&cell, &e);
	assert_int_equal(cell.state, PTUI_COUNT_ERROR);
}

static const char *fit_text(const struct ptui_count_fit *fit)
{
	static char text[256];
	struct buf buf = BUF_INIT;

	preview_write_fit(fit, &(struct picker_writer){ .text = &buf });
	snprintf(text, sizeof(text), "%s", buf_str(&buf));
	buf_release(&buf);
	return text;
}

static void only_what_does_not_fit_is_reported(void **state)
{
	struct ptui_count_fit fit = { .state = PTUI_FIT_UNKNOWN };

	(void)state;
	assert_string_equal(fit_text(&fit), "");
	fit = (struct ptui_count_fit){
		.state = PTUI_FIT_TOGETHER, .n_events = 2, .expected_share = 1, .watchdog = true
	};
	assert_string_equal(fit_text(&fit), "");
	fit = (struct ptui_count_fit){
		.state = PTUI_FIT_IN_TURNS, .n_events = 3, .n_over = 2, .expected_share = 0.63
	};
	assert_string_equal(fit_text(&fit), "Marked together: 3 events, 2 counters too few: "
					    "expect 63 % running\n\n");
	fit = (struct ptui_count_fit){
		.state = PTUI_FIT_NEVER, .n_events = 6, .n_over = 1, .too_large = "{a,b}"
	};
	assert_string_equal(fit_text(&fit), "{a,b} will never count: 1 counter too few\n\n");
	snprintf(fit.too_large, sizeof(fit.too_large), "a:D");
	assert_string_equal(fit_text(&fit), "a:D will never count: others hold the counters\n\n");
}

static void filters_stay_with_their_texts(void **state)
{
	static const char *const texts[] = {
		"s:a", "x > 1", "cycles", "", "s:a", "x > 2", "s:b", ""
	};
	static const char *const expected[] = { "s:a", "x > 1", "{cycles,branches}",
						"",    "s:a",	"x > 2",
						"s:b", "" };
	struct words marks = WORDS_INIT, with = WORDS_INIT;
	char proposal[] = "s:a\n{cycles,branches}\ns:a\ns:b\n";

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		words_add(&marks, texts[i]);
	assert_int_equal(preview_proposal(proposal, &marks, &with), 0);
	assert_int_equal(with.n, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < with.n; i++)
		assert_string_equal(with.v[i], expected[i]);
	words_release(&marks);
	words_release(&with);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_is_marked_is_counted),
		T(the_current_event_is_counted),
		T(columns_do_not_jump),
		T(the_target_is_counted),
		T(multiplexing_is_reported_before),
		T(a_group_that_never_counts_is_reported_before),
		T(the_watchdog_is_reported),
		T(what_fits_needs_no_words),
		T(a_pinned_event_without_room_is_an_error),
		T(without_rights_the_reason_is_shown),
		T(there_is_room_for_it_everywhere),
		cmocka_unit_test(an_event_is_a_cell),
		cmocka_unit_test(events_of_one_text_are_added_up),
		cmocka_unit_test(only_what_does_not_fit_is_reported),
		cmocka_unit_test(filters_stay_with_their_texts),
	};

	note_threads();
	return cmocka_run_group_tests_name("ui/view/picker_preview", tests, NULL, NULL);
}
