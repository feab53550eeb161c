/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target selection: perf's rules, users, threads, cgroups, ring sizes; and many threads. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/ring_size.h"
#include "record/target/attach.h"
#include "record/target/cgroup.h"
#include "record/target/tasks.h"

struct world {
	struct fake_kernel kernel;
	struct event_list events;
	struct counters counters;
	struct target target;
	struct cgroups cgroups;
	struct ptui_error err;
	size_t n_fds; /* of the crowd */
	pid_t n_spawned;
	uint64_t now_ns;
	char warnings[512];
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	event_list_init(&w->events);
	for (int i = 0; i < 2; i++) {
		struct event *ev = event_list_add(&w->events, i ? "dummy" : "cpu-clock");

		ev->kind = EVENT_SOFTWARE;
		ev->attr.size = PTUI_ATTR_SIZE_VER0;
		ev->attr.type = PERF_TYPE_SOFTWARE;
		ev->attr.config = i ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_CPU_CLOCK;
		ev->attr.disabled = !i;
		ev->sideband = i;
	}
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	counters_release(&w->counters);
	cgroups_release(&w->cgroups);
	target_release(&w->target);
	event_list_release(&w->events);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static int settle(struct world *w, const struct ptui_record_opts *opts)
{
	target_release(&w->target);
	memset(&w->err, 0, sizeof(w->err));
	assert_int_equal(target_copy(&w->target, opts), 0);
	return target_settle(&w->target, &w->kernel.ops, &w->err);
}

static int attach(struct world *w)
{
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, 4096, NULL), 0);
	return attach_tasks(&w->counters, &w->target, &w->err);
}

static bool is_attached(struct world *w, pid_t tid)
{
	return fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, tid, 0);
}

/* A process with this owner, and that many threads from its pid on. */
static void process(struct world *w, pid_t pid, uid_t uid, size_t n)
{
	char name[64];
	pid_t tids[8] = { 0 };

	for (size_t i = 0; i < n; i++)
		tids[i] = pid + (pid_t)i;
	fake_process(&w->kernel, "app", tids, n);
	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "proc/%d/status", (int)tids[i]);
		fake_file(&w->kernel, name, "Name:\tapp\nTgid:\t%d\nUid:\t0\t%u\t%u\t%u\n",
			  (int)pid, (unsigned)uid, (unsigned)uid, (unsigned)uid);
	}
}

/* ---- perf's rules ---- */

static void what_overrides_what(void **state)
{
	struct world *w = *state;
	char *const command[] = { (char *)"true", NULL };
	const pid_t pid = 7;
	struct ptui_record_opts o = { .pids = &pid,
				      .n_pids = 1,
				      .cpus = "0",
				      .user = "0",
				      .system_wide = true,
				      .per_thread = true };

	assert_int_equal(settle(w, &o), 0);
	assert_true(!w->target.system_wide && !w->target.cpu_list && !w->target.user);
	assert_true(w->target.per_thread && !w->target.inherit);
	assert_non_null(strstr(buf_str(&w->target.conflicts), "override -C"));
	assert_non_null(strstr(buf_str(&w->target.conflicts), "override -u"));
	assert_non_null(strstr(buf_str(&w->target.conflicts), "override -a"));
	o = (struct ptui_record_opts){ .user = "0", .cpus = "0", .system_wide = true };
	assert_int_equal(settle(w, &o), 0);
	assert_true(w->target.user && !w->target.system_wide && !w->target.cpu_list);
	o = (struct ptui_record_opts){ .cpus = "1,0-1", .per_thread = true, .argv = command };
	assert_int_equal(settle(w, &o), 0);
	assert_true(w->target.system_wide && !w->target.all && !w->target.per_thread);
	assert_int_equal(w->target.n_cpus, 2);
	assert_int_equal(w->target.cpus[0], 0);
	o = (struct ptui_record_opts){ .argv = command };
	assert_int_equal(settle(w, &o), 0);
	assert_true(!w->target.system_wide && w->target.inherit && !w->target.conflicts.len);
	o = (struct ptui_record_opts){ .per_thread = true };
	assert_int_equal(settle(w, &o), 0);
	assert_true(w->target.all && w->target.system_wide && !w->target.per_thread);
	/* -t means these threads only */
	o = (struct ptui_record_opts){ .tids = &pid, .n_tids = 1 };
	assert_int_equal(settle(w, &o), 0);
	assert_false(w->target.inherit);
	o.inherit = true;
	assert_int_equal(settle(w, &o), 0);
	assert_true(w->target.inherit);
}

