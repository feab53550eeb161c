/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information (DWARF) of one module: the source line of an address, and the functions that
 * the compiler inlined there.
 *
 *	address -> compilation unit -> line table              (libdw decodes it once per unit)
 *	                            -> scopes, sorted by start (read here once per unit)
 *
 * Addresses are those of the file (st_value, before relocation); in a kernel module, or another relocatable
 * file, offsets in the loaded module (struct dso_placed). Nothing is read before the first
 * lookup, and then only the units that are asked for. One thread at a time; strings are valid until
 * debug_info_free().
 */
#ifndef SYMBOL_DEBUG_INFO_H
#define SYMBOL_DEBUG_INFO_H

#include "dso/dso.h"

/* More levels of inlining than this are not reported. */
#define DEBUG_INFO_INLINE_MAX 64

struct debug_info;

/* Whether a file has DWARF units, compressed or not. */
bool debug_info_is_in(struct dso_file *f);
/* Holds a reference to `f`. NULL: no usable DWARF in it, or out of memory; with `err` set. */
struct debug_info *debug_info_new(struct dso_file *f, struct ptui_error *err);
void debug_info_free(struct debug_info *d);

struct debug_line {
	const char *path; /* as the compiler wrote it */
	unsigned line;	  /* 0: unknown */
};

/* False: no line for `addr`. */
bool debug_info_line(struct debug_info *d, uint64_t addr, struct debug_line *ret);

struct debug_inline {
	const char *name;	/* linkage name (mangled) where there is one */
	struct debug_line call; /* where it was inlined; path NULL: not known */
};

/*
 * The functions inlined at `addr`, innermost first, without the function they were inlined into.
 * Returns their number, 0: none.
 */
size_t debug_info_inlines(struct debug_info *d, uint64_t addr,
			  struct debug_inline ret[DEBUG_INFO_INLINE_MAX]);

#endif
