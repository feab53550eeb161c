/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as machine code: u8 how | the code. `how`: the processor (low four bits), 16 Intel syntax, 32 big-endian,
 * 64 64-bit. No crash, every byte is in one instruction, and no text has a line break.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include "annotate/disasm.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_name(void *ctx, uint64_t addr, struct buf *out)
{
	(void)ctx;
	if (addr & 1)
		buf_add_str(out, "name");
}

static void decode(struct disasm *d, const uint8_t *code, size_t n)
{
	struct buf text = BUF_INIT;

	for (size_t at = 0; at < n;) {
		struct disasm_insn insn;

		buf_clear(&text);
		disasm_next(d, 0x400000 + at, code + at, n - at, &text, &insn);
		if (!insn.n_bytes || insn.n_bytes > n - at || strpbrk(buf_str(&text), "\n\t\033") ||
		    insn.mnemonic > text.len)
			abort();
		at += insn.n_bytes;
	}
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t machines[16] = { EM_X86_64, EM_386,     EM_AARCH64, EM_ARM,
					       EM_RISCV,  EM_PPC64,   EM_PPC,	  EM_S390,
					       EM_MIPS,	  EM_SPARCV9, EM_SPARC,	  EM_LOONGARCH };
	struct disasm_target target;
	struct disasm *d;

	if (!size)
		return 0;
	target = (struct disasm_target){ .machine = machines[data[0] & 15],
					 .is_64 = data[0] & 64,
					 .big_endian = data[0] & 32,
					 .syntax = data[0] & 16 ? PTUI_ASM_INTEL : PTUI_ASM_ATT };
	d = disasm_new(&target, add_name, NULL, NULL);
	if (!d) /* this libopcodes does not know it */
		return 0;
	disasm_lock();
	decode(d, data + 1, size - 1);
	disasm_unlock();
	disasm_free(d);
	return 0;
}
