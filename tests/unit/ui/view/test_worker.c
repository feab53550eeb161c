/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/need.h"
#include "view/worker.h"

static const struct loop_ops ops = { 0 };
static struct loop *loop;

/* Where the thread and the test wait for each other. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int began, may_end, released, done_calls;

static void set(int *what)
{
	pthread_mutex_lock(&lock);
	(*what)++;
	pthread_cond_broadcast(&news);
	pthread_mutex_unlock(&lock);
}

static void await(const int *what)
{
	pthread_mutex_lock(&lock);
	while (!*what)
		pthread_cond_wait(&news, &lock);
	pthread_mutex_unlock(&lock);
}

static void run(void *task, struct worker *w)
{
	*(int *)task = 1;
	assert_int_equal(worker_progress(w, "working", 1, 3), 0);
	set(&began);
	await(&may_end);
	*(int *)task = worker_is_cancelled(w) ? 3 : 2;
	assert_int_equal(worker_progress(w, "worked", 3, 3), *(int *)task == 3);
}

static void done(void *task, void *owner)
{
	*(int *)owner = *(int *)task;
	done_calls++;
}

static void release(void *task)
{
	free(task);
	set(&released);
}

static const struct worker_ops worker_ops = { run, done, release };

static int setup(void **state)
{
	(void)state;
	began = may_end = released = done_calls = 0;
	loop = loop_new(NULL, &ops, NULL, NULL);
	return loop ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	loop_free(loop);
	return 0;
}

static struct worker *running;

static void start(int *owner)
{
	int *task = calloc(1, sizeof(*task));

	assert_non_null(task);
	assert_true(worker_start(&running, loop, &worker_ops, task, owner, NULL));
	assert_non_null(running);
	await(&began);
}

static void test_done(void **state)
{
	struct worker_state shown;
	int result = 0;

	(void)state;
	start(&result);
	worker_get_state(running, &shown);
	assert_string_equal(shown.what, "working");
	assert_int_equal(shown.done, 1);
	assert_int_equal(shown.total, 3);
	set(&may_end);
	while (!done_calls)
		assert_int_equal(loop_turn(loop, -1), 0);
	assert_int_equal(result, 2);
	assert_null(running);
	await(&released);
}

static void test_cancel(void **state)
{
	int result = 0;

	(void)state;
	start(&result);
	worker_cancel(running);
	set(&may_end);
	while (!done_calls)
		assert_int_equal(loop_turn(loop, -1), 0);
	assert_int_equal(result, 3);
	await(&released);
}

/* The owner does not wait, not even for the loop: the thread frees its data. */
static void test_leave(void **state)
{
	int result = 0;

	(void)state;
	start(&result);
	worker_abandon(&running);
	assert_int_equal(loop_turn(loop, 0), 0);
	set(&may_end);
	await(&released);
	assert_int_equal(loop_turn(loop, 0), 0);
	assert_int_equal(done_calls, 0);
	assert_int_equal(result, 0);
	worker_abandon(&running);
}

/* Ended, but not yet reported. */
static void test_leave_what_has_ended(void **state)
{
	int result = 0;
	struct worker_state shown = { .done = 0 };

	(void)state;
	start(&result);
	set(&may_end);
	while (shown.done != 3)
		worker_get_state(running, &shown);
	worker_abandon(&running);
	await(&released);
	assert_int_equal(loop_turn(loop, 0), 0);
	assert_int_equal(done_calls, 0);
}

static void test_put_away(void **state)
{
	(void)state;
	worker_put_away(release, malloc(1));
	await(&released);
	worker_put_away(release, NULL);
	assert_int_equal(released, 1);
}

/* ---- a thread that loses its CPU while it reports ---- */

static char *text; /* that it reports, in a page that cannot be read for a while */
static size_t text_size;
static atomic_bool is_stopped, may_go_on;

static void stop_thread(int sig)
{
	(void)sig;
	atomic_store(&is_stopped, true);
	while (!atomic_load(&may_go_on))
		usleep(1000);
	mprotect(text, text_size, PROT_READ);
}

static void run_and_stop(void *task, struct worker *w)
{
	sigset_t fault;

	*(int *)task = 1;
	sigemptyset(&fault);
	sigaddset(&fault, SIGSEGV);
	pthread_sigmask(SIG_UNBLOCK, &fault, NULL);
	worker_progress(w, "before", 1, 4);
	set(&began);
	await(&may_end);
	*(int *)task = worker_progress(w, text, 2, 4) ? 3 : 2;
}

static void test_stopped_while_it_reports(void **state)
{
	static const struct worker_ops stopping = { run_and_stop, done, release };
	struct sigaction action = { .sa_handler = stop_thread }, before;
	struct worker_state shown;
	int result = 0, *task = calloc(1, sizeof(*task));

	(void)state;
	text_size = (size_t)sysconf(_SC_PAGESIZE);
	text = mmap(NULL, text_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(text != MAP_FAILED);
	strcpy(text, "after");
	assert_int_equal(mprotect(text, text_size, PROT_NONE), 0);
	assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
	assert_true(worker_start(&running, loop, &stopping, task, &result, NULL));
	await(&began);
	worker_get_state(running, &shown);
	assert_string_equal(shown.what, "before");
	set(&may_end);
	while (!atomic_load(&is_stopped))
		usleep(1000);
	/* nothing of this waits for it */
	worker_get_state(running, &shown);
	assert_string_equal(shown.what, "before");
	assert_int_equal(worker_percent(running), 25);
	worker_cancel(running);
	assert_true(worker_is_cancelled(running));
	atomic_store(&may_go_on, true);
	while (!done_calls)
		assert_int_equal(loop_turn(loop, -1), 0);
	assert_int_equal(result, 3);
	await(&released);
	sigaction(SIGSEGV, &before, NULL);
	munmap(text, text_size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_done, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cancel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_leave, setup, teardown),
		cmocka_unit_test_setup_teardown(test_leave_what_has_ended, setup, teardown),
		cmocka_unit_test_setup_teardown(test_put_away, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stopped_while_it_reports, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
