/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts on a fake kernel with a PMU: sums, shares of a multiplexed counter, ratios, groups of
 * which the kernel supports a part, and means over runs.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/target/cgroup.h"
#include "stat/stat.h"
#include "stat/stat_data.h"
#include "symbol/address_filter.h"
#include "unit/data/made.h"

#define PID 42

struct world {
	struct fake_kernel kernel;
	struct ptui_record_opts what;
	struct stat_opts opts;
	struct stat_format format;
	struct stat *stat;
	struct buf text;
};

static char *const command[] = { (char *)"work", NULL };

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	w->kernel.has_pmu = true;
	w->what.argv = command;
	w->opts.what = &w->what;
	w->format.n_runs = 1;
	w->format.passed_ns = 4e6;
	buf_init(&w->text);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	stat_free(w->stat);
	fake_kernel_release(&w->kernel);
	buf_release(&w->text);
	free(w);
	return 0;
}

static void begin(struct world *w, const char *const *events, size_t n)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	w->what.events = events;
	w->what.n_events = n;
	w->stat = stat_new(&w->kernel.ops, &w->opts, &err);
	if (!w->stat)
		fail_msg("%s", err.text);
	if (stat_open(w->stat, PID, &err))
		fail_msg("%s", err.text);
	assert_int_equal(stat_enable(w->stat), 0);
}

#define BEGIN(w, ...)                                  \
	begin(w, (const char *const[]){ __VA_ARGS__ }, \
	      sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* One counter's count; it ran for the whole millisecond, or a part of it. */
static void set(struct world *w, uint32_t type, uint64_t config, int cpu, uint64_t count,
		double share)
{
	struct fake_fd *f = fake_find(&w->kernel, type, config, cpu < 0 ? PID : -1, cpu);

	assert_non_null(f);
	f->count = count;
	f->enabled_ns = 1000000;
	f->running_ns = (uint64_t)(1e6 * share);
}

static void set_hw(struct world *w, uint64_t config, uint64_t count)
{
	set(w, PERF_TYPE_HARDWARE, config, -1, count, 1);
}

static const char *shown(struct world *w, bool since_last)
{
	struct stat_usage usage = { .passed_ns = (uint64_t)w->format.passed_ns };
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_int_equal(stat_read(w->stat, since_last, &usage, &err), 0);
	buf_clear(&w->text);
	stat_print(w->stat, &w->format, &w->text);
	return buf_str(&w->text);
}

static void test_ratios(void **state)
{
	struct world *w = *state;

	BEGIN(w, "task-clock", "cycles", "stalled-cycles-frontend,stalled-cycles-backend",
	      "instructions", "branches,branch-misses", "cache-references,cache-misses",
	      "LLC-loads,LLC-load-misses");
	set(w, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, -1, 1000000, 1);
	set_hw(w, PERF_COUNT_HW_CPU_CYCLES, 2000000);
	set_hw(w, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 500000);
	set_hw(w, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1000000);
	set_hw(w, PERF_COUNT_HW_INSTRUCTIONS, 4000000);
	set_hw(w, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 2000);
	set_hw(w, PERF_COUNT_HW_BRANCH_MISSES, 50);
	set_hw(w, PERF_COUNT_HW_CACHE_REFERENCES, 200);
	set_hw(w, PERF_COUNT_HW_CACHE_MISSES, 50);
	set(w, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_LL, -1, 2000, 1);
	set(w, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_LL | 1 << 16, -1, 20, 1);
	assert_string_equal(
		shown(w, false),
		"              1.00 msec task-clock                       #    0.250 CPUs utilized          \n"
		"           2000000      cycles                           #    2.000 GHz                    \n"
		"            500000      stalled-cycles-frontend          #   25.00% frontend cycles idle   \n"
		"           1000000      stalled-cycles-backend           #   50.00% backend cycles idle    \n"
		"           4000000      instructions                     #    2.00  insn per cycle         \n"
		"                                                         #    0.25  stalled cycles per insn\n"
		"              2000      branches                         #    2.000 M/sec                  \n"
		"                50      branch-misses                    #    2.50% of all branches        \n"
		"               200      cache-references                 #  200.000 K/sec                  \n"
		"                50      cache-misses                     #   25.000 % of all cache refs    \n"
		"              2000      LLC-loads                        #    2.000 M/sec                  \n"
		"                20      LLC-load-misses                  #    1.00% of all LL-cache accesses\n");
	w->format.separator = ",";
	assert_non_null(strstr(shown(w, false),
			       "4000000,,instructions,1000000,100.00,2.00,insn per cycle\n"
			       ",,,,,0.25,stalled cycles per insn\n"));
}

/* A count is extrapolated by the share of time on a counter; without any share there is none. */
static void test_multiplexed(void **state)
{
	struct world *w = *state;

	BEGIN(w, "cycles", "instructions", "branches");
	set(w, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, -1, 1000, 0.25);
	set(w, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, -1, 8000, 1);
	set(w, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, -1, 0, 0);
	assert_string_equal(
		shown(w, false),
		"              4000      cycles                                                               (25.00%)\n"
		"              8000      instructions                     #    2.00  insn per cycle         \n"
		"     <not counted>      branches                                                    \n");
}

static void test_interval(void **state)
{
	struct world *w = *state;

	BEGIN(w, "cycles");
	w->format.separator = ",";
	w->format.interval = true;
	w->format.time_ns = 1002000003;
	set_hw(w, PERF_COUNT_HW_CPU_CYCLES, 1000);
	assert_string_equal(shown(w, true), "     1.002000003,1000,,cycles,1000000,100.00,,\n");
	set_hw(w, PERF_COUNT_HW_CPU_CYCLES, 1500);
	fake_find(&w->kernel, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, PID, -1)->enabled_ns =
		3000000;
	fake_find(&w->kernel, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, PID, -1)->running_ns =
		3000000;
	assert_string_equal(shown(w, true), "     1.002000003,500,,cycles,2000000,100.00,,\n");
	/* the sum of all intervals */
	w->format.interval = false;
	assert_string_equal(shown(w, false), "1500,,cycles,3000000,100.00,,\n");
}

static void fake_cache(struct world *w, int cpu, int index, int level, const char *type,
		       const char *shared)
{
	const struct {
		const char *file, *text;
	} files[] = { { "type", type }, { "shared_cpu_list", shared } };
	char name[96];

	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu,
		 index);
	fake_file(&w->kernel, name, "%d\n", level);
	for (size_t i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu,
			 index, files[i].file);
		fake_file(&w->kernel, name, "%s\n", files[i].text);
	}
}

