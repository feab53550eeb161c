/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of PMUs. One text may resolve to several events: by a pattern for PMUs, by a name that
 * several PMUs have, or on hybrid CPUs, where each core type has its own PMU:
 *
 *	cycles  ->  config 0, type of cpu_core in its upper half, on the CPUs of that type
 *	            config 0, type of cpu_atom in its upper half, on the CPUs of that type
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/aux.h"
#include "event/selector/parser.h"
#include "event/selector/terms.h"

/* Binds an event to its PMU. */
static int set_pmu(struct parser *p, struct event *ev, const struct pmu *pmu)
{
	ev->pmu = pmu->name;
	if (!pmu->cpus || ev->cpus)
		return 0;
	ev->cpus = strdup(pmu->cpus);
	return ev->cpus ? 0 : ptui_error_nomem(p->err);
}

static int add_pmu_event(struct parser *p, const struct event_text *t, const struct pmu *pmu,
			 const struct pmu_event *pe, const struct terms *terms)
{
	struct event *ev;
	int ret = spec_add(p, t, EVENT_PMU, pmu->type, 0);

	if (ret)
		return ret;
	ev = &p->list->v[p->list->n - 1];
	aux_begin_event(ev, pmu);
	if (pe)
		ret = pmu_event_apply(p, pmu, pe, ev);
	if (!ret)
		ret = terms_apply(p, terms, pmu, ev);
	aux_end_event(ev);
	return ret ? ret : set_pmu(p, ev, pmu);
}

/* The hint with all PMUs, for an unknown PMU. */
static int unknown_pmu(struct parser *p, struct span name, const struct pmus *pmus)
{
	const char **names = calloc(pmus->n + 1, sizeof(*names));
	int ret = parser_error(p, name.at, _("an event, or a PMU of this machine"),
			       _("unknown event or PMU '%.*s'"),
			       (int)(span_len(name) > 80 ? 80 : span_len(name)), name.at);

	for (size_t i = 0; names && i < pmus->n; i++)
		names[i] = pmus->v[i].name;
	if (names)
		parser_hint_nearest(p, name, names, pmus->n);
	free(names);
	return ret;
}

/*
 * A pattern selects the PMUs that accept the terms: uncore_imc* also matches PMUs with other
 * events. If none accepts them, reports the first error. 0, or negative.
 */
static int add_matching(struct parser *p, const struct event_text *t, const struct pmus *pmus,
			const char *name, const struct terms *terms)
{
	struct ptui_error first = PTUI_ERROR_INIT, *err = p->err;
	size_t from = p->list->n;
	int ret = 0;

	for (size_t i = 0; i < pmus->n; i++) {
		size_t before = p->list->n;
		int error;

		if (!pmu_is_called(&pmus->v[i], name))
			continue;
		p->err = ret ? NULL : &first;
		error = add_pmu_event(p, t, &pmus->v[i], NULL, terms);
		if (error)
			event_list_truncate(p->list, before);
		ret = ret ? ret : error;
		if (error == -ENOMEM)
			break;
	}
	p->err = err;
	if (ret != -ENOMEM && p->list->n > from)
		return 0;
	if (ret && err)
		*err = first;
	return ret;
}

int unit_parse(struct parser *p, struct event_text *t)
{
	char *name = strndup(t->spec.at, span_len(t->spec));
	struct terms terms = { NULL, 0, 0 };
	const struct pmu *exact;
	const struct pmus *pmus;
	size_t from = p->list->n;
	int ret = name ? catalog_pmus(p->cat, &pmus, p->err) : ptui_error_nomem(p->err);

	if (ret)
		goto out;
	exact = pmus_find(pmus, name, strlen(name));
	ret = terms_split(p, t->terms, &terms);
	if (!ret)
		ret = exact ? add_pmu_event(p, t, exact, NULL, &terms) :
			      add_matching(p, t, pmus, name, &terms);
	t->is_pmu = p->list->n > from;
	/* no PMU: mem-loads/period=5/ */
	if (!ret && p->list->n == from)
		ret = unit_parse_name(p, t, t->spec);
	if (ret > 0)
		ret = unknown_pmu(p, t->spec, pmus);
out:
	terms_release(&terms);
	free(name);
	return ret;
}

/* Names "cycles:u" of cpu_core cpu_core/cycles/u, to distinguish the core types. */
static int name_by_pmu(struct parser *p, const struct event_text *t, const struct pmu *pmu,
		       struct event *ev)
{
	struct span mods = t->rest, head = span_before(t->spec, ':');
	struct buf name = BUF_INIT;

	if (mods.at < mods.end && *mods.at == ':')
		mods.at++;
	buf_addf(&name, "%s/", pmu->name);
	buf_add(&name, head.at, span_len(head));
	if (t->has_terms && t->terms.at < t->terms.end) {
		buf_add_char(&name, ',');
		buf_add(&name, t->terms.at, span_len(t->terms));
	}
	buf_add_char(&name, '/');
	buf_add(&name, mods.at, span_len(mods));
	return buf_replace(&name, &ev->name) ? ptui_error_nomem(p->err) : 0;
}

