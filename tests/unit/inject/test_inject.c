/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings written again, from damaged ones as well; ELF files of JIT code; archives. */
#include "inject/inject.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "archive/archive.h"
#include "archive/tar.h"
#include "base/file.h"
#include "base/perf_abi.h"
#include "dso/dso.h"
#include "inject/jit_elf.h"
#include "lib/need.h"
#include "symbol/debug_info.h"
#include "symbol/symtab.h"
#include "unit/data/made.h"

static char dir[] = "/tmp/ptui-test-inject-XXXXXX";
static char output[64];

static void run_with(const void *bytes, size_t n, const struct inject_opts *o, bool *ret_written,
		     struct inject_result *result)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct stat st;
	int ret = 0;
	struct data_file *f = data_open_memory(bytes, n, &err, &ret);

	*ret_written = false;
	if (!f)
		return;
	ret = inject_run(f, o, result, &err);
	data_close(f);
	*ret_written = ret == 0;
	assert_int_equal(stat(output, &st) == 0, ret == 0);
	assert_true(ret == 0 || ptui_error_is_set(&err));
}

/* Whatever the input is, the output is one that can be read to its end without damage, or none. */
static void check(const void *bytes, size_t n)
{
	const struct inject_opts with[] = {
		{ .output = output },
		{ .output = output, .build_ids = true, .buildid_all = true },
		{ .output = output, .convert_callchain = true },
		{ .output = output, .convert_callchain = true, .strip = true },
		{ .output = output, .sched_stat = true },
		{ .output = output, .sched_stat = true, .strip = true },
		{ .output = output, .jit = true },
	};

	for (size_t i = 0; i < sizeof(with) / sizeof(*with); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct data_damage damage;
		struct inject_result result;
		struct data_record rec;
		struct data_walk *walk;
		struct data_file *f;
		bool written;
		int ret = 0;

		run_with(bytes, n, &with[i], &written, &result);
		if (!written)
			continue;
		f = data_open(output, &err, &ret);
		assert_non_null(f);
		walk = data_walk_new(f, &err);
		assert_non_null(walk);
		while ((ret = data_walk_next(walk, true, &rec, &err)) == 0)
			;
		assert_int_equal(ret, 1);
		data_walk_damage(walk, &damage);
		assert_int_equal(damage.truncated_bytes, 0);
		assert_int_equal(damage.skipped_bytes, 0);
		data_walk_free(walk);
		data_close(f);
		assert_int_equal(unlink(output), 0);
	}
}

static void each_input(const char *corpus)
{
	const char *top = getenv("top_srcdir");
	char folder[4096];
	struct dirent *de;
	unsigned inputs = 0;
	DIR *d;

	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s", top ? top : ".", corpus);
	d = opendir(folder);
	assert_non_null(d);
	while ((de = readdir(d))) {
		struct buf bytes = BUF_INIT;

		if (de->d_name[0] == '.')
			continue;
		assert_int_equal(file_readf(&bytes, 1 << 20, "%s/%s", folder, de->d_name), 0);
		check(bytes.data, bytes.len);
		for (size_t cut = bytes.len; cut > 8; cut -= cut / 5 + 1)
			check(bytes.data, cut);
		for (size_t at = 0; at < bytes.len; at += bytes.len / 40 + 1) {
			bytes.data[at] ^= 0x55;
			check(bytes.data, bytes.len);
			bytes.data[at] ^= 0x55;
		}
		buf_release(&bytes);
		inputs++;
	}
	closedir(d);
	assert_true(inputs > 0);
}

static void damaged(void **state)
{
	(void)state;
	each_input("data");
	each_input("pipe");
}

/* ---- records are copied as they are, of unknown types as well ---- */

static void put_record(struct made *m, uint32_t type, uint64_t word)
{
	made_begin(m, type, 0);
	made_u64(m, word);
	made_u64(m, 0);
	made_end(m);
}

/* The n-th record of a walk is this one. */
struct wanted_record {
	uint32_t type;
	uint64_t word;
};

