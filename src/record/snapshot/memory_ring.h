/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last samples, held in our own memory until a snapshot or the end (record -M SIZE).
 *
 *	kernel's rings --records--> samples ---> [ old | ........ | new ]   the oldest are dropped
 *	                      '---> all others --> the file, at once        when there is no room
 *
 * So no COMM and no MMAP is ever missing for a sample that is still there. A record is copied once,
 * and in whole: cut only by the memory's end, as in a ring of the kernel's.
 *
 * Positions only ever grow, as in such a ring: a record stands where so many bytes had come before it.
 */
#ifndef RECORD_SNAPSHOT_MEMORY_RING_H
#define RECORD_SNAPSHOT_MEMORY_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Of one record: the largest there is must find room. */
#define MEMORY_BYTES_MIN 65537

struct memory_ring {
	uint8_t *bytes;
	size_t size;
	uint64_t first, end; /* positions: of the oldest record, and behind the newest */
	uint64_t seen;	     /* up to where somebody has looked: kept by whoever did */
	uint64_t samples;    /* that are in it */
	uint64_t dropped;    /* that had to leave, and nobody had seen them */
};

/* 0, -EINVAL (too small), -ENOMEM. */
int memory_ring_init(struct memory_ring *m, size_t size);
void memory_ring_release(struct memory_ring *m);

/* Copies one record: `n` bytes from two pieces (the second may be empty), not more than the size. */
void memory_ring_add(struct memory_ring *m, const void *piece, size_t n_piece, const void *rest,
		     size_t n_rest);

/*
 * What stands from one position to another, the oldest first; both lie between first and end, where
 * records begin. *ret_n pieces; stays until something is added. Returns the bytes.
 */
size_t memory_ring_peek(const struct memory_ring *m, uint64_t from, uint64_t to,
			struct iovec iov[2], int *ret_n);

/* Bytes of the record that stands there: `off` and what follows lie inside of it. */
void memory_ring_read(const struct memory_ring *m, uint64_t at, size_t off, void *to, size_t n);

/* Forgets what stands before that position: it is in the file now. */
void memory_ring_forget(struct memory_ring *m, uint64_t until);

#endif
