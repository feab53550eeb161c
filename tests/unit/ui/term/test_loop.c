/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "term/loop.h"
#include "unit/ui/screen.h"

static int paints, ticks, posts, bytes, finished;
static struct loop *loop;

static void on_paint(void *ctx)
{
	(void)ctx;
	paints++;
}

static void on_finish(void *ctx, int sig)
{
	(void)ctx;
	finished = sig;
	loop_quit(loop);
}

static const struct loop_ops ops = { .paint = on_paint, .finish = on_finish };

static int setup(void **state)
{
	(void)state;
	paints = ticks = posts = bytes = finished = 0;
	loop = loop_new(NULL, &ops, NULL, NULL);
	return loop ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	loop_free(loop);
	return 0;
}

static unsigned tick_id;

static void stop(void *ctx)
{
	(void)ctx;
	loop_quit(loop);
}

static void on_tick(void *ctx)
{
	(void)ctx;
	if (++ticks == 3) {
		loop_remove(loop, tick_id);
		loop_after(loop, 20, stop, NULL); /* room for a tick that should not come */
	}
	loop_dirty(loop);
	loop_dirty(loop);
}

static void test_timers(void **state)
{
	(void)state;
	tick_id = loop_every(loop, 1, on_tick, NULL);
	assert_int_not_equal(tick_id, 0);
	assert_int_equal(loop_run(loop), 0);
	/* removed in its third call; painted once at the start and once for each */
	assert_int_equal(ticks, 3);
	assert_int_equal(paints, 4);
}

static void on_post(void *ctx)
{
	/* in order */
	assert_int_equal(posts++, *(int *)ctx);
	if (posts == 100)
		loop_quit(loop);
}

static void *poster(void *numbers)
{
	int i;

	for (i = 0; i < 100; i++)
		assert_int_equal(loop_post(loop, on_post, (int *)numbers + i), 0);
	return NULL;
}

static void test_posts(void **state)
{
	int numbers[100], i;
	pthread_t thread;

	(void)state;
	for (i = 0; i < 100; i++)
		numbers[i] = i;
	assert_int_equal(pthread_create(&thread, NULL, poster, numbers), 0);
	assert_int_equal(loop_run(loop), 0);
	pthread_join(thread, NULL);
	assert_int_equal(posts, 100);
	/* nothing was dirty but the start; which all of them may have come before */
	assert_in_range(paints, 0, 1);
}

static unsigned watch_id;

static void on_bytes(void *ctx, int fd, short revents)
{
	char c;

	(void)ctx;
	assert_true(revents & POLLIN);
	assert_int_equal(read(fd, &c, 1), 1);
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
	watch_id = loop_watch(loop, fds[0], POLLIN, on_bytes, NULL);
	assert_int_equal(loop_run(loop), 0);
	assert_int_equal(bytes, 3);
	close(fds[0]);
	close(fds[1]);
}

static void test_signal(void **state)
{
	(void)state;
	assert_int_equal(loop_turn(loop, 0), 0);
	raise(SIGTERM);
	assert_int_equal(loop_turn(loop, -1), 1);
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
		cmocka_unit_test_setup_teardown(test_posts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_watch, setup, teardown),
		cmocka_unit_test_setup_teardown(test_signal, setup, teardown),
		cmocka_unit_test_setup_teardown(test_idle, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
