/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/compare/compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/strings.h"

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

	c->events = calloc(n + 1, sizeof(*c->events));
	if (!c->events || rows_tabs_init(&c->tabs, n))
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct ptui_event_info *e = ptui_profile_event(c->profile[1], i);
		uint32_t other = partner(c, 1, i);

		if (other == PTUI_NONE ||
		    (!e->samples && !ptui_profile_event(c->profile[0], other)->samples))
			continue;
		c->events[c->tabs.n][0] = other;
		c->events[c->tabs.n][1] = i;
		rows_tabs_add(&c->tabs, e->name);
	}
	return 0;
}

static void free_rows(void *made)
{
	compare_rows_free(made);
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
	rows_tabs_release(&c->tabs, free_rows);
	free(c->events);
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

const struct ptui_event_info *compare_event(const struct compare *c, bool after)
{
	int at = side(c, after);

	return c->tabs.n ? ptui_profile_event(c->profile[at], c->events[c->tabs.at][at]) : NULL;
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

static void views_opts(const struct compare_job *job, struct compare_views_opts *ret)
{
	*ret = (struct compare_views_opts){
		.profile = { job->profile[0], job->profile[1] },
		.event = { job->event[0], job->event[1] },
		.children = job->rows.look.children,
		.sort = *job->rows.look.sort ? job->rows.look.sort : NULL,
		.hide_dsos = job->rows.look.only.lists[ROWS_LIST_HIDDEN],
		.collapse_recursion = job->rows.look.only.collapse_recursion,
	};
}

bool compare_job_next(const struct compare *c, struct compare_job *ret)
{
	struct compare_views_opts opts;
	struct compare_views *views;

	memset(ret, 0, sizeof(*ret));
	if (!rows_tabs_next(&c->tabs, &ret->rows))
		return false;
	for (int i = 0; i < 2; i++) {
		ret->profile[i] = ptui_profile_ref(c->profile[i]);
		ret->event[i] = c->events[c->tabs.at][i];
	}
	views_opts(ret, &opts);
	views = compare_rows(c) ? compare_rows(c)->views : NULL;
	if (views && compare_views_are(views, &opts))
		ret->views = compare_views_ref(views);
	return true;
}

void compare_job_run(struct compare_job *job, ptui_progress_fn progress, void *ctx)
{
	struct compare_views_opts opts;

	if (!job->views) {
		views_opts(job, &opts);
		job->views = compare_views_new(&opts, progress, ctx, &job->rows.err);
	}
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
	compare_rows_free(job->rows.made);
	compare_views_unref(job->views);
	ptui_profile_unref(job->profile[0]);
	ptui_profile_unref(job->profile[1]);
}
