/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hottest functions of a recording that goes on, as a tree whose rows have ids that outlive
 * each refresh.
 *
 * Takes: a published profile, and which rows are open. Gives: plain facts, so that the screen's
 * thread neither counts nor walks stacks: it looks up.
 *
 *	profile --live_hot_make, in a worker--> struct live_hot   never changes, has all its texts
 *	                                         rows: percent, now, a cell a column
 *	                                         nodes of open rows: callers, level by level
 *
 * Or the rows are threads or CPUs, and what opens are the hottest functions of each.
 *
 * An id is made of what a row shows, numbers apart, or of its parent's id and the caller's name. A row that is opened shows its callers one refresh of the worker later: that is some
 * milliseconds, and no key waits for it.
 */
#ifndef MODEL_LIVE_LIVE_HOT_H
#define MODEL_LIVE_LIVE_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/profile.h"

struct live_hot_maker;
struct live_hot;

/* Keeps the view of the last profile, and its periods for the next one. NULL: out of memory. */
struct live_hot_maker *live_hot_maker_new(void);
void live_hot_maker_free(struct live_hot_maker *k); /* NULL ok */

/* What a row is. */
enum live_hot_by {
	LIVE_HOT_FUNCTIONS,
	LIVE_HOT_THREADS,
	LIVE_HOT_CPUS,
};

#define LIVE_HOT_TEXT_MAX    128 /* bytes, the NUL too; longer ones are cut */
#define LIVE_HOT_SORT_MAX    256
#define LIVE_HOT_COLUMNS_MAX 16

/* What the samples of a row have in common, and what a view can be narrowed to. "": anything. */
struct live_hot_origin {
	char comm[LIVE_HOT_TEXT_MAX], dso[LIVE_HOT_TEXT_MAX];
	char function[LIVE_HOT_TEXT_MAX]; /* without "[.] "; of a filter: a part of its name */
	bool has_thread, has_cpu;
	int32_t tid;
	uint32_t cpu;
};

/* Which of the samples, and of the functions, and how they are told apart. All zero: all of them. */
struct live_hot_view {
	uint64_t since_ns;     /* samples from then on; 0: all */
	uint64_t half_life_ns; /* the past fades; 0: all count the same */
	bool each_update;      /* only what came since the last update; not with half_life_ns */
	bool hide_kernel, hide_user;
	bool samples;	   /* a column of them */
	bool whole_system; /* idle CPUs are sampled as well: then rows of CPUs say how busy they are */
	bool relative;	   /* percentages are of what `only` leaves */
	double least_percent; /* rows below are not shown */
	enum live_hot_by by;
	char sort
		[LIVE_HOT_SORT_MAX]; /* of rows of functions, as ptui_hist_opts.sort; "": the usual */
	struct live_hot_origin only;
};

struct trust_fact;

struct live_hot_job {
	struct ptui_profile *profile;
	uint64_t generation;  /* of the profile: equal ones are the same profile */
	uint64_t left;	      /* samples that have left it */
	uint32_t event;	      /* index in the profile */
	const uint64_t *open; /* rows whose callers are wanted */
	size_t n_open;
	struct live_hot_view view;
};

/* NULL on failure. Takes its own reference to the profile. */
struct live_hot *live_hot_make(struct live_hot_maker *k, const struct live_hot_job *job,
			       struct ptui_error *err);
void live_hot_free(struct live_hot *h); /* NULL ok */

struct live_hot_entry {
	double percent;	  /* of all samples of the event */
	double now;	  /* a row's percent among the samples of the last refresh; NaN: unknown */
	const char *text; /* the last cell of a row; below it: the function */
	const char *dso;  /* of what stands below a row: its module; "" for rows */
	uint64_t samples; /* in the function itself; 0 for callers */
	double busy; /* of a CPU, 0 to 100: what was not idle of its time; NaN: unknown, or no CPU */
};

/* False: no such row any more. */
bool live_hot_get(const struct live_hot *h, uint64_t id, struct live_hot_entry *ret);
/* What the row, or the row that it stands below, has in common. False: no such row. */
bool live_hot_get_origin(const struct live_hot *h, uint64_t id, struct live_hot_origin *ret);

/* What tells the rows apart, and with `samples` how many they are. */
struct live_hot_column {
	char name[32];	/* of the key: "dso" */
	char title[32]; /* English, as ptui_column.title */
	int width;	/* of the widest cell among the hottest rows */
	bool number;
};

size_t live_hot_n_columns(const struct live_hot *h);
const struct live_hot_column *live_hot_column(const struct live_hot *h, size_t i);
/* Of a row; "" of what stands below one. */
const char *live_hot_cell(const struct live_hot *h, uint64_t id, size_t column);

/* Id 0 is above all rows; those below the least percentage are not counted. */
size_t live_hot_count(const struct live_hot *h, uint64_t id);
uint64_t live_hot_child(const struct live_hot *h, uint64_t id, size_t i);
/* May it be opened? Rows of an event with callchains may, before their callers are known. */
bool live_hot_opens(const struct live_hot *h, uint64_t id);
/* Do any rows open: are there callchains, or functions below them? */
bool live_hot_may_open(const struct live_hot *h);
/* Is it known of the rows? */
bool live_hot_has_busy(const struct live_hot *h);
/* How far user stacks reach, where that is not far enough; NULL: they do, or there are none. */
const struct trust_fact *live_hot_stacks(const struct live_hot *h);
/* A row whose callers were not asked for when this was made. */
bool live_hot_is_unmade(const struct live_hot *h, uint64_t id);

uint32_t live_hot_event(const struct live_hot *h);
uint64_t live_hot_generation(const struct live_hot *h);

#endif
