/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel room: the only user of the perf system calls.
 *
 * Opens, enables and reads counters for a configured event_list, CPUs and threads (counters.h),
 * reads rings (ring.h), probes kernel features (features.h) and explains refusals (diagnose.h). It
 * does not know the event catalog (event), record formats (data), targets and output (record).
 *
 *   counters, features, diagnose ---> struct kernel_ops ---> the kernel, or a test's fake
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
 * Every call returns a negative errno on failure and gets `ctx` first. The real read() restarts
 * after a signal; poll() returns -EINTR.
 */
struct kernel_ops {
	void *ctx;
	struct roots roots;
	size_t page_bytes;
	int (*perf_event_open)(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu,
			       int group_fd, unsigned long flags);
	/* A read-only ring is never full: the kernel overwrites the oldest records. */
	int (*mmap)(void *ctx, int fd, size_t bytes, bool writable, void **ret_base);
	/*
	 * The AUX area of the ring buffer that `fd` writes to, from offset `off` on, which is in its control
	 * page with `bytes`. Read-only: the kernel overwrites the oldest data.
	 */
	int (*mmap_aux)(void *ctx, int fd, uint64_t off, size_t bytes, bool writable,
			void **ret_base);
	int (*munmap)(void *ctx, void *base, size_t bytes);
	int (*ioctl)(void *ctx, int fd, unsigned long request, unsigned long arg);
	/* Enables or disables all counters that the calling thread has opened and not closed. */
	int (*switch_own)(void *ctx, bool on);
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

/* A pidfd, readable when the child exits, or a negative errno (before Linux 5.3). */
int kernel_pidfd_open(pid_t pid);

#endif
