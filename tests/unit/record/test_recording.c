/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole recordings on a fake kernel into a file that is read back: records are complete, ordered
 * and counted; failures leave no partial file and no process.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "data/read/reader.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/record_sink.h"
#include "record/recording.h"

#define PID 100

struct world {
	struct fake_kernel kernel;
	struct ptui_record_opts opts;
	struct ptui_recording *recording;
	struct ptui_error err;
	char output[96], old[100];
	char warnings[2048];
	pid_t pid;
};

static const char *const clock_events[] = { "cpu-clock" };

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	struct world *w = ctx;
	size_t len = strlen(w->warnings);

	(void)room;
	if (level == PTUI_LOG_WARN)
		snprintf(w->warnings + len, sizeof(w->warnings) - len, "%s\n", text);
}

static int setup(void **state)
{
	static const pid_t tids[] = { PID, PID + 1 };
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	fake_process(&w->kernel, "app", tids, 2);
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	snprintf(w->old, sizeof(w->old), "%s.old", w->output);
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
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_recording_free(w->recording);
	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	fake_kernel_release(&w->kernel);
	/* no process remains */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	free(w);
	return 0;
}

static int start(struct world *w)
{
	w->recording = recording_new(&w->opts, &w->kernel.ops, &w->err);
	assert_non_null(w->recording);
	return ptui_recording_start(w->recording, &w->err);
}

static int run_to_stop(struct world *w)
{
	ptui_recording_stop(w->recording);
	return ptui_recording_join(w->recording, &w->err);
}

/* ---- making records ---- */

static uint64_t id_of_clock(struct world *w, int cpu)
{
	return fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, cpu)->id;
}

/* IDENTIFIER, IP, TID, TIME, PERIOD, as the event requests. False: the ring was full. */
static bool emit_sample(struct world *w, int cpu, uint64_t time_ns, uint64_t ip)
{
	uint64_t body[5] = { id_of_clock(w, cpu), ip, PID | (uint64_t)PID << 32, time_ns, 1000 };

	return fake_emit(&w->kernel, cpu, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body,
			 sizeof(body));
}

/* Yields to the recorder until it has done so, or the test times out. */
static void await_drained(struct world *w, int cpu)
{
	time_t until = time(NULL) + 30;

	while (!fake_is_drained(&w->kernel, cpu)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
}

static void await_end(struct world *w)
{
	struct ptui_record_stats stats;
	time_t until = time(NULL) + 30;

	do {
		ptui_recording_get_stats(w->recording, &stats);
		assert_true(time(NULL) < until);
		sched_yield();
	} while (stats.running);
}

/* ---- reading back ---- */

struct content {
	uint64_t samples, rounds, lost, lost_samples, comms, maps, ip_sum;
	uint64_t disorder; /* samples whose ip is not the previous one + 1, per CPU */
	bool round_last;
};

static void read_back(struct world *w, struct content *c)
{
	struct data_record rec;
	struct data_sample sample;
	struct data_walk *walk;
	struct data_file *f;
	uint64_t next_ip[2] = { 0, 0 };
	int ret;

	memset(c, 0, sizeof(*c));
	f = data_open(w->output, NULL, &ret);
	assert_non_null(f);
	walk = data_walk_new(f, NULL);
	assert_non_null(walk);
	while ((ret = data_walk_next(walk, true, &rec, NULL)) == 0) {
		c->round_last = rec.type == PTUI_RECORD_FINISHED_ROUND;
		c->rounds += rec.type == PTUI_RECORD_FINISHED_ROUND;
		c->comms += rec.type == PERF_RECORD_COMM;
		c->maps += rec.type == PERF_RECORD_MMAP2;
		if (rec.type == PERF_RECORD_LOST)
			c->lost += rec.lost.lost;
		if (rec.type == PERF_RECORD_LOST_SAMPLES)
			c->lost_samples += rec.lost.lost;
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_sample(walk, &rec, &sample), 0);
		assert_int_equal(sample.event, 0);
		c->samples++;
		c->ip_sum += sample.ip;
		c->disorder += sample.ip != next_ip[sample.time_ns & 1];
		next_ip[sample.time_ns & 1] = sample.ip + 1;
	}
	assert_int_equal(ret, 1);
	data_walk_free(walk);
	data_close(f);
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static void no_file_is_left(struct world *w)
{
	char command[160];

	assert_false(exists(w->output));
	/* nor one under another name */
	snprintf(command, sizeof(command), "! ls %s | grep -q out.data", w->kernel.folder);
	assert_int_equal(system(command), 0);
}

/* ---- what should be ---- */

static void records_until_the_target_is_gone(void **state)
{
	struct world *w = *state;
	struct ptui_record_stats stats;
	struct content c;

	assert_int_equal(start(w), 0);
	assert_true(fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, 0)
			    ->enabled);
	for (int i = 0; i < 10; i++)
		assert_true(emit_sample(w, i & 1, 1000 + (uint64_t)i, (uint64_t)i / 2));
	await_drained(w, 0);
	await_drained(w, 1);
	fake_end_task(&w->kernel, PID);
	ptui_recording_get_stats(w->recording, &stats);
	assert_true(stats.running);
	fake_end_task(&w->kernel, PID + 1);
	assert_int_equal(ptui_recording_join(w->recording, &w->err), 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.samples, 10);
	assert_true(stats.target_gone);
	assert_false(stats.running);
	assert_true(stats.elapsed_ns > 0);
	assert_int_equal(ptui_recording_child_status(w->recording), -1);
	read_back(w, &c);
	assert_int_equal(c.samples, 10);
	assert_int_equal(c.disorder, 0);
	assert_int_equal(c.comms, 2);
	assert_int_equal(c.maps, 1);
	assert_true(c.round_last);
	assert_int_equal(c.rounds, stats.wakeups);
}

