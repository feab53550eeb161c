/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile is the same with any number of threads, down to the ids of its frames and stacks. */
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "dso/dso.h"
#include "lib/need.h"
#include "profile/profile.h"
#include "session/load.h"
#include "unit/base/random.h"
#include "unit/data/made.h"
#include "unit/session/same.h"

#define KERNEL	    0xffffffff81000000
#define TYPE	    (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)
#define PROCESSES   5
#define FILES_MAX   8
#define MAP_BYTES   0x100000
#define N_SAMPLES   4000
#define CHAIN_MAX   12
#define EXEC_EVERY  800 /* samples */
#define UNIT_SHIFTS 20

static const struct made_event event = {
	.type = PERF_TYPE_SOFTWARE, .sample_type = TYPE, .period = 1, .flags = MADE_SAMPLE_ID_ALL
};

/* This program and its libraries: files with symbols. */
struct files {
	char path[FILES_MAX][512];
	uint8_t id[FILES_MAX][DSO_BUILD_ID_MAX];
	size_t n;
};

static int add_file(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct files *f = ctx;
	char *path = f->path[f->n];

	(void)size;
	if (f->n == FILES_MAX)
		return 1;
	if (*info->dlpi_name == '/' && strlen(info->dlpi_name) < sizeof(f->path[0]))
		memcpy(path, info->dlpi_name, strlen(info->dlpi_name) + 1);
	else if (f->n || readlink("/proc/self/exe", path, sizeof(f->path[0]) - 1) < 0)
		return 0;
	f->n += dso_read_build_id(path, f->id[f->n]) == 20;
	return 0;
}

static void end_record(struct made *m, uint32_t pid, uint64_t when)
{
	made_u32(m, pid);
	made_u32(m, pid);
	made_u64(m, when);
	made_end(m);
}

static void put_comm(struct made *m, uint32_t pid, uint64_t when, const char *comm, uint16_t misc)
{
	made_begin(m, PERF_RECORD_COMM, misc);
	made_u32(m, pid);
	made_u32(m, pid);
	made_text(m, comm, 16);
	end_record(m, pid, when);
}

static uint64_t map_start(size_t file, uint64_t shift)
{
	return (file + 1) * 0x10000000 + shift * 0x1000;
}

/* Every second file without its build-id. */
static void put_map(struct made *m, const struct files *f, size_t file, uint32_t pid, uint64_t when,
		    uint64_t shift)
{
	bool has_id = !(file & 1);

	made_begin(m, PERF_RECORD_MMAP2,
		   PERF_RECORD_MISC_USER | (has_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0));
	made_u32(m, pid);
	made_u32(m, pid);
	made_u64(m, map_start(file, shift));
	made_u64(m, MAP_BYTES);
	made_u64(m, 0);
	if (has_id) {
		made_u32(m, 20);
		buf_add(&m->out, (const char *)f->id[file], 20);
	} else {
		for (int i = 0; i < 6; i++)
			made_u32(m, 0);
	}
	made_u32(m, 5);
	made_u32(m, 0x12);
	made_text(m, f->path[file], (strlen(f->path[file]) + 8) & ~(size_t)7);
	end_record(m, pid, when);
}

static uint64_t random_addr(const struct files *f, uint64_t *seed, uint64_t shift)
{
	uint64_t off = random_below(seed, MAP_BYTES / 64) * 64;

	if (!random_below(seed, 6))
		return off; /* not mapped */
	return map_start(random_below(seed, (uint32_t)f->n), shift) + off;
}

static void put_sample(struct made *m, const struct files *f, uint64_t *seed, uint32_t pid,
		       uint64_t when, uint64_t shift)
{
	uint64_t chain[2 * CHAIN_MAX + 2];
	size_t n = 0, n_user = 1 + random_below(seed, CHAIN_MAX);

	if (random_below(seed, 2)) {
		chain[n++] = (uint64_t)PERF_CONTEXT_KERNEL;
		for (size_t i = random_below(seed, CHAIN_MAX); i--;)
			chain[n++] = KERNEL + random_below(seed, 4096) * 16;
	}
	if (!random_below(seed, 50))
		chain[n++] = (uint64_t)PERF_CONTEXT_MAX + 7; /* no context: the chain is dropped */
	chain[n++] = (uint64_t)PERF_CONTEXT_USER;
	while (n_user--)
		chain[n++] = random_addr(f, seed, shift);
	made_begin(m, PERF_RECORD_SAMPLE,
		   chain[1] >= KERNEL ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	made_u64(m, chain[1]);
	made_u32(m, pid);
	made_u32(m, pid);
	made_u64(m, when);
	made_u64(m, n);
	for (size_t i = 0; i < n; i++)
		made_u64(m, chain[i]);
	made_end(m);
}

static void put_maps(struct made *m, const struct files *f, uint32_t pid, uint64_t when,
		     uint64_t shift)
{
	for (size_t i = 0; i < f->n; i++)
		put_map(m, f, i, pid, when, shift);
}

/* Processes that map the files elsewhere after each exec. */
static void make_recording(struct made *m, const struct files *f)
{
	uint64_t seed = 1, shift[PROCESSES] = { 0 }, when = 1;

	made_init(m, false, false);
	made_events(m, &event, 1, 112);
	for (uint32_t p = 0; p < PROCESSES; p++) {
		put_comm(m, 10 + p, when, "first", 0);
		put_maps(m, f, 10 + p, when, 0);
	}
	for (int i = 0; i < N_SAMPLES; i++) {
		uint32_t p = random_below(&seed, PROCESSES);

		when++;
		if (!random_below(&seed, EXEC_EVERY)) {
			shift[p] = random_below(&seed, UNIT_SHIFTS);
			put_comm(m, 10 + p, when, "second", PERF_RECORD_MISC_COMM_EXEC);
			put_maps(m, f, 10 + p, when, shift[p]);
		}
		put_sample(m, f, &seed, 10 + p, when, shift[p]);
	}
	made_finish(m, NULL, 0);
}

static struct ptui_profile *load(const struct made *m, struct ptui_load_opts opts, unsigned threads)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = made_open(m);
	struct ptui_profile *p;

	opts.threads = threads;
	p = session_load(f, &opts, &err, NULL);
	if (!p)
		fail_msg("%s", err.text);
	data_close(f);
	return p;
}

