/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two recordings being compared: a tab for each event that both have, and what the person wants to
 * see of it.
 *
 * Takes: two profiles, wishes. Gives: the rows of the tab (compare_rows.h), and the work that is to be
 * done for them as a job that any thread can do. Not for drawing, nor for making threads.
 *
 *	wish --> generation + 1 --> compare_job_next() --thread: compare_job_run()--> compare_job_done()
 *
 * Until the job is done, the rows that were there stay; compare_cancel() takes the wish back.
 */
#ifndef MODEL_COMPARE_COMPARE_H
#define MODEL_COMPARE_COMPARE_H

#include "model/compare/compare_rows.h"

struct compare;

/* What can be narrowed down to, each once, and undone in the other order. */
enum compare_zoom {
	COMPARE_ZOOM_COMM,
	COMPARE_ZOOM_DSO,
	COMPARE_ZOOM_KERNEL,
	COMPARE_ZOOM_TEXT,
	N_COMPARE_ZOOMS
};

#define COMPARE_LIMIT 0.5 /* percent, as in the browser */

/* Takes references of its own. NULL: out of memory. */
struct compare *compare_new(struct ptui_profile *before, struct ptui_profile *after,
			    struct ptui_error *err);
/* No job may be running. */
void compare_free(struct compare *c); /* NULL ok */

struct ptui_profile *compare_profile(const struct compare *c, bool after);

/* ---- tabs: events of the same name that have samples in one of both at least ---- */

size_t compare_n_tabs(const struct compare *c);
const char *const *compare_tab_names(const struct compare *c);
size_t compare_tab(const struct compare *c);
void compare_set_tab(struct compare *c, size_t tab);
/* The next (+1) or previous (-1), round and round. */
void compare_move_tab(struct compare *c, int direction);
/* The tab's event before or after. */
const struct ptui_event_info *compare_event(const struct compare *c, bool after);
/* Events that have samples, and that only this one has: "cycles, faults". "": none. Returns buf. */
const char *compare_lone_events(const struct compare *c, bool after, char *buf, size_t size);

/* ---- what is shown ---- */

/* Rows of the tab; NULL: they are not counted yet. Until the next job is done. */
struct compare_rows *compare_rows(const struct compare *c);
/* They are what was wished for last. */
bool compare_is_current(const struct compare *c);
/* What went wrong when the tab was counted; NULL: nothing. */
const struct ptui_error *compare_error(const struct compare *c);
const struct compare_how *compare_how(const struct compare *c);
bool compare_children(const struct compare *c);
/* Can they be on? Both need callchains. */
bool compare_has_children(const struct compare *c);
const char *compare_sort(const struct compare *c);

/* ---- wishes ---- */

/*
 * Back to what the rows that are shown were counted by, or, where there are none yet, to the tab that
 * was shown before. A job that runs is for nothing then. False: there is nothing to go back to.
 */
bool compare_cancel(struct compare *c);
void compare_toggle_children(struct compare *c);
void compare_swap(struct compare *c);
void compare_toggle_sure(struct compare *c);
void compare_set_order(struct compare *c, enum compare_order order);
/* What tells rows apart, as -s has it; NULL: comm,dso,symbol. 0 or -EINVAL. */
int compare_set_sort(struct compare *c, const char *sort, struct ptui_error *err);
/* "0.5". 0 or -EINVAL. */
int compare_set_limit(struct compare *c, const char *percent, struct ptui_error *err);

/*
 * To what row `i` has of this kind, or, narrowed down by that already, out of it. -ENOENT: it has
 * none. Not for COMPARE_ZOOM_TEXT.
 */
int compare_zoom(struct compare *c, enum compare_zoom kind, size_t i, struct ptui_error *err);
/* "": none. 0 or -EINVAL. */
int compare_zoom_text(struct compare *c, const char *text, struct ptui_error *err);
/* Undoes the last; false: there is none. */
bool compare_unzoom(struct compare *c);
size_t compare_n_zooms(const struct compare *c);
/* The i-th, as people say it: "cc1", "libc.so.6", "kernel", "'alloc'". Returns buf. */
const char *compare_zoom_name(const struct compare *c, size_t i, char *buf, size_t size);

/* ---- work ---- */

/* All that a person can wish for. */
struct compare_wishes {
	struct compare_how how;
	bool children;
	char sort[COMPARE_TEXT_MAX]; /* "": the usual keys */
	enum compare_zoom zooms[N_COMPARE_ZOOMS];
	size_t n_zooms;
};

struct compare_job {
	struct ptui_profile *profile[2]; /* references */
	uint32_t event[2];
	struct compare_wishes w;
	size_t tab;
	unsigned generation;
	struct compare_views *views; /* that are there already; NULL: none. A reference */
	struct compare_rows *rows;   /* the result, or NULL and err */
	struct ptui_error err;
};

/* False: the tab is as it was wished for. */
bool compare_job_next(const struct compare *c, struct compare_job *ret);
/* Touches nothing but the job. `progress` may be NULL. */
void compare_job_run(struct compare_job *job, ptui_progress_fn progress, void *ctx);
/* Takes the result; leaves in the job what is to be released: also rows that were replaced. */
void compare_job_done(struct compare *c, struct compare_job *job);
/* In any thread: it may take long. */
void compare_job_release(struct compare_job *job);

#endif
