/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What data_type.c needs of debug_info.c: DIEs and call frame information. */
#ifndef SYMBOL_DEBUG_SCOPES_H
#define SYMBOL_DEBUG_SCOPES_H

#include <elfutils/libdw.h>
#include "symbol/debug_info.h"

/*
 * The functions at an address, innermost first: inlined ones, and the one that they are in. Returns their
 * number. *ret_addr is the address in the DWARF.
 */
size_t debug_info_scopes(struct debug_info *d, uint64_t addr, Dwarf_Die *ret, size_t max,
			 uint64_t *ret_addr);
/* The canonical frame address there, an expression; NULL: unknown. Free the frame afterwards. */
const Dwarf_Op *debug_info_cfa(struct debug_info *d, struct dso_file *runtime, uint64_t addr,
			       size_t *ret_n, Dwarf_Frame **ret_frame);

/* Kernel modules: addresses in their code are not those of their debug information. */
bool debug_info_is_relocatable(const struct debug_info *d);

/*
 * Where a static variable is; those of threads are at DEBUG_THREAD plus their offset in the block that each thread has of the
 * module. False: it is another expression.
 */
#define DEBUG_THREAD (1ULL << 63)
bool debug_static_address(const Dwarf_Op *ops, size_t n, uint64_t *ret);
/* The same of what is `offset` bytes after the thread pointer (x86-64), in a program. False: threads have no block of it. */
bool debug_info_thread_address(struct debug_info *d, int64_t offset, uint64_t *ret);

/* A global variable: its DIE is in the unit. */
struct debug_global {
	uint64_t start, end;
	Dwarf_Die die;
};

/* NULL: none. Reads all units at the first call. */
const struct debug_global *debug_info_global(struct debug_info *d, uint64_t addr);

#endif
