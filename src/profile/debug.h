/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a profile can find out about its frames from debug information: source lines, and functions that
 * were inlined. Neither is read before a view needs it.
 *
 *	profile --profile_lines()-----> a line per frame, for the keys srcline and srcfile
 *	        --profile_inlined()---> a profile of the same samples with inlined functions in its stacks
 */
#ifndef PROFILE_DEBUG_H
#define PROFILE_DEBUG_H

#include "profile/profile.h"

/* More levels of inlining than this are not shown. */
#define PROFILE_INLINE_MAX 32

/* A function whose code is at a place: the outermost has the symbol, the others were inlined. */
struct profile_scope {
	const char *name; /* for people; of an inlined function only */
	const char *path; /* where the place is in it; NULL: not known */
	unsigned line;
};

/* The session's source of debug information. Its functions may be called by any thread. */
struct profile_debug {
	/*
	 * The functions at a frame, innermost first: up to `max` - 1 that were inlined, and the one with
	 * the symbol. With `before`, the place is the instruction before the frame's address: a call that
	 * the address is the return address of. Returns how many; 0: not known. Strings are valid until
	 * free().
	 */
	size_t (*scopes)(struct profile_debug *d, const struct profile_frame *f, bool before,
			 struct profile_scope *ret, size_t max);
	void (*free)(struct profile_debug *d);
};

/* The lines of all frames, by their number. Immutable. */
struct profile_lines {
	struct strpool names;
	uint32_t *
		line; /* "file.c:12"; without debug information "function+16" or "libc.so.6[1234]" */
	uint32_t *file; /* "file.c", or "" */
};

/*
 * Whether a frame was sampled or interrupted there (by number): then its address is the instruction, else
 * that after a call. malloc'ed; NULL: out of memory.
 */
bool *profile_find_exact(const struct ptui_profile *p);

/*
 * Those of `p`, read once; they live as long as `p`. Any thread. NULL: out of memory, or cancelled by
 * `progress` (may be NULL; unit: frames) with *ret_error set.
 */
const struct profile_lines *profile_lines(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error);
/*
 * The profile of the same samples whose stacks also have the functions that were inlined. It is made once
 * and lives as long as `p`, which counts its references: this call adds one. `p` itself if there are none.
 * Any thread. NULL: out of memory, or cancelled by `progress` (may be NULL; unit: frames) with *ret_error
 * set.
 */
struct ptui_profile *profile_inlined(struct ptui_profile *p, ptui_progress_fn progress, void *ctx,
				     int *ret_error);

/* Frees what `p` has for this, on its release. */
void profile_release_debug(struct ptui_profile *p);

#endif
