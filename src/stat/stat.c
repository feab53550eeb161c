/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events, counters and their sums. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "event/attr.h"
#include "event/catalog.h"
#include "event/pmu.h"
#include "event/selector.h"
#include "record/select.h"
#include "record/target/attach.h"
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

/* ---- events ---- */

static const char *const default_events[] = {
	"context-switches", "cpu-migrations", "page-faults",   "cycles",
	"instructions",	    "branches",	      "branch-misses",
};
static const char *const detailed_events[] = {
	/* -d */
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	/* -d -d */
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	/* -d -d -d */
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};
/* Only where the PMU has them; else they would be "not supported" nearly everywhere. */
static const char *const stalled_events[] = { "stalled-cycles-frontend", "stalled-cycles-backend" };

static int add_text(struct stat *s, const char *text, struct ptui_error *err)
{
	return selector_parse(s->catalog, text, &s->list, err);
}

static bool pmu_has(struct stat *s, const char *name)
{
	const struct pmu *pmu = catalog_find_pmu(s->catalog, "cpu", 3);

	for (size_t i = 0; pmu && i < pmu->n_events; i++)
		if (!strcmp(pmu->events[i].name, name))
			return true;
	return false;
}

static int add_defaults(struct stat *s, struct ptui_error *err)
{
	int ret = add_text(s, s->target.system_wide ? "cpu-clock" : "task-clock", err);

	for (size_t i = 0; i < sizeof(default_events) / sizeof(*default_events) && !ret; i++) {
		ret = add_text(s, default_events[i], err);
		for (size_t j = 0; !strcmp(default_events[i], "cycles") && j < 2 && !ret; j++)
			if (pmu_has(s, stalled_events[j]))
				ret = add_text(s, stalled_events[j], err);
	}
	for (size_t i = 0; i < s->opts.detail && i < 3 && !ret; i++)
		ret = add_text(s, detailed_events[i], err);
	return ret;
}

/* The names of the -G after the n-th -e. */
static int add_cgroups(struct stat *s, size_t n, struct ptui_error *err)
{
	const struct ptui_record_opts *what = s->opts.what;
	int ret = 0;

	for (size_t i = 0; i < what->n_cgroups && !ret; i++)
		if (what->cgroup_after[i] == n)
			ret = cgroups_add(&s->cgroups, &s->ops->roots, what->cgroups[i], &s->list,
					  err);
	return ret;
}

static int parse_all(struct stat *s, struct ptui_error *err)
{
	const struct ptui_record_opts *what = s->opts.what;
	int ret = 0;

	if (!what->n_events)
		ret = add_defaults(s, err);
	for (size_t i = 0; i < what->n_events && !ret; i++) {
		size_t from = s->list.n;

		ret = add_cgroups(s, i, err);
		if (!ret)
			ret = add_text(s, what->events[i], err);
		if (!ret && what->filters && what->filters[i])
			ret = record_filter(s->catalog, &s->list, from, what->filters[i], false,
					    err);
	}
	return ret ? ret : add_cgroups(s, what->n_events, err);
}

/* All events, for one cgroup after the other. */
static int parse_for_each_cgroup(struct stat *s, struct ptui_error *err)
{
	char *names = strdup(s->opts.each_cgroup), *save = NULL;
	int ret = names ? 0 : ptui_error_nomem(err);

	for (char *name = ret ? NULL : strtok_r(names, ",", &save); name && !ret;
	     name = strtok_r(NULL, ",", &save)) {
		size_t from = s->list.n;

		ret = parse_all(s, err);
		if (!ret)
			ret = cgroups_set(&s->cgroups, &s->ops->roots, name, &s->list, from, err);
	}
	free(names);
	return ret;
}

static int parse_events(struct stat *s, struct ptui_error *err)
{
	int ret;

	if (s->opts.null_run)
		return 0;
	ret = s->opts.each_cgroup ? parse_for_each_cgroup(s, err) : parse_all(s, err);
	for (size_t i = 0; i < s->list.n && s->opts.one_group; i++)
		s->list.v[i].leader = 0;
	return ret;
}

