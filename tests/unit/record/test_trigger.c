/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Automatic snapshots on a fake kernel: when a condition becomes true, and each time a trigger
 * event occurs.
 */
#include <errno.h>
#include <math.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/recording.h"
#include "record/snapshot/triggers.h"

#define PID 100
#define MS  1000000u

struct world {
	struct fake_kernel kernel;
	struct event_list events;
	struct counters counters;
	struct snapshots snapshots;
	struct triggers triggers;
	struct fake_fd *faults[2], *switches[2]; /* by CPU */
	char told[1024];
	/* kept samples, and the result */
	struct record_sink sink;
	struct pump_counts counts;
	struct pump pump;
	unsigned delivered, taken;
	/* of a whole recording */
	struct ptui_recording *recording;
	struct ptui_record_opts opts;
	char output[96];
	pid_t pid;
};

static void hear(void *ctx, enum ptui_log_level level, const char *tag, const char *text)
{
	struct world *w = ctx;
	size_t n = strlen(w->told);

	(void)level;
	(void)tag;
	snprintf(w->told + n, sizeof(w->told) - n, "%s\n", text);
}

static void add_event(struct world *w, const char *name, uint64_t config)
{
	struct event *ev = event_list_add(&w->events, name);

	assert_non_null(ev);
	ev->kind = EVENT_SOFTWARE;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = config;
	ev->attr.size = PTUI_ATTR_SIZE_VER0;
	ev->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

static int setup(void **state)
{
	static const pid_t tids[] = { PID, PID + 1 };
	struct world *w = calloc(1, sizeof(*w));
	struct ptui_error err = PTUI_ERROR_INIT;

	fake_kernel_init(&w->kernel);
	fake_process(&w->kernel, "app", tids, 2);
	ptui_log_set(hear, w, PTUI_LOG_WARN);
	event_list_init(&w->events);
	add_event(w, "page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	add_event(w, "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, 0, &err), 0);
	assert_int_equal(counters_open(&w->counters, -1, &err), 0);
	for (int cpu = 0; cpu < 2; cpu++) {
		w->faults[cpu] = fake_find(&w->kernel, PERF_TYPE_SOFTWARE,
					   PERF_COUNT_SW_PAGE_FAULTS, -1, cpu);
		w->switches[cpu] = fake_find(&w->kernel, PERF_TYPE_SOFTWARE,
					     PERF_COUNT_SW_CONTEXT_SWITCHES, -1, cpu);
	}
	assert_int_equal(snapshots_init(&w->snapshots, &err), 0);
	assert_int_equal(triggers_init(&w->triggers, &err), 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_recording_free(w->recording);
	triggers_release(&w->triggers);
	pump_release(&w->pump);
	record_sink_release(&w->sink);
	snapshots_release(&w->snapshots);
	counters_release(&w->counters);
	event_list_release(&w->events);
	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* The reason of a snapshot requested since the last call; -1: none. */
static int asked(struct world *w)
{
	uint64_t was = atomic_exchange(&w->snapshots.asked, 0);

	return was ? (int)(was & 7) : -1;
}

static int turn(struct world *w)
{
	size_t n = triggers_n_fds(&w->triggers);
	struct pollfd fds[8];

	assert_in_range(n, 1, 8);
	triggers_fill_poll(&w->triggers, fds);
	w->kernel.ops.poll(w->kernel.ops.ctx, fds, n, 0);
	triggers_turn(&w->triggers, fds);
	return asked(w);
}

/* `n` events occur on a CPU within `ms`. */
static void count(struct fake_fd **of, int cpu, uint64_t ms, uint64_t n)
{
	of[cpu]->count += n;
	of[cpu]->enabled_ns += ms * MS;
	of[cpu]->running_ns += ms * MS;
}

/* Advances time by `ms`, with `faults` page faults on the first CPU; then takes a turn. */
static int pass(struct world *w, uint64_t ms, uint64_t faults)
{
	count(w->faults, 0, ms, faults);
	w->kernel.now_ns += ms * MS;
	return turn(w);
}

static void begin(struct world *w, const char *when)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (triggers_begin(&w->triggers, &w->counters, &w->snapshots, &when, when != NULL, &err))
		fail_msg("%s", err.text);
}

#define NOBODY -1

static void comes_true(void **state)
{
	struct world *w = *state;

	begin(w, "page-faults/s > 1000");
	assert_int_equal(pass(w, 100, 1000000),
			 NOBODY); /* no interval before the first evaluation */
	assert_int_equal(pass(w, 100, 50), NOBODY);
	assert_int_equal(pass(w, 100, 200), PTUI_SNAPSHOT_WHEN);
	/* it is true, but does not become true */
	for (int i = 0; i < 50; i++)
		assert_int_equal(pass(w, 100, 500), NOBODY);
	assert_int_equal(pass(w, 100, 50), NOBODY);
	assert_int_equal(pass(w, 100, 500), PTUI_SNAPSHOT_WHEN);
	assert_string_equal(w->told, "");
}

/* Adds up both CPUs, and scales for multiplexing. */
static void adds_up_and_scales(void **state)
{
	struct world *w = *state;

	begin(w, "page-faults/s > 1000");
	assert_int_equal(pass(w, 100, 0), NOBODY);
	count(w->faults, 1, 100, 60);
	assert_int_equal(pass(w, 100, 60), PTUI_SNAPSHOT_WHEN);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	w->kernel.now_ns += 2000 * (uint64_t)MS;
	assert_int_equal(pass(w, 100, 0), NOBODY);
	/* scheduled for a quarter of the time: scaled to about four times as many */
	w->faults[0]->enabled_ns *= 4;
	assert_int_equal(pass(w, 100, 0), PTUI_SNAPSHOT_WHEN);
}

/* Between evaluations nothing is read, and a turn costs nothing. */
static void evaluates_ten_times_per_second(void **state)
{
	struct world *w = *state;
	uint64_t before;

	assert_int_equal(triggers_n_fds(&w->triggers), 1);
	begin(w, NULL);
	assert_int_equal(triggers_wait_ms(&w->triggers, 1000), 1000); /* nothing is armed */
	assert_int_equal(triggers_arm(&w->triggers, "page-faults/s > 1000", NULL), 0);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_in_range(triggers_wait_ms(&w->triggers, 1000), 95, 101);
	assert_int_equal(triggers_wait_ms(&w->triggers, 20), 20);
	before = w->triggers.when.evaluated_ns;
	assert_int_equal(pass(w, 50, 500), NOBODY);
	assert_true(w->triggers.when.evaluated_ns == before);
	assert_in_range(triggers_wait_ms(&w->triggers, 1000), 45, 51);
	assert_int_equal(pass(w, 50, 0), PTUI_SNAPSHOT_WHEN);
}

static void at_most_one_a_second(void **state)
{
	struct world *w = *state;
	int i;

	begin(w, "page-faults/s > 1000");
	assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_int_equal(pass(w, 100, 500), PTUI_SNAPSHOT_WHEN);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_string_equal(w->told, "");
	/* again, but no longer true when the second has passed: none */
	assert_int_equal(pass(w, 100, 500), NOBODY);
	assert_non_null(strstr(w->told, "at most one snapshot per second"));
	for (i = 0; i < 20; i++)
		assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_int_equal(pass(w, 100, 500), PTUI_SNAPSHOT_WHEN);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	/* again, and it stays so: when the second has passed */
	for (i = 0; i < 20 && pass(w, 100, 500) == NOBODY; i++)
		;
	assert_in_range(i, 6, 8);
	for (i = 0; i < 20; i++)
		assert_int_equal(pass(w, 100, 500), NOBODY);
	/* reported once */
	assert_null(strstr(strchr(w->told, '\n') + 1, "at most"));
}

/*
 * While the counters are off, no rate is below a threshold because of that, and none becomes true
 * afterwards.
 */
static void paused(void **state)
{
	struct world *w = *state;

	begin(w, "page-faults/s < 1000");
	assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_int_equal(pass(w, 100, 500), NOBODY);
	counters_disable(&w->counters);
	for (int i = 0; i < 30; i++)
		assert_int_equal(pass(w, 100, 0), NOBODY);
	counters_enable(&w->counters);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_int_equal(pass(w, 100, 500), NOBODY);
	assert_int_equal(pass(w, 100, 10), PTUI_SNAPSHOT_WHEN);
	counters_disable(&w->counters);
	assert_int_equal(pass(w, 2000, 0), NOBODY);
	counters_enable(&w->counters);
	/* it was so before the pause, and still is */
	assert_int_equal(pass(w, 100, 10), NOBODY);
	assert_int_equal(pass(w, 100, 10), NOBODY);
}

static void never_on_a_counter(void **state)
{
	struct world *w = *state;

	w->kernel.never_runs = true;
	begin(w, "context-switches/s < 1000");
	for (int i = 0; i < 10; i++)
		assert_int_equal(pass(w, 100, 0), NOBODY);
	triggers_end(&w->triggers);
	assert_string_equal(
		w->told,
		"'context-switches/s < 1000' was never evaluated: context-switches had no value\n");
}

/* Counters of an exited thread keep their counts; those of a new thread add up. */
static void threads_come_and_go(void **state)
{
	struct world *w = *state;
	struct fake_fd *late;

	begin(w, "page-faults >= 1000");
	assert_int_equal(pass(w, 100, 600), NOBODY);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	w->faults[0]->failed = true; /* unreadable from now on: the others count */
	assert_int_equal(pass(w, 100, 0), NOBODY);
	w->faults[0]->failed = false;
	assert_int_equal(counters_open(&w->counters, PID, NULL), 0);
	late = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, PID, 1);
	assert_non_null(late);
	count(&late, 0, 100, 400);
	assert_int_equal(pass(w, 100, 0), PTUI_SNAPSHOT_WHEN);
}

