/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "model/live/live_hot_private.h"
#include "text/i18n.h"

/* Minimum share of their row for callers, as in perf. */
#define CALLERS_MIN_PART 200

struct period {
	uint64_t id, period;
	double now;
};

struct live_hot_maker {
	struct ptui_profile *profile;
	struct ptui_hist *hist;
	bool chains; /* with callchains */
	uint64_t generation, left;
	uint32_t event;
	struct live_hot_view view;
	/* the rows of the last profile, sorted by id: the next one is compared with them */
	struct period *periods;
	size_t n_periods;
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
	ptui_hist_free(k->hist);
	ptui_profile_unref(k->profile);
	free(k->periods);
	free(k);
}

static const struct period *period_find(const struct period *p, size_t n, uint64_t id)
{
	size_t at = bisect(i, n, p[i].id < id);

	return at < n && p[at].id == id ? &p[at] : NULL;
}

static int by_id(const void *a, const void *b)
{
	const struct period *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * A row's period in the last refresh: now minus before. If old samples were dropped in between,
 * this is unknown, and the last result stays.
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

/* Moves on to the rows of a new profile: `h` has them, without `now`. */
static int compare_rows(struct live_hot_maker *k, const struct live_hot_job *job,
			struct live_hot *h, const uint64_t *row_periods, uint64_t total)
{
	/* with decaying weights differences mean nothing: a row may get samples and still shrink */
	bool first = !k->periods || k->event != job->event ||
		     !hot_view_equal(&k->view, &job->view) || job->view.half_life_ns;
	bool comparable = !first && k->left == job->left;
	bool all_were = k->n_periods < HOT_ROWS_MAX;
	struct period *periods = calloc(h->n_rows ? h->n_rows : 1, sizeof(*periods));

	if (!periods)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_rows; i++) {
		const struct period *before =
			first ? NULL : period_find(k->periods, k->n_periods, h->rows[i].id);

		periods[i].id = h->rows[i].id;
		periods[i].period = row_periods[i];
		/* a new row among the hottest may have existed before */
		periods[i].now = first || (!before && !all_were) ?
					 NAN :
					 now_of(k, before, row_periods[i], total, comparable);
		h->rows[i].now = periods[i].now;
	}
	qsort(periods, h->n_rows, sizeof(*periods), by_id);
	free(k->periods);
	k->periods = periods;
	k->n_periods = h->n_rows;
	k->total = total;
	k->left = job->left;
	k->event = job->event;
	k->view = job->view;
	k->generation = job->generation;
	return 0;
}

static size_t n_rows_of(const struct ptui_hist *hist)
{
	size_t n = ptui_hist_n_rows(hist);

	return n < HOT_ROWS_MAX ? n : HOT_ROWS_MAX;
}

static int add_rows(struct live_hot *h, const struct ptui_hist *hist,
		    const struct live_hot_view *view, uint64_t *row_periods)
{
	double total = (double)ptui_hist_total_period(hist);
	size_t n = n_rows_of(hist), first;
	struct ptui_row facts;

	if (hot_add_rows(h, n, &first))
		return -ENOMEM;
	h->n_rows = n;
	for (size_t i = 0; i < n; i++) {
		struct hot_row *r = &h->rows[i];

		ptui_hist_row(hist, i, &facts);
		row_periods[i] = facts.period;
		r->samples = facts.samples;
		r->percent = total > 0 ? 100.0 * (double)facts.period / total : 0;
		if (hot_fill_row(h, i, hist, i, view->by))
			return -ENOMEM;
		/* sorted by share */
		if (r->percent >= view->least_percent)
			h->n_shown = i + 1;
	}
	return hot_index(h);
}

/* One caller: `frame` of a node of the call tree, below `parent`. */
static int fill_caller(struct live_hot *h, size_t at, size_t parent,
		       const struct ptui_calltree *tree, const struct ptui_callnode *node,
		       uint32_t frame, double total)
{
	struct hot_row *r = &h->rows[at];
	char buf[1024] = "";
	const char *dso = ptui_calltree_dso(tree, node, frame);

	ptui_calltree_frame(tree, node, frame, buf, sizeof(buf));
	r->percent = 100.0 * (double)node->cumul / total;
	r->now = NAN;
	r->made = true;
	r->entry = h->rows[parent].entry;
	r->id = hot_id(h->rows[parent].id, buf);
	return hot_add_text(h, buf, &r->text) || hot_add_text(h, dso ? dso : "", &r->dso) ?
		       -ENOMEM :
		       0;
}

static int add_callers(struct live_hot *h, size_t parent, const struct ptui_calltree *tree,
		       uint32_t first, double total);

/* The functions of a node from `frame` on are nested, with its branches below the last. */
static int add_run(struct live_hot *h, size_t parent, const struct ptui_calltree *tree,
		   const struct ptui_callnode *node, uint32_t frame, double total)
{
	for (; frame < node->n_frames; frame++) {
		size_t at;

		if (hot_add_rows(h, 1, &at))
			return -ENOMEM;
		h->rows[parent].first_child = (uint32_t)at;
		h->rows[parent].n_children = 1;
		if (fill_caller(h, at, parent, tree, node, frame, total))
			return -ENOMEM;
		parent = at;
	}
	return add_callers(h, parent, tree, node->first_child, total);
}

