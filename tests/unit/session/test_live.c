/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live view of a recording on a fake kernel: what the front end gets equals the file. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "session/live/live.h"
#include "unit/session/same.h"

#define PID  100
#define CODE 0x55a000000000ULL /* text of the fake process */

struct world {
	struct fake_kernel kernel;
	struct ptui_record_opts record;
	struct ptui_live_opts opts;
	struct ptui_live *live;
	struct ptui_error err;
	char output[96];
	pid_t pid;
	uint64_t now; /* time of the records */
};

static const char *const clock_events[] = { "cpu-clock" };

static int setup(void **state)
{
	static const pid_t tids[] = { PID, PID + 1 };
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	fake_process(&w->kernel, "app", tids, 2);
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	w->record = (struct ptui_record_opts){ .events = clock_events,
					       .n_events = 1,
					       .output = w->output,
					       .pids = &w->pid,
					       .n_pids = 1,
					       .shape.callgraph = PTUI_CALLGRAPH_FP };
	w->opts.refresh_ms = 20;
	w->pid = PID;
	w->now = 1000;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_live_free(w->live);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static int start(struct world *w)
{
	w->live = live_new(&w->record, &w->opts, &w->kernel.ops, &w->err);
	assert_non_null(w->live);
	return ptui_live_start(w->live, &w->err);
}

static void stop(struct world *w)
{
	ptui_live_stop(w->live);
	assert_int_equal(ptui_live_join(w->live, &w->err), 0);
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_ENDED);
}

/* ---- making records ---- */

static uint64_t id_of(struct world *w, uint64_t config, int cpu)
{
	return fake_find(&w->kernel, PERF_TYPE_SOFTWARE, config, PID, cpu)->id;
}

static void emit(struct world *w, int cpu, uint32_t type, uint16_t misc, const void *body, size_t n)
{
	while (!fake_emit(&w->kernel, cpu, type, misc, body, n))
		sched_yield();
}

/* IDENTIFIER, IP, TID, TIME, PERIOD, CALLCHAIN, as in the attr. */
static void emit_sample(struct world *w, int cpu, uint64_t ip, uint64_t caller)
{
	uint64_t body[9] = { id_of(w, PERF_COUNT_SW_CPU_CLOCK, cpu),
			     ip,
			     PID | (uint64_t)PID << 32,
			     w->now++,
			     1000,
			     3,
			     (uint64_t)PERF_CONTEXT_USER,
			     ip,
			     caller };

	emit(w, cpu, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body, sizeof(body));
}

/* TID, TIME, IDENTIFIER of the sideband's event. */
static size_t put_trailer(struct world *w, int cpu, uint8_t *at)
{
	uint64_t trailer[3] = { PID | (uint64_t)PID << 32, w->now++,
				id_of(w, PERF_COUNT_SW_DUMMY, cpu) };

	memcpy(at, trailer, sizeof(trailer));
	return sizeof(trailer);
}

static void emit_comm(struct world *w, int cpu, const char *name)
{
	struct {
		uint32_t pid, tid;
		char name[16];
		uint8_t trailer[24];
	} body = { PID, PID, "", "" };

	snprintf(body.name, sizeof(body.name), "%s", name);
	put_trailer(w, cpu, body.trailer);
	emit(w, cpu, PERF_RECORD_COMM, 0, &body, sizeof(body));
}

static void emit_mmap(struct world *w, int cpu, uint64_t start, const char *path)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, len, pgoff;
		char path[32];
		uint8_t trailer[24];
	} body = { PID, PID, start, 0x4000, 0, "", "" };

	snprintf(body.path, sizeof(body.path), "%s", path);
	put_trailer(w, cpu, body.trailer);
	emit(w, cpu, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &body, sizeof(body));
}

/* A few thousand samples on both CPUs, with changes of maps and names in between. */
static void emit_life(struct world *w, int n)
{
	char name[32];

	for (int i = 0; i < n; i++) {
		if (i % 500 == 250) {
			snprintf(name, sizeof(name), "/opt/lib%d.so", i / 500);
			emit_mmap(w, i & 1, CODE + 0x10000, name);
		}
		if (i % 700 == 300) {
			snprintf(name, sizeof(name), "name%d", i / 700);
			emit_comm(w, (i >> 1) & 1, name);
		}
		emit_sample(w, (i >> 2) & 1, CODE + (i % 3 ? 0 : 0x10000) + (uint64_t)(i % 64),
			    CODE + 0x1000 + (uint64_t)(i % 7));
	}
}

