/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring that the kernel fills from its end to its front and overwrites (attr.write_backward, mapped
 * read-only): it always holds the last things that happened, and nobody empties it.
 *
 *	       head                                  head + size
 *	[ ... | newest | .. | older | .. | oldest | cu|t ... ]      positions fall; the place is the
 *	          ^ read from here on                ^ cut by        low bits, as in any ring
 *	                                               the wrap: dropped
 *
 * It is copied while its output is paused (PERF_EVENT_IOC_PAUSE_OUTPUT): the kernel would write into
 * what is being read. What is in the copy is looked at when the ring runs again.
 */
#ifndef KERNEL_RING_BACK_H
#define KERNEL_RING_BACK_H

#include "kernel/ring.h"

struct ring_back_copy {
	const uint8_t *bytes; /* the newest first, in one piece */
	size_t n;	      /* all that was not overwritten: its last record may be cut */
	uint64_t head;	      /* where the newest record begins: `seen` of the next look */
};

/*
 * Into `to`, which has room for r->size bytes. A record that was being written as the output was paused
 * may come to its end meanwhile: what it lies over is left out.
 */
void ring_back_copy(const struct ring *r, uint8_t *to, struct ring_back_copy *ret);

struct ring_back_look {
	size_t bytes; /* whole records, from the copy's beginning on */
	size_t n_new; /* of these bytes, those that the last look did not have */
	bool gap;     /* the last look's newest records are overwritten: some were never seen */
};

/*
 * What is in it. `seen`: where the copy before had its head; 0 at the first one. A header that cannot be
 * ends it there.
 */
void ring_back_look(const struct ring_back_copy *c, uint64_t seen, struct ring_back_look *ret);

/*
 * What a copy would have now, without one: bytes, and of them those that the last look, which had its head
 * at `seen` (0: there was none), did not have.
 */
void ring_back_peek(const struct ring *r, uint64_t seen, uint64_t *ret_bytes, uint64_t *ret_new);

/* The mapping's pages, so that none has to be fetched in a pause. */
void ring_back_touch(const struct ring *r, size_t page_bytes);

#endif
