/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile is the same with any number of threads, down to the ids of its frames and stacks. If samples
 * are merged, it shows the same rows. A partial one is that of a file without the later samples.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "dso/dso.h"
#include "lib/need.h"
#include "profile/profile.h"
#include "session/load.h"
#include "unit/base/random.h"
#include "unit/data/made.h"
#include "unit/session/same.h"

#define KERNEL	      0xffffffff81000000
#define TYPE	      (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)
#define PROCESSES     5
#define FILES_MAX     8
#define MAP_BYTES     0x100000
#define N_SAMPLES     4000
#define CHAIN_MAX     12
#define EXEC_EVERY    800 /* samples */
#define UNIT_SHIFTS   20
#define UNNAMED	      30  /* processes */
#define UNNAMED_EVERY 40  /* samples */
#define ROUND	      100 /* samples */

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

static bool with_cpus; /* MERGE_TYPE instead of TYPE */
static bool without_rounds;

static void end_record(struct made *m, uint32_t pid, uint64_t when)
{
	made_u32(m, pid);
	made_u32(m, pid);
	made_u64(m, when);
	if (with_cpus) {
		made_u64(m, 1);
		made_u64(m, 0);
	}
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

struct chain {
	uint64_t v[2 * CHAIN_MAX + 2];
	size_t n;
};

static void make_chain(struct chain *c, const struct files *f, uint64_t *seed, uint64_t shift)
{
	size_t n = 0, n_user = 1 + random_below(seed, CHAIN_MAX);
	uint64_t *chain = c->v;

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
	c->n = n;
}

/* `last` is the chain of the process before; half of the samples have its callers. */
static void put_sample(struct made *m, const struct files *f, uint64_t *seed, uint32_t pid,
		       uint64_t when, uint64_t shift, struct chain *last)
{
	const uint64_t *chain = last->v;
	size_t n;

	if (last->n > 2 && last->v[1] < KERNEL && random_below(seed, 2))
		last->v[1] = random_addr(f, seed, shift);
	else
		make_chain(last, f, seed, shift);
	n = last->n;
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

/*
 * Processes that map the files elsewhere after each exec, and some without names and maps. Only the first `n` samples are written, and
 * nothing after offset `cut`.
 */
static void make_recording_of(struct made *m, const struct files *f, int n, size_t cut)
{
	uint64_t seed = 1, shift[PROCESSES] = { 0 }, when = 1;
	struct chain last[PROCESSES] = { { .n = 0 } };
	size_t len, left_out = 0;

	made_init(m, false, false);
	made_events(m, &event, 1, 112);
	for (uint32_t p = 0; p < PROCESSES; p++) {
		put_comm(m, 10 + p, when, "first", 0);
		put_maps(m, f, 10 + p, when, 0);
	}
	for (int i = 0; i < N_SAMPLES; i++) {
		uint32_t p = random_below(&seed, PROCESSES);

		when++;
		if (m->out.len + left_out > cut)
			break;
		if (!without_rounds && i % ROUND == 0) {
			made_begin(m, PTUI_RECORD_FINISHED_ROUND, 0);
			made_end(m);
		}
		if (!random_below(&seed, EXEC_EVERY) && m->out.len + left_out <= cut) {
			shift[p] = random_below(&seed, UNIT_SHIFTS);
			put_comm(m, 10 + p, when, "second", PERF_RECORD_MISC_COMM_EXEC);
			put_maps(m, f, 10 + p, when, shift[p]);
		}
		len = m->out.len;
		put_sample(m, f, &seed,
			   random_below(&seed, UNNAMED_EVERY) ? 10 + p :
								100 + random_below(&seed, UNNAMED),
			   when, shift[p], &last[p]);
		if (i < n)
			continue;
		left_out += m->out.len - len;
		m->out.len = len;
	}
	made_finish(m, NULL, 0);
}

static void make_recording(struct made *m, const struct files *f)
{
	make_recording_of(m, f, N_SAMPLES, SIZE_MAX);
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
	for (unsigned threads = 2; threads < 10; threads += threads < 4 ? 1 : 5) {
		more = load(&m, *opts, threads);
		assert_same_ids(one, more);
		assert_same_profile(one, more);
		assert_memory_equal(&one->trust, &more->trust, sizeof(one->trust));
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

/* ---- partial profiles ---- */

#define PARTS 5

struct parts {
	uint64_t seed, next; /* samples up to the next one */
	uint32_t samples;    /* that are asked about: those of the first thread */
	struct ptui_profile *v[PARTS + 2];
	size_t n;
};

/* Other positions every day. */
static uint64_t day_seed(void)
{
	return (uint64_t)time(NULL) / 86400;
}

static bool part_wanted(void *ctx, uint64_t samples)
{
	struct parts *parts = ctx;

	if (samples < parts->next || parts->n >= PARTS)
		return false;
	parts->next = samples + 1 + random_below(&parts->seed, 2 * parts->samples / PARTS);
	return true;
}

static void take_part(void *ctx, struct ptui_profile *p)
{
	struct parts *parts = ctx;

	assert_true(parts->n < PARTS + 2);
	parts->v[parts->n++] = p;
}

static void free_parts(struct parts *parts)
{
	while (parts->n)
		ptui_profile_unref(parts->v[--parts->n]);
}

/* It is the profile of a file that has its samples only. */
static void assert_is_part(const struct files *files, struct ptui_profile *part, size_t cut,
			   const struct ptui_load_opts *opts)
{
	struct ptui_load_opts plain = { .no_chains = opts->no_chains };
	struct ptui_profile *same;
	struct ptui_trust t;
	struct made m;

	ptui_profile_trust(part, &t);
	assert_int_equal(t.records[PERF_RECORD_SAMPLE], part->samples.n);
	assert_true(t.total_bytes && t.loaded_bytes && t.loaded_bytes < t.total_bytes);
	make_recording_of(&m, files, (int)part->samples.n, cut);
	same = load(&m, plain, 1);
	assert_int_equal(same->trust.total_bytes, 0);
	assert_same_profile(same, part);
	assert_memory_equal(same->samples.time_ns, part->samples.time_ns,
			    part->samples.n * sizeof(*part->samples.time_ns));
	assert_int_equal(same->stacks.n, part->stacks.n);
	ptui_profile_unref(same);
	made_release(&m);
}

static void check_parts(bool no_chains, unsigned threads)
{
	struct parts parts = { .seed = day_seed(), .next = 1, .samples = N_SAMPLES / threads };
	struct ptui_load_opts opts = { .no_chains = no_chains,
				       .partial_wanted = part_wanted,
				       .partial = take_part,
				       .partial_ctx = &parts };
	struct ptui_profile *all, *plain;
	struct files files = { .n = 0 };
	struct made m;

	dl_iterate_phdr(add_file, &files);
	make_recording(&m, &files);
	opts.partial_bytes = m.out.len / 4 * 3; /* no first part of half of it or less */
	all = load(&m, opts, threads);
	plain = load(&m, (struct ptui_load_opts){ .no_chains = no_chains }, 1);
	assert_int_equal(all->samples.n, N_SAMPLES);
	assert_int_equal(all->trust.total_bytes, 0);
	assert_same_profile(all, plain);
	assert_true(parts.n > 1);
	for (size_t i = 0; i < parts.n; i++) {
		assert_true(!i || parts.v[i]->samples.n > parts.v[i - 1]->samples.n);
		assert_is_part(&files, parts.v[i], SIZE_MAX, &opts);
	}
	ptui_profile_unref(all);
	ptui_profile_unref(plain);
	free_parts(&parts);
	made_release(&m);
}

static void test_parts(void **state)
{
	(void)state;
	check_parts(false, 4);
	check_parts(true, 4);
}

static bool note_asked(void *ctx, uint64_t samples)
{
	*(uint64_t *)ctx = samples;
	return false;
}

/* A file is divided where it has nothing but samples, too: one thread reads a quarter of them. */
static void test_without_rounds(void **state)
{
	const struct ptui_load_opts opts = { .no_chains = false };
	uint64_t asked = 0;
	struct ptui_load_opts asking = { .partial_wanted = note_asked,
					 .partial = take_part,
					 .partial_ctx = &asked };
	struct files files = { .n = 0 };
	struct made m;

	(void)state;
	without_rounds = true;
	check_threads(&opts);
	dl_iterate_phdr(add_file, &files);
	make_recording(&m, &files);
	asking.partial_bytes = m.out.len / 4 * 3; /* no first part of half of it or less */
	ptui_profile_unref(load(&m, asking, 4));
	assert_true(asked > N_SAMPLES / 5 && asked < N_SAMPLES / 10 * 3);
	made_release(&m);
	without_rounds = false;
}

/* Before all maps are read: samples whose maps are complete, of a file that is cut. */
static void test_first_part(void **state)
{
	struct parts parts = { .next = 0, .samples = N_SAMPLES };
	struct ptui_load_opts opts = { .partial_wanted = part_wanted,
				       .partial = take_part,
				       .partial_ctx = &parts };
	struct files files = { .n = 0 };
	struct ptui_profile *all;
	struct made m;
	uint64_t seed = day_seed();

	(void)state;
	dl_iterate_phdr(add_file, &files);
	make_recording(&m, &files);
	for (int i = 0; i < 3; i++) {
		opts.partial_bytes = m.out.len / 16 + random_below(&seed, (uint32_t)m.out.len / 4);
		all = load(&m, opts, 2);
		/* what follows has more */
		assert_true(parts.n > 1 && parts.v[1]->samples.n > parts.v[0]->samples.n);
		assert_true(parts.v[0]->samples.n && parts.v[0]->samples.n < N_SAMPLES);
		assert_int_equal(parts.v[0]->samples.n % ROUND, 0);
		assert_is_part(&files, parts.v[0], opts.partial_bytes, &opts);
		assert_int_equal(all->samples.n, N_SAMPLES);
		ptui_profile_unref(all);
		free_parts(&parts);
		parts.next = 0;
	}
	made_release(&m);
}

/* The file with this name among the open ones. */
static int find_open(const char *path)
{
	char link[64], name[512];

	for (int fd = 3; fd < 64; fd++) {
		ssize_t n;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, name, sizeof(name) - 1);
		name[n > 0 ? n : 0] = '\0';
		if (!strcmp(name, path))
			return fd;
	}
	fail_msg("not open: %s", path);
	return -1;
}

struct broken {
	struct parts parts;
	const char *path;
	uint64_t after;
};

/* From here on the file cannot be read. */
static bool break_file(void *ctx, uint64_t samples)
{
	struct broken *b = ctx;

	if (samples == b->after) {
		int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

		assert_int_equal(dup2(fd, find_open(b->path)), find_open(b->path));
		close(fd);
	}
	return false;
}

static void take_before(void *ctx, struct ptui_profile *p)
{
	take_part(&((struct broken *)ctx)->parts, p);
}

/*
 * A file that cannot be read to its end: what was read before is shown, and the reason returned. With several
 * threads, the others may have read all of it by then.
 */
static void test_unreadable(void **state)
{
	char path[] = "/tmp/ptui-threads-XXXXXX";
	struct broken b = { .path = path, .after = 100 };
	struct ptui_load_opts opts = { .threads = 1,
				       .partial_wanted = break_file,
				       .partial = take_before,
				       .partial_ctx = &b };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct files files = { .n = 0 };
	struct made m;
	int ret = 0, fd = mkstemp(path);

	(void)state;
	dl_iterate_phdr(add_file, &files);
	make_recording(&m, &files);
	assert_int_equal(write(fd, m.out.data, m.out.len), m.out.len);
	opts.partial_bytes = m.out.len / 4 * 3;
	close(fd);
	assert_null(ptui_profile_load(path, &opts, &err, &ret));
	assert_int_equal(ret, -EBADF);
	assert_non_null(strstr(err.text, path));
	assert_int_equal(b.parts.n, 1);
	assert_true(b.parts.v[0]->samples.n >= 100 && b.parts.v[0]->samples.n < N_SAMPLES);
	assert_is_part(&files, b.parts.v[0], SIZE_MAX, &opts);
	free_parts(&b.parts);
	unlink(path);
	made_release(&m);
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

/* ---- merged samples ---- */

#define MERGE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD)
#define MERGE_CPUS 3
#define MERGE_TIDS 4 /* of each process */

static void put_merge_sample(struct made *m, const struct files *f, uint64_t *seed, uint64_t when)
{
	uint32_t pid = 10 + random_below(seed, PROCESSES);
	bool kernel = !random_below(seed, 3);
	uint64_t off = random_below(seed, 40) * 0x1000 + random_below(seed, 3);

	made_begin(m, PERF_RECORD_SAMPLE, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	made_u64(m, kernel		  ? KERNEL + off :
		    random_below(seed, 6) ? map_start(random_below(seed, (uint32_t)f->n), 0) + off :
					    off);
	made_u32(m, pid);
	made_u32(m, pid + 100 * random_below(seed, MERGE_TIDS));
	made_u64(m, when);
	made_u64(m, 1 + random_below(seed, 2)); /* the event */
	made_u32(m, random_below(seed, MERGE_CPUS));
	made_u32(m, 0);
	made_u64(m, 1 + random_below(seed, 1000));
	made_end(m);
}

/* Times decrease now and then, as from one CPU to the next, and some samples have the same. */
static void make_merge_recording(struct made *m, const struct files *f)
{
	static const struct made_event events[] = {
		{ .type = PERF_TYPE_SOFTWARE,
		  .sample_type = MERGE_TYPE,
		  .flags = MADE_SAMPLE_ID_ALL,
		  .id = 1 },
		{ .type = PERF_TYPE_SOFTWARE,
		  .config = 1,
		  .sample_type = MERGE_TYPE,
		  .flags = MADE_SAMPLE_ID_ALL,
		  .id = 2 },
	};
	uint64_t seed = 3, when = 1000;

	made_init(m, false, false);
	made_events(m, events, 2, 112);
	with_cpus = true;
	for (uint32_t p = 0; p < PROCESSES; p++) {
		put_comm(m, 10 + p, 1, p % 2 ? "odd" : "even", 0);
		put_maps(m, f, 10 + p, 1, 0);
	}
	for (int i = 0; i < N_SAMPLES; i++) {
		put_merge_sample(m, f, &seed, when);
		when = random_below(&seed, 1000) ? when + random_below(&seed, 3) : 1000;
		if (i == N_SAMPLES / 2)
			put_comm(m, 11, when, "renamed", 0);
	}
	with_cpus = false;
	made_finish(m, NULL, 0);
}

static void assert_same_view(struct ptui_profile *a, struct ptui_profile *b,
			     const struct ptui_hist_opts *opts)
{
	struct ptui_hist *ha = ptui_hist_new(a, opts, NULL), *hb = ptui_hist_new(b, opts, NULL);
	struct ptui_hist_all all_a, all_b;

	assert_true(ha && hb);
	assert_true(ptui_hist_n_rows(ha) > 1);
	assert_same_rows(ha, hb);
	ptui_hist_all(ha, &all_a);
	ptui_hist_all(hb, &all_b);
	assert_int_equal(all_a.samples, all_b.samples);
	assert_int_equal(all_a.period, all_b.period);
	ptui_hist_free(ha);
	ptui_hist_free(hb);
}

/* Views that need what `merge` keeps show the same; there are fewer rows than samples. */
static void check_merged(const struct made *m, struct ptui_profile *each, struct ptui_merge merge)
{
	const struct ptui_load_opts opts = { .merge = merge };
	struct ptui_profile *merged = load(m, opts, 1), *parts = load(m, opts, 2);
	struct ptui_hist_opts views[] = {
		{ .show_samples = true },
		{ .sort = "sym" },
		{ .sort = "dso,comm", .relative = true, .filter = { .comm = "odd" } },
		{ .sort = "sym", .filter = { .resolved = true } },
		{ .sort = "srcline" },
		{ .sort = "comm", .filter = { .kernel = true } },
		{ .sort = "dso", .grouping = PTUI_GROUP_ALL },
	};
	const struct ptui_hist_opts by_thread = { .sort = "pid,sym",
						  .filter = { .tids = "10-200" } };
	const struct ptui_hist_opts by_cpu = { .sort = "cpu,dso", .filter = { .cpus = "0,2" } };

	assert_int_equal(each->samples.n, N_SAMPLES);
	assert_true(merged->samples.count && merged->samples.n < N_SAMPLES);
	assert_true(!merged->samples.stack && !merged->samples.how);
	assert_int_equal(!merged->samples.thread, !merge.by_thread);
	assert_int_equal(!merged->samples.cpu, !merge.by_cpu);
	for (uint32_t e = 0; e < 2; e++) {
		assert_int_equal(ptui_profile_event(each, e)->samples,
				 ptui_profile_event(merged, e)->samples);
		assert_int_equal(ptui_profile_event(each, e)->period,
				 ptui_profile_event(merged, e)->period);
		for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
			views[i].event = views[i].grouping ? 0 : e;
			assert_same_view(each, merged, &views[i]);
		}
	}
	if (merge.by_thread)
		assert_same_view(each, merged, &by_thread);
	if (merge.by_cpu)
		assert_same_view(each, merged, &by_cpu);
	assert_int_equal(merged->samples.n, parts->samples.n);
	assert_memory_equal(merged->samples.comm, parts->samples.comm,
			    merged->samples.n * sizeof(*merged->samples.comm));
	assert_memory_equal(merged->samples.frame, parts->samples.frame,
			    merged->samples.n * sizeof(*merged->samples.frame));
	assert_memory_equal(merged->samples.count, parts->samples.count,
			    merged->samples.n * sizeof(*merged->samples.count));
	assert_memory_equal(merged->samples.period, parts->samples.period,
			    merged->samples.n * sizeof(*merged->samples.period));
	ptui_profile_unref(merged);
	ptui_profile_unref(parts);
}

static void test_merged(void **state)
{
	const struct ptui_load_opts plain = { .merge.samples = false };
	struct ptui_profile *each;
	struct files files = { .n = 0 };
	struct made m;

	(void)state;
	dl_iterate_phdr(add_file, &files);
	make_merge_recording(&m, &files);
	each = load(&m, plain, 1);
	assert_has_symbols(each);
	for (unsigned by = 0; by < 4; by++)
		check_merged(&m, each,
			     (struct ptui_merge){
				     .samples = true, .by_thread = by & 1, .by_cpu = by & 2 });
	ptui_profile_unref(each);
	made_release(&m);
}

/* With stacks, the trees of the rows are the same as well. */
static void check_merged_stacks(const struct made *m, struct ptui_profile *each, bool by_thread)
{
	const struct ptui_load_opts opts = { .merge = { .samples = true, .by_thread = by_thread } };
	struct ptui_profile *merged = load(m, opts, 1), *parts = load(m, opts, by_thread ? 2 : 4);
	size_t n_skips = 0;
	const struct ptui_hist_opts views[] = {
		{ .children = true, .show_samples = true },
		{ .children = true, .order = PTUI_CALLER, .sort = by_thread ? "pid,sym" : "sym" },
		{ .order = PTUI_CALLER, .sort = "dso,sym", .filter = { .resolved = true } },
		{ .children = true, .show_addresses = true },
		{ .children = true, .chain_key = PTUI_CHAIN_ADDRESS },
		{ .children = true, .filter = { .collapse_recursion = true } },
	};

	assert_true(merged->samples.count && merged->samples.n < N_SAMPLES);
	assert_int_equal(merged->samples.n, parts->samples.n);
	assert_memory_equal(merged->samples.stack, parts->samples.stack,
			    merged->samples.n * sizeof(*merged->samples.stack));
	/* found out while each sample is read, and when all are there */
	assert_memory_equal(merged->samples.how, parts->samples.how, merged->samples.n);
	for (size_t i = 0; i < merged->samples.n; i++)
		n_skips += merged->samples.how[i] == STACK_SKIPS;
	assert_true(n_skips && n_skips < merged->samples.n);
	assert_memory_equal(merged->samples.count, parts->samples.count,
			    merged->samples.n * sizeof(*merged->samples.count));
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		assert_same_view(each, merged, &views[i]);
		assert_same_view(each, parts, &views[i]);
	}
	ptui_profile_unref(merged);
	ptui_profile_unref(parts);
}

static void test_merged_stacks(void **state)
{
	const struct ptui_load_opts plain = { .merge.samples = false };
	struct files files = { .n = 0 };
	struct ptui_profile *each;
	struct made m;

	(void)state;
	dl_iterate_phdr(add_file, &files);
	make_recording(&m, &files);
	each = load(&m, plain, 1);
	assert_int_equal(each->samples.n, N_SAMPLES);
	check_merged_stacks(&m, each, false);
	check_merged_stacks(&m, each, true);
	ptui_profile_unref(each);
	made_release(&m);
}

/* ---- memory ---- */

size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t heap_bytes(void)
{
	struct mallinfo2 m;

	if (__sanitizer_get_current_allocated_bytes)
		return __sanitizer_get_current_allocated_bytes();
	m = mallinfo2();
	return m.uordblks + m.hblkhd;
}

/* The memory of a profile is what loading it has allocated, but for debug information. */
static void check_memory(const struct made *m, const struct ptui_load_opts *opts, size_t row_bytes)
{
	struct ptui_profile_memory memory;
	struct ptui_profile *p = load(m, *opts, 1);
	size_t before, taken;

	ptui_profile_unref(p); /* the next one allocates nothing that is kept for later ones */
	before = heap_bytes();
	p = load(m, *opts, 1);
	taken = heap_bytes() - before;
	ptui_profile_memory(p, &memory);
	assert_int_equal(memory.samples, N_SAMPLES);
	assert_int_equal(memory.rows, p->samples.n);
	assert_int_equal(memory.row_bytes, row_bytes);
	assert_true(memory.columns >= memory.rows * row_bytes);
	assert_int_equal(memory.total, memory.columns + memory.stacks + memory.frames +
					       memory.threads + memory.names + memory.extras);
	if (memory.total > taken || taken - memory.total > taken / 8)
		fail_msg("%zu bytes were allocated, not %zu", taken, (size_t)memory.total);
	ptui_profile_unref(p);
}

static void test_memory(void **state)
{
	static const struct ptui_load_opts all = { .no_chains = false },
					   none = { .no_chains = true };
	static const struct ptui_load_opts merged = { .merge = { true, true, true } };
	struct files files = { .n = 0 };
	struct made m;

	(void)state;
	dl_iterate_phdr(add_file, &files);
	make_recording(&m, &files);
	check_memory(&m, &all, 39);
	check_memory(&m, &none, 39);
	check_memory(&m, &merged, 43);
	made_release(&m);
	make_merge_recording(&m, &files);
	check_memory(&m, &merged, 38);
	made_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_with_callchains), cmocka_unit_test(test_without_callchains),
		cmocka_unit_test(test_few_frames),	cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_merged),		cmocka_unit_test(test_merged_stacks),
		cmocka_unit_test(test_parts),		cmocka_unit_test(test_first_part),
		cmocka_unit_test(test_without_rounds),	cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
