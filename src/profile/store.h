/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The growing part of a profile. Rows, stacks, frames and names are appended here; now and then the
 * store publishes them as an immutable struct ptui_profile.
 *
 *	store:      [ rows ....|....][ nodes ...][ frames ..][ names ]   grows at the end
 *	                 ^      ^
 *	published:  first .. n  (1)     a profile refers to the arrays at their length of that time:
 *	            first ....... n (2) what is below it never changes, so nothing is copied
 *
 * A full array moves to larger memory; published profiles keep the old memory alive. Above the cap
 * of rows the oldest are dropped (`first` advances). The next time that the rows move, dropped rows
 * are not copied, and the next publication compacts the stacks. Stacks have a cap of their own, for
 * recordings in which hardly two stacks are alike.
 *
 * For a file there are no caps and one publication.
 * One thread at a time; a published profile may be read by any thread.
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
	STORE_HOW,
	STORE_COUNT,
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
	struct stacks stacks;	/* as sampled: by address */
	struct strpool *names;
	struct ptui_event_info *events; /* totals of the published rows that are kept */
	size_t n_events;
	uint64_t dropped;    /* rows dropped because of a cap */
	unsigned renumbered; /* how often stack ids have changed */
	uint64_t lineage;    /* for ptui_profile: changes with each renumbering */

	unsigned columns;	   /* that rows have: bit STORE_... */
	bool merges;		   /* samples: see samples.h */
	struct merged_rows merged; /* until the publication */

	struct store_array arrays[STORE_ARRAYS];
	struct store_names *names_memory, *next_names;
	struct stacks folded;
	struct frame_table table;
	size_t first, published; /* rows */
	size_t max_rows, max_nodes;
	bool stale_stacks; /* dropped rows are gone, but not their stacks */
};

/* 0 or -ENOMEM. */
int profile_store_init(struct profile_store *s, size_t max_rows);
void profile_store_release(struct profile_store *s); /* accepts a zeroed one */

/*
 * Before the first row: samples that are equal in event, comm, frame and (with `chains`) stack, and if asked
 * for in thread and CPU, become one row. There is one publication then, after the last sample.
 */
void profile_store_merge(struct profile_store *s, bool chains, bool by_thread, bool by_cpu);
/* After that: `n` rows without stacks, MERGED_BATCH at most. 0 or -ENOMEM. */
int profile_store_add_merged(struct profile_store *s, const struct sample_row *rows, size_t n);

/*
 * Adds the rows of another store with the same events and columns. Their names are names[id], their frames
 * frames[id]. `last`: no other row comes after them. 0, or -ENOMEM: then only profile_store_release() is allowed.
 */
int profile_store_absorb(struct profile_store *s, struct profile_store *other,
			 const uint32_t *names, const uint32_t *frames, bool last);

/* Adds an event with counts of 0; copies its name. PTUI_NONE: out of memory. */
uint32_t profile_store_add_event(struct profile_store *s, const struct ptui_event_info *event);
/*
 * Makes room for so many rows and, with `chains`, for as many stacks as they usually have, as far as
 * there is memory: then they need not move while they are added.
 */
void profile_store_reserve(struct profile_store *s, size_t rows, bool chains);
/* 0, or -ENOMEM with the store unchanged. */
int profile_store_add_row(struct profile_store *s, const struct sample_row *row);
size_t profile_store_n_frames(const struct profile_store *s);
/* See frame_table_set_modules(). */
int profile_store_set_modules(struct profile_store *s, const struct profile_frame *of_modules,
			      size_t n);
/*
 * Makes the frames up to number n: `set` is called once per frame, for all but place, func and face, which follow from the
 * rest. It may be called by two threads at once. 0 or -ENOMEM.
 */
int profile_store_add_frames(struct profile_store *s, size_t n,
			     void (*set)(void *ctx, size_t i, struct profile_frame *ret),
			     void *ctx);
/* To be called after samples.threads[].last_comm was set: later publications copy it again. */
void profile_store_refresh_threads(struct profile_store *s);

/* Returns one reference. The facts of all frames must be known. NULL: out of memory. */
struct ptui_profile *profile_store_publish(struct profile_store *s, const struct ptui_trust *trust);

/* ---- store_compact.c: for long recordings ---- */

/*
 * Between a publication and the next row: removes frames, stacks, threads and names that no kept
 * row uses. Other rooms hold such ids as well, so there are several steps:
 *
 *	1 compact_rows()	drops the older half of the rows first if `half`
 *	2 mark_frames()		used[frame] = true
 *	3 begin_names()		names move to a new pool
 *	4 compact()		frames[old] are the new ids; s->names is the new pool; the facts of
 *				all frames are requested again
 *
 * 0 or -ENOMEM: then only profile_store_release() is allowed.
 */
int profile_store_compact_rows(struct profile_store *s, bool half);
void profile_store_mark_frames(const struct profile_store *s, bool *used);
int profile_store_begin_names(struct profile_store *s, struct strpool_move *mv);
int profile_store_compact(struct profile_store *s, const uint32_t *frames,
			  struct strpool_move *names);
/* Approximate memory use of names, threads and frames. */
size_t profile_store_bytes(const struct profile_store *s);

/* ---- internal to the store ---- */

extern const size_t store_element_bytes[STORE_ARRAYS];
void *store_array_at(const struct store_array *a, int kind, size_t i);
void store_array_clear(struct store_array *a);
/* Makes room for `more` elements. 0 or -ENOMEM. */
int store_array_reserve(struct store_array *a, int kind, size_t more);
int store_array_add(struct store_array *a, int kind, const void *elements, size_t n);
/*
 * Memory for `cap` elements: the array's own, with its elements, if no profile refers to it and
 * they need not move; otherwise new and empty. NULL: out of memory; the array is unchanged.
 */
struct store_memory *store_array_memory(struct store_array *a, int kind, size_t first, size_t cap);
/* Moves the elements from `first` on into that. */
void store_array_move(struct store_array *a, int kind, size_t first, struct store_memory *mem,
		      size_t cap);
/*
 * Makes the array the nodes of `s`, which it owns from now on and `s` goes on to use: no node changes
 * once it is there. 0 or -ENOMEM.
 */
int store_array_share_nodes(struct store_array *a, struct stacks *s);
/* All accept NULL. */
struct store_memory *store_memory_ref(struct store_memory *m);
void store_memory_unref(struct store_memory *m);
uint64_t store_memory_bytes(const struct store_memory *m);
struct store_names *store_names_new(void);
struct strpool *store_names_pool(struct store_names *names);
void store_names_unref(struct store_names *names);
/* Moves the rows to new memory, without dropped ones. 0 or -ENOMEM. */
int store_move_rows(struct profile_store *s);
void store_drop_rows(struct profile_store *s, size_t n);
/* Right after store_move_rows(): removes stacks that no row uses. 0 or -ENOMEM. */
int store_compact_stacks(struct profile_store *s);
/* To be called after ids were renumbered. */
void store_renumbered(struct profile_store *s);

#endif
