/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/memory_router.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

static const struct perf_event_header finished_round = {
	.type = PTUI_RECORD_FINISHED_ROUND,
	.size = sizeof(struct perf_event_header),
};

int memory_router_init(struct memory_router *f, size_t bytes, size_t time_off)
{
	memset(f, 0, sizeof(*f));
	f->time_off = time_off;
	return memory_ring_init(&f->memory, bytes);
}

void memory_router_release(struct memory_router *f)
{
	free(f->samples.v);
	free(f->others.v);
	free(f->cursors);
	memory_ring_release(&f->memory);
	memset(f, 0, sizeof(*f));
}

bool memory_router_is_used(const struct memory_router *f)
{
	return f->memory.bytes != NULL;
}

/* ---- a pass ---- */

static int list_add(struct memory_router_list *l, const struct iovec *iov, int n)
{
	if (vec_grow(&l->v, &l->cap, l->n + (size_t)n))
		return -ENOMEM;
	for (int i = 0; i < n; i++)
		l->v[l->n++] = iov[i];
	return 0;
}

static int add_run(struct memory_router *f, const struct ring *ring, uint64_t from, uint64_t to,
		   bool samples)
{
	struct iovec iov[2];
	int n = ring_pieces(ring, from, to, iov);

	return list_add(samples ? &f->samples : &f->others, iov, n);
}

/* Advances to the next sample. False: no more in this ring. */
static bool cursor_next(const struct memory_router *f, struct memory_router_cursor *c)
{
	struct perf_event_header header;

	while (ring_hop_next(&c->hop, &header, &c->at)) {
		if (header.type != PERF_RECORD_SAMPLE)
			continue;
		c->bytes = header.size;
		c->time_ns = 0;
		if (f->time_off && f->time_off + sizeof(c->time_ns) <= header.size)
			c->time_ns = ring_u64(c->hop.ring, c->at, f->time_off);
		return true;
	}
	return false;
}

static int cursor_add(struct memory_router *f, const struct ring *ring, size_t bytes)
{
	struct memory_router_cursor *c;

	if (vec_grow(&f->cursors, &f->cap_cursors, f->n_cursors + 1))
		return -ENOMEM;
	c = &f->cursors[f->n_cursors];
	ring_hop_init(&c->hop, ring, bytes);
	f->n_cursors += cursor_next(f, c);
	return 0;
}

int memory_router_ring(struct memory_router *f, const struct ring *ring, size_t bytes)
{
	uint64_t from = ring->tail, at = from;
	struct perf_event_header header;
	bool samples = false;
	struct ring_hop hop;
	int ret = cursor_add(f, ring, bytes);

	ring_hop_init(&hop, ring, bytes);
	while (!ret && ring_hop_next(&hop, &header, &at)) {
		bool is_sample = header.type == PERF_RECORD_SAMPLE;

		if (is_sample == samples)
			continue;
		ret = add_run(f, ring, from, at, samples);
		samples = is_sample;
		from = at;
	}
	return ret ? ret : add_run(f, ring, from, hop.at, samples);
}

/* ---- merge of the rings' samples by time ---- */

static uint64_t time_at(const struct memory_router *f, uint64_t at, size_t bytes)
{
	uint64_t ns = 0;

	if (f->time_off && f->time_off + sizeof(ns) <= bytes)
		memory_ring_read(&f->memory, at, f->time_off, &ns, sizeof(ns));
	return ns;
}

/*
 * A ring that was left to fill (--mmap-flush) may yield samples older than those already dropped.
 */
static bool is_too_old(const struct memory_router *f, const struct memory_router_cursor *c)
{
	const struct memory_ring *m = &f->memory;
	struct perf_event_header header;

	if (m->size - (m->end - m->first) >= c->bytes)
		return false;
	memory_ring_read(m, m->first, 0, &header, sizeof(header));
	return c->time_ns < time_at(f, m->first, header.size);
}

static void keep_sample(struct memory_router *f, const struct memory_router_cursor *c)
{
	struct iovec iov[2];

	if (is_too_old(f, c)) {
		f->memory.dropped++;
		return;
	}
	ring_pieces(c->hop.ring, c->at, c->at + c->bytes, iov);
	memory_ring_add(&f->memory, iov[0].iov_base, iov[0].iov_len, iov[1].iov_base,
			iov[1].iov_len);
}