static void users_and_cpus_have_to_be_there(void **state)
{
	struct world *w = *state;
	struct ptui_record_opts o = { .user = "no such user" };

	assert_int_equal(settle(w, &o), -EINVAL);
	assert_string_equal(w->err.text, "no user 'no such user'");
	o.user = "4294967295";
	assert_int_equal(settle(w, &o), -EINVAL);
	o.user = "424242";
	assert_int_equal(settle(w, &o), 0);
	assert_int_equal(w->target.uid, 424242);
	o = (struct ptui_record_opts){ .cpus = "0,7" };
	assert_int_equal(settle(w, &o), -ENODEV);
	assert_string_equal(w->err.text, "this machine has no CPU 7");
	assert_non_null(strstr(w->err.hint, "online CPUs: 0-1"));
	fake_file(&w->kernel, "sys/devices/system/cpu/cpu7/online", "0\n");
	assert_int_equal(settle(w, &o), -ENODEV);
	assert_string_equal(w->err.text, "CPU 7 is offline");
	o.cpus = "0-";
	assert_int_equal(settle(w, &o), -EINVAL);
}

/* ---- tasks ---- */

static void all_of_a_user(void **state)
{
	struct world *w = *state;
	struct ptui_record_opts o = { .user = "1000" };

	process(w, 100, 1000, 3);
	process(w, 200, 1001, 2);
	process(w, 300, 1000, 1);
	w->kernel.dead[w->kernel.n_dead++] = 300;
	assert_int_equal(settle(w, &o), 0);
	assert_int_equal(attach(w), 0);
	assert_true(is_attached(w, 100) && is_attached(w, 102));
	assert_false(is_attached(w, 200));
	assert_int_equal(w->counters.n, 12);
}

/* Processes without rights are skipped with -u; if none is left, that is the error. */
static void a_users_process_that_is_not_ours(void **state)
{
	struct world *w = *state;
	struct ptui_record_opts o = { .user = "1000" };

	process(w, 100, 1000, 1);
	process(w, 200, 1000, 1);
	fake_refuse(&w->kernel, (struct fake_refusal){ .errnum = EPERM,
						       .type = -1,
						       .config = -1,
						       .cpu = -1,
						       .tid = 100,
						       .times = -1 });
	assert_int_equal(settle(w, &o), 0);
	assert_int_equal(attach(w), 0);
	assert_true(is_attached(w, 200));
	counters_release(&w->counters);
	fake_remove(&w->kernel, "proc/200");
	assert_int_equal(attach(w), -EPERM);
	assert_non_null(strstr(w->err.text, "cpu-clock"));
	counters_release(&w->counters);
	fake_remove(&w->kernel, "proc/100");
	assert_int_equal(attach(w), -ESRCH);
	assert_string_equal(w->err.text, "user 1000 has no processes");
}

static void threads_that_are_named(void **state)
{
	struct world *w = *state;
	const pid_t tids[] = { 101, 102, 101 }, leader = 100;
	struct ptui_record_opts o = { .tids = tids, .n_tids = 3 };

	process(w, 100, 0, 3);
	assert_int_equal(tasks_leader(&w->kernel.ops.roots, 102), 100);
	assert_int_equal(settle(w, &o), 0);
	assert_int_equal(attach(w), 0);
	assert_false(is_attached(w, 100));
	assert_int_equal(w->counters.n, 8);
	counters_release(&w->counters);
	/* threads of a process that is named, too */
	o.pids = &leader;
	o.n_pids = 1;
	assert_int_equal(settle(w, &o), 0);
	assert_int_equal(attach(w), 0);
	assert_true(is_attached(w, 100));
	assert_int_equal(w->counters.n, 12);
	counters_release(&w->counters);
	o.n_pids = 0;
	assert_int_equal(settle(w, &o), 0);
	w->kernel.dead[w->kernel.n_dead++] = 102;
	assert_int_equal(attach(w), -ESRCH);
	assert_string_equal(w->err.text, "no thread 102");
}

/* ---- control groups ---- */

