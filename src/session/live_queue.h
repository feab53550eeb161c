/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder hands to the session: a copy of each pass, in blocks, of bounded size.
 *
 *	recorder --put--> [ pass | pass | pass ] --take--> session        put never waits: the lock
 *	                                                                   is held for some pointers
 *
 * A pass that does not fit is left out but for its sideband, for which some room is kept: samples
 * that are missing are counted, maps that are missing would make others wrong.
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
	bool idle_after; /* a pass behind it found nothing: nothing older is on its way */
	size_t n;
	uint8_t bytes[];
};

struct live_queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct live_block *first, *last;
	size_t bytes, max_bytes;
	uint64_t dropped_bytes, dropped_samples;
	bool idle;    /* since the last block, which was taken already */
	bool bounded; /* what runs already is told whole: who starts can wait */
	bool ended;
};

/* 0 or a negative errno. */
int live_queue_init(struct live_queue *q, size_t max_bytes);
void live_queue_release(struct live_queue *q);

/* From now on the bound holds. */
void live_queue_bound(struct live_queue *q);

/* The recorder's side. Whole records. */
void live_queue_put(struct live_queue *q, const struct iovec *iov, int n);
void live_queue_idle(struct live_queue *q);
void live_queue_end(struct live_queue *q);

/* What a call of take found beside the blocks. */
struct live_news {
	bool idle;  /* as of the block before these, when there is none */
	bool ended; /* these are the last */
};

/*
 * All blocks there are, oldest first, the caller's to free(); NULL: none. Waits until the time
 * `until_ns` (monotonic), or until the queue is a quarter full or has ended.
 */
struct live_block *live_queue_take(struct live_queue *q, uint64_t until_ns, struct live_news *ret);

void live_queue_dropped(struct live_queue *q, uint64_t *ret_bytes, uint64_t *ret_samples);

#endif
