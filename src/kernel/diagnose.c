/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/attr.h"
#include "kernel/diagnose.h"

#define SECCOMP_FILTER	 2 /* in /proc/PID/status: the process has a filter */

#define PARANOID_HIGHEST 2 /* of the kernel's own levels */

/* Explains refusals of the kernel from the errno and the machine's state. */
struct refusal {
	const struct kernel_ops *ops;
	const struct event *ev;
	pid_t tid;
	int cpu;
	int errnum;
	size_t n_fds;
	int paranoid;
	struct diagnose_rights rights;
	char target[64];
};

static long read_sysctl(const struct kernel_ops *ops, const char *name, long fallback)
{
	long long value;

	return file_read_long(&value, "%s/sys/kernel/%s", ops->roots.proc, name) ? fallback :
										   (long)value;
}

int diagnose_paranoid(const struct kernel_ops *ops)
{
	return (int)read_sysctl(ops, "perf_event_paranoid", 2);
}

long diagnose_mlock_kb(const struct kernel_ops *ops)
{
	return read_sysctl(ops, "perf_event_mlock_kb", 516);
}

/* As root of a container without the rights of root. */
static bool in_user_namespace(const struct kernel_ops *ops)
{
	unsigned long inside, outside, n;
	struct buf text = BUF_INIT;
	bool in = false;

	/* the initial one maps all users to themselves */
	if (!file_readf(&text, 4096, "%s/self/uid_map", ops->roots.proc))
		in = sscanf(buf_str(&text), "%lu %lu %lu", &inside, &outside, &n) != 3 || inside ||
		     outside || n != UINT32_MAX;
	buf_release(&text);
	return in;
}

static void read_status(const struct kernel_ops *ops, struct diagnose_rights *r)
{
	struct buf text = BUF_INIT;
	const char *at;

	if (file_readf(&text, 65536, "%s/self/status", ops->roots.proc) == 0) {
		at = strstr(buf_str(&text), "\nCapEff:");
		if (at)
			r->caps = strtoull(at + 8, NULL, 16);
		at = strstr(buf_str(&text), "\nSeccomp:");
		if (at)
			r->seccomp = (int)strtol(at + 9, NULL, 10);
	}
	buf_release(&text);
	/* others are asked for in the initial user namespace only (perfmon_capable()) */
	if (in_user_namespace(ops))
		r->caps &= 1ULL << CAP_BIT_SYS_PTRACE;
}

static void read_lockdown(const struct kernel_ops *ops, struct diagnose_rights *r)
{
	struct buf text = BUF_INIT;
	const char *open, *close;

	if (file_readf(&text, 256, "%s/kernel/security/lockdown", ops->roots.sysfs) == 0) {
		open = strchr(buf_str(&text), '[');
		close = open ? strchr(open, ']') : NULL;
		if (close && (size_t)(close - open) <= sizeof(r->lockdown))
			memcpy(r->lockdown, open + 1, (size_t)(close - open - 1));
	}
	buf_release(&text);
}

void diagnose_rights(const struct kernel_ops *ops, struct diagnose_rights *ret)
{
	memset(ret, 0, sizeof(*ret));
	read_status(ops, ret);
	read_lockdown(ops, ret);
}

bool diagnose_has_cap(const struct diagnose_rights *r, int bit)
{
	return r->caps >> bit & 1;
}

bool diagnose_may_all(const struct diagnose_rights *r)
{
	return diagnose_has_cap(r, CAP_BIT_PERFMON) || diagnose_has_cap(r, CAP_BIT_SYS_ADMIN);
}

static bool has_cap(const struct refusal *r, int bit)
{
	return diagnose_has_cap(&r->rights, bit);
}

static bool may_all(const struct refusal *r)
{
	return diagnose_may_all(&r->rights);
}

/* ---- conditions ---- */

static bool any(const struct refusal *r)
{
	(void)r;
	return true;
}

static bool by_seccomp(const struct refusal *r)
{
	return r->rights.seccomp == SECCOMP_FILTER && (may_all(r) || r->errnum == EPERM);
}

