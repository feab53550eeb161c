/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last samples, held in our own memory until somebody asks for them (record -M SIZE).
 *
 *	kernel's rings --records--> samples ---> [ old | ........ | new ]   the oldest are dropped
 *	                      '---> all others --> the file, at once        when there is no room
 *
 * So no COMM and no MMAP is ever missing for a sample that is still there. A record is copied once,
 * and in whole: cut only by the memory's end, as in a ring of the kernel's.
 */
#ifndef RECORD_MEMORY_H
#define RECORD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Of one record: the largest there is must find room. */
#define MEMORY_BYTES_MIN 65537

struct memory {
	uint8_t *bytes;
	size_t size;
	size_t first, used; /* where the oldest record begins; bytes of all */
	uint64_t samples;   /* that are in it */
	uint64_t dropped;   /* that had to leave */
};

/* 0, -EINVAL (too small), -ENOMEM. */
int memory_init(struct memory *m, size_t size);
void memory_release(struct memory *m);

/* Copies one record: `n` bytes from two pieces (the second may be empty), not more than the size. */
void memory_add(struct memory *m, const void *piece, size_t n_piece, const void *rest, size_t n_rest);

/* All of it, the oldest first; *ret_n pieces. Stays until something is added. */
size_t memory_peek(const struct memory *m, struct iovec iov[2], int *ret_n);
/* Forgets them: they are in the file now. */
void memory_clear(struct memory *m);

#endif
