/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording of a host with those of two guests in it, as perf inject --guest-data makes it: guests FILE.
 * Each machine has a process 10 with threads 10 and 11.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"

#define KERNEL 0xffffffff81000000
#define USER   0x400000

#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static const struct counter {
	struct made_event event;
	uint64_t machine_pid, vcpu;
	const char *comm;
} counters[] = {
#define COUNTER(number, machine, vcpu, comm)   \
	{                                      \
		{ .type = PERF_TYPE_HARDWARE,  \
		  .sample_type = SAMPLE_TYPE,  \
		  .period = 1,                 \
		  .flags = MADE_SAMPLE_ID_ALL, \
		  .id = number },              \
			machine, vcpu, comm    \
	}
	COUNTER(1, 0, 0, "host"),
	COUNTER(2, 4000, 0, "guest"),
	COUNTER(3, 4000, 1, "guest"),
	COUNTER(4, 123456, 3, "other"),
};
#define N_COUNTERS (sizeof(counters) / sizeof(*counters))

static uint64_t time_ns = 1000000;

static void put_trailer(struct made *m, const struct counter *c, uint32_t tid)
{
	made_u32(m, 10);
	made_u32(m, tid);
	made_u64(m, time_ns += 1000);
	made_u64(m, c->event.id);
	made_u32(m, 0);
	made_u32(m, 0);
	made_end(m);
}

static void put_index(struct made *m)
{
	made_begin(m, PTUI_RECORD_ID_INDEX, 0);
	made_u64(m, N_COUNTERS);
	for (unsigned i = 0; i < N_COUNTERS; i++) {
		made_u64(m, counters[i].event.id);
		made_u64(m, i);
		made_u64(m, 0);
		made_u64(m, UINT64_MAX);
	}
	for (unsigned i = 0; i < N_COUNTERS; i++) {
		made_u64(m, counters[i].machine_pid);
		made_u64(m, counters[i].vcpu);
	}
	made_end(m);
}

static uint16_t mode(const struct counter *c, bool kernel)
{
	return c->machine_pid ?
		       (kernel ? PERF_RECORD_MISC_GUEST_KERNEL : PERF_RECORD_MISC_GUEST_USER) :
		       (kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
}

/* A program, and a thread with the name of its parent. */
static void put_process(struct made *m, const struct counter *c)
{
	made_begin(m, PERF_RECORD_COMM, c->machine_pid ? mode(c, true) : 0);
	made_u32(m, 10);
	made_u32(m, 10);
	made_text(m, c->comm, 8);
	put_trailer(m, c, 10);
	made_begin(m, PERF_RECORD_MMAP, mode(c, false));
	made_u32(m, 10);
	made_u32(m, 10);
	made_u64(m, USER);
	made_u64(m, 0x10000);
	made_u64(m, 0);
	made_text(m, c->machine_pid ? "/nowhere/in-guest" : "/nowhere/in-host", 24);
	put_trailer(m, c, 10);
	made_begin(m, PERF_RECORD_FORK, c->machine_pid ? mode(c, true) : 0);
	made_u32(m, 10);
	made_u32(m, 10);
	made_u32(m, 11);
	made_u32(m, 10);
	made_u64(m, time_ns);
	put_trailer(m, c, 11);
}

static void put_sample(struct made *m, const struct counter *c, unsigned i)
{
	bool kernel = i % 3 == 2;

	made_begin(m, PERF_RECORD_SAMPLE, mode(c, kernel));
	made_u64(m, (kernel ? KERNEL : USER) + i);
	made_u32(m, 10);
	made_u32(m, 10 + i / 8 % 2);
	made_u64(m, time_ns += 1000);
	made_u64(m, USER + 16 * i);
	made_u64(m, c->event.id);
	made_u32(m, i % 4);
	made_u32(m, 0);
	made_u64(m, 1);
	made_end(m);
}

int main(int argc, char **argv)
{
	struct made_event events[N_COUNTERS];
	FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;
	struct made m;

	if (!f)
		return 2;
	for (unsigned i = 0; i < N_COUNTERS; i++)
		events[i] = counters[i].event;
	made_init(&m, false, false);
	made_events(&m, events, N_COUNTERS, 112);
	put_index(&m);
	for (unsigned i = 0; i < N_COUNTERS; i++)
		if (i != 2)
			put_process(&m, &counters[i]);
	for (unsigned i = 0; i < 64; i++)
		put_sample(&m, &counters[i % N_COUNTERS], i);
	made_finish(&m, NULL, 0);
	if (fwrite(m.out.data, 1, m.out.len, f) != m.out.len || fclose(f))
		return 1;
	made_release(&m);
	return 0;
}
