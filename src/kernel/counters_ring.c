/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counter set: its rings, all of one size, and which counter writes to which. */
#include <errno.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "kernel/counters.h"
#include "kernel/counters_private.h"
#include "kernel/diagnose.h"

static bool is_back(const struct counters *c, const struct counter *k)
{
	return c->events->v[k->event].attr.write_backward;
}

/* Search backwards: a thread's rings are the last ones while its counters are opened. */
static struct counter_ring *ring_of(struct counters *c, const struct counter *k)
{
	for (size_t i = c->n_rings; i-- > 0;) {
		struct counter_ring *r = &c->rings[i];

		if (r->back == is_back(c, k) &&
		    (c->per_thread ? r->tid == k->tid : r->cpu == k->cpu))
			return r;
	}
	return NULL;
}

static bool is_short_of_memory(int ret)
{
	return ret == -EPERM || ret == -ENOMEM;
}

static int map_one(struct counters *c, struct counter_ring *r)
{
	size_t bytes = c->ring_bytes;
	int ret;

	if (!r->back && bytes < c->front_bytes)
		bytes = c->front_bytes;
	r->bytes = bytes + c->ops->page_bytes;
	ret = c->ops->mmap(c->ops->ctx, r->fd, r->bytes, !r->back, &r->base);
	if (!ret)
		ring_init(&r->ring, r->base, c->ops->page_bytes, bytes);
	else
		r->base = NULL;
	return ret;
}

void counters_unmap_ring(struct counters *c, struct counter_ring *r)
{
	/* the AUX area first, which belongs to the ring */
	if (r->aux.size)
		c->ops->munmap(c->ops->ctx, r->aux.data, r->aux.size);
	if (r->base)
		c->ops->munmap(c->ops->ctx, r->base, r->bytes);
	r->aux.size = 0;
	r->base = NULL;
}

static void unmap(struct counters *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		counters_unmap_ring(c, &c->rings[i]);
}

/* The kernel finds offset and size in the control page, which must be writable. */
static int map_aux(struct counters *c, struct counter_ring *r, const struct counter *k,
		   struct ptui_error *err)
{
	struct perf_event_mmap_page *page = r->base;
	void *base;
	int ret;

	page->aux_offset = r->bytes;
	page->aux_size = c->aux_bytes;
	ret = c->ops->mmap_aux(c->ops->ctx, k->fd, r->bytes, c->aux_bytes, !c->aux_overwrite,
			       &base);
	if (ret)
		return diagnose_mmap_aux(c->ops, counters_shown_event(c, k->event), c->aux_bytes,
					 -ret, err);
	ring_aux_init(&r->aux, page, base, c->aux_bytes);
	r->aux_fd = k->fd;
	return 0;
}

int counters_map_aux(struct counters *c, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->n && c->aux_bytes && !ret; i++) {
		const struct counter *k = &c->v[i];

		if (c->events->v[k->event].aux && !c->rings[k->ring].aux.size)
			ret = map_aux(c, &c->rings[k->ring], k, err);
	}
	return ret;
}

static bool can_shrink(const struct counters *c)
{
	return c->ring_bytes > c->ops->page_bytes || c->front_bytes > c->ops->page_bytes;
}

/*
 * Locked memory limit exceeded: halve all rings until they fit, so that the first ring does not get
 * all memory. Data already in the rings is sideband, which is read again from /proc later.
 */
static int shrink(struct counters *c)
{
	size_t mapped = c->n_rings - 1; /* the last one did not fit */
	int ret = -EPERM;

	while (is_short_of_memory(ret) && can_shrink(c)) {
		unmap(c, mapped);
		c->front_bytes /= 2;
		if (c->ring_bytes > c->ops->page_bytes)
			c->ring_bytes /= 2;
		ret = 0;
		for (mapped = 0; mapped < c->n_rings && !ret; mapped++)
			ret = map_one(c, &c->rings[mapped]);
		if (ret)
			mapped--;
	}
	if (ret)
		unmap(c, mapped);
	/* unmapping the old rings has set the others free */
	for (size_t i = 0; i < c->n && !ret; i++) {
		const struct counter_ring *r = &c->rings[c->v[i].ring];

		if (r->fd != c->v[i].fd)
			ret = c->ops->ioctl(c->ops->ctx, c->v[i].fd, PERF_EVENT_IOC_SET_OUTPUT,
					    (unsigned long)r->fd);
	}
	return ret;
}

static int add_ring(struct counters *c, size_t index, struct ptui_error *err)
{
	struct counter *k = &c->v[index];
	struct counter_ring *r;
	int ret;

	if (vec_grow(&c->rings, &c->cap_rings, c->n_rings + 1))
		return ptui_error_nomem(err);
	k->ring = (uint32_t)c->n_rings;
	r = &c->rings[c->n_rings++];
	*r = (struct counter_ring){
		.cpu = k->cpu, .tid = k->tid, .fd = k->fd, .watch = index, .back = is_back(c, k)
	};
	ret = map_one(c, r);
	if (is_short_of_memory(ret))
		ret = shrink(c);
	if (!ret)
		return 0;
	/* after this failure the set can only be closed */
	if (!r->base)
		c->n_rings--;
	return diagnose_mmap(c->ops, counters_shown_event(c, k->event), c->ring_bytes_wanted, -ret,
			     err);
}

int counters_set_ring(struct counters *c, size_t index, struct ptui_error *err)
{
	struct counter *k = &c->v[index];
	struct counter_ring *r = ring_of(c, k);
	const char *name = c->events->v[k->event].name;
	int ret;

	if (!r)
		return add_ring(c, index, err);
	k->ring = (uint32_t)(r - c->rings);
	ret = c->ops->ioctl(c->ops->ctx, k->fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)r->fd);
	if (ret >= 0)
		return 0;
	if (c->per_thread)
		return ptui_error_errno(err, -ret, name,
					_("cannot redirect %s to the ring buffer of thread %d"),
					name, (int)k->tid);
	return ptui_error_errno(err, -ret, name,
				_("cannot redirect %s to the ring buffer of CPU %d"), name, k->cpu);
}
