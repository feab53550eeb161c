/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the browser's screen share.
 *
 *	browser.c		the screen: its life, and what its keys ask for
 *	browser_work.c		what is counted and made beside the loop
 *	browser_draw.c		head, info, trust, what is said where there are no rows
 *	browser_tree.c		the tree's facts and columns
 *	browser_ask.c		prompts, menus, messages
 *	browser_files.c		other recordings
 *	browser_print.c		what is shown, into a file
 */
#ifndef VIEW_BROWSER_BROWSER_PRIVATE_H
#define VIEW_BROWSER_BROWSER_PRIVATE_H

#include "model/browser/browser.h"
#include "model/browser/trust.h"
#include "view/browser/browser.h"
#include "view/browser/sort_ask.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/prompt.h"
#include "widget/tree.h"

#define BROWSER_MENU_MAX  32
#define BROWSER_FILES_MAX 100

struct browser_screen {
	struct stack *stack;
	struct browser *model;
	char *name;		 /* where the profile is from: a path */
	struct worker *counting; /* a browser_job; NULL: none */
	struct worker *opening;	 /* a browser_trees; NULL: none */
	enum request opens;	 /* what is asked again when they are made … */
	uint64_t opens_node;	 /* … of this node */
	unsigned look_timer;	 /* while either goes on */
	unsigned expand_timer;	 /* while all rows are opened, in slices */
	size_t expanded;	 /* so many so far */

	struct tree tree;
	const struct browser_rows *rows; /* those that the tree's columns are of */
	int columns_w;	 /* the width that the columns are for; 0: to be made anew */
	bool full_paths; /* of modules: there is room */
	bool modules;	 /* beside the functions of callchains */

	struct box *root, *info, *body, *rule, *trust; /* root owns the others */
	int tabs_x, tabs_w;			       /* in the first line, as it was drawn */
	struct trust_fact facts[TRUST_FACTS_MAX];      /* of the tab */
	size_t n_facts;

	struct find find;
	struct history filtered, opened;
	struct sort_ask sort;
	enum request menu[BROWSER_MENU_MAX]; /* what its lines ask for */
	char *files[BROWSER_FILES_MAX];	     /* the lines of the menu */
	size_t n_files;
	struct ptui_live *unsaved; /* owned; NULL: its samples are in a file */
	bool compares;		   /* what is chosen of them is compared */
};

/* ---- browser.c ---- */
unsigned browser_request(void *self, enum request req);
bool browser_can(void *self, enum request req);

/* ---- browser_work.c ---- */
/* What is shown has to be counted again. Returns wishes. */
unsigned browser_changed(struct browser_screen *b);
/* True: what opens rows waits for their callchains, and is asked again when they are there. */
bool browser_opens_later(struct browser_screen *b, enum request req);
/* Stops what goes on and goes back to what is shown; WISH_PASS: nothing goes on. */
unsigned browser_stop(struct browser_screen *b);
/* The screen goes; nothing is waited for. */
void browser_leave(struct browser_screen *b);
/* False: nothing goes on. */
bool browser_get_work(struct browser_screen *b, struct worker_state *ret);

/* ---- browser_tree.c ---- */
extern const struct tree_ops browser_tree_ops;
extern const struct find_ops browser_find_ops; /* ctx: the screen */
/* For so many columns of the tree. */
void browser_set_columns(struct browser_screen *b, int width);

/* ---- browser_draw.c ---- */
void browser_head(void *self, const struct canvas *line);
void browser_draw(void *self, const struct canvas *c);
/* "perf.data › thread cc1", at most so wide; the path gives way first. Returns buf. */
const char *browser_crumbs(const struct browser_screen *b, int width, char *buf, size_t size);
/* "Samples: 96,204 of event 'cycles', Event count (approx.): 38,910,000,000". Returns buf. */
const char *browser_summary(const struct browser_screen *b, bool with_period, char *buf,
			    size_t size);

/* ---- browser_ask.c ---- */
/* Does what the request asks for, if it is one that is done here, else false. */
bool browser_ask(struct browser_screen *b, enum request req);
/* For the screen's struct sort_ask. */
const char *browser_sort_now(void *ctx);
unsigned browser_sort_set(void *ctx, const char *keys);
void browser_say_error(struct browser_screen *b, const struct ptui_error *err);

/* ---- browser_files.c ---- */
/* Which one is browsed, or (`compare`) compared with this one. */
void browser_files_ask(struct browser_screen *b, bool compare);
/* Samples that are in no file: whether there are any; w; and before they are lost. */
bool browser_is_unsaved(const struct browser_screen *b);
unsigned browser_ask_to_save(struct browser_screen *b);
unsigned browser_ask_to_leave(struct browser_screen *b);
void browser_files_forget(struct browser_screen *b);

/* ---- browser_print.c ---- */
/* Into perf.hist.N, the first that is free; says which. */
void browser_print(struct browser_screen *b);

#endif
