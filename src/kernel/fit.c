/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include "event/attr.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"
#include "kernel/event_open.h"

#define CORES	  PERF_TYPE_RAW /* what hardware, cache and raw events are counted by */
#define TURNS_MAX 32		/* heads of the list that are tried */

/* Events that are counted together or not at all. */
struct unit {
	uint32_t at[FIT_EVENTS_MAX];
	size_t n;
	bool joins; /* one event that may be put into a group */
	bool weak;
	uint32_t of; /* its PMU; PTUI_NONE */
};

/* Events of one PMU. */
struct pack {
	struct unit *v;
	size_t n;
};

struct fitting {
	const struct kernel_ops *ops;
	const struct event_list *events;
	const bool *may_join;
	struct fit *ret;
	/* user space only: the kernel is forbidden, and it needs the same counters */
	bool user_only;
};

/* ---- a group that grows until it does not fit ---- */

struct trial {
	const struct fitting *f;
	int fds[FIT_EVENTS_MAX];
	size_t n;
	bool exclusive;
};

enum answer {
	FITS,
	NO_ROOM,
	/* REFUSED: the kernel rejected the group */
	REFUSED
};

static void trial_end(struct trial *t)
{
	const struct kernel_ops *ops = t->f->ops;

	/* members before their leader, which would set them free */
	while (t->n)
		ops->close(ops->ctx, t->fds[--t->n]);
	t->exclusive = false;
}

static int trial_open(const struct fitting *f, const struct event *ev, int group_fd)
{
	int cpu = ev->cpus ? cpus_list_pick(ev->cpus, 0) : -1;
	const struct event_open how = {
		.ops = f->ops, .tid = cpu < 0 ? 0 : -1, .cpu = cpu, .group_fd = group_fd
	};
	struct event trial = { .attr = ev->attr };
	struct perf_event_attr *attr = &trial.attr;

	attr->sample_period = attr->freq = attr->precise_ip = attr->inherit = 0;
	attr->sample_type = attr->branch_sample_type = attr->enable_on_exec = 0;
	attr->read_format = 0;
	attr->pinned = attr->disabled = group_fd < 0;
	attr->exclusive &= group_fd < 0;
	if (f->user_only && !attr->exclude_user)
		attr->exclude_kernel = attr->exclude_hv = 1;
	attr->size = attr_size_min(attr);
	return event_open(&how, &trial, NULL);
}

static enum answer trial_add(struct trial *t, uint32_t event)
{
	const struct kernel_ops *ops = t->f->ops;
	uint64_t words[4];
	int fd;

	if (t->n)
		ops->ioctl(ops->ctx, t->fds[0], PERF_EVENT_IOC_DISABLE, 0);
	fd = trial_open(t->f, &t->f->events->v[event], t->n ? t->fds[0] : -1);
	if (fd < 0)
		return REFUSED;
	t->fds[t->n++] = fd;
	if (ops->ioctl(ops->ctx, t->fds[0], PERF_EVENT_IOC_ENABLE, 0) < 0)
		return REFUSED;
	/*
	 * a read failure elsewhere (a core type we do not run on) does not mean that it does not
	 * fit
	 */
	return ops->read(ops->ctx, t->fds[0], words, sizeof(words)) ? FITS : NO_ROOM;
}

static enum answer trial_add_unit(struct trial *t, const struct unit *u)
{
	const struct event *v = t->f->events->v;
	bool exclusive = v[v[u->at[0]].leader].attr.exclusive;
	enum answer answer = FITS;

	/* exclusive events */
	if (t->n && (t->exclusive || exclusive))
		return NO_ROOM;
	t->exclusive = exclusive;
	for (size_t i = 0; i < u->n && answer == FITS; i++)
		answer = trial_add(t, u->at[i]);
	return answer;
}

static enum answer try_alone(const struct fitting *f, const struct unit *u)
{
	struct trial t = { .f = f };
	enum answer answer = trial_add_unit(&t, u);

	trial_end(&t);
	return answer;
}

/* ---- turns ---- */

struct turns {
	size_t n_units[FIT_EVENTS_MAX]; /* per PMU: number of rotations in which it counted */
	size_t n;			/* turns that were tried */
	size_t n_most;			/* events scheduled at once */
};

/* From the head on, like the kernel, until the first one that does not fit. */
static size_t try_rotation(const struct fitting *f, const struct pack *p, size_t head,
			   struct turns *ret)
{
	struct trial t = { .f = f };
	size_t taken = 0, n_events = 0;

