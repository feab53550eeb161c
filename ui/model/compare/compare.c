/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/compare/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare/compare_rows_private.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"

/* ---- rows ---- */

const char *compare_order_text(enum compare_order order)
{
	static const char *const order_texts[N_COMPARE_ORDERS] = {
		[COMPARE_BY_CHANGE] = N_("by change"),
		[COMPARE_BY_GROWN] = N_("increases first"),
		[COMPARE_BY_SHRUNK] = N_("decreases first"),
		[COMPARE_BY_FACTOR] = N_("by factor"),
		[COMPARE_BY_BEFORE] = N_("by before"),
		[COMPARE_BY_AFTER] = N_("by after"),
	};

	return _(order_texts[order]);
}

/* ---- views ---- */

static bool both_have_chains(const struct compare_job *job)
{
	for (int i = 0; i < 2; i++) {
		const struct ptui_event_info *e = ptui_profile_event(job->profile[i],
								     job->event[i]);

		if (!e || !e->has_callchains)
			return false;
	}
	return true;
}

static void find_names(struct compare_views *v)
{
	const struct ptui_hist *before = v->hist[0], *after = v->hist[1];

	for (size_t i = 0; i < ptui_hist_n_columns(after); i++) {
		struct ptui_column c = *ptui_hist_column(after, i);

		if (c.number || v->source.n_columns == COMPARE_NAMES_MAX)
			continue;
		if (ptui_hist_column(before, i)->width > c.width)
			c.width = ptui_hist_column(before, i)->width;
		v->columns[v->source.n_columns] = c;
		v->names[v->source.n_columns++] = i;
	}
}

/* ---- their rows as nodes ---- */

static const struct ptui_column *name_column(const void *of, size_t column)
{
	return &((const struct compare_views *)of)->columns[column];
}

const char *compare_views_name(const struct compare_views *v, size_t at, size_t name, char *buf,
			       size_t size)
{
	ptui_compare_cell(v->compare, at, v->names[name], buf, size);
	return buf;
}

static void name_cell(const void *of, size_t row, size_t column, char *buf, size_t size)
{
	compare_views_name(of, row, column, buf, size);
}

/* The view after, if both have it. */
static const struct ptui_hist *row_hist(const void *of, size_t *row)
{
	const struct compare_views *v = of;
	struct ptui_compare_row c;
	bool after;

	ptui_compare_row(v->compare, *row, &c);
	after = c.after != PTUI_COMPARE_NONE;
	*row = after ? c.after : c.before;
	return v->hist[after];
}

