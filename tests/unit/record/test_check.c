/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a recording on a fake kernel: each refusal and each fallback is reported once. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/doctor/check.h"

#define PID 100

struct world {
	struct fake_kernel kernel;
	struct ptui_record_opts opts;
	struct ptui_check check;
	struct ptui_error err;
	unsigned n_logged;
	char output[96];
	pid_t pid;
};

static char *const command[] = { (char *)"sh", (char *)"-c", (char *)"true", NULL };

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	struct world *w = ctx;

	(void)level;
	(void)room;
	(void)text;
	w->n_logged++;
}

static int setup(void **state)
{
	static const pid_t tids[] = { PID };
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	fake_process(&w->kernel, "app", tids, 1);
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	w->opts.output = w->output;
	w->opts.argv = command;
	w->pid = PID;
	ptui_log_set(hear, w, PTUI_LOG_WARN);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	ptui_check_release(&w->check);
	assert_int_equal(w->kernel.n_open, 0);
	fake_kernel_release(&w->kernel); /* asserts that nothing is open or mapped */
	free(w);
	return 0;
}

static void check(struct world *w)
{
	ptui_check_release(&w->check);
	memset(&w->err, 0, sizeof(w->err));
	assert_int_equal(record_check(&w->opts, &w->kernel.ops, &w->check, &w->err), 0);
	/* Nothing is logged: the user may be looking at a screen. */
	assert_int_equal(w->n_logged, 0);
}

static void expect(struct world *w, bool refused, const char *about, const char *text)
{
	for (size_t i = 0; i < w->check.n_problems; i++) {
		const struct ptui_problem *p = &w->check.problems[i];

		if (strcmp(p->what.object, about) || !strstr(p->what.text, text))
			continue;
		assert_int_equal(p->refused, refused);
		return;
	}
	for (size_t i = 0; i < w->check.n_problems; i++)
		print_message("%s: %s\n", w->check.problems[i].what.object,
			      w->check.problems[i].what.text);
	fail_msg("no problem with %s: %s", about, text);
}

static void ask(struct world *w, const char *const *events, size_t n)
{
	w->opts.events = events;
	w->opts.n_events = n;
}

static void test_all_is_well(void **state)
{
	static const char *const events[] = { "cycles" };
	struct world *w = *state;

	w->kernel.has_pmu = true;
	ask(w, events, 1);
	check(w);
	assert_int_equal(w->check.n_problems, 0);
	assert_int_equal(w->check.n_events, 1);
	assert_string_equal(w->check.first, "cycles");
	assert_true(w->check.kernel_samples);
}

static void test_no_pmu(void **state)
{
	static const char *const events[] = { "cycles", "instructions" };
	struct world *w = *state;

	ask(w, events, 2);
	check(w);
	assert_int_equal(w->check.n_problems, 2);
	expect(w, false, "cycles", "recording cpu-clock instead");
	expect(w, true, "instructions", "does not have this hardware event");
	assert_string_equal(w->check.first, "cpu-clock");
	assert_int_equal(w->check.n_events, 1);
}

static void test_default_event(void **state)
{
	struct world *w = *state;

	check(w);
	assert_int_equal(strncmp(w->check.first, "cpu-clock", 9), 0);
	assert_int_equal(w->check.n_events, 1);
}

static void test_paranoid(void **state)
{
	static const char *const events[] = { "cpu-clock" };
	struct world *w = *state;

	w->kernel.privileged = false;
	fake_set_paranoid(&w->kernel, 2);
	ask(w, events, 1);
	check(w);
	assert_int_equal(w->check.n_problems, 1);
	expect(w, false, "cpu-clock", "measuring cpu-clock without the kernel");
	assert_false(w->check.kernel_samples);

	w->opts.argv = NULL; /* the whole system */
	check(w);
	/* Once, for the requested event: no fallback message before it. */
	assert_int_equal(w->check.n_problems, 1);
	expect(w, true, "cpu-clock", "cannot open cpu-clock for CPU 0");
	assert_non_null(strstr(w->check.problems[0].what.hint, "perf_event_paranoid=0"));
	assert_int_equal(w->check.n_events, 0);
	assert_string_equal(w->check.first, "");
}

static void test_members_of_a_refused_leader(void **state)
{
	static const char *const events[] = { "{instructions,cpu-clock}", "task-clock" };
	struct world *w = *state;

	ask(w, events, 2);
	check(w);
	assert_int_equal(w->check.n_problems, 1);
	expect(w, true, "instructions", "does not have");
	assert_int_equal(w->check.n_events, 1);
	assert_string_equal(w->check.first, "task-clock");
}

static void test_selector_mistake(void **state)
{
	static const char *const events[] = { "cpu-clok", "task-clock" };
	struct world *w = *state;

	ask(w, events, 2);
	check(w);
	assert_int_equal(w->check.n_problems, 1);
	assert_true(w->check.problems[0].refused);
	assert_non_null(strstr(w->check.problems[0].what.hint, "cpu-clock"));
	assert_int_equal(w->check.n_events, 1);
}

