/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two recordings being compared: one tab (rows_tabs.h) per event that both have, with the rows of that event
 * in both, filtered and sorted.
 *
 *	profile before --view--.
 *	                        >-- compare_views (shared) --choose, sort--> compare_rows
 *	profile after  --view--'
 *
 * Views are counted once; other wishes need no counting. Both are immutable, so any thread may read
 * them.
 */
#ifndef MODEL_COMPARE_COMPARE_H
#define MODEL_COMPARE_COMPARE_H

#include "model/rows/rows_tabs.h"
#include "ptui/compare.h"

#define COMPARE_LIMIT 0.5 /* percent, as in the Browser */

/* Sort orders. */
enum compare_order {
	COMPARE_BY_CHANGE, /* largest change first, in either direction */
	COMPARE_BY_GROWN,
	COMPARE_BY_SHRUNK,
	COMPARE_BY_FACTOR, /* by factor: new and vanished ones first */
	COMPARE_BY_BEFORE,
	COMPARE_BY_AFTER,
	N_COMPARE_ORDERS
};

/* Translated: "by change". */
const char *compare_order_text(enum compare_order order);

/* ---- views ---- */

struct compare_views;

/* Thread-safe. */
struct compare_views *compare_views_ref(struct compare_views *v);
void compare_views_unref(struct compare_views *v); /* NULL ok */
/* ---- rows ---- */

/* Immutable. */
struct compare_rows {
	struct compare_views *views; /* a reference */
	bool swapped;
	struct rows *nodes; /* the rows: their columns are those of the sort keys */
	size_t n_below;	    /* rows below the limit, which are hidden … */
	size_t n_unsure;    /* … and insignificant ones among the others */
	double most;	    /* the largest visible absolute difference: the scale of the bars */
};

struct compare_row {
	bool is_before, is_after; /* present in these recordings */
	double before, after;	  /* shares, 0 to 1; including callees, if children are counted */
	double delta;		  /* after - before */
	double noise;		  /* see ptui_compare_row */
	uint64_t samples[2];	  /* before and after: self */
	uint64_t period[2], period_children[2];
};

/* `row`: as rows_row() of a node. */
void compare_rows_get(const struct compare_rows *r, uint32_t row, struct compare_row *ret);
/* True if the difference is significant for this number of samples. */
bool compare_row_is_sure(const struct compare_row *row);
/* Factor of the change: "1.30"; 0 for new and vanished rows. */
double compare_row_factor(const struct compare_row *row);

/* The view of the recording before or (`after`) after. */
const struct ptui_hist *compare_rows_hist(const struct compare_rows *r, bool after);

/*
 * The details of a row as text: counts, shares and rates of both, the significance of the
 * difference, and the callers in either. `swapped`: as in the look. free() it; NULL: out of memory.
 * Slow: call it in a thread.
 */
char *compare_details(const struct compare_views *v, bool swapped, uint32_t row);

/* ---- both recordings ---- */

/* Read-only outside of the model, but for the look and the place of the tabs. */
struct compare {
	struct ptui_profile *profile[2]; /* before, after, as loaded */
	/* Set by the caller: only samples of these times, as ptui_hist_filter.times; NULL: all. Borrowed. */
	const char *times[2];
	/* Events of the same name, with samples in at least one recording. */
	struct rows_tabs tabs;
};

/* Takes references to the profiles. NULL: out of memory. */
struct compare *compare_new(struct ptui_profile *before, struct ptui_profile *after,
			    struct ptui_error *err);
/* No job may be running. */
void compare_free(struct compare *c); /* NULL ok */

/* The recording that the current rows show as before, or as after. */
struct ptui_profile *compare_profile(const struct compare *c, bool after);

/* Whether the current rows show the recordings in reverse roles. */
bool compare_swapped(const struct compare *c);

/* The tab's event in the recording before or after. */
const struct ptui_event_info *compare_event(const struct compare *c, bool after);
/* Events with samples that only this recording has: "cycles, faults". "": none. Returns buf. */
const char *compare_lone_events(const struct compare *c, bool after, char *buf, size_t size);
/* Rows of the current tab, as rows_tabs_made(). */
struct compare_rows *compare_rows(const struct compare *c);
/* True if children can be shown: both have callchains. */
bool compare_has_children(const struct compare *c);

/* ---- jobs ---- */

struct compare_job {
	struct rows_job rows;
	struct ptui_profile *profile[2]; /* references */
	char *times[2];			 /* owned, or NULL: the job may outlive the screen */
	uint32_t event[2];
	struct compare_views *views; /* existing views; NULL: none. A reference */
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
