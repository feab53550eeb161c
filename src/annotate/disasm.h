/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine code to text, by binutils' libopcodes, which objdump uses. The library is loaded at its
 * first use. Bytes may be anything: what is no instruction is marked as bad.
 */
#ifndef ANNOTATE_DISASM_H
#define ANNOTATE_DISASM_H

#include "base/buf.h"
#include "ptui/annotate.h"

/* What the code is for: values of the ELF header. */
struct disasm_target {
	uint16_t machine; /* EM_X86_64 */
	bool is_64, big_endian;
	uint32_t flags; /* e_flags */
	enum ptui_asm_syntax syntax;
};

/* Appends the name of the function or object at `addr`, as "name" or "name+0x4"; or nothing. */
typedef void (*disasm_name_fn)(void *ctx, uint64_t addr, struct buf *out);

struct disasm_insn {
	uint32_t n_bytes; /* at least 1 */
	bool bad;
	enum ptui_flow flow;
	bool has_target;
	uint64_t target;
	unsigned mnemonic; /* length of the mnemonic in the text */
};

struct disasm;

/* NULL: no disassembler for that, with err set. */
struct disasm *disasm_new(const struct disasm_target *target, disasm_name_fn name, void *ctx,
			  struct ptui_error *err);
void disasm_free(struct disasm *d); /* NULL ok */
/* Decodes the instruction at bytes[0], n > 0. Appends its text, as objdump prints it, to `text`. */
void disasm_next(struct disasm *d, uint64_t addr, const uint8_t *bytes, size_t n, struct buf *text,
		 struct disasm_insn *ret);
/*
 * The library is not safe in several threads: a thread holds this lock while it uses disasm_next(),
 * for a few thousand instructions at a time.
 */
void disasm_lock(void);
void disasm_unlock(void);

/* "x86-64"; "machine 12" for an unknown one. Static, or in `buf`. */
const char *disasm_arch_name(uint16_t machine, char *buf, size_t size);

#endif
