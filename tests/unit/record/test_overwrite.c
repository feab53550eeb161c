/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Overwrite mode on a fake kernel: at the end the file has what the rings contain, in whole
 * records, after all of the sideband, which is never overwritten.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "data/read/reader.h"
#include "fake/recording.h"
#include "lib/need.h"
#include "record/pump.h"
#include "record/recording.h"

#define PID	   100
#define RING_BYTES 4096
#define RECORD	   48 /* bytes of one sample */
#define FIT	   (RING_BYTES / RECORD)

static int setup(void **state)
{
	struct fake_recording *w = malloc(sizeof(*w));

	fake_recording_init(w, PID);
	w->opts.shape.overwrite = true;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	fake_recording_release(*state);
	free(*state);
	return 0;
}

static void emit(struct fake_recording *w, int cpu, uint64_t ip)
{
	uint64_t body[5] = { fake_recording_counter(w, cpu)->id, ip, PID | (uint64_t)PID << 32,
			     1000 + ip, 1000 };

	_Static_assert(8 + sizeof(body) == RECORD, "a sample of this test");
	fake_emit_back(&w->kernel, cpu, body, sizeof(body));
}

static void emit_comm(struct fake_recording *w, uint32_t number)
{
	struct {
		uint32_t pid, tid;
		char name[16];
		uint64_t tid_both, time_ns, id;
	} comm = { .pid = 1000 + number, .tid = 1000 + number, .name = "storm" };
	const struct fake_fd *side = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
					       PID, 0);

	assert_non_null(side);
	assert_false(side->attr.write_backward);
	comm.tid_both = comm.pid | (uint64_t)comm.tid << 32;
	comm.time_ns = 1000 + number;
	comm.id = side->id;
	/* waits for the recorder if the ring is full */
	fake_recording_emit(w, 0, PERF_RECORD_COMM, 0, &comm, sizeof(comm));
}

#define SECOND 1000000000ULL

static void emit_sideband(struct fake_recording *w, uint32_t type, uint16_t misc, const void *body,
			  size_t n)
{

	fake_recording_emit(w, 0, type, misc, body, n);
}

static void emit_named(struct fake_recording *w, uint32_t pid, const char *name, uint64_t ns)
{
	struct {
		uint32_t pid, tid;
		char name[16];
		uint64_t tid_both, time_ns, id;
	} comm = { .pid = pid, .tid = pid, .tid_both = pid | (uint64_t)pid << 32, .time_ns = ns };

	comm.id = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PID, 0)->id;
	snprintf(comm.name, sizeof(comm.name), "%s", name);
	emit_sideband(w, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &comm, sizeof(comm));
}

static void emit_task(struct fake_recording *w, uint32_t type, uint32_t pid, uint64_t ns)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t task_ns, tid_both, time_ns, id;
	} task = { pid, 1, pid, 1, ns, pid | (uint64_t)pid << 32, ns, 0 };

	task.id = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PID, 0)->id;
	emit_sideband(w, type, 0, &task, sizeof(task));
}

/* Runs for a tenth of a second. */
static void emit_program(struct fake_recording *w, uint32_t pid, const char *name, uint64_t ns)
{
	emit_task(w, PERF_RECORD_FORK, pid, ns);
	emit_named(w, pid, name, ns + 1);
	emit_task(w, PERF_RECORD_EXIT, pid, ns + SECOND / 10);
}

static void emit_of(struct fake_recording *w, int cpu, uint32_t pid, uint64_t ip, uint64_t ns)
{
	uint64_t body[5] = { fake_recording_counter(w, cpu)->id, ip, pid | (uint64_t)pid << 32, ns,
			     1000 };

	fake_emit_back(&w->kernel, cpu, body, sizeof(body));
}

struct content {
	uint64_t samples, rounds, storms, first_ip, last_ip, disorder;
	bool sideband_behind; /* there is a COMM after a sample */
};

static void read_back(struct fake_recording *w, struct content *c)
{
	struct data_record rec;
	struct data_sample sample;
	struct data_walk *walk;
	struct data_file *f;
	int ret;

	memset(c, 0, sizeof(*c));
	f = data_open(w->output, NULL, &ret);
	assert_non_null(f);
	walk = data_walk_new(f, NULL);
	assert_non_null(walk);
	while ((ret = data_walk_next(walk, true, &rec, NULL)) == 0) {
		c->rounds += rec.type == PTUI_RECORD_FINISHED_ROUND;
		c->storms += rec.type == PERF_RECORD_COMM && !strcmp(rec.comm.name, "storm");
		c->sideband_behind |= rec.type == PERF_RECORD_COMM && c->samples;
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_sample(walk, &rec, &sample), 0);
		/* newest first */
		if (!c->samples++)
			c->last_ip = sample.ip;
		else
			c->disorder += sample.ip + 1 != c->first_ip;
		c->first_ip = sample.ip;
	}
	assert_int_equal(ret, 1);
	data_walk_free(walk);
	data_close(f);
}

static void all_that_fits(void **state)
{
	struct ptui_record_stats stats;
	struct fake_recording *w = *state;
	struct content c;

	fake_recording_start(w);
	assert_true(fake_recording_counter(w, 0)->attr.write_backward);
	for (uint64_t i = 0; i < 10; i++)
		emit(w, 0, i);
	fake_recording_stop(w);
	read_back(w, &c);
	assert_int_equal(c.samples, 10);
	assert_int_equal(c.disorder, 0);
	assert_int_equal(c.last_ip, 9);
	/* a round would promise that nothing older follows */
	assert_int_equal(c.rounds, 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.samples, 10);
}

