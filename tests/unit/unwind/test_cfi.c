/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of every architecture, by call frame information made by hand. All modules are mapped alike:
 *
 *	0x11000 ... 0x110ff   `inner`, with the program of the case
 *	0x12000 ... 0x120ff   `outer`, of which the return address is undefined: the stack ends there
 *	0x13000 ... 0x130ff   a signal frame, in some cases
 *	0x14000 ... 0x14fff   code without frame information
 */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>
#include "lib/need.h"
#include "unit/unwind/made.h"

#define BIAS	  0x10000
#define INNER	  0x11000ull
#define OUTER	  0x12000ull
#define SIGNAL	  0x13000ull
#define NO_CFI	  0x14000ull
#define SP	  0x700000ull
#define WORDS_MAX 40
#define REGS_MAX  8

struct reg {
	uint8_t perf;
	uint64_t value;
};

struct a_case {
	const char *name;
	struct made_form form;
	struct made_cie cie;	       /* without FDEs */
	struct made_program inner;     /* FDE of `inner` */
	struct made_cie signal_cie;    /* augmentation NULL: no signal frame */
	struct made_program undefined; /* of `outer`: makes its return address undefined */
	struct reg regs[REGS_MAX];
	uint64_t stack[WORDS_MAX]; /* words at SP */
	uint8_t n_stack;
	uint64_t addrs[6]; /* behind the IP; ends with 0 */
	enum unwind_end end;
	bool guess;
};

#define X86_64                                                    \
	{                                                         \
		.machine = EM_X86_64, .encoding = DW_EH_PE_udata4 \
	}
#define I386                                     \
	{                                        \
		.machine = EM_386, .elf32 = true \
	}
#define AARCH64                                                                     \
	{                                                                           \
		.machine = EM_AARCH64, .encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4 \
	}
#define RISCV64                                                                   \
	{                                                                         \
		.machine = EM_RISCV, .encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4 \
	}
#define RISCV32                                                                                  \
	{                                                                                        \
		.machine = EM_RISCV, .elf32 = true, .encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4 \
	}
#define S390X                                                                                 \
	{                                                                                     \
		.machine = EM_S390, .big = true, .encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4 \
	}
#define PPC64LE                                                                   \
	{                                                                         \
		.machine = EM_PPC64, .encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4 \
	}
#define PPC64                                                                                  \
	{                                                                                      \
		.machine = EM_PPC64, .big = true, .encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4 \
	}

/* rsp: def_cfa r7 + 8, RA at CFA - 8 */
#define X86_64_CIE                                                   \
	{                                                            \
		.ra = 16, .program = PROGRAM("\x0c\x07\x08\x90\x01") \
	}
#define X86_64_END PROGRAM("\x07\x10")
#define I386_CIE                                                    \
	{                                                           \
		.ra = 8, .program = PROGRAM("\x0c\x04\x04\x88\x01") \
	}
#define I386_END PROGRAM("\x07\x08")
#define AARCH64_CIE                                          \
	{                                                    \
		.ra = 30, .program = PROGRAM("\x0c\x1f\x00") \
	}
#define AARCH64_END PROGRAM("\x07\x1e")
#define RISCV_CIE                                                             \
	{                                                                     \
		.data_align = -4, .ra = 1, .program = PROGRAM("\x0c\x02\x00") \
	}
#define RISCV_END PROGRAM("\x07\x01")
#define S390X_CIE                                                                  \
	{                                                                          \
		.data_align = -8, .ra = 14, .program = PROGRAM("\x0c\x0f\xa0\x01") \
	}
#define S390X_END PROGRAM("\x07\x0e")
#define PPC64_CIE                                                              \
	{                                                                      \
		.data_align = -8, .ra = 65, .program = PROGRAM("\x0c\x01\x00") \
	}
#define PPC64_END PROGRAM("\x07\x41")

/* push %rbp; mov %rsp, %rbp; ...; leave (without a restore of rbp, as old compilers) */
#define X86_64_FRAME PROGRAM("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x40\x0c\x07\x08")

