/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of one event in two recordings, chosen and put in order as a person wishes.
 *
 *	profile before --view--.
 *	                        >-- compare_views (shared) --choose, sort--> compare_rows
 *	profile after  --view--'
 *
 * Takes: what was counted once, and wishes that need no counting. Gives: rows, their texts. Neither
 * changes once it is made: any thread may look at it. Not for drawing.
 */
#ifndef MODEL_COMPARE_COMPARE_ROWS_H
#define MODEL_COMPARE_COMPARE_ROWS_H

#include <stdbool.h>

#include "ptui/compare.h"

/* Which rows stand above. */
enum compare_order {
	COMPARE_BY_CHANGE, /* what changed most, whichever way */
	COMPARE_BY_GROWN,
	COMPARE_BY_SHRUNK,
	COMPARE_BY_FACTOR, /* by how many times: new ones and those that are gone first */
	COMPARE_BY_BEFORE,
	COMPARE_BY_AFTER,
	N_COMPARE_ORDERS
};

/* Translated: "by change". */
const char *compare_order_text(enum compare_order order);

#define COMPARE_TEXT_MAX 256

/* Which rows are shown. All zero: all of them. */
struct compare_filter {
	double limit;	/* neither share is below; percent */
	bool sure_only; /* differences that are more than chance */
	bool kernel;
	char comm[COMPARE_TEXT_MAX], dso[COMPARE_TEXT_MAX]; /* "": any */
	char text[COMPARE_TEXT_MAX]; /* a part of the function's name; "": any */
};

struct compare_how {
	struct compare_filter filter;
	enum compare_order order;
	bool swapped; /* what was loaded as before is shown as after */
};

/* ---- what was counted ---- */

struct compare_views;

struct compare_views_opts {
	struct ptui_profile *profile[2]; /* before, after */
	uint32_t event[2];
	bool children;	  /* where both have callchains */
	const char *sort; /* NULL: comm,dso,symbol */
};

/* One reference. NULL on failure; ECANCELED when `progress` (may be NULL) said so. */
struct compare_views *compare_views_new(const struct compare_views_opts *opts,
					ptui_progress_fn progress, void *ctx,
					struct ptui_error *err);
/* Thread-safe. */
struct compare_views *compare_views_ref(struct compare_views *v);
void compare_views_unref(struct compare_views *v); /* NULL ok */
/* They are of these events, with these options. */
bool compare_views_are(const struct compare_views *v, const struct compare_views_opts *opts);

/* ---- what is shown ---- */

struct compare_rows;

/* Takes a reference to `v`. NULL: out of memory. */
struct compare_rows *compare_rows_new(struct compare_views *v, const struct compare_how *how);
void compare_rows_free(struct compare_rows *r); /* NULL ok */

struct compare_row {
	bool is_before, is_after; /* it is in these */
	double before, after;	  /* shares, 0 to 1; with callees, where these are counted */
	double delta;		  /* after - before */
	double noise;		  /* as ptui_compare_row has it */
	uint64_t samples[2];	  /* before and after: in the function itself */
	uint64_t period[2], period_children[2];
};

size_t compare_rows_n(const struct compare_rows *r);
void compare_rows_get(const struct compare_rows *r, size_t i, struct compare_row *ret);
/* The difference is more than chance makes of so many samples. */
bool compare_row_is_sure(const struct compare_row *row);
/* By how many times it changed: "1.30"; a row that is new or gone has none: 0. */
double compare_row_factor(const struct compare_row *row);

/* Left out: below the limit; of the others, those that chance may have made. */
size_t compare_rows_n_below(const struct compare_rows *r);
size_t compare_rows_n_unsure(const struct compare_rows *r);
/* The largest difference that is shown, without its sign: what bars are measured by. */
double compare_rows_most(const struct compare_rows *r);

/* A row's identity, not 0, as long as the views are the same; SIZE_MAX: it is not shown. */
uint64_t compare_rows_id(const struct compare_rows *r, size_t i);
size_t compare_rows_find(const struct compare_rows *r, uint64_t id);
const struct compare_views *compare_rows_views(const struct compare_rows *r);

/* ---- texts ---- */

/* What tells rows apart: command, module, function. */
size_t compare_rows_n_names(const struct compare_rows *r);
const char *compare_rows_title(const struct compare_rows *r, size_t name); /* English */
unsigned compare_rows_width(const struct compare_rows *r, size_t name);
/* "comm", "dso", "symbol" … */
const char *compare_rows_key(const struct compare_rows *r, size_t name);
/* Returns buf. */
const char *compare_rows_name(const struct compare_rows *r, size_t i, size_t name, char *buf,
			      size_t size);
/* What all samples of the row have in common. */
void compare_rows_origin(const struct compare_rows *r, size_t i, struct ptui_row_origin *ret);

/* The view of before or (`after`) after. */
const struct ptui_hist *compare_rows_hist(const struct compare_rows *r, bool after);
/* All that was counted in it. */
void compare_rows_all(const struct compare_rows *r, bool after, struct ptui_hist_all *ret);
bool compare_rows_children(const struct compare_rows *r);

/* Row `i` alone, that lives as long as it is needed. NULL: out of memory. */
struct compare_rows *compare_rows_pick(const struct compare_rows *r, size_t i);

/*
 * All that is to be said of one row, for people, in lines: counts, shares and rates of both, what
 * the difference is worth, and who calls it in either. free() it; NULL: out of memory. May take
 * long: for a thread.
 */
char *compare_rows_details(const struct compare_rows *r, size_t i);

#endif
