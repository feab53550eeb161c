/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile room: adds up.
 *
 * Takes: samples whose addresses are frames already, and facts about those frames.
 * Gives: rows (hist.h) and call trees (calltree.h), by any of the keys in keys.h.
 * Not for: files, ELF, /proc, or finding out what an address is.
 *
 * A store (store.h) takes them in and publishes the struct below, which never changes.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdatomic.h>
#include "base/strpool.h"
#include "profile/samples.h"
#include "profile/stacks.h"
#include "ptui/profile.h"
#include "resolve/frame.h"

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
	uint8_t start;	/* enum frame_start */
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
	uint32_t *folded_of;	/* by node of `stacks` */
	struct stack_end *ends; /* by node of `folded` */
	struct profile_frame *frames;
	size_t n_frames;
	struct ptui_event_info *events;
	size_t n_events;
	struct ptui_trust trust;
	/* In profiles of one lineage the ids of frames, stacks, threads and names mean the same. */
	uint64_t lineage;
	uint64_t dropped; /* rows of the store that are not in it any more: its first is this one */
	void (*release)(struct ptui_profile *p); /* called with the last reference */
};

/*
 * What the session knows of one frame. The ids of place and func, and the folded stacks, are made
 * from it.
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
	uint8_t start; /* enum frame_start */
};

#endif
