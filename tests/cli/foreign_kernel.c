/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording of another kernel (build-id 1111...) and of its module "made" (build-id 2222...), with
 * samples in both: foreign_kernel FILE
 */
#include <stdio.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"

#define KERNEL 0xffffffff91000000
#define MODULE 0xffffffffc0400000

static const struct made_event event = {
	.type = PERF_TYPE_SOFTWARE,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	.period = 1,
	.flags = MADE_SAMPLE_ID_ALL | 1ull << 34, /* build_id */
	.id = 1,
};

static void put_map(struct made *m, uint64_t start, uint64_t bytes, uint64_t off, uint8_t id,
		    const char *name, size_t padded)
{
	made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_MMAP_BUILD_ID);
	made_u32(m, UINT32_MAX); /* pid and tid of the kernel */
	made_u32(m, 0);
	made_u64(m, start);
	made_u64(m, bytes);
	made_u64(m, off);
	made_u32(m, 20);
	for (int i = 0; i < 20; i++)
		made_u8(m, id);
	made_u32(m, 5); /* PROT_READ | PROT_EXEC */
	made_u32(m, 2); /* MAP_PRIVATE */
	made_text(m, name, padded);
	made_u32(m, UINT32_MAX); /* pid, tid, time: sample_id_all */
	made_u32(m, 0);
	made_u64(m, 0);
	made_end(m);
}

static void put_sample(struct made *m, uint64_t ip, uint64_t time)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	made_u64(m, ip);
	made_u32(m, 10);
	made_u32(m, 10);
	made_u64(m, time);
	made_end(m);
}

int main(int argc, char **argv)
{
	static const char *const features[] = { [4] = "6.6.0-made", [6] = "x86_64" };
	struct made m;
	FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;

	if (!f)
		return 2;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	put_map(&m, KERNEL, 0x1000000, KERNEL, 0x11, "[kernel.kallsyms]_text", 24);
	put_map(&m, MODULE, 0x4000, 0, 0x22, "[made]", 8);
	for (unsigned i = 0; i < 32; i++) {
		put_sample(&m, KERNEL + 32 + i, 1000 + i);
		put_sample(&m, MODULE + 24 + i, 2000 + i);
	}
	made_finish(&m, features, 7);
	if (fwrite(m.out.data, 1, m.out.len, f) != m.out.len || fclose(f))
		return 1;
	made_release(&m);
	return 0;
}