static void of_control_groups(void **state)
{
	struct world *w = *state;

	/* the second event counts page faults of another cgroup */
	free(w->events.v[1].name);
	w->events.v[1].name = strdup("page-faults");
	w->events.v[0].cgroup = strdup("a");
	w->events.v[1].cgroup = strdup("b");
	begin(w, "page-faults/s > 1000");
	assert_int_equal(pass(w, 100, 0), NOBODY);
	count(w->switches, 0, 100, 60);
	assert_int_equal(pass(w, 100, 60), PTUI_SNAPSHOT_WHEN);
}

static void several_are_one(void **state)
{
	static const char *const when[] = { "page-faults/s > 1000", "context-switches > 10" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_armed armed;
	struct world *w = *state;

	assert_int_equal(triggers_begin(&w->triggers, &w->counters, &w->snapshots, when, 2, &err),
			 0);
	triggers_get_armed(&w->triggers, &armed);
	assert_string_equal(armed.condition, "page-faults/s > 1000 or context-switches > 10");
	assert_int_equal(pass(w, 100, 0), NOBODY);
	count(w->switches, 0, 100, 11);
	assert_int_equal(pass(w, 100, 0), PTUI_SNAPSHOT_WHEN);
	assert_int_equal(pass(w, 100, 500), NOBODY);
}

static void wrong_when(void **state)
{
	static const char *const when[] = { "page-faults > 1", "page-faults >" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct world *w = *state;

	assert_int_equal(triggers_begin(&w->triggers, &w->counters, &w->snapshots, when, 2, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "--snapshot-when: the number to compare with is missing\n"
					 "  page-faults >\n"));
}

/* ---- how many there are ---- */

/* The kept samples at the last snapshot. */
static void keep_samples(struct world *w, int n)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(header) };
	struct memory_ring *m = &w->pump.memory_router.memory;

	for (int i = 0; i < n; i++)
		memory_ring_add(m, &header, sizeof(header), NULL, 0);
}

