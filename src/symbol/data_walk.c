/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an instruction backward to what is known of a register's value: a variable that has it there, or where it
 * was computed or loaded from.
 *
 *	mov 0x18(%rdi),%rax	rdi is `node`, a struct node *; at 0x18 it has a struct item *next
 *	add $0x8,%rax
 *	mov 0x4(%rax),%ecx	so this is in a struct item, at 0xc
 *
 * Where control comes from several instructions, those that know something must agree.
 */
#include "symbol/data_function.h"

#include <dwarf.h>
#include <stdlib.h>
#include "base/vec.h"

#define STEPS_MAX  8000 /* instructions */
#define DEPTH_MAX  24	/* loads, and joins of control flow */
#define VISITS_MAX 128

/* The value of a register before an instruction where control is joined. */
struct visit {
	uint32_t insn;
	uint8_t reg;
	bool done; /* false: it is being looked for, and a loop leads back to it */
	bool known;
	struct data_place value;
};

struct walk {
	struct data_function *f;
	unsigned steps; /* left */
	struct visit visits[VISITS_MAX];
	unsigned n_visits;
	bool looped, moved; /* back to a visit; with another offset */
	bool of_thread;	    /* what is looked for is an offset from the thread pointer */
};

/* `want`: the offset from the value that will be accessed. */
static bool value_before(struct walk *w, size_t i, unsigned reg, int64_t want, unsigned depth,
			 struct data_place *ret);
static bool place_of(struct walk *w, size_t i, const struct memory_operand *op, unsigned depth,
		     struct data_place *ret);

/* Those of debug information may be any numbers. */
static int64_t sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* The value of a variable that is a pointer. */
static bool through_pointer(Dwarf_Die *type, struct data_place *ret)
{
	Dwarf_Die peeled, named;

	if (!data_type_peel(type, &peeled, &named) || !data_type_is_pointer(dwarf_tag(&peeled)) ||
	    !data_type_of(&peeled, &ret->type))
		return false;
	ret->offset = 0;
	ret->indexed = false;
	return true;
}

static bool is_at(const struct walk *w, const struct data_variable *v, size_t i)
{
	uint64_t at = data_function_addr(w->f, i) + w->f->shift;

	return at >= v->start && at < v->end;
}

/* The size of what is pointed to; 0: unknown, or `want` is not in it. Pointers to scalars are to arrays of them. */
static uint64_t bytes_with(struct data_place *p, int64_t want)
{
	Dwarf_Die peeled, named;
	uint64_t bytes;
	int64_t at = sum(p->offset, want);

	if (!data_type_peel(&p->type, &peeled, &named))
		return 0;
	bytes = data_type_bytes(&peeled);
	return (at >= 0 && (uint64_t)at < bytes) || p->indexed ||
			       !data_type_is_structure(dwarf_tag(&peeled)) ?
		       bytes :
		       0;
}

/*
 * A variable has the value of the register before an instruction, and is a pointer. Of several the one to the largest
 * type, as in perf: a structure, not its first member or an empty base.
 */
static bool variable_value(const struct walk *w, size_t i, unsigned reg, int64_t want,
			   struct data_place *ret)
{
	uint64_t most = 0;

	for (size_t k = 0; k < w->f->n_vars; k++) {
		struct data_variable *v = &w->f->vars[k];
		struct data_place one;
		Dwarf_Die type;
		uint64_t bytes;

		if (v->reg != reg ||
		    (v->kind != DATA_IN_REGISTER && v->kind != DATA_FROM_REGISTER) ||
		    !is_at(w, v, i) || !data_type_of(&v->die, &type) ||
		    !through_pointer(&type, &one))
			continue;
		if (v->kind == DATA_FROM_REGISTER)
			one.offset = (int64_t)(0 - (uint64_t)v->offset);
		bytes = bytes_with(&one, want);
		if (bytes > most) {
			most = bytes;
			*ret = one;
		}
	}
	return most > 0;
}

/* ---- memory ---- */

