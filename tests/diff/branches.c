/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording with branch stacks or memory accesses, as no machine here can:
 *
 *	branches branch|chains|switches|callers|memory|namespaces|hostile|hostile-memory FILE PROGRAM
 *	branches blocks|trace FILE PROGRAM <BRANCHES
 *
 * BRANCHES has "FROM TO" per line, the last one first, and ". IP" at the end of a sample: addresses in
 * the program's file, or K and an offset in the kernel. A trace has a sample for each branch.
 *
 * Two processes run PROGRAM at different addresses. The kernel is at 0xffffffff81000000, see the
 * kallsyms of tests/diff/report-branches.sh.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"

#define KERNEL	     0xffffffff81000000ull
#define KERNEL_BYTES 0x10000ull
#define NOWHERE	     0x123400ull
#define HEAP	     0x600000000000ull
#define SHARED	     0x700000000000ull
#define SAMPLES	     300u
#define TYPE	     (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static const uint64_t bases[] = { 0x555555554000, 0x5555aaaa0000 };
static const int32_t pids[] = { 10, 20 };

static const struct made_event branch_event = {
	.type = PERF_TYPE_HARDWARE,
	.sample_type = TYPE | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK,
	.period = 1000,
	.flags = MADE_SAMPLE_ID_ALL,
	.branch_type = PERF_SAMPLE_BRANCH_ANY,
	.id = 1,
};

static const struct made_event chain_event = {
	.type = PERF_TYPE_HARDWARE,
	.sample_type = TYPE | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT,
	.period = 1000,
	.flags = MADE_SAMPLE_ID_ALL,
	.branch_type = PERF_SAMPLE_BRANCH_ANY,
	.id = 1,
};

static const struct made_event trace_event = {
	.type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	.sample_type = TYPE | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU,
	.period = 1,
	.flags = MADE_SAMPLE_ID_ALL,
	.id = 1,
};

static const struct made_event plain_event = {
	.type = PERF_TYPE_HARDWARE,
	.sample_type = TYPE | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
	.period = 1000,
	.flags = MADE_SAMPLE_ID_ALL,
	.id = 1,
};

static const struct made_event caller_event = {
	.type = PERF_TYPE_HARDWARE,
	.sample_type = TYPE | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
	.period = 1000,
	.flags = MADE_SAMPLE_ID_ALL,
	.id = 1,
};

static const struct made_event memory_event = {
	.type = PERF_TYPE_RAW,
	.sample_type = TYPE | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
		       PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE,
	.period = 1000,
	.flags = MADE_SAMPLE_ID_ALL,
	.id = 1,
};

/* The program: its segments and its build-id. */
static struct {
	char *path;
	unsigned char *bytes;
	Elf64_Phdr segments[16];
	size_t n;
	const unsigned char *build_id;
	uint64_t entry, text, text_bytes, data, data_bytes; /* in the file's addresses */
} program;

static uint32_t state = 12345;

static uint32_t any(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

static int read_program(char *path)
{
	FILE *f = fopen(path, "r");
	const Elf64_Ehdr *h;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < (long)sizeof(*h))
		return -1;
	rewind(f);
	program.path = path;
	program.bytes = malloc((size_t)size);
	if (!program.bytes || fread(program.bytes, 1, (size_t)size, f) != (size_t)size)
		return -1;
	fclose(f);
	h = (const Elf64_Ehdr *)program.bytes;
	program.entry = h->e_entry;
	for (unsigned i = 0; i < h->e_phnum; i++) {
		const Elf64_Phdr *p = (const Elf64_Phdr *)(program.bytes + h->e_phoff) + i;

		if (p->p_type == PT_LOAD && program.n < 16)
			program.segments[program.n++] = *p;
		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			program.text = p->p_vaddr;
			program.text_bytes = p->p_filesz;
		}
		if (p->p_type == PT_LOAD && p->p_flags & PF_W) {
			program.data = p->p_vaddr;
			program.data_bytes = p->p_filesz;
		}
		/* the last 20 bytes of a note of 36 */
		if (p->p_type == PT_NOTE && p->p_filesz >= 36 &&
		    !memcmp(program.bytes + p->p_offset + 12, "GNU", 4) &&
		    program.bytes[p->p_offset + 8] == NT_GNU_BUILD_ID)
			program.build_id = program.bytes + p->p_offset + 16;
	}
	return program.build_id && program.text && program.data ? 0 : -1;
}

