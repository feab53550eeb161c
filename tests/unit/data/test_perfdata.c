/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings of other machines, by perf 3.2 to 6.16 and simpleperf. If perf 6.1 can read a file,
 * the counts are those of `perf report --stats`; the counts of other, uncompressed files were
 * checked with another program. The files are not in this tree: they are in $PTUI_PERFDATA, else in
 * ../shared/perfdata beside it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "data/read/reader.h"
#include "lib/need.h"

#define TYPES 96

struct count {
	uint32_t type;
	uint64_t n;
};

struct expected {
	const char *file;
	size_t events;
	const char *first; /* name of its first event */
	struct count counts[20];
	uint64_t period; /* sum of all samples */
	uint64_t bad_records, unknown_records, skipped_bytes;
};

static const struct expected table[] = {
	{ "LinuxTracepoints/perf.data",
	  11,
	  "user_events:Long_Provider_Name_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
	  "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
	  "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
	  "XXXXXX0123456789_L5K0Gasdf",
	  { { 1, 1 },
	    { 3, 36 },
	    { 4, 1 },
	    { 7, 37 },
	    { 9, 539 },
	    { 10, 371 },
	    { 17, 6 },
	    { 18, 6 },
	    { 68, 2 },
	    { 69, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 82, 1 } },
	  539,
	  0,
	  0,
	  0 },
	{ "linux-perf-data/fibo.compressed2.pipe.data",
	  2,
	  "cycles:P",
	  { { 1, 165 },
	    { 3, 23 },
	    { 4, 17 },
	    { 7, 19 },
	    { 9, 547 },
	    { 10, 814 },
	    { 17, 21 },
	    { 18, 21 },
	    { 64, 2 },
	    { 68, 124 },
	    { 69, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 78, 3 },
	    { 80, 23 },
	    { 82, 1 } },
	  942061728,
	  0,
	  0,
	  0 },
	{ "linux-perf-data/sleep.compressed.data",
	  1,
	  "cycles:P",
	  { { 1, 45 },
	    { 3, 2 },
	    { 4, 1 },
	    { 9, 8 },
	    { 10, 4 },
	    { 17, 15 },
	    { 18, 14 },
	    { 68, 1 },
	    { 69, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 79, 1 },
	    { 82, 1 } },
	  2201546,
	  0,
	  0,
	  0 },
	{ "linux-perf-data/sleep.compressed.pipe.data",
	  1,
	  "cycles:P",
	  { { 1, 45 },
	    { 3, 2 },
	    { 4, 1 },
	    { 9, 8 },
	    { 10, 4 },
	    { 17, 15 },
	    { 18, 14 },
	    { 64, 1 },
	    { 68, 1 },
	    { 69, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 78, 1 },
	    { 79, 1 },
	    { 80, 21 },
	    { 82, 1 } },
	  2171147,
	  0,
	  0,
	  0 },
	{ "linux-perf-data/sleep.compressed2.data",
	  1,
	  "cycles:Pu",
	  { { 3, 2 },
	    { 4, 1 },
	    { 9, 7 },
	    { 10, 4 },
	    { 68, 1 },
	    { 69, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 78, 1 },
	    { 82, 1 } },
	  692634,
	  0,
	  0,
	  0 },
	{ "linux-perf-data/sleep.compressed2.pipe.data",
	  1,
	  "cycles:P",
	  { { 1, 165 },
	    { 3, 2 },
	    { 4, 1 },
	    { 9, 7 },
	    { 10, 4 },
	    { 64, 1 },
	    { 68, 1 },
	    { 69, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 78, 2 },
	    { 79, 1 },
	    { 80, 21 },
	    { 82, 1 } },
	  4949523,
	  1,
	  0,
	  143 },
	{ "linux-perf-data/sleep.data",
	  1,
	  "cycles:Pu",
	  { { 3, 2 },
	    { 4, 1 },
	    { 9, 7 },
	    { 10, 4 },
	    { 68, 1 },
	    { 69, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 78, 1 },
	    { 82, 1 } },
	  668601,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.armv7-3.4",
	  6,
	  "cycles",
	  { { 1, 1454 }, { 3, 200 }, { 4, 6 }, { 7, 1 }, { 9, 3893 } },
	  685336932,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.branch-4.14",
	  1,
	  "cycles:ppp",
	  { { 1, 21 }, { 3, 3 }, { 4, 1 }, { 9, 13 }, { 10, 10 }, { 68, 1 }, { 79, 1 } },
	  2668332,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.callgraph-3.4",
	  1,
	  "cycles",
	  { { 1, 2061 }, { 3, 249 }, { 4, 126 }, { 7, 62 }, { 9, 1548 } },
	  1628001751,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.ctx_switch_namespaces-4.14",
	  1,
	  "cycles",
	  { { 1, 21 },
	    { 3, 3 },
	    { 4, 1 },
	    { 9, 2 },
	    { 10, 10 },
	    { 14, 2 },
	    { 16, 1 },
	    { 68, 1 },
	    { 79, 1 } },
	  2,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.forkexit-3.8",
	  1,
	  "cycles",
	  { { 1, 3877 }, { 3, 488 }, { 4, 510 }, { 7, 254 }, { 9, 10335 } },
	  1891051206,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.group_desc-4.14",
	  2,
	  "cache-references",
	  { { 1, 21 }, { 3, 3 }, { 4, 1 }, { 9, 13 }, { 10, 10 }, { 68, 1 }, { 79, 1 } },
	  189722,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.hybrid_topology",
	  3,
	  "cpu_core/cycles:ppp/",
	  { { 1, 100 },
	    { 3, 3 },
	    { 4, 1 },
	    { 9, 7 },
	    { 10, 7 },
	    { 68, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 78, 2 },
	    { 79, 1 } },
	  7048948,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.i686-3.4",
	  6,
	  "cycles",
	  { { 1, 1584 }, { 3, 204 }, { 4, 6 }, { 7, 2 }, { 9, 703 } },
	  363653481,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.intel_pt-4.14",
	  4,
	  "intel_pt//",
	  { { 1, 56 },
	    { 3, 3 },
	    { 4, 1 },
	    { 9, 15 },
	    { 10, 10 },
	    { 11, 10 },
	    { 12, 2 },
	    { 15, 152 },
	    { 68, 4 },
	    { 70, 1 },
	    { 71, 2 },
	    { 79, 1 } },
	  2213124,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.lost_samples-4.4",
	  3,
	  "cycles:pp",
	  { { 1, 39 }, { 3, 3 }, { 4, 1 }, { 9, 191 }, { 10, 6 }, { 13, 2 }, { 68, 1 } },
	  3820573,
	  0,
	  0,
	  0 },
	/* and one of type 65 (HEADER_EVENT_TYPE), which is skipped */
	{ "quipper/perf.data.piped.corrupted.zero_size_sample-3.2",
	  1,
	  "cycles",
	  { { 1, 472 }, { 3, 101 }, { 4, 2 }, { 5, 1 }, { 6, 1 }, { 9, 227 }, { 64, 1 } },
	  371273729,
	  1,
	  0,
	  48 },
	{ "quipper/perf.data.piped.header_features-4.16",
	  1,
	  "cpu-clock",
	  { { 1, 28 },
	    { 3, 2 },
	    { 4, 1 },
	    { 9, 2 },
	    { 10, 4 },
	    { 64, 1 },
	    { 68, 1 },
	    { 73, 1 },
	    { 74, 1 },
	    { 78, 1 },
	    { 79, 1 },
	    { 80, 14 } },
	  500000,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.piped.hw_and_sw-3.4",
	  3,
	  "cycles",
	  { { 1, 2234 },
	    { 3, 300 },
	    { 4, 4 },
	    { 5, 22 },
	    { 6, 20 },
	    { 7, 1 },
	    { 9, 4275 },
	    { 64, 3 } },
	  4275000000,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.raw-3.4",
	  1,
	  "cycles",
	  { { 1, 1645 }, { 3, 225 }, { 4, 4 }, { 7, 2 }, { 9, 441 } },
	  434865892,
	  0,
	  0,
	  0 },
	{ "quipper/perf.data.singleprocess-3.8",
	  1,
	  "cycles",
	  { { 1, 100 }, { 3, 2 }, { 4, 4 }, { 9, 13 } },
	  1010740,
	  0,
	  0,
	  0 },
	{ "simpleperf/lbr_perf_lbr.data",
	  1,
	  "cpu-cycles:u",
	  { { 3, 2 }, { 9, 19 }, { 10, 80 } },
	  5806423,
	  0,
	  0,
	  0 },
	{ "simpleperf/perf_g_fp.data",
	  1,
	  "cycles:HG",
	  { { 1, 131 }, { 2, 1 }, { 3, 1 }, { 9, 10 } },
	  13028002,
	  0,
	  0,
	  0 },
	{ "simpleperf/perf_with_callchain_record.data",
	  1,
	  "cpu-cycles",
	  { { 1, 22 }, { 3, 2 }, { 4, 1 }, { 5, 13 }, { 6, 11 }, { 9, 21 } },
	  3300345,
	  0,
	  0,
	  0 },
	{ "simpleperf/perf_with_meta_info.data",
	  1,
	  "cpu-cycles",
	  { { 9, 1 }, { 10, 7 } },
	  134881,
	  0,
	  0,
	  0 },
	{ "simpleperf/perf_with_symbols.data",
	  1,
	  "cycles:HG",
	  { { 1, 6 }, { 3, 1 }, { 9, 935 } },
	  648946030,
	  0,
	  0,
	  0 },
	{ "simpleperf/perf_with_trace_offcpu.data",
	  2,
	  "cpu-cycles",
	  { { 1, 25 }, { 2, 11 }, { 3, 5 }, { 5, 309 }, { 6, 307 }, { 7, 2 }, { 9, 2369 } },
	  892880198,
	  0,
	  0,
	  0 },
	{ "simpleperf/perf_with_tracepoint_event.data",
	  2,
	  "sched:sched_switch",
	  { { 1, 37 }, { 3, 3 }, { 4, 2 }, { 5, 10 }, { 6, 9 }, { 9, 45 }, { 66, 1 } },
	  5642467,
	  0,
	  0,
	  0 },
};

