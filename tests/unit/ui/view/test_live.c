/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live screen over an engine that says what the test wants: all of ptui/live.h is made here.
 */
#include "lib/need.h"
#include "unit/profile/made.h"
#include "view/live.h"
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SECOND 1000000000u

struct ptui_live {
	int wake_fd, command_fd;
	enum ptui_live_state state;
	struct ptui_live_event events[12];
	size_t n_events;
	struct ptui_live_stats stats;
	struct ptui_profile *profile;
	struct ptui_live_profile_info info;
	int status, stops, join;
	unsigned short rows, cols;
	bool freed;
	int start_gate[2], start; /* what it is to return; it returns when the gate is closed */
	bool may_be_terminated;
};

int ptui_live_start(struct ptui_live *l, struct ptui_error *err)
{
	sigset_t mask;
	char sink;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	l->may_be_terminated = !sigismember(&mask, SIGTERM);
	assert_int_equal(read(l->start_gate[0], &sink, 1), 0);
	if (l->start)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, -l->start, NULL, "It is forbidden.");
	return 0;
}

void ptui_live_stop(struct ptui_live *l)
{
	l->stops++;
}

int ptui_live_pause(struct ptui_live *l, struct ptui_error *err)
{
	if (l->state == PTUI_LIVE_ENDED)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, NULL, "It has ended.");
	l->state = PTUI_LIVE_PAUSED;
	return 0;
}

int ptui_live_resume(struct ptui_live *l, struct ptui_error *err)
{
	(void)err;
	l->state = PTUI_LIVE_RUNNING;
	return 0;
}

int ptui_live_join(struct ptui_live *l, struct ptui_error *err)
{
	if (l->join)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, -l->join, NULL, "The disk is full.");
	return 0;
}

void ptui_live_free(struct ptui_live *l)
{
	if (l)
		l->freed = true;
}

enum ptui_live_state ptui_live_state(const struct ptui_live *l)
{
	return l->state;
}

int ptui_live_wake_fd(const struct ptui_live *l)
{
	return l->wake_fd;
}

void ptui_live_ack(struct ptui_live *l)
{
	uint64_t n;

	assert_int_equal(read(l->wake_fd, &n, sizeof(n)), sizeof(n));
}

size_t ptui_live_n_events(const struct ptui_live *l)
{
	return l->n_events;
}

void ptui_live_event(const struct ptui_live *l, size_t i, struct ptui_live_event *ret)
{
	*ret = l->events[i];
}

void ptui_live_get_stats(const struct ptui_live *l, struct ptui_live_stats *ret)
{
	*ret = l->stats;
}

struct ptui_profile *ptui_live_profile(const struct ptui_live *l,
				       struct ptui_live_profile_info *ret)
{
	if (ret)
		*ret = l->info;
	return l->profile ? ptui_profile_ref(l->profile) : NULL;
}

int ptui_live_command_fd(const struct ptui_live *l)
{
	return l->command_fd;
}

int ptui_live_set_size(struct ptui_live *l, unsigned short rows, unsigned short cols)
{
	l->rows = rows;
	l->cols = cols;
	return 0;
}

int ptui_live_child_status(const struct ptui_live *l)
{
	return l->status;
}

const char *ptui_live_output(const struct ptui_live *l)
{
	(void)l;
	return "/tmp/perf.data";
}

/* ---- a screen ---- */

static struct {
	struct ptui_live live;
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	int command; /* its side of the terminal */
	int done;
	char path[64];
	struct ptui_profile *profile;
	bool below_closed, quits;
	char left[1024];
} t;

static void below_draw(void *self, const struct canvas *c)
{
	(void)self;
	canvas_text(c, 0, 0, ROLE_TEXT, "what is below");
}

static const struct screen_ops below = { .title = "below",
					 .keymap = KEYMAP_LIST,
					 .draw = below_draw };

static void done(void *ctx, const char *path, struct ptui_profile *profile)
{
	(void)ctx;
	t.done++;
	snprintf(t.path, sizeof(t.path), "%s", path);
	t.profile = profile;
}

