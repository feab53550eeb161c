/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of counts, and their means over runs. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "stat/stat_private.h"

/* ---- means ---- */

void stat_mean_add(struct stat_mean *m, double value)
{
	double delta = value - m->mean;

	m->n++;
	m->mean += delta / m->n;
	m->m2 += delta * (value - m->mean);
}

double stat_mean_error(const struct stat_mean *m)
{
	return m->n < 2 ? 0 : sqrt(m->m2 / (m->n - 1) / m->n);
}

/* ---- reading ---- */

void stat_on_value(struct stat *s, stat_value_fn fn, void *ctx)
{
	s->on_value = fn;
	s->on_value_ctx = ctx;
}

bool stat_same_id(const struct stat_id *a, const struct stat_id *b)
{
	return a->node == b->node && a->socket == b->socket && a->die == b->die &&
	       a->core == b->core && a->cpu == b->cpu && a->tid == b->tid;
}

static uint64_t id_hash(const struct stat_id *id)
{
	uint64_t place = hash_pair((uint32_t)id->node, (uint32_t)id->socket);

	place = hash_pair(place, hash_pair((uint32_t)id->die, (uint32_t)id->core));
	return hash_pair(place, hash_pair((uint32_t)id->cpu, (uint32_t)id->tid));
}

static bool cell_is_at(const void *owner, uint32_t index, const void *key)
{
	return stat_same_id(&((const struct stat_event *)owner)->cells[index].id, key);
}

struct stat_cell *stat_find_cell(const struct stat_event *e, const struct stat_id *id)
{
	uint32_t i = index_table_find(&e->index, id_hash(id), cell_is_at, e, id);

	return i == PTUI_NONE ? NULL : &e->cells[i];
}

int stat_index_cells(struct stat_event *e)
{
	int ret = 0;

	index_table_release(&e->index);
	index_table_init(&e->index);
	for (size_t i = 0; i < e->n_cells && !ret; i++)
		ret = index_table_add(&e->index, id_hash(&e->cells[i].id), (uint32_t)i);
	return ret;
}

/* NULL: out of memory. */
static struct stat_cell *cell_of(const struct stat *s, struct stat_event *e,
				 const struct stat_id *id)
{
	struct stat_cell *c = stat_find_cell(e, id);

	if (c)
		return c;
	if (vec_grow(&e->cells, &e->cap_cells, e->n_cells + 1) ||
	    index_table_add(&e->index, id_hash(id), (uint32_t)e->n_cells))
		return NULL;
	c = &e->cells[e->n_cells++];
	*c = (struct stat_cell){ .id = *id };
	if (s->opts.aggr == STAT_THREAD)
		stat_comm(s->ops ? &s->ops->roots : NULL, s->places, id->tid, c->comm,
			  sizeof(c->comm));
	return c;
}

static void id_of(const struct stat *s, const struct stat_value *v, struct stat_id *ret)
{
	*ret = (struct stat_id){ -1, -1, -1, -1, -1, -1, -1 };
	if (s->opts.aggr == STAT_THREAD)
		ret->tid = v->tid;
	else if (s->opts.aggr != STAT_GLOBAL && s->places)
		stat_recorded_topology(s->places, v->cpu, s->opts.aggr, ret);
	else if (s->opts.aggr != STAT_GLOBAL)
		stat_topology(&s->ops->roots, v->cpu, &s->opts, ret);
}

int stat_name_threads(struct stat *s)
{
	for (size_t i = 0; i < s->n_sets && s->opts.aggr == STAT_THREAD; i++) {
		struct set *set = s->sets[i];

		for (size_t j = 0; j < set->counters.n; j++) {
			const struct counter *k = &set->counters.v[j];
			struct stat_value v = { set->index[k->event], k->cpu, k->tid, k->id, NULL };
			struct stat_id id;

			id_of(s, &v, &id);
			if (!cell_of(s, &s->events[v.event], &id))
				return -ENOMEM;
		}
	}
	return 0;
}

/*
 * What was counted since `before`. For a cgroup that has tasks on the CPU when its first counter is
 * enabled, Linux (6.18) adds the time since that CPU last had a counter of a cgroup: minutes of which it
 * does not know how many were running.
 */
static void counted_since(const struct stat *s, const struct event *ev,
			  const struct counter_value *now, const struct counter_value *before,
			  struct counter_value *ret)
{
	*ret = (struct counter_value){ .value = now->value - before->value,
				       .enabled_ns = now->enabled_ns - before->enabled_ns,
				       .running_ns = now->running_ns - before->running_ns };
	if (ev->cgroup && s->passed_ns && ret->enabled_ns / 2 > s->passed_ns && ret->running_ns)
		ret->enabled_ns = ret->running_ns = s->passed_ns;
}

int stat_add_value(struct stat *s, const struct stat_value *v, const struct counter_value *before)
{
	struct stat_event *e = &s->events[v->event];
	struct counter_value counted;
	struct stat_cell *c;
	struct stat_id id;
	double value;

	id_of(s, v, &id);
	c = cell_of(s, e, &id);
	if (!c)
		return -ENOMEM;
	c->n_counters++;
	if (!v->now)
		return 0; /* an error state: not counted */
	counted_since(s, e->event, v->now, before, &counted);
	value = (double)counted.value;
	if (counted.running_ns < counted.enabled_ns && !s->opts.no_scale)
		value = counted.running_ns ? floor(value * (double)counted.enabled_ns /
							   (double)counted.running_ns +
						   0.5) :
					     0;
	c->value += value * e->scale;
	c->enabled_ns += counted.enabled_ns;
	c->running_ns += counted.running_ns;
	return 0;
}