static void the_last_records_are_not_left_behind(void **state)
{
	struct world *w = *state;
	struct content c;

	assert_int_equal(start(w), 0);
	assert_true(emit_sample(w, 0, 1000, 0));
	/* at once: it may still be in the ring */
	assert_int_equal(run_to_stop(w), 0);
	read_back(w, &c);
	assert_int_equal(c.samples, 1);
}

static void a_storm_comes_out_as_it_went_in(void **state)
{
	struct world *w = *state;
	const uint64_t n = 100000; /* some ring sizes long: 48 bytes each, 512 KiB */
	struct ptui_record_stats stats;
	struct content c;

	assert_int_equal(start(w), 0);
	for (uint64_t i = 0; i < n; i++)
		while (!emit_sample(w, i & 1, 2 * i + (i & 1), i / 2))
			sched_yield();
	assert_int_equal(run_to_stop(w), 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.samples, n);
	assert_int_equal(stats.lost, 0);
	read_back(w, &c);
	assert_int_equal(c.samples, n);
	assert_int_equal(c.disorder, 0);
}

static void losses_are_counted_and_kept(void **state)
{
	uint64_t lost[4] = { 7, 41, 0, 0 }, throttle[5] = { 1, 2, 3, 0, 0 };
	struct world *w = *state;
	struct ptui_record_stats stats;
	struct content c;

	assert_int_equal(start(w), 0);
	/* body, then TID, TIME and IDENTIFIER of the id trailer */
	{
		uint64_t with_id[5] = { lost[0], lost[1], PID, 1000, id_of_clock(w, 0) };

		assert_true(
			fake_emit(&w->kernel, 0, PERF_RECORD_LOST, 0, with_id, sizeof(with_id)));
	}
	assert_true(fake_emit(&w->kernel, 1, PERF_RECORD_THROTTLE, 0, throttle, sizeof(throttle)));
	pthread_mutex_lock(&w->kernel.lock);
	fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID, 0)->lost = 5;
	fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PID + 1, 1)->lost = 6;
	pthread_mutex_unlock(&w->kernel.lock);
	assert_int_equal(run_to_stop(w), 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.lost, 41);
	assert_int_equal(stats.lost_samples, 11);
	assert_int_equal(stats.throttled, 1);
	read_back(w, &c);
	assert_int_equal(c.lost, 41);
	assert_int_equal(c.lost_samples, 11);
}