/* Waits as a screen does until a profile has `n` samples (including dropped ones). */
static void await_samples(struct world *w, uint64_t n)
{
	struct pollfd wake = { .fd = ptui_live_wake_fd(w->live), .events = POLLIN };
	struct ptui_live_event e;

	for (;;) {
		ptui_live_ack(w->live);
		ptui_live_event(w->live, 0, &e);
		if (e.samples >= n)
			return;
		assert_int_equal(poll(&wake, 1, 30000), 1);
	}
}

static void compare_with_file(struct world *w)
{
	struct ptui_profile *live = ptui_live_profile(w->live, NULL);
	struct ptui_profile *file = ptui_profile_load(w->output, NULL, NULL, NULL);

	assert_true(live && file);
	assert_same_profile(live, file);
	ptui_profile_unref(live);
	ptui_profile_unref(file);
}

/* ---- call stacks of the LBR ---- */

/* The last of `depth` nested calls, newest first; the chain is as long as the LBR of four registers. */
static void emit_lbr(struct world *w, unsigned depth)
{
	struct fake_fd *cycles = fake_find(&w->kernel, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
					   PID, 0);
	uint64_t body[32] = { cycles->id, CODE, PID | (uint64_t)PID << 32,   w->now++,
			      1000,	  2,	(uint64_t)PERF_CONTEXT_USER, CODE };
	unsigned n = depth < 4 ? depth : 4;
	size_t at = 8;

	body[at++] = n;
	body[at++] = (depth - 1) % 4; /* the register of the last call */
	for (unsigned i = 0; i < n; i++) {
		body[at++] = CODE + 0x100 * (depth - i);
		body[at++] = CODE + 0x100 * (depth - i) + 0x80;
		body[at++] = 0;
	}
	emit(w, 0, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body, at * sizeof(*body));
}

static unsigned depth_of(const struct ptui_profile *p, size_t sample)
{
	unsigned n = 0;

	for (uint32_t at = p->samples.stack[sample]; at != PTUI_NONE;
	     at = p->stacks.nodes[at].parent)
		n++;
	return n;
}

static void begin_lbr(struct world *w, bool stitch)
{
	static const char *const cycles[] = { "cycles" };

	w->kernel.has_pmu = true;
	w->record.events = cycles;
	w->record.shape.callgraph = PTUI_CALLGRAPH_LBR;
	w->opts.stitch_lbr = stitch;
	w->live = live_new(&w->record, &w->opts, &w->kernel.ops, &w->err);
}

/* Callers that the LBR has lost come from the sample before: in Live as in the file. */
static void deep_stacks_of_the_lbr(void **state)
{
	static const unsigned expected[2][4] = { { 4, 5, 5, 5 }, { 4, 5, 7, 8 } };
	const unsigned depths[] = { 3, 4, 6, 7 };
	struct world *w = *state;

	fake_file(&w->kernel, "sys/bus/event_source/devices/cpu/caps/branches", "4\n");
	for (int stitch = 0; stitch < 2; stitch++) {
		const struct ptui_load_opts load = { .stitch_lbr = stitch };
		struct ptui_profile *live, *file;

		begin_lbr(w, stitch);
		assert_non_null(w->live);
		assert_int_equal(ptui_live_start(w->live, &w->err), 0);
		for (size_t i = 0; i < 4; i++)
			emit_lbr(w, depths[i]);
		await_samples(w, 4);
		stop(w);
		live = ptui_live_profile(w->live, NULL);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(depth_of(live, i), expected[stitch][i]);
		file = ptui_profile_load(w->output, &load, &w->err, NULL);
		assert_non_null(file);
		assert_same_profile(live, file);
		ptui_profile_unref(live);
		ptui_profile_unref(file);
		ptui_live_free(w->live);
		w->live = NULL;
	}
}

/* The kernel of a machine without an LBR. */
static void no_lbr_to_stitch(void **state)
{
	struct world *w = *state;

	begin_lbr(w, true);
	assert_null(w->live);
	assert_int_equal(w->err.code, ENOTSUP);
	assert_non_null(strstr(w->err.text, "how deep the LBR"));
}

/* ---- tests ---- */

