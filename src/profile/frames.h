/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what is known of frames to the ids that views compare: the place (a row) and the function (a node
 * of a call tree). Frames are added one by one, and their ids do not change later.
 */
#ifndef PROFILE_FRAMES_H
#define PROFILE_FRAMES_H

#include "profile/profile.h"

/* What of a frame decides how stacks are folded: eight of them in a cache line. */
struct frame_brief {
	uint32_t face;	 /* as in struct profile_frame */
	bool shared : 1; /* other frames have this face, too */
	bool user : 1;
	bool starts : 1;  /* FRAME_START */
	bool nowhere : 1; /* in no module */
	bool inlined : 1;
};

/* What frames without a symbol need to know of their module. */
struct frame_module {
	uint32_t short_name;
	bool lone : 1; /* no other module has this short name: such a frame is a place of its own */
	bool late : 1; /* was lone until now: its frames are to be added to `places` */
};

struct frame_table {
	struct index_table places, funcs; /* the first frame of each; without what is alone */
	struct index_table names;	  /* by short name: the first module */
	struct frame_module *modules;	  /* the first n_modules; of others nothing is known */
	size_t n_modules, cap_modules;
	bool has_late;
	uint32_t n_places, n_funcs;
	struct frame_brief *briefs;
	size_t cap_briefs;
};

#define FRAME_BATCH 32 /* frames that are added at once */

void frame_table_init(struct frame_table *t);
void frame_table_release(struct frame_table *t);
/* Makes room for n frames in all, as far as there is memory. */
void frame_table_reserve(struct frame_table *t, size_t n);
/*
 * Before frames are added: what is in `of_modules` of all n modules that there are now, whose frames have their module and
 * their address for themselves. Without it all frames are looked up. `frames` are the n_frames that were added.
 * 0, or -ENOMEM: then it is to be called again.
 */
int frame_table_set_modules(struct frame_table *t, const struct profile_frame *of_modules, size_t n,
			    const struct profile_frame *frames, size_t n_frames);
/*
 * Adds n frames from `index` on, FRAME_BATCH at most: sets their place, func and face. `frames` has all that were added
 * before as well. 0, or -ENOMEM with none of them added.
 */
int frame_table_add(struct frame_table *t, struct profile_frame *frames, uint32_t index, size_t n);
/* The briefs of frames that have their faces; to be freed. NULL: out of memory. */
struct frame_brief *frames_brief(const struct profile_frame *frames, size_t n);

/*
 * Maps the nodes of `from`, starting at `first`, to nodes of `to` with the function's first frame;
 * of[i] is the new node of i. Parents precede their children, so one pass is enough. 0 or -ENOMEM.
 */
int frames_fold(const struct frame_brief *briefs, const struct stacks *from, size_t first,
		struct stacks *to, uint32_t *of);
/* Sets the ends of the nodes from `first` on. */
void frames_find_ends(const struct frame_brief *briefs, const struct stacks *s, size_t first,
		      struct stack_end *ends);

#endif
