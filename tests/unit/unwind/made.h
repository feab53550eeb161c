/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call frame information and ELF files around it, made byte by byte: either word size, either byte order. */
#ifndef TESTS_UNIT_UNWIND_MADE_H
#define TESTS_UNIT_UNWIND_MADE_H

#include <elf.h>
#include <stdbool.h>
#include "base/buf.h"
#include "unwind/unwind.h"

/* How the sections are written. */
struct made_form {
	unsigned machine; /* EM_* */
	bool elf32, big;
	bool debug;	   /* .debug_frame */
	bool dwarf64;	   /* 64-bit DWARF */
	bool compressed;   /* SHF_COMPRESSED */
	bool eh_frame_hdr; /* with an index, and a program header for it */
	bool no_sections;  /* without section headers */
	bool go;	   /* of the Go compiler: with its table of functions */
	uint8_t version;   /* of CIEs; 0: 1 */
	uint8_t encoding;  /* DW_EH_PE_* of 'R' */
};

/* The bytes of a CFA program, as a string literal. */
#define PROGRAM(bytes)                     \
	{                                  \
		(bytes), sizeof(bytes) - 1 \
	}

struct made_program {
	const char *bytes;
	size_t n;
};

struct made_fde {
	uint64_t start, end;
	struct made_program program;
};

struct made_cie {
	const char *augmentation; /* NULL: "zR", nothing in .debug_frame */
	int8_t data_align;	  /* 0: -word */
	uint8_t ra;
	struct made_program program;
	const struct made_fde *fdes; /* ends with start == end */
};

/* Adds a number of `bytes` bytes. */
void made_put(struct buf *b, const struct made_form *f, uint64_t v, unsigned bytes);
/* The section's bytes; its address will be MADE_ADDR. `cies` ends with an entry without FDEs. */
#define MADE_ADDR 0x8000
void made_frames(struct buf *b, const struct made_form *f, const struct made_cie *cies);
/* An ELF file with that section, code at 0x1000 ... 0x7fff. */
void made_elf(struct buf *out, const struct made_form *f, const void *frames, size_t n);
/* All of it as a table; NULL: refused, with the reason. */
struct unwind_table *made_table(const struct made_form *f, const struct made_cie *cies,
				struct ptui_error *err);

#endif
