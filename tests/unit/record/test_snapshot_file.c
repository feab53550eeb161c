/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshot files and switched outputs on a fake kernel: each is complete and readable alone, all
 * files of an output together have each sample once, and so does the live view.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "data/read/reader.h"
#include "data/write/writer.h"
#include "fake/recording.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/recording.h"

#define PID	   100
#define RING_BYTES 4096
#define RECORD	   48 /* bytes of one sample */
#define FIT	   (RING_BYTES / RECORD)
#define FILES	   5 /* files of one test */

struct world {
	struct fake_recording r;
	struct recording_watch watch;
	_Atomic uint64_t seen; /* samples, by the live view */
	_Atomic unsigned warned;
	char folder[96];
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_recording_init(&w->r, PID);
	snprintf(w->folder, sizeof(w->folder), "%s/out", w->r.kernel.folder);
	snprintf(w->r.output, sizeof(w->r.output), "%s/out.data", w->folder);
	assert_int_equal(mkdir(w->folder, 0700), 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	fake_recording_release(&w->r);
	free(w);
	return 0;
}

/* ---- the recording ---- */

static int on_event(void *ctx, const struct event *ev, const uint64_t *ids, size_t n_ids)
{
	(void)ctx;
	(void)ev;
	(void)ids;
	(void)n_ids;
	return 0;
}

static void on_begins(void *ctx)
{
	(void)ctx;
}

static uint64_t count_samples(const uint8_t *bytes, size_t n)
{
	struct perf_event_header header;
	uint64_t samples = 0;

	for (size_t at = 0; at < n; at += header.size) {
		memcpy(&header, bytes + at, sizeof(header));
		assert_true(header.size >= sizeof(header));
		samples += header.type == PERF_RECORD_SAMPLE;
	}
	return samples;
}

/* Records may be split between pieces. */
static void on_written(void *ctx, const struct iovec *iov, int n)
{
	struct world *w = ctx;
	uint8_t *all;
	size_t bytes = 0;

	for (int i = 0; i < n; i++)
		bytes += iov[i].iov_len;
	all = malloc(bytes + 1);
	bytes = 0;
	for (int i = 0; i < n; i++) {
		memcpy(all + bytes, iov[i].iov_base, iov[i].iov_len);
		bytes += iov[i].iov_len;
	}
	w->seen += count_samples(all, bytes);
	free(all);
}

static void start(struct world *w, bool watched)
{
	fake_recording_new(&w->r);
	w->watch = (struct recording_watch){
		.ctx = w, .event = on_event, .begins = on_begins, .written = on_written
	};
	if (watched)
		recording_set_watch(w->r.recording, &w->watch);
	fake_recording_start(&w->r);
}

static void emit(struct world *w, uint64_t ip)
{
	const struct fake_fd *f = fake_find(&w->r.kernel, PERF_TYPE_SOFTWARE,
					    PERF_COUNT_SW_CPU_CLOCK, PID, 0);
	uint64_t body[5] = { 0, ip, PID | (uint64_t)PID << 32, 1000 + ip, 1000 };

	_Static_assert(8 + sizeof(body) == RECORD, "a sample of this test");
	assert_non_null(f);
	body[0] = f->id;
	if (f->attr.write_backward) {
		fake_emit_back(&w->r.kernel, 0, body, sizeof(body));
		return;
	}
	fake_recording_emit(&w->r, 0, PERF_RECORD_SAMPLE, 0, body, sizeof(body));
}

/* The event with the sideband: the only event, if there is one only. */
static uint64_t side_id(struct world *w)
{
	const struct fake_fd *side = fake_find(&w->r.kernel, PERF_TYPE_SOFTWARE,
					       PERF_COUNT_SW_DUMMY, PID, 0);

	if (!side)
		side = fake_find(&w->r.kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, 0);
	assert_non_null(side);
	return side->id;
}

static void emit_comm_of(struct world *w, uint32_t pid, const char *name, uint64_t time_ns)
{
	struct {
		uint32_t pid, tid;
		char name[16];
		uint64_t tid_both, time_ns, id;
	} comm = {
		.pid = pid, .tid = pid, .tid_both = pid | (uint64_t)pid << 32, .time_ns = time_ns
	};

	comm.id = side_id(w);
	snprintf(comm.name, sizeof(comm.name), "%s", name);
	fake_recording_emit(&w->r, 0, PERF_RECORD_COMM, 0, &comm, sizeof(comm));
}

static void emit_comm(struct world *w, const char *name)
{
	emit_comm_of(w, PID, name, 1000);
}

static void emit_task(struct world *w, uint32_t type, uint32_t pid, uint64_t time_ns)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t when_ns, tid_both, time_ns, id;
	} task = { pid, PID, pid, PID, time_ns, pid | (uint64_t)pid << 32, time_ns, side_id(w) };

	fake_recording_emit(&w->r, 0, type, 0, &task, sizeof(task));
}

