/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branch stacks on Live: cycles and instructions per cycle of basic blocks, and the events of a group, per
 * instruction of a function of this program; and functions without names. The fake kernel makes the samples.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "ptui/annotate.h"
#include "session/live/live.h"
#include "unit/unwind/made.h"

#define PID   100
#define START 0x55a000000000ULL /* of its map */
#define END   7			/* offset in made_work of the branch to LOOP */
#define LOOP  2

#ifdef __x86_64__
static const bool has_code = true;
void made_work(void);
__asm__(".text\n"
	".globl made_work\n"
	".type made_work,@function\n"
	"made_work:\n"
	"	xor %eax,%eax\n" /* 0 */
	"1:	add %ecx,%eax\n" /* 2 */
	"	nop\n"		 /* 4 */
	"	dec %ecx\n"	 /* 5 */
	"	jne 1b\n"	 /* 7 */
	"	ret\n"		 /* 9 */
	".size made_work,.-made_work\n");
#else
static const bool has_code = false;
static void made_work(void)
{
}
#endif

struct world {
	struct fake_kernel kernel;
	struct ptui_live *live;
	struct ptui_live_opts opts;
	struct ptui_error err;
	char output[96], program[256];
	uint64_t len, pgoff, work; /* of the map, and the address of made_work in it */
	uint64_t now, samples;
};

/* The map of this program that has made_work. */
static void find_map(struct world *w)
{
	const unsigned long at = (unsigned long)(uintptr_t)made_work;
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long start, end, pgoff;
	char line[512];
	ssize_t n = readlink("/proc/self/exe", w->program, sizeof(w->program) - 1);

	assert_true(n > 0 && f);
	w->program[n] = '\0';
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &pgoff) != 3 || at < start ||
		    at >= end)
			continue;
		w->len = end - start;
		w->pgoff = pgoff;
		w->work = START + (at - start);
	}
	fclose(f);
	assert_true(w->work);
}

static int setup(void **state)
{
	static const pid_t tids[] = { PID };
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	w->kernel.has_pmu = true;
	fake_process(&w->kernel, "app", tids, 1);
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	w->opts.refresh_ms = 20;
	w->now = 1000;
	find_map(w);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_live_free(w->live);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static void emit(struct world *w, uint32_t type, const void *body, size_t n)
{
	while (!fake_emit(&w->kernel, 0, type, PERF_RECORD_MISC_USER, body, n))
		sched_yield();
}

static uint64_t id_of(struct world *w, uint32_t type, uint64_t config)
{
	struct fake_fd *f = fake_find(&w->kernel, type, config, PID, 0);

	assert_non_null(f);
	return f->id;
}

static void emit_map(struct world *w)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, len, pgoff;
		char path[256];
		uint64_t trailer[3];
	} body = { PID, PID, START, w->len, w->pgoff, "", { 0 } };

	snprintf(body.path, sizeof(body.path), "%s", w->program);
	body.trailer[0] = PID | (uint64_t)PID << 32;
	body.trailer[1] = w->now++;
	body.trailer[2] = id_of(w, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	emit(w, PERF_RECORD_MMAP, &body, sizeof(body));
}

/* Of one process, with branch stacks of any branches. */
static void start(struct world *w)
{
	static const char *const events[] = { "{cycles,instructions}" };
	const pid_t pids[] = { PID };
	const struct ptui_record_opts record = {
		.events = events,
		.n_events = 1,
		.output = w->output,
		.pids = pids,
		.n_pids = 1,
		.shape.branch_filter = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER,
	};

	w->live = live_new(&record, &w->opts, &w->kernel.ops, &w->err);
	if (!w->live || ptui_live_start(w->live, &w->err))
		fail_msg("%s", w->err.text);
	emit_map(w);
}

/* IDENTIFIER, IP, TID, TIME, PERIOD, BRANCH_STACK of two branches from `from` to LOOP, as in the attr. */
static void sample(struct world *w, uint64_t config, unsigned ip, unsigned from, unsigned cycles)
{
	const uint64_t branch[3] = { w->work + from, w->work + LOOP, (uint64_t)cycles << 4 };
	uint64_t body[12] = { id_of(w, PERF_TYPE_HARDWARE, config),
			      w->work + ip,
			      PID | (uint64_t)PID << 32,
			      w->now++,
			      1000,
			      2 };

	memcpy(&body[6], branch, sizeof(branch));
	memcpy(&body[9], branch, sizeof(branch));
	emit(w, PERF_RECORD_SAMPLE, body, sizeof(body));
	w->samples++;
}

