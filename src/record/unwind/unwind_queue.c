/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/unwind/unwind_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "base/thread.h"
#include "base/wake.h"

#define QUEUE_BYTES ((size_t)64 << 20)
#define ADDRS_MAX   (PTUI_RECORD_MAX_BYTES / 8)

/* ---- samples to their short form ---- */

struct shortener {
	const struct stack_unwinding *ops;
	const struct short_samples *shorts;
	void *unwinding; /* NULL: cuts */
	uint32_t hint;
	uint64_t n_unwound, n_cut;
	uint64_t addrs[ADDRS_MAX];
	uint8_t out[PTUI_RECORD_MAX_BYTES];
};

static struct shortener *shortener_new(const struct unwind_queue *q, void *unwinding)
{
	struct shortener *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->ops = q->ops;
	s->shorts = &q->shorts;
	s->unwinding = unwinding;
	return s;
}

/* Returns its size, and 0 for what no reader could decode either. */
static uint32_t shorten_sample(struct shortener *s, const uint8_t *sample)
{
	struct sample_parts parts;
	enum short_sample_end end = SHORT_SAMPLE_WHOLE;
	uint32_t room, n = 0;

	if (!short_sample_find(s->shorts, sample, &s->hint, &parts))
		return 0;
	room = short_sample_room(&parts, sample);
	if (room > ADDRS_MAX)
		room = ADDRS_MAX;
	if (room && s->unwinding) {
		n = s->ops->unwind(s->unwinding, sample, s->addrs, room, &end);
		s->n_unwound++;
	} else if (room) {
		n = SHORT_SAMPLE_CUT;
		s->n_cut++;
	}
	return short_sample_write(&parts, sample, s->addrs, n, end, s->out);
}

/*
 * Whole records in `from` to `to`, which may be the same place or before it. `mark` NULL or an
 * offset in `from`, that becomes the one in `to`. Returns how many bytes there are.
 */
static size_t shorten(struct shortener *s, const uint8_t *from, size_t n, uint8_t *to, size_t *mark)
{
	size_t at = 0, size = 0, marked = SIZE_MAX;
	struct perf_event_header header;

	for (; n - at >= sizeof(header); at += header.size) {
		memcpy(&header, from + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > n - at)
			break;
		if (mark && at == *mark)
			marked = size;
		if (header.type == PERF_RECORD_SAMPLE) {
			uint32_t bytes = shorten_sample(s, from + at);

			memcpy(to + size, s->out, bytes);
			size += bytes;
		} else {
			memmove(to + size, from + at, header.size);
			size += header.size;
		}
	}
	if (mark)
		*mark = marked == SIZE_MAX ? size : marked;
	return size;
}

static void shorten_pass(struct shortener *s, struct unwind_pass *p)
{
	uint8_t *smaller;
	size_t n = 0;

	for (size_t i = 0; i < p->n_parts; i++) {
		struct unwind_part *part = &p->parts[i];
		size_t bytes = shorten(s, p->bytes + part->at, part->n, p->bytes + n, NULL);

		*part = (struct unwind_part){ .at = n, .n = bytes };
		n += bytes;
	}
	p->n = n;
	smaller = realloc(p->bytes, n ? n : 1);
	if (smaller)
		p->bytes = smaller;
}

/* ---- passes ---- */

struct unwind_pass *unwind_pass_new(size_t bytes, size_t n_parts)
{
	struct unwind_pass *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->bytes = malloc(bytes ? bytes : 1);
	p->parts = calloc(n_parts + 1, sizeof(*p->parts));
	if (p->bytes && p->parts)
		return p;
	unwind_pass_free(p);
	return NULL;
}

void unwind_pass_free(struct unwind_pass *p)
{
	if (!p)
		return;
	free(p->bytes);
	free(p->parts);
	free(p);
}

void unwind_pass_add(struct unwind_pass *p, const struct iovec *iov, int n)
{
	struct unwind_part *part = &p->parts[p->n_parts++];

	*part = (struct unwind_part){ .at = p->n };
	for (int i = 0; i < n; i++) {
		memcpy(p->bytes + p->n, iov[i].iov_base, iov[i].iov_len);
		p->n += iov[i].iov_len;
	}
	part->n = p->n - part->at;
}

static void list_append(struct unwind_pass **first, struct unwind_pass **last,
			struct unwind_pass *p)
{
	p->next = NULL;
	if (*last)
		(*last)->next = p;
	else
		*first = p;
	*last = p;
}

static struct unwind_pass *list_pop(struct unwind_pass **first, struct unwind_pass **last)
{
	struct unwind_pass *p = *first;