/* For whole CPUs the expected number of samples is known. */
static void the_rate_that_was_reached(void **state)
{
	uint64_t throttle[5] = { 1, 2, 3, 0, 0 }, sample[6] = { 0, 0, 0, 1000, 0, 1 };
	struct world *w = *state;
	struct ptui_record_stats stats;

	w->opts.system_wide = true;
	w->opts.n_pids = 0;
	w->opts.freq_hz = 4000;
	assert_int_equal(start(w), 0);
	assert_true(fake_emit(&w->kernel, 0, PERF_RECORD_SAMPLE, 0, sample, sizeof(sample)));
	assert_true(fake_emit(&w->kernel, 1, PERF_RECORD_THROTTLE, 0, throttle, sizeof(throttle)));
	/* one second of two CPUs, with one sample */
	pthread_mutex_lock(&w->kernel.lock);
	w->kernel.now_ns += 1000000000;
	pthread_mutex_unlock(&w->kernel.lock);
	assert_int_equal(run_to_stop(w), 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.throttled, 1);
	assert_int_equal(stats.asked_hz, 4000);
	assert_int_equal(stats.reached_hz, 0);
	assert_true(stats.samples == 1);
}

static void the_header_tells(void **state)
{
	struct world *w = *state;
	struct data_file *f;
	const uint64_t *span;
	size_t bytes;
	int ret;

	assert_int_equal(start(w), 0);
	assert_true(emit_sample(w, 1, 5001, 0));
	assert_true(emit_sample(w, 0, 3000, 0));
	assert_true(emit_sample(w, 1, 7001, 0));
	assert_int_equal(run_to_stop(w), 0);
	f = data_open(w->output, NULL, &ret);
	assert_non_null(f);
	assert_int_equal(data_n_events(f), 2);
	assert_string_equal(data_event(f, 0)->name, "cpu-clock");
	assert_int_equal(data_event(f, 0)->n_ids, 4);
	assert_true(data_event(f, 1)->sideband);
	assert_string_equal(data_feature_text(f, PTUI_FEAT_CMDLINE), "ptui record -p 100");
	span = data_feature(f, PTUI_FEAT_SAMPLE_TIME, &bytes);
	assert_non_null(span);
	assert_int_equal(bytes, 16);
	assert_int_equal(span[0], 3000);
	assert_int_equal(span[1], 7001);
	assert_null(data_feature(f, PTUI_FEAT_GROUP_DESC, &bytes));
	data_close(f);
}

static void the_command_runs_and_its_status_comes_back(void **state)
{
	char sh[] = "sh", dash_c[] = "-c", script[] = "exit 3",
	     *argv[] = { sh, dash_c, script, NULL };
	struct world *w = *state;
	struct ptui_record_stats stats;
	struct fake_fd *clock = NULL;
	int status;

	w->opts.n_pids = 0;
	w->opts.argv = argv;
	assert_int_equal(start(w), 0);
	pthread_mutex_lock(&w->kernel.lock);
	for (size_t i = 0; i < FAKE_FDS && !clock; i++)
		if (w->kernel.fds[i].used && w->kernel.fds[i].attr.enable_on_exec)
			clock = &w->kernel.fds[i];
	assert_non_null(clock);
	assert_false(clock->enabled); /* the exec does that */
	pthread_mutex_unlock(&w->kernel.lock);
	assert_int_equal(ptui_recording_join(w->recording, &w->err), 0);
	status = ptui_recording_child_status(w->recording);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 3);
	ptui_recording_get_stats(w->recording, &stats);
	assert_true(stats.target_gone);
}

static void stop_ends_the_command(void **state)
{
	char name[] = "sleep", time_s[] = "1000", *argv[] = { name, time_s, NULL };
	struct world *w = *state;
	int status;

	w->opts.argv = argv;
	assert_int_equal(start(w), 0);
	assert_int_equal(run_to_stop(w), 0);
	status = ptui_recording_child_status(w->recording);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void a_target_that_is_gone_ends_its_command_too(void **state)
{
	char name[] = "sleep", time_s[] = "1000", *argv[] = { name, time_s, NULL };
	struct world *w = *state;

	w->opts.argv = argv;
	assert_int_equal(start(w), 0);
	fake_end_task(&w->kernel, PID);
	fake_end_task(&w->kernel, PID + 1);
	assert_int_equal(ptui_recording_join(w->recording, &w->err), 0);
	assert_true(WIFSIGNALED(ptui_recording_child_status(w->recording)));
}

static void without_a_target_it_is_the_whole_system(void **state)
{
	struct world *w = *state;
	struct content c;

	w->opts.n_pids = 0;
	assert_int_equal(start(w), 0);
	assert_non_null(fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, 1));
	assert_int_equal(run_to_stop(w), 0);
	read_back(w, &c);
	assert_int_equal(c.comms, 2);
}

