/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The open counter set: enable, poll, read. */
#include <errno.h>
#include <string.h>
#include "kernel/counters.h"

/* `event` PTUI_NONE: all. */
static int switch_event(struct counters *c, uint32_t event, unsigned long request)
{
	int ret, first = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (event != PTUI_NONE && c->v[i].event != event)
			continue;
		if (c->events->v[c->v[i].event].sideband)
			continue;
		ret = c->ops->ioctl(c->ops->ctx, c->v[i].fd, request, 0);
		if (ret < 0 && !first)
			first = ret;
	}
	return first;
}

static bool has_limit(const struct counters *c, size_t i)
{
	const struct event *ev = &c->events->v[c->v[i].event];

	return !ev->sideband && ev->attr.sample_period;
}

/*
 * IOC_REFRESH also enables the counter, which is not wanted yet: the limit stays when it is disabled again,
 * and an exec enables it then. Overflows in between are not of the targets, which do not run.
 */
int counters_limit_overflows(struct counters *c, int limit)
{
	int ret = 0;

	for (size_t i = 0; i < c->n && ret >= 0; i++) {
		if (!has_limit(c, i))
			continue;
		ret = c->ops->ioctl(c->ops->ctx, c->v[i].fd, PERF_EVENT_IOC_REFRESH,
				    (unsigned long)limit);
		if (ret >= 0)
			ret = c->ops->ioctl(c->ops->ctx, c->v[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	}
	c->overflow_limit = limit;
	return ret < 0 ? ret : 0;
}

uint64_t counters_overflows_until_stop(const struct counters *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->n && c->overflow_limit; i++)
		n += has_limit(c, i);
	return n * (uint64_t)c->overflow_limit;
}

void counters_note_switch(struct counters *c, bool on)
{
	c->off = !on;
	for (size_t i = 0; i < c->events->n && on; i++)
		if (c->events->v[i].off)
			c->events->v[i].off = false;
}

int counters_enable(struct counters *c)
{
	counters_note_switch(c, true);
	return switch_event(c, PTUI_NONE, PERF_EVENT_IOC_ENABLE);
}

int counters_disable(struct counters *c)
{
	counters_note_switch(c, false);
	return switch_event(c, PTUI_NONE, PERF_EVENT_IOC_DISABLE);
}

int counters_switch(struct counters *c, uint32_t event, bool on)
{
	c->events->v[event].off = !on;
	return switch_event(c, event, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
}

int counters_pause_back(struct counters *c, bool paused)
{
	int first = 0;

	for (size_t i = 0; i < c->n_rings; i++) {
		int ret = c->rings[i].back ? c->ops->ioctl(c->ops->ctx, c->rings[i].fd,
							   PERF_EVENT_IOC_PAUSE_OUTPUT, paused) :
					     0;

		if (ret < 0 && !first)
			first = ret;
	}
	return first;
}

bool counters_have_back(const struct counters *c)
{
	for (size_t i = 0; i < c->n_rings; i++)
		if (c->rings[i].back)
			return true;
	return false;
}

/* Only those that write to a mapped ring; the last step undoes a resume that crossed counters_disable(). */
int counters_resume_aux(struct counters *c, uint32_t ring)
{
	int first = 0;

	for (size_t i = 0; i < c->n && !c->off; i++) {
		const struct counter *k = &c->v[i];
		int ret;

		if (!c->events->v[k->event].aux || c->events->v[k->event].off ||
		    (ring != PTUI_NONE && k->ring != ring))
			continue;
		ret = c->ops->ioctl(c->ops->ctx, k->fd, PERF_EVENT_IOC_ENABLE, 0);
		if (ret < 0 && !first)
			first = ret;
		if (c->off)
			c->ops->ioctl(c->ops->ctx, k->fd, PERF_EVENT_IOC_DISABLE, 0);
	}
	return first;
}

int counters_pause_aux(struct counters *c)
{
	int first = 0;

	for (size_t i = 0; i < c->n; i++) {
		int ret = c->events->v[c->v[i].event].aux ?
				  c->ops->ioctl(c->ops->ctx, c->v[i].fd, PERF_EVENT_IOC_DISABLE,
						0) :
				  0;

		if (ret < 0 && !first)
			first = ret;
	}
	return first;
}

void counters_fill_poll(const struct counters *c, struct pollfd *fds)
{
	for (size_t i = 0; i < c->n_rings; i++) {
		const struct counter_ring *r = &c->rings[i];

		fds[i].fd = r->watch < c->n ? c->v[r->watch].fd : -1;
		/* an unread ring would keep poll() awake; POLLHUP is reported anyway */
		fds[i].events = r->back ? 0 : POLLIN;
		fds[i].revents = 0;
	}
}

/* Next counter of the ring with a live task; one of all tasks never hangs up. */
static size_t next_watch(const struct counters *c, const struct counter_ring *r)
{
	struct pollfd one = { .fd = -1, .events = POLLIN };

	for (size_t i = r->watch + 1; i < c->n; i++) {
		if (c->v[i].ring != (uint32_t)(r - c->rings) ||
		    c->events->v[c->v[i].event].on_all_cpus)
			continue;
		one.fd = c->v[i].fd;
		if (c->ops->poll(c->ops->ctx, &one, 1, 0) <= 0 ||
		    !(one.revents & (POLLHUP | POLLERR)))
			return i;
	}
	return c->n;
}

bool counters_polled(struct counters *c, const struct pollfd *fds)
{
	bool left = false;

	for (size_t i = 0; i < c->n_rings; i++) {
		struct counter_ring *r = &c->rings[i];

		if (r->watch < c->n && fds[i].revents & (POLLHUP | POLLERR | POLLNVAL))
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

/* In floating point: a count of days times nanoseconds would overflow. */
static uint64_t scale(uint64_t value, uint64_t enabled, uint64_t running)
{
	if (!running || running >= enabled)
		return value;
	return (uint64_t)((double)value * ((double)enabled / (double)running) + 0.5);
}

/*
 * A thread has one counter per CPU, and all of them are enabled while it runs on any CPU. Only
 * their sum is the running time:
 *
 *	thread	on CPU 0 .... on CPU 1 ....	enabled: 2 s each
 *	CPU 0	counts		waits		running: 1 s
 *	CPU 1	waits		counts		running: 1 s	together all of the 2 s
 */
static void add_owner(struct counter_sum *ret, struct counter_value *owner)
{
	ret->value += owner->value;
	ret->enabled_ns += owner->enabled_ns;
	ret->running_ns += owner->running_ns;
	ret->lost += owner->lost;
	ret->scaled += scale(owner->value, owner->enabled_ns, owner->running_ns);
	memset(owner, 0, sizeof(*owner));
}

void counters_sum(const struct counters *c, uint32_t event, struct counter_sum *ret)
{
	struct counter_value value, owner = { 0 };
	pid_t tid = -1;
	int failed;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i].event != event)
			continue;
		failed = counters_read(c, i, &value);
		ret->n_failed += failed == -ESRCH;
		if (failed)
			continue;
		/* a thread's counters are adjacent; per-CPU ones are single */
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

size_t counters_ids(const struct counters *c, uint32_t event, uint64_t *ids, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i].event != event)
			continue;
		if (n < max)
			ids[n] = c->v[i].id;
		n++;
	}
	return n;
}
