/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small ELF files made in memory for tests: 64 bit, in host byte order.
 *
 *   file    0x0000 headers      0x1000 .text     0x1800 .plt    0x2000 .data
 *   memory                base + 0x1000    base + 0x1800    base + 0x3000   base + 0x3100 .bss
 */
#ifndef TESTS_UNIT_DSO_ELF_MAKE_H
#define TESTS_UNIT_DSO_ELF_MAKE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/buf.h"

enum elf_made_section {
	MADE_NULL,
	MADE_TEXT,
	MADE_PLT,
	MADE_DATA,
	MADE_BSS,
	MADE_NOTE,
	MADE_SYMTAB,
	MADE_STRTAB,
	MADE_DYNSYM,
	MADE_DYNSTR,
	MADE_RELA_PLT,
	MADE_DEBUGLINK,
	MADE_COMMENT, /* not in memory */
	MADE_SHSTRTAB,
	MADE_N,
};

#define MADE_PLT_SLOT 16

struct elf_made_sym {
	const char *name;
	uint64_t value, size;
	uint8_t bind, type, visibility;
	uint16_t shndx; /* enum elf_made_section, SHN_ABS … */
	bool dynamic;	/* in .dynsym, not .symtab */
};

struct elf_made {
	uint16_t type, machine; /* 0: ET_DYN, EM_X86_64 */
	uint64_t base;
	uint64_t entry; /* e_entry */
	const struct elf_made_sym *syms;
	size_t n_syms;
	const char *const *plt; /* names of the slots */
	size_t n_plt;
	const uint8_t *build_id; /* 20 bytes, or NULL */
	const char *debuglink;
	bool debug_only; /* as by objcopy --only-keep-debug: code is NOBITS, at other offsets */
	bool no_symtab;
};

/* Adds the file's bytes to `out`. */
void elf_make(struct buf *out, const struct elf_made *e);
/* Writes it to a path, creating directories; 0 or a negative errno. */
int elf_make_file(const char *path, const struct elf_made *e);

#endif