static void open_pump(struct world *w)
{
	assert_int_equal(pump_init(&w->pump, &w->counters, &w->sink, &w->counts), 0);
	assert_int_equal(pump_use_memory(&w->pump, MEMORY_BYTES_MIN), 0);
	w->triggers.pump = &w->pump;
}

/* Two seconds: false, and true at their end. */
static int again(struct world *w)
{
	pass(w, 1000, 0);
	pass(w, 900, 0);
	return pass(w, 100, 500);
}

/* Most of a snapshot would be in the last one: it is not taken. */
static void half_must_be_new(void **state)
{
	struct world *w = *state;
	struct kept_samples found;

	open_pump(w);
	begin(w, "page-faults/s > 1000");
	keep_samples(w, 1000);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_int_equal(again(w), PTUI_SNAPSHOT_WHEN);
	assert_int_equal(memory_router_read(&w->pump.memory_router, UINT64_MAX, &found), 1);
	assert_int_equal(found.new_samples, 1000);
	for (int i = 0; i < 5; i++) {
		keep_samples(w, 100);
		assert_int_equal(again(w), NOBODY);
	}
	assert_non_null(strstr(w->told, "less than half of the kept samples are new"));
	/* it was false meanwhile: becoming possible is no reason */
	assert_int_equal(pass(w, 100, 0), NOBODY);
	keep_samples(w, 499);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	/* it becomes true, and stays so until half is new */
	assert_int_equal(pass(w, 100, 500), NOBODY);
	keep_samples(w, 1);
	assert_int_equal(pass(w, 100, 500), PTUI_SNAPSHOT_WHEN);
	/* of memory that is full as well */
	assert_int_equal(memory_router_read(&w->pump.memory_router, UINT64_MAX, &found), 1);
	assert_int_equal(found.samples, 2000);
	keep_samples(w, 4000);
	assert_int_equal(again(w), PTUI_SNAPSHOT_WHEN);
	keep_samples(w, 4000);
	assert_int_equal(memory_router_read(&w->pump.memory_router, UINT64_MAX, &found), 1);
	keep_samples(w, 4000);
	assert_int_equal(again(w), NOBODY);
	keep_samples(w, 100);
	assert_int_equal(pass(w, 100, 500), PTUI_SNAPSHOT_WHEN);
	/* reported once */
	assert_null(strstr(strchr(w->told, '\n') + 1, "half"));
}

