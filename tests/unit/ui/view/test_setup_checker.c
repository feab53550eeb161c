/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks in a thread: the newest question is answered, older answers are dropped. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "view/setup/setup_checker.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static unsigned n_begun, n_may_end;

/* Waits until the test lets it return; returns what was asked. */
int __wrap_ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret,
			     struct ptui_error *err);

int __wrap_ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret,
			     struct ptui_error *err)
{
	memset(ret, 0, sizeof(*ret));
	pthread_mutex_lock(&lock);
	n_begun++;
	pthread_cond_broadcast(&moved);
	while (n_may_end < n_begun)
		pthread_cond_wait(&moved, &lock);
	pthread_mutex_unlock(&lock);
	if (!opts->n_events)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EIO, NULL, "no idea");
	ret->problems = calloc(1, sizeof(*ret->problems));
	ret->n_problems = 1;
	snprintf(ret->first, sizeof(ret->first), "%s", opts->events[0]);
	return 0;
}

static void wait_begun(unsigned n)
{
	pthread_mutex_lock(&lock);
	while (n_begun < n)
		pthread_cond_wait(&moved, &lock);
	pthread_mutex_unlock(&lock);
}

static void let_end(unsigned n)
{
	pthread_mutex_lock(&lock);
	n_may_end = n;
	pthread_cond_broadcast(&moved);
	pthread_mutex_unlock(&lock);
}

struct world {
	struct loop *loop;
	struct setup_checker checker;
	unsigned n_done;
};

static void no_event(void *ctx, const struct term_event *event)
{
	(void)ctx;
	(void)event;
}

static void no_paint(void *ctx)
{
	(void)ctx;
}

static void done(void *ctx)
{
	struct world *w = ctx;

	w->n_done++;
}

static int setup(void **state)
{
	static const struct loop_ops ops = { .event = no_event, .paint = no_paint };
	struct world *w = calloc(1, sizeof(*w));
	struct ptui_error err = PTUI_ERROR_INIT;

	n_begun = n_may_end = 0;
	w->loop = loop_new(NULL, &ops, w, &err);
	assert_non_null(w->loop);
	assert_int_equal(setup_checker_init(&w->checker, w->loop, done, w), 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	let_end(1000);
	setup_checker_release(&w->checker);
	loop_free(w->loop);
	free(w);
	return 0;
}

static struct ptui_record_line *question(const char *event)
{
	struct ptui_record_line *o;
	struct setup s;

	assert_int_equal(setup_init(&s), 0);
	assert_int_equal(setup_set_command(&s, "true", NULL), 0);
	setup_remove_event(&s, 0);
	if (event)
		assert_int_equal(setup_put_named(&s, "event", event, NULL), 0);
	o = setup_record_line(&s, NULL);
	assert_non_null(o);
	setup_release(&s);
	return o;
}

static void turn_until_done(struct world *w, unsigned n)
{
	while (w->n_done < n)
		assert_int_equal(loop_turn(w->loop, 5000), 0);
}

static void test_answer(void **state)
{
	struct world *w = *state;

	assert_null(w->checker.answer);
	assert_false(w->checker.busy);
	setup_checker_ask(&w->checker, question("a"));
	assert_true(w->checker.busy);
	wait_begun(1);
	assert_null(w->checker.answer);
	let_end(1);
	turn_until_done(w, 1);
	assert_false(w->checker.busy);
	assert_string_equal(w->checker.answer->first, "a");
	assert_null(w->checker.error);
}

static void test_newest_wins(void **state)
{
	struct world *w = *state;

	setup_checker_ask(&w->checker, question("a"));
	wait_begun(1);
	setup_checker_ask(&w->checker, question("b"));
	setup_checker_ask(&w->checker, question("c"));
	let_end(1);
	turn_until_done(w, 1); /* of a, which is void */
	assert_null(w->checker.answer);
	assert_true(w->checker.busy);
	let_end(2);
	turn_until_done(w, 2);
	assert_string_equal(w->checker.answer->first, "c");
	assert_int_equal(n_begun, 2); /* b was never checked */
}

static void test_nothing_to_check(void **state)
{
	struct world *w = *state;

	setup_checker_ask(&w->checker, question("a"));
	wait_begun(1);
	setup_checker_ask(&w->checker, NULL);
	assert_false(w->checker.busy);
	let_end(1);
	turn_until_done(w, 1);
	assert_null(w->checker.answer);
}

static void test_error(void **state)
{
	struct world *w = *state;

	setup_checker_ask(&w->checker, question(NULL));
	let_end(1);
	turn_until_done(w, 1);
	assert_string_equal(w->checker.error->text, "no idea");
	setup_checker_ask(&w->checker, question("a"));
	assert_null(w->checker.error);
	let_end(2);
	turn_until_done(w, 2);
}

/* An answer stays valid until the next one. */
static void test_again(void **state)
{
	struct world *w = *state;

	assert_null(w->checker.last);
	setup_checker_ask(&w->checker, question("a"));
	let_end(1);
	turn_until_done(w, 1);
	setup_checker_again(&w->checker, question("b"));
	wait_begun(2);
	assert_false(w->checker.busy);
	assert_string_equal(w->checker.answer->first, "a");
	let_end(2);
	turn_until_done(w, 2);
	assert_string_equal(w->checker.answer->first, "b");
	setup_checker_ask(&w->checker, question("c"));
	assert_null(w->checker.answer);
	assert_string_equal(w->checker.last->first, "b");
	let_end(3);
	turn_until_done(w, 3);
}

/* Freed while running, with a question pending. */
static void test_end_at_any_time(void **state)
{
	struct world *w = *state;

	setup_checker_ask(&w->checker, question("a"));
	wait_begun(1);
	setup_checker_ask(&w->checker, question("b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_answer), TEST(test_newest_wins), TEST(test_nothing_to_check),
		TEST(test_error),  TEST(test_again),	   TEST(test_end_at_any_time),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