static void what_is_live_is_in_the_file(void **state)
{
	struct world *w = *state;
	struct ptui_live_profile_info info;
	struct ptui_live_stats stats;
	struct ptui_profile *p;

	assert_int_equal(start(w), 0);
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_RUNNING);
	emit_life(w, 3000);
	/* all are shown without the end of the recording: the rings are idle after the last pass */
	await_samples(w, 3000);
	emit_life(w, 3000);
	await_samples(w, 6000);
	p = ptui_live_profile(w->live, &info);
	assert_int_equal(ptui_profile_event(p, 0)->samples, 6000);
	assert_int_equal(info.left, 0);
	assert_int_equal(info.first_ns, 1000);
	ptui_profile_unref(p);
	stop(w);
	ptui_live_get_stats(w->live, &stats);
	assert_int_equal(stats.samples, 6000);
	assert_int_equal(stats.dropped_bytes, 0);
	assert_true(stats.bytes > 6000 * 80);
	assert_true(stats.ring_fill_max > 0 && stats.ring_fill_max <= 1);
	assert_true(stats.elapsed_ns > 0);
	compare_with_file(w);
}

/* As in perf top: everything is only in memory. */
static void nothing_is_written_without_an_output(void **state)
{
	struct world *w = *state;
	struct ptui_live_profile_info info;
	struct ptui_live_stats stats;
	struct ptui_profile *p;

	w->record.out.nowhere = true;
	w->record.output = NULL;
	assert_int_equal(start(w), 0);
	assert_null(ptui_live_output(w->live));
	emit_life(w, 3000);
	await_samples(w, 3000);
	stop(w);
	p = ptui_live_profile(w->live, &info);
	assert_int_equal(ptui_profile_event(p, 0)->samples, 3000);
	assert_int_equal(info.taken, 3000);
	assert_int_equal(info.kernel_taken, 0);
	assert_int_equal(info.exact_taken, 0);
	ptui_profile_unref(p);
	ptui_live_get_stats(w->live, &stats);
	assert_int_equal(stats.samples, 3000);
	assert_int_equal(access(w->output, F_OK), -1);
}

/* With -M all samples are shown as they arrive; a snapshot, and the output at the end, have all. */
static void what_is_in_memory_is_seen(void **state)
{
	struct ptui_profile *live, *file;
	struct ptui_snapshot s = { .samples = 0 };
	struct ptui_live_stats stats;
	struct world *w = *state;
	time_t until = time(NULL) + 30;

	w->record.out.memory_bytes = 4 << 20;
	assert_int_equal(start(w), 0);
	assert_true(ptui_live_has_ring(w->live));
	emit_life(w, 3000);
	await_samples(w, 3000);
	emit_life(w, 3000);
	await_samples(w, 6000);
	assert_int_equal(ptui_live_snapshot(w->live, NULL), 0);
	while (!ptui_live_get_snapshot(w->live, 0, &s)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
	assert_int_equal(s.samples, 6000);
	assert_non_null(s.path);
	live = ptui_live_profile(w->live, NULL);
	stop(w);
	ptui_live_get_stats(w->live, &stats);
	assert_int_equal(stats.samples, 6000);
	assert_int_equal(stats.forgotten_samples, 0);
	assert_int_equal(ptui_profile_event(live, 0)->samples, 6000);
	file = ptui_profile_load(s.path, NULL, NULL, NULL);
	assert_non_null(file);
	assert_same_profile(live, file);
	ptui_profile_unref(file);
	ptui_profile_unref(live);
	live = ptui_live_profile(w->live, NULL);
	file = ptui_profile_load(w->output, NULL, NULL, NULL);
	assert_non_null(file);
	assert_same_profile(live, file);
	ptui_profile_unref(file);
	ptui_profile_unref(live);
}

/* Without an output the last samples can still be saved at the end. */
static void samples_in_memory_can_be_saved(void **state)
{
	struct ptui_profile *live, *file;
	struct world *w = *state;
	char path[256];

	snprintf(path, sizeof(path), "%s", w->output);
	w->record.out.nowhere = true;
	w->record.output = NULL;
	w->record.out.memory_bytes = 4 << 20;
	w->record.cmdline = "top";
	w->record.cmdline_bytes = 4;
	assert_int_equal(start(w), 0);
	assert_false(ptui_live_has_ring(w->live));
	emit_life(w, 3000);
	await_samples(w, 3000);
	assert_true(ptui_live_unsaved(w->live) > 0);
	assert_int_not_equal(ptui_live_save(w->live, path, &w->err), 0);
	stop(w);
	assert_int_equal(ptui_live_unsaved(w->live), 3000);
	live = ptui_live_profile(w->live, NULL);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ptui_live_save(w->live, path, &w->err), 0);
		assert_int_equal(ptui_live_unsaved(w->live), 0);
		file = ptui_profile_load(path, NULL, NULL, NULL);
		assert_non_null(file);
		assert_same_profile(live, file);
		ptui_profile_unref(file);
	}
	ptui_profile_unref(live);
	assert_int_equal(ptui_live_save(w->live, "/no/such/folder/perf.data", &w->err), -ENOENT);
	assert_int_equal(ptui_live_save(w->live, "-", &w->err), -EINVAL);
}

