/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two recordings being compared: one tab per event that both have, and the view options ("wishes").
 * Rows (compare_rows.h) are made by jobs that any thread can run.
 *
 *	wish --> generation + 1 --> compare_job_next() --thread: compare_job_run()--> compare_job_done()
 *
 * The old rows stay until the job is done; compare_cancel() takes the wish back.
 */
#ifndef MODEL_COMPARE_COMPARE_H
#define MODEL_COMPARE_COMPARE_H

#include "model/compare/compare_rows.h"

struct compare;

/* Filters by zooming: each at most once, undone in reverse order. */
enum compare_zoom {
	COMPARE_ZOOM_COMM,
	COMPARE_ZOOM_DSO,
	COMPARE_ZOOM_KERNEL,
	COMPARE_ZOOM_TEXT,
	N_COMPARE_ZOOMS
};

#define COMPARE_LIMIT 0.5 /* percent, as in the Browser */

/* Takes references to the profiles. NULL: out of memory. */
struct compare *compare_new(struct ptui_profile *before, struct ptui_profile *after,
			    struct ptui_error *err);
/* No job may be running. */
void compare_free(struct compare *c); /* NULL ok */

struct ptui_profile *compare_profile(const struct compare *c, bool after);

/* ---- tabs: events of the same name, with samples in at least one recording ---- */

size_t compare_n_tabs(const struct compare *c);
const char *const *compare_tab_names(const struct compare *c);
size_t compare_tab(const struct compare *c);
void compare_set_tab(struct compare *c, size_t tab);
/* The next (+1) or previous (-1), wrapping around. */
void compare_move_tab(struct compare *c, int direction);
/* The tab's event in the recording before or after. */
const struct ptui_event_info *compare_event(const struct compare *c, bool after);
/* Events with samples that only this recording has: "cycles, faults". "": none. Returns buf. */
const char *compare_lone_events(const struct compare *c, bool after, char *buf, size_t size);

/* ---- rows ---- */

/* Rows of the tab; NULL: not counted yet. Valid until the next job is done. */
struct compare_rows *compare_rows(const struct compare *c);
/* True if they match the current wishes. */
bool compare_is_current(const struct compare *c);
/* Error of the tab's last job; NULL: none. */
const struct ptui_error *compare_error(const struct compare *c);
const struct compare_how *compare_how(const struct compare *c);
bool compare_children(const struct compare *c);
/* True if children can be shown: both have callchains. */
bool compare_has_children(const struct compare *c);
const char *compare_sort(const struct compare *c);

/* ---- wishes ---- */

/*
 * Back to the wishes of the current rows or, if there are none yet, to the previous tab. A running
 * job becomes obsolete. False: nothing to go back to.
 */
bool compare_cancel(struct compare *c);
void compare_toggle_children(struct compare *c);
void compare_swap(struct compare *c);
void compare_toggle_sure(struct compare *c);
void compare_set_order(struct compare *c, enum compare_order order);
/* Sort keys as in -s; NULL: comm,dso,symbol. 0 or -EINVAL. */
int compare_set_sort(struct compare *c, const char *sort, struct ptui_error *err);
/* "0.5". 0 or -EINVAL. */
int compare_set_limit(struct compare *c, const char *percent, struct ptui_error *err);

/*
 * Zooms into row i's value of this kind, or out if already zoomed by that kind. -ENOENT: it has
 * none. Not for COMPARE_ZOOM_TEXT.
 */
int compare_zoom(struct compare *c, enum compare_zoom kind, size_t i, struct ptui_error *err);
/* "": none. 0 or -EINVAL. */
int compare_zoom_text(struct compare *c, const char *text, struct ptui_error *err);
/* Undoes the last zoom; false: there is none. */
bool compare_unzoom(struct compare *c);
size_t compare_n_zooms(const struct compare *c);
/* Name of the i-th zoom: "cc1", "libc.so.6", "kernel", "'alloc'". Returns buf. */
const char *compare_zoom_name(const struct compare *c, size_t i, char *buf, size_t size);

/* ---- jobs ---- */

/* All view options. */
struct compare_wishes {
	struct compare_how how;
	bool children;
	char sort[COMPARE_TEXT_MAX]; /* "": the default keys */
	enum compare_zoom zooms[N_COMPARE_ZOOMS];
	size_t n_zooms;
};

struct compare_job {
	struct ptui_profile *profile[2]; /* references */
	uint32_t event[2];
	struct compare_wishes w;
	size_t tab;
	unsigned generation;
	struct compare_views *views; /* existing views; NULL: none. A reference */
	struct compare_rows *rows;   /* the result, or NULL with err */
	struct ptui_error err;
};

/* False: the rows of the tab are up to date. */
bool compare_job_next(const struct compare *c, struct compare_job *ret);
/* Accesses only the job. `progress` may be NULL. */
void compare_job_run(struct compare_job *job, ptui_progress_fn progress, void *ctx);
/* Moves the result; what is left in the job (including replaced rows) is to be released. */
void compare_job_done(struct compare *c, struct compare_job *job);
/* Slow: may run in any thread. */
void compare_job_release(struct compare_job *job);

#endif
