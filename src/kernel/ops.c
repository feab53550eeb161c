/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/clock.h"
#include "kernel/ops.h"

static int real_perf_event_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu,
				int group_fd, unsigned long flags)
{
	long fd;

	(void)ctx;
	fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
	return fd < 0 ? -errno : (int)fd;
}

static int real_mmap(void *ctx, int fd, size_t bytes, bool writable, void **ret_base)
{
	void *base;

	(void)ctx;
	base = mmap(NULL, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return -errno;
	*ret_base = base;
	return 0;
}

static int real_mmap_aux(void *ctx, int fd, uint64_t off, size_t bytes, bool writable,
			 void **ret_base)
{
	void *base;

	(void)ctx;
	base = mmap(NULL, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd,
		    (off_t)off);
	if (base == MAP_FAILED)
		return -errno;
	*ret_base = base;
	return 0;
}

static int real_munmap(void *ctx, void *base, size_t bytes)
{
	(void)ctx;
	return munmap(base, bytes) ? -errno : 0;
}

static int real_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg)
{
	int ret;

	(void)ctx;
	ret = ioctl(fd, request, arg);
	return ret < 0 ? -errno : ret;
}

static int real_switch_own(void *ctx, bool on)
{
	int ret = prctl(on ? PR_TASK_PERF_EVENTS_ENABLE : PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);

	(void)ctx;
	return ret ? -errno : 0;
}

static ssize_t real_read(void *ctx, int fd, void *bytes, size_t n)
{
	ssize_t got;

	(void)ctx;
	do {
		got = read(fd, bytes, n);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static int real_close(void *ctx, int fd)
{
	(void)ctx;
	return close(fd) ? -errno : 0;
}

static int real_bpf(void *ctx, int cmd, void *attr, unsigned attr_bytes)
{
	long ret;

	(void)ctx;
	ret = syscall(SYS_bpf, cmd, attr, attr_bytes);
	return ret < 0 ? -errno : (int)ret;
}

static int real_poll(void *ctx, struct pollfd *fds, size_t n, int timeout_ms)
{
	int ret;

	(void)ctx;
	ret = poll(fds, n, timeout_ms);
	return ret < 0 ? -errno : ret;
}

static uint64_t real_clock_ns(void *ctx)
{
	(void)ctx;
	return clock_monotonic_ns();
}

static uid_t real_geteuid(void *ctx)
{
	(void)ctx;
	return geteuid();
}

static int real_get_rlimit(void *ctx, int resource, struct rlimit *ret)
{
	(void)ctx;
	return getrlimit(resource, ret) ? -errno : 0;
}

static int real_set_rlimit(void *ctx, int resource, const struct rlimit *limit)
{
	(void)ctx;
	return setrlimit(resource, limit) ? -errno : 0;
}

static struct kernel_ops real_ops = {
	.perf_event_open = real_perf_event_open,
	.mmap = real_mmap,
	.mmap_aux = real_mmap_aux,
	.munmap = real_munmap,
	.ioctl = real_ioctl,
	.switch_own = real_switch_own,
	.read = real_read,
	.close = real_close,
	.bpf = real_bpf,
	.poll = real_poll,
	.clock_ns = real_clock_ns,
	.geteuid = real_geteuid,
	.get_rlimit = real_get_rlimit,
	.set_rlimit = real_set_rlimit,
};

static void real_ops_init(void)
{
	real_ops.roots = roots_system;
	real_ops.page_bytes = (size_t)sysconf(_SC_PAGESIZE);
}

int kernel_pidfd_open(pid_t pid)
{
	long fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : (int)fd;
}

const struct kernel_ops *kernel_ops_real(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, real_ops_init);
	return &real_ops;
}