static void fallbacks_are_reported(void **state)
{
	struct world *w = *state;
	struct data_file *f;
	int ret;

	w->opts.n_events = 0;
	fake_file(&w->kernel, "proc/kallsyms", "0000000000000000 T _text\n");
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "99\n");
	assert_int_equal(start(w), 0);
	assert_non_null(strstr(w->warnings, "recording cpu-clock instead"));
	assert_non_null(strstr(w->warnings, "kptr_restrict"));
	assert_non_null(strstr(w->warnings, "recording at 99"));
	assert_int_equal(run_to_stop(w), 0);
	f = data_open(w->output, NULL, &ret);
	assert_non_null(f);
	assert_int_equal(data_event(f, 0)->type, PERF_TYPE_SOFTWARE);
	assert_int_equal(data_event(f, 0)->sample_period, 99);
	assert_non_null(strstr(data_event(f, 0)->name, "cpu-clock"));
	data_close(f);
}

static void an_older_kernel_gets_smaller_attrs(void **state)
{
	struct world *w = *state;
	struct fake_fd *dummy;

	w->kernel.has_lost = w->kernel.has_build_id = false;
	assert_int_equal(start(w), 0);
	dummy = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PID, 0);
	assert_false(dummy->attr.build_id);
	assert_int_equal(dummy->attr.read_format & PTUI_FORMAT_LOST, 0);
	assert_int_equal(run_to_stop(w), 0);
}

/* ---- what goes wrong ---- */

static void keep_an_old_file(struct world *w)
{
	FILE *f = fopen(w->output, "w");

	assert_non_null(f);
	fputs("old", f);
	fclose(f);
}

