/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that an instruction accesses, from its bytes:
 *
 *	mov 0x10(%rdi,%rax,8),%ecx	base rdi, index, offset 0x10
 *	add $1,0x2f3a(%rip)		address
 *	push, pop, call, ret		stack operation
 *
 * Knows x86-64 and AArch64. Registers have DWARF's numbers. Bytes may be anything.
 */
#ifndef SYMBOL_MEMORY_OPERAND_H
#define SYMBOL_MEMORY_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_operand_kind {
	MEMORY_NONE, /* none, or one that is not described here */
	MEMORY_STACK_OPERATION,
	MEMORY_REGISTER, /* base, offset */
	MEMORY_ADDRESS,	 /* addr */
};

struct memory_operand {
	enum memory_operand_kind kind;
	bool indexed;	/* an index register is added */
	unsigned base;	/* DWARF register */
	int64_t offset; /* from it, in bytes */
	uint64_t addr;	/* in the unit of `pc` */
};

/* Of the instruction in the `n` bytes at `pc`. `machine`: EM_X86_64 ... */
void memory_operand_decode(uint16_t machine, uint64_t pc, const uint8_t *bytes, size_t n,
			   struct memory_operand *ret);

#endif
