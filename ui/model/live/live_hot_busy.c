/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How busy each CPU was. A clock also samples idle time, as the idle task: all other samples were
 * work. Events that do not count while a CPU is idle cannot show this.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/live/live_derived.h"
#include "model/live/live_hot_private.h"

static bool samples_show_idle(const struct live_hot_job *job)
{
	const struct live_hot_view *view = &job->view;

	/* with a filter the rest is unknown */
	return view->by == LIVE_HOT_CPUS && view->whole_system && !view->hide_kernel &&
	       !view->hide_user && !view->only.has_thread && !*view->only.comm &&
	       !*view->only.dso && !*view->only.function &&
	       live_is_clock(ptui_profile_event(job->profile, job->event)->name);
}

static struct ptui_hist *count_idle(const struct live_hot_job *job)
{
	struct ptui_hist_opts opts = hot_hist_opts(job);

	opts.sort = "cpu";
	opts.show_samples = false;
	opts.no_chains = true;
	opts.filter.by_thread = true;
	opts.filter.tid = 0;
	return ptui_hist_new(job->profile, &opts, NULL);
}

static uint64_t idle_of(const struct ptui_hist *idle, uint32_t cpu)
{
	struct ptui_row facts;
	char buf[64];

	for (size_t i = 0; i < ptui_hist_n_rows(idle); i++) {
		ptui_hist_cell(idle, i, ptui_hist_n_columns(idle) - 1, buf, sizeof(buf));
		if (strtol(buf, NULL, 10) != (long)cpu)
			continue;
		ptui_hist_row(idle, i, &facts);
		return facts.period;
	}
	return 0;
}

int hot_add_busy(struct live_hot *h, const struct live_hot_job *job, const struct ptui_hist *hist)
{
	struct ptui_hist *idle;
	struct ptui_row facts;

	if (!samples_show_idle(job))
		return 0;
	idle = count_idle(job);
	if (!idle)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_rows; i++) {
		struct hot_row *r = &h->rows[i];

		ptui_hist_row(hist, i, &facts);
		r->busy = NAN;
		if (r->has_cpu && facts.period)
			r->busy = 100.0 -
				  100.0 * (double)idle_of(idle, r->cpu) / (double)facts.period;
		h->has_busy |= r->has_cpu;
	}
	ptui_hist_free(idle);
	return 0;
}