static void failures_at_start_change_nothing(void **state)
{
	char name[] = "/nonexistent/command", *argv[] = { name, NULL };
	struct world *w = *state;
	struct stat st;

	w->opts.argv = argv;
	assert_int_equal(start(w), -ENOENT);
	assert_non_null(strstr(w->err.text, "/nonexistent/command"));
	no_file_is_left(w);
	ptui_recording_free(w->recording);

	keep_an_old_file(w);
	assert_int_equal(start(w), -ENOENT);
	assert_int_equal(stat(w->output, &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_false(exists(w->old));
}

static void a_pid_that_is_gone(void **state)
{
	struct world *w = *state;

	w->pid = 4242;
	assert_int_equal(start(w), -ESRCH);
	assert_string_equal(w->err.text, "no process 4242");
	no_file_is_left(w);
}

static void no_permission(void **state)
{
	char name[] = "sleep", time_s[] = "1000", *argv[] = { name, time_s, NULL };
	struct world *w = *state;

	w->kernel.privileged = false;
	w->opts.n_pids = 0;
	w->opts.argv = argv;
	w->opts.system_wide = true;
	assert_int_equal(start(w), -EACCES);
	assert_non_null(strstr(w->err.text, "cpu-clock"));
	assert_non_null(strstr(w->err.hint, "kernel.perf_event_paranoid is 2"));
	no_file_is_left(w);
}

/* Unsupported features are refused by name, without a command or file being created. */
static void what_a_machine_cannot_sample(void **state)
{
	static const struct {
		const char *event;
		struct ptui_shape shape;
		int errnum, type;
		const char *text;
	} rows[] = {
		{ "cycles",
		  { .branch_filter = PERF_SAMPLE_BRANCH_ANY },
		  EOPNOTSUPP,
		  PERF_TYPE_HARDWARE,
		  "this machine cannot sample branch stacks" },
		{ "cycles",
		  { .callgraph = PTUI_CALLGRAPH_LBR },
		  EOPNOTSUPP,
		  PERF_TYPE_HARDWARE,
		  "does not record calls (LBR)" },
		{ "cycles",
		  { .branch_filter = PERF_SAMPLE_BRANCH_ANY },
		  ENOENT,
		  PERF_TYPE_HARDWARE,
		  "branch stacks require hardware events" },
		{ "instructions:pp",
		  { .data = true },
		  EOPNOTSUPP,
		  PERF_TYPE_HARDWARE,
		  "cannot sample it precisely" },
		{ "page-faults:u",
		  { .phys_data = true },
		  EACCES,
		  PERF_TYPE_SOFTWARE,
		  "physical addresses require privileges" },
	};
	struct world *w = *state;
	char made[128], name[] = "touch", *argv[] = { name, made, NULL };

	snprintf(made, sizeof(made), "%s/made", w->kernel.folder);
	w->kernel.has_pmu = true;
	fake_file(&w->kernel, "proc/self/status", "CapEff:\t0000000000000000\nSeccomp:\t0\n");
	w->opts.n_pids = 0;
	w->opts.argv = argv;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		w->kernel.n_refusals = 0;
		fake_refuse(&w->kernel,
			    (struct fake_refusal){ rows[i].errnum, rows[i].type, -1, -1, 0, -1 });
		w->opts.events = &rows[i].event;
		w->opts.shape = rows[i].shape;
		assert_int_equal(start(w), -rows[i].errnum);
		print_message("%s\n", w->err.text);
		assert_non_null(strstr(w->err.text, rows[i].text));
		assert_false(exists(made));
		no_file_is_left(w);
		ptui_recording_free(w->recording);
		w->recording = NULL;
	}
	w->opts.argv = NULL;
}

static void a_folder_that_is_not_there(void **state)
{
	char path[128], name[] = "true", *argv[] = { name, NULL };
	struct world *w = *state;

	snprintf(path, sizeof(path), "%s/no/such/folder.data", w->kernel.folder);
	w->opts.output = path;
	w->opts.argv = argv;
	assert_int_equal(start(w), -ENOENT);
	assert_non_null(strstr(w->err.text, path));
}

static void a_name_with_a_typo(void **state)
{
	static const char *const events[] = { "cpu-clokc" };
	struct world *w = *state;

	w->opts.events = events;
	assert_null(recording_new(&w->opts, &w->kernel.ops, &w->err));
	assert_non_null(strstr(w->err.text, "cpu-clokc"));
	assert_non_null(strstr(w->err.hint, "cpu-clock"));
}

static void a_full_disk_keeps_what_was_written(void **state)
{
	struct world *w = *state;
	struct rlimit before, small = { 300000, 0 };
	struct ptui_record_stats stats;
	struct content c;
	uint64_t i;

	getrlimit(RLIMIT_FSIZE, &before);
	small.rlim_max = before.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(start(w), 0);
	for (i = 0; i < 10; i++)
		assert_true(emit_sample(w, 0, 2 * i, i));
	await_drained(w, 0);
	setrlimit(RLIMIT_FSIZE, &small);
	/* after the limit no more records are drained */
	for (; i < 1000000; i++) {
		ptui_recording_get_stats(w->recording, &stats);
		if (!stats.running)
			break;
		while (!emit_sample(w, 0, 2 * i, i)) {
			ptui_recording_get_stats(w->recording, &stats);
			if (!stats.running)
				break;
			sched_yield();
		}
	}
	await_end(w);
	assert_int_equal(ptui_recording_join(w->recording, &w->err), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(strstr(w->err.text, w->output));
	read_back(w, &c);
	assert_true(c.samples >= 10);
	assert_int_equal(c.disorder, 0);
}

static void stop_and_free_at_any_time(void **state)
{
	struct world *w = *state;

	/* never started */
	w->recording = recording_new(&w->opts, &w->kernel.ops, &w->err);
	assert_non_null(w->recording);
	ptui_recording_stop(w->recording);
	assert_int_equal(ptui_recording_join(w->recording, &w->err), 0);
	ptui_recording_free(w->recording);
	/* freed while it runs */
	assert_int_equal(start(w), 0);
	assert_int_equal(ptui_recording_start(w->recording, NULL), -EBUSY);
	ptui_recording_free(w->recording);
	w->recording = NULL;
	assert_true(exists(w->output));
}

/* ---- the order of the start ---- */

static struct world *storm; /* NULL: libc's functions do what they always do */
static unsigned n_storms;
static uint64_t storm_samples;

/* Several times the ring buffer: fits only if it is drained meanwhile. */
static void make_storm(void)
{
	time_t until = time(NULL) + 30;

	for (uint64_t i = 0; storm && i < 40000; i++, storm_samples++)
		while (!emit_sample(storm, 0, 2 * storm_samples, storm_samples)) {
			if (time(NULL) > until)
				return;
			sched_yield();
		}
	n_storms += storm != NULL;
}

/* The byte that lets the command go. */
ssize_t send(int fd, const void *bytes, size_t n, int flags)
{
	if (storm)
		assert_false(exists(storm->old));
	make_storm();
	return sendto(fd, bytes, n, flags, NULL, 0);
}

/* Of the older recording, which may free gigabytes. */
int rename(const char *from, const char *to)
{
	if (storm)
		assert_true(exists(storm->output));
	make_storm();
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static void rings_are_emptied_while_it_starts(void **state)
{
	char name[] = "sleep", time_s[] = "1000", *argv[] = { name, time_s, NULL };
	struct world *w = *state;
	struct content c;

	fake_file(&w->kernel, "out.data", "older\n");
	w->opts.argv = argv;
	n_storms = 0;
	storm_samples = 0;
	storm = w;
	assert_int_equal(start(w), 0);
	storm = NULL;
	assert_int_equal(n_storms, 2);
	assert_true(exists(w->old));
	assert_int_equal(run_to_stop(w), 0);
	read_back(w, &c);
	assert_int_equal(c.samples, storm_samples);
	assert_int_equal(c.disorder, 0);
}

/* The recorder's thread runs already then, and has something to write. */
static void a_command_that_cannot_run_leaves_all_as_it_was(void **state)
{
	static char name[] = "/no/such/command", *argv[] = { name, NULL };
	struct world *w = *state;

	w->opts.argv = argv;
	storm_samples = 0;
	for (int with_older = 0; with_older < 2; with_older++) {
		if (with_older)
			fake_file(&w->kernel, "out.data", "older\n");
		storm = w;
		assert_int_equal(start(w), -ENOENT);
		storm = NULL;
		assert_int_equal(ptui_recording_join(w->recording, NULL), 0);
		ptui_recording_free(w->recording);
		w->recording = NULL;
		assert_int_equal(exists(w->output), with_older);
		assert_false(exists(w->old));
		if (!with_older)
			no_file_is_left(w);
	}
}

/* ---- sideband while it starts ---- */

static struct world *storm_of_comms; /* NULL: no load during the start */
static pthread_t starter;
static uint64_t n_comms, n_comm_storms[2];

enum { WHILE_SYNTHESIZING, WHILE_COPYING };

/* While an append copies: maps with long paths, until the recorder drains no more of them. */
static bool storm_of_maps;
static uint64_t n_maps, n_lost_maps;

#define PATH_BYTES 4000
#define MAP_WORDS  (8 + PATH_BYTES / 8 + 4)

/* A COMM record of a system-wide recording: pid, tid, name; then TID, TIME, CPU and IDENTIFIER. */
static bool emit_comm(struct world *w, uint64_t time_ns)
{
	uint64_t tid = PID | (uint64_t)PID << 32;
	uint64_t id = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, -1, 0)->id;
	uint64_t body[6] = { tid, 0x646e6162ULL, tid, time_ns, 0, id };

	return fake_emit(&w->kernel, 0, PERF_RECORD_COMM, 0, body, sizeof(body));
}

/* An MMAP2 record, or a LOST record of the kernel. */
static bool emit_map(struct world *w, uint64_t n_lost)
{
	uint64_t tid = PID | (uint64_t)PID << 32, body[MAP_WORDS] = { 0 };
	uint64_t id = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, -1, 0)->id;
	uint64_t trailer[4] = { tid, 1000 + n_maps, 0, id }, *end = body + MAP_WORDS - 4;

	body[0] = n_lost ? id : tid;
	body[1] = n_lost ? n_lost : 0x1000 * n_maps;
	body[2] = 0x1000;
	memset(body + 8, '/', PATH_BYTES - 8);
	if (n_lost)
		end = body + 2;
	memcpy(end, trailer, sizeof(trailer));
	return fake_emit(&w->kernel, 0, n_lost ? PERF_RECORD_LOST : PERF_RECORD_MMAP2, 0, body,
			 (size_t)(end + 4 - body) * 8);
}

/* Ends when none has fitted for a second, or with twice what may be kept. */
static void make_maps(struct world *w)
{
	time_t until = time(NULL) + 2;

	while (n_maps < 2 * RECORD_SINK_EARLY_BYTES / (MAP_WORDS * 8)) {
		if (emit_map(w, 0)) {
			n_maps++;
			until = time(NULL) + 2;
		} else if (time(NULL) > until) {
			n_lost_maps = 17;
			return;
		} else {
			sched_yield();
		}
	}
}

/* Some sizes of the ring buffer, again. */
static void make_comms(int when)
{
	struct world *w = storm_of_comms;
	time_t until = time(NULL) + 20;

	if (!w || !pthread_equal(starter, pthread_self()) || n_comm_storms[when])
		return;
	if (storm_of_maps && when == WHILE_SYNTHESIZING)
		return;
	n_comm_storms[when]++;
	if (storm_of_maps) {
		make_maps(w);
		return;
	}
	for (int i = 0; i < 40000; i++, n_comms++)
		while (!emit_comm(w, 1000 + n_comms)) {
			if (time(NULL) > until)
				return;
			sched_yield();
		}
}

static int make_comms_and_no_id(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX])
{
	(void)ctx;
	(void)path;
	(void)id;
	make_comms(WHILE_SYNTHESIZING);
	return 0;
}