static const char *folder(void)
{
	static char path[4096];
	const char *env = getenv("PTUI_PERFDATA"), *top = getenv("top_srcdir");

	if (env)
		return env;
	snprintf(path, sizeof(path), "%s/../shared/perfdata", top ? top : ".");
	return path;
}

static void walk(struct data_file *f, bool want_samples, uint64_t *counts, uint64_t *period,
		 struct data_damage *damage)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *w = data_walk_new(f, &err);
	struct data_record rec;
	int end;

	assert_non_null(w);
	while (!(end = data_walk_next(w, want_samples, &rec, &err))) {
		struct data_sample s;

		assert_in_range(rec.type, 1, TYPES - 1);
		counts[rec.type]++;
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_sample(w, &rec, &s), 0);
		*period += s.period;
	}
	assert_int_equal(end, 1);
	data_walk_damage(w, damage);
	data_walk_free(w);
}

static void check_counts(const struct expected *x, const uint64_t *counts)
{
	uint64_t want[TYPES] = { 0 };

	for (const struct count *c = x->counts; c->n; c++)
		want[c->type] = c->n;
	for (unsigned i = 0; i < TYPES; i++)
		if (counts[i] != want[i])
			fail_msg("%s: %llu records of type %u, not %llu", x->file,
				 (unsigned long long)counts[i], i, (unsigned long long)want[i]);
}

