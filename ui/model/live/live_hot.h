/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hottest functions of a running recording, as a tree whose rows have ids that are stable
 * across refreshes. Made in a worker from a published profile and the open rows, so that the
 * screen's thread only looks up.
 *
 *	profile --live_hot_make, in a worker--> struct live_hot   immutable, with all texts
 *	                                         rows: percent, now, cells
 *	                                         nodes of open rows: callers, level by level
 *
 * Rows may also be threads or CPUs, with the hottest functions of each below.
 *
 * An id is a hash of the row's texts, or of its parent's id and the caller's name. Opening a row
 * shows its callers after the next run of the worker, some milliseconds later, so that keys do not
 * wait.
 */
#ifndef MODEL_LIVE_LIVE_HOT_H
#define MODEL_LIVE_LIVE_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/profile.h"

struct live_hot_maker;
struct live_hot;

/*
 * Keeps the view of the last profile, and its periods to compare with the next. NULL: out of
 * memory.
 */
struct live_hot_maker *live_hot_maker_new(void);
void live_hot_maker_free(struct live_hot_maker *k); /* NULL ok */

/* Kinds of rows. */
enum live_hot_by {
	LIVE_HOT_FUNCTIONS,
	LIVE_HOT_THREADS,
	LIVE_HOT_CPUS,
};

#define LIVE_HOT_TEXT_MAX    128 /* bytes, including NUL; longer ones are truncated */
#define LIVE_HOT_SORT_MAX    256
#define LIVE_HOT_COLUMNS_MAX 16

/* What all samples of a row have in common; also a filter of a view. "": any. */
struct live_hot_origin {
	char comm[LIVE_HOT_TEXT_MAX], dso[LIVE_HOT_TEXT_MAX];
	char function[LIVE_HOT_TEXT_MAX]; /* without "[.] "; in a filter: a substring of the name */
	bool has_thread, has_cpu;
	int32_t tid;
	uint32_t cpu;
};

/* View options: filters, sort keys, weights. All zero: everything. */
struct live_hot_view {
	uint64_t since_ns;     /* samples from then on; 0: all */
	uint64_t half_life_ns; /* older samples lose weight; 0: equal weights */
	bool each_update;      /* only samples since the last update; not with half_life_ns */
	bool hide_kernel, hide_user;
	bool samples;	   /* with a column of sample counts */
	bool whole_system; /* idle CPUs are sampled as well: rows of CPUs show how busy they are */
	bool relative;	   /* percentages relative to the filter `only` */
	double least_percent; /* hides smaller rows */
	enum live_hot_by by;
	/* for rows of functions, as ptui_hist_opts.sort; "": default */
	char sort[LIVE_HOT_SORT_MAX];
	struct live_hot_origin only;
};

struct missing_list;
struct trust_fact;

struct live_hot_job {
	struct ptui_profile *profile;
	uint64_t generation;  /* identifies the profile */
	uint64_t left;	      /* samples dropped from it */
	uint32_t event;	      /* index in the profile */
	const uint64_t *open; /* rows whose callers are needed */
	size_t n_open;
	struct live_hot_view view;
};

/* NULL on failure. Takes a reference to the profile. */
struct live_hot *live_hot_make(struct live_hot_maker *k, const struct live_hot_job *job,
			       struct ptui_error *err);
void live_hot_free(struct live_hot *h); /* NULL ok */

struct live_hot_entry {
	double percent;	  /* of all samples of the event */
	double now;	  /* share among the samples of the last refresh; NaN: unknown */
	const char *text; /* the last cell of a row; below rows: the function */
	const char *dso;  /* DSO, below rows; "" for rows */
	uint64_t samples; /* self; 0 for callers */
	double busy; /* of a CPU, 0 to 100: share of non-idle time; NaN: unknown, or not a CPU */
};

/* False: the row is gone. */
bool live_hot_get(const struct live_hot *h, uint64_t id, struct live_hot_entry *ret);
/* Of the row, or of its ancestor row. False: no such row. */
bool live_hot_get_origin(const struct live_hot *h, uint64_t id, struct live_hot_origin *ret);

/* The columns of the sort keys, and with `samples` their number. */
struct live_hot_column {
	char name[32];	/* of the key: "dso" */
	char title[32]; /* English, as ptui_column.title */
	int width;	/* of the widest cell among the hottest rows */
	bool number;
};

size_t live_hot_n_columns(const struct live_hot *h);
const struct live_hot_column *live_hot_column(const struct live_hot *h, size_t i);
/* Of a row; "" below rows. */
const char *live_hot_cell(const struct live_hot *h, uint64_t id, size_t column);

/* Id 0 is the root; rows below the minimum percentage are not counted. */
size_t live_hot_count(const struct live_hot *h, uint64_t id);
uint64_t live_hot_child(const struct live_hot *h, uint64_t id, size_t i);
/* True if it can be opened. Known for rows with callchains before their callers are. */
bool live_hot_opens(const struct live_hot *h, uint64_t id);
/* True if any row can be opened: there are callchains, or functions below rows. */
bool live_hot_may_open(const struct live_hot *h);
/* True if `now` is known of any row. */
bool live_hot_has_now(const struct live_hot *h);
/* True if `busy` is known. */
bool live_hot_has_busy(const struct live_hot *h);
/* How far the view can be trusted, as trust_facts(). 0: nothing counted yet. */
const struct trust_fact *live_hot_facts(const struct live_hot *h, size_t *ret_n);
/* The DSOs of the view without symbols; NULL: nothing counted yet. */
const struct missing_list *live_hot_missing(const struct live_hot *h);
/* True for a row whose callers were not requested when this was made. */
bool live_hot_is_unmade(const struct live_hot *h, uint64_t id);

uint32_t live_hot_event(const struct live_hot *h);
uint64_t live_hot_generation(const struct live_hot *h);

#endif
