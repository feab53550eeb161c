/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings from a pipe, and records compressed with zstd. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "unit/data/made.h"

static const struct made_event cycles = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
	.period = 1,
	.id = 3,
};

#define N_SAMPLES 5000

static void put_sample(struct made *m, uint64_t ip)
{
	made_begin(m, PERF_RECORD_SAMPLE, 0);
	made_u64(m, ip);
	made_u32(m, 1);
	made_u32(m, 1);
	made_end(m);
}

static void put_samples(struct made *m)
{
	for (unsigned i = 0; i < N_SAMPLES; i++)
		put_sample(m, i * 1000003ULL);
}

/* Checks that all samples occur once and in order; returns their number. */
static unsigned count(struct data_file *f, bool want_samples, struct data_damage *ret)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *w = data_walk_new(f, &err);
	struct data_record rec;
	struct data_sample s;
	uint64_t seq = 0;
	unsigned n = 0;
	int end;

	while (!(end = data_walk_next(w, want_samples, &rec, &err))) {
		assert_true(!seq || rec.seq > seq);
		seq = rec.seq;
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_sample(w, &rec, &s), 0);
		assert_int_equal(s.ip, n * 1000003ULL);
		n++;
	}
	assert_int_equal(end, 1);
	data_walk_damage(w, ret);
	data_walk_free(w);
	return n;
}

struct feeder {
	const struct made *m;
	int fd;
	size_t piece; /* bytes per write, regardless of records */
};

static void *feed(void *arg)
{
	struct feeder *feeder = arg;
	size_t done = 0, n = feeder->m->out.len;

	while (done < n) {
		size_t part = n - done < feeder->piece ? n - done : feeder->piece;
		ssize_t wrote = write(feeder->fd, feeder->m->out.data + done, part);

		if (wrote < 0)
			break;
		done += (size_t)wrote;
	}
	close(feeder->fd);
	return NULL;
}

static void through_a_fifo(const struct made *m, size_t piece)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct feeder feeder = { m, -1, piece };
	struct data_damage damage;
	struct data_file *f;
	char path[64];
	pthread_t thread;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	feeder.fd = fds[1];
	pthread_create(&thread, NULL, feed, &feeder);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	f = data_open(path, &err, NULL);
	close(fds[0]);
	if (!f)
		fail_msg("%s", err.text);
	assert_int_equal(data_n_events(f), 1);
	assert_int_equal(count(f, true, &damage), N_SAMPLES);
	assert_int_equal(damage.bad_records + damage.skipped_bytes + damage.truncated_bytes, 0);
	assert_int_equal(count(f, true, &damage), N_SAMPLES);
	assert_int_equal(count(f, false, &damage), 0);
	pthread_join(thread, NULL);
	data_close(f);
}