static void check_file(const struct expected *x, const char *path)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	uint64_t counts[TYPES] = { 0 }, without[TYPES] = { 0 }, period = 0;
	struct data_file *f = data_open(path, &err, NULL);
	struct data_damage damage;

	if (!f)
		fail_msg("%s", err.text);
	assert_int_equal(data_n_events(f), x->events);
	assert_string_equal(data_event(f, 0)->name, x->first);
	walk(f, true, counts, &period, &damage);
	check_counts(x, counts);
	assert_int_equal(period, x->period);
	assert_int_equal(damage.bad_records, x->bad_records);
	assert_int_equal(damage.unknown_records, x->unknown_records);
	assert_int_equal(damage.skipped_bytes, x->skipped_bytes);
	assert_int_equal(damage.unknown_ids, 0);
	assert_int_equal(damage.truncated_bytes, 0);
	assert_false(damage.unfinished);
	walk(f, false, without, &period, &damage);
	counts[PERF_RECORD_SAMPLE] = 0;
	assert_memory_equal(counts, without, sizeof(counts));
	data_close(f);
}

static void recordings(void **state)
{
	unsigned missing = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char path[8192];

		snprintf(path, sizeof(path), "%s/%s", folder(), table[i].file);
		if (access(path, R_OK)) {
			missing++;
			continue;
		}
		check_file(&table[i], path);
	}
	if (missing)
		skip_because("%u of %zu recordings are not in %s", missing,
			     sizeof(table) / sizeof(*table), folder());
}

static void not_a_recording(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char path[8192];
	int error = 0;

	(void)state;
	snprintf(path, sizeof(path), "%s/simpleperf/invalid_perf.data", folder());
	if (access(path, R_OK))
		skip_because("%s is not there", path);
	assert_null(data_open(path, &err, &error));
	assert_int_equal(error, -EINVAL);
	assert_non_null(strstr(err.text, "zeros"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings),
		cmocka_unit_test(not_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