static void once(void **state)
{
	struct world *w = *state;
	struct ptui_armed armed;

	begin(w, "page-faults/s > 1000, once");
	assert_int_equal(pass(w, 100, 0), NOBODY);
	triggers_get_armed(&w->triggers, &armed);
	assert_false(armed.over);
	assert_int_equal(again(w), PTUI_SNAPSHOT_WHEN);
	triggers_get_armed(&w->triggers, &armed);
	assert_true(armed.over);
	assert_string_equal(armed.condition, "page-faults/s > 1000, once");
	assert_int_equal(again(w), NOBODY);
	assert_int_equal(triggers_wait_ms(&w->triggers, 1000), 1000); /* no evaluation pending */
	assert_int_equal(triggers_arm(&w->triggers, "page-faults/s > 1000, once", NULL), 0);
	assert_int_equal(pass(w, 100, 0), NOBODY);
	assert_int_equal(again(w), PTUI_SNAPSHOT_WHEN);
}

static void limits_of_several(void **state)
{
	static const char *const when[] = { "page-faults > 1, keep 3",
					    "context-switches > 1 , once",
					    "page-faults/s > 9, keep 2" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_armed armed;
	struct world *w = *state;

	assert_int_equal(triggers_begin(&w->triggers, &w->counters, &w->snapshots, when, 3, &err),
			 0);
	triggers_get_armed(&w->triggers, &armed);
	assert_string_equal(armed.condition, "page-faults > 1 or context-switches > 1  or "
					     "page-faults/s > 9, once, keep 3");
	assert_int_equal(w->snapshots.keep_when, 3);
}

/* A snapshot of 100 kept bytes. */
static int deliver(void *ctx, const struct kept_samples *found, struct ptui_snapshot *ret,
		   char **ret_path, struct ptui_error *err)
{
	struct world *w = ctx;
	FILE *f;

	(void)err;
	assert_non_null(found);
	assert_true(asprintf(ret_path, "%s/snapshot.%u", w->kernel.folder, w->delivered++) > 0);
	f = fopen(*ret_path, "w");
	assert_non_null(f);
	fclose(f);
	ret->bytes = 100;
	return 1;
}

static void took(void *ctx, const struct ptui_snapshot *taken)
{
	struct world *w = ctx;

	assert_int_equal(access(taken->path, F_OK), 0);
	w->taken++;
}

/* Its files; those up to `n`. */
static unsigned files_until(const struct world *w, unsigned n)
{
	char path[128];
	unsigned ret = 0;

	for (unsigned i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/snapshot.%u", w->kernel.folder, i);
		ret += !access(path, F_OK);
	}
	return ret;
}

static void deliver_files(struct world *w)
{
	const struct data_writer_opts nowhere = { .nowhere = true, .cancel_fd = -1 };

	w->sink.writer = data_writer_open("", &nowhere, NULL);
	assert_non_null(w->sink.writer);
	open_pump(w);
	w->snapshots.deliver = deliver;
	w->snapshots.took = took;
	w->snapshots.deliver_ctx = w->snapshots.took_ctx = w;
}

static void take_one(struct world *w, enum ptui_snapshot_why why)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	keep_samples(w, 5000);
	snapshots_ask(&w->snapshots, why);
	assert_int_equal(snapshots_take(&w->snapshots, &w->pump, 0, &err), 0);
}