static const struct a_case cases[] = {
	{ .name = "x86-64: first instruction",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER }, { 7, SP }, { 6, 0x77 } },
	  .stack = { OUTER + 5 },
	  .n_stack = 1,
	  .addrs = { OUTER + 5 } },
	{ .name = "x86-64: rbp is pushed",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 1 }, { 7, SP }, { 6, 0x77 } },
	  .stack = { 0x77, OUTER + 5 },
	  .n_stack = 2,
	  .addrs = { OUTER + 5 } },
	{ .name = "x86-64: by rbp, for a frame that calls itself",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 9 }, { 7, SP }, { 6, SP + 16 } },
	  .stack = { 0, 0, SP + 40, INNER + 20, 0, 0x77, OUTER + 5 },
	  .n_stack = 7,
	  .addrs = { INNER + 20, OUTER + 5 } },
	{ .name = "x86-64: the epilogue has popped rbp, and its slot is below rsp",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 0x44 }, { 7, SP }, { 6, SP + 24 } },
	  .stack = { INNER + 20, 0, 0, 0x77, OUTER + 5 },
	  .n_stack = 5,
	  .addrs = { INNER + 20, OUTER + 5 } },
	{ .name = "x86-64: remember, restore, offset_extended_sf, def_cfa_offset_sf, same_value",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = PROGRAM("\x0a\x41\x0e\x10\x0e\x90\x01\x41\x0b\x13\x7e\x41\x11\x06\x02\x08\x03"),
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 2 }, { 7, SP }, { 6, 0x77 } },
	  .stack = { 0x99, OUTER + 5 },
	  .n_stack = 2,
	  .addrs = { OUTER + 5 } },
	{ .name = "x86-64: a call as the last instruction is looked up minus one",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER }, { 7, SP }, { 6, 0x77 } },
	  .stack = { INNER + 0x100, OUTER + 0x100 },
	  .n_stack = 2,
	  .addrs = { INNER + 0x100, OUTER + 0x100 } },
	{ .name = "x86-64: a PLT entry, before and behind its push",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  /* breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus */
	  .inner = PROGRAM("\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"),
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 0x1b }, { 7, SP }, { 6, 0 } },
	  .stack = { 0x3, INNER + 0x11, OUTER + 5 },
	  .n_stack = 3,
	  .addrs = { INNER + 0x11, OUTER + 5 } },
	{ .name = "x86-64: CFA in rbx, which nothing saved",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = PROGRAM("\x0c\x03\x10"),
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 4 }, { 7, SP }, { 6, 0 }, { 1, SP + 16 } },
	  .stack = { 0, 0, 0, OUTER + 5 },
	  .n_stack = 4,
	  .addrs = { OUTER + 5 } },
	{ .name = "x86-64: CFA in rbx, which the sample does not have",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = PROGRAM("\x0c\x03\x10"),
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 4 }, { 7, SP }, { 6, 0 } },
	  .stack = { 0, 0, 0, OUTER + 5 },
	  .n_stack = 4,
	  .end = UNWIND_NO_REGS },
	{ .name = "x86-64: realigned, CFA by an expression",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  /* breg6 -8; deref. rbp: saved at breg6 0 */
	  .inner = PROGRAM("\x0f\x03\x76\x78\x06\x10\x06\x02\x76\x00"),
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 4 }, { 7, SP }, { 6, SP + 16 } },
	  .stack = { 0, SP + 48, 0x66, 0, 0, OUTER + 5 },
	  .n_stack = 6,
	  .addrs = { OUTER + 5 } },
	{ .name = "x86-64: realigned, and the epilogue has popped rbp: its place by rbp is no more",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  /* CFA: r10. rbp: saved at breg6 0 */
	  .inner = PROGRAM("\x0c\x0a\x00\x10\x06\x02\x76\x00"),
	  .undefined = X86_64_END,
	  /* No signal frame: a caller with its CFA in rbp */
	  .signal_cie = { .augmentation = "zR",
			  .ra = 16,
			  .program = PROGRAM("\x0c\x06\x10\x90\x01\x86\x02") },
	  .regs = { { 8, INNER + 4 }, { 7, SP }, { 6, SP + 24 }, { 18, SP + 16 } },
	  .stack = { 0, SIGNAL + 5, 0, 0x66, OUTER + 5 },
	  .n_stack = 5,
	  .addrs = { SIGNAL + 5, OUTER + 5 } },
	{ .name = "x86-64: vfork, the return address in rdi",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = PROGRAM("\x0e\x00\x09\x10\x05"),
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 4 }, { 7, SP }, { 6, 0 }, { 5, OUTER + 5 } },
	  .stack = { 0 },
	  .n_stack = 1,
	  .addrs = { OUTER + 5 } },
	{ .name = "x86-64: behind a signal frame the address is as it is",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  /* CFA: breg7 40; deref. RA at breg7 48, rbp at breg7 16, rsp at breg7 40 */
	  .signal_cie = { .augmentation = "zRS",
			  .ra = 16,
			  .program = PROGRAM("\x0f\x03\x77\x28\x06\x10\x10\x02\x77\x30\x10\x06\x02"
					     "\x77\x10\x10\x07\x02\x77\x28") },
	  .regs = { { 8, INNER }, { 7, SP }, { 6, 0x77 } },
	  .stack = { SIGNAL + 1, 0, 0, 0x66, 0, 0, SP + 72, INNER, 0, OUTER + 5 },
	  .n_stack = 10,
	  .addrs = { SIGNAL + 1, INNER, OUTER + 5 } },
	{ .name = "x86-64: no rows: by the frame pointer, and marked",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, NO_CFI + 7 }, { 7, SP }, { 6, SP + 8 } },
	  .stack = { 0, 0x77, OUTER + 5 },
	  .n_stack = 3,
	  .addrs = { OUTER + 5 },
	  .guess = true },
	{ .name = "x86-64: no rows, and the frame pointer is below rsp",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, NO_CFI + 7 }, { 7, SP }, { 6, SP - 8 } },
	  .stack = { 0, 0x77, OUTER + 5 },
	  .n_stack = 3,
	  .end = UNWIND_NO_ROW },
	{ .name = "x86-64: no rows, and what would be the caller is not mapped",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, NO_CFI + 7 }, { 7, SP }, { 6, SP + 8 } },
	  .stack = { 0, 0x77, 0x99000 },
	  .n_stack = 3,
	  .end = UNWIND_NO_ROW },
	{ .name = "x86-64: the stack ends where nothing was dumped",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = X86_64_FRAME,
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 9 }, { 7, SP }, { 6, SP + 16 } },
	  .stack = { 0, 0, SP + 400, INNER + 20 },
	  .n_stack = 4,
	  .addrs = { INNER + 20 },
	  .end = UNWIND_DUMP_END },
	{ .name = "x86-64: a CFA below rsp makes no progress",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = PROGRAM("\x13\x01"), /* def_cfa_offset_sf 1: rsp - 8 */
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 9 }, { 7, SP }, { 6, 0 } },
	  .stack = { INNER + 20 },
	  .n_stack = 1,
	  .end = UNWIND_BAD },
	{ .name = "x86-64: an unknown instruction",
	  .form = X86_64,
	  .cie = X86_64_CIE,
	  .inner = PROGRAM("\x3f\x3f"),
	  .undefined = X86_64_END,
	  .regs = { { 8, INNER + 9 }, { 7, SP }, { 6, 0 } },
	  .stack = { OUTER + 5 },
	  .n_stack = 1,
	  .end = UNWIND_BAD },
	{ .name = "i386: by ebp",
	  .form = I386,
	  .cie = I386_CIE,
	  .inner = PROGRAM("\x41\x0e\x08\x85\x02\x42\x0d\x05"),
	  .undefined = I386_END,
	  .regs = { { 8, INNER + 9 }, { 7, SP }, { 6, SP + 8 } },
	  .stack = { 0, 0, SP + 20, INNER + 20, 0, 0x77, OUTER + 5 },
	  .n_stack = 7,
	  .addrs = { INNER + 20, OUTER + 5 } },
	{ .name = "i386: a PLT entry",
	  .form = I386,
	  .cie = I386_CIE,
	  .inner = PROGRAM("\x0f\x0b\x74\x04\x78\x00\x3f\x1a\x3b\x2a\x32\x24\x22"),
	  .undefined = I386_END,
	  .regs = { { 8, INNER + 0x1b }, { 7, SP }, { 6, 0 } },
	  .stack = { 0x3, INNER + 0x11, OUTER + 5 },
	  .n_stack = 3,
	  .addrs = { INNER + 0x11, OUTER + 5 } },
	{ .name = "AArch64: a leaf, the return address in x30",
	  .form = AARCH64,
	  .cie = AARCH64_CIE,
	  .inner = PROGRAM("\x44\x0e\x20\x9d\x04\x9e\x03"),
	  .undefined = AARCH64_END,
	  .regs = { { 32, INNER }, { 31, SP }, { 29, 0 }, { 30, OUTER + 4 } },
	  .stack = { 0 },
	  .n_stack = 1,
	  .addrs = { OUTER + 4 } },
	{ .name = "AArch64: x30 saved and signed",
	  .form = AARCH64,
	  .cie = AARCH64_CIE,
	  .inner = PROGRAM("\x2d\x44\x0e\x20\x9d\x04\x9e\x03"),
	  .undefined = AARCH64_END,
	  .regs = { { 32, INNER + 8 }, { 31, SP }, { 29, 0 }, { 30, 0x1234 } },
	  .stack = { SP + 32, 0xa5000000011014, 0, 0, 0, 0x3a000000012008, 0, 0 },
	  .n_stack = 8,
	  .addrs = { INNER + 0x14, OUTER + 8 } },
	{ .name = "AArch64: a leaf whose caller's x30 is its own: no progress",
	  .form = AARCH64,
	  .cie = AARCH64_CIE,
	  .inner = PROGRAM("\x44\x0e\x20\x9d\x04\x9e\x03"),
	  .undefined = AARCH64_END,
	  .regs = { { 32, INNER }, { 31, SP }, { 29, 0 }, { 30, INNER + 4 } },
	  .stack = { 0 },
	  .n_stack = 1,
	  .addrs = { INNER + 4 },
	  .end = UNWIND_BAD },
	{ .name = "AArch64: no rows: by x29",
	  .form = AARCH64,
	  .cie = AARCH64_CIE,
	  .inner = PROGRAM("\x44\x0e\x20\x9d\x04\x9e\x03"),
	  .undefined = AARCH64_END,
	  .regs = { { 32, NO_CFI + 8 }, { 31, SP }, { 29, SP + 16 }, { 30, 0 } },
	  .stack = { 0, 0, SP + 64, 0xa500000001200c },
	  .n_stack = 4,
	  .addrs = { OUTER + 0xc },
	  .guess = true },
	{ .name = "RISC-V: a frame, and its caller's",
	  .form = RISCV64,
	  .cie = RISCV_CIE,
	  .inner = PROGRAM("\x42\x0e\x10\x81\x02\x88\x04"),
	  .undefined = RISCV_END,
	  .regs = { { 0, INNER + 8 }, { 2, SP }, { 8, 0 }, { 1, 0 } },
	  .stack = { 0, INNER + 0x14, 0, OUTER + 8 },
	  .n_stack = 4,
	  .addrs = { INNER + 0x14, OUTER + 8 } },
	{ .name = "RISC-V: a leaf",
	  .form = RISCV64,
	  .cie = RISCV_CIE,
	  .inner = PROGRAM("\x42\x0e\x10\x81\x02\x88\x04"),
	  .undefined = RISCV_END,
	  .regs = { { 0, INNER }, { 2, SP }, { 8, 0 }, { 1, OUTER + 8 } },
	  .stack = { 0 },
	  .n_stack = 1,
	  .addrs = { OUTER + 8 } },
	{ .name = "RISC-V: no rows: by s0, which is the caller's SP",
	  .form = RISCV64,
	  .cie = RISCV_CIE,
	  .inner = PROGRAM("\x42\x0e\x10\x81\x02\x88\x04"),
	  .undefined = RISCV_END,
	  .regs = { { 0, NO_CFI + 8 }, { 2, SP }, { 8, SP + 32 }, { 1, 0 } },
	  .stack = { 0, 0, 0x66, OUTER + 8 },
	  .n_stack = 4,
	  .addrs = { OUTER + 8 },
	  .guess = true },
	{ .name = "RISC-V, 32 bit",
	  .form = RISCV32,
	  .cie = RISCV_CIE,
	  .inner = PROGRAM("\x42\x0e\x10\x81\x01\x88\x02"),
	  .undefined = RISCV_END,
	  .regs = { { 0, INNER + 8 }, { 2, SP }, { 8, 0 }, { 1, 0 } },
	  .stack = { 0, 0, 0, INNER + 0x14, 0, 0, 0, OUTER + 8 },
	  .n_stack = 8,
	  .addrs = { INNER + 0x14, OUTER + 8 } },
	{ .name = "s390x: r14 and r15 in the caller's save area",
	  .form = S390X,
	  .cie = S390X_CIE,
	  .inner = PROGRAM("\x46\x8e\x06\x8f\x05\x46\x0e\xc0\x02"),
	  .undefined = S390X_END,
	  /* CFA = r15 + 320; r14 at CFA - 48, r15 at CFA - 40 */
	  .regs = { { 33, INNER + 16 }, { 15, SP }, { 11, 0 }, { 14, 0 } },
	  .stack = { [34] = OUTER + 6, [35] = SP + 160 },
	  .n_stack = 36,
	  .addrs = { OUTER + 6 } },
	{ .name = "s390x: a leaf that keeps r14 in a floating-point register",
	  .form = S390X,
	  .cie = S390X_CIE,
	  .inner = PROGRAM("\x44\x09\x0e\x11"), /* r14 in DWARF 17: f2, perf's 18 */
	  .undefined = S390X_END,
	  .regs = { { 33, INNER + 8 }, { 15, SP }, { 11, 0 }, { 14, 0x99 }, { 18, OUTER + 6 } },
	  .stack = { 0 },
	  .n_stack = 1,
	  .addrs = { OUTER + 6 } },
	{ .name = "ppc64le: the link register in the caller's frame",
	  .form = PPC64LE,
	  .cie = PPC64_CIE,
	  .inner = PROGRAM("\x48\x0e\x20\x11\x41\x7e"), /* CFA = r1 + 32; LR at CFA + 16 */
	  .undefined = PPC64_END,
	  .regs = { { 32, INNER + 16 }, { 1, SP }, { 31, 0 }, { 36, 0 } },
	  .stack = { SP + 32, 0, 0, 0, SP + 64, 0, INNER + 0x14, 0, 0, 0, OUTER + 8 },
	  .n_stack = 11,
	  .addrs = { INNER + 0x14, OUTER + 8 } },
	{ .name = "ppc64: a leaf",
	  .form = PPC64,
	  .cie = PPC64_CIE,
	  .inner = PROGRAM("\x48\x0e\x20\x11\x41\x7e"),
	  .undefined = PPC64_END,
	  .regs = { { 32, INNER }, { 1, SP }, { 31, 0 }, { 36, OUTER + 8 } },
	  .stack = { 0 },
	  .n_stack = 1,
	  .addrs = { OUTER + 8 } },
	{ .name = "ppc64: no rows: by the back chain",
	  .form = PPC64,
	  .cie = PPC64_CIE,
	  .inner = PROGRAM("\x48\x0e\x20\x11\x41\x7e"),
	  .undefined = PPC64_END,
	  .regs = { { 32, NO_CFI + 8 }, { 1, SP }, { 31, 0 }, { 36, 0 } },
	  .stack = { SP + 16, 0, SP + 32, 0, OUTER + 8 },
	  .n_stack = 5,
	  .addrs = { OUTER + 8 },
	  .guess = true },
};

