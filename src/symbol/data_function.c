/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/data_function.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

/* Bounds for debug information that is damaged: its links may form loops. */
#define SCOPE_DEPTH 64
#define DIES_MAX    100000
#define RANGES_MAX  10000 /* of a variable */

/* ---- DWARF expressions ---- */

static bool op_base(const Dwarf_Op *op, unsigned *ret_reg, int64_t *ret_offset)
{
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

static bool op_register(const Dwarf_Op *op, unsigned *ret_reg)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*ret_reg = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx && op->number < UINT16_MAX)
		*ret_reg = (unsigned)op->number;
	else
		return false;
	return true;
}

/* False: it is nowhere, in several places, or computed in another way. */
static bool find_place(const Dwarf_Op *ops, size_t n, struct data_variable *ret)
{
	uint64_t addr;

	if (n == 2 && ops[1].atom == DW_OP_stack_value && op_base(ops, &ret->reg, &ret->offset)) {
		ret->kind = DATA_FROM_REGISTER;
		return true;
	}
	if (debug_static_address(ops, n, &addr)) {
		ret->kind = DATA_AT_ADDRESS;
		ret->offset = (int64_t)addr;
		return true;
	}
	if (n != 1)
		return false;
	ret->offset = (int64_t)ops[0].number;
	if (op_register(ops, &ret->reg))
		ret->kind = DATA_IN_REGISTER;
	else if (op_base(ops, &ret->reg, &ret->offset))
		ret->kind = DATA_AT_REGISTER;
	else if (ops[0].atom == DW_OP_fbreg)
		ret->kind = DATA_AT_FRAME;
	else
		return false;
	return true;
}

/* ---- variables and calls ---- */

struct reader {
	struct data_function *f;
	unsigned budget;
	bool failed; /* no memory */
};

static void add_variable(struct reader *r, const struct data_variable *v)
{
	struct data_function *f = r->f;

	if (v->start >= v->end)
		return;
	if (vec_grow(&f->vars, &f->cap_vars, f->n_vars + 1))
		r->failed = true;
	else
		f->vars[f->n_vars++] = *v;
}

/* One place for all of its scope. */
static void add_in_scope(struct reader *r, Dwarf_Die *scope, struct data_variable *v)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	for (unsigned i = 0;
	     i < RANGES_MAX && (at = dwarf_ranges(scope, at, &base, &start, &end)) > 0; i++) {
		v->start = start;
		v->end = end;
		add_variable(r, v);
	}
}

static void read_variable(struct reader *r, Dwarf_Die *scope, Dwarf_Die *die, unsigned depth)
{
	struct data_variable v = { .die = *die, .depth = depth };
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr))
		return;
	for (unsigned i = 0; i < RANGES_MAX && (at = dwarf_getlocations(&attr, at, &base, &start,
									&end, &ops, &n)) > 0;
	     i++) {
		if (!find_place(ops, n, &v))
			continue;
		if (!start && end == UINT64_MAX) {
			add_in_scope(r, scope, &v);
			return;
		}
		v.start = start;
		v.end = end;
		add_variable(r, &v);
	}
}

/* Compilers describe calls when they optimize. */
static void read_call(struct reader *r, Dwarf_Die *die)
{
	struct data_function *f = r->f;
	struct data_call call;
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (dwarf_formaddr(dwarf_attr(die, DW_AT_call_return_pc, &attr), &call.after) &&
	    dwarf_formaddr(dwarf_attr(die, DW_AT_low_pc, &attr), &call.after))
		return;
	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_call_origin, &attr), &origin) &&
	    !dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin))
		return;
	if (!data_type_of(&origin, &call.type))
		return;
	if (vec_grow(&f->calls, &f->cap_calls, f->n_calls + 1))
		r->failed = true;
	else
		f->calls[f->n_calls++] = call;
}

static void read_scope(struct reader *r, Dwarf_Die *scope, unsigned depth)
{
	Dwarf_Die die;
	int more;

	for (more = dwarf_child(scope, &die); !more && r->budget && !r->failed;
	     more = dwarf_siblingof(&die, &die)) {
		r->budget--;
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			read_variable(r, scope, &die, depth);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			read_call(r, &die);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (depth < SCOPE_DEPTH)
				read_scope(r, &die, depth + 1);
			break;
		default:
			break;
		}
	}
}