/* Two cores in two sockets, which have the last cache in common. */
static void test_places(void **state)
{
	static const struct {
		enum stat_aggr aggr;
		unsigned cache_level;
		const char *text;
	} cases[] = {
		{ STAT_GLOBAL, 0, "300,,cycles,2000000,100.00,,\n" },
		{ STAT_CPU, 0,
		  "CPU0,100,,cycles,1000000,100.00,,\nCPU1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_CORE, 0,
		  "S0-D0-C0,1,100,,cycles,1000000,100.00,,\nS1-D0-C4,1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_DIE, 0,
		  "S0-D0,1,100,,cycles,1000000,100.00,,\nS1-D0,1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_CLUSTER, 0,
		  "S0-D0-CLS8,1,100,,cycles,1000000,100.00,,\nS1-D0-CLS9,1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_CACHE, 0,
		  "S0-D0-L2-ID0,1,100,,cycles,1000000,100.00,,\nS1-D0-L2-ID0,1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_CACHE, 1,
		  "S0-D0-L1-ID0,1,100,,cycles,1000000,100.00,,\nS1-D0-L1-ID1,1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_CACHE, 4,
		  "S0-D0-L-1-ID-1,1,100,,cycles,1000000,100.00,,\nS1-D0-L-1-ID-1,1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_SOCKET, 0,
		  "S0,1,100,,cycles,1000000,100.00,,\nS1,1,200,,cycles,1000000,100.00,,\n" },
		{ STAT_NODE, 0, "N0,2,300,,cycles,2000000,100.00,,\n" },
	};
	struct world *w = *state;

	for (int cpu = 0; cpu < 2; cpu++) {
		char name[96];

		snprintf(name, sizeof(name),
			 "sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
		fake_file(&w->kernel, name, "%d\n", cpu);
		snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/topology/die_id", cpu);
		fake_file(&w->kernel, name, "0\n");
		snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
		fake_file(&w->kernel, name, "%d\n", cpu * 4);
		snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/topology/cluster_id",
			 cpu);
		fake_file(&w->kernel, name, "%d\n", cpu + 8);
		fake_cache(w, cpu, 0, 1, "Data", cpu ? "1" : "0");
		fake_cache(w, cpu, 1, 1, "Instruction", "0-1");
		fake_cache(w, cpu, 2, 2, "Unified", "0-1");
	}
	w->what.argv = NULL;
	w->what.system_wide = true;
	w->format.separator = ",";
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		w->opts.aggr = cases[i].aggr;
		w->opts.cache_level = cases[i].cache_level;
		BEGIN(w, "cycles");
		set(w, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 100, 1);
		set(w, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, 200, 1);
		assert_string_equal(shown(w, false), cases[i].text);
		stat_free(w->stat);
		w->stat = NULL;
	}
}