static void names_stand_for_events(void **state)
{
	struct world *w = *state;
	char path[200];

	event_list_truncate(&w->events, 0);
	assert_int_equal(cgroups_add(&w->cgroups, &w->kernel.ops.roots, "a", &w->events, &w->err),
			 -EINVAL);
	for (int i = 0; i < 3; i++)
		assert_non_null(event_list_add(&w->events, "e"));
	assert_int_equal(cgroups_add(&w->cgroups, &w->kernel.ops.roots, "a", &w->events, &w->err),
			 -ENOENT);
	assert_non_null(strstr(w->err.text,
			       "no cgroup file system with the perf_event controller is mounted"));
	snprintf(path, sizeof(path), "%s/cg", w->kernel.folder);
	fake_file(&w->kernel, "cg/a/x", "\n");
	fake_file(&w->kernel, "cg/b/x", "\n");
	fake_file(&w->kernel, "proc/self/mounts", "none %s cgroup2 rw 0 0\n", path);
	/* "a,,b": the one in the middle is for all tasks */
	cgroups_release(&w->cgroups);
	assert_int_equal(
		cgroups_add(&w->cgroups, &w->kernel.ops.roots, "a,,b", &w->events, &w->err), 0);
	assert_string_equal(w->events.v[0].cgroup, "a");
	assert_null(w->events.v[1].cgroup);
	assert_string_equal(w->events.v[2].cgroup, "b");
	assert_true(w->events.v[0].cgroup_fd != w->events.v[2].cgroup_fd);
	assert_int_equal(cgroups_add(&w->cgroups, &w->kernel.ops.roots, "a", &w->events, &w->err),
			 -EINVAL);
	/* one is for all */
	cgroups_release(&w->cgroups);
	assert_int_equal(cgroups_add(&w->cgroups, &w->kernel.ops.roots, "b", &w->events, &w->err),
			 0);
	for (int i = 0; i < 3; i++)
		assert_string_equal(w->events.v[i].cgroup, "b");
	cgroups_release(&w->cgroups);
	assert_int_equal(cgroups_add(&w->cgroups, &w->kernel.ops.roots, "c", &w->events, &w->err),
			 -ENOENT);
	assert_non_null(strstr(w->err.hint, path));
}

/* ---- rings ---- */

static void sizes_of_rings(void **state)
{
	struct world *w = *state;
	static const struct {
		const char *text;
		size_t bytes;
		bool rounded;
	} good[] = {
		{ "128", 128 * 4096, false }, { "3", 4 * 4096, true },
		{ "0", 4096, true },	      { "1,1", 4096, false },
		{ ",1M", 0, false },	      { "3,100K", 4 * 4096, true },
		{ "16M", 16 << 20, false },   { "100K", 128 << 10, true },
		{ "5000B", 8192, true },
	};
	static const char *const bad[] = {
		"", "x", "1T", "16Mx", "-1", "1,x", "x,1", ",", "999999999G", "99999999999999999999"
	};
	size_t bytes;
	bool rounded;
	size_t aux;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(ring_size_parse(good[i].text, &w->kernel.ops, &bytes, &aux,
						 &rounded, NULL),
				 0);
		assert_int_equal(bytes, good[i].bytes);
		assert_int_equal(rounded, good[i].rounded);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&w->err, 0, sizeof(w->err));
		assert_int_equal(ring_size_parse(bad[i], &w->kernel.ops, &bytes, &aux, &rounded,
						 &w->err),
				 -EINVAL);
		assert_true(ptui_error_is_set(&w->err));
	}
	assert_int_equal(ring_size_default(&w->kernel.ops, 1), 512 << 10);
	assert_true(ring_size_default(&w->kernel.ops, 10000) * 10000 <= 256 << 20);
	/*
	 * two CPUs: eight times; but not for users who may not lock memory, and at most 64 MiB in
	 * total
	 */
	assert_int_equal(ring_size_flood(&w->kernel.ops, 512 << 10), 4 << 20);
	assert_int_equal(ring_size_flood(&w->kernel.ops, 16 << 20), 32 << 20);
	assert_int_equal(ring_size_flood(&w->kernel.ops, 128 << 20), 128 << 20);
	w->kernel.privileged = false;
	assert_int_equal(ring_size_flood(&w->kernel.ops, 512 << 10), 512 << 10);
	w->kernel.privileged = true;
}

/* ---- very many tasks: too many for the fake kernel, so its calls are only counted ---- */

#define CROWD 10000

static int crowd_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu,
		      int group_fd, unsigned long flags)
{
	struct world *w = ctx;

	(void)attr;
	(void)cpu;
	(void)group_fd;
	(void)flags;
	return pid % 7 ? 100000 + (int)w->n_fds++ : -ESRCH;
}

static int crowd_mmap(void *ctx, int fd, size_t bytes, bool writable, void **ret_base)
{
	(void)ctx;
	(void)fd;
	(void)writable;
	*ret_base = calloc(1, bytes);
	return *ret_base ? 0 : -ENOMEM;
}

static int crowd_munmap(void *ctx, void *base, size_t bytes)
{
	(void)ctx;
	(void)bytes;
	free(base);
	return 0;
}

static int crowd_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg)
{
	(void)ctx;
	if (request == PERF_EVENT_IOC_ID)
		*(uint64_t *)arg = (uint64_t)fd;
	return 0;
}

