/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/live/live_hot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/amount.h"
#include "model/live/live.h"
#include "text/i18n.h"

/* Each refresh makes all rows again. Those after these have less than a thousandth each. */
#define HOT_ROWS_MAX 1000
/* Minimum share of their row for callers, in percent, as in perf. */
#define CALLERS_PERCENT 0.5

struct period {
	uint64_t id, period;
	double now;
};

struct live_hot_maker {
	/*
	 * The newest rows, and those before. A histogram that the next one is counted on from can
	 * only be freed afterwards, so its rows must not be on the screen any more.
	 */
	struct rows *last[2];
	uint64_t generation, left;
	uint32_t event;
	struct live_hot_view view;
	/* the rows of the last profile, sorted by id: the next one is compared with them */
	struct period *periods;
	size_t n_periods;
	bool all; /* there were no other rows */
	uint64_t total;
};

struct live_hot_maker *live_hot_maker_new(void)
{
	return calloc(1, sizeof(struct live_hot_maker));
}

void live_hot_maker_free(struct live_hot_maker *k)
{
	if (!k)
		return;
	rows_free(k->last[0]);
	rows_free(k->last[1]);
	free(k->periods);
	free(k);
}

void live_hot_free(struct live_hot *h)
{
	if (!h)
		return;
	rows_free(h->rows);
	free(h->now);
	free(h->busy);
	missing_list_unref(h->missing);
	free(h);
}

/* ---- counting ---- */

/* Limits and order do not change what is counted. */
static bool is_same_view(struct live_hot_view a, const struct live_hot_view *b)
{
	a.look.limits = b->look.limits;
	a.look.order = b->look.order;
	return !memcmp(&a, b, sizeof(a));
}

struct ptui_hist_opts live_hot_opts(const struct live_hot_view *view, uint32_t event)
{
	struct ptui_hist_opts opts = {
		.event = event,
		.show_samples = view->samples || view->by != LIVE_HOT_FUNCTIONS,
		.since_ns = view->since_ns,
		.half_life_ns = view->half_life_ns,
	};

	rows_look_apply(&view->look, &opts);
	opts.filter.user = view->hide_kernel;
	opts.filter.kernel |= view->hide_user;
	return opts;
}

static struct ptui_hist_opts hist_opts(const struct live_hot_job *job)
{
	const struct live_hot_view *view = &job->view;
	struct ptui_hist_opts opts = live_hot_opts(view, job->event);

	if (view->by != LIVE_HOT_FUNCTIONS) {
		opts.sort = view->by == LIVE_HOT_THREADS ? "pid" : "cpu";
		opts.fields = NULL;
		opts.children = false;
	}
	return opts;
}

/* Rows that nothing else refers to; NULL: none. */
static struct rows *reusable(struct live_hot_maker *k)
{
	for (int i = 0; i < 2; i++)
		if (k->last[i] && rows_is_unshared(k->last[i]))
			return k->last[i];
	return NULL;
}

/* For the next histogram; NULL: it cannot be counted on from these, whose weights change with time. */
static void keep_rows(struct live_hot_maker *k, struct rows *rows)
{
	if (k->last[0] || !rows) {
		rows_free(k->last[1]);
		k->last[1] = rows ? k->last[0] : NULL;
	}
	if (!rows)
		rows_free(k->last[0]);
	k->last[0] = rows ? rows_ref(rows) : NULL;
}

static struct rows *count_rows(struct live_hot_maker *k, const struct live_hot_job *job,
			       bool has_chains, struct ptui_error *err)
{
	struct ptui_hist_opts opts = hist_opts(job);
	struct rows *before = reusable(k), *rows;
	const struct rows_opts rows_opts = {
		.limits = { job->view.look.limits.row_percent, CALLERS_PERCENT },
		.order = job->view.look.order,
		.most = HOT_ROWS_MAX,
		.deferred = true,
		.has_chains = has_chains || job->view.by != LIVE_HOT_FUNCTIONS,
	};
	struct ptui_hist *h;

	opts.rows_only = true;
	/* callchains are laid out only if they are needed */
	opts.no_chains = !job->n_open && !opts.children;
	opts.before = before ? rows_view(before) : NULL;
	h = ptui_hist_new(job->profile, &opts, err);
	/* what was taken over from cannot be used again */
	for (int i = 0; i < 2; i++) {
		if (before && k->last[i] == before) {
			rows_free(before);
			k->last[i] = NULL;
		}
	}
	rows = h ? rows_new(h, &rows_opts, err) : NULL;
	if (!rows)
		return NULL;
	keep_rows(k, opts.half_life_ns ? NULL : rows);
	return rows;
}

