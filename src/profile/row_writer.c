/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/row_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"
#include "base/vec.h"

#define BATCH_ITEMS 512
#define BATCHES	    8  /* all fit in the processor's cache */
#define AHEAD	    12 /* items: what finds their nodes is loaded before they are looked at */
#define PREFETCHED  16 /* nodes of a chain */

/* A frame of a chain, with what finds its node. */
struct step {
	uint32_t frame;
	uint32_t path; /* stacks_path() */
};

/* A chain, or a row. */
struct item {
	bool is_row;
	union {
		struct {
			struct row_chain chain; /* its frames are the steps */
			size_t first_step;
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
	struct step *steps;
	size_t n_steps, cap_steps;
};

struct row_queue {
	bool threaded;
	struct batch_thread thread;
	struct batch batches[BATCHES]; /* without a thread: the first one */
};

void row_writer_init(struct row_writer *w, struct profile_store *store)
{
	*w = (struct row_writer){ .store = store, .stack = PTUI_NONE };
}

/* ---- paths ---- */

static int keep_path(struct row_writer *w, uint32_t at, uint32_t path)
{
	if (vec_grow(&w->kept_paths, &w->cap_kept_paths, (size_t)at + 1))
		return -ENOMEM;
	w->kept_paths[at] = path;
	return 0;
}

/* The frames of a chain, in the order of the chains. 0 or -ENOMEM. */
static int make_steps(struct row_writer *w, const struct row_chain *c, struct step *ret)
{
	size_t same = c->known ? 0 : c->same;
	uint32_t path = c->known ? w->kept_paths[c->kept_at] :
			same	 ? w->paths[same - 1] :
				   STACKS_NO_PATH;

	if (!c->known && vec_grow(&w->paths, &w->cap_paths, same + c->n))
		return -ENOMEM;
	for (size_t i = 0; i < c->n; i++) {
		path = stacks_path(path, c->frames[i]);
		ret[i] = (struct step){ c->frames[i], path };
		if (!c->known)
			w->paths[same + i] = path;
	}
	return c->known || c->kept_at == PTUI_NONE ?
		       0 :
		       keep_path(w, c->kept_at, w->paths[same + c->n - 2]);
}

/* ---- into the store ---- */

/* The chain has two frames and more. 0 or -ENOMEM. */
static int keep_callers(struct row_writer *w, const struct row_chain *c)
{
	if (vec_grow(&w->kept, &w->cap_kept, (size_t)c->kept_at + 1))
		return -ENOMEM;
	w->kept[c->kept_at] = w->nodes[c->same + c->n - 2];
	return 0;
}

/* Sets w->stack, which is the node of the caller before. 0 or -ENOMEM. */
static int write_step(struct row_writer *w, const struct step *step)
{
	w->stack = stacks_push_path(&w->store->stacks, w->stack, step->frame, step->path);
	return w->stack == PTUI_NONE ? -ENOMEM : 0;
}

static int write_whole_chain(struct row_writer *w, const struct row_chain *c,
			     const struct step *steps)
{
	w->stack = c->same ? w->nodes[c->same - 1] : PTUI_NONE;
	if (vec_grow(&w->nodes, &w->cap_nodes, c->same + c->n))
		return -ENOMEM;
	for (size_t i = 0; i < c->n; i++) {
		if (write_step(w, &steps[i]))
			return -ENOMEM;
		w->nodes[c->same + i] = w->stack;
	}
	return c->kept_at == PTUI_NONE ? 0 : keep_callers(w, c);
}

static int write_chain(struct row_writer *w, const struct row_chain *c, const struct step *steps)
{
	int err = 0;

	if (!c->known)
		return write_whole_chain(w, c, steps);
	w->stack = w->kept[c->kept_at];
	for (size_t i = 0; i < c->n && !err; i++)
		err = write_step(w, &steps[i]);
	return err;
}

static int write_row(struct row_writer *w, struct sample_row *row, const struct row_leaf *leaf)
{
	if (row->stack != PTUI_NONE)
		row->stack = w->stack;
	if (leaf->frame != PTUI_NONE && w->asks_later && !leaf->at_uprobe)
		row->how |= STACK_ASKS;
	else if (leaf->frame != PTUI_NONE && w->skips_caller && w->skips_caller(w->skips_ctx, leaf))
		row->how |= STACK_SKIPS;
	return profile_store_add_row(w->store, row);
}

/* ---- batches ---- */

static const struct step *item_steps(const struct batch *b, const struct item *it)
{
	return b->steps + it->first_step;
}

/* Nodes are found in two steps, each of which needs memory: see stacks.h. */
static void prefetch(const struct row_writer *w, const struct batch *b, size_t i,
		     void (*load)(const struct stacks *s, uint32_t path))
{
	const struct item *it;
	size_t n;

	if (i >= b->n)
		return;
	it = &b->items[i];
	n = it->is_row ? 0 : it->chain.n;
	for (size_t k = 0; k < n && k < PREFETCHED; k++)
		load(&w->store->stacks, item_steps(b, it)[k].path);
}

static int write_batch(struct row_writer *w, struct batch *b)
{
	int err = 0;

	for (size_t i = 0; i < b->n && !err; i++) {
		struct item *it = &b->items[i];

		prefetch(w, b, i + AHEAD, stacks_prefetch);
		prefetch(w, b, i + AHEAD / 2, stacks_prefetch_node);
		err = it->is_row ? write_row(w, &it->row, &it->leaf) :
				   write_chain(w, &it->chain, item_steps(b, it));
	}
	return err;
}

/* ---- the thread ---- */

static int write_given(void *ctx, size_t batch)
{
	struct row_writer *w = ctx;

	return write_batch(w, &w->queue->batches[batch]);
}

static void queue_free(struct row_queue *q)
{
	for (size_t i = 0; i < BATCHES; i++)
		free(q->batches[i].steps);
	free(q);
}

void row_writer_start(struct row_writer *w, bool threaded)
{
	struct row_queue *q = calloc(1, sizeof(*q));

	w->queue = q;
	if (!q || !threaded)
		return;
	q->thread = (struct batch_thread){ .work = write_given, .ctx = w, .n_batches = BATCHES };
	q->threaded = !batch_thread_start(&q->thread);
}

/* The batch that is being filled. */
static struct batch *queue_batch(struct row_queue *q)
{
	return &q->batches[q->threaded ? batch_thread_next(&q->thread) : 0];
}

static int queue_give(struct row_writer *w)
{
	struct row_queue *q = w->queue;
	int err = q->threaded ? batch_thread_give(&q->thread) : write_batch(w, queue_batch(q));

	queue_batch(q)->n = queue_batch(q)->n_steps = 0;
	return err;
}

int row_writer_finish(struct row_writer *w)
{
	struct row_queue *q = w->queue;
	int err;

	if (!q)
		return 0;
	err = queue_give(w);
	if (q->threaded)
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
	free(w->paths);
	free(w->kept_paths);
	free(w->steps);
	memset(w, 0, sizeof(*w));
}

/* ---- to the batches ---- */

/* NULL: out of memory. */
static struct item *queue_add(struct row_writer *w)
{
	struct row_queue *q = w->queue;

