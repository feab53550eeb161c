/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/lazy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/file.h"

#define BLOCK 4096u

static uint32_t n_blocks(uint32_t n)
{
	return (uint32_t)(((uint64_t)n + BLOCK - 1) / BLOCK);
}

int lazy_init(struct lazy_bytes *l, int fd, uint64_t off, uint32_t n)
{
	void *bytes;

	memset(l, 0, sizeof(*l));
	bytes = mmap(NULL, n ? n : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes == MAP_FAILED)
		return -ENOMEM;
	/* a huge page would be as large as all that is to be left out */
	madvise(bytes, n, MADV_NOHUGEPAGE);
	l->bytes = bytes;
	l->n = n;
	l->fd = fd;
	l->off = off;
	l->read = calloc(1, n_blocks(n) / 8 + 1);
	if (l->read)
		return 0;
	lazy_release(l);
	return -ENOMEM;
}

void lazy_release(struct lazy_bytes *l)
{
	if (l->bytes)
		munmap(l->bytes, l->n ? l->n : 1);
	free(l->read);
	memset(l, 0, sizeof(*l));
}

static bool block_read(struct lazy_bytes *l, uint32_t block)
{
	uint32_t at = block * BLOCK, n = l->n - at < BLOCK ? l->n - at : BLOCK;

	if (file_pread_full(l->fd, l->bytes + at, n, l->off + at) != (ssize_t)n)
		return false;
	l->read[block / 8] |= (uint8_t)(1u << block % 8);
	l->n_read++;
	return true;
}

bool lazy_need(struct lazy_bytes *l, uint64_t off, uint64_t n)
{
	if (off > l->n || n > l->n - off)
		return false;
	for (uint32_t block = (uint32_t)(off / BLOCK); (uint64_t)block * BLOCK < off + n; block++)
		if (!(l->read[block / 8] & 1u << block % 8) && !block_read(l, block))
			return false;
	return true;
}

size_t lazy_memory(const struct lazy_bytes *l)
{
	return (size_t)l->n_read * BLOCK + n_blocks(l->n) / 8;
}
