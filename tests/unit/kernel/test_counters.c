/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counter set on a fake kernel: shared rings, fallbacks, refusals, limits, exits. */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fake/kernel.h"
#include "kernel/counters.h"
#include "kernel/cpus.h"
#include "kernel/features.h"
#include "lib/need.h"
#include "ptui/log.h"

#define RING 65536

struct world {
	struct fake_kernel kernel;
	struct event_list events;
	struct counters counters;
	struct ptui_error err;
	char warning[512];
	unsigned n_warnings;
};

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	struct world *w = ctx;

	(void)room;
	if (level != PTUI_LOG_WARN)
		return;
	snprintf(w->warning, sizeof(w->warning), "%s", text);
	w->n_warnings++;
}

static struct event *add(struct world *w, const char *name, uint32_t type, uint64_t config)
{
	struct event *ev = event_list_add(&w->events, name);

	assert_non_null(ev);
	ev->kind = type == PERF_TYPE_SOFTWARE ? EVENT_SOFTWARE : EVENT_HARDWARE;
	ev->attr.size = PTUI_ATTR_SIZE_VER0;
	ev->attr.type = type;
	ev->attr.config = config;
	ev->attr.disabled = 1;
	ev->attr.read_format = PERF_FORMAT_ID | PTUI_FORMAT_LOST;
	ev->attr.sample_period = 1000;
	return ev;
}

static void add_sideband(struct world *w)
{
	struct event *ev = add(w, "dummy:HG", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	ev->sideband = true;
	ev->attr.disabled = 0;
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	event_list_init(&w->events);
	ptui_log_set(hear, w, PTUI_LOG_WARN);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	counters_release(&w->counters);
	event_list_release(&w->events);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static int open_all(struct world *w, pid_t tid)
{
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, RING, &w->err), 0);
	return counters_open(&w->counters, tid, &w->err);
}

static void shares_a_ring_by_cpu(void **state)
{
	struct world *w = *state;
	struct fake_fd *clock, *dummy;
	uint64_t ids[4];

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	assert_int_equal(open_all(w, 42), 0);
	assert_int_equal(counters_open(&w->counters, 43, &w->err), 0);
	assert_int_equal(w->counters.n, 8);
	assert_int_equal(w->counters.n_rings, 2);
	for (int cpu = 0; cpu < 2; cpu++) {
		dummy = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 42, cpu);
		clock = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 43, cpu);
		assert_non_null(dummy->base);
		assert_int_equal(clock->output_fd, dummy->fd);
		assert_true(dummy->enabled);
		assert_false(clock->enabled);
	}
	assert_int_equal(counters_ids(&w->counters, 0, ids, 4), 4);
	assert_int_not_equal(ids[0], ids[1]);

	assert_int_equal(counters_enable(&w->counters), 0);
	clock = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 43, 1);
	dummy = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 43, 1);
	assert_true(clock->enabled);
	assert_int_equal(counters_disable(&w->counters), 0);
	assert_false(clock->enabled);
	assert_true(dummy->enabled);
}

static void groups_follow_their_leader(void **state)
{
	struct world *w = *state;
	struct fake_fd *leader, *member;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add(w, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS)->leader = 0;
	assert_int_equal(open_all(w, -1), 0);
	leader = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, 1);
	member = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, -1, 1);
	assert_int_equal(leader->group_fd, -1);
	assert_int_equal(member->group_fd, leader->fd);
}