	if (queue_batch(q)->n == BATCH_ITEMS && queue_give(w))
		return NULL;
	return &queue_batch(q)->items[queue_batch(q)->n++];
}

static int queue_chain(struct row_writer *w, const struct row_chain *c)
{
	struct item *it = queue_add(w);
	struct batch *b = queue_batch(w->queue);

	if (!it)
		return -ENOMEM;
	if (vec_grow(&b->steps, &b->cap_steps, b->n_steps + c->n) ||
	    make_steps(w, c, b->steps + b->n_steps)) {
		b->n--; /* a chain without its frames would be another one */
		return -ENOMEM;
	}
	it->is_row = false;
	it->chain = *c;
	it->first_step = b->n_steps;
	b->n_steps += c->n;
	return 0;
}

int row_writer_chain(struct row_writer *w, const struct row_chain *c)
{
	if (w->queue)
		return queue_chain(w, c);
	return vec_grow(&w->steps, &w->cap_steps, c->n) || make_steps(w, c, w->steps) ?
		       -ENOMEM :
		       write_chain(w, c, w->steps);
}

int row_writer_row(struct row_writer *w, const struct sample_row *row, const struct row_leaf *leaf)
{
	static const struct row_leaf none = { .frame = PTUI_NONE };
	struct sample_row copy;
	struct item *it;

	if (!leaf)
		leaf = &none;
	if (!w->queue) {
		copy = *row;
		return write_row(w, &copy, leaf);
	}
	it = queue_add(w);
	if (!it)
		return -ENOMEM;
	it->is_row = true;
	it->row = *row;
	it->leaf = *leaf;
	return 0;
}
