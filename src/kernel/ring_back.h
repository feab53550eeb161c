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
 * It is read while its output is paused (PERF_EVENT_IOC_PAUSE_OUTPUT): the kernel would write into
 * what is being read.
 */
#ifndef KERNEL_RING_BACK_H
#define KERNEL_RING_BACK_H

#include "kernel/ring.h"

struct ring_back_look {
	uint64_t head;	/* where the newest record begins: `seen` of the next look */
	size_t bytes;	/* whole records, the newest first */
	size_t n_new;	/* of these bytes, those that the last look did not have */
	bool gap;	/* the last look's newest records are overwritten: some were never seen */
	struct iovec iov[2];
	int n_iov;
};

/*
 * What is in it. `seen`: where the look before found its head; 0 at the first one. What is pointed
 * to stays untouched for as long as the output is paused. A header that cannot be ends it there.
 */
void ring_back_look(const struct ring *r, uint64_t seen, struct ring_back_look *ret);

#endif