static bool by_lockdown(const struct refusal *r)
{
	return !strcmp(r->rights.lockdown, "confidentiality");
}

/*
 * Levels above 2 are distribution patches: nothing is allowed without the capability. Checked last,
 * since other restrictions require an even lower level.
 */
static bool paranoid_everything(const struct refusal *r)
{
	return r->paranoid > PARANOID_HIGHEST && !may_all(r);
}

static bool paranoid_tracepoint(const struct refusal *r)
{
	return r->ev->kind == EVENT_TRACEPOINT && r->paranoid > -1 && !may_all(r);
}

static bool paranoid_system(const struct refusal *r)
{
	return r->tid == -1 && r->paranoid > 0 && !may_all(r);
}

static bool paranoid_kernel(const struct refusal *r)
{
	return !r->ev->attr.exclude_kernel && r->paranoid > 1 && !may_all(r);
}

static bool needs_ptrace(const struct refusal *r)
{
	return r->tid > 0 && !has_cap(r, CAP_BIT_SYS_PTRACE) && !may_all(r);
}

/* As ptrace sees it: the target's real, effective and saved user have to be this process's user. */
static bool others_process(const struct refusal *r)
{
	unsigned long own = r->ops->geteuid(r->ops->ctx), uids[3] = { own, own, own };
	struct buf text = BUF_INIT;
	const char *at;

	if (!needs_ptrace(r))
		return false;
	if (!file_readf(&text, 65536, "%s/%d/status", r->ops->roots.proc, (int)r->tid)) {
		at = strstr(buf_str(&text), "\nUid:");
		if (at)
			sscanf(at, "\nUid: %lu %lu %lu", &uids[0], &uids[1], &uids[2]);
	}
	buf_release(&text);
	return uids[0] != own || uids[1] != own || uids[2] != own;
}

/* The owner would be refused as well: for the event, or for the kernel part, which is all of it. */
static bool others_process_and_paranoid(const struct refusal *r)
{
	return others_process(r) && (paranoid_everything(r) || paranoid_tracepoint(r) ||
				     (r->ev->attr.exclude_user && r->paranoid > 1));
}

static bool hardware(const struct refusal *r)
{
	return r->ev->attr.type == PERF_TYPE_HARDWARE || r->ev->attr.type == PERF_TYPE_HW_CACHE ||
	       r->ev->attr.type == PERF_TYPE_RAW;
}

static bool tracepoint(const struct refusal *r)
{
	return r->ev->kind == EVENT_TRACEPOINT;
}

static bool function_and_may_all(const struct refusal *r)
{
	return event_is_ftrace_function(r->ev) && may_all(r);
}

static bool breakpoint(const struct refusal *r)
{
	return r->ev->attr.type == PERF_TYPE_BREAKPOINT;
}

static bool branch_stack(const struct refusal *r)
{
	return r->ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK;
}

