/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs CFA programs: the rules of the CFA and of a few registers at an address.
 *
 * Only the registers of interest are followed (enum cfi_slot); rules of others are skipped, so a state is
 * small and remembering it is cheap.
 */
#include <dwarf.h>
#include "unwind/bytes.h"
#include "unwind/cfi.h"

#define REMEMBER_MAX 8 /* compilers nest to 1, hand-written assembly to 2 */
#define PROGRAM_BYTES_MAX \
	(1u << 18)	       /* the largest seen has 30 KB; this bounds the work per address */
#define CFA_AARCH64_RA_PC 0x2c /* DW_CFA_AARCH64_negate_ra_state_with_pc */
#define CFA_MIPS_LOC8	  0x1d /* DW_CFA_MIPS_advance_loc8 */

struct run {
	const struct unwind_table *t;
	const struct cfi_section *section;
	const struct cfi_cie *cie;
	struct cursor c;
	uint64_t loc, rva;
	uint64_t row;		  /* where the row before `loc` begins */
	uint32_t regs[CFI_SLOTS]; /* DWARF numbers by slot; that of the CFA is none */
	struct cfi_rule rules[CFI_SLOTS], initial[CFI_SLOTS];
	struct cfi_rule remembered[REMEMBER_MAX][CFI_SLOTS];
	unsigned n_remembered;
};

static void set_rule(struct run *r, uint64_t reg, enum cfi_how how, uint64_t n, int64_t off)
{
	for (unsigned i = CFI_SLOT_CFA + 1; i < CFI_SLOTS; i++)
		if (r->regs[i] == reg)
			r->rules[i] = (struct cfi_rule){ how, (uint32_t)n, off };
}

static void restore_rule(struct run *r, uint64_t reg)
{
	for (unsigned i = CFI_SLOT_CFA + 1; i < CFI_SLOTS; i++)
		if (r->regs[i] == reg)
			r->rules[i] = r->initial[i];
}

static int64_t factored(const struct run *r, uint64_t n)
{
	return (int64_t)(n * (uint64_t)r->cie->data_align);
}

static bool set_cfa(struct run *r, uint64_t reg, int64_t off)
{
	r->rules[CFI_SLOT_CFA] = (struct cfi_rule){ CFI_REG, (uint32_t)reg, off };
	return reg < CFI_NO_REG;
}

/* The bytes of an expression are skipped; its place is kept. */
static struct cfi_rule expression(struct run *r, enum cfi_how how)
{
	uint64_t n = bytes_uleb(&r->c);
	int64_t off = r->c.p - r->section->bytes;

	if (!cursor_bytes(&r->c, n))
		return (struct cfi_rule){ CFI_UNDEFINED, 0, 0 };
	return (struct cfi_rule){ how, (uint32_t)n, off };
}

static void set_expression(struct run *r, enum cfi_how how)
{
	uint64_t reg = bytes_uleb(&r->c);
	struct cfi_rule rule = expression(r, how);

	set_rule(r, reg, how, rule.reg, rule.off);
}

static bool remember(struct run *r)
{
	if (r->n_remembered == REMEMBER_MAX)
		return false;
	memcpy(r->remembered[r->n_remembered++], r->rules, sizeof(r->rules));
	return true;
}

static bool recall(struct run *r)
{
	if (!r->n_remembered)
		return false;
	memcpy(r->rules, r->remembered[--r->n_remembered], sizeof(r->rules));
	return true;
}

