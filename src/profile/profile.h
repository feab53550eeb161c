/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile room: from samples, whose addresses are already frames, and facts about those frames
 * to rows (hist.h) and call trees (calltree.c), by any of the keys in keys.h. Knows no files, ELF,
 * /proc or address lookups.
 *
 * A store (store.h) collects samples and publishes the struct below, which never changes.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdatomic.h>
#include "base/strpool.h"
#include "profile/extras.h"
#include "profile/samples.h"
#include "profile/stacks.h"
#include "ptui/profile.h"
#include "resolve/frame.h"

/* A frame for the keys: names are strpool ids, PTUI_NONE if there is none. */
struct profile_frame {
	uint64_t addr;	     /* offset in its module; without a module the address */
	uint64_t raw_addr;   /* its address in a process: shown in chains without a name */
	uint32_t sym_offset; /* of addr in its symbol; 0 without one */
	uint32_t sym_size;
	uint32_t dso;	     /* by order of first use */
	uint32_t short_name; /* of the module */
	uint32_t path;	     /* of the module */
	uint32_t why;	     /* a sentence: why the module has no symbols */
	uint32_t no_cfi;     /* a sentence: why stacks cannot be unwound through the module */
	uint32_t sym_name;
	uint32_t place;	     /* equal for frames of one row: same short name and symbol range */
	uint32_t func;	     /* equal for frames of one node of a call tree */
	uint32_t face;	     /* the first frame of its func, which views use for all of them */
	char level;	     /* 'k' kernel, '.' user, 'g' 'u' guest, 'H' hypervisor or unknown */
	uint8_t start : 2;   /* enum frame_start */
	uint8_t hidden : 1;  /* the kernel hides the symbols of its module */
	uint8_t symbols : 4; /* enum ptui_symbols, of its module */
	uint8_t unnamed : 1; /* its symbol is a range of addresses */
	uint8_t object : 1;  /* the symbol is data */
	uint8_t origin : 7; /* perf's letter for where the symbols of its module are from; 0: nowhere */
	uint8_t inlined; /* 0: not; else 1 + the number of functions inlined into it there */
};
_Static_assert(sizeof(struct profile_frame) == 64, "a cache line");

static inline uint64_t frame_sym_start(const struct profile_frame *f)
{
	return f->addr - f->sym_offset;
}

/* Sets what is known of its symbol, after its address. */
void frame_set_symbol(struct profile_frame *f, uint32_t name, uint64_t start, uint64_t end);

static inline bool frame_is_named(const struct profile_frame *f)
{
	return f->sym_name != PTUI_NONE && !f->unnamed;
}

struct profile_debug;
struct profile_texts;

struct ptui_profile {
	atomic_uint refs;
	struct strpool names;
	struct samples samples;
	struct stacks stacks; /* as sampled: by address */
	/*
	 * The same by function: chains that differ only in the address within a function are one.
	 * There are far fewer, and views use these.
	 */
	struct stacks folded;
	uint32_t *folded_of;	/* by node of `stacks` */
	struct stack_end *ends; /* by node of `folded` */
	struct profile_frame *frames;
	size_t n_frames;
	struct ptui_event_info *events;
	size_t n_events;
	struct ptui_trust trust;
	/* Ids of frames, stacks, threads and names are the same in all profiles of one lineage. */
	uint64_t lineage;
	uint64_t dropped; /* rows dropped from the store before the first row of this profile */
	struct profile_debug *debug; /* owned; NULL: no debug information */
	bool code_only; /* `debug` is for annotations, not for lines and inlined functions (Live) */
	_Atomic(struct profile_texts *) lines;	/* owned; NULL: not read yet */
	_Atomic(struct profile_texts *) types;	/* the same */
	_Atomic(struct ptui_profile *) inlined; /* owned, or this one; NULL: not made yet */
	struct ptui_profile *owner; /* of an `inlined`: counts its references; else NULL */
	enum ptui_mode mode;	    /* never AUTO */
	unsigned has_extras;	    /* PTUI_EXTRA_...: what was loaded */
	struct extra *extras;	    /* n_extras of them: owned */
	size_t n_extras;
	uint32_t *extra_of;			 /* by row: owned; NULL if there are none */
	bool raw_trace, full_paths;		 /* see ptui_load_opts */
	struct ptui_thread_count *thread_counts; /* n_thread_counts of them: owned */
	size_t n_thread_counts;
	struct trace_values trace; /* owned: fields of tracepoints */
	struct tuples history;	   /* owned; see BRANCH_POSITION_WORDS */
	struct blocks blocks;	   /* owned; without ptui_load_opts.cycles there are none */
	int32_t *sockets;	   /* by CPU, n_sockets of them: owned */
	size_t n_sockets;
	uint64_t first_ns, last_ns; /* of the recording, as its header has them; both 0: unknown */
	char *host;		    /* owned: the recorded machine; NULL: unknown */
	uint64_t *event_keys; /* by event: owned; what was recorded, as a hash; NULL: unknown */
	int32_t clock;	      /* of the times: a clockid; -1: perf's own */
	bool timed;	      /* samples have times, not only positions in the file */
	char *header[2]; /* owned: the recording's, without and with the long facts; NULL: none */
	void (*release)(struct ptui_profile *p); /* called for the last reference */
};

/* The socket of a CPU; -1: unknown. */
static inline int32_t profile_socket(const struct ptui_profile *p, uint32_t cpu)
{
	return cpu < p->n_sockets ? p->sockets[cpu] : -1;
}

/* The event of no hardware that has the sideband of a recording. */
bool profile_event_is_dummy(const struct ptui_event_info *event);

#endif
