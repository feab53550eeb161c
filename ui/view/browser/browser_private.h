/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the Browser.
 *
 *	browser.c		the screen: opening, closing, requests
 *	browser_work.c		counting and making rows in threads
 *	browser_draw.c		head, summary, trust, empty states
 *	browser_tree.c		the tree's nodes and columns
 *	browser_ask.c		prompts, menus, messages
 *	browser_files.c		other recordings
 *	browser_print.c		printing to a file
 */
#ifndef VIEW_BROWSER_BROWSER_PRIVATE_H
#define VIEW_BROWSER_BROWSER_PRIVATE_H

#include "model/browser/browser.h"
#include "model/browser/trust.h"
#include "view/browser/browser.h"
#include "view/browser/sort_ask.h"
#include "view/sample_saver.h"
#include "view/symbols/symbols.h"
#include "view/trust_show.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/prompt.h"
#include "widget/tree.h"

#define BROWSER_MENU_MAX  32
#define BROWSER_FILES_MAX 100

/* From the top. */
enum { BOX_INFO, BOX_BODY, BOX_RULE, BOX_TRUST, N_BROWSER_BOXES };

struct browser_screen {
	struct stack *stack;
	struct browser *model;
	char *name;		 /* path of the recording */
	struct worker *counting; /* a browser_job; NULL: none */
	struct worker *opening;	 /* a browser_trees; NULL: none */
	enum request opens;	 /* request to repeat when they are made … */
	uint64_t opens_node;	 /* … on this node */
	unsigned look_timer;	 /* while either is running */
	unsigned expand_timer;	 /* while all rows are being opened, in slices */
	size_t expanded;	 /* rows so far */

	struct tree tree;
	const struct browser_rows *rows; /* rows that the columns were made for */
	int columns_w;	 /* width that the columns were made for; 0: make them again */
	bool paths;	 /* of DSOs instead of names */
	bool full_names; /* of functions, with their middle */
	int name_w;	 /* width of the column of functions, as laid out */
	bool modules;	 /* next to functions in callchains */

	struct box boxes[N_BROWSER_BOXES];
	int tabs_x, tabs_w;			  /* in the first line, at the last draw */
	struct trust_fact facts[TRUST_FACTS_MAX]; /* of the tab */
	size_t n_facts;
	struct trust_show trust_show;

	struct find find;
	struct history filtered, opened;
	struct sort_ask sort;
	enum request menu[BROWSER_MENU_MAX]; /* requests of its lines */
	char *files[BROWSER_FILES_MAX];	     /* paths of the menu's lines */
	size_t n_files;
	struct ptui_live *unsaved; /* owned; NULL: the samples are in a file */
	struct sample_saver saver;
	bool leaves;   /* when the samples are saved */
	bool compares; /* the chosen one is compared, not opened */
};

/* ---- browser.c ---- */
unsigned browser_request(void *self, enum request req);
bool browser_can(void *self, enum request req);
/* Leads to a Setup like this recording; with unwound stacks if that is the remedy for these. */
unsigned browser_record_again(struct browser_screen *b);

/* ---- browser_work.c ---- */
/* Counts again after a change of the view. Returns wishes. */
unsigned browser_changed(struct browser_screen *b);
/* True: opening waits for callchains being made; the request is repeated then. */
bool browser_opens_later(struct browser_screen *b, enum request req);
/* Cancels running work and restores the visible view; WISH_PASS: none running. */
unsigned browser_stop(struct browser_screen *b);
/* On close; does not wait. */
void browser_leave(struct browser_screen *b);
/* False: nothing is running. */
bool browser_get_work(struct browser_screen *b, struct worker_state *ret);

/* ---- browser_tree.c ---- */
extern const struct tree_ops browser_tree_ops;
/* Sets the columns for this width of the tree. */
void browser_set_columns(struct browser_screen *b, int width);

/* ---- browser_draw.c ---- */
void browser_head(void *self, const struct canvas *line);
void browser_draw(void *self, const struct canvas *c);
/* "perf.data › thread cc1", truncated to `width`, the path first. Returns buf. */
const char *browser_crumbs(const struct browser_screen *b, int width, char *buf, size_t size);
/* "Samples: 96,204 of event 'cycles', Event count (approx.): 38,910,000,000". Returns buf. */
const char *browser_summary(const struct browser_screen *b, bool with_period, char *buf,
			    size_t size);

/* ---- browser_ask.c ---- */
/* Handles a request of this file; else false. */
bool browser_ask(struct browser_screen *b, enum request req);
/* For the screen's struct sort_ask. */
const char *browser_sort_now(void *ctx);
unsigned browser_sort_set(void *ctx, const char *keys);
void browser_say_error(struct browser_screen *b, const struct ptui_error *err);

/* ---- browser_files.c ---- */
/* Menu of recordings to open, or (`compare`) to compare with this one. */
void browser_files_ask(struct browser_screen *b, bool compare);
/* Unsaved samples: whether there are any; w; and the question before closing. */
bool browser_is_unsaved(const struct browser_screen *b);
unsigned browser_ask_to_save(struct browser_screen *b);
unsigned browser_ask_to_leave(struct browser_screen *b);
void browser_saved(void *ctx, const char *path, const struct ptui_error *err);
void browser_files_forget(struct browser_screen *b);

/* ---- browser_print.c ---- */
/* Prints to perf.hist.N, the first free name, and shows it. */
void browser_print(struct browser_screen *b);

#endif
