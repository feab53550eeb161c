/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same pages are touched with and without sampling, and the CPU time of both compared: a page fault comes
 * exactly when it is wanted, and needs no interrupt. The least of several rounds counts, since what else the
 * machine does only adds to it.
 */
#include "record/doctor/self_cost.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "kernel/ring.h"
#include "kernel/self_counter.h"

#define PAGES	    512 /* touched in a round; a sample of 40 bytes for each */
#define ROUNDS	    8
#define RING_BYTES  ((size_t)64 << 10)
#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

struct meter {
	const struct kernel_ops *ops;
	struct self_counter clock, cycles; /* cycles.fd -1: there are none */
	int fd;				   /* of the sampled event */
	void *map;
	struct ring ring;
	uint8_t *pages, *copy;
	size_t bytes; /* of the pages */
};

struct reading {
	uint64_t ns, cycles;
};

static int meter_read(struct meter *m, struct reading *ret)
{
	int error = self_counter_read(&m->clock, &ret->ns);

	ret->cycles = 0;
	if (!error && m->cycles.fd >= 0)
		error = self_counter_read(&m->cycles, &ret->cycles);
	return error;
}

static void keep_least(struct reading *least, const struct reading *from, const struct reading *to)
{
	if (to->ns - from->ns < least->ns)
		least->ns = to->ns - from->ns;
	if (to->cycles - from->cycles < least->cycles)
		least->cycles = to->cycles - from->cycles;
}

/* CPU time of touching all pages, which are new; the smallest so far stays in *least. */
static int touch(struct meter *m, bool sampled, struct reading *least)
{
	struct reading from, to;
	int error;

	madvise(m->pages, m->bytes, MADV_DONTNEED);
	m->ops->ioctl(m->ops->ctx, m->fd, sampled ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
		      0);
	error = meter_read(m, &from);
	for (size_t i = 0; i < m->bytes && !error; i += m->ops->page_bytes)
		((volatile uint8_t *)m->pages)[i] = 1;
	if (!error)
		error = meter_read(m, &to);
	self_event_switch(m->ops, m->fd, false);
	if (!error)
		keep_least(least, &from, &to);
	return error;
}

/* Copies the samples out, as the recorder does. */
static int drain(struct meter *m, struct reading *least)
{
	struct reading from, to;
	struct iovec iov[2];
	int n = 0, error = meter_read(m, &from);
	size_t bytes, at = 0;

	if (error)
		return error;
	bytes = ring_peek(&m->ring, iov, &n);
	for (int i = 0; i < n; i++) {
		memcpy(m->copy + at, iov[i].iov_base, iov[i].iov_len);
		at += iov[i].iov_len;
	}
	ring_consume(&m->ring, bytes);
	error = meter_read(m, &to);
	if (!error && bytes)
		keep_least(least, &from, &to);
	return error;
}

static int meter_open(struct meter *m)
{
	struct perf_event_attr faults = { .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_PAGE_FAULTS,
					  .sample_period = 1,
					  .sample_type = SAMPLE_TYPE,
					  .disabled = 1 };
	int error = self_counter_open(&m->clock, m->ops, PERF_TYPE_SOFTWARE,
				      PERF_COUNT_SW_TASK_CLOCK);

	if (error)
		return error;
	if (self_counter_open(&m->cycles, m->ops, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES))
		m->cycles.fd = -1;
	if (m->cycles.user_only) /* most of the cost is in the kernel */
		self_counter_close(&m->cycles);
	m->fd = self_event_open(m->ops, &faults);
	if (m->fd < 0)
		return m->fd;
	error = m->ops->mmap(m->ops->ctx, m->fd, m->ops->page_bytes + RING_BYTES, true, &m->map);
	if (error)
		return error;
	ring_init(&m->ring, m->map, m->ops->page_bytes, RING_BYTES);
	m->bytes = PAGES * m->ops->page_bytes;
	m->pages = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	m->copy = malloc(RING_BYTES);
	if (m->pages == MAP_FAILED)
		m->pages = NULL;
	if (!m->pages || !m->copy)
		return -ENOMEM;
	memset(m->copy, 0, RING_BYTES);
	madvise(m->pages, m->bytes, MADV_NOHUGEPAGE); /* one fault per page */
	return 0;
}

static void meter_close(struct meter *m)
{
	if (m->pages)
		munmap(m->pages, m->bytes);
	if (m->map)
		m->ops->munmap(m->ops->ctx, m->map, m->ops->page_bytes + RING_BYTES);
	if (m->fd >= 0)
		m->ops->close(m->ops->ctx, m->fd);
	self_counter_close(&m->cycles);
	self_counter_close(&m->clock);
	free(m->copy);
}

static int measure(struct meter *m, struct self_cost *ret)
{
	struct reading without = { UINT64_MAX, UINT64_MAX }, with = without, copying = without;
	uint64_t n = 0;
	int error = 0;

	for (int i = 0; i < ROUNDS && !error; i++) {
		error = touch(m, false, &without);
		if (!error)
			error = touch(m, true, &with);
		if (!error)
			error = drain(m, &copying);
	}
	if (!error && m->ops->read(m->ops->ctx, m->fd, &n, sizeof(n)) != sizeof(n))
		error = -EIO;
	if (error)
		return error;
	n /= ROUNDS;
	if (!n || copying.ns == UINT64_MAX)
		return -ENODATA;
	if (with.ns <= without.ns)
		return -ERANGE;
	ret->n_samples = (size_t)n;
	ret->kernel_ns = (double)(with.ns - without.ns) / (double)n;
	ret->copy_ns = (double)copying.ns / (double)n;
	ret->by_page = m->cycles.by_page;
	if (m->cycles.fd >= 0 && with.cycles > without.cycles)
		ret->cycles = (double)(with.cycles - without.cycles + copying.cycles) / (double)n;
	return 0;
}

int self_cost_measure(const struct kernel_ops *ops, struct self_cost *ret)
{
	struct meter m = { .ops = ops, .clock.fd = -1, .cycles.fd = -1, .fd = -1 };
	int error = meter_open(&m);

	*ret = (struct self_cost){ .n_samples = 0 };
	if (!error)
		error = measure(&m, ret);
	meter_close(&m);
	return error;
}
