/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/row_writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"
#include "base/vec.h"

#define BATCH_ITEMS 1024
#define BATCHES	    8 /* all fit in the processor's cache */

/* A chain, or a row. */
struct item {
	bool is_row;
	uint32_t same, n; /* of a chain; its frames follow those of the chains before */
	struct sample_row row;
	struct row_leaf leaf;
};

struct batch {
	struct item items[BATCH_ITEMS];
	size_t n;
	uint32_t *frames;
	size_t n_frames, cap_frames;
};

/* batches[i % BATCHES] for i from `taken` to before `given` are the thread's, the others the caller's. */
struct row_queue {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t given, taken;
	bool ended;
	int err;
	struct batch batches[BATCHES];
};

void row_writer_init(struct row_writer *w, struct profile_store *store)
{
	*w = (struct row_writer){ .store = store, .stack = PTUI_NONE };
}

/* ---- into the store ---- */

static int write_chain(struct row_writer *w, size_t same, const uint32_t *frames, size_t n)
{
	uint32_t stack = same ? w->nodes[same - 1] : PTUI_NONE;

	if (vec_grow(&w->nodes, &w->cap_nodes, same + n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		stack = stacks_push(&w->store->stacks, stack, frames[i]);
		if (stack == PTUI_NONE)
			return -ENOMEM;
		w->nodes[same + i] = stack;
	}
	w->stack = stack;
	return 0;
}

static int write_row(struct row_writer *w, const struct sample_row *row,
		     const struct row_leaf *leaf)
{
	struct sample_row with_stack = *row;

	if (row->stack != PTUI_NONE)
		with_stack.stack = w->stack;
	if (leaf->frame != PTUI_NONE && w->skips_caller && w->skips_caller(w->skips_ctx, leaf))
		with_stack.how |= STACK_SKIPS;
	return profile_store_add_row(w->store, &with_stack);
}

/* ---- the thread ---- */

static int write_batch(struct row_writer *w, const struct batch *b)
{
	const uint32_t *frames = b->frames;
	int err = 0;

	for (size_t i = 0; i < b->n && !err; i++) {
		const struct item *it = &b->items[i];

		if (it->is_row) {
			err = write_row(w, &it->row, &it->leaf);
			continue;
		}
		err = write_chain(w, it->same, frames, it->n);
		frames += it->n;
	}
	return err;
}

static void *rows_main(void *ctx)
{
	struct row_writer *w = ctx;
	struct row_queue *q = w->queue;
	int err;

	pthread_mutex_lock(&q->lock);
	for (;;) {
		while (q->taken == q->given && !q->ended)
			pthread_cond_wait(&q->changed, &q->lock);
		if (q->taken == q->given)
			break;
		err = q->err;
		pthread_mutex_unlock(&q->lock);
		if (!err)
			err = write_batch(w, &q->batches[q->taken % BATCHES]);
		pthread_mutex_lock(&q->lock);
		q->err = err;
		q->taken++;
		pthread_cond_broadcast(&q->changed);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

static void queue_free(struct row_queue *q)
{
	for (size_t i = 0; i < BATCHES; i++)
		free(q->batches[i].frames);
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->changed);
	free(q);
}

void row_writer_start(struct row_writer *w)
{
	w->queue = calloc(1, sizeof(*w->queue));
	if (!w->queue)
		return;
	pthread_mutex_init(&w->queue->lock, NULL);
	pthread_cond_init(&w->queue->changed, NULL);
	if (thread_start(&w->queue->thread, rows_main, w)) {
		queue_free(w->queue);
		w->queue = NULL;
	}
}

/* The batch that is being filled. */
static struct batch *queue_batch(struct row_queue *q)
{
	return &q->batches[q->given % BATCHES];
}

/* Gives the batch to the thread, and waits for the next one. 0 or -ENOMEM. */
static int queue_give(struct row_queue *q)
{
	int err;

	pthread_mutex_lock(&q->lock);
	q->given++;
	pthread_cond_broadcast(&q->changed);
	while (q->given - q->taken == BATCHES)
		pthread_cond_wait(&q->changed, &q->lock);
	err = q->err;
	pthread_mutex_unlock(&q->lock);
	queue_batch(q)->n = queue_batch(q)->n_frames = 0;
	return err;
}

int row_writer_finish(struct row_writer *w)
{
	struct row_queue *q = w->queue;
	int err;

	if (!q)
		return 0;
	queue_give(q);
	pthread_mutex_lock(&q->lock);
	q->ended = true;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
	pthread_join(q->thread, NULL);
	err = q->err;
	queue_free(q);
	w->queue = NULL;
	return err;
}

void row_writer_release(struct row_writer *w)
{
	row_writer_finish(w);
	free(w->nodes);
	memset(w, 0, sizeof(*w));
}

/* ---- to the thread ---- */

/* NULL: out of memory. */
static struct item *queue_add(struct row_queue *q)
{
	if (queue_batch(q)->n == BATCH_ITEMS && queue_give(q))
		return NULL;
	return &queue_batch(q)->items[queue_batch(q)->n++];
}

static int queue_chain(struct row_queue *q, size_t same, const uint32_t *frames, size_t n)
{
	struct item *it = queue_add(q);
	struct batch *b = queue_batch(q);

	if (!it)
		return -ENOMEM;
	*it = (struct item){ .same = (uint32_t)same, .n = 0 };
	if (vec_grow(&b->frames, &b->cap_frames, b->n_frames + n))
		return -ENOMEM;
	if (n)
		memcpy(b->frames + b->n_frames, frames, n * sizeof(*frames));
	b->n_frames += n;
	it->n = (uint32_t)n;
	return 0;
}

int row_writer_chain(struct row_writer *w, size_t same, const uint32_t *frames, size_t n)
{
	return w->queue ? queue_chain(w->queue, same, frames, n) : write_chain(w, same, frames, n);
}

int row_writer_row(struct row_writer *w, const struct sample_row *row, const struct row_leaf *leaf)
{
	static const struct row_leaf none = { .frame = PTUI_NONE };
	struct item *it;

	if (!leaf)
		leaf = &none;
	if (!w->queue)
		return write_row(w, row, leaf);
	it = queue_add(w->queue);
	if (!it)
		return -ENOMEM;
	it->is_row = true;
	it->row = *row;
	it->leaf = *leaf;
	return 0;
}
