/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of made-up files, in both byte orders and both layouts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "unit/data/made.h"

#define TYPE                                                                    \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static const struct made_event plain[] = {
	{ .type = PERF_TYPE_HARDWARE,
	  .config = 0,
	  .period = 4000,
	  .sample_type = TYPE,
	  .flags = MADE_SAMPLE_ID_ALL | MADE_PRECISE(2) | 1 << 10 | 1 << 8,
	  .id = 71 },
	{ .type = PERF_TYPE_SOFTWARE,
	  .config = 2,
	  .period = 1,
	  .sample_type = TYPE,
	  .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			 PERF_FORMAT_ID,
	  .flags = MADE_SAMPLE_ID_ALL | 1 << 5 | 1 << 20,
	  .id = 72 },
};

static void trailer(struct made *m, uint64_t id)
{
	made_u32(m, 11);
	made_u32(m, 12);
	made_u64(m, 1000);
	made_u64(m, id);
	made_u64(m, 99);
	made_u32(m, 3);
	made_u32(m, 0);
}

static void records(struct made *m)
{
	made_begin(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	made_u32(m, 0xffffffff);
	made_u32(m, 0);
	made_u64(m, 0xffffffff81000000);
	made_u64(m, 0x1000000);
	made_u64(m, 0xffffffff81000000);
	made_text(m, "[kernel.kallsyms]_text", 24);
	trailer(m, 72);
	made_end(m);

	made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	made_u32(m, 5);
	made_u32(m, 6);
	made_u64(m, 0x1000);
	made_u64(m, 0x2000);
	made_u64(m, 0x3000);
	made_u32(m, 8);
	made_u32(m, 1);
	made_u64(m, 4711);
	made_u64(m, 2);
	made_u32(m, 5);
	made_u32(m, 0x12);
	made_text(m, "/bin/true", 16);
	trailer(m, 71);
	made_end(m);

	made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	made_u32(m, 5);
	made_u32(m, 6);
	made_u64(m, 0x1000);
	made_u64(m, 0x2000);
	made_u64(m, 0x3000);
	made_u8(m, 16);
	made_u8(m, 0);
	made_u16(m, 0);
	buf_add(&m->out, "0123456789abcdef\0\0\0\0", 20);
	made_u32(m, 5);
	made_u32(m, 0x12);
	made_text(m, "/bin/true", 16);
	trailer(m, 71);
	made_end(m);

	made_begin(m, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	made_u32(m, 5);
	made_u32(m, 6);
	made_text(m, "true", 8);
	trailer(m, 71);
	made_end(m);

	made_begin(m, PERF_RECORD_FORK, 0);
	made_u32(m, 5);
	made_u32(m, 4);
	made_u32(m, 6);
	made_u32(m, 3);
	made_u64(m, 77);
	trailer(m, 71);
	made_end(m);

	made_begin(m, PERF_RECORD_LOST, 0);
	made_u64(m, 71);
	made_u64(m, 10);
	trailer(m, 71);
	made_end(m);

	made_begin(m, PERF_RECORD_LOST_SAMPLES, 0);
	made_u64(m, 20);
	trailer(m, 71);
	made_end(m);

	made_begin(m, PERF_RECORD_THROTTLE, 0);
	made_u64(m, 1);
	made_u64(m, 71);
	made_u64(m, 3);
	trailer(m, 71);
	made_end(m);

	for (uint64_t id = 71; id <= 72; id++) {
		made_begin(m, PERF_RECORD_READ, 0);
		made_u32(m, 5);
		made_u32(m, 6);
		made_u64(m, 1234);
		if (id == 72) {
			made_u64(m, 300);
			made_u64(m, 200);
			made_u64(m, id);
		}
		trailer(m, id);
		made_end(m);
	}

	made_begin(m, PERF_RECORD_KSYMBOL, 0);
	made_u64(m, 0xffff0000);
	made_u32(m, 64);
	made_u16(m, 1);
	made_u16(m, 1);
	made_text(m, "bpf_prog_1", 16);
	trailer(m, 71);
	made_end(m);

	made_begin(m, PTUI_RECORD_FINISHED_ROUND, 0);
	made_end(m);

	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, 0x1234);
	made_u32(m, 5);
	made_u32(m, 6);
	made_u64(m, 2000);
	made_u64(m, 72);
	made_u64(m, 9);
	made_u32(m, 1);
	made_u32(m, 0);
	made_u64(m, 44);
	made_end(m);
}

static void check_id(const struct data_record *rec, uint64_t id)
{
	assert_int_equal(rec->id.has, DATA_HAS_TID | DATA_HAS_TIME | DATA_HAS_ID | DATA_HAS_STREAM |
					      DATA_HAS_CPU);
	assert_int_equal(rec->id.pid, 11);
	assert_int_equal(rec->id.tid, 12);
	assert_int_equal(rec->id.time_ns, 1000);
	assert_int_equal(rec->id.id, id);
	assert_int_equal(rec->id.stream_id, 99);
	assert_int_equal(rec->id.cpu, 3);
}

static void next(struct data_walk *w, uint32_t type, struct data_record *rec)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_int_equal(data_walk_next(w, true, rec, &err), 0);
	assert_int_equal(rec->type, type);
}

