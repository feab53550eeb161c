/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUXTRACE records, the data that follows them, and their index: made, written, read back. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "data/read/reader.h"
#include "data/write/writer.h"
#include "lib/need.h"
#include "unit/data/made.h"

static const struct made_event event = { .type = PERF_TYPE_SOFTWARE,
					 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER,
					 .flags = MADE_SAMPLE_ID_ALL,
					 .id = 7 };

#define PIECES 4
/* one is larger than a record can be */
static const size_t piece_bytes[PIECES] = { 8, 0, 200000, 24 };

static uint8_t byte_at(unsigned piece, size_t at)
{
	return (uint8_t)(piece * 31 + at * 7 + at / 256);
}

static void make_piece(struct made *m, unsigned i)
{
	made_begin(m, PTUI_RECORD_AUXTRACE, 0);
	made_u64(m, piece_bytes[i]);
	made_u64(m, 0x1000 * i);
	made_u64(m, 0x123456789a + i);
	made_u32(m, i);
	made_u32(m, (uint32_t)-1);
	made_u32(m, i % 2);
	made_u32(m, 0);
	made_end(m);
	for (size_t k = 0; k < piece_bytes[i]; k++)
		made_u8(m, byte_at(i, k));
}

/* Four pieces with other records between them. `places`: of the pieces in the file. */
static void make_pieces(struct made *m, uint64_t places[PIECES])
{
	for (unsigned i = 0; i < PIECES; i++) {
		made_begin(m, PERF_RECORD_AUX, 0);
		made_u64(m, 0x1000 * i);
		made_u64(m, piece_bytes[i]);
		made_u64(m, i);
		made_u64(m, 7);
		made_end(m);
		places[i] = m->out.len;
		make_piece(m, i);
	}
	made_begin(m, PTUI_RECORD_FINISHED_ROUND, 0);
	made_end(m);
}

static void check_piece(struct data_walk *w, const struct data_record *rec, unsigned i,
			size_t padded)
{
	uint8_t bytes[1000];
	uint64_t at = 0;
	ssize_t n;

	assert_int_equal(rec->payload_bytes, padded);
	assert_int_equal(rec->auxtrace.bytes, padded);
	assert_int_equal(rec->auxtrace.off, 0x1000 * i);
	assert_int_equal(rec->auxtrace.reference, 0x123456789a + i);
	assert_int_equal(rec->auxtrace.idx, i);
	assert_int_equal(rec->auxtrace.tid, -1);
	assert_int_equal(rec->auxtrace.cpu, i % 2);
	while ((n = data_walk_payload(w, rec, at, bytes, sizeof(bytes))) > 0) {
		for (ssize_t k = 0; k < n; k++, at++)
			assert_int_equal(bytes[k], at < piece_bytes[i] ? byte_at(i, at) : 0);
	}
	assert_int_equal(n, 0);
	assert_int_equal(at, padded);
}

/* Returns how many pieces there are; `padded`: of 8 bytes. */
static unsigned check_walk(struct data_file *f, unsigned first)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *w = data_walk_new(f, &err);
	struct data_damage damage;
	struct data_record rec;
	unsigned n = first;

	while (!data_walk_next(w, true, &rec, &err)) {
		if (rec.type == PERF_RECORD_AUX) {
			assert_int_equal(rec.aux.off, 0x1000 * (n % PIECES));
			assert_int_equal(rec.aux.bytes, piece_bytes[n % PIECES]);
			assert_int_equal(rec.aux.flags, n % PIECES);
		}
		if (rec.type != PTUI_RECORD_AUXTRACE)
			continue;
		check_piece(w, &rec, n % PIECES, (piece_bytes[n % PIECES] + 7) / 8 * 8);
		n++;
	}
	data_walk_damage(w, &damage);
	assert_int_equal(damage.bad_records + damage.skipped_bytes + damage.truncated_bytes, 0);
	data_walk_free(w);
	return n - first;
}

