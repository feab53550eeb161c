/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What samples have besides the columns of the sample table: weights, latencies, page sizes, control groups, the text of tracepoints. Only what sort keys ask for is kept (PTUI_EXTRA_...), and
 * equal values once:
 *
 *	sample i --extra_of[i]--> struct extra
 */
#ifndef PROFILE_EXTRAS_H
#define PROFILE_EXTRAS_H

#include "base/hash.h"
#include "ptui/types.h"

struct extra {
	uint64_t weight, code_page, cgroup;
	uint32_t latency,
		stage;	      /* of the instruction; of the pipeline stage, or until it retired */
	uint32_t trace;	      /* strpool id; PTUI_NONE: not a tracepoint */
	uint32_t cgroup_name; /* strpool id; PTUI_NONE: unknown */
};

struct extras {
	struct extra *v;
	size_t n, cap;
	struct index_table index;
	bool failed; /* out of memory */
};

void extras_release(struct extras *t); /* accepts a zeroed one */
/* The number of these values; 0 with t->failed set: out of memory. */
uint32_t extras_add(struct extras *t, const struct extra *e);
/* These values without those that are not in `keep`, a mask of PTUI_EXTRA_... */
struct extra extra_masked(const struct extra *e, unsigned keep);

#endif