static void check_records(struct data_file *f)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *w = data_walk_new(f, &err);
	struct data_damage damage, none;
	struct data_record rec;
	struct data_sample s;

	assert_non_null(w);
	if (data_is_pipe(f)) {
		next(w, PTUI_RECORD_HEADER_ATTR, &rec);
		next(w, PTUI_RECORD_HEADER_ATTR, &rec);
	}
	next(w, PERF_RECORD_MMAP, &rec);
	assert_int_equal(rec.mmap.pid, -1);
	assert_int_equal(rec.mmap.start, 0xffffffff81000000);
	assert_int_equal(rec.mmap.len, 0x1000000);
	assert_int_equal(rec.mmap.prot, 4);
	assert_string_equal(rec.mmap.path, "[kernel.kallsyms]_text");
	assert_int_equal(rec.misc, PERF_RECORD_MISC_KERNEL);
	check_id(&rec, 72);

	next(w, PERF_RECORD_MMAP2, &rec);
	assert_int_equal(rec.mmap.pid, 5);
	assert_int_equal(rec.mmap.tid, 6);
	assert_int_equal(rec.mmap.pgoff, 0x3000);
	assert_int_equal(rec.mmap.maj, 8);
	assert_int_equal(rec.mmap.min, 1);
	assert_int_equal(rec.mmap.ino, 4711);
	assert_int_equal(rec.mmap.ino_generation, 2);
	assert_int_equal(rec.mmap.prot, 5);
	assert_int_equal(rec.mmap.flags, 0x12);
	assert_int_equal(rec.mmap.build_id_bytes, 0);
	assert_string_equal(rec.mmap.path, "/bin/true");
	check_id(&rec, 71);

	next(w, PERF_RECORD_MMAP2, &rec);
	assert_int_equal(rec.mmap.build_id_bytes, 16);
	assert_memory_equal(rec.mmap.build_id, "0123456789abcdef", 16);
	assert_int_equal(rec.mmap.maj, 0);
	assert_int_equal(rec.mmap.prot, 5);
	assert_string_equal(rec.mmap.path, "/bin/true");

	next(w, PERF_RECORD_COMM, &rec);
	assert_string_equal(rec.comm.name, "true");
	assert_int_equal(rec.comm.tid, 6);
	assert_true(rec.comm.exec);
	check_id(&rec, 71);

	next(w, PERF_RECORD_FORK, &rec);
	assert_int_equal(rec.task.pid, 5);
	assert_int_equal(rec.task.ppid, 4);
	assert_int_equal(rec.task.tid, 6);
	assert_int_equal(rec.task.ptid, 3);
	assert_int_equal(rec.task.time_ns, 77);

	next(w, PERF_RECORD_LOST, &rec);
	assert_int_equal(rec.lost.id, 71);
	assert_int_equal(rec.lost.lost, 10);
	next(w, PERF_RECORD_LOST_SAMPLES, &rec);
	assert_int_equal(rec.lost.id, 0);
	assert_int_equal(rec.lost.lost, 20);

	next(w, PERF_RECORD_THROTTLE, &rec);
	assert_int_equal(rec.throttle.time_ns, 1);
	assert_int_equal(rec.throttle.id, 71);
	assert_int_equal(rec.throttle.stream_id, 3);

	/* the first event lacks times in read_format */
	next(w, PERF_RECORD_READ, &rec);
	check_id(&rec, 71);
	assert_int_equal(rec.read.tid, 6);
	assert_int_equal(rec.read.enabled_ns, 0);
	next(w, PERF_RECORD_READ, &rec);
	check_id(&rec, 72);
	assert_int_equal(rec.read.pid, 5);
	assert_int_equal(rec.read.enabled_ns, 300);
	assert_int_equal(rec.read.running_ns, 200);

	next(w, PERF_RECORD_KSYMBOL, &rec);
	assert_int_equal(rec.ksymbol.addr, 0xffff0000);
	assert_int_equal(rec.ksymbol.len, 64);
	assert_int_equal(rec.ksymbol.ksym_type, 1);
	assert_int_equal(rec.ksymbol.flags, 1);
	assert_string_equal(rec.ksymbol.name, "bpf_prog_1");
	check_id(&rec, 71);

	next(w, PTUI_RECORD_FINISHED_ROUND, &rec);
	next(w, PERF_RECORD_SAMPLE, &rec);
	assert_int_equal(data_walk_sample(w, &rec, &s), 0);
	assert_int_equal(s.event, 1);
	assert_int_equal(s.ip, 0x1234);
	assert_int_equal(s.pid, 5);
	assert_int_equal(s.tid, 6);
	assert_int_equal(s.time_ns, 2000);
	assert_int_equal(s.id, 72);
	assert_int_equal(s.stream_id, 9);
	assert_int_equal(s.cpu, 1);
	assert_int_equal(s.period, 44);
	assert_int_equal(data_walk_next(w, true, &rec, &err), 1);
	assert_int_equal(data_walk_next(w, true, &rec, &err), 1);

	memset(&none, 0, sizeof(none));
	memset(&damage, 0, sizeof(damage));
	data_walk_damage(w, &damage);
	assert_memory_equal(&damage, &none, offsetof(struct data_damage, records));
	data_walk_free(w);
}

