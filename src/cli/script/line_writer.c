/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/script/line_writer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"
#include "cli/out.h"

#define BATCHES	 32 /* what is read ahead while the thread waits for symbols */
#define TEXT_MAX ((size_t)256 << 10)

struct line_queue {
	struct line_writer writer;
	struct script *second; /* the thread's */
	pthread_mutex_t names; /* struct script.names of both */
	struct batch_thread thread;
	atomic_bool wants_forget;
	struct line_batch batches[BATCHES];
};

static struct line_queue *queue_of(struct line_writer *w)
{
	return (struct line_queue *)w; /* its first member */
}

bool line_writer_wants_forget(struct line_writer *w)
{
	return atomic_exchange(&queue_of(w)->wants_forget, false);
}

/* In the thread. */
static int write_batch(void *ctx, size_t batch)
{
	struct line_queue *q = ctx;
	int err = script_write_lines(q->second, &q->batches[batch]);

	if (stack_cache_is_full(&q->second->stacks))
		q->wants_forget = true;
	return !err && q->second->out.len >= TEXT_MAX ? cli_put(&q->second->out) : err;
}

static void queue_free(struct line_queue *q)
{
	for (size_t i = 0; i < BATCHES; i++) {
		buf_release(&q->batches[i].text);
		free(q->batches[i].items);
		free(q->batches[i].places);
		free(q->batches[i].starts);
	}
	script_second_free(q->second);
	free(q->writer.mapped);
	pthread_mutex_destroy(&q->names);
	free(q);
}

void line_writer_start(struct script *s)
{
	struct line_queue *q = calloc(1, sizeof(*q));
	pthread_mutexattr_t attr;

	if (!q)
		return;
	/* it is held for less than a thread takes to sleep and wake up */
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&q->names, &attr);
	pthread_mutexattr_destroy(&attr);
	q->thread = (struct batch_thread){ .work = write_batch, .ctx = q, .n_batches = BATCHES };
	q->second = script_second(s);
	if (q->second)
		q->second->names = &q->names;
	if (!q->second || batch_thread_start(&q->thread)) {
		queue_free(q);
		return;
	}
	q->writer.batch = &q->batches[0];
	s->names = &q->names;
	s->writer = &q->writer;
}

bool line_writer_is_new(struct script *s, uint32_t module)
{
	struct line_writer *w = s->writer;
	size_t cap = w->cap_mapped;
	bool mapped;

	if (module >= cap) {
		if (vec_grow(&w->mapped, &w->cap_mapped, module + 1))
			return true; /* that is slower, nothing else */
		memset(w->mapped + cap, 0, (w->cap_mapped - cap) * sizeof(*w->mapped));
	}
	mapped = w->mapped[module];
	w->mapped[module] = true;
	return !mapped;
}

int line_writer_give(struct script *s)
{
	struct line_queue *q = queue_of(s->writer);
	struct line_batch *b = s->writer->batch;
	int given, err = s->out.err;

	b->text = s->out;
	given = batch_thread_give(&q->thread);
	b = &q->batches[batch_thread_next(&q->thread)];
	b->n = b->n_places = b->n_starts = 0;
	s->writer->batch = b;
	s->out = b->text;
	b->text = (struct buf)BUF_INIT;
	buf_clear(&s->out);
	return err ? err : given;
}

int line_writer_finish(struct script *s)
{
	struct line_queue *q;
	int ended, err;

	if (!s->writer)
		return 0;
	q = queue_of(s->writer);
	err = line_writer_give(s);
	ended = batch_thread_finish(&q->thread);
	if (!err)
		err = ended;
	if (!err)
		err = cli_put(&q->second->out);
	s->writer = NULL;
	s->names = NULL;
	queue_free(q);
	return err;
}
