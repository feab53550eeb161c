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
#include "ptui/annotate.h"

/* More levels of inlining than this are not shown. */
#define PROFILE_INLINE_MAX 32

/* A function at an address: the outermost has the symbol, the others are inlined. */
struct profile_scope {
	const char *name; /* demangled; only of an inlined function */
	const char *path; /* source file; NULL: unknown */
	unsigned line;
};

/* Machine code of a function, for annotations. */
struct profile_code {
	char *file;	  /* where it is from: a path, "/proc/kcore", "[vdso]" */
	uint16_t machine; /* EM_X86_64 ... */
	bool is_64, big_endian;
	uint32_t flags; /* e_flags */
	uint8_t *bytes;
	size_t n;
	uint64_t off;  /* of the first byte, in the unit of profile_frame.addr */
	uint64_t addr; /* its address, as objdump prints it */
};

void profile_code_release(struct profile_code *c); /* accepts a zeroed one */

/* A function or object at an address. */
struct profile_symbol {
	const char *name; /* demangled */
	uint64_t start;	  /* in the unit of profile_frame.addr */
	uint64_t inside;  /* distance of the address from its start */
};

/* The data that an instruction accesses. */
enum profile_access {
	PROFILE_ACCESS_UNKNOWN, /* or none */
	PROFILE_ACCESS_STACK,	/* push, pop, call, ret */
	PROFILE_ACCESS_CANARY,	/* what the compiler checks for overflows of the stack */
	PROFILE_ACCESS_TYPE,
};

struct profile_type {
	char name[256];	   /* "struct page" */
	char members[256]; /* at the offset: "lru.next"; "": none */
	uint64_t offset;
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
	/*
	 * The code of the function that starts at `start` of module `dso`, for profile_code_release().
	 * 0 or a negative errno; if `err` is not set, the code is not where the symbols are from.
	 */
	int (*code)(struct profile_debug *d, uint32_t dso, uint64_t start, struct profile_code *ret,
		    struct ptui_error *err);
	/* What is at an address, as in profile_code.addr, of module `dso`, whose code was read. */
	bool (*symbol)(struct profile_debug *d, uint32_t dso, uint64_t addr,
		       struct profile_symbol *ret);
	/* Of the instruction at a frame; *ret is set if it is PROFILE_ACCESS_TYPE. */
	enum profile_access (*data_type)(struct profile_debug *d, const struct profile_frame *f,
					 struct profile_type *ret);
	void (*free)(struct profile_debug *d);
	/* That of module `dso`, borrowed; NULL, or *ret_n 0: unknown. The function may be NULL. */
	const uint8_t *(*build_id)(struct profile_debug *d, uint32_t dso, size_t *ret_n);
};

/* A text per frame, a part of it, and what it belongs to, by frame number. Immutable. */
struct profile_texts {
	struct strpool names;
	uint32_t *whole, *part, *within;
};
void profile_texts_free(struct profile_texts *t); /* NULL ok */
/*
 * Those of `p`, made once and kept in *kept; valid as long as `p`. Any thread. `add` sets the texts of frame i, at whose
 * instruction it was sampled if `exact`; 0 or -ENOMEM. `what` names the work, and `each` is the number of frames between
 * two calls of `progress`. NULL: out of memory, or cancelled by `progress` (may be NULL; unit: frames) with *ret_error
 * set.
 */
const struct profile_texts *
profile_texts(struct ptui_profile *p, _Atomic(struct profile_texts *) *kept, const char *what,
	      size_t each,
	      int (*add)(struct ptui_profile *p, size_t i, bool exact, struct profile_texts *t),
	      ptui_progress_fn progress, void *ctx, int *ret_error);
/*
 * The types of data that the instructions access: "struct page +0x8 (lru.next)", "struct page", and "struct page:
 * cache-line 0"; "(unknown)", "(stack operation)" or "(stack canary)" instead of a type.
 */
const struct profile_texts *profile_types(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error);
/* Of one instruction, as above. False: it has no type. */
bool profile_type_of(struct profile_debug *d, const struct profile_frame *f, char *text,
		     size_t size);
/*
 * The source lines: "file.c:12", and "file.c"; without debug information "function+16" or "libc.so.6[1234]", and "".
 * Within a callchain "file.c:12" or "", where that of a function is the call of what is inlined into it there.
 */
const struct profile_texts *profile_lines(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error);

/*
 * By frame number: whether the frame was sampled or interrupted there, so that its address is the
 * instruction, not that after a call. To be freed; NULL: out of memory.
 */
bool *profile_find_exact(const struct ptui_profile *p);

/* Writes the line of a frame as above, of the instruction at its address if `exact`. */
void profile_line_text(struct ptui_profile *p, const struct profile_frame *f, bool exact, char *buf,
		       size_t size);
/*
 * The profile of the same samples with inlined functions in the stacks, or `p` itself if there are
 * none. It is made once and lives as long as `p`, which counts its references: this call adds one.
 * Any thread. NULL: out of memory, or cancelled by `progress` (may be NULL; unit: frames) with
 * *ret_error set.
 */
struct ptui_profile *profile_inlined(struct ptui_profile *p, ptui_progress_fn progress, void *ctx,
				     int *ret_error);

/* The profile with the frames as sampled: `p`, or the one that it was derived from. */
const struct ptui_profile *profile_base(const struct ptui_profile *p);
/* The function of a frame of a profile_base(); and of the frame with a number. False: in no DSO. */
void profile_frame_function(const struct ptui_profile *p, const struct profile_frame *f,
			    struct ptui_function *ret);
bool profile_function(const struct ptui_profile *p, uint32_t frame, struct ptui_function *ret);
/* Writes the symbol of a frame, or 0x… if it has none. Returns like snprintf(). */
int profile_frame_name(const struct ptui_profile *p, uint32_t frame, char *buf, size_t size);
/* As displayed in a dso cell. */
const char *profile_frame_dso(const struct ptui_profile *p, uint32_t frame);

/* Frees these facts of `p`, on its release. */
void profile_release_debug(struct ptui_profile *p);

#endif