static void check_events(struct data_file *f)
{
	const struct data_event *ev;

	assert_int_equal(data_n_events(f), 2);
	ev = data_event(f, 0);
	assert_int_equal(ev->type, PERF_TYPE_HARDWARE);
	assert_int_equal(ev->sample_period, 4000);
	assert_int_equal(ev->sample_type, TYPE);
	assert_true(ev->freq);
	assert_true(ev->sideband);
	assert_true(ev->sample_id_all);
	assert_false(ev->exclude_kernel);
	assert_int_equal(ev->precise_ip, 2);
	assert_int_equal(ev->n_ids, 1);
	assert_int_equal(ev->ids[0], 71);
	assert_int_equal(ev->leader, 0);
	assert_string_equal(ev->name, "cycles:pp");
	ev = data_event(f, 1);
	assert_true(ev->exclude_kernel);
	assert_true(ev->exclude_guest);
	assert_false(ev->sideband);
	assert_int_equal(ev->precise_ip, 0);
	assert_string_equal(ev->name, "page-faults:uhH");
	assert_null(data_event(f, 2));
	assert_int_equal(data_event_of_id(f, 71), 0);
	assert_int_equal(data_event_of_id(f, 72), 1);
	assert_int_equal(data_event_of_id(f, 73), PTUI_NONE);
}

static void both_orders_both_layouts(void **state)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152 };

	(void)state;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (unsigned how = 0; how < 4; how++) {
			struct data_file *f;
			struct made m;

			made_init(&m, how & 1, how & 2);
			made_events(&m, plain, 2, sizes[i]);
			records(&m);
			made_finish(&m, NULL, 0);
			f = made_open(&m);
			assert_int_equal(data_swapped(f), how & 1);
			assert_int_equal(data_is_pipe(f), (how & 2) != 0);
			check_events(f);
			assert_int_equal(data_event(f, 0)->attr_size, sizes[i]);
			check_records(f);
			check_records(f);
			data_close(f);
			made_release(&m);
		}
}