static int add_callers(struct live_hot *h, size_t parent, const struct ptui_calltree *tree,
		       uint32_t first, double total)
{
	const struct ptui_callnode *node;
	size_t n = 0, at;

	for (uint32_t i = first; (node = ptui_calltree_node(tree, i)); i = node->next)
		n += node->n_frames > 0;
	if (!n)
		return 0;
	if (hot_add_rows(h, n, &at))
		return -ENOMEM;
	h->rows[parent].first_child = (uint32_t)at;
	h->rows[parent].n_children = (uint32_t)n;
	for (uint32_t i = first; (node = ptui_calltree_node(tree, i)); i = node->next) {
		if (!node->n_frames)
			continue;
		if (fill_caller(h, at, parent, tree, node, 0, total) ||
		    add_run(h, at, tree, node, 1, total))
			return -ENOMEM;
		at++;
	}
	return 0;
}

/* The tree of a row begins with the row's own function, which is skipped. */
static int open_row(struct live_hot *h, struct ptui_hist *hist, size_t row, struct ptui_error *err)
{
	double total = (double)ptui_hist_total_period(hist);
	const struct ptui_callnode *root;
	struct ptui_calltree *tree;
	struct ptui_row facts;
	int r = 0;

	h->rows[row].made = true;
	ptui_hist_row(hist, row, &facts);
	tree = ptui_hist_calltree(hist, row, facts.period / CALLERS_MIN_PART, err);
	if (!tree)
		return -ENOMEM;
	root = ptui_calltree_node(tree, ptui_calltree_first(tree));
	if (root && root->next == PTUI_NONE)
		r = add_run(h, row, tree, root, 1, total);
	else if (root)
		r = add_callers(h, row, tree, ptui_calltree_first(tree), total);
	ptui_calltree_free(tree);
	return r;
}

static int open_rows(struct live_hot *h, struct ptui_hist *hist, const struct live_hot_job *job,
		     struct ptui_error *err)
{
	for (size_t i = 0; h->opens && i < job->n_open; i++) {
		uint32_t row = hot_find(h, job->open[i]);

		if (row == HOT_NONE || row >= h->n_rows || h->rows[row].made)
			continue;
		if (job->view.by == LIVE_HOT_FUNCTIONS ? open_row(h, hist, row, err) :
							 hot_open_group(h, hist, row, job, err))
			return -ENOMEM;
	}
	return hot_index(h);
}

static int count(struct live_hot_maker *k, const struct live_hot_job *job, struct ptui_error *err)
{
	struct ptui_hist_opts opts = hot_hist_opts(job);
	struct ptui_hist *hist;

	opts.sort = hot_sort(&job->view);
	opts.rows_only = true;
	opts.no_chains = !job->n_open;
	opts.before = k->hist;
	hist = ptui_hist_new(job->profile, &opts, err);
	ptui_hist_free(k->hist);
	k->hist = hist;
	k->chains = !opts.no_chains;
	if (!hist)
		return -EINVAL;
	ptui_profile_unref(k->profile);
	k->profile = ptui_profile_ref(job->profile);
	return 0;
}

static int fill_hot(struct live_hot_maker *k, const struct live_hot_job *job, struct live_hot *h,
		    bool fresh, struct ptui_error *err)
{
	size_t n = n_rows_of(k->hist);
	uint64_t *periods = calloc(n ? n : 1, sizeof(*periods));
	size_t empty;
	int r = -ENOMEM;

	hot_set_columns(h, k->hist);
	if (!periods || hot_add_text(h, "", &empty) || add_rows(h, k->hist, &job->view, periods))
		goto out;
	if (fresh && compare_rows(k, job, h, periods, ptui_hist_total_period(k->hist)))
		goto out;
	for (size_t i = 0; i < h->n_rows && !fresh; i++) {
		const struct period *p = period_find(k->periods, k->n_periods, h->rows[i].id);

		h->rows[i].now = p ? p->now : NAN;
	}
	for (size_t i = 0; i < h->n_shown && !h->has_now; i++)
		h->has_now = !isnan(h->rows[i].now);
	hot_measure(h);
	r = hot_add_busy(h, job, k->hist);
	if (!r)
		r = open_rows(h, k->hist, job, err);
out:
	free(periods);
	return r;
}

struct live_hot *live_hot_make(struct live_hot_maker *k, const struct live_hot_job *job,
			       struct ptui_error *err)
{
	bool fresh = !k->hist || !k->periods || k->generation != job->generation ||
		     k->event != job->event || !hot_view_equal(&k->view, &job->view);
	const struct ptui_event_info *event = ptui_profile_event(job->profile, job->event);
	struct live_hot *h;

	if (!event) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, _("no such event"));
		return NULL;
	}
	/* callchains are laid out only if a row is open */
	if ((fresh || (job->n_open && !k->chains)) && count(k, job, err))
		return NULL;
	h = calloc(1, sizeof(*h));
	if (!h)
		goto nomem;
	h->event = job->event;
	h->generation = job->generation;
	h->opens = event->has_callchains || job->view.by != LIVE_HOT_FUNCTIONS;
	h->n_facts = trust_facts(job->profile, job->event, k->hist, h->facts);
	h->missing = missing_list_new(k->hist);
	if (!h->missing || fill_hot(k, job, h, fresh, err))
		goto nomem;
	return h;
nomem:
	live_hot_free(h);
	ptui_error_nomem(err);
	return NULL;
}
