/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read, written and read again, a recording is the same: events with all of their attr, ids and
 * names, and every record. With made files, and with recordings of other machines if they are there
 * (see test_perfdata.c).
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "data/write/writer.h"
#include "lib/need.h"
#include "unit/data/made.h"

static char folder[64], path[96];
static size_t n_members; /* of the group in the last sample */

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/ptui-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	return 0;
}

static int drop_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

/* Those that a writer makes itself, or that have bytes behind them. */
static bool is_copied(const struct data_record *rec)
{
	switch (rec->type) {
	case PTUI_RECORD_HEADER_ATTR:
	case PTUI_RECORD_HEADER_TRACING_DATA:
	case PTUI_RECORD_HEADER_BUILD_ID:
	case PTUI_RECORD_EVENT_UPDATE:
	case PTUI_RECORD_HEADER_FEATURE:
	case PTUI_RECORD_AUXTRACE:
		return false;
	default:
		return true;
	}
}

static bool next_copied(struct data_walk *w, struct data_record *rec)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret;

	do
		ret = data_walk_next(w, true, rec, &err);
	while (!ret && !is_copied(rec));
	assert_in_range(ret, 0, 1);
	return !ret;
}

static void copy_events(struct data_file *f, struct data_writer *w)
{
	for (size_t i = 0; i < data_n_events(f); i++) {
		const struct data_event *ev = data_event(f, i);
		struct perf_event_attr attr = *data_event_attr(f, i);

		/* one of the future is cut to what ptui knows */
		if (attr.size > sizeof(attr))
			attr.size = sizeof(attr);
		assert_int_equal(data_writer_add_event(w, &attr, ev->name, ev->ids, ev->n_ids), 0);
	}
}

static void copy_records(struct data_file *f, struct data_writer *w)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *walk = data_walk_new(f, &err);
	struct data_record rec;

	while (next_copied(walk, &rec)) {
		struct {
			uint32_t type;
			uint16_t misc, size;
		} head = { rec.type, rec.misc, (uint16_t)rec.bytes };
		struct iovec iov[2] = { { &head, sizeof(head) },
					{ (void *)(uintptr_t)rec.body, rec.body_bytes } };

		assert_int_equal(data_writer_write(w, iov, 2, &err), 0);
	}
	data_walk_free(walk);
}

static void check_events(struct data_file *a, struct data_file *b)
{
	assert_int_equal(data_n_events(a), data_n_events(b));
	for (size_t i = 0; i < data_n_events(a); i++) {
		const struct data_event *x = data_event(a, i), *y = data_event(b, i);
		struct perf_event_attr p = *data_event_attr(a, i), q = *data_event_attr(b, i);

		/* all have the size of the largest: it is one table */
		assert_true(q.size >= PTUI_ATTR_SIZE_VER0 && q.size <= sizeof(q));
		p.size = q.size;
		assert_memory_equal(&p, &q, sizeof(p));
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->n_ids, y->n_ids);
		if (x->n_ids)
			assert_memory_equal(x->ids, y->ids, x->n_ids * sizeof(*x->ids));
	}
}

/* The members of the groups that both samples have read; returns how many. */
static size_t check_reads(struct data_walk *v, const struct data_record *x, struct data_walk *w,
			  const struct data_record *y)
{
	struct data_sample p, q;
	int ret = data_walk_sample(v, x, &p);

	assert_int_equal(data_walk_sample(w, y, &q), ret);
	if (ret || !p.n_reads)
		return 0;
	assert_int_equal(p.n_reads, q.n_reads);
	assert_memory_equal(p.reads, q.reads, p.n_reads * 2 * sizeof(*p.reads));
	assert_int_equal(!p.reads_lost, !q.reads_lost);
	if (p.reads_lost)
		assert_memory_equal(p.reads_lost, q.reads_lost, p.n_reads * sizeof(*p.reads_lost));
	return p.n_reads;
}

static size_t check_records(struct data_file *a, struct data_file *b)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *v = data_walk_new(a, &err), *w = data_walk_new(b, &err);
	struct data_record x, y;
	size_t n = 0;

	for (; next_copied(v, &x); n++) {
		if (!next_copied(w, &y))
			fail_msg("only %zu records came back", n);
		assert_int_equal(x.type, y.type);
		assert_int_equal(x.misc, y.misc);
		assert_int_equal(x.body_bytes, y.body_bytes);
		assert_memory_equal(x.body, y.body, x.body_bytes);
		assert_memory_equal(&x.id, &y.id, sizeof(x.id));
		if (x.type == PERF_RECORD_SAMPLE)
			n_members = check_reads(v, &x, w, &y);
	}
	/* the writer may end the last round */
	if (next_copied(w, &y) && (y.type != PTUI_RECORD_FINISHED_ROUND || next_copied(w, &y)))
		fail_msg("a record of type %u is new", y.type);
	data_walk_free(v);
	data_walk_free(w);
	return n;
}

