/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaching to a process in a fake /proc: threads that exit and threads that are created meanwhile.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "event/event.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/target/attach.h"

static const pid_t tids[] = { 100, 101, 102 };

struct world {
	struct fake_kernel kernel;
	struct event_list events;
	struct counters counters;
	struct ptui_error err;
	pid_t newborn, parent;
	pid_t opened; /* give_birth() happens while the samples of this thread are opened on CPU 1 */
	bool born;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct event *ev;

	fake_kernel_init(&w->kernel);
	fake_process(&w->kernel, "app", tids, 3);
	event_list_init(&w->events);
	for (int i = 0; i < 2; i++) {
		ev = event_list_add(&w->events, i ? "dummy" : "cpu-clock");
		ev->kind = EVENT_SOFTWARE;
		ev->attr.size = PTUI_ATTR_SIZE_VER0;
		ev->attr.type = PERF_TYPE_SOFTWARE;
		ev->attr.config = i ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_CPU_CLOCK;
		ev->sideband = i;
	}
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, 4096, NULL), 0);
	w->kernel.on_open_ctx = w;
	w->opened = 102;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	counters_release(&w->counters);
	event_list_release(&w->events);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* -p PID */
static int attach(struct world *w, pid_t pid, bool inherit)
{
	return attach_pid(&w->counters, pid, inherit, &w->err);
}

static bool is_attached(struct world *w, pid_t tid)
{
	return fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, tid, 0) &&
	       fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, tid, 1);
}

/* While the samples of thread `opened` are opened, `parent` forks `newborn`. */
static void give_birth(struct fake_kernel *k, pid_t pid, int cpu,
		       const struct perf_event_attr *attr)
{
	struct world *w = k->on_open_ctx;
	uint32_t fork[6] = { 100, 100, (uint32_t)w->newborn, (uint32_t)w->parent, 0, 0 };
	char name[64];

	if (w->born || pid != w->opened || cpu != 1 || attr->config != PERF_COUNT_SW_CPU_CLOCK)
		return;
	w->born = true;
	snprintf(name, sizeof(name), "proc/100/task/%d/comm", (int)w->newborn);
	fake_file(k, name, "app\n");
	if (w->parent)
		assert_true(fake_emit(k, 0, PERF_RECORD_FORK, 0, fork, sizeof(fork)));
}

static void attaches_every_thread(void **state)
{
	struct world *w = *state;

	assert_int_equal(attach(w, 100, true), 0);
	assert_int_equal(w->counters.n, 12);
	assert_true(is_attached(w, 100));
	assert_true(is_attached(w, 102));
}

static void skips_exited_threads(void **state)
{
	struct world *w = *state;

	w->kernel.dead[w->kernel.n_dead++] = 101;
	assert_int_equal(attach(w, 100, true), 0);
	assert_int_equal(w->counters.n, 8);
	assert_false(is_attached(w, 101));
}

static void finds_a_thread_created_by_one_not_attached(void **state)
{
	struct world *w = *state;

	/* no FORK record: its parent had no sideband yet */
	w->newborn = 103;
	w->kernel.on_open = give_birth;
	assert_int_equal(attach(w, 100, true), 0);
	assert_true(is_attached(w, 103));
}

static void finds_a_thread_created_while_its_parent_is_attached(void **state)
{
	struct world *w = *state;

	/*
	 * FORK by 102, whose sample counters are not all open: they are reopened, so that the child
	 * has none of them, and is attached
	 */
	w->newborn = 103;
	w->parent = 102;
	w->kernel.on_open = give_birth;
	assert_int_equal(attach(w, 100, true), 0);
	assert_true(is_attached(w, 103));
	assert_true(is_attached(w, 102));
	assert_int_equal(w->counters.n, 16);
	/* the samples of 102 twice */
	assert_int_equal(w->kernel.n_opens, 18);
}

