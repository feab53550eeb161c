/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks in a thread: the newest question is answered, older answers are dropped. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "view/setup/setup_private.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static unsigned n_begun, n_may_end;
static struct keymaps *keys;

/* Waits until the test lets it return; returns what was asked. */
int __wrap_ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret);

int __wrap_ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret)
{
	memset(ret, 0, sizeof(*ret));
	pthread_mutex_lock(&lock);
	n_begun++;
	pthread_cond_broadcast(&moved);
	while (n_may_end < n_begun)
		pthread_cond_wait(&moved, &lock);
	pthread_mutex_unlock(&lock);
	if (!opts->n_events)
		return ptui_error_set(&ret->error, PTUI_ERROR_SYSTEM, EIO, NULL, "no idea");
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

static int setup(void **state)
{
	struct setup_screen *v = calloc(1, sizeof(*v));
	struct ptui_error err = PTUI_ERROR_INIT;

	n_begun = n_may_end = 0;
	keys = keymaps_new(NULL);
	assert_non_null(keys);
	v->stack = stack_new(NULL, keys, &err);
	assert_non_null(v->stack);
	assert_true(setup_checker_init(v));
	*state = v;
	return 0;
}

static int teardown(void **state)
{
	struct setup_screen *v = *state;

	let_end(1000);
	setup_checker_release(v);
	stack_free(v->stack);
	keymaps_free(keys);
	free(v);
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

static void turn_until_answered(struct setup_screen *v)
{
	while (v->is_checking)
		assert_int_equal(loop_turn(stack_loop(v->stack), 5000), 0);
}

/* Until the n-th question is asked, after the answer to the one before. */
static void turn_until_begun(struct setup_screen *v, unsigned n)
{
	for (unsigned begun = 0; begun < n;) {
		assert_int_equal(loop_turn(stack_loop(v->stack), 10), 0);
		pthread_mutex_lock(&lock);
		begun = n_begun;
		pthread_mutex_unlock(&lock);
	}
}

static void test_answer(void **state)
{
	struct setup_screen *v = *state;

	assert_null(v->answer);
	assert_false(v->is_checking);
	setup_checker_ask(v, question("a"));
	assert_true(v->is_checking);
	wait_begun(1);
	assert_null(v->answer);
	let_end(1);
	turn_until_answered(v);
	assert_string_equal(v->answer->first, "a");
	assert_false(ptui_error_is_set(&v->answer->error));
}

static void test_newest_wins(void **state)
{
	struct setup_screen *v = *state;

	setup_checker_ask(v, question("a"));
	wait_begun(1);
	setup_checker_ask(v, question("b"));
	setup_checker_ask(v, question("c"));
	let_end(1);
	turn_until_begun(v, 2);
	assert_null(v->last); /* the answer to a is void */
	assert_true(v->is_checking);
	let_end(2);
	turn_until_answered(v);
	assert_string_equal(v->answer->first, "c");
	assert_int_equal(n_begun, 2); /* b was never checked */
}

static void test_nothing_to_check(void **state)
{
	struct setup_screen *v = *state;

	setup_checker_ask(v, question("a"));
	wait_begun(1);
	setup_checker_ask(v, NULL);
	assert_false(v->is_checking);
	let_end(1);
	latest_worker_submit(v->checker, question("b"));
	turn_until_begun(v, 2);
	assert_null(v->last);
	setup_checker_ask(v, NULL);
	assert_null(v->answer);
}

static void test_error(void **state)
{
	struct setup_screen *v = *state;

	setup_checker_ask(v, question(NULL));
	let_end(1);
	turn_until_answered(v);
	assert_string_equal(v->answer->error.text, "no idea");
	setup_checker_ask(v, question("a"));
	assert_null(v->answer);
	let_end(2);
	turn_until_answered(v);
	assert_false(ptui_error_is_set(&v->answer->error));
}

/* An answer stays valid until the next one. */
static void test_again(void **state)
{
	struct setup_screen *v = *state;

	setup_checker_ask(v, question("a"));
	let_end(1);
	turn_until_answered(v);
	latest_worker_submit(v->checker, question("b"));
	wait_begun(2);
	assert_false(v->is_checking);
	assert_string_equal(v->answer->first, "a");
	let_end(2);
	while (strcmp(v->answer->first, "b") != 0)
		assert_int_equal(loop_turn(stack_loop(v->stack), 5000), 0);
	setup_checker_ask(v, question("c"));
	assert_null(v->answer);
	assert_string_equal(v->last->first, "b");
	let_end(3);
	turn_until_answered(v);
	assert_string_equal(v->answer->first, "c");
}

/* Freed while running, with a question pending. */
static void test_end_at_any_time(void **state)
{
	struct setup_screen *v = *state;

	setup_checker_ask(v, question("a"));
	wait_begun(1);
	setup_checker_ask(v, question("b"));
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