static void test_process(void **state)
{
	static const char *const events[] = { "task-clock" };
	struct world *w = *state;

	ask(w, events, 1);
	w->opts.argv = NULL;
	w->opts.pids = &w->pid;
	w->opts.n_pids = 1;
	check(w);
	assert_int_equal(w->check.n_problems, 0);

	w->pid = 12345;
	check(w);
	assert_int_equal(w->check.n_problems, 1);
	expect(w, true, "12345", "no process 12345");
}

static void test_others_process(void **state)
{
	static const char *const events[] = { "task-clock:u" };
	struct world *w = *state;

	ask(w, events, 1);
	w->opts.argv = NULL;
	w->opts.pids = &w->pid;
	w->opts.n_pids = 1;
	fake_refuse(&w->kernel, (struct fake_refusal){ .errnum = EACCES,
						       .type = -1,
						       .config = -1,
						       .cpu = -1,
						       .tid = PID,
						       .times = -1 });
	fake_file(&w->kernel, "proc/100/status", "Name:\tapp\nTgid:\t100\nUid:\t7\t7\t7\t7\n");
	fake_set_paranoid(&w->kernel, 1);
	check(w);
	expect(w, true, "task-clock:u", "belongs to another user");
}

static void test_command(void **state)
{
	static char *const none[] = { (char *)"no-such-program-anywhere", NULL };
	static char *const folder[] = { (char *)"/", NULL };
	struct world *w = *state;
	char script[600], *const program[] = { script, NULL };

	w->kernel.has_pmu = true;
	w->opts.argv = none;
	check(w);
	assert_int_equal(w->check.n_problems, 1);
	expect(w, true, none[0], "cannot run");
	assert_non_null(strstr(w->check.problems[0].what.hint, "PATH"));
	w->opts.argv = folder;
	check(w);
	expect(w, true, "/", "Is a directory");
	assert_string_equal(w->check.problems[0].what.hint, "");

	/* The remedy is followed. */
	fake_file(&w->kernel, "script", "#!/bin/sh\n");
	snprintf(script, sizeof(script), "%s/script", w->kernel.folder);
	assert_int_equal(chmod(script, 0644), 0);
	w->opts.argv = program;
	check(w);
	expect(w, true, script, "cannot run");
	assert_non_null(strstr(w->check.problems[0].what.hint, "chmod +x"));
	assert_int_equal(chmod(script, 0755), 0);
	check(w);
	assert_int_equal(w->check.n_problems, 0);
}

/* Target options are looked up, and overridden ones are reported. */
static void test_targets(void **state)
{
	static const char *const events[] = { "cpu-clock" }, *const names[] = { "web" };
	static const size_t after[] = { 1 };
	struct world *w = *state;
	const pid_t pid = PID;

	w->opts.events = events;
	w->opts.n_events = 1;
	w->opts.cpus = "9";
	check(w);
	expect(w, true, "9", "no CPU 9");
	w->opts.cpus = "1";
	check(w);
	assert_int_equal(w->check.n_problems, 0);
	w->opts.pids = &pid;
	w->opts.n_pids = 1;
	check(w);
	assert_int_equal(w->check.n_problems, 1);
	expect(w, false, "", "override -C");
	w->opts.n_pids = 0;
	w->opts.user = "no such user";
	check(w);
	expect(w, true, "no such user", "no user");
	w->opts.user = w->opts.cpus = NULL;
	w->opts.ring_pages = "x";
	check(w);
	expect(w, true, "x", "not a valid ring buffer size");
	w->opts.ring_pages = NULL;
	w->opts.cgroups = names;
	w->opts.cgroup_after = after;
	w->opts.n_cgroups = 1;
	check(w);
	expect(w, true, "-G", "system-wide");
	w->opts.system_wide = true;
	fake_file(&w->kernel, "proc/self/mounts", "x %s/cg cgroup2 rw 0 0\n", w->kernel.folder);
	check(w);
	expect(w, true, "web", "cannot open cgroup");
	fake_file(&w->kernel, "cg/web/x", "\n");
	check(w);
	assert_int_equal(w->check.n_problems, 0);
	fake_refuse(&w->kernel, (struct fake_refusal){ .errnum = EINVAL,
						       .type = -1,
						       .cpu = -1,
						       .config = PERF_COUNT_SW_CPU_CLOCK,
						       .times = -1 });
	check(w);
	expect(w, true, "cpu-clock", "the control group web on CPU 0");
}

static void test_rate(void **state)
{
	struct world *w = *state;

	w->kernel.has_pmu = true;
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "1000\n");
	w->opts.freq_hz = 5000;
	check(w);
	assert_int_equal(w->check.n_problems, 1);
	expect(w, false, "kernel.perf_event_max_sample_rate", "recording at 1000 Hz");
	assert_string_equal(w->check.problems[0].what.hint,
			    "as root: sysctl kernel.perf_event_max_sample_rate=5000");
	w->opts.freq_hz = 1000;
	check(w);
	assert_int_equal(w->check.n_problems, 0);
	w->opts.freq_hz = 5000;
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "5000\n");
	check(w);
	assert_int_equal(w->check.n_problems, 0);
}

