/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids of mapped files at the time of the map: a file modified in place after it was mapped is
 * not the mapped one, though device, inode and generation match.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/clock.h"
#include "data/write/writer.h"
#include "event/event.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/header/buildid_reader.h"

#define SECOND 1000000000LL
/* before CLOCK_MONOTONIC: the records of this test have their own clock */
#define AHEAD (1234 * SECOND)

struct world {
	struct fake_kernel kernel;
	struct buildids ids;
	struct buildid_reader *reader;
	struct event_list events;
	struct ptui_error err;
};

/* A file's content is its build-id. */
static int read_id(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX])
{
	FILE *f = fopen(path, "r");
	size_t n;

	(void)ctx;
	assert_non_null(f);
	n = fread(id, 1, DATA_BUILD_ID_MAX, f);
	fclose(f);
	return (int)n;
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct event *ev;

	fake_kernel_init(&w->kernel);
	buildids_init(&w->ids, &w->kernel.ops.roots, read_id, NULL);
	event_list_init(&w->events);
	ev = event_list_add(&w->events, "dummy:HG");
	assert_non_null(ev);
	ev->attr.mmap2 = ev->attr.sample_id_all = 1;
	ev->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_IDENTIFIER;
	w->reader = buildid_reader_new(&w->ids, &w->err);
	assert_non_null(w->reader);
	buildid_reader_set_events(w->reader, &w->events);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	buildid_reader_free(w->reader);
	buildids_release(&w->ids);
	event_list_release(&w->events);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* The current time of the records' clock. */
static uint64_t record_now_ns(void)
{
	return clock_monotonic_ns() + AHEAD;
}

/* A record of just now arrives. */
static void note_now(struct world *w)
{
	uint64_t record_ns = record_now_ns();

	buildid_reader_note_time(w->reader, record_ns, record_ns - AHEAD);
}

static void path_of(struct world *w, const char *name, char path[160])
{
	snprintf(path, 160, "%s/%s", w->kernel.folder, name);
}

/* `time_ns` 0: a base record. */
static void map_file(struct world *w, const char *name, uint64_t time_ns)
{
	const struct perf_event_attr *attr = &w->events.v[0].attr;
	struct data_mmap m = { .pid = 100,
			       .tid = 100,
			       .start = 0x400000,
			       .len = 0x1000,
			       .prot = PROT_READ | PROT_EXEC,
			       .flags = MAP_PRIVATE };
	struct data_id id = { .has = DATA_HAS_TID | DATA_HAS_TIME | DATA_HAS_CPU | DATA_HAS_ID,
			      .time_ns = time_ns };
	struct buf record = BUF_INIT;
	struct stat st;
	char path[160];

	path_of(w, name, path);
	assert_int_equal(stat(path, &st), 0);
	m.path = path;
	m.maj = major(st.st_dev);
	m.min = minor(st.st_dev);
	m.ino = st.st_ino;
	assert_int_equal(data_put_mmap2(&record, &m, PERF_RECORD_MISC_USER, attr, &id), 0);
	buildid_reader_add(w->reader, record.data, record.len);
	buf_release(&record);
	buildid_reader_wait(w->reader, 30000);
}

static void id_is(struct world *w, const char *name, const char *expected)
{
	uint8_t id[DATA_BUILD_ID_MAX];
	char path[160];
	int n;

	path_of(w, name, path);
	n = buildid_reader_find(w->reader, path, id);
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(id, expected, (size_t)n);
}

static void a_file_that_was_there_before(void **state)
{
	struct world *w = *state;

	fake_file(&w->kernel, "program", "first");
	note_now(w);
	map_file(w, "program", record_now_ns());
	id_is(w, "program", "first");
	/* and one that was mapped before the recording */
	fake_file(&w->kernel, "library", "old");
	map_file(w, "library", 0);
	id_is(w, "library", "old");
}

static void a_file_that_was_changed_after_the_map(void **state)
{
	struct world *w = *state;
	uint64_t mapped_ns = record_now_ns() - SECOND / 2;

	note_now(w);
	fake_file(&w->kernel, "program", "second");
	map_file(w, "program", mapped_ns);
	id_is(w, "program", "");
	/* the table has one build-id per path: a later map of the changed file does not help */
	map_file(w, "program", record_now_ns());
	id_is(w, "program", "");
}

/* The clocks are known only when another record has arrived soon enough. */
static void the_clock_is_known_later(void **state)
{
	struct world *w = *state;
	uint64_t mapped_ns = record_now_ns() - SECOND / 2;

	fake_file(&w->kernel, "program", "second");
	map_file(w, "program", mapped_ns);
	id_is(w, "program", "second");
	note_now(w);
	id_is(w, "program", "");
}

/* Records without a time: device and inode decide. */
static void no_times(void **state)
{
	struct world *w = *state;

	w->events.v[0].attr.sample_type &= ~(uint64_t)PERF_SAMPLE_TIME;
	buildid_reader_free(w->reader);
	w->reader = buildid_reader_new(&w->ids, &w->err);
	assert_non_null(w->reader);
	buildid_reader_set_events(w->reader, &w->events);
	fake_file(&w->kernel, "program", "second");
	map_file(w, "program", 1);
	note_now(w);
	id_is(w, "program", "second");
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(a_file_that_was_there_before),
		IN_WORLD(a_file_that_was_changed_after_the_map),
		IN_WORLD(the_clock_is_known_later),
		IN_WORLD(no_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