/* In a pipe the records that define events come first and are returned, too. */
static void a_pipe_shows_its_header_records(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_record rec;
	struct data_walk *w;
	struct data_file *f;
	struct made m;

	(void)state;
	made_init(&m, false, true);
	made_events(&m, plain, 2, 112);
	made_begin(&m, PTUI_RECORD_EVENT_UPDATE, 0);
	made_u64(&m, 2);
	made_u64(&m, 72);
	made_text(&m, "my faults", 16);
	made_end(&m);
	made_begin(&m, PTUI_RECORD_HEADER_FEATURE, 0);
	made_u64(&m, PTUI_FEAT_HOSTNAME);
	made_u32(&m, 64);
	made_text(&m, "vm", 64);
	made_end(&m);
	made_begin(&m, PTUI_RECORD_HEADER_TRACING_DATA, 0);
	made_u32(&m, 24);
	made_end(&m);
	made_text(&m, "not tracing data", 24);
	records(&m);
	f = made_open(&m);
	assert_string_equal(data_event(f, 1)->name, "my faults");
	assert_string_equal(data_feature_text(f, PTUI_FEAT_HOSTNAME), "vm");
	for (unsigned pass = 0; pass < 2; pass++) {
		w = data_walk_new(f, &err);
		next(w, PTUI_RECORD_HEADER_ATTR, &rec);
		next(w, PTUI_RECORD_HEADER_ATTR, &rec);
		next(w, PTUI_RECORD_EVENT_UPDATE, &rec);
		next(w, PTUI_RECORD_HEADER_FEATURE, &rec);
		next(w, PTUI_RECORD_HEADER_TRACING_DATA, &rec);
		next(w, PERF_RECORD_MMAP, &rec);
		assert_int_equal(data_n_events(f), 2);
		data_walk_free(w);
	}
	data_close(f);
	made_release(&m);
}

/* EVENT_DESC as a record: one event with a name of its own. */
static void put_event_desc(struct made *m, uint32_t type)
{
	made_begin(m, type, 0);
	made_u32(m, 2);
	made_u32(m, 64);
	for (unsigned i = 0; i < 2; i++) {
		buf_add_zeros(&m->out, 64);
		made_u32(m, 1);
		made_u32(m, 64);
		made_text(m, i ? "their faults" : "their cycles", 64);
		made_u64(m, 71 + i);
	}
	made_end(m);
}

/* Types that are ID_INDEX, AUXTRACE … COMPRESSED today. */
static void put_header_records(struct made *m)
{
	static const char *const texts[] = { "chromebook", "3.8.11", "3.8", "x86_64" };

	for (unsigned i = 0; i < 4; i++) {
		made_begin(m, 69 + i, 0);
		made_u32(m, 64);
		made_text(m, texts[i], 64);
		made_end(m);
	}
	made_begin(m, 73, 0); /* NRCPUS */
	made_u32(m, 2);
	made_u32(m, 4);
	made_end(m);
	made_begin(m, 74, 0); /* CPUDESC */
	made_u32(m, 64);
	made_text(m, "Celeron", 64);
	made_end(m);
	made_begin(m, 76, 0); /* TOTAL_MEM */
	made_u64(m, 2048);
	made_end(m);
	made_begin(m, 77, 0); /* CMDLINE */
	made_u32(m, 2);
	made_u32(m, 64);
	made_text(m, "perf", 64);
	made_u32(m, 64);
	made_text(m, "record", 64);
	made_end(m);
	put_event_desc(m, 78);
	made_begin(m, 81, 0); /* PMU_MAPPINGS */
	made_u32(m, 1);
	made_u32(m, 4);
	made_u32(m, 64);
	made_text(m, "cpu", 64);
	made_end(m);
}

