/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/percent.h"
#include "text/i18n.h"

struct tab {
	uint32_t event;
	unsigned generation; /* of the current rows; 0: none yet */
	struct browser_rows *rows;
	struct browser_wishes w; /* options of the current rows */
	struct ptui_error err;
};

struct browser {
	struct ptui_profile *profile;
	struct browser_wishes w;
	struct tab *tabs;
	const char **names;
	size_t n_tabs, tab;
	size_t shown;	     /* the last tab shown with rows; n_tabs: none */
	unsigned generation; /* of the wishes, starting at 1 */
};

/* A copy owns its texts. */
static void wishes_copy(struct browser_wishes *to, const struct browser_wishes *from)
{
	struct ptui_hist_opts *h = &to->opts.hist;

	*to = *from;
	h->sort = *to->sort ? to->sort : NULL;
	h->fields = *to->fields ? to->fields : NULL;
	h->filter.symbol = *to->symbol ? to->symbol : NULL;
}

static int set_text(char *buf, const char *text, const char **ret, struct ptui_error *err)
{
	*ret = NULL;
	buf[0] = '\0';
	if (!text || !*text)
		return 0;
	if (strlen(text) >= BROWSER_SORT_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text, _("too many sort keys"));
	snprintf(buf, BROWSER_SORT_MAX, "%s", text);
	*ret = buf;
	return 0;
}

static void add_tab(struct browser *b, uint32_t event)
{
	b->tabs[b->n_tabs].event = event;
	b->names[b->n_tabs++] = ptui_profile_event(b->profile, event)->name;
}

struct browser *browser_new(struct ptui_profile *p, const struct browser_opts *opts,
			    struct ptui_error *err)
{
	struct browser *b = calloc(1, sizeof(*b));
	size_t n = ptui_profile_n_events(p);

	if (!b)
		goto nomem;
	b->profile = ptui_profile_ref(p);
	b->w.opts = *opts;
	memset(&b->w.opts.hist.filter, 0, sizeof(b->w.opts.hist.filter));
	b->generation = 1;
	if (set_text(b->w.sort, opts->hist.sort, &b->w.opts.hist.sort, err) ||
	    set_text(b->w.fields, opts->hist.fields, &b->w.opts.hist.fields, err)) {
		browser_free(b);
		return NULL;
	}
	b->tabs = calloc(n + 1, sizeof(*b->tabs));
	b->names = calloc(n + 1, sizeof(*b->names));
	if (!b->tabs || !b->names)
		goto nomem;
	for (uint32_t i = 0; i < n; i++) {
		if (ptui_profile_event(p, i)->samples)
			add_tab(b, i);
	}
	if (n && !b->n_tabs)
		add_tab(b, 0);
	b->shown = b->n_tabs;
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
	for (size_t i = 0; b->tabs && i < b->n_tabs; i++)
		browser_rows_free(b->tabs[i].rows);
	free(b->tabs);
	free(b->names);
	ptui_profile_unref(b->profile);
	free(b);
}

struct ptui_profile *browser_profile(const struct browser *b)
{
	return b->profile;
}

/* ---- tabs ---- */

size_t browser_n_tabs(const struct browser *b)
{
	return b->n_tabs;
}

uint32_t browser_tab_event(const struct browser *b, size_t tab)
{
	return b->tabs[tab].event;
}

const char *const *browser_tab_names(const struct browser *b)
{
	return b->names;
}

size_t browser_tab(const struct browser *b)
{
	return b->tab;
}

void browser_set_tab(struct browser *b, size_t tab)
{
	if (tab >= b->n_tabs)
		return;
	if (b->tabs[b->tab].rows)
		b->shown = b->tab;
	b->tab = tab;
}

void browser_move_tab(struct browser *b, int direction)
{
	if (b->n_tabs)
		browser_set_tab(b, (b->tab + (direction < 0 ? b->n_tabs - 1 : 1)) % b->n_tabs);
}

/* ---- rows ---- */

