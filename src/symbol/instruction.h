/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an instruction does to registers, and the memory that it accesses, from its bytes:
 *
 *	mov 0x10(%rdi,%rax,8),%rcx	load: rcx = memory at rdi + 0x10, indexed
 *	lea 0x8(%rsp),%rdi		address: rdi = rsp + 8
 *	add $1,0x2f3a(%rip)		memory at an address
 *	push, pop, call, ret		stack operation
 *
 * Knows x86-64; of AArch64 only the operand in memory. Registers have DWARF's numbers. Bytes may be anything.
 */
#ifndef SYMBOL_INSTRUCTION_H
#define SYMBOL_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGISTER_NONE 255

enum memory_operand_kind {
	MEMORY_NONE, /* none, or one that is not described here */
	MEMORY_STACK_OPERATION,
	MEMORY_STACK_CANARY, /* the value that functions compare to find overflows of the stack */
	MEMORY_REGISTER,     /* base, offset */
	MEMORY_ADDRESS,	     /* addr; with %gs, which the kernel adds to, of the first CPU */
	MEMORY_THREAD,	     /* `offset` from the thread pointer */
};

struct memory_operand {
	enum memory_operand_kind kind;
	bool indexed;	  /* an index register is added */
	uint8_t base;	  /* DWARF register */
	int64_t offset;	  /* from it, in bytes */
	uint64_t addr;	  /* in the unit of `pc` */
	uint8_t index;	  /* DWARF register, if `indexed` */
	bool of_thread;	  /* `base` has an offset from the thread pointer */
	bool is_unscaled; /* `index` is added as it is: it may be the pointer instead */
};

enum instruction_kind {
	INSTRUCTION_OTHER,   /* writes `clobbers` */
	INSTRUCTION_TEST,    /* the same; sets flags that a branch uses */
	INSTRUCTION_COPY,    /* dst = src */
	INSTRUCTION_CHOOSE,  /* dst = src or what it was */
	INSTRUCTION_LOAD,    /* dst = memory, of the size of a pointer */
	INSTRUCTION_STORE,   /* memory = src, the same */
	INSTRUCTION_ADDRESS, /* dst = address of `memory`, which is not accessed */
	INSTRUCTION_ADD,     /* dst += number */
	INSTRUCTION_SUM,     /* dst += src; REGISTER_NONE: something else, or less something */
	INSTRUCTION_CALL,    /* to `target`; writes `clobbers` */
	INSTRUCTION_JUMP,    /* to `target`, always */
	INSTRUCTION_BRANCH,  /* to `target`, or not */
	INSTRUCTION_END,     /* what follows is not executed next */
};

struct instruction {
	enum instruction_kind kind;
	unsigned bytes;
	uint8_t dst, src;
	uint32_t clobbers; /* a bit per register that has another value afterwards, beside `dst` */
	int64_t number;
	uint64_t target; /* in the unit of `pc`; 0: unknown */
	struct memory_operand memory;
};

/* Of the `n` bytes at `pc`. `machine`: EM_X86_64 ... False: not known. */
bool instruction_decode(uint16_t machine, uint64_t pc, const uint8_t *bytes, size_t n,
			struct instruction *ret);

#endif