static void keeps_the_last_files(void **state)
{
	struct world *w = *state;
	struct ptui_snapshot s;

	deliver_files(w);
	begin(w, "page-faults/s > 1000, keep 2");
	for (int i = 0; i < 3; i++) {
		take_one(w, PTUI_SNAPSHOT_WHEN);
		take_one(w, PTUI_SNAPSHOT_ASKED);
	}
	assert_int_equal(w->taken, 6);
	/* those requested by the user stay */
	assert_int_equal(files_until(w, 1), 0);
	assert_int_equal(files_until(w, 6), 5);
	assert_true(snapshots_get(&w->snapshots, 0, &s));
	assert_true(s.removed);
	assert_int_equal(snapshots_removed(&w->snapshots), 1);
	assert_true(w->snapshots.when_bytes == 200);
}

static sem_t may_close, closed;

static void close_slowly(int fd)
{
	struct stat st;

	while (sem_wait(&may_close))
		;
	/* the name is gone, the blocks are not */
	if (fstat(fd, &st) || st.st_nlink)
		abort();
	close(fd);
	sem_post(&closed);
}

/* The recorder's thread does not wait until the blocks of a removed file are free. */
static void removes_files_aside(void **state)
{
	struct world *w = *state;

	sem_init(&may_close, 0, 0);
	sem_init(&closed, 0, 0);
	deliver_files(w);
	w->snapshots.rule.max_files = 2;
	w->snapshots.close_removed = close_slowly;
	for (int i = 0; i < 4; i++)
		take_one(w, PTUI_SNAPSHOT_ASKED);
	assert_int_equal(snapshots_removed(&w->snapshots), 2);
	assert_int_equal(files_until(w, 4), 2);
	/* only a limited number is closed in threads; others are closed at once */
	for (int i = 0; i < 10; i++)
		take_one(w, PTUI_SNAPSHOT_ASKED);
	assert_int_equal(snapshots_removed(&w->snapshots), 12);
	for (int i = 0; i < 4; i++)
		sem_post(&may_close);
	for (int i = 0; i < 4; i++)
		while (sem_wait(&closed))
			;
}

static void the_disk_is_not_filled(void **state)
{
	struct ptui_armed armed;
	struct world *w = *state;

	deliver_files(w);
	w->triggers.max_bytes = 250;
	begin(w, "page-faults/s > 1000");
	assert_int_equal(pass(w, 100, 0), NOBODY);
	take_one(w, PTUI_SNAPSHOT_ASKED); /* does not count */
	for (int i = 0; i < 3; i++) {
		keep_samples(w, 5000);
		assert_int_equal(again(w), PTUI_SNAPSHOT_WHEN);
		take_one(w, PTUI_SNAPSHOT_WHEN);
	}
	keep_samples(w, 5000);
	assert_string_equal(w->told, "");
	assert_int_equal(again(w), NOBODY);
	assert_non_null(strstr(w->told, "it takes no more (--snapshot-max-size)"));
	triggers_get_armed(&w->triggers, &armed);
	assert_true(armed.over);
	assert_int_equal(armed.fired, 3);
}

