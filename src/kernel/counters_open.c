/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counter set: a thread added to it, its counters opened and its rings mapped. */
#include <errno.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "event/bpf_file.h"
#include "kernel/counters.h"
#include "kernel/counters_private.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"
#include "kernel/event_open.h"

/* The highest limit to which a privileged process may raise its own. */
static rlim_t fds_of_the_kernel(const struct counters *c)
{
	long long max;

	return file_read_long(&max, "%s/sys/fs/nr_open", c->ops->roots.proc) || max < 0 ?
		       0 :
		       (rlim_t)max;
}

int counters_raise_fd_limit(struct counters *c)
{
	struct rlimit limit, before;
	int ret = c->ops->get_rlimit(c->ops->ctx, RLIMIT_NOFILE, &limit);

	if (ret)
		return ret;
	before = limit;
	if (limit.rlim_cur >= limit.rlim_max) {
		limit.rlim_max = limit.rlim_max + c->expected;
		if (limit.rlim_max > fds_of_the_kernel(c))
			limit.rlim_max = fds_of_the_kernel(c);
		if (limit.rlim_max <= before.rlim_max)
			return -EMFILE;
	}
	limit.rlim_cur = limit.rlim_max;
	ret = c->ops->set_rlimit(c->ops->ctx, RLIMIT_NOFILE, &limit);
	if (!ret && !c->fd_limit_raised) {
		c->fd_limit_before = before;
		c->fd_limit_raised = true;
	}
	return ret;
}

const struct event *counters_shown_event(const struct counters *c, uint32_t event)
{
	if (!c->events->v[event].sideband)
		return &c->events->v[event];
	for (uint32_t i = 0; i < c->events->n; i++)
		if (!c->events->v[i].sideband)
			return &c->events->v[i];
	return &c->events->v[event];
}

/* Sets err to the reason, in terms of the user's event. */
static int set_refusal(const struct counters *c, uint32_t event, pid_t tid, int cpu, int errnum,
		       struct ptui_error *err)
{
	struct event shown = *counters_shown_event(c, event);

	/* The kernel part is not the cause if the dummy was refused without it. */
	shown.attr.exclude_kernel |= c->events->v[event].attr.exclude_kernel;
	return diagnose_open(c->ops, &shown, tid, cpu, errnum, c->expected, err);
}

/*
 * The kernel checks that a group fits its PMU when a member is added. A weak group that does not
 * fit is split: its opened events are closed, and all are opened again.
 */
static int split_weak_group(struct counters *c, uint32_t leader)
{
	struct event *v = c->events->v;

	buf_addf(&c->changes,
		 _("the group of %s does not fit its PMU: its events are counted individually\n"),
		 v[leader].name);
	v[leader].weak = false;
	for (uint32_t i = leader + 1; i < c->events->n && v[i].leader == leader; i++) {
		v[i].leader = i;
		v[i].attr.disabled = v[leader].attr.disabled;
		v[i].attr.enable_on_exec = v[leader].attr.enable_on_exec;
	}
	return c->changes.err;
}

/*
 * The fd, or a negative errno with err set (not for -ESRCH, nor -ENODEV of a CPU that went
 * offline).
 */
static int open_one(struct counters *c, uint32_t event, pid_t tid, size_t cpu_index,
		    struct ptui_error *err)
{
	struct event *ev = &c->events->v[event];
	int cpu = c->cpus[cpu_index], fd;
	struct event_open how = { .ops = c->ops,
				  .tid = tid,
				  .cpu = cpu,
				  .group_fd = -1,
				  .fallbacks = c->counting ? FALLBACK_USER_ONLY | FALLBACK_GUESTS :
							     FALLBACK_ALL };

	if (ev->leader != event) {
		how.group_fd = c->group_fds[ev->leader * c->n_cpus + cpu_index];
		how.weak = c->events->v[ev->leader].weak;
	}
	do {
		fd = event_open(&how, ev, &c->changes);
	} while (fd == -EMFILE && !counters_raise_fd_limit(c));
	if (fd >= 0 || fd == -ESRCH)
		return fd;
	if (fd == -ENODEV && cpu >= 0 && !cpus_is_online(&c->ops->roots, cpu))
		return fd;
	/* the first thread decides it for all */
	if (fd == -EINVAL && how.weak)
		return split_weak_group(c, ev->leader) ? ptui_error_nomem(err) : -EAGAIN;
	return set_refusal(c, event, tid, cpu, -fd, err);
}

