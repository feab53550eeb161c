/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The growing half of a profile. Rows, stacks, frames and names are appended here; from time to
 * time the store publishes what it has as an immutable struct ptui_profile.
 *
 *	store:      [ rows ....|....][ nodes ...][ frames ..][ names ]   grows at the end
 *	                 ^      ^
 *	published:  first .. n  (1)     a profile refers to the arrays at the length they had then:
 *	            first ....... n (2) what lies below that never changes, so nothing is copied
 *
 * A full array moves to a larger place; profiles that were published keep the old one alive.
 * Above the cap of rows the oldest are dropped (`first` advances). When the rows move the next
 * time, dropped rows are left behind, and the next publication compacts the stacks. If hardly a
 * stack is like another, stacks are what fills the memory, so they have a cap of their own.
 *
 * Loading a file and following a recording use the same store: a file has no caps and publishes once.
 * One thread at a time; a published profile may be read by any.
 */
#ifndef PROFILE_STORE_H
#define PROFILE_STORE_H

#include "profile/frames.h"

enum {
	STORE_TIME,
	STORE_PERIOD,
	STORE_THREAD,
	STORE_COMM,
	STORE_FRAME,
	STORE_STACK,
	STORE_CPU,
	STORE_EVENT,
	STORE_COLUMNS,
	STORE_THREADS = STORE_COLUMNS,
	STORE_NODES,
	STORE_FOLDED,
	STORE_ENDS,
	STORE_FOLDED_OF,
	STORE_FRAMES,
	STORE_NAMES,
	STORE_ARRAYS,
};

/* For profile_store_init(): no cap. */
#define STORE_UNBOUNDED SIZE_MAX

struct store_memory;
struct store_names;

struct store_array {
	struct store_memory *mem;
	size_t n, cap; /* elements */
};

struct profile_store {
	struct samples samples; /* all rows; those below `first` are dropped */
	struct stacks stacks;	/* of frames, as they were sampled */
	struct strpool *names;
	struct ptui_event_info *events; /* totals of published rows that are kept */
	size_t n_events;
	uint64_t dropped;    /* rows, because of a cap */
	unsigned renumbered; /* how often the ids of stacks have changed */
	uint64_t lineage;    /* of ptui_profile: a new one with each renumbering */

	struct store_array arrays[STORE_ARRAYS];
	struct store_names *names_memory, *next_names;
	struct stacks folded;
	struct frame_table table;
	size_t first, published; /* rows */
	size_t max_rows, max_nodes;
	bool stale_stacks; /* dropped rows were left behind; their stacks are still there */
};

/* 0 or -ENOMEM. A file's store: STORE_UNBOUNDED. */
int profile_store_init(struct profile_store *s, size_t max_rows);
void profile_store_release(struct profile_store *s); /* a zeroed one is fine */

/*
 * Adds an event and returns its number. Its name is copied, and its counts begin at 0. PTUI_NONE: out of
 * memory.
 */
uint32_t profile_store_add_event(struct profile_store *s, const struct ptui_event_info *event);
/* 0 or -ENOMEM, the store as it was. */
int profile_store_add_row(struct profile_store *s, const struct sample_row *row);
/* Asks for the facts of frames up to number n, each once. 0 or -ENOMEM. */
int profile_store_add_frames(struct profile_store *s, size_t n,
			     void (*facts)(void *ctx, size_t i, struct profile_frame_facts *ret),
			     void *ctx);
/* samples.threads[].last_comm was set: later publications copy them again. */
void profile_store_refresh_threads(struct profile_store *s);

/* A profile with one reference. The facts of all its frames were added. NULL: out of memory. */
struct ptui_profile *profile_store_publish(struct profile_store *s, const struct ptui_trust *trust);

/* ---- store_compact.c: for a recording that goes on for days ---- */

/*
 * Between a publication and the next row: removes frames, stacks, threads and names that no kept
 * row uses. Others hold ids of them as well, so it goes step by step:
 *
 *	1 compact_rows()	drops the older half of the rows first if `half`
 *	2 mark_frames()		used[frame] = true
 *	3 begin_names()		names move to a new pool
 *	4 compact()		frames[old] are the new ids; s->names is the new pool; the facts of
 *				all frames are asked for again
 *
 * 0 or -ENOMEM: then only profile_store_release() is allowed.
 */
int profile_store_compact_rows(struct profile_store *s, bool half);
void profile_store_mark_frames(const struct profile_store *s, bool *used);
int profile_store_begin_names(struct profile_store *s, struct strpool_move *mv);
int profile_store_compact(struct profile_store *s, const uint32_t *frames,
			  struct strpool_move *names);
/* Approximate memory of names, threads and frames. */
size_t profile_store_bytes(const struct profile_store *s);

/* ---- inside the store ---- */

void *store_array_at(const struct store_array *a, int kind, size_t i);
void store_array_clear(struct store_array *a);
struct store_names *store_names_new(void);
struct strpool *store_names_pool(struct store_names *names);
void store_names_unref(struct store_names *names);
/* Moves the rows to memory of their own, without those that were dropped. 0 or -ENOMEM. */
int store_move_rows(struct profile_store *s);
void store_drop_rows(struct profile_store *s, size_t n);
/* Right after store_move_rows(): removes stacks that no row uses. 0 or -ENOMEM. */
int store_compact_stacks(struct profile_store *s);
/* Ids from before mean something else now. */
void store_renumbered(struct profile_store *s);

#endif