/*
 * An append copies with pwritev(); what is emitted before it is larger than any other write of a
 * start.
 */
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t at)
{
	ssize_t ret, all = 0;

	if (n == 1 && v[0].iov_len >= 256 << 10)
		make_comms(WHILE_COPYING);
	for (int i = 0; i < n; i++, all += ret) {
		ret = pwrite(fd, v[i].iov_base, v[i].iov_len, at + all);
		if (ret < 0)
			return all ? all : ret;
	}
	return all;
}

/* In time order, and after the base records, which have no time. */
static void check_comms(struct world *w, uint64_t n_older, uint64_t expected)
{
	struct data_record rec;
	struct data_walk *walk;
	struct data_file *f;
	uint64_t n = 0, lost = 0;
	int ret;

	f = data_open(w->output, NULL, &ret);
	assert_non_null(f);
	walk = data_walk_new(f, NULL);
	assert_non_null(walk);
	while ((ret = data_walk_next(walk, true, &rec, NULL)) == 0) {
		lost += rec.type == PERF_RECORD_LOST;
		if (rec.type == PERF_RECORD_MMAP2 && !rec.id.time_ns)
			assert_true(
				n <=
				n_older); /* of the recording before, or at the start of this one */
		if (rec.type != PERF_RECORD_COMM || rec.id.time_ns < 1000)
			continue;
		assert_int_equal(rec.id.time_ns, 1000 + n);
		n++;
	}
	assert_int_equal(ret, 1);
	assert_int_equal(n, expected);
	assert_int_equal(lost, 0);
	data_walk_free(walk);
	data_close(f);
}

