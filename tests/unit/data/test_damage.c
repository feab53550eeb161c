/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are no recordings, incomplete, or damaged. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "data/read/reader_private.h"
#include "lib/need.h"
#include "unit/data/made.h"

static const struct made_event cycles = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
	.period = 1,
	.id = 3,
};

#define N_SAMPLES    5
#define SAMPLE_BYTES 24

static void make(struct made *m, bool swap, bool pipe)
{
	const char *features[PTUI_FEAT_MAX] = { [PTUI_FEAT_HOSTNAME] = "vm" };

	made_init(m, swap, pipe);
	made_events(m, &cycles, 1, 80);
	for (unsigned i = 0; i < N_SAMPLES; i++) {
		made_begin(m, PERF_RECORD_SAMPLE, 0);
		made_u64(m, i);
		made_u32(m, 1);
		made_u32(m, 1);
		made_end(m);
	}
	made_finish(m, features, 32);
}

/* Walks to the end; returns the number of readable samples. */
static unsigned walk(struct data_file *f, struct data_damage *ret)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *w = data_walk_new(f, &err);
	struct data_record rec;
	struct data_sample s;
	unsigned n = 0;
	int end;

	while (!(end = data_walk_next(w, true, &rec, &err)))
		if (rec.type == PERF_RECORD_SAMPLE && !data_walk_sample(w, &rec, &s))
			n++;
	assert_int_equal(end, 1);
	data_walk_damage(w, ret);
	data_walk_free(w);
	return n;
}

/* Copies n bytes to memory of exactly that size, for sanitizers. */
static char *exact(const struct made *m, size_t n)
{
	char *copy = malloc(n + !n);

	memcpy(copy, m->out.data, n);
	return copy;
}

static unsigned missing_features(const struct data_damage *d)
{
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(d->missing_features) / sizeof(*d->missing_features); i++)
		n += (unsigned)__builtin_popcountll(d->missing_features[i]);
	return n;
}

/* Within the table of features, and within one of them: which ones are missing. */
static void cut_features(void **state)
{
	static const char hostname[12], cmdline[40], far[4];
	const struct made_feature v[] = {
		{ PTUI_FEAT_HOSTNAME, hostname, sizeof(hostname) },
		{ PTUI_FEAT_CMDLINE, cmdline, sizeof(cmdline) },
		{ 200, far, sizeof(far) },
	};
	struct made_event event = { .sample_type = PERF_SAMPLE_IP, .period = 1 };
	size_t table, bytes;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 96);
	made_begin(&m, PERF_RECORD_SAMPLE, 0);
	made_u64(&m, 1);
	made_end(&m);
	table = m.out.len;
	made_finish_with(&m, v, 3);
	bytes = m.out.len;
	for (size_t n = table + 1; n <= bytes; n++) {
		/* with a table cut short, nothing is known of the rest */
		const unsigned entries = n < table + 48 ? (unsigned)(n - table) / 16 : 3;
		const size_t ends[] = { bytes - 44, bytes - 4, bytes };
		uint64_t missing = n < table + 48 ? table + 48 - n : 0;
		struct data_damage damage;
		struct data_file *f;
		char *copy = exact(&m, n);

		f = data_open_memory(copy, n, &(struct ptui_error)PTUI_ERROR_INIT, &(int){ 0 });
		assert_non_null(f);
		assert_int_equal(walk(f, &damage), 1);
		for (unsigned i = 0; i < 3; i++) {
			const bool there = i < entries && ends[i] <= n;

			if (i < entries && ends[i] > n && ends[i] - n > missing)
				missing = ends[i] - n;
			assert_int_equal(data_has_feature(f, v[i].bit), there);
			assert_int_equal(damage.missing_features[v[i].bit / 64] >> v[i].bit % 64 &
						 1,
					 !there);
		}
		assert_int_equal(damage.cut_after_data, n < bytes ? n : 0);
		assert_int_equal(damage.truncated_bytes, missing);
		data_close(f);
		free(copy);
	}
	made_release(&m);
}