/* ---- a case ---- */

static bool find(void *ctx, uint64_t addr, struct unwind_place *ret)
{
	*ret = (struct unwind_place){ ctx, 0x11000, 0x15000, BIAS };
	return addr >= ret->start && addr < ret->end;
}

static struct unwind_table *table_of(const struct a_case *c, const struct made_form *form)
{
	const struct made_fde fdes[] = {
		{ INNER - BIAS, INNER - BIAS + 0x100, c->inner },
		{ OUTER - BIAS, OUTER - BIAS + 0x100, c->undefined },
		{ 0 },
	};
	const struct made_fde signal[] = {
		{ SIGNAL - BIAS, SIGNAL - BIAS + 0x100, { NULL, 0 } },
		{ 0 },
	};
	struct made_cie cies[3] = { c->cie, c->signal_cie };

	cies[0].fdes = fdes;
	if (c->signal_cie.augmentation)
		cies[1].fdes = signal;
	return made_table(form, cies, NULL);
}

static void run(const struct a_case *c, const struct made_form *form)
{
	struct unwind_table *t = table_of(c, form);
	struct unwinder *u = unwinder_new(find, t);
	unsigned word = form->elf32 ? 4 : 8;
	struct buf stack = BUF_INIT;
	uint64_t regs[REGS_MAX], addrs[16];
	struct unwind_sample s = { .arch = unwind_arch_of_elf(form->machine, form->elf32 ? 1 : 2,
							      NULL),
				   .regs = regs,
				   .swapped = form->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
				   .dump_full = true,
				   .generation = 1 };
	struct unwind_result r;
	uint32_t n = 0;

	assert_non_null(t);
	assert_non_null(u);
	assert_non_null(s.arch);
	for (unsigned bit = 0; bit < 64; bit++) { /* perf's order */
		for (size_t i = 0; i < REGS_MAX && (!i || c->regs[i].perf); i++) {
			if (c->regs[i].perf != bit)
				continue;
			s.regs_mask |= 1ull << bit;
			regs[n++] = c->regs[i].value;
		}
	}
	for (size_t i = 0; i < c->n_stack; i++)
		made_put(&stack, form, c->stack[i], word);
	s.stack = (const uint8_t *)stack.data;
	s.stack_bytes = stack.len;
	for (int again = 0; again < 2; again++) { /* the second time from the caches */
		unwind_stack(u, &s, addrs, 16, &r);
		for (n = 0; n < 6 && c->addrs[n]; n++)
			;
		if (r.n != n + 1 || memcmp(addrs + 1, c->addrs, n * sizeof(addrs[0])) != 0 ||
		    r.end != c->end || (r.n_guessed != 0) != c->guess)
			fail_msg("%s: end %d, %u addresses: %llx %llx %llx %llx", c->name,
				 (int)r.end, r.n, (unsigned long long)addrs[0],
				 (unsigned long long)addrs[1], (unsigned long long)addrs[2],
				 (unsigned long long)addrs[3]);
	}
	unwinder_free(u);
	unwind_table_free(t);
	buf_release(&stack);
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run(&cases[i], &cases[i].form);
}

