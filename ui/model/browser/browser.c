/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

static void free_rows(void *made)
{
	rows_free(made);
}

static void add_tab(struct browser *b, uint32_t event)
{
	b->events[b->tabs.n] = event;
	rows_tabs_add(&b->tabs, ptui_profile_event(b->profile, event)->name);
}

/* The look that the options ask for. */
static int init_look(struct rows_look *l, const struct browser_opts *opts, struct ptui_error *err)
{
	const struct ptui_hist_opts *h = &opts->hist;

	if ((h->sort && strlen(h->sort) >= sizeof(l->sort)) ||
	    (h->fields && strlen(h->fields) >= sizeof(l->fields)))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, _("too many sort keys"));
	snprintf(l->sort, sizeof(l->sort), "%s", h->sort ? h->sort : "");
	snprintf(l->fields, sizeof(l->fields), "%s", h->fields ? h->fields : "");
	l->children = h->children;
	l->chain_order = h->order;
	l->chain_order_set = opts->order_given;
	l->inlines = h->inlines;
	l->relative = h->relative;
	l->limits = opts->limits;
	return 0;
}

static void begin_with_event(struct rows_tabs *t, const char *name)
{
	for (size_t i = t->n; i-- > 0;)
		if (!strcmp(t->names[i], name))
			rows_tabs_set(t, i);
}

struct browser *browser_new(struct ptui_profile *p, const struct browser_opts *opts,
			    struct ptui_error *err)
{
	struct browser *b = calloc(1, sizeof(*b));
	size_t n = ptui_profile_n_events(p);

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
	b->events = calloc(n + 1, sizeof(*b->events));
	if (!b->events || rows_tabs_init(&b->tabs, n))
		goto nomem;
	for (uint32_t i = 0; i < n; i++) {
		if (ptui_profile_event(p, i)->samples)
			add_tab(b, i);
	}
	if (n && !b->tabs.n)
		add_tab(b, 0);
	if (opts->event)
		begin_with_event(&b->tabs, opts->event);
	if (opts->filter)
		rows_look_begin(&b->tabs.look, opts->filter);
	return b;
nomem:
	browser_free(b);
	ptui_error_nomem(err);
	return NULL;
}

void browser_free(struct browser *b)
{
	if (!b)
		return;
	rows_tabs_release(&b->tabs, free_rows);
	free(b->events);
	ptui_profile_unref(b->profile);
	free(b);
}

uint32_t browser_tab_event(const struct browser *b, size_t tab)
{
	return b->events[tab];
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

void browser_toggle_inlines(struct browser *b)
{
	struct rows_look *l = &b->tabs.look;
	uint32_t event = browser_tab_event(b, b->tabs.at);

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
	ret->hist.event = b->events[ret->rows.tab];
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
	const struct rows_look *look = &job->rows.look;
	const struct rows_opts opts = { .limits = look->limits, .order = look->order };
	struct ptui_hist *h;

	rows_look_apply(look, &job->hist);
	job->hist.progress = progress;
	job->hist.progress_ctx = ctx;
	h = ptui_hist_new(job->profile, &job->hist, &job->rows.err);
	if (h)
		job->rows.made = rows_new(h, &opts, &job->rows.err);
	if (job->rows.made)
		make_open(job, progress, ctx);
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
	rows_free(job->rows.made);
	ptui_profile_unref(job->profile);
	free(job->open);
	memset(job, 0, sizeof(*job));
}