/* ---- PMUs that count no tasks, and know no modes ---- */

static void make_power(struct world *w)
{
	const char folder[] = "sys/bus/event_source/devices/power";
	char name[96];
	static const char *const files[][2] = {
		{ "type", "9\n" },
		{ "cpumask", "0\n" },
		{ "format/event", "config:0-7\n" },
		{ "events/energy-pkg", "event=0x02\n" },
		{ "events/energy-pkg.unit", "Joules\n" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(name, sizeof(name), "%s/%s", folder, files[i][0]);
		fake_file(&w->kernel, name, "%s", files[i][1]);
	}
	w->kernel.no_modes = 9;
	w->format.separator = ",";
}

static void test_only_uncore(void **state)
{
	struct world *w = *state;

	make_power(w);
	BEGIN(w, "power/energy-pkg/", "duration_time");
	assert_true(stat_is_system_wide(w->stat));
	assert_true(stat_event(w->stat, 0)->supported);
	set(w, 9, 2, 0, 100, 1);
	assert_non_null(strstr(shown(w, false), "100,Joules,power/energy-pkg/,1000000,100.00,,"));
}

static void test_uncore_and_tasks(void **state)
{
	struct world *w = *state;

	make_power(w);
	BEGIN(w, "power/energy-pkg/", "cs");
	assert_false(stat_is_system_wide(w->stat));
}

/* ---- cgroups ---- */

static void make_cgroups(struct world *w)
{
	fake_file(&w->kernel, "proc/self/mounts", "none %s/cg cgroup2 rw 0 0\n", w->kernel.folder);
	fake_file(&w->kernel, "cg/cgroup.threads", "%s", "");
	fake_file(&w->kernel, "cg/web/cgroup.threads", "1\n2\n3\n");
	fake_file(&w->kernel, "cg/web/idle/cgroup.threads", "%s", "");
	fake_file(&w->kernel, "cg/web/one/tasks", "7\n"); /* as in version 1 */
	fake_file(&w->kernel, "cg/db/cgroup.threads", "4\n5\n");
	w->what.argv = NULL;
	w->what.system_wide = true;
	w->format.separator = ",";
}

/* "db web": those of the first event, as they are counted. */
static void cgroups_are(struct world *w, const char *wanted)
{
	struct buf names = BUF_INIT;

	BEGIN(w, "cs");
	for (size_t i = 0; i < stat_n_events(w->stat); i++) {
		const struct event *ev = stat_event(w->stat, i)->event;
		struct fake_fd *f = fake_find(&w->kernel, PERF_TYPE_SOFTWARE,
					      PERF_COUNT_SW_CONTEXT_SWITCHES, ev->cgroup_fd, 1);

		assert_non_null(f);
		assert_true(f->flags & PERF_FLAG_PID_CGROUP);
		buf_addf(&names, "%s%s", i ? " " : "", ev->cgroup);
	}
	assert_string_equal(buf_str(&names), wanted);
	buf_release(&names);
	stat_free(w->stat);
	w->stat = NULL;
}

static void cgroups_are_refused(struct world *w, const char *why)
{
	static const char *const events[] = { "cs" };
	struct ptui_error err = PTUI_ERROR_INIT;

	w->what.events = events;
	w->what.n_events = 1;
	assert_null(stat_new(&w->kernel.ops, &w->opts, &err));
	assert_non_null(strstr(err.text, why));
}

static void test_each_cgroup(void **state)
{
	struct world *w = *state;

	make_cgroups(w);
	w->opts.each_cgroup = "web/idle,/,db";
	cgroups_are(w, "web/idle / db");
	w->opts.each_cgroup = "^web,d[bc]";
	cgroups_are(w, "db web web/idle web/one");
	w->opts.each_cgroup = "db$,web";
	cgroups_are(w, "db web web/idle web/one");
	w->opts.each_cgroup = "^$";
	cgroups_are(w, "/");
	w->opts.each_cgroup = "web/two,db";
	cgroups_are_refused(w, "cannot open cgroup web/two");
	w->opts.each_cgroup = "^/web";
	cgroups_are_refused(w, "no cgroup matches '^/web'");
	w->opts.each_cgroup = "we[b";
	cgroups_are_refused(w, "'we[b' is not a regular expression: ");
}

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	struct world *w = ctx;

	(void)level;
	(void)room;
	buf_clear(&w->text);
	buf_add_str(&w->text, text);
}