static void await(struct world *w, size_t i, struct ptui_snapshot *ret)
{
	time_t until = time(NULL) + 30;

	while (!ptui_recording_get_snapshot(w->r.recording, i, ret)) {
		assert_true(time(NULL) < until);
		usleep(1000);
	}
}

static struct ptui_snapshot snapshot(struct world *w, size_t i)
{
	struct ptui_snapshot s;

	ptui_recording_snapshot(w->r.recording, PTUI_SNAPSHOT_ASKED);
	await(w, i, &s);
	return s;
}

/* ---- a file, read alone ---- */

struct content {
	uint64_t samples, first_ip, last_ip; /* the lowest and the highest */
	bool app, later;		     /* names that it contains */
	bool sample_time, cmdline;
	uint64_t bytes;
};

static struct content read_back(const char *path)
{
	struct content c = { .first_ip = UINT64_MAX };
	struct data_record rec;
	struct data_sample sample;
	struct data_walk *walk;
	struct data_file *f;
	struct stat st;
	size_t n;
	int ret;

	assert_int_equal(stat(path, &st), 0);
	c.bytes = (uint64_t)st.st_size;
	f = data_open(path, NULL, &ret);
	assert_non_null(f);
	c.sample_time = data_feature(f, PTUI_FEAT_SAMPLE_TIME, &n);
	c.cmdline = data_feature(f, PTUI_FEAT_CMDLINE, &n);
	walk = data_walk_new(f, NULL);
	assert_non_null(walk);
	while ((ret = data_walk_next(walk, true, &rec, NULL)) == 0) {
		c.app |= rec.type == PERF_RECORD_COMM && !strcmp(rec.comm.name, "app");
		c.later |= rec.type == PERF_RECORD_COMM && !strcmp(rec.comm.name, "later");
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_sample(walk, &rec, &sample), 0);
		assert_int_equal(sample.event, 0);
		c.samples++;
		if (sample.ip < c.first_ip)
			c.first_ip = sample.ip;
		if (sample.ip > c.last_ip)
			c.last_ip = sample.ip;
	}
	assert_int_equal(ret, 1);
	data_walk_free(walk);
	data_close(f);
	return c;
}

/* OUT.YYYYMMDDHHMMSSxx */
static void check_name(const struct world *w, const char *path)
{
	size_t n = strlen(w->r.output);

	assert_memory_equal(path, w->r.output, n);
	assert_int_equal(path[n], '.');
	assert_int_equal(strspn(path + n + 1, "0123456789"), 16);
	assert_int_equal(strlen(path), n + 17);
}

/* ---- kept samples ---- */

static void whole_rings(void **state)
{
	struct ptui_snapshot s[2];
	struct world *w = *state;
	struct content c;

	w->r.opts.shape.overwrite = true;
	w->r.opts.cmdline = "ptui";
	w->r.opts.cmdline_bytes = 5;
	start(w, true);
	for (uint64_t i = 0; i < 10; i++)
		emit(w, i);
	s[0] = snapshot(w, 0);
	emit_comm(w, "later");
	for (uint64_t i = 10; i < 15; i++)
		emit(w, i);
	s[1] = snapshot(w, 1);
	fake_recording_stop(&w->r);
	for (int i = 0; i < 2; i++) {
		check_name(w, s[i].path);
		c = read_back(s[i].path);
		assert_int_equal(c.samples, i ? 15 : 10);
		assert_int_equal(c.samples, s[i].samples);
		assert_int_equal(c.bytes, s[i].bytes);
		assert_int_equal(c.first_ip, 0);
		assert_true(s[i].kept && c.app && c.sample_time && c.cmdline);
		assert_true(c.later == (i == 1));
	}
	assert_int_equal(s[1].new_samples, 5);
	assert_int_equal(s[1].span_ns, 14);
	assert_int_equal(s[1].overlap_ns, 10);
	/*
	 * the output has the last ring, and so has the last snapshot; the live view saw each once
	 */
	c = read_back(w->r.output);
	assert_int_equal(c.samples, 15);
	assert_int_equal(w->seen, 15);
}

/* Within the hundredth of a second that the name contains. */
static void no_file_replaces_another(void **state)
{
	struct ptui_snapshot s[FILES];
	struct world *w = *state;

	w->r.opts.shape.overwrite = true;
	start(w, false);
	for (size_t i = 0; i < FILES; i++) {
		emit(w, i);
		s[i] = snapshot(w, i);
	}
	fake_recording_stop(&w->r);
	for (size_t i = 0; i < FILES; i++)
		assert_int_equal(read_back(s[i].path).samples, i + 1);
}