static void left(void *ctx, const char *text, bool quits)
{
	(void)ctx;
	snprintf(t.left, sizeof(t.left), "%s", text);
	t.quits = quits;
}

static void set_event(size_t i, const char *name, double count, double rate, double share)
{
	t.live.events[i] = (struct ptui_live_event){
		.name = name,
		.state = PTUI_LIVE_COUNTING,
		.count = (uint64_t)count,
		.scaled = (uint64_t)count,
		.rate = rate,
		.enabled_ns = SECOND,
		.running_ns = SECOND,
		.running_share = share,
	};
	if (i >= t.live.n_events)
		t.live.n_events = i + 1;
}

static struct ptui_profile *made(uint64_t parse, uint64_t eval)
{
	struct made *m = made_new();

	made_sample(m, "main run parse", parse, 1);
	made_sample(m, "main run eval", eval, 2);
	return made_take(m);
}

static void publish(struct ptui_profile *p)
{
	ptui_profile_unref(t.live.profile);
	t.live.profile = p;
	t.live.info.generation++;
}

static int set_up(void **state)
{
	int fds[2];

	(void)state;
	memset(&t, 0, sizeof(t));
	assert_int_equal(pipe(fds), 0);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	t.command = fds[1];
	t.live.command_fd = fds[0];
	t.live.wake_fd = eventfd(0, EFD_NONBLOCK);
	t.live.state = PTUI_LIVE_RUNNING;
	t.live.status = -1;
	t.live.stats = (struct ptui_live_stats){
		.elapsed_ns = 12400000000u, .samples = 96204, .bytes = 14890000, .cpu_share = 0.003
	};
	set_event(0, "cycles", 38.91e9, 3.12e9, 1);
	set_event(1, "instructions", 53.8e9, 4.31e9, 1);
	t.keys = keymaps_new(NULL);
	t.stack = stack_new(NULL, t.keys, NULL);
	assert_non_null(t.stack);
	t.grid = grid_new(24, 80);
	return stack_push(t.stack, &below, &t.below_closed);
}

static int tear_down(void **state)
{
	(void)state;
	stack_free(t.stack);
	keymaps_free(t.keys);
	grid_free(t.grid);
	ptui_profile_unref(t.live.profile);
	ptui_profile_unref(t.profile);
	close(t.live.wake_fd);
	close(t.live.command_fd);
	close(t.command);
	assert_true(t.live.freed);
	return 0;
}

static void open_live(void)
{
	struct live_view_opts opts = {
		.live = &t.live, .target = "make -j2", .rate = "4000 Hz", .done = done,
		.left = left
	};

	assert_int_equal(live_view_open(t.stack, &opts, NULL), 0);
}

static void draw(int rows, int cols)
{
	assert_int_equal(grid_resize(t.grid, rows, cols), 0);
	stack_draw(t.stack, t.grid);
}

static const char *row(int y)
{
	static char buf[12001];

	grid_row_text(t.grid, y, buf, sizeof(buf));
	return buf;
}

/* The first row that has the text; -1: none. */
static int row_of(const char *text)
{
	for (int y = 0; y < t.grid->rows; y++)
		if (strstr(row(y), text))
			return y;
	return -1;
}

static void dump(void)
{
	for (int y = 0; y < t.grid->rows; y++)
		fprintf(stderr, "|%s\n", row(y));
}

static void sees(const char *text)
{
	draw(t.grid->rows, t.grid->cols);
	if (row_of(text) >= 0)
		return;
	dump();
	fail_msg("the screen does not say: %s", text);
}

static void does_not_see(const char *text)
{
	draw(t.grid->rows, t.grid->cols);
	if (row_of(text) < 0)
		return;
	dump();
	fail_msg("the screen says: %s", text);
}

/* Turns the loop until the screen says it. */
static void waits_for(const char *text)
{
	for (int i = 0; i < 1000; i++) {
		draw(t.grid->rows, t.grid->cols);
		if (row_of(text) >= 0)
			return;
		loop_turn(stack_loop(t.stack), 100);
	}
	dump();
	fail_msg("the screen never says: %s", text);
}