static struct tab *current(const struct browser *b)
{
	return b->n_tabs ? &b->tabs[b->tab] : NULL;
}

struct browser_rows *browser_rows(const struct browser *b)
{
	const struct tab *t = current(b);

	return t ? t->rows : NULL;
}

bool browser_is_current(const struct browser *b)
{
	const struct tab *t = current(b);

	return !t || t->generation == b->generation;
}

const struct ptui_error *browser_error(const struct browser *b)
{
	const struct tab *t = current(b);

	return t && ptui_error_is_set(&t->err) ? &t->err : NULL;
}

const struct browser_opts *browser_opts(const struct browser *b)
{
	return &b->w.opts;
}

/* ---- wishes ---- */

bool browser_cancel(struct browser *b)
{
	const struct browser_limits limits = b->w.opts.limits;
	struct tab *t = current(b);

	if (t && !t->rows && b->shown < b->n_tabs) {
		b->tab = b->shown;
		t = current(b);
	}
	if (!t || !t->rows)
		return false;
	wishes_copy(&b->w, &t->w);
	/* needs no job */
	b->w.opts.limits = limits;
	t->generation = ++b->generation;
	return true;
}

void browser_toggle_children(struct browser *b)
{
	struct ptui_hist_opts *h = &b->w.opts.hist;

	h->children = !h->children;
	if (!b->w.opts.order_given)
		h->order = h->children ? PTUI_CALLER : PTUI_CALLEE;
	b->generation++;
}

void browser_toggle_order(struct browser *b)
{
	struct ptui_hist_opts *h = &b->w.opts.hist;

	h->order = h->order == PTUI_CALLER ? PTUI_CALLEE : PTUI_CALLER;
	b->w.opts.order_given = true;
	b->generation++;
}

void browser_toggle_inlines(struct browser *b)
{
	struct ptui_hist_opts *h = &b->w.opts.hist;
	uint32_t event = browser_tab_event(b, browser_tab(b));

	h->inlines = ptui_inlines_wanted(b->profile, event, h->inlines) ? PTUI_INLINES_OFF :
									  PTUI_INLINES_ON;
	b->generation++;
}

int browser_set_sort(struct browser *b, const char *sort, struct ptui_error *err)
{
	char copy[BROWSER_SORT_MAX];
	const char *keys;
	int ret = set_text(copy, sort, &keys, err);

	if (!ret && keys)
		ret = ptui_hist_check_keys(keys, NULL, err);
	if (ret)
		return ret;
	/* cannot fail: it fitted into the copy */
	(void)set_text(b->w.sort, keys, &b->w.opts.hist.sort, NULL);
	(void)set_text(b->w.fields, NULL, &b->w.opts.hist.fields, NULL);
	b->generation++;
	return 0;
}

int browser_set_limit(struct browser *b, const char *percent, struct ptui_error *err)
{
	double value;

	if (percent_read(percent, &value, err))
		return -EINVAL;
	b->w.opts.limits = (struct browser_limits){ value, value };
	for (size_t i = 0; i < b->n_tabs; i++) {
		if (b->tabs[i].rows && browser_rows_set_limits(b->tabs[i].rows, &b->w.opts.limits))
			return ptui_error_nomem(err);
	}
	return 0;
}

/* ---- zooms ---- */

static void forget_zoom(struct browser *b, enum browser_zoom kind)
{
	struct ptui_hist_filter *f = &b->w.opts.hist.filter;
	struct browser_zooms *z = &b->w.zooms;
	size_t n = 0;

	for (size_t i = 0; i < z->n; i++) {
		if (z->kinds[i] != kind)
			z->kinds[n++] = z->kinds[i];
	}
	z->n = n;
	switch (kind) {
	case BROWSER_ZOOM_THREAD:
		f->comm = NULL;
		f->by_thread = false;
		break;
	case BROWSER_ZOOM_DSO:
		f->dso = NULL;
		break;
	case BROWSER_ZOOM_KERNEL:
		f->kernel = false;
		break;
	default:
		f->symbol = NULL;
		b->w.symbol[0] = '\0';
		break;
	}
	b->generation++;
}