static int crowd_close(void *ctx, int fd)
{
	struct world *w = ctx;

	(void)fd;
	w->n_fds--;
	return 0;
}

static void ten_thousand_threads(void **state)
{
	struct world *w = *state;
	const pid_t pid = 1000000;
	struct ptui_record_opts o = { .pids = &pid, .n_pids = 1 };
	struct kernel_ops ops = w->kernel.ops;
	size_t alive = 0;
	char path[200];

	snprintf(path, sizeof(path), "%s/%d/task", w->kernel.proc, (int)pid);
	fake_process(&w->kernel, "crowd", &pid, 1);
	for (int i = 0; i < CROWD; i++) {
		snprintf(path, sizeof(path), "%s/%d/task/%d", w->kernel.proc, (int)pid,
			 (int)pid + i);
		assert_true(!i || !mkdir(path, 0700));
		alive += (pid + i) % 7 != 0;
	}
	ops.ctx = w;
	ops.perf_event_open = crowd_open;
	ops.mmap = crowd_mmap;
	ops.munmap = crowd_munmap;
	ops.ioctl = crowd_ioctl;
	ops.close = crowd_close;
	for (int per_thread = 0; per_thread < 2; per_thread++) {
		o.per_thread = per_thread;
		assert_int_equal(settle(w, &o), 0);
		assert_int_equal(counters_init(&w->counters, &ops, &w->events, 4096, NULL), 0);
		if (per_thread)
			counters_follow_tasks(&w->counters);
		assert_int_equal(attach_tasks(&w->counters, &w->target, &w->err), 0);
		assert_int_equal(w->counters.n, alive * (per_thread ? 2 : 4));
		assert_int_equal(w->counters.n_rings, per_thread ? alive : 2);
		assert_int_equal(w->n_fds, w->counters.n);
		assert_int_equal(attach_enable(&w->counters, &w->target), 0);
		counters_release(&w->counters);
		assert_int_equal(w->n_fds, 0);
	}
}

/* Each attempt takes 50 ms, and another thread is created meanwhile. */
static int spawning_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu,
			 int group_fd, unsigned long flags)
{
	struct world *w = ctx;
	char path[200];

	(void)pid;
	w->now_ns += 50000000;
	snprintf(path, sizeof(path), "%s/7000/task/%d", w->kernel.proc, 7000 + (int)++w->n_spawned);
	assert_int_equal(mkdir(path, 0700), 0);
	return crowd_open(ctx, attr, 1, cpu, group_fd, flags);
}

static uint64_t spawning_clock(void *ctx)
{
	return ((struct world *)ctx)->now_ns;
}

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	struct world *w = ctx;

	(void)room;
	if (level == PTUI_LOG_WARN)
		snprintf(w->warnings, sizeof(w->warnings), "%s", text);
}

/* Attaching is limited in time: threads beyond the limit are skipped, and reported. */
static void threads_that_are_created_too_fast(void **state)
{
	struct world *w = *state;
	const pid_t pid = 7000;
	const struct ptui_record_opts o = { .pids = &pid, .n_pids = 1 };
	struct kernel_ops ops = w->kernel.ops;

	fake_process(&w->kernel, "crowd", &pid, 1);
	ops.ctx = w;
	ops.perf_event_open = spawning_open;
	ops.mmap = crowd_mmap;
	ops.munmap = crowd_munmap;
	ops.ioctl = crowd_ioctl;
	ops.close = crowd_close;
	ops.clock_ns = spawning_clock;
	ptui_log_set(hear, w, PTUI_LOG_WARN);
	assert_int_equal(settle(w, &o), 0);
	assert_int_equal(counters_init(&w->counters, &ops, &w->events, 4096, NULL), 0);
	assert_int_equal(attach_tasks(&w->counters, &w->target, &w->err), 0);
	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	/* the first pass, two seconds, and what was begun then */
	assert_true(w->now_ns < 3000000000);
	assert_non_null(strstr(w->warnings, "created faster than ptui can attach to them"));
	assert_true(w->counters.n >= 8);
	counters_release(&w->counters);
	assert_int_equal(w->n_fds, 0);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(what_overrides_what),
		IN_WORLD(users_and_cpus_have_to_be_there),
		IN_WORLD(all_of_a_user),
		IN_WORLD(a_users_process_that_is_not_ours),
		IN_WORLD(threads_that_are_named),
		IN_WORLD(names_stand_for_events),
		IN_WORLD(sizes_of_rings),
		IN_WORLD(ten_thousand_threads),
		IN_WORLD(threads_that_are_created_too_fast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
