/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/data_function.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"

/* Bounds for debug information that is damaged: its links may form loops. */
#define TYPE_STEPS_MAX 32     /* from a type to the one it is made of */
#define MEMBER_DEPTH   16     /* of nested structures */
#define MEMBERS_MAX    100000 /* of a structure */

/* ---- types ---- */

bool data_type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), ret) != NULL;
}

/*
 * Without typedefs and qualifiers. *ret_named is the last typedef before a type without a name; else the type.
 * False: no type, as in void.
 */
bool data_type_peel(Dwarf_Die *die, Dwarf_Die *ret, Dwarf_Die *ret_named)
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
		if (!data_type_of(ret, ret))
			return false;
	}
	return false;
}

bool data_type_is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

bool data_type_is_structure(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* "struct page", "char *", "int []" */
static void type_name(Dwarf_Die *die, char *buf, size_t size, unsigned depth)
{
	Dwarf_Die type, named, below;
	const char *name, *kind = "";
	size_t len;

	if (!data_type_peel(die, &type, &named)) {
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
	    (!data_type_is_pointer(dwarf_tag(&type)) && dwarf_tag(&type) != DW_TAG_array_type)) {
		snprintf(buf, size, "%s%s", kind, name ? name : "(no name)");
		return;
	}
	if (data_type_of(&type, &below))
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
uint64_t data_type_bytes(Dwarf_Die *die)
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

	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !data_type_of(member, &type))
		return false;
	/* members of unions have none */
	if (dwarf_attr(member, DW_AT_data_member_location, &attr) && dwarf_formudata(&attr, &at))
		return false;
	*ret_start = at;
	*ret_bytes = data_type_bytes(&type);
	return *ret_bytes > 0;
}

/* The first member that has the offset. */
static bool member_find(Dwarf_Die *structure, uint64_t offset, Dwarf_Die *ret, uint64_t *ret_start)
{
	unsigned budget = MEMBERS_MAX;
	int more;

	for (more = dwarf_child(structure, ret); !more && budget--;
	     more = dwarf_siblingof(ret, ret)) {
		uint64_t bytes;

		if (member_place(ret, ret_start, &bytes) && offset >= *ret_start &&
		    offset - *ret_start < bytes)
			return true;
	}
	return false;
}

/* The members at an offset: "lru.next". */
static void put_members(Dwarf_Die *of, uint64_t offset, char *buf, size_t size, unsigned depth)
{
	Dwarf_Die type, named, member;
	size_t len = strlen(buf);
	const char *name;
	uint64_t start;

	if (depth >= MEMBER_DEPTH || !data_type_peel(of, &type, &named) ||
	    !data_type_is_structure(dwarf_tag(&type)) ||
	    !member_find(&type, offset, &member, &start))
		return;
	name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
	if (name)
		snprintf(buf + len, size - len, "%s%s", len ? "." : "", name);
	if (data_type_of(&member, &type))
		put_members(&type, offset - start, buf, size, depth + 1);
}

/* Some elements before or after. */
static int64_t within_element(int64_t offset, uint64_t bytes)
{
	int64_t rest = bytes && bytes <= INT64_MAX ? offset % (int64_t)bytes : offset;

	return rest < 0 ? rest + (int64_t)bytes : rest;
}

bool data_type_scalar(Dwarf_Die *die, int64_t offset, bool indexed, Dwarf_Die *ret)
{
	Dwarf_Die type, named, member;
	uint64_t start;

	if (!data_type_peel(die, &type, &named))
		return false;
	if (indexed || !data_type_is_structure(dwarf_tag(&type)))
		offset = within_element(offset, data_type_bytes(&type));
	for (unsigned depth = 0; depth < MEMBER_DEPTH && offset >= 0; depth++) {
		if (dwarf_tag(&type) == DW_TAG_array_type) {
			if (!data_type_of(&type, &type) || !data_type_peel(&type, &type, &named))
				return false;
			offset = within_element(offset, data_type_bytes(&type));
		} else if (data_type_is_structure(dwarf_tag(&type))) {
			if (!member_find(&type, (uint64_t)offset, &member, &start) ||
			    !data_type_of(&member, &type) || !data_type_peel(&type, &type, &named))
				return false;
			offset -= (int64_t)start;
		} else {
			*ret = type;
			return offset == 0;
		}
	}
	return false;
}

bool data_type_same(Dwarf_Die *a, Dwarf_Die *b)
{
	char name_a[4096], name_b[4096];

	if (a->addr == b->addr)
		return true;
	type_name(a, name_a, sizeof(name_a), 0);
	type_name(b, name_b, sizeof(name_b), 0);
	return !strcmp(name_a, name_b);
}