/* Those with tasks, and of these as many as there can be open files, the fullest. */
static void test_per_cgroup(void **state)
{
	static const char many[] =
		"cgroups counted: 2, those with most tasks; 1 others are left out ";
	struct world *w = *state;

	w->what.argv = NULL;
	w->what.system_wide = true;
	w->opts.per_cgroup = true;
	cgroups_are_refused(w, "no cgroup file system with the perf_event controller is mounted");
	make_cgroups(w);
	cgroups_are(w, "db web web/one");
	ptui_log_set(hear, w, PTUI_LOG_WARN);
	w->kernel.fd_limit.rlim_max = 64 + 3 * 3; /* a directory, and a counter on two CPUs */
	cgroups_are(w, "db web web/one");
	assert_int_equal(w->text.len, 0);
	w->kernel.fd_limit.rlim_max--;
	cgroups_are(w, "db web");
	assert_memory_equal(w->text.data, many, sizeof(many) - 1);
	w->kernel.fd_limit.rlim_max = 10;
	cgroups_are(w, "web");
	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	fake_remove(&w->kernel, "cg/db");
	fake_remove(&w->kernel, "cg/web");
	cgroups_are_refused(w, "no cgroup has tasks");
}

/* The kernel's times of a cgroup may begin before the count; nothing is extrapolated by them. */
static void test_times_of_cgroups(void **state)
{
	struct world *w = *state;
	struct fake_fd *f;

	make_cgroups(w);
	w->opts.each_cgroup = "db";
	BEGIN(w, "cs");
	for (int cpu = 0; cpu < 2; cpu++) {
		f = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
			      stat_event(w->stat, 0)->event->cgroup_fd, cpu);
		f->count = 10;
		f->enabled_ns = cpu ? 35000000000 : 4000000;
		f->running_ns = 2000000;
	}
	assert_string_equal(shown(w, false), "30,,cs,db,6000000,75.00,,\n");
}

/* ---- switching ---- */

static size_t n_enabled(const struct world *w)
{
	size_t n = 0;

	for (size_t i = 0; i < FAKE_FDS; i++)
		n += w->kernel.fds[i].used && w->kernel.fds[i].enabled;
	return n;
}

/* By one call if it switches these counters and no others, else one by one. */
static void test_switched_at_once(void **state)
{
	static const struct {
		bool alone, refused;
		size_t calls;
	} cases[] = { { false, false, 0 }, { true, true, 0 }, { true, false, 2 } };
	struct world *w = *state;

	w->what.argv = NULL;
	w->what.system_wide = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		w->opts.alone = cases[i].alone;
		w->kernel.no_own_switch = cases[i].refused;
		w->kernel.n_own_switches = 0;
		BEGIN(w, "cycles", "{instructions,branches}");
		assert_int_equal(n_enabled(w), 6);
		stat_switch_event(w->stat, 2, false);
		assert_int_equal(n_enabled(w), 4);
		assert_int_equal(stat_disable(w->stat), 0);
		assert_int_equal(n_enabled(w), 0);
		assert_int_equal(w->kernel.n_own_switches, cases[i].calls);
		assert_int_equal(stat_enable(w->stat), 0);
		assert_int_equal(n_enabled(w), 6);
		stat_free(w->stat);
		w->stat = NULL;
	}
	/* processes may create threads while they are switched on */
	fake_process(&w->kernel, "work", &(pid_t){ PID }, 1);
	w->what.system_wide = false;
	w->what.pids = &(pid_t){ PID };
	w->what.n_pids = 1;
	w->kernel.n_own_switches = 0;
	BEGIN(w, "cycles", "branches");
	assert_int_equal(n_enabled(w), 2);
	assert_int_equal(w->kernel.n_own_switches, 0);
	assert_int_equal(stat_disable(w->stat), 0);
	assert_int_equal(n_enabled(w), 0);
	assert_int_equal(w->kernel.n_own_switches, 1);
}

#define TOUCHED 200

static void touch_pages(void)
{
	long bytes = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, (size_t)bytes * TOUCHED, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(pages, (size_t)bytes * TOUCHED, MADV_NOHUGEPAGE);
	for (long i = 0; i < TOUCHED; i++)
		pages[i * bytes] = 1;
	munmap(pages, (size_t)bytes * TOUCHED);
}

/* A process that creates another one when it is told to; then both touch pages. */
struct toucher {
	pid_t pid;
	int go, done;
};

