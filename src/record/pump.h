/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the rings to the file: one pass looks at every ring once, writes all that is new with one
 * gathering write, ends it with a FINISHED_ROUND, and gives the room back to the kernel.
 *
 *	ring0 [..ab]  ring1 [cd|..ef]   --->   a b | e f c d | FINISHED_ROUND
 *
 * Records are not decoded: the pump hops from header to header and counts.
 *
 * Rings that are overwritten are left alone on the way, and written whole when that is asked for.
 * What is in them is older than what was written before; so where there are such rings no round is
 * ever finished, and readers sort the whole.
 */
#ifndef RECORD_PUMP_H
#define RECORD_PUMP_H

#include <stdbool.h>
#include "kernel/counters.h"
#include "record/affinity.h"
#include "record/outlet.h"

/* Written by the recorder's thread, read by others at any time. */
struct pump_counts {
	_Atomic uint64_t bytes;
	_Atomic uint64_t samples;
	_Atomic uint64_t lost;
	_Atomic uint64_t throttled;
	_Atomic uint64_t rounds; /* passes that found something */
	_Atomic uint32_t fill_permille, fill_max_permille; /* the fullest ring: last pass, ever */
};

struct pump {
	struct counters *counters;
	struct outlet *outlet;
	struct pump_counts *counts;
	struct iovec *iov;
	struct affinity affinity; /* zeros, or set behind pump_init() */
	size_t *taken; /* bytes of this pass, by ring */
	/* Where a sample's time stands; 0: not at the same place in all events, or nowhere. */
	size_t time_off;
	bool exact_times;   /* look at the time of every sample, not of a pass's first and last */
	uint64_t leave_bytes; /* a ring with less is left until later, but for a quarter of it */
	uint64_t first_ns, last_ns; /* of samples; 0: none yet */
	bool rounds;   /* passes are told as rounds */
	uint64_t *seen; /* by ring, of those that are overwritten: the head at the last look */
};

int pump_init(struct pump *p, struct counters *counters, struct outlet *outlet,
	      struct pump_counts *counts);
void pump_release(struct pump *p);
/* One pass. 1: something was written; 0: nothing was new; negative: told in err. */
int pump_pass(struct pump *p, struct ptui_error *err);

/* What one look at the overwritable rings found. */
struct pump_snapshot {
	uint64_t bytes, samples;	 /* all that was in them */
	uint64_t new_bytes, new_samples; /* of it, what the last look did not have */
	uint64_t first_ns, last_ns;	 /* of the samples; 0: there are none, or no times */
	uint64_t pause_ns;		 /* how long the kernel could not write into them */
	bool gap;			 /* what came between two looks was overwritten in part */
};

/*
 * Writes what stands in the overwritable rings, the newest records of each first; only what is new
 * when `only_new`. 1, 0 (there are no such rings, or nothing in them), or negative: told in err.
 */
int pump_back(struct pump *p, bool only_new, struct pump_snapshot *ret, struct ptui_error *err);

#endif
