/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any register in any frame, found when it is needed: the frames that were called by frame k are asked,
 * nearest first, where they saved it; what none of them saved is still in the register of the sample.
 *
 *   frame 0   sample's registers     rbx: 7
 *   frame 1   no rule for rbx        ^
 *   frame 2   rbx saved at CFA - 24  |  <- the value in frame 3, 4, ... is here
 *   frame 3   CFA = rbx + 16         asks 2, and would ask 1 and 0
 *
 * So nothing is spent on registers for stacks that need only SP and FP. `budget` bounds the work.
 */
#include "unwind/slow.h"

#define DEPTH_MAX    4	/* expressions that need a register that an expression restores */
#define PROGRAM_COST 16 /* of the budget */

static int bad(void)
{
	return (int)UNWIND_BAD + 1;
}

int slow_read(struct stack_walk *w, uint32_t k, uint64_t addr, uint64_t *ret)
{
	(void)k;
	switch (walk_read(w, addr, ret)) {
	case READ_OK:
		return 0;
	case READ_PAST:
		return 1 + (int)walk_end_past(w);
	default:
		return 1 + (int)walk_end_below(w);
	}
}

/*
 * An epilogue has popped the register, and the one that the expression of its place needs: see
 * frame_saved_fp(). What a signal frame saves may be on another stack than the CFA.
 */
static bool is_restored(const struct frame *f, const struct cfi_state *s,
			const struct cfi_rule *rule, uint64_t addr)
{
	return rule != &s->rules[CFI_SLOT_RA] && !s->signal_frame &&
	       (addr < f->sp || addr >= f->cfa);
}

/*
 * The value that frame k's caller has in a register, by frame k's rule for it. *ret_reg is set to another
 * register of frame k (or the same) if that has the value.
 */
static int restored(struct stack_walk *w, uint32_t k, const struct cfi_state *s,
		    const struct cfi_rule *rule, unsigned depth, uint32_t *ret_reg, uint64_t *ret)
{
	const struct frame *f = &w->frames[k];
	uint64_t addr = f->cfa + (uint64_t)rule->off;
	int err;

	switch (rule->how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
		return 0;
	case CFI_REG:
		*ret_reg = rule->reg;
		return 0;
	case CFI_VAL_CFA:
		*ret = addr;
		break;
	case CFI_AT_CFA:
		if (addr < f->sp)
			return 0; /* restored already */
		err = slow_read(w, k, addr, ret);
		if (err)
			return err;
		break;
	case CFI_AT_EXPR:
		err = slow_expression(w, k, s, rule, depth, &f->cfa, &addr);
		if (!err && is_restored(f, s, rule, addr))
			return 0;
		if (!err)
			err = slow_read(w, k, addr, ret);
		if (err)
			return err;
		break;
	case CFI_VAL_EXPR:
		err = slow_expression(w, k, s, rule, depth, &f->cfa, ret);
		if (err)
			return err;
		break;
	default: /* CFI_UNDEFINED */
		return bad();
	}
	*ret_reg = CFI_NO_REG;
	return 0;
}

/* true: the register of this frame is known without its callees. */
static bool frame_reg(const struct stack_walk *w, uint32_t k, uint32_t reg, uint64_t *ret)
{
	const struct frame *f = &w->frames[k];

	if (reg == w->arch->sp)
		*ret = f->sp;
	else if (reg == w->arch->fp && f->fp_known)
		*ret = f->fp;
	else if (!w->arch->link && reg == w->arch->ra)
		*ret = f->pc;
	else
		return false;
	return true;
}

int slow_reg(struct stack_walk *w, uint32_t k, uint32_t reg, unsigned depth, uint64_t *ret)
{
	struct cfi_state s;
	uint32_t from;
	int err;

	if (depth > DEPTH_MAX)
		return bad();
	for (;; k--) {
		const struct frame *callee;

		if (frame_reg(w, k, reg, ret))
			return 0;
		if (!k)
			break;
		callee = &w->frames[k - 1];
		if (!callee->by_rows || w->budget < PROGRAM_COST)
			return bad();
		w->budget -= PROGRAM_COST;
		if (cfi_state_at(callee->table, callee->rva, reg, &s) != CFI_OK)
			return bad();
		from = reg;
		err = restored(w, k - 1, &s,
			       &s.rules[reg == s.ra_column ? CFI_SLOT_RA : CFI_SLOT_WANTED], depth,
			       &from, ret);
		if (err || from == CFI_NO_REG)
			return err;
		reg = from;
	}
	return unwind_sample_reg(w->sample, unwind_arch_perf_reg(w->arch, reg), ret) ?
		       0 :
		       (int)UNWIND_NO_REGS + 1;
}

/* The rule of a slot, for the caller. */
static int step_slot(struct stack_walk *w, uint32_t k, const struct cfi_state *s,
		     enum cfi_slot slot, uint32_t reg, uint64_t *ret)
{
	uint32_t from = reg;
	int err = restored(w, k, s, &s->rules[slot], 0, &from, ret);

	if (err || from == CFI_NO_REG)
		return err;
	return slow_reg(w, k, from, 0, ret);
}

static int step_cfa(struct stack_walk *w, uint32_t k, const struct cfi_state *s)
{
	const struct cfi_rule *rule = &s->rules[CFI_SLOT_CFA];
	int err;

	if (rule->how == CFI_VAL_EXPR)
		return slow_expression(w, k, s, rule, 0, NULL, &w->frames[k].cfa);
	if (rule->how != CFI_REG)
		return bad();
	err = slow_reg(w, k, rule->reg, 0, &w->frames[k].cfa);
	w->frames[k].cfa += (uint64_t)rule->off;
	return err;
}

int slow_step(struct stack_walk *w, uint32_t k, struct caller *ret)
{
	struct frame *f = &w->frames[k];
	struct cfi_state s;
	int err;

	if (w->budget < PROGRAM_COST || cfi_state_at(f->table, f->rva, CFI_NO_REG, &s) != CFI_OK)
		return bad();
	w->budget -= PROGRAM_COST;
	err = step_cfa(w, k, &s);
	if (!err)
		err = step_slot(w, k, &s, CFI_SLOT_RA, s.ra_column, &ret->pc);
	if (err)
		return err;
	ret->sp = f->cfa + (uint64_t)(int64_t)w->arch->sp_minus_cfa;
	ret->any_sp = s.rules[CFI_SLOT_SP].how >= CFI_AT_CFA;
	if (ret->any_sp)
		err = step_slot(w, k, &s, CFI_SLOT_SP, w->arch->sp, &ret->sp);
	ret->fp_known = !step_slot(w, k, &s, CFI_SLOT_FP, w->arch->fp, &ret->fp);
	ret->interrupted = s.signal_frame;
	return err;
}