/* Whether the caller is missing is the same in all of the range that comes with the answer. */
static void test_ranges(void **state)
{
	uint64_t from, to, unused, wide = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct unwind_table *t = table_of(&cases[i], &cases[i].form);

		assert_non_null(t);
		for (uint64_t rva = INNER - BIAS; rva < INNER - BIAS + 0x100; rva++) {
			bool skips = unwind_table_skips_caller(t, rva, &from, &to);

			assert_true(from >= to || (from <= rva && rva < to));
			assert_true(to <= INNER - BIAS + 0x100);
			for (uint64_t at = from; at < to; at++)
				assert_int_equal(unwind_table_skips_caller(t, at, &unused, &unused),
						 skips);
			wide += to > from + 1;
		}
		unwind_table_free(t);
	}
	assert_true(wide > 1000);
}

/*
 * sub $24, %rsp; ... mov %rbp, 16(%rsp); lea 16(%rsp), %rbp: Go does not say where it saves the frame pointer,
 * which it does in each function that has a frame.
 */
static void test_go(void **state)
{
	static const struct a_case go = {
		.form = X86_64,
		.cie = X86_64_CIE,
		/* from 4 on a frame of 24 bytes, none from 16 on */
		.inner = PROGRAM("\x0e\x08\x44\x0e\x20\x4c\x0e\x08"),
	};
	struct made_form form = go.form;
	uint64_t from, to;

	(void)state;
	for (unsigned form_no = 0; form_no < 4; form_no++) {
		bool without_frame;
		struct unwind_table *t;

		form.go = form_no & 1;
		form.debug = form_no & 2; /* C beside Go has .eh_frame */
		t = table_of(&go, &form);
		assert_non_null(t);
		for (uint64_t off = 0; off < 32; off++) {
			without_frame = off < 4 || off >= 16;
			assert_int_equal(unwind_table_skips_caller(t, INNER - BIAS + off, &from,
								   &to),
					 without_frame || form_no != 3);
		}
		unwind_table_free(t);
	}
}