static void key(key_code code)
{
	struct term_event e = { .kind = TERM_KEY, .key = code };

	stack_event(t.stack, &e);
}

/* The engine has news. */
static void wake(void)
{
	uint64_t one = 1;

	assert_int_equal(write(t.live.wake_fd, &one, sizeof(one)), sizeof(one));
	loop_turn(stack_loop(t.stack), 1000);
}

static void end(enum ptui_live_state state)
{
	t.live.state = state;
	wake();
}

/* ---- the tests ---- */

static void test_sizes(void **state)
{
	static const int sizes[][2] = { { 24, 80 }, { 40, 120 }, { 10, 40 } };

	(void)state;
	publish(made(70, 30));
	open_live();
	wake();
	for (size_t i = 0; i < 3; i++) {
		draw(sizes[i][0], sizes[i][1]);
		waits_for("parse");
		if (getenv("SHOW"))
			dump();
		assert_int_equal(row_of("Live  make -j2"), 0);
		assert_int_equal(row_of("● REC 00:12.4"), 0);
		assert_true(row_of("cycles") > 0);
		assert_true(row_of(" instructions ") == row_of("cycles") + 1);
		assert_true(row_of("samples 96,204") == row_of(" instructions ") + 1 ||
			    row_of("samples 96204") == row_of(" instructions ") + 1);
		assert_true(row_of("parse") > row_of("samples"));
		assert_true(row_of("eval") == row_of("parse") + 1);
		assert_true(row_of("stop & browse") == sizes[i][0] - 1);
		assert_int_equal(t.live.cols, sizes[i][1]);
	}
	draw(40, 120);
	sees("instructions/cycle");
	sees("1.38");
	sees("own");
	sees("4000 Hz");
}

static void failed(void *ctx, const struct ptui_error *err)
{
	(void)ctx;
	snprintf(t.left, sizeof(t.left), "%s", err->text);
}

static void start_live(int ret)
{
	struct live_view_opts opts = { .live = &t.live, .target = "make -j2", .failed = failed };

	t.live.start = ret;
	assert_int_equal(pipe(t.live.start_gate), 0);
	assert_int_equal(live_view_start(t.stack, &opts, NULL), 0);
}

static void open_gate(void)
{
	close(t.live.start_gate[1]);
}

static void test_start_is_not_waited_for(void **state)
{
	(void)state;
	start_live(0);
	sees("what is below");
	does_not_see("Starting");
	waits_for("ESC gives it up");
	sees("make -j2");
	open_gate();
	waits_for("● REC");
	assert_true(t.live.may_be_terminated);
	assert_int_equal(t.live.stops, 0);
	close(t.live.start_gate[0]);
}

static void test_start_fails(void **state)
{
	(void)state;
	start_live(-EACCES);
	open_gate();
	while (!t.live.freed)
		loop_turn(stack_loop(t.stack), 1000);
	sees("what is below");
	assert_string_equal(t.left, "It is forbidden.");
	close(t.live.start_gate[0]);
}

static void test_start_is_given_up(void **state)
{
	(void)state;
	start_live(0);
	key(K_ESC);
	waits_for("stopping");
	assert_int_equal(t.live.stops, 1);
	open_gate();
	while (!t.live.freed)
		loop_turn(stack_loop(t.stack), 1000);
	does_not_see("Live");
	assert_string_equal(t.left, "");
	close(t.live.start_gate[0]);
}

static void test_quit_while_it_starts(void **state)
{
	(void)state;
	start_live(0);
	key(K_CTRL | 'c');
	assert_false(stack_is_done(t.stack));
	assert_int_equal(t.live.stops, 1);
	open_gate();
	assert_int_equal(stack_run(t.stack), 0);
	assert_true(t.live.freed);
	close(t.live.start_gate[0]);
}

