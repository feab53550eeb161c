/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples in memory (-M), on a fake kernel: the file has no samples until a snapshot, then the last
 * ones, complete and once; all other records are written at once.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "data/read/reader.h"
#include "fake/recording.h"
#include "lib/need.h"
#include "record/recording.h"
#include "record/snapshot/memory_ring.h"

#define PID    100
#define RECORD 48 /* bytes of one sample */
#define FIT    (MEMORY_BYTES_MIN / RECORD)

static int setup(void **state)
{
	struct fake_recording *w = malloc(sizeof(*w));

	fake_recording_init(w, PID);
	w->opts.out.memory_bytes = MEMORY_BYTES_MIN;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	fake_recording_release(*state);
	free(*state);
	return 0;
}

static void emit(struct fake_recording *w, int cpu, uint32_t type, const void *body, size_t n)
{
	fake_recording_emit(w, cpu, type, PERF_RECORD_MISC_USER, body, n);
}

static uint64_t id_of(struct fake_recording *w, uint64_t config, int cpu)
{
	return fake_find(&w->kernel, PERF_TYPE_SOFTWARE, config, PID, cpu)->id;
}

static void emit_sample(struct fake_recording *w, int cpu, uint64_t i)
{
	uint64_t body[5] = { id_of(w, PERF_COUNT_SW_CPU_CLOCK, cpu), i, PID | (uint64_t)PID << 32,
			     1000 + i, 1000 };

	_Static_assert(8 + sizeof(body) == RECORD, "a sample of this test");
	emit(w, cpu, PERF_RECORD_SAMPLE, body, sizeof(body));
}

/* Sample `i`; every tenth with a COMM, so that ring ends split all kinds of records. */
static void emit_one(struct fake_recording *w, uint64_t i)
{
	int cpu = i & 1;
	struct {
		uint32_t pid, tid;
		char name[16];
		uint64_t tid_both, time_ns, id;
	} comm = { .pid = 1000, .tid = 1000, .name = "storm" };

	emit_sample(w, cpu, i);
	if (i % 10)
		return;
	comm.tid_both = comm.pid | (uint64_t)comm.tid << 32;
	comm.time_ns = 1000 + i;
	comm.id = id_of(w, PERF_COUNT_SW_DUMMY, cpu);
	emit(w, cpu, PERF_RECORD_COMM, &comm, sizeof(comm));
}

static void emit_many(struct fake_recording *w, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		emit_one(w, i);
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

struct content {
	uint64_t samples, rounds, storms, first_ip, last_ip, sum;
};

static void read_back(const char *path, struct content *c)
{
	struct data_record rec;
	struct data_sample sample;
	struct data_walk *walk;
	struct data_file *f;
	int ret;

	memset(c, 0, sizeof(*c));
	c->first_ip = UINT64_MAX;
	f = data_open(path, NULL, &ret);
	assert_non_null(f);
	walk = data_walk_new(f, NULL);
	assert_non_null(walk);
	while ((ret = data_walk_next(walk, true, &rec, NULL)) == 0) {
		c->rounds += rec.type == PTUI_RECORD_FINISHED_ROUND;
		c->storms += rec.type == PERF_RECORD_COMM && !strcmp(rec.comm.name, "storm");
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_sample(walk, &rec, &sample), 0);
		c->samples++;
		c->sum += sample.ip;
		c->first_ip = sample.ip < c->first_ip ? sample.ip : c->first_ip;
		c->last_ip = sample.ip > c->last_ip ? sample.ip : c->last_ip;
	}
	assert_int_equal(ret, 1);
	data_walk_free(walk);
	data_close(f);
}

/* Each of from … to exists once. */
static void assert_has(const struct content *c, uint64_t from, uint64_t to)
{
	assert_int_equal(c->samples, to - from);
	assert_int_equal(c->first_ip, from);
	assert_int_equal(c->last_ip, to - 1);
	assert_int_equal(c->sum, (to - from) * (from + to - 1) / 2);
}

/* The end is a snapshot as well, whatever has brought it. */
static void without_a_snapshot(void **state)
{
	struct ptui_record_stats stats;
	struct fake_recording *w = *state;
	struct content c;

	fake_recording_start(w);
	emit_many(w, 0, 5000);
	fake_recording_stop(w);
	read_back(w->output, &c);
	assert_int_equal(c.samples, FIT);
	assert_int_equal(c.last_ip, 4999);
	assert_int_equal(c.rounds, 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.samples, 5000);
	assert_int_equal(stats.held_samples, 0);
	assert_int_equal(stats.forgotten_samples, 5000 - FIT);
}

