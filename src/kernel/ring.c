/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "kernel/ring.h"

void ring_init(struct ring *r, void *base, size_t page_bytes, size_t data_bytes)
{
	r->page = base;
	r->data = (uint8_t *)base + page_bytes;
	r->size = data_bytes;
	r->tail = r->page->data_tail;
}

int ring_pieces(const struct ring *r, uint64_t from, uint64_t to, struct iovec iov[2])
{
	uint64_t at = from & (r->size - 1), n = to - from;
	uint64_t first = r->size - at < n ? r->size - at : n;

	iov[0] = (struct iovec){ .iov_base = r->data + at, .iov_len = first };
	iov[1] = (struct iovec){ .iov_base = r->data, .iov_len = n - first };
	return n > first ? 2 : n > 0;
}

size_t ring_peek(struct ring *r, struct iovec iov[2], int *ret_n)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t n = head - r->tail;

	*ret_n = 0;
	if (n > r->size) {
		ring_consume(r, n);
		return 0;
	}
	*ret_n = ring_pieces(r, r->tail, head, iov);
	return n;
}

void ring_consume(struct ring *r, size_t bytes)
{
	r->tail += bytes;
	__atomic_store_n(&r->page->data_tail, r->tail, __ATOMIC_RELEASE);
}

void ring_hop_init(struct ring_hop *h, const struct ring *r, size_t bytes)
{
	h->ring = r;
	h->at = r->tail;
	h->end = r->tail + bytes;
}

uint64_t ring_u64(const struct ring *r, uint64_t at, size_t off)
{
	uint64_t v;

	/* Records are 8-byte aligned: a u64 never wraps around the end of the ring. */
	memcpy(&v, r->data + ((at + off) & (r->size - 1)), sizeof(v));
	return v;
}

bool ring_hop_next(struct ring_hop *h, struct perf_event_header *ret, uint64_t *ret_at)
{
	uint64_t word;

	if (h->end - h->at < sizeof(*ret))
		return false;
	word = ring_u64(h->ring, h->at, 0);
	memcpy(ret, &word, sizeof(*ret));
	if (ret->size < sizeof(*ret) || ret->size % 8 || ret->size > h->end - h->at)
		return false;
	*ret_at = h->at;
	h->at += ret->size;
	return true;
}
