/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From facts about frames to the ids that views compare: the place (a row) and the function (a node
 * of a call tree). Frames are added one by one, and their ids do not change later.
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
/* Adds frame number `index`, the next one. 0 or -ENOMEM. */
int frame_table_add(struct frame_table *t, uint32_t index, const struct profile_frame_facts *facts,
		    struct profile_frame *ret);

/*
 * Maps the nodes of `from`, starting at `first`, to nodes of `to` with the function's first frame;
 * of[i] is the new node of i. Parents precede their children, so one pass is enough.
 */
int frames_fold(const struct profile_frame *frames, const struct stacks *from, size_t first,
		struct stacks *to, uint32_t *of);
/* Sets the ends of the nodes from `first` on. */
void frames_find_ends(const struct profile_frame *frames, const struct stacks *s, size_t first,
		      struct stack_end *ends);

#endif