	if (!p)
		return NULL;
	*first = p->next;
	if (!*first)
		*last = NULL;
	p->next = NULL;
	return p;
}

/* ---- the thread ---- */

/* Waits for work. *ret NULL: nothing older will come. False: the end. */
static bool queue_wait(struct unwind_queue *q, bool has_waiting, struct unwind_pass **ret)
{
	bool ends;

	pthread_mutex_lock(&q->lock);
	while (!q->ends && !q->first && !(q->idle && has_waiting))
		pthread_cond_wait(&q->work, &q->lock);
	ends = q->ends;
	*ret = ends ? NULL : list_pop(&q->first, &q->last);
	pthread_mutex_unlock(&q->lock);
	return !ends;
}

static void queue_done(struct unwind_queue *q, struct unwind_pass *p)
{
	bool for_sink = !p->only_sideband;

	pthread_mutex_lock(&q->lock);
	if (p->is_cut)
		q->cut_bytes -= p->queued_bytes;
	else
		q->bytes -= p->queued_bytes;
	if (for_sink) {
		list_append(&q->done_first, &q->done_last, p);
		wake_set(q->fd);
	}
	pthread_mutex_unlock(&q->lock);
	if (!for_sink)
		unwind_pass_free(p);
}

/* A failure (of memory) ends the unwinding, not the recording: the samples are cut from then on. */
static void unwind_waiting(struct unwind_queue *q, struct unwind_pass *p)
{
	struct shortener *s = q->shortener;

	if (!p->is_cut)
		shorten_pass(s, p);
	q->n_unwound += s->n_unwound;
	q->n_cut += s->n_cut;
	s->n_unwound = s->n_cut = 0;
	queue_done(q, p);
}

static void *unwind_main(void *arg)
{
	struct unwind_queue *q = arg;
	struct unwind_pass *waiting = NULL, *next;
	int failed = 0;

	pthread_setname_np(pthread_self(), "ptui-unwind");
	while (queue_wait(q, waiting != NULL, &next)) {
		if (!failed)
			failed = next ? q->ops->records(q->unwinding, next->bytes, next->n) :
					q->ops->settle(q->unwinding);
		if (failed)
			q->shortener->unwinding = NULL;
		if (waiting)
			unwind_waiting(q, waiting);
		waiting = next;
		q->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
	}
	unwind_pass_free(waiting);
	return NULL;
}

/* ---- lifetime ---- */

static void queue_destroy(struct unwind_queue *q)
{
	if (q->unwinding)
		q->ops->end(q->unwinding);
	short_samples_release(&q->shorts);
	free(q->shortener);
	free(q->cutter);
	if (q->fd >= 0)
		close(q->fd);
	pthread_cond_destroy(&q->work);
	pthread_mutex_destroy(&q->lock);
	free(q);
}

struct unwind_queue *unwind_queue_new(const struct stack_unwinding *ops,
				      const struct short_samples *shorts, uint32_t max_stack,
				      size_t max_bytes, struct ptui_error *err)
{
	struct unwind_queue *q = calloc(1, sizeof(*q));
	int ret;

	if (!q) {
		ptui_error_nomem(err);
		return NULL;
	}
	q->ops = ops;
	q->shorts = *shorts;
	q->max_stack = max_stack;
	q->max_bytes = max_bytes ? max_bytes : QUEUE_BYTES;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->work, NULL);
	q->fd = wake_open(err);
	if (q->fd < 0)
		goto fail;
	q->unwinding = ops->begin(ops->ctx, max_stack, err);
	if (!q->unwinding)
		goto fail;
	q->shortener = shortener_new(q, q->unwinding);
	q->cutter = shortener_new(q, NULL);
	if (!q->shortener || !q->cutter) {
		ptui_error_nomem(err);
		goto fail;
	}
	ret = thread_start(&q->thread, unwind_main, q);
	if (!ret)
		return q;
	ptui_error_errno(err, -ret, "thread", _("cannot start the thread that unwinds stacks"));
fail:
	queue_destroy(q);
	return NULL;
}

void unwind_queue_free(struct unwind_queue *q)
{
	struct unwind_pass *p;

	if (!q)
		return;
	pthread_mutex_lock(&q->lock);
	q->ends = true;
	pthread_cond_signal(&q->work);
	pthread_mutex_unlock(&q->lock);
	pthread_join(q->thread, NULL);
	while ((p = list_pop(&q->first, &q->last)))
		unwind_pass_free(p);
	while ((p = list_pop(&q->done_first, &q->done_last)))
		unwind_pass_free(p);
	queue_destroy(q);
}

/* ---- the recorder thread ---- */

