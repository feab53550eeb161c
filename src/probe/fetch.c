/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "probe/fetch.h"
#include "probe/variable.h"

int probe_fetch_follow(struct probe_fetch *f, struct ptui_error *err)
{
	if (f->n_refs == PROBE_FETCH_DEPTH)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("the argument follows more pointers than the kernel can"));
	f->refs[f->n_refs].offset = 0;
	f->refs[f->n_refs++].user = false;
	return 0;
}

bool probe_fetch_add(struct probe_fetch *f, long offset)
{
	if (f->n_refs)
		f->refs[f->n_refs - 1].offset += offset;
	else if (f->symbol || f->is_address)
		f->at += offset;
	else
		return false;
	return true;
}

void probe_fetch_user(struct probe_fetch *f)
{
	if (f->n_refs)
		f->refs[f->n_refs - 1].user = true;
}

const char *probe_fetch_text(const struct probe_fetch *f, struct arena *mem)
{
	struct buf text = BUF_INIT;
	const char *ret;

	for (size_t i = f->n_refs; i-- > 0;)
		buf_addf(&text, f->refs[i].user ? "+u%ld(" : "%+ld(", f->refs[i].offset);
	if (f->symbol)
		buf_addf(&text, "@%s%+lld", f->symbol, (long long)f->at);
	else if (f->is_address)
		buf_addf(&text, "@+%lld", (long long)f->at);
	else
		buf_add_str(&text, f->base);
	for (size_t i = 0; i < f->n_refs; i++)
		buf_add_char(&text, ')');
	ret = text.err ? NULL : arena_strdup(mem, buf_str(&text));
	buf_release(&text);
	return ret;
}

/* ---- static memory ---- */

/*
 * Uprobes read at an offset from where the probed file is mapped ("@+OFFSET"). The kernel adds it to the
 * address of the code's first byte in the file, so it is an offset only for bytes as far from the code as
 * they are in the file; others need the difference of the addresses.
 */
static int static_at(struct probe_binary *b, const struct probe_place *place, Dwarf_Addr addr,
		     struct probe_fetch *ret)
{
	uint64_t code_off;

	if (!dso_file_rva_to_off(b->file, place->addr, &code_off))
		return -ENOTSUP;
	ret->is_address = true;
	ret->at = (int64_t)(addr - (place->addr - code_off));
	return ret->at >= 0 ? 0 : -ENOTSUP;
}

static int locate_static(struct probe_binary *b, const struct probe_place *place, Dwarf_Die *die,
			 const Dwarf_Addr *addr, struct probe_fetch *ret, struct ptui_error *err)
{
	const char *name = die_linkage_name(die);
	const struct probe_symbol *symbol;
	int error;

	name = name ? name : dwarf_diename(die);
	if (!name)
		return -ENOENT;
	if (b->is_kernel) {
		ret->symbol = name;
		return 0;
	}
	if (addr)
		return static_at(b, place, *addr, ret);
	error = probe_binary_symbols(b, err);
	if (error)
		return error;
	symbol = probe_binary_symbol_named(b, name);
	return symbol ? static_at(b, place, symbol->addr, ret) : -ENOENT;
}

static bool static_address(Dwarf_Die *die, Dwarf_Addr at, Dwarf_Addr *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, at, &ops, &n, 1) <= 0 || n != 1 ||
	    ops[0].atom != DW_OP_addr)
		return false;
	*ret = ops[0].number;
	return true;
}

/* ---- expressions ---- */

struct expression {
	const struct probe_binary *b;
	const struct probe_place *place;
	const Dwarf_Op *ops;
	size_t n;
	struct probe_fetch *ret;
};

static int set_register(struct expression *e, unsigned number)
{
	const char *name = probe_register_name(e->b->machine, number);

	if (!name)
		return -EDOM;
	snprintf(e->ret->base, sizeof(e->ret->base), "%s", name);
	return 0;
}

static int set_memory(struct expression *e, unsigned number, long offset)
{
	int ret = set_register(e, number);

	if (ret)
		return ret;
	ret = probe_fetch_follow(e->ret, NULL);
	if (!ret)
		probe_fetch_add(e->ret, offset);
	return ret;
}

