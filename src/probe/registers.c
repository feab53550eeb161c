/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's names of registers, in the order of their DWARF numbers. */
#include <elf.h>
#include "probe/variable.h"

#define ROW(machine, names)                                        \
	{                                                          \
		machine, sizeof(names) / sizeof(*(names)), (names) \
	}

static const char *const x86_64[] = {
	"%ax", "%dx", "%cx",  "%bx",  "%si",  "%di",  "%bp",  "%sp",
	"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"
};
static const char *const i386[] = { "%ax", "%cx", "%dx", "%bx", "%sp", "%bp", "%si", "%di" };
static const char *const arm[] = { "%r0", "%r1", "%r2",	 "%r3", "%r4", "%r5", "%r6", "%r7",
				   "%r8", "%r9", "%r10", "%fp", "%ip", "%sp", "%lr", "%pc" };
static const char *const arm64[] = {
	"%x0",	"%x1",	"%x2",	"%x3",	"%x4",	"%x5",	"%x6",	"%x7",	"%x8",	"%x9",	"%x10",
	"%x11", "%x12", "%x13", "%x14", "%x15", "%x16", "%x17", "%x18", "%x19", "%x20", "%x21",
	"%x22", "%x23", "%x24", "%x25", "%x26", "%x27", "%x28", "%x29", "%lr",	"%sp"
};
static const char *const s390[] = { "%r0", "%r1", "%r2",  "%r3",  "%r4",  "%r5",  "%r6",  "%r7",
				    "%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15" };
static const char *const ppc[] = { "%gpr0",  "%gpr1",  "%gpr2",	 "%gpr3",  "%gpr4",  "%gpr5",
				   "%gpr6",  "%gpr7",  "%gpr8",	 "%gpr9",  "%gpr10", "%gpr11",
				   "%gpr12", "%gpr13", "%gpr14", "%gpr15", "%gpr16", "%gpr17",
				   "%gpr18", "%gpr19", "%gpr20", "%gpr21", "%gpr22", "%gpr23",
				   "%gpr24", "%gpr25", "%gpr26", "%gpr27", "%gpr28", "%gpr29",
				   "%gpr30", "%gpr31" };
static const char *const riscv[] = { "%zero", "%ra", "%sp",  "%gp",  "%tp", "%t0", "%t1", "%t2",
				     "%s0",   "%s1", "%a0",  "%a1",  "%a2", "%a3", "%a4", "%a5",
				     "%a6",   "%a7", "%s2",  "%s3",  "%s4", "%s5", "%s6", "%s7",
				     "%s8",   "%s9", "%s10", "%s11", "%t3", "%t4", "%t5", "%t6" };

static const struct {
	int machine;
	unsigned n;
	const char *const *names;
} machines[] = {
	ROW(EM_X86_64, x86_64), ROW(EM_386, i386),  ROW(EM_ARM, arm), ROW(EM_AARCH64, arm64),
	ROW(EM_S390, s390),	ROW(EM_PPC64, ppc), ROW(EM_PPC, ppc), ROW(EM_RISCV, riscv),
};

const char *probe_register_name(int machine, unsigned number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].machine == machine)
			return number < machines[i].n ? machines[i].names[number] : NULL;
	return NULL;
}