static uint64_t samples_in(const char *path)
{
	struct ptui_profile *p = ptui_profile_load(path, NULL, NULL, NULL);
	uint64_t samples;

	assert_non_null(p);
	samples = ptui_profile_event(p, 0)->samples;
	ptui_profile_unref(p);
	return samples;
}

/* Live continues when the output file changes: it has all samples, each file its part. */
static void an_output_that_changes(void **state)
{
	struct ptui_snapshot s = { .samples = 0 };
	struct world *w = *state;
	struct ptui_profile *live;
	time_t until = time(NULL) + 30;

	w->record.out.change.on = true;
	assert_int_equal(start(w), 0);
	assert_true(ptui_live_has_ring(w->live));
	emit_life(w, 3000);
	await_samples(w, 3000);
	assert_int_equal(ptui_live_snapshot(w->live, NULL), 0);
	while (!ptui_live_get_snapshot(w->live, 0, &s)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
	assert_string_equal(ptui_live_output(w->live), w->output);
	assert_int_equal(access(w->output, F_OK), 0);
	emit_life(w, 1000);
	await_samples(w, 4000);
	stop(w);
	live = ptui_live_profile(w->live, NULL);
	assert_int_equal(ptui_profile_event(live, 0)->samples, 4000);
	ptui_profile_unref(live);
	assert_int_equal(samples_in(s.path), 3000);
	assert_int_equal(samples_in(ptui_live_output(w->live)), 1000);
	assert_string_not_equal(ptui_live_output(w->live), s.path);
}

static void file_options_require_a_file(void **state)
{
	struct world *w = *state;

	w->record.out.nowhere = true;
	w->record.out.compress_level = 1;
	assert_null(live_new(&w->record, &w->opts, &w->kernel.ops, &w->err));
	assert_non_null(strstr(w->err.text, "without an output file"));
	w->err = (struct ptui_error)PTUI_ERROR_INIT;
	w->record.out.compress_level = 0;
	w->record.shape.overwrite = true;
	assert_int_not_equal(start(w), 0);
	assert_non_null(strstr(w->err.text, "requires an output file"));
}

static void a_profile_stays_as_it_was(void **state)
{
	struct world *w = *state;
	struct ptui_profile *early;
	struct ptui_hist_opts opts = { .show_samples = true };
	struct ptui_hist *before, *after;

	assert_int_equal(start(w), 0);
	emit_life(w, 500);
	await_samples(w, 500);
	early = ptui_live_profile(w->live, NULL);
	before = ptui_hist_new(early, &opts, NULL);
	emit_life(w, 5000);
	await_samples(w, 5500);
	stop(w);
	ptui_live_free(w->live);
	w->live = NULL;
	after = ptui_hist_new(early, &opts, NULL);
	assert_int_equal(ptui_hist_n_rows(before), ptui_hist_n_rows(after));
	assert_int_equal(ptui_hist_total_period(after), 500 * 1000);
	for (size_t i = 0; i < ptui_hist_n_rows(before); i++) {
		char a[256], b[256];

		ptui_hist_cell(before, i, 3, a, sizeof(a));
		ptui_hist_cell(after, i, 3, b, sizeof(b));
		assert_string_equal(a, b);
	}
	ptui_hist_free(before);
	ptui_hist_free(after);
	ptui_profile_unref(early);
}

static void set_count(struct world *w, pid_t tid, int cpu, uint64_t count)
{
	pthread_mutex_lock(&w->kernel.lock);
	fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, tid, cpu)->count = count;
	pthread_mutex_unlock(&w->kernel.lock);
}