static void test_what_cannot_be_counted(void **state)
{
	(void)state;
	set_event(2, "branches", 0, 0, 1);
	t.live.events[2].state = PTUI_LIVE_NOT_COUNTED;
	set_event(3, "stalls", 0, 0, 1);
	t.live.events[3].state = PTUI_LIVE_NOT_SUPPORTED;
	t.live.events[3].profile_event = PTUI_NONE;
	t.live.events[3].reason = "This CPU has none.";
	set_event(1, "instructions", 53.8e9, 4.31e9, 0.63);
	open_live();
	sees("not counted");
	does_not_see("nothing counted yet");
	t.live.events[2].enabled_ns = 0;
	wake();
	sees("nothing counted yet");
	t.live.status = 1 << 8;
	end(PTUI_LIVE_ENDED);
	sees("nothing was counted");
	sees("not supported  This CPU has none.");
	sees("63 %");
}

static void test_more_events_than_room(void **state)
{
	static const char *const names[] = { "aa", "bb", "cc", "dd", "ee", "ff" };

	(void)state;
	for (size_t i = 0; i < 6; i++)
		set_event(i, names[i], 1, 1, 1);
	t.live.events[5].profile_event = 5;
	draw(10, 40);
	open_live();
	sees("aa");
	sees("more events");
	does_not_see("ff");
	key(K_SHIFT | K_TAB);
	sees("ff");
}

/* The column where the rate of an event ends. */
static int rate_column(const char *event)
{
	const char *line = row(row_of(event)), *end = strstr(line, "/s");
	int column = 0;

	assert_non_null(end);
	for (; line < end; line++)
		column += (*line & 0xc0) != 0x80;
	return column;
}

static void test_columns_do_not_move(void **state)
{
	int at;

	(void)state;
	open_live();
	sees("/s");
	at = rate_column(" cycles ");
	set_event(0, "cycles", 1, 2, 1);
	set_event(1, "instructions", 5.38e18, 4.31e15, 1);
	wake();
	sees("/s");
	assert_int_equal(rate_column(" cycles "), at);
	assert_int_equal(rate_column(" instructions "), at);
}

static void test_pause_and_go_on(void **state)
{
	(void)state;
	open_live();
	sees("● REC");
	key(' ');
	sees("⏸ paused");
	sees("Paused before the first sample");
	key(' ');
	sees("● REC");
}

static void test_folds_and_cursor_survive(void **state)
{
	(void)state;
	publish(made(70, 30));
	open_live();
	wake();
	waits_for("eval");
	key(K_DOWN);
	key('+');
	waits_for("run");
	assert_true(row_of("run") > row_of("eval"));
	publish(made(70, 130));
	wake();
	waits_for("65.00");
	sees("run");
	assert_true(row_of("run") == row_of("eval") + 1);
	assert_true(row_of("parse") > row_of("run"));
	draw(24, 80);
	assert_true(grid_style(t.grid, row_of("eval"), 20) & STYLE_CURSOR);
	key('+');
	does_not_see("run");
}

static void test_search(void **state)
{
	(void)state;
	publish(made(70, 30));
	open_live();
	wake();
	waits_for("eval");
	key('/');
	for (const char *s = "eva"; *s; s++)
		key((key_code)*s);
	key(K_ENTER);
	draw(24, 80);
	assert_true(grid_style(t.grid, row_of("eval"), 20) & STYLE_CURSOR);
}

static void test_stop_hands_over(void **state)
{
	(void)state;
	publish(made(70, 30));
	open_live();
	key(K_ENTER);
	assert_int_equal(t.live.stops, 1);
	sees("stopping");
	assert_int_equal(t.done, 0);
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 1);
	assert_string_equal(t.path, "/tmp/perf.data");
	assert_ptr_equal(t.profile, t.live.profile);
	assert_true(t.live.freed);
	sees("what is below");
}

static void test_capped_profile_is_told(void **state)
{
	(void)state;
	publish(made(70, 30));
	t.live.info.left = 1234;
	open_live();
	wake();
	sees("only in the file: the oldest 1234 samples");
	key(K_ENTER);
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 1);
	assert_null(t.profile);
}

static void test_success_is_browsed_at_once(void **state)
{
	(void)state;
	open_live();
	t.live.status = 0;
	sees("exit 0");
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 1);
}