/* A variable that contains `at`, both from the same base. */
static bool contains(struct data_variable *v, int64_t start, int64_t at, struct data_place *ret)
{
	Dwarf_Die peeled, named;
	int64_t into = (int64_t)((uint64_t)at - (uint64_t)start);

	if (at < start || !data_type_of(&v->die, &ret->type) ||
	    !data_type_peel(&ret->type, &peeled, &named) ||
	    (uint64_t)into >= data_type_bytes(&peeled))
		return false;
	ret->offset = into;
	ret->indexed = false;
	return true;
}

static bool variable_at_address(const struct walk *w, size_t i, uint64_t addr,
				struct data_place *ret)
{
	const struct debug_global *global;

	if (debug_info_is_relocatable(w->f->d))
		return false;
	for (size_t k = 0; k < w->f->n_vars; k++) {
		struct data_variable *v = &w->f->vars[k];

		if (v->kind == DATA_AT_ADDRESS && is_at(w, v, i) &&
		    contains(v, v->offset, (int64_t)addr, ret))
			return true;
	}
	global = debug_info_global(w->f->d, addr);
	if (!global || !data_type_of((Dwarf_Die *)&global->die, &ret->type))
		return false;
	ret->offset = (int64_t)(addr - global->start);
	ret->indexed = false;
	return true;
}

static bool variable_in_memory(const struct walk *w, size_t i, unsigned base, int64_t offset,
			       struct data_place *ret)
{
	unsigned frame_reg = 0;
	int64_t frame_offset = 0;
	bool has_frame = data_function_frame_base(w->f, data_function_addr(w->f, i), &frame_reg,
						  &frame_offset) &&
			 frame_reg == base;

	for (size_t k = 0; k < w->f->n_vars; k++) {
		struct data_variable *v = &w->f->vars[k];

		if (!is_at(w, v, i))
			continue;
		if (v->kind == DATA_AT_REGISTER && v->reg == base &&
		    contains(v, v->offset, offset, ret))
			return true;
		if (v->kind == DATA_AT_FRAME && has_frame &&
		    contains(v, sum(frame_offset, v->offset), offset, ret))
			return true;
	}
	return false;
}

static bool is_frame_register(struct walk *w, size_t i, unsigned reg, int64_t *ret_offset)
{
	unsigned frame;

	return data_function_cfa(w->f, data_function_addr(w->f, i), &frame, ret_offset) &&
	       frame == reg;
}

static bool variable_of_thread(const struct walk *w, size_t i, int64_t offset,
			       struct data_place *ret)
{
	uint64_t addr;

	return debug_info_thread_address(w->f->d, offset, &addr) &&
	       variable_at_address(w, i, addr, ret);
}

/* The place at base + offset. */
static bool place_at(struct walk *w, size_t i, unsigned base, const struct memory_operand *op,
		     unsigned depth, struct data_place *ret)
{
	bool of_thread = w->of_thread, found;
	int64_t unused;

	if (variable_in_memory(w, i, base, op->offset, ret)) {
		ret->indexed = op->indexed;
		return true;
	}
	w->of_thread = op->of_thread;
	found = !is_frame_register(w, i, base, &unused) &&
		value_before(w, i, base, op->offset, depth, ret);
	w->of_thread = of_thread;
	if (!found)
		return false;
	ret->offset = sum(ret->offset, op->offset);
	ret->indexed |= op->indexed;
	return true;
}

static bool place_of(struct walk *w, size_t i, const struct memory_operand *op, unsigned depth,
		     struct data_place *ret)
{
	if (op->kind == MEMORY_ADDRESS || op->kind == MEMORY_THREAD) {
		if (op->kind == MEMORY_ADDRESS ? variable_at_address(w, i, op->addr, ret) :
						 variable_of_thread(w, i, op->offset, ret)) {
			ret->indexed = op->indexed;
			return true;
		}
	} else if (op->kind != MEMORY_REGISTER) {
		return false;
	} else if (place_at(w, i, op->base, op, depth, ret)) {
		return true;
	}
	return op->is_unscaled && place_at(w, i, op->index, op, depth, ret);
}

/* Puts together what several know; *n is their number so far. False: they do not agree. */
static bool agree(struct data_place *all, const struct data_place *one, unsigned *n)
{
	struct data_place copy = *one;

	if (!(*n)++) {
		*all = copy;
		return true;
	}
	all->indexed |= copy.indexed;
	return data_type_same(&all->type, &copy.type) &&
	       (all->offset == copy.offset || all->indexed);
}