/* In the fake kernel each counter is enabled for 1000 ns and runs for half of that. */
static void counts_are_scaled(void **state)
{
	struct world *w = *state;
	struct ptui_live_event e;

	w->record.n_pids = 0;
	assert_int_equal(start(w), 0);
	set_count(w, -1, 0, 100);
	set_count(w, -1, 1, 200);
	stop(w);
	assert_int_equal(ptui_live_n_events(w->live), 1);
	ptui_live_event(w->live, 0, &e);
	assert_string_equal(e.name, "cpu-clock");
	assert_int_equal(e.state, PTUI_LIVE_COUNTING);
	assert_int_equal(e.count, 300);
	assert_int_equal(e.scaled, 600);
	assert_int_equal(e.enabled_ns, 2000);
	assert_int_equal(e.running_ns, 1000);
	assert_true(e.running_share == 0.5);
	ptui_live_event(w->live, 1, &e);
	assert_null(e.name);
}

/* The counters of a thread are enabled together, and run on one CPU or the other. */
static void a_thread_that_moves_was_counted_all_the_time(void **state)
{
	struct ptui_profile *file;
	struct world *w = *state;
	struct ptui_live_event e;

	assert_int_equal(start(w), 0);
	for (int cpu = 0; cpu < 2; cpu++)
		for (pid_t tid = PID; tid < PID + 2; tid++)
			set_count(w, tid, cpu, 100 * (uint64_t)(cpu + 1));
	stop(w);
	ptui_live_event(w->live, 0, &e);
	assert_int_equal(e.count, 600);
	assert_int_equal(e.scaled, 600);
	assert_int_equal(e.enabled_ns, 2000);
	assert_int_equal(e.running_ns, 2000);
	assert_true(e.running_share == 1);
	/* the file has the same */
	file = ptui_profile_load(w->output, NULL, NULL, NULL);
	assert_int_equal(ptui_profile_event(file, 0)->enabled_ns, 2000);
	assert_int_equal(ptui_profile_event(file, 0)->running_ns, 2000);
	ptui_profile_unref(file);
	compare_with_file(w);
}

static void not_counted_is_not_not_supported(void **state)
{
	static const char *const events[] = { "{instructions,task-clock}", "cpu-clock" };
	struct world *w = *state;
	struct ptui_live_event e;

	w->kernel.never_runs = true;
	w->record.events = events;
	w->record.n_events = 2;
	assert_int_equal(start(w), 0);
	stop(w);
	ptui_live_event(w->live, 0, &e);
	assert_string_equal(e.name, "cpu-clock");
	assert_int_equal(e.state, PTUI_LIVE_NOT_COUNTED);
	assert_int_equal(e.profile_event, 0);
	assert_true(e.running_share == 0);
	assert_null(e.reason);
	assert_int_equal(ptui_live_n_events(w->live), 3);
	ptui_live_event(w->live, 1, &e);
	assert_string_equal(e.name, "instructions");
	assert_int_equal(e.state, PTUI_LIVE_NOT_SUPPORTED);
	assert_int_equal(e.profile_event, PTUI_NONE);
	assert_non_null(strstr(e.reason, "instructions"));
	/* a group is counted together or not at all */
	ptui_live_event(w->live, 2, &e);
	assert_string_equal(e.name, "task-clock");
	assert_int_equal(e.state, PTUI_LIVE_NOT_SUPPORTED);
}

static void nothing_that_is_supported_is_an_error(void **state)
{
	static const char *const events[] = { "instructions" };
	struct world *w = *state;

	w->record.events = events;
	assert_int_equal(start(w), -ENOENT);
	assert_non_null(strstr(w->err.text, "instructions"));
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_FAILED);
	assert_int_equal(access(w->output, F_OK), -1);
}

static bool is_on(struct world *w, uint64_t config)
{
	bool on;

	pthread_mutex_lock(&w->kernel.lock);
	on = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, config, PID, 1)->enabled;
	pthread_mutex_unlock(&w->kernel.lock);
	return on;
}

