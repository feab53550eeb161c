/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of one event in two recordings, filtered and sorted.
 *
 *	profile before --view--.
 *	                        >-- compare_views (shared) --choose, sort--> compare_rows
 *	profile after  --view--'
 *
 * Views are counted once; other wishes need no counting. Both are immutable, so any thread may read
 * them.
 */
#ifndef MODEL_COMPARE_COMPARE_ROWS_H
#define MODEL_COMPARE_COMPARE_ROWS_H

#include <stdbool.h>

#include "model/rows/rows_look.h"
#include "ptui/compare.h"

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

struct compare_views_opts {
	struct ptui_profile *profile[2]; /* before, after */
	uint32_t event[2];
	bool children;	       /* if both have callchains */
	const char *hide_dsos; /* as in ptui_hist_filter; NULL: none */
	bool collapse_recursion;
	const char *sort; /* NULL: comm,dso,symbol */
};

/* Returns one reference. NULL on failure; ECANCELED if `progress` (may be NULL) cancelled. */
struct compare_views *compare_views_new(const struct compare_views_opts *opts,
					ptui_progress_fn progress, void *ctx,
					struct ptui_error *err);
/* Thread-safe. */
struct compare_views *compare_views_ref(struct compare_views *v);
void compare_views_unref(struct compare_views *v); /* NULL ok */
/* True if they are of these events, with these options. */
bool compare_views_are(const struct compare_views *v, const struct compare_views_opts *opts);

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

/*
 * Filtered and sorted by the look. Takes a reference to `v`. NULL: out of memory.
 */
struct compare_rows *compare_rows_new(struct compare_views *v, const struct rows_look *look);
void compare_rows_free(struct compare_rows *r); /* NULL ok */

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

#endif
