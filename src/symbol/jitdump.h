/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit-PID.dump: JIT-compiled code with times (tools/perf/Documentation/jitdump-specification.txt).
 * Each piece of code has an address in the process and its bytes in the file, so a map of the file
 * at that address and time describes it:
 *
 *   record LOAD   time 5  address A   name, code -> map [A, A+size) at file offset of the code
 *   record MOVE   time 7  A to B                 -> the same bytes at B
 *   record LOAD   time 9  address A              -> other bytes at A from then on
 */
#ifndef SYMBOL_JITDUMP_H
#define SYMBOL_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ptui/error.h"
#include "symbol/symtab.h"

struct jitdump;

struct jitdump_map {
	uint64_t time_ns; /* by the compiler's clock: CLOCK_MONOTONIC */
	uint64_t addr, bytes;
	uint64_t off; /* in the file */
	const char *name;
	uint64_t index; /* the compiler's number of the code; MOVE keeps it */
};

struct jitdump_line {
	uint64_t off;	  /* in the file: the code from here on ... */
	const char *file; /* ... is of this line; owned by the jitdump */
	uint32_t line;
};

/* Whether a mapped file is a jitdump, by its name: "/tmp/jit-17.dump". */
bool jitdump_is_name(const char *path);

/* Reads from fd, which stays the caller's, up to any damage. NULL: `err` is set. */
struct jitdump *jitdump_read(int fd, const char *path, struct ptui_error *err);
/* The same by its path below `symfs` (may be NULL). */
struct jitdump *jitdump_open(const char *symfs, const char *path, struct ptui_error *err);
void jitdump_free(struct jitdump *d); /* may be NULL */
/* False: the times are from the processor's counter. */
bool jitdump_is_timed(const struct jitdump *d);
/* Maps by age. */
size_t jitdump_n_maps(const struct jitdump *d);
const struct jitdump_map *jitdump_map(const struct jitdump *d, size_t i);
/* The line of a file offset, if its code has any; NULL: unknown. */
const struct jitdump_line *jitdump_find_line(const struct jitdump *d, uint64_t off);
/* The lines of the code in [off, off + bytes) of the file; NULL: none. */
const struct jitdump_line *jitdump_lines(const struct jitdump *d, uint64_t off, uint64_t bytes,
					 size_t *ret_n);
/* The offset of the last code that was at an address. False: none was. */
bool jitdump_find_offset(const struct jitdump *d, uint64_t addr, uint64_t *ret_off);

/* The code that contains a file offset; its address is the last one. False: none. */
bool jitdump_find_code(const struct jitdump *d, uint64_t off, struct jitdump_map *ret);
/* EM_X86_64 ...: of the ELF header that the code would have. */
uint16_t jitdump_machine(const struct jitdump *d);
bool jitdump_is_big_endian(const struct jitdump *d);

/* Functions by file offset, or by their last address. */
struct symtab *symtab_from_jitdump(const struct jitdump *d, bool by_address,
				   struct ptui_error *err);

#endif