	for (; taken < p->n; taken++) {
		size_t i = (head + taken) % p->n;

		if (trial_add_unit(&t, &p->v[i]) != FITS)
			break;
		ret->n_units[i]++;
		n_events += p->v[i].n;
	}
	trial_end(&t);
	ret->n++;
	if (n_events > ret->n_most)
		ret->n_most = n_events;
	return taken;
}

/* Check whether all fit at once; if not, try each one as the first of the rotation. */
static bool try_rotations(const struct fitting *f, const struct pack *p, struct turns *ret)
{
	size_t step = (p->n + TURNS_MAX - 1) / TURNS_MAX;

	memset(ret, 0, sizeof(*ret));
	if (!p->n || try_rotation(f, p, 0, ret) == p->n)
		return true;
	for (size_t head = step; head < p->n; head += step)
		try_rotation(f, p, head, ret);
	return false;
}

static double least_share(const struct pack *p, const struct turns *t)
{
	double least = 1;

	for (size_t i = 0; i < p->n; i++)
		if ((double)t->n_units[i] < least * (double)t->n)
			least = (double)t->n_units[i] / (double)t->n;
	return least;
}

/* ---- what needs a counter ---- */

/* Opens it alone, without group modifiers, to see whether it is supported. */
static bool is_supported(struct fitting *f, uint32_t event)
{
	const struct event *ev = &f->events->v[event];
	int fd = trial_open(f, ev, -1);

	if (fd == -EACCES && !f->user_only && diagnose_paranoid(f->ops) > 1) {
		f->user_only = true;
		fd = trial_open(f, ev, -1);
	}
	if (fd >= 0)
		f->ops->close(f->ops->ctx, fd);
	return fd >= 0;
}

static int find_needs(struct fitting *f)
{
	struct fit *ret = f->ret;

	for (uint32_t i = 0; i < ret->n_events; i++) {
		struct fit_event *e = &ret->events[i];

		e->share = 1;
		e->group = PTUI_NONE;
		e->needs = !f->events->v[i].sideband &&
			   event_pmu_type(&f->events->v[i].attr) != PTUI_NONE && is_supported(f, i);
		ret->n_needs += e->needs;
	}
	return ret->n_needs > FIT_EVENTS_MAX ? -E2BIG : 0;
}

/* A weak group that the kernel rejects is split. */
static void add_unit(const struct fitting *f, struct pack *p, const struct unit *u)
{
	if (!u->weak || u->n < 2 || try_alone(f, u) != REFUSED) {
		p->v[p->n++] = *u;
		return;
	}
	for (size_t i = 0; i < u->n; i++)
		p->v[p->n++] = (struct unit){ .at = { u->at[i] }, .n = 1, .of = PTUI_NONE };
}

/* All events of `unit`, in list order; a group counts as one. */
static void collect_units(const struct fitting *f, uint32_t unit, struct pack *ret)
{
	const struct event_list *l = f->events;

	ret->n = 0;
	for (uint32_t leader = 0; leader < l->n; leader++) {
		struct unit u = { .joins = f->may_join[leader],
				  .weak = l->v[leader].weak,
				  .of = PTUI_NONE };

		if (l->v[leader].leader != leader)
			continue;
		for (uint32_t i = leader; i < l->n; i++)
			if (l->v[i].leader == leader && f->ret->events[i].needs &&
			    event_pmu_type(&l->v[i].attr) == unit)
				u.at[u.n++] = i;
		if (u.n)
			add_unit(f, ret, &u);
	}
}

/* ---- the proposal ---- */

static bool is_joinable(const struct unit *group, const struct unit *u)
{
	return group->joins && group->of == u->of;
}

/* First fit: add it to the first group with room, or to a new one. */
static void add_to_group(const struct fitting *f, struct pack *groups, const struct unit *u)
{
	for (size_t i = 0; u->joins && i < groups->n; i++) {
		struct unit grown = groups->v[i];

		if (!is_joinable(&grown, u))
			continue;
		grown.at[grown.n++] = u->at[0];
		if (try_alone(f, &grown) == FITS) {
			groups->v[i] = grown;
			return;
		}
	}
	groups->v[groups->n++] = *u;
}

/* The user's groups stay; one that never counts is split into groups that fit. */
static void propose_groups(const struct fitting *f, const struct pack *p, const struct turns *t,
			   struct pack *groups)
{
	groups->n = 0;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct unit *u = &p->v[i];

