/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules to rows: whatever needs only SP, FP and the stack gets a row of 16 bytes.
 *
 * The expressions that occur often are recognised:
 *
 *   breg SP n; deref                CFA of signal frames (__restore_rt): in the saved context
 *   breg FP n; deref                CFA of functions that realign the stack
 *   breg SP n, breg FP n            where a register is saved
 *   breg SP 8; breg IP 0; lit15; and; lit11; ge; lit3; shl; plus
 *                                   CFA in a PLT: the second half of an entry has pushed one word more
 */
#include <dwarf.h>
#include "unwind/bytes.h"
#include "unwind/private.h"

static struct cursor expression(const struct unwind_table *t, const struct cfi_state *s,
				const struct cfi_rule *rule)
{
	struct cursor c;

	cursor_init(&c, s->section->bytes + rule->off, rule->reg, t->swap);
	return c;
}

/* `breg reg n`, with *ret_off = n. */
static bool is_breg(struct cursor *c, unsigned reg, int64_t *ret_off)
{
	if (reg > 31 || cursor_u8(c) != DW_OP_breg0 + reg)
		return false;
	*ret_off = bytes_sleb(c);
	return !c->bad;
}

static bool fits(int64_t off)
{
	return off >= INT32_MIN && off <= INT32_MAX;
}

/* What follows `breg SP n` in a PLT; `low` is the literal at which the second half of an entry begins. */
static bool is_plt(struct cursor c, const struct unwind_arch *a, uint8_t *ret_low)
{
	int64_t zero;
	uint8_t low;

	if (!is_breg(&c, a->ra, &zero) || zero || cursor_u8(&c) != DW_OP_lit15 ||
	    cursor_u8(&c) != DW_OP_and)
		return false;
	low = cursor_u8(&c);
	*ret_low = low - DW_OP_lit0;
	return low >= DW_OP_lit0 && low <= DW_OP_lit15 && cursor_u8(&c) == DW_OP_ge &&
	       cursor_u8(&c) == (a->word == 8 ? DW_OP_lit3 : DW_OP_lit2) &&
	       cursor_u8(&c) == DW_OP_shl && cursor_u8(&c) == DW_OP_plus && !cursor_left(&c);
}

static bool cfa_by_expression(const struct unwind_table *t, const struct cfi_state *s, uint64_t rva,
			      struct row *ret)
{
	const struct cfi_rule *rule = &s->rules[CFI_SLOT_CFA];
	struct cursor c = expression(t, s, rule);
	bool by_sp = is_breg(&c, t->arch->sp, &(int64_t){ 0 });
	int64_t off;
	uint8_t low;

	c = expression(t, s, rule);
	if (!is_breg(&c, by_sp ? t->arch->sp : t->arch->fp, &off) || !fits(off))
		return false;
	ret->cfa_off = (int32_t)off;
	if (by_sp && !t->arch->link && is_plt(c, t->arch, &low)) {
		ret->cfa = ROW_SP;
		ret->cfa_off += (rva & 15) >= low ? t->arch->word : 0;
		return true;
	}
	ret->cfa = by_sp ? ROW_SP_DEREF : ROW_FP_DEREF;
	return cursor_u8(&c) == DW_OP_deref && !c.bad && !cursor_left(&c);
}

static bool cfa_of(const struct unwind_table *t, const struct cfi_state *s, uint64_t rva,
		   struct row *ret)
{
	const struct cfi_rule *rule = &s->rules[CFI_SLOT_CFA];

	if (rule->how == CFI_VAL_EXPR)
		return cfa_by_expression(t, s, rva, ret);
	if (rule->how != CFI_REG || (rule->reg != t->arch->sp && rule->reg != t->arch->fp) ||
	    !fits(rule->off))
		return false;
	ret->cfa = rule->reg == t->arch->sp ? ROW_SP : ROW_FP;
	ret->cfa_off = (int32_t)rule->off;
	return true;
}

