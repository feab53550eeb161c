/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUX areas of a fake Intel PT, from the kernel's memory to the file. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "data/read/reader.h"
#include "event/selector/filter.h"
#include "fake/recording.h"
#include "session/live/live.h"
#include "symbol/symtab.h"

#define PT_TYPE	  8
#define AUX_BYTES 8192
#define PAGE	  4096

static const char *const pt[] = { "intel_pt//u" };

static void make_pmu(struct fake_kernel *k, const char *name, unsigned type)
{
	char path[128];

#define PMU_FILE(file, ...)                                                                  \
	do {                                                                                 \
		snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/" file, name); \
		fake_file(k, path, __VA_ARGS__);                                             \
	} while (0)
	PMU_FILE("type", "%u\n", type);
	PMU_FILE("format/pt", "config:0\n");
	PMU_FILE("format/cyc", "config:1\n");
	PMU_FILE("format/mtc", "config:9\n");
	PMU_FILE("format/tsc", "config:10\n");
	PMU_FILE("format/noretcomp", "config:11\n");
	PMU_FILE("format/branch", "config:13\n");
	PMU_FILE("format/mtc_period", "config:14-17\n");
	PMU_FILE("format/psb_period", "config:24-27\n");
	PMU_FILE("caps/mtc", "1\n");
	PMU_FILE("caps/mtc_periods", "249\n");
	PMU_FILE("caps/psb_cyc", "1\n");
	PMU_FILE("caps/psb_periods", "3f\n");
	PMU_FILE("max_nonturbo_ratio", "24\n");
#undef PMU_FILE
	k->aux_type = type;
}

static void begin(struct fake_recording *r)
{
	fake_recording_init(r, 42);
	make_pmu(&r->kernel, "intel_pt", PT_TYPE);
	r->opts.events = pt;
	r->opts.ring_pages = "4K,8K";
}

static uint8_t byte_at(int cpu, uint64_t at)
{
	return (uint8_t)(1 + (at * 7 + (uint64_t)cpu * 100 + at / 251) % 255);
}

/* Emits bytes `at` … of a CPU. Returns how many the PMU wrote. */
static size_t emit(struct fake_recording *r, int cpu, uint64_t at, size_t n)
{
	uint8_t bytes[3 * AUX_BYTES];

	for (size_t i = 0; i < n; i++)
		bytes[i] = byte_at(cpu, at + i);
	return fake_emit_aux(&r->kernel, cpu, bytes, n);
}

static void await_drained(struct fake_recording *r, int cpu)
{
	time_t until = time(NULL) + 30;

	while (!fake_aux_is_drained(&r->kernel, cpu)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
}

/* The recorder enables an event again that a full area has stopped. */
static void await_enabled(struct fake_recording *r, int cpu)
{
	struct fake_fd *f = fake_find(&r->kernel, PT_TYPE, 0x300e601, r->pid, cpu);
	time_t until = time(NULL) + 30;
	bool enabled = false;

	assert_non_null(f);
	while (!enabled) {
		assert_true(time(NULL) < until);
		pthread_mutex_lock(&r->kernel.lock);
		enabled = f->enabled;
		pthread_mutex_unlock(&r->kernel.lock);
		sched_yield();
	}
}

/* ---- the file ---- */

struct found {
	uint64_t n[2]; /* bytes of each CPU, one after the other */
	unsigned pieces, infos, aux, truncated, pokes;
	uint64_t words[18];
	unsigned n_words;
};

static void take_piece(struct data_walk *w, const struct data_record *rec, struct found *f,
		       uint64_t first)
{
	uint8_t bytes[3 * AUX_BYTES];
	int cpu = rec->auxtrace.cpu;
	ssize_t n = data_walk_payload(w, rec, 0, bytes, sizeof(bytes));

	assert_in_range(cpu, 0, 1);
	assert_int_equal(rec->auxtrace.idx, cpu);
	assert_int_equal(rec->auxtrace.tid, 42);
	assert_true(rec->auxtrace.reference > 0);
	assert_int_equal(n, rec->auxtrace.bytes);
	if (first == UINT64_MAX)
		assert_int_equal(rec->auxtrace.off, f->n[cpu]);
	else
		assert_int_equal(f->n[cpu], 0);
	/* the end is padded, and no byte of the PMU is 0 */
	for (ssize_t i = 0; i < n && (bytes[i] || n - i >= 8); i++, f->n[cpu]++)
		assert_int_equal(bytes[i],
				 byte_at(cpu, f->n[cpu] + (first == UINT64_MAX ? 0 : first)));
	f->pieces++;
}

/* `first`: of the only piece of a CPU, a snapshot; UINT64_MAX: all pieces follow one another. */
static struct found read_file(const char *path, uint64_t first)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *file = data_open(path, &err, NULL);
	struct found f = { .pieces = 0 };
	struct data_auxtrace a;
	struct data_damage damage;
	struct data_record rec;
	struct data_walk *w;

	if (!file)
		fail_msg("%s", err.text);
	assert_true(data_has_feature(file, PTUI_FEAT_AUXTRACE));
	w = data_walk_new(file, &err);
	while (!data_walk_next(w, true, &rec, &err)) {
		f.pokes += rec.type == PERF_RECORD_TEXT_POKE;
		if (rec.type == PERF_RECORD_AUX) {
			f.aux++;
			f.truncated += rec.aux.flags & 1;
		} else if (rec.type == PTUI_RECORD_AUXTRACE_INFO) {
			f.infos++;
			assert_int_equal(rec.body[0], PTUI_AUXTRACE_INTEL_PT);
			f.n_words = rec.body_bytes / 8 - 1;
			for (unsigned i = 0; i < f.n_words && i < 18; i++)
				f.words[i] = data_word(rec.body, i + 1, false);
		} else if (rec.type == PTUI_RECORD_AUXTRACE) {
			assert_int_equal(data_auxtrace_at(file, f.pieces, &a), 0);
			assert_int_equal(a.bytes, rec.auxtrace.bytes);
			assert_int_equal(a.off, rec.auxtrace.off);
			assert_int_equal(a.reference, rec.auxtrace.reference);
			assert_int_equal(a.idx, rec.auxtrace.idx);
			assert_int_equal(a.tid, rec.auxtrace.tid);
			assert_int_equal(a.cpu, rec.auxtrace.cpu);
			take_piece(w, &rec, &f, first);
		}
	}
	assert_int_equal(data_auxtrace_at(file, f.pieces, &a), 1);
	data_walk_damage(w, &damage);
	assert_int_equal(damage.bad_records + damage.skipped_bytes + damage.truncated_bytes, 0);
	data_walk_free(w);
	data_close(file);
	return f;
}

/* ---- all of it is written ---- */

static void each_byte_of_each_cpu(void **state)
{
	static const size_t sizes[] = { 100, 4096, 1, 8000, 3000, 5000, 8191, 7, 2048 };

	(void)state;
	for (unsigned level = 0; level < 2; level++) {
		struct ptui_record_stats stats;
		struct fake_recording r;
		struct fake_fd *counter;
		uint64_t at[2] = { 0, 0 };
		struct found f;

		begin(&r);
		r.opts.out.compress_level = level;
		fake_recording_start(&r);
		counter = fake_find(&r.kernel, PT_TYPE, 0x300e601, r.pid, 0);
		assert_non_null(counter);
		assert_int_equal(counter->attr.aux_watermark, AUX_BYTES / 4);
		assert_int_equal(counter->attr.sample_period, 1);
		assert_int_equal(counter->attr.freq, 0);
		for (unsigned i = 0; i < 18; i++) {
			int cpu = i % 2;
			size_t n = sizes[i / 2];

			/* the next one may have to wait for room */
			await_drained(&r, cpu);
			assert_int_equal(emit(&r, cpu, at[cpu], n), n);
			at[cpu] += n;
		}
		fake_recording_stop(&r);
		f = read_file(r.output, UINT64_MAX);
		assert_int_equal(f.n[0], at[0]);
		assert_int_equal(f.n[1], at[1]);
		assert_int_equal(f.aux, 18);
		assert_int_equal(f.truncated, 0);
		assert_int_equal(f.infos, 1);
		ptui_recording_get_stats(r.recording, &stats);
		assert_int_equal(stats.aux_bytes, at[0] + at[1]);
		assert_int_equal(stats.aux_truncated, 0);
		/* as perf's: type, clock (unknown here), bits of terms, switches of all, per CPU */
		assert_int_equal(f.n_words, 18);
		assert_int_equal(f.words[0], PT_TYPE);
		assert_int_equal(f.words[4], 0);
		assert_int_equal(f.words[5], 1 << 10);
		assert_int_equal(f.words[6], 1 << 11);
		assert_int_equal(f.words[7], 3);
		assert_int_equal(f.words[8], 0);
		assert_int_equal(f.words[9], 1);
		assert_int_equal(f.words[10], 1 << 9);
		assert_int_equal(f.words[11], 0xf << 14);
		assert_int_equal(f.words[14], 1 << 1);
		assert_int_equal(f.words[15], 24);
		fake_recording_release(&r);
	}
}

/* A full area stops the event until it is drained; what did not fit is counted. */
static void truncated(void **state)
{
	struct ptui_record_stats stats;
	struct fake_recording r;
	struct found f;
	size_t n;

	(void)state;
	begin(&r);
	fake_recording_start(&r);
	n = emit(&r, 0, 0, AUX_BYTES + 10);
	assert_int_equal(n, AUX_BYTES);
	await_drained(&r, 0);
	await_enabled(&r, 0);
	assert_int_equal(emit(&r, 0, n, 50), 50);
	fake_recording_stop(&r);
	f = read_file(r.output, UINT64_MAX);
	assert_int_equal(f.n[0], AUX_BYTES + 50);
	assert_int_equal(f.truncated, 1);
	ptui_recording_get_stats(r.recording, &stats);
	assert_int_equal(stats.aux_truncated, 1);
	fake_recording_release(&r);
}

/* ---- read by perf ---- */

static size_t count_lines(const char *path, const char *word)
{
	char line[4096];
	FILE *f = fopen(path, "r");
	size_t n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += strstr(line, word) != NULL;
	fclose(f);
	return n;
}

/* perf checks AUXTRACE_INFO, finds the data by the index, and prints its packets. */
static void by_perf(void **state)
{
	static const char *const modes[] = { "-D", "--stats", "--header-only" };
	static const struct {
		const char *word;
		size_t n[2]; /* plain, and with -z */
	} words[3] = {
		{ "... Intel Processor Trace data: size 1008 bytes", { 2, 2 } },
		{ " AUXTRACE events:          2 ", { 1, 1 } },
		{ "# contains AUX area data", { 1, 1 } },
	};

	(void)state;
	need("perf");
	for (unsigned level = 0; level < 2; level++) {
		struct fake_recording r;
		char command[512], out[128];

		begin(&r);
		r.opts.out.compress_level = level;
		fake_recording_start(&r);
		for (int cpu = 0; cpu < 2; cpu++)
			assert_int_equal(emit(&r, cpu, 0, 1001), 1001);
		fake_recording_stop(&r);
		snprintf(out, sizeof(out), "%s/out.txt", r.kernel.folder);
		for (unsigned i = 0; i < 3; i++) {
			snprintf(
				command, sizeof(command),
				"HOME=%s PERF_CONFIG=/dev/null perf report %s -i %s >%s 2>&1 </dev/null",
				r.kernel.folder, modes[i], r.output, out);
			assert_int_equal(system(command), 0);
			assert_int_equal(count_lines(out, words[i].word), words[i].n[level]);
			assert_int_equal(count_lines(out, "failed"), 0);
		}
		fake_recording_release(&r);
	}
}

/* ---- snapshots ---- */

static void await_snapshot(struct fake_recording *r, size_t i, struct ptui_snapshot *ret)
{
	time_t until = time(NULL) + 30;

	while (!ptui_recording_get_snapshot(r->recording, i, ret)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
}

static void newest_part(void **state)
{
	/* bytes before the snapshot; its size, 0: the area; what it has */
	static const struct {
		size_t n, size, want;
	} cases[] = {
		{ 1000, 0, 1000 },
		{ 1000, 512, 512 },
		{ AUX_BYTES + 3000, 0, AUX_BYTES },
		{ AUX_BYTES + 3000, 4096, 4096 },
		{ 2 * AUX_BYTES + 16, 4096, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ptui_snapshot taken;
		struct fake_recording r;
		struct fake_fd *counter;
		struct found f;

		begin(&r);
		r.opts.aux.snapshot = true;
		r.opts.aux.snapshot_bytes = cases[i].size;
		fake_recording_start(&r);
		counter = fake_find(&r.kernel, PT_TYPE, 0x300e601, r.pid, 1);
		assert_non_null(counter);
		assert_int_equal(counter->attr.aux_watermark, 0);
		/* nothing is read, whatever there is to read */
		for (size_t at = 0, part; at < cases[i].n; at += part) {
			part = cases[i].n - at < AUX_BYTES ? cases[i].n - at : AUX_BYTES;
			assert_int_equal(emit(&r, 1, at, part), part);
		}
		ptui_recording_snapshot(r.recording, PTUI_SNAPSHOT_ASKED);
		await_snapshot(&r, 0, &taken);
		assert_int_equal(taken.aux_bytes, cases[i].want);
		assert_int_equal(taken.bytes, cases[i].want);
		assert_null(taken.path);
		/* it goes on */
		await_enabled(&r, 1);
		fake_recording_stop(&r);
		f = read_file(r.output, cases[i].n - cases[i].want);
		assert_int_equal(f.pieces, 1);
		assert_int_equal(f.n[1], cases[i].want);
		assert_int_equal(f.words[8], 1);
		fake_recording_release(&r);
	}
}

/* Each file of --switch-output has the snapshot, and what describes it; the last one that of the end. */
static void in_each_file(void **state)
{
	struct ptui_snapshot taken;
	struct fake_recording r;
	char path[256];
	struct found f;

	(void)state;
	begin(&r);
	r.opts.aux = (struct ptui_record_aux){ .snapshot = true, .on_exit = true };
	r.opts.out.change.on = true;
	fake_recording_start(&r);
	assert_int_equal(emit(&r, 0, 0, 600), 600);
	ptui_recording_snapshot(r.recording, PTUI_SNAPSHOT_SIGNAL);
	await_snapshot(&r, 0, &taken);
	assert_non_null(taken.path);
	snprintf(path, sizeof(path), "%s", taken.path);
	assert_int_equal(taken.aux_bytes, 600);
	await_enabled(&r, 0);
	assert_int_equal(emit(&r, 0, 600, 80), 80);
	fake_recording_stop(&r);
	f = read_file(path, 0);
	assert_int_equal(f.infos, 1);
	assert_int_equal(f.n[0], 600);
	f = read_file(ptui_recording_output(r.recording), 600);
	assert_int_equal(f.infos, 1);
	assert_int_equal(f.n[0], 80);
	fake_recording_release(&r);
}

/* ---- refused ---- */

static void not_enough_memory(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct fake_recording r;

	(void)state;
	begin(&r);
	r.kernel.max_aux_bytes = 4096;
	fake_recording_new(&r);
	assert_int_equal(ptui_recording_start(r.recording, &err), -EPERM);
	assert_non_null(strstr(err.text, "cannot map an AUX area of 8 KiB for intel_pt//u"));
	assert_non_null(strstr(err.hint, "use a smaller one (-m ,128K)"));
	assert_int_equal(access(r.output, F_OK), -1);
	fake_recording_release(&r);
	/* a PMU that has none after all */
	begin(&r);
	r.kernel.aux_type = 0;
	fake_recording_new(&r);
	assert_int_equal(ptui_recording_start(r.recording, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.hint, "this event writes no AUX data on this machine"));
	fake_recording_release(&r);
}

static void that_cannot_be(void **state)
{
	static const char *const clock[] = { "cpu-clock" };
	static const char *const alone[] = { "cpu-clock/aux-sample-size=64/" };
	static const char *const two[] = { "intel_pt//", "arm_spe_0//" };
	static const char *const bts[] = { "intel_bts//" };
	static const char *const etm[] = { "cs_etm//" };
	static const struct {
		struct ptui_record_opts opts;
		const char *text, *hint;
	} cases[] = {
		{ { .events = clock, .n_events = 1, .aux.snapshot = true },
		  "-S requires an event with an AUX area",
		  "'ptui doctor' lists those of this machine" },
		{ { .events = pt, .n_events = 1, .aux.sample_bytes = 64 },
		  "--aux-sample requires a group",
		  "such as -e '{intel_pt//,branch-misses/aux-sample-size=" },
		{ { .events = alone, .n_events = 1 },
		  "its AUX terms require a group",
		  "such as -e '{intel_pt//,branch-misses/aux-sample-size=" },
		{ { .events = two, .n_events = 2 }, "cannot be recorded together", NULL },
		{ { .events = bts, .n_events = 1 },
		  "cannot be recorded per CPU",
		  "add --per-thread" },
		{ { .events = etm, .n_events = 1 }, "ptui does not record CoreSight traces", NULL },
		{ { .events = pt, .n_events = 1, .out.memory_bytes = 1 << 20 },
		  "intel_pt//u and -M cannot be used together",
		  "-S keeps the newest AUX data until a snapshot" },
		{ { .events = pt,
		    .n_events = 1,
		    .ring_pages = "4K,8K",
		    .aux = { .snapshot = true, .snapshot_bytes = 9000 } },
		  "larger than the AUX area, which has 8 KiB",
		  NULL },
		{ { .events = pt, .n_events = 1, .ring_pages = "4K,4K" },
		  "must have at least 8 KiB (-m ,SIZE)",
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct fake_recording r;

		begin(&r);
		make_pmu(&r.kernel, "arm_spe_0", 9);
		make_pmu(&r.kernel, "intel_bts", 10);
		make_pmu(&r.kernel, "cs_etm", 11);
		r.opts = cases[i].opts;
		r.opts.output = r.output;
		r.opts.pids = &r.pid;
		r.opts.n_pids = 1;
		fake_recording_new(&r);
		assert_true(ptui_recording_start(r.recording, &err) < 0);
		if (!strstr(err.text, cases[i].text))
			fail_msg("%s", err.text);
		if (cases[i].hint && !strstr(err.hint, cases[i].hint))
			fail_msg("%s", err.hint);
		fake_recording_release(&r);
	}
}

/* AUX data in the samples of a group: the area is mapped, and never read. */
static void in_samples(void **state)
{
	static const char *const group[] = { "{intel_pt//u,cpu-clock:u}" };
	struct fake_recording r;
	struct fake_fd *f;

	(void)state;
	begin(&r);
	r.opts.events = group;
	r.opts.aux.sample_bytes = 256;
	fake_recording_start(&r);
	f = fake_recording_counter(&r, 0);
	assert_int_equal(f->attr.aux_sample_size, 256);
	assert_true(f->attr.sample_type & PERF_SAMPLE_AUX);
	f = fake_find(&r.kernel, PT_TYPE, 0x300e601, r.pid, 0);
	assert_non_null(f);
	assert_int_equal(f->attr.sample_type & PERF_SAMPLE_AUX, 0);
	assert_int_equal(f->attr.aux_sample_size, 0);
	assert_int_equal(emit(&r, 0, 0, 100), 100);
	fake_recording_stop(&r);
	assert_int_equal(read_file(r.output, 0).pieces, 0);
	fake_recording_release(&r);
}

/* What the terms say replaces what perf asks for by default. */
static void terms(void **state)
{
	static const char *const given[] = { "intel_pt/tsc=0,mtc_period=9/u" };
	struct fake_recording r;

	(void)state;
	begin(&r);
	r.opts.events = given;
	fake_recording_start(&r);
	assert_non_null(fake_find(&r.kernel, PT_TYPE, 0x3026201, r.pid, 0));
	fake_recording_stop(&r);
	fake_recording_release(&r);
}

/* ---- address filters ---- */

static uint64_t offset_of(const char *path, const char *name, uint64_t *ret_bytes)
{
	struct dso_file *f = dso_file_open(path, NULL, 0, NULL);
	struct symtab *t = symtab_from_elf(f, f, NULL);
	uint64_t ret = 0;

	for (size_t i = 0; i < symtab_n(t); i++) {
		const struct symtab_entry *e = symtab_at(t, i);

		if (strcmp(e->name, name))
			continue;
		ret = e->start;
		*ret_bytes = e->end - e->start;
	}
	symtab_free(t);
	dso_file_unref(f);
	return ret;
}

/* Symbols become offsets in the file, or addresses of the kernel. */
static void addresses(void **state)
{
	char exe[256] = { 0 }, text[1200], want[1200];
	uint64_t bytes = 0, offset;
	const char *filters[] = { text };
	static const struct {
		const char *text, *error;
		int code;
	} refused[] = {
		{ "filter no_such_symbol @ %s", "has no such symbol no_such_symbol", ENOENT },
		{ "filter main #7 @ %s", "has no such symbol main", ENOENT },
		{ "filter 0x10 @ %s", "a size is missing", EINVAL },
		{ "filter main / exit_no @ %s", "has no such symbol exit_no", ENOENT },
		{ "filter main #x @ %s", "after # is a number", EINVAL },
		{ "start 0x10 @ %s begin 5", "it begins with filter, start, stop or tracestop",
		  EINVAL },
		{ "stop 99999999999999999999 @ %s", "the number is too large", EINVAL },
		{ "filter main @ /nonexistent/x", "cannot open /nonexistent/x", ENOENT },
		{ "start 1, start 2, start 3 @ %s", "the kernel rejected the filter", EINVAL },
	};

	(void)state;
	assert_true(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	offset = offset_of(exe, "main", &bytes);
	assert_true(offset && bytes);
	snprintf(text, sizeof(text), "filter main @%s tracestop 0x20/0x10 @ %s", exe, exe);
	snprintf(want, sizeof(want), "filter 0x%llx/0x%llx@%s,stop 0x20/0x10@%s",
		 (unsigned long long)offset, (unsigned long long)bytes, exe, exe);
	for (size_t i = 0; i <= sizeof(refused) / sizeof(*refused); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct fake_recording r;
		int ret = 0;

		begin(&r);
		fake_file(&r.kernel, "sys/bus/event_source/devices/intel_pt/nr_addr_filters",
			  "2\n");
		r.opts.filters = filters;
		if (i) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(text, sizeof(text), refused[i - 1].text, exe);
#pragma GCC diagnostic pop
		}
		r.recording = session_recording_new(&r.opts, &r.kernel.ops, &err);
		if (r.recording)
			ret = ptui_recording_start(r.recording, &err);
		if (i) {
			assert_true(!r.recording || ret < 0);
			if (!strstr(err.text, refused[i - 1].error))
				fail_msg("%s", err.text);
			assert_int_equal(err.code, refused[i - 1].code);
		} else {
			assert_int_equal(ret, 0);
			assert_string_equal(
				fake_find(&r.kernel, PT_TYPE, 0x300e601, r.pid, 1)->filter, want);
			fake_recording_stop(&r);
		}
		fake_recording_release(&r);
	}
}

/* In the kernel; a PMU without filters; a field of a tracepoint that is called start. */
static void addresses_of_the_kernel(void **state)
{
	static const char *const clock[] = { "cpu-clock" };
	static const char *const filters[] = { "start _text" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct fake_recording r;

	(void)state;
	begin(&r);
	fake_file(&r.kernel, "sys/bus/event_source/devices/intel_pt/nr_addr_filters", "2\n");
	fake_file(&r.kernel, "proc/kallsyms",
		  "ffffffff81000000 T _text\nffffffff81000100 T next\n");
	r.opts.filters = filters;
	r.recording = session_recording_new(&r.opts, &r.kernel.ops, &err);
	if (!r.recording)
		fail_msg("%s", err.text);
	fake_recording_start(&r);
	assert_string_equal(fake_find(&r.kernel, PT_TYPE, 0x300e601, r.pid, 0)->filter,
			    "start 0xffffffff81000000");
	fake_recording_stop(&r);
	fake_recording_release(&r);

	begin(&r);
	r.opts.events = clock;
	r.opts.filters = filters;
	assert_null(recording_new(&r.opts, &r.kernel.ops, &err));
	assert_int_equal(err.code, EOPNOTSUPP);
	assert_non_null(strstr(err.text, "cpu-clock has no address filters"));
	fake_recording_release(&r);
	assert_true(event_filter_is_address(" tracestop * @ x"));
	assert_false(event_filter_is_address("start == 3"));
	assert_false(event_filter_is_address("starting 3"));
	assert_false(event_filter_is_address("filter"));
}

/* ---- of all tasks ---- */

/* The dummy events of a task on a CPU, or of all tasks, by what they record. */
static void count_dummies(struct fake_recording *r, pid_t pid, int cpu, size_t *ret_switches,
			  size_t *ret_pokes, size_t *ret_ksymbols)
{
	*ret_switches = *ret_pokes = *ret_ksymbols = 0;
	for (size_t i = 0; i < FAKE_FDS; i++) {
		const struct fake_fd *f = &r->kernel.fds[i];

		if (!f->used || f->pid != pid || f->cpu != cpu ||
		    f->attr.type != PERF_TYPE_SOFTWARE || f->attr.config != PERF_COUNT_SW_DUMMY)
			continue;
		assert_false(f->attr.disabled);
		assert_int_equal(
			f->attr.sample_type & ~(uint64_t)(PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER),
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU);
		assert_int_equal(f->attr.mmap, pid != -1);
		*ret_switches += f->attr.context_switch;
		*ret_pokes += f->attr.text_poke;
		*ret_ksymbols += f->attr.ksymbol;
	}
}

/*
 * As perf: switches of all tasks and changes of the kernel's code, by events of their own, if this user may
 * see them; else switches of the target.
 */
static void switches_and_pokes(void **state)
{
	static const char *const both[] = { "intel_pt//" };
	static const struct {
		bool privileged, user_only;
		size_t switches, pokes; /* of all tasks */
	} cases[] = { { true, false, 1, 1 }, { true, true, 1, 0 }, { false, true, 0, 0 } };
	static const uint8_t poke[] = {
		0, 0, 0x10, 0x91, 0xff, 0xff, 0xff, 0xff, 1, 0, 1, 0, 0xcc, 0x90, 0, 0,
		0, 0, 0,    0,	  0,	0,    0,    0,	  0, 0, 0, 0, 0,    0,	  0, 0,
		0, 0, 0,    0,	  0,	0,    0,    0,	  0, 0, 0, 0, 0,    0,	  0, 0
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t switches, pokes, ksymbols;
		struct fake_recording r;
		struct found f;

		begin(&r);
		r.kernel.privileged = cases[i].privileged;
		if (!cases[i].privileged)
			fake_set_paranoid(&r.kernel, 2);
		if (!cases[i].user_only)
			r.opts.events = both;
		fake_recording_start(&r);
		for (int cpu = 0; cpu < 2; cpu++) {
			count_dummies(&r, -1, cpu, &switches, &pokes, &ksymbols);
			assert_int_equal(switches, cases[i].switches);
			assert_int_equal(pokes, cases[i].pokes);
			assert_int_equal(ksymbols, cases[i].pokes);
			count_dummies(&r, r.pid, cpu, &switches, &pokes, &ksymbols);
			assert_int_equal(switches, !cases[i].switches);
			assert_int_equal(pokes, 0);
			assert_int_equal(ksymbols, !cases[i].pokes);
		}
		if (cases[i].pokes)
			fake_recording_emit(&r, 1, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL,
					    poke, sizeof(poke));
		/* the end of the task is seen, although some of the events have none */
		fake_end_task(&r.kernel, r.pid);
		assert_int_equal(ptui_recording_join(r.recording, NULL), 0);
		f = read_file(r.output, UINT64_MAX);
		assert_int_equal(f.words[7], cases[i].switches ? 3 : 2);
		assert_int_equal(f.pokes, cases[i].pokes);
		fake_recording_release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_of_each_cpu),
		cmocka_unit_test(truncated),
		cmocka_unit_test(by_perf),
		cmocka_unit_test(newest_part),
		cmocka_unit_test(in_each_file),
		cmocka_unit_test(not_enough_memory),
		cmocka_unit_test(that_cannot_be),
		cmocka_unit_test(in_samples),
		cmocka_unit_test(terms),
		cmocka_unit_test(addresses),
		cmocka_unit_test(addresses_of_the_kernel),
		cmocka_unit_test(switches_and_pokes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