/* The first operation: a register, or memory at a register. */
static int first_op(struct expression *e, bool *ret_in_register)
{
	const Dwarf_Op *op = &e->ops[0];
	long offset = 0;

	*ret_in_register = false;
	if (op->atom == DW_OP_fbreg) {
		if (!e->place->frame)
			return -ENOTSUP;
		offset = (long)op->number;
		op = &e->place->frame[0];
		if (e->place->n_frame != 1)
			return -ENOTSUP;
		if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
			return set_memory(e, op->atom - DW_OP_reg0, offset);
		if (op->atom == DW_OP_regx)
			return set_memory(e, (unsigned)op->number, offset);
	}
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return set_memory(e, op->atom - DW_OP_breg0, offset + (long)op->number);
	if (op->atom == DW_OP_bregx)
		return set_memory(e, (unsigned)op->number, offset + (long)op->number2);
	*ret_in_register = true;
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return set_register(e, op->atom - DW_OP_reg0);
	if (op->atom == DW_OP_regx)
		return set_register(e, (unsigned)op->number);
	return -ENOTSUP;
}

static bool constant(const Dwarf_Op *op, int64_t *ret)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		*ret = op->atom - DW_OP_lit0;
	else if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts)
		*ret = (int64_t)op->number;
	else
		return false;
	return true;
}

/* "*(register + offset) ... stack_value": the value itself, if the kernel can compute it. */
static int take_value(struct probe_fetch *f)
{
	if (!f->n_refs || f->refs[f->n_refs - 1].offset)
		return -ENOTSUP;
	f->n_refs--;
	return 0;
}

static int run_expression(struct expression *e)
{
	bool in_register;
	int64_t value;
	int ret;

	if (e->n == 2 && constant(&e->ops[0], &value) && e->ops[1].atom == DW_OP_stack_value) {
		snprintf(e->ret->base, sizeof(e->ret->base), "\\%lld", (long long)value);
		return 0;
	}
	ret = first_op(e, &in_register);
	if (ret || e->n == 1)
		return ret;
	for (size_t i = 1; i < e->n; i++) {
		const Dwarf_Op *op = &e->ops[i];

		if (in_register)
			return -ENOTSUP;
		if (op->atom == DW_OP_deref)
			ret = probe_fetch_follow(e->ret, NULL) ? -ENOTSUP : 0;
		else if (op->atom == DW_OP_plus_uconst)
			ret = probe_fetch_add(e->ret, (long)op->number) ? 0 : -ENOTSUP;
		else if (op->atom == DW_OP_stack_value && i + 1 == e->n)
			ret = take_value(e->ret);
		else
			ret = -ENOTSUP;
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * A parameter has no location at the entry if the compiler put code for tracers (fentry) there: it is where
 * it is at the first address that has one.
 */
static bool later_location(const struct probe_place *place, Dwarf_Die *die, Dwarf_Attribute *attr,
			   Dwarf_Op **ret_ops, size_t *ret_n)
{
	Dwarf_Die function = place->function;
	Dwarf_Addr entry, start, end, base, best = UINT64_MAX;
	ptrdiff_t off = 0;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_tag(die) != DW_TAG_formal_parameter || dwarf_entrypc(&function, &entry) ||
	    entry != place->addr)
		return false;
	while ((off = dwarf_getlocations(attr, off, &base, &start, &end, &ops, &n)) > 0) {
		if (start < place->addr || start >= best || dwarf_haspc(&function, start) <= 0)
			continue;
		best = start;
		*ret_ops = ops;
		*ret_n = n;
	}
	return best != UINT64_MAX;
}

static int locate_constant(Dwarf_Attribute *attr, struct probe_fetch *ret)
{
	Dwarf_Sword value;

	if (dwarf_formsdata(attr, &value))
		return -ENOTSUP; /* a string, or larger than a register */
	snprintf(ret->base, sizeof(ret->base), "\\%lld", (long long)value);
	return 0;
}

int probe_fetch_locate(struct probe_binary *b, const struct probe_place *place, Dwarf_Die *die,
		       struct probe_fetch *ret, struct ptui_error *err)
{
	struct expression e = { .b = b, .place = place, .ret = ret };
	Dwarf_Attribute attr;
	Dwarf_Addr addr;
	Dwarf_Op *ops;

	if (static_address(die, place->addr, &addr))
		return locate_static(b, place, die, &addr, ret, err);
	if (dwarf_attr(die, DW_AT_external, &attr))
		return dwarf_attr(die, DW_AT_location, &attr) ? /* of a thread */
			       -ENOTSUP :
			       locate_static(b, place, die, NULL, ret, err);
	if (dwarf_attr(die, DW_AT_const_value, &attr))
		return locate_constant(&attr, ret);
	if (!dwarf_attr(die, DW_AT_location, &attr))
		return -ENOENT;
	if (dwarf_getlocation_addr(&attr, place->addr, &ops, &e.n, 1) <= 0 &&
	    !later_location(place, die, &attr, &ops, &e.n))
		return -ENOENT;
	if (!e.n)
		return -ENOENT;
	e.ops = ops;
	return run_expression(&e);
}
