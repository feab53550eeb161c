/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The type of the data that an instruction accesses, from the debug information of its module:
 *
 *	0x10(base)	a variable in `base` that is a pointer: what it points to, from offset 0x10 on
 *			a variable in memory at base + 0x10, such as one on the stack
 *	address		a global variable, or a static one of the function
 *
 * A value that was loaded from memory and is in no variable has no type here.
 */
#ifndef SYMBOL_DATA_TYPE_H
#define SYMBOL_DATA_TYPE_H

#include "symbol/debug_info.h"
#include "symbol/memory_operand.h"

struct data_type {
	char name[256];	   /* "struct page" */
	char members[256]; /* at the offset: "lru.next"; "": it has none */
	uint64_t offset;
};

/*
 * `addr` as for debug_info_line(), and the operand's address in the same unit. `runtime`, which may be NULL,
 * has .eh_frame. False: unknown.
 */
bool data_type_find(struct debug_info *d, struct dso_file *runtime, uint64_t addr,
		    const struct memory_operand *op, struct data_type *ret);

#endif