/* Inner scopes first: their names hide those of the outer ones. */
static int variable_compare(const void *a, const void *b)
{
	const struct data_variable *va = a, *vb = b;

	if (va->depth != vb->depth)
		return va->depth > vb->depth ? -1 : 1;
	return va->die.addr < vb->die.addr ? -1 : va->die.addr > vb->die.addr;
}

/* ---- code ---- */

static int jump_compare(const void *a, const void *b)
{
	const struct data_jump *ja = a, *jb = b;

	return ja->to != jb->to ? (ja->to < jb->to ? -1 : 1) : ja->from < jb->from ? -1 : 1;
}

/* `from` is an instruction, `to` still an offset. */
static bool add_jump(struct data_function *f, uint32_t to, size_t from)
{
	if (vec_grow(&f->jumps, &f->cap_jumps, f->n_jumps + 1))
		return false;
	f->jumps[f->n_jumps++] = (struct data_jump){ to, (uint32_t)from };
	return true;
}

/* Ends where bytes are no instruction. False: no memory. */
static bool read_code(struct data_function *f)
{
	size_t at = 0, n = 0;

	while (at < f->n) {
		struct instruction insn;

		if (!instruction_decode(f->machine, f->start + at, f->bytes + at, f->n - at, &insn))
			break;
		if (vec_grow(&f->insns, &f->cap_insns, f->n_insns + 1))
			return false;
		if ((insn.kind == INSTRUCTION_JUMP || insn.kind == INSTRUCTION_BRANCH) &&
		    insn.target && insn.target - f->start < f->n &&
		    !add_jump(f, (uint32_t)(insn.target - f->start), f->n_insns))
			return false;
		f->insns[f->n_insns++] = (uint32_t)at;
		at += insn.bytes;
	}
	/* those into the middle of an instruction are of code that was not understood */
	for (size_t i = 0; i < f->n_jumps; i++) {
		struct data_jump j = f->jumps[i];

		j.to = data_function_find(f, f->start + j.to);
		if (j.to != PTUI_NONE)
			f->jumps[n++] = j;
	}
	f->n_jumps = n;
	if (n)
		qsort(f->jumps, n, sizeof(*f->jumps), jump_compare);
	return true;
}

static bool read_stores(struct data_function *f)
{
	for (size_t i = 0; i < f->n_insns; i++) {
		struct instruction insn;
		unsigned reg;
		int64_t offset;

		data_function_insn(f, i, &insn);
		if (insn.kind != INSTRUCTION_STORE || insn.memory.kind != MEMORY_REGISTER ||
		    insn.memory.indexed ||
		    !data_function_cfa(f, data_function_addr(f, i), &reg, &offset) ||
		    reg != insn.memory.base)
			continue;
		if (vec_grow(&f->stores, &f->cap_stores, f->n_stores + 1))
			return false;
		f->stores[f->n_stores++] = (struct data_store){
			(int64_t)((uint64_t)insn.memory.offset - (uint64_t)offset), (uint32_t)i,
			insn.src
		};
	}
	return true;
}

/* ---- lifetime ---- */

struct data_function *data_function_new(struct debug_info *d, struct dso_file *runtime,
					const struct data_code *code, uint64_t addr)
{
	struct data_function *f = calloc(1, sizeof(*f));
	Dwarf_Die scopes[DEBUG_INFO_INLINE_MAX];
	struct reader r = { .f = f, .budget = DIES_MAX };
	uint64_t laid;
	size_t n;

	if (!f)
		return NULL;
	f->d = d;
	f->runtime = runtime;
	f->machine = code->machine;
	f->start = code->addr;
	f->n = code->n;
	f->bytes = malloc(code->n ? code->n : 1);
	if (!f->bytes)
		goto fail;
	memcpy(f->bytes, code->bytes, code->n);
	n = debug_info_scopes(d, addr, scopes, DEBUG_INFO_INLINE_MAX, &laid);
	f->shift = laid - addr;
	if (n) {
		f->die = scopes[n - 1];
		f->has_die = true;
		read_scope(&r, &f->die, 0);
	}
	if (f->n_vars)
		qsort(f->vars, f->n_vars, sizeof(*f->vars), variable_compare);
	if (!r.failed && read_code(f) && read_stores(f))
		return f;
fail:
	data_function_free(f);
	return NULL;
}