/* What was stored in a slot of the stack: everything stored there in the function. */
static bool stored_value(struct walk *w, size_t i, const struct memory_operand *op, unsigned depth,
			 struct data_place *ret)
{
	struct data_place one;
	int64_t offset, slot;
	unsigned n = 0;

	if (op->kind != MEMORY_REGISTER || op->indexed || depth >= DEPTH_MAX ||
	    !is_frame_register(w, i, op->base, &offset))
		return false;
	slot = (int64_t)((uint64_t)op->offset - (uint64_t)offset);
	for (size_t k = 0; k < w->f->n_stores; k++) {
		const struct data_store *s = &w->f->stores[k];

		if (s->slot == slot && value_before(w, s->at, s->reg, 0, depth + 1, &one) &&
		    !agree(ret, &one, &n))
			return false;
	}
	return n > 0;
}

/* ---- values of registers ---- */

/* The pointer that an instruction loads. */
static bool loaded_value(struct walk *w, size_t i, const struct memory_operand *op, unsigned depth,
			 struct data_place *ret)
{
	struct data_place from;
	Dwarf_Die scalar;

	if (depth >= DEPTH_MAX)
		return false;
	if (place_of(w, i, op, depth + 1, &from))
		return data_type_scalar(&from.type, from.offset, from.indexed, &scalar) &&
		       through_pointer(&scalar, ret);
	return stored_value(w, i, op, depth, ret);
}

/* The thread pointer: the variable is the one that is `want` bytes after it. */
static bool thread_pointer(const struct walk *w, size_t i, int64_t want, struct data_place *ret)
{
	if (!variable_of_thread(w, i, want, ret))
		return false;
	ret->offset = (int64_t)((uint64_t)ret->offset - (uint64_t)want);
	return true;
}

/* Of a register that instruction i sets. */
static bool value_set(struct walk *w, size_t i, const struct instruction *insn, int64_t want,
		      unsigned depth, struct data_place *ret)
{
	struct data_place one;
	Dwarf_Die type;
	unsigned n = 0;

	if (depth >= DEPTH_MAX)
		return false;
	switch (insn->kind) {
	case INSTRUCTION_LOAD:
		if (insn->memory.kind == MEMORY_THREAD && !insn->memory.offset)
			return thread_pointer(w, i, want, ret);
		return loaded_value(w, i, &insn->memory, depth, ret);
	case INSTRUCTION_ADDRESS:
		if (w->of_thread && insn->memory.kind == MEMORY_ADDRESS)
			return variable_of_thread(w, i, (int64_t)insn->memory.addr, ret);
		return place_of(w, i, &insn->memory, depth + 1, ret);
	case INSTRUCTION_CALL:
		return data_function_returns(w->f, data_function_addr(w->f, i) + insn->bytes,
					     insn->target, &type) &&
		       through_pointer(&type, ret);
	case INSTRUCTION_CHOOSE:
		return (!value_before(w, i, insn->src, want, depth + 1, &one) ||
			agree(ret, &one, &n)) &&
		       (!value_before(w, i, insn->dst, want, depth + 1, &one) ||
			agree(ret, &one, &n)) &&
		       n;
	case INSTRUCTION_SUM:
		/* one of them is a pointer, which may be in memory */
		if (!value_before(w, i, insn->dst, want, depth + 1, ret) &&
		    !value_before(w, i, insn->src, want, depth + 1, ret) &&
		    !loaded_value(w, i, &insn->memory, depth + 1, ret))
			return false;
		ret->indexed = true;
		return true;
	default:
		return false;
	}
}

static bool is_joined(const struct data_function *f, size_t i)
{
	size_t at = bisect(k, f->n_jumps, f->jumps[k].to < i);

	return at < f->n_jumps && f->jumps[at].to == i;
}

/*
 * The value of a register before instruction i, or, if it `fell` through to i, after the one before it without
 * looking at jumps to i.
 */
