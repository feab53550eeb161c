/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "kernel/counters.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"
#include "kernel/fallback.h"
#include "ptui/log.h"

#define FDS_OF_OUR_OWN 32 /* files, pipes and libraries beside the counters */

int counters_init(struct counters *c, const struct kernel_ops *ops, struct event_list *events,
		  size_t ring_bytes, struct ptui_error *err)
{
	int ret;

	memset(c, 0, sizeof(*c));
	buf_init(&c->changes);
	c->ops = ops;
	c->events = events;
	c->ring_bytes = ring_bytes;
	c->ring_bytes_wanted = ring_bytes;
	c->bad_filter = PTUI_NONE;
	ret = cpus_online(&ops->roots, &c->cpus, &c->n_cpus, err);
	if (ret)
		return ret;
	c->rings = calloc(c->n_cpus, sizeof(*c->rings));
	c->group_fds = calloc(c->n_cpus * (events->n ? events->n : 1), sizeof(*c->group_fds));
	if (!c->rings || !c->group_fds) {
		counters_release(c);
		return ptui_error_nomem(err);
	}
	counters_expect(c, 1);
	return 0;
}

static void close_all(struct counters *c)
{
	for (size_t i = 0; i < c->n_rings; i++)
		c->ops->munmap(c->ops->ctx, c->rings[i].base, c->rings[i].bytes);
	for (size_t i = 0; i < c->n; i++)
		c->ops->close(c->ops->ctx, c->v[i].fd);
	c->n_rings = c->n = 0;
}

void counters_release(struct counters *c)
{
	close_all(c);
	if (c->fd_limit_raised)
		c->ops->set_rlimit(c->ops->ctx, RLIMIT_NOFILE, &c->fd_limit_before);
	free(c->cpus);
	free(c->rings);
	free(c->group_fds);
	free(c->v);
	buf_release(&c->changes);
	memset(c, 0, sizeof(*c));
}

#define SLOW_TO_CLOSE 16

static bool is_slow_to_close(const struct counters *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n && n < SLOW_TO_CLOSE; i++)
		n += c->events->v[c->v[i].event].kind == EVENT_TRACEPOINT;
	return n == SLOW_TO_CLOSE;
}

static void *release_main(void *arg)
{
	counters_release(arg);
	free(arg);
	return NULL;
}

