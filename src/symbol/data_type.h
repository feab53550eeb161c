/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The type of the data that an instruction accesses, from the debug information of its module:
 *
 *	0x10(base)	what a pointer in `base` points to, from offset 0x10 on: the value of a variable, or what
 *			the instructions before computed, loaded from memory of a known type, or called
 *			a variable in memory at base + 0x10, such as one on the stack
 *	address		a global variable, or a static one of the function
 *
 * The instructions are followed on x86-64 only.
 */
#ifndef SYMBOL_DATA_TYPE_H
#define SYMBOL_DATA_TYPE_H

#include "symbol/debug_info.h"

enum data_access {
	DATA_ACCESS_UNKNOWN, /* or none */
	DATA_ACCESS_STACK,   /* push, pop, call, ret */
	DATA_ACCESS_CANARY,
	DATA_ACCESS_TYPE,
};

struct data_type {
	char name[256];	   /* "struct page" */
	char members[256]; /* at the offset: "lru.next"; "": it has none */
	uint64_t offset;
};

/* Code of a function. Addresses are as for debug_info_line(). */
struct data_code {
	uint16_t machine; /* EM_X86_64 ... */
	uint64_t addr;	  /* of the first byte */
	const uint8_t *bytes;
	size_t n;
};

/*
 * Keeps the last functions that it was asked for. `d` and `runtime`, which has .eh_frame and may be NULL, outlive it.
 * NULL: out of memory.
 */
struct data_types *data_types_new(struct debug_info *d, struct dso_file *runtime);
void data_types_free(struct data_types *t); /* NULL ok */
/* Whether the function that starts there is kept: data_types_find() does not need its bytes. */
bool data_types_has(struct data_types *t, uint64_t start);
/* Of the instruction at `addr`; sets *ret if it is DATA_ACCESS_TYPE. */
enum data_access data_types_find(struct data_types *t, const struct data_code *code, uint64_t addr,
				 struct data_type *ret);
/* The same without debug information: never a type. */
enum data_access data_access_of(const struct data_code *code);

#endif