/* Each sample is written once: a second snapshot has what is new since the first. */
static void snapshot_on_request(void **state)
{
	struct ptui_record_stats stats;
	struct ptui_snapshot s;
	struct fake_recording *w = *state;
	struct content c;

	fake_recording_start(w);
	emit_many(w, 0, 100);
	s = snapshot(w, 0);
	assert_int_equal(s.samples, 100);
	assert_int_equal(s.new_samples, 100);
	assert_int_equal(s.span_ns, 99);
	assert_int_equal(s.pause_ns, 0);
	assert_true(s.react_ns > 0);
	assert_null(s.path);
	assert_false(s.gap);
	emit_many(w, 100, 300);
	s = snapshot(w, 1);
	assert_int_equal(s.samples, 200);
	assert_int_equal(s.new_samples, 200);
	assert_int_equal(s.overlap_ns, 0);
	s = snapshot(w, 2);
	assert_int_equal(s.samples, 0);
	emit_many(w, 300, 400);
	fake_recording_stop(w);
	read_back(w->output, &c);
	assert_has(&c, 0, 400);
	assert_int_equal(c.storms, 40);
	assert_int_equal(c.rounds, 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.samples, 400);
	assert_int_equal(stats.held_samples, 0);
	assert_int_equal(stats.forgotten_samples, 0);
}

static void the_last_ones(void **state)
{
	struct fake_recording *w = *state;
	struct ptui_snapshot s;
	struct content c;

	fake_recording_start(w);
	emit_many(w, 0, 5000);
	s = snapshot(w, 0);
	assert_int_equal(s.samples, FIT);
	fake_recording_stop(w);
	read_back(w->output, &c);
	assert_int_equal(c.samples, FIT);
	assert_int_equal(c.last_ip, 4999);
	assert_int_equal(c.storms, 500);
}

/* With --switch-output a file each, with all that is in the memory; it stays there. */
static void files_of_their_own(void **state)
{
	struct fake_recording *w = *state;
	struct ptui_snapshot s;
	struct content c;

	w->opts.out.change.on = true;
	fake_recording_start(w);
	emit_many(w, 0, 100);
	s = snapshot(w, 0);
	assert_non_null(s.path);
	read_back(s.path, &c);
	assert_has(&c, 0, 100);
	assert_int_equal(c.storms, 10);
	emit_many(w, 100, 150);
	s = snapshot(w, 1);
	assert_int_equal(s.samples, 150);
	assert_int_equal(s.new_samples, 50);
	assert_int_equal(s.span_ns, 149);
	assert_int_equal(s.overlap_ns, 100);
	assert_false(s.gap);
	read_back(s.path, &c);
	assert_has(&c, 0, 150);
	emit_many(w, 150, 150 + 2 * FIT);
	s = snapshot(w, 2);
	assert_int_equal(s.samples, FIT);
	assert_int_equal(s.new_samples, FIT);
	assert_true(s.gap);
	emit_many(w, 150 + 2 * FIT, 160 + 2 * FIT);
	fake_recording_stop(w);
	/* the output has all that was kept at the end */
	read_back(ptui_recording_output(w->recording), &c);
	assert_int_equal(c.samples, FIT);
	assert_int_equal(c.last_ip, 159 + 2 * FIT);
}

/* No ring is drained before it has a quarter of 512K. */
static void let_rings_fill(struct fake_recording *w)
{
	w->opts.ring_pages = "512K";
	w->opts.out.flush_bytes = 512 * 1024;
}

static void assert_kept_newest(struct fake_recording *w, uint64_t n)
{
	struct content c;

	read_back(w->output, &c);
	assert_has(&c, n - FIT, n);
}

/* One pass finds older samples in the ring that it drains last. */
static void keeps_the_newest_of_all_cpus(void **state)
{
	struct fake_recording *w = *state;

	let_rings_fill(w);
	fake_recording_start(w);
	for (uint64_t i = 0; i < 1000 + FIT; i++)
		emit_sample(w, i < 1000, i);
	fake_recording_stop(w);
	assert_kept_newest(w, 1000 + FIT);
}

/* A ring with few samples is left to fill while another is drained: its samples come too late. */
static void drops_samples_older_than_all_kept(void **state)
{
	struct ptui_record_stats stats;
	struct fake_recording *w = *state;

	let_rings_fill(w);
	fake_recording_start(w);
	for (uint64_t i = 0; i < 6000; i++)
		emit_sample(w, i < 100, i);
	fake_recording_stop(w);
	assert_kept_newest(w, 6000);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.forgotten_samples, 6000 - FIT);
}

static void refused(struct fake_recording *w, const char *why)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	w->recording = recording_new(&w->opts, &w->kernel.ops, &err);
	assert_true(!w->recording || ptui_recording_start(w->recording, &err));
	if (!strstr(err.text, why))
		fail_msg("%s", err.text);
}

static void too_small(void **state)
{
	struct fake_recording *w = *state;

	w->opts.out.memory_bytes--;
	refused(w, "at least 65537 bytes");
}

static void in_one_place_only(void **state)
{
	static const char *const kept[] = { "cpu-clock/overwrite/" };
	struct fake_recording *w = *state;

	w->opts.events = kept;
	refused(w, "exclude each other");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_snapshot),
		TEST(snapshot_on_request),
		TEST(the_last_ones),
		TEST(files_of_their_own),
		TEST(keeps_the_newest_of_all_cpus),
		TEST(drops_samples_older_than_all_kept),
		TEST(too_small),
		TEST(in_one_place_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