static bool define_cfa(struct run *r, uint8_t op)
{
	struct cfi_rule *cfa = &r->rules[CFI_SLOT_CFA];
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = bytes_uleb(&r->c);
		return set_cfa(r, reg, (int64_t)bytes_uleb(&r->c));
	case DW_CFA_def_cfa_sf:
		reg = bytes_uleb(&r->c);
		return set_cfa(r, reg, factored(r, (uint64_t)bytes_sleb(&r->c)));
	case DW_CFA_def_cfa_register:
		reg = bytes_uleb(&r->c);
		return cfa->how == CFI_REG && set_cfa(r, reg, cfa->off);
	case DW_CFA_def_cfa_offset:
		cfa->off = (int64_t)bytes_uleb(&r->c);
		return cfa->how == CFI_REG;
	case DW_CFA_def_cfa_offset_sf:
		cfa->off = factored(r, (uint64_t)bytes_sleb(&r->c));
		return cfa->how == CFI_REG;
	default: /* DW_CFA_def_cfa_expression */
		*cfa = expression(r, CFI_VAL_EXPR);
		return true;
	}
}

static bool set_register(struct run *r, uint8_t op)
{
	uint64_t reg = bytes_uleb(&r->c), n;

	switch (op) {
	case DW_CFA_offset_extended:
	case DW_CFA_val_offset:
		n = bytes_uleb(&r->c);
		set_rule(r, reg, op == DW_CFA_val_offset ? CFI_VAL_CFA : CFI_AT_CFA, 0,
			 factored(r, n));
		break;
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset_sf:
		n = (uint64_t)bytes_sleb(&r->c);
		set_rule(r, reg, op == DW_CFA_val_offset_sf ? CFI_VAL_CFA : CFI_AT_CFA, 0,
			 factored(r, n));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		n = -bytes_uleb(&r->c);
		set_rule(r, reg, CFI_AT_CFA, 0, factored(r, n));
		break;
	case DW_CFA_restore_extended:
		restore_rule(r, reg);
		break;
	case DW_CFA_undefined:
		set_rule(r, reg, CFI_UNDEFINED, 0, 0);
		break;
	case DW_CFA_same_value:
		set_rule(r, reg, CFI_SAME, 0, 0);
		break;
	default: /* DW_CFA_register */
		n = bytes_uleb(&r->c);
		set_rule(r, reg, CFI_REG, n, 0);
		return n < CFI_NO_REG;
	}
	return true;
}

static inline bool advance(struct run *r, uint64_t delta)
{
	uint64_t to;

	r->row = r->loc;
	if (__builtin_mul_overflow(delta, r->cie->code_align, &to) ||
	    __builtin_add_overflow(r->loc, to, &to))
		to = UINT64_MAX;
	r->loc = to;
	return true;
}

/* One instruction without operand bits in its opcode. */
static bool extended(struct run *r, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: /* AArch64: negate_ra_state; the mask of code addresses does the rest */
	case CFA_AARCH64_RA_PC:
		return true;
	case DW_CFA_GNU_args_size:
		bytes_uleb(&r->c);
		return true;
	case DW_CFA_set_loc:
		r->row = r->loc;
		return cfi_pointer(r->t, r->section, &r->c, r->cie->fde_encoding, 0, &r->loc);
	case DW_CFA_advance_loc1:
		return advance(r, cursor_u8(&r->c));
	case DW_CFA_advance_loc2:
		return advance(r, cursor_u16(&r->c));
	case DW_CFA_advance_loc4:
		return advance(r, cursor_u32(&r->c));
	case CFA_MIPS_LOC8:
		return advance(r, cursor_u64(&r->c));
	case DW_CFA_remember_state:
		return remember(r);
	case DW_CFA_restore_state:
		return recall(r);
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
	case DW_CFA_def_cfa_expression:
		return define_cfa(r, op);
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_GNU_negative_offset_extended:
	case DW_CFA_restore_extended:
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_register:
		return set_register(r, op);
	case DW_CFA_expression:
		set_expression(r, CFI_AT_EXPR);
		return true;
	case DW_CFA_val_expression:
		set_expression(r, CFI_VAL_EXPR);
		return true;
	default:
		return false;
	}
}

