/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ratios of a count to the clock or to a related event; names and forms are perf's. */
#include <stdio.h>
#include <string.h>
#include "stat/stat_private.h"

#define CACHE(level, op, result)                                                             \
	PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##level | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
				    PERF_COUNT_HW_CACHE_RESULT_##result << 16
#define HW(name) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##name

/* `of` per `to`, or with `inverse` `to` per `of`. */
static const struct ratio {
	uint32_t type;
	uint64_t config;
	uint32_t to_type;
	uint64_t to_config;
	double factor;
	int width, decimals;
	const char *percent;
	const char *unit;
	bool inverse;
} ratios[] = {
	{ HW(INSTRUCTIONS), HW(CPU_CYCLES), 1, 7, 2, " ", "insn per cycle", false },
	{ HW(INSTRUCTIONS), HW(STALLED_CYCLES_FRONTEND), 1, 7, 2, " ", "stalled cycles per insn",
	  true },
	{ HW(INSTRUCTIONS), HW(STALLED_CYCLES_BACKEND), 1, 7, 2, " ", "stalled cycles per insn",
	  true },
	{ HW(BRANCH_MISSES), HW(BRANCH_INSTRUCTIONS), 100, 7, 2, "%", "of all branches", false },
	{ HW(CACHE_MISSES), HW(CACHE_REFERENCES), 100, 8, 3, " %", "of all cache refs", false },
	{ HW(STALLED_CYCLES_FRONTEND), HW(CPU_CYCLES), 100, 7, 2, "%", "frontend cycles idle",
	  false },
	{ HW(STALLED_CYCLES_BACKEND), HW(CPU_CYCLES), 100, 7, 2, "%", "backend cycles idle",
	  false },
	{ CACHE(L1D, READ, MISS), CACHE(L1D, READ, ACCESS), 100, 7, 2, "%",
	  "of all L1-dcache accesses", false },
	{ CACHE(L1I, READ, MISS), CACHE(L1I, READ, ACCESS), 100, 7, 2, "%",
	  "of all L1-icache accesses", false },
	{ CACHE(DTLB, READ, MISS), CACHE(DTLB, READ, ACCESS), 100, 7, 2, "%",
	  "of all dTLB cache accesses", false },
	{ CACHE(ITLB, READ, MISS), CACHE(ITLB, READ, ACCESS), 100, 7, 2, "%",
	  "of all iTLB cache accesses", false },
	{ CACHE(LL, READ, MISS), CACHE(LL, READ, ACCESS), 100, 7, 2, "%",
	  "of all LL-cache accesses", false },
};

static double value_of(const struct stat_cell *c)
{
	return c->values.n ? c->values.mean : c->value;
}

static bool is_event(const struct stat_event *e, uint32_t type, uint64_t config)
{
	return e->event->kind != EVENT_TOOL && e->event->attr.type == type &&
	       e->event->attr.config == config;
}

/* Counts of a cell's place. */
struct place {
	struct stat *s;
	const struct stat_event *of;
	const struct stat_id *id;
};

static bool same_cgroup(const struct event *a, const struct event *b)
{
	return (!a->cgroup && !b->cgroup) ||
	       (a->cgroup && b->cgroup && !strcmp(a->cgroup, b->cgroup));
}

/* Counts of other modes (:u) do not compare. */
static double related(void *ctx, uint32_t type, uint64_t config, bool any_mode)
{
	const struct place *p = ctx;
	const struct event *of = p->of->event;
	const struct stat_cell *c;
	double sum = 0;
	unsigned n = 0;

	for (size_t i = 0; i < stat_n_events(p->s); i++) {
		const struct stat_event *e = stat_event(p->s, i);

		if (!is_event(e, type, config) || !same_cgroup(e->event, of))
			continue;
		if (!any_mode && (e->event->attr.exclude_user != of->attr.exclude_user ||
				  e->event->attr.exclude_kernel != of->attr.exclude_kernel))
			continue;
		c = stat_find_cell(e, p->id);
		sum += c ? value_of(c) / e->scale : 0;
		n += c != NULL;
	}
	return n ? sum / n : 0;
}

