/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/ring_back.h"

#include <string.h>

/* Positions begin at 0 and fall, so that the first record stands below 2^64. */
static uint64_t written(uint64_t head)
{
	return 0 - head;
}

/* Whole records from `head` on, of the `room` bytes that were not overwritten. */
static size_t whole_records(const struct ring *r, uint64_t head, uint64_t room)
{
	struct perf_event_header header;
	uint64_t at = 0, word;

	while (room - at >= sizeof(header)) {
		word = ring_u64(r, head + at, 0);
		memcpy(&header, &word, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > room - at)
			break;
		at += header.size;
	}
	return at;
}

void ring_back_look(const struct ring *r, uint64_t seen, struct ring_back_look *ret)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t room = written(head) < r->size ? written(head) : r->size;
	uint64_t from = head & (r->size - 1), first = r->size - from;
	uint64_t since = seen - head; /* bytes written behind the last look */

	memset(ret, 0, sizeof(*ret));
	ret->head = head;
	ret->bytes = whole_records(r, head, room);
	ret->gap = seen && since > ret->bytes;
	ret->n_new = since < ret->bytes ? since : ret->bytes;
	if (!ret->bytes)
		return;
	if (first > ret->bytes)
		first = ret->bytes;
	ret->iov[0] = (struct iovec){ .iov_base = r->data + from, .iov_len = first };
	ret->iov[1] = (struct iovec){ .iov_base = r->data, .iov_len = ret->bytes - first };
	ret->n_iov = ret->bytes > first ? 2 : 1;
}
