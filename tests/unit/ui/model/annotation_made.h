/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An annotation made of text, for tests without a disassembler: it takes the place of the one in
 * src/annotate. Lines, of four bytes of code each from 0x1000 on:
 *
 *	"# work"		the code below is of this function
 *	"12: sum += i;"		a source line
 *	"mov %eax,%ebx"		an instruction
 *	"jmp @5" "jne @5"	a jump to this line
 *	"jmp =f" "call =f"	a jump to, or a call of another function
 *	"ret"
 */
#ifndef TESTS_UNIT_UI_MODEL_ANNOTATION_MADE_H
#define TESTS_UNIT_UI_MODEL_ANNOTATION_MADE_H

#include "ptui/annotate.h"

/* The function is "work" in "prog". `lines`: NULL-terminated, borrowed. */
struct ptui_annotation *annotation_made(const char *const *lines);
/* Samples by event and line, of 10 each; `v` ends with line PTUI_NONE. */
struct annotation_made_count {
	uint32_t event, line;
	uint64_t samples, period;
};
/* `all`: samples of each event in the profile, of period 10. */
struct ptui_annotate_counts *annotation_made_counts(size_t n_events, uint64_t all,
						    const struct annotation_made_count *v);

/* Cycles of a line, and those of the function from now on. */
void annotation_made_cycles(struct ptui_annotate_counts *c, size_t line,
			    struct ptui_line_cycles cycles, struct ptui_function_cycles all);

#endif
