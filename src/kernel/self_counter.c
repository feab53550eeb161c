/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/self_counter.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include "kernel/event_open.h"

#if defined(__x86_64__) || defined(__i386__)
static uint64_t read_pmc(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}
#define RDPMC read_pmc
#else
#define RDPMC NULL
#endif

int self_event_open(const struct kernel_ops *ops, struct perf_event_attr *attr)
{
	const struct event_open how = { .ops = ops, .cpu = -1, .group_fd = -1 };
	struct event ev = { .attr = *attr };
	int fd;

	ev.attr.size = PTUI_ATTR_SIZE_VER0;
	ev.attr.exclude_hv = ev.attr.exclude_guest = 1;
	fd = event_open(&how, &ev, NULL);
	if (fd == -EACCES) { /* kernel.perf_event_paranoid: only what user mode does */
		ev.attr.exclude_kernel = 1;
		fd = event_open(&how, &ev, NULL);
	}
	*attr = ev.attr;
	return fd;
}

void self_event_switch(const struct kernel_ops *ops, int fd, bool on)
{
	ops->ioctl(ops->ctx, fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int self_counter_open(struct self_counter *c, const struct kernel_ops *ops, uint32_t type,
		      uint64_t config)
{
	struct perf_event_attr attr = { .type = type, .config = config };
	void *page = NULL;

	*c = (struct self_counter){ .ops = ops, .rdpmc = RDPMC };
	c->fd = self_event_open(ops, &attr);
	c->user_only = attr.exclude_kernel;
	if (c->fd < 0)
		return c->fd;
	if (!ops->mmap(ops->ctx, c->fd, ops->page_bytes, true, &page))
		c->page = page;
	return 0;
}

/* The kernel changes the page when it moves the event to another counter, or off the processor. */
static bool read_page(struct self_counter *c, uint64_t *ret)
{
	const volatile struct perf_event_mmap_page *page = c->page;
	uint32_t seq, index;
	bool readable;

	if (!page || !c->rdpmc)
		return false;
	do {
		seq = page->lock;
		atomic_signal_fence(memory_order_seq_cst);
		index = page->index;
		*ret = (uint64_t)page->offset;
		readable = index && page->cap_user_rdpmc;
		if (readable) {
			unsigned unused = 64u - page->pmc_width;
			uint64_t count = c->rdpmc(index - 1) << unused;

			*ret += (uint64_t)((int64_t)count >> unused);
		}
		atomic_signal_fence(memory_order_seq_cst);
	} while (page->lock != seq);
	return readable;
}

int self_counter_read(struct self_counter *c, uint64_t *ret)
{
	ssize_t n;

	c->by_page = read_page(c, ret);
	if (c->by_page)
		return 0;
	n = c->ops->read(c->ops->ctx, c->fd, ret, sizeof(*ret));
	return n < 0 ? (int)n : n == sizeof(*ret) ? 0 : -EIO;
}

void self_counter_close(struct self_counter *c)
{
	if (c->page)
		c->ops->munmap(c->ops->ctx, c->page, c->ops->page_bytes);
	if (c->fd >= 0)
		c->ops->close(c->ops->ctx, c->fd);
	c->page = NULL;
	c->fd = -1;
}
