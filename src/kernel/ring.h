/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ring buffer that the kernel fills and we empty. One reader.
 *
 *   page     data                                       data + size
 *   [ctrl ]  [ free | new records ............ | free ]
 *                   ^tail                      ^head        both only ever grow; the place is
 *                                                           the low bits
 *   wrapped: [ second part | free | first part ]            records may be cut by the end
 *
 * The kernel publishes head after the bytes are there (we read it with acquire), and may
 * overwrite what lies before tail (we publish it with release, after the bytes were used).
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

/* `base` is the mapping: the control page and `data_bytes` (a power of two) behind it. */
void ring_init(struct ring *r, void *base, size_t page_bytes, size_t data_bytes);

/*
 * What is new, as at most two pieces; *ret_n says how many. Returns its bytes, all of it whole
 * records. It stays untouched until ring_consume(). A head that cannot be (further away than
 * the ring is long) gives 0 and *ret_n = 0, and everything up to it is dropped.
 */
size_t ring_peek(struct ring *r, struct iovec iov[2], int *ret_n);

/* Gives the first `bytes` of what peek showed back to the kernel. */
void ring_consume(struct ring *r, size_t bytes);

/*
 * The bytes from one position to another, both of them inside of what a peek showed. Returns how many
 * pieces.
 */
int ring_pieces(const struct ring *r, uint64_t from, uint64_t to, struct iovec iov[2]);

/* ---- hopping over the records of a peek, without a copy ---- */

struct ring_hop {
	const struct ring *ring;
	uint64_t at, end; /* positions that only grow, like head and tail */
};

void ring_hop_init(struct ring_hop *h, const struct ring *r, size_t bytes);
/* The next record's header; false at the end, or at a record that cannot be. */
bool ring_hop_next(struct ring_hop *h, struct perf_event_header *ret, uint64_t *ret_at);
/* A field of eight bytes, at a multiple of eight behind the record's start. */
uint64_t ring_u64(const struct ring *r, uint64_t at, size_t off);

#endif