/* The cursors are a heap with the oldest sample on top. */
static void cursor_sift_down(struct memory_router *f, size_t i)
{
	struct memory_router_cursor *v = f->cursors, moved = v[i];
	size_t child;

	for (; (child = 2 * i + 1) < f->n_cursors; i = child) {
		if (child + 1 < f->n_cursors && v[child + 1].time_ns < v[child].time_ns)
			child++;
		if (v[child].time_ns >= moved.time_ns)
			break;
		v[i] = v[child];
	}
	v[i] = moved;
}

static void keep_samples(struct memory_router *f)
{
	for (size_t i = f->n_cursors / 2; i-- > 0;)
		cursor_sift_down(f, i);
	while (f->n_cursors) {
		keep_sample(f, &f->cursors[0]);
		if (!cursor_next(f, &f->cursors[0]))
			f->cursors[0] = f->cursors[--f->n_cursors];
		if (f->n_cursors)
			cursor_sift_down(f, 0);
	}
}

static int memory_router_show(struct memory_router *f, const struct record_sink *o)
{
	struct iovec round = { .iov_base = (void *)(uintptr_t)&finished_round,
			       .iov_len = sizeof(finished_round) };

	if (!o->seen)
		return 0;
	if (list_add(&f->samples, &round, 1))
		return -ENOMEM;
	record_sink_show(o, f->samples.v, (int)f->samples.n);
	return 0;
}

int memory_router_finish(struct memory_router *f, struct record_sink *o, struct ptui_error *err)
{
	int ret = 0;

	keep_samples(f);
	if (f->others.n)
		ret = record_sink_put(o, f->others.v, (int)f->others.n, err);
	if (!ret && memory_router_show(f, o))
		ret = ptui_error_nomem(err);
	f->samples.n = f->others.n = 0;
	return ret;
}

/* ---- kept samples ---- */

static uint64_t clamped(uint64_t at, uint64_t from, uint64_t to)
{
	return at < from ? from : at > to ? to : at;
}

int memory_router_read(struct memory_router *f, uint64_t until, struct kept_samples *ret)
{
	struct memory_ring *m = &f->memory;
	uint64_t fresh;
	struct perf_event_header header;

	until = clamped(until, m->first, m->end);
	fresh = clamped(m->seen, m->first, until);
	memset(ret, 0, sizeof(*ret));
	ret->bytes = memory_ring_peek(m, m->first, until, f->all, &ret->n_all);
	ret->new_bytes = memory_ring_peek(m, fresh, until, f->fresh, &ret->n_fresh);
	ret->all = f->all;
	ret->fresh = f->fresh;
	ret->shown = true;
	ret->gap = m->seen && m->first > m->seen;
	for (uint64_t at = m->first; at < until; at += header.size) {
		memory_ring_read(m, at, 0, &header, sizeof(header));
		kept_samples_note(ret, time_at(f, at, header.size), at >= fresh);
	}
	kept_samples_end(ret);
	m->seen = until;
	return ret->bytes > 0;
}

void memory_router_peek(const struct memory_router *f, uint64_t *ret_bytes, uint64_t *ret_new)
{
	const struct memory_ring *m = &f->memory;

	*ret_bytes = m->end - m->first;
	*ret_new = m->end - clamped(m->seen, m->first, m->end);
}

uint64_t memory_router_oldest_ns(const struct memory_router *f)
{
	const struct memory_ring *m = &f->memory;
	struct perf_event_header header;
	uint64_t oldest_ns = 0;

	for (uint64_t at = m->first; f->time_off && at < m->end; at += header.size) {
		uint64_t ns;

		memory_ring_read(m, at, 0, &header, sizeof(header));
		ns = time_at(f, at, header.size);
		if (ns && (!oldest_ns || ns < oldest_ns))
			oldest_ns = ns;
	}
	return oldest_ns;
}

void memory_router_forget(struct memory_router *f)
{
	memory_ring_forget(&f->memory, f->memory.seen);
}
