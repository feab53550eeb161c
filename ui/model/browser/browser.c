/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/rows/rows_trees.h"
#include "text/i18n.h"

static void free_rows(void *made)
{
	rows_free(made);
}

static bool is_in_tab(const struct browser *b, uint32_t event, uint32_t leader)
{
	return ptui_profile_leader(b->profile, event, b->opts.hist.grouping) == leader;
}

/* The names of the events of a tab: "cycles, page-faults". To be freed; NULL: out of memory. */
static char *tab_name(const struct browser *b, uint32_t leader)
{
	struct buf name = BUF_INIT;

	for (uint32_t i = 0; i < ptui_profile_n_events(b->profile); i++)
		if (is_in_tab(b, i, leader))
			buf_addf(&name, "%s%s", name.len ? ", " : "",
				 ptui_profile_event(b->profile, i)->name);
	return buf_take(&name);
}

static int add_tab(struct browser *b, size_t at, uint32_t event)
{
	char *name = tab_name(b, event);
	int ret = name ? rows_tabs_add(&b->tabs, at, name) : -ENOMEM;

	if (!ret)
		b->tabs.v[at].event[0] = event;
	free(name);
	return ret;
}

/* Tabs of the events with samples; of a group, of its leader. */
static int add_tabs(struct browser *b)
{
	size_t n = ptui_profile_n_events(b->profile);
	int ret = 0;

	if (rows_tabs_init(&b->tabs, n))
		return -ENOMEM;
	for (uint32_t i = 0; i < n && !ret; i++)
		if (is_in_tab(b, i, i) && browser_samples(b, i, NULL))
			ret = add_tab(b, b->tabs.n, i);
	return n && !b->tabs.n && !ret ? add_tab(b, 0, 0) : ret;
}

/* The look that the options ask for. */
static int init_look(struct rows_look *l, const struct browser_opts *opts, struct ptui_error *err)
{
	const struct ptui_hist_opts *h = &opts->hist;

	if ((h->sort && strlen(h->sort) >= sizeof(l->sort)) ||
	    (h->fields && strlen(h->fields) >= sizeof(l->fields)))
		return ptui_error_input(err, NULL, _("too many sort keys"));
	snprintf(l->sort, sizeof(l->sort), "%s", h->sort ? h->sort : "");
	snprintf(l->fields, sizeof(l->fields), "%s", h->fields ? h->fields : "");
	l->children = h->children;
	l->chain_order = h->order;
	l->chain_order_set = opts->order_given;
	l->inlines = h->inlines;
	l->hierarchy = opts->hierarchy;
	l->group_sort = h->group_sort;
	l->relative = h->relative;
	l->limits = opts->limits;
	return 0;
}

/* The default of some recordings, of which rows_look does not know. */
static void use_default_sort(struct rows_look *l, const struct ptui_profile *p)
{
	const char *sort = ptui_profile_default_sort(p);
	char added[ROWS_TEXT_MAX];

	if (!sort || (*l->sort && *l->sort != '+') || (*l->fields && *l->fields != '+'))
		return;
	snprintf(added, sizeof(added), "%s", *l->sort ? l->sort + 1 : "");
	snprintf(l->sort, sizeof(l->sort), "%s%s%.*s", sort, *added ? "," : "",
		 (int)(sizeof(l->sort) - strlen(sort) - 2), added);
}

static void begin_with_event(struct browser *b, const char *name)
{
	for (uint32_t i = (uint32_t)ptui_profile_n_events(b->profile); i-- > 0;)
		for (size_t tab = 0; tab < b->tabs.n; tab++)
			if (!strcmp(ptui_profile_event(b->profile, i)->name, name) &&
			    is_in_tab(b, i, b->tabs.v[tab].event[0]))
				rows_tabs_set(&b->tabs, tab);
}

struct browser *browser_new(struct ptui_profile *p, const struct browser_opts *opts,
			    struct ptui_error *err)
{
	struct browser *b = calloc(1, sizeof(*b));

	if (!b)
		goto nomem;
	b->profile = ptui_profile_ref(p);
	b->opts = *opts;
	b->opts.hist.sort = b->opts.hist.fields = NULL;
	b->opts.filter = NULL;
	b->opts.event = NULL;
	if (init_look(&b->tabs.look, opts, err)) {
		browser_free(b);
		return NULL;
	}
	use_default_sort(&b->tabs.look, p);
	if (add_tabs(b))
		goto nomem;
	if (opts->event)
		begin_with_event(b, opts->event);
	if (opts->filter)
		rows_look_begin(&b->tabs.look, opts->filter);
	return b;
nomem:
	browser_free(b);
	ptui_error_nomem(err);
	return NULL;
}

/* The tab at which an event belongs. */
static size_t tab_place(const struct browser *b, uint32_t event)
{
	size_t tab = 0;

	while (tab < b->tabs.n && b->tabs.v[tab].event[0] < event)
		tab++;
	return tab;
}

int browser_set_profile(struct browser *b, struct ptui_profile *p)
{
	struct ptui_profile *before = b->profile;
	size_t n = b->tabs.n;
	int ret = 0;

	if (ptui_profile_n_events(p) != ptui_profile_n_events(before))
		return -EINVAL;
	b->profile = p;
	for (uint32_t i = 0; i < ptui_profile_n_events(p) && !ret; i++) {
		size_t tab = tab_place(b, i);

		if ((tab == b->tabs.n || b->tabs.v[tab].event[0] != i) && is_in_tab(b, i, i) &&
		    browser_samples(b, i, NULL))
			ret = add_tab(b, tab, i);
	}
	if (ret) {
		b->profile = before;
		return ret;
	}
	ptui_profile_ref(p);
	ptui_profile_unref(before);
	rows_tabs_changed(&b->tabs);
	return b->tabs.n > n;
}

