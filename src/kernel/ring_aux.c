/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/ring_aux.h"

#define END_BYTES 4096 /* of the area, which are not 0 after it has wrapped, as perf assumes */

void ring_aux_init(struct ring_aux *r, void *page, void *base, size_t bytes)
{
	*r = (struct ring_aux){ .page = page, .data = base, .size = bytes };
	r->tail = r->page->aux_tail;
}

static uint64_t aux_head(const struct ring_aux *r)
{
	return __atomic_load_n(&r->page->aux_head, __ATOMIC_ACQUIRE);
}

/* The bytes between two positions. Returns the number of pieces. */
static int aux_pieces(const struct ring_aux *r, uint64_t from, uint64_t n, struct iovec iov[2])
{
	uint64_t at = from & (r->size - 1);
	uint64_t first = r->size - at < n ? r->size - at : n;

	iov[0] = (struct iovec){ .iov_base = r->data + at, .iov_len = first };
	iov[1] = (struct iovec){ .iov_base = r->data, .iov_len = n - first };
	return n > first ? 2 : n > 0;
}

size_t ring_aux_peek(struct ring_aux *r, struct iovec iov[2], int *ret_n)
{
	uint64_t n = r->size ? aux_head(r) - r->tail : 0;

	*ret_n = 0;
	if (n > r->size) {
		ring_aux_consume(r, n);
		return 0;
	}
	*ret_n = aux_pieces(r, r->tail, n, iov);
	return n;
}

void ring_aux_consume(struct ring_aux *r, size_t bytes)
{
	r->tail += bytes;
	__atomic_store_n(&r->page->aux_tail, r->tail, __ATOMIC_RELEASE);
}

static bool has_wrapped(const struct ring_aux *r, uint64_t head)
{
	uint64_t from = r->size > END_BYTES ? r->size - END_BYTES : 0;

	if (r->wrapped || head >= r->size)
		return true;
	for (uint64_t i = from; i < r->size; i++)
		if (r->data[i])
			return true;
	return false;
}

size_t ring_aux_snapshot(struct ring_aux *r, size_t max, struct iovec iov[2], int *ret_n,
			 uint64_t *ret_off)
{
	uint64_t head = r->size ? aux_head(r) : 0, end = head, n;

	*ret_n = 0;
	*ret_off = 0;
	if (!r->size)
		return 0;
	r->wrapped = has_wrapped(r, head);
	if (r->wrapped) {
		end += head < r->size ? r->size : 0;
		n = r->size;
	} else {
		end += r->tail > head ? r->size : 0;
		n = end - r->tail;
	}
	if (n > max)
		n = max;
	r->tail = head;
	*ret_off = end - n;
	*ret_n = aux_pieces(r, end - n, n, iov);
	return n;
}
