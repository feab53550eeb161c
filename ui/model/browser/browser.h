/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile being browsed: one tab per event (rows_tabs.h), whose rows are those of a histogram. */
#ifndef MODEL_BROWSER_BROWSER_H
#define MODEL_BROWSER_BROWSER_H

#include "model/rows/rows_tabs.h"

struct ptui_live;

struct browser_opts {
	struct ptui_hist_opts hist; /* for every event: `event` and `filter` are ignored */
	bool order_given;	    /* hist.order does not follow hist.children */
	bool hierarchy;		    /* rows by one sort key after the other */
	struct rows_limits limits;
	uint64_t max_samples; /* for the screen: that are listed of a row; 0: all */
	/* Initial zooms, and the name of the initial tab's event; for browser_new() only; NULL: none. */
	const struct ptui_hist_filter *filter;
	const char *event;
	/*
	 * For the screen, when it opens: annotate the hottest function, of this name; NULL: of all.
	 */
	bool annotates;
	const char *symbol;
	/* for the screen: options for loading other recordings, without progress */
	struct ptui_load_opts load;
	bool no_file; /* for the screen: no file to read again: a live session, or from a pipe */
	/* For the screen, which owns it: has samples that are in no file. NULL: none. */
	struct ptui_live *unsaved;
	bool from_setup; /* for the screen: the Setup below made the recording */
	/*
	 * For the screen: leads to a Setup like the recording at `path` (NULL: as it is), with unwound
	 * stacks if `unwound`. Returns wishes. NULL: not available.
	 */
	unsigned (*record_again)(void *ctx, const char *path, bool unwound);
	/*
	 * For the screen: leads to a Setup like the recording at `path` (NULL: as it is), which records
	 * these probes ("GROUP:NAME", one per line). NULL: not available.
	 */
	void (*record_probes)(void *ctx, const char *path, const char *events);
	void *ctx;
};

/* Read-only outside of the model, but for the look and the place of the tabs. */
struct browser {
	struct ptui_profile *profile;
	struct browser_opts opts; /* as given, without its texts; view options are in the look */
	/*
	 * Events with samples, a group in one tab, or the first one if none has any. None: the file has no
	 * events.
	 */
	struct rows_tabs tabs; /* with their events; of a group, its leader */
};

/* perf's default view. */
#define BROWSER_OPTS_INIT                                    \
	{                                                    \
		.hist = { .children = true,                  \
			  .order = PTUI_CALLER,              \
			  .grouping = PTUI_GROUP_RECORDED }, \
		.limits = { 0, 0.5 },                        \
	}

/* Takes a reference to the profile. NULL: out of memory. */
struct browser *browser_new(struct ptui_profile *p, const struct browser_opts *opts,
			    struct ptui_error *err);
/* No job may be running. */
void browser_free(struct browser *b); /* NULL ok */

/*
 * Shows a newer profile of the same recording, with more samples: takes a reference. Returns 1 if events got
 * tabs, 0, or a negative errno with the profile as it was (-EINVAL: it has other events). The rows are to be made again; no job may
 * be running.
 */
int browser_set_profile(struct browser *b, struct ptui_profile *p);
/* The event of the current tab; of a group, its leader; 0: there are no events. */
uint32_t browser_tab_event(const struct browser *b);
/* Samples, and (unless NULL) the sum of the periods, of the events that are shown with this one. */
uint64_t browser_samples(const struct browser *b, uint32_t event, uint64_t *ret_period);
/* Whether the current tab shows a group of events. */
bool browser_is_grouped(const struct browser *b);
/* Rows of the current tab, as rows_tabs_made(). */
struct rows *browser_rows(const struct browser *b);
/* Back to the look of the current rows, as rows_tabs_cancel(); limits, which need no job, stay. */
bool browser_cancel(struct browser *b);
/* Applies the limits and the order of the look to all rows, without a job. 0 or -ENOMEM. */
int browser_show(struct browser *b, struct ptui_error *err);
/* True if that may take longer than a key should. */
bool browser_shows_slowly(const struct browser *b);
void browser_toggle_inlines(struct browser *b);

/* ---- jobs ---- */

struct browser_job {
	struct rows_job rows;
	struct ptui_profile *profile; /* a reference */
	struct ptui_hist_opts hist;   /* what the look does not have */
	/* Set by the caller, malloc()ed: rows whose callchains are needed, too … */
	uint64_t *open;
	size_t n_open;
	bool makes_open;	  /* … at once; else … */
	struct rows_trees *trees; /* … these are to be made for them; NULL: few, or none */
};

/* False: the rows of the tab are up to date. */
bool browser_job_next(const struct browser *b, struct browser_job *ret);
/* Accesses only the job. `progress` may be NULL. */
void browser_job_run(struct browser_job *job, ptui_progress_fn progress, void *ctx);
/* Moves the result; what is left in the job (including replaced rows) is to be released. */
void browser_job_done(struct browser *b, struct browser_job *job);
/* Slow: may run in any thread. */
void browser_job_release(struct browser_job *job);

#endif
