/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of functions, and of the instructions of one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "annotate/annotate_private.h"
#include "profile/hist/facets.h"
#include "profile/hist/filter.h"

struct ptui_annotate_counts {
	size_t n_events, n_lines;
	struct ptui_annotate_count *lines; /* by event, then line */
	struct ptui_annotate_count *local, *global;
	uint32_t *hottest[2]; /* by period, by samples: n_lines for each event */
	size_t *n_hottest;
	size_t n_code;
	struct annotate_cycles cycles;
};

/* ---- the filter ---- */

struct sample_filter {
	const struct ptui_annotate_filter *filter;
	struct hist_filter samples;
	uint32_t *parents; /* by node of the folded stacks; NULL: not needed */
};

static void filter_release(struct sample_filter *s)
{
	hist_filter_release(&s->samples);
	free(s->parents);
}

/* 0 or -ENOMEM. */
static int filter_init(struct sample_filter *s, const struct ptui_profile *p,
		       const struct ptui_annotate_filter *filter)
{
	static const struct ptui_annotate_filter none;
	struct ptui_hist_filter like;

	*s = (struct sample_filter){ .filter = filter ? filter : &none };
	like = s->filter->samples;
	like.dso = like.symbol = like.dsos = like.symbols = NULL;
	like.kernel = like.user = false;
	if (hist_filter_init(&s->samples, p, &like))
		goto failed;
	if (!like.has_parent)
		return 0;
	s->parents = parents_find(p, &p->folded, s->filter->parent, false);
	if (s->parents)
		return 0;
failed:
	filter_release(s);
	return -ENOMEM;
}

static bool has_cpu(const struct ptui_annotate_filter *f, uint32_t cpu)
{
	for (size_t i = 0; i < f->n_cpus; i++)
		if (f->cpus[i] == cpu)
			return true;
	return false;
}

static bool has_parent(const struct sample_filter *s, const struct ptui_profile *p, size_t i)
{
	uint32_t stack = p->samples.stack[i];

	return stack != PTUI_NONE && s->parents[p->folded_of[stack]] != PTUI_NONE;
}

bool sample_filter_shows(const struct sample_filter *s, const struct ptui_profile *p, size_t i)
{
	const struct ptui_annotate_filter *f = s->filter;
	const struct samples *v = &p->samples;

	return (!f->cpus || has_cpu(f, v->cpu[i])) && v->time_ns[i] >= f->since_ns &&
	       (!s->samples.drops || hist_filter_keeps(&s->samples, p, i)) &&
	       hist_filter_accepts(&s->samples, v, i) &&
	       (!s->samples.by_socket || profile_socket(p, v->cpu[i]) == s->samples.socket) &&
	       (!s->parents || has_parent(s, p, i));
}

/* ---- functions ---- */

static int by_period(const void *va, const void *vb)
{
	const struct ptui_function_samples *a = va, *b = vb;
	int order;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	order = strcmp(a->function.symbol, b->function.symbol);
	if (order)
		return order;
	return a->function.start < b->function.start ? -1 : a->function.start > b->function.start;
}

struct function_sum {
	uint32_t frame; /* one of it; PTUI_NONE: no samples */
	struct ptui_annotate_count count;
};

/* By profile_frame.func. NULL: out of memory. */
static struct function_sum *sum_functions(const struct ptui_profile *p, uint32_t event,
					  const struct ptui_annotate_filter *filter, size_t *ret_n)
{
	const struct samples *v = &p->samples;
	struct sample_filter shows;
	struct function_sum *sums;
	size_t n = 0;

	for (size_t i = 0; i < p->n_frames; i++)
		if (p->frames[i].func >= n)
			n = (size_t)p->frames[i].func + 1;
	sums = calloc(n + 1, sizeof(*sums));
	if (!sums)
		return NULL;
	for (size_t i = 0; i < n; i++)
		sums[i].frame = PTUI_NONE;
	if (filter_init(&shows, p, filter)) {
		free(sums);
		return NULL;
	}
	for (size_t i = 0; i < v->n; i++) {
		struct function_sum *sum = &sums[p->frames[v->frame[i]].func];

		if ((event != PTUI_NONE && v->event[i] != event) ||
		    !sample_filter_shows(&shows, p, i))
			continue;
		sum->frame = v->frame[i];
		sum->count.samples++;
		sum->count.period += v->period[i];
	}
	filter_release(&shows);
	*ret_n = n;
	return sums;
}

