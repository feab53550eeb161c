/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A short recording over a made kernel, with and without a live profile, while allocations fail. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "data/read/reader.h"
#include "fake/kernel.h"
#include "fault/alloc.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/recording.h"
#include "session/live/live.h"

#define PID	100
#define TRIALS	60
#define SAMPLES 10

struct world {
	struct fake_kernel kernel;
	struct ptui_record_opts opts;
	struct ptui_recording *recording;
	struct ptui_live *live;
	char output[96];
	pid_t pid;
};

static const char *const clock_events[] = { "cpu-clock" };

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	(void)ctx;
	(void)room;
	if (level == PTUI_LOG_WARN)
		fprintf(stderr, "%s\n", text);
}

static void prepare(void *ctx)
{
	static const pid_t tids[] = { PID, PID + 1 };
	struct world *w = ctx;

	fake_kernel_init(&w->kernel);
	fake_process(&w->kernel, "app", tids, 2);
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	w->opts.events = clock_events;
	w->opts.n_events = 1;
	w->opts.output = w->output;
	w->opts.cmdline = "ptui\0record\0-p\0"
			  "100";
	w->opts.cmdline_bytes = 18;
	w->pid = PID;
	w->opts.pids = &w->pid;
	w->opts.n_pids = 1;
	ptui_log_set(hear, w, PTUI_LOG_WARN);
}

static void finish(void *ctx)
{
	struct world *w = ctx;

	ptui_recording_free(w->recording);
	ptui_live_free(w->live);
	fake_kernel_release(&w->kernel);
}

static bool runs(struct world *w)
{
	struct ptui_record_stats stats;

	if (w->live)
		return ptui_live_state(w->live) == PTUI_LIVE_RUNNING;
	ptui_recording_get_stats(w->recording, &stats);
	return stats.running;
}

/* The samples of the kernel, in this process: what it allocates does not fail. */
static void emit_samples(struct world *w)
{
	uint64_t id;

	alloc_pause();
	id = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, 0)->id;
	for (uint64_t i = 0; i < SAMPLES; i++) {
		/* and the callchain, if there is one */
		uint64_t body[9] = { id,   i, PID | (uint64_t)PID << 32,   1000 + i,
				     1000, 3, (uint64_t)PERF_CONTEXT_USER, i,
				     7 };

		assert_true(fake_emit(&w->kernel, 0, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
				      body, w->opts.shape.callgraph ? 72 : 40));
	}
	alloc_resume();
	while (runs(w) && !fake_is_drained(&w->kernel, 0))
		sched_yield();
}

/* What is in the file, to be the same whenever nothing was reported. */
static void print_file(struct world *w)
{
	unsigned samples = 0, comms = 0, maps = 0;
	struct data_walk *walk;
	struct data_record rec;
	struct data_file *f;

	alloc_pause();
	f = data_open(w->output, NULL, NULL);
	assert_non_null(f);
	walk = data_walk_new(f, NULL);
	while (!data_walk_next(walk, true, &rec, NULL)) {
		samples += rec.type == PERF_RECORD_SAMPLE;
		comms += rec.type == PERF_RECORD_COMM;
		maps += rec.type == PERF_RECORD_MMAP2;
	}
	printf("%u samples, %u comms, %u maps, %zu events\n", samples, comms, maps,
	       data_n_events(f));
	data_walk_free(walk);
	data_close(f);
	alloc_resume();
}

static int record(void *ctx, struct ptui_error *err)
{
	struct world *w = ctx;
	int ret;

	w->recording = recording_new(&w->opts, &w->kernel.ops, err);
	if (!w->recording)
		return -1;
	ret = ptui_recording_start(w->recording, err);
	if (ret)
		return ret;
	emit_samples(w);
	ptui_recording_snapshot(w->recording, PTUI_SNAPSHOT_ASKED);
	ptui_recording_stop(w->recording);
	ret = ptui_recording_join(w->recording, err);
	if (!ret && !w->opts.out.memory_bytes && !w->opts.out.change.on)
		print_file(w);
	return ret;
}

static int watch(void *ctx, struct ptui_error *err)
{
	const struct ptui_live_opts opts = { .refresh_ms = 20 };
	struct ptui_live_stats stats;
	struct ptui_profile *profile;
	struct world *w = ctx;
	int ret;

	w->live = live_new(&w->opts, &opts, &w->kernel.ops, err);
	if (!w->live)
		return -1;
	ret = ptui_live_start(w->live, err);
	if (ret)
		return ret;
	emit_samples(w);
	ptui_live_stop(w->live);
	ret = ptui_live_join(w->live, err);
	/* shown in the first line of the screen */
	ptui_live_get_stats(w->live, &stats);
	if (stats.dropped_bytes)
		fprintf(stderr, "%llu bytes dropped\n", (unsigned long long)stats.dropped_bytes);
	profile = ptui_live_profile(w->live, NULL);
	if (profile)
		printf("%llu samples\n",
		       (unsigned long long)ptui_profile_event(profile, 0)->samples);
	ptui_profile_unref(profile);
	if (!ret)
		print_file(w);
	return ret;
}

static void run(const char *name, struct world *w, int (*what)(void *ctx, struct ptui_error *err))
{
	const struct alloc_scenario s = {
		.name = name, .prepare = prepare, .run = what, .finish = finish, .ctx = w
	};

	alloc_trials(&s, TRIALS);
}

static void test_record(void **state)
{
	struct world w = { 0 };

	(void)state;
	run("record", &w, record);
}

static void test_compressed(void **state)
{
	struct world w = { .opts = { .out.compress_level = 1, .tail_synth = true } };

	(void)state;
	run("record -z --tail-synthesize", &w, record);
}

static void test_memory(void **state)
{
	struct world w = { .opts = { .out.memory_bytes = 1 << 20 } };

	(void)state;
	run("record -M", &w, record);
}

static void test_switch_output(void **state)
{
	struct world w = { .opts = { .out.change.on = true } };

	(void)state;
	run("record --switch-output", &w, record);
}

static void test_live(void **state)
{
	struct world w = { .opts = { .shape.callgraph = PTUI_CALLGRAPH_FP } };

	(void)state;
	run("live", &w, watch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record), cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_memory), cmocka_unit_test(test_switch_output),
		cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
