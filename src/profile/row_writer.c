/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/row_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"
#include "base/vec.h"

#define BATCH_ITEMS 512
#define BATCHES	    8  /* all fit in the processor's cache */
#define AHEAD	    12 /* items: the slots of their nodes are loaded before they are looked at */

/* A chain, or a row. */
struct item {
	bool is_row;
	union {
		struct {
			struct row_chain chain; /* its frames are in the batch */
			size_t first_frame;
		};
		struct {
			struct sample_row row;
			struct row_leaf leaf;
		};
	};
};
_Static_assert(sizeof(struct item) <= 72, "the batches fit in the processor's cache");

struct batch {
	struct item items[BATCH_ITEMS];
	size_t n;
	uint32_t *frames;
	size_t n_frames, cap_frames;
};

struct row_queue {
	struct batch_thread thread;
	struct batch batches[BATCHES];
};

void row_writer_init(struct row_writer *w, struct profile_store *store)
{
	*w = (struct row_writer){ .store = store, .stack = PTUI_NONE };
}

/* ---- into the store ---- */

/* The chain has two frames and more. 0 or -ENOMEM. */
static int keep_callers(struct row_writer *w, const struct row_chain *c)
{
	size_t had = w->cap_kept;

	if (vec_grow(&w->kept, &w->cap_kept, (size_t)c->kept_at + 1))
		return -ENOMEM;
	if (w->cap_kept > had)
		memset(w->kept + had, 0xff, (w->cap_kept - had) * sizeof(*w->kept));
	w->kept[c->kept_at] = w->nodes[c->same + c->n - 2];
	return 0;
}

static int write_whole_chain(struct row_writer *w, const struct row_chain *c,
			     const uint32_t *frames)
{
	uint32_t stack = c->same ? w->nodes[c->same - 1] : PTUI_NONE;

	if (vec_grow(&w->nodes, &w->cap_nodes, c->same + c->n))
		return -ENOMEM;
	for (size_t i = 0; i < c->n; i++) {
		stack = stacks_push(&w->store->stacks, stack, frames[i]);
		if (stack == PTUI_NONE)
			return -ENOMEM;
		w->nodes[c->same + i] = stack;
	}
	w->stack = stack;
	return c->kept_at == PTUI_NONE ? 0 : keep_callers(w, c);
}

static int write_chain(struct row_writer *w, const struct row_chain *c, const uint32_t *frames)
{
	if (!c->known)
		return write_whole_chain(w, c, frames);
	w->stack = w->kept[c->kept_at];
	for (size_t i = 0; i < c->n; i++) {
		w->stack = stacks_push(&w->store->stacks, w->stack, frames[i]);
		if (w->stack == PTUI_NONE)
			return -ENOMEM;
	}
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

/* The first node of a chain, unless it follows the chain before. */
static void prefetch_chain(const struct row_writer *w, const struct batch *b, const struct item *it)
{
	const struct row_chain *c = &it->chain;

	if (it->is_row || !c->n || (c->known ? c->kept_at >= w->cap_kept : c->same))
		return;
	stacks_prefetch(&w->store->stacks, c->known ? w->kept[c->kept_at] : PTUI_NONE,
			b->frames[it->first_frame]);
}

static int write_batch(void *ctx, size_t batch)
{
	struct row_writer *w = ctx;
	const struct batch *b = &w->queue->batches[batch];
	int err = 0;

	for (size_t i = 0; i < b->n && !err; i++) {
		const struct item *it = &b->items[i];

		if (i + AHEAD < b->n)
			prefetch_chain(w, b, it + AHEAD);
		err = it->is_row ? write_row(w, &it->row, &it->leaf) :
				   write_chain(w, &it->chain, b->frames + it->first_frame);
	}
	return err;
}

static void queue_free(struct row_queue *q)
{
	for (size_t i = 0; i < BATCHES; i++)
		free(q->batches[i].frames);
	free(q);
}

void row_writer_start(struct row_writer *w)
{
	w->queue = calloc(1, sizeof(*w->queue));
	if (!w->queue)
		return;
	w->queue->thread =
		(struct batch_thread){ .work = write_batch, .ctx = w, .n_batches = BATCHES };
	if (batch_thread_start(&w->queue->thread)) {
		queue_free(w->queue);
		w->queue = NULL;
	}
}

/* The batch that is being filled. */
static struct batch *queue_batch(struct row_queue *q)
{
	return &q->batches[batch_thread_next(&q->thread)];
}

static int queue_give(struct row_queue *q)
{
	int err = batch_thread_give(&q->thread);

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
	err = batch_thread_finish(&q->thread);
	queue_free(q);
	w->queue = NULL;
	return err;
}

void row_writer_release(struct row_writer *w)
{
	row_writer_finish(w);
	free(w->nodes);
	free(w->kept);
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

static int queue_chain(struct row_queue *q, const struct row_chain *c)
{
	struct item *it = queue_add(q);
	struct batch *b = queue_batch(q);

	if (!it)
		return -ENOMEM;
	if (vec_grow(&b->frames, &b->cap_frames, b->n_frames + c->n)) {
		b->n--; /* a chain without its frames would be another one */
		return -ENOMEM;
	}
	it->is_row = false;
	it->chain = *c;
	it->first_frame = b->n_frames;
	if (c->n)
		memcpy(b->frames + b->n_frames, c->frames, c->n * sizeof(*c->frames));
	b->n_frames += c->n;
	return 0;
}

int row_writer_chain(struct row_writer *w, const struct row_chain *c)
{
	return w->queue ? queue_chain(w->queue, c) : write_chain(w, c, c->frames);
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
