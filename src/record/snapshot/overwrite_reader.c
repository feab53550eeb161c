/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/overwrite_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "base/vec.h"
#include "kernel/ring_back.h"
#include "record/target/tasks.h"

struct overwrite_ring {
	const struct ring *ring;
	uint8_t *to; /* in the reader's memory */
	struct ring_back_copy copy;
	uint64_t seen; /* head at the last read */
};

/* Populated at once: no page faults during the pause. */
static uint8_t *alloc_populated(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

int overwrite_reader_init(struct overwrite_reader *c, struct counters *counters, size_t time_off,
			  size_t pid_off)
{
	size_t at = 0;

	memset(c, 0, sizeof(*c));
	c->counters = counters;
	c->time_off = time_off;
	c->pid_off = pid_off;
	if (!counters_have_back(counters))
		return 0;
	for (size_t i = 0; i < counters->n_rings; i++)
		if (counters->rings[i].back)
			c->memory_bytes += counters->rings[i].ring.size;
	c->rings = calloc(counters->n_rings, sizeof(*c->rings));
	c->iov = calloc(2 * counters->n_rings, sizeof(*c->iov));
	c->memory = alloc_populated(c->memory_bytes);
	if (!c->rings || !c->iov || !c->memory) {
		overwrite_reader_release(c);
		return -ENOMEM;
	}
	for (size_t i = 0; i < counters->n_rings; i++) {
		const struct ring *ring = &counters->rings[i].ring;

		if (!counters->rings[i].back)
			continue;
		c->rings[c->n_rings++] = (struct overwrite_ring){ .ring = ring,
								  .to = c->memory + at };
		at += ring->size;
		ring_back_touch(ring, counters->ops->page_bytes);
	}
	return 0;
}

void overwrite_reader_release(struct overwrite_reader *c)
{
	if (c->memory)
		munmap(c->memory, c->memory_bytes);
	free(c->rings);
	free(c->iov);
	free(c->pids.v);
	memset(c, 0, sizeof(*c));
}

/* ---- while paused ---- */

static int copy_rings(struct overwrite_reader *c, struct kept_samples *ret, struct ptui_error *err)
{
	const struct kernel_ops *ops = c->counters->ops;
	uint64_t began_ns = ops->clock_ns(ops->ctx);
	int failed = counters_pause_back(c->counters, true);

	for (int i = 0; i < c->n_rings && !failed; i++)
		ring_back_copy(c->rings[i].ring, c->rings[i].to, &c->rings[i].copy);
	counters_pause_back(c->counters, false);
	ret->pause_ns = ops->clock_ns(ops->ctx) - began_ns;
	ret->resumed_ns = clock_monotonic_ns();
	if (failed)
		ptui_error_errno(err, -failed, NULL,
				 _("cannot pause the ring buffers in overwrite mode"));
	return failed;
}

/* ---- after the pause ---- */

void kept_samples_note(struct kept_samples *c, uint64_t ns, bool is_new)
{
	c->samples++;
	c->new_samples += is_new;
	if (!ns)
		return;
	if (!c->first_ns || ns < c->first_ns)
		c->first_ns = ns;
	if (is_new && (!c->new_first_ns || ns < c->new_first_ns))
		c->new_first_ns = ns;
	if (ns > c->last_ns)
		c->last_ns = ns;
}

void kept_samples_end(struct kept_samples *c)
{
	if (c->samples == c->new_samples)
		c->overlap_ns = 0;
	else if (!c->new_samples)
		c->overlap_ns = c->last_ns - c->first_ns;
	else if (c->new_first_ns > c->first_ns)
		c->overlap_ns = c->new_first_ns - c->first_ns;
}

/* ---- the processes of the samples ---- */

/* Samples of a process come in runs. If memory for the list runs out, no processes are known. */
static void note_pid(struct overwrite_reader *c, const uint8_t *sample, size_t bytes)
{
	struct sideband_pids *p = &c->pids;
	int32_t pid;

	if (!c->pid_off || c->pid_off + sizeof(pid) > bytes)
		return;
	memcpy(&pid, sample + c->pid_off, sizeof(pid));
	if (p->n && p->v[p->n - 1] == pid)
		return;
	if (vec_grow(&p->v, &p->cap, p->n + 1))
		c->pid_off = 0;
	else
		p->v[p->n++] = pid;
}

static const struct sideband_pids *sorted_pids(struct overwrite_reader *c)
{
	struct sideband_pids *p = &c->pids;
	size_t n = 0;

	if (!c->pid_off)
		return NULL;
	if (p->n)
		qsort(p->v, p->n, sizeof(*p->v), tasks_pid_compare);
	for (size_t i = 0; i < p->n; i++)
		if (!n || p->v[i] != p->v[n - 1])
			p->v[n++] = p->v[i];
	p->n = n;
	return p;
}

/* ---- scanning the copies ---- */

static void overwrite_reader_count(struct overwrite_reader *c, const uint8_t *bytes,
				   const struct ring_back_extent *extent, struct kept_samples *ret)
{
	struct perf_event_header header;

	for (size_t at = 0; at < extent->bytes; at += header.size) {
		uint64_t ns = 0;

		memcpy(&header, bytes + at, sizeof(header));
		if (header.type != PERF_RECORD_SAMPLE)
			continue;
		if (c->time_off && c->time_off + sizeof(ns) <= header.size)
			memcpy(&ns, bytes + at + c->time_off, sizeof(ns));
		note_pid(c, bytes + at, header.size);
		kept_samples_note(ret, ns, at < extent->n_new);
	}
}

static void overwrite_reader_scan(struct overwrite_reader *c, int i, struct kept_samples *ret)
{
	struct overwrite_ring *r = &c->rings[i];
	struct ring_back_extent extent;

	ring_back_measure(&r->copy, r->seen, &extent);
	r->seen = r->copy.head;
	overwrite_reader_count(c, r->copy.bytes, &extent, ret);
	ret->bytes += extent.bytes;
	ret->new_bytes += extent.n_new;
	ret->gap |= extent.gap;
	if (extent.bytes)
		c->iov[ret->n_all++] = (struct iovec){ r->to, extent.bytes };
	if (extent.n_new)
		c->iov[c->n_rings + ret->n_fresh++] = (struct iovec){ r->to, extent.n_new };
}

/* The kernel loses records of such a ring only while it is paused. */
static uint64_t read_lost(const struct counters *c)
{
	struct counter_value value;
	uint64_t lost = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct perf_event_attr *attr = &c->events->v[c->v[i].event].attr;

		if (attr->write_backward && attr->read_format & PTUI_FORMAT_LOST &&
		    !counters_read(c, i, &value))
			lost += value.lost;
	}
	return lost;
}