static void assert_same_ids(const struct ptui_profile *a, const struct ptui_profile *b)
{
	const struct samples *sa = &a->samples, *sb = &b->samples;

	assert_int_equal(sa->n, sb->n);
	assert_memory_equal(sa->time_ns, sb->time_ns, sa->n * sizeof(*sa->time_ns));
	assert_memory_equal(sa->comm, sb->comm, sa->n * sizeof(*sa->comm));
	assert_memory_equal(sa->frame, sb->frame, sa->n * sizeof(*sa->frame));
	assert_memory_equal(sa->stack, sb->stack, sa->n * sizeof(*sa->stack));
	assert_memory_equal(sa->how, sb->how, sa->n * sizeof(*sa->how));
	assert_int_equal(a->stacks.n, b->stacks.n);
	if (a->stacks.n)
		assert_memory_equal(a->stacks.nodes, b->stacks.nodes,
				    a->stacks.n * sizeof(*a->stacks.nodes));
	assert_int_equal(a->n_frames, b->n_frames);
	assert_memory_equal(a->frames, b->frames, a->n_frames * sizeof(*a->frames));
	assert_int_equal(a->names.n, b->names.n);
	for (uint32_t i = 0; i < a->names.n; i++)
		assert_string_equal(strpool_get(&a->names, i), strpool_get(&b->names, i));
}

/* Otherwise two profiles without any symbol would be compared. */
static void assert_has_symbols(const struct ptui_profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_frames; i++)
		n += p->frames[i].sym_name != PTUI_NONE;
	assert_true(n);
}

static void check_threads(const struct ptui_load_opts *opts)
{
	struct ptui_profile *one, *more;
	struct files files = { .n = 0 };
	struct made m;

	dl_iterate_phdr(add_file, &files);
	assert_true(files.n > 1);
	make_recording(&m, &files);
	one = load(&m, *opts, 1);
	assert_int_equal(one->samples.n, N_SAMPLES);
	assert_has_symbols(one);
	for (unsigned threads = 2; threads < 5; threads += 2) {
		more = load(&m, *opts, threads);
		assert_same_ids(one, more);
		assert_same_profile(one, more);
		ptui_profile_unref(more);
	}
	ptui_profile_unref(one);
	made_release(&m);
}

static void test_with_callchains(void **state)
{
	const struct ptui_load_opts opts = { .no_chains = false };

	(void)state;
	check_threads(&opts);
}

static void test_without_callchains(void **state)
{
	const struct ptui_load_opts opts = { .no_chains = true };

	(void)state;
	check_threads(&opts);
}

static void test_few_frames(void **state)
{
	const struct ptui_load_opts opts = { .max_stack = 3 };

	(void)state;
	check_threads(&opts);
}

static int cancel_late(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	int *calls = ctx;

	(void)what;
	(void)done;
	(void)total;
	return ++*calls > 4;
}

/* Threads end, wherever they are, and nothing is left of them. */
static void test_cancelled(void **state)
{
	int calls = 0, ret = 0;
	struct ptui_load_opts opts = { .threads = 4,
				       .progress = cancel_late,
				       .progress_ctx = &calls };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct files files = { .n = 0 };
	struct data_file *f;
	struct made m;

	(void)state;
	dl_iterate_phdr(add_file, &files);
	make_recording(&m, &files);
	f = made_open(&m);
	assert_null(session_load(f, &opts, &err, &ret));
	assert_int_equal(ret, -ECANCELED);
	data_close(f);
	made_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_with_callchains),
		cmocka_unit_test(test_without_callchains),
		cmocka_unit_test(test_few_frames),
		cmocka_unit_test(test_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