static void note_zoom(struct browser *b, enum browser_zoom kind)
{
	b->w.zooms.kinds[b->w.zooms.n++] = kind;
	b->generation++;
}

static int zoom_thread(struct browser *b, const struct ptui_row_origin *from,
		       struct ptui_error *err)
{
	struct ptui_hist_filter *f = &b->w.opts.hist.filter;

	if (!from->has_thread && !from->comm)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("rows combine several threads: sort by comm or pid first"));
	f->by_thread = from->has_thread;
	f->tid = from->tid;
	f->comm = from->has_thread ? NULL : from->comm;
	b->w.zooms.thread = from->thread;
	return 0;
}

static int zoom_dso(struct browser *b, uint64_t node, struct ptui_error *err)
{
	const char *dso = browser_rows_dso(browser_rows(b), node);

	if (!dso)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("rows combine several DSOs: sort by dso or symbol first"));
	b->w.opts.hist.filter.dso = dso;
	return 0;
}

int browser_zoom(struct browser *b, enum browser_zoom kind, uint64_t node, struct ptui_error *err)
{
	struct ptui_row_origin from;
	int ret = 0;

	if (browser_is_zoomed(b, kind)) {
		forget_zoom(b, kind);
		return 0;
	}
	if (kind == BROWSER_ZOOM_KERNEL) {
		b->w.opts.hist.filter.kernel = true;
	} else if (!browser_rows(b) || !browser_rows_origin(browser_rows(b), node, &from)) {
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("no row to zoom into"));
	} else {
		ret = kind == BROWSER_ZOOM_THREAD ? zoom_thread(b, &from, err) :
						    zoom_dso(b, node, err);
	}
	if (!ret)
		note_zoom(b, kind);
	return ret;
}

int browser_zoom_symbol(struct browser *b, const char *text, struct ptui_error *err)
{
	if (strlen(text) >= sizeof(b->w.symbol))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, _("name too long"));
	if (browser_is_zoomed(b, BROWSER_ZOOM_SYMBOL))
		forget_zoom(b, BROWSER_ZOOM_SYMBOL);
	snprintf(b->w.symbol, sizeof(b->w.symbol), "%s", text);
	if (*text) {
		b->w.opts.hist.filter.symbol = b->w.symbol;
		note_zoom(b, BROWSER_ZOOM_SYMBOL);
	}
	return 0;
}

bool browser_unzoom(struct browser *b)
{
	if (!b->w.zooms.n)
		return false;
	forget_zoom(b, b->w.zooms.kinds[b->w.zooms.n - 1]);
	return true;
}

size_t browser_n_zooms(const struct browser *b)
{
	return b->w.zooms.n;
}

bool browser_is_zoomed(const struct browser *b, enum browser_zoom kind)
{
	for (size_t i = 0; i < b->w.zooms.n; i++) {
		if (b->w.zooms.kinds[i] == kind)
			return true;
	}
	return false;
}

const char *browser_zoom_text(const struct browser *b, size_t i, char *buf, size_t size)
{
	const struct ptui_hist_filter *f = &b->w.opts.hist.filter;

	switch (b->w.zooms.kinds[i]) {
	case BROWSER_ZOOM_THREAD:
		if (f->by_thread)
			snprintf(buf, size, _("thread %s %d"), b->w.zooms.thread, (int)f->tid);
		else
			snprintf(buf, size, _("thread %s"), f->comm);
		break;
	case BROWSER_ZOOM_DSO:
		snprintf(buf, size, "%s", f->dso);
		break;
	case BROWSER_ZOOM_KERNEL:
		snprintf(buf, size, "%s", _("kernel"));
		break;
	default:
		snprintf(buf, size, "'%s'", b->w.symbol);
		break;
	}
	return buf;
}

