/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What types of data need of a function, read once:
 *
 *	code    -> where its instructions start, and from where they are jumped to
 *	         -> what is stored where on the stack
 *	DWARF   -> where its variables are, at which addresses, with those of functions inlined into it
 *	         -> the types that its calls return
 *	CFI     -> the canonical frame address, as a register and an offset
 *
 * Addresses are those of the debug information ("laid" in debug_info.c); instructions have numbers.
 */
#ifndef SYMBOL_DATA_FUNCTION_H
#define SYMBOL_DATA_FUNCTION_H

#include "symbol/data_type.h"
#include "symbol/debug_scopes.h"
#include "symbol/instruction.h"

enum data_place_kind {
	DATA_IN_REGISTER,   /* the value is that of `reg` */
	DATA_FROM_REGISTER, /* the value is computed: reg + offset */
	DATA_AT_REGISTER,   /* in memory at reg + offset */
	DATA_AT_FRAME,	    /* in memory at the frame base + offset */
	DATA_AT_ADDRESS,    /* in memory at `offset` */
};

struct data_variable {
	uint64_t start, end; /* where it is there */
	enum data_place_kind kind;
	unsigned reg;
	int64_t offset;
	unsigned depth; /* of its scope */
	Dwarf_Die die;
};

/* The address after a call, and the type that it returns. */
struct data_call {
	uint64_t after;
	Dwarf_Die type;
};

struct data_jump {
	uint32_t to, from; /* instructions */
};

/* A register stored in a slot of the stack, by the offset from the canonical frame address. */
struct data_store {
	int64_t slot;
	uint32_t at; /* instruction */
	uint8_t reg;
};

/* The canonical frame address from `start` to `end`: reg + offset. */
struct data_frame {
	uint64_t start, end;
	bool known;
	unsigned reg;
	int64_t offset;
};

struct data_function {
	struct debug_info *d;
	struct dso_file *runtime;
	uint16_t machine;
	uint64_t start; /* of the code */
	uint64_t shift; /* from an address of the code to one of the debug information */
	uint8_t *bytes;
	size_t n;
	uint32_t *insns; /* offsets */
	size_t n_insns, cap_insns;
	struct data_jump *jumps; /* sorted by `to` */
	size_t n_jumps, cap_jumps;
	struct data_variable *vars;
	size_t n_vars, cap_vars;
	struct data_call *calls;
	size_t n_calls, cap_calls;
	struct data_store *stores;
	size_t n_stores, cap_stores;
	struct data_frame *frames; /* as far as they were looked up */
	size_t n_frames, cap_frames;
	Dwarf_Die die;
	bool has_die;
};

/* Of `code`, copied, whose function has the address `addr`. NULL: out of memory. */
struct data_function *data_function_new(struct debug_info *d, struct dso_file *runtime,
					const struct data_code *code, uint64_t addr);
void data_function_free(struct data_function *f); /* NULL ok */

/* The number of the instruction at an address of the code; PTUI_NONE: none starts there. */
uint32_t data_function_find(const struct data_function *f, uint64_t addr);
void data_function_insn(const struct data_function *f, size_t i, struct instruction *ret);
static inline uint64_t data_function_addr(const struct data_function *f, size_t i)
{
	return f->start + f->insns[i];
}
/* The canonical frame address at an instruction. False: unknown. */
bool data_function_cfa(struct data_function *f, uint64_t addr, unsigned *ret_reg,
		       int64_t *ret_offset);
/* The frame base, which variables refer to. */
bool data_function_frame_base(struct data_function *f, uint64_t addr, unsigned *ret_reg,
			      int64_t *ret_offset);
/* The type that the call at an instruction returns; `target`: 0 if unknown. False: unknown, or none. */
bool data_function_returns(struct data_function *f, uint64_t after, uint64_t target,
			   Dwarf_Die *ret);

/* ---- data_walk.c ---- */

/* A value is an address: `offset` bytes into data of `type`. */
struct data_place {
	Dwarf_Die type;
	int64_t offset;
	bool indexed; /* plus some elements of an array of it */
};

/* What the memory operand of an instruction is in. False: unknown. */
bool data_walk_memory(struct data_function *f, size_t insn, const struct memory_operand *op,
		      struct data_place *ret);
/* The operand is a slot of the stack where a pointer was stored: what it points to. */
bool data_walk_slot(struct data_function *f, size_t insn, const struct memory_operand *op,
		    struct data_place *ret);

/* ---- data_type.c ---- */

bool data_type_of(Dwarf_Die *die, Dwarf_Die *ret);
bool data_type_peel(Dwarf_Die *die, Dwarf_Die *ret, Dwarf_Die *ret_named);
bool data_type_is_pointer(int tag);
bool data_type_is_structure(int tag);
uint64_t data_type_bytes(Dwarf_Die *die); /* 0: unknown */
/* The scalar `offset` bytes into a type. */
bool data_type_scalar(Dwarf_Die *die, int64_t offset, bool indexed, Dwarf_Die *ret);
bool data_type_same(Dwarf_Die *a, Dwarf_Die *b);

#endif