static void test_failure_is_seen_first(void **state)
{
	(void)state;
	open_live();
	t.live.status = 2 << 8;
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 0);
	key(K_CTRL | 'l');
	sees("✓ ended");
	sees("exit 2");
	does_not_see("pause");
	key(K_ENTER);
	assert_int_equal(t.done, 1);
}

static void test_error_is_told(void **state)
{
	(void)state;
	open_live();
	t.live.join = -ENOSPC;
	t.live.status = 15;
	end(PTUI_LIVE_FAILED);
	assert_int_equal(t.done, 0);
	sees("The disk is full.");
	key(K_ESC);
	assert_int_equal(row_of("Live  make -j2"), 0);
	sees("✗ failed");
	key(K_ENTER);
	assert_int_equal(t.done, 1);
}

static void test_q_asks(void **state)
{
	(void)state;
	open_live();
	key('q');
	sees("go on recording");
	key('g');
	assert_int_equal(t.live.stops, 0);
	does_not_see("go on recording");
	key('q');
	key('q');
	assert_int_equal(t.live.stops, 1);
	t.live.status = 15;
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 0);
	assert_string_equal(t.left, "The recording is in /tmp/perf.data; the command has ended: "
				    "killed by signal 15 (Terminated).");
	assert_false(t.quits);
	sees("what is below");
}

static void test_quit_waits_for_the_file(void **state)
{
	(void)state;
	open_live();
	key(K_CTRL | 'c');
	assert_int_equal(t.live.stops, 1);
	assert_false(stack_is_done(t.stack));
	end(PTUI_LIVE_ENDED);
	assert_true(stack_is_done(t.stack));
	assert_int_equal(t.done, 0);
	assert_string_equal(t.left, "The recording is in /tmp/perf.data.");
	assert_true(t.quits);
}

/* The second time it is killed, and waited for by who frees it. */
static void test_quit_twice(void **state)
{
	(void)state;
	open_live();
	key(K_CTRL | 'c');
	key(K_CTRL | 'c');
	assert_true(stack_is_done(t.stack));
	assert_true(t.live.freed);
	assert_string_equal(t.left, "The recording is in /tmp/perf.data.");
}

/* Enter asks it to end; once more kills it; what is asked first is not asked again by leaving. */
static void test_a_command_that_does_not_end(void **state)
{
	(void)state;
	open_live();
	key(K_ENTER);
	key(K_CTRL | 'c');
	assert_int_equal(t.live.stops, 1);
	waits_for("once more kills it");
	key(K_ENTER);
	sees("The command is being killed.");
	while (t.live.stops < 3)
		loop_turn(stack_loop(t.stack), 1000);
}

static void test_nobody_is_killed_where_no_command_is(void **state)
{
	int fd = t.live.command_fd;

	(void)state;
	t.live.command_fd = -1;
	open_live();
	key(K_ENTER);
	key(K_ENTER);
	does_not_see("killed");
	assert_int_equal(t.live.stops, 1);
	t.live.command_fd = fd;
}

static void test_output(void **state)
{
	(void)state;
	open_live();
	assert_int_equal(write(t.command, "CC main.o\r\nCC x.o\r\n", 19), 19);
	key('o');
	waits_for("CC x.o");
	sees("Output");
	key(K_ESC);
	does_not_see("CC main.o");
	sees("cycles");
}

static void test_no_output_is_not_offered(void **state)
{
	int fd = t.live.command_fd;

	(void)state;
	t.live.command_fd = -1;
	open_live();
	does_not_see("output");
	t.live.command_fd = fd;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sizes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_start_is_not_waited_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_start_fails, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_start_is_given_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_quit_while_it_starts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_cannot_be_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_more_events_than_room, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_columns_do_not_move, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pause_and_go_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_folds_and_cursor_survive, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_search, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stop_hands_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_capped_profile_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_success_is_browsed_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_failure_is_seen_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_error_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_q_asks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_quit_waits_for_the_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_quit_twice, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_command_that_does_not_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nobody_is_killed_where_no_command_is, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_output, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_output_is_not_offered, set_up, tear_down),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests_name("view/live", tests, NULL, NULL);
}
