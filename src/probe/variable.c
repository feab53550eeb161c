/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "probe/fetch.h"
#include "probe/variable.h"

/* ---- finding a variable ---- */

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_formal_parameter || tag == DW_TAG_variable;
}

static bool has_place(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, DW_AT_external, &attr) || dwarf_attr(die, DW_AT_location, &attr) ||
	       dwarf_attr(die, DW_AT_const_value, &attr);
}

/* Nearest first: of the blocks at the address, then of the scope, then of what is inlined into it. */
static bool find_in_scope(Dwarf_Die *scope, const char *name, Dwarf_Addr addr, Dwarf_Die *ret)
{
	static const int inner[] = { DW_TAG_lexical_block, 0, DW_TAG_inlined_subroutine };
	Dwarf_Die die;

	for (size_t i = 0; i < sizeof(inner) / sizeof(*inner); i++) {
		if (dwarf_child(scope, &die))
			return false;
		do {
			if (!inner[i] && is_variable(&die) && die_is_named(&die, name) &&
			    has_place(&die)) {
				*ret = die;
				return true;
			}
			if (inner[i] && dwarf_tag(&die) == inner[i] &&
			    dwarf_haspc(&die, addr) > 0 && find_in_scope(&die, name, addr, ret))
				return true;
		} while (die_next(&die));
	}
	return false;
}

struct search_global {
	const char *name;
};

static enum die_step is_global(Dwarf_Die *die, void *ctx)
{
	const struct search_global *s = ctx;

	if (is_variable(die) && die_is_named(die, s->name) && has_place(die))
		return DIE_STOP;
	return dwarf_tag(die) == DW_TAG_namespace ? DIE_ENTER : DIE_PASS;
}

static bool find_variable(const struct probe_place *place, const char *name, Dwarf_Die *ret)
{
	struct search_global s = { name };
	Dwarf_Die scope = place->scope, unit = place->unit;

	return find_in_scope(&scope, name, place->addr, ret) || die_find(&unit, is_global, &s, ret);
}

/* ---- members ---- */