void counters_release_aside(struct counters *c)
{
	struct counters *taken = is_slow_to_close(c) ? malloc(sizeof(*taken)) : NULL;
	sigset_t all, before;
	pthread_t thread;

	if (taken) {
		/* the limit at once: it is the process's, and the next one's to raise */
		if (c->fd_limit_raised)
			c->ops->set_rlimit(c->ops->ctx, RLIMIT_NOFILE, &c->fd_limit_before);
		c->fd_limit_raised = false;
		*taken = *c;
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		if (!pthread_create(&thread, NULL, release_main, taken)) {
			pthread_detach(thread);
			memset(c, 0, sizeof(*c));
		} else {
			free(taken);
		}
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	counters_release(c);
}

size_t counters_default_ring_bytes(const struct kernel_ops *ops)
{
	long kb = diagnose_mlock_kb(ops);
	size_t granted, bytes = ops->page_bytes;

	/* What the kernel grants includes the control page. */
	if (kb < 0 || (size_t)kb * 1024 <= 2 * ops->page_bytes)
		return bytes;
	granted = (size_t)kb * 1024 - ops->page_bytes;
	while (bytes * 2 <= granted)
		bytes *= 2;
	return bytes;
}

void counters_expect(struct counters *c, size_t n_threads)
{
	c->expected = c->n + n_threads * c->n_cpus * c->events->n + FDS_OF_OUR_OWN;
}

/* 0: raised, try again. The command's own limit is not touched: it was forked before. */
static int raise_fd_limit(struct counters *c)
{
	struct rlimit limit;
	int ret;

	if (c->fd_limit_raised)
		return -EMFILE;
	ret = c->ops->get_rlimit(c->ops->ctx, RLIMIT_NOFILE, &limit);
	if (ret || limit.rlim_cur >= limit.rlim_max)
		return -EMFILE;
	c->fd_limit_before = limit;
	limit.rlim_cur = limit.rlim_max;
	ret = c->ops->set_rlimit(c->ops->ctx, RLIMIT_NOFILE, &limit);
	if (!ret)
		c->fd_limit_raised = true;
	return ret;
}

/* People asked for events; that a refusal meets our dummy first is no news to them. */
static const struct event *asked_for(const struct counters *c, uint32_t event)
{
	uint32_t i;

	if (!c->events->v[event].sideband)
		return &c->events->v[event];
	for (i = 0; i < c->events->n; i++)
		if (!c->events->v[i].sideband)
			return &c->events->v[i];
	return &c->events->v[event];
}

/* Why `event` was refused, in the words of the event that it serves. */
static int tell_refusal(const struct counters *c, uint32_t event, pid_t tid, int cpu, int errnum,
			struct ptui_error *err)
{
	struct event shown = *asked_for(c, event);

	/* The kernel's side is not the trouble where the dummy was refused without it. */
	shown.attr.exclude_kernel |= c->events->v[event].attr.exclude_kernel;
	return diagnose_open(c->ops, &shown, tid, cpu, errnum, c->expected, err);
}

/*
 * The kernel looks whether a group fits its unit when a member is added. A weak group that does not
 * is no group; what was opened of it is closed, and all is opened again.
 */
static bool is_weak_member(const struct counters *c, uint32_t event, int errnum)
{
	uint32_t leader = c->events->v[event].leader;

	return errnum == EINVAL && leader != event && c->events->v[leader].weak;
}

static int break_group(struct counters *c, uint32_t leader)
{
	struct event *v = c->events->v;

	buf_addf(&c->changes,
		 _("the group of %s does not fit its unit: its events are counted one by one\n"),
		 v[leader].name);
	v[leader].weak = false;
	for (uint32_t i = leader + 1; i < c->events->n && v[i].leader == leader; i++) {
		v[i].leader = i;
		v[i].attr.disabled = v[leader].attr.disabled;
		v[i].attr.enable_on_exec = v[leader].attr.enable_on_exec;
	}
	return c->changes.err;
}

/* The fd, or a negative errno told in err (-ESRCH, -ENODEV of a CPU that went away: not told). */
static int open_one(struct counters *c, uint32_t event, pid_t tid, size_t cpu_index,
		    struct ptui_error *err)
{
	struct event *ev = &c->events->v[event];
	int cpu = c->cpus[cpu_index], group_fd = -1, fd, ret;
	char told[512];

	if (ev->leader != event)
		group_fd = c->group_fds[ev->leader * c->n_cpus + cpu_index];
	for (;;) {
		fd = c->ops->perf_event_open(c->ops->ctx, &ev->attr, tid, cpu, group_fd,
					     PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0 || fd == -ESRCH)
			return fd;
		if (fd == -ENODEV && !cpus_is_online(&c->ops->roots, cpu))
			return fd;
		if (fd == -EINTR)
			continue;
		if (fd == -EMFILE && raise_fd_limit(c) == 0)
			continue;
		/* the first thread decides it for all */
		if (is_weak_member(c, event, -fd))
			return break_group(c, ev->leader) ? ptui_error_nomem(err) : -EAGAIN;
		if (fallback_find(c->ops, ev, -fd, told, sizeof(told), &ret)) {
			if (*told)
				buf_addf(&c->changes, "%s\n", told);
			ret = c->changes.err;
			if (!ret)
				continue;
		}
		if (ret)
			return ptui_error_nomem(err);
		return tell_refusal(c, event, tid, cpu, -fd, err);
	}
}

static struct counter_ring *ring_of(struct counters *c, int cpu)
{
	size_t i;

	for (i = 0; i < c->n_rings; i++)
		if (c->rings[i].cpu == cpu)
			return &c->rings[i];
	return NULL;
}

/* Too much locked memory: half of it until it fits, and so for the rings that follow. */
static int map_ring(struct counters *c, size_t index, struct ptui_error *err)
{
	struct counter *k = &c->v[index];
	struct counter_ring *r = &c->rings[c->n_rings];
	size_t wanted = c->ring_bytes;
	int ret;

	for (;;) {
		r->bytes = c->ring_bytes + c->ops->page_bytes;
		ret = c->ops->mmap(c->ops->ctx, k->fd, r->bytes, &r->base);
		if ((ret != -EPERM && ret != -ENOMEM) || c->ring_bytes <= c->ops->page_bytes)
			break;
		c->ring_bytes /= 2;
	}
	if (ret)
		return diagnose_mmap(c->ops, asked_for(c, k->event), wanted, -ret, err);
	ring_init(&r->ring, r->base, c->ops->page_bytes, c->ring_bytes);
	r->cpu = k->cpu;
	r->fd = k->fd;
	r->watch = index;
	c->n_rings++;
	return 0;
}

static int set_filter(const struct counters *c, const struct counter *k)
{
	const char *filter = c->events->v[k->event].filter;
	int ret;

	if (!filter)
		return 0;
	ret = c->ops->ioctl(c->ops->ctx, k->fd, PERF_EVENT_IOC_SET_FILTER, (unsigned long)filter);
	return ret < 0 ? ret : 0;
}

/* Takes the fd into the set: id, ring. On failure it is in the set too, for the rollback. */
static int adopt(struct counters *c, int fd, uint32_t event, pid_t tid, int cpu,
		 struct ptui_error *err)
{
	struct counter_ring *r;
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
	if (!c->ring_bytes)
		return 0;
	r = ring_of(c, cpu);
	if (!r)
		return map_ring(c, c->n - 1, err);
	ret = c->ops->ioctl(c->ops->ctx, fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)r->fd);
	if (ret < 0)
		return ptui_error_errno(err, -ret, c->events->v[event].name,
					_("cannot direct %s into the ring of CPU %d"),
					c->events->v[event].name, cpu);
	return 0;
}

