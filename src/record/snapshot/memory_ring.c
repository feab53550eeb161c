/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/memory_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"

int memory_ring_init(struct memory_ring *m, size_t size)
{
	memset(m, 0, sizeof(*m));
	if (size < MEMORY_BYTES_MIN)
		return -EINVAL;
	m->bytes = malloc(size);
	m->size = size;
	return m->bytes ? 0 : -ENOMEM;
}

void memory_ring_release(struct memory_ring *m)
{
	free(m->bytes);
	memset(m, 0, sizeof(*m));
}

size_t memory_ring_peek(const struct memory_ring *m, uint64_t from, uint64_t to,
			struct iovec iov[2], int *ret_n)
{
	size_t at = from % m->size, n = to - from;
	size_t first = m->size - at < n ? m->size - at : n;

	iov[0] = (struct iovec){ .iov_base = m->bytes + at, .iov_len = first };
	iov[1] = (struct iovec){ .iov_base = m->bytes, .iov_len = n - first };
	*ret_n = n > first ? 2 : n > 0;
	return n;
}

void memory_ring_read(const struct memory_ring *m, uint64_t at, size_t off, void *to, size_t n)
{
	struct iovec iov[2];
	int pieces;

	memory_ring_peek(m, at + off, at + off + n, iov, &pieces);
	memcpy(to, iov[0].iov_base, iov[0].iov_len);
	memcpy((uint8_t *)to + iov[0].iov_len, iov[1].iov_base, iov[1].iov_len);
}

static void copy_in(struct memory_ring *m, const void *from, size_t n)
{
	struct iovec iov[2];
	int pieces;

	if (!n)
		return;
	memory_ring_peek(m, m->end, m->end + n, iov, &pieces);
	memcpy(iov[0].iov_base, from, iov[0].iov_len);
	memcpy(iov[1].iov_base, (const uint8_t *)from + iov[0].iov_len, iov[1].iov_len);
	m->end += n;
}

static void memory_ring_drop_oldest(struct memory_ring *m)
{
	struct perf_event_header header;

	memory_ring_read(m, m->first, 0, &header, sizeof(header));
	m->first += header.size;
	m->samples--;
}

void memory_ring_add(struct memory_ring *m, const void *piece, size_t n_piece, const void *rest,
		     size_t n_rest)
{
	while (m->size - (m->end - m->first) < n_piece + n_rest) {
		m->dropped += m->first >= m->seen;
		memory_ring_drop_oldest(m);
	}
	copy_in(m, piece, n_piece);
	copy_in(m, rest, n_rest);
	m->samples++;
}

void memory_ring_forget(struct memory_ring *m, uint64_t until)
{
	while (m->first < until)
		memory_ring_drop_oldest(m);
}