/* {a,b,c} with room for two: split with W, refused without. */
static void a_weak_group_is_broken_up(void **state)
{
	struct world *w = *state;

	w->kernel.max_group = 2;
	add_sideband(w);
	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK)->leader = 1;
	add(w, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS)->leader = 1;
	add(w, "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES)->leader = 1;
	w->events.v[1].weak = true;
	w->events.v[1].attr.enable_on_exec = 1;
	w->events.v[2].attr.disabled = w->events.v[3].attr.disabled = 0;
	assert_int_equal(open_all(w, -1), 0);
	for (uint32_t i = 1; i < 4; i++) {
		struct fake_fd *fd = fake_find(&w->kernel, PERF_TYPE_SOFTWARE,
					       w->events.v[i].attr.config, -1, 1);

		assert_int_equal(w->events.v[i].leader, i);
		assert_int_equal(fd->group_fd, -1);
		assert_true(fd->attr.disabled);
		assert_true(fd->attr.enable_on_exec);
	}
	/* nothing is left of the first try */
	assert_int_equal(w->kernel.n_open, 2 * 4);
	assert_int_equal(w->counters.n_rings, 2);
	counters_log(&w->counters);
	assert_non_null(strstr(w->warning, "the group of cpu-clock does not fit"));
}

static void a_group_that_does_not_fit_is_refused(void **state)
{
	struct world *w = *state;

	w->kernel.max_group = 1;
	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add(w, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS)->leader = 0;
	assert_int_equal(open_all(w, -1), -EINVAL);
	assert_true(ptui_error_is_set(&w->err));
}

/* A PMU per socket, or of one core type. */
static void only_its_cpus_count(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	w->events.v[0].cpus = strdup("1-3");
	add(w, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	assert_int_equal(open_all(w, -1), 0);
	assert_null(fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, 0));
	assert_non_null(fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, 1));
	assert_non_null(
		fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, -1, 0));
	assert_true(cpus_list_has("0,4-7,9", 5));
	assert_false(cpus_list_has("0,4-7,9", 8));
	assert_true(cpus_list_has(NULL, 8));
	assert_int_equal(cpus_list_pick("4-7", 0), 4);
	assert_int_equal(cpus_list_pick("4-7", 6), 6);
}

/* ---- fallbacks ---- */

struct fallback_case {
	const char *name;
	uint64_t config;
	unsigned precise;
	bool exclude_user, pmu, privileged;
	int paranoid, max_precise;
	/* expected result */
	int ret;
	const char *became;
	uint32_t type;
	unsigned precise_left;
	bool exclude_kernel;
	const char *warning; /* NULL: none */
};

static const struct fallback_case fallback_cases[] = {
	{ "cycles:P", PERF_COUNT_HW_CPU_CYCLES, 3, 0, 0, 1, 2, 0, 0, "cpu-clock:ppp",
	  PERF_TYPE_SOFTWARE, 3, 0, "recording cpu-clock instead" },
	{ "cycles", PERF_COUNT_HW_CPU_CYCLES, 0, 0, 0, 1, 2, 0, 0, "cpu-clock", PERF_TYPE_SOFTWARE,
	  0, 0, "cannot count cycles" },
	{ "cycles:P", PERF_COUNT_HW_CPU_CYCLES, 3, 0, 1, 1, 2, 2, 0, "cycles:P", PERF_TYPE_HARDWARE,
	  2, 0, NULL },
	{ "cycles:P", PERF_COUNT_HW_CPU_CYCLES, 3, 0, 1, 1, 2, 0, 0, "cycles:P", PERF_TYPE_HARDWARE,
	  0, 0, NULL },
	{ "cycles:P", PERF_COUNT_HW_CPU_CYCLES, 3, 0, 1, 0, 2, 1, 0, "cycles:Pu",
	  PERF_TYPE_HARDWARE, 1, 1, "kernel.perf_event_paranoid is 2" },
	{ "cycles:P", PERF_COUNT_HW_CPU_CYCLES, 3, 0, 0, 0, 2, 0, 0, "cpu-clock:uppp",
	  PERF_TYPE_SOFTWARE, 3, 1, "recording cpu-clock instead" },
	{ "cycles", PERF_COUNT_HW_CPU_CYCLES, 0, 0, 1, 0, 2, 0, 0, "cycles:u", PERF_TYPE_HARDWARE,
	  0, 1, "measuring cycles without the kernel" },
	{ "cycles", PERF_COUNT_HW_CPU_CYCLES, 0, 0, 1, 0, 1, 0, 0, "cycles", PERF_TYPE_HARDWARE, 0,
	  0, NULL },
	/* explicit modifiers are not changed */
	{ "instructions", PERF_COUNT_HW_INSTRUCTIONS, 0, 0, 0, 1, 2, 0, -ENOENT, "instructions",
	  PERF_TYPE_HARDWARE, 0, 0, NULL },
	{ "cycles:k", PERF_COUNT_HW_CPU_CYCLES, 0, 1, 1, 0, 2, 0, -EACCES, "cycles:k",
	  PERF_TYPE_HARDWARE, 0, 0, NULL },
	{ "instructions:pp", PERF_COUNT_HW_INSTRUCTIONS, 2, 0, 1, 1, 2, 1, -EOPNOTSUPP,
	  "instructions:pp", PERF_TYPE_HARDWARE, 2, 0, NULL },
	{ "cycles", PERF_COUNT_HW_CPU_CYCLES, 0, 0, 1, 0, 3, 0, -EACCES, "cycles:u",
	  PERF_TYPE_HARDWARE, 0, 1, NULL },
};