static bool has_ring(const struct counters *c, int fd)
{
	size_t i;

	for (i = 0; i < c->n_rings; i++)
		if (c->rings[i].fd == fd)
			return true;
	return false;
}

/* Counters of a thread that died halfway go, but for those whose ring the others share. */
static void roll_back(struct counters *c, size_t n_before)
{
	size_t i, kept = n_before;

	for (i = n_before; i < c->n; i++) {
		if (has_ring(c, c->v[i].fd)) {
			ring_of(c, c->v[i].cpu)->watch = kept;
			c->v[kept++] = c->v[i];
		} else {
			c->ops->close(c->ops->ctx, c->v[i].fd);
		}
	}
	c->n = kept;
}

static int open_event(struct counters *c, uint32_t event, pid_t tid, struct ptui_error *err)
{
	size_t i, opened = 0;
	int fd, ret;

	for (i = 0; i < c->n_cpus; i++) {
		int *slot = &c->group_fds[event * c->n_cpus + i];

		*slot = -1;
		/* A unit that counts for a socket, or one kind of cores. */
		if (!cpus_list_has(c->events->v[event].cpus, c->cpus[i]))
			continue;
		/* The leader's CPU went away between the two: so does its member's. */
		if (c->events->v[event].leader != event &&
		    c->group_fds[c->events->v[event].leader * c->n_cpus + i] < 0)
			continue;
		fd = open_one(c, event, tid, i, err);
		if (fd == -ENODEV && !cpus_is_online(&c->ops->roots, c->cpus[i]))
			continue;
		if (fd < 0)
			return fd;
		*slot = fd;
		ret = adopt(c, fd, event, tid, c->cpus[i], err);
		if (ret)
			return ret;
		opened++;
	}
	return opened ? 0 : tell_refusal(c, event, tid, c->cpus[0], ENODEV, err);
}

static int open_events(struct counters *c, pid_t tid, struct ptui_error *err)
{
	uint32_t i;
	int pass, ret = 0;

	/* The sideband first: a thread that forks from here on is told by a FORK record. */
	for (pass = 0; pass < 2 && !ret; pass++)
		for (i = 0; i < c->events->n && !ret; i++)
			if (c->events->v[i].sideband == (pass == 0))
				ret = open_event(c, i, tid, err);
	return ret;
}

int counters_open(struct counters *c, pid_t tid, struct ptui_error *err)
{
	size_t n_before = c->n;
	int ret;

	/* Each round breaks a group up, so it ends. */
	while ((ret = open_events(c, tid, err)) == -EAGAIN) {
		if (n_before)
			roll_back(c, n_before);
		else
			close_all(c);
	}
	if (ret)
		roll_back(c, n_before);
	return ret;
}

/* What is measured, for who wants to know it all. */
static void tell_events(const struct counters *c)
{
	uint32_t i;

	for (i = 0; i < c->events->n; i++) {
		const struct perf_event_attr *a = &c->events->v[i].attr;

		if (c->events->v[i].sideband)
			continue;
		ptui_log(PTUI_LOG_INFO, "kernel",
			 a->freq ? _("%s: type %u, config 0x%llx, %llu times a second, %zu counters") :
				   _("%s: type %u, config 0x%llx, every %llu, %zu counters"),
			 c->events->v[i].name, a->type, (unsigned long long)a->config,
			 (unsigned long long)a->sample_period, counters_ids(c, i, NULL, 0));
	}
	ptui_log(PTUI_LOG_INFO, "kernel", _("%zu rings of %zu KiB"), c->n_rings,
		 c->ring_bytes / 1024);
}

