/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that wait until all earlier ones are known:
 *
 *   add  5 7 9 | 6 8 10     each CPU's records are sorted in themselves
 *   take(8)  -> 5 6 7 8     stable: equal times keep their order
 */
#ifndef SESSION_STREAM_QUEUE_H
#define SESSION_STREAM_QUEUE_H

#include "data/data.h"

struct queue_item {
	uint64_t time, when;
	uint8_t *at; /* in a chunk */
	uint32_t chunk;
};

struct queue_chunk {
	uint8_t *bytes;
	size_t used, size;
	size_t live; /* items in it */
};

/* Zero-initialized. */
struct stream_queue {
	struct queue_item *items, *spare;
	size_t n, cap, cap_spare;
	struct queue_chunk *chunks;
	size_t n_chunks, cap_chunks, current;
	size_t first, taken; /* items passed on, and up to where the current take() goes */
};

void stream_queue_release(struct stream_queue *q);
/* Copies the record with its body. 0 or -ENOMEM. */
int stream_queue_add(struct stream_queue *q, const struct data_record *rec, uint64_t time,
		     uint64_t when);
/* Sorts. 0 or -ENOMEM; stream_queue_next() then returns the items up to `limit`. */
int stream_queue_take(struct stream_queue *q, uint64_t limit);
/* False: no more. Valid until stream_queue_done(). */
bool stream_queue_next(struct stream_queue *q, struct data_record *ret, uint64_t *ret_when);
/* Frees what was returned. */
void stream_queue_done(struct stream_queue *q);

#endif
