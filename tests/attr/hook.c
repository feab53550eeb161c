/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into perf and ptui: perf_event_open() opens a dummy instead of any event, so that both
 * write the attrs they would use on other machines.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SYSCALL_ARGS 6

/* Bits that shape the records which a dummy makes: names, maps, ends. */
#define SIDE_BITS                                                               \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static struct perf_event_attr dummy_for(const struct perf_event_attr *asked)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.read_format = asked->read_format & ~(__u64)PERF_FORMAT_GROUP;
	attr.sample_type = asked->sample_type & SIDE_BITS;
	attr.sample_id_all = asked->sample_id_all;
	attr.disabled = asked->disabled;
	attr.inherit = asked->inherit;
	attr.comm = asked->comm;
	attr.mmap = asked->mmap;
	attr.mmap2 = asked->mmap2;
	attr.task = asked->task;
	return attr;
}

long syscall(long number, ...)
{
	static long (*next)(long number, ...);
	struct perf_event_attr attr;
	long a[SYSCALL_ARGS];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < SYSCALL_ARGS; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (!next) {
		void *symbol = dlsym(RTLD_NEXT, "syscall");

		memcpy(&next, &symbol, sizeof(next));
	}
	if (number != SYS_perf_event_open)
		return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	attr = dummy_for((const struct perf_event_attr *)a[0]);
	return next(number, &attr, a[1], a[2], -1L, a[4]);
}

/* What must hold of a tracepoint's fields is nothing to a dummy. */
int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	long arg;

	va_start(ap, request);
	arg = va_arg(ap, long);
	va_end(ap);
	return request == PERF_EVENT_IOC_SET_FILTER ? 0 : (int)syscall(SYS_ioctl, fd, request, arg);
}