/* Old Chrome OS: a record for each feature. */
static void pipes_with_a_record_per_feature(void **state)
{
	(void)state;
	for (unsigned swap = 0; swap < 2; swap++) {
		struct data_damage damage;
		struct ptui_error err = PTUI_ERROR_INIT;
		struct data_record rec;
		struct data_file *f;
		struct data_walk *w;
		struct made m;
		unsigned n = 0;
		size_t bytes = 0;

		made_init(&m, swap, true);
		made_events(&m, plain, 2, 64);
		put_header_records(&m);
		records(&m);
		f = made_open(&m);
		/* known before the first walk */
		assert_string_equal(data_event(f, 0)->name, "their cycles");
		assert_string_equal(data_event(f, 1)->name, "their faults");
		assert_string_equal(data_feature_text(f, PTUI_FEAT_HOSTNAME), "chromebook");
		assert_string_equal(data_feature_text(f, PTUI_FEAT_OSRELEASE), "3.8.11");
		assert_string_equal(data_feature_text(f, PTUI_FEAT_VERSION), "3.8");
		assert_string_equal(data_feature_text(f, PTUI_FEAT_ARCH), "x86_64");
		assert_string_equal(data_feature_text(f, PTUI_FEAT_CPUDESC), "Celeron");
		assert_string_equal(data_feature_text(f, PTUI_FEAT_CMDLINE), "perf record");
		assert_non_null(data_feature(f, PTUI_FEAT_NRCPUS, &bytes));
		assert_int_equal(bytes, 8);
		assert_non_null(data_feature(f, PTUI_FEAT_TOTAL_MEM, &bytes));
		assert_int_equal(bytes, 8);
		assert_non_null(data_feature(f, PTUI_FEAT_PMU_MAPPINGS, &bytes));
		assert_int_equal(bytes, 4 + 4 + 4 + 64);
		assert_false(data_has_feature(f, PTUI_FEAT_CPUID));
		for (unsigned pass = 0; pass < 2; pass++) {
			w = data_walk_new(f, &err);
			for (n = 0; !data_walk_next(w, true, &rec, &err); n++)
				assert_true(rec.type <= PTUI_RECORD_FINISHED_ROUND);
			data_walk_damage(w, &damage);
			data_walk_free(w);
			assert_int_equal(n, 2 + 13);
			assert_int_equal(damage.bad_records + damage.skipped_bytes, 0);
			assert_int_equal(damage.records[PTUI_RECORD_HEADER_FEATURE], 10);
			assert_int_equal(damage.records[PTUI_RECORD_COMPRESSED], 0);
		}
		data_close(f);
		made_release(&m);
	}
}

static void features_are_text(void **state)
{
	const char *features[PTUI_FEAT_MAX] = {
		[PTUI_FEAT_HOSTNAME] = "vm", [PTUI_FEAT_ARCH] = "x86_64"
	};
	size_t n = 0;

	(void)state;
	for (unsigned swap = 0; swap < 2; swap++) {
		struct data_build_id id;
		struct data_file *f;
		struct made m;

		made_init(&m, swap, false);
		made_events(&m, plain, 2, 112);
		records(&m);
		made_finish(&m, features, 32);
		f = made_open(&m);
		assert_string_equal(data_feature_text(f, PTUI_FEAT_HOSTNAME), "vm");
		assert_string_equal(data_feature_text(f, PTUI_FEAT_ARCH), "x86_64");
		assert_null(data_feature_text(f, PTUI_FEAT_CPUDESC));
		assert_null(data_feature_text(f, PTUI_FEAT_NRCPUS));
		assert_non_null(data_feature(f, PTUI_FEAT_ARCH, &n));
		assert_int_equal(n, 68);
		assert_null(data_feature(f, PTUI_FEAT_TRACING_DATA, &n));
		assert_int_equal(data_build_id_at(f, 0, &id), 1);
		check_records(f);
		data_close(f);
		made_release(&m);
	}
}

static void samples_are_skipped_on_request(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_record all, some;
	struct data_walk *a, *b;
	struct data_file *f;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, plain, 2, 112);
	for (unsigned i = 0; i < 3; i++)
		records(&m);
	made_finish(&m, NULL, 0);
	f = made_open(&m);
	a = data_walk_new(f, &err);
	b = data_walk_new(f, &err);
	while (!data_walk_next(a, true, &all, &err)) {
		if (all.type == PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_next(b, false, &some, &err), 0);
		assert_int_equal(all.type, some.type);
		assert_int_equal(all.off, some.off);
		assert_int_equal(all.seq, some.seq);
	}
	assert_int_equal(data_walk_next(b, false, &some, &err), 1);
	data_walk_free(a);
	data_walk_free(b);
	data_close(f);
	made_release(&m);
}

