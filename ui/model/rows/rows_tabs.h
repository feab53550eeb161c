/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of several events, one tab each, with one look for all of them. Rows are made by jobs that
 * any thread can run; a tab's are made when it is first shown.
 *
 *	look changes --> rows_tabs_changed() --> rows_tabs_next() --thread: make--> rows_tabs_done()
 *
 * The old rows stay until the job is done; rows_tabs_cancel() takes the change back.
 */
#ifndef MODEL_ROWS_ROWS_TABS_H
#define MODEL_ROWS_ROWS_TABS_H

#include "model/rows/rows_look.h"
#include "text/words.h"

struct rows_tab {
	uint32_t event[2];     /* in the profiles, for the owner */
	unsigned generation;   /* of the current rows; 0: none yet */
	void *made;	       /* the rows, of the owner's type; NULL: none yet */
	struct rows_look look; /* of these */
	struct ptui_error err; /* of the last job */
};

struct rows_tabs {
	struct rows_tab *v;
	const char **names; /* for a line of tabs */
	struct words texts; /* these names */
	size_t n, at;
	size_t shown;	     /* the last tab shown with rows; n: none */
	unsigned generation; /* of the look, starting at 1 */
	struct rows_look look;
};

/* What rows to make, and the result. */
struct rows_job {
	struct rows_look look;
	size_t tab;
	unsigned generation;
	void *made; /* the result, or NULL with err */
	struct ptui_error err;
};

/* For at most `max` tabs. 0 or -ENOMEM. */
int rows_tabs_init(struct rows_tabs *t, size_t max);
/* Adds one before tab `at`: those after it get other numbers, so no job may be running. 0 or -ENOMEM. */
int rows_tabs_add(struct rows_tabs *t, size_t at, const char *name);
void rows_tabs_release(struct rows_tabs *t, void (*free_made)(void *made));

/* NULL: there are no tabs. */
struct rows_tab *rows_tabs_now(const struct rows_tabs *t);
void rows_tabs_set(struct rows_tabs *t, size_t tab);
/* The next (+1) or previous (-1), wrapping around. */
void rows_tabs_move(struct rows_tabs *t, int direction);
/* The current tab's rows; NULL: not made yet. Valid until the next job is done. */
void *rows_tabs_made(const struct rows_tabs *t);
/* Error of the current tab's last job; NULL: none. */
const struct ptui_error *rows_tabs_error(const struct rows_tabs *t);

/* The look was changed. */
void rows_tabs_changed(struct rows_tabs *t);
/* True if the current tab's rows match the look. */
bool rows_tabs_is_current(const struct rows_tabs *t);
/*
 * Back to the look of the current rows or, if there are none yet, to the previous tab. A running
 * job becomes obsolete. False: nothing to go back to.
 */
bool rows_tabs_cancel(struct rows_tabs *t);

/* False: the rows of the tab are up to date. */
bool rows_tabs_next(const struct rows_tabs *t, struct rows_job *ret);
/* Moves the result: the job gets the replaced rows. False: its result was not taken. */
bool rows_tabs_done(struct rows_tabs *t, struct rows_job *job);

#endif
