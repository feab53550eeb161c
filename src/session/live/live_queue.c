/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/live/live_queue.h"

#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/thread.h"

#define SIDEBAND_PART 4 /* a quarter more room for sideband alone */

int live_queue_init(struct live_queue *q, size_t max_bytes)
{
	memset(q, 0, sizeof(*q));
	q->max_bytes = max_bytes;
	pthread_mutex_init(&q->lock, NULL);
	return thread_cond_init(&q->changed);
}

void live_queue_release(struct live_queue *q)
{
	while (q->first) {
		struct live_block *next = q->first->next;

		free(q->first);
		q->first = next;
	}
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
}

static size_t iov_bytes(const struct iovec *iov, int n)
{
	size_t bytes = 0;

	for (int i = 0; i < n; i++)
		bytes += iov[i].iov_len;
	return bytes;
}

static struct live_block *block_new(const struct iovec *iov, int n, size_t bytes)
{
	struct live_block *b = malloc(sizeof(*b) + bytes);

	if (!b)
		return NULL;
	*b = (struct live_block){ .n = 0 };
	for (int i = 0; i < n; i++) {
		memcpy(b->bytes + b->n, iov[i].iov_base, iov[i].iov_len);
		b->n += iov[i].iov_len;
	}
	return b;
}

/* Removes the samples in place. Returns their number. */
static uint64_t block_drop_samples(struct live_block *b)
{
	struct perf_event_header header;
	uint64_t samples = 0;
	size_t at = 0, to = 0;

	while (b->n - at >= sizeof(header)) {
		memcpy(&header, b->bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > b->n - at)
			break;
		if (header.type == PERF_RECORD_SAMPLE) {
			samples++;
		} else {
			memmove(b->bytes + to, b->bytes + at, header.size);
			to += header.size;
		}
		at += header.size;
	}
	b->n = to;
	return samples;
}

static void queue_append(struct live_queue *q, struct live_block *b)
{
	if (q->last)
		q->last->next = b;
	else
		q->first = b;
	q->last = b;
	q->bytes += b->n;
	q->idle = false;
}

void live_queue_bound(struct live_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->bounded = true;
	pthread_mutex_unlock(&q->lock);
}

void live_queue_put(struct live_queue *q, const struct iovec *iov, int n)
{
	size_t bytes = iov_bytes(iov, n), room;
	struct live_block *b = block_new(iov, n, bytes);
	uint64_t samples = 0;

	pthread_mutex_lock(&q->lock);
	room = !q->bounded ? SIZE_MAX : q->max_bytes > q->bytes ? q->max_bytes - q->bytes : 0;
	pthread_mutex_unlock(&q->lock);
	/* meanwhile the other side can only make more room */
	if (b && bytes > room)
		samples = block_drop_samples(b);
	pthread_mutex_lock(&q->lock);
	if (b && bytes > room && q->bytes + b->n > q->max_bytes + q->max_bytes / SIDEBAND_PART) {
		free(b);
		b = NULL;
	}
	q->dropped_bytes += bytes - (b ? b->n : 0);
	q->dropped_samples += samples;
	if (b)
		queue_append(q, b);
	if (q->bytes >= q->max_bytes / 4)
		pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

void live_queue_idle(struct live_queue *q)
{
	pthread_mutex_lock(&q->lock);
	if (q->last)
		q->last->idle_after = true;
	else
		q->idle = true;
	pthread_mutex_unlock(&q->lock);
}

void live_queue_end(struct live_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->ended = true;
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

struct live_block *live_queue_take(struct live_queue *q, uint64_t until_ns, struct live_news *ret)
{
	struct live_block *blocks;

	pthread_mutex_lock(&q->lock);
	while (!q->ended && (!q->first || q->bytes < q->max_bytes / 4))
		if (!thread_cond_wait_until(&q->changed, &q->lock, until_ns))
			break;
	blocks = q->first;
	q->first = q->last = NULL;
	q->bytes = 0;
	*ret = (struct live_news){ .idle = q->idle, .ended = q->ended };
	q->idle = false;
	pthread_mutex_unlock(&q->lock);
	return blocks;
}

void live_queue_dropped(struct live_queue *q, uint64_t *ret_bytes, uint64_t *ret_samples)
{
	pthread_mutex_lock(&q->lock);
	*ret_bytes = q->dropped_bytes;
	*ret_samples = q->dropped_samples;
	pthread_mutex_unlock(&q->lock);
}
