/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text/i18n.h"

struct tab {
	uint32_t event;
	unsigned generation; /* of what was counted; 0: nothing yet */
	struct browser_rows *rows;
	struct ptui_error err;
};

struct browser {
	struct ptui_profile *profile;
	struct browser_opts opts; /* its texts are these two */
	char sort[BROWSER_SORT_MAX], fields[BROWSER_SORT_MAX];
	struct tab *tabs;
	const char **names;
	size_t n_tabs, tab;
	unsigned generation; /* of the wishes, from 1 on */
};

static int set_text(char *buf, const char *text, const char **ret, struct ptui_error *err)
{
	*ret = NULL;
	buf[0] = '\0';
	if (!text || !*text)
		return 0;
	if (strlen(text) >= BROWSER_SORT_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("these are too many keys"));
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
	b->opts = *opts;
	b->generation = 1;
	if (set_text(b->sort, opts->hist.sort, &b->opts.hist.sort, err) ||
	    set_text(b->fields, opts->hist.fields, &b->opts.hist.fields, err)) {
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
	if (tab < b->n_tabs)
		b->tab = tab;
}

void browser_move_tab(struct browser *b, int direction)
{
	if (b->n_tabs)
		b->tab = (b->tab + (direction < 0 ? b->n_tabs - 1 : 1)) % b->n_tabs;
}

/* ---- what is shown ---- */

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
	return &b->opts;
}

/* ---- wishes ---- */

void browser_toggle_children(struct browser *b)
{
	struct ptui_hist_opts *h = &b->opts.hist;

	h->children = !h->children;
	if (!b->opts.order_given)
		h->order = h->children ? PTUI_CALLER : PTUI_CALLEE;
	b->generation++;
}

void browser_toggle_order(struct browser *b)
{
	struct ptui_hist_opts *h = &b->opts.hist;

	h->order = h->order == PTUI_CALLER ? PTUI_CALLEE : PTUI_CALLER;
	b->opts.order_given = true;
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
	(void)set_text(b->sort, keys, &b->opts.hist.sort, NULL);
	(void)set_text(b->fields, NULL, &b->opts.hist.fields, NULL);
	b->generation++;
	return 0;
}

int browser_set_limit(struct browser *b, const char *percent, struct ptui_error *err)
{
	char *end;
	double value = strtod(percent, &end);

	end += strspn(end, " %");
	if (end == percent || *end || !(value >= 0 && value <= 100))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, percent,
				      _("'%s' is no percentage from 0 to 100"), percent);
	b->opts.limits = (struct browser_limits){ value, value };
	for (size_t i = 0; i < b->n_tabs; i++) {
		if (b->tabs[i].rows &&
		    browser_rows_set_limits(b->tabs[i].rows, &b->opts.limits))
			return ptui_error_nomem(err);
	}
	return 0;
}

/* ---- work ---- */

bool browser_job_next(const struct browser *b, struct browser_job *ret)
{
	if (browser_is_current(b))
		return false;
	memset(ret, 0, sizeof(*ret));
	ret->profile = ptui_profile_ref(b->profile);
	ret->opts = b->opts;
	memcpy(ret->sort, b->sort, sizeof(ret->sort));
	memcpy(ret->fields, b->fields, sizeof(ret->fields));
	ret->opts.hist.event = b->tabs[b->tab].event;
	ret->tab = b->tab;
	ret->generation = b->generation;
	return true;
}

void browser_job_run(struct browser_job *job)
{
	struct ptui_hist_opts opts = job->opts.hist;
	struct ptui_hist *h;

	opts.sort = *job->sort ? job->sort : NULL;
	opts.fields = *job->fields ? job->fields : NULL;
	h = ptui_hist_new(job->profile, &opts, &job->err);
	if (h)
		job->rows = browser_rows_new(h, &job->opts.limits, &job->err);
}

void browser_job_done(struct browser *b, struct browser_job *job)
{
	struct tab *t = &b->tabs[job->tab];

	/* a newer wish came meanwhile: its own job follows, but any rows are better than none */
	if (job->generation == b->generation || (!t->rows && job->rows)) {
		if (job->rows) {
			browser_rows_free(t->rows);
			t->rows = job->rows;
			job->rows = NULL;
		}
		t->err = job->err;
		t->generation = job->generation;
		/* the limit may have been changed while it was counted */
		if (t->rows && memcmp(&job->opts.limits, &b->opts.limits, sizeof(b->opts.limits)) &&
		    browser_rows_set_limits(t->rows, &b->opts.limits))
			ptui_error_nomem(&t->err);
	}
	browser_job_release(job);
}

void browser_job_release(struct browser_job *job)
{
	browser_rows_free(job->rows);
	ptui_profile_unref(job->profile);
	memset(job, 0, sizeof(*job));
}