static bool walk_back(struct walk *w, size_t i, unsigned reg, bool fell, int64_t want,
		      unsigned depth, struct data_place *ret);

/* Before a jump's target: what the jumps know, and the instruction before it. */
static bool find_joined(struct walk *w, size_t i, unsigned reg, int64_t want, unsigned depth,
			struct data_place *ret)
{
	const struct data_function *f = w->f;
	struct data_place one;
	unsigned n = 0;

	if (walk_back(w, i, reg, true, want, depth + 1, &one) && !agree(ret, &one, &n))
		return false;
	for (size_t k = bisect(at, f->n_jumps, f->jumps[at].to < i);
	     k < f->n_jumps && f->jumps[k].to == i; k++) {
		struct instruction jump;

		data_function_insn(f, f->jumps[k].from, &jump);
		if (!(jump.clobbers >> reg & 1) &&
		    walk_back(w, f->jumps[k].from, reg, false, want, depth + 1, &one) &&
		    !agree(ret, &one, &n))
			return false;
	}
	/* moved by a loop: another element of an array */
	if (n && w->moved)
		ret->indexed = true;
	return n > 0;
}

static bool value_joined(struct walk *w, size_t i, unsigned reg, int64_t want, unsigned depth,
			 struct data_place *ret)
{
	struct visit *v;

	for (unsigned k = 0; k < w->n_visits; k++) {
		v = &w->visits[k];
		if (v->insn != i || v->reg != reg)
			continue;
		w->looped |= !v->done;
		*ret = v->value;
		return v->done && v->known;
	}
	if (w->n_visits >= VISITS_MAX || depth >= DEPTH_MAX)
		return false;
	v = &w->visits[w->n_visits++];
	*v = (struct visit){ .insn = (uint32_t)i, .reg = (uint8_t)reg };
	v->known = find_joined(w, i, reg, want, depth, ret);
	v->done = true;
	if (v->known)
		v->value = *ret;
	return v->known;
}

static bool walk_back(struct walk *w, size_t i, unsigned reg, bool fell, int64_t want,
		      unsigned depth, struct data_place *ret)
{
	/* each step looks at all variables */
	unsigned cost = 1 + (unsigned)(w->f->n_vars / 128);
	int64_t added = 0;
	bool found = false;

	for (;; fell = false) {
		struct instruction insn;

		if (!fell && variable_value(w, i, reg, sum(want, added), ret)) {
			found = true;
			break;
		}
		if (!fell && is_joined(w->f, i)) {
			found = value_joined(w, i, reg, sum(want, added), depth, ret);
			break;
		}
		if (!i-- || w->steps < cost)
			return false;
		w->steps -= cost;
		data_function_insn(w->f, i, &insn);
		if (insn.kind == INSTRUCTION_JUMP || insn.kind == INSTRUCTION_END)
			return false;
		if (insn.dst == reg && insn.kind == INSTRUCTION_COPY) {
			reg = insn.src;
		} else if (insn.dst == reg && insn.kind == INSTRUCTION_ADD) {
			added = sum(added, insn.number);
		} else if (insn.dst == reg || (insn.kind == INSTRUCTION_CALL && reg == 0)) {
			found = value_set(w, i, &insn, sum(want, added), depth, ret);
			break;
		} else if (insn.clobbers >> reg & 1) {
			return false;
		}
	}
	if (found)
		ret->offset = sum(ret->offset, added);
	else if (added && w->looped)
		w->moved = true;
	return found;
}

static bool value_before(struct walk *w, size_t i, unsigned reg, int64_t want, unsigned depth,
			 struct data_place *ret)
{
	return reg < 32 && walk_back(w, i, reg, false, want, depth, ret);
}

/* ---- public functions ---- */

bool data_walk_memory(struct data_function *f, size_t insn, const struct memory_operand *op,
		      struct data_place *ret)
{
	struct walk w = { .f = f, .steps = STEPS_MAX };

	return place_of(&w, insn, op, 0, ret);
}

bool data_walk_slot(struct data_function *f, size_t insn, const struct memory_operand *op,
		    struct data_place *ret)
{
	struct walk w = { .f = f, .steps = STEPS_MAX };

	return stored_value(&w, insn, op, 0, ret);
}
