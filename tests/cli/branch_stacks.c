/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording with branch stacks, as an LBR makes them, of a program whose code is mapped where it was linked:
 *
 *	branch_stacks FILE PROGRAM BUILD-ID ADDRESS OFFSET BYTES FILTER <samples
 *
 * The code is BYTES at OFFSET of PROGRAM. FILTER is branch_sample_type. A line of the input is a sample; the newest
 * branch comes first, as in `perf script -F brstack`:
 *
 *	CPU IP FROM/TO/CYCLES ...
 *
 * All numbers are hexadecimal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"

#define PID	       10
#define BRANCHES_MAX   64
#define BUILD_ID_BYTES 20

static void put_map(struct made *m, const char *program, const char *build_id, uint64_t addr,
		    uint64_t off, uint64_t n)
{
	made_begin(m, PERF_RECORD_COMM, 0);
	made_u32(m, PID);
	made_u32(m, PID);
	made_text(m, "made", 8);
	made_end(m);
	made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	made_u32(m, PID);
	made_u32(m, PID);
	made_u64(m, addr);
	made_u64(m, n);
	made_u64(m, off);
	made_u32(m, BUILD_ID_BYTES); /* and three bytes that mean nothing */
	for (unsigned i = 0; i < BUILD_ID_BYTES; i++) {
		unsigned byte = 0;

		(void)sscanf(build_id + 2 * i, "%2x", &byte);
		made_u8(m, (uint8_t)byte);
	}
	made_u32(m, 5); /* PROT_READ | PROT_EXEC */
	made_u32(m, 2); /* MAP_PRIVATE */
	made_text(m, program, strlen(program) / 8 * 8 + 8);
	made_end(m);
}

static void put_sample(struct made *m, char *line, unsigned i)
{
	uint64_t branches[BRANCHES_MAX][3], n = 0, cpu, ip;
	char *at = line;

	cpu = strtoull(at, &at, 16);
	ip = strtoull(at, &at, 16);
	while (n < BRANCHES_MAX && strchr(at, '/')) {
		branches[n][0] = strtoull(at, &at, 16);
		branches[n][1] = strtoull(at + 1, &at, 16);
		branches[n][2] = strtoull(at + 1, &at, 16) << 4 | 2; /* cycles, predicted */
		n++;
	}
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, ip);
	made_u32(m, PID);
	made_u32(m, PID);
	made_u64(m, 1000 + i);
	made_u32(m, (uint32_t)cpu);
	made_u32(m, 0);
	made_u64(m, n);
	for (uint64_t k = 0; k < n; k++)
		for (unsigned word = 0; word < 3; word++)
			made_u64(m, branches[k][word]);
	made_end(m);
}

int main(int argc, char **argv)
{
	struct made_event event = {
		.type = PERF_TYPE_HARDWARE,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_BRANCH_STACK,
		.period = 1000,
		.id = 1,
	};
	const char *const features[] = { [6] = "x86_64", [15] = "" };
	char line[4096];
	unsigned n = 0;
	struct made m;
	FILE *out;
	int ret;

	if (argc != 8 || strlen(argv[3]) != BUILD_ID_BYTES * 2)
		return 2;
	out = fopen(argv[1], "w");
	if (!out)
		return 1;
	event.branch_type = strtoull(argv[7], NULL, 16);
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	put_map(&m, argv[2], argv[3], strtoull(argv[4], NULL, 16), strtoull(argv[5], NULL, 16),
		strtoull(argv[6], NULL, 16));
	while (fgets(line, sizeof(line), stdin))
		put_sample(&m, line, n++);
	made_finish(&m, features, 16);
	ret = fwrite(m.out.data, 1, m.out.len, out) != m.out.len;
	made_release(&m);
	return fclose(out) || ret;
}