static void check_records(struct data_file *f, const struct wanted_record *v, size_t n)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *walk = data_walk_new(f, &err);
	struct data_record rec;

	assert_non_null(walk);
	data_walk_keep_unknown(walk);
	data_walk_keep_simpleperf(walk);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(data_walk_next(walk, true, &rec, &err), 0);
		assert_int_equal(rec.type, v[i].type);
		assert_int_equal(rec.misc, 0);
		assert_int_equal(rec.body_bytes, 16);
		assert_int_equal(data_word(rec.body, 0, false), v[i].word);
	}
	assert_int_equal(data_walk_next(walk, true, &rec, &err), 1);
	data_walk_free(walk);
}

static void unknown(void **state)
{
	const struct made_event event = {
		.type = PERF_TYPE_SOFTWARE, .sample_type = PERF_SAMPLE_IP, .period = 1, .id = 5
	};
	const struct made_feature feature = { 200, "any bytes", 9 };
	static const struct wanted_record records[] = {
		{ 51, 0x1111 },
		{ 99, 0x2222 },
		{ PTUI_RECORD_TYPES - 1, 0x3333 },
		{ PTUI_RECORD_TYPES, 0x4444 },
		{ 255, 0x5555 },
		{ PTUI_SIMPLEPERF_TYPES - 1, 0x6666 },
		{ PTUI_SIMPLEPERF_CALLCHAIN, 0x7777 },
		{ PTUI_SIMPLEPERF_DEBUG, 0x8888 },
		{ PTUI_SIMPLEPERF_TYPES + 31, 0x9999 },
		{ PTUI_SIMPLEPERF_TYPES + 32, 0xaaaa },
		{ 0xfffff, 0xbbbb }, /* larger ones are damage */
		{ 51, 0xcccc },
	};
	const struct inject_opts with[] = {
		{ .output = output },
		{ .output = output, .build_ids = true, .buildid_all = true },
	};
	const size_t n_records = sizeof(records) / sizeof(*records);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct inject_result result;
	struct data_file *f;
	struct made m;
	size_t n;
	bool written;
	int ret = 0;

	(void)state;
	for (unsigned pipe = 0; pipe < 2; pipe++)
		for (size_t i = 0; i < sizeof(with) / sizeof(*with); i++) {
			made_init(&m, false, pipe);
			made_events(&m, &event, 1, 96);
			for (size_t k = 0; k < n_records; k++)
				put_record(&m, records[k].type, records[k].word);
			made_finish_with(&m, &feature, !pipe);
			run_with(m.out.data, m.out.len, &with[i], &written, &result);
			assert_true(written);
			f = data_open(output, &err, &ret);
			assert_non_null(f);
			if (!pipe) {
				assert_memory_equal(data_feature(f, 200, &n), "any bytes", 9);
				assert_int_equal(n, 9);
			}
			check_records(f, records, n_records);
			data_close(f);
			made_release(&m);
			assert_int_equal(unlink(output), 0);
		}
}

/* simpleperf's records, of which the size has 32 bits; as events of perf's pipe they have 16. */
static void large_record(void **state)
{
	const struct made_event event = {
		.type = PERF_TYPE_SOFTWARE, .sample_type = PERF_SAMPLE_IP, .period = 1, .id = 5
	};
	const struct inject_opts o = { .output = output };
	const uint32_t bytes = 100000;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct inject_result result;
	struct data_record rec;
	struct data_walk *walk;
	struct data_file *f;
	struct made m;
	bool written;
	int ret = 0;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 96);
	made_u32(&m, PTUI_SIMPLEPERF_DEBUG);
	made_u32(&m, (bytes & 0xffff) << 16 | bytes >> 16); /* u16 misc, u16 size */
	for (uint32_t i = 0; i < (bytes - 8) / 4; i++)
		made_u32(&m, i);
	made_finish(&m, NULL, 0);
	run_with(m.out.data, m.out.len, &o, &written, &result);
	assert_true(written);
	f = data_open(output, &err, &ret);
	assert_non_null(f);
	walk = data_walk_new(f, &err);
	assert_non_null(walk);
	data_walk_keep_simpleperf(walk);
	assert_int_equal(data_walk_next(walk, true, &rec, &err), 0);
	assert_int_equal(rec.type, PTUI_SIMPLEPERF_DEBUG);
	assert_int_equal(rec.body_bytes, bytes - 8);
	for (uint32_t i = 0; i < (bytes - 8) / 8; i++)
		assert_true(data_word(rec.body, i, false) == (2 * i | (uint64_t)(2 * i + 1) << 32));
	assert_int_equal(data_walk_next(walk, true, &rec, &err), 1);
	data_walk_free(walk);
	data_close(f);
	made_release(&m);
	assert_int_equal(unlink(output), 0);
}