static void falls_back(void **state)
{
	struct world *w = *state;

	for (size_t i = 0; i < sizeof(fallback_cases) / sizeof(fallback_cases[0]); i++) {
		const struct fallback_case *c = &fallback_cases[i];
		struct event *ev = add(w, c->name, PERF_TYPE_HARDWARE, c->config);

		print_message("case %zu: %s\n", i, c->name);
		ev->attr.precise_ip = c->precise;
		ev->precise_max = c->precise == 3;
		ev->attr.exclude_guest = !c->precise; /* as set by the selector */
		ev->attr.exclude_user = c->exclude_user;
		w->kernel.has_pmu = c->pmu;
		w->kernel.privileged = c->privileged;
		w->kernel.max_precise = c->max_precise;
		fake_set_paranoid(&w->kernel, c->paranoid);
		w->n_warnings = 0;
		w->warning[0] = '\0';
		assert_int_equal(open_all(w, 42), c->ret);
		assert_int_equal(w->n_warnings, 0); /* it may still fail */
		if (!c->ret)
			counters_log(&w->counters);
		ev = &w->events.v[0];
		assert_string_equal(ev->name, c->became);
		assert_int_equal(ev->attr.type, c->type);
		assert_int_equal(ev->attr.precise_ip, c->precise_left);
		assert_int_equal(ev->attr.exclude_kernel, c->exclude_kernel);
		if (c->warning)
			assert_non_null(strstr(w->warning, c->warning));
		else
			assert_int_equal(w->n_warnings, 0);
		assert_int_equal(ptui_error_is_set(&w->err), c->ret != 0);

		counters_release(&w->counters);
		event_list_release(&w->events);
		event_list_init(&w->events);
		memset(&w->err, 0, sizeof(w->err));
	}
}

/* exclude_guest is dropped for PMUs without modes: silently, unless given explicitly. */
static void leaves_guests_in(void **state)
{
	struct world *w = *state;
	struct event *ev = add(w, "msr/tsc/", 9, 0);

	w->kernel.no_modes = 9;
	ev->attr.exclude_guest = 1;
	assert_int_equal(open_all(w, 42), 0);
	counters_log(&w->counters);
	assert_int_equal(w->n_warnings, 0);
	assert_false(w->events.v[0].attr.exclude_guest);
	counters_release(&w->counters);
	w->events.v[0].attr.exclude_guest = 1;
	w->events.v[0].host_given = true;
	assert_int_equal(open_all(w, 42), -EINVAL);
}

