/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about frames from debug information: source lines and inlined functions. Nothing is read
 * before a view needs it.
 *
 *	profile --profile_lines()-----> a line per frame, for the keys srcline and srcfile
 *	        --profile_inlined()---> a profile of the same samples with inlined functions in its stacks
 */
#ifndef PROFILE_DEBUG_H
#define PROFILE_DEBUG_H

#include "profile/profile.h"

/* More levels of inlining than this are not shown. */
#define PROFILE_INLINE_MAX 32

/* A function at an address: the outermost has the symbol, the others are inlined. */
struct profile_scope {
	const char *name; /* demangled; only of an inlined function */
	const char *path; /* source file; NULL: unknown */
	unsigned line;
};

/* The session's source of debug information. Its functions may be called by any thread. */
struct profile_debug {
	/*
	 * The functions at a frame, innermost first: up to `max` - 1 inlined ones, and the one with
	 * the symbol. With `before`, of the instruction before the frame's address, if that is a
	 * return address. Returns their number; 0: unknown. Strings are valid until free().
	 */
	size_t (*scopes)(struct profile_debug *d, const struct profile_frame *f, bool before,
			 struct profile_scope *ret, size_t max);
	void (*free)(struct profile_debug *d);
};

/* The lines of all frames, by frame number. Immutable. */
struct profile_lines {
	struct strpool names;
	uint32_t *
		line; /* "file.c:12"; without debug information "function+16" or "libc.so.6[1234]" */
	uint32_t *file; /* "file.c", or "" */
};

/*
 * By frame number: whether the frame was sampled or interrupted there, so that its address is the
 * instruction, not that after a call. To be freed; NULL: out of memory.
 */
bool *profile_find_exact(const struct ptui_profile *p);

/*
 * The lines of `p`, read once; valid as long as `p`. Any thread. NULL: out of memory, or cancelled
 * by `progress` (may be NULL; unit: frames) with *ret_error set.
 */
const struct profile_lines *profile_lines(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error);
/*
 * The profile of the same samples with inlined functions in the stacks, or `p` itself if there are
 * none. It is made once and lives as long as `p`, which counts its references: this call adds one.
 * Any thread. NULL: out of memory, or cancelled by `progress` (may be NULL; unit: frames) with
 * *ret_error set.
 */
struct ptui_profile *profile_inlined(struct ptui_profile *p, ptui_progress_fn progress, void *ctx,
				     int *ret_error);

/* Frees these facts of `p`, on its release. */
void profile_release_debug(struct ptui_profile *p);

#endif