/* simpleperf has maps in a section of their own: their records are copied, once. */
static void maps_in_a_section(void **state)
{
	const struct made_event event = {
		.type = PERF_TYPE_SOFTWARE, .sample_type = PERF_SAMPLE_IP, .period = 1, .id = 5
	};
	static const struct wanted_record records[] = { { 51, 0x1111 }, { 52, 0x2222 } };
	const struct inject_opts o = { .output = output };
	struct made m, maps = { .swap = false };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct inject_result result;
	struct data_file *f;
	bool written;
	int ret = 0;

	(void)state;
	put_record(&maps, records[1].type, records[1].word);
	made_init(&m, false, false);
	made_events(&m, &event, 1, 96);
	put_record(&m, records[0].type, records[0].word);
	made_finish_with(&m,
			 &(struct made_feature){ PTUI_FEAT_SIMPLEPERF_INIT_MAP, maps.out.data,
						 maps.out.len },
			 1);
	run_with(m.out.data, m.out.len, &o, &written, &result);
	assert_true(written);
	f = data_open(output, &err, &ret);
	assert_non_null(f);
	check_records(f, records, 2);
	data_close(f);
	made_release(&m);
	made_release(&maps);
	assert_int_equal(unlink(output), 0);
}

static void other_order(void **state)
{
	const struct made_event event = { .type = PERF_TYPE_SOFTWARE, .period = 1, .id = 5 };
	const struct inject_opts o = { .output = output };
	struct inject_result result;
	struct made m;
	bool written;

	(void)state;
	made_init(&m, true, false);
	made_events(&m, &event, 1, 96);
	made_finish(&m, NULL, 0);
	run_with(m.out.data, m.out.len, &o, &written, &result);
	assert_false(written);
	made_release(&m);
}

/* ---- an ELF file of code ---- */

static void jit_elf(void **state)
{
	static const uint8_t code[32] = { 1, 2, 3 };
	const struct jitdump_line lines[] = { { 1000, "/src/a.js", 7 },
					      { 1008, "/src/a.js", 3 },
					      { 1016, "/src/b.js", 900 } };
	const struct jit_code of = { .name = "f",
				     .machine = EM_X86_64,
				     .bytes = code,
				     .n = sizeof(code),
				     .lines = lines,
				     .n_lines = 3,
				     .off = 1000 };
	static const unsigned wanted[] = { 7, 3, 900 };
	struct ptui_error err = PTUI_ERROR_INIT;
	uint8_t id[DSO_BUILD_ID_MAX];
	struct buf elf = BUF_INIT;
	struct debug_info *info;
	struct debug_line line;
	struct dso_file *f;
	uint64_t off;

	(void)state;
	assert_int_equal(jit_elf_make(&of, &elf), 0);
	assert_memory_equal(elf.data + JIT_ELF_TEXT_OFF, code, sizeof(code));
	f = dso_file_open_image("jitted.so", elf.data, elf.len, NULL, 0, &err);
	assert_non_null(f);
	assert_int_equal(dso_file_build_id(f, id), 20);
	assert_true(dso_file_rva_to_off(f, JIT_ELF_TEXT_OFF + 5, &off));
	assert_int_equal(off, JIT_ELF_TEXT_OFF + 5);
	info = debug_info_new(f, &err);
	assert_non_null(info);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(debug_info_line(info, JIT_ELF_TEXT_OFF + 8 * i + 3, &line));
		assert_int_equal(line.line, wanted[i]);
		assert_string_equal(line.path, lines[i].file);
	}
	debug_info_free(info);
	dso_file_unref(f);
	buf_release(&elf);
}

