/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile room: adds up.
 *
 * Takes: samples whose addresses are frames already, and facts about those frames.
 * Gives: rows (hist.h) and call trees (calltree.h), by any of the keys in keys.h.
 * Not for: files, ELF, /proc, or finding out what an address is.
 *
 * The session room fills the struct below, then nothing in it changes any more.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdatomic.h>
#include "base/strpool.h"
#include "profile/samples.h"
#include "profile/stacks.h"
#include "ptui/profile.h"

/* A frame as the keys want it: names are strpool ids, PTUI_NONE where there is none. */
struct profile_frame {
	uint64_t addr;	     /* offset in its module; the address where no module is known */
	uint64_t raw_addr;   /* an address of it in a process: what a chain shows without a name */
	uint64_t sym_start;  /* = addr without a symbol */
	uint32_t dso;	     /* order in which modules were met */
	uint32_t short_name; /* of the module */
	uint32_t path;	     /* of the module */
	uint32_t why;	     /* a sentence: why the module has no names */
	uint32_t sym_name;
	uint32_t place; /* equal for frames that are one row: short name and symbol's range */
	uint32_t func;	/* equal for frames that are one node of a call tree */
	uint32_t face;	/* the first frame of its func: stands for all of them in a view */
	char level;	/* 'k' kernel, '.' user, 'g' 'u' guest, 'H' hypervisor or unknown */
};

struct ptui_profile {
	atomic_uint refs;
	struct strpool names;
	struct samples samples;
	struct stacks stacks; /* as they were sampled: of addresses */
	/*
	 * The same of functions: chains that differ only in the place inside a function are one.
	 * There are far fewer of them, and views are made of them.
	 */
	struct stacks folded;
	uint32_t *folded_of; /* by node of `stacks` */
	struct profile_frame *frames;
	size_t n_frames;
	struct ptui_event_info *events;
	size_t n_events;
	struct ptui_trust trust;
	/*
	 * Of one that was published while it grows: in those of one lineage the ids of frames, stacks,
	 * threads and names mean the same. 0: it has none.
	 */
	uint64_t lineage;
	uint64_t left; /* samples that have left it: what it has begins there */
	/* Called with the last reference; NULL: all of the above is the profile's own. */
	void (*release)(struct ptui_profile *p);
};

/* One reference, everything empty. NULL: out of memory. */
struct ptui_profile *profile_new(void);

/*
 * What the session knows of one frame; profile_set_frames() makes the ids of place and func
 * out of it, and folds the stacks. It may be called again when there are more of either.
 */
struct profile_frame_facts {
	uint64_t addr, raw_addr;
	uint64_t sym_start, sym_end; /* when sym_name is not PTUI_NONE */
	uint32_t dso;		     /* PTUI_NONE: no module known */
	uint32_t short_name;
	uint32_t path;
	uint32_t why;
	uint32_t sym_name;
	char level;
};

int profile_set_frames(struct ptui_profile *p, size_t n,
		       void (*facts)(void *ctx, size_t i, struct profile_frame_facts *ret),
		       void *ctx);

#endif