/*
 * The sideband is enabled when its counters are opened, so that no map is missed between synthesis
 * and samples. Its ring buffers are drained all the time, even while an append copies gigabytes.
 */
static void sideband_is_kept_while_it_starts(void **state)
{
	struct world *w = *state;
	char binary[128];
	struct stat st;
	uint64_t i;

	/* an older recording that takes several writes to copy */
	w->opts.n_pids = 0;
	w->opts.system_wide = true;
	w->opts.buildid = PTUI_BUILDID_MMAP;
	assert_int_equal(start(w), 0);
	for (i = 0; i < 20000; i++)
		while (!emit_comm(w, 1000 + i))
			sched_yield();
	assert_int_equal(run_to_stop(w), 0);
	ptui_recording_free(w->recording);
	w->recording = NULL;

	snprintf(binary, sizeof(binary), "%s/binary", w->kernel.folder);
	fake_file(&w->kernel, "binary", "notes\n");
	assert_int_equal(stat(binary, &st), 0);
	fake_file(&w->kernel, "proc/100/maps", "00400000-00500000 r-xp 00000000 %02x:%02x %lu %s\n",
		  major(st.st_dev), minor(st.st_dev), (unsigned long)st.st_ino, binary);
	w->opts.out.append = true;
	n_comms = i;
	w->recording = recording_new(&w->opts, &w->kernel.ops, &w->err);
	assert_non_null(w->recording);
	recording_set_buildid(w->recording, make_comms_and_no_id, NULL);
	starter = pthread_self();
	storm_of_comms = w;
	i = ptui_recording_start(w->recording, &w->err) ? 1 : 0;
	storm_of_comms = NULL;
	assert_int_equal(i, 0);
	assert_int_equal(n_comm_storms[WHILE_SYNTHESIZING], 1);
	assert_int_equal(n_comm_storms[WHILE_COPYING], 1);
	assert_int_equal(n_comms, 20000 + 2 * 40000);
	assert_int_equal(run_to_stop(w), 0);
	check_comms(w, 20000, n_comms);
}

