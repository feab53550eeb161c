/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load's library: a frame between two frames of the program, and work of its own. */
#include <stdint.h>

#include "diff/work.h"

extern __attribute__((visibility("default"))) void work_each(unsigned times, work_fn fn);

static volatile uint64_t sink;

static __attribute__((noipa)) void own(unsigned n)
{
	uint64_t x = n;

	for (unsigned i = 0; i < 2000; i++)
		x = x * 6364136223846793005u + 1u;
	sink += x;
}

void work_each(unsigned times, work_fn fn)
{
	for (unsigned i = 0; i < times; i++) {
		own(i);
		fn(i);
	}
	sink++;
}