/* At each offset: the first record from there on is returned, sample or not, and then the others as before. */
static void a_walk_stops_skipping(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_record all, some;
	struct data_walk *a, *b;
	struct data_file *f;
	struct made m;
	unsigned samples = 0;
	uint64_t size;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, plain, 2, 112);
	records(&m);
	records(&m);
	made_finish(&m, NULL, 0);
	f = made_open(&m);
	size = data_size_bytes(f);
	for (uint64_t stop = 0; stop <= size; stop++) {
		bool stopped = false;

		a = data_walk_new(f, &err);
		b = data_walk_new(f, &err);
		data_walk_stop_skipping(b, stop);
		while (!data_walk_next(a, true, &all, &err)) {
			bool here = !stopped && all.off >= stop;

			if (all.type == PERF_RECORD_SAMPLE && !here)
				continue;
			samples += all.type == PERF_RECORD_SAMPLE;
			stopped |= here;
			assert_int_equal(data_walk_next(b, false, &some, &err), 0);
			assert_int_equal(all.type, some.type);
			assert_int_equal(all.off, some.off);
			assert_int_equal(all.seq, some.seq);
		}
		assert_int_equal(data_walk_next(b, false, &some, &err), 1);
		data_walk_free(a);
		data_walk_free(b);
	}
	assert_true(samples);
	data_close(f);
	made_release(&m);
}

