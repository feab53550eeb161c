/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile being browsed: a tab for each event, and what the person wants to see of all of them.
 *
 * Takes: a profile, wishes. Gives: the rows of the tab (browser_rows.h), and the work that is to be
 * done for them as a job that any thread can do. Not for drawing, nor for making threads.
 *
 *	wish --> generation + 1 --> browser_job_next() --thread: browser_job_run()--> browser_job_done()
 *
 * Until the job is done, the rows that were there stay; browser_cancel() takes the wish back.
 */
#ifndef MODEL_BROWSER_BROWSER_H
#define MODEL_BROWSER_BROWSER_H

#include "model/browser/browser_rows.h"

struct browser;
struct ptui_live;

#define BROWSER_SORT_MAX 256

struct browser_opts {
	struct ptui_hist_opts hist; /* of every event: `event` and `filter` are ignored */
	bool order_given;	    /* hist.order does not follow hist.children */
	struct browser_limits limits;
	struct ptui_load_opts load; /* for the screen: of other recordings, without progress */
	bool no_file;		    /* for the screen: it was only watched, and has no header */
	/* For the screen, which owns it when it is open: has samples that are in no file. NULL: none are. */
	struct ptui_live *unsaved;
	/* For the screen: the way to a new recording. Returns wishes. NULL: there is none. */
	unsigned (*record_again)(void *ctx);
	void *ctx;
};

/* What can be zoomed into, each once, and undone in the other order. */
enum browser_zoom {
	BROWSER_ZOOM_THREAD, /* a thread, where rows are threads; else all threads of a name */
	BROWSER_ZOOM_DSO,
	BROWSER_ZOOM_KERNEL,
	BROWSER_ZOOM_SYMBOL, /* functions whose names contain a text */
	BROWSER_ZOOMS,
};

/* Zooms in the order in which they were made. */
struct browser_zooms {
	enum browser_zoom kinds[BROWSER_ZOOMS];
	size_t n;
	const char *thread; /* of the thread's number, when it is one; the profile's */
};

/* perf's usual view. */
#define BROWSER_OPTS_INIT                                                                 \
	{                                                                                 \
		.hist = { .children = true, .order = PTUI_CALLER }, .limits = { 0, 0.5 }, \
	}

/* Takes a reference of its own. NULL: out of memory. */
struct browser *browser_new(struct ptui_profile *p, const struct browser_opts *opts,
			    struct ptui_error *err);
/* No job may be running. */
void browser_free(struct browser *b); /* NULL ok */

struct ptui_profile *browser_profile(const struct browser *b);

/* ---- tabs: the events that have samples, or, when none has, the first ---- */

/* 0: the file has no events at all. */
size_t browser_n_tabs(const struct browser *b);
uint32_t browser_tab_event(const struct browser *b, size_t tab);
/* The names, n_tabs of them; for a line of tabs. */
const char *const *browser_tab_names(const struct browser *b);
size_t browser_tab(const struct browser *b);
void browser_set_tab(struct browser *b, size_t tab);
/* The next (+1) or previous (-1), round and round. */
void browser_move_tab(struct browser *b, int direction);

/* ---- what is shown ---- */

/* Rows of the tab; NULL: they are not counted yet. Until the next job is done. */
struct browser_rows *browser_rows(const struct browser *b);
/* They are what was wished for last. */
bool browser_is_current(const struct browser *b);
/* What went wrong when the tab was counted; NULL: nothing. */
const struct ptui_error *browser_error(const struct browser *b);
const struct browser_opts *browser_opts(const struct browser *b);

/* ---- wishes ---- */

/*
 * Back to what the rows that are shown were counted by, or, where there are none yet, to the tab
 * that was shown before. A job that runs is for nothing then. False: there is nothing to go back to.
 */
bool browser_cancel(struct browser *b);
void browser_toggle_children(struct browser *b);
void browser_toggle_order(struct browser *b);
void browser_toggle_inlines(struct browser *b);
/* NULL or "": the usual keys. The columns follow. 0, -EINVAL for keys that do not exist. */
int browser_set_sort(struct browser *b, const char *sort, struct ptui_error *err);
/* Of rows and branches, "0.5". 0 or -EINVAL; rows are there at once, no job. */
int browser_set_limit(struct browser *b, const char *percent, struct ptui_error *err);

/*
 * Into what the node has of this kind, or, zoomed in by that already, out of it. -ENOENT: it has
 * none. Not for BROWSER_ZOOM_SYMBOL.
 */
int browser_zoom(struct browser *b, enum browser_zoom kind, uint64_t node, struct ptui_error *err);
/* "": none. 0 or -EINVAL. */
int browser_zoom_symbol(struct browser *b, const char *text, struct ptui_error *err);
/* Undoes the last; false: there is none. */
bool browser_unzoom(struct browser *b);
size_t browser_n_zooms(const struct browser *b);
bool browser_is_zoomed(const struct browser *b, enum browser_zoom kind);
/* The i-th, as people say it: "thread cc1", "libc.so.6", "kernel", "'alloc'". Returns buf. */
const char *browser_zoom_text(const struct browser *b, size_t i, char *buf, size_t size);
/* What browser_zoom() would do with this node: "zoom into thread cc1". "": nothing. Returns buf. */
const char *browser_zoom_offer(const struct browser *b, enum browser_zoom kind, uint64_t node,
			       char *buf, size_t size);
/* Percentages of what is zoomed into, or of everything. */
void browser_toggle_relative(struct browser *b);

/* ---- work ---- */

/* All that a person can wish for. */
struct browser_wishes {
	struct browser_opts opts; /* its texts are these three */
	char sort[BROWSER_SORT_MAX], fields[BROWSER_SORT_MAX], symbol[BROWSER_SORT_MAX];
	struct browser_zooms zooms;
};

struct browser_job {
	struct ptui_profile *profile; /* a reference */
	struct browser_wishes w;
	size_t tab;
	unsigned generation;
	uint64_t
		*open; /* the caller's to set, by malloc(): rows whose callchains are wanted, too */
	size_t n_open;
	struct browser_rows *rows; /* the result, or NULL and err */
	struct ptui_error err;
};

/* False: the tab is as it was wished for. */
bool browser_job_next(const struct browser *b, struct browser_job *ret);
/* Touches nothing but the job. `progress` may be NULL. */
void browser_job_run(struct browser_job *job, ptui_progress_fn progress, void *ctx);
/* Takes the result; leaves in the job what is to be released: also rows that were replaced. */
void browser_job_done(struct browser *b, struct browser_job *job);
/* In any thread: it may take long. */
void browser_job_release(struct browser_job *job);

#endif