static int add_events(const struct stack_unwinding *ops, void *unwinding, const struct counters *c)
{
	uint64_t *ids = calloc(c->n + 1, sizeof(*ids));
	int ret = ids ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < c->events->n && !ret; i++)
		ret = ops->event(unwinding, &c->events->v[i], ids, counters_ids(c, i, ids, c->n));
	free(ids);
	return ret;
}

int unwind_queue_open(struct unwind_queue *q, const struct counters *c)
{
	size_t bytes = 0;
	int ret = short_samples_open(&q->shorts, c, q->max_stack);

	for (size_t i = 0; i < c->n_rings; i++)
		bytes += c->rings[i].back ? 0 : c->rings[i].ring.size;
	/* a pass, and the one before it that waits for its sideband, always have room */
	if (q->max_bytes < 2 * bytes)
		q->max_bytes = 2 * bytes;
	q->counters = c;
	for (size_t i = 0; i < c->events->n; i++)
		q->has_rings |= !c->events->v[i].sideband && !c->events->v[i].attr.write_backward;
	return ret ? ret : add_events(q->ops, q->unwinding, c);
}

static void queue_append(struct unwind_queue *q, struct unwind_pass *p)
{
	p->queued_bytes = p->n;
	pthread_mutex_lock(&q->lock);
	if (p->is_cut)
		q->cut_bytes += p->n;
	else
		q->bytes += p->n;
	q->idle = false;
	list_append(&q->first, &q->last, p);
	pthread_cond_signal(&q->work);
	pthread_mutex_unlock(&q->lock);
}

int unwind_queue_push_sideband(struct unwind_queue *q, const void *records, size_t n)
{
	const struct iovec iov = { .iov_base = (void *)(uintptr_t)records, .iov_len = n };
	struct unwind_pass *p;

	if (!n)
		return 0;
	p = unwind_pass_new(n, 1);
	if (!p)
		return -ENOMEM;
	unwind_pass_add(p, &iov, 1);
	p->only_sideband = true;
	queue_append(q, p);
	return 0;
}

bool unwind_queue_has_room(struct unwind_queue *q)
{
	bool has_room;

	pthread_mutex_lock(&q->lock);
	has_room = q->cut_bytes <= q->max_bytes;
	pthread_mutex_unlock(&q->lock);
	return has_room;
}

static bool is_full(struct unwind_queue *q, size_t bytes)
{
	bool full;

	pthread_mutex_lock(&q->lock);
	full = q->bytes + bytes > q->max_bytes;
	pthread_mutex_unlock(&q->lock);
	return full;
}

void unwind_queue_push(struct unwind_queue *q, struct unwind_pass *p)
{
	/* until then the thread only makes room */
	if (is_full(q, p->n)) {
		shorten_pass(q->cutter, p);
		p->is_cut = true;
		q->n_cut += q->cutter->n_cut;
		q->cutter->n_cut = 0;
	}
	p->seq = ++q->n_pushed;
	queue_append(q, p);
}

void unwind_queue_idle(struct unwind_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->idle = true;
	pthread_cond_signal(&q->work);
	pthread_mutex_unlock(&q->lock);
}

struct unwind_pass *unwind_queue_take(struct unwind_queue *q)
{
	struct unwind_pass *p;

	pthread_mutex_lock(&q->lock);
	p = list_pop(&q->done_first, &q->done_last);
	if (!q->done_first)
		wake_clear(q->fd);
	pthread_mutex_unlock(&q->lock);
	if (p)
		q->n_taken = p->seq;
	return p;
}

bool unwind_queue_is_busy(const struct unwind_queue *q)
{
	return q->n_taken != q->n_pushed;
}

/* ---- rings in overwrite mode ---- */

int unwind_queue_in_place(struct unwind_queue *q, const struct iovec *sideband, struct iovec *iov,
			  size_t *marks, int n, struct ptui_error *err)
{
	void *unwinding = q->ops->begin(q->ops->ctx, q->max_stack, err);
	struct shortener *s;
	int ret;

	if (!unwinding)
		return -EIO;
	s = shortener_new(q, unwinding);
	ret = s ? add_events(q->ops, unwinding, q->counters) : -ENOMEM;
	if (!ret)
		ret = q->ops->records(unwinding, sideband->iov_base, sideband->iov_len);
	if (!ret)
		ret = q->ops->settle(unwinding);
	for (int i = 0; i < n && !ret; i++)
		iov[i].iov_len = shorten(s, iov[i].iov_base, iov[i].iov_len, iov[i].iov_base,
					 &marks[i]);
	if (!ret)
		q->n_unwound += s->n_unwound;
	free(s);
	q->ops->end(unwinding);
	return ret ? ptui_error_nomem(err) : 0;
}
