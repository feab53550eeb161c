/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile that grows, and shows itself from time to time as one that does not.
 *
 *	taken in:   fresh samples    stacks      frames      names
 *	                 |             |           |           |      publish: what is new is added
 *	shared:     [ rows ....|....][ nodes ...][ frames ..][ names ] behind what is there
 *	                 ^      ^
 *	published:  first .. n  (1)     a profile holds the arrays as long as they were then: what
 *	            first ....... n (2) lies there never changes, so nothing is copied
 *
 * Arrays that are full move to a larger place; who published the old ones keeps those alive.
 * With more samples than the cap the oldest leave (`first` goes on); when the rows move the next
 * time they are left behind, and with them the stacks that nobody else has. Where no stack is like
 * another, these are what fills the memory, so they have a cap of their own.
 * One thread at a time; what was published belongs to anyone.
 */
#ifndef PROFILE_GROW_H
#define PROFILE_GROW_H

#include "profile/frames.h"

enum {
	GROW_TIME, GROW_PERIOD, GROW_THREAD, GROW_COMM, GROW_FRAME, GROW_STACK, GROW_CPU,
	GROW_EVENT, GROW_COLUMNS,
	GROW_THREADS = GROW_COLUMNS, GROW_NODES, GROW_FOLDED, GROW_FOLDED_OF, GROW_FRAMES,
	GROW_NAMES, GROW_ARRAYS,
};

struct grow_memory;
struct grow_names;

struct grow_array {
	struct grow_memory *mem;
	size_t n, cap; /* elements */
};

struct profile_grow {
	struct samples samples; /* fresh: taken in since the last publication */
	struct stacks stacks;	/* of frames as they were sampled */
	struct strpool *names;
	uint64_t left;		/* samples that left because of the cap */
	unsigned renumbered;	/* how often ids of stacks have changed */
	uint64_t lineage;	/* of ptui_profile: another one with each change */

	struct grow_names *store; /* what `names` lies in */
	struct grow_names *next_store; /* while they move */
	struct stacks folded;
	struct frame_table table;
	struct grow_array arrays[GROW_ARRAYS];
	size_t first, max; /* rows */
	size_t max_nodes;  /* of stacks: more, and the older half of the rows leaves */
	struct ptui_event_info *events; /* totals of rows that are there */
	size_t n_events;
};

/* 0 or -ENOMEM. */
int profile_grow_init(struct profile_grow *g, size_t max_samples);
void profile_grow_release(struct profile_grow *g); /* a zeroed one is fine */

/* One more event; its number. `name` is copied. PTUI_NONE: out of memory. */
uint32_t profile_grow_event(struct profile_grow *g, const char *name, bool has_callchains);

/* Facts of frames up to number n; those that were told before are not asked for again. */
int profile_grow_frames(struct profile_grow *g, size_t n,
			void (*facts)(void *ctx, size_t i, struct profile_frame_facts *ret),
			void *ctx);

/*
 * For a recording that goes on for days, between a publication and the next sample: frames, stacks,
 * threads and names that no row has leave. Step by step, since others have ids of them as well:
 * settle (with `half` the older half of the rows leaves before), mark the frames that are used, move
 * names to a new pool, squeeze: frames[old] are their new ids then, g->names is the new pool, and all
 * frames are asked for again. 0 or -ENOMEM: then it is of no use any more.
 */
int profile_grow_settle(struct profile_grow *g, bool half);
void profile_grow_mark_frames(const struct profile_grow *g, bool *used);
int profile_grow_move_names(struct profile_grow *g, struct strpool_move *mv);
int profile_grow_squeeze(struct profile_grow *g, const uint32_t *frames, struct strpool_move *names);
/* About what names, threads and frames take in memory. */
size_t profile_grow_bytes(const struct profile_grow *g);

/* samples.threads[].last_comm was set: later publications show them anew. */
void profile_grow_rename(struct profile_grow *g);

/* One reference. All frames of the fresh samples were told. NULL: out of memory. */
struct ptui_profile *profile_grow_publish(struct profile_grow *g, const struct ptui_trust *trust);

#endif