static bool calls_record(const struct refusal *r)
{
	return branch_stack(r) && r->ev->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

static bool software_branch_stack(const struct refusal *r)
{
	return branch_stack(r) && !hardware(r) && r->ev->attr.type != PERF_TYPE_BREAKPOINT &&
	       (r->ev->attr.type == PERF_TYPE_SOFTWARE || r->ev->kind == EVENT_TRACEPOINT);
}

static bool phys_addr(const struct refusal *r)
{
	return r->ev->attr.sample_type & PERF_SAMPLE_PHYS_ADDR && r->paranoid > 1 && !may_all(r);
}

static bool other_clock(const struct refusal *r)
{
	return r->ev->attr.use_clockid;
}

static bool precise(const struct refusal *r)
{
	return r->ev->attr.precise_ip != 0;
}

static bool sampling(const struct refusal *r)
{
	return r->ev->attr.sample_period != 0;
}

/* ---- the table ---- */

/* Hints that need the sysctl's value get it as %d. */
#define LIFT_PARANOID                                                                                    \
	N_("kernel.perf_event_paranoid is %d; as root: sysctl kernel.perf_event_paranoid=%d, or run as " \
	   "root, or: setcap cap_perfmon+ep on this program")
#define NO_LEVEL 99

static const struct remedy {
	int errnum; /* 0: EACCES or EPERM */
	bool (*fits)(const struct refusal *r);
	const char *why;     /* end of the sentence */
	int level;	     /* highest paranoid level that allows it; NO_LEVEL: hint is complete */
	const char *hint;    /* how to lift it, or NULL */
	const char *without; /* what works without changes, or NULL */
} remedies[] = {
	{ 0, by_seccomp, N_("a seccomp filter forbids it"), NO_LEVEL,
	  N_("in a container: start it with --cap-add PERFMON and a seccomp profile that allows perf_event_open"),
	  NULL },
	{ EPERM, by_lockdown, N_("kernel lockdown (confidentiality) forbids it"), NO_LEVEL,
	  N_("lockdown can only be lifted by booting without it"), NULL },
	{ 0, others_process_and_paranoid, N_("the process belongs to another user"), NO_LEVEL,
	  N_("run as root, or with CAP_PERFMON and CAP_SYS_PTRACE"), NULL },
	{ 0, others_process, N_("the process belongs to another user"), NO_LEVEL,
	  N_("run as that user, as root, or with CAP_PERFMON and CAP_SYS_PTRACE"), NULL },
	{ 0, paranoid_tracepoint, N_("tracepoints require privileges here"), -1, LIFT_PARANOID,
	  N_("without these rights, use software events such as cpu-clock:u") },
	{ EACCES, paranoid_system, N_("measuring the whole system requires privileges here"), 0,
	  LIFT_PARANOID, N_("without these rights, record your own processes and commands") },
	{ EACCES, phys_addr, N_("physical addresses require privileges here"), 1, LIFT_PARANOID,
	  N_("without these rights, omit --phys-data") },
	{ EACCES, paranoid_kernel, N_("measuring the kernel requires privileges here"), 1,
	  LIFT_PARANOID,
	  N_("without these rights, add :u to the event to measure user code only") },
	{ EACCES, paranoid_everything, N_("this system allows no measuring without privileges"), 2,
	  LIFT_PARANOID, NULL },
	{ EACCES, needs_ptrace,
	  N_("the process cannot be inspected: it is not dumpable or has more rights"), NO_LEVEL,
	  N_("run as root, or with CAP_PERFMON and CAP_SYS_PTRACE"), NULL },
	{ EACCES, any, N_("the kernel forbids it"), NO_LEVEL, NULL, NULL },
	{ EPERM, function_and_may_all, N_("this kernel forbids the function tracer, even to root"),
	  NO_LEVEL, N_("other tracepoints do not need the function tracer"), NULL },
	{ EPERM, may_all, N_("kernel lockdown or a security module forbids it"), NO_LEVEL,
	  N_("ptui has the rights for it: see lockdown and lsm in /sys/kernel/security"), NULL },
	{ EPERM, any, N_("the kernel forbids it"), NO_LEVEL, N_("run as root, or with CAP_PERFMON"),
	  NULL },
	{ ENOENT, branch_stack,
	  N_("branch stacks require hardware events, which this machine does not have"), NO_LEVEL,
	  N_("virtual machines often have no hardware counters; the hypervisor can pass them on (vPMU)"),
	  N_("callchains by frame pointers (-g) work on every machine") },
	{ ENOENT, hardware, N_("this machine does not have this hardware event"), NO_LEVEL,
	  N_("virtual machines often have no hardware counters; the hypervisor can pass them on (vPMU)"),
	  N_("cpu-clock, which samples by time, works on every machine") },
	{ ENOENT, tracepoint, N_("this kernel does not have this tracepoint"), NO_LEVEL,
	  N_("its module may have been unloaded"), NULL },
	{ ENOENT, any, N_("this kernel does not have this event"), NO_LEVEL, NULL, NULL },
	{ ENODEV, any, N_("this CPU has no such counter"), NO_LEVEL, NULL,
	  N_("cpu-clock, which samples by time, works on every machine") },
	{ ENXIO, any, N_("this machine has no such counter"), NO_LEVEL, NULL,
	  N_("cpu-clock, which samples by time, works on every machine") },
	{ EOPNOTSUPP, software_branch_stack, N_("a software event has no branch stack"), NO_LEVEL,
	  N_("branch stacks require hardware events such as cycles, and a processor that records them"),
	  N_("callchains by frame pointers (-g) work on every machine") },
	{ EOPNOTSUPP, calls_record, N_("this processor does not record calls (LBR)"), NO_LEVEL,
	  NULL,
	  N_("callchains by frame pointers (-g) or --call-graph dwarf work on every machine") },
	{ EOPNOTSUPP, branch_stack, N_("this machine cannot sample branch stacks"), NO_LEVEL, NULL,
	  NULL },
	{ EINVAL, calls_record, N_("this processor does not record calls (LBR)"), NO_LEVEL, NULL,
	  N_("callchains by frame pointers (-g) or --call-graph dwarf work on every machine") },
	{ EINVAL, branch_stack, N_("this processor does not support this branch filter (-b, -j)"),
	  NO_LEVEL, N_("try -j any,u"), NULL },
	{ EOPNOTSUPP, precise, N_("this machine cannot sample it precisely"), NO_LEVEL, NULL,
	  N_("omit the modifiers p and P") },
	{ EOPNOTSUPP, sampling, N_("this event can be counted but not sampled"), NO_LEVEL, NULL,
	  N_("cpu-clock, which samples by time, works on every machine") },
	{ EOPNOTSUPP, any, N_("this machine does not support it"), NO_LEVEL, NULL, NULL },
	{ EINVAL, other_clock, N_("the kernel does not accept this clock for it (-k)"), NO_LEVEL,
	  N_("use monotonic or monotonic_raw, which work for every event"), NULL },
	{ EINVAL, precise, N_("the kernel does not accept these settings"), NO_LEVEL,
	  N_("omit the modifiers p and P"), NULL },
	{ EINVAL, any, N_("the kernel does not accept these settings"), NO_LEVEL,
	  N_("the frequency may be above kernel.perf_event_max_sample_rate, or the kernel too old"),
	  NULL },
	{ E2BIG, any, N_("the kernel is too old for the settings this needs"), NO_LEVEL, NULL,
	  NULL },
	{ EBUSY, any, N_("the counters are in use"), NO_LEVEL,
	  N_("another profiler may hold them, or the NMI watchdog: sysctl kernel.nmi_watchdog=0"),
	  NULL },
	{ ENOSPC, breakpoint, N_("all hardware breakpoints are in use"), NO_LEVEL, NULL, NULL },
	{ ESRCH, any, N_("the process has ended"), NO_LEVEL, NULL, NULL },
	{ ENOSYS, any, N_("this kernel was built without perf events"), NO_LEVEL,
	  N_("CONFIG_PERF_EVENTS is required"), NULL },
};

static void describe_target(struct refusal *r)
{
	if (r->tid == -1 && r->ev->cgroup)
		snprintf(r->target, sizeof(r->target), _("the control group %s on CPU %d"),
			 r->ev->cgroup, r->cpu);
	else if (r->tid == -1)
		snprintf(r->target, sizeof(r->target), _("CPU %d"), r->cpu);
	else if (!r->tid)
		snprintf(r->target, sizeof(r->target), _("the command"));
	else if (r->cpu == -1)
		snprintf(r->target, sizeof(r->target), _("thread %d"), (int)r->tid);
	else
		snprintf(r->target, sizeof(r->target), _("thread %d on CPU %d"), (int)r->tid,
			 r->cpu);
}

/* The message contains the limit, so it is not a table row. */
static int too_many_fds(const struct refusal *r, struct ptui_error *err)
{
	struct rlimit limit = { 0, 0 };
	int ret;

	r->ops->get_rlimit(r->ops->ctx, RLIMIT_NOFILE, &limit);
	ret = ptui_error_set(err, PTUI_ERROR_SYSTEM, r->errnum, r->ev->name,
			     _("cannot open %s for %s: too many open files"), r->ev->name,
			     r->target);
	ptui_error_hint(err, _("about %zu open files are needed, the limit is %llu: ulimit -n"),
			r->n_fds, (unsigned long long)limit.rlim_max);
	return ret;
}

static int set_refusal_error(const struct refusal *r, const struct remedy *m,
			     struct ptui_error *err)
{
	int ret = ptui_error_set(err, PTUI_ERROR_SYSTEM, r->errnum, r->ev->name,
				 _("cannot open %s for %s: %s (%s)"), r->ev->name, r->target,
				 _(m->why), strerror(r->errnum));

	if (m->level != NO_LEVEL)
		ptui_error_hint(err, _(LIFT_PARANOID), r->paranoid, m->level);
	else if (m->hint)
		ptui_error_hint(err, "%s", _(m->hint));
	/* Above the kernel's own levels the remaining permissions are unknown. */
	if (m->without && (m->level == NO_LEVEL || r->paranoid <= PARANOID_HIGHEST))
		ptui_error_hint(err, "%s", _(m->without));
	return ret;
}

static bool answers(const struct remedy *m, int errnum)
{
	return m->errnum ? m->errnum == errnum : errnum == EACCES || errnum == EPERM;
}

int diagnose_open(const struct kernel_ops *ops, const struct event *ev, pid_t tid, int cpu,
		  int errnum, size_t n_fds, struct ptui_error *err)
{
	struct refusal r = {
		.ops = ops, .ev = ev, .tid = tid, .cpu = cpu, .errnum = errnum, .n_fds = n_fds
	};

	describe_target(&r);
	if (errnum == EMFILE || errnum == ENFILE)
		return too_many_fds(&r, err);
	r.paranoid = diagnose_paranoid(ops);
	diagnose_rights(ops, &r.rights);
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++)
		if (answers(&remedies[i], errnum) && remedies[i].fits(&r))
			return set_refusal_error(&r, &remedies[i], err);
	return ptui_error_errno(err, errnum, ev->name, _("cannot open %s for %s"), ev->name,
				r.target);
}

