/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stat: its events, target and sums from stat_new() to stat_free(). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "event/catalog.h"
#include "event/pmu.h"
#include "stat/stat_private.h"

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
	for (size_t i = 0; i < s->n_chosen; i++) {
		const struct chosen_metric *m = &s->chosen[i];

		s->events[m->over].of_metric = true;
		if (m->under != PTUI_NONE)
			s->events[m->under].of_metric = true;
	}
	return 0;
}

/* Whether the kernel counts no event per task, as the energy of a package. */
static bool has_only_uncore(const struct stat *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->list.n; i++) {
		const struct event *ev = &s->list.v[i];
		const struct pmu *pmu =
			ev->pmu ? catalog_find_pmu(s->catalog, ev->pmu, strlen(ev->pmu)) : NULL;

		if (ev->kind == EVENT_TOOL)
			continue;
		if (!pmu || !pmu->uncore)
			return false;
		n++;
	}
	return n > 0;
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
	if (!ret && s->opts.aggr == STAT_THREAD && s->target.all)
		target_use_all_tasks(&s->target);
	if (!ret)
		ret = target_settle(&s->target, ops, err);
	if (!ret) {
		catalog_allow_bpf(s->catalog, true);
		ret = stat_parse_events(s, err);
	}
	if (!ret && stat_is_of_command(s) && has_only_uncore(s))
		s->target.system_wide = true; /* while the command runs, as in perf */
	if (!ret && stat_prepare_events(s))
		ret = ptui_error_nomem(err);
	if (ret) {
		stat_free(s);
		return NULL;
	}
	for (size_t i = 0; i < s->list.n; i++)
		stat_settle_event(s, i);
	return s;
}

void stat_free(struct stat *s)
{
	if (!s)
		return;
	stat_close(s);
	for (size_t i = 0; s->events && i < s->list.n; i++) {
		index_table_release(&s->events[i].index);
		free(s->events[i].cells);
	}
	free(s->events);
	free(s->sets);
	free(s->chosen);
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
	return s->target.system_wide || s->target.any_user;
}

bool stat_is_of_all_threads(const struct stat *s)
{
	return s->target.any_user;
}

bool stat_is_of_command(const struct stat *s)
{
	return !s->target.system_wide && !target_has_tasks(&s->target);
}

enum stat_aggr stat_aggr(const struct stat *s)
{
	return s->opts.aggr;
}

const struct event_list *stat_events(const struct stat *s)
{
	return &s->list;
}
