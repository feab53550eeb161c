/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a recording with call stacks of the LBR, as no machine here can: lbr FILE */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

int main(int argc, char **argv)
{
	struct made m;
	FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;

	if (!f)
		return 2;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	for (unsigned i = 0; i < 64; i++)
		put_sample(&m, i, i % 3, 1 + i % 32);
	made_finish(&m, NULL, 0);
	if (fwrite(m.out.data, 1, m.out.len, f) != m.out.len || fclose(f))
		return 1;
	made_release(&m);
	return 0;
}
