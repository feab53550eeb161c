/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX area of a ring buffer: bytes that the hardware writes, without records. It is mapped after the
 * ring's data, and has its own head and tail in the ring's control page:
 *
 *	[ctrl][ data of the ring ][ AUX area: free | new bytes ....... | free ]
 *	                                            ^aux_tail           ^aux_head	both only grow
 *
 * Mapped for writing, it is never overwritten: when it is full, the kernel stops the event, and says so in a
 * PERF_RECORD_AUX (truncated). Mapped read-only, the newest bytes stay. There the head of most
 * PMUs is an offset that starts again at 0, so whether it has wrapped is seen by the last bytes of the
 * area, which are 0 until then.
 */
#ifndef KERNEL_RING_AUX_H
#define KERNEL_RING_AUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include "base/perf_abi.h"

struct ring_aux {
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t size; /* a power of two; 0: there is no AUX area */
	uint64_t tail; /* what was consumed; of a read-only one, the head of the last snapshot */
	bool wrapped;  /* read-only: all of it has been written */
};

/* `page`: the control page, in which aux_offset and aux_size are set. */
void ring_aux_init(struct ring_aux *r, void *page, void *base, size_t bytes);

/*
 * Returns the number of new bytes, as *ret_n pieces (at most two). They are stable until
 * ring_aux_consume(). An invalid head (more than the area ahead) returns 0 and drops everything up to it.
 */
size_t ring_aux_peek(struct ring_aux *r, struct iovec iov[2], int *ret_n);
/* Releases the first `bytes` of the peeked data to the kernel. */
void ring_aux_consume(struct ring_aux *r, size_t bytes);

/*
 * The newest bytes of a read-only AUX area, at most `max`, which the kernel must not be writing; without
 * wrapping, only those since the last snapshot. *ret_off: where they begin, as perf counts it.
 */
size_t ring_aux_snapshot(struct ring_aux *r, size_t max, struct iovec iov[2], int *ret_n,
			 uint64_t *ret_off);

#endif
