/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/ring_back.h"

#include <string.h>

/* Positions start at 0 and decrease, so the first record is just below 2^64. */
static uint64_t written(uint64_t head)
{
	return 0 - head;
}

static uint64_t head_of(const struct ring *r)
{
	return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
}

void ring_back_copy(const struct ring *r, uint8_t *to, struct ring_back_copy *ret)
{
	uint64_t head = head_of(r), late;
	uint64_t n = written(head) < r->size ? written(head) : r->size;
	uint64_t from = head & (r->size - 1), first = r->size - from;

	if (first > n)
		first = n;
	memcpy(to, r->data + from, first);
	memcpy(to + first, r->data, n - first);
	/* Late data was written below the head: over the oldest records if the ring is full. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	late = head - head_of(r);
	if (late > r->size)
		late = r->size;
	if (n > r->size - late)
		n = r->size - late;
	*ret = (struct ring_back_copy){ .bytes = to, .n = n, .head = head };
}

/* How many of the bytes are whole records. */
static size_t whole_records(const struct ring_back_copy *c)
{
	struct perf_event_header header;
	size_t at = 0;

	while (c->n - at >= sizeof(header)) {
		memcpy(&header, c->bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > c->n - at)
			break;
		at += header.size;
	}
	return at;
}

void ring_back_measure(const struct ring_back_copy *c, uint64_t seen, struct ring_back_extent *ret)
{
	uint64_t since = seen - c->head; /* bytes written since the last copy */

	ret->bytes = whole_records(c);
	ret->gap = seen && since > ret->bytes;
	ret->n_new = since < ret->bytes ? since : ret->bytes;
}

void ring_back_peek(const struct ring *r, uint64_t seen, uint64_t *ret_bytes, uint64_t *ret_new)
{
	uint64_t head = head_of(r), since = seen - head;

	*ret_bytes = written(head) < r->size ? written(head) : r->size;
	*ret_new = since < *ret_bytes ? since : *ret_bytes;
}

void ring_back_touch(const struct ring *r, size_t page_bytes)
{
	for (uint64_t at = 0; at < r->size; at += page_bytes)
		(void)*(const volatile uint8_t *)(r->data + at);
}