static void pipes(void **state)
{
	static const size_t pieces[] = { 7, 100, 4096, 1 << 20 };

	(void)state;
	for (unsigned layout = 0; layout < 2; layout++) {
		struct made m;

		made_init(&m, false, layout);
		made_events(&m, &cycles, 1, 112);
		put_samples(&m);
		made_finish(&m, NULL, 0);
		for (unsigned i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
			through_a_fifo(&m, pieces[i]);
		made_release(&m);
	}
}

/* Two walks at once, one ahead of the other. */
static void a_pipe_for_two(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *a, *b;
	struct data_record rec;
	struct data_file *f;
	struct made m;

	(void)state;
	made_init(&m, false, true);
	made_events(&m, &cycles, 1, 112);
	put_samples(&m);
	f = made_open(&m);
	a = data_walk_new(f, &err);
	b = data_walk_new(f, &err);
	for (unsigned i = 0; i < N_SAMPLES + 1; i++) {
		assert_int_equal(data_walk_next(a, true, &rec, &err), 0);
		if (i % 2)
			assert_int_equal(data_walk_next(b, true, &rec, &err), 0);
	}
	assert_int_equal(data_walk_next(a, true, &rec, &err), 1);
	assert_int_equal(data_n_events(f), 1);
	data_walk_free(a);
	data_walk_free(b);
	data_close(f);
	made_release(&m);
}

/* A pipe that ends within a sample: same damage whether it is skipped or not. */
static void a_pipe_that_breaks(void **state)
{
	struct data_damage damage;

	(void)state;
	for (unsigned want = 0; want < 2; want++) {
		struct data_file *f;
		struct made m;

		made_init(&m, false, true);
		made_events(&m, &cycles, 1, 112);
		put_samples(&m);
		m.out.len -= 10;
		f = made_open(&m);
		assert_int_equal(count(f, want, &damage), want ? N_SAMPLES - 1 : 0);
		assert_int_equal(damage.skipped_bytes, 14);
		assert_int_equal(damage.truncated_bytes, 10);
		data_close(f);
		made_release(&m);
	}
}

/* ---- zstd ---- */

/*
 * The samples as one zstd stream, split into records at arbitrary places, with FINISHED_ROUND in
 * between, as perf does.
 */
static void put_packed(struct made *m, const struct made *plain, size_t cut, uint32_t type)
{
	ZSTD_CStream *stream = ZSTD_createCStream();
	const char *data = plain->out.data + plain->data_off;
	size_t left = plain->out.len - plain->data_off;

	ZSTD_initCStream(stream, 1);
	while (left) {
		size_t n = left < cut ? left : cut;
		ZSTD_inBuffer in = { data, n, 0 };
		static char packed[60000];
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

		assert_false(ZSTD_isError(ZSTD_compressStream(stream, &out, &in)));
		assert_int_equal(ZSTD_flushStream(stream, &out), 0);
		assert_int_equal(in.pos, n);
		made_begin(m, type, 0);
		if (type == PTUI_RECORD_COMPRESSED2)
			made_u64(m, out.pos);
		buf_add(&m->out, packed, out.pos);
		if (type == PTUI_RECORD_COMPRESSED2)
			buf_align(&m->out, 8);
		made_end(m);
		made_begin(m, PTUI_RECORD_FINISHED_ROUND, 0);
		made_end(m);
		data += n;
		left -= n;
	}
	ZSTD_freeCStream(stream);
}

static void make_packed(struct made *m, bool pipe, size_t cut, uint32_t type)
{
	struct made plain;

	made_init(&plain, false, false);
	made_events(&plain, &cycles, 1, 112);
	put_samples(&plain);
	made_init(m, false, pipe);
	made_events(m, &cycles, 1, 112);
	put_packed(m, &plain, cut, type);
	made_finish(m, NULL, 0);
	made_release(&plain);
}

static void packed_records(void **state)
{
	static const size_t cuts[] = { 1, 5, 24, 1000, 4096, 100000 };

	(void)state;
	for (unsigned i = 0; i < sizeof(cuts) / sizeof(*cuts); i++)
		for (unsigned how = 0; how < 4; how++) {
			struct data_damage damage;
			struct data_file *f;
			struct made m;

			if (cuts[i] < 24 && how)
				continue; /* slow, and no other path */
			make_packed(&m, how & 1, cuts[i],
				    how & 2 ? PTUI_RECORD_COMPRESSED2 : PTUI_RECORD_COMPRESSED);
			f = made_open(&m);
			assert_int_equal(count(f, true, &damage), N_SAMPLES);
			assert_int_equal(damage.bad_records + damage.skipped_bytes, 0);
			assert_int_equal(count(f, true, &damage), N_SAMPLES);
			assert_int_equal(count(f, false, &damage), 0);
			data_close(f);
			made_release(&m);
		}
}

static void *count_in_thread(void *arg)
{
	struct data_damage damage;

	return (void *)(uintptr_t)count(arg, true, &damage);
}

static void packed_records_by_threads(void **state)
{
	pthread_t threads[4];
	struct data_file *f;
	struct made m;

	(void)state;
	make_packed(&m, false, 777, PTUI_RECORD_COMPRESSED);
	f = made_open(&m);
	for (unsigned i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, count_in_thread, f);
	for (unsigned i = 0; i < 4; i++) {
		void *n;

		pthread_join(threads[i], &n);
		assert_int_equal((uintptr_t)n, N_SAMPLES);
	}
	data_close(f);
	made_release(&m);
}

/* Damaged compressed data: everything before it is returned, the rest is counted. */
static void packed_records_damaged(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_damage damage;
	struct data_record rec;
	struct data_walk *w;
	struct data_file *f;
	unsigned n = 0, rounds = 0;
	struct made m;
	uint16_t size;
	size_t at;

	(void)state;
	make_packed(&m, false, 4096, PTUI_RECORD_COMPRESSED);
	for (at = m.data_off; at < m.data_off + (m.out.len - m.data_off) / 2; at += size)
		memcpy(&size, m.out.data + at + 6, sizeof(size));
	if (m.out.data[at] != PTUI_RECORD_COMPRESSED)
		at += 8;
	memcpy(&size, m.out.data + at + 6, sizeof(size));
	memset(m.out.data + at + 8, 0xff, size - 8u);
	f = made_open(&m);
	for (unsigned pass = 0; pass < 2; pass++) {
		unsigned before = n;

		w = data_walk_new(f, &err);
		while (!data_walk_next(w, true, &rec, &err)) {
			n += rec.type == PERF_RECORD_SAMPLE;
			rounds += rec.type == PTUI_RECORD_FINISHED_ROUND;
		}
		data_walk_damage(w, &damage);
		data_walk_free(w);
		assert_in_range(n - before, 100, N_SAMPLES - 100);
		assert_true(damage.bad_records > 0);
		assert_true(damage.skipped_bytes > 0);
	}
	assert_true(rounds > 20);
	data_close(f);
	made_release(&m);
}

/* ---- recordings in several files ---- */

static void write_into(const char *dir, const char *name, const void *bytes, size_t n)
{
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, n, out), n);
	assert_int_equal(fclose(out), 0);
}

