/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording with copies of user stacks, as another machine makes them, and the program in it:
 *
 *	foreign_stacks aarch64|s390x FILE PROGRAM
 *
 * or one with user callchains that the kernel recorded after the samples (Linux 6.19): two samples of one cookie, one
 * of another thread with the same cookie, one interrupted in user mode, and one whose record is missing:
 *
 *	foreign_stacks deferred FILE
 *
 * The stacks are start (0x1000), middle (0x2000), leaf (0x3000). leaf has its return address in a register,
 * middle has saved its own, start has none. s390x has the other byte order than this machine.
 */
#include <stdio.h>
#include <string.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"
#include "unit/unwind/made.h"

#define BASE	    0x2aa00000000ull
#define SP	    0x3ffff000000ull
#define STACK_BYTES 512

static const struct foreign {
	const char *name;
	struct made_form form;
	struct made_cie cie;
	struct made_program middle, start;
	uint8_t fp, ra, sp, ip; /* perf's numbers, ascending */
	uint16_t saved;		/* from SP: middle's return address */
} machines[] = {
	{ .name = "aarch64",
	  .form = { .machine = EM_AARCH64, .encoding = 0x1b /* pcrel, sdata4 */ },
	  .cie = { .ra = 30, .program = PROGRAM("\x0c\x1f\x00") },
	  .middle = PROGRAM("\x0e\x20\x9d\x04\x9e\x03"), /* CFA = SP + 32, x30 at CFA - 24 */
	  .start = PROGRAM("\x07\x1e"),
	  .fp = 29,
	  .ra = 30,
	  .sp = 31,
	  .ip = 32,
	  .saved = 8 },
	{ .name = "s390x",
	  .form = { .machine = EM_S390, .big = true, .encoding = 0x1b },
	  .cie = { .data_align = -8, .ra = 14, .program = PROGRAM("\x0c\x0f\xa0\x01") },
	  .middle = PROGRAM("\x0e\xc0\x02\x8e\x06"), /* CFA = SP + 320, r14 at CFA - 48 */
	  .start = PROGRAM("\x07\x0e"),
	  .fp = 11,
	  .ra = 14,
	  .sp = 15,
	  .ip = 33,
	  .saved = 272 },
};

static int write_program(const struct foreign *f, const char *path)
{
	const struct made_fde fdes[] = { { 0x1000, 0x2000, f->start },
					 { 0x2000, 0x3000, f->middle },
					 { 0x3000, 0x4000, PROGRAM("\0") },
					 { 0, 0, PROGRAM("") } };
	struct made_cie cies[2] = { f->cie };
	struct buf frames = BUF_INIT, elf = BUF_INIT;
	FILE *out = fopen(path, "w");
	int ret;

	if (!out)
		return 1;
	cies[0].fdes = fdes;
	made_frames(&frames, &f->form, cies);
	made_elf(&elf, &f->form, frames.data, frames.len);
	ret = fwrite(elf.data, 1, elf.len, out) != elf.len;
	buf_release(&frames);
	buf_release(&elf);
	return fclose(out) || ret;
}

static void put_map(struct made *m)
{
	made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	made_u32(m, 10);
	made_u32(m, 10);
	made_u64(m, BASE + 0x1000); /* as made_elf() has its code */
	made_u64(m, 0x7000);
	made_u64(m, 0);
	made_u32(m, 8); /* device and inode */
	made_u32(m, 1);
	made_u64(m, 77);
	made_u64(m, 0);
	made_u32(m, 5); /* PROT_READ | PROT_EXEC */
	made_u32(m, 2); /* MAP_PRIVATE */
	made_text(m, "/opt/program", 16);
	made_u32(m, 10); /* pid, tid, time: sample_id_all */
	made_u32(m, 10);
	made_u64(m, 0);
	made_end(m);
}