const char *browser_zoom_offer(const struct browser *b, enum browser_zoom kind, uint64_t node,
			       char *buf, size_t size)
{
	static const char *const outs[] = { N_("zoom out of the thread"), N_("zoom out of the DSO"),
					    N_("zoom out of the kernel") };
	const struct browser_rows *rows = browser_rows(b);
	struct ptui_row_origin from;
	const char *dso;

	if (size)
		buf[0] = '\0';
	if (browser_is_zoomed(b, kind)) {
		snprintf(buf, size, "%s", _(outs[kind]));
	} else if (kind == BROWSER_ZOOM_KERNEL) {
		snprintf(buf, size, "%s", _("zoom into the kernel"));
	} else if (rows && browser_rows_origin(rows, node, &from)) {
		dso = browser_rows_dso(rows, node);
		if (kind == BROWSER_ZOOM_DSO && dso)
			snprintf(buf, size, _("zoom into %s"), dso);
		else if (kind == BROWSER_ZOOM_THREAD && from.has_thread)
			snprintf(buf, size, _("zoom into thread %s %d"), from.thread,
				 (int)from.tid);
		else if (kind == BROWSER_ZOOM_THREAD && from.comm)
			snprintf(buf, size, _("zoom into thread %s"), from.comm);
	}
	return buf;
}

void browser_toggle_relative(struct browser *b)
{
	b->w.opts.hist.relative = !b->w.opts.hist.relative;
	b->generation++;
}

/* ---- work ---- */

bool browser_job_next(const struct browser *b, struct browser_job *ret)
{
	if (browser_is_current(b))
		return false;
	memset(ret, 0, sizeof(*ret));
	ret->profile = ptui_profile_ref(b->profile);
	wishes_copy(&ret->w, &b->w);
	ret->tab = b->tab;
	ret->generation = b->generation;
	ret->w.opts.hist.event = b->tabs[b->tab].event;
	return true;
}

/* Makes the callchains of open rows here, so that keys do not wait. */
static void make_open(struct browser_job *job, ptui_progress_fn progress, void *ctx)
{
	for (size_t i = 0; i < job->n_open; i++) {
		if (progress &&
		    progress(ctx, _("building the expanded callchains"), i, job->n_open))
			return;
		browser_rows_count(job->rows, job->open[i]);
	}
}

void browser_job_run(struct browser_job *job, ptui_progress_fn progress, void *ctx)
{
	struct ptui_hist_opts opts;
	struct browser_wishes w;
	struct ptui_hist *h;

	/* the job may have been moved */
	wishes_copy(&w, &job->w);
	opts = w.opts.hist;
	opts.progress = progress;
	opts.progress_ctx = ctx;
	h = ptui_hist_new(job->profile, &opts, &job->err);
	if (h)
		job->rows = browser_rows_new(h, &w.opts.limits, &job->err);
	if (job->rows)
		make_open(job, progress, ctx);
}

void browser_job_done(struct browser *b, struct browser_job *job)
{
	struct tab *t = &b->tabs[job->tab];
	struct browser_rows *before = t->rows;

	/* the wishes changed meanwhile: another job follows, but any rows are better than none */
	if (job->generation != b->generation && (t->rows || !job->rows))
		return;
	/* cancelled by a tab switch: the tab may be shown again */
	if (!job->rows && job->err.code == ECANCELED)
		return;
	if (job->rows) {
		t->rows = job->rows;
		job->rows = before;
		wishes_copy(&t->w, &job->w);
	}
	t->err = job->err;
	t->generation = job->generation;
	/* the limit may have changed meanwhile */
	if (t->rows && memcmp(&job->w.opts.limits, &b->w.opts.limits, sizeof(b->w.opts.limits)) &&
	    browser_rows_set_limits(t->rows, &b->w.opts.limits))
		ptui_error_nomem(&t->err);
}

void browser_job_release(struct browser_job *job)
{
	browser_rows_free(job->rows);
	ptui_profile_unref(job->profile);
	free(job->open);
	memset(job, 0, sizeof(*job));
}
