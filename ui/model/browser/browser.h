/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile being browsed: one tab per event, and the view options for all of them ("wishes"). Rows
 * (browser_rows.h) are made by jobs that any thread can run.
 *
 *	wish --> generation + 1 --> browser_job_next() --thread: browser_job_run()--> browser_job_done()
 *
 * The old rows stay until the job is done; browser_cancel() takes the wish back.
 */
#ifndef MODEL_BROWSER_BROWSER_H
#define MODEL_BROWSER_BROWSER_H

#include "model/browser/browser_rows.h"

struct browser;
struct ptui_live;

#define BROWSER_SORT_MAX 256

struct browser_opts {
	struct ptui_hist_opts hist; /* for every event: `event` and `filter` are ignored */
	bool order_given;	    /* hist.order does not follow hist.children */
	struct browser_limits limits;
	/* for the screen: options for loading other recordings, without progress */
	struct ptui_load_opts load;
	bool no_file; /* for the screen: a live session without a file, so no header */
	/* For the screen, which owns it: has samples that are in no file. NULL: none. */
	struct ptui_live *unsaved;
	bool from_setup; /* for the screen: the Setup below made the recording */
	/*
	 * For the screen: leads to a Setup like the recording at `path` (NULL: as it is), with unwound
	 * stacks if `unwound`. Returns wishes. NULL: not available.
	 */
	unsigned (*record_again)(void *ctx, const char *path, bool unwound);
	void *ctx;
};

/* Zooms: each at most once, undone in reverse order. */
enum browser_zoom {
	BROWSER_ZOOM_THREAD, /* a thread, if rows are threads; else all threads of a name */
	BROWSER_ZOOM_DSO,
	BROWSER_ZOOM_KERNEL,
	BROWSER_ZOOM_SYMBOL, /* functions whose names contain a text */
	BROWSER_ZOOMS,
};

/* Zooms in order. */
struct browser_zooms {
	enum browser_zoom kinds[BROWSER_ZOOMS];
	size_t n;
	const char *thread; /* name of the thread of a tid zoom; owned by the profile */
};

/* perf's default view. */
#define BROWSER_OPTS_INIT                                                                 \
	{                                                                                 \
		.hist = { .children = true, .order = PTUI_CALLER }, .limits = { 0, 0.5 }, \
	}

/* Takes a reference to the profile. NULL: out of memory. */
struct browser *browser_new(struct ptui_profile *p, const struct browser_opts *opts,
			    struct ptui_error *err);
/* No job may be running. */
void browser_free(struct browser *b); /* NULL ok */

struct ptui_profile *browser_profile(const struct browser *b);

/* ---- tabs: the events with samples, or the first event if none has any ---- */

/* 0: the file has no events. */
size_t browser_n_tabs(const struct browser *b);
uint32_t browser_tab_event(const struct browser *b, size_t tab);
/* n_tabs names, for a line of tabs. */
const char *const *browser_tab_names(const struct browser *b);
size_t browser_tab(const struct browser *b);
void browser_set_tab(struct browser *b, size_t tab);
/* The next (+1) or previous (-1), wrapping around. */
void browser_move_tab(struct browser *b, int direction);

/* ---- rows ---- */

/* Rows of the tab; NULL: not counted yet. Valid until the next job is done. */
struct browser_rows *browser_rows(const struct browser *b);
/* True if they match the current wishes. */
bool browser_is_current(const struct browser *b);
/* Error of the tab's last job; NULL: none. */
const struct ptui_error *browser_error(const struct browser *b);
const struct browser_opts *browser_opts(const struct browser *b);

/* ---- wishes ---- */

/*
 * Back to the wishes of the current rows or, if there are none yet, to the previous tab. A running
 * job becomes obsolete. False: nothing to go back to.
 */
bool browser_cancel(struct browser *b);
void browser_toggle_children(struct browser *b);
void browser_toggle_order(struct browser *b);
void browser_toggle_inlines(struct browser *b);
/* NULL or "": the default keys. Columns follow. 0, or -EINVAL for unknown keys. */
int browser_set_sort(struct browser *b, const char *sort, struct ptui_error *err);
/* Minimum share of rows and branches, "0.5". 0 or -EINVAL; needs no job. */
int browser_set_limit(struct browser *b, const char *percent, struct ptui_error *err);

/*
 * Zooms into the node's value of this kind, or out if already zoomed by that kind. -ENOENT: it has
 * none. Not for BROWSER_ZOOM_SYMBOL.
 */
int browser_zoom(struct browser *b, enum browser_zoom kind, uint64_t node, struct ptui_error *err);
/* "": none. 0 or -EINVAL. */
int browser_zoom_symbol(struct browser *b, const char *text, struct ptui_error *err);
/* Undoes the last zoom; false: there is none. */
bool browser_unzoom(struct browser *b);
size_t browser_n_zooms(const struct browser *b);
bool browser_is_zoomed(const struct browser *b, enum browser_zoom kind);
/* Name of the i-th zoom: "thread cc1", "libc.so.6", "kernel", "'alloc'". Returns buf. */
const char *browser_zoom_text(const struct browser *b, size_t i, char *buf, size_t size);
/* Label of browser_zoom() on this node: "zoom into thread cc1". "": not available. Returns buf. */
const char *browser_zoom_offer(const struct browser *b, enum browser_zoom kind, uint64_t node,
			       char *buf, size_t size);
/* Percentages relative to the zoom, or to everything. */
void browser_toggle_relative(struct browser *b);

/* ---- jobs ---- */

/* All view options. */
struct browser_wishes {
	struct browser_opts opts; /* its texts are the three below */
	char sort[BROWSER_SORT_MAX], fields[BROWSER_SORT_MAX], symbol[BROWSER_SORT_MAX];
	struct browser_zooms zooms;
};

struct browser_job {
	struct ptui_profile *profile; /* a reference */
	struct browser_wishes w;
	size_t tab;
	unsigned generation;
	uint64_t *open; /* set by the caller, malloc()ed: rows whose callchains are needed, too */
	size_t n_open;
	struct browser_rows *rows; /* the result, or NULL with err */
	struct ptui_error err;
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