bool stat_is_clock(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
						       ev->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

static void settle_event(struct stat *s, size_t i)
{
	struct event *ev = &s->list.v[i];
	struct stat_event *e = &s->events[i];

	if (ev->kind == EVENT_TOOL) {
		e->unit = "ns";
		return;
	}
	if (stat_is_clock(ev)) {
		e->unit = "msec";
		e->scale = 1e-6;
	} else if (ev->pmu_event && ev->pmu_event->unit) {
		e->unit = ev->pmu_event->unit;
		e->scale = ev->pmu_event->scale;
	}
	event_configure_counting(ev, s->target.inherit);
	if (s->opts.what->shape.all_kernel)
		ev->attr.exclude_user = 1;
	if (s->opts.what->shape.all_user)
		ev->attr.exclude_kernel = ev->attr.exclude_hv = 1;
	ev->attr.disabled = ev->leader == i;
	ev->attr.enable_on_exec = ev->attr.disabled && !s->opts.starts_off && s->opts.what->argv &&
				  stat_is_of_command(s);
}

int stat_prepare_events(struct stat *s)
{
	s->events = calloc(s->list.n + 1, sizeof(*s->events));
	if (!s->events)
		return -ENOMEM;
	for (size_t i = 0; i < s->list.n; i++) {
		struct stat_event *e = &s->events[i];

		e->event = &s->list.v[i];
		e->unit = "";
		e->scale = 1;
		e->why = (struct ptui_error)PTUI_ERROR_INIT;
	}
	return 0;
}

struct stat *stat_new(const struct kernel_ops *ops, const struct stat_opts *opts,
		      struct ptui_error *err)
{
	struct stat *s = calloc(1, sizeof(*s));
	int ret;

	if (!s) {
		ptui_error_nomem(err);
		return NULL;
	}
	s->ops = ops;
	s->opts = *opts;
	event_list_init(&s->list);
	s->catalog = catalog_new(&ops->roots);
	ret = s->catalog && !target_copy(&s->target, opts->what) ? 0 : ptui_error_nomem(err);
	if (!ret)
		ret = target_settle(&s->target, ops, err);
	if (!ret)
		ret = parse_events(s, err);
	if (!ret && stat_prepare_events(s))
		ret = ptui_error_nomem(err);
	if (ret) {
		stat_free(s);
		return NULL;
	}
	for (size_t i = 0; i < s->list.n; i++)
		settle_event(s, i);
	return s;
}

void stat_free(struct stat *s)
{
	if (!s)
		return;
	stat_close(s);
	for (size_t i = 0; s->events && i < s->list.n; i++)
		free(s->events[i].cells);
	free(s->events);
	free(s->sets);
	event_list_release(&s->list);
	cgroups_release(&s->cgroups);
	target_release(&s->target);
	catalog_free(s->catalog);
	free(s);
}

size_t stat_n_events(const struct stat *s)
{
	return s->list.n;
}

struct stat_event *stat_event(struct stat *s, size_t i)
{
	return &s->events[i];
}

bool stat_is_system_wide(const struct stat *s)
{
	return s->target.system_wide;
}

bool stat_is_of_command(const struct stat *s)
{
	return !s->target.system_wide && !target_has_tasks(&s->target);
}

enum stat_aggr stat_aggr(const struct stat *s)
{
	return s->opts.aggr;
}

/* ---- opening ---- */

static void set_free(struct set *set)
{
	if (!set)
		return;
	if (set->open)
		counters_release(&set->counters);
	free(set->list.v);
	free(set->index);
	free(set->before);
	free(set);
}

/* The supported ones of the events [from, from + n). */
static int set_fill(struct set *set, struct stat *s, uint32_t from, uint32_t n)
{
	set->list.v = calloc(n, sizeof(*set->list.v));
	set->index = calloc(n, sizeof(*set->index));
	if (!set->list.v || !set->index)
		return -ENOMEM;
	for (uint32_t i = from; i < from + n; i++) {
		struct event *copy = &set->list.v[set->list.n];

		if (!s->events[i].supported)
			continue;
		*copy = s->list.v[i];
		copy->leader = 0;
		if (!set->list.n) { /* the leader itself may not be supported */
			copy->attr.disabled = s->list.v[from].attr.disabled;
			copy->attr.enable_on_exec = s->list.v[from].attr.enable_on_exec;
		}
		set->index[set->list.n++] = i;
	}
	return 0;
}

static int open_counters(struct stat *s, struct set *set, pid_t pid, struct ptui_error *err)
{
	int ret = counters_init(&set->counters, s->ops, &set->list, 0, err);

	if (ret)
		return ret;
	set->open = true;
	set->counters.counting = true;
	if (s->target.system_wide) {
		if (s->target.cpus &&
		    counters_use_cpus(&set->counters, s->target.cpus, s->target.n_cpus))
			return ptui_error_nomem(err);
		return counters_open(&set->counters, -1, err);
	}
	counters_follow_tasks(&set->counters);
	return target_has_tasks(&s->target) ? attach_tasks(&set->counters, &s->target, err) :
					      counters_open(&set->counters, pid, err);
}

/* The errors that say that the event, and not the target or the user, is the problem. */
static bool is_unsupported(int ret)
{
	return ret == -EINVAL || ret == -ENOSYS || ret == -ENOENT || ret == -EOPNOTSUPP ||
	       ret == -ENXIO || ret == -ENODEV;
}

/* NULL, with the reason in *ret and err. */
static struct set *open_set(struct stat *s, uint32_t from, uint32_t n, pid_t pid, int *ret,
			    struct ptui_error *err)
{
	struct set *set = calloc(1, sizeof(*set));

	*ret = set && !set_fill(set, s, from, n) ? open_counters(s, set, pid, err) : -ENOMEM;
	if (!*ret)
		return set;
	if (*ret == -ENOMEM)
		ptui_error_nomem(err);
	set_free(set);
	return NULL;
}

/* Marks those events of a refused group that are refused alone as well; if none is, all. */
static int find_unsupported(struct stat *s, uint32_t from, uint32_t n, pid_t pid,
			    const struct ptui_error *why, struct ptui_error *err)
{
	bool found = false;

	for (uint32_t i = from; i < from + n; i++) {
		struct ptui_error alone = PTUI_ERROR_INIT;
		int ret;

		if (!s->events[i].supported)
			continue;
		set_free(open_set(s, i, 1, pid, &ret, &alone));
		if (ret && !is_unsupported(ret)) {
			*err = alone;
			return ret;
		}
		if (!ret)
			continue;
		found = true;
		s->events[i].supported = false;
		s->events[i].why = alone;
	}
	for (uint32_t i = from; i < from + n && !found; i++) {
		s->events[i].why = *why;
		s->events[i].supported = false;
	}
	return 0;
}

static bool any_supported(const struct stat *s, uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++)
		if (s->events[i].supported)
			return true;
	return false;
}

