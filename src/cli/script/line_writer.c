/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/script/line_writer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include "base/thread.h"
#include "cli/out.h"

#define BATCHES	 32 /* what is read ahead while the thread waits for symbols */
#define TEXT_MAX ((size_t)256 << 10)

/* batches[i % BATCHES] for i from `taken` to before `given` are the thread's, the others the reader's. */
struct line_queue {
	struct line_writer writer;
	struct script *second; /* the thread's */
	pthread_t thread;
	pthread_mutex_t names; /* struct script.names of both */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t given, taken;
	bool ended;
	int err;
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

/* ---- the thread ---- */

static int write_batch(struct line_queue *q, const struct line_batch *b)
{
	int err = script_write_lines(q->second, b);

	if (stack_cache_is_full(&q->second->stacks))
		q->wants_forget = true;
	return !err && q->second->out.len >= TEXT_MAX ? cli_put(&q->second->out) : err;
}

static void *lines_main(void *ctx)
{
	struct line_queue *q = ctx;
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
			err = write_batch(q, &q->batches[q->taken % BATCHES]);
		pthread_mutex_lock(&q->lock);
		q->err = err;
		q->taken++;
		pthread_cond_broadcast(&q->changed);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

/* ---- its reader ---- */

static void queue_free(struct line_queue *q)
{
	for (size_t i = 0; i < BATCHES; i++) {
		buf_release(&q->batches[i].text);
		free(q->batches[i].items);
		free(q->batches[i].places);
	}
	script_second_free(q->second);
	pthread_mutex_destroy(&q->names);
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->changed);
	free(q);
}

void line_writer_start(struct script *s)
{
	struct line_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return;
	pthread_mutex_init(&q->names, NULL);
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed, NULL);
	q->second = script_second(s);
	if (q->second)
		q->second->names = &q->names;
	if (!q->second || thread_start(&q->thread, lines_main, q)) {
		queue_free(q);
		return;
	}
	q->writer.batch = &q->batches[0];
	s->names = &q->names;
	s->writer = &q->writer;
}

int line_writer_give(struct script *s)
{
	struct line_queue *q = queue_of(s->writer);
	struct line_batch *b = s->writer->batch;
	int err = s->out.err;

	b->text = s->out;
	pthread_mutex_lock(&q->lock);
	q->given++;
	pthread_cond_broadcast(&q->changed);
	while (q->given - q->taken == BATCHES)
		pthread_cond_wait(&q->changed, &q->lock);
	if (!err)
		err = q->err;
	pthread_mutex_unlock(&q->lock);
	b = &q->batches[q->given % BATCHES];
	b->n = b->n_places = 0;
	s->writer->batch = b;
	s->out = b->text;
	b->text = (struct buf)BUF_INIT;
	buf_clear(&s->out);
	return err;
}

int line_writer_finish(struct script *s)
{
	struct line_queue *q;
	int err;

	if (!s->writer)
		return 0;
	q = queue_of(s->writer);
	err = line_writer_give(s);
	pthread_mutex_lock(&q->lock);
	q->ended = true;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
	pthread_join(q->thread, NULL);
	if (!err)
		err = q->err;
	if (!err)
		err = cli_put(&q->second->out);
	s->writer = NULL;
	s->names = NULL;
	queue_free(q);
	return err;
}
