/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call tree, between the files that make it. */
#ifndef PROFILE_CALLTREE_H
#define PROFILE_CALLTREE_H

#include "ptui/profile.h"

struct ptui_calltree {
	const struct ptui_profile *profile; /* borrowed from the view, which outlives the tree */
	enum ptui_chain_key key;
	struct ptui_callnode *nodes;
	size_t n, cap;
	uint32_t *frames;
	size_t n_frames, cap_frames;
	uint32_t first;
};

#endif