/* ---- the functions of threads and CPUs ---- */

static int open_group(struct rows *rows, uint64_t id, const struct live_hot_job *job,
		      struct ptui_error *err)
{
	struct ptui_hist_opts opts = hist_opts(job);
	struct ptui_row_origin from = { 0 };
	struct ptui_hist *functions;
	int cpu = rows_cpu(rows, id);

	if (!rows_origin(rows, id, &from))
		return 0;
	/* a thread by its id, a CPU by its number */
	if (from.has_thread) {
		opts.filter.by_thread = true;
		opts.filter.tid = from.tid;
	} else if (cpu >= 0) {
		opts.filter.by_cpu = true;
		opts.filter.cpu = (uint32_t)cpu;
	}
	/* shares of the total, as for the row */
	opts.relative = false;
	opts.show_samples = false;
	opts.sort = "dso,symbol"; /* functions without processes */
	functions = ptui_hist_new(job->profile, &opts, err);
	return functions ? rows_set_functions(rows, id, functions) : -ENOMEM;
}

static int open_rows(struct rows *rows, const struct live_hot_job *job, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < job->n_open && !ret; i++) {
		if (rows_kind(rows, job->open[i]) != ROWS_ROW)
			continue;
		ret = job->view.by == LIVE_HOT_FUNCTIONS ? rows_make(rows, job->open[i]) :
							   open_group(rows, job->open[i], job, err);
	}
	return ret;
}

/* ---- now: the last refresh alone ---- */

static const struct period *period_find(const struct live_hot_maker *k, uint64_t id)
{
	size_t at = bisect(i, k->n_periods, k->periods[i].id < id);

	return at < k->n_periods && k->periods[at].id == id ? &k->periods[at] : NULL;
}

static int by_id(const void *a, const void *b)
{
	const struct period *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * A row's share of what came since the last profile. If old samples were dropped in between, this
 * is unknown, and the last result stays.
 */
static double now_of(const struct live_hot_maker *k, const struct period *before, uint64_t period,
		     uint64_t total, bool comparable)
{
	uint64_t then = before ? before->period : 0;

	if (!comparable)
		return before ? before->now : NAN;
	if (total <= k->total || period < then)
		return 0;
	return 100.0 * (double)(period - then) / (double)(total - k->total);
}

/* Compares with the last profile, or with the one before it if the profile is the same. */
static int compare_rows(struct live_hot_maker *k, const struct live_hot_job *job,
			struct live_hot *h)
{
	const struct ptui_hist *hist = rows_hist(h->rows);
	uint64_t total = ptui_hist_total_period(hist);
	size_t n = rows_n(h->rows);
	/* with decaying weights differences mean nothing: a row may get samples and still shrink */
	bool first = !k->periods || k->event != job->event || !is_same_view(k->view, &job->view) ||
		     job->view.half_life_ns;
	bool again = !first && k->generation == job->generation;
	struct period *periods = calloc(n + 1, sizeof(*periods));

	if (!periods)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint32_t row = rows_shown(h->rows, i);
		struct period *p = &periods[i];
		const struct period *before;
		struct ptui_row facts;

		ptui_hist_row(hist, row, &facts);
		*p = (struct period){ rows_child(h->rows, ROWS_TOP, i), facts.period, NAN };
		before = first ? NULL : period_find(k, p->id);
		if (again)
			p->now = before ? before->now : NAN;
		/* a new row among the hottest may have existed before */
		else if (!first && (before || k->all))
			p->now = now_of(k, before, p->period, total, k->left == job->left);
		h->now[row] = p->now;
		h->has_now |= !isnan(p->now);
	}
	qsort(periods, n, sizeof(*periods), by_id);
	free(k->periods);
	k->periods = periods;
	k->n_periods = n;
	k->all = n < HOT_ROWS_MAX && !rows_n_hidden(h->rows);
	k->total = total;
	k->left = job->left;
	k->event = job->event;
	k->view = job->view;
	k->generation = job->generation;
	return 0;
}

