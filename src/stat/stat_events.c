/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which events are counted: those of -e and -G, or the default ones; their attrs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "base/i18n.h"
#include "event/attr.h"
#include "event/catalog.h"
#include "event/pmu.h"
#include "event/selector/filter.h"
#include "event/selector/selector.h"
#include "kernel/cpus.h"
#include "ptui/log.h"
#include "record/select.h"
#include "record/target/cgroup_find.h"
#include "stat/stat_private.h"

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
	int ret = add_text(s, stat_is_system_wide(s) ? "cpu-clock" : "task-clock", err);

	for (size_t i = 0; i < sizeof(default_events) / sizeof(*default_events) && !ret; i++) {
		ret = add_text(s, default_events[i], err);
		for (size_t j = 0; !strcmp(default_events[i], "cycles") && j < 2 && !ret; j++)
			if (pmu_has(s, stalled_events[j]))
				ret = add_text(s, stalled_events[j], err);
	}
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

/* Of the events from `from` on. */
static int set_filter(struct stat *s, size_t from, const char *text, struct ptui_error *err)
{
	struct buf resolved = BUF_INIT;
	int ret = 0;

	if (event_filter_is_address(text)) {
		ret = s->opts.resolve_filter(text, s->ops->roots.proc, &resolved, err);
		text = buf_str(&resolved);
		if (!ret && resolved.err)
			ret = ptui_error_nomem(err);
	}
	if (!ret)
		ret = record_filter(s->catalog, &s->list, from, text, false, err);
	buf_release(&resolved);
	return ret;
}

static int parse_all(struct stat *s, struct ptui_error *err)
{
	const struct ptui_record_opts *what = s->opts.what;
	int ret = 0;

	if (!what->n_events && !s->opts.n_metrics)
		ret = add_defaults(s, err);
	for (size_t i = 0; i < what->n_events && !ret; i++) {
		size_t from = s->list.n;

		ret = add_cgroups(s, i, err);
		if (!ret)
			ret = add_text(s, what->events[i], err);
		if (!ret && what->filters && what->filters[i])
			ret = set_filter(s, from, what->filters[i], err);
	}
	/* as in perf, also after those of -e */
	for (size_t i = 0; i < s->opts.detail && i < 3 && !ret; i++)
		ret = add_text(s, detailed_events[i], err);
	if (!ret)
		ret = stat_choose_metrics(s, err);
	return ret ? ret : add_cgroups(s, what->n_events, err);
}

/* Opening a cgroup's counters on each switch between cgroups takes time, and each counter is a file. */
#define CGROUPS_MAX 256
#define FILES_LEFT  64 /* for everything else */

/* How many cgroups can be counted, each with the `n_events` events on all CPUs. */
static size_t cgroups_that_fit(struct stat *s, size_t n_events)
{
	struct rlimit limit;
	size_t n_cpus = s->target.n_cpus, max;
	int *cpus = NULL;

	if (!n_cpus && !cpus_online(&s->ops->roots, &cpus, &n_cpus, NULL))
		free(cpus);
	if (!n_cpus || !n_events || s->ops->get_rlimit(s->ops->ctx, RLIMIT_NOFILE, &limit) ||
	    limit.rlim_max == RLIM_INFINITY)
		return CGROUPS_MAX;
	max = limit.rlim_max > FILES_LEFT ? (size_t)(limit.rlim_max - FILES_LEFT) : 0;
	max /= n_events * n_cpus + 1; /* and its directory */
	return max < 1 ? 1 : max < CGROUPS_MAX ? max : CGROUPS_MAX;
}

static void limit_cgroups(struct stat *s, struct cgroup_names *names)
{
	size_t had = names->n;

	cgroup_names_limit(names, cgroups_that_fit(s, s->list.n));
	if (names->n < had)
		ptui_log(PTUI_LOG_WARN, "stat",
			 _("cgroups counted: %zu, those with most tasks; %zu others are left out "
			   "(--for-each-cgroup selects them by name)"),
			 names->n, had - names->n);
}

/* The events from `from` on; none of them are left if the cgroup was removed meanwhile. */
static int set_found_cgroup(struct stat *s, const char *name, size_t from, size_t n_chosen,
			    struct ptui_error *err)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret = cgroups_set(&s->cgroups, &s->ops->roots, name, &s->list, from, &why);

	if (ret == -ENOENT) {
		event_list_truncate(&s->list, from);
		s->n_chosen = n_chosen;
		return 0;
	}
	if (ret)
		*err = why;
	return ret;
}

/* All events, for one cgroup after the other. */
static int parse_for_each_cgroup(struct stat *s, struct ptui_error *err)
{
	const struct roots *roots = &s->ops->roots;
	const char *list = s->opts.each_cgroup;
	struct cgroup_names names = { 0 };
	int ret = list ? cgroup_names_find(&names, roots, list, err) :
			 cgroup_names_find_busy(&names, roots, err);

	for (size_t i = 0; i < names.n && !ret; i++) {
		size_t from = s->list.n, n_chosen = s->n_chosen;

		ret = parse_all(s, err);
		if (!ret && !i && !list)
			limit_cgroups(s, &names);
		if (!ret && list)
			ret = cgroups_set(&s->cgroups, roots, names.v[i].name, &s->list, from, err);
		else if (!ret)
			ret = set_found_cgroup(s, names.v[i].name, from, n_chosen, err);
	}
	cgroup_names_release(&names);
	return ret;
}

int stat_parse_events(struct stat *s, struct ptui_error *err)
{
	int ret;

	if (s->opts.null_run)
		return 0;
	ret = s->opts.each_cgroup || s->opts.per_cgroup ? parse_for_each_cgroup(s, err) :
							  parse_all(s, err);
	for (size_t i = 0; i < s->list.n && s->opts.one_group; i++)
		s->list.v[i].leader = 0;
	return ret;
}

bool stat_is_clock(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
						       ev->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

void stat_settle_event(struct stat *s, size_t i)
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