static void pause_and_resume(void **state)
{
	struct world *w = *state;
	struct ptui_live_stats stats;

	assert_int_equal(start(w), 0);
	assert_true(is_on(w, PERF_COUNT_SW_CPU_CLOCK));
	assert_int_equal(ptui_live_pause(w->live, &w->err), 0);
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_PAUSED);
	assert_false(is_on(w, PERF_COUNT_SW_CPU_CLOCK));
	assert_true(is_on(w, PERF_COUNT_SW_DUMMY));
	assert_int_equal(ptui_live_pause(w->live, &w->err), 0);
	emit_comm(w, 0, "meanwhile");
	assert_int_equal(ptui_live_resume(w->live, &w->err), 0);
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_RUNNING);
	assert_true(is_on(w, PERF_COUNT_SW_CPU_CLOCK));
	emit_sample(w, 0, CODE, CODE + 8);
	await_samples(w, 1);
	assert_int_equal(ptui_live_pause(w->live, &w->err), 0);
	stop(w);
	ptui_live_get_stats(w->live, &stats);
	assert_true(stats.paused_ns > 0 && stats.paused_ns <= stats.elapsed_ns);
	assert_int_equal(ptui_live_pause(w->live, &w->err), -ESRCH);
	assert_int_equal(ptui_live_resume(w->live, &w->err), -ESRCH);
	compare_with_file(w);
}

static void the_oldest_leave_a_capped_profile(void **state)
{
	struct world *w = *state;
	struct ptui_live_profile_info info;
	struct ptui_profile *p, *file;
	uint64_t last_generation = 0;

	w->opts.max_samples = 1000;
	assert_int_equal(start(w), 0);
	for (uint64_t n = 700; n <= 7000; n += 700) {
		emit_life(w, 700);
		await_samples(w, n);
		p = ptui_live_profile(w->live, &info);
		assert_int_equal(ptui_profile_event(p, 0)->samples + info.left, n);
		assert_true(ptui_profile_event(p, 0)->samples <= 1000);
		assert_true(n <= 1000 || ptui_profile_event(p, 0)->samples > 900);
		assert_true(info.generation > last_generation);
		last_generation = info.generation;
		ptui_profile_unref(p);
	}
	stop(w);
	file = ptui_profile_load(w->output, NULL, NULL, NULL);
	assert_int_equal(ptui_profile_event(file, 0)->samples, 7000);
	ptui_profile_unref(file);
}

static void what_does_not_fit_is_counted(void **state)
{
	struct world *w = *state;
	struct ptui_live_stats stats;
	struct ptui_profile *p, *file;

	w->opts.queue_bytes = 4096; /* fifty samples; a pass may have thousands */
	assert_int_equal(start(w), 0);
	emit_life(w, 30000);
	stop(w);
	ptui_live_get_stats(w->live, &stats);
	p = ptui_live_profile(w->live, NULL);
	assert_int_equal(ptui_profile_event(p, 0)->samples + stats.dropped_samples, 30000);
	assert_true(stats.dropped_samples == 0 ||
		    stats.dropped_bytes >= stats.dropped_samples * 80);
	file = ptui_profile_load(w->output, NULL, NULL, NULL);
	assert_int_equal(ptui_profile_event(file, 0)->samples, 30000);
	ptui_profile_unref(p);
	ptui_profile_unref(file);
}

/* A map of this program's file, with an inode that it does not have, and no build-id. */
static void emit_other_file(struct world *w, int cpu, uint64_t start)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, len, pgoff;
		uint32_t maj, min;
		uint64_t ino, generation;
		uint32_t prot, flags;
		char path[256];
		uint8_t trailer[24];
	} body = { .pid = PID, .tid = PID, .start = start, .len = 0x4000, .ino = 1, .prot = 5 };

	assert_true(readlink("/proc/self/exe", body.path, sizeof(body.path) - 1) > 0);
	put_trailer(w, cpu, body.trailer);
	emit(w, cpu, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &body, sizeof(body));
}

static uint64_t unverified(struct world *w, uint64_t *ret_samples)
{
	struct ptui_profile *p = ptui_live_profile(w->live, NULL);
	struct ptui_trust trust;

	ptui_profile_trust(p, &trust);
	*ret_samples = ptui_profile_event(p, 0)->samples;
	ptui_profile_unref(p);
	return trust.unverified;
}

/* Also when the oldest are dropped: of those that are kept. */
static void unverified_samples_are_counted(void **state)
{
	struct world *w = *state;
	uint64_t kept;

	w->opts.max_samples = 1000;
	assert_int_equal(start(w), 0);
	emit_other_file(w, 0, CODE + 0x100000);
	for (int i = 0; i < 400; i++)
		emit_sample(w, 0, CODE + (i % 4 ? 0 : 0x100000), CODE);
	await_samples(w, 400);
	assert_int_equal(unverified(w, &kept), 100);
	for (int i = 0; i < 400; i++)
		emit_sample(w, 0, CODE + (i % 2 ? 0 : 0x100000), CODE);
	await_samples(w, 800);
	assert_int_equal(unverified(w, &kept), 300);
	for (int i = 0; i < 1100; i++)
		emit_sample(w, 0, CODE, CODE);
	await_samples(w, 1900);
	assert_int_equal(unverified(w, &kept), 0);
	assert_true(kept <= 1000);
	stop(w);
}