static void the_list_is_bounded(void **state)
{
	struct world *w = *state;
	struct ptui_snapshot s = { .bytes = 0 };

	deliver_files(w);
	begin(w, NULL);
	w->snapshots.listed = 10;
	for (int i = 0; i < 105; i++)
		take_one(w, PTUI_SNAPSHOT_ASKED);
	assert_in_range(w->snapshots.n, 10, 20);
	assert_false(snapshots_get(&w->snapshots, 105, &s));
	for (unsigned i = 95; i < 105; i++) {
		char name[32];

		assert_true(snapshots_get(&w->snapshots, i, &s));
		snprintf(name, sizeof(name), "/snapshot.%u", i);
		assert_non_null(strstr(s.path, name));
	}
	assert_true(snapshots_get(&w->snapshots, 84, &s));
	assert_true(s.forgotten);
	assert_null(s.path);
	/* the list is limited: the files stay */
	assert_int_equal(files_until(w, 105), 105);
}

/* ---- armed meanwhile ---- */

static void armed_and_disarmed(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_armed armed;
	struct world *w = *state;

	begin(w, NULL);
	triggers_get_armed(&w->triggers, &armed);
	assert_null(armed.condition);
	assert_int_equal(pass(w, 100, 500), NOBODY);
	assert_int_equal(
		triggers_arm(&w->triggers, "page-faults/s > 1k and context-switches > 0", &err), 0);
	triggers_get_armed(&w->triggers, &armed);
	assert_int_equal(armed.n_values, 2);
	assert_true(isnan(armed.values[0].value));
	assert_int_equal(armed.values[0].unit, PTUI_ARMED_RATE);
	assert_int_equal(armed.values[1].unit, PTUI_ARMED_COUNT);
	/* it is evaluated at once, which begins its interval */
	assert_int_equal(pass(w, 1, 0), NOBODY);
	count(w->switches, 1, 100, 7);
	assert_int_equal(pass(w, 100, 200), PTUI_SNAPSHOT_WHEN);
	triggers_get_armed(&w->triggers, &armed);
	assert_true(armed.holds);
	assert_int_equal(armed.fired, 1);
	assert_true(fabs(armed.values[0].value - 2000) < 10);
	assert_true(armed.values[1].value == 7);
	/* errors change nothing */
	assert_int_equal(triggers_arm(&w->triggers, "page-faults/s >", &err), -EINVAL);
	triggers_get_armed(&w->triggers, &armed);
	assert_string_equal(armed.condition, "page-faults/s > 1k and context-switches > 0");
	assert_int_equal(triggers_arm(&w->triggers, NULL, &err), 0);
	triggers_get_armed(&w->triggers, &armed);
	assert_null(armed.condition);
	assert_int_equal(armed.n_values, 0);
	assert_int_equal(pass(w, 2000, 0), NOBODY);
	assert_int_equal(pass(w, 100, 500), NOBODY);
}

/* ---- events ---- */

static void add_trigger(struct world *w, const char *text)
{
	struct catalog *catalog = catalog_new(&w->kernel.ops.roots);
	struct ptui_error err = PTUI_ERROR_INIT;

	if (trigger_event_add(&w->triggers.event, catalog, text, NULL, &err))
		fail_msg("%s: %s", text, err.text);
	catalog_free(catalog);
}

static void open_trigger(struct world *w, const struct target *target)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	fake_file(&w->kernel, "proc/self/task/4242/comm", "ptui\n");
	if (trigger_event_open(&w->triggers.event, NULL, &w->kernel.ops, target, &err))
		fail_msg("%s", err.text);
	begin(w, NULL);
}

static void happen(struct world *w, int cpu, pid_t pid)
{
	uint32_t body[2] = { (uint32_t)pid, (uint32_t)pid };

	assert_true(fake_emit(&w->kernel, cpu, PERF_RECORD_SAMPLE, 0, body, sizeof(body)));
}