/* What is kept in memory during the start has a limit: then the kernel drops records, and counts them. */
static void the_sideband_that_a_start_keeps_has_a_limit(void **state)
{
	struct world *w = *state;
	struct ptui_record_stats stats;
	struct content c;
	uint64_t i;

	w->opts.n_pids = 0;
	w->opts.system_wide = true;
	assert_int_equal(start(w), 0);
	for (i = 0; i < 20000; i++)
		while (!emit_comm(w, 1000 + i))
			sched_yield();
	assert_int_equal(run_to_stop(w), 0);
	ptui_recording_free(w->recording);
	w->recording = NULL;

	w->opts.out.append = true;
	starter = pthread_self();
	n_comm_storms[WHILE_COPYING] = 0;
	storm_of_maps = true;
	storm_of_comms = w;
	i = start(w) ? 1 : 0;
	storm_of_comms = NULL;
	storm_of_maps = false;
	assert_int_equal(i, 0);
	assert_int_equal(n_comm_storms[WHILE_COPYING], 1);
	/* the ring buffer was left full */
	assert_true(n_lost_maps > 0);
	while (!emit_map(w, n_lost_maps))
		sched_yield();
	assert_int_equal(run_to_stop(w), 0);
	ptui_recording_get_stats(w->recording, &stats);
	assert_int_equal(stats.lost, n_lost_maps);
	assert_int_equal(stats.lost_sideband, n_lost_maps);
	read_back(w, &c);
	assert_true(c.maps >= n_maps);
	assert_int_equal(c.lost, n_lost_maps);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(records_until_the_target_is_gone),
		IN_WORLD(the_last_records_are_not_left_behind),
		IN_WORLD(a_storm_comes_out_as_it_went_in),
		IN_WORLD(losses_are_counted_and_kept),
		IN_WORLD(the_rate_that_was_reached),
		IN_WORLD(the_header_tells),
		IN_WORLD(the_command_runs_and_its_status_comes_back),
		IN_WORLD(stop_ends_the_command),
		IN_WORLD(a_target_that_is_gone_ends_its_command_too),
		IN_WORLD(without_a_target_it_is_the_whole_system),
		IN_WORLD(fallbacks_are_reported),
		IN_WORLD(an_older_kernel_gets_smaller_attrs),
		IN_WORLD(failures_at_start_change_nothing),
		IN_WORLD(rings_are_emptied_while_it_starts),
		IN_WORLD(sideband_is_kept_while_it_starts),
		IN_WORLD(the_sideband_that_a_start_keeps_has_a_limit),
		IN_WORLD(a_command_that_cannot_run_leaves_all_as_it_was),
		IN_WORLD(a_pid_that_is_gone),
		IN_WORLD(no_permission),
		IN_WORLD(what_a_machine_cannot_sample),
		IN_WORLD(a_folder_that_is_not_there),
		IN_WORLD(a_name_with_a_typo),
		IN_WORLD(a_full_disk_keeps_what_was_written),
		IN_WORLD(stop_and_free_at_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