static void losses_come_through(void **state)
{
	uint64_t body[5] = { 7, 41, PID, 1000, 0 };
	struct world *w = *state;
	struct ptui_live_event e;
	struct ptui_trust trust;
	struct ptui_profile *p;

	assert_int_equal(start(w), 0);
	body[4] = id_of(w, PERF_COUNT_SW_CPU_CLOCK, 0);
	emit(w, 0, PERF_RECORD_LOST, 0, body, sizeof(body));
	pthread_mutex_lock(&w->kernel.lock);
	fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, 0)->lost = 5;
	pthread_mutex_unlock(&w->kernel.lock);
	stop(w);
	p = ptui_live_profile(w->live, NULL);
	ptui_profile_trust(p, &trust);
	assert_int_equal(trust.lost_events, 41);
	assert_int_equal(trust.lost_samples, 5);
	assert_int_equal(trust.lost_sideband, 0);
	ptui_live_event(w->live, 0, &e);
	assert_int_equal(e.lost, 5);
	ptui_profile_unref(p);
	compare_with_file(w);
}

/* Lost sideband records are reported separately, live as in the file. */
static void lost_sideband_comes_through(void **state)
{
	uint64_t body[5] = { 0, 41, PID, 1000, 0 };
	struct world *w = *state;
	struct ptui_live_stats stats;
	struct ptui_trust trust;
	struct ptui_profile *p;

	assert_int_equal(start(w), 0);
	body[0] = body[4] = id_of(w, PERF_COUNT_SW_DUMMY, 0);
	emit(w, 0, PERF_RECORD_LOST, 0, body, sizeof(body));
	stop(w);
	ptui_live_get_stats(w->live, &stats);
	assert_int_equal(stats.lost, 41);
	assert_int_equal(stats.lost_sideband, 41);
	p = ptui_live_profile(w->live, NULL);
	ptui_profile_trust(p, &trust);
	assert_int_equal(trust.lost_events, 41);
	assert_int_equal(trust.lost_sideband, 41);
	ptui_profile_unref(p);
	compare_with_file(w);
}

/* In a shared ring the lost counts of the counters are used, not the id in the LOST record; also before the end. */
static void lost_sideband_by_the_counters(void **state)
{
	uint64_t body[5] = { 0, 41, PID, 1000, 0 };
	struct world *w = *state;
	struct ptui_live_stats stats;
	struct ptui_trust trust;
	struct ptui_profile *p;

	assert_int_equal(start(w), 0);
	body[0] = body[4] = id_of(w, PERF_COUNT_SW_DUMMY, 0);
	pthread_mutex_lock(&w->kernel.lock);
	fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, 0)->lost = 38;
	fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PID, 0)->lost = 3;
	pthread_mutex_unlock(&w->kernel.lock);
	emit(w, 0, PERF_RECORD_LOST, 0, body, sizeof(body));
	do {
		sched_yield();
		ptui_live_get_stats(w->live, &stats);
	} while (!stats.lost);
	assert_int_equal(stats.lost_sideband, 3);
	stop(w);
	ptui_live_get_stats(w->live, &stats);
	assert_int_equal(stats.lost_samples, 41);
	assert_int_equal(stats.lost_sideband, 3);
	p = ptui_live_profile(w->live, NULL);
	ptui_profile_trust(p, &trust);
	assert_int_equal(trust.lost_sideband, 3);
	ptui_profile_unref(p);
	compare_with_file(w);
}

static void the_exit_of_the_target_is_reported(void **state)
{
	struct world *w = *state;
	struct pollfd wake;

	assert_int_equal(start(w), 0);
	wake = (struct pollfd){ .fd = ptui_live_wake_fd(w->live), .events = POLLIN };
	emit_life(w, 100);
	fake_end_task(&w->kernel, PID);
	fake_end_task(&w->kernel, PID + 1);
	while (ptui_live_state(w->live) == PTUI_LIVE_RUNNING) {
		assert_int_equal(poll(&wake, 1, 30000), 1);
		ptui_live_ack(w->live);
	}
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_ENDED);
	assert_int_equal(ptui_live_join(w->live, &w->err), 0);
	assert_int_equal(ptui_live_child_status(w->live), -1);
	compare_with_file(w);
}