/* The same frames, in each way to write them. */
static void test_forms(void **state)
{
	static const uint8_t encodings[] = { DW_EH_PE_absptr,
					     DW_EH_PE_udata2,
					     DW_EH_PE_udata4,
					     DW_EH_PE_sdata4,
					     DW_EH_PE_udata8,
					     DW_EH_PE_uleb128,
					     DW_EH_PE_pcrel | DW_EH_PE_sdata4,
					     DW_EH_PE_pcrel | DW_EH_PE_sdata8,
					     DW_EH_PE_pcrel | DW_EH_PE_absptr };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made_form form = cases[i].form;

		for (size_t e = 0; e < sizeof(encodings); e++) {
			form.encoding = encodings[e];
			for (int big = 0; big < 2; big++) {
				form.big = big;
				for (int wide = 0; wide < 2; wide++) {
					form.dwarf64 = wide;
					run(&cases[i], &form);
				}
			}
		}
		form = cases[i].form;
		form.encoding = DW_EH_PE_udata4;
		form.eh_frame_hdr = !form.big;
		run(&cases[i], &form);
		form.no_sections = form.eh_frame_hdr;
		run(&cases[i], &form);
	}
}

static void test_debug_frame(void **state)
{
	static const uint8_t versions[] = { 1, 3, 4 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made_form form = cases[i].form;

		if (cases[i].signal_cie.augmentation)
			continue;
		form.debug = true;
		for (size_t v = 0; v < sizeof(versions); v++) {
			form.version = versions[v];
			for (int way = 0; way < 4; way++) {
				form.dwarf64 = way & 1;
				form.compressed = way & 2;
				run(&cases[i], &form);
			}
		}
	}
}