/*
 * The samples of `all` from the n-th third on: in data, data.0 and data.1, packed or not, each with
 * a compressed stream of its own.
 */
static void make_third(struct made *m, const struct made *all, unsigned n, bool packed)
{
	const char *features[PTUI_FEAT_MAX] = {
		[PTUI_FEAT_HOSTNAME] = "vm", [PTUI_FEAT_DIR_FORMAT] = ""
	};
	size_t third = N_SAMPLES / 3 * 24, from = all->data_off + n * third;
	struct made part;

	made_init(&part, false, false);
	buf_add(&part.out, all->out.data + from, n < 2 ? third : all->record + 24 - from);
	part.record = part.out.len - 24;
	made_init(m, false, false);
	if (n == 0)
		made_events(m, &cycles, 1, 80);
	if (packed)
		put_packed(m, &part, 1000, 81);
	else
		buf_add(&m->out, part.out.data, part.out.len);
	if (n == 0)
		made_finish(m, features, 32);
	made_release(&part);
}

static void directories(void **state)
{
	static const char *const names[] = { "data", "data.0", "data.1" };
	char dir[] = "/tmp/ptui-test-XXXXXX", path[64];
	struct made all;

	(void)state;
	assert_non_null(mkdtemp(dir));
	made_init(&all, false, false);
	made_events(&all, &cycles, 1, 80);
	put_samples(&all);
	for (unsigned packed = 0; packed < 2; packed++) {
		for (unsigned i = 0; i < 3; i++) {
			struct made part;

			make_third(&part, &all, i, packed);
			write_into(dir, names[i], part.out.data, part.out.len);
			made_release(&part);
		}
		for (unsigned by_file = 0; by_file < 2; by_file++) {
			struct ptui_error err = PTUI_ERROR_INIT;
			struct data_damage damage;
			struct data_file *f;

			snprintf(path, sizeof(path), "%s%s", dir, by_file ? "/data" : "");
			f = data_open(path, &err, NULL);
			assert_non_null(f);
			assert_null(data_kallsyms_path(f));
			assert_int_equal(count(f, true, &damage), N_SAMPLES);
			assert_int_equal(damage.bad_records + damage.skipped_bytes, 0);
			assert_string_equal(data_feature_text(f, PTUI_FEAT_HOSTNAME), "vm");
			data_close(f);
		}
	}
	for (unsigned i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
	made_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pipes),
		cmocka_unit_test(a_pipe_for_two),
		cmocka_unit_test(a_pipe_that_breaks),
		cmocka_unit_test(packed_records),
		cmocka_unit_test(packed_records_by_threads),
		cmocka_unit_test(packed_records_damaged),
		cmocka_unit_test(directories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