/* The last ones, no partial records; all names are kept. */
static void the_last_ones(void **state)
{
	struct fake_recording *w = *state;
	struct content c;

	fake_recording_start(w);
	for (uint32_t i = 0; i < 500; i++) {
		emit(w, 0, i);
		emit_comm(w, i);
	}
	fake_recording_stop(w);
	read_back(w, &c);
	assert_int_equal(c.samples, FIT);
	assert_int_equal(c.disorder, 0);
	assert_int_equal(c.last_ip, 499);
	assert_int_equal(c.first_ip, 500 - FIT);
	assert_int_equal(c.storms, 500);
	assert_false(c.sideband_behind);
	assert_int_equal(w->kernel.n_pauses, 2);
}

/* CPU 1 fell idle long ago: its old samples do not keep the names of all that has ended since. */
static void ended_without_a_sample(void **state)
{
	struct fake_recording *w = *state;
	struct content c;

	fake_recording_start(w);
	emit_program(w, 400, "storm", 5 * SECOND);
	emit_of(w, 1, 400, 0, 5 * SECOND + 2);
	for (uint32_t i = 0; i < 50; i++)
		emit_program(w, 500 + i, "storm", 10 * SECOND + i * SECOND);
	emit_named(w, PID, "app", 100 * SECOND);
	emit_of(w, 0, PID, 1, 100 * SECOND + 1);
	fake_recording_stop(w);
	read_back(w, &c);
	assert_int_equal(c.samples, 2);
	assert_int_equal(c.storms, 1);
}

/*
 * However small the sample rings are: names have a ring of the default size, or what the kernel
 * allows.
 */
static void sideband_has_room(void **state)
{
	struct fake_recording *w = *state;
	const struct fake_fd *side;

	fake_file(&w->kernel, "proc/sys/kernel/perf_event_mlock_kb", "516\n");
	fake_recording_start(w);
	side = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PID, 0);
	assert_int_equal(fake_recording_counter(w, 0)->bytes, 4096 + RING_BYTES);
	assert_int_equal(side->bytes, 4096 + 512 * 1024);
	fake_recording_stop(w);
}

static void sideband_has_little_room(void **state)
{
	struct fake_recording *w = *state;
	const struct fake_fd *side;

	fake_file(&w->kernel, "proc/sys/kernel/perf_event_mlock_kb", "516\n");
	w->kernel.max_ring_bytes = 16 * 1024;
	fake_recording_start(w);
	side = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PID, 0);
	assert_int_equal(fake_recording_counter(w, 0)->bytes, 4096 + RING_BYTES);
	assert_int_equal(side->bytes, 4096 + 16 * 1024);
	fake_recording_stop(w);
}

static struct ptui_snapshot snapshot(struct fake_recording *w, size_t i)
{
	struct ptui_snapshot s = { .samples = 0 };
	time_t until = time(NULL) + 30;

	ptui_recording_snapshot(w->recording, PTUI_SNAPSHOT_ASKED);
	while (!ptui_recording_get_snapshot(w->recording, i, &s)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
	return s;
}

static void a_sample_comes(struct fake_kernel *k, int cpu)
{
	struct fake_recording *w = k->on_pause_ctx;

	emit(w, cpu, 1000);
	k->now_ns += 5000;
}

/* Samples that arrive while the rings are paused are lost, and reported once. */
static void lost_in_the_pause(void **state)
{
	struct fake_recording *w = *state;
	struct ptui_snapshot s;
	struct content c;

	fake_recording_start(w);
	for (uint64_t i = 0; i < 10; i++)
		emit(w, 0, i);
	w->kernel.on_pause = a_sample_comes;
	w->kernel.on_pause_ctx = w;
	s = snapshot(w, 0);
	assert_int_equal(s.samples, 10);
	assert_int_equal(s.new_samples, 10);
	assert_int_equal(s.lost, 2);
	assert_int_equal(s.pause_ns, 11000); /* reading its clock takes 1000 ns */
	assert_true(s.react_ns > 0);
	assert_int_equal(s.span_ns, 9);
	assert_int_equal(s.overlap_ns, 0);
	w->kernel.on_pause = NULL;
	emit(w, 0, 10);
	s = snapshot(w, 1);
	assert_int_equal(s.samples, 11);
	assert_int_equal(s.new_samples, 1);
	assert_int_equal(s.lost, 0);
	assert_int_equal(s.span_ns, 10);
	assert_int_equal(s.overlap_ns, 10);
	fake_recording_stop(w);
	read_back(w, &c);
	assert_int_equal(c.samples, 11);
}

static void nothing_was_sampled(void **state)
{
	struct fake_recording *w = *state;
	struct content c;

	fake_recording_start(w);
	fake_recording_stop(w);
	read_back(w, &c);
	assert_int_equal(c.samples, 0);
}

/* By an event's term, next to another event. */
static void one_event_of_two(void **state)
{
	static const char *const two[] = { "cpu-clock/overwrite/", "page-faults" };
	struct fake_recording *w = *state;
	const struct fake_fd *whole;
	struct content c;

	w->opts.shape.overwrite = false;
	w->opts.events = two;
	w->opts.n_events = 2;
	fake_recording_start(w);
	whole = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, PID, 0);
	assert_non_null(whole);
	assert_false(whole->attr.write_backward);
	assert_true(fake_recording_counter(w, 0)->attr.write_backward);
	for (uint64_t i = 0; i < 2 * FIT; i++)
		emit(w, 1, i);
	fake_recording_stop(w);
	read_back(w, &c);
	assert_int_equal(c.samples, FIT);
	assert_int_equal(c.last_ip, 2 * FIT - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_that_fits),	 TEST(the_last_ones),
		TEST(sideband_has_room), TEST(sideband_has_little_room),
		TEST(lost_in_the_pause), TEST(nothing_was_sampled),
		TEST(one_event_of_two),	 TEST(ended_without_a_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