/* Changes of two events, one replaced by a clock: logged in order, on request, and once. */
static void logs_changes_once(void **state)
{
	struct world *w = *state;

	w->kernel.privileged = false;
	add(w, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	add(w, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	add_sideband(w);
	assert_int_equal(open_all(w, 42), 0);
	assert_int_equal(w->n_warnings, 0);
	counters_log(&w->counters);
	assert_int_equal(w->n_warnings, 3); /* both without the kernel, one replaced */
	assert_string_equal(w->warning, "kernel.perf_event_paranoid is 2: measuring page-faults "
					"without the kernel (:u)");
	counters_log(&w->counters);
	assert_int_equal(w->n_warnings, 3);
}

/* The dummy is refused first, even without the kernel: suggesting :u would be wrong. */
static void a_refusal_names_the_requested_event(void **state)
{
	struct world *w = *state;

	w->kernel.privileged = false;
	fake_set_paranoid(&w->kernel, 3);
	add(w, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	add_sideband(w);
	assert_int_equal(open_all(w, 42), -EACCES);
	assert_string_equal(w->err.object, "cycles");
	assert_non_null(strstr(w->err.text, "allows no measuring"));
	assert_null(strstr(w->err.hint, ":u"));
}

static void sideband_loses_its_kernel_side_silently(void **state)
{
	struct world *w = *state;

	w->kernel.privileged = false;
	add(w, "cpu-clock:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK)->attr.exclude_kernel = 1;
	add_sideband(w);
	assert_int_equal(open_all(w, 42), 0);
	counters_log(&w->counters);
	assert_int_equal(w->n_warnings, 0);
	assert_int_equal(w->events.v[1].attr.exclude_kernel, 1);
}

/* ---- limits ---- */

static void raises_the_fd_limit_and_puts_it_back(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	w->kernel.fd_limit = (struct rlimit){ 3, 100 };
	assert_int_equal(open_all(w, 42), 0);
	assert_int_equal(w->kernel.fd_limit.rlim_cur, 100);
	counters_release(&w->counters);
	assert_int_equal(w->kernel.fd_limit.rlim_cur, 3);
}

static void reports_how_many_fds_it_needs(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	w->kernel.fd_limit = (struct rlimit){ 1, 1 };
	assert_int_equal(open_all(w, 42), -EMFILE);
	assert_non_null(strstr(w->err.text, "too many open files"));
	assert_non_null(strstr(w->err.hint, "limit is 1"));
	assert_int_equal(w->counters.n_rings, 1); /* the ring stays, with its counter */
}

static void shrinks_rings_to_what_may_be_locked(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	w->kernel.max_ring_bytes = 16384;
	assert_int_equal(open_all(w, 42), 0);
	assert_int_equal(w->counters.rings[0].ring.size, 16384);
	assert_int_equal(w->counters.rings[1].ring.size, 16384);
	assert_int_equal(w->n_warnings, 0);
	counters_log(&w->counters);
	assert_non_null(strstr(w->warning, "perf_event_mlock_kb is 516"));
	assert_int_equal(w->n_warnings, 1);
}

/* The first ring must not use all memory. */
static void all_rings_have_one_size(void **state)
{
	struct world *w = *state;
	struct fake_fd *clock, *dummy;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	w->kernel.max_locked_bytes = RING + 8192;
	assert_int_equal(open_all(w, 42), 0);
	for (int cpu = 0; cpu < 2; cpu++) {
		assert_int_equal(w->counters.rings[cpu].ring.size, RING / 2);
		dummy = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 42, cpu);
		clock = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 42, cpu);
		assert_non_null(dummy->base);
		assert_int_equal(clock->output_fd, dummy->fd);
	}
}

static void a_ring_a_thread(void **state)
{
	struct world *w = *state;
	struct pollfd fds[3];

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, RING, &w->err), 0);
	counters_follow_tasks(&w->counters);
	for (pid_t tid = 42; tid < 45; tid++)
		assert_int_equal(counters_open(&w->counters, tid, &w->err), 0);
	assert_int_equal(w->counters.n, 6);
	assert_int_equal(w->counters.n_rings, 3);
	for (pid_t tid = 42; tid < 45; tid++) {
		struct fake_fd *clock = fake_find(&w->kernel, PERF_TYPE_SOFTWARE,
						  PERF_COUNT_SW_CPU_CLOCK, tid, -1);
		struct fake_fd *dummy = fake_find(&w->kernel, PERF_TYPE_SOFTWARE,
						  PERF_COUNT_SW_DUMMY, tid, -1);

		assert_non_null(dummy->base);
		assert_int_equal(clock->output_fd, dummy->fd);
	}
	/* an exit while opening removes its ring, too */
	fake_refuse(&w->kernel, (struct fake_refusal){ .errnum = ESRCH,
						       .type = -1,
						       .tid = 45,
						       .config = PERF_COUNT_SW_CPU_CLOCK,
						       .cpu = -1,
						       .times = 1 });
	assert_int_equal(counters_open(&w->counters, 45, &w->err), -ESRCH);
	assert_int_equal(w->counters.n, 6);
	assert_int_equal(w->counters.n_rings, 3);
	/* all of one thread exited: polls the others */
	fake_end_task(&w->kernel, 43);
	counters_fill_poll(&w->counters, fds);
	poll(fds, 3, 0);
	assert_true(counters_polled(&w->counters, fds));
	counters_fill_poll(&w->counters, fds);
	assert_int_equal(fds[1].fd, -1);
	assert_true(fds[0].fd >= 0 && fds[2].fd >= 0);
}

