/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk that wants no samples still has to read all headers, one after the other. Scouts read those of later
 * ranges at the same time:
 *
 *	walk:   [ headers ........ ][ jumps from run to run ........ ][ jumps ........ ]
 *	scout:                      [ ? headers .................... ]
 *	scout:                                                        [ ? headers .... ]
 *
 * A scout guesses where a record starts. A wrong guess does no harm: the walk takes a run of samples only if it
 * comes to exactly where the run starts, and what follows from there is sure. Nor does the walk wait: a scout that
 * is not done when the walk comes ends, and the walk reads the rest.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"
#include "base/vec.h"
#include "data/read/reader_private.h"

#define FIRST_SYNTHESIZED 64u
#define SEARCH_BYTES	  ((uint64_t)1 << 20) /* in which a record must start: some may be zeros */

struct data_scout {
	struct window win;
	uint64_t from, to;
	uint64_t data_end;
	pthread_t thread;
	bool joined;
	atomic_bool stop;
	struct sample_run *v;
	size_t n, cap;
};

/* Whether a record has no more bytes than its header says. */
static bool has_plain_size(uint32_t type)
{
	return type < FIRST_SYNTHESIZED || type == PTUI_RECORD_FINISHED_ROUND;
}

/*
 * Adds one more sample to the run that ends where it starts. The first one is a run of its own: the walk has returned
 * that record when it comes. False: no memory.
 */
static bool add_sample(struct data_scout *s, uint64_t off, uint16_t size)
{
	struct sample_run *last = s->n ? &s->v[s->n - 1] : NULL;

	if (!last || last->end != off || (s->n == 1 && last->n == 1)) {
		if (vec_grow(&s->v, &s->cap, s->n + 1))
			return false;
		last = &s->v[s->n++];
		*last = (struct sample_run){ .off = off };
	}
	last->last_off = off;
	last->end = off + size;
	last->n++;
	return true;
}

static void scout_run(struct data_scout *s)
{
	uint64_t off = 0, search = s->to;

	if (search > s->from && search - s->from > SEARCH_BYTES)
		search = s->from + SEARCH_BYTES;
	if (resync_find(&s->win, false, s->from, 8, search, &off))
		return;
	while (off < s->to && !atomic_load_explicit(&s->stop, memory_order_relaxed)) {
		struct perf_event_header h;
		size_t have = 0;
		int ret = 0;
		const uint8_t *at = window_at(&s->win, off, sizeof(h), &have, &ret);

		if (!at || have < sizeof(h))
			return;
		memcpy(&h, at, sizeof(h));
		if (h.size < sizeof(h) || h.size > s->data_end - off || !has_plain_size(h.type))
			return;
		if (h.type == PERF_RECORD_SAMPLE &&
		    (h.size > s->to - off || !add_sample(s, off, h.size)))
			return;
		window_skip(&s->win, h.size);
		off += h.size;
	}
}

static void *scout_main(void *ctx)
{
	scout_run(ctx);
	return NULL;
}

struct data_scout *data_scout_start(struct data_file *f, uint64_t from, uint64_t to)
{
	struct data_scout *s;

	if (f->pipe || f->swap || f->src.n_parts || from < f->data_off)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	window_init(&s->win, &f->src);
	/* records are aligned from the start of the data on */
	s->from = from + (8 - (from - f->data_off) % 8) % 8;
	s->to = to < f->data_end ? to : f->data_end;
	s->data_end = f->data_end;
	if (thread_start(&s->thread, scout_main, s)) {
		free(s);
		return NULL;
	}
	return s;
}

const struct sample_run *data_scout_runs(struct data_scout *s, size_t *ret_n)
{
	atomic_store(&s->stop, true);
	if (!s->joined)
		pthread_join(s->thread, NULL);
	s->joined = true;
	*ret_n = s->n;
	return s->v;
}

void data_scout_free(struct data_scout *s)
{
	size_t n;

	if (!s)
		return;
	(void)data_scout_runs(s, &n);
	window_release(&s->win);
	free(s->v);
	free(s);
}
