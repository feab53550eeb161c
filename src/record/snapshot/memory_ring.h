/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The newest samples, kept in ptui's memory until a snapshot or the end (record -M SIZE).
 *
 *	kernel's rings --records--> samples ---> [ old | ........ | new ]   the oldest are dropped
 *	                      '---> all others --> the file, at once        if there is no room
 *
 * So the COMM and MMAP records of all kept samples are in the file. A record is copied once; it may
 * wrap at the end of the memory, as in a kernel ring.
 *
 * Positions only grow, as in a kernel ring: the number of bytes added before.
 */
#ifndef RECORD_SNAPSHOT_MEMORY_RING_H
#define RECORD_SNAPSHOT_MEMORY_RING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* room for the largest possible record */
#define MEMORY_BYTES_MIN 65537

struct memory_ring {
	uint8_t *bytes;
	size_t size;
	uint64_t first, end; /* positions of the oldest record and after the newest */
	uint64_t seen;	     /* position up to which the reader has read; set by the reader */
	uint64_t samples;    /* currently in the ring */
	uint64_t dropped;    /* overwritten before they were read */
};

/* 0, -EINVAL (too small), -ENOMEM. */
int memory_ring_init(struct memory_ring *m, size_t size);
void memory_ring_release(struct memory_ring *m);

/* Copies one record of `n` bytes in two pieces (the second may be empty); at most `size` bytes. */
void memory_ring_add(struct memory_ring *m, const void *piece, size_t n_piece, const void *rest,
		     size_t n_rest);

/*
 * The records from one position to another, oldest first; both must be positions of records between
 * first and end. *ret_n pieces, valid until the next add. Returns the bytes.
 */
size_t memory_ring_peek(const struct memory_ring *m, uint64_t from, uint64_t to,
			struct iovec iov[2], int *ret_n);

/* Copies bytes of the record at `at`; `off` and `n` must be within it. */
void memory_ring_read(const struct memory_ring *m, uint64_t at, size_t off, void *to, size_t n);

/* Drops records before that position: they are in the file now. */
void memory_ring_forget(struct memory_ring *m, uint64_t until);

#endif
