/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Live screen: how it is opened and left. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit/profile/made.h"
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
	/* in a thread */
	while (!t.live.freed)
		usleep(1000);
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

static void test_capped_profile_is_reported(void **state)
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

/* The command is killed then, which is not why. */
static void test_a_limit_is_why_it_ends(void **state)
{
	(void)state;
	open_live();
	t.live.status = 15;
	t.live.stats.limit_reached = true;
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 0);
	sees("All counters have reached --overflow-limit: the recording has ended.");
	key(K_ENTER);
	assert_int_equal(t.done, 1);
	sees("All counters have reached --overflow-limit: the recording has ended.");
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

static void test_error_is_reported(void **state)
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

/* An ended recording can be browsed, and is not stopped again. */
static void test_an_ended_one_is_not_stopped(void **state)
{
	(void)state;
	publish(made(70, 30));
	open_live();
	draw(24, 140);
	sees("Enter stop & browse");
	t.live.status = 2 << 8;
	end(PTUI_LIVE_ENDED);
	key(K_CTRL | 'l');
	sees("Enter browse");
	does_not_see("stop & browse");
	key('?');
	draw(70, 140);
	sees("browse what was recorded");
	does_not_see("end the recording and browse it");
	key(K_ESC);
	key(K_ENTER);
	assert_int_equal(t.done, 1);
}

/* Without a file and samples there is nothing to browse. */
static void test_nothing_to_browse(void **state)
{
	(void)state;
	t.live.no_file = true;
	open_live();
	draw(24, 140);
	sees("Enter stop & browse");
	t.live.status = 2 << 8;
	end(PTUI_LIVE_FAILED);
	key(K_CTRL | 'l');
	sees("✗ failed");
	does_not_see("Enter ");
	key(K_ENTER);
	sees("No samples were taken.");
	assert_int_equal(t.done, 0);
}

