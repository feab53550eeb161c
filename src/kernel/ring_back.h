/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An overwrite-mode ring (attr.write_backward, mapped read-only): the kernel writes it backwards
 * and overwrites the oldest records.
 *
 *	       head                                  head + size
 *	[ ... | newest | .. | older | .. | oldest | cu|t ... ]      positions decrease; the offset is the
 *	          ^ read from here on                ^ cut by        low bits, as in any ring
 *	                                               the wrap: dropped
 *
 * It is copied while its output is paused (PERF_EVENT_IOC_PAUSE_OUTPUT), and parsed after output
 * was resumed.
 */
#ifndef KERNEL_RING_BACK_H
#define KERNEL_RING_BACK_H

#include "kernel/ring.h"

struct ring_back_copy {
	const uint8_t *bytes; /* the newest first, in one piece */
	size_t n;	      /* all that was not overwritten: its last record may be cut */
	uint64_t head;	      /* start of the newest record: `seen` of the next copy */
};

/*
 * Copies into `to`, which has room for r->size bytes. A record in progress when output was paused
 * may still complete: the records it overwrites are dropped.
 */
void ring_back_copy(const struct ring *r, uint8_t *to, struct ring_back_copy *ret);

struct ring_back_extent {
	size_t bytes; /* whole records, from the copy's beginning on */
	size_t n_new; /* of these, bytes not in the last copy */
	/* the newest records of the last copy are overwritten: some were never seen */
	bool gap;
};

/* Describes the copy. `seen`: head of the previous copy; 0: none. Stops at an invalid header. */
void ring_back_measure(const struct ring_back_copy *c, uint64_t seen, struct ring_back_extent *ret);

/*
 * Estimates a copy without making it: its bytes, and those not in the last copy, whose head was
 * `seen` (0: none).
 */
void ring_back_peek(const struct ring *r, uint64_t seen, uint64_t *ret_bytes, uint64_t *ret_new);

/* Touches all pages of the mapping, so that there are no page faults during a pause. */
void ring_back_touch(const struct ring *r, size_t page_bytes);

#endif