		if (u->n == 1 || t->n_units[i]) {
			add_to_group(f, groups, u);
			continue;
		}
		for (size_t k = 0; k < u->n; k++) {
			struct unit piece = { .at = { u->at[k] }, .n = 1, .joins = true, .of = i };

			add_to_group(f, groups, &piece);
		}
	}
}

static bool is_other(const struct pack *groups, const struct pack *p)
{
	bool other = groups->n != p->n;

	for (size_t i = 0; i < p->n && !other; i++)
		other = groups->v[i].n != p->v[i].n || groups->v[i].at[0] != p->v[i].at[0];
	return other;
}

static void set_groups(struct fitting *f, const struct pack *groups)
{
	struct fit *ret = f->ret;
	struct turns t;
	double share;

	try_rotations(f, groups, &t);
	share = least_share(groups, &t);
	if (share < ret->proposed_share)
		ret->proposed_share = share;
	for (size_t i = 0; i < groups->n; i++) {
		for (size_t k = 0; k < groups->v[i].n; k++)
			ret->events[groups->v[i].at[k]].group = ret->n_groups;
		ret->n_groups++;
	}
}

/* ---- put together ---- */

/* The number of counters for these events, ignoring groups. */
static size_t count_room(const struct fitting *f, const struct pack *p)
{
	struct trial t = { .f = f };
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->v[i].n; k++)
			if (trial_add(&t, p->v[i].at[k]) == FITS)
				n++;
			else
				goto out;
out:
	trial_end(&t);
	return n;
}

static void try_unit(struct fitting *f, uint32_t unit, struct pack *p, struct pack *groups)
{
	size_t n_events = 0, room;
	struct fit *ret = f->ret;
	struct turns t;

	collect_units(f, unit, p);
	if (try_rotations(f, p, &t))
		return;
	for (size_t i = 0; i < p->n; i++) {
		double share = (double)t.n_units[i] / (double)t.n;

		for (size_t k = 0; k < p->v[i].n; k++)
			ret->events[p->v[i].at[k]].share = share;
		n_events += p->v[i].n;
		if (!t.n_units[i] && ret->never == PTUI_NONE && try_alone(f, &p->v[i]) != FITS)
			ret->never = f->events->v[p->v[i].at[0]].leader;
		if (share < ret->share)
			ret->share = share;
	}
	room = count_room(f, p);
	if (room < t.n_most)
		room = t.n_most;
	if (n_events - room > ret->n_over)
		ret->n_over = n_events - room;
	propose_groups(f, p, &t, groups);
	if (is_other(groups, p))
		set_groups(f, groups);
}

static bool has_watchdog(const struct fitting *f)
{
	long long value;
	bool cores = false;

	for (uint32_t i = 0; i < f->ret->n_events && !cores; i++)
		cores = f->ret->events[i].needs && event_pmu_type(&f->events->v[i].attr) == CORES;
	return cores && !file_read_long(&value, "%s/sys/kernel/nmi_watchdog", f->ops->roots.proc) &&
	       value == 1;
}

/* PMU by PMU, in the order of first use. */
static void try_units(struct fitting *f, struct pack *p, struct pack *groups)
{
	const struct event_list *l = f->events;
	uint32_t k;

	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t unit = event_pmu_type(&l->v[i].attr);

		if (!f->ret->events[i].needs)
			continue;
		for (k = 0; k < i; k++)
			if (f->ret->events[k].needs && event_pmu_type(&l->v[k].attr) == unit)
				break;
		if (k == i)
			try_unit(f, unit, p, groups);
	}
}

int fit_try(const struct kernel_ops *ops, const struct event_list *events, const bool *may_join,
	    struct fit *ret)
{
	struct fitting f = { .ops = ops, .events = events, .may_join = may_join, .ret = ret };
	struct pack p = { 0 }, groups = { 0 };
	int result;

	memset(ret, 0, sizeof(*ret));
	ret->share = ret->proposed_share = 1;
	ret->never = PTUI_NONE;
	ret->n_events = events->n;
	ret->events = calloc(events->n + 1, sizeof(*ret->events));
	p.v = calloc(FIT_EVENTS_MAX, sizeof(*p.v));
	groups.v = calloc(FIT_EVENTS_MAX, sizeof(*groups.v));
	result = ret->events && p.v && groups.v ? find_needs(&f) : -ENOMEM;
	if (!result) {
		try_units(&f, &p, &groups);
		ret->watchdog = has_watchdog(&f);
	}
	free(p.v);
	free(groups.v);
	return result;
}

void fit_release(struct fit *fit)
{
	free(fit->events);
	memset(fit, 0, sizeof(*fit));
}