static void put_id(struct made *m, unsigned process)
{
	made_u32(m, (uint32_t)pids[process]);
	made_u32(m, (uint32_t)pids[process]);
	made_u64(m, 1000);
	made_u32(m, 0);
	made_u32(m, 0);
}

static void put_comm(struct made *m, unsigned process, const char *name)
{
	made_begin(m, PERF_RECORD_COMM, 0);
	made_u32(m, (uint32_t)pids[process]);
	made_u32(m, (uint32_t)pids[process]);
	made_text(m, name, 8);
	put_id(m, process);
	made_end(m);
}

static void put_map(struct made *m, unsigned process, uint64_t start, uint64_t bytes, uint64_t off,
		    uint32_t prot, bool shared, const char *path, const unsigned char *build_id)
{
	made_begin(m, PERF_RECORD_MMAP2,
		   (uint16_t)(PERF_RECORD_MISC_USER |
			      (build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0)));
	made_u32(m, (uint32_t)pids[process]);
	made_u32(m, (uint32_t)pids[process]);
	made_u64(m, start);
	made_u64(m, bytes);
	made_u64(m, off);
	if (build_id) {
		made_u8(m, 20);
		made_u8(m, 0);
		made_u16(m, 0);
		for (unsigned i = 0; i < 20; i++)
			made_u8(m, build_id[i]);
	} else {
		made_u32(m, 8);
		made_u32(m, 1);
		made_u64(m, *path == '/' && path[1] != '/' ? 77 : 0);
		made_u64(m, 0);
	}
	made_u32(m, prot);
	made_u32(m, shared ? 1 : 2);
	made_text(m, path, (strlen(path) + 8) / 8 * 8);
	put_id(m, process);
	made_end(m);
}

