/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From facts about frames to what the views compare: which frames are one place (a row), and
 * which are one function (a node of a call tree). Frames come one after the other, and what was
 * said of one stays true when more of them come.
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "profile/profile.h"

struct frame_key;

struct frame_keys {
	struct frame_key *keys;
	size_t n, cap;
	struct index_table index;
};

struct frame_table {
	struct frame_keys places, funcs;
	uint32_t *faces; /* by function: its first frame */
	size_t cap_faces;
};

void frame_table_init(struct frame_table *t);
void frame_table_release(struct frame_table *t);
/* Frame number `index`, one more than the last. 0 or -ENOMEM. */
int frame_table_add(struct frame_table *t, uint32_t index, const struct profile_frame_facts *facts,
		    struct profile_frame *ret);

/*
 * The nodes of `from` from `first` on to nodes of `to`, where each stands for its function;
 * of[i] is what node i became. Parents stand before their children, so one pass folds all.
 */
int frames_fold(const struct profile_frame *frames, const struct stacks *from, size_t first,
		struct stacks *to, uint32_t *of);
/* Where the stacks of nodes from `first` on end. */
void frames_find_ends(const struct profile_frame *frames, const struct stacks *s, size_t first,
		      struct stack_end *ends);

#endif