struct ptui_function_samples *ptui_annotate_functions(struct ptui_profile *profile, uint32_t event,
						      const struct ptui_annotate_filter *filter,
						      size_t *ret_n, struct ptui_error *err)
{
	const struct ptui_profile *p = profile_base(profile);
	struct ptui_function_samples *functions;
	struct function_sum *sums;
	size_t n_sums = 0, n = 0;

	*ret_n = 0;
	sums = sum_functions(p, event, filter, &n_sums);
	functions = sums ? calloc(n_sums + 1, sizeof(*functions)) : NULL;
	if (!functions) {
		free(sums);
		ptui_error_nomem(err);
		return NULL;
	}
	for (size_t i = 0; i < n_sums; i++) {
		if (sums[i].frame == PTUI_NONE || p->frames[sums[i].frame].sym_name == PTUI_NONE)
			continue;
		profile_frame_function(p, &p->frames[sums[i].frame], &functions[n].function);
		functions[n].samples = sums[i].count.samples;
		functions[n++].period = sums[i].count.period;
	}
	free(sums);
	qsort(functions, n, sizeof(*functions), by_period);
	*ret_n = n;
	return functions;
}

/* ---- counts ---- */

static bool is_of_function(const struct ptui_profile *p, const struct profile_frame *f,
			   const struct ptui_function *of)
{
	return f->sym_name != PTUI_NONE && frame_sym_start(f) == of->start &&
	       annotate_is_in(p, f, of) &&
	       (of->lineage == p->lineage ||
		!strcmp(strpool_get(&p->names, f->sym_name), of->symbol));
}

/* By frame: the line with the instruction there; PTUI_NONE: of another function. To be freed. */
static uint32_t *find_lines(const struct ptui_annotation *a, const struct ptui_profile *p)
{
	uint32_t *lines = malloc((p->n_frames + 1) * sizeof(*lines));

	for (size_t i = 0; lines && i < p->n_frames; i++) {
		const struct profile_frame *f = &p->frames[i];

		lines[i] = is_of_function(p, f, &a->function) ?
				   ptui_annotation_find(a, f->addr - a->code.off + a->code.addr) :
				   PTUI_NONE;
	}
	return lines;
}

static void count_samples(struct ptui_annotate_counts *c, const struct ptui_profile *p,
			  const uint32_t *lines, const struct sample_filter *shows)
{
	const struct samples *v = &p->samples;

	for (size_t i = 0; i < v->n; i++) {
		uint32_t line = lines[v->frame[i]];
		size_t event = v->event[i];
		struct ptui_annotate_count *at[3] = { 0 };

		if (event >= c->n_events || !sample_filter_shows(shows, p, i))
			continue;
		at[0] = &c->global[event];
		if (line != PTUI_NONE) {
			at[1] = &c->local[event];
			at[2] = &c->lines[event * c->n_lines + line];
		}
		for (size_t k = 0; k < 3 && at[k]; k++) {
			at[k]->samples++;
			at[k]->period += v->period[i];
		}
	}
}

/* 0 or -ENOMEM. */
static int count_all(struct ptui_annotate_counts *c, const struct ptui_annotation *a,
		     const struct ptui_profile *p, const uint32_t *lines,
		     const struct ptui_annotate_filter *filter)
{
	struct sample_filter shows;
	int ret = filter_init(&shows, p, filter);

	if (ret)
		return ret;
	count_samples(c, p, lines, &shows);
	ret = annotate_cycles_count(&c->cycles, a, p, lines, &shows);
	filter_release(&shows);
	return ret;
}

struct hot_order {
	const struct ptui_annotate_count *lines;
	bool by_samples;
};

