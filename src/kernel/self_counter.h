/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counter of the calling thread, read by the thread itself. Where the kernel allows it, the count comes from
 * the counter's page and the instruction rdpmc, without a system call; else from read(). Software events, such
 * as task-clock, have no hardware counter to read.
 */
#ifndef KERNEL_SELF_COUNTER_H
#define KERNEL_SELF_COUNTER_H

#include "kernel/ops.h"

struct self_counter {
	const struct kernel_ops *ops;
	int fd;				   /* -1: not open */
	struct perf_event_mmap_page *page; /* NULL: not mapped */
	uint64_t (*rdpmc)(uint32_t index); /* NULL: not on this processor; a test has its own */
	bool by_page;			   /* the last count came without a system call */
	bool user_only;			   /* the kernel forbids counting its part */
};

/* An event of the calling thread, without the kernel's part if that is forbidden. The fd or a negative errno. */
int self_event_open(const struct kernel_ops *ops, struct perf_event_attr *attr);
void self_event_switch(const struct kernel_ops *ops, int fd, bool on);

/* Counts from now on. 0 or a negative errno; then it need not be closed. */
int self_counter_open(struct self_counter *c, const struct kernel_ops *ops, uint32_t type,
		      uint64_t config);
/* Of the thread that opened it. 0 or a negative errno. */
int self_counter_read(struct self_counter *c, uint64_t *ret);
void self_counter_close(struct self_counter *c);

#endif
