/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/compare/compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/percent.h"
#include "text/i18n.h"

struct tab {
	uint32_t event[2];
	unsigned generation; /* of the current rows; 0: none yet */
	struct compare_views *views;
	struct compare_rows *rows;
	struct compare_wishes w; /* options of the current rows */
	struct ptui_error err;
};

struct compare {
	struct ptui_profile *profile[2]; /* before, after, as loaded */
	struct compare_wishes w;
	struct tab *tabs;
	const char **names;
	size_t n_tabs, tab;
	size_t shown;	     /* the last tab shown with rows; n_tabs: none */
	unsigned generation; /* of the wishes, starting at 1 */
};

/* ---- tabs ---- */

/*
 * The matching event of the other profile: of several with one name, the first matches the first,
 * and so on.
 */
static uint32_t partner(const struct compare *c, int of, uint32_t event)
{
	const char *name = ptui_profile_event(c->profile[of], event)->name;
	size_t before = 0, n = ptui_profile_n_events(c->profile[!of]);

	for (uint32_t i = 0; i < event; i++)
		before += !strcmp(ptui_profile_event(c->profile[of], i)->name, name);
	for (uint32_t i = 0; i < n; i++) {
		if (!strcmp(ptui_profile_event(c->profile[!of], i)->name, name) && !before--)
			return i;
	}
	return PTUI_NONE;
}

static int make_tabs(struct compare *c)
{
	size_t n = ptui_profile_n_events(c->profile[1]);

	c->tabs = calloc(n + 1, sizeof(*c->tabs));
	c->names = calloc(n + 1, sizeof(*c->names));
	if (!c->tabs || !c->names)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct ptui_event_info *e = ptui_profile_event(c->profile[1], i);
		uint32_t other = partner(c, 1, i);

		if (other == PTUI_NONE ||
		    (!e->samples && !ptui_profile_event(c->profile[0], other)->samples))
			continue;
		c->tabs[c->n_tabs].event[0] = other;
		c->tabs[c->n_tabs].event[1] = i;
		c->names[c->n_tabs++] = e->name;
	}
	c->shown = c->n_tabs;
	return 0;
}

struct compare *compare_new(struct ptui_profile *before, struct ptui_profile *after,
			    struct ptui_error *err)
{
	struct compare *c = calloc(1, sizeof(*c));

	if (c) {
		c->profile[0] = ptui_profile_ref(before);
		c->profile[1] = ptui_profile_ref(after);
		c->w.how.filter.limit = COMPARE_LIMIT;
		c->generation = 1;
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
	for (size_t i = 0; i < c->n_tabs; i++) {
		compare_rows_free(c->tabs[i].rows);
		compare_views_unref(c->tabs[i].views);
	}
	free(c->tabs);
	free(c->names);
	ptui_profile_unref(c->profile[0]);
	ptui_profile_unref(c->profile[1]);
	free(c);
}

/* Index of the profile shown as after, or as before, by the current rows' options. */
static int side(const struct compare *c, bool after)
{
	const struct tab *t = c->n_tabs ? &c->tabs[c->tab] : NULL;

	return after != (t && t->rows ? t->w.how.swapped : c->w.how.swapped);
}

struct ptui_profile *compare_profile(const struct compare *c, bool after)
{
	return c->profile[side(c, after)];
}

size_t compare_n_tabs(const struct compare *c)
{
	return c->n_tabs;
}

const char *const *compare_tab_names(const struct compare *c)
{
	return c->names;
}

size_t compare_tab(const struct compare *c)
{
	return c->tab;
}

void compare_set_tab(struct compare *c, size_t tab)
{
	if (tab >= c->n_tabs)
		return;
	if (c->tabs[c->tab].rows)
		c->shown = c->tab;
	c->tab = tab;
}

void compare_move_tab(struct compare *c, int direction)
{
	if (c->n_tabs)
		compare_set_tab(c, (c->tab + (direction < 0 ? c->n_tabs - 1 : 1)) % c->n_tabs);
}

const struct ptui_event_info *compare_event(const struct compare *c, bool after)
{
	int at = side(c, after);

	return c->n_tabs ? ptui_profile_event(c->profile[at], c->tabs[c->tab].event[at]) : NULL;
}

const char *compare_lone_events(const struct compare *c, bool after, char *buf, size_t size)
{
	int at = side(c, after);
	size_t n = 0;

	*buf = '\0';
	for (uint32_t i = 0; i < ptui_profile_n_events(c->profile[at]) && n < size; i++) {
		const struct ptui_event_info *e = ptui_profile_event(c->profile[at], i);

		if (e->samples && partner(c, at, i) == PTUI_NONE)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "", e->name);
	}
	return buf;
}