static void check_index(struct data_file *f, unsigned n)
{
	struct data_auxtrace a;

	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(data_auxtrace_at(f, i, &a), 0);
		assert_int_equal(a.off, 0x1000 * (i % PIECES));
		assert_int_equal(a.idx, i % PIECES);
		assert_int_equal(a.bytes, (piece_bytes[i % PIECES] + 7) / 8 * 8);
	}
	assert_int_equal(data_auxtrace_at(f, n, &a), 1);
}

static void both_orders_both_layouts(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		struct made m, index;
		uint64_t places[PIECES];
		struct made_feature feature;
		struct data_file *f;

		made_init(&m, how & 1, how & 2);
		made_init(&index, how & 1, false);
		index.out.len = 0;
		made_events(&m, &event, 1, 112);
		make_pieces(&m, places);
		made_u64(&index, PIECES);
		for (unsigned i = 0; i < PIECES; i++) {
			made_u64(&index, places[i]);
			made_u64(&index, 48);
		}
		feature = (struct made_feature){ PTUI_FEAT_AUXTRACE, index.out.data,
						 index.out.len };
		made_finish_with(&m, &feature, 1);
		f = made_open(&m);
		assert_int_equal(check_walk(f, 0), PIECES);
		check_index(f, how & 2 ? 0 : PIECES);
		data_close(f);
		made_release(&m);
		made_release(&index);
	}
}

/* An index that points elsewhere, and records after a damaged one. */
static void damaged(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	uint64_t places[PIECES], entries[] = { 2, 8, 48, UINT64_MAX - 4, 48 };
	struct made_feature feature = { PTUI_FEAT_AUXTRACE, entries, sizeof(entries) };
	struct data_damage damage;
	struct data_auxtrace a;
	struct data_record rec;
	struct data_walk *w;
	struct data_file *f;
	unsigned n = 0;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	make_pieces(&m, places);
	/* the size of the first AUX record */
	memset(m.out.data + places[0] - 34, 0, 2);
	made_finish_with(&m, &feature, 1);
	f = made_open(&m);
	assert_int_equal(data_auxtrace_at(f, 0, &a), -EBADMSG);
	assert_int_equal(data_auxtrace_at(f, 1, &a), -EBADMSG);
	w = data_walk_new(f, &err);
	while (!data_walk_next(w, true, &rec, &err))
		n += rec.type == PTUI_RECORD_AUXTRACE;
	assert_int_equal(n, PIECES);
	data_walk_damage(w, &damage);
	assert_int_equal(damage.bad_records, 1);
	data_walk_free(w);
	data_close(f);
	made_release(&m);
}

/* ---- written ---- */

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
	char old[128];

	(void)state;
	snprintf(old, sizeof(old), "%s.old", path);
	unlink(old);
	unlink(path);
	return rmdir(dir);
}

static struct data_writer *writer_new(const struct data_writer_opts *opts, bool expects)
{
	struct perf_event_attr attr = { .size = PTUI_ATTR_SIZE_VER5,
					.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER,
					.sample_id_all = 1 };
	const uint64_t id = 7;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = data_writer_open(path, opts, &err);

	if (!w)
		fail_msg("%s", err.text);
	assert_int_equal(data_writer_add_event(w, &attr, "one", &id, 1), 0);
	if (expects)
		assert_int_equal(data_writer_expect_aux(w), 0);
	if (data_writer_begin(w, &err))
		fail_msg("%s", err.text);
	return w;
}

static void put_aux_record(struct data_writer *w, unsigned i)
{
	uint64_t body[] = { 0x1000 * i, piece_bytes[i], i, 7 };
	struct perf_event_header h = { PERF_RECORD_AUX, 0, sizeof(h) + sizeof(body) };
	struct iovec iov[] = { { &h, sizeof(h) }, { body, sizeof(body) } };
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_int_equal(data_writer_write(w, iov, 2, &err), 0);
}

