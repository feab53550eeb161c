/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/trigger_event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "event/attr.h"
#include "event/selector/filter.h"
#include "record/select.h"
#include "record/target/tasks.h"

#define OPTION	   "--switch-output-event"
#define RING_PAGES 2 /* hits are drained at once */

void trigger_event_init(struct trigger_event *t)
{
	memset(t, 0, sizeof(*t));
	event_list_init(&t->events);
}

void trigger_event_release(struct trigger_event *t)
{
	trigger_event_close(t, false);
	event_list_release(&t->events);
}

void trigger_event_close(struct trigger_event *t, bool aside)
{
	if (!t->counters.ops)
		return;
	if (aside)
		counters_release_aside(&t->counters);
	else
		counters_release_in_child(&t->counters);
}

/* ---- hits ---- */

/* True if every occurrence may be a hit: not for clocks and counters that advance all the time. */
static bool is_hit_by_itself(const struct event *ev)
{
	const struct perf_event_attr *a = &ev->attr;

	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config != PERF_COUNT_SW_CPU_CLOCK &&
		       a->config != PERF_COUNT_SW_TASK_CLOCK;
	return a->type == PERF_TYPE_TRACEPOINT || a->type == PERF_TYPE_BREAKPOINT ||
	       ev->kind == EVENT_TRACEPOINT;
}

/* A record has the thread id only. perf sets no period, so only tracepoints ever fire there. */
static int trigger_configure(struct event *ev, struct ptui_error *err)
{
	struct perf_event_attr *a = &ev->attr;

	a->sample_type = PERF_SAMPLE_TID;
	a->read_format = 0;
	a->disabled = 1;
	a->wakeup_events = 1;
	a->freq = 0;
	a->sample_period = 1;
	if (ev->terms.given & EVENT_TERM_PERIOD && ev->terms.period) {
		a->sample_period = ev->terms.period;
	} else if (ev->terms.given & EVENT_TERM_FREQ && ev->terms.freq_hz) {
		a->freq = 1;
		a->sample_freq = ev->terms.freq_hz;
	} else if (!is_hit_by_itself(ev)) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, OPTION,
			       _("%s occurs all the time: set after how many occurrences to take a "
				 "snapshot (%s)"),
			       ev->name, OPTION);
		ptui_error_hint(err, _("add period=, such as cycles/period=1000000000/"));
		return -EINVAL;
	}
	a->size = attr_size_min(a);
	return 0;
}

int trigger_event_add(struct trigger_event *t, struct catalog *catalog, const char *text,
		      const char *filter, struct ptui_error *err)
{
	size_t from = t->events.n;
	int ret = record_select(catalog, text, &t->events, err);

	if (!ret)
		ret = record_filter(catalog, &t->events, from, filter, false, err);
	for (size_t i = from; i < t->events.n && !ret; i++) {
		t->events.v[i].leader = (uint32_t)i; /* hits of groups are not counted together */
		ret = trigger_configure(&t->events.v[i], err);
	}
	return ret;
}

/* ---- open ---- */

/* A thread that has exited is skipped. */
static int open_threads(struct trigger_event *t, pid_t pid, struct ptui_error *err)
{
	pid_t *tids;
	size_t n;
	int ret = tasks_threads(&t->counters.ops->roots, pid, &tids, &n, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < n && !ret; i++) {
		ret = counters_open(&t->counters, tids[i], err);
		ret = ret == -ESRCH ? 0 : ret;
	}
	free(tids);
	return ret;
}

static int open_user(struct trigger_event *t, const struct target *w, struct ptui_error *err)
{
	const struct roots *roots = &t->counters.ops->roots;
	pid_t *pids;
	size_t n;
	int ret = tasks_processes(roots, &pids, &n, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < n && !ret; i++) {
		if (!target_owns(w, roots, pids[i]))
			continue;
		ret = open_threads(t, pids[i], err);
		ret = ret == -ESRCH ? 0 : ret;
	}
	free(pids);
	return ret;
}

static int open_tasks(struct trigger_event *t, const struct target *w, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < w->n_pids && !ret; i++)
		ret = open_threads(t, w->pids[i], err);
	for (size_t i = 0; i < w->n_tids && !ret; i++) {
		ret = counters_open(&t->counters, w->tids[i], err);
		ret = ret == -ESRCH ? 0 : ret;
	}
	return !ret && w->user ? open_user(t, w, err) : ret;
}

int trigger_event_open(struct trigger_event *t, struct catalog *catalog,
		       const struct kernel_ops *ops, const struct target *w, struct ptui_error *err)
{
	bool tasks = !w->system_wide && target_has_tasks(w);
	int ret;

	if (!t->events.n)
		return 0;
	ret = record_exclude_self(&t->events, ops->roots.proc, true);
	if (ret < 0)
		return ptui_error_errno(err, -ret, "/proc/self/task",
					_("cannot list ptui's own threads (%s)"), OPTION);
	for (size_t i = 0; i < t->events.n; i++)
		t->events.v[i].attr.inherit = tasks && w->inherit;
	ret = counters_init(&t->counters, ops, &t->events, RING_PAGES * ops->page_bytes, err);
	if (!ret && w->cpus && counters_use_cpus(&t->counters, w->cpus, w->n_cpus))
		ret = ptui_error_nomem(err);
	if (!ret)
		ret = tasks ? open_tasks(t, w, err) : counters_open(&t->counters, -1, err);
	if (ret && t->counters.ops && t->counters.bad_filter != PTUI_NONE)
		event_filter_why(catalog, &t->events.v[t->counters.bad_filter], err);
	if (!ret) {
		ret = counters_enable(&t->counters);
		if (ret)
			ptui_error_errno(err, -ret, NULL, _("cannot enable the counters"));
	}
	if (ret)
		ptui_error_prefix(err, OPTION);
	return ret;
}

/* ---- hits ---- */

size_t trigger_event_n_fds(const struct trigger_event *t)
{
	return t->counters.ops ? t->counters.n_rings : 0;
}

void trigger_event_fill_poll(const struct trigger_event *t, struct pollfd *fds)
{
	if (t->counters.ops)
		counters_fill_poll(&t->counters, fds);
}

/* u32 pid, tid. Lost records count as hits: there were too many to know whose. */
static bool is_hit(const struct ring *r, const struct perf_event_header *header, uint64_t at)
{
	uint64_t word;
	uint32_t pid;

	if (header->type == PERF_RECORD_LOST)
		return true;
	if (header->type != PERF_RECORD_SAMPLE || header->size < sizeof(*header) + sizeof(word))
		return false;
	word = ring_u64(r, at, sizeof(*header));
	memcpy(&pid, &word, sizeof(pid));
	return pid != (uint32_t)getpid();
}

static uint64_t drain_hits(struct counter_ring *cr)
{
	struct perf_event_header header;
	struct iovec iov[2];
	struct ring_hop hop;
	uint64_t at, hits = 0;
	int n;
	size_t bytes = ring_peek(&cr->ring, iov, &n);

	if (!bytes)
		return 0;
	ring_hop_init(&hop, &cr->ring, bytes);
	while (ring_hop_next(&hop, &header, &at))
		hits += is_hit(&cr->ring, &header, at);
	ring_consume(&cr->ring, bytes);
	return hits;
}

uint64_t trigger_event_hits(struct trigger_event *t, const struct pollfd *fds)
{
	uint64_t hits = 0;

	if (!t->counters.ops)
		return 0;
	counters_polled(&t->counters, fds);
	for (size_t i = 0; i < t->counters.n_rings; i++)
		hits += drain_hits(&t->counters.rings[i]);
	return hits;
}
