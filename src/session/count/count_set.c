/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One text that is counted: parsed, opened, read. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "event/attr.h"
#include "event/selector/selector.h"
#include "record/select.h"
#include "record/target/attach.h"
#include "session/count/count.h"

/* ---- opening ---- */

static int parse(struct count_set *set, struct catalog *catalog, bool inherit)
{
	int ret = selector_parse(catalog, set->wish.text, &set->events, &set->why);

	if (!ret && set->wish.filter)
		ret = record_filter(catalog, &set->events, 0, set->wish.filter, false, &set->why);
	if (ret)
		return ret;
	if (set->events.n > PTUI_COUNT_EVENTS)
		event_list_truncate(&set->events, PTUI_COUNT_EVENTS);
	for (size_t i = 0; i < set->events.n; i++)
		event_configure_counting(&set->events.v[i], inherit);
	return 0;
}

/* An event of a PMU that is on some CPUs only cannot follow a thread. */
static bool can_follow_tasks(const struct count_set *set)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (set->events.v[i].cpus)
			return false;
	return true;
}

static int open_counters(struct count_set *set, const struct kernel_ops *ops, const pid_t *pids,
			 size_t n_pids)
{
	int ret = counters_init(&set->counters, ops, &set->events, 0, &set->why);
	size_t n_there = 0;

	if (ret)
		return ret;
	set->open = true;
	set->counters.counting = set->counters.filter_enables = true;
	if (!n_pids)
		return counters_open(&set->counters, -1, &set->why);
	if (can_follow_tasks(set))
		counters_follow_tasks(&set->counters);
	for (size_t i = 0; i < n_pids; i++) {
		ret = attach_pid(&set->counters, pids[i], true, &set->why);
		if (ret && ret != -ESRCH)
			return ret;
		n_there += !ret;
	}
	return n_there ? 0 : ret;
}

/* Also for refused sets, so that a row can show which event it is. */
static int init_shown(struct count_set *set)
{
	set->v = calloc(set->events.n + 1, sizeof(*set->v));
	if (!set->v)
		return -ENOMEM;
	set->n = set->events.n;
	for (size_t i = 0; i < set->n; i++) {
		struct ptui_count_event *e = &set->v[i].shown;

		snprintf(e->name, sizeof(e->name), "%s", set->events.v[i].name);
		e->state = set->refused ? PTUI_COUNT_NOT_SUPPORTED : PTUI_COUNT_UNTRIED;
		e->running_share = 1;
		e->rate = NAN;
	}
	return 0;
}

struct count_set *count_set_open(const struct kernel_ops *ops, struct catalog *catalog,
				 const struct count_wish *wish, const pid_t *pids, size_t n_pids)
{
	struct count_set *set = calloc(1, sizeof(*set));
	int ret;

	if (!set)
		return NULL;
	event_list_init(&set->events);
	set->wish.marked = wish->marked;
	set->wish.text = strdup(wish->text);
	set->wish.filter = wish->filter ? strdup(wish->filter) : NULL;
	if (!set->wish.text || (wish->filter && !set->wish.filter)) {
		count_set_free(set);
		return NULL;
	}
	ret = parse(set, catalog, n_pids);
	if (!ret)
		ret = open_counters(set, ops, pids, n_pids);
	set->refused = ret;
	/* the reason is enough; the counters that did open are not counted alone */
	if (ret && set->open) {
		counters_release(&set->counters);
		set->open = false;
	}
	if (init_shown(set)) {
		count_set_free(set);
		return NULL;
	}
	return set;
}

void count_set_free(struct count_set *set)
{
	if (set->open)
		counters_release(&set->counters);
	event_list_release(&set->events);
	free(set->v);
	free(set->wish.text);
	free(set->wish.filter);
	free(set);
}

/* ---- reading ---- */

static void add_history(struct count_event *e, double value)
{
	e->history[e->next] = value;
	e->next = (e->next + 1) % PTUI_COUNT_HISTORY;
	if (e->shown.n_history < PTUI_COUNT_HISTORY)
		e->shown.n_history++;
}

/*
 * The rate since the last reading, scaled by the share of time that the event was on a counter. If
 * it never was, there is no rate; but a task that did not run has counted nothing.
 */
static void update_rate(struct count_event *e, const struct counter_sum *now, uint64_t now_ns)
{
	uint64_t enabled_ns = now->enabled_ns - e->before.enabled_ns;
	uint64_t running_ns = now->running_ns - e->before.running_ns;
	double value = (double)(now->value - e->before.value);
	double passed_s = (double)(now_ns - e->read_ns) / 1e9;

	if (running_ns > enabled_ns)
		running_ns = enabled_ns;
	if (enabled_ns)
		e->shown.running_share = (double)running_ns / (double)enabled_ns;
	if (running_ns)
		value *= (double)enabled_ns / (double)running_ns;
	else if (enabled_ns)
		value = NAN;
	e->shown.rate = passed_s > 0 ? value / passed_s : NAN;
	add_history(e, e->shown.rate);
}

static void update_shown(struct count_event *e, const struct counter_sum *now, bool failed,
			 uint64_t now_ns)
{
	struct ptui_count_event *s = &e->shown;

	s->count = now->value;
	s->scaled = now->scaled;
	if (failed) {
		s->state = PTUI_COUNT_ERROR;
		s->rate = NAN;
		s->running_share = 0;
		add_history(e, NAN);
	} else {
		s->state = now->enabled_ns && !now->running_ns ? PTUI_COUNT_WAITING :
								 PTUI_COUNT_COUNTING;
		/* the first reading has no interval */
		if (e->read_ns)
			update_rate(e, now, now_ns);
	}
	s->generation++;
	e->before = *now;
	e->read_ns = now_ns;
}

/* If the leader of a group is in its error state, the members do not count either. */
static bool has_failed(const struct count_set *set, size_t i, const struct counter_sum *sums)
{
	return sums[i].n_failed || sums[set->events.v[i].leader].n_failed;
}

void count_set_read(struct count_set *set, uint64_t now_ns, pthread_mutex_t *lock)
{
	struct counter_sum sums[PTUI_COUNT_EVENTS];

	if (!set->open)
		return;
	for (size_t i = 0; i < set->n; i++)
		counters_sum(&set->counters, (uint32_t)i, &sums[i]);
	pthread_mutex_lock(lock);
	for (size_t i = 0; i < set->n; i++)
		update_shown(&set->v[i], &sums[i], has_failed(set, i, sums), now_ns);
	pthread_mutex_unlock(lock);
}