void data_function_free(struct data_function *f)
{
	if (!f)
		return;
	free(f->bytes);
	free(f->insns);
	free(f->jumps);
	free(f->vars);
	free(f->calls);
	free(f->stores);
	free(f->frames);
	free(f);
}

/* ---- lookups ---- */

uint32_t data_function_find(const struct data_function *f, uint64_t addr)
{
	uint64_t off = addr - f->start;
	size_t i = bisect(at, f->n_insns, f->insns[at] <= off);

	return i && f->insns[i - 1] == off ? (uint32_t)(i - 1) : PTUI_NONE;
}

void data_function_insn(const struct data_function *f, size_t i, struct instruction *ret)
{
	instruction_decode(f->machine, data_function_addr(f, i), f->bytes + f->insns[i],
			   f->n - f->insns[i], ret);
}

/* Looked up once for all addresses that have the same. */
static const struct data_frame *find_frame(struct data_function *f, uint64_t at)
{
	struct data_frame *frame;
	Dwarf_Frame *cfi;
	const Dwarf_Op *cfa;
	Dwarf_Addr start, end;
	size_t n;

	for (size_t i = f->n_frames; i-- > 0;)
		if (at >= f->frames[i].start && at < f->frames[i].end)
			return &f->frames[i];
	if (vec_grow(&f->frames, &f->cap_frames, f->n_frames + 1))
		return NULL;
	frame = &f->frames[f->n_frames++];
	/* without call frame information there is none for all of the function */
	*frame = (struct data_frame){ .start = f->start + f->shift,
				      .end = f->start + f->shift + f->n };
	cfa = debug_info_cfa(f->d, f->runtime, at, &n, &cfi);
	if (cfa) {
		bool is_range = dwarf_frame_info(cfi, &start, &end, NULL) >= 0 && start <= at &&
				at < end;

		frame->start = is_range ? start : at;
		frame->end = is_range ? end : at + 1;
	}
	frame->known = cfa && n == 1 && op_base(cfa, &frame->reg, &frame->offset);
	free(cfi);
	return frame;
}

bool data_function_cfa(struct data_function *f, uint64_t addr, unsigned *ret_reg,
		       int64_t *ret_offset)
{
	const struct data_frame *frame = find_frame(f, addr + f->shift);

	if (!frame || !frame->known)
		return false;
	*ret_reg = frame->reg;
	*ret_offset = frame->offset;
	return true;
}

bool data_function_frame_base(struct data_function *f, uint64_t addr, unsigned *ret_reg,
			      int64_t *ret_offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!f->has_die || !dwarf_attr_integrate(&f->die, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, addr + f->shift, &ops, &n, 1) <= 0 || n != 1)
		return false;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		return data_function_cfa(f, addr, ret_reg, ret_offset);
	*ret_offset = 0;
	return op_register(ops, ret_reg) || op_base(ops, ret_reg, ret_offset);
}

bool data_function_returns(struct data_function *f, uint64_t after, uint64_t target, Dwarf_Die *ret)
{
	Dwarf_Die scopes[DEBUG_INFO_INLINE_MAX];
	uint64_t laid, start;
	size_t n;

	for (size_t i = 0; i < f->n_calls; i++) {
		if (f->calls[i].after != after + f->shift)
			continue;
		*ret = f->calls[i].type;
		return true;
	}
	n = target && !debug_info_is_relocatable(f->d) ?
		    debug_info_scopes(f->d, target, scopes, DEBUG_INFO_INLINE_MAX, &laid) :
		    0;
	return n && !dwarf_lowpc(&scopes[n - 1], &start) && start == laid &&
	       data_type_of(&scopes[n - 1], ret);
}
