/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ring buffer, written by the kernel. Single reader.
 *
 *   page     data                                       data + size
 *   [ctrl ]  [ free | new records ............ | free ]
 *                   ^tail                      ^head        both only grow; the offset is
 *                                                           the low bits
 *   wrapped: [ second part | free | first part ]            records may wrap around
 *
 * The kernel publishes head after writing the data (we read it with acquire), and may overwrite
 * data before tail (we publish it with release, after use).
 */
#ifndef KERNEL_RING_H
#define KERNEL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include "base/perf_abi.h"

struct ring {
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t size; /* of data, a power of two */
	uint64_t tail; /* what was consumed */
};

/* `base` is the mapping: the control page, then `data_bytes` (a power of two). */
void ring_init(struct ring *r, void *base, size_t page_bytes, size_t data_bytes);

/*
 * Returns the number of new bytes, all complete records, as *ret_n pieces (at most two). They are
 * stable until ring_consume(). An invalid head (more than the ring size ahead) returns 0 with
 * *ret_n = 0 and drops everything up to it.
 */
size_t ring_peek(struct ring *r, struct iovec iov[2], int *ret_n);

/* Releases the first `bytes` of the peeked data to the kernel. */
void ring_consume(struct ring *r, size_t bytes);

/* The bytes between two positions within the data of a peek. Returns the number of pieces. */
int ring_pieces(const struct ring *r, uint64_t from, uint64_t to, struct iovec iov[2]);

/* ---- iterating over the records of a peek, without a copy ---- */

struct ring_hop {
	const struct ring *ring;
	uint64_t at, end; /* positions that only grow, like head and tail */
};

void ring_hop_init(struct ring_hop *h, const struct ring *r, size_t bytes);
/* The next record's header; false at the end or an invalid record. */
bool ring_hop_next(struct ring_hop *h, struct perf_event_header *ret, uint64_t *ret_at);
/* A u64 field at an offset that is a multiple of 8. */
uint64_t ring_u64(const struct ring *r, uint64_t at, size_t off);

#endif