/* Mean of the clocks in ns. */
static double clock_of(const struct stat_related *r)
{
	static const uint64_t clocks[] = { PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK };
	double sum = 0, n = 0;

	for (size_t i = 0; i < 2; i++) {
		double ns = r->value(r->ctx, PERF_TYPE_SOFTWARE, clocks[i], true);

		sum += ns;
		n += ns > 0;
	}
	return n > 0 ? sum / n : 0;
}

static void set_rate(struct stat_metric *m, double per_ns)
{
	static const char prefixes[] = " KMG";
	double value = per_ns * 1e9;
	size_t i = 0;

	while (value > 1000 && i < 3) {
		value /= 1000;
		i++;
	}
	*m = (struct stat_metric){ true, value, 8, 3, "", "" };
	if (i)
		snprintf(m->unit, sizeof(m->unit), "%c/sec", prefixes[i]);
	else
		snprintf(m->unit, sizeof(m->unit), "/sec");
}

static void set_metric(struct stat_metric *m, double value, int width, int decimals,
		       const char *percent, const char *unit)
{
	*m = (struct stat_metric){ true, value, width, decimals, percent, "" };
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
}

/* ---- those of -M ---- */

/* The mean over the cells of one event at this place; negative: not counted. */
static double chosen_value(const struct stat_event *e, const struct stat_id *id)
{
	const struct stat_cell *c = stat_find_cell(e, id);

	return c && c->running_ns ? value_of(c) / e->scale : -1;
}

/* `c` NULL: only the title. */
static void set_chosen(struct stat *s, const struct chosen_metric *m, const struct stat_cell *c,
		       double passed_ns, struct stat_metric *ret)
{
	const struct stat_metric_def *def = m->def;
	double over = c ? chosen_value(&s->events[m->over], &c->id) : -1;
	double under = m->under == PTUI_NONE ? passed_ns :
		       c		     ? chosen_value(&s->events[m->under], &c->id) :
					       -1;

	*ret = (struct stat_metric){ over >= 0 && under > 0, 0, 8, def->decimals, "", "" };
	if (ret->known)
		ret->value = def->factor * over / under;
	snprintf(ret->unit, sizeof(ret->unit), "%s%s%s", def->unit, *def->unit ? "  " : "",
		 def->name);
}

static size_t chosen_metrics(struct stat *s, const struct stat_event *e, const struct stat_cell *c,
			     double passed_ns, struct stat_metric ret[STAT_METRICS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_chosen && n < STAT_METRICS_MAX; i++)
		if (&s->events[s->chosen[i].over] == e)
			set_chosen(s, &s->chosen[i], c, passed_ns, &ret[n++]);
	return n;
}

/* ---- those that perf prints beside known events ---- */

/* Fills `ret`; *ret_has_ratio: no rate is printed, even if no ratio is known. */
static size_t known_ratios(uint32_t type, uint64_t config, double value,
			   const struct stat_related *related,
			   struct stat_metric ret[STAT_METRICS_MAX], bool *ret_has_ratio)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		const struct ratio *r = &ratios[i];
		double to;

		if (r->type != type || r->config != config)
			continue;
		*ret_has_ratio |= !r->inverse;
		to = related->value(related->ctx, r->to_type, r->to_config, false);
		/* of the two kinds of stalled cycles the larger one */
		if (to <= 0 || (r->inverse && value <= 0))
			continue;
		if (r->inverse && n == 2 && to / value <= ret[1].value)
			continue;
		if (r->inverse && n == 2)
			n = 1;
		if (n < 2)
			set_metric(&ret[n++], r->factor * (r->inverse ? to / value : value / to),
				   r->width, r->decimals, r->percent, r->unit);
	}
	return n;
}

