/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the rings to the file: one pass looks at every ring once, writes all that is new with one
 * gathering write, ends it with a FINISHED_ROUND, and gives the room back to the kernel.
 *
 *	ring0 [..ab]  ring1 [cd|..ef]   --->   a b | e f c d | FINISHED_ROUND
 *
 * Records are not decoded: the pump hops from header to header and counts.
 *
 * What is kept until a snapshot or the end is not written on the way: rings that are overwritten are left
 * alone (catch.h), or samples go into a memory (feed.h). It is older than what was written before; so no
 * round is ever finished in such a file, and readers sort the whole.
 */
#ifndef RECORD_PUMP_H
#define RECORD_PUMP_H

#include <stdbool.h>
#include "kernel/counters.h"
#include "record/affinity.h"
#include "record/header/buildid_reader.h"
#include "record/record_sink.h"
#include "record/snapshot/memory_router.h"
#include "record/snapshot/overwrite_reader.h"

/* Written by the recorder's thread, read by others at any time. */
struct pump_counts {
	_Atomic uint64_t bytes;
	_Atomic uint64_t samples; /* that were taken out of the rings */
	_Atomic uint64_t held,
		forgotten; /* samples: in the memory now; that left it, and nobody had them */
	_Atomic uint64_t lost;
	_Atomic uint64_t lost_sideband; /* of these, by the id in the LOST records */
	_Atomic uint64_t throttled;
	_Atomic uint64_t rounds;			   /* passes that found something */
	_Atomic uint32_t fill_permille, fill_max_permille; /* the fullest ring: last pass, ever */
};

struct pump {
	struct counters *counters;
	struct record_sink *sink;
	struct pump_counts *counts;
	struct iovec *iov;
	struct affinity affinity; /* zeros, or set behind pump_init() */
	size_t *taken;		  /* bytes of this pass, by ring */
	/* Where a sample's time stands; 0: not at the same place in all events, or nowhere. */
	size_t time_off;
	bool exact_times;     /* look at the time of every sample, not of a pass's first and last */
	uint64_t leave_bytes; /* a ring with less is left until later, but for a quarter of it */
	uint64_t first_ns, last_ns; /* of samples; 0: none yet */
	uint64_t
		settled_ns; /* what happened until then has come out of the rings; with a history only */
	bool rounds;	    /* passes are told as rounds */
	bool kernel_buildids; /* an event asks the kernel for build-ids (attr.build_id) */
	struct buildid_reader
		*buildids; /* NULL: nobody reads those of files that are mapped; borrowed */
	struct bpf_programs
		*bpf; /* takes those that are loaded meanwhile; NULL: nothing does; borrowed */
	struct catcher back;		    /* of the rings that are overwritten */
	struct memory_router memory_router; /* with -M */
};

int pump_init(struct pump *p, struct counters *counters, struct record_sink *sink,
	      struct pump_counts *counts);
void pump_release(struct pump *p);
/* One pass. 1: something was written; 0: nothing was new; negative: told in err. */
int pump_pass(struct pump *p, struct ptui_error *err);
/* The same, however little there is. */
int pump_pass_all(struct pump *p, struct ptui_error *err);

/* Before the first pass: samples go into a memory of so many bytes. 0, -EINVAL (memory.h), -ENOMEM. */
int pump_use_memory(struct pump *p, uint64_t bytes);
/* Whether anything is kept, in whatever way. */
bool pump_keeps(const struct pump *p);

/* At least half of what is kept is new since the last look at it. Where nothing is kept, all is new. */
bool pump_is_half_new(const struct pump *p);

/*
 * Looks at what is kept; the output of rings that are overwritten is paused no longer than it takes to
 * copy them. When it returns, all of the sideband that a sample of it may need has passed (sink.h).
 * 1, 0 (nothing is kept), or negative: told in err.
 */
int pump_look_back(struct pump *p, struct pump_catch *ret, struct ptui_error *err);
/*
 * Writes what was found, or what is new of it; out of the memory it is gone then. 1, 0 (that is nothing),
 * or negative: told in err.
 */
int pump_write_back(struct pump *p, const struct pump_catch *found, bool only_new,
		    struct ptui_error *err);
/* Leaves out of the sideband log what neither the samples that were found need nor later ones. 0 or -ENOMEM. */
int pump_prune_sideband(struct pump *p, const struct pump_catch *found);
/*
 * Samples go nowhere before a snapshot: so does the sideband, where it can be told which samples need
 * what. What was put out so far is in the file.
 */
void pump_hold_sideband(struct pump *p);
/*
 * What no sample can need any more leaves the history (past.h), when it has become long. What the last
 * look found is gone then. 0 or -ENOMEM.
 */
int pump_trim_sideband_log(struct pump *p, struct ptui_error *err);

#endif