static void chosen_cpus_only(void **state)
{
	struct world *w = *state;
	const int cpus[] = { 1 };

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, RING, &w->err), 0);
	assert_int_equal(counters_use_cpus(&w->counters, cpus, 1), 0);
	assert_int_equal(counters_open(&w->counters, -1, &w->err), 0);
	assert_int_equal(w->counters.n, 1);
	assert_int_equal(w->counters.v[0].cpu, 1);
}

static void sideband_of_all_cpus(void **state)
{
	struct world *w = *state;
	const int cpus[] = { 1 };

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, RING, &w->err), 0);
	assert_int_equal(counters_measure_cpus(&w->counters, cpus, 1), 0);
	assert_int_equal(counters_open(&w->counters, -1, &w->err), 0);
	assert_int_equal(w->counters.n, 3);
	assert_int_equal(w->counters.n_rings, 2);
	for (size_t i = 0; i < w->counters.n; i++)
		if (w->counters.v[i].event == 0)
			assert_int_equal(w->counters.v[i].cpu, 1);
}

static void a_control_group_is_opened_by_its_folder(void **state)
{
	struct world *w = *state;
	struct event *ev = add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct fake_fd *clock, *dummy;

	ev->cgroup = strdup("web");
	ev->cgroup_fd = 77;
	add_sideband(w);
	assert_int_equal(open_all(w, -1), 0);
	clock = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 77, 1);
	dummy = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, -1, 1);
	assert_true(clock->flags & PERF_FLAG_PID_CGROUP);
	assert_false(dummy->flags & PERF_FLAG_PID_CGROUP);
	assert_int_equal(clock->output_fd, dummy->fd);
}

static void gives_up_when_not_even_a_page_may_be_locked(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	w->kernel.max_ring_bytes = 0;
	assert_int_equal(open_all(w, 42), -EPERM);
	assert_non_null(strstr(w->err.hint, "kernel.perf_event_mlock_kb is 516"));
	assert_non_null(strstr(w->err.hint, "64 KiB"));
	assert_int_equal(w->counters.n, 0);
}

static void default_ring_is_what_mlock_kb_allows(void **state)
{
	struct world *w = *state;

	assert_int_equal(counters_default_ring_bytes(&w->kernel.ops), 512 * 1024);
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_mlock_kb", "100\n");
	assert_int_equal(counters_default_ring_bytes(&w->kernel.ops), 64 * 1024);
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_mlock_kb", "0\n");
	assert_int_equal(counters_default_ring_bytes(&w->kernel.ops), 4096);
}

/* ---- threads and CPUs that come and go ---- */

static void a_dead_thread_leaves_the_set_as_it_was(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	assert_int_equal(open_all(w, 42), 0);
	w->kernel.dead[w->kernel.n_dead++] = 43;
	assert_int_equal(counters_open(&w->counters, 43, &w->err), -ESRCH);
	assert_int_equal(w->counters.n, 4);
	assert_false(ptui_error_is_set(&w->err));
}