static void cut_at_every_byte(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		size_t data_off, data_end;
		struct made m;

		make(&m, how & 1, how & 2);
		data_end = m.record + SAMPLE_BYTES;
		data_off = data_end - (size_t)N_SAMPLES * SAMPLE_BYTES;
		for (size_t n = 0; n < m.out.len; n++) {
			struct ptui_error err = PTUI_ERROR_INIT;
			char *copy = exact(&m, n);
			struct data_damage damage;
			struct data_file *f;
			size_t have;
			int error = 0;

			f = data_open_memory(copy, n, &err, &error);
			if (!f) {
				assert_true(n < data_off);
				assert_int_equal(error, n ? -EINVAL : -ENODATA);
				assert_true(err.text[0]);
				free(copy);
				continue;
			}
			have = n < data_off ? 0 : n < data_end ? n - data_off : data_end - data_off;
			assert_int_equal(walk(f, &damage), have / SAMPLE_BYTES);
			if (!m.pipe)
				assert_true(damage.truncated_bytes);
			else if (n >= data_off)
				assert_int_equal(damage.truncated_bytes > 0,
						 have % SAMPLE_BYTES > 0);
			assert_int_equal(damage.cut_after_data, m.pipe || n < data_end ? 0 : n);
			assert_int_equal(!!missing_features(&damage), !m.pipe);
			if (n >= data_off)
				assert_int_equal(damage.skipped_bytes, have % SAMPLE_BYTES);
			assert_int_equal(damage.bad_records, 0);
			data_close(f);
			free(copy);
		}
		made_release(&m);
	}
}

/* Any single byte wrong: no crash, no endless loop. */
static void every_byte_wrong(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		struct made m;

		make(&m, how & 1, how & 2);
		for (size_t n = 0; n < m.out.len; n++)
			for (unsigned i = 0; i < sizeof(values); i++) {
				char *copy = exact(&m, m.out.len);
				struct ptui_error err = PTUI_ERROR_INIT;
				struct data_damage damage;
				struct data_file *f;

				copy[n] = (char)values[i];
				f = data_open_memory(copy, m.out.len, &err, NULL);
				if (f) {
					walk(f, &damage);
					data_feature_text(f, PTUI_FEAT_HOSTNAME);
				}
				data_close(f);
				free(copy);
			}
		made_release(&m);
	}
}

/* The recorder was killed before it wrote the size: everything in the file is read. */
static void unfinished(void **state)
{
	struct data_damage damage;
	struct data_file *f;
	struct made m;

	(void)state;
	make(&m, false, false);
	m.out.len = m.record + SAMPLE_BYTES - 3;
	memset(m.out.data + 48, 0, 8);
	f = made_open(&m);
	assert_int_equal(walk(f, &damage), N_SAMPLES - 1);
	assert_true(damage.unfinished);
	assert_int_equal(damage.skipped_bytes, SAMPLE_BYTES - 3);
	assert_null(data_feature_text(f, PTUI_FEAT_HOSTNAME));
	data_close(f);
	made_release(&m);
}

/* A finished recording of nothing is not an unfinished one. */
static void finished_but_empty(void **state)
{
	const char *features[PTUI_FEAT_MAX] = { [PTUI_FEAT_HOSTNAME] = "vm" };
	struct data_damage damage;
	struct data_file *f;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &cycles, 1, 80);
	made_finish(&m, features, 32);
	f = made_open(&m);
	assert_int_equal(walk(f, &damage), 0);
	assert_false(damage.unfinished);
	assert_string_equal(data_feature_text(f, PTUI_FEAT_HOSTNAME), "vm");
	data_close(f);
	made_release(&m);
}

#define NTH(n) (-(ptrdiff_t)(N_SAMPLES - 1 - (n)) * SAMPLE_BYTES) /* from the last record */

