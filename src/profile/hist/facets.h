/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only some keys need of a sample: its CPU, its time, the caller that matches a pattern. Samples
 * that are equal in what the keys need have the same facet, which is a part of their class:
 *
 *	CPU, time, parent --facets_add()--> hist_item.facet --facets_get()--> values and cells of keys
 *
 * Without such keys there are none, and hist_item.facet is 0.
 */
#ifndef PROFILE_FACETS_H
#define PROFILE_FACETS_H

#include "base/hash.h"
#include "ptui/types.h"

struct facet {
	uint64_t time_ns; /* the beginning of its interval (--time-quantum) */
	uint32_t cpu;	  /* PTUI_NONE: not recorded */
	uint32_t parent;  /* strpool id of the function's name; PTUI_NONE: none matches */
	uint32_t extra;	  /* number in ptui_hist.extras */
};

struct facets {
	struct facet *v;
	size_t n, cap;
	struct index_table index;
	bool failed; /* out of memory */
};

void facets_release(struct facets *t); /* accepts a zeroed one */
/* The number of the facet; 0 with t->failed set: out of memory. */
uint32_t facets_add(struct facets *t, const struct facet *f);

struct ptui_profile;
struct stacks;

/* The pattern that perf has by default. */
#define PARENT_PATTERN "^sys_|^do_page_fault"

/*
 * By node of the stacks: the name of the first function on the way that matches the extended regular
 * expression, from the outermost one if `down`, else from the innermost; PTUI_NONE: none. To be freed.
 * NULL: out of memory, or the pattern is wrong.
 */
uint32_t *parents_find(const struct ptui_profile *p, const struct stacks *stacks,
		       const char *pattern, bool down);

/*
 * By node of the stacks: the outermost node on the way whose function matches, below which callees are
 * ignored; PTUI_NONE: none. To be freed. NULL: out of memory, or the pattern is wrong.
 */
uint32_t *callees_ignore(const struct ptui_profile *p, const struct stacks *stacks,
			 const char *pattern);

#endif
