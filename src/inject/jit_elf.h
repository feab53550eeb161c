/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of a JIT compiler as an ELF file: its bytes, its symbol, its lines as DWARF, a build-id.
 * Addresses in it are file offsets.
 */
#ifndef INJECT_JIT_ELF_H
#define INJECT_JIT_ELF_H

#include "base/buf.h"
#include "symbol/jitdump.h"

#define JIT_ELF_TEXT_OFF 0xc0 /* of the code in the file */

struct jit_code {
	const char *name;
	uint16_t machine; /* EM_* */
	const void *bytes;
	size_t n;
	const struct jitdump_line *lines; /* in the order of their offsets in the jitdump file */
	size_t n_lines;
	uint64_t off; /* of the code in that file */
};

/* Appends the file. 0 or -ENOMEM. */
int jit_elf_make(const struct jit_code *code, struct buf *out);

#endif
