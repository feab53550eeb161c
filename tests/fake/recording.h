/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording of cpu-clock on a fake kernel, of one process with one thread, into a file. */
#ifndef TESTS_FAKE_RECORDING_H
#define TESTS_FAKE_RECORDING_H

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/recording.h"

struct fake_recording {
	struct fake_kernel kernel;
	struct ptui_record_opts opts; /* ring buffers of 4K, unless changed before the start */
	struct ptui_recording *recording;
	char output[128];
	pid_t pid;
};

static inline void fake_recording_init(struct fake_recording *r, pid_t pid)
{
	static const char *const events[] = { "cpu-clock" };

	memset(r, 0, sizeof(*r));
	fake_kernel_init(&r->kernel);
	fake_process(&r->kernel, "app", &pid, 1);
	snprintf(r->output, sizeof(r->output), "%s/out.data", r->kernel.folder);
	r->pid = pid;
	r->opts = (struct ptui_record_opts){ .events = events,
					     .n_events = 1,
					     .output = r->output,
					     .pids = &r->pid,
					     .n_pids = 1,
					     .ring_pages = "4K" };
}

static inline void fake_recording_release(struct fake_recording *r)
{
	ptui_recording_free(r->recording);
	fake_kernel_release(&r->kernel);
}

/* Before the start, for what must be set by then. */
static inline void fake_recording_new(struct fake_recording *r)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	r->recording = recording_new(&r->opts, &r->kernel.ops, &err);
	if (!r->recording)
		fail_msg("%s", err.text);
}

static inline void fake_recording_start(struct fake_recording *r)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!r->recording)
		fake_recording_new(r);
	if (ptui_recording_start(r->recording, &err))
		fail_msg("%s", err.text);
}

static inline void fake_recording_stop(struct fake_recording *r)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	ptui_recording_stop(r->recording);
	if (ptui_recording_join(r->recording, &err))
		fail_msg("%s", err.text);
}

/* The counter of the samples on a CPU. */
static inline struct fake_fd *fake_recording_counter(struct fake_recording *r, int cpu)
{
	struct fake_fd *f = fake_find(&r->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,
				      r->pid, cpu);

	assert_non_null(f);
	return f;
}

/* Waits for the recorder if the ring is full. */
static inline void fake_recording_emit(struct fake_recording *r, int cpu, uint32_t type,
				       uint16_t misc, const void *body, size_t n)
{
	time_t until = time(NULL) + 30;

	while (!fake_emit(&r->kernel, cpu, type, misc, body, n)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
}

#endif
