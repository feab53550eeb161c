/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the Browser.
 *
 *	browser.c		the screen: opening, closing, requests, messages
 *	browser_work.c		counting and making rows in threads
 *	browser_draw.c		head, summary, trust, empty states
 *	browser_files.c		other recordings
 *	browser_load.c		loading a recording, before and while its first rows are shown
 *
 * What it shares with Live and Compare is in view/rows.
 */
#ifndef VIEW_BROWSER_BROWSER_PRIVATE_H
#define VIEW_BROWSER_BROWSER_PRIVATE_H

#include "model/browser/browser.h"
#include "model/browser/trust.h"
#include "view/browser/browser.h"
#include "view/probe/probe.h"
#include "view/rows/rows_view.h"
#include "view/sample_saver.h"
#include "view/symbols/symbols.h"
#include "view/trust_show.h"
#include "view/worker.h"

#define BROWSER_FILES_MAX 100

enum browser_file_use {
	FILE_OPEN,
	FILE_COMPARE, /* with this one */
	FILE_MERGE,   /* with this one, to one profile */
};

struct browser_screen {
	struct rows_view view; /* first */
	struct stack *stack;
	struct browser *model;
	char *name;	  /* of the recording: its path, or its origin if it has no file */
	char where[1024]; /* for the screens that are opened from here, and copy it */
	struct browser_loading *loading; /* of the rest of the file; NULL: it is loaded */
	struct rows_look *wanted;  /* what `loading` is for, if all was loaded before; NULL: none */
	bool chosen;		   /* sort keys or columns: kept for the next start */
	char *stopped;		   /* why only a part is; NULL: it was asked for */
	uint64_t generation;	   /* of the profile */
	const struct rows *listed; /* next rows whose trees a job has listed; NULL: none */
	struct rows_trees *trees;  /* these, to be made; NULL: few, or none */
	struct worker *opening;	   /* a rows_trees; NULL: none */
	enum request opens;	   /* request to repeat when they are made … */
	uint64_t opens_node;	   /* … on this node */
	unsigned expand_timer;	   /* while rows are being opened, in slices */
	size_t expanded;	   /* rows so far */

	struct trust_fact facts[TRUST_FACTS_MAX]; /* of the tab */
	size_t n_facts;

	struct words opened;
	struct words files;	   /* paths of the menu's lines */
	struct ptui_live *unsaved; /* owned; NULL: the samples are in a file */
	struct sample_saver saver;
	bool leaves;			/* when the samples are saved */
	enum browser_file_use file_use; /* what is done with the chosen one */
	uint32_t *asked;		/* the events of the menu */
};

/* ---- browser.c ---- */
/* The rows changed. */
void browser_recalc(void *self);
/* The event of the tab; NULL: none. */
const struct ptui_event_info *browser_event(const struct browser_screen *b);
/* The recording's file; NULL: none that can be read again. */
const char *browser_path(const struct browser_screen *b);
/* What follows a probe of a function of this recording. */
struct probe_then browser_probe_then(struct browser_screen *b);

/*
 * browser_open() in place of `instead` (NULL: on top), with what loads the rest (NULL: nothing), which it
 * owns from then on. NULL: see `err`.
 */
struct browser_screen *browser_replace(struct stack *s, void *instead, struct ptui_profile *p,
				       const char *name, const struct browser_opts *opts,
				       struct browser_loading *loading, struct ptui_error *err);
/* While loading: whether the rows can be replaced now. */
bool browser_can_replace(const struct browser_screen *b);
/* A newer profile: takes a reference. 0, or a negative errno, which was reported. */
int browser_set_newer(struct browser_screen *b, struct ptui_profile *p);
/* All of it (owned), or NULL and why not. Ends b->loading. */
void browser_loaded(struct browser_screen *b, struct ptui_profile *all,
		    const struct ptui_error *err);
/* Keeps what is loaded. Returns wishes; WISH_PASS: all of it is. */
unsigned browser_stop_loading(struct browser_screen *b);
/* "43% of perf.data is loaded"; "" if all of it is. Returns buf. */
const char *browser_loaded_text(const struct browser_screen *b, char *buf, size_t size);

/* ---- browser_load.c ---- */
void browser_loading_free(struct browser_loading *l); /* does not wait; NULL ok */
/* Percentage of the file that is loaded; -1: unknown. */
int browser_loading_percent(const struct browser_loading *l);
/*
 * For struct rows_view_ops: loads the recording again, with fields of tracepoints, if these sort keys, columns and filters
 * need it.
 */
bool browser_loads(void *self, const struct rows_look *wanted);
/* From now on this screen gets the profiles. */
void browser_loading_to(struct browser_loading *l, struct browser_screen *b);

/* ---- browser_work.c ---- */
/* For struct rows_view_ops. */
void *browser_job(void *self);
extern const struct worker_ops browser_counting;
unsigned browser_shown(void *self);
/* True: opening waits for callchains being made; the request is repeated then. */
bool browser_opens_later(struct browser_screen *b, enum request req);
/* Shows rows, or that they changed. If very many were open, they are opened again afterwards. */
void browser_set_rows(struct browser_screen *b, struct rows *rows);
void browser_stop_opening(struct browser_screen *b);
/* After a request: if it opens more than can be done at once, the rest follows between keys. */
void browser_go_on_opening(struct browser_screen *b);
/* Cancels running work and restores the visible view; WISH_PASS: none running. */
unsigned browser_stop(struct browser_screen *b);
/* On close; does not wait. */
void browser_leave(struct browser_screen *b);

/* ---- browser_draw.c ---- */
void browser_head(void *self, const struct canvas *line);
void browser_draw_info(void *self, const struct canvas *c);
void browser_draw_empty(void *self, const struct canvas *c);
void browser_draw_trust(void *self, const struct canvas *c);
/* "perf.data › thread cc1", truncated to `width`, the path first. Returns buf. */
const char *browser_crumbs(const struct browser_screen *b, int width, char *buf, size_t size);
/* For struct rows_view_ops. */
void browser_print_head(void *self, FILE *out);

/* ---- browser_files.c ---- */
/* Menu of recordings to open, or (`compare`) to compare with this one. */
void browser_files_ask(struct browser_screen *b, enum browser_file_use use);
/* Returns wishes. */
unsigned browser_say_no_file(struct browser_screen *b);
/* Unsaved samples: whether there are any; w; and the question before closing. */
bool browser_is_unsaved(const struct browser_screen *b);
unsigned browser_ask_to_save(struct browser_screen *b);
unsigned browser_ask_to_leave(struct browser_screen *b);
void browser_saved(void *ctx, const char *path, const struct ptui_error *err);
/* Copies the `ptui report` line that shows this view. Returns wishes. */
unsigned browser_copy_command(struct browser_screen *b);

#endif
