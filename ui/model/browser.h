/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile being browsed: a tab for each event, and what the person wants to see of all of them.
 *
 * Takes: a profile, wishes. Gives: the rows of the tab (browser_rows.h), and the work that is to be
 * done for them as a job that any thread can do. Not for drawing, nor for making threads.
 *
 *	wish --> generation + 1 --> browser_job_next() --thread: browser_job_run()--> browser_job_done()
 *
 * Until the job is done, the rows that were there stay.
 */
#ifndef MODEL_BROWSER_H
#define MODEL_BROWSER_H

#include "model/browser_rows.h"

struct browser;

#define BROWSER_SORT_MAX 256

struct browser_opts {
	struct ptui_hist_opts hist; /* of every event: `event` is ignored */
	bool order_given;	    /* hist.order does not follow hist.children */
	struct browser_limits limits;
};
/* perf's usual view. */
#define BROWSER_OPTS_INIT                                                     \
	{                                                                     \
		.hist = { .children = true, .order = PTUI_CALLER }, .limits = { 0, 0.5 }, \
	}

/* Takes a reference of its own. NULL: out of memory. */
struct browser *browser_new(struct ptui_profile *p, const struct browser_opts *opts,
			    struct ptui_error *err);
/* No job may be running. */
void browser_free(struct browser *b); /* NULL ok */

struct ptui_profile *browser_profile(const struct browser *b);

/* ---- tabs: the events that have samples, or, when none has, the first ---- */

/* 0: the file has no events at all. */
size_t browser_n_tabs(const struct browser *b);
uint32_t browser_tab_event(const struct browser *b, size_t tab);
/* The names, n_tabs of them; for a line of tabs. */
const char *const *browser_tab_names(const struct browser *b);
size_t browser_tab(const struct browser *b);
void browser_set_tab(struct browser *b, size_t tab);
/* The next (+1) or previous (-1), round and round. */
void browser_move_tab(struct browser *b, int direction);

/* ---- what is shown ---- */

/* Rows of the tab; NULL: they are not counted yet. Until the next job is done. */
struct browser_rows *browser_rows(const struct browser *b);
/* They are what was wished for last. */
bool browser_is_current(const struct browser *b);
/* What went wrong when the tab was counted; NULL: nothing. */
const struct ptui_error *browser_error(const struct browser *b);
const struct browser_opts *browser_opts(const struct browser *b);

/* ---- wishes ---- */

void browser_toggle_children(struct browser *b);
void browser_toggle_order(struct browser *b);
/* NULL or "": the usual keys. The columns follow. 0, -EINVAL for keys that do not exist. */
int browser_set_sort(struct browser *b, const char *sort, struct ptui_error *err);
/* Of rows and branches, "0.5". 0 or -EINVAL; rows are there at once, no job. */
int browser_set_limit(struct browser *b, const char *percent, struct ptui_error *err);

/* ---- work ---- */

struct browser_job {
	struct ptui_profile *profile; /* a reference */
	struct browser_opts opts;
	char sort[BROWSER_SORT_MAX], fields[BROWSER_SORT_MAX];
	size_t tab;
	unsigned generation;
	struct browser_rows *rows; /* the result, or NULL and err */
	struct ptui_error err;
};

/* False: the tab is as it was wished for. */
bool browser_job_next(const struct browser *b, struct browser_job *ret);
/* Touches nothing but the job. */
void browser_job_run(struct browser_job *job);
/* Takes the result (also one that nobody waits for any more), and puts the job away. */
void browser_job_done(struct browser *b, struct browser_job *job);
/* Puts a job away whose browser is gone. */
void browser_job_release(struct browser_job *job);

#endif