/* .debug_frame of another file answers where .eh_frame does not. */
static void test_separate(void **state)
{
	static const struct made_fde inner[] = { { 0x1000, 0x1100, X86_64_FRAME }, { 0 } };
	static const struct made_fde outer[] = { { 0x2000, 0x2100, X86_64_END }, { 0 } };
	struct made_cie main_cies[2] = { X86_64_CIE }, debug_cies[2] = { X86_64_CIE };
	struct made_form main_form = X86_64, debug_form = { .machine = EM_X86_64, .debug = true };
	struct buf frames[2] = { BUF_INIT, BUF_INIT }, elf[2] = { BUF_INIT, BUF_INIT };
	const uint64_t regs[] = { SP, INNER };
	uint64_t stack[] = { OUTER + 5 }, addrs[4];
	struct unwind_sample s = { .arch = unwind_arch_of_elf(EM_X86_64, ELFCLASS64, NULL),
				   .regs_mask = 0x180,
				   .regs = regs,
				   .stack = (const uint8_t *)stack,
				   .stack_bytes = sizeof(stack),
				   .dump_full = true };
	struct dso_file *files[2];
	struct unwind_result r;

	(void)state;
	main_cies[0].fdes = inner;
	debug_cies[0].fdes = outer;
	made_frames(&frames[0], &main_form, main_cies);
	made_frames(&frames[1], &debug_form, debug_cies);
	made_elf(&elf[0], &main_form, frames[0].data, frames[0].len);
	made_elf(&elf[1], &debug_form, frames[1].data, frames[1].len);
	for (int i = 0; i < 2; i++)
		files[i] = dso_file_open_image("made", elf[i].data, elf[i].len, NULL, 0, NULL);
	for (int with = 0; with < 2; with++) {
		struct unwind_table *t = unwind_table_new(files[0], with ? files[1] : NULL, NULL);
		struct unwinder *u = unwinder_new(find, t);

		assert_non_null(t);
		assert_true(unwind_table_bytes(t) > frames[0].len);
		unwind_stack(u, &s, addrs, 4, &r);
		assert_int_equal(r.n, 2);
		assert_int_equal(r.end, with ? UNWIND_START : UNWIND_NO_ROW);
		unwinder_free(u);
		unwind_table_free(t);
	}
	for (int i = 0; i < 2; i++) {
		dso_file_unref(files[i]);
		buf_release(&frames[i]);
		buf_release(&elf[i]);
	}
}

