/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ratios of a count to the clock or to a related event; names and forms are perf's. */
#include <stdio.h>
#include <string.h>
#include "stat/stat.h"

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

static bool same_cgroup(const struct event *a, const struct event *b)
{
	return (!a->cgroup && !b->cgroup) ||
	       (a->cgroup && b->cgroup && !strcmp(a->cgroup, b->cgroup));
}

/* The mean over events like this one; 0: none was counted. Counts of other modes (:u) do not compare. */
static double related(struct stat *s, const struct stat_event *to, const struct stat_id *id,
		      uint32_t type, uint64_t config, bool any_mode)
{
	double sum = 0;
	unsigned n = 0;

	for (size_t i = 0; i < stat_n_events(s); i++) {
		const struct stat_event *e = stat_event(s, i);

		if (!is_event(e, type, config) || !same_cgroup(e->event, to->event))
			continue;
		if (!any_mode && (e->event->attr.exclude_user != to->event->attr.exclude_user ||
				  e->event->attr.exclude_kernel != to->event->attr.exclude_kernel))
			continue;
		for (size_t j = 0; j < e->n_cells; j++) {
			if (!stat_same_id(&e->cells[j].id, id))
				continue;
			sum += value_of(&e->cells[j]) / e->scale;
			n++;
		}
	}
	return n ? sum / n : 0;
}

/* Mean of the clocks in ns. */
static double clock_of(struct stat *s, const struct stat_event *e, const struct stat_id *id)
{
	static const uint64_t clocks[] = { PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK };
	double sum = 0, n = 0;

	for (size_t i = 0; i < 2; i++) {
		double ns = related(s, e, id, PERF_TYPE_SOFTWARE, clocks[i], true);

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
	*m = (struct stat_metric){ value, 8, 3, "", "" };
	if (i)
		snprintf(m->unit, sizeof(m->unit), "%c/sec", prefixes[i]);
	else
		snprintf(m->unit, sizeof(m->unit), "/sec");
}

static void set_metric(struct stat_metric *m, double value, int width, int decimals,
		       const char *percent, const char *unit)
{
	*m = (struct stat_metric){ value, width, decimals, percent, "" };
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
}

size_t stat_metrics(struct stat *s, const struct stat_event *e, const struct stat_cell *c,
		    double passed_ns, struct stat_metric ret[2])
{
	double value = value_of(c) / e->scale, clock;
	bool known = false;
	size_t n = 0;

	if (stat_is_clock(e->event)) {
		set_metric(ret, passed_ns > 0 ? value / passed_ns : 0, 8, 3, "", "CPUs utilized");
		return 1;
	}
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		const struct ratio *r = &ratios[i];
		double to;

		if (!is_event(e, r->type, r->config))
			continue;
		known |= !r->inverse;
		to = related(s, e, &c->id, r->to_type, r->to_config, false);
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
	if (n)
		return n;
	clock = clock_of(s, e, &c->id);
	if (clock <= 0)
		return 0;
	if (is_event(e, HW(CPU_CYCLES)))
		set_metric(ret, value / clock, 8, 3, "", "GHz");
	else if (known)
		return 0;
	else
		set_rate(ret, value / clock);
	return 1;
}