static bool is_structure(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

static bool member_offset(Dwarf_Die *member, long *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset, bytes;
	Dwarf_Op *ops;
	size_t n;
	Dwarf_Die type;

	*ret = 0;
	if (dwarf_attr(member, DW_AT_data_member_location, &attr)) {
		if (dwarf_formudata(&attr, &offset)) {
			if (dwarf_getlocation(&attr, &ops, &n) || n != 1 ||
			    ops[0].atom != DW_OP_plus_uconst)
				return false;
			offset = ops[0].number;
		}
		*ret = (long)offset;
		return true;
	}
	/* DWARF 5 counts a bit field's bits from the start: it is fetched in units of its type */
	if (die_udata(member, DW_AT_data_bit_offset, &offset)) {
		if (!die_type(member, &type) || dwarf_aggregate_size(&type, &bytes) || !bytes)
			return false;
		*ret = (long)(offset / 8 / bytes * bytes);
		return true;
	}
	return true; /* of a union */
}

/* The member of a structure, also in an unnamed member or a base class, and its offset. */
static bool find_member(Dwarf_Die *type, const char *name, int depth, Dwarf_Die *ret,
			long *ret_offset)
{
	Dwarf_Die die, inner;
	long offset;

	if (depth > 64 || dwarf_child(type, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);
		bool has_name = dwarf_diename(&die) != NULL;

		if (tag == DW_TAG_member && has_name && die_is_named(&die, name)) {
			*ret = die;
			return member_offset(&die, ret_offset);
		}
		if ((tag == DW_TAG_inheritance || (tag == DW_TAG_member && !has_name)) &&
		    die_type(&die, &inner) && member_offset(&die, &offset) &&
		    find_member(&inner, name, depth + 1, ret, ret_offset)) {
			*ret_offset += offset;
			return true;
		}
	} while (die_next(&die));
	return false;
}

/* The number of elements of each dimension; 0: not known. Returns the number of dimensions. */
static size_t array_dimensions(Dwarf_Die *type, uint64_t *ret, size_t max)
{
	Dwarf_Die die;
	size_t n = 0;

	if (dwarf_child(type, &die))
		return 1;
	do {
		Dwarf_Word value = 0;

		if (dwarf_tag(&die) != DW_TAG_subrange_type || n == max)
			continue;
		if (!die_udata(&die, DW_AT_count, &value) &&
		    die_udata(&die, DW_AT_upper_bound, &value))
			value++;
		ret[n++] = value;
	} while (die_next(&die));
	return n ? n : 1;
}

struct walk {
	const char *owner; /* what was written so far, for errors */
	Dwarf_Die type;	   /* of the value so far */
	Dwarf_Die member;  /* the member, for a bit field */
	bool is_member;
	bool is_part_of_array; /* an array with fewer dimensions: no type */
	struct probe_fetch *fetch;
	struct ptui_error *err;
};

/* `text` has the value's name as its %s. */
#define not_possible(w, text) \
	ptui_error_set((w)->err, PTUI_ERROR_INPUT, EINVAL, (w)->owner, text, (w)->owner)

static int step_into_pointer(struct walk *w)
{
	Dwarf_Die pointed;

	if (!die_type(&w->type, &pointed))
		return not_possible(w, _("the type that '%s' points to is not known"));
	w->type = pointed;
	return probe_fetch_follow(w->fetch, w->err);
}

/* One or more elements: a[1][2]. Moves *at past all but the last one that was used. */
static int step_element(struct walk *w, const struct probe_member **at)
{
	uint64_t n[8] = { 0 };
	bool is_array = dwarf_tag(&w->type) == DW_TAG_array_type;
	size_t dimensions = is_array ? array_dimensions(&w->type, n, 8) : 1;
	Dwarf_Die element;
	Dwarf_Word bytes = 0;
	long offset = 0;

	if (!die_type(&w->type, &element))
		return not_possible(w, _("the type of the elements of '%s' is not known"));
	if (dwarf_aggregate_size(&element, &bytes))
		return not_possible(w, _("the size of the elements of '%s' is not known"));
	if (!is_array && probe_fetch_follow(w->fetch, w->err))
		return -EINVAL;
	for (size_t i = 0; i < dimensions; i++) {
		long unit = (long)bytes;

		for (size_t k = i + 1; k < dimensions; k++)
			unit *= (long)n[k];
		offset += (*at)->index * unit;
		w->owner = (*at)->name;
		if (i + 1 == dimensions)
			break;
		if (!(*at)->next || (*at)->next->name[0] != '[') {
			w->is_part_of_array = true;
			break;
		}
		*at = (*at)->next;
	}
	if (!w->is_part_of_array)
		w->type = element;
	if (!probe_fetch_add(w->fetch, offset))
		return not_possible(w, _("'%s' is in a register, which has no elements"));
	return 0;
}

static int step_member(struct walk *w, const struct probe_member *m)
{
	int tag = dwarf_tag(&w->type);
	bool is_reference = tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
	long offset;
	int ret = 0;

	if (is_pointer(tag) && !is_reference && !m->arrow)
		return not_possible(w, _("'%s' is a pointer: write '->' instead of '.'"));
	if (is_pointer(tag))
		ret = step_into_pointer(w);
	else if (m->arrow && is_structure(tag))
		return not_possible(w, _("'%s' is no pointer: write '.' instead of '->'"));
	if (ret)
		return ret;
	if (!is_structure(dwarf_tag(&w->type)))
		return not_possible(w, _("'%s' is no structure and no union"));
	if (!find_member(&w->type, m->name, 0, &w->member, &offset))
		return ptui_error_set(w->err, PTUI_ERROR_INPUT, EINVAL, w->owner,
				      _("'%s' has no member '%s'"), w->owner, m->name);
	if (!probe_fetch_add(w->fetch, offset))
		return not_possible(w, _("'%s' is a structure in a register, which the kernel "
					 "cannot take apart"));
	w->is_member = true;
	w->owner = m->name;
	if (!die_type(&w->member, &w->type))
		return not_possible(w, _("the type of '%s' is not known"));
	return 0;
}

static int walk_members(struct walk *w, const struct probe_member *m, bool user)
{
	int ret = 0;

	for (; m && !ret; m = m->next) {
		int tag = dwarf_tag(&w->type);

		if (w->is_part_of_array)
			return not_possible(w, _("'%s' is an array: it has no members"));
		if (m->name[0] != '[') {
			ret = step_member(w, m);
		} else if (tag != DW_TAG_array_type && tag != DW_TAG_pointer_type) {
			return not_possible(w, _("'%s' is no array and no pointer"));
		} else {
			w->is_member = false;
			ret = step_element(w, &m);
		}
		if (!ret && user)
			probe_fetch_user(w->fetch);
	}
	return ret;
}

/* ---- types ---- */

static bool is_string(const char *cast)
{
	return cast && (!strcmp(cast, "string") || !strcmp(cast, "ustring"));
}

static bool is_character(Dwarf_Die *type)
{
	Dwarf_Word encoding;

	return dwarf_bytesize(type) == 1 && die_udata(type, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char ||
		encoding == DW_ATE_UTF);
}

static int type_as_string(struct walk *w, const char *cast, bool user, struct probe_value *ret)
{
	int tag = dwarf_tag(&w->type);
	Dwarf_Die element;

	if (tag != DW_TAG_pointer_type && tag != DW_TAG_array_type)
		return not_possible(w, _("'%s' is no pointer and no array, so it is no string"));
	if (!die_type(&w->type, &element) || !is_character(&element))
		return not_possible(w, _("'%s' does not point to characters, so it is no string"));
	if (tag == DW_TAG_pointer_type) {
		if (probe_fetch_follow(w->fetch, w->err))
			return -EINVAL;
		if (user)
			probe_fetch_user(w->fetch);
	}
	ret->type = cast;
	return 0;
}

/* "b3@5/32": as many bits, from the least significant one on, of an integer of so many bits. */
static int type_as_bits(struct walk *w, struct arena *mem, struct probe_value *ret)
{
	int bits = dwarf_bitsize(&w->member), from_top = dwarf_bitoffset(&w->member);
	int bytes = dwarf_bytesize(&w->member);
	Dwarf_Word start, size;
	long at;

	if (bytes <= 0 && !dwarf_aggregate_size(&w->type, &size))
		bytes = (int)size;
	if (bytes <= 0 || bytes > 8)
		return not_possible(w, _("the place of the bit field '%s' is not known"));
	if (die_udata(&w->member, DW_AT_data_bit_offset, &start))
		at = (long)(start % ((Dwarf_Word)bytes * 8));
	else
		at = bytes * 8 - from_top - bits;
	if (at < 0 || at + bits > bytes * 8)
		return not_possible(w, _("the place of the bit field '%s' is not known"));
	ret->type = arena_printf(mem, "b%d@%ld/%d", bits, at, bytes * 8);
	return ret->type ? 0 : ptui_error_nomem(w->err);
}

static int type_of_value(struct walk *w, const struct probe_arg *arg, struct arena *mem,
			 struct probe_value *ret)
{
	const char *cast = arg->type;
	char letter;
	int bytes;

	if (is_string(cast))
		return type_as_string(w, cast, arg->user, ret);
	if (cast && strcmp(cast, "x") && strcmp(cast, "s") && strcmp(cast, "u")) {
		ret->type = cast;
		return 0;
	}
	if (w->is_member && dwarf_bitsize(&w->member) > 0)
		return type_as_bits(w, mem, ret);
	bytes = w->is_part_of_array ? 0 : dwarf_bytesize(&w->type);
	if (bytes <= 0)
		return 0;
	letter = cast ? *cast : die_is_signed(&w->type) ? 's' : 'x';
	ret->type = arena_printf(mem, "%c%d", letter, bytes > 8 ? 64 : bytes * 8);
	return ret->type ? 0 : ptui_error_nomem(w->err);
}

/* ---- a whole argument ---- */

static int name_of_arg(const struct probe_arg *arg, struct arena *mem, struct probe_value *ret)
{
	struct buf text = BUF_INIT;
	char *colon, *copy;

	if (arg->name) {
		ret->name = arg->name;
		return 0;
	}
	probe_arg_format(arg, &text);
	copy = text.err ? NULL : arena_strdup(mem, buf_str(&text));
	buf_release(&text);
	colon = copy ? strchr(copy, ':') : NULL;
	if (colon)
		*colon = '_';
	ret->name = copy;
	return copy ? 0 : -ENOMEM;
}

int probe_variable_fetch(struct probe_binary *b, const struct probe_place *place,
			 const struct probe_arg *arg, struct arena *mem, struct probe_value *ret,
			 struct ptui_error *err)
{
	struct probe_fetch fetch = PROBE_FETCH_INIT;
	struct walk w = { .owner = arg->var, .fetch = &fetch, .err = err };
	Dwarf_Die die;
	int error;

	memset(ret, 0, sizeof(*ret));
	if (!probe_arg_is_variable(arg)) {
		*ret = (struct probe_value){ arg->name, arg->var, arg->type };
		return 0;
	}
	if (name_of_arg(arg, mem, ret))
		return ptui_error_nomem(err);
	if (!find_variable(place, arg->var, &die))
		return 0;
	error = probe_fetch_locate(b, place, &die, &fetch, err);
	if (error == -ENOENT)
		return 0;
	if (error == -ENOTSUP || error == -EDOM) {
		ptui_error_set(
			err, PTUI_ERROR_INPUT, -error, arg->var,
			error == -EDOM ?
				_("'%s' is in a register that probes cannot read at this place") :
				_("'%s' is not in memory or in a register at this place: the "
				  "compiler computes it"),
			arg->var);
		ptui_error_hint(err, _("probe at another line, where -V lists it"));
		return error;
	}
	if (error)
		return error;
	if (!die_type(&die, &w.type))
		return not_possible(&w, _("the type of '%s' is not known"));
	error = walk_members(&w, arg->members, arg->user);
	if (!error)
		error = type_of_value(&w, arg, mem, ret);
	if (error)
		return error;
	ret->fetch = probe_fetch_text(&fetch, mem);
	return ret->fetch ? 0 : ptui_error_nomem(err);
}

/* ---- all of them ---- */

struct collect {
	struct probe_binary *b;
	const struct probe_place *place;
	enum probe_variable_kind kind;
	bool all;
	probe_variable_fn fn;
	void *ctx;
	int ret;
};

bool probe_variable_is_valid(struct probe_binary *b, const struct probe_place *place,
			     Dwarf_Die *die)
{
	struct probe_fetch fetch = PROBE_FETCH_INIT;

	return !probe_fetch_locate(b, place, die, &fetch, NULL);
}

static enum die_step visit_variable(Dwarf_Die *die, void *ctx)
{
	struct collect *c = ctx;
	int tag = dwarf_tag(die);
	Dwarf_Attribute attr;

	if ((tag == DW_TAG_formal_parameter ||
	     (tag == DW_TAG_variable && c->kind != PROBE_PARAMETERS)) &&
	    dwarf_diename(die) &&
	    (probe_variable_is_valid(c->b, c->place, die) ||
	     (c->all && dwarf_attr(die, DW_AT_location, &attr)))) {
		c->ret = c->fn(c->ctx, die);
		if (c->ret)
			return DIE_STOP;
	}
	return c->kind != PROBE_EXTERNALS && dwarf_haspc(die, c->place->addr) > 0 ? DIE_ENTER :
										    DIE_PASS;
}

int probe_variables_at(struct probe_binary *b, const struct probe_place *place,
		       enum probe_variable_kind kind, bool all, probe_variable_fn fn, void *ctx)
{
	struct collect c = { b, place, kind, all, fn, ctx, 0 };
	Dwarf_Die root = kind == PROBE_EXTERNALS ? place->unit : place->scope, unused;

	die_find(&root, visit_variable, &c, &unused);
	return c.ret;
}
