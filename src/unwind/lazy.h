/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A range of a file in memory, whose blocks are read when they are first needed:
 *
 *	file:    .... [ block | block | block | bl ] ....
 *	memory:       [   0   | bytes |   0   | 0  ]	untouched pages take no memory
 *
 * Not mapped: the file may be truncated while it is in use.
 */
#ifndef UNWIND_LAZY_H
#define UNWIND_LAZY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lazy_bytes {
	uint8_t *bytes; /* n of them */
	uint32_t n;
	uint32_t n_read; /* blocks */
	uint8_t *read;	 /* a bit per block */
	int fd;		 /* borrowed */
	uint64_t off;	 /* of bytes[0] in the file */
};

/* 0 or -ENOMEM. */
int lazy_init(struct lazy_bytes *l, int fd, uint64_t off, uint32_t n);
void lazy_release(struct lazy_bytes *l); /* accepts a zeroed one */
/* Makes sure that bytes [off, off + n) are there. False: not in the range, or they cannot be read. */
bool lazy_need(struct lazy_bytes *l, uint64_t off, uint64_t n);
/* The memory that it takes. */
size_t lazy_memory(const struct lazy_bytes *l);

#endif