/* ---- archives ---- */

static void put_archive(const char *path, bool packed, const char *name)
{
	int in = open("/proc/self/exe", O_RDONLY),
	    fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct tar_writer *w = tar_writer_new(fd, packed);

	assert_non_null(w);
	assert_int_equal(tar_put_file(w, ARCHIVE_RECORDING, in, 1000, 0644), 0);
	assert_int_equal(tar_put_file(w, name, in, 700, 0755), 0);
	assert_int_equal(tar_put_link(w, ".debug/.build-id/aa/bbcc", "../../x/aabbcc"), 0);
	assert_int_equal(tar_finish(w), 0);
	tar_writer_free(w);
	close(in);
	close(fd);
}

static void no_folder(const char *path)
{
	assert_int_equal(rmdir(path), 0); /* fails unless it is empty */
	assert_int_equal(mkdir(path, 0700), 0);
}

static void archives(void **state)
{
	char path[64], target[64], name[300];
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf bytes = BUF_INIT;

	(void)state;
	snprintf(path, sizeof(path), "%s/a", dir);
	snprintf(target, sizeof(target), "%s/t", dir);
	snprintf(name, sizeof(name), ".debug/%0120d/%0120d/elf", 1, 2); /* longer than the field */
	assert_int_equal(mkdir(target, 0700), 0);
	for (int packed = 0; packed < 2; packed++) {
		char whole[400];
		struct stat st;

		put_archive(path, packed, name);
		assert_true(archive_is(path));
		assert_int_equal(archive_unpack(path, target, &err), 0);
		snprintf(whole, sizeof(whole), "%s/%s", target, name);
		assert_int_equal(stat(whole, &st), 0);
		assert_int_equal(st.st_size, 700);
		archive_remove_folder(target);
		assert_int_equal(mkdir(target, 0700), 0);

		/* damaged, it is refused or unpacked below the folder; a refused one leaves nothing */
		buf_clear(&bytes);
		assert_int_equal(file_readf(&bytes, 1 << 20, "%s", path), 0);
		for (size_t at = 0; at < bytes.len; at += at < 2048 ? 13 : 197) {
			struct ptui_error why = PTUI_ERROR_INIT;
			int fd = open(path, O_WRONLY | O_TRUNC);

			bytes.data[at] ^= 0x2a;
			assert_int_equal(file_write_all(fd, bytes.data, bytes.len), 0);
			bytes.data[at] ^= 0x2a;
			close(fd);
			if (archive_unpack(path, target, &why)) {
				assert_true(ptui_error_is_set(&why));
				no_folder(target);
				continue;
			}
			archive_remove_folder(target);
			assert_int_equal(mkdir(target, 0700), 0);
		}
	}
	buf_release(&bytes);
	unlink(path);
	assert_int_equal(rmdir(target), 0);
}

/* ---- --strip ---- */

/* The id fields of a record of one of the events below. */
static void put_id(struct made *m, uint64_t id)
{
	made_u32(m, 42);
	made_u32(m, 42);
	if (id == 7)
		made_u64(m, 1); /* its CPU */
	made_u64(m, id);
	made_end(m);
}

static void put_comm(struct made *m, uint64_t id)
{
	made_begin(m, PERF_RECORD_COMM, 0);
	made_u32(m, 42);
	made_u32(m, 42);
	made_text(m, "work", 8);
	put_id(m, id);
}