static int hotter(const void *va, const void *vb, void *ctx)
{
	const struct hot_order *o = ctx;
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	uint64_t x = o->by_samples ? o->lines[a].samples : o->lines[a].period;
	uint64_t y = o->by_samples ? o->lines[b].samples : o->lines[b].period;

	if (x != y)
		return x > y ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void sort_hottest(struct ptui_annotate_counts *c)
{
	for (size_t e = 0; e < c->n_events; e++) {
		struct hot_order order = { .lines = &c->lines[e * c->n_lines] };

		for (uint32_t i = 0; i < c->n_lines; i++)
			if (order.lines[i].samples)
				c->hottest[0][e * c->n_lines + c->n_hottest[e]++] = i;
		memcpy(&c->hottest[1][e * c->n_lines], &c->hottest[0][e * c->n_lines],
		       c->n_hottest[e] * sizeof(**c->hottest));
		for (unsigned k = 0; k < 2; k++) {
			order.by_samples = k;
			qsort_r(&c->hottest[k][e * c->n_lines], c->n_hottest[e],
				sizeof(**c->hottest), hotter, &order);
		}
	}
}

struct ptui_annotate_counts *ptui_annotate_count(const struct ptui_annotation *a,
						 struct ptui_profile *profile,
						 const struct ptui_annotate_filter *filter,
						 struct ptui_error *err)
{
	const struct ptui_profile *p = profile_base(profile);
	struct ptui_annotate_counts *c = calloc(1, sizeof(*c));
	uint32_t *lines = find_lines(a, p);
	size_t n = p->n_events * a->n_lines;

	if (c) {
		c->n_events = p->n_events;
		c->n_lines = a->n_lines;
		c->n_code = a->info.n_code;
		c->lines = calloc(n + 1, sizeof(*c->lines));
		c->local = calloc(p->n_events + 1, sizeof(*c->local));
		c->global = calloc(p->n_events + 1, sizeof(*c->global));
		c->n_hottest = calloc(p->n_events + 1, sizeof(*c->n_hottest));
		c->hottest[0] = calloc(n + 1, sizeof(**c->hottest));
		c->hottest[1] = calloc(n + 1, sizeof(**c->hottest));
	}
	if (!c || !lines || !c->lines || !c->local || !c->global || !c->n_hottest ||
	    !c->hottest[0] || !c->hottest[1] || count_all(c, a, p, lines, filter)) {
		free(lines);
		ptui_annotate_counts_free(c);
		ptui_error_nomem(err);
		return NULL;
	}
	free(lines);
	sort_hottest(c);
	return c;
}

void ptui_annotate_counts_free(struct ptui_annotate_counts *c)
{
	if (!c)
		return;
	free(c->lines);
	free(c->local);
	free(c->global);
	free(c->n_hottest);
	free(c->hottest[0]);
	free(c->hottest[1]);
	free(c->cycles.lines);
	free(c);
}

size_t ptui_counts_n_events(const struct ptui_annotate_counts *c)
{
	return c->n_events;
}

struct ptui_annotate_count ptui_counts_line(const struct ptui_annotate_counts *c, size_t event,
					    size_t line)
{
	return event < c->n_events && line < c->n_lines ? c->lines[event * c->n_lines + line] :
							  (struct ptui_annotate_count){ 0 };
}

struct ptui_annotate_count ptui_counts_local(const struct ptui_annotate_counts *c, size_t event)
{
	return event < c->n_events ? c->local[event] : (struct ptui_annotate_count){ 0 };
}

struct ptui_annotate_count ptui_counts_global(const struct ptui_annotate_counts *c, size_t event)
{
	return event < c->n_events ? c->global[event] : (struct ptui_annotate_count){ 0 };
}

double ptui_counts_percent(const struct ptui_annotate_counts *c, size_t event, size_t line,
			   enum ptui_percent_type type)
{
	bool local = type == PTUI_PERCENT_LOCAL_PERIOD || type == PTUI_PERCENT_LOCAL_HITS;
	bool hits = type == PTUI_PERCENT_LOCAL_HITS || type == PTUI_PERCENT_GLOBAL_HITS;
	struct ptui_annotate_count part = ptui_counts_line(c, event, line);
	struct ptui_annotate_count all = local ? ptui_counts_local(c, event) :
						 ptui_counts_global(c, event);
	uint64_t of = hits ? all.samples : all.period;

	return of ? 100.0 * (double)(hits ? part.samples : part.period) / (double)of : 0;
}

const uint32_t *ptui_counts_hottest(const struct ptui_annotate_counts *c, size_t event,
				    bool by_samples, size_t *ret_n)
{
	*ret_n = event < c->n_events ? c->n_hottest[event] : 0;
	return *ret_n ? &c->hottest[by_samples][event * c->n_lines] : NULL;
}

struct ptui_line_cycles ptui_counts_line_cycles(const struct ptui_annotate_counts *c, size_t line)
{
	return c->cycles.lines && line < c->n_lines ? c->cycles.lines[line] :
						      (struct ptui_line_cycles){ .ipc = 0 };
}

struct ptui_function_cycles ptui_counts_cycles(const struct ptui_annotate_counts *c)
{
	const struct annotate_cycles *y = &c->cycles;

	return (struct ptui_function_cycles){
		.branches = y->branches,
		.ipc = y->cycles ? (double)y->insns / (double)y->cycles : 0,
		.coverage = c->n_code ? 100.0 * (double)y->covered / (double)c->n_code : 0,
	};
}