/* A bad record costs itself, not those after it. */
static void records_that_lie(void **state)
{
	static const struct {
		const char *what;
		ptrdiff_t at;
		uint8_t bytes[8];
		size_t n;
		unsigned samples, bad, unknown, skipped;
	} lies[] = {
		{ "size 0", NTH(2) + 6, { 0, 0 }, 2, 4, 1, 0, 24 },
		{ "size 0 in the first", NTH(0) + 6, { 0, 0 }, 2, 4, 1, 0, 24 },
		{ "size 0 in the last", NTH(4) + 6, { 0, 0 }, 2, 4, 1, 0, 24 },
		{ "too large for the section", NTH(1) + 6, { 0, 0x40 }, 2, 4, 1, 0, 24 },
		{ "the end of the last one", NTH(4) + 4, { 2, 0, 0, 0x40 }, 4, 4, 1, 0, 24 },
		{ "up to the middle of the next", NTH(1) + 6, { 32, 0 }, 2, 5, 1, 0, 0 },
		{ "a type from the future", NTH(4), { 60 }, 1, 4, 0, 1, 0 },
		{ "a type of simpleperf, size from misc",
		  NTH(1),
		  { 1, 0x80, 0, 0, 9 },
		  5,
		  4,
		  1,
		  0,
		  24 },
		{ "a type beyond simpleperf's", NTH(1), { 9, 0xa0, 0, 0, 9 }, 5, 4, 0, 1, 0 },
		{ "a type that no perf will have", NTH(1), { 0, 0, 0, 0x81 }, 4, 4, 1, 0, 24 },
		{ "an odd size of a type from the future",
		  NTH(1),
		  { 60, 0, 0, 0, 0, 0, 25 },
		  7,
		  4,
		  1,
		  0,
		  24 },
		{ "all 0xff", NTH(1), { 255, 255, 255, 255, 255, 255, 255, 255 }, 8, 4, 1, 0, 24 },
	};

	(void)state;
	for (unsigned i = 0; i < 4 * sizeof(lies) / sizeof(*lies); i++) {
		bool pipe = i & 1, swap = i & 2;
		struct data_damage damage;
		struct data_file *f;
		struct made m;
		uint8_t *to;
		unsigned n;

		make(&m, swap, pipe);
		to = (uint8_t *)m.out.data + m.record + lies[i / 4].at;
		for (size_t k = 0; k < lies[i / 4].n; k++) {
			/* in the header u32, u16, u16 */
			ptrdiff_t in = lies[i / 4].at & 7, byte = in + (ptrdiff_t)k;
			ptrdiff_t field = byte < 4 ? 3 - byte : byte < 6 ? 9 - byte : 13 - byte;

			to[swap ? field - in : (ptrdiff_t)k] = lies[i / 4].bytes[k];
		}
		f = made_open(&m);
		n = walk(f, &damage);
		if (pipe && damage.truncated_bytes == 0x4000 - 24) {
			/* the last record of a pipe that is too large is one that was cut */
			damage.truncated_bytes = 0;
			damage.bad_records++;
		}
		if (n != lies[i / 4].samples || damage.bad_records != lies[i / 4].bad ||
		    damage.unknown_records != lies[i / 4].unknown ||
		    damage.skipped_bytes != lies[i / 4].skipped || damage.truncated_bytes)
			fail_msg("%s%s%s: %u samples, bad %u, unknown %u, skipped %u, truncated %u",
				 lies[i / 4].what, pipe ? ", pipe" : "", swap ? ", swapped" : "", n,
				 (unsigned)damage.bad_records, (unsigned)damage.unknown_records,
				 (unsigned)damage.skipped_bytes, (unsigned)damage.truncated_bytes);
		data_close(f);
		made_release(&m);
	}
}

/* Sizes that no file has are damage, not missing bytes; what is there is read. */
static void header_that_lies(void **state)
{
	static const size_t sections[] = { 40, 48 }; /* offset and size of the data */

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct data_damage damage;
		struct data_file *f;
		struct made m;

		make(&m, false, false);
		m.out.data[sections[i] + 7] = (char)0xd4;
		f = made_open(&m);
		assert_int_equal(walk(f, &damage), i ? N_SAMPLES : 0);
		assert_int_equal(damage.bad_sections, 1);
		assert_int_equal(damage.truncated_bytes, 0);
		data_close(f);
		made_release(&m);
	}
}

/* A text without NUL. */
static void endless_text(void **state)
{
	struct data_damage damage;
	struct data_file *f;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &cycles, 1, 80);
	made_begin(&m, PERF_RECORD_COMM, 0);
	made_u64(&m, 0);
	buf_add(&m.out, "12345678", 8);
	made_end(&m);
	made_finish(&m, NULL, 0);
	f = made_open(&m);
	walk(f, &damage);
	assert_int_equal(damage.bad_records, 1);
	data_close(f);
	made_release(&m);
}