static void each_hit(void **state)
{
	const struct target command = { .inherit = true };
	struct world *w = *state;
	const struct fake_fd *f;

	add_trigger(w, "cpu-migrations,minor-faults/period=10/");
	open_trigger(w, &command);
	/* on all CPUs, though a command is recorded; both events in one ring per CPU */
	assert_int_equal(triggers_n_fds(&w->triggers), 1 + 2);
	f = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, -1, 1);
	assert_non_null(f);
	assert_true(f->enabled && !f->attr.inherit);
	assert_int_equal(f->attr.sample_period, 1);
	assert_int_equal(f->attr.wakeup_events, 1);
	f = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, -1, 0);
	assert_non_null(f);
	assert_int_equal(f->attr.sample_period, 10);

	assert_int_equal(turn(w), NOBODY);
	happen(w, 1, PID);
	assert_int_equal(turn(w), PTUI_SNAPSHOT_EVENT);
	assert_int_equal(turn(w), NOBODY);
	assert_true(fake_is_drained(&w->kernel, 1));
	/* many at once are one */
	for (int i = 0; i < 20; i++)
		happen(w, i % 2, PID);
	assert_int_equal(turn(w), PTUI_SNAPSHOT_EVENT);
	assert_int_equal(turn(w), NOBODY);
	/* events of ptui itself do not count */
	happen(w, 0, getpid());
	assert_int_equal(turn(w), NOBODY);
	assert_true(fake_is_drained(&w->kernel, 0));
}

/* If the ring was full, the events must have been hits. */
static void lost_hits(void **state)
{
	const struct target all = { .system_wide = true };
	uint64_t lost[2] = { 1, 3 };
	struct world *w = *state;

	add_trigger(w, "cpu-migrations");
	open_trigger(w, &all);
	assert_true(fake_emit(&w->kernel, 0, PERF_RECORD_LOST, 0, lost, sizeof(lost)));
	assert_int_equal(turn(w), PTUI_SNAPSHOT_EVENT);
	assert_true(fake_emit(&w->kernel, 0, PERF_RECORD_THROTTLE, 0, lost, sizeof(lost)));
	assert_int_equal(turn(w), NOBODY);
}

static void on_tasks(void **state)
{
	pid_t pid = PID;
	const struct target tasks = { .pids = &pid, .n_pids = 1, .inherit = true };
	struct world *w = *state;
	const struct fake_fd *f;

	add_trigger(w, "cpu-migrations");
	open_trigger(w, &tasks);
	assert_null(fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, -1, 0));
	for (pid_t tid = PID; tid <= PID + 1; tid++) {
		f = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, tid, 0);
		assert_non_null(f);
		assert_true(f->enabled && f->attr.inherit);
	}
	happen(w, 0, PID);
	assert_int_equal(turn(w), PTUI_SNAPSHOT_EVENT);
	/* no target is left */
	fake_end_task(&w->kernel, PID);
	fake_end_task(&w->kernel, PID + 1);
	assert_int_equal(turn(w), NOBODY);
	assert_int_equal(turn(w), NOBODY);
}

static void happens_all_the_time(void **state)
{
	static const char *const texts[] = { "cpu-clock", "task-clock:u", "cycles" };
	struct world *w = *state;
	struct catalog *catalog = catalog_new(&w->kernel.ops.roots);

	for (size_t i = 0; i < 3; i++) {
		struct ptui_error err = PTUI_ERROR_INIT;

		assert_int_equal(trigger_event_add(&w->triggers.event, catalog, texts[i], NULL,
						   &err),
				 -EINVAL);
		assert_non_null(strstr(err.text, "occurs all the time"));
		assert_non_null(strstr(err.hint, "period="));
	}
	catalog_free(catalog);
}

/* ---- in a recording, by its thread ---- */