/* ---- how busy each CPU was ---- */

/*
 * A clock also samples idle time, as the idle task: all other samples were work. Events that do not
 * count while a CPU is idle cannot show this.
 */
static bool samples_show_idle(const struct live_hot_job *job)
{
	const struct live_hot_view *view = &job->view;
	const struct rows_only *only = &view->look.only;

	/* with a filter the rest is unknown */
	return view->by == LIVE_HOT_CPUS && view->whole_system && !view->hide_kernel &&
	       !view->hide_user && !only->by_thread && !*only->comm && !*only->dso &&
	       !*only->function && !only->kernel &&
	       amount_is_time(ptui_profile_event(job->profile, job->event)->name);
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

static int add_busy(struct live_hot *h, const struct live_hot_job *job)
{
	struct ptui_hist_opts opts = hist_opts(job);
	struct ptui_hist *idle;

	if (!samples_show_idle(job))
		return 0;
	opts.show_samples = false;
	opts.no_chains = true;
	opts.filter.by_thread = true;
	opts.filter.tid = 0;
	idle = ptui_hist_new(job->profile, &opts, NULL);
	if (!idle)
		return -ENOMEM;
	for (size_t i = 0; i < rows_n(h->rows); i++) {
		uint32_t row = rows_shown(h->rows, i);
		int cpu = rows_cpu(h->rows, rows_child(h->rows, ROWS_TOP, i));
		struct ptui_row facts;

		ptui_hist_row(rows_hist(h->rows), row, &facts);
		if (cpu >= 0 && facts.period)
			h->busy[row] = 100.0 - 100.0 * (double)idle_of(idle, (uint32_t)cpu) /
						       (double)facts.period;
		h->has_busy |= cpu >= 0;
	}
	ptui_hist_free(idle);
	return 0;
}

/* ---- all of it ---- */

static int fill_hot(struct live_hot_maker *k, const struct live_hot_job *job, struct live_hot *h,
		    struct ptui_error *err)
{
	const struct ptui_hist *hist = rows_hist(h->rows);
	size_t n = ptui_hist_n_rows(hist);

	h->event = job->event;
	h->generation = job->generation;
	h->n_facts = trust_facts(job->profile, job->event, hist, h->facts);
	h->missing = missing_list_new(hist);
	h->now = malloc((n + 1) * sizeof(*h->now));
	h->busy = malloc((n + 1) * sizeof(*h->busy));
	if (!h->missing || !h->now || !h->busy)
		return -ENOMEM;
	if (job->view.half_life_ns) /* see keep_rows() */
		ptui_hist_finish(rows_view(h->rows));
	for (size_t i = 0; i < n; i++)
		h->now[i] = h->busy[i] = NAN;
	return compare_rows(k, job, h) || add_busy(h, job) || open_rows(h->rows, job, err) ?
		       -ENOMEM :
		       0;
}

struct live_hot *live_hot_make(struct live_hot_maker *k, const struct live_hot_job *job,
			       struct ptui_error *err)
{
	const struct ptui_event_info *event = ptui_profile_event(job->profile, job->event);
	struct live_hot *h;

	if (!event) {
		ptui_error_input(err, NULL, _("no such event"));
		return NULL;
	}
	h = calloc(1, sizeof(*h));
	if (h)
		h->rows = count_rows(k, job, event->has_callchains, err);
	if (h && h->rows && !fill_hot(k, job, h, err))
		return h;
	live_hot_free(h);
	ptui_error_nomem(err);
	return NULL;
}