/* The profile with all samples; the caller unrefs it. */
static struct ptui_profile *await_profile(struct world *w)
{
	struct pollfd wake = { .fd = ptui_live_wake_fd(w->live), .events = POLLIN };
	struct ptui_live_profile_info info;

	for (;;) {
		struct ptui_profile *p;

		ptui_live_ack(w->live);
		p = ptui_live_profile(w->live, &info);
		if (p && info.taken >= w->samples)
			return p;
		ptui_profile_unref(p);
		assert_int_equal(poll(&wake, 1, 30000), 1);
	}
}

static void stop(struct world *w)
{
	ptui_live_stop(w->live);
	assert_int_equal(ptui_live_join(w->live, &w->err), 0);
}

/* ---- annotations ---- */

static struct ptui_annotation *annotate(struct ptui_profile *p)
{
	const struct ptui_annotate_opts opts = { .no_source = true };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_function_samples *all;
	struct ptui_annotation *a;
	size_t n;

	all = ptui_annotate_functions(p, PTUI_NONE, NULL, &n, &err);
	assert_non_null(all);
	assert_int_equal(n, 1);
	assert_string_equal(all[0].function.symbol, "made_work");
	a = ptui_annotate_new(p, &all[0].function, &opts, &err);
	free(all);
	if (!a && strstr(err.text, "disassembler"))
		skip_because("%s", err.text);
	if (!a)
		fail_msg("%s", err.text);
	return a;
}

static size_t line_at(const struct ptui_annotation *a, unsigned off)
{
	uint32_t line = ptui_annotation_find(a, ptui_annotation_info(a)->start + off);

	assert_int_not_equal(line, PTUI_NONE);
	return line;
}

static void assert_cycles(const struct ptui_annotate_counts *c, const struct ptui_annotation *a,
			  double ipc, uint64_t branches, unsigned min, unsigned max)
{
	struct ptui_line_cycles end = ptui_counts_line_cycles(c, line_at(a, END));

	assert_int_equal(end.branches, branches);
	assert_int_equal(end.min, min);
	assert_int_equal(end.max, max);
	for (unsigned off = LOOP; off <= END; off += off == LOOP || off == 5 ? 2 : 1) {
		double at = ptui_counts_line_cycles(c, line_at(a, off)).ipc;

		assert_true(at > ipc - 0.001 && at < ipc + 0.001);
	}
	assert_true(ptui_counts_line_cycles(c, line_at(a, 0)).ipc == 0);
	assert_true(ptui_counts_line_cycles(c, line_at(a, 9)).ipc == 0);
}

/* Four instructions in 4 cycles, then also in 12; the events of the group have their own samples. */
static void cycles_and_events_of_a_group(void **state)
{
	struct world *w = *state;
	struct ptui_annotate_counts *c;
	struct ptui_annotation *a;
	struct ptui_profile *p;

	if (!has_code)
		skip_because("the code is of x86-64");
	start(w);
	for (int i = 0; i < 3; i++)
		sample(w, PERF_COUNT_HW_CPU_CYCLES, LOOP, END, 4);
	sample(w, PERF_COUNT_HW_INSTRUCTIONS, 5, END, 4);
	p = await_profile(w);
	a = annotate(p);
	c = ptui_annotate_count(a, p, NULL, NULL);
	assert_int_equal(ptui_counts_line(c, 0, line_at(a, LOOP)).samples, 3);
	assert_int_equal(ptui_counts_line(c, 1, line_at(a, LOOP)).samples, 0);
	assert_int_equal(ptui_counts_line(c, 1, line_at(a, 5)).samples, 1);
	assert_cycles(c, a, 1, 8, 4, 4);
	ptui_annotate_counts_free(c);
	ptui_profile_unref(p);

	for (int i = 0; i < 4; i++)
		sample(w, PERF_COUNT_HW_INSTRUCTIONS, 5, END, 12);
	p = await_profile(w);
	c = ptui_annotate_count(a, p, NULL, NULL);
	assert_int_equal(ptui_counts_line(c, 0, line_at(a, LOOP)).samples, 3);
	assert_int_equal(ptui_counts_line(c, 1, line_at(a, 5)).samples, 5);
	assert_cycles(c, a, 0.5, 16, 4, 12);
	ptui_annotate_counts_free(c);
	ptui_annotation_free(a);
	ptui_profile_unref(p);
	stop(w);
}

/* ---- bounds ---- */

