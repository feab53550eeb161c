/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording with call stacks of the LBR, as no machine here can: lbr FILE [deep]
 *
 * deep: of a thread whose stack grows and shrinks beyond the LBR, of eight registers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"

#define KERNEL 0xffffffff81000000
#define USER   0x400000

static const struct made_event event = {
	.type = PERF_TYPE_HARDWARE,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_BRANCH_STACK,
	.period = 1,
	.flags = MADE_SAMPLE_ID_ALL,
	.branch_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK,
	.id = 1,
};

/* A chain of `n_kernel` and some user frames, and `n_calls` calls. */
static void put_sample(struct made *m, unsigned i, unsigned n_kernel, unsigned n_calls)
{
	made_begin(m, PERF_RECORD_SAMPLE,
		   n_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	made_u64(m, n_kernel ? KERNEL + i : USER + i);
	made_u32(m, 10);
	made_u32(m, 10);
	made_u64(m, 1000000ull * (i + 1));
	made_u64(m, (n_kernel ? n_kernel + 1 : 0) + 3);
	if (n_kernel)
		made_u64(m, (uint64_t)PERF_CONTEXT_KERNEL);
	for (unsigned k = 0; k < n_kernel; k++)
		made_u64(m, KERNEL + i + 16 * k);
	made_u64(m, (uint64_t)PERF_CONTEXT_USER);
	made_u64(m, USER + i);
	made_u64(m, USER + 0x9990);
	made_u64(m, n_calls);
	for (unsigned c = 0; c < n_calls; c++) {
		made_u64(m, USER + 0x1000 * (c + 1) + i);
		made_u64(m, USER + 0x1000 * c);
		made_u64(m, 0);
	}
	made_end(m);
}

/* ---- a deep stack ---- */

#define REGISTERS 8

static const struct made_event deep_event = {
	.type = PERF_TYPE_HARDWARE,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_BRANCH_STACK,
	.period = 1,
	.flags = MADE_SAMPLE_ID_ALL,
	.branch_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
		       PERF_SAMPLE_BRANCH_HW_INDEX,
	.id = 1,
};

/* Calls from `from` on are in the registers. */
static void put_deep(struct made *m, unsigned i, const uint64_t *calls, unsigned depth,
		     unsigned from)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, USER + i);
	made_u32(m, 10);
	made_u32(m, 10);
	made_u64(m, 1000000ull * (i + 1));
	made_u64(m, 2);
	made_u64(m, (uint64_t)PERF_CONTEXT_USER);
	made_u64(m, USER + i);
	made_u64(m, depth - from);
	made_u64(m, (depth - 1) % REGISTERS);
	for (unsigned d = depth; d-- > from;) {
		made_u64(m, calls[d]);
		made_u64(m, calls[d] + 0x100000);
		made_u64(m, 0);
	}
	made_end(m);
}

static void put_deep_samples(struct made *m)
{
	uint64_t calls[64];
	unsigned depth = 0, from = 0, state = 1;

	for (unsigned i = 0; i < 200; i++) {
		unsigned n = 1 + (state = state * 1664525 + 1013904223) / 7 % 3;
		bool grows = depth < 12 || (depth < 60 && state >> 29 > 3);

		for (unsigned k = 0; k < n; k++) {
			if (grows)
				calls[depth] = USER + 0x1000 * (depth + 1) + i;
			depth += grows ? 1 : -1u;
		}
		if (depth > from + REGISTERS)
			from = depth - REGISTERS;
		if (depth <= from)
			from = depth - 1; /* a call that is still known to perf's kernel */
		put_deep(m, i, calls, depth, from);
	}
}

/* cpu_pmu_caps: branches=8 */
static void finish_deep(struct made *m)
{
	static const struct {
		uint32_t n, name_bytes;
		char name[16];
		uint32_t value_bytes;
		char value[16];
	} caps = { 1, 16, "branches", 16, "8" };
	const struct made_feature feature = { PTUI_FEAT_CPU_PMU_CAPS, &caps, sizeof(caps) };

	made_finish_with(m, &feature, 1);
}

int main(int argc, char **argv)
{
	struct made m;
	bool deep = argc == 3 && !strcmp(argv[2], "deep");
	FILE *f = argc == 2 || deep ? fopen(argv[1], "w") : NULL;

	if (!f)
		return 2;
	made_init(&m, false, false);
	made_events(&m, deep ? &deep_event : &event, 1, 112);
	if (deep) {
		put_deep_samples(&m);
		finish_deep(&m);
	} else {
		for (unsigned i = 0; i < 64; i++)
			put_sample(&m, i, i % 3, 1 + i % 32);
		made_finish(&m, NULL, 0);
	}
	if (fwrite(m.out.data, 1, m.out.len, f) != m.out.len || fclose(f))
		return 1;
	made_release(&m);
	return 0;
}