static void a_thread_that_dies_halfway_keeps_only_its_ring(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	fake_refuse(&w->kernel, (struct fake_refusal){ ESRCH, PERF_TYPE_SOFTWARE,
						       PERF_COUNT_SW_CPU_CLOCK, 1, 42, -1 });
	assert_int_equal(open_all(w, 42), -ESRCH);
	assert_int_equal(w->counters.n, 2);
	assert_int_equal(w->counters.n_rings, 2);
	assert_int_equal(counters_open(&w->counters, 43, &w->err), 0);
	assert_int_equal(w->counters.n, 6);
	assert_int_equal(w->kernel.n_open, 6);
}

/* Its ring is another thread's, in which there may be records with the ids of its sideband. */
static void a_thread_that_dies_halfway_keeps_its_ids(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_sideband(w);
	assert_int_equal(open_all(w, 42), 0);
	fake_refuse(&w->kernel, (struct fake_refusal){ ESRCH, PERF_TYPE_SOFTWARE,
						       PERF_COUNT_SW_CPU_CLOCK, 1, 43, -1 });
	assert_int_equal(counters_open(&w->counters, 43, &w->err), -ESRCH);
	assert_int_equal(w->counters.n, 6);
	assert_int_equal(w->counters.n_rings, 2);
	for (size_t i = 4; i < 6; i++)
		assert_true(w->events.v[w->counters.v[i].event].sideband &&
			    w->counters.v[i].tid == 43);
	assert_int_equal(w->kernel.n_open, 6);
}

/* A chroot or a container without sysfs. */
static void cpus_without_sysfs(void **state)
{
	struct world *w = *state;

	fake_remove(&w->kernel, "sys/devices/system/cpu");
	fake_file(&w->kernel, "proc/stat",
		  "cpu  1 2 3\ncpu0 1 2 3\ncpu2 1 2 3\nintr 4 5\nctxt 6\n");
	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, RING, &w->err), 0);
	assert_int_equal(w->counters.n_cpus, 2);
	assert_int_equal(w->counters.cpus[1], 2);
	counters_release(&w->counters);
	fake_file(&w->kernel, "proc/stat", "btime 1\n");
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, RING, &w->err),
			 -ENOENT);
	assert_true(ptui_error_is_set(&w->err));
}

static void a_cpu_that_goes_offline_is_left_out(void **state)
{
	struct world *w = *state;

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add(w, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS)->leader = 0;
	add_sideband(w);
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, RING, &w->err), 0);
	fake_file(&w->kernel, "sys/devices/system/cpu/online", "0\n");
	w->kernel.offline_cpu = 1;
	assert_int_equal(counters_open(&w->counters, -1, &w->err), 0);
	assert_int_equal(w->counters.n, 3);
	assert_int_equal(w->counters.n_rings, 1);
}

static void watches_the_next_one_when_a_task_ends(void **state)
{
	struct world *w = *state;
	struct pollfd fds[2];

	add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(open_all(w, 42), 0);
	assert_int_equal(counters_open(&w->counters, 43, &w->err), 0);
	counters_fill_poll(&w->counters, fds);
	assert_int_equal(w->kernel.ops.poll(&w->kernel, fds, 2, 0), 0);
	assert_true(counters_polled(&w->counters, fds));

	fake_end_task(&w->kernel, 42);
	counters_fill_poll(&w->counters, fds);
	assert_int_equal(w->kernel.ops.poll(&w->kernel, fds, 2, 0), 2);
	assert_true(counters_polled(&w->counters, fds));
	counters_fill_poll(&w->counters, fds);
	assert_int_equal(w->kernel.ops.poll(&w->kernel, fds, 2, 0), 0);

	fake_end_task(&w->kernel, 43);
	assert_int_equal(w->kernel.ops.poll(&w->kernel, fds, 2, 0), 2);
	assert_false(counters_polled(&w->counters, fds));
}