static void test_output(void **state)
{
	struct world *w = *state;

	w->kernel.has_pmu = true;
	w->opts.output = "/no/such/folder/perf.data";
	check(w);
	expect(w, true, w->opts.output, "No such file");
	w->opts.output = w->kernel.folder;
	check(w);
	expect(w, true, w->opts.output, "Is a directory");
	/* Permissions let root write there, but no file can be created. */
	w->opts.output = "/proc/perf.data";
	check(w);
	expect(w, true, w->opts.output, "cannot create a file in the directory");
	w->opts.output = "/dev/null";
	check(w);
	assert_int_equal(w->check.n_problems, 0);
}

/* The temporary name is longer than the final one. */
static void test_long_output(void **state)
{
	struct world *w = *state;
	static char path[512];

	w->kernel.has_pmu = true;
	w->opts.output = path;
	for (size_t n = 200; n < 300; n += 50) {
		snprintf(path, sizeof(path), "%s/%0*d", w->kernel.folder, (int)n, 0);
		check(w);
		assert_int_equal(w->check.n_problems, n > 200);
		if (n > 200)
			assert_true(w->check.problems[0].refused);
	}
}

static size_t count_files(const char *folder)
{
	DIR *dir = opendir(folder);
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void test_old_output(void **state)
{
	struct world *w = *state;
	size_t n;

	w->kernel.has_pmu = true;
	n = count_files(w->kernel.folder);
	check(w);
	assert_false(w->check.output_exists);
	assert_int_equal(count_files(w->kernel.folder), n); /* no files remain */
	fake_file(&w->kernel, "out.data", "old");
	check(w);
	assert_true(w->check.output_exists);
	assert_int_equal(w->check.n_problems, 0);
	fake_file(&w->kernel, "out.data.old/file", "in the way");
	check(w);
	expect(w, true, w->opts.output, "out.data.old, which is a directory");
}

/* Closing tracepoints is slow: of many, only a few are tried. */
static void test_many_tracepoints(void **state)
{
	static const char *const events[] = { "many:*" };
	struct world *w = *state;
	char tracefs[96], name[64];

	snprintf(tracefs, sizeof(tracefs), "%s/tracing", w->kernel.folder);
	w->kernel.ops.roots.tracefs = tracefs;
	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "tracing/events/many/e%d/id", i);
		fake_file(&w->kernel, name, "%d\n", 300 + i);
		snprintf(name, sizeof(name), "tracing/events/many/e%d/format", i);
		fake_file(&w->kernel, name, "name: e%d\nID: %d\nformat:\n", i, 300 + i);
	}
	ask(w, events, 1);
	check(w);
	assert_int_equal(w->check.n_problems, 0);
	assert_int_equal(w->check.n_events, 50);
	assert_in_range(w->kernel.n_opens, 1, 20);
}

static void test_max_freq(void **state)
{
	struct world *w = *state;

	w->kernel.has_pmu = true;
	w->opts.freq_hz = 500;
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "1000\n");
	check(w);
	assert_int_equal(w->check.max_freq_hz, 1000);
	assert_int_equal(w->check.n_problems, 0);
	w->opts.freq_hz = 5000;
	check(w);
	expect(w, false, "kernel.perf_event_max_sample_rate", "recording at 1000 Hz");
}

/* Triggers are checked before the start, too. */
static void test_triggers(void **state)
{
	static const char *const events[] = { "cycles", "page-faults" };
	static const char *const when[] = { "page-faults/s > 1k", "cycles/s > 1M",
					    "page-faults >" };
	static const char *const hits[] = { "cpu-migrations", "cpu-clock", "no-such-event" };
	static const char *const filters[] = { NULL, NULL, NULL };
	struct world *w = *state;

	ask(w, events, 2);
	w->opts.trigger.when = when;
	w->opts.trigger.n_when = 3;
	check(w);
	expect(w, true, "--snapshot-when", "snapshots are not possible");
	w->opts.shape.overwrite = true;
	check(w);
	assert_int_equal(w->check.n_problems, 3);
	/* it would be another event: cycles are not counted here */
	expect(w, false, "cycles", "recording cpu-clock instead");
	expect(w, true, when[1], "this recording has no event 'cycles'");
	expect(w, true, when[2], "--snapshot-when: the number to compare with is missing");
	w->opts.trigger =
		(struct ptui_record_trigger){ .events = hits, .n_events = 3, .filters = filters };
	check(w);
	assert_int_equal(w->check.n_problems, 3);
	expect(w, true, "--switch-output-event", "cpu-clock occurs all the time");
	expect(w, true, hits[2], "--switch-output-event: unknown event 'no-such-event'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_all_is_well),
		TEST(test_no_pmu),
		TEST(test_default_event),
		TEST(test_paranoid),
		TEST(test_members_of_a_refused_leader),
		TEST(test_selector_mistake),
		TEST(test_process),
		TEST(test_others_process),
		TEST(test_command),
		TEST(test_targets),
		TEST(test_rate),
		TEST(test_output),
		TEST(test_long_output),
		TEST(test_old_output),
		TEST(test_many_tracepoints),
		TEST(test_max_freq),
		TEST(test_triggers),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
