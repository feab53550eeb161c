/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "term/loop.h"
#include "unit/ui/screen.h"

static int paints, ticks, bytes, finished;
static struct loop *loop;
static bool ended;

static void on_paint(void *ctx)
{
	(void)ctx;
	paints++;
}

static void on_finish(void *ctx, int sig)
{
	(void)ctx;
	finished = sig;
	ended = true;
}

static const struct loop_ops ops = { .paint = on_paint, .finish = on_finish };

static int setup(void **state)
{
	(void)state;
	paints = ticks = bytes = finished = 0;
	ended = false;
	loop = loop_new(NULL, &ops, NULL, NULL);
	return loop ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	loop_free(loop);
	return 0;
}

static void run_to_end(void)
{
	while (!ended)
		assert_int_equal(loop_turn(loop, -1), 0);
}

static unsigned tick_id;

static void stop(void *ctx)
{
	(void)ctx;
	ended = true;
}

static void on_tick(void *ctx)
{
	(void)ctx;
	if (++ticks == 3) {
		loop_remove(loop, tick_id);
		loop_after(loop, 20, stop, NULL); /* time for a tick that must not come */
	}
	loop_dirty(loop);
	loop_dirty(loop);
}

static void test_timers(void **state)
{
	(void)state;
	tick_id = loop_every(loop, 1, on_tick, NULL);
	assert_int_not_equal(tick_id, 0);
	run_to_end();
	/* removed in its third call; painted once for each, and before, unless a tick was due by then */
	assert_int_equal(ticks, 3);
	assert_in_range(paints, 3, 4);
}

static unsigned watch_id;

static void on_bytes(void *ctx)
{
	const int *fd = ctx;
	char c;

	assert_int_equal(read(*fd, &c, 1), 1);
	if (++bytes == 3) {
		loop_remove(loop, watch_id);
		loop_after(loop, 5, stop, NULL);
	}
}

static void test_watch(void **state)
{
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "12345", 5), 5);
	watch_id = loop_watch(loop, fds[0], on_bytes, &fds[0]);
	run_to_end();
	assert_int_equal(bytes, 3);
	close(fds[0]);
	close(fds[1]);
}

static int pipes[3][2];
static unsigned ids[3];
static int calls[3];

static void open_pipes(void)
{
	memset(calls, 0, sizeof(calls));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(pipe(pipes[i]), 0);
		assert_int_equal(write(pipes[i][1], "1", 1), 1);
	}
}

static void close_pipes(void)
{
	for (int i = 0; i < 3; i++) {
		close(pipes[i][0]);
		close(pipes[i][1]);
	}
}

static void on_late(void *ctx)
{
	calls[2]++;
	loop_remove(loop, *(unsigned *)ctx);
}

/* Removes itself and its neighbour, which is ready as well; its fd number is reused. */
static void on_first(void *ctx)
{
	int fd = pipes[0][0];

	(void)ctx;
	calls[0]++;
	loop_remove(loop, ids[0]);
	loop_remove(loop, ids[0]);
	loop_remove(loop, ids[1]);
	close(fd);
	assert_int_equal(dup2(pipes[2][0], fd), fd);
	/* enough to reallocate the watches while iterating */
	for (int i = 0; i < 40; i++) {
		ids[2] = loop_watch(loop, fd, on_late, &ids[2]);
		assert_int_not_equal(ids[2], 0);
		if (i < 39)
			loop_remove(loop, ids[2]);
	}
}

static void on_second(void *ctx)
{
	(void)ctx;
	calls[1]++;
}

static void test_remove_in_handler(void **state)
{
	(void)state;
	open_pipes();
	ids[0] = loop_watch(loop, pipes[0][0], on_first, NULL);
	ids[1] = loop_watch(loop, pipes[1][0], on_second, NULL);
	assert_int_equal(loop_turn(loop, 0), 0);
	assert_int_equal(calls[0], 1);
	assert_int_equal(calls[1], 0);
	/* the new one begins with the next turn, and ends in it */
	assert_int_equal(calls[2], 0);
	assert_int_equal(loop_turn(loop, 0), 0);
	assert_int_equal(loop_turn(loop, 0), 0);
	assert_int_equal(calls[0], 1);
	assert_int_equal(calls[1], 0);
	assert_int_equal(calls[2], 1);
	loop_remove(loop, 0);
	loop_remove(loop, 4711);
	close_pipes();
}

static unsigned timer_ids[2];

static void on_both(void *ctx)
{
	ticks++;
	/* the first one removes both, and adds others */
	loop_remove(loop, timer_ids[0]);
	loop_remove(loop, timer_ids[1]);
	if (ctx)
		return;
	for (int i = 0; i < 40; i++)
		assert_int_not_equal(loop_after(loop, i ? 100000 : 1, on_both, loop), 0);
}

static void test_timers_that_end_each_other(void **state)
{
	(void)state;
	timer_ids[0] = loop_every(loop, 0, on_both, NULL);
	timer_ids[1] = loop_every(loop, 0, on_both, NULL);
	while (!ticks)
		assert_int_equal(loop_turn(loop, -1), 0);
	assert_int_equal(ticks, 1);
	while (ticks < 2)
		assert_int_equal(loop_turn(loop, -1), 0);
	assert_int_equal(ticks, 2);
}

static void test_signal(void **state)
{
	(void)state;
	assert_int_equal(loop_turn(loop, 0), 0);
	raise(SIGTERM);
	assert_int_equal(loop_turn(loop, -1), 0);
	assert_int_equal(finished, SIGTERM);
	assert_int_equal(loop_signal(loop), SIGTERM);
}

static void test_idle(void **state)
{
	(void)state;
	assert_int_equal(loop_turn(loop, 0), 0);
	assert_int_equal(paints, 1);
	assert_int_equal(loop_turn(loop, 0), 0);
	assert_int_equal(paints, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_timers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_watch, setup, teardown),
		cmocka_unit_test_setup_teardown(test_remove_in_handler, setup, teardown),
		cmocka_unit_test_setup_teardown(test_timers_that_end_each_other, setup, teardown),
		cmocka_unit_test_setup_teardown(test_signal, setup, teardown),
		cmocka_unit_test_setup_teardown(test_idle, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