/* Returns one reference. NULL on failure; ECANCELED if `progress` (may be NULL) cancelled. */
static struct compare_views *views_new(struct compare_job *job, ptui_progress_fn progress,
				       void *ctx)
{
	const struct rows_look *look = &job->rows.look;
	struct ptui_error *err = &job->rows.err;
	struct compare_views *v = calloc(1, sizeof(*v));
	struct ptui_hist_opts o = {
		.sort = *look->sort ? look->sort : NULL,
		.order = PTUI_CALLEE,
		.children = look->children && both_have_chains(job),
		.filter = { .hide_dsos = look->only.lists[ROWS_LIST_HIDDEN],
			    .collapse_recursion = look->only.collapse_recursion },
		.progress = progress,
		.progress_ctx = ctx,
	};

	if (!v) {
		ptui_error_nomem(err);
		return NULL;
	}
	atomic_init(&v->refs, 1);
	v->look = *look;
	v->source =
		(struct rows_source){ .column = name_column, .cell = name_cell, .hist = row_hist };
	for (int i = 0; i < 2; i++) {
		v->profile[i] = job->profile[i];
		v->event[i] = o.event = job->event[i];
		o.filter.times = job->times[i];
		v->hist[i] = ptui_hist_new(job->profile[i], &o, err);
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

/* True if they are those that the job needs. */
static bool views_are(const struct compare_views *v, const struct compare_job *job)
{
	const struct rows_look *has = &v->look, *wanted = &job->rows.look;

	return v->profile[0] == job->profile[0] && v->profile[1] == job->profile[1] &&
	       v->event[0] == job->event[0] && v->event[1] == job->event[1] &&
	       has->children == wanted->children && !strcmp(has->sort, wanted->sort) &&
	       !strcmp(has->only.lists[ROWS_LIST_HIDDEN], wanted->only.lists[ROWS_LIST_HIDDEN]) &&
	       has->only.collapse_recursion == wanted->only.collapse_recursion;
}

/* ---- one row ---- */

void compare_views_get(const struct compare_views *v, size_t at, bool swapped,
		       struct compare_row *ret)
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

/* ---- filtering ---- */

static bool is_of(const char *wanted, const char *has)
{
	return !*wanted || (has && !strcmp(wanted, has));
}

/* Compares with the function's name; without a function column, with all texts. */
static bool has_text(const struct compare_views *v, size_t at, const char *text)
{
	bool functions = false;
	char cell[ROW_BYTES];
	size_t n;

	for (size_t i = 0; i < v->source.n_columns; i++)
		functions |= !strcmp(v->columns[i].name, "symbol");
	for (size_t i = 0; i < v->source.n_columns; i++) {
		if (functions && strcmp(v->columns[i].name, "symbol"))
			continue;
		if (utf8_find(compare_views_name(v, at, i, cell, sizeof(cell)), text, &n))
			return true;
	}
	return false;
}

static bool is_wanted(const struct compare_views *v, size_t at, const struct rows_only *only)
{
	struct ptui_row_origin from;
	const struct ptui_hist *h;

	if (*only->function && !has_text(v, at, only->function))
		return false;
	if (!only->kernel && !only->by_thread && !*only->comm && !*only->dso)
		return true;
	h = row_hist(v, &at);
	ptui_hist_row_origin(h, at, &from);
	return (!only->by_thread || (from.has_thread && from.tid == only->tid)) &&
	       (!only->kernel || from.kernel) && is_of(only->comm, from.comm) &&
	       is_of(only->dso, from.dso);
}

/* Returns the number of rows in `list`. */
static size_t filter_rows(struct compare_rows *r, const struct rows_look *look,
			  struct weighed *list)
{
	size_t n = ptui_compare_n_rows(r->views->compare), n_wanted = 0;

	for (size_t at = 0; at < n; at++) {
		struct compare_row row;
		double most;

		compare_views_get(r->views, at, look->swapped, &row);
		if (!is_wanted(r->views, at, &look->only))
			continue;
		most = row.before > row.after ? row.before : row.after;
		if (most * 100 < look->limits.row_percent) {
			r->n_below++;
		} else if (look->sure_only && !compare_row_is_sure(&row)) {
			r->n_unsure++;
		} else {
			if (fabs(row.delta) > r->most)
				r->most = fabs(row.delta);
			list[n_wanted++] = (struct weighed){
				weight(&row, (enum compare_order)look->compare_order), (uint32_t)at
			};
		}
	}
	return n_wanted;
}

static void rows_release(void *made)
{
	struct compare_rows *r = made;

	if (!r)
		return;
	rows_free(r->nodes);
	compare_views_unref(r->views);
	free(r);
}

/* Filtered and sorted by the look. Takes a reference to `v`. NULL: out of memory. */
static struct compare_rows *compare_rows_new(struct compare_views *v, const struct rows_look *look)
{
	size_t n = ptui_compare_n_rows(v->compare);
	struct compare_rows *r = calloc(1, sizeof(*r));
	struct weighed *wanted = malloc((n + 1) * sizeof(*wanted));
	uint32_t *list = malloc((n + 1) * sizeof(*list));

	if (!r || !wanted || !list) {
		free(list);
		goto fail;
	}
	r->views = compare_views_ref(v);
	r->swapped = look->swapped;
	n = filter_rows(r, look, wanted);
	qsort(wanted, n, sizeof(*wanted), by_weight);
	for (size_t i = 0; i < n; i++)
		list[i] = wanted[i].at;
	r->nodes = rows_new_list(&v->source, v, list, n);
	if (r->nodes && !rows_set_order(r->nodes, &look->order)) {
		free(wanted);
		return r;
	}
fail:
	free(wanted);
	rows_release(r);
	return NULL;
}

/* ---- rows ---- */

void compare_rows_get(const struct compare_rows *r, uint32_t row, struct compare_row *ret)
{
	compare_views_get(r->views, row, r->swapped, ret);
}

const struct ptui_hist *compare_rows_hist(const struct compare_rows *r, bool after)
{
	return r->views->hist[after != r->swapped];
}

/* ---- tabs ---- */

/* The length of a name without its modifiers: "cycles:pp". */
static size_t bare_length(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon && strspn(colon + 1, "ukhHGpPSDWe") == strlen(colon + 1) ?
		       (size_t)(colon - name) :
		       strlen(name);
}

/* Precision (p, P) is where a sample is taken, not what is counted: perf asks for it by default. */
static bool is_same_but_precise(const char *a, const char *b)
{
	size_t n = bare_length(a);

	if (bare_length(b) != n || strncmp(a, b, n) != 0)
		return false;
	for (a += n, b += n;; a++, b++) {
		a += strspn(a, ":pP");
		b += strspn(b, ":pP");
		if (*a != *b || !*a)
			return *a == *b;
	}
}

static bool is_same(const char *a, const char *b)
{
	return !strcmp(a, b);
}

/* Of several with one name, the first matches the first, and so on. */
static uint32_t partner_by(const struct compare *c, int of, uint32_t event,
			   bool (*same)(const char *a, const char *b))
{
	const char *name = ptui_profile_event(c->profile[of], event)->name;
	size_t before = 0, n = ptui_profile_n_events(c->profile[!of]);

	for (uint32_t i = 0; i < event; i++)
		before += same(ptui_profile_event(c->profile[of], i)->name, name);
	for (uint32_t i = 0; i < n; i++) {
		if (same(ptui_profile_event(c->profile[!of], i)->name, name) && !before--)
			return i;
	}
	return PTUI_NONE;
}

/* The matching event of the other profile. */
static uint32_t partner(const struct compare *c, int of, uint32_t event)
{
	uint32_t i = partner_by(c, of, event, is_same);

	if (i != PTUI_NONE)
		return i;
	i = partner_by(c, of, event, is_same_but_precise);
	/* not one that has its own */
	return i == PTUI_NONE || partner_by(c, !of, i, is_same) == PTUI_NONE ? i : PTUI_NONE;
}

static int make_tabs(struct compare *c)
{
	size_t n = ptui_profile_n_events(c->profile[1]);

	if (rows_tabs_init(&c->tabs, n))
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct ptui_event_info *e = ptui_profile_event(c->profile[1], i);
		uint32_t other = partner(c, 1, i);
		size_t tab = c->tabs.n;

		if (other == PTUI_NONE ||
		    (!e->samples && !ptui_profile_event(c->profile[0], other)->samples))
			continue;
		if (rows_tabs_add(&c->tabs, tab, e->name))
			return -ENOMEM;
		c->tabs.v[tab].event[0] = other;
		c->tabs.v[tab].event[1] = i;
	}
	return 0;
}

struct compare *compare_new(struct ptui_profile *before, struct ptui_profile *after,
			    struct ptui_error *err)
{
	struct compare *c = calloc(1, sizeof(*c));

	if (c) {
		c->profile[0] = ptui_profile_ref(before);
		c->profile[1] = ptui_profile_ref(after);
		c->tabs.look.limits.row_percent = COMPARE_LIMIT;
		if (!make_tabs(c))
			return c;
	}
	compare_free(c);
	ptui_error_nomem(err);
	return NULL;
}

void compare_free(struct compare *c)
{
	if (!c)
		return;
	rows_tabs_release(&c->tabs, rows_release);
	ptui_profile_unref(c->profile[0]);
	ptui_profile_unref(c->profile[1]);
	free(c);
}

/* Index of the profile shown as after, or as before, by the current rows' options. */
static int side(const struct compare *c, bool after)
{
	const struct rows_tab *t = rows_tabs_now(&c->tabs);

	return after != (t && t->made ? t->look.swapped : c->tabs.look.swapped);
}

struct ptui_profile *compare_profile(const struct compare *c, bool after)
{
	return c->profile[side(c, after)];
}

bool compare_swapped(const struct compare *c)
{
	return side(c, false);
}

const struct ptui_event_info *compare_event(const struct compare *c, bool after)
{
	int at = side(c, after);

	return c->tabs.n ? ptui_profile_event(c->profile[at], c->tabs.v[c->tabs.at].event[at]) :
			   NULL;
}

const char *compare_lone_events(const struct compare *c, bool after, char *buf, size_t size)
{
	int at = side(c, after);

	*buf = '\0';
	for (uint32_t i = 0; i < ptui_profile_n_events(c->profile[at]); i++) {
		const struct ptui_event_info *e = ptui_profile_event(c->profile[at], i);

		if (e->samples && partner(c, at, i) == PTUI_NONE)
			text_join(buf, size, ", ", "%s", e->name);
	}
	return buf;
}

struct compare_rows *compare_rows(const struct compare *c)
{
	return rows_tabs_made(&c->tabs);
}

bool compare_has_children(const struct compare *c)
{
	return c->tabs.n && compare_event(c, false)->has_callchains &&
	       compare_event(c, true)->has_callchains;
}

/* ---- work ---- */

bool compare_job_next(const struct compare *c, struct compare_job *ret)
{
	struct compare_views *views;
	bool failed = false;

	memset(ret, 0, sizeof(*ret));
	if (!rows_tabs_next(&c->tabs, &ret->rows))
		return false;
	for (int i = 0; i < 2; i++) {
		ret->profile[i] = ptui_profile_ref(c->profile[i]);
		ret->times[i] = c->times[i] ? strdup(c->times[i]) : NULL;
		failed |= c->times[i] && !ret->times[i];
		ret->event[i] = c->tabs.v[c->tabs.at].event[i];
	}
	views = compare_rows(c) ? compare_rows(c)->views : NULL;
	if (views && views_are(views, ret))
		ret->views = compare_views_ref(views);
	else if (failed)
		ptui_error_nomem(&ret->rows.err);
	return true;
}

void compare_job_run(struct compare_job *job, ptui_progress_fn progress, void *ctx)
{
	if (!job->views && !ptui_error_is_set(&job->rows.err))
		job->views = views_new(job, progress, ctx);
	if (!job->views)
		return;
	job->rows.made = compare_rows_new(job->views, &job->rows.look);
	if (!job->rows.made)
		ptui_error_nomem(&job->rows.err);
}

void compare_job_done(struct compare *c, struct compare_job *job)
{
	(void)rows_tabs_done(&c->tabs, &job->rows);
}

void compare_job_release(struct compare_job *job)
{
	rows_release(job->rows.made);
	compare_views_unref(job->views);
	for (int i = 0; i < 2; i++) {
		ptui_profile_unref(job->profile[i]);
		free(job->times[i]);
	}
}
