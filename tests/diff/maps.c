/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording in which processes map parts of two files over one another, at random, with stacks
 * of addresses in and between the maps, some of them broken. maps FILE SEED PATH PATH [RECORDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"

#define PROCESSES      3
#define RECORDS	       4000 /* unless given */
#define UNKNOWN_MARKER ((uint64_t)-4000)
#define PAGE	       0x1000
#define BASE	       0x400000
#define PAGES	       64 /* that are mapped, from BASE on */

static const struct made_event event = {
	.type = PERF_TYPE_SOFTWARE,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
	.period = 1,
	.flags = MADE_SAMPLE_ID_ALL,
	.id = 1,
};

static uint64_t state;

static uint64_t below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static void end_record(struct made *m, uint32_t pid, uint64_t time)
{
	made_u32(m, pid);
	made_u32(m, pid);
	made_u64(m, time);
	made_end(m);
}

static void put_comm(struct made *m, uint32_t pid, uint64_t time, const char *name)
{
	made_begin(m, PERF_RECORD_COMM, 0);
	made_u32(m, pid);
	made_u32(m, pid);
	made_text(m, name, 8);
	end_record(m, pid, time);
}

static void put_map(struct made *m, uint32_t pid, uint64_t time, const char *path)
{
	uint64_t n = 1 + below(16), at = below(PAGES);
	struct stat st;
	uint64_t pages = stat(path, &st) ? 1 : (uint64_t)st.st_size / PAGE + 1;

	made_begin(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	made_u32(m, pid);
	made_u32(m, pid);
	made_u64(m, BASE + at * PAGE);
	made_u64(m, n * PAGE);
	made_u64(m, below(pages) * PAGE);
	made_text(m, path, 256);
	end_record(m, pid, time);
}

static uint64_t address(void)
{
	if (!below(5))
		return below(2) ? below(1 << 20) : 0x7fff00000000 + below(1 << 20);
	return BASE + below(PAGES + 24) * PAGE + 16 * below(PAGE / 16) + below(3);
}

static void put_sample(struct made *m, uint32_t pid, uint64_t time)
{
	uint64_t n = 2 + below(10);
	static uint64_t chain[16]; /* often the callers of the one before */
	uint64_t broken = below(50) ? 0 : below(n);

	for (uint64_t i = 1; i < n; i++)
		if (!chain[i] || !below(3))
			chain[i] = address();
	chain[0] = PERF_CONTEXT_USER;
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, chain[1]);
	made_u32(m, pid);
	made_u32(m, pid);
	made_u64(m, time);
	made_u64(m, n);
	for (uint64_t i = 0; i < n; i++)
		made_u64(m, i && i == broken ? UNKNOWN_MARKER : chain[i]);
	made_end(m);
}

int main(int argc, char **argv)
{
	struct made m;
	FILE *f = argc >= 5 ? fopen(argv[1], "w") : NULL;
	unsigned long records = argc > 5 ? strtoul(argv[5], NULL, 0) : RECORDS;
	bool ok;

	if (!f)
		return 1;
	state = 88172645463325252u + strtoull(argv[2], NULL, 0);
	made_init(&m, false, false);
	made_events(&m, &event, 1, 128);
	for (uint32_t pid = 10; pid < 10 + PROCESSES; pid++)
		put_comm(&m, pid, pid, "first");
	for (unsigned i = 0; i < records; i++) {
		uint32_t pid = 10 + (uint32_t)below(PROCESSES);
		uint64_t time = 1000 * (i + 1), what = below(100);

		if (what < 5)
			put_map(&m, pid, time, argv[3 + below(2)]);
		else if (what == 5)
			put_comm(&m, pid, time, "other");
		else
			put_sample(&m, pid, time);
	}
	made_finish(&m, NULL, 0);
	ok = fwrite(m.out.data, 1, m.out.len, f) == m.out.len;
	made_release(&m);
	return fclose(f) || !ok;
}
