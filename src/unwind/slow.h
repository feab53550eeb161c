/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps that need more than a row: expressions, and registers besides SP and FP.
 *
 * Results are 0, or an enum unwind_end + 1.
 */
#ifndef UNWIND_SLOW_H
#define UNWIND_SLOW_H

#include "unwind/private.h"

/* The caller of a frame. */
struct caller {
	uint64_t pc, sp, fp;
	bool fp_known;
	bool interrupted; /* the frame is a signal frame: its caller did not call */
	bool outermost;	  /* there is no caller */
	bool any_sp;	  /* SP has a rule of its own, and may point to another stack */
};

/* The caller of frame k by its rules, of which no row could be made; stores the frame's CFA. */
int slow_step(struct stack_walk *w, uint32_t k, struct caller *ret);
/* A DWARF register as it was in frame k. */
int slow_reg(struct stack_walk *w, uint32_t k, uint32_t reg, unsigned depth, uint64_t *ret);
/* A word of the dumped stack, for frame k. */
int slow_read(struct stack_walk *w, uint32_t k, uint64_t addr, uint64_t *ret);
/* The value of an expression; `first`, if not NULL, is on its stack. (expr.c) */
int slow_expression(struct stack_walk *w, uint32_t k, const struct cfi_state *s,
		    const struct cfi_rule *rule, unsigned depth, const uint64_t *first,
		    uint64_t *ret);

#endif