static bool saved_of(const struct unwind_table *t, const struct cfi_state *s,
		     const struct cfi_rule *rule, uint8_t *ret_saved, int32_t *ret_off)
{
	int64_t off = rule->off;
	struct cursor c;
	bool by_sp;

	*ret_off = 0;
	switch (rule->how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
		*ret_saved = SAVED_SAME;
		return true;
	case CFI_AT_CFA:
		*ret_saved = SAVED_AT_CFA;
		break;
	case CFI_AT_EXPR:
		c = expression(t, s, rule);
		by_sp = is_breg(&c, t->arch->sp, &off);
		if (!by_sp)
			c = expression(t, s, rule);
		if ((!by_sp && !is_breg(&c, t->arch->fp, &off)) || cursor_left(&c))
			return false;
		*ret_saved = by_sp ? SAVED_AT_SP : SAVED_AT_FP;
		break;
	default:
		return false;
	}
	*ret_off = (int32_t)off;
	return fits(off);
}

/* Whether the caller's SP is what follows from the CFA, in spite of a rule of its own. */
static bool sp_follows(const struct unwind_table *t, const struct cfi_state *s,
		       const struct row *row)
{
	const struct cfi_rule *rule = &s->rules[CFI_SLOT_SP];
	uint8_t saved;
	int32_t off;

	switch (rule->how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
	case CFI_UNDEFINED:
		return true;
	case CFI_VAL_CFA:
		return rule->off == t->arch->sp_minus_cfa;
	case CFI_AT_CFA: /* s390x saves it with the other registers */
		return t->arch->sp_minus_cfa;
	default: /* signal frames: both are the same word of the saved context */
		return row->cfa == ROW_SP_DEREF && !t->arch->sp_minus_cfa &&
		       saved_of(t, s, rule, &saved, &off) && saved == SAVED_AT_SP &&
		       off == row->cfa_off;
	}
}

static void row_and_state_at(const struct unwind_table *t, uint64_t rva, struct row *ret,
			     struct cfi_state *s)
{
	const struct cfi_rule *ra = &s->rules[CFI_SLOT_RA];

	memset(ret, 0, sizeof(*ret));
	switch (cfi_state_at(t, rva, CFI_NO_REG, s)) {
	case CFI_NONE:
		ret->cfa = ROW_NONE;
		return;
	case CFI_BAD:
		ret->cfa = ROW_BAD;
		return;
	case CFI_OK:
		break;
	}
	if (s->signal_frame)
		ret->flags = ROW_SIGNAL;
	if (ra->how == CFI_UNDEFINED) {
		ret->cfa = ROW_START;
		return;
	}
	/* It is in a register: only in a frame that called nothing, unless `ra` names the register. */
	if (!cfa_of(t, s, rva, ret) || !sp_follows(t, s, ret) ||
	    !saved_of(t, s, ra, &ret->ra, &ret->ra_off) ||
	    !saved_of(t, s, &s->rules[CFI_SLOT_FP], &ret->fp, &ret->fp_off) ||
	    (ret->ra == SAVED_SAME && s->ra_column != t->arch->ra))
		ret->cfa = ROW_SLOW;
}

void row_at(const struct unwind_table *t, uint64_t rva, struct row *ret)
{
	struct cfi_state s;

	row_and_state_at(t, rva, ret, &s);
}

bool unwind_table_skips_caller(const struct unwind_table *t, uint64_t rva, uint64_t *ret_from,
			       uint64_t *ret_to)
{
	struct cfi_state s = { .from = rva, .to = rva };
	struct row row;

	*ret_from = *ret_to = rva;
	if (t->arch->link)
		return false;
	row_and_state_at(t, rva, &row, &s);
	*ret_from = s.from;
	*ret_to = s.to;
	if (row.cfa != ROW_SP || row.ra != SAVED_AT_CFA)
		return false;
	/* Go saves the frame pointer in each function that has a frame */
	return !s.section->is_go || row.cfa_off <= t->arch->word;
}

bool unwind_table_pushes_fp(const struct unwind_table *t, uint64_t rva)
{
	static const uint8_t after[] = { 1, 5 }; /* push %rbp; endbr64, push %rbp */
	int64_t word = t->arch->word;
	struct cfi_state s;
	struct row row;

	row_and_state_at(t, rva, &row, &s);
	if (row.cfa != ROW_SP || row.cfa_off != word || s.from != rva)
		return false;
	for (size_t i = 0; i < sizeof(after); i++) {
		row_and_state_at(t, rva + after[i], &row, &s);
		if (row.cfa == ROW_SP && row.cfa_off == 2 * word && row.fp == SAVED_AT_CFA &&
		    row.fp_off == -2 * word && s.from == rva + after[i])
			return true;
	}
	return false;
}