int unit_parse_name(struct parser *p, struct event_text *t, struct span name)
{
	struct terms terms = { NULL, 0, 0 };
	const struct pmus *pmus;
	size_t from = p->list->n;
	int ret = catalog_pmus(p->cat, &pmus, p->err);

	if (!ret && t->has_terms)
		ret = terms_split(p, t->terms, &terms);
	for (size_t i = 0; !ret && i < pmus->n; i++) {
		const struct pmu_event *pe = pmu_find_event(&pmus->v[i], name.at, span_len(name));

		if (pe)
			ret = add_pmu_event(p, t, &pmus->v[i], pe, &terms);
		if (pe && !ret && pmus->v[i].core && pmus->n_core > 1)
			ret = name_by_pmu(p, t, &pmus->v[i], &p->list->v[p->list->n - 1]);
	}
	terms_release(&terms);
	return ret ? ret : p->list->n == from;
}

/* ---- several core types ---- */

/* On every core type, unless a PMU is given. */
static bool is_counted_by_cores(const struct catalog_entry *entry)
{
	switch (entry->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		return !(entry->config >> 32);
	default:
		return entry->type == PERF_TYPE_RAW;
	}
}

/* "4:0x3c:u" of cpu_atom is 10:0x3c:u. */
static int name_by_numbers(struct parser *p, const struct event_text *t, struct event *ev)
{
	struct span mods = t->rest;
	struct buf name = BUF_INIT;

	buf_addf(&name, "%u:%#llx", ev->attr.type, (unsigned long long)ev->attr.config);
	if (t->has_terms)
		buf_addf(&name, "/%.*s/", (int)span_len(t->terms), t->terms.at);
	buf_add(&name, mods.at, span_len(mods));
	return buf_replace(&name, &ev->name) ? ptui_error_nomem(p->err) : 0;
}

int unit_add_legacy(struct parser *p, struct event_text *t, const struct catalog_entry *entry)
{
	const struct pmus *pmus;
	int ret;

	if (!is_counted_by_cores(entry))
		return spec_add(p, t, entry->kind, entry->type, entry->config);
	ret = catalog_pmus(p->cat, &pmus, p->err);
	if (!ret && pmus->n_core < 2)
		return spec_add(p, t, entry->kind, entry->type, entry->config);
	for (size_t i = 0; !ret && i < pmus->n; i++) {
		const struct pmu *pmu = &pmus->v[i];
		bool raw = entry->type == PERF_TYPE_RAW;

		if (!pmu->core)
			continue;
		ret = spec_add(p, t, entry->kind, raw ? pmu->type : entry->type,
			       raw ? entry->config : entry->config | (uint64_t)pmu->type << 32);
		if (!ret)
			ret = set_pmu(p, &p->list->v[p->list->n - 1], pmu);
		if (!ret)
			ret = isdigit((unsigned char)*t->spec.at) ?
				      name_by_numbers(p, t, &p->list->v[p->list->n - 1]) :
				      name_by_pmu(p, t, pmu, &p->list->v[p->list->n - 1]);
	}
	return ret;
}

/* ---- groups ---- */

/* The PMU type that counts it; 0: may be in a group of any PMU. */
static uint32_t unit_of(const struct event *ev)
{
	uint32_t type = event_pmu_type(&ev->attr);

	/* it takes no counter: it may lead events of another PMU, whose samples get its AUX data */
	return ev->aux ? 0 : type == PTUI_NONE ? 0 : type;
}

/*
 * Splits {a,x,b,y} with a, b of one PMU and x, y of another into {a,b} {x,y}. The order is kept
 * within each; software events stay in the first.
 */
int unit_split_group(struct parser *p, size_t leader)
{
	size_t n = p->list->n - leader, done = 0;
	struct event *v = &p->list->v[leader], *sorted;
	char *name = v[0].group_name;
	uint32_t first = 0;
	bool *taken, several = false;

	for (size_t i = 0; i < n; i++) {
		uint32_t unit = unit_of(&v[i]);

		first = first ? first : unit;
		several |= unit && unit != first;
	}
	if (!several)
		return 0;
	sorted = calloc(n, sizeof(*sorted));
	taken = calloc(n, sizeof(*taken));
	if (!sorted || !taken) {
		free(sorted);
		free(taken);
		return ptui_error_nomem(p->err);
	}
	v[0].group_name = NULL;
	while (done < n) {
		size_t begin = done;
		uint32_t unit = begin ? 0 : first;

		for (size_t i = 0; i < n; i++) {
			if (taken[i] || (begin && unit && unit_of(&v[i]) != unit) ||
			    (!begin && unit_of(&v[i]) && unit_of(&v[i]) != first))
				continue;
			unit = unit_of(&v[i]) ? unit_of(&v[i]) : unit;
			taken[i] = true;
			sorted[done] = v[i];
			/* the first one leads each group */
			sorted[done].attr.pinned = v[0].attr.pinned && done == begin;
			sorted[done].attr.exclusive = v[0].attr.exclusive && done == begin;
			sorted[done++].leader = (uint32_t)(leader + begin);
		}
	}
	sorted[0].group_name = name;
	memcpy(v, sorted, n * sizeof(*v));
	free(sorted);
	free(taken);
	return 0;
}