static void note_warning(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	(void)level;
	(void)room;
	if (strstr(text, "cannot write the snapshot"))
		((struct world *)ctx)->warned++;
}

static void recording_goes_on_without_room(void **state)
{
	struct world *w = *state;
	struct ptui_snapshot s;
	time_t until = time(NULL) + 30;
	char away[112];

	snprintf(away, sizeof(away), "%s.away", w->folder);
	w->r.opts.shape.overwrite = true;
	start(w, true);
	emit(w, 0);
	ptui_log_set(note_warning, w, PTUI_LOG_WARN);
	assert_int_equal(rename(w->folder, away), 0);
	ptui_recording_snapshot(w->r.recording, PTUI_SNAPSHOT_ASKED);
	while (!w->warned) {
		assert_true(time(NULL) < until);
		usleep(1000);
	}
	assert_int_equal(rename(away, w->folder), 0);
	assert_false(ptui_recording_get_snapshot(w->r.recording, 0, &s));
	emit(w, 1);
	s = snapshot(w, 0);
	assert_int_equal(read_back(s.path).samples, 2);
	fake_recording_stop(&w->r);
	assert_int_equal(w->warned, 1);
	assert_int_equal(w->seen, 2);
	assert_int_equal(read_back(w->r.output).samples, 2);
}

#define LATER (10 * 1000000000ULL)

/* A program called "later" that exited long before the kept samples. */
static void a_life(struct world *w)
{
	emit_task(w, PERF_RECORD_FORK, PID + 1, 1000);
	emit_comm_of(w, PID + 1, "later", 1000);
	emit_task(w, PERF_RECORD_EXIT, PID + 1, 1001);
}

static void ended_processes_are_dropped(void **state)
{
	struct ptui_snapshot s[2];
	struct world *w = *state;

	w->r.opts.shape.overwrite = true;
	start(w, false);
	emit(w, 0);
	a_life(w);
	s[0] = snapshot(w, 0);
	emit_comm_of(w, PID, "app", LATER);
	/* its first sample is overwritten */
	for (uint64_t i = 0; i < FIT; i++)
		emit(w, LATER + i);
	snapshot(w, 1);
	s[1] = snapshot(w, 2);
	fake_recording_stop(&w->r);
	assert_true(read_back(s[0].path).later);
	assert_false(read_back(s[1].path).later);
	assert_true(read_back(s[1].path).app);
	/* and so does the output */
	assert_false(read_back(w->r.output).later);
	assert_true(read_back(w->r.output).app);
}

/* However many programs run: the output has those that its samples need, at any time. */
static void sideband_does_not_fill_the_output(void **state)
{
	const uint64_t step_ns = 10000000;
	struct world *w = *state;
	struct content c;
	uint64_t before;

	w->r.opts.shape.overwrite = true;
	start(w, true);
	before = read_back(w->r.output).bytes;
	for (uint64_t i = 0; i < 10000; i++) {
		uint64_t now_ns = LATER + i * step_ns;

		emit_task(w, PERF_RECORD_FORK, PID + 1, now_ns);
		emit_comm_of(w, PID + 1, "later", now_ns);
		emit(w, now_ns);
		emit_task(w, PERF_RECORD_EXIT, PID + 1, now_ns + 1);
	}
	/* they are needed for no sample yet, but would be lost by a kill */
	c = read_back(w->r.output);
	assert_true(c.app);
	assert_int_equal(c.bytes, before);
	fake_recording_stop(&w->r);
	c = read_back(w->r.output);
	assert_true(c.app && c.later);
	assert_int_equal(c.samples, FIT);
	assert_in_range(c.bytes, before, before + 80000);
	assert_int_equal(w->seen, FIT);
}

/* ---- an output that changes ---- */

static void ended_processes_are_not_in_a_later_file(void **state)
{
	struct ptui_snapshot s[3];
	struct world *w = *state;

	w->r.opts.out.change.on = true;
	start(w, false);
	a_life(w);
	s[0] = snapshot(w, 0);
	emit_comm_of(w, PID, "app", LATER);
	s[1] = snapshot(w, 1);
	s[2] = snapshot(w, 2);
	fake_recording_stop(&w->r);
	/* the second one still has it: its samples may be as old */
	assert_true(read_back(s[0].path).later);
	assert_true(read_back(s[1].path).later);
	assert_true(read_back(s[2].path).app);
	assert_false(read_back(ptui_recording_output(w->r.recording)).later);
	assert_true(read_back(ptui_recording_output(w->r.recording)).app);
}