static void toucher_start(struct toucher *t)
{
	int go[2], done[2], pass[2];
	char byte;

	assert_int_equal(pipe(go) | pipe(done) | pipe(pass), 0);
	t->pid = fork();
	if (!t->pid) {
		close(go[1]);
		if (read(go[0], &byte, 1) != 1 || !fork()) {
			close(pass[1]);
			while (read(pass[0], &byte, 1) == 1) {
				touch_pages();
				if (write(done[1], &byte, 1) != 1)
					break;
			}
			_exit(0);
		}
		while (read(go[0], &byte, 1) == 1) {
			touch_pages();
			if (write(pass[1], &byte, 1) != 1)
				break;
		}
		_exit(0);
	}
	close(go[0]);
	close(done[1]);
	close(pass[0]);
	close(pass[1]);
	t->go = go[1];
	t->done = done[0];
	assert_true(t->pid > 0);
}

static void toucher_touch(struct toucher *t)
{
	char byte = 'p';

	assert_int_equal(write(t->go, &byte, 1), 1);
	assert_int_equal(read(t->done, &byte, 1), 1);
}

static double counted(struct world *w, size_t event)
{
	struct stat_usage usage = { .passed_ns = 1 };
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_int_equal(stat_read(w->stat, false, &usage, &err), 0);
	return stat_event(w->stat, event)->cells[0].value;
}

/* The real kernel: counters on CPUs, of a cgroup, and those that a child inherited. */
static void test_switched_for_real(void **state)
{
	static const char *const events[] = { "page-faults", "minor-faults" };
	struct world *w = *state;
	struct ptui_error err = PTUI_ERROR_INIT;
	char *mount = NULL;

	need("root");
	w->opts.alone = w->opts.no_scale = true;
	w->what.argv = NULL;
	w->what.events = events;
	w->what.n_events = 2;
	for (int i = 0; i < 3; i++) {
		struct toucher t;
		double before;

		if (i == 1 && cgroup_mount(&roots_system, &mount, NULL))
			continue;
		toucher_start(&t);
		w->what.system_wide = i < 2;
		w->opts.each_cgroup = i == 1 ? "/" : NULL;
		w->what.pids = &t.pid;
		w->what.n_pids = i == 2;
		w->stat = stat_new(kernel_ops_real(), &w->opts, &err);
		assert_non_null(w->stat);
		assert_int_equal(stat_open(w->stat, 0, &err), 0);
		assert_int_equal(write(t.go, "f", 1), 1);
		toucher_touch(&t);
		assert_true(counted(w, 0) == 0);
		assert_int_equal(stat_enable(w->stat), 0);
		toucher_touch(&t);
		assert_true(counted(w, 0) >= 2 * TOUCHED && counted(w, 1) >= 2 * TOUCHED);
		assert_int_equal(stat_disable(w->stat), 0);
		before = counted(w, 0);
		toucher_touch(&t);
		assert_true(counted(w, 0) == before);
		assert_int_equal(stat_enable(w->stat), 0);
		toucher_touch(&t);
		assert_true(counted(w, 0) >= before + 2 * TOUCHED);
		stat_free(w->stat);
		w->stat = NULL;
		close(t.go);
		close(t.done);
		waitpid(t.pid, NULL, 0);
	}
	free(mount);
}

/* The others of a group count without the one that is refused, and together. */
static void test_part_of_a_group(void **state)
{
	struct world *w = *state;
	struct fake_fd *cycles, *branches;

	fake_refuse(&w->kernel, (struct fake_refusal){ .errnum = ENOENT,
						       .type = PERF_TYPE_HARDWARE,
						       .config = PERF_COUNT_HW_INSTRUCTIONS,
						       .cpu = -1,
						       .times = -1 });
	BEGIN(w, "{cycles,instructions,branches}");
	assert_true(stat_event(w->stat, 0)->supported);
	assert_false(stat_event(w->stat, 1)->supported);
	assert_true(ptui_error_is_set(&stat_event(w->stat, 1)->why));
	assert_true(stat_event(w->stat, 2)->supported);
	cycles = fake_find(&w->kernel, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, PID, -1);
	branches = fake_find(&w->kernel, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PID,
			     -1);
	assert_int_equal(cycles->group_fd, -1);
	assert_int_equal(branches->group_fd, cycles->fd);
	assert_true(cycles->attr.enable_on_exec && !branches->attr.disabled);
}