static int open_group(struct stat *s, uint32_t from, uint32_t n, pid_t pid, struct ptui_error *err)
{
	struct ptui_error why;
	struct set *set;
	int ret;

	if (vec_grow(&s->sets, &s->cap_sets, s->n_sets + 1))
		return ptui_error_nomem(err);
	for (uint32_t i = from; i < from + n; i++)
		s->events[i].supported = s->list.v[i].kind != EVENT_TOOL;
	while (any_supported(s, from, n)) {
		why = (struct ptui_error)PTUI_ERROR_INIT;
		set = open_set(s, from, n, pid, &ret, &why);
		if (set) {
			s->sets[s->n_sets++] = set;
			return 0;
		}
		if (!is_unsupported(ret)) {
			*err = why;
			return ret;
		}
		ret = find_unsupported(s, from, n, pid, &why, err);
		if (ret)
			return ret;
	}
	return 0;
}

int stat_open(struct stat *s, pid_t pid, struct ptui_error *err)
{
	int ret = 0;

	for (uint32_t i = 0, n; i < s->list.n && !ret; i += n) {
		for (n = 1; i + n < s->list.n && s->list.v[i + n].leader == i; n++)
			;
		ret = open_group(s, i, n, pid, err);
		if (s->list.v[i].kind == EVENT_TOOL)
			s->events[i].supported = true;
	}
	/* a process that exits while it is opened has no message yet */
	if (ret && !ptui_error_is_set(err))
		ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL,
			       _("the process exited before it could be counted"));
	return ret;
}

int stat_start(struct stat *s)
{
	/* all of them or none: see settle_event() */
	return s->n_sets && s->sets[0]->list.v[0].attr.enable_on_exec ? 0 : stat_enable(s);
}