int diagnose_mmap(const struct kernel_ops *ops, const struct event *ev, size_t bytes, int errnum,
		  struct ptui_error *err)
{
	struct rlimit limit = { 0, 0 };
	int ret = ptui_error_errno(err, errnum, ev->name,
				   _("cannot map a ring buffer of %zu KiB for %s"), bytes / 1024,
				   ev->name);

	if (errnum != EPERM && errnum != ENOMEM)
		return ret;
	ops->get_rlimit(ops->ctx, RLIMIT_MEMLOCK, &limit);
	ptui_error_hint(
		err,
		_("kernel.perf_event_mlock_kb is %ld, the locked-memory limit (ulimit -l) %llu KiB; your other recordings count as well"),
		diagnose_mlock_kb(ops), (unsigned long long)(limit.rlim_cur / 1024));
	return ret;
}

int diagnose_mmap_aux(const struct kernel_ops *ops, const struct event *ev, size_t bytes,
		      int errnum, struct ptui_error *err)
{
	struct rlimit limit = { 0, 0 };
	int ret = ptui_error_errno(err, errnum, ev->name,
				   _("cannot map an AUX area of %zu KiB for %s"), bytes / 1024,
				   ev->name);

	if (errnum == EOPNOTSUPP) {
		ptui_error_hint(err, _("this event writes no AUX data on this machine"));
	} else if (errnum == EPERM || errnum == ENOMEM) {
		ops->get_rlimit(ops->ctx, RLIMIT_MEMLOCK, &limit);
		ptui_error_hint(
			err,
			_("use a smaller one (-m ,128K): kernel.perf_event_mlock_kb is %ld, the locked-memory limit (ulimit -l) %llu KiB; your other recordings count as well"),
			diagnose_mlock_kb(ops), (unsigned long long)(limit.rlim_cur / 1024));
	}
	return ret;
}
