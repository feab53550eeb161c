/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/stream_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"

#define CHUNK_BYTES ((size_t)1 << 20)

void stream_queue_release(struct stream_queue *q)
{
	for (size_t i = 0; i < q->n_chunks; i++)
		free(q->chunks[i].bytes);
	free(q->chunks);
	free(q->items);
	free(q->spare);
	memset(q, 0, sizeof(*q));
}

/* A chunk with room for n bytes becomes the current one: an empty one, or a new one. */
static int chunk_for(struct stream_queue *q, size_t n)
{
	struct queue_chunk *c = q->n_chunks ? &q->chunks[q->current] : NULL;
	size_t i;

	if (c && c->size - c->used >= n)
		return 0;
	for (i = 0; i < q->n_chunks; i++)
		if (!q->chunks[i].live && q->chunks[i].size >= n)
			break;
	if (i == q->n_chunks) {
		size_t size = n > CHUNK_BYTES ? n : CHUNK_BYTES;
		uint8_t *bytes;

		if (vec_grow(&q->chunks, &q->cap_chunks, i + 1))
			return -ENOMEM;
		bytes = malloc(size);
		if (!bytes)
			return -ENOMEM;
		q->chunks[i] = (struct queue_chunk){ .bytes = bytes, .size = size };
		q->n_chunks++;
	}
	q->chunks[i].used = 0;
	q->current = i;
	return 0;
}

static const char *moved(const char *text, const uint8_t *from, const uint8_t *to)
{
	return (const char *)to + ((const uint8_t *)text - from);
}

/* What points into the body of a decoded record other than a sample. */
static void move_pointers(struct data_record *rec, const uint8_t *from, const uint8_t *to)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		rec->mmap.path = moved(rec->mmap.path, from, to);
		break;
	case PERF_RECORD_COMM:
		rec->comm.name = moved(rec->comm.name, from, to);
		break;
	case PERF_RECORD_KSYMBOL:
		rec->ksymbol.name = moved(rec->ksymbol.name, from, to);
		break;
	default:
		break;
	}
}

/*
 * In a chunk:
 *
 *   struct kept_head | struct data_record, unless it is a sample | body
 */
struct kept_head {
	uint64_t off, seq;
	uint32_t type, bytes, body_bytes;
	uint16_t misc;
};
_Static_assert(sizeof(struct kept_head) % 8 == 0, "keeps what follows aligned");
_Static_assert(sizeof(struct data_record) % 8 == 0, "keeps what follows aligned");

int stream_queue_add(struct stream_queue *q, const struct data_record *rec, uint64_t time,
		     uint64_t when)
{
	const struct kept_head head = { rec->off,   rec->seq,	     rec->type,
					rec->bytes, rec->body_bytes, rec->misc };
	bool decoded = rec->type != PERF_RECORD_SAMPLE;
	size_t bytes = sizeof(head) + (decoded ? sizeof(*rec) : 0) +
		       ((rec->body_bytes + 7) & ~(size_t)7);
	struct queue_chunk *c;
	uint8_t *to;

	if (vec_grow(&q->items, &q->cap, q->n + 1) || chunk_for(q, bytes))
		return -ENOMEM;
	c = &q->chunks[q->current];
	to = c->bytes + c->used;
	q->items[q->n++] = (struct queue_item){ time, when, to, (uint32_t)q->current };
	c->used += bytes;
	c->live++;
	memcpy(to, &head, sizeof(head));
	to += sizeof(head);
	if (decoded) {
		struct data_record copy = *rec;

		copy.body = to + sizeof(copy);
		move_pointers(&copy, rec->body, copy.body);
		memcpy(to, &copy, sizeof(copy));
		to += sizeof(copy);
	}
	memcpy(to, rec->body, rec->body_bytes);
	return 0;
}

static void queue_get(const uint8_t *at, struct data_record *ret)
{
	struct kept_head head;

	memcpy(&head, at, sizeof(head));
	at += sizeof(head);
	if (head.type != PERF_RECORD_SAMPLE) {
		memcpy(ret, at, sizeof(*ret));
		return;
	}
	memset(ret, 0, offsetof(struct data_record, id));
	ret->type = head.type;
	ret->misc = head.misc;
	ret->bytes = head.bytes;
	ret->off = head.off;
	ret->seq = head.seq;
	ret->body = at;
	ret->body_bytes = head.body_bytes;
}

/* ---- natural merge sort ---- */

static size_t run_end(const struct queue_item *v, size_t from, size_t n)
{
	while (from + 1 < n && v[from].time <= v[from + 1].time)
		from++;
	return from + 1;
}

static void merge(const struct queue_item *v, size_t a, size_t b, size_t end, struct queue_item *to)
{
	size_t i = a, k = b;

	while (i < b && k < end)
		*to++ = v[k].time < v[i].time ? v[k++] : v[i++];
	memcpy(to, v + i, (b - i) * sizeof(*to));
	memcpy(to + (b - i), v + k, (end - k) * sizeof(*to));
}

/* Merges pairs of runs. Returns the number of runs that there were. */
static size_t merge_pass(const struct queue_item *v, size_t n, struct queue_item *to)
{
	size_t a = 0, runs = 0;

	while (a < n) {
		size_t b = run_end(v, a, n), end = b < n ? run_end(v, b, n) : b;

		runs += b < n ? 2 : 1;
		merge(v, a, b, end, to + a);
		a = end;
	}
	return runs;
}

static int sort(struct stream_queue *q)
{
	if (run_end(q->items, 0, q->n) >= q->n)
		return 0;
	if (vec_grow(&q->spare, &q->cap_spare, q->n))
		return -ENOMEM;
	for (size_t runs = SIZE_MAX; runs > 2;) {
		struct queue_item *items = q->items;
		size_t cap = q->cap;

		runs = merge_pass(q->items, q->n, q->spare);
		q->items = q->spare;
		q->cap = q->cap_spare;
		q->spare = items;
		q->cap_spare = cap;
	}
	return 0;
}

int stream_queue_take(struct stream_queue *q, uint64_t limit)
{
	size_t from = 0, to;

	if (sort(q))
		return -ENOMEM;
	for (to = q->n; from < to;) {
		size_t mid = from + (to - from) / 2;

		if (q->items[mid].time <= limit)
			from = mid + 1;
		else
			to = mid;
	}
	q->first = 0;
	q->taken = from;
	return 0;
}

bool stream_queue_next(struct stream_queue *q, struct data_record *ret, uint64_t *ret_when)
{
	if (q->first >= q->taken)
		return false;
	queue_get(q->items[q->first].at, ret);
	*ret_when = q->items[q->first++].when;
	return true;
}

void stream_queue_done(struct stream_queue *q)
{
	for (size_t i = 0; i < q->first; i++)
		q->chunks[q->items[i].chunk].live--;
	q->n -= q->first;
	if (q->first) /* else there may be no memory at all */
		memmove(q->items, q->items + q->first, q->n * sizeof(*q->items));
	q->first = q->taken = 0;
}