/* The instructions that most programs consist of; false: none of them, and nothing was read. */
static inline bool common(struct run *r)
{
	struct cursor *c = &r->c;
	uint8_t op = c->p[0], low = op & 0x3f;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		c->p++;
		return advance(r, low);
	case DW_CFA_restore:
		c->p++;
		restore_rule(r, low);
		return true;
	case DW_CFA_offset:
		if (cursor_left(c) < 2 || c->p[1] >= 0x80)
			return false;
		set_rule(r, low, CFI_AT_CFA, 0, factored(r, c->p[1]));
		c->p += 2;
		return true;
	default:
		if (cursor_left(c) < 2)
			return false;
		if (op == DW_CFA_advance_loc1) {
			c->p += 2;
			return advance(r, c->p[-1]);
		}
		if (op == DW_CFA_def_cfa_offset && c->p[1] < 0x80 &&
		    r->rules[CFI_SLOT_CFA].how == CFI_REG) {
			r->rules[CFI_SLOT_CFA].off = c->p[1];
			c->p += 2;
			return true;
		}
		return false;
	}
}

/* Runs up to the first row after rva, or to the end. */
static bool run_program(struct run *r)
{
	while (r->loc <= r->rva && r->c.p < r->c.end) {
		uint8_t op = *r->c.p;

		if (common(r))
			continue;
		r->c.p++;
		if ((op & 0xc0) == DW_CFA_offset)
			set_rule(r, op & 0x3f, CFI_AT_CFA, 0, factored(r, bytes_uleb(&r->c)));
		else if (!extended(r, op))
			return false;
		if (r->c.bad)
			return false;
	}
	return true;
}

static enum cfi_result section_state_at(const struct unwind_table *t, const struct cfi_section *s,
					uint64_t rva, uint32_t wanted, struct cfi_state *ret)
{
	uint32_t off = cfi_index_find(t, s, rva);
	struct cfi_cie cie = { 0 };
	struct cfi_fde fde;
	struct run r;

	if (off == UINT32_MAX)
		return CFI_NONE;
	if (!cfi_fde_read(t, s, off, &cie, &fde))
		return CFI_BAD;
	if (rva < fde.start || rva >= fde.end)
		return CFI_NONE;
	if (cursor_left(&fde.program) > PROGRAM_BYTES_MAX ||
	    cursor_left(&cie.program) > PROGRAM_BYTES_MAX)
		return CFI_BAD;
	r.t = t;
	r.section = s;
	r.cie = &cie;
	r.rva = rva;
	r.n_remembered = 0;
	r.regs[CFI_SLOT_CFA] = CFI_NO_REG;
	r.regs[CFI_SLOT_RA] = cie.ra_column;
	r.regs[CFI_SLOT_FP] = t->arch->fp;
	r.regs[CFI_SLOT_SP] = t->arch->sp;
	r.regs[CFI_SLOT_WANTED] = wanted;
	memset(r.rules, 0, sizeof(r.rules));
	memset(r.initial, 0, sizeof(r.initial));
	r.loc = r.row = 0;
	r.c = cie.program;
	if (!run_program(&r))
		return CFI_BAD;
	memcpy(r.initial, r.rules, sizeof(r.rules));
	r.loc = fde.start;
	r.c = fde.program;
	if (!run_program(&r))
		return CFI_BAD;
	ret->section = s;
	ret->from = r.loc > rva ? r.row : r.loc;
	ret->to = r.loc > rva && r.loc < fde.end ? r.loc : fde.end;
	memcpy(ret->rules, r.rules, sizeof(r.rules));
	ret->ra_column = cie.ra_column;
	ret->signal_frame = cie.signal_frame;
	return CFI_OK;
}

enum cfi_result cfi_state_at(const struct unwind_table *t, uint64_t rva, uint32_t wanted,
			     struct cfi_state *ret)
{
	enum cfi_result result = CFI_NONE;

	for (uint32_t i = 0; i < t->n_sections && result == CFI_NONE; i++)
		result = section_state_at(t, &t->sections[i], rva, wanted, ret);
	return result;
}
