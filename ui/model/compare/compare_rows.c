/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare/compare_rows_private.h"
#include "text/i18n.h"
#include "text/utf8.h"

static const char *const order_texts[N_COMPARE_ORDERS] = {
	[COMPARE_BY_CHANGE] = N_("by change"),	     [COMPARE_BY_GROWN] = N_("increases first"),
	[COMPARE_BY_SHRUNK] = N_("decreases first"), [COMPARE_BY_FACTOR] = N_("by factor"),
	[COMPARE_BY_BEFORE] = N_("by before"),	     [COMPARE_BY_AFTER] = N_("by after"),
};

const char *compare_order_text(enum compare_order order)
{
	return _(order_texts[order]);
}

/* ---- views ---- */

static bool both_have_chains(const struct compare_views_opts *o)
{
	for (int i = 0; i < 2; i++) {
		const struct ptui_event_info *e = ptui_profile_event(o->profile[i], o->event[i]);

		if (!e || !e->has_callchains)
			return false;
	}
	return true;
}

static void find_names(struct compare_views *v)
{
	const struct ptui_hist *h = v->hist[1];

	for (size_t i = 0; i < ptui_hist_n_columns(h) && v->n_names < COMPARE_NAMES_MAX; i++) {
		const char *name = ptui_hist_column(h, i)->name;

		for (size_t k = 0; ptui_hist_key_name(k); k++) {
			if (ptui_hist_key_groups(k) && !strcmp(ptui_hist_key_name(k), name)) {
				v->names[v->n_names++] = i;
				break;
			}
		}
	}
}

struct compare_views *compare_views_new(const struct compare_views_opts *opts,
					ptui_progress_fn progress, void *ctx,
					struct ptui_error *err)
{
	struct compare_views *v = calloc(1, sizeof(*v));
	struct ptui_hist_opts o = { .sort = opts->sort,
				    .order = PTUI_CALLEE,
				    .children = opts->children && both_have_chains(opts),
				    .progress = progress,
				    .progress_ctx = ctx };

	if (!v) {
		ptui_error_nomem(err);
		return NULL;
	}
	atomic_init(&v->refs, 1);
	v->opts = *opts;
	snprintf(v->sort, sizeof(v->sort), "%s", opts->sort ? opts->sort : "");
	v->opts.sort = v->sort;
	for (int i = 0; i < 2; i++) {
		o.event = opts->event[i];
		v->hist[i] = ptui_hist_new(opts->profile[i], &o, err);
		if (!v->hist[i])
			goto fail;
	}
	v->compare = ptui_compare_new(v->hist[0], v->hist[1], err);
	if (!v->compare)
		goto fail;
	find_names(v);
	return v;
fail:
	compare_views_unref(v);
	return NULL;
}

struct compare_views *compare_views_ref(struct compare_views *v)
{
	atomic_fetch_add_explicit(&v->refs, 1, memory_order_relaxed);
	return v;
}

void compare_views_unref(struct compare_views *v)
{
	if (!v || atomic_fetch_sub_explicit(&v->refs, 1, memory_order_acq_rel) != 1)
		return;
	ptui_compare_free(v->compare);
	ptui_hist_free(v->hist[0]);
	ptui_hist_free(v->hist[1]);
	free(v);
}

bool compare_views_are(const struct compare_views *v, const struct compare_views_opts *opts)
{
	return v->opts.profile[0] == opts->profile[0] && v->opts.profile[1] == opts->profile[1] &&
	       v->opts.event[0] == opts->event[0] && v->opts.event[1] == opts->event[1] &&
	       v->opts.children == opts->children && !strcmp(v->sort, opts->sort ? opts->sort : "");
}

/* ---- one row ---- */

static void get(const struct compare_views *v, size_t at, bool swapped, struct compare_row *ret)
{
	struct ptui_compare_row c;
	size_t in[2];

	ptui_compare_row(v->compare, at, &c);
	in[swapped] = c.before;
	in[!swapped] = c.after;
	*ret = (struct compare_row){
		.is_before = in[0] != PTUI_COMPARE_NONE,
		.is_after = in[1] != PTUI_COMPARE_NONE,
		.before = swapped ? c.children_after : c.children_before,
		.after = swapped ? c.children_before : c.children_after,
		.delta = swapped ? -c.delta : c.delta,
		.noise = c.noise,
	};
	for (int i = 0; i < 2; i++) {
		struct ptui_row row = { 0 };

		if (in[i] != PTUI_COMPARE_NONE)
			ptui_hist_row(v->hist[i ^ swapped], in[i], &row);
		ret->samples[i] = row.samples;
		ret->period[i] = row.period;
		ret->period_children[i] = row.period_children;
	}
}

