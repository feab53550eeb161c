/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live screen: how it comes, and what comes behind it. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit/ui/view/live_made.h"

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
	waits_for("ESC cancels");
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

/* Enter asks it to end; again to kill it; what is asked first is not asked again by leaving. */
static void test_a_command_that_does_not_end(void **state)
{
	(void)state;
	open_live();
	key(K_ENTER);
	key(K_CTRL | 'c');
	assert_int_equal(t.live.stops, 1);
	waits_for("again to kill it");
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

/* ---- other events ---- */

static struct {
	unsigned asked, again;
	unsigned (*taken)(void *live);
	void *live;
	char path[64];
} events;

static unsigned change_events(void *ctx, unsigned (*call)(void *live), void *live)
{
	(void)ctx;
	events.asked++;
	events.taken = call;
	events.live = live;
	return WISH_REDRAW;
}

static void again(void *ctx, const char *path)
{
	(void)ctx;
	events.again++;
	snprintf(events.path, sizeof(events.path), "%s", path);
	assert_true(t.live.freed);
}

static void open_changeable(void)
{
	struct live_view_opts opts = { .live = &t.live,
				       .target = "make -j2",
				       .change_events = change_events,
				       .again = again };

	memset(&events, 0, sizeof(events));
	assert_int_equal(live_view_open(t.stack, &opts, NULL), 0);
}

/* While they are chosen it goes on; when they are, it ends, and its file is whole before the next. */
static void test_other_events(void **state)
{
	(void)state;
	open_changeable();
	key('r');
	assert_int_equal(events.asked, 1);
	assert_int_equal(t.live.stops, 0);
	events.taken(events.live);
	assert_int_equal(t.live.stops, 1);
	assert_int_equal(events.again, 0);
	sees("stopping");
	/* the command failed, and that is to be expected: it was ended */
	t.live.status = 15;
	end(PTUI_LIVE_ENDED);
	assert_int_equal(events.again, 1);
	assert_string_equal(events.path, "/tmp/perf.data");
	sees("what is below");
}

static void test_other_events_of_an_ended_one(void **state)
{
	(void)state;
	open_changeable();
	key('r');
	t.live.status = 3 << 8;
	end(PTUI_LIVE_ENDED);
	assert_int_equal(events.again, 0);
	events.taken(events.live);
	assert_int_equal(events.again, 0); /* what they were chosen on is still there */
	while (!events.again)
		loop_turn(stack_loop(t.stack), 1000);
	assert_int_equal(t.live.stops, 0);
	sees("what is below");
}

static void test_no_other_events_after_an_error(void **state)
{
	(void)state;
	open_changeable();
	key('r');
	events.taken(events.live);
	t.live.join = -ENOSPC;
	end(PTUI_LIVE_FAILED);
	assert_int_equal(events.again, 0);
	sees("The disk is full.");
	key(K_ESC);
	sees("✗ failed");
}

/* The same key again kills a command that does not end, and the next recording is waited for. */
static void test_other_events_of_a_command_that_does_not_end(void **state)
{
	(void)state;
	open_changeable();
	key('r');
	events.taken(events.live);
	waits_for("again to kill it");
	key('r');
	sees("The command is being killed.");
	assert_int_equal(events.asked, 1);
	while (t.live.stops < 3)
		loop_turn(stack_loop(t.stack), 1000);
	t.live.status = 9;
	end(PTUI_LIVE_ENDED);
	assert_int_equal(events.again, 1);
}

/* Who wants to browse after all browses. */
static void test_stop_instead_of_other_events(void **state)
{
	(void)state;
	open_changeable();
	key('r');
	events.taken(events.live);
	key('q');
	key('q');
	end(PTUI_LIVE_ENDED);
	assert_int_equal(events.again, 0);
	sees("what is below");
}

/* Whoever opened it has no way to other events. */
static void test_no_way_to_other_events(void **state)
{
	(void)state;
	open_live();
	key('r');
	sees("The events can only be changed in Setup");
	assert_int_equal(t.live.stops, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE(test_start_is_not_waited_for),
		LIVE(test_start_fails),
		LIVE(test_start_is_given_up),
		LIVE(test_quit_while_it_starts),
		LIVE(test_stop_hands_over),
		LIVE(test_capped_profile_is_told),
		LIVE(test_success_is_browsed_at_once),
		LIVE(test_failure_is_seen_first),
		LIVE(test_error_is_told),
		LIVE(test_q_asks),
		LIVE(test_quit_waits_for_the_file),
		LIVE(test_quit_twice),
		LIVE(test_a_command_that_does_not_end),
		LIVE(test_nobody_is_killed_where_no_command_is),
		LIVE(test_other_events),
		LIVE(test_other_events_of_an_ended_one),
		LIVE(test_no_other_events_after_an_error),
		LIVE(test_other_events_of_a_command_that_does_not_end),
		LIVE(test_stop_instead_of_other_events),
		LIVE(test_no_way_to_other_events),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests_name("view/live: the ways in and out", tests, NULL, NULL);
}