/* Each sample is where its branches are from. */
static void assert_blocks_are_of_their_rows(struct ptui_profile *p)
{
	const struct blocks *b = &p->blocks;

	assert_true(b->n_lists > 0);
	for (size_t i = 0; i < b->n_lists; i++) {
		const struct block *at = &b->v[b->runs[b->lists[i].first].block];

		assert_true(b->lists[i].row < p->samples.n);
		assert_int_equal(at->end, p->samples.frame[b->lists[i].row]);
		assert_true(at->end < p->n_frames);
	}
	assert_int_equal(b->lists[b->n_lists - 1].row, p->samples.n - 1);
}

/* Rows are dropped, frames renumbered, and only the newest branches kept. */
static void a_long_recording(void **state)
{
	struct world *w = *state;
	struct builder *b;

	w->opts.max_samples = 300;
	start(w);
	b = &w->live->build.builder;
	b->max_runs = 400;
	b->max_frames = 60;
	for (unsigned round = 0; round < 30; round++) {
		struct ptui_profile *p;

		/* each round at other addresses */
		for (unsigned i = 0; i < 100; i++) {
			unsigned at = round * 16 + i % 16;

			sample(w, PERF_COUNT_HW_CPU_CYCLES, at, at, 1 + i);
		}
		p = await_profile(w);
		assert_blocks_are_of_their_rows(p);
		ptui_profile_unref(p);
	}
	stop(w);
	assert_true(b->store.dropped > 0);
	assert_true(b->compactions > 0);
	assert_true(b->blocks.n_runs <= 402);
	assert_true(b->blocks.n <= 2 * b->blocks.n_runs);
}

/* ---- a program without symbols ---- */

#define FUNCTION_BYTES 0x1000u

/* Seven functions from 0x1000 on, which only call frame information knows; the file is mapped from there. */
static void map_unnamed(struct world *w)
{
	const struct made_form form = { .machine = EM_X86_64,
					.encoding = 0x1b /* pcrel, sdata4 */ };
	struct made_fde fdes[8] = { 0 };
	struct made_cie cies[2] = {
		{ .ra = 16, .program = PROGRAM("\x0c\x07\x08"), .fdes = fdes }
	};
	struct buf frames = BUF_INIT, elf = BUF_INIT;
	FILE *f;

	for (unsigned i = 0; i < 7; i++)
		fdes[i] = (struct made_fde){ (i + 1) * FUNCTION_BYTES, (i + 2) * FUNCTION_BYTES,
					     PROGRAM("\0") };
	made_frames(&frames, &form, cies);
	made_elf(&elf, &form, frames.data, frames.len);
	snprintf(w->program, sizeof(w->program), "%s/unnamed", w->kernel.folder);
	f = fopen(w->program, "w");
	assert_true(f && fwrite(elf.data, 1, elf.len, f) == elf.len && !fclose(f));
	buf_release(&frames);
	buf_release(&elf);
	w->len = 7 * FUNCTION_BYTES;
	w->pgoff = 0;
	w->work = START;
	w->opts.unnamed_functions = true;
}

static void assert_ranges(struct ptui_profile *p)
{
	for (size_t i = 0; i < p->samples.n; i++) {
		const struct profile_frame *f = &p->frames[p->samples.frame[i]];
		uint64_t at = (f->raw_addr - START) / FUNCTION_BYTES * FUNCTION_BYTES +
			      FUNCTION_BYTES;
		char range[48];

		snprintf(range, sizeof(range), "0x%" PRIx64 "-0x%" PRIx64, at, at + FUNCTION_BYTES);
		assert_true(f->unnamed);
		assert_string_equal(strpool_get(&p->names, f->sym_name), range);
	}
}

/* Frames and symbols are renumbered between the rounds, which return to functions that were dropped. */
static void unnamed_functions_of_a_long_recording(void **state)
{
	struct world *w = *state;

	w->opts.max_samples = 300;
	map_unnamed(w);
	start(w);
	w->live->build.builder.max_frames = 60;
	for (unsigned round = 0; round < 30; round++) {
		struct ptui_profile *p;

		for (unsigned i = 0; i < 100; i++) {
			unsigned at = round % 20 * 0x540 + i % 16 * 4;

			sample(w, PERF_COUNT_HW_CPU_CYCLES, at, at, 1);
		}
		p = await_profile(w);
		assert_ranges(p);
		ptui_profile_unref(p);
	}
	stop(w);
	assert_true(w->live->build.builder.compactions > 0);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(cycles_and_events_of_a_group),
		IN_WORLD(a_long_recording),
		IN_WORLD(unnamed_functions_of_a_long_recording),
	};

	return cmocka_run_group_tests_name("session/live_blocks", tests, NULL, NULL);
}