size_t stat_ratios(uint32_t type, uint64_t config, double value, const struct stat_related *related,
		   struct stat_metric ret[STAT_METRICS_MAX])
{
	bool has_ratio = false;
	size_t n = known_ratios(type, config, value, related, ret, &has_ratio);
	double clock;

	if (n)
		return n;
	clock = clock_of(related);
	if (clock <= 0)
		return 0;
	if (type == PERF_TYPE_HARDWARE && config == PERF_COUNT_HW_CPU_CYCLES)
		set_metric(ret, value / clock, 8, 3, "", "GHz");
	else if (has_ratio)
		return 0;
	else
		set_rate(ret, value / clock);
	return 1;
}

size_t stat_metrics(struct stat *s, const struct stat_event *e, const struct stat_cell *c,
		    double passed_ns, struct stat_metric ret[STAT_METRICS_MAX])
{
	struct place place = { s, e, &c->id };
	const struct stat_related to = { related, &place };
	const struct perf_event_attr *attr = &e->event->attr;
	double value = value_of(c) / e->scale;

	if (e->of_metric) {
		size_t n = chosen_metrics(s, e, c, passed_ns, ret), n_known = 0;

		for (size_t i = 0; i < n; i++)
			if (ret[i].known)
				ret[n_known++] = ret[i];
		return n_known;
	}
	if (stat_is_clock(e->event)) {
		set_metric(ret, passed_ns > 0 ? value / passed_ns : 0, 8, 3, "", "CPUs utilized");
		return 1;
	}
	return stat_ratios(e->event->kind == EVENT_TOOL ? PERF_TYPE_MAX : attr->type, attr->config,
			   value, &to, ret);
}

/* ---- columns ---- */

static bool is_counted(struct stat *s, uint32_t type, uint64_t config)
{
	for (size_t i = 0; i < stat_n_events(s); i++)
		if (is_event(stat_event(s, i), type, config))
			return true;
	return false;
}

/* Titles of an event's ratios. A column that another event decides on exists if that is counted. */
static size_t ratio_titles(struct stat *s, const struct stat_event *e,
			   struct stat_metric ret[STAT_METRICS_MAX])
{
	size_t n = 0;

	if (is_event(e, HW(CPU_CYCLES)))
		set_metric(&ret[n++], 0, 8, 3, "", "GHz");
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios) && n < STAT_METRICS_MAX; i++) {
		const struct ratio *r = &ratios[i];

		if (!is_event(e, r->type, r->config) ||
		    (r->inverse && !is_counted(s, r->to_type, r->to_config)) ||
		    (n && !strcmp(ret[n - 1].unit, r->unit)))
			continue;
		set_metric(&ret[n++], 0, r->width, r->decimals, r->percent, r->unit);
	}
	for (size_t i = 0; i < n; i++)
		ret[i].known = false;
	return n;
}

/* "of all branches" says nothing without its event. */
static void complete_title(const struct stat_event *e, struct stat_metric *m)
{
	size_t n = strlen(m->unit), n_name;

	if (strncmp(m->unit, "of all ", 7) != 0 || n + 2 > sizeof(m->unit))
		return;
	n_name = strnlen(e->event->name, sizeof(m->unit) - n - 2);
	memmove(m->unit + n_name + 1, m->unit, n + 1);
	memcpy(m->unit, e->event->name, n_name);
	m->unit[n_name] = ' ';
}

size_t stat_metric_columns(struct stat *s, const struct stat_event *e, const struct stat_cell *c,
			   double passed_ns, struct stat_metric ret[STAT_METRICS_MAX])
{
	struct stat_metric now[STAT_METRICS_MAX];
	size_t n, n_now;

	if (e->of_metric)
		return chosen_metrics(s, e, c, passed_ns, ret);
	n = ratio_titles(s, e, ret);
	n_now = c && c->running_ns ? stat_metrics(s, e, c, passed_ns, now) : 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n_now; j++)
			if (!strcmp(ret[i].unit, now[j].unit))
				ret[i] = now[j];
	for (size_t i = 0; i < n; i++)
		complete_title(e, &ret[i]);
	return n;
}