/* Samples that could not be written are not shown either. */
static void a_full_disk(void **state)
{
	struct world *w = *state;
	struct rlimit before, full;
	struct ptui_live_stats stats;
	struct ptui_profile *p;
	struct pollfd wake;

	assert_int_equal(start(w), 0);
	wake = (struct pollfd){ .fd = ptui_live_wake_fd(w->live), .events = POLLIN };
	emit_life(w, 100);
	await_samples(w, 100);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	full = (struct rlimit){ 20000, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
	emit_life(w, 400);
	while (ptui_live_state(w->live) == PTUI_LIVE_RUNNING) {
		assert_int_equal(poll(&wake, 1, 30000), 1);
		ptui_live_ack(w->live);
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_FAILED);
	assert_int_equal(ptui_live_join(w->live, &w->err), -EFBIG);
	assert_non_null(strstr(w->err.text, "cannot write"));
	ptui_live_get_stats(w->live, &stats);
	p = ptui_live_profile(w->live, NULL);
	assert_true(stats.samples >= 100 && stats.samples < 500);
	assert_int_equal(ptui_profile_event(p, 0)->samples, stats.samples);
	ptui_profile_unref(p);
	compare_with_file(w);
}

static void free_at_any_time(void **state)
{
	struct world *w = *state;

	w->live = live_new(&w->record, &w->opts, &w->kernel.ops, &w->err);
	assert_non_null(w->live);
	assert_int_equal(ptui_live_n_events(w->live), 0);
	assert_null(ptui_live_profile(w->live, NULL));
	ptui_live_free(w->live);
	assert_int_equal(start(w), 0);
	emit_life(w, 1000);
	ptui_live_free(w->live);
	w->live = NULL;
	w->pid = 4242;
	assert_int_equal(start(w), -ESRCH);
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_FAILED);
}

/* Members fail with their leader; events that are not pinned are multiplexed. */
static void a_pinned_event_without_room_is_an_error(void **state)
{
	static const char *const events[] = { "{cycles,instructions}:D", "branches", "cpu-clock" };
	static const enum ptui_live_event_state states[] = {
		PTUI_LIVE_ERROR,
		PTUI_LIVE_ERROR,
		PTUI_LIVE_NOT_COUNTED,
		PTUI_LIVE_COUNTING,
	};
	struct world *w = *state;
	struct ptui_live_event e;

	w->kernel.has_pmu = true;
	w->kernel.pmu_counters = w->kernel.pmu_held = 1;
	w->record.events = events;
	w->record.n_events = 3;
	assert_int_equal(start(w), 0);
	fake_run(&w->kernel, 10);
	stop(w);
	for (size_t i = 0; i < 4; i++) {
		ptui_live_event(w->live, i, &e);
		assert_int_equal(e.state, states[i]);
	}
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(what_is_live_is_in_the_file),
		IN_WORLD(nothing_is_written_without_an_output),
		IN_WORLD(deep_stacks_of_the_lbr),
		IN_WORLD(no_lbr_to_stitch),
		IN_WORLD(what_is_in_memory_is_seen),
		IN_WORLD(an_output_that_changes),
		IN_WORLD(file_options_require_a_file),
		IN_WORLD(samples_in_memory_can_be_saved),
		IN_WORLD(a_profile_stays_as_it_was),
		IN_WORLD(counts_are_scaled),
		IN_WORLD(a_thread_that_moves_was_counted_all_the_time),
		IN_WORLD(not_counted_is_not_not_supported),
		IN_WORLD(a_pinned_event_without_room_is_an_error),
		IN_WORLD(nothing_that_is_supported_is_an_error),
		IN_WORLD(pause_and_resume),
		IN_WORLD(the_oldest_leave_a_capped_profile),
		IN_WORLD(what_does_not_fit_is_counted),
		IN_WORLD(unverified_samples_are_counted),
		IN_WORLD(losses_come_through),
		IN_WORLD(lost_sideband_comes_through),
		IN_WORLD(lost_sideband_by_the_counters),
		IN_WORLD(the_exit_of_the_target_is_reported),
		IN_WORLD(a_full_disk),
		IN_WORLD(free_at_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