/* Returns how many records it has. */
static size_t round_trip(struct data_file *f, int level)
{
	const struct data_writer_opts opts = { .compress_level = level,
					       .overwrite = true,
					       .cancel_fd = -1 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = data_writer_open(path, &opts, &err);
	struct data_file *again;
	size_t n;

	assert_non_null(w);
	copy_events(f, w);
	assert_int_equal(data_writer_begin(w, &err), 0);
	copy_records(f, w);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
	again = data_open(path, &err, NULL);
	if (!again)
		fail_msg("%s", err.text);
	check_events(f, again);
	n = check_records(f, again);
	data_close(again);
	return n;
}

/* ---- made files ---- */

/* Random words: what a record means does not matter here. */
static uint64_t random_word(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

static void put_random(struct made *m, uint64_t *seed)
{
	static const uint32_t types[] = { PERF_RECORD_SAMPLE,	      PERF_RECORD_SAMPLE,
					  PERF_RECORD_LOST,	      PERF_RECORD_AUX,
					  PERF_RECORD_SWITCH,	      PTUI_RECORD_AUX_OUTPUT_HW_ID,
					  PTUI_RECORD_FINISHED_ROUND, PTUI_RECORD_ID_INDEX,
					  PTUI_RECORD_STAT,	      PTUI_RECORD_TIME_CONV,
					  PTUI_RECORD_BPF_METADATA };
	uint64_t words = random_word(seed) % 16;

	if (random_word(seed) % 64 == 0)
		words = 8190; /* the largest */
	made_begin(m, types[random_word(seed) % (sizeof(types) / sizeof(*types))],
		   (uint16_t)random_word(seed) & 7);
	for (uint64_t i = 0; i < 2 + words; i++)
		made_u64(m, random_word(seed));
	if (m->out.len - m->record > 65528)
		m->out.len = m->record + 65528;
	made_end(m);
}

static void made_files(void **state)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152 };
	uint64_t seed = 20;

	(void)state;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (unsigned how = 0; how < 4; how++) {
			struct made_event events[3];
			struct data_file *f;
			struct made m;

			memset(events, 0, sizeof(events));
			for (unsigned k = 0; k < 3; k++) {
				events[k].type = k;
				events[k].config = random_word(&seed);
				events[k].period = random_word(&seed);
				events[k].sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER;
				events[k].flags = random_word(&seed) & 0x1fffffffu;
				events[k].branch_type = random_word(&seed);
				events[k].regs_user = random_word(&seed);
				events[k].regs_intr = random_word(&seed);
				events[k].stack_user = (uint32_t)random_word(&seed);
				events[k].id = 100 + k;
			}
			made_init(&m, false, how & 1);
			made_events(&m, events, 3, sizes[i]);
			for (unsigned k = 0; k < 300; k++)
				put_random(&m, &seed);
			made_finish(&m, NULL, 0);
			f = made_open(&m);
			assert_true(round_trip(f, how & 2 ? 3 : 0) > 200);
			data_close(f);
			made_release(&m);
		}
}

/* What each member of a group counted and lost, in samples of its leader. */
static void groups(void **state)
{
	static const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING;
	const uint64_t formats[] = { PERF_FORMAT_ID, PERF_FORMAT_ID | PTUI_FORMAT_LOST,
				     PERF_FORMAT_ID | PTUI_FORMAT_LOST | times };

	(void)state;
	for (unsigned how = 0; how < 12; how++) {
		struct made_event ev = { .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ,
					 .read_format = PERF_FORMAT_GROUP | formats[how / 4],
					 .period = 1,
					 .id = 7 };
		struct data_file *f;
		struct made m;

		made_init(&m, false, how & 1);
		made_events(&m, &ev, 1, 112);
		made_begin(&m, PERF_RECORD_SAMPLE, 0);
		made_u64(&m, 7);
		made_u64(&m, 3);
		for (unsigned i = 0; i < 2 && ev.read_format & times; i++)
			made_u64(&m, 1000 - i);
		for (unsigned i = 0; i < 3; i++) {
			made_u64(&m, 50 + i);
			made_u64(&m, 7 + i);
			if (ev.read_format & PTUI_FORMAT_LOST)
				made_u64(&m, 90 + i);
		}
		made_end(&m);
		made_finish(&m, NULL, 0);
		f = made_open(&m);
		assert_int_equal(round_trip(f, how & 2 ? 3 : 0), 1);
		assert_int_equal(n_members, 3);
		data_close(f);
		made_release(&m);
	}
}

/* ---- recordings of other machines ---- */

static void real_files(void **state)
{
	const char *env = getenv("PTUI_PERFDATA"), *top = getenv("top_srcdir");
	unsigned done = 0;
	char pattern[4096];
	glob_t found;

	(void)state;
	if (env)
		snprintf(pattern, sizeof(pattern), "%s/*/*.data*", env);
	else
		snprintf(pattern, sizeof(pattern), "%s/../shared/perfdata/*/*.data*",
			 top ? top : ".");
	if (glob(pattern, 0, NULL, &found))
		skip_because("no recordings in %s", pattern);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct data_file *f = data_open(found.gl_pathv[i], NULL, NULL);
		struct data_walk *w = f ? data_walk_new(f, NULL) : NULL;
		struct data_record rec;

		if (!f)
			continue;
		/* a pipe has all its events after a walk */
		while (!data_walk_next(w, false, &rec, NULL))
			;
		data_walk_free(w);
		if (!data_swapped(f)) {
			assert_true(round_trip(f, 0) > 0);
			assert_true(round_trip(f, 1) > 0);
			done++;
		}
		data_close(f);
	}
	globfree(&found);
	assert_true(done > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(made_files, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(groups, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(real_files, make_folder, drop_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
