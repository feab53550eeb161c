/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The field metric: ratios of the events of a group, as `ptui stat` computes them, of what each has
 * counted since the last sample of its leader (PERF_SAMPLE_READ).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "cli/script/script.h"
#include "stat/stat.h"

struct script_metrics {
	bool added;	   /* some member of this sample's group has counted something */
	uint32_t event;	   /* the last one of these, whose line is above */
	uint64_t counts[]; /* since the last sample, by event */
};

int script_metric_add(struct script *s, uint32_t event, uint64_t period)
{
	struct script_metrics *m = s->metrics;

	if (!m) {
		m = calloc(1, sizeof(*m) + s->n_events * sizeof(*m->counts));
		if (!m)
			return -ENOMEM;
		s->metrics = m;
	}
	m->counts[event] = period;
	m->event = event;
	m->added = true;
	return 0;
}

/* The counts of one group. */
struct group {
	struct script *s;
	uint32_t leader, of;
};

static double related(void *ctx, uint32_t type, uint64_t config, bool any_mode)
{
	const struct group *g = ctx;
	struct data_file *file = stream_file(g->s->stream);
	const struct data_event *of = data_event(file, g->of);
	double sum = 0;
	unsigned n = 0;

	for (uint32_t i = 0; i < g->s->n_events; i++) {
		const struct data_event *e = data_event(file, i);

		if (e->leader != g->leader || e->type != type || e->config != config ||
		    (!any_mode && (e->exclude_user != of->exclude_user ||
				   e->exclude_kernel != of->exclude_kernel)))
			continue;
		sum += (double)g->s->metrics->counts[i];
		n++;
	}
	return n ? sum / n : 0;
}

static bool is_clock(const struct data_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE &&
	       (e->config == PERF_COUNT_SW_CPU_CLOCK || e->config == PERF_COUNT_SW_TASK_CLOCK);
}

static int print_metric(struct script *s, const struct stat_metric *m,
			const struct data_sample *sample, uint64_t when)
{
	int ret = script_print_sample_start(s, &s->events[s->metrics->event], sample, when);

	if (ret)
		return ret;
	buf_addf(&s->out, "\tmetric: %*.*f%s %s\n", m->width, m->decimals, m->value, m->percent,
		 m->unit);
	return s->out.err;
}

int script_print_metrics(struct script *s, const struct data_sample *sample, uint64_t when)
{
	struct data_file *file = stream_file(s->stream);
	struct script_metrics *m = s->metrics;
	struct group g = { .s = s };
	const struct stat_related to = { related, &g };
	int ret = 0;

	if (!m || !m->added)
		return 0;
	g.leader = data_event(file, m->event)->leader;
	for (g.of = 0; g.of < s->n_events && sample->present & PERF_SAMPLE_READ; g.of++) {
		const struct data_event *e = data_event(file, g.of);
		struct stat_metric metrics[STAT_METRICS_MAX];
		size_t n = 0;

		if (e->leader == g.leader && !is_clock(e))
			n = stat_ratios(e->type, e->config, (double)m->counts[g.of], &to, metrics);
		for (size_t i = 0; i < n && !ret; i++)
			ret = print_metric(s, &metrics[i], sample, when);
	}
	memset(m->counts, 0, s->n_events * sizeof(*m->counts));
	m->added = false;
	return ret;
}

void script_metrics_free(struct script_metrics *m)
{
	free(m);
}