/* --overwrite: the ring of the samples belongs to the counter that is closed. */
static void reopens_the_owner_of_an_overwritten_ring(void **state)
{
	struct world *w = *state;
	size_t n_rings = 4; /* two per CPU */

	w->events.v[0].attr.write_backward = 1;
	w->opened = w->parent = 100;
	w->newborn = 103;
	w->kernel.on_open = give_birth;
	assert_int_equal(attach(w, 100, true), 0);
	assert_true(w->born);
	assert_true(is_attached(w, 100) && is_attached(w, 102) && is_attached(w, 103));
	assert_int_equal(w->counters.n, 16);
	assert_int_equal(w->counters.n_rings, n_rings);
	for (size_t i = 0; i < n_rings; i++)
		assert_int_equal(w->counters.rings[i].fd,
				 w->counters.v[w->counters.rings[i].watch].fd);
}

/* -s: without a separate sideband event, every ring belongs to such a counter. */
static void reopens_the_owner_of_every_ring(void **state)
{
	struct world *w = *state;

	event_list_truncate(&w->events, 1);
	w->opened = w->parent = 100;
	w->newborn = 103;
	w->kernel.on_open = give_birth;
	assert_int_equal(attach(w, 100, true), 0);
	assert_true(w->born);
	assert_true(is_attached(w, 100) && is_attached(w, 102) && is_attached(w, 103));
	assert_int_equal(w->counters.n, 8);
	assert_int_equal(w->counters.n_rings, 2);
	assert_int_equal(w->kernel.n_opens, 10);
}

static void skips_a_thread_that_inherited(void **state)
{
	struct world *w = *state;

	w->newborn = 103;
	w->parent = 100;
	w->kernel.on_open = give_birth;
	assert_int_equal(attach(w, 100, true), 0);
	assert_true(w->born);
	assert_false(is_attached(w, 103));
	assert_int_equal(w->counters.n, 12);
}

static void attaches_all_without_inheritance(void **state)
{
	struct world *w = *state;

	w->newborn = 103;
	w->parent = 100;
	w->kernel.on_open = give_birth;
	assert_int_equal(attach(w, 100, false), 0);
	assert_true(is_attached(w, 103));
}

static void reports_that_a_process_has_exited(void **state)
{
	struct world *w = *state;

	assert_int_equal(attach(w, 4242, true), -ESRCH);
	assert_string_equal(w->err.text, "no process 4242");

	/* listed, but all dead when they are opened */
	memset(&w->err, 0, sizeof(w->err));
	memcpy(w->kernel.dead, tids, sizeof(tids));
	w->kernel.n_dead = 3;
	assert_int_equal(attach(w, 100, true), -ESRCH);
	assert_string_equal(w->err.text, "no process 100");
	assert_int_equal(w->counters.n, 0);
}

static void vanish(struct fake_kernel *k, pid_t pid, int cpu, const struct perf_event_attr *attr)
{
	(void)cpu;
	(void)attr;
	if (pid == 102)
		fake_remove(k, "proc/100");
}

static void a_process_may_exit_after_attaching(void **state)
{
	struct world *w = *state;

	w->kernel.on_open = vanish;
	assert_int_equal(attach(w, 100, true), 0);
	assert_false(ptui_error_is_set(&w->err));
	assert_int_equal(w->counters.n, 12);
}

static void reports_a_refusal(void **state)
{
	struct world *w = *state;

	w->kernel.privileged = false;
	fake_set_paranoid(&w->kernel, 3);
	assert_int_equal(attach(w, 100, true), -EACCES);
	assert_non_null(strstr(w->err.text, "cpu-clock"));
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(attaches_every_thread),
		IN_WORLD(skips_exited_threads),
		IN_WORLD(finds_a_thread_created_by_one_not_attached),
		IN_WORLD(finds_a_thread_created_while_its_parent_is_attached),
		IN_WORLD(reopens_the_owner_of_an_overwritten_ring),
		IN_WORLD(reopens_the_owner_of_every_ring),
		IN_WORLD(skips_a_thread_that_inherited),
		IN_WORLD(attaches_all_without_inheritance),
		IN_WORLD(reports_that_a_process_has_exited),
		IN_WORLD(a_process_may_exit_after_attaching),
		IN_WORLD(reports_a_refusal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