/* "REC" is shown only when writing a file. */
static void test_top_does_not_record(void **state)
{
	(void)state;
	t.live.no_file = true;
	open_live();
	sees("● LIVE 00:12.4");
	does_not_see("REC");
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

/* The second quit kills it; freeing waits for it. */
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

/* Enter requests the end; again kills; leaving does not ask again. */
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

static void test_no_kill_without_a_command(void **state)
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

static unsigned unwound;

static void use_unwound(void *ctx)
{
	(void)ctx;
	unwound++;
}

static struct ptui_profile *broken_stacks(void)
{
	struct made *m = made_new();

	made_sample(m, "_start main run", 25, 1);
	made_sample(m, "lib:sort", 25, 2);
	made_sample(m, "lib:sort run", 25, 3);
	made_sample(m, "gone:0x10", 25, 4);
	return made_take(m);
}

static void open_with_broken_stacks(bool from_setup)
{
	struct live_view_opts opts = { .live = &t.live,
				       .target = "make -j2",
				       .change_events = change_events,
				       .use_unwound = from_setup ? use_unwound : NULL,
				       .again = again };
	struct ptui_profile *p = broken_stacks();

	memset(&events, 0, sizeof(events));
	unwound = 0;
	p->trust.unverified = 1;
	publish(p);
	t.live.events[0].enabled_ns = 1000;
	t.live.events[0].running_ns = 250;
	assert_int_equal(live_view_open(t.stack, &opts, NULL), 0);
	draw(40, 120);
	wake();
	waits_for("sort");
	sees("! unverified 25.0%");
	sees("! stacks reach start 25%");
}

/* The first warning wins over what is less important; if it is still too long, that shows. */
static void test_trust_without_room(void **state)
{
	(void)state;
	open_with_broken_stacks(true);
	taken(PTUI_SNAPSHOT_ASKED, NULL);
	wake();
	sees("snapshots 1 (last 00:03.0)");
	draw(40, 80);
	sees("samples 96204 · lost 0 · ! unverified 25.0% · ! stacks reach start 25%");
	does_not_see("snapshots 1");
	draw(10, 40);
	sees("samples 96204 · ! unverified 25.0%");
	t.live.stats.lost = 1;
	wake();
	sees("lost 1 (0.0 %) · ! unv…");
}

/* The facts of the Browser, of this view; r records again with unwound stacks. */
static void test_trust(void **state)
{
	(void)state;
	open_with_broken_stacks(true);
	key('T');
	draw(40, 120);
	sees("─ Data quality");
	sees("! unknown 25.0% (gone)");
	sees("! unverified 25.0%");
	sees("! running 25.0%");
	sees("(M) list the DSOs without symbols");
	sees("(r) record again with unwound stacks");
	key('r');
	draw(40, 120);
	does_not_see("Data quality");
	assert_int_equal(unwound, 1);
	assert_int_equal(t.live.stops, 1);
	sees("Stopping this recording and starting the next one.");
	end(PTUI_LIVE_ENDED);
	assert_int_equal(events.again, 1);
}

/* As in top, which has no Setup. */
static void test_trust_without_setup(void **state)
{
	(void)state;
	open_with_broken_stacks(false);
	key('T');
	draw(40, 120);
	sees("Data quality");
	sees("Record again with unwound");
	does_not_see("(r) record");
	key('r');
	assert_int_equal(t.live.stops, 0);
}

/* The list stays up to date while it is shown. */
static void test_symbols(void **state)
{
	struct made *m = made_new();

	(void)state;
	open_with_broken_stacks(true);
	key('M');
	draw(40, 120);
	sees("Live › DSOs without symbols");
	sees("25.00%  gone  file not found");
	made_sample(m, "gone:0x10", 99, 4);
	made_sample(m, "main", 1, 5);
	publish(made_take(m));
	wake();
	waits_for("99.00%  gone  file not found");
	key('q');
	draw(40, 120);
	does_not_see("DSOs without symbols");
	wake();
	key('m');
	draw(60, 120);
	sees("(M) list the DSOs without symbols");
	sees("(T) explain the trust line");
}

/*
 * The recording continues during the choice; then it ends, and its file is complete before the
 * next.
 */
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

/* Browsing can still be chosen instead. */
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

/* Without a callback there is no way to other events. */
static void test_no_way_to_other_events(void **state)
{
	(void)state;
	open_live();
	key('r');
	sees("The events can only be changed in Setup");
	assert_int_equal(t.live.stops, 0);
}

/* ---- where a question comes ---- */

static const struct live_case {
	const char *what, *reason;
	bool command, ended, stopping, no_file;
	uint64_t unsaved;
	key_code key;
	const char *asks;
} live_cases[] = {
	{ "Live of a command: ESC", "its work ends", .command = true, .key = K_ESC,
	  .asks = "go on recording" },
	{ "Live of a command: q", "its work ends", .command = true, .key = 'q',
	  .asks = "go on recording" },
	{ "Live of a command: Enter", "that is the key to end it", .command = true,
	  .key = K_ENTER },
	{ "Live of a command that was stopped: ESC", "that it ends is decided", .command = true,
	  .stopping = true, .key = K_ESC },
	{ "Live of processes: ESC", "they go on, and the file stays", .key = K_ESC },
	{ "Live of processes: q", "they go on, and the file stays", .key = 'q' },
	{ "Live that has ended: ESC", "the file stays", .command = true, .ended = true,
	  .key = K_ESC },
	{ "top with samples in no file: ESC", "they are lost", .no_file = true, .unsaved = 5,
	  .key = K_ESC, .asks = "These samples are in no file" },
	{ "top without samples: ESC", "there is nothing to be lost", .no_file = true,
	  .key = K_ESC },
};

static void check_live_case(const struct live_case *c)
{
	int fd = t.live.command_fd;

	print_message("%s: %s, since %s\n", c->what, c->asks ? "asks" : "does not ask", c->reason);
	t.live.no_file = c->no_file;
	t.live.unsaved = c->unsaved;
	if (!c->command)
		t.live.command_fd = -1;
	open_live();
	if (c->stopping)
		key(K_ENTER);
	if (c->ended) {
		t.live.status = 2 << 8;
		end(PTUI_LIVE_ENDED);
	}
	key(c->key);
	if (c->asks) {
		sees(c->asks);
		assert_int_equal(t.live.stops, 0);
	} else {
		does_not_see("go on recording");
		does_not_see("in no file");
		assert_true(c->ended || t.live.stops);
	}
	t.live.command_fd = fd;
}

static void test_where_it_asks(void **state)
{
	for (size_t i = 0; i < sizeof(live_cases) / sizeof(*live_cases); i++) {
		assert_int_equal(set_up(state), 0);
		check_live_case(&live_cases[i]);
		assert_int_equal(tear_down(state), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE(test_start_is_not_waited_for),
		LIVE(test_start_fails),
		LIVE(test_start_is_given_up),
		LIVE(test_quit_while_it_starts),
		LIVE(test_stop_hands_over),
		LIVE(test_capped_profile_is_reported),
		LIVE(test_success_is_browsed_at_once),
		LIVE(test_a_limit_is_why_it_ends),
		LIVE(test_failure_is_seen_first),
		LIVE(test_error_is_reported),
		LIVE(test_an_ended_one_is_not_stopped),
		LIVE(test_nothing_to_browse),
		LIVE(test_top_does_not_record),
		cmocka_unit_test(test_where_it_asks),
		LIVE(test_q_asks),
		LIVE(test_quit_waits_for_the_file),
		LIVE(test_quit_twice),
		LIVE(test_a_command_that_does_not_end),
		LIVE(test_no_kill_without_a_command),
		LIVE(test_trust),
		LIVE(test_trust_without_room),
		LIVE(test_trust_without_setup),
		LIVE(test_symbols),
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