/* ---- reading ---- */

static void reads_every_format(void **state)
{
	static const uint64_t formats[] = {
		0,
		PERF_FORMAT_ID,
		PERF_FORMAT_ID | PTUI_FORMAT_LOST,
		PTUI_FORMAT_LOST,
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID,
		PERF_FORMAT_GROUP | PERF_FORMAT_ID | PTUI_FORMAT_LOST,
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_ID,
	};
	struct world *w = *state;
	struct counter_value value;
	struct fake_fd *f;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		add(w, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK)->attr.read_format =
			formats[i];
		assert_int_equal(open_all(w, 42), 0);
		f = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 42, 0);
		f->count = 12345;
		f->lost = 7;
		assert_int_equal(counters_read(&w->counters, 0, &value), 0);
		assert_int_equal(value.value, 12345);
		assert_int_equal(value.lost, formats[i] & PTUI_FORMAT_LOST ? 7 : 0);
		assert_int_equal(value.enabled_ns,
				 formats[i] & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1000 : 0);
		assert_int_equal(value.running_ns,
				 formats[i] & PERF_FORMAT_TOTAL_TIME_RUNNING ? 500 : 0);
		counters_release(&w->counters);
		event_list_release(&w->events);
		event_list_init(&w->events);
	}
}

/* ---- closing in the background ---- */

static void probes_features_once(void **state)
{
	struct world *w = *state;
	struct kernel_features f;

	kernel_features_init(&f, &w->kernel.ops);
	assert_true(kernel_has(&f, KERNEL_FORMAT_LOST));
	assert_true(kernel_has(&f, KERNEL_FORMAT_LOST));
	assert_int_equal(w->kernel.n_opens, 1);
	w->kernel.has_build_id = false;
	assert_false(kernel_has(&f, KERNEL_BUILD_ID));
	assert_false(kernel_has(&f, KERNEL_BUILD_ID));
	assert_int_equal(w->kernel.n_opens, 2);
	assert_int_equal(w->kernel.n_open, 0);
}

static void parses_cpu_lists(void **state)
{
	static const struct {
		const char *text;
		int ret;
		size_t n;
		int last;
	} cases[] = {
		{ "0\n", 0, 1, 0 },	 { "0-3\n", 0, 4, 3 },	  { "0-1,4,6-7", 0, 5, 7 },
		{ "", -EINVAL, 0, 0 },	 { "a", -EINVAL, 0, 0 },  { "3-1", -EINVAL, 0, 0 },
		{ "0-", -EINVAL, 0, 0 }, { "0,", -EINVAL, 0, 0 }, { "0-99999999", -EINVAL, 0, 0 },
		{ "0x", -EINVAL, 0, 0 },
	};
	size_t n;
	int *cpus;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(cpus_parse(cases[i].text, &cpus, &n), cases[i].ret);
		if (cases[i].ret)
			continue;
		assert_int_equal(n, cases[i].n);
		assert_int_equal(cpus[n - 1], cases[i].last);
		free(cpus);
	}
}

static int (*fake_close)(void *ctx, int fd);
static bool child_ended;

/* The last process that closes a counter waits for the kernel, so the child has time to be the first. */
static int close_slowly(void *ctx, int fd)
{
	siginfo_t ended;

	for (int i = 0; i < 20 && !child_ended; i++) {
		ended.si_pid = 0;
		waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
		child_ended = ended.si_pid != 0;
		usleep(10000);
	}
	return fake_close(ctx, fd);
}

