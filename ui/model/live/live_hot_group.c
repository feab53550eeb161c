/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>

#include "model/live/live_hot_private.h"

/* Limits of the functions below a thread or a CPU: number, and minimum share of the total. */
#define FUNCTIONS_MAX	   100
#define FUNCTIONS_MIN_PART 2000

/* Filters by the row: a thread by its id, a CPU by its number. */
static void narrow(struct ptui_hist_opts *opts, const struct hot_row *r)
{
	if (r->has_thread) {
		opts->filter.by_thread = true;
		opts->filter.tid = r->tid;
	} else if (r->has_cpu) {
		opts->filter.by_cpu = true;
		opts->filter.cpu = r->cpu;
	}
	/* shares of the total, as for the row */
	opts->relative = false;
	opts->show_samples = false;
	opts->sort = "dso,symbol"; /* functions without processes */
}

static size_t n_worth(const struct ptui_hist *functions)
{
	uint64_t least = ptui_hist_total_period(functions) / FUNCTIONS_MIN_PART;
	size_t n = ptui_hist_n_rows(functions), i;
	struct ptui_row facts;

	if (n > FUNCTIONS_MAX)
		n = FUNCTIONS_MAX;
	for (i = 0; i < n; i++) {
		ptui_hist_row(functions, i, &facts);
		if (facts.period <= least)
			break;
	}
	return i;
}

static int add_functions(struct live_hot *h, size_t parent, const struct ptui_hist *functions,
			 double total)
{
	size_t n = n_worth(functions), first;
	struct ptui_row facts;

	if (!n)
		return 0;
	if (hot_add_rows(h, n, &first))
		return -ENOMEM;
	h->rows[parent].first_child = (uint32_t)first;
	h->rows[parent].n_children = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		struct hot_row *r = &h->rows[first + i];

		ptui_hist_row(functions, i, &facts);
		r->percent = total > 0 ? 100.0 * (double)facts.period / total : 0;
		r->now = NAN;
		r->samples = facts.samples;
		r->made = true;
		if (hot_fill_function(h, first + i, parent, functions, i))
			return -ENOMEM;
	}
	return 0;
}

int hot_open_group(struct live_hot *h, const struct ptui_hist *hist, size_t row,
		   const struct live_hot_job *job, struct ptui_error *err)
{
	struct ptui_hist_opts opts = hot_hist_opts(job);
	struct ptui_hist *functions;
	int ret;

	h->rows[row].made = true;
	narrow(&opts, &h->rows[row]);
	functions = ptui_hist_new(job->profile, &opts, err);
	if (!functions)
		return -ENOMEM;
	ret = add_functions(h, row, functions, (double)ptui_hist_total_period(hist));
	ptui_hist_free(functions);
	return ret;
}