/* Each sample is in one file; `n` of them in each. */
static void each_once(void **state)
{
	struct ptui_snapshot s[3];
	struct world *w = *state;
	uint64_t ip = 0;
	struct content c;

	w->r.opts.out.change.on = true;
	start(w, true);
	for (size_t i = 0; i < 3; i++) {
		for (int k = 0; k < 7; k++)
			emit(w, ip++);
		if (!i)
			emit_comm(w, "later");
		s[i] = snapshot(w, i);
	}
	emit(w, ip++);
	fake_recording_stop(&w->r);
	for (size_t i = 0; i < 3; i++) {
		check_name(w, s[i].path);
		assert_false(s[i].kept);
		assert_int_equal(s[i].samples, 7);
		assert_int_equal(s[i].new_samples, 7);
		assert_int_equal(s[i].span_ns, 6);
		c = read_back(s[i].path);
		assert_int_equal(c.samples, 7);
		assert_int_equal(c.first_ip, 7 * i);
		assert_int_equal(c.bytes, s[i].bytes);
		/* what came with the first is known in all of them */
		assert_true(c.app && c.later && c.sample_time);
	}
	check_name(w, ptui_recording_output(w->r.recording));
	c = read_back(ptui_recording_output(w->r.recording));
	assert_int_equal(c.samples, 1);
	assert_true(c.later);
	assert_int_equal(access(w->r.output, F_OK), -1);
	assert_int_equal(w->seen, ip);
}

static void by_size(void **state)
{
	struct ptui_record_stats stats;
	struct world *w = *state;
	struct ptui_snapshot s;
	uint64_t in_files = 0;

	w->r.opts.out.change = (struct ptui_record_switch){ .on = true, .bytes = 100 * RECORD };
	start(w, false);
	for (uint64_t i = 0; i < 1000; i++)
		emit(w, i);
	await(w, 0, &s);
	assert_int_equal(s.why, PTUI_SNAPSHOT_SIZE);
	fake_recording_stop(&w->r);
	for (size_t i = 0; ptui_recording_get_snapshot(w->r.recording, i, &s); i++) {
		in_files += read_back(s.path).samples;
		assert_true(s.bytes >= 100 * RECORD);
	}
	in_files += read_back(ptui_recording_output(w->r.recording)).samples;
	assert_int_equal(in_files, 1000);
	ptui_recording_get_stats(w->r.recording, &stats);
	assert_int_equal(stats.samples, 1000);
}

static void by_time(void **state)
{
	struct world *w = *state;
	struct ptui_snapshot s;

	w->r.opts.out.change = (struct ptui_record_switch){ .on = true, .after_ns = 20000000 };
	start(w, false);
	for (size_t i = 0; i < 2; i++) {
		assert_false(ptui_recording_get_snapshot(w->r.recording, i, &s));
		emit(w, i);
		pthread_mutex_lock(&w->r.kernel.lock);
		w->r.kernel.now_ns += 20000000;
		pthread_mutex_unlock(&w->r.kernel.lock);
		await(w, i, &s);
		assert_int_equal(s.why, PTUI_SNAPSHOT_TIME);
	}
	fake_recording_stop(&w->r);
}

static void the_last_files_stay(void **state)
{
	struct world *w = *state;
	struct ptui_snapshot s;

	w->r.opts.out.change = (struct ptui_record_switch){ .on = true, .max_files = 3 };
	start(w, false);
	for (size_t i = 0; i < FILES; i++)
		snapshot(w, i);
	fake_recording_stop(&w->r);
	/* two of them, and the last, which is the output */
	for (size_t i = 0; i < FILES; i++) {
		assert_true(ptui_recording_get_snapshot(w->r.recording, i, &s));
		assert_true(s.removed == (i < FILES - 2));
		assert_int_equal(access(s.path, F_OK), s.removed ? -1 : 0);
	}
	assert_int_equal(access(ptui_recording_output(w->r.recording), F_OK), 0);
}

/* Without --switch-output nothing happens. */
static void nothing_to_change(void **state)
{
	struct world *w = *state;
	struct ptui_snapshot s;

	start(w, false);
	emit(w, 0);
	ptui_recording_snapshot(w->r.recording, PTUI_SNAPSHOT_SIGNAL);
	fake_recording_stop(&w->r);
	assert_false(ptui_recording_get_snapshot(w->r.recording, 0, &s));
	assert_int_equal(read_back(w->r.output).samples, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(whole_rings),
		TEST(no_file_replaces_another),
		TEST(recording_goes_on_without_room),
		TEST(ended_processes_are_dropped),
		TEST(sideband_does_not_fill_the_output),
		TEST(ended_processes_are_not_in_a_later_file),
		TEST(each_once),
		TEST(by_size),
		TEST(by_time),
		TEST(the_last_files_stay),
		TEST(nothing_to_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