static void start(struct world *w, const char *const *when, const char *const *trigger)
{
	static const char *const recorded[] = { "page-faults" };
	struct ptui_error err = PTUI_ERROR_INIT;

	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	fake_file(&w->kernel, "proc/self/task/4242/comm", "ptui\n");
	w->pid = PID;
	w->opts.events = recorded;
	w->opts.n_events = 1;
	w->opts.output = w->output;
	w->opts.pids = &w->pid;
	w->opts.n_pids = 1;
	w->opts.ring_pages = "4K";
	w->opts.trigger.when = when;
	w->opts.trigger.n_when = when ? 1 : 0;
	w->opts.trigger.events = trigger;
	w->opts.trigger.n_events = trigger ? 1 : 0;
	w->recording = recording_new(&w->opts, &w->kernel.ops, &err);
	if (!w->recording || ptui_recording_start(w->recording, &err))
		fail_msg("%s", err.text);
}

/* Advances time, with a million page faults per second, until there is one. */
static void await_snapshot(struct world *w, size_t i, enum ptui_snapshot_why why)
{
	time_t until = time(NULL) + 30;
	struct ptui_snapshot s;

	while (!ptui_recording_get_snapshot(w->recording, i, &s)) {
		assert_true(time(NULL) < until);
		fake_run(&w->kernel, 20);
		usleep(1000);
	}
	assert_int_equal(s.why, why);
}

static void recorded_when(void **state)
{
	static const char *const when[] = { "page-faults/s > 1k" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct world *w = *state;
	struct ptui_armed armed;

	w->opts.shape.overwrite = true;
	start(w, when, NULL);
	await_snapshot(w, 0, PTUI_SNAPSHOT_WHEN);
	/* another condition, while recording */
	assert_int_equal(ptui_recording_arm(w->recording, "page-faults > 2k", &err), 0);
	await_snapshot(w, 1, PTUI_SNAPSHOT_WHEN);
	ptui_recording_get_armed(w->recording, &armed);
	assert_string_equal(armed.condition, "page-faults > 2k");
	assert_int_equal(armed.fired, 1);
	ptui_recording_stop(w->recording);
	assert_int_equal(ptui_recording_join(w->recording, NULL), 0);
	assert_int_equal(ptui_recording_arm(w->recording, "page-faults > 2k", &err), -ESRCH);
}

static void recorded_event(void **state)
{
	static const char *const trigger[] = { "cpu-migrations" };
	struct world *w = *state;

	w->opts.shape.overwrite = true;
	start(w, NULL, trigger);
	/* its ring is the first that was mapped */
	happen(w, 0, PID);
	await_snapshot(w, 0, PTUI_SNAPSHOT_EVENT);
	happen(w, 1, PID);
	await_snapshot(w, 1, PTUI_SNAPSHOT_EVENT);
}

static void nothing_is_kept(void **state)
{
	static const char *const when[] = { "page-faults/s > 1k" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct world *w = *state;

	start(w, NULL, NULL);
	assert_int_equal(ptui_recording_arm(w->recording, when[0], &err), -EOPNOTSUPP);
	assert_int_equal(ptui_recording_arm(w->recording, NULL, &err), 0);
	ptui_recording_free(w->recording);
	w->opts.trigger.when = when;
	w->opts.trigger.n_when = 1;
	w->recording = recording_new(&w->opts, &w->kernel.ops, &err);
	assert_non_null(w->recording);
	assert_int_equal(ptui_recording_start(w->recording, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.hint, "--overwrite or -M SIZE"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(comes_true),
		TEST(adds_up_and_scales),
		TEST(evaluates_ten_times_per_second),
		TEST(at_most_one_a_second),
		TEST(paused),
		TEST(never_on_a_counter),
		TEST(threads_come_and_go),
		TEST(of_control_groups),
		TEST(several_are_one),
		TEST(wrong_when),
		TEST(half_must_be_new),
		TEST(once),
		TEST(limits_of_several),
		TEST(keeps_the_last_files),
		TEST(removes_files_aside),
		TEST(the_disk_is_not_filled),
		TEST(the_list_is_bounded),
		TEST(armed_and_disarmed),
		TEST(each_hit),
		TEST(lost_hits),
		TEST(on_tasks),
		TEST(happens_all_the_time),
		TEST(recorded_when),
		TEST(recorded_event),
		TEST(nothing_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