static int set_filter(const struct counters *c, const struct counter *k)
{
	const char *filter = c->events->v[k->event].filter;
	int ret;

	if (!filter)
		return 0;
	ret = c->ops->ioctl(c->ops->ctx, k->fd, PERF_EVENT_IOC_SET_FILTER, (unsigned long)filter);
	if (ret >= 0 && c->filter_enables)
		ret = c->ops->ioctl(c->ops->ctx, k->fd, PERF_EVENT_IOC_ENABLE, 0);
	return ret < 0 ? ret : 0;
}

/* The kernel runs a program once per tracepoint, however many counters it has. */
static int set_bpf(const struct counters *c, const struct counter *k)
{
	const struct event_bpf *b = c->events->v[k->event].bpf;
	int ret = b ? c->ops->ioctl(c->ops->ctx, k->fd, PERF_EVENT_IOC_SET_BPF,
				    (unsigned long)b->fd) :
		      0;

	return ret < 0 && ret != -EEXIST ? ret : 0;
}

/* Adds the fd to the set: id, ring. On failure it is in the set too, for the rollback. */
static int add_counter(struct counters *c, int fd, uint32_t event, pid_t tid, int cpu,
		       struct ptui_error *err)
{
	struct counter *k;
	int ret;

	if (vec_grow(&c->v, &c->cap, c->n + 1)) {
		c->ops->close(c->ops->ctx, fd);
		return ptui_error_nomem(err);
	}
	k = &c->v[c->n++];
	*k = (struct counter){ .fd = fd, .cpu = cpu, .tid = tid, .event = event };
	ret = c->ops->ioctl(c->ops->ctx, fd, PERF_EVENT_IOC_ID, (unsigned long)&k->id);
	if (ret < 0)
		return ptui_error_errno(err, -ret, c->events->v[event].name,
					_("cannot read the id of %s"), c->events->v[event].name);
	ret = set_filter(c, k);
	if (ret) {
		c->bad_filter = event;
		return ptui_error_errno(err, -ret, c->events->v[event].name,
					_("cannot set the filter of %s"), c->events->v[event].name);
	}
	ret = set_bpf(c, k);
	if (ret)
		return ptui_error_errno(err, -ret, c->events->v[event].name,
					_("cannot attach a BPF program to %s"),
					c->events->v[event].name);
	return c->ring_bytes ? counters_set_ring(c, c->n - 1, err) : 0;
}

static bool has_ring(const struct counters *c, const struct counter *k)
{
	return k->ring < c->n_rings && c->rings[k->ring].fd == k->fd;
}

static void drop_rings(struct counters *c, size_t index)
{
	while (c->n_rings > index) {
		c->n_rings--;
		counters_unmap_ring(c, &c->rings[c->n_rings]);
	}
}

/*
 * Closes the counters of a thread, except owners of shared rings. Its own rings, which are the last ones, are
 * unmapped. The sideband of a thread that exited (`was_there`) may have written to a shared ring before the next
 * counter was opened: it stays, so that readers of these records find their id.
 */
static void close_added(struct counters *c, size_t n_before, bool was_there)
{
	size_t kept = n_before;

	if (c->per_thread && n_before < c->n && has_ring(c, &c->v[n_before]))
		drop_rings(c, c->v[n_before].ring);
	for (size_t i = n_before; i < c->n; i++) {
		if (!c->per_thread && has_ring(c, &c->v[i])) {
			c->rings[c->v[i].ring].watch = kept;
			c->v[kept++] = c->v[i];
		} else if (!c->per_thread && was_there && c->events->v[c->v[i].event].sideband) {
			c->v[kept++] = c->v[i];
		} else {
			c->ops->close(c->ops->ctx, c->v[i].fd);
		}
	}
	c->n = kept;
}