static void put_words(struct made *m, uint32_t type, uint64_t a, uint64_t b, uint64_t c,
		      uint64_t id)
{
	made_begin(m, type, 0);
	made_u64(m, a);
	made_u64(m, b);
	if (type != PERF_RECORD_LOST && type != PERF_RECORD_ITRACE_START)
		made_u64(m, c);
	if (id)
		put_id(m, id);
	else
		made_end(m);
}

static void put_short_sample(struct made *m, uint64_t id)
{
	made_begin(m, PERF_RECORD_SAMPLE, 0);
	made_u64(m, id);
	made_u64(m, 0x1000);
	made_u32(m, 42);
	made_u32(m, 42);
	if (id == 7)
		made_u64(m, 1);
	made_end(m);
}

static void put_strip_input(struct made *m, bool pipe)
{
	static const uint64_t common = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_IDENTIFIER;
	const struct made_event events[] = {
		{ .sample_type = common, .flags = MADE_SAMPLE_ID_ALL | 1 << 9, .id = 6 },
		{ .sample_type = common | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
				 PERF_SAMPLE_STACK_USER,
		  .flags = MADE_SAMPLE_ID_ALL,
		  .regs_user = 1,
		  .stack_user = 64,
		  .id = 5 },
		{ .sample_type = common | PERF_SAMPLE_CPU, .flags = MADE_SAMPLE_ID_ALL, .id = 7 },
	};

	made_init(m, false, pipe);
	made_events(m, events, 3, 112);
	put_words(m, PTUI_RECORD_ID_INDEX, 0, 0, 0, 0);
	put_words(m, PTUI_RECORD_AUXTRACE_INFO, PTUI_AUXTRACE_INTEL_PT, 0, 0, 0);
	put_words(m, PTUI_RECORD_EVENT_UPDATE, 0, 6, 0, 0);
	put_words(m, PTUI_RECORD_EVENT_UPDATE, 0, 7, 0, 0);
	put_comm(m, 6);
	put_comm(m, 7);
	put_short_sample(m, 6);
	put_short_sample(m, 7);
	put_words(m, PERF_RECORD_LOST, 6, 3, 0, 6);
	put_words(m, PERF_RECORD_THROTTLE, 9, 6, 6, 6);
	put_words(m, PERF_RECORD_THROTTLE, 9, 7, 7, 7);
	put_words(m, PERF_RECORD_AUX, 0, 0, 0, 6);
	put_words(m, PERF_RECORD_ITRACE_START, 42, 42, 0, 6);
	made_finish(m, NULL, 0);
}

/* Records of an event that is gone have the id of one that stays, if theirs is in the same place. */
static void stripped(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t id, word; /* of its id fields; the first of its own */
	} wanted[] = {
		{ PTUI_RECORD_EVENT_UPDATE, 0, 0 },    { PERF_RECORD_COMM, 5, 0x2a0000002a },
		{ PERF_RECORD_COMM, 7, 0x2a0000002a }, { PERF_RECORD_LOST, 5, 5 },
		{ PERF_RECORD_THROTTLE, 7, 9 },
	};
	const struct inject_opts o = { .output = output, .convert_callchain = true, .strip = true };

	(void)state;
	for (unsigned pipe = 0; pipe < 2; pipe++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct inject_result result;
		struct data_record rec;
		struct data_walk *w;
		struct data_file *f;
		bool is_written;
		struct made m;

		put_strip_input(&m, pipe);
		run_with(m.out.data, m.out.len, &o, &is_written, &result);
		assert_true(is_written);
		assert_int_equal(result.stripped, 2);
		f = data_open(output, &err, NULL);
		assert_non_null(f);
		assert_int_equal(data_n_events(f), 2);
		assert_int_equal(data_event(f, 0)->ids[0], 5);
		assert_int_equal(data_event(f, 1)->ids[0], 7);
		assert_true(data_event_attr(f, 0)->comm);
		assert_false(data_event_attr(f, 1)->comm);
		w = data_walk_new(f, &err);
		for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
			assert_int_equal(data_walk_next(w, true, &rec, &err), 0);
			assert_int_equal(rec.type, wanted[i].type);
			assert_int_equal(data_word(rec.body, 0, false), wanted[i].word);
			if (wanted[i].id) {
				assert_int_equal(rec.id.tid, 42);
				assert_int_equal(rec.id.id, wanted[i].id);
			}
		}
		assert_int_equal(data_walk_next(w, true, &rec, &err), 1);
		data_walk_free(w);
		data_close(f);
		made_release(&m);
		assert_int_equal(unlink(output), 0);
	}
}