void browser_free(struct browser *b)
{
	if (!b)
		return;
	rows_tabs_release(&b->tabs, free_rows);
	ptui_profile_unref(b->profile);
	free(b);
}

uint32_t browser_tab_event(const struct browser *b)
{
	return b->tabs.n ? b->tabs.v[b->tabs.at].event[0] : 0;
}

uint64_t browser_samples(const struct browser *b, uint32_t event, uint64_t *ret_period)
{
	uint64_t samples = 0, period = 0;

	for (uint32_t i = 0; i < ptui_profile_n_events(b->profile); i++) {
		if (!is_in_tab(b, i, event))
			continue;
		samples += ptui_profile_event(b->profile, i)->samples;
		period += ptui_profile_event(b->profile, i)->period;
	}
	if (ret_period)
		*ret_period = period;
	return samples;
}

bool browser_is_grouped(const struct browser *b)
{
	uint32_t event = browser_tab_event(b);

	for (uint32_t i = 0; i < ptui_profile_n_events(b->profile); i++)
		if (i != event && is_in_tab(b, i, event))
			return true;
	return false;
}

struct rows *browser_rows(const struct browser *b)
{
	return rows_tabs_made(&b->tabs);
}

bool browser_cancel(struct browser *b)
{
	const struct rows_limits limits = b->tabs.look.limits;
	const struct rows_order order = b->tabs.look.order;
	bool ret = rows_tabs_cancel(&b->tabs);

	if (ret) {
		b->tabs.look.limits = limits;
		b->tabs.look.order = order;
	}
	return ret;
}

static int show(const struct rows_look *look, struct rows *rows, struct ptui_error *err)
{
	if (rows_set_limits(rows, &look->limits) || rows_set_order(rows, &look->order))
		return ptui_error_nomem(err);
	return 0;
}

int browser_show(struct browser *b, struct ptui_error *err)
{
	for (size_t i = 0; i < b->tabs.n; i++) {
		if (b->tabs.v[i].made && show(&b->tabs.look, b->tabs.v[i].made, err))
			return -ENOMEM;
	}
	return 0;
}

bool browser_shows_slowly(const struct browser *b)
{
	for (size_t i = 0; i < b->tabs.n; i++)
		if (b->tabs.v[i].made && rows_is_slow(b->tabs.v[i].made, &b->tabs.look.order))
			return true;
	return false;
}

void browser_toggle_inlines(struct browser *b)
{
	struct rows_look *l = &b->tabs.look;
	uint32_t event = browser_tab_event(b);

	l->inlines = ptui_inlines_wanted(b->profile, event, l->inlines) ? PTUI_INLINES_OFF :
									  PTUI_INLINES_ON;
}

/* ---- work ---- */

bool browser_job_next(const struct browser *b, struct browser_job *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!rows_tabs_next(&b->tabs, &ret->rows))
		return false;
	ret->profile = ptui_profile_ref(b->profile);
	ret->hist = b->opts.hist;
	ret->hist.event = b->tabs.v[ret->rows.tab].event[0];
	return true;
}

/* Makes the callchains of open rows here, so that keys do not wait. */
static void make_open(struct browser_job *job, ptui_progress_fn progress, void *ctx)
{
	for (size_t i = 0; i < job->n_open; i++) {
		if (progress &&
		    progress(ctx, _("building the expanded callchains"), i, job->n_open))
			return;
		rows_make(job->rows.made, job->open[i]);
	}
}

void browser_job_run(struct browser_job *job, ptui_progress_fn progress, void *ctx)
{
	struct rows_look *look = &job->rows.look;
	const struct rows_opts opts = { .limits = look->limits,
					.order = look->order,
					.hierarchy = look->hierarchy };
	struct ptui_hist *h;
	int err;

	rows_look_set_levels(look);
	rows_look_apply(look, &job->hist);
	job->hist.progress = progress;
	job->hist.progress_ctx = ctx;
	h = ptui_hist_new(job->profile, &job->hist, &job->rows.err);
	if (h)
		job->rows.made = rows_new(h, &opts, &job->rows.err);
	if (job->rows.made && job->makes_open)
		make_open(job, progress, ctx);
	else if (job->rows.made && job->n_open)
		job->trees = rows_trees_new_of(job->rows.made, job->open, job->n_open, &err);
}

void browser_job_done(struct browser *b, struct browser_job *job)
{
	const struct rows_look *look = &b->tabs.look;
	struct rows_tab *tab = &b->tabs.v[job->rows.tab];

	if (!rows_tabs_done(&b->tabs, &job->rows) || !tab->made)
		return;
	/* these may have changed meanwhile */
	if (memcmp(&job->rows.look.limits, &look->limits, sizeof(look->limits)) ||
	    memcmp(&job->rows.look.order, &look->order, sizeof(look->order)))
		(void)show(look, tab->made, &tab->err);
}

void browser_job_release(struct browser_job *job)
{
	rows_trees_free(job->trees);
	rows_free(job->rows.made);
	ptui_profile_unref(job->profile);
	free(job->open);
	memset(job, 0, sizeof(*job));
}
