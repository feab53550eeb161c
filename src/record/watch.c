/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of a recording while it runs. */
#include <errno.h>
#include <string.h>
#include "event/attr.h"
#include "record/private.h"

void recording_set_watch(struct ptui_recording *r, const struct recording_watch *watch)
{
	r->watch = watch;
	r->options.watched = true;
}

void recording_set_terminal(struct ptui_recording *r, unsigned short rows, unsigned short cols)
{
	r->workload.own_terminal = true;
	r->workload.rows = rows;
	r->workload.cols = cols;
}

int recording_terminal_fd(const struct ptui_recording *r)
{
	return r->workload.terminal_fd;
}

int recording_set_size(struct ptui_recording *r, unsigned short rows, unsigned short cols)
{
	return workload_set_size(&r->workload, rows, cols);
}

int recording_switch(struct ptui_recording *r, bool on)
{
	return recorder_switch(&r->recorder, on);
}

/* In floating point: a count of days times nanoseconds would overflow. */
static uint64_t scale(uint64_t value, uint64_t enabled, uint64_t running)
{
	if (!running || running >= enabled)
		return value;
	return (uint64_t)((double)value * ((double)enabled / (double)running) + 0.5);
}

/*
 * A thread has a counter a CPU, and all of them are enabled while it runs on any: only together
 * do they say how long it was counted.
 *
 *	thread	on CPU 0 .... on CPU 1 ....	enabled: 2 s each
 *	CPU 0	counts		waits		running: 1 s
 *	CPU 1	waits		counts		running: 1 s	together all of the 2 s
 */
static void add_owner(struct recording_count *ret, struct counter_value *owner)
{
	ret->value += owner->value;
	ret->enabled_ns += owner->enabled_ns;
	ret->running_ns += owner->running_ns;
	ret->lost += owner->lost;
	ret->scaled += scale(owner->value, owner->enabled_ns, owner->running_ns);
	memset(owner, 0, sizeof(*owner));
}

void recording_count(const struct ptui_recording *r, uint32_t event, struct recording_count *ret)
{
	const struct counters *c = &r->counters;
	struct counter_value value, owner = { 0 };
	pid_t tid = -1;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i].event != event || counters_read(c, i, &value))
			continue;
		/* a thread's stand together; a CPU's own is one of its own */
		if (c->v[i].tid != tid || tid == -1)
			add_owner(ret, &owner);
		tid = c->v[i].tid;
		owner.value += value.value;
		owner.running_ns += value.running_ns;
		owner.lost += value.lost;
		if (value.enabled_ns > owner.enabled_ns)
			owner.enabled_ns = value.enabled_ns;
	}
	add_owner(ret, &owner);
}

void recording_cost(const struct ptui_recording *r, struct recording_cost *ret)
{
	ret->cpu_ns = r->recorder.cpu_ns;
	ret->fill_permille = r->recorder.counts.fill_permille;
	ret->fill_max_permille = r->recorder.counts.fill_max_permille;
}

/* Fallbacks that this meets stay: the event would meet them again. */
int recording_probe(struct ptui_recording *r, uint32_t i, pid_t tid, struct ptui_error *err)
{
	struct event *ev = &r->events.v[i];
	struct event_list one = { .v = ev, .n = 1, .cap = 1 };
	uint32_t leader = ev->leader;
	struct counters c;
	int ret;

	ev->leader = 0; /* alone: what the group makes of it is not asked here */
	ev->attr.disabled = 1;
	ev->attr.size = attr_size_min(&ev->attr);
	ret = counters_init(&c, r->ops, &one, 0, NULL);
	if (!ret) {
		ret = counters_open(&c, tid, err);
		counters_release(&c);
	}
	ev->leader = leader;
	ev->attr.disabled = 0;
	/* a task that is gone, or a lack of rights, is told when all of them are opened */
	return ret == -ENOENT || ret == -EOPNOTSUPP || ret == -ENODEV ? ret : 0;
}