/* ---- accesses ---- */

static bool put_place(struct data_place *p, struct data_type *ret)
{
	Dwarf_Die type, named;
	uint64_t bytes;

	if (!data_type_peel(&p->type, &type, &named))
		return false;
	bytes = data_type_bytes(&type);
	/* pointers to scalars are to arrays of them */
	if (p->indexed || !data_type_is_structure(dwarf_tag(&type)))
		p->offset = within_element(p->offset, bytes);
	if (p->offset < 0 || (bytes && (uint64_t)p->offset >= bytes))
		return false;
	ret->offset = (uint64_t)p->offset;
	type_name(&p->type, ret->name, sizeof(ret->name), 0);
	ret->members[0] = '\0';
	put_members(&type, ret->offset, ret->members, sizeof(ret->members), 0);
	return true;
}

/* A slot of the stack with a pointer to `p`. */
static void put_pointer(struct data_place *p, struct data_type *ret)
{
	size_t len;

	type_name(&p->type, ret->name, sizeof(ret->name), 0);
	len = strlen(ret->name);
	snprintf(ret->name + len, sizeof(ret->name) - len, "*");
	ret->members[0] = '\0';
	ret->offset = 0;
}

/* A branch is executed together with the test before it. */
static bool find_tested(const struct data_function *f, uint32_t *i, struct instruction *insn)
{
	struct instruction before;

	if (insn->kind != INSTRUCTION_BRANCH || !*i)
		return false;
	data_function_insn(f, *i - 1, &before);
	if (before.kind != INSTRUCTION_TEST || before.memory.kind < MEMORY_REGISTER)
		return false;
	*insn = before;
	--*i;
	return true;
}

/* What needs no debug information. */
static enum data_access special_access(const struct instruction *insn)
{
	return insn->memory.kind == MEMORY_STACK_OPERATION ? DATA_ACCESS_STACK :
	       insn->memory.kind == MEMORY_STACK_CANARY	   ? DATA_ACCESS_CANARY :
							     DATA_ACCESS_UNKNOWN;
}

enum data_access data_access_of(const struct data_code *code)
{
	struct instruction insn;

	return instruction_decode(code->machine, code->addr, code->bytes, code->n, &insn) ?
		       special_access(&insn) :
		       DATA_ACCESS_UNKNOWN;
}

static enum data_access find_access(struct data_function *f, uint64_t addr, struct data_type *ret)
{
	uint32_t i = data_function_find(f, addr);
	struct instruction insn;
	struct data_place place;

	if (i == PTUI_NONE)
		return DATA_ACCESS_UNKNOWN;
	data_function_insn(f, i, &insn);
	find_tested(f, &i, &insn);
	if (insn.memory.kind < MEMORY_REGISTER || insn.kind == INSTRUCTION_ADDRESS)
		return special_access(&insn);
	if (data_walk_memory(f, i, &insn.memory, &place) && put_place(&place, ret))
		return DATA_ACCESS_TYPE;
	if (!data_walk_slot(f, i, &insn.memory, &place))
		return DATA_ACCESS_UNKNOWN;
	put_pointer(&place, ret);
	return DATA_ACCESS_TYPE;
}

/* ---- the functions of a module ---- */

#define KEPT 64

struct data_types {
	struct debug_info *d;
	struct dso_file *runtime;
	struct data_function *kept[KEPT]; /* by a hash of their start */
};

struct data_types *data_types_new(struct debug_info *d, struct dso_file *runtime)
{
	struct data_types *t = calloc(1, sizeof(*t));

	if (t) {
		t->d = d;
		t->runtime = runtime;
	}
	return t;
}

void data_types_free(struct data_types *t)
{
	for (size_t i = 0; t && i < KEPT; i++)
		data_function_free(t->kept[i]);
	free(t);
}

static struct data_function **kept_at(struct data_types *t, uint64_t start)
{
	return &t->kept[hash_u64(start) % KEPT];
}

bool data_types_has(struct data_types *t, uint64_t start)
{
	struct data_function *f = *kept_at(t, start);

	return f && f->start == start;
}

enum data_access data_types_find(struct data_types *t, const struct data_code *code, uint64_t addr,
				 struct data_type *ret)
{
	struct data_function **f = kept_at(t, code->addr);

	if (!data_types_has(t, code->addr)) {
		data_function_free(*f);
		*f = data_function_new(t->d, t->runtime, code, addr);
	}
	return *f ? find_access(*f, addr, ret) : DATA_ACCESS_UNKNOWN;
}