static bool is_measured(const struct counters *c, const struct event *ev, int cpu)
{
	size_t i = 0;

	if (cpu < 0)
		return true;
	while (i < c->n_measured && c->measured[i] != cpu)
		i++;
	/* a PMU may have CPUs of its own: one per socket, or those of a core type */
	return (ev->sideband || !c->n_measured || i < c->n_measured) &&
	       cpus_list_has(ev->cpus, cpu);
}

static int open_event(struct counters *c, uint32_t event, pid_t tid, struct ptui_error *err)
{
	size_t opened = 0;
	int fd, ret;

	for (size_t i = 0; i < c->n_cpus; i++) {
		int *slot = &c->group_fds[event * c->n_cpus + i];

		*slot = -1;
		if (!is_measured(c, &c->events->v[event], c->cpus[i]))
			continue;
		/* The leader's CPU went away between the two: so does its member's. */
		if (c->events->v[event].leader != event &&
		    c->group_fds[c->events->v[event].leader * c->n_cpus + i] < 0)
			continue;
		fd = open_one(c, event, tid, i, err);
		if (fd == -ENODEV && c->cpus[i] >= 0 && !cpus_is_online(&c->ops->roots, c->cpus[i]))
			continue;
		if (fd < 0)
			return fd;
		*slot = fd;
		ret = add_counter(c, fd, event, tid, c->cpus[i], err);
		if (ret)
			return ret;
		opened++;
	}
	return opened ? 0 : set_refusal(c, event, tid, c->cpus[0], ENODEV, err);
}

static bool is_open(const struct counters *c, uint32_t event)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].event == event)
			return true;
	return false;
}

static int open_kind(struct counters *c, pid_t tid, bool sideband, struct ptui_error *err)
{
	int ret = 0;

	for (uint32_t i = 0; i < c->events->n && !ret; i++)
		if (c->events->v[i].sideband == sideband && !c->events->v[i].on_all_cpus)
			ret = open_event(c, i, tid, err);
	/* with the first thread; that a ring's owner hangs up shows the end of a task: so not as its owner */
	for (uint32_t i = 0; sideband && i < c->events->n && !ret; i++)
		if (c->events->v[i].on_all_cpus && !is_open(c, i))
			ret = open_event(c, i, -1, err);
	return ret;
}

static int open_events(struct counters *c, pid_t tid, struct ptui_error *err)
{
	/* The sideband first, so that later forks of the thread are recorded. */
	int ret = open_kind(c, tid, true, err);

	if (!ret)
		ret = open_kind(c, tid, false, err);
	return ret ? ret : counters_map_aux(c, err);
}

int counters_open(struct counters *c, pid_t tid, struct ptui_error *err)
{
	size_t n_before = c->n;
	int ret;

	/* Each iteration splits a group, so it terminates. */
	while ((ret = open_events(c, tid, err)) == -EAGAIN) {
		if (n_before)
			close_added(c, n_before, false);
		else
			counters_close_all(c);
	}
	if (ret)
		close_added(c, n_before, ret == -ESRCH);
	return ret;
}

/* First ring of counter `from` or later; n_rings: none. */
static size_t first_ring_of(const struct counters *c, size_t from)
{
	size_t first = c->n_rings;

	for (size_t i = from; i < c->n; i++)
		if (has_ring(c, &c->v[i]) && c->v[i].ring < first)
			first = c->v[i].ring;
	return first;
}

int counters_reopen(struct counters *c, pid_t tid, struct ptui_error *err)
{
	size_t first = c->n, n_kept;
	int ret;

	while (first && c->v[first - 1].tid == tid)
		first--;
	for (n_kept = first; n_kept < c->n && c->events->v[c->v[n_kept].event].sideband; n_kept++)
		;
	/*
	 * A ring of these counters was mapped last, for this thread. It is unmapped with its owner:
	 * output cannot be redirected to a closed counter.
	 */
	drop_rings(c, first_ring_of(c, n_kept));
	/* members before their leaders: closing a leader would set them free first */
	while (c->n > n_kept)
		c->ops->close(c->ops->ctx, c->v[--c->n].fd);
	ret = open_kind(c, tid, false, err);
	if (!ret)
		ret = counters_map_aux(c, err);
	if (ret)
		close_added(c, first, ret == -ESRCH);
	return ret;
}