/* A refusal that is not about the event ends it. */
static void test_not_permitted(void **state)
{
	static const char *const events[] = { "cycles" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct world *w = *state;

	fake_refuse(&w->kernel,
		    (struct fake_refusal){
			    .errnum = EMFILE, .type = -1, .config = -1, .cpu = -1, .times = -1 });
	w->what.events = events;
	w->what.n_events = 1;
	w->stat = stat_new(&w->kernel.ops, &w->opts, &err);
	assert_non_null(w->stat);
	assert_true(stat_open(w->stat, PID, &err) < 0);
	assert_true(ptui_error_is_set(&err));
}

/* Users may not count the kernel: as in perf, events are counted without it, and named so. */
static void test_user_space_only(void **state)
{
	struct world *w = *state;
	struct ptui_error err = PTUI_ERROR_INIT;

	w->kernel.privileged = false;
	fake_set_paranoid(&w->kernel, 2);
	BEGIN(w, "{cycles,instructions}", "cs:u");
	for (int run = 0; run < 2; run++) {
		assert_string_equal(stat_event(w->stat, 0)->event->name, "cycles:u");
		assert_string_equal(stat_event(w->stat, 1)->event->name, "instructions:u");
		assert_string_equal(stat_event(w->stat, 2)->event->name, "cs:u");
		set_hw(w, PERF_COUNT_HW_CPU_CYCLES, 7);
		assert_non_null(strstr(shown(w, false), " 7      cycles:u "));
		stat_close(w->stat);
		assert_int_equal(stat_open(w->stat, PID, &err), 0);
	}
}

static void test_runs(void **state)
{
	struct world *w = *state;
	struct stat_cell *c;

	BEGIN(w, "cycles");
	for (uint64_t i = 1; i <= 3; i++) {
		set_hw(w, PERF_COUNT_HW_CPU_CYCLES, i * 100);
		shown(w, false);
		stat_add_run(w->stat);
	}
	c = &stat_event(w->stat, 0)->cells[0];
	assert_true(fabs(c->values.mean - 200) < 1e-9);
	/* standard deviation 100, of the mean 100 / sqrt(3) */
	assert_true(fabs(stat_mean_error(&c->values) - 100 / sqrt(3)) < 1e-9);
	w->format.n_runs = 3;
	assert_string_equal(
		shown(w, false),
		"               200      cycles                                                               ( +- 28.87% )\n");
}

/* ---- metrics ---- */

static void choose(struct world *w, const char *const *metrics)
{
	w->opts.metrics = metrics;
	w->opts.n_metrics = 1;
	begin(w, NULL, 0);
}

static struct fake_fd *find_hw(struct world *w, uint64_t config)
{
	struct fake_fd *f = fake_find(&w->kernel, PERF_TYPE_HARDWARE, config, PID, -1);

	assert_non_null(f);
	return f;
}

/* Each metric stands beside its first event; both events are one group. */
static void test_metrics(void **state)
{
	static const char *const two[] = { "insn_per_cycle,cycles_frequency,branch_miss_rate" };
	struct world *w = *state;

	choose(w, two);
	assert_int_equal(find_hw(w, PERF_COUNT_HW_CPU_CYCLES)->group_fd,
			 find_hw(w, PERF_COUNT_HW_INSTRUCTIONS)->fd);
	assert_int_equal(find_hw(w, PERF_COUNT_HW_BRANCH_INSTRUCTIONS)->group_fd,
			 find_hw(w, PERF_COUNT_HW_BRANCH_MISSES)->fd);
	set_hw(w, PERF_COUNT_HW_INSTRUCTIONS, 4000000);
	set_hw(w, PERF_COUNT_HW_CPU_CYCLES, 2000000);
	set_hw(w, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 2000);
	/* multiplexed: 25 in half of the time */
	set(w, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, -1, 25, 0.5);
	set(w, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, -1, 1000000, 1);
	assert_string_equal(
		shown(w, false),
		"           4000000      instructions                     #     2.00 insn_per_cycle         \n"
		"           2000000      cycles                           #    2.000 GHz  cycles_frequency  \n"
		"              1.00 msec task-clock                                                         \n"
		"                50      branch-misses                    #      2.5 %  branch_miss_rate      (50.00%)\n"
		"              2000      branches                                                           \n");
	w->format.separator = ",";
	assert_non_null(strstr(shown(w, false),
			       "4000000,,instructions,1000000,100.00,2.00,insn_per_cycle\n"));
	w->format.separator = NULL;
	w->format.json = true;
	assert_non_null(
		strstr(shown(w, false),
		       "\"metric-value\" : 2.500000, \"metric-unit\" : \"%  branch_miss_rate\"}"));
}

static void test_metric_events(void **state)
{
	static const char *const shared[] = {
		"insn_per_cycle,insn_per_cycle,frontend_cycles_idle"
	};
	struct world *w = *state;

	choose(w, shared);
	assert_int_equal(stat_n_events(w->stat), 3);
	stat_free(w->stat);
	w->opts.metric_no_merge = true;
	choose(w, shared);
	assert_int_equal(stat_n_events(w->stat), 4);
	stat_free(w->stat);
	w->opts.metric_no_group = true;
	choose(w, shared);
	for (size_t i = 0; i < stat_n_events(w->stat); i++)
		assert_int_equal(stat_events(w->stat)->v[i].leader, i);
}

static void test_unknown_metric(void **state)
{
	static const char *const unknown[] = { "insn_per_cycle,no_such_metric" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct world *w = *state;

	w->opts.metrics = unknown;
	w->opts.n_metrics = 1;
	w->stat = stat_new(&w->kernel.ops, &w->opts, &err);
	assert_null(w->stat);
	assert_non_null(strstr(err.text, "'no_such_metric'"));
	assert_non_null(strstr(err.hint, "ptui list metrics"));
}

/* The heading and the line of --metric-only. */
static const char *columns(struct world *w)
{
	char heading[1024];

	shown(w, false);
	buf_clear(&w->text);
	stat_print_heading(w->stat, &w->format, &w->text);
	snprintf(heading, sizeof(heading), "%s", w->text.len ? buf_str(&w->text) : "");
	shown(w, false);
	buf_addf(&w->text, "%s", heading);
	return buf_str(&w->text);
}

static void test_metric_only(void **state)
{
	struct world *w = *state;

	w->format.metric_only = true;
	BEGIN(w, "task-clock", "cycles", "instructions", "branches,branch-misses",
	      "stalled-cycles-backend", "LLC-load-misses");
	set(w, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, -1, 1000000, 1);
	set_hw(w, PERF_COUNT_HW_CPU_CYCLES, 2000000);
	set_hw(w, PERF_COUNT_HW_INSTRUCTIONS, 4000000);
	set_hw(w, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 2000);
	set_hw(w, PERF_COUNT_HW_BRANCH_MISSES, 50);
	set_hw(w, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1000000);
	/* LLC-loads are not counted: the column stays empty */
	assert_string_equal(columns(w),
			    "               2.000                2.00                    0.25  "
			    "                        2.50%               50.00%  "
			    "                                        \n"
			    "                 GHz       insn per cycle stalled cycles per insn "
			    "branch-misses of all branches  backend cycles idle "
			    "LLC-load-misses of all LL-cache accesses \n");
	w->format.separator = ",";
	w->format.interval = true;
	assert_string_equal(
		columns(w),
		"     0.000000000,2.000,2.00,0.25,2.50,50.00,,\n"
		"time,GHz,insn per cycle,stalled cycles per insn,branch-misses of all "
		"branches,backend cycles idle,LLC-load-misses of all LL-cache accesses,\n");
	w->format.separator = NULL;
	w->format.interval = false;
	w->format.json = true;
	assert_string_equal(columns(w), "{\"GHz\" : \"2.000\", \"insn per cycle\" : \"2.00\", "
					"\"stalled cycles per insn\" : \"0.25\", "
					"\"branch-misses of all branches\" : \"2.50\", "
					"\"backend cycles idle\" : \"50.00\", "
					"\"LLC-load-misses of all LL-cache accesses\" : \"\"}\n");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* ---- recordings ---- */

#define MANY 150000

static void put_round(struct made *m)
{
	made_begin(m, PTUI_RECORD_STAT_ROUND, 0);
	made_u64(m, 0);
	made_u64(m, 1000);
	made_end(m);
}

static void put_counts(struct made *m)
{
	made_begin(m, PTUI_RECORD_THREAD_MAP, 0);
	made_u64(m, 2000); /* what a record has room for */
	for (uint64_t i = 0; i < 2000; i++) {
		made_u64(m, i);
		made_text(m, "thread", 16);
	}
	made_end(m);
	for (uint32_t i = 0; i < MANY; i++) {
		made_begin(m, PTUI_RECORD_STAT, 0);
		made_u64(m, 7);
		made_u32(m, i * 2654435761u);
		made_u32(m, 0);
		made_u64(m, 3);
		made_u64(m, 1);
		made_u64(m, 1);
		made_end(m);
	}
	put_round(m);
}

static void put_units(struct made *m)
{
	for (uint64_t i = 0; i < MANY; i++) {
		made_begin(m, PTUI_RECORD_EVENT_UPDATE, 0);
		made_u64(m, 1); /* a unit */
		made_u64(m, 100 + i);
		made_text(m, "ms", 8);
		made_end(m);
	}
}

/* A reader of a file with this event and these records. Each count is of a CPU of its own. */
static struct stat_reader *read_made(void (*put)(struct made *m))
{
	static const struct made_event event = { .type = PERF_TYPE_SOFTWARE,
						 .config = PERF_COUNT_SW_PAGE_FAULTS,
						 .sample_type = PERF_SAMPLE_IDENTIFIER,
						 .id = 7 };
	static const struct ptui_record_opts what = { .events = NULL };
	const struct stat_reader_opts opts = { .what = &what,
					       .aggr = STAT_CPU,
					       .aggr_given = true };
	struct ptui_error err = PTUI_ERROR_INIT;
	char path[] = "counts-XXXXXX";
	int fd = mkstemp(path);
	struct stat_reader *r;
	struct made m;

	assert_true(fd >= 0);
	made_init(&m, false, false);
	made_events(&m, &event, 1, 64);
	put(&m);
	made_finish(&m, NULL, 0);
	assert_int_equal(write(fd, m.out.data, m.out.len), m.out.len);
	close(fd);
	r = stat_reader_new(path, &opts, &err);
	unlink(path);
	assert_non_null(r);
	made_release(&m);
	return r;
}

static void put_many(struct made *m)
{
	put_units(m);
	put_counts(m);
	put_counts(m);
}

/* A reader that searches them one by one is ended by the time limit. */
static void many_counts_take_little_time(void **state)
{
	struct stat_reader *r = read_made(put_many);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct stat_format format = { .n_runs = 1 };
	struct buf text = BUF_INIT;
	struct stat_round round;
	struct stat *s;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(stat_reader_next(r, &s, &round, &err), 0);
		stat_print(s, &format, &text);
		assert_int_equal(stat_event(s, 0)->n_cells, MANY);
		for (size_t j = 0; j < MANY; j += 1000)
			assert_true(stat_event(s, 0)->cells[j].value == 3);
	}
	assert_int_equal(stat_reader_next(r, &s, &round, &err), 1);
	stat_reader_free(r);
	buf_release(&text);
}

/* The kernel takes addresses only. */
static void address_filters_have_symbols(void **state)
{
	static const char *const events[] = { "tracer/config=5/" };
	static const char *filters[] = { "start next" };
	struct world *w = *state;
	struct ptui_error err = PTUI_ERROR_INIT;

	fake_file(&w->kernel, "sys/bus/event_source/devices/tracer/type", "99\n");
	fake_file(&w->kernel, "sys/bus/event_source/devices/tracer/nr_addr_filters", "2\n");
	fake_file(&w->kernel, "proc/kallsyms",
		  "ffffffff81000000 T _text\nffffffff81000100 T next\n");
	w->kernel.aux_type = 99;
	w->opts.resolve_filter = address_filter_resolve;
	w->what.filters = filters;
	begin(w, events, 1);
	assert_string_equal(fake_find(&w->kernel, 99, 5, PID, -1)->filter,
			    "start 0xffffffff81000100");
	stat_free(w->stat);
	filters[0] = "start nothing";
	w->stat = stat_new(&w->kernel.ops, &w->opts, &err);
	assert_null(w->stat);
	assert_non_null(strstr(err.text, "nothing"));
}

static void put_empty_rounds(struct made *m)
{
	put_counts(m);
	for (unsigned i = 0; i < MANY; i++)
		put_round(m);
}

/* Each would have a line for every count of the first. */
static void rounds_without_counts_are_damage(void **state)
{
	struct stat_reader *r = read_made(put_empty_rounds);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct stat_round round;
	unsigned n = 0;
	struct stat *s;
	int ret;

	(void)state;
	while (!(ret = stat_reader_next(r, &s, &round, &err)))
		n++;
	assert_int_equal(ret, -EOVERFLOW);
	assert_string_equal(err.text, "the recording is damaged: too many rounds for its counts");
	/* as many lines as bytes, about, and four million */
	assert_in_range(n, 10, 200);
	stat_reader_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_ratios),
		T(test_multiplexed),
		T(test_interval),
		T(test_places),
		T(test_only_uncore),
		T(test_uncore_and_tasks),
		T(test_each_cgroup),
		T(test_per_cgroup),
		T(test_times_of_cgroups),
		T(test_switched_at_once),
		T(test_switched_for_real),
		T(test_part_of_a_group),
		T(test_not_permitted),
		T(test_user_space_only),
		T(test_runs),
		T(test_metrics),
		T(test_metric_events),
		T(test_unknown_metric),
		T(test_metric_only),
		T(address_filters_have_symbols),
		cmocka_unit_test(many_counts_take_little_time),
		cmocka_unit_test(rounds_without_counts_are_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