/* ---- rows ---- */

static struct tab *current(const struct compare *c)
{
	return c->n_tabs ? &c->tabs[c->tab] : NULL;
}

struct compare_rows *compare_rows(const struct compare *c)
{
	const struct tab *t = current(c);

	return t ? t->rows : NULL;
}

bool compare_is_current(const struct compare *c)
{
	const struct tab *t = current(c);

	return !t || t->generation == c->generation;
}

const struct ptui_error *compare_error(const struct compare *c)
{
	const struct tab *t = current(c);

	return t && ptui_error_is_set(&t->err) ? &t->err : NULL;
}

const struct compare_how *compare_how(const struct compare *c)
{
	return &c->w.how;
}

bool compare_children(const struct compare *c)
{
	return c->w.children;
}

bool compare_has_children(const struct compare *c)
{
	return c->n_tabs && compare_event(c, false)->has_callchains &&
	       compare_event(c, true)->has_callchains;
}

const char *compare_sort(const struct compare *c)
{
	return *c->w.sort ? c->w.sort : NULL;
}

/* ---- wishes ---- */

bool compare_cancel(struct compare *c)
{
	struct tab *t = current(c);

	if (t && !t->rows && c->shown < c->n_tabs) {
		c->tab = c->shown;
		t = current(c);
	}
	if (!t || !t->rows)
		return false;
	c->w = t->w;
	t->generation = ++c->generation;
	return true;
}

void compare_toggle_children(struct compare *c)
{
	c->w.children = !c->w.children;
	c->generation++;
}

void compare_swap(struct compare *c)
{
	c->w.how.swapped = !c->w.how.swapped;
	c->generation++;
}

void compare_toggle_sure(struct compare *c)
{
	c->w.how.filter.sure_only = !c->w.how.filter.sure_only;
	c->generation++;
}

void compare_set_order(struct compare *c, enum compare_order order)
{
	c->w.how.order = order;
	c->generation++;
}

int compare_set_sort(struct compare *c, const char *sort, struct ptui_error *err)
{
	int ret = ptui_hist_check_keys(sort, NULL, err);

	if (!ret && sort && strlen(sort) >= sizeof(c->w.sort))
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, sort, _("too many sort keys"));
	if (ret)
		return ret;
	snprintf(c->w.sort, sizeof(c->w.sort), "%s", sort ? sort : "");
	c->generation++;
	return 0;
}

int compare_set_limit(struct compare *c, const char *percent, struct ptui_error *err)
{
	double value;

	if (percent_read(percent, &value, err))
		return -EINVAL;
	c->w.how.filter.limit = value;
	c->generation++;
	return 0;
}

/* ---- zooms ---- */

static bool is_zoomed(const struct compare *c, enum compare_zoom kind)
{
	for (size_t i = 0; i < c->w.n_zooms; i++) {
		if (c->w.zooms[i] == kind)
			return true;
	}
	return false;
}

static void forget_zoom(struct compare *c, enum compare_zoom kind)
{
	struct compare_filter *f = &c->w.how.filter;
	size_t n = 0;

	for (size_t i = 0; i < c->w.n_zooms; i++) {
		if (c->w.zooms[i] != kind)
			c->w.zooms[n++] = c->w.zooms[i];
	}
	c->w.n_zooms = n;
	switch (kind) {
	case COMPARE_ZOOM_COMM:
		*f->comm = '\0';
		break;
	case COMPARE_ZOOM_DSO:
		*f->dso = '\0';
		break;
	case COMPARE_ZOOM_KERNEL:
		f->kernel = false;
		break;
	default:
		*f->text = '\0';
		break;
	}
	c->generation++;
}

static void note_zoom(struct compare *c, enum compare_zoom kind)
{
	c->w.zooms[c->w.n_zooms++] = kind;
	c->generation++;
}