/* Everything is closed here at once; the child keeps only the counters, and exits afterwards. */
static void leaves_tracepoints_to_a_child(void **state)
{
	struct world *w = *state;
	int ours[2], status = -1;
	char byte;

	add(w, "made:t", PERF_TYPE_TRACEPOINT, 100)->kind = EVENT_TRACEPOINT;
	assert_int_equal(open_all(w, 42), 0);
	assert_int_equal(pipe(ours), 0);
	fake_close = w->kernel.ops.close;
	w->kernel.ops.close = close_slowly;
	child_ended = false;
	counters_release_in_child(&w->counters);
	assert_false(child_ended);
	assert_int_equal(w->counters.n, 0);
	assert_int_equal(w->kernel.n_open, 0);
	close(ours[1]);
	/* end of file, since the child does not have the pipe open */
	assert_int_equal(read(ours[0], &byte, 1), 0);
	close(ours[0]);
	assert_true(waitpid(-1, &status, 0) > 0);
	assert_int_equal(status, 0);
}

static bool has_child(void)
{
	siginfo_t any;

	return !waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT);
}

static atomic_bool had_child;

static int close_beside_a_child(void *ctx, int fd)
{
	atomic_store(&had_child, has_child());
	return fake_close(ctx, fd);
}

/* Many tracepoints are closed in the background, at last by a child that is waited for; nothing of the set is left. */
static void closes_tracepoints_aside(void **state)
{
	struct world *w = *state;
	char name[32];
	bool open = true;

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "made:t%d", i);
		add(w, name, PERF_TYPE_TRACEPOINT, 100 + (uint64_t)i)->kind = EVENT_TRACEPOINT;
	}
	w->kernel.fd_limit = (struct rlimit){ 30, 1000 };
	assert_int_equal(open_all(w, 42), 0);
	assert_int_equal(w->kernel.fd_limit.rlim_cur, 1000);
	fake_close = w->kernel.ops.close;
	w->kernel.ops.close = close_beside_a_child;
	counters_release_aside(&w->counters);
	assert_int_equal(w->counters.n, 0);
	assert_null(w->counters.v);
	while (open) {
		pthread_mutex_lock(&w->kernel.lock);
		open = w->kernel.n_open > 0;
		assert_int_equal(w->kernel.fd_limit.rlim_cur, 30);
		pthread_mutex_unlock(&w->kernel.lock);
		sched_yield();
	}
	assert_true(atomic_load(&had_child));
	while (has_child())
		sched_yield();
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(shares_a_ring_by_cpu),
		IN_WORLD(groups_follow_their_leader),
		IN_WORLD(a_weak_group_is_broken_up),
		IN_WORLD(a_group_that_does_not_fit_is_refused),
		IN_WORLD(only_its_cpus_count),
		IN_WORLD(falls_back),
		IN_WORLD(leaves_guests_in),
		IN_WORLD(logs_changes_once),
		IN_WORLD(a_refusal_names_the_requested_event),
		IN_WORLD(sideband_loses_its_kernel_side_silently),
		IN_WORLD(raises_the_fd_limit_and_puts_it_back),
		IN_WORLD(reports_how_many_fds_it_needs),
		IN_WORLD(shrinks_rings_to_what_may_be_locked),
		IN_WORLD(all_rings_have_one_size),
		IN_WORLD(a_ring_a_thread),
		IN_WORLD(chosen_cpus_only),
		IN_WORLD(sideband_of_all_cpus),
		IN_WORLD(a_control_group_is_opened_by_its_folder),
		IN_WORLD(gives_up_when_not_even_a_page_may_be_locked),
		IN_WORLD(default_ring_is_what_mlock_kb_allows),
		IN_WORLD(a_dead_thread_leaves_the_set_as_it_was),
		IN_WORLD(a_thread_that_dies_halfway_keeps_only_its_ring),
		IN_WORLD(a_thread_that_dies_halfway_keeps_its_ids),
		IN_WORLD(cpus_without_sysfs),
		IN_WORLD(a_cpu_that_goes_offline_is_left_out),
		IN_WORLD(watches_the_next_one_when_a_task_ends),
		IN_WORLD(reads_every_format),
		IN_WORLD(probes_features_once),
		IN_WORLD(closes_tracepoints_aside),
		IN_WORLD(leaves_tracepoints_to_a_child),
		cmocka_unit_test(parses_cpu_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
