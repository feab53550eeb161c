/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/data_type.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "symbol/debug_scopes.h"

/* Bounds for debug information that is damaged: its links may form loops. */
#define TYPE_STEPS_MAX 32     /* from a type to the one it is made of */
#define MEMBER_DEPTH   16     /* of nested structures */
#define MEMBERS_MAX    100000 /* of a structure */
#define BLOCK_DEPTH    32
#define VARIABLES_MAX  100000 /* DIEs of a function */

/* ---- types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), ret) != NULL;
}

/*
 * Without typedefs and qualifiers. *ret_named is the last typedef before a type without a name; else the type.
 * False: no type, as in void.
 */
static bool type_peel(Dwarf_Die *die, Dwarf_Die *ret, Dwarf_Die *ret_named)
{
	*ret = *ret_named = *die;
	for (unsigned i = 0; i < TYPE_STEPS_MAX; i++) {
		switch (dwarf_tag(ret)) {
		case DW_TAG_typedef:
			*ret_named = *ret;
			break;
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			break;
		default:
			if (dwarf_diename(ret))
				*ret_named = *ret;
			return true;
		}
		if (!type_of(ret, ret))
			return false;
	}
	return false;
}

static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

static bool is_structure(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* "struct page", "char *", "int []" */
static void type_name(Dwarf_Die *die, char *buf, size_t size, unsigned depth)
{
	Dwarf_Die type, named, below;
	const char *name, *kind = "";
	size_t len;

	if (!type_peel(die, &type, &named)) {
		snprintf(buf, size, "void");
		return;
	}
	name = dwarf_diename(&named);
	if (dwarf_tag(&named) == DW_TAG_structure_type)
		kind = "struct ";
	else if (dwarf_tag(&named) == DW_TAG_union_type)
		kind = "union ";
	else if (dwarf_tag(&named) == DW_TAG_enumeration_type)
		kind = "enum ";
	if (name || depth >= TYPE_STEPS_MAX ||
	    (!is_pointer(dwarf_tag(&type)) && dwarf_tag(&type) != DW_TAG_array_type)) {
		snprintf(buf, size, "%s%s", kind, name ? name : "(no name)");
		return;
	}
	if (type_of(&type, &below))
		type_name(&below, buf, size, depth + 1);
	else
		snprintf(buf, size, "void");
	len = strlen(buf);
	snprintf(buf + len, size - len, "%s",
		 dwarf_tag(&type) == DW_TAG_array_type	 ? "[]" :
		 dwarf_tag(&type) == DW_TAG_pointer_type ? "*" :
							   "&");
}

/* 0: unknown, as of a declaration. */
static uint64_t type_bytes(Dwarf_Die *die)
{
	Dwarf_Word bytes;

	return dwarf_aggregate_size(die, &bytes) ? 0 : bytes;
}

/* ---- members ---- */

static bool member_place(Dwarf_Die *member, uint64_t *ret_start, uint64_t *ret_bytes)
{
	Dwarf_Attribute attr;
	Dwarf_Word at = 0;
	Dwarf_Die type;
	int tag = dwarf_tag(member);

	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !type_of(member, &type))
		return false;
	/* members of unions have none */
	if (dwarf_attr(member, DW_AT_data_member_location, &attr) && dwarf_formudata(&attr, &at))
		return false;
	*ret_start = at;
	*ret_bytes = type_bytes(&type);
	return *ret_bytes > 0;
}

/* The first member that has the offset, and the members in it: "lru.next". */
static void put_members(Dwarf_Die *of, uint64_t offset, char *buf, size_t size, unsigned depth)
{
	Dwarf_Die type, named, member;
	unsigned budget = MEMBERS_MAX;
	int more;

	if (depth >= MEMBER_DEPTH || !type_peel(of, &type, &named) ||
	    !is_structure(dwarf_tag(&type)))
		return;
	for (more = dwarf_child(&type, &member); !more && budget--;
	     more = dwarf_siblingof(&member, &member)) {
		uint64_t start, bytes;
		const char *name;
		size_t len = strlen(buf);

		if (!member_place(&member, &start, &bytes) || offset < start ||
		    offset - start >= bytes)
			continue;
		name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
		if (name)
			snprintf(buf + len, size - len, "%s%s", len ? "." : "", name);
		if (type_of(&member, &type))
			put_members(&type, offset - start, buf, size, depth + 1);
		return;
	}
}

/* The data `offset` bytes after the begin of one of that type; with an index, of an array of it. */
static bool put_type(Dwarf_Die *die, int64_t offset, bool indexed, struct data_type *ret)
{
	Dwarf_Die type, named;
	uint64_t bytes;

	if (!type_peel(die, &type, &named) || offset < 0)
		return false;
	bytes = type_bytes(&type);
	ret->offset = (uint64_t)offset;
	if (indexed && bytes)
		ret->offset %= bytes;
	if (bytes && ret->offset >= bytes)
		return false;
	type_name(die, ret->name, sizeof(ret->name), 0);
	ret->members[0] = '\0';
	put_members(&type, ret->offset, ret->members, sizeof(ret->members), 0);
	return true;
}

/* ---- variables ---- */

struct finder {
	struct debug_info *d;
	struct dso_file *runtime;
	const struct memory_operand *op;
	struct data_type *ret;
	uint64_t addr;	    /* of the instruction */
	Dwarf_Die function; /* that has the frame */
	bool has_frame;
	unsigned frame_reg; /* the frame base: a register, and an offset from it */
	int64_t frame_offset;
	unsigned budget;
};