bool compare_row_is_sure(const struct compare_row *row)
{
	return fabs(row->delta) > row->noise;
}

double compare_row_factor(const struct compare_row *row)
{
	return row->before > 0 && row->after > 0 ? row->after / row->before : 0;
}

/* ---- filtering ---- */

/* The view and row of an entry; the view after, if both have it. */
static const struct ptui_hist *view_of(const struct compare_views *v, size_t at, size_t *ret_row)
{
	struct ptui_compare_row c;

	ptui_compare_row(v->compare, at, &c);
	*ret_row = c.after != PTUI_COMPARE_NONE ? c.after : c.before;
	return v->hist[c.after != PTUI_COMPARE_NONE];
}

static bool is_of(const char *wanted, const char *has)
{
	return !*wanted || (has && !strcmp(wanted, has));
}

/* Compares with the function's name; without a function column, with all texts. */
static bool has_text(const struct compare_views *v, size_t at, const char *text)
{
	bool functions = false;
	char cell[1024];
	size_t n;

	for (size_t i = 0; i < v->n_names; i++)
		functions |= !strcmp(ptui_hist_column(v->hist[1], v->names[i])->name, "symbol");
	for (size_t i = 0; i < v->n_names; i++) {
		const struct ptui_column *c = ptui_hist_column(v->hist[1], v->names[i]);

		if (functions && strcmp(c->name, "symbol"))
			continue;
		ptui_compare_cell(v->compare, at, v->names[i], cell, sizeof(cell));
		if (utf8_find(cell, text, &n))
			return true;
	}
	return false;
}

static bool is_wanted(const struct compare_views *v, size_t at, const struct compare_filter *f)
{
	struct ptui_row_origin from;
	const struct ptui_hist *h;
	size_t row;

	if (*f->text && !has_text(v, at, f->text))
		return false;
	if (!f->kernel && !*f->comm && !*f->dso)
		return true;
	h = view_of(v, at, &row);
	ptui_hist_row_origin(h, row, &from);
	return (!f->kernel || from.kernel) && is_of(f->comm, from.comm) && is_of(f->dso, from.dso);
}

static void filter_rows(struct compare_rows *r, const struct compare_how *how)
{
	const struct compare_filter *f = &how->filter;
	size_t n = ptui_compare_n_rows(r->views->compare);

	for (size_t at = 0; at < n; at++) {
		struct compare_row row;
		double most;

		r->places[at] = PTUI_NONE;
		get(r->views, at, how->swapped, &row);
		if (!is_wanted(r->views, at, f))
			continue;
		most = row.before > row.after ? row.before : row.after;
		if (most * 100 < f->limit) {
			r->n_below++;
		} else if (f->sure_only && !compare_row_is_sure(&row)) {
			r->n_unsure++;
		} else {
			if (fabs(row.delta) > r->most)
				r->most = fabs(row.delta);
			r->rows[r->n++] = (uint32_t)at;
		}
	}
}

/* ---- sorting ---- */

/* New and vanished rows count as infinite factors, larger rows first. */
static double how_often(const struct compare_row *row)
{
	double factor = compare_row_factor(row);

	if (factor > 0)
		return factor < 1 ? 1 / factor : factor;
	return row->delta == 0 ? 0 : 1e30 * fabs(row->delta);
}

static double weight(const struct compare_row *row, enum compare_order order)
{
	switch (order) {
	case COMPARE_BY_GROWN:
		return row->delta;
	case COMPARE_BY_SHRUNK:
		return -row->delta;
	case COMPARE_BY_FACTOR:
		return how_often(row);
	case COMPARE_BY_BEFORE:
		return row->before;
	case COMPARE_BY_AFTER:
		return row->after;
	default:
		return fabs(row->delta);
	}
}

struct weighed {
	double weight;
	uint32_t at;
};

/* Rows of equal weight stay in the order of the core: by change. */
static int by_weight(const void *x, const void *y)
{
	const struct weighed *a = x, *b = y;
	double most = fabs(a->weight) > fabs(b->weight) ? fabs(a->weight) : fabs(b->weight);

	/* tolerate rounding errors */
	if (fabs(a->weight - b->weight) > most * 1e-9)
		return a->weight > b->weight ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int sort(struct compare_rows *r, const struct compare_how *how)
{
	struct weighed *all = malloc((r->n + 1) * sizeof(*all));

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < r->n; i++) {
		struct compare_row row;

		get(r->views, r->rows[i], how->swapped, &row);
		all[i] = (struct weighed){ weight(&row, how->order), r->rows[i] };
	}
	if (r->n)
		qsort(all, r->n, sizeof(*all), by_weight);
	for (size_t i = 0; i < r->n; i++) {
		r->rows[i] = all[i].at;
		r->places[all[i].at] = (uint32_t)i;
	}
	free(all);
	return 0;
}

