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

int stream_queue_add(struct stream_queue *q, const struct data_record *rec, uint64_t time,
		     uint64_t when)
{
	size_t body = (rec->body_bytes + 7) & ~(size_t)7;
	struct queue_chunk *c;
	struct data_record *copy;
	uint8_t *to;

	if (vec_grow(&q->items, &q->cap, q->n + 1) || chunk_for(q, sizeof(*copy) + body))
		return -ENOMEM;
	c = &q->chunks[q->current];
	copy = (struct data_record *)(void *)(c->bytes + c->used);
	to = c->bytes + c->used + sizeof(*copy);
	*copy = *rec;
	copy->body = to;
	memcpy(to, rec->body, rec->body_bytes);
	move_pointers(copy, rec->body, to);
	c->used += sizeof(*copy) + body;
	c->live++;
	q->items[q->n++] = (struct queue_item){ time, when, copy, (uint32_t)q->current };
	return 0;
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

const struct queue_item *stream_queue_next(struct stream_queue *q)
{
	return q->first < q->taken ? &q->items[q->first++] : NULL;
}

void stream_queue_done(struct stream_queue *q)
{
	for (size_t i = 0; i < q->first; i++)
		q->chunks[q->items[i].chunk].live--;
	q->n -= q->first;
	memmove(q->items, q->items + q->first, q->n * sizeof(*q->items));
	q->first = q->taken = 0;
}
