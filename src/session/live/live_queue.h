/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queue from the recorder to the session: a copy of each pass, in blocks, of bounded size.
 *
 *	recorder --put--> [ pass | pass | pass ] --take--> session     the lock is held only to
 *	                                                               relink: put never blocks
 *
 * If a pass does not fit, only its sideband is queued, for which extra room is reserved: missing
 * samples are counted, but missing maps would make other samples wrong.
 */
#ifndef SESSION_LIVE_QUEUE_H
#define SESSION_LIVE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct live_block {
	struct live_block *next;
	bool idle_after; /* the next pass found nothing: no older records are on the way */
	size_t n;
	uint8_t bytes[];
};

struct live_queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct live_block *first, *last;
	size_t bytes, max_bytes;
	uint64_t dropped_bytes, dropped_samples;
	bool idle;    /* idle_after of the last block, after it was taken */
	bool bounded; /* false during the start: the synthesized records must all fit */
	bool ended;
};

/* 0 or a negative errno. */
int live_queue_init(struct live_queue *q, size_t max_bytes);
void live_queue_release(struct live_queue *q);

/* Applies the size limit from now on. */
void live_queue_bound(struct live_queue *q);

/* Called by the recorder, with whole records. */
void live_queue_put(struct live_queue *q, const struct iovec *iov, int n);
void live_queue_idle(struct live_queue *q);
void live_queue_end(struct live_queue *q);

/* State returned by live_queue_take() with the blocks. */
struct live_news {
	bool idle;  /* without blocks: idle_after of the last one before */
	bool ended; /* no more blocks follow */
};

/*
 * Returns all blocks, oldest first, to be freed by the caller; NULL: none. Waits until `until_ns`
 * (monotonic), or until the queue is a quarter full or has ended.
 */
struct live_block *live_queue_take(struct live_queue *q, uint64_t until_ns, struct live_news *ret);

void live_queue_dropped(struct live_queue *q, uint64_t *ret_bytes, uint64_t *ret_samples);

#endif