int overwrite_reader_read(struct overwrite_reader *c, struct kept_samples *ret,
			  struct ptui_error *err)
{
	uint64_t lost;
	int failed;

	memset(ret, 0, sizeof(*ret));
	if (!c->n_rings)
		return 0;
	ret->all = c->iov;
	ret->fresh = c->iov + c->n_rings;
	failed = copy_rings(c, ret, err);
	if (failed)
		return failed;
	c->pids.n = 0;
	for (int i = 0; i < c->n_rings; i++)
		overwrite_reader_scan(c, i, ret);
	ret->pids = sorted_pids(c);
	kept_samples_end(ret);
	lost = read_lost(c->counters);
	/* the sum decreases if a counter cannot be read any more */
	if (lost > c->lost)
		ret->lost = lost - c->lost;
	c->lost = lost;
	return ret->bytes > 0;
}

void overwrite_reader_peek(const struct overwrite_reader *c, uint64_t *ret_bytes, uint64_t *ret_new)
{
	uint64_t bytes, fresh;

	*ret_bytes = *ret_new = 0;
	for (int i = 0; i < c->n_rings; i++) {
		ring_back_peek(c->rings[i].ring, c->rings[i].seen, &bytes, &fresh);
		*ret_bytes += bytes;
		*ret_new += fresh;
	}
}

void overwrite_reader_find_oldest(struct overwrite_reader *c, struct kept_samples *ret)
{
	struct ring_back_extent extent;

	memset(ret, 0, sizeof(*ret));
	if (!c->n_rings || copy_rings(c, ret, NULL))
		return;
	c->pids.n = 0;
	for (int i = 0; i < c->n_rings; i++) {
		ring_back_measure(&c->rings[i].copy, c->rings[i].seen, &extent);
		overwrite_reader_count(c, c->rings[i].copy.bytes, &extent, ret);
	}
	ret->pids = sorted_pids(c);
}