/* A register and an offset from it. */
static bool op_base(const Dwarf_Op *op, size_t n, unsigned *ret_reg, int64_t *ret_offset)
{
	if (n != 1)
		return false;
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*ret_reg = op->atom - DW_OP_breg0;
		*ret_offset = (int64_t)op->number;
		return true;
	}
	if (op->atom == DW_OP_bregx && op->number < UINT16_MAX) {
		*ret_reg = (unsigned)op->number;
		*ret_offset = (int64_t)op->number2;
		return true;
	}
	return false;
}

static bool op_register(const Dwarf_Op *op, size_t n, unsigned *ret_reg)
{
	if (n != 1)
		return false;
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*ret_reg = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx && op->number < UINT16_MAX)
		*ret_reg = (unsigned)op->number;
	else
		return false;
	return true;
}

static void find_frame_base(struct finder *f)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Attribute attr;
	const Dwarf_Op *cfa = NULL;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(&f->function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, f->addr, &ops, &n, 1) <= 0)
		return;
	f->frame_offset = 0;
	if (n == 1 && ops[0].atom == DW_OP_call_frame_cfa) {
		cfa = debug_info_cfa(f->d, f->runtime, f->addr, &n, &frame);
		f->has_frame = cfa && op_base(cfa, n, &f->frame_reg, &f->frame_offset);
		free(frame);
		return;
	}
	f->has_frame = op_register(ops, n, &f->frame_reg) ||
		       op_base(ops, n, &f->frame_reg, &f->frame_offset);
}

/* Those of debug information may be any numbers. */
static int64_t offset_sum(int64_t a, uint64_t b)
{
	return (int64_t)((uint64_t)a + b);
}

/* A pointer with this value is in the register: what it points to. */
static bool through_pointer(struct finder *f, Dwarf_Die *variable, int64_t value_offset)
{
	Dwarf_Die type, peeled, named;

	return type_of(variable, &type) && type_peel(&type, &peeled, &named) &&
	       is_pointer(dwarf_tag(&peeled)) && type_of(&peeled, &type) &&
	       put_type(&type, offset_sum(f->op->offset, 0 - (uint64_t)value_offset),
			f->op->indexed, f->ret);
}

/* The variable is in memory, from `start` on; the operand is at `at`, both from the same base. */
static bool in_memory(struct finder *f, Dwarf_Die *variable, int64_t start, int64_t at)
{
	Dwarf_Die type, peeled, named;
	int64_t into = offset_sum(at, 0 - (uint64_t)start);

	return at >= start && type_of(variable, &type) && type_peel(&type, &peeled, &named) &&
	       (uint64_t)into < type_bytes(&peeled) && put_type(&type, into, false, f->ret);
}

static bool try_variable(struct finder *f, Dwarf_Die *die)
{
	const struct memory_operand *op = f->op;
	Dwarf_Attribute attr;
	int64_t offset = 0;
	unsigned reg = 0;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, f->addr, &ops, &n, 1) <= 0 || !n)
		return false;
	if (op->kind == MEMORY_ADDRESS)
		return n == 1 && ops[0].atom == DW_OP_addr &&
		       in_memory(f, die, (int64_t)ops[0].number, (int64_t)op->addr);
	if (op_register(ops, n, &reg))
		return reg == op->base && through_pointer(f, die, 0);
	/* the value is computed from a register */
	if (n == 2 && ops[1].atom == DW_OP_stack_value && op_base(ops, 1, &reg, &offset))
		return reg == op->base && through_pointer(f, die, offset);
	if (op_base(ops, n, &reg, &offset))
		return reg == op->base && in_memory(f, die, offset, op->offset);
	if (n == 1 && ops[0].atom == DW_OP_fbreg && f->has_frame && f->frame_reg == op->base)
		return in_memory(f, die, offset_sum(f->frame_offset, ops[0].number), op->offset);
	return false;
}

/* The variables of a function, and of its blocks that have the address; inner ones first. */
static bool try_variables(struct finder *f, Dwarf_Die *scope, unsigned depth)
{
	Dwarf_Die die;
	int more, tag;

	if (depth >= BLOCK_DEPTH)
		return false;
	for (more = dwarf_child(scope, &die); !more && f->budget;
	     more = dwarf_siblingof(&die, &die)) {
		f->budget--;
		if (dwarf_tag(&die) == DW_TAG_lexical_block && dwarf_haspc(&die, f->addr) == 1 &&
		    try_variables(f, &die, depth + 1))
			return true;
	}
	for (more = dwarf_child(scope, &die); !more && f->budget;
	     more = dwarf_siblingof(&die, &die)) {
		f->budget--;
		tag = dwarf_tag(&die);
		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
		    try_variable(f, &die))
			return true;
	}
	return false;
}

bool data_type_find(struct debug_info *d, struct dso_file *runtime, uint64_t addr,
		    const struct memory_operand *op, struct data_type *ret)
{
	struct finder f = { .d = d, .runtime = runtime, .op = op, .ret = ret };
	Dwarf_Die scopes[DEBUG_INFO_INLINE_MAX];
	const struct debug_global *global;
	size_t n;

	if (op->kind != MEMORY_REGISTER && op->kind != MEMORY_ADDRESS)
		return false;
	n = debug_info_scopes(d, addr, scopes, DEBUG_INFO_INLINE_MAX, &f.addr);
	if (n && op->kind == MEMORY_REGISTER) {
		f.function = scopes[n - 1];
		find_frame_base(&f);
	}
	f.budget = VARIABLES_MAX;
	for (size_t i = 0; i < n; i++)
		if (try_variables(&f, &scopes[i], 0))
			return true;
	global = op->kind == MEMORY_ADDRESS ? debug_info_global(d, op->addr) : NULL;
	if (!global)
		return false;
	return in_memory(&f, (Dwarf_Die *)&global->die, (int64_t)global->start, (int64_t)op->addr);
}