int compare_zoom(struct compare *c, enum compare_zoom kind, size_t i, struct ptui_error *err)
{
	struct compare_filter *f = &c->w.how.filter;
	struct ptui_row_origin from = { 0 };

	if (is_zoomed(c, kind)) {
		forget_zoom(c, kind);
		return 0;
	}
	if (compare_rows(c) && i < compare_rows_n(compare_rows(c)))
		compare_rows_origin(compare_rows(c), i, &from);
	else if (kind != COMPARE_ZOOM_KERNEL)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("no row to zoom into"));
	if (kind == COMPARE_ZOOM_COMM && !from.comm)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("rows combine several threads: sort by comm or pid first"));
	if (kind == COMPARE_ZOOM_DSO && !from.dso)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("rows combine several DSOs: sort by dso or symbol first"));
	if (kind == COMPARE_ZOOM_COMM)
		snprintf(f->comm, sizeof(f->comm), "%s", from.comm);
	else if (kind == COMPARE_ZOOM_DSO)
		snprintf(f->dso, sizeof(f->dso), "%s", from.dso);
	else
		f->kernel = true;
	note_zoom(c, kind);
	return 0;
}

int compare_zoom_text(struct compare *c, const char *text, struct ptui_error *err)
{
	if (strlen(text) >= COMPARE_TEXT_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, _("name too long"));
	if (is_zoomed(c, COMPARE_ZOOM_TEXT))
		forget_zoom(c, COMPARE_ZOOM_TEXT);
	snprintf(c->w.how.filter.text, sizeof(c->w.how.filter.text), "%s", text);
	if (*text)
		note_zoom(c, COMPARE_ZOOM_TEXT);
	return 0;
}

bool compare_unzoom(struct compare *c)
{
	if (!c->w.n_zooms)
		return false;
	forget_zoom(c, c->w.zooms[c->w.n_zooms - 1]);
	return true;
}

size_t compare_n_zooms(const struct compare *c)
{
	return c->w.n_zooms;
}

const char *compare_zoom_name(const struct compare *c, size_t i, char *buf, size_t size)
{
	const struct compare_filter *f = &c->w.how.filter;

	switch (c->w.zooms[i]) {
	case COMPARE_ZOOM_COMM:
		snprintf(buf, size, "%s", f->comm);
		break;
	case COMPARE_ZOOM_DSO:
		snprintf(buf, size, "%s", f->dso);
		break;
	case COMPARE_ZOOM_KERNEL:
		snprintf(buf, size, "%s", _("kernel"));
		break;
	default:
		snprintf(buf, size, "'%s'", f->text);
		break;
	}
	return buf;
}

/* ---- work ---- */

static void views_opts(const struct compare_job *job, struct compare_views_opts *ret)
{
	*ret = (struct compare_views_opts){
		.profile = { job->profile[0], job->profile[1] },
		.event = { job->event[0], job->event[1] },
		.children = job->w.children,
		.sort = *job->w.sort ? job->w.sort : NULL,
	};
}

bool compare_job_next(const struct compare *c, struct compare_job *ret)
{
	const struct tab *t = current(c);
	struct compare_views_opts opts;

	if (compare_is_current(c))
		return false;
	*ret = (struct compare_job){ .w = c->w, .tab = c->tab, .generation = c->generation };
	for (int i = 0; i < 2; i++) {
		ret->profile[i] = ptui_profile_ref(c->profile[i]);
		ret->event[i] = t->event[i];
	}
	views_opts(ret, &opts);
	if (t->views && compare_views_are(t->views, &opts))
		ret->views = compare_views_ref(t->views);
	return true;
}

void compare_job_run(struct compare_job *job, ptui_progress_fn progress, void *ctx)
{
	struct compare_views_opts opts;

	if (!job->views) {
		views_opts(job, &opts);
		job->views = compare_views_new(&opts, progress, ctx, &job->err);
	}
	if (!job->views)
		return;
	job->rows = compare_rows_new(job->views, &job->w.how);
	if (!job->rows)
		ptui_error_nomem(&job->err);
}

void compare_job_done(struct compare *c, struct compare_job *job)
{
	struct tab *t = &c->tabs[job->tab];
	struct compare_rows *rows = t->rows;
	struct compare_views *views = t->views;

	/* the wishes have changed since: another job follows, but any rows are better than none */
	if (job->generation != c->generation && (t->rows || !job->rows))
		return;
	/* cancelled by a tab switch: the tab may be shown again */
	if (!job->rows && job->err.code == ECANCELED)
		return;
	t->generation = job->generation;
	t->err = job->err;
	if (!job->rows)
		return;
	t->w = job->w;
	t->rows = job->rows;
	t->views = job->views;
	job->rows = rows;
	job->views = views;
}

void compare_job_release(struct compare_job *job)
{
	compare_rows_free(job->rows);
	compare_views_unref(job->views);
	ptui_profile_unref(job->profile[0]);
	ptui_profile_unref(job->profile[1]);
}
