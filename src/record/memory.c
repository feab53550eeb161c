/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"

int memory_init(struct memory *m, size_t size)
{
	memset(m, 0, sizeof(*m));
	if (size < MEMORY_BYTES_MIN)
		return -EINVAL;
	m->bytes = malloc(size);
	m->size = size;
	return m->bytes ? 0 : -ENOMEM;
}

void memory_release(struct memory *m)
{
	free(m->bytes);
	memset(m, 0, sizeof(*m));
}

static void copy_out(const struct memory *m, size_t at, void *to, size_t n)
{
	size_t first = m->size - at < n ? m->size - at : n;

	memcpy(to, m->bytes + at, first);
	memcpy((uint8_t *)to + first, m->bytes, n - first);
}

static void copy_in(struct memory *m, const void *from, size_t n)
{
	size_t at = (m->first + m->used) % m->size;
	size_t first = m->size - at < n ? m->size - at : n;

	if (!n)
		return;
	memcpy(m->bytes + at, from, first);
	memcpy(m->bytes, (const uint8_t *)from + first, n - first);
	m->used += n;
}

static void drop_oldest(struct memory *m)
{
	struct perf_event_header header;

	copy_out(m, m->first, &header, sizeof(header));
	m->first = (m->first + header.size) % m->size;
	m->used -= header.size;
	m->samples--;
	m->dropped++;
}

void memory_add(struct memory *m, const void *piece, size_t n_piece, const void *rest, size_t n_rest)
{
	while (m->size - m->used < n_piece + n_rest)
		drop_oldest(m);
	copy_in(m, piece, n_piece);
	copy_in(m, rest, n_rest);
	m->samples++;
}

size_t memory_peek(const struct memory *m, struct iovec iov[2], int *ret_n)
{
	size_t first = m->size - m->first < m->used ? m->size - m->first : m->used;

	iov[0] = (struct iovec){ .iov_base = m->bytes + m->first, .iov_len = first };
	iov[1] = (struct iovec){ .iov_base = m->bytes, .iov_len = m->used - first };
	*ret_n = m->used > first ? 2 : m->used > 0;
	return m->used;
}

void memory_clear(struct memory *m)
{
	m->first = 0;
	m->used = 0;
	m->samples = 0;
}