struct compare_rows *compare_rows_new(struct compare_views *v, const struct compare_how *how)
{
	struct compare_rows *r = calloc(1, sizeof(*r));
	size_t n = ptui_compare_n_rows(v->compare);

	if (!r)
		return NULL;
	r->views = compare_views_ref(v);
	r->swapped = how->swapped;
	r->rows = malloc((n + 1) * sizeof(*r->rows));
	r->places = malloc((n + 1) * sizeof(*r->places));
	if (r->rows && r->places) {
		filter_rows(r, how);
		if (!sort(r, how))
			return r;
	}
	compare_rows_free(r);
	return NULL;
}

void compare_rows_free(struct compare_rows *r)
{
	if (!r)
		return;
	compare_views_unref(r->views);
	free(r->rows);
	free(r->places);
	free(r);
}

struct compare_rows *compare_rows_pick(const struct compare_rows *r, size_t i)
{
	struct compare_rows *one = calloc(1, sizeof(*one));

	if (!one)
		return NULL;
	one->views = compare_views_ref(r->views);
	one->swapped = r->swapped;
	one->most = r->most;
	one->rows = malloc(sizeof(*one->rows));
	if (one->rows) {
		one->rows[one->n++] = r->rows[i];
		return one;
	}
	compare_rows_free(one);
	return NULL;
}

/* ---- rows ---- */

size_t compare_rows_n(const struct compare_rows *r)
{
	return r->n;
}

void compare_rows_get(const struct compare_rows *r, size_t i, struct compare_row *ret)
{
	get(r->views, r->rows[i], r->swapped, ret);
}

size_t compare_rows_n_below(const struct compare_rows *r)
{
	return r->n_below;
}

size_t compare_rows_n_unsure(const struct compare_rows *r)
{
	return r->n_unsure;
}

double compare_rows_most(const struct compare_rows *r)
{
	return r->most;
}

uint64_t compare_rows_id(const struct compare_rows *r, size_t i)
{
	return (uint64_t)r->rows[i] + 1;
}

size_t compare_rows_find(const struct compare_rows *r, uint64_t id)
{
	if (!r->places || !id || id > ptui_compare_n_rows(r->views->compare) ||
	    r->places[id - 1] == PTUI_NONE)
		return SIZE_MAX;
	return r->places[id - 1];
}

const struct compare_views *compare_rows_views(const struct compare_rows *r)
{
	return r->views;
}

/* ---- texts ---- */

size_t compare_rows_n_names(const struct compare_rows *r)
{
	return r->views->n_names;
}

static const struct ptui_column *column(const struct compare_rows *r, int view, size_t name)
{
	return ptui_hist_column(r->views->hist[view], r->views->names[name]);
}

const char *compare_rows_title(const struct compare_rows *r, size_t name)
{
	return column(r, 1, name)->title;
}

const char *compare_rows_key(const struct compare_rows *r, size_t name)
{
	return column(r, 1, name)->name;
}

unsigned compare_rows_width(const struct compare_rows *r, size_t name)
{
	unsigned before = column(r, 0, name)->width, after = column(r, 1, name)->width;

	return before > after ? before : after;
}

const char *compare_rows_name(const struct compare_rows *r, size_t i, size_t name, char *buf,
			      size_t size)
{
	ptui_compare_cell(r->views->compare, r->rows[i], r->views->names[name], buf, size);
	return buf;
}

void compare_rows_origin(const struct compare_rows *r, size_t i, struct ptui_row_origin *ret)
{
	size_t row;
	const struct ptui_hist *h = view_of(r->views, r->rows[i], &row);

	ptui_hist_row_origin(h, row, ret);
}

const struct ptui_hist *compare_rows_hist(const struct compare_rows *r, bool after)
{
	return r->views->hist[after != r->swapped];
}

void compare_rows_all(const struct compare_rows *r, bool after, struct ptui_hist_all *ret)
{
	ptui_hist_all(compare_rows_hist(r, after), ret);
}

bool compare_rows_children(const struct compare_rows *r)
{
	return ptui_hist_children(r->views->hist[1]);
}