static void put_maps(struct made *m)
{
	made_begin(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	made_u32(m, UINT32_MAX);
	made_u32(m, 0);
	made_u64(m, KERNEL);
	made_u64(m, KERNEL_BYTES);
	made_u64(m, KERNEL);
	made_text(m, "[kernel.kallsyms]_text", 24);
	put_id(m, 0);
	made_end(m);
	for (unsigned i = 0; i < 2; i++) {
		put_comm(m, i, i ? "other" : "work");
		for (size_t s = 0; s < program.n; s++) {
			const Elf64_Phdr *p = &program.segments[s];
			uint64_t start = p->p_vaddr & ~0xfffull;
			uint64_t end = (p->p_vaddr + p->p_memsz + 0xfff) & ~0xfffull;
			uint32_t prot = (p->p_flags & PF_X ? 4 : 0) | (p->p_flags & PF_W ? 2 : 0) |
					1;

			put_map(m, i, bases[i] + start, end - start, p->p_offset & ~0xfffull, prot,
				false, program.path, program.build_id);
		}
		put_map(m, i, HEAP, 0x10000, 0, 3, false, "[heap]", NULL);
		put_map(m, i, SHARED, 0x10000, 0, 3, true, "/dev/shm/segment", NULL);
	}
}

/* A few places, so that branches repeat. */
static uint64_t code(unsigned process)
{
	uint64_t at = program.text_bytes * any(24) / 24;

	switch (any(12)) {
	case 0:
		return KERNEL + 0x100 * any(6);
	case 1:
		return any(3) ? NOWHERE + 16 * any(3) : 0;
	default:
		return bases[process] + program.text + at;
	}
}

static uint64_t data(unsigned process)
{
	switch (any(8)) {
	case 0:
		return HEAP + 0x40 * any(6) + 8 * any(2);
	case 1:
		return SHARED + 0x40 * any(6) + 8 * any(2);
	case 2:
		return NOWHERE + 16 * any(3);
	default:
		return bases[process] + program.data + 8 * any((uint32_t)program.data_bytes / 8);
	}
}

/* Either mispredicted or predicted (otherwise perf repeats what it printed before), maybe in a transaction or aborted. */
static uint64_t flags(void)
{
	return (1 + any(2)) | (uint64_t)any(4) << 2 | (uint64_t)any(5) << 4;
}

static void put_branches(struct made *m, unsigned process)
{
	unsigned n = any(17);

	made_u64(m, n);
	while (n--) {
		made_u64(m, code(process));
		made_u64(m, code(process));
		made_u64(m, flags());
	}
}

static void begin_at(struct made *m, unsigned i, unsigned process, bool kernel, uint64_t ip)
{
	made_begin(m, PERF_RECORD_SAMPLE, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	made_u64(m, ip);
	made_u32(m, (uint32_t)pids[process]);
	made_u32(m, (uint32_t)pids[process]);
	made_u64(m, 1000000ull * (i + 1));
}

static void begin_sample(struct made *m, unsigned i, unsigned process, bool kernel)
{
	begin_at(m, i, process, kernel,
		 kernel ? KERNEL + 0x100 * any(6) : bases[process] + program.entry + 4 * any(4));
}

static void put_branch_sample(struct made *m, unsigned i, bool chain)
{
	unsigned process = any(2);

	begin_sample(m, i, process, !any(6));
	made_u32(m, i % 4);
	made_u32(m, 0);
	made_u64(m, 1000);
	if (chain) {
		made_u64(m, 3);
		made_u64(m, (uint64_t)PERF_CONTEXT_USER);
		made_u64(m, bases[process] + program.text + 0x480);
		made_u64(m, bases[process] + program.text + 0x1d0);
	}
	put_branches(m, process);
	if (chain)
		made_u64(m, 7);
	made_end(m);
}

static uint64_t place(const char *text, unsigned process)
{
	return *text == 'K' ? KERNEL + strtoull(text + 1, NULL, 16) :
			      bases[process] + strtoull(text, NULL, 16);
}

static void begin_run(struct made *m, const char *at, unsigned i)
{
	made_begin(m, PERF_RECORD_SAMPLE,
		   *at == 'K' ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	made_u64(m, place(at, 0));
	made_u32(m, (uint32_t)pids[0]);
	made_u32(m, (uint32_t)pids[0]);
	made_u64(m, 1000000ull * (i + 1));
}

/* 0, or -1: a sample has too many branches. */
static int put_blocks(struct made *m, FILE *in)
{
	char from[32], to[32];
	uint64_t branches[64][2];
	unsigned n = 0, samples = 0;

	while (fscanf(in, "%31s %31s", from, to) == 2) {
		if (strcmp(from, ".") != 0) {
			if (n == 64)
				return -1;
			branches[n][0] = place(from, 0);
			branches[n++][1] = place(to, 0);
			continue;
		}
		begin_run(m, to, samples++);
		made_u32(m, 0);
		made_u32(m, 0);
		made_u64(m, 1000);
		made_u64(m, n);
		for (unsigned i = 0; i < n; i++) {
			made_u64(m, branches[i][0]);
			made_u64(m, branches[i][1]);
			made_u64(m, flags());
		}
		made_end(m);
		n = 0;
	}
	return 0;
}

static void put_trace(struct made *m, FILE *in)
{
	char from[32], to[32];
	unsigned samples = 0;

	while (fscanf(in, "%31s %31s", from, to) == 2) {
		if (!strcmp(from, "."))
			continue;
		begin_run(m, from, samples++);
		made_u64(m, place(to, 0));
		made_u32(m, 0);
		made_u32(m, 0);
		made_end(m);
	}
}

/* What processors report; `locked` and the others have few values. */
static uint64_t data_src(void)
{
	static const uint64_t levels[] = { 0x68100142,	 0x68100442, 0x68100242,
					   0x1e05080021, 0x6a100842, 0x68400842 };

	return levels[any(6)] | (uint64_t)any(8) << 40;
}

static void put_memory_sample(struct made *m, unsigned i)
{
	unsigned process = any(2);
	bool kernel = !any(8);

	begin_sample(m, i, process, kernel);
	made_u64(m, kernel ? KERNEL + 0x8000 + 16 * any(3) : data(process));
	made_u32(m, i % 4);
	made_u32(m, 0);
	made_u64(m, 1000);
	made_u64(m, (uint64_t)(any(3)) << 48 | (uint64_t)any(5) << 32 | any(40));
	made_u64(m, data_src());
	made_u64(m, any(3) ? 0 : (uint64_t)any(256) | (uint64_t)any(3) << 32);
	made_u64(m, 0x1000ull * any(9));
	made_u64(m, any(2) ? 4096 : 0x200000);
	made_end(m);
}

/* Numbers of branches that the record does not have, and values that no processor writes. */
static void put_hostile_branches(struct made *m)
{
	static const uint64_t numbers[] = { UINT64_MAX, UINT64_MAX / 24 + 1, 1ull << 32, 4 };
	static const uint64_t odd[][3] = { { UINT64_MAX, 0, UINT64_MAX },
					   { 0xffffffffff600400, UINT64_MAX, 0 },
					   { 1, 0x8000000000000000, 1ull << 63 } };

	for (unsigned i = 0; i < 4; i++) {
		begin_sample(m, i, 0, false);
		made_u64(m, 0);
		made_u64(m, 1000);
		made_u64(m, numbers[i]);
		for (unsigned b = 0; b < 3; b++)
			made_u64(m, program.text);
		made_end(m);
	}
	begin_sample(m, 4, 0, false);
	made_u64(m, 0);
	made_u64(m, 1000);
	made_u64(m, 3);
	for (unsigned b = 0; b < 9; b++)
		made_u64(m, odd[b / 3][b % 3]);
	made_end(m);
}

static void put_hostile_memory(struct made *m)
{
	static const uint64_t values[] = { UINT64_MAX, 0, 1ull << 63, 0x7ffe0 };

	for (unsigned i = 0; i < 4; i++) {
		begin_sample(m, i, 0, false);
		made_u64(m, UINT64_MAX - i);
		made_u64(m, 0);
		made_u64(m, UINT64_MAX);
		made_u64(m, UINT64_MAX);
		made_u64(m, values[i]);
		made_u64(m, UINT64_MAX);
		made_u64(m, UINT64_MAX);
		made_u64(m, UINT64_MAX - 1);
		made_end(m);
	}
}

static void put_namespaces(struct made *m, unsigned process, uint64_t inode)
{
	made_begin(m, PERF_RECORD_NAMESPACES, 0);
	made_u32(m, (uint32_t)pids[process]);
	made_u32(m, (uint32_t)pids[process]);
	made_u64(m, 7);
	for (unsigned i = 0; i < 7; i++) {
		made_u64(m, 4);
		made_u64(m, inode + i);
	}
	put_id(m, process);
	made_end(m);
}

static void put_switch(struct made *m, unsigned process, uint64_t when, bool out)
{
	made_begin(m, PERF_RECORD_SWITCH, out ? PERF_RECORD_MISC_SWITCH_OUT : 0);
	made_u32(m, (uint32_t)pids[process]);
	made_u32(m, (uint32_t)pids[process]);
	made_u64(m, when);
	made_u32(m, 0);
	made_u32(m, 0);
	made_end(m);
}

/* With callers: kernel_0 of work and kernel_1 of other, called by kernel_5; the second one calls itself. */
static void put_callers(struct made *m, unsigned i, unsigned process)
{
	unsigned n = i == 1 ? 2 : 1;

	made_u64(m, 1 + 2 * n);
	made_u64(m, (uint64_t)PERF_CONTEXT_KERNEL);
	for (unsigned k = 0; k < n; k++) {
		made_u64(m, KERNEL + 0x100 * process);
		made_u64(m, KERNEL + 0x500);
	}
}

static void put_plain_sample(struct made *m, unsigned i, unsigned process, bool callers)
{
	if (callers)
		begin_at(m, i, process, true, KERNEL + 0x100 * process);
	else
		begin_sample(m, i, process, false);
	made_u32(m, 0);
	made_u32(m, 0);
	made_u64(m, 1000);
	if (callers)
		put_callers(m, i, process);
	made_end(m);
}

/*
 *	ms	1   2   3   4   5
 *	work	-------------.  .----	samples at 1, 2 and 5
 *	other	 .------------.		at 3 and 4
 */
static void put_switches(struct made *m, bool callers)
{
	put_plain_sample(m, 0, 0, callers);
	put_switch(m, 1, 1500000, false);
	put_plain_sample(m, 1, 0, callers);
	put_plain_sample(m, 2, 1, callers);
	put_switch(m, 0, 3500000, true);
	put_plain_sample(m, 3, 1, callers);
	put_switch(m, 0, 4200000, false);
	put_switch(m, 0, 4300000, false); /* twice */
	put_switch(m, 1, 4400000, true);
	put_plain_sample(m, 4, 0, callers);
}

static unsigned n_samples(const char *mode)
{
	return strncmp(mode, "hostile", 7) && strcmp(mode, "blocks") && strcmp(mode, "trace") &&
			       strcmp(mode, "switches") && strcmp(mode, "callers") ?
		       SAMPLES :
		       0;
}

int main(int argc, char **argv)
{
	static const struct made_feature feature = { .bit = PTUI_FEAT_BRANCH_STACK, .bytes = "" };
	const struct made_event *event = &branch_event;
	struct made m;
	FILE *f = argc == 4 && !read_program(argv[3]) ? fopen(argv[2], "w") : NULL;

	if (!f)
		return 2;
	if (!strcmp(argv[1], "memory") || !strcmp(argv[1], "hostile-memory"))
		event = &memory_event;
	else if (!strcmp(argv[1], "chains"))
		event = &chain_event;
	else if (!strcmp(argv[1], "trace"))
		event = &trace_event;
	else if (!strcmp(argv[1], "switches"))
		event = &plain_event;
	else if (!strcmp(argv[1], "callers"))
		event = &caller_event;
	made_init(&m, false, false);
	made_events(&m, event, 1, 128);
	put_maps(&m);
	if (!strcmp(argv[1], "namespaces")) {
		put_namespaces(&m, 0, 4026531835);
		put_namespaces(&m, 1, 4026532800);
	}
	if (!strcmp(argv[1], "switches") || !strcmp(argv[1], "callers"))
		put_switches(&m, event == &caller_event);
	if (!strcmp(argv[1], "hostile"))
		put_hostile_branches(&m);
	if (!strcmp(argv[1], "hostile-memory"))
		put_hostile_memory(&m);
	if (!strcmp(argv[1], "blocks") && put_blocks(&m, stdin))
		return 1;
	if (event == &trace_event)
		put_trace(&m, stdin);
	for (unsigned i = 0; i < n_samples(argv[1]); i++) {
		if (event == &memory_event)
			put_memory_sample(&m, i);
		else
			put_branch_sample(&m, i, event == &chain_event);
	}
	made_finish_with(&m, &feature, event != &memory_event);
	if (fwrite(m.out.data, 1, m.out.len, f) != m.out.len || fclose(f))
		return 1;
	made_release(&m);
	free(program.bytes);
	return 0;
}
