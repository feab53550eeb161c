/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hottest functions of a running recording (model/rows), or its threads or CPUs with the
 * hottest functions of each below. Made in a worker from a published profile and the open rows, so
 * that the screen's thread only looks up.
 *
 *	profile --live_hot_make, in a worker--> struct live_hot: rows; now and busy of each
 *
 * Opening a row shows its callers after the next run of the worker, some milliseconds later, so
 * that keys do not wait.
 */
#ifndef MODEL_LIVE_LIVE_HOT_H
#define MODEL_LIVE_LIVE_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/browser/missing.h"
#include "model/browser/trust.h"
#include "model/rows/rows_look.h"

struct live_hot_maker;

/*
 * Keeps the last rows, which the next ones are counted on from, and their periods to compare with.
 * NULL: out of memory.
 */
struct live_hot_maker *live_hot_maker_new(void);
void live_hot_maker_free(struct live_hot_maker *k); /* NULL ok */

/* Kinds of rows. */
enum live_hot_by {
	LIVE_HOT_FUNCTIONS,
	LIVE_HOT_THREADS,
	LIVE_HOT_CPUS,
};

/* View options. All zero: everything, by function. */
struct live_hot_view {
	uint64_t since_ns;     /* samples from then on; 0: all */
	uint64_t half_life_ns; /* older samples lose weight; 0: equal weights */
	bool each_update;      /* only samples since the last update; not with half_life_ns */
	bool hide_kernel, hide_user;
	bool samples;	   /* with a column of sample counts */
	bool whole_system; /* idle CPUs are sampled as well: rows of CPUs show how busy they are */
	enum live_hot_by by;
	struct rows_look look; /* its sort keys are for rows of functions */
};

struct live_hot_job {
	struct ptui_profile *profile;
	uint64_t generation;  /* identifies the profile */
	uint64_t left;	      /* samples dropped from it */
	uint32_t event;	      /* index in the profile */
	const uint64_t *open; /* rows whose callers are needed */
	size_t n_open;
	struct live_hot_view view;
};

struct live_hot {
	struct rows *rows; /* a reference */
	uint32_t event;
	uint64_t generation;
	/* By rows_row(); NaN: unknown. */
	double *now;  /* share among the samples of the last refresh */
	double *busy; /* of a CPU, 0 to 100: share of non-idle time */
	bool has_now, has_busy;
	/* How far the view can be trusted, as trust_facts(), and the DSOs without symbols. */
	struct trust_fact facts[TRUST_FACTS_MAX];
	size_t n_facts;
	struct missing_list *missing;
};

/* What is counted of an event, but for groups of threads and CPUs; texts are borrowed from the view. */
struct ptui_hist_opts live_hot_opts(const struct live_hot_view *view, uint32_t event);

/* NULL on failure. Takes a reference to the profile. */
struct live_hot *live_hot_make(struct live_hot_maker *k, const struct live_hot_job *job,
			       struct ptui_error *err);
void live_hot_free(struct live_hot *h); /* NULL ok */

#endif