void counters_tell(struct counters *c)
{
	const char *line = buf_str(&c->changes);
	size_t n;

	for (; *line; line += n + 1) {
		n = strcspn(line, "\n");
		ptui_log(PTUI_LOG_WARN, "kernel", "%.*s", (int)n, line);
	}
	buf_clear(&c->changes);
	if (c->ring_bytes != c->ring_bytes_wanted)
		ptui_log(PTUI_LOG_WARN, "kernel",
			 _("rings are %zu KiB instead of %zu: kernel.perf_event_mlock_kb is %ld"),
			 c->ring_bytes / 1024, c->ring_bytes_wanted / 1024,
			 diagnose_mlock_kb(c->ops));
	tell_events(c);
}

static int switch_all(struct counters *c, unsigned long request)
{
	size_t i;
	int ret, first = 0;

	for (i = 0; i < c->n; i++) {
		if (c->events->v[c->v[i].event].sideband)
			continue;
		ret = c->ops->ioctl(c->ops->ctx, c->v[i].fd, request, 0);
		if (ret < 0 && !first)
			first = ret;
	}
	return first;
}

int counters_enable(struct counters *c)
{
	return switch_all(c, PERF_EVENT_IOC_ENABLE);
}

int counters_disable(struct counters *c)
{
	return switch_all(c, PERF_EVENT_IOC_DISABLE);
}

void counters_fill_poll(const struct counters *c, struct pollfd *fds)
{
	size_t i;

	for (i = 0; i < c->n_rings; i++) {
		const struct counter_ring *r = &c->rings[i];

		fds[i].fd = r->watch < c->n ? c->v[r->watch].fd : -1;
		fds[i].events = POLLIN;
		fds[i].revents = 0;
	}
}

/* The next counter of the ring whose task still lives. */
static size_t next_watch(const struct counters *c, const struct counter_ring *r)
{
	struct pollfd one = { .fd = -1, .events = POLLIN };
	size_t i;

	for (i = r->watch + 1; i < c->n; i++) {
		if (c->v[i].cpu != r->cpu)
			continue;
		one.fd = c->v[i].fd;
		if (c->ops->poll(c->ops->ctx, &one, 1, 0) <= 0 || !(one.revents & POLLHUP))
			return i;
	}
	return c->n;
}

bool counters_polled(struct counters *c, const struct pollfd *fds)
{
	bool left = false;
	size_t i;

	for (i = 0; i < c->n_rings; i++) {
		struct counter_ring *r = &c->rings[i];

		if (r->watch < c->n && fds[i].revents & (POLLHUP | POLLNVAL))
			r->watch = next_watch(c, r);
		if (r->watch < c->n)
			left = true;
	}
	return left;
}

/* read_format's layout: include/uapi/linux/perf_event.h, enum perf_event_read_format. */
int counters_read(const struct counters *c, size_t index, struct counter_value *ret)
{
	const struct counter *k = &c->v[index];
	uint64_t format = c->events->v[k->event].attr.read_format;
	bool group = format & PERF_FORMAT_GROUP;
	bool has_id = format & PERF_FORMAT_ID, has_lost = format & PTUI_FORMAT_LOST;
	uint64_t words[3 + 3 * 64], *w = words, n = 1, id;
	ssize_t got;

	memset(ret, 0, sizeof(*ret));
	memset(words, 0, sizeof(words));
	got = c->ops->read(c->ops->ctx, k->fd, words, sizeof(words));
	if (got < 0)
		return (int)got;
	if (!got)
		return -ESRCH; /* the counter is in its error state */
	if (group)
		n = *w++;
	else
		ret->value = *w++;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		ret->enabled_ns = *w++;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		ret->running_ns = *w++;
	for (; n && w <= words + got / 8; n--) {
		uint64_t value = group ? *w++ : ret->value, lost = 0;

		id = has_id ? *w++ : k->id;
		if (has_lost)
			lost = *w++;
		if (id != k->id)
			continue;
		ret->value = value;
		ret->lost = lost;
	}
	return 0;
}

size_t counters_ids(const struct counters *c, uint32_t event, uint64_t *ids, size_t max)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++) {
		if (c->v[i].event != event)
			continue;
		if (n < max)
			ids[n] = c->v[i].id;
		n++;
	}
	return n;
}