static void put_sample(struct made *m, const struct foreign *f, unsigned i)
{
	uint64_t ip = BASE + 0x3010 + 4 * (i % 8);

	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, ip);
	made_u32(m, 10);
	made_u32(m, 10);
	made_u64(m, 1000 + i);
	made_u64(m, 0); /* no kernel callchain */
	made_u64(m, PERF_SAMPLE_REGS_ABI_64);
	made_u64(m, 0); /* FP */
	made_u64(m, BASE + 0x2010);
	made_u64(m, SP);
	made_u64(m, ip);
	made_u64(m, STACK_BYTES);
	for (unsigned at = 0; at < STACK_BYTES; at += 8)
		made_u64(m, at == f->saved ? BASE + 0x1010 : 0);
	made_u64(m, STACK_BYTES);
	made_end(m);
}

static int write_recording(const struct foreign *f, const char *path)
{
	const struct made_event event = {
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.period = 1,
		.flags = MADE_SAMPLE_ID_ALL | 1ull << 22, /* exclude_callchain_user */
		.regs_user = 1ull << f->fp | 1ull << f->ra | 1ull << f->sp | 1ull << f->ip,
		.stack_user = STACK_BYTES,
		.id = 1,
	};
	const char *const features[] = { [3] = "elsewhere", [6] = f->name };
	struct made m;
	FILE *out = fopen(path, "w");
	int ret;

	if (!out)
		return 1;
	made_init(&m, f->form.big, false);
	made_events(&m, &event, 1, 112);
	put_map(&m);
	for (unsigned i = 0; i < 64; i++)
		put_sample(&m, f, i);
	made_finish(&m, features, 7);
	ret = fwrite(m.out.data, 1, m.out.len, out) != m.out.len;
	made_release(&m);
	return fclose(out) || ret;
}

/* ---- deferred callchains ---- */

#define KERNEL 0xffffffff81000000ull

static void put_chain(struct made *m, const uint64_t *words, size_t n)
{
	made_u64(m, n);
	for (size_t i = 0; i < n; i++)
		made_u64(m, words[i]);
}

static void put_waiting(struct made *m, uint32_t tid, uint64_t cookie)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, KERNEL + 1, KERNEL + 2,
				   PTUI_CONTEXT_USER_DEFERRED, cookie };

	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	made_u64(m, KERNEL + 1);
	made_u32(m, 10);
	made_u32(m, tid);
	made_u64(m, 1000 + cookie);
	put_chain(m, chain, 5);
	made_end(m);
}

static void put_deferred(struct made *m, uint32_t tid, uint64_t cookie, uint64_t caller)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, BASE + 0x1010, caller };

	made_begin(m, PTUI_RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	made_u64(m, cookie);
	put_chain(m, chain, 3);
	made_u32(m, 10);
	made_u32(m, tid);
	made_u64(m, 1001 + cookie);
	made_end(m);
}

static int write_deferred(const char *path)
{
	const struct made_event event = {
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CALLCHAIN,
		.period = 1,
		.flags = MADE_SAMPLE_ID_ALL | 1ull << 38 |
			 1ull << 39, /* defer_callchain, _output */
		.id = 1,
	};
	const uint64_t user[] = { PTUI_CONTEXT_USER_DEFERRED, 20 };
	struct made m;
	FILE *out = fopen(path, "w");
	int ret;

	if (!out)
		return 1;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	put_map(&m);
	put_waiting(&m, 11, 1);
	put_waiting(&m, 11, 1);
	put_waiting(&m, 12, 1);
	put_deferred(&m, 11, 1, BASE + 0x2010);
	made_begin(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(&m, BASE + 0x1010);
	made_u32(&m, 10);
	made_u32(&m, 11);
	made_u64(&m, 1020);
	put_chain(&m, user, 2);
	made_end(&m);
	put_deferred(&m, 11, 20, BASE + 0x3010);
	put_waiting(&m, 11, 30);
	made_finish(&m, NULL, 0);
	ret = fwrite(m.out.data, 1, m.out.len, out) != m.out.len;
	made_release(&m);
	return fclose(out) || ret;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "deferred"))
		return write_deferred(argv[2]);
	for (size_t i = 0; argc == 4 && i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strcmp(argv[1], machines[i].name))
			return write_recording(&machines[i], argv[2]) ||
			       write_program(&machines[i], argv[3]);
	return 2;
}