int stat_enable(struct stat *s)
{
	int ret = 0;

	for (size_t i = 0; i < s->n_sets && !ret; i++) {
		struct set *set = s->sets[i];

		ret = target_has_tasks(&s->target) ? attach_enable(&set->counters, &s->target) :
						     counters_enable(&set->counters);
	}
	return ret;
}

int stat_disable(struct stat *s)
{
	int ret = 0;

	for (size_t i = 0; i < s->n_sets && !ret; i++)
		ret = counters_disable(&s->sets[i]->counters);
	return ret;
}

int stat_switch_event(struct stat *s, uint32_t event, bool on)
{
	for (size_t i = 0; i < s->n_sets; i++)
		for (uint32_t j = 0; j < s->sets[i]->list.n; j++)
			if (s->sets[i]->index[j] == event)
				counters_switch(&s->sets[i]->counters, j, on);
	return 0;
}

const struct event_list *stat_events(const struct stat *s)
{
	return &s->list;
}

void stat_close_at_exit(struct stat *s)
{
	struct counters **all = calloc(s->n_sets + 1, sizeof(*all));

	for (size_t i = 0; all && i < s->n_sets; i++) {
		all[i] = &s->sets[i]->counters;
		s->sets[i]->open = false;
	}
	if (all)
		counters_release_all_in_child(all, s->n_sets);
	free(all);
	stat_close(s);
}

void stat_close(struct stat *s)
{
	for (size_t i = 0; i < s->n_sets; i++)
		set_free(s->sets[i]);
	s->n_sets = 0;
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

/* NULL: out of memory. */
static struct stat_cell *cell_of(const struct stat *s, struct stat_event *e,
				 const struct stat_id *id)
{
	struct stat_cell *c;

	for (size_t i = 0; i < e->n_cells; i++)
		if (stat_same_id(&e->cells[i].id, id))
			return &e->cells[i];
	if (vec_grow(&e->cells, &e->cap_cells, e->n_cells + 1))
		return NULL;
	c = &e->cells[e->n_cells++];
	*c = (struct stat_cell){ .id = *id };
	if (s->opts.aggr == STAT_THREAD)
		stat_comm(&s->ops->roots, s->places, id->tid, c->comm);
	return c;
}

static void id_of(const struct stat *s, const struct stat_value *v, struct stat_id *ret)
{
	*ret = (struct stat_id){ -1, -1, -1, -1, -1, -1 };
	if (s->opts.aggr == STAT_THREAD)
		ret->tid = v->tid;
	else if (s->opts.aggr != STAT_GLOBAL && s->places)
		stat_recorded_topology(s->places, v->cpu, s->opts.aggr, ret);
	else if (s->opts.aggr != STAT_GLOBAL)
		stat_topology(&s->ops->roots, v->cpu, s->opts.aggr, ret);
}

int stat_add_value(struct stat *s, const struct stat_value *v, const struct counter_value *before)
{
	struct stat_event *e = &s->events[v->event];
	const struct counter_value *now = v->now;
	struct stat_cell *c;
	struct stat_id id;
	double value;

	id_of(s, v, &id);
	c = cell_of(s, e, &id);
	if (!c)
		return -ENOMEM;
	c->n_counters++;
	if (!now)
		return 0; /* an error state: not counted */
	value = (double)(now->value - before->value);
	if (now->running_ns - before->running_ns < now->enabled_ns - before->enabled_ns &&
	    !s->opts.no_scale) {
		double enabled = (double)(now->enabled_ns - before->enabled_ns);
		double running = (double)(now->running_ns - before->running_ns);

		value = running > 0 ? floor(value * enabled / running + 0.5) : 0;
	}
	c->value += value * e->scale;
	c->enabled_ns += now->enabled_ns - before->enabled_ns;
	c->running_ns += now->running_ns - before->running_ns;
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
	const struct stat_id all = { -1, -1, -1, -1, -1, -1 };
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

/* Cells of events that are not supported, so that each has its lines. */
int stat_end_sums(struct stat *s)
{
	const struct stat_id all = { -1, -1, -1, -1, -1, -1 };
	const struct stat_event *like = NULL;

	for (size_t i = 0; i < s->list.n && !like; i++)
		if (s->events[i].supported && s->list.v[i].kind != EVENT_TOOL)
			like = &s->events[i];
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

void stat_begin_sums(struct stat *s)
{
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

	stat_begin_sums(s);
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
