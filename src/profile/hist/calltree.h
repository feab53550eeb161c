/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call tree, between the files that make it. */
#ifndef PROFILE_CALLTREE_H
#define PROFILE_CALLTREE_H

#include "ptui/profile.h"

/* Sums of the branches at a frame of a node. */
struct calltree_branches {
	uint64_t n, predicted, aborted; /* targets */
	uint64_t cycles, runs, run_cycles, n_sources;
	uint32_t types;
	bool target; /* as the last one */
};

struct ptui_calltree {
	const struct ptui_profile *profile; /* borrowed from the view, which outlives the tree */
	enum ptui_chain_key key;
	struct ptui_callnode *nodes;
	size_t n, cap;
	uint32_t *frames;
	size_t n_frames, cap_frames;
	uint32_t first;
	bool counted;			    /* ptui_calltree_count() */
	struct calltree_branches *branches; /* by frame; NULL: not counted */
};

/* By module and address, greater first; 0: equal. */
int calltree_place_order(enum ptui_chain_key key, const struct profile_frame *a,
			 const struct profile_frame *b);

#endif