/* What is not supported is refused with the reason. */
static void test_refused(void **state)
{
	static const struct made_fde none[] = { { 0 } };
	const struct made_cie cies[2] = { { .ra = 14, .fdes = none } };
	struct made_form arm = { .machine = EM_ARM, .elf32 = true };
	struct made_form x32 = { .machine = EM_X86_64, .elf32 = true };
	struct made_form empty = X86_64;
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_null(made_table(&arm, cies, &err));
	assert_non_null(strstr(err.text, ".ARM.exidx"));
	assert_null(made_table(&x32, cies, &err));
	assert_null(made_table(&empty, cies, &err));
	assert_non_null(strstr(err.text, "has no call frame information"));
	assert_null(unwind_arch_of_uname("armv7l", 1, &err));
	assert_non_null(strstr(err.text, ".ARM.exidx"));
	assert_null(unwind_arch_of_uname("aarch64", 1, &err));
	assert_null(unwind_arch_of_uname("x86_64", 0, &err));
	assert_non_null(strstr(err.text, "no user registers"));
	assert_null(unwind_arch_of_uname("mips64", 2, &err));
	assert_non_null(strstr(err.text, "mips64"));
}

static void test_unames(void **state)
{
	static const struct {
		const char *name;
		uint64_t abi;
		unsigned machine, elf_class;
	} unames[] = {
		{ "x86_64", 2, EM_X86_64, ELFCLASS64 }, { "x86_64", 1, EM_386, ELFCLASS32 },
		{ "i686", 1, EM_386, ELFCLASS32 },	{ "aarch64", 2, EM_AARCH64, ELFCLASS64 },
		{ "riscv64", 2, EM_RISCV, ELFCLASS64 }, { "riscv64", 1, EM_RISCV, ELFCLASS32 },
		{ "s390x", 2, EM_S390, ELFCLASS64 },	{ "ppc64le", 2, EM_PPC64, ELFCLASS64 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(unames) / sizeof(unames[0]); i++) {
		const struct unwind_arch *a = unwind_arch_of_uname(unames[i].name, unames[i].abi,
								   NULL);

		assert_non_null(a);
		assert_ptr_equal(a,
				 unwind_arch_of_elf(unames[i].machine, unames[i].elf_class, NULL));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),	    cmocka_unit_test(test_forms),
		cmocka_unit_test(test_debug_frame), cmocka_unit_test(test_separate),
		cmocka_unit_test(test_refused),	    cmocka_unit_test(test_unames),
		cmocka_unit_test(test_ranges),	    cmocka_unit_test(test_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
