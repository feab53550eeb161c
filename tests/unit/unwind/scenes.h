/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is hard to unwind, each piece run by a child of test_steps, or by test_self itself. */
#ifndef TESTS_UNIT_UNWIND_SCENES_H
#define TESTS_UNIT_UNWIND_SCENES_H

#include <stdbool.h>
#include <stddef.h>

struct scene {
	const char *name;
	void (*run)(void);
	/* In longjmp the frame information is of the function it jumps to. */
	bool jumps;
	/* glibc's __mpn_mul_1 says nothing of its pushes; .init, and what crtbegin.o has, says nothing at all. */
	bool some_without_cfi;
};

extern const struct scene scenes[];
extern const size_t n_scenes;

/* Called deep in some scenes; does nothing unless it is set. */
extern void (*scene_probe)(void);

/* A function without call frame information, but with a frame pointer, calls fn. */
void scene_without_cfi(void (*fn)(void));
/* By a CFA in rbx, and by one that an expression finds through r12. */
void scene_by_rbx(void (*fn)(void));
void scene_by_expression(void (*fn)(void));

#endif
