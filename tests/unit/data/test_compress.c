/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compressed records, read back: compressible and incompressible, in pieces of every size. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/buf.h"
#include "data/read/reader.h"
#include "data/write/writer.h"
#include "lib/need.h"

static char dir[64], path[96];

static int make_dir(void **state)
{
	(void)state;
	strncpy(dir, "/tmp/ptui-test-XXXXXX", sizeof(dir) - 1);
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/perf.data", dir);
	return 0;
}

static int drop_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir); /* fails if a file is left */
}

/* The same incompressible numbers in each run. */
static uint64_t noise(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#define WORD_BYTES 8
#define LONGEST	   8191 /* u64s after the header */

/* `n` samples of every length: all noise, or all equal. */
static void put_samples(struct buf *out, unsigned n, bool noisy, uint64_t *seed)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned words = 1 + (unsigned)(noise(seed) % (i % 7 ? 64 : LONGEST - 1));

		buf_add_u32(out, PERF_RECORD_SAMPLE);
		buf_add_u16(out, 0);
		buf_add_u16(out, (uint16_t)(8 + words * WORD_BYTES));
		for (unsigned k = 0; k < words; k++)
			buf_add_u64(out, noisy ? noise(seed) : 0x1234);
	}
}

static struct data_writer *writer_new(int level, bool append)
{
	struct data_writer_opts opts = { .compress_level = level,
					 .append = append,
					 .cancel_fd = -1 };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.sample_period = 1,
					.sample_type = PERF_SAMPLE_IP };
	const uint64_t id = append ? 2 : 1;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = data_writer_open(path, &opts, &err);

	if (!w || data_writer_add_event(w, &attr, "noise", &id, 1) || data_writer_begin(w, &err))
		fail_msg("%s", err.text);
	return w;
}

/* In pieces, as rings are drained; the first may be empty. */
static void write_in_pieces(struct data_writer *w, const struct buf *b, uint64_t *seed)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	size_t off = 0;

	while (off < b->len) {
		struct iovec iov[3];

		for (int i = 0; i < 3; i++) {
			size_t n = noise(seed) % 3 ? noise(seed) % 200000 : 0;

			if (n > b->len - off)
				n = b->len - off;
			iov[i] = (struct iovec){ b->data + off, n };
			off += n;
		}
		if (data_writer_write(w, iov, 3, &err))
			fail_msg("%s", err.text);
	}
}

static void finish(struct data_writer *w)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (data_writer_finish(w, &err))
		fail_msg("%s", err.text);
	data_writer_free(w);
}

/* Checks that the samples of the file are these bytes. */
static void check(const struct buf *wanted)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = data_open(path, &err, NULL);
	struct data_walk *walk;
	struct data_damage damage, none;
	struct data_record rec;
	size_t off = 0;

	if (!f)
		fail_msg("%s", err.text);
	walk = data_walk_new(f, &err);
	while (!data_walk_next(walk, true, &rec, &err)) {
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_true(off + rec.bytes <= wanted->len);
		assert_memory_equal(rec.body, wanted->data + off + 8, rec.body_bytes);
		off += rec.bytes;
	}
	assert_int_equal(off, wanted->len);
	memset(&none, 0, sizeof(none));
	memset(&damage, 0, sizeof(damage));
	data_walk_damage(walk, &damage);
	assert_memory_equal(&damage, &none, offsetof(struct data_damage, records));
	data_walk_free(walk);
	data_close(f);
}

static void round_trip(int level, bool noisy)
{
	uint64_t seed = 4711;
	struct buf records = BUF_INIT;
	struct data_writer *w = writer_new(level, false);

	put_samples(&records, 200, noisy, &seed);
	write_in_pieces(w, &records, &seed);
	assert_int_equal(data_writer_raw_bytes(w), records.len);
	if (noisy)
		assert_in_range(data_writer_bytes(w), records.len, records.len + records.len / 50);
	else
		assert_true(data_writer_bytes(w) < records.len / 20);
	finish(w);
	check(&records);
	buf_release(&records);
	unlink(path);
}

static void what_shrinks(void **state)
{
	(void)state;
	for (int level = 1; level <= 22; level += 7)
		round_trip(level, false);
}

static void what_cannot(void **state)
{
	(void)state;
	for (int level = 1; level <= 22; level += 7)
		round_trip(level, true);
}

/* Two streams, then uncompressed records. */
static void appended(void **state)
{
	uint64_t seed = 815;
	struct buf all = BUF_INIT, part = BUF_INIT;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct data_writer *w = writer_new(i < 2 ? 3 : 0, i > 0);

		buf_clear(&part);
		put_samples(&part, 50, i & 1, &seed);
		write_in_pieces(w, &part, &seed);
		finish(w);
		buf_add(&all, part.data, part.len);
		check(&all);
	}
	buf_release(&part);
	buf_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_shrinks, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(what_cannot, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(appended, make_dir, drop_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