/* The data after AUXTRACE records is copied, and the index has its new places; a pipe's has them, too. */
static void aux_data(void **state)
{
	static const struct made_event event = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER, .id = 7
	};
	const struct inject_opts o = { .output = output };

	(void)state;
	for (unsigned pipe = 0; pipe < 2; pipe++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct inject_result result;
		struct data_auxtrace a;
		struct data_record rec;
		struct data_file *f;
		struct data_walk *w;
		uint8_t bytes[32];
		unsigned n = 0;
		bool is_written;
		struct made m;

		made_init(&m, false, pipe);
		made_events(&m, &event, 1, 112);
		for (unsigned i = 0; i < 3; i++) {
			made_begin(&m, PTUI_RECORD_AUXTRACE, 0);
			made_u64(&m, 16 * i);
			made_u64(&m, 100 * i);
			made_u64(&m, 5);
			made_u32(&m, i);
			made_u32(&m, 70 + i);
			made_u32(&m, 80 + i);
			made_u32(&m, 0);
			made_end(&m);
			for (unsigned k = 0; k < 16 * i; k++)
				made_u8(&m, (uint8_t)(i + k));
			made_begin(&m, PTUI_RECORD_FINISHED_ROUND, 0);
			made_end(&m);
		}
		made_finish(&m, NULL, 0);
		run_with(m.out.data, m.out.len, &o, &is_written, &result);
		assert_true(is_written);
		f = data_open(output, &err, NULL);
		assert_non_null(f);
		w = data_walk_new(f, &err);
		while (!data_walk_next(w, true, &rec, &err)) {
			if (rec.type != PTUI_RECORD_AUXTRACE)
				continue;
			assert_int_equal(data_auxtrace_at(f, n, &a), 0);
			assert_int_equal(a.bytes, rec.auxtrace.bytes);
			assert_int_equal(a.off, rec.auxtrace.off);
			assert_int_equal(a.reference, rec.auxtrace.reference);
			assert_int_equal(a.idx, rec.auxtrace.idx);
			assert_int_equal(a.tid, rec.auxtrace.tid);
			assert_int_equal(a.cpu, rec.auxtrace.cpu);
			assert_int_equal(a.bytes, 16 * n);
			assert_int_equal(a.off, 100 * n);
			assert_int_equal(a.idx, n);
			assert_int_equal(a.tid, 70 + n);
			assert_int_equal(a.cpu, 80 + n);
			assert_int_equal(data_walk_payload(w, &rec, 0, bytes, sizeof(bytes)),
					 16 * n);
			for (unsigned k = 0; k < 16 * n; k++)
				assert_int_equal(bytes[k], n + k);
			n++;
		}
		assert_int_equal(n, 3);
		data_walk_free(w);
		data_close(f);
		unlink(output);
		made_release(&m);
	}
}

static int make_dir(void **state)
{
	(void)state;
	snprintf(output, sizeof(output), "%s/out.data", mkdtemp(dir) ? dir : "");
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir); /* nothing is left */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged),	cmocka_unit_test(unknown),
		cmocka_unit_test(large_record), cmocka_unit_test(maps_in_a_section),
		cmocka_unit_test(other_order),	cmocka_unit_test(jit_elf),
		cmocka_unit_test(archives),	cmocka_unit_test(aux_data),
		cmocka_unit_test(stripped),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