static int add_counter(struct stat *s, struct set *set, size_t i, bool since_last)
{
	const struct counter *k = &set->counters.v[i];
	static const struct counter_value zero;
	const struct counter_value *before = since_last ? &set->before[i] : &zero;
	struct counter_value now;
	struct stat_value v = { set->index[k->event], k->cpu, k->tid, k->id, NULL };
	int ret;

	if (!counters_read(&set->counters, i, &now))
		v.now = &now;
	ret = stat_add_value(s, &v, before);
	if (!ret && v.now && s->on_value)
		ret = s->on_value(s->on_value_ctx, &v);
	if (since_last && v.now)
		set->before[i] = now;
	return ret;
}

static int read_tool(struct stat *s, struct stat_event *e, const struct stat_usage *usage)
{
	const struct stat_id all = { -1, -1, -1, -1, -1, -1, -1 };
	struct stat_cell *c = cell_of(s, e, &all);

	if (!c)
		return -ENOMEM;
	c->n_counters = 1;
	c->value = (double)(!strcmp(e->event->name, "user_time")   ? usage->user_ns :
			    !strcmp(e->event->name, "system_time") ? usage->system_ns :
								     usage->passed_ns);
	c->enabled_ns = c->running_ns = usage->passed_ns;
	if (s->on_value) {
		struct counter_value now = { (uint64_t)c->value, usage->passed_ns, usage->passed_ns,
					     0 };
		uint32_t i = (uint32_t)(e - s->events);
		struct stat_value v = { i, -1, -1, stat_tool_id(i), &now };

		return s->on_value(s->on_value_ctx, &v);
	}
	return 0;
}

/* An event that was counted; NULL: none. Those that are not supported get the same cells. */
static const struct stat_event *counted_event(const struct stat *s)
{
	for (size_t i = 0; i < s->list.n; i++)
		if (s->events[i].supported && s->list.v[i].kind != EVENT_TOOL)
			return &s->events[i];
	return NULL;
}

uint64_t stat_sums_cost(const struct stat *s)
{
	const struct stat_event *like = counted_event(s);
	uint64_t sum = s->list.n;

	for (size_t i = 0; i < s->list.n; i++) {
		const struct stat_event *e = &s->events[i];
		uint64_t n = e->n_cells ? e->n_cells : like ? like->n_cells : 1;

		/* ratios look for other events */
		sum += n * (1 + s->list.n / 256 + strlen(e->event->name) / 64);
	}
	return sum;
}

/* Cells of events that are not supported, so that each has its lines. */
int stat_end_sums(struct stat *s)
{
	const struct stat_id all = { -1, -1, -1, -1, -1, -1, -1 };
	const struct stat_event *like = counted_event(s);

	for (size_t i = 0; i < s->list.n; i++) {
		if (s->events[i].n_cells)
			continue;
		for (size_t j = 0; like && j < like->n_cells; j++) {
			struct stat_cell *c = cell_of(s, &s->events[i], &like->cells[j].id);

			if (!c)
				return -ENOMEM;
			c->n_counters = like->cells[j].n_counters;
		}
		if (!like && !cell_of(s, &s->events[i], &all))
			return -ENOMEM;
	}
	return 0;
}

void stat_begin_sums(struct stat *s, uint64_t passed_ns)
{
	s->passed_ns = passed_ns;
	for (size_t i = 0; i < s->list.n; i++)
		for (size_t j = 0; j < s->events[i].n_cells; j++) {
			struct stat_cell *c = &s->events[i].cells[j];

			c->value = 0;
			c->enabled_ns = c->running_ns = c->n_counters = 0;
		}
}

int stat_read(struct stat *s, bool since_last, const struct stat_usage *usage,
	      struct ptui_error *err)
{
	int ret = 0;

	stat_begin_sums(s, usage->passed_ns);
	for (size_t i = 0; i < s->list.n && !ret; i++)
		if (s->list.v[i].kind == EVENT_TOOL)
			ret = read_tool(s, &s->events[i], usage);
	for (size_t i = 0; i < s->n_sets && !ret; i++) {
		struct set *set = s->sets[i];
		size_t had = set->cap_before;

		if (vec_grow(&set->before, &set->cap_before, set->counters.n + 1))
			ret = -ENOMEM;
		for (; !ret && had < set->cap_before; had++)
			set->before[had] = (struct counter_value){ 0 };
		for (size_t j = 0; j < set->counters.n && !ret; j++)
			ret = add_counter(s, set, j, since_last);
	}
	ret = ret ? ret : stat_end_sums(s);
	return ret ? ptui_error_nomem(err) : 0;
}

void stat_add_run(struct stat *s)
{
	for (size_t i = 0; i < s->list.n; i++)
		for (size_t j = 0; j < s->events[i].n_cells; j++) {
			struct stat_cell *c = &s->events[i].cells[j];

			stat_mean_add(&c->values, c->value);
			stat_mean_add(&c->enabled, (double)c->enabled_ns);
			stat_mean_add(&c->running, (double)c->running_ns);
		}
}