/* In two parts, as a ring that wraps has it. The last one is not a multiple of 8. */
static void put_pieces(struct data_writer *w)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf bytes = BUF_INIT;

	for (unsigned i = 0; i < PIECES; i++) {
		size_t n = piece_bytes[i], half = n / 3;
		struct data_auxtrace a = { .off = 0x1000 * i,
					   .reference = 0x123456789a + i,
					   .idx = i,
					   .tid = -1,
					   .cpu = (int32_t)(i % 2) };
		struct iovec iov[2];

		buf_clear(&bytes);
		for (size_t k = 0; k < n; k++)
			buf_add_char(&bytes, (char)byte_at(i, k));
		iov[0] = (struct iovec){ bytes.data, half };
		iov[1] = (struct iovec){ bytes.data + half, n - half };
		put_aux_record(w, i);
		if (data_writer_write_aux(w, &a, iov, 2, &err))
			fail_msg("%s", err.text);
	}
	buf_release(&bytes);
}

static struct data_file *open_it(void)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = data_open(path, &err, NULL);

	if (!f)
		fail_msg("%s", err.text);
	return f;
}

/* Plain and compressed; the first file, and one that is appended to; while it grows, and when it is whole. */
static void written(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		struct data_writer_opts opts = { .compress_level = how & 1 ? 3 : 0,
						 .append = how & 2,
						 .overwrite = true,
						 .cancel_fd = -1 };
		unsigned n = how & 2 ? 2 * PIECES : PIECES;
		struct ptui_error err = PTUI_ERROR_INIT;
		struct data_writer *w;
		struct data_file *f;

		if (how == 2)
			unlink(path);
		if (how & 2) {
			opts.append = false;
			w = writer_new(&opts, true);
			put_pieces(w);
			assert_int_equal(data_writer_finish(w, &err), 0);
			data_writer_free(w);
			opts.append = true;
		}
		w = writer_new(&opts, true);
		put_pieces(w);
		/* killed now: everything is there, the index is empty */
		f = open_it();
		assert_int_equal(check_walk(f, 0), n);
		assert_true(data_has_feature(f, PTUI_FEAT_AUXTRACE));
		check_index(f, 0);
		data_close(f);
		if (data_writer_finish(w, &err))
			fail_msg("%s", err.text);
		data_writer_free(w);
		f = open_it();
		assert_int_equal(check_walk(f, 0), n);
		check_index(f, n);
		data_close(f);
	}
}

static void not_expected(void **state)
{
	const struct data_writer_opts opts = { .cancel_fd = -1 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = writer_new(&opts, false);
	struct data_file *f;

	(void)state;
	put_pieces(w);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
	f = open_it();
	check_index(f, PIECES);
	data_close(f);
	w = writer_new(&opts, false);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
	f = open_it();
	assert_false(data_has_feature(f, PTUI_FEAT_AUXTRACE));
	data_close(f);
}

/* perf would read the entries of an index from the pipe: there is none. */
static void to_a_pipe(void **state)
{
	const struct data_writer_opts opts = { .cancel_fd = -1 };
	struct ptui_error err = PTUI_ERROR_INIT;
	char copy[120];
	struct data_writer *w;
	struct data_file *f;
	int fd, saved, n;
	static char bytes[1 << 20];

	(void)state;
	snprintf(copy, sizeof(copy), "%s/copy", dir);
	/* standard output is a file in the pipe layout */
	snprintf(path, sizeof(path), "-");
	saved = dup(1);
	fd = open(copy, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0 && saved >= 0);
	assert_int_equal(dup2(fd, 1), 1);
	w = writer_new(&opts, true);
	put_pieces(w);
	n = data_writer_finish(w, &err);
	data_writer_free(w);
	dup2(saved, 1);
	close(saved);
	assert_int_equal(n, 0);
	n = (int)pread(fd, bytes, sizeof(bytes), 0);
	close(fd);
	unlink(copy);
	snprintf(path, sizeof(path), "%s/perf.data", dir);
	assert_true(n > 200000);
	f = data_open_memory(bytes, (size_t)n, &err, NULL);
	assert_non_null(f);
	assert_true(data_is_pipe(f));
	assert_int_equal(check_walk(f, 0), PIECES);
	assert_false(data_has_feature(f, PTUI_FEAT_AUXTRACE));
	check_index(f, 0);
	data_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_orders_both_layouts),
		cmocka_unit_test(damaged),
		cmocka_unit_test_setup_teardown(written, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(not_expected, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(to_a_pipe, make_dir, drop_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