/* Zeros of any number between records, as lost blocks of a file are. */
static void zeros_between_records(void **state)
{
	(void)state;
	for (unsigned zeros = 4; zeros < 40000; zeros = zeros < 40 ? zeros + 4 : zeros * 3) {
		struct data_damage damage;
		struct data_file *f;
		struct made m;

		made_init(&m, false, true);
		made_events(&m, &cycles, 1, 80);
		for (unsigned i = 0; i < N_SAMPLES; i++) {
			if (i == 1)
				buf_add_zeros(&m.out, zeros);
			made_begin(&m, PERF_RECORD_SAMPLE, 0);
			made_u64(&m, i);
			made_u32(&m, 1);
			made_u32(&m, 1);
			made_end(&m);
		}
		made_finish(&m, NULL, 0);
		f = made_open(&m);
		assert_int_equal(walk(f, &damage), N_SAMPLES);
		assert_int_equal(damage.skipped_bytes, zeros);
		assert_int_equal(damage.bad_records, 1);
		data_close(f);
		made_release(&m);
	}
}

static void what_it_is_instead(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *says;
	} kinds[] = {
		{ "\x7f"
		  "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0",
		  18, "an ELF file" },
		{ "\x1f\x8b\x08\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "a gzip file" },
		{ "{ \"a\": 1, \"b\": 2 }\n", 19, "JSON" },
		{ "these are words of a text\n", 26, "text" },
		{ "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20, "zeros" },
		{ "PERFILE2", 8, "truncated" },
		{ "\1\2\3\4\5\6\7\xe\1\2\3\4\5\6\7\xe\1\2", 18, "is not a perf.data file" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		int error = 0;

		assert_null(data_open_memory(kinds[i].bytes, kinds[i].n, &err, &error));
		assert_int_equal(error, -EINVAL);
		if (!strstr(err.text, kinds[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.text, kinds[i].says);
	}
}

static void what_cannot_be_opened(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char dir[] = "/tmp/ptui-test-XXXXXX", path[64];
	int error = 0, fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_null(data_open(dir, &err, &error));
	assert_int_equal(error, -EINVAL);
	assert_non_null(strstr(err.text, "no file named \"data\""));
	snprintf(path, sizeof(path), "%s/none", dir);
	assert_null(data_open(path, &err, &error));
	assert_int_equal(error, -ENOENT);
	assert_non_null(strstr(err.text, path));
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_null(data_open(path, &err, &error));
	assert_int_equal(error, -ENODATA);
	assert_non_null(strstr(err.text, "zero-sized file, nothing to do"));
	unlink(path);
	rmdir(dir);
}

/* A file that shrinks after it was opened: damage, no SIGBUS. */
static void file_that_shrinks(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char path[] = "/tmp/ptui-test-XXXXXX";
	struct data_damage damage;
	struct data_file *f;
	struct made m;
	int fd = mkstemp(path);

	(void)state;
	make(&m, false, false);
	assert_int_equal(write(fd, m.out.data, m.out.len), m.out.len);
	f = data_open(path, &err, NULL);
	assert_non_null(f);
	assert_int_equal(ftruncate(fd, (off_t)(m.record - SAMPLE_BYTES + 2)), 0);
	assert_int_equal(walk(f, &damage), N_SAMPLES - 2);
	assert_int_equal(damage.skipped_bytes, 2);
	assert_int_equal(damage.truncated_bytes, 2 * SAMPLE_BYTES - 2);
	assert_null(data_feature_text(f, PTUI_FEAT_HOSTNAME));
	data_close(f);
	close(fd);
	unlink(path);
	made_release(&m);
}

/* ---- scouts ---- */

#define SEEN_MAX 4000

static uint64_t rng = 7;

static uint32_t rnd(uint32_t n)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(rng >> 33) % n;
}

/* Samples of several sizes, runs of them between other records; some bytes are wrong. */
static void make_runs(struct made *m, unsigned n_wrong)
{
	const char *features[PTUI_FEAT_MAX] = { NULL };

	made_init(m, false, false);
	made_events(m, &cycles, 1, 80);
	for (unsigned i = 0; i < 3000; i++) {
		static const uint32_t others[] = { PERF_RECORD_COMM, PERF_RECORD_EXIT,
						   PERF_RECORD_LOST, PTUI_RECORD_FINISHED_ROUND,
						   60 };
		bool other = !rnd(20);

		made_begin(m, other ? others[rnd(5)] : PERF_RECORD_SAMPLE, 0);
		for (uint32_t words = 2 + rnd(rnd(4) ? 6 : 700); words; words--)
			made_u64(m, rnd(3) ? i :
					     PERF_RECORD_SAMPLE | (uint64_t)(8 + 8 * rnd(4)) << 48);
		made_end(m);
	}
	made_finish(m, features, 32);
	for (; n_wrong; n_wrong--)
		m->out.data[m->data_off + rnd((uint32_t)(m->out.len - m->data_off))] =
			(char)rnd(256);
}

struct seen {
	struct data_place places[SEEN_MAX];
	size_t n, runs;
	struct data_damage damage;
};

/* What a walk returns that wants no samples but the first one after each cut. */
static void see(struct data_file *f, const uint64_t *cuts, size_t n_cuts, bool scouts,
		struct seen *ret)
{
	struct data_walk *w = data_walk_new(f, NULL);
	struct data_scout *of[4] = { NULL };
	struct data_record rec;
	size_t next = 0, n;
	int end;

	memset(ret, 0, sizeof(*ret));
	assert_non_null(w);
	for (size_t i = 0; i < n_cuts && scouts; i++)
		of[i] = data_scout_start(f, cuts[i], i + 1 < n_cuts ? cuts[i + 1] : UINT64_MAX);
	if (scouts && rnd(8)) /* else they are not done, or have not begun */
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	data_walk_stop_skipping(w, n_cuts ? cuts[0] : UINT64_MAX);
	while (!(end = data_walk_next(w, false, &rec, NULL))) {
		assert_true(ret->n < SEEN_MAX);
		ret->places[ret->n++] = (struct data_place){ rec.off, rec.seq };
		if (next == n_cuts || rec.off < cuts[next])
			continue;
		if (of[next]) {
			const struct sample_run *runs = data_scout_runs(of[next], &n);

			/* the walk has it already, and must not lose those after it */
			assert_true(!n || runs[0].n == 1);
			ret->runs += n;
		}
		data_walk_follow(w, of[next]);
		data_walk_stop_skipping(w, ++next < n_cuts ? cuts[next] : UINT64_MAX);
	}
	assert_int_equal(end, 1);
	data_walk_damage(w, &ret->damage);
	data_walk_free(w);
	for (size_t i = 0; i < n_cuts; i++)
		data_scout_free(of[i]);
}

/* A walk with scouts returns and counts the same as without, wherever they begin, and whatever is damaged. */
static void walk_with_scouts(void **state)
{
	static struct seen alone, with;
	size_t runs = 0;

	(void)state;
	for (unsigned round = 0; round < 120; round++) {
		size_t n_cuts = 1 + rnd(4);
		uint64_t cuts[4];
		struct made m;
		struct data_file *f;

		make_runs(&m, round < 30 ? 0 : rnd(6));
		f = made_open(&m);
		for (size_t i = 0; i < n_cuts; i++)
			cuts[i] = m.data_off + (m.out.len - m.data_off) * (i + 1) / (n_cuts + 1) +
				  rnd(500);
		see(f, cuts, n_cuts, false, &alone);
		see(f, cuts, n_cuts, true, &with);
		assert_int_equal(alone.n, with.n);
		assert_memory_equal(alone.places, with.places, sizeof(alone.places));
		assert_memory_equal(&alone.damage, &with.damage, sizeof(alone.damage));
		runs += with.runs;
		data_close(f);
		made_release(&m);
	}
	assert_true(runs > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walk_with_scouts),	 cmocka_unit_test(zeros_between_records),
		cmocka_unit_test(cut_at_every_byte),	 cmocka_unit_test(cut_features),
		cmocka_unit_test(every_byte_wrong),	 cmocka_unit_test(unfinished),
		cmocka_unit_test(finished_but_empty),	 cmocka_unit_test(records_that_lie),
		cmocka_unit_test(header_that_lies),	 cmocka_unit_test(endless_text),
		cmocka_unit_test(zeros_between_records), cmocka_unit_test(what_it_is_instead),
		cmocka_unit_test(what_cannot_be_opened), cmocka_unit_test(file_that_shrinks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
