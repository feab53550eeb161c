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

int memory_router_init(struct memory_router *f, size_t bytes)
{
	memset(f, 0, sizeof(*f));
	return memory_ring_init(&f->memory, bytes);
}

void memory_router_release(struct memory_router *f)
{
	free(f->samples.v);
	free(f->others.v);
	memory_ring_release(&f->memory);
	memset(f, 0, sizeof(*f));
}

bool memory_router_is_used(const struct memory_router *f)
{
	return f->memory.bytes != NULL;
}

/* ---- a pass ---- */

static int add(struct memory_router_list *l, const struct iovec *iov, int n)
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

	return add(samples ? &f->samples : &f->others, iov, n);
}

static void keep(struct memory_router *f, const struct ring *ring, uint64_t at, size_t bytes)
{
	struct iovec iov[2];

	ring_pieces(ring, at, at + bytes, iov);
	memory_ring_add(&f->memory, iov[0].iov_base, iov[0].iov_len, iov[1].iov_base,
			iov[1].iov_len);
}

int memory_router_ring(struct memory_router *f, const struct ring *ring, size_t bytes)
{
	uint64_t from = ring->tail, at = from;
	struct perf_event_header header;
	bool samples = false;
	struct ring_hop hop;
	int ret = 0;

	ring_hop_init(&hop, ring, bytes);
	while (!ret && ring_hop_next(&hop, &header, &at)) {
		bool is_sample = header.type == PERF_RECORD_SAMPLE;

		if (is_sample)
			keep(f, ring, at, header.size);
		if (is_sample == samples)
			continue;
		ret = add_run(f, ring, from, at, samples);
		samples = is_sample;
		from = at;
	}
	return ret ? ret : add_run(f, ring, from, hop.at, samples);
}

static int show(struct memory_router *f, const struct record_sink *o)
{
	struct iovec round = { .iov_base = (void *)(uintptr_t)&finished_round,
			       .iov_len = sizeof(finished_round) };

	if (!o->seen)
		return 0;
	if (add(&f->samples, &round, 1))
		return -ENOMEM;
	record_sink_show(o, f->samples.v, (int)f->samples.n);
	return 0;
}

int memory_router_finish(struct memory_router *f, struct record_sink *o, struct ptui_error *err)
{
	int ret = 0;

	if (f->others.n)
		ret = record_sink_put(o, f->others.v, (int)f->others.n, err);
	if (!ret && show(f, o))
		ret = ptui_error_nomem(err);
	f->samples.n = f->others.n = 0;
	return ret;
}

/* ---- what is kept ---- */

static uint64_t clamped(uint64_t at, uint64_t from, uint64_t to)
{
	return at < from ? from : at > to ? to : at;
}

int memory_router_look(struct memory_router *f, uint64_t until, size_t time_off,
		       struct pump_catch *ret)
{
	struct memory_ring *m = &f->memory;
	uint64_t fresh, at;
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
	for (at = m->first; at < until; at += header.size) {
		uint64_t ns = 0;

		memory_ring_read(m, at, 0, &header, sizeof(header));
		if (time_off && time_off + sizeof(ns) <= header.size)
			memory_ring_read(m, at, time_off, &ns, sizeof(ns));
		pump_catch_note(ret, ns, at >= fresh);
	}
	pump_catch_end(ret);
	m->seen = until;
	return ret->bytes > 0;
}

void feed_peek(const struct memory_router *f, uint64_t *ret_bytes, uint64_t *ret_new)
{
	const struct memory_ring *m = &f->memory;

	*ret_bytes = m->end - m->first;
	*ret_new = m->end - clamped(m->seen, m->first, m->end);
}

uint64_t memory_router_oldest_ns(const struct memory_router *f, size_t time_off)
{
	const struct memory_ring *m = &f->memory;
	struct perf_event_header header;
	uint64_t oldest_ns = 0;

	for (uint64_t at = m->first; time_off && at < m->end; at += header.size) {
		uint64_t ns = 0;

		memory_ring_read(m, at, 0, &header, sizeof(header));
		if (time_off + sizeof(ns) <= header.size)
			memory_ring_read(m, at, time_off, &ns, sizeof(ns));
		if (ns && (!oldest_ns || ns < oldest_ns))
			oldest_ns = ns;
	}
	return oldest_ns;
}

void memory_router_forget(struct memory_router *f)
{
	memory_ring_forget(&f->memory, f->memory.seen);
}
