/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel room: the only perf system calls of the house.
 *
 * Takes: a configured event_list, CPUs and threads.
 * Gives: counters that are open, switched and read (counters.h), rings (ring.h), what this
 * kernel can do (features.h), and why it refused (diagnose.h).
 * Not for: which events there are (event), what stands in a record (data), whom to measure and
 * where the bytes go (record).
 *
 *   counters, features, diagnose ---> struct kernel_ops ---> the kernel, or a test that plays it
 */
#ifndef KERNEL_OPS_H
#define KERNEL_OPS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include "base/file.h"
#include "base/perf_abi.h"

/*
 * Every call returns a negative errno on failure and is given `ctx` first. A read that a
 * signal interrupts is taken up again by the real ones; poll returns -EINTR.
 */
struct kernel_ops {
	void *ctx;
	struct roots roots;
	size_t page_bytes;
	int (*perf_event_open)(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu,
			       int group_fd, unsigned long flags);
	/* A ring that is mapped read-only is never full: the kernel overwrites what is oldest. */
	int (*mmap)(void *ctx, int fd, size_t bytes, bool writable, void **ret_base);
	int (*munmap)(void *ctx, void *base, size_t bytes);
	int (*ioctl)(void *ctx, int fd, unsigned long request, unsigned long arg);
	ssize_t (*read)(void *ctx, int fd, void *bytes, size_t n);
	int (*close)(void *ctx, int fd);
	int (*bpf)(void *ctx, int cmd, void *attr, unsigned attr_bytes);
	int (*poll)(void *ctx, struct pollfd *fds, size_t n, int timeout_ms);
	uint64_t (*clock_ns)(void *ctx); /* monotonic */
	uid_t (*geteuid)(void *ctx);
	int (*get_rlimit)(void *ctx, int resource, struct rlimit *ret);
	int (*set_rlimit)(void *ctx, int resource, const struct rlimit *limit);
};

/* Of this machine: the system calls themselves and roots_system. */
const struct kernel_ops *kernel_ops_real(void);

/* An fd that becomes readable when the child ends, or a negative errno (before 5.3). */
int kernel_pidfd_open(pid_t pid);

#endif