/* Samples that are not wanted are counted, and the records between them are the same, in many windows. */
static void samples_skipped(void **state)
{
	static const struct made_event event = { .type = PERF_TYPE_SOFTWARE,
						 .sample_type = PERF_SAMPLE_IDENTIFIER |
								PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								PERF_SAMPLE_TIME };
	enum { RECORDS = 40000 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_damage damage[2];
	struct data_record all, rec;
	struct data_walk *w[2];
	struct data_file *f;
	char path[] = "/tmp/ptui-test-XXXXXX";
	int fd = mkstemp(path);
	size_t n = 0;
	struct made m;

	(void)state;
	memset(damage, 0, sizeof(damage));
	assert_true(fd >= 0);
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	for (uint64_t i = 0; i < RECORDS; i++) {
		made_begin(&m, i % 9973 ? PERF_RECORD_SAMPLE : PERF_RECORD_LOST,
			   PERF_RECORD_MISC_USER);
		made_u64(&m, 1);
		made_u64(&m, 0x1000 + i);
		for (uint64_t words = 2 + i % 5; words > 0; words--)
			made_u64(&m, i);
		made_end(&m);
	}
	made_finish(&m, NULL, 0);
	assert_int_equal(write(fd, m.out.data, m.out.len), m.out.len);
	close(fd);
	f = data_open(path, &err, NULL);
	assert_non_null(f);
	w[0] = data_walk_new(f, &err);
	w[1] = data_walk_new(f, &err);
	while (!data_walk_next(w[0], true, &all, &err)) {
		if (all.type == PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_next(w[1], false, &rec, &err), 0);
		assert_int_equal(rec.type, all.type);
		assert_int_equal(rec.off, all.off);
		assert_int_equal(rec.seq, all.seq);
		n++;
	}
	assert_int_equal(data_walk_next(w[1], false, &rec, &err), 1);
	assert_int_equal(n, RECORDS / 9973 + 1);
	for (size_t i = 0; i < 2; i++) {
		data_walk_damage(w[i], &damage[i]);
		assert_int_equal(damage[i].records[PERF_RECORD_SAMPLE], RECORDS - n);
		data_walk_free(w[i]);
	}
	assert_memory_equal(&damage[0], &damage[1], sizeof(damage[0]));
	data_close(f);
	unlink(path);
	made_release(&m);
}

/* Without ids, samples belong to an event only if there is a single one. */
/* The bit alone does not make it a build-id: it must be requested, or have a build-id's length. */
static void a_build_id_that_was_not_requested(void **state)
{
	static const uint8_t firsts[] = { 8, 21, 20, 8 };

	(void)state;
	for (size_t i = 0; i < sizeof(firsts); i++) {
		struct made_event ev = plain[0];
		struct data_record rec;
		struct data_file *f;
		struct data_walk *w;
		struct ptui_error err = PTUI_ERROR_INIT;
		struct made m;

		made_init(&m, false, false);
		ev.flags |= i == 3 ? 1ULL << 34 : 0;
		made_events(&m, &ev, 1, 112);
		made_begin(&m, PERF_RECORD_MMAP2,
			   PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
		made_u64(&m, 5);
		made_u64(&m, 0x1000);
		made_u64(&m, 0x2000);
		made_u64(&m, 0);
		made_u32(&m, firsts[i]);
		made_u32(&m, 1);
		made_u64(&m, 4711);
		made_u64(&m, 2);
		made_u64(&m, 5);
		made_text(&m, "/bin/true", 16);
		trailer(&m, 71);
		made_end(&m);
		made_finish(&m, NULL, 0);
		f = made_open(&m);
		w = data_walk_new(f, &err);
		assert_non_null(w);
		next(w, PERF_RECORD_MMAP2, &rec);
		assert_int_equal(rec.mmap.build_id_bytes, i < 2 ? 0 : firsts[i]);
		assert_int_equal(rec.mmap.maj, i < 2 ? firsts[i] : 0);
		assert_int_equal(rec.mmap.ino, i < 2 ? 4711 : 0);
		assert_string_equal(rec.mmap.path, "/bin/true");
		data_walk_free(w);
		data_close(f);
		made_release(&m);
	}
}

/* ---- the fields that every record may end with ---- */

#define TRAILER                                                                        \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static void put_trailer(struct made *m, uint64_t type)
{
	if (type & PERF_SAMPLE_TID) {
		made_u32(m, 11);
		made_u32(m, 12);
	}
	if (type & PERF_SAMPLE_TIME)
		made_u64(m, 1000);
	if (type & PERF_SAMPLE_ID)
		made_u64(m, 71);
	if (type & PERF_SAMPLE_STREAM_ID)
		made_u64(m, 99);
	if (type & PERF_SAMPLE_CPU) {
		made_u32(m, 3);
		made_u32(m, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		made_u64(m, 71);
}

static void check_trailer(const struct data_id *id, uint64_t type)
{
	unsigned has = (type & PERF_SAMPLE_TID ? DATA_HAS_TID : 0) |
		       (type & PERF_SAMPLE_TIME ? DATA_HAS_TIME : 0) |
		       (type & PERF_SAMPLE_STREAM_ID ? DATA_HAS_STREAM : 0) |
		       (type & PERF_SAMPLE_CPU ? DATA_HAS_CPU : 0) |
		       (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? DATA_HAS_ID : 0);

	assert_int_equal(id->has, has);
	assert_int_equal(id->pid, type & PERF_SAMPLE_TID ? 11 : 0);
	assert_int_equal(id->tid, type & PERF_SAMPLE_TID ? 12 : 0);
	assert_int_equal(id->time_ns, type & PERF_SAMPLE_TIME ? 1000 : 0);
	assert_int_equal(id->id, has & DATA_HAS_ID ? 71 : 0);
	assert_int_equal(id->stream_id, type & PERF_SAMPLE_STREAM_ID ? 99 : 0);
	assert_int_equal(id->cpu, type & PERF_SAMPLE_CPU ? 3 : 0);
}

/* Each combination of the fields, with sample_id_all and without. */
static void every_trailer(void **state)
{
	static const uint64_t bits[] = { PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					 PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
					 PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER };

	(void)state;
	for (unsigned how = 0; how < 64 * 4; how++) {
		bool swap = how & 64, all = how & 128;
		struct made_event ev = { .sample_type = PERF_SAMPLE_IP,
					 .flags = all ? MADE_SAMPLE_ID_ALL : 0,
					 .id = 71 };
		struct ptui_error err = PTUI_ERROR_INIT;
		struct data_record rec;
		struct data_file *f;
		struct data_walk *w;
		struct made m;

		for (unsigned i = 0; i < 6; i++)
			ev.sample_type |= how >> i & 1 ? bits[i] : 0;
		made_init(&m, swap, false);
		made_events(&m, &ev, 1, 112);
		made_begin(&m, PERF_RECORD_COMM, 0);
		made_u32(&m, 5);
		made_u32(&m, 6);
		made_text(&m, "comm", 8);
		if (all)
			put_trailer(&m, ev.sample_type);
		made_end(&m);
		made_finish(&m, NULL, 0);
		f = made_open(&m);
		w = data_walk_new(f, &err);
		next(w, PERF_RECORD_COMM, &rec);
		assert_string_equal(rec.comm.name, "comm");
		check_trailer(&rec.id, all ? ev.sample_type & TRAILER : 0);
		data_walk_free(w);
		data_close(f);
		made_release(&m);
	}
}

/* ---- all types of records ---- */

static bool is_known(unsigned type)
{
	return (type >= 1 && type <= 22) || (type >= 64 && type <= 84);
}

/* Returned or skipped, each is counted; those with a name have it. */
static void every_type(void **state)
{
	static const unsigned more[] = { 111, 112, 4711, 32767, 32800 };

	(void)state;
	for (unsigned i = 1; i < 120; i++)
		for (unsigned swap = 0; swap < 2; swap++) {
			unsigned type = i < 112 ? i : more[i % 5];
			struct ptui_error err = PTUI_ERROR_INIT;
			struct data_damage damage;
			struct data_record rec;
			struct data_file *f;
			struct data_walk *w;
			struct made m;

			/* those that contain others, or are followed by bytes, have tests of their own */
			if (type == PTUI_RECORD_COMPRESSED || type == PTUI_RECORD_COMPRESSED2 ||
			    type == PERF_RECORD_SAMPLE || type == PTUI_RECORD_HEADER_ATTR)
				continue;
			made_init(&m, swap, false);
			made_events(&m, plain, 2, 112);
			made_begin(&m, type, 0);
			buf_add_zeros(&m.out, 80);
			trailer(&m, 71);
			made_end(&m);
			records(&m);
			made_finish(&m, NULL, 0);
			f = made_open(&m);
			w = data_walk_new(f, &err);
			while (!data_walk_next(w, true, &rec, &err))
				assert_true(rec.type < PTUI_RECORD_TYPES);
			data_walk_damage(w, &damage);
			assert_int_equal(damage.unknown_records, !is_known(type));
			assert_int_equal(damage.skipped_bytes, 0);
			assert_int_equal(damage.records[PERF_RECORD_SAMPLE], 1);
			if (is_known(type)) {
				assert_non_null(data_record_type_name(type));
				assert_true(damage.records[type] > 0);
			} else if (type < PTUI_RECORD_TYPES) {
				assert_null(data_record_type_name(type));
			}
			data_walk_free(w);
			data_close(f);
			made_release(&m);
		}
}

static void ids_that_are_not_known(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct made_event ev[2] = {
		{ .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER, .id = 5 },
		{ .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_IDENTIFIER,
		  .id = 6 },
	};
	static const uint32_t want[] = { 0, 1, PTUI_NONE, 0 };
	static const uint64_t ids[] = { 5, 6, 7, 0 };
	struct data_damage damage;
	struct data_record rec;
	struct data_sample s;
	struct data_walk *w;
	struct data_file *f;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, ev, 2, 64);
	for (unsigned i = 0; i < 4; i++) {
		made_begin(&m, PERF_RECORD_SAMPLE, 0);
		made_u64(&m, ids[i]);
		made_u64(&m, 0x100 + i);
		made_u64(&m, 0);
		made_end(&m);
	}
	made_finish(&m, NULL, 0);
	f = made_open(&m);
	w = data_walk_new(f, &err);
	for (unsigned i = 0; i < 4; i++) {
		next(w, PERF_RECORD_SAMPLE, &rec);
		assert_int_equal(data_walk_sample(w, &rec, &s), 0);
		assert_int_equal(s.event, want[i]);
		if (want[i] != PTUI_NONE)
			assert_int_equal(s.ip, 0x100 + i);
	}
	data_walk_damage(w, &damage);
	assert_int_equal(damage.unknown_ids, 1);
	data_walk_free(w);
	data_close(f);
	made_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_orders_both_layouts),
		cmocka_unit_test(a_pipe_shows_its_header_records),
		cmocka_unit_test(pipes_with_a_record_per_feature),
		cmocka_unit_test(features_are_text),
		cmocka_unit_test(samples_are_skipped_on_request),
		cmocka_unit_test(a_walk_stops_skipping),
		cmocka_unit_test(samples_skipped),
		cmocka_unit_test(a_build_id_that_was_not_requested),
		cmocka_unit_test(every_trailer),
		cmocka_unit_test(every_type),
		cmocka_unit_test(ids_that_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
