/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the Compare screen.
 *
 *	compare.c	the screen: opening, closing, requests
 *	compare_work.c	loading, counting and looking up in threads
 *	compare_draw.c	head, summary, notes, empty states
 *	compare_table.c	the table's cells and columns
 *	compare_print.c	printing to a file
 */
#ifndef VIEW_COMPARE_COMPARE_PRIVATE_H
#define VIEW_COMPARE_COMPARE_PRIVATE_H

#include "model/browser/trust.h"
#include "model/compare/compare.h"
#include "view/compare/compare.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/table.h"

/* From the top. */
enum { BOX_INFO, BOX_BODY, BOX_RULE, BOX_NOTE, N_COMPARE_BOXES };

struct compare_screen {
	struct stack *stack;
	char *name[2];	       /* before, after, as given */
	struct compare *model; /* NULL: still loading */
	/* for comparison by address only; not a reference */
	const struct ptui_profile *loaded_after;
	struct worker *loading;	 /* NULL: loaded */
	struct worker *counting; /* a compare_job; NULL: none */
	struct worker *telling;	 /* details of a row; NULL: none */
	unsigned progress_timer; /* while any is running */

	struct table table;
	const struct compare_rows *rows;   /* rows of the table */
	const struct compare_views *views; /* of these rows */
	bool to_top;			   /* the new rows have another order: scroll to the top */
	struct trust_fact worst[2];	   /* notes: before, after */
	char lone[2][256];		   /* events that only this recording has */

	struct box boxes[N_COMPARE_BOXES];
	int tabs_x, tabs_w; /* in the first line, at the last draw */
	struct find find;
	struct history filtered;
};

/* ---- compare.c ---- */
/* Updates the screen for the current rows. */
void compare_recalc(void *self);

/* ---- compare_work.c ---- */
/* Loads both. Owner of the worker: `s`. */
int compare_load(struct compare_screen *s, const struct compare_view_opts *opts,
		 struct ptui_error *err);
/* Makes the rows again. Returns wishes. */
unsigned compare_changed(struct compare_screen *s);
/* Shows the details of row `i` in a popup when they are ready. */
void compare_show_details(struct compare_screen *s, size_t i);
/* Cancels running work and restores the visible view; WISH_PASS: none running. */
unsigned compare_stop(struct compare_screen *s);
/* On close; does not wait. */
void compare_leave(struct compare_screen *s);
/* False: nothing is running. */
bool compare_get_work(struct compare_screen *s, struct worker_state *ret);

/* ---- compare_table.c ---- */
extern const struct table_ops compare_table_ops; /* ctx: the screen */
void compare_set_columns(struct compare_screen *s);
/* The columns before the sort keys. */
enum { COMPARE_BEFORE, COMPARE_AFTER, COMPARE_DELTA, COMPARE_BAR, COMPARE_NAMES };

/* ---- compare_draw.c ---- */
void compare_head(void *self, const struct canvas *line);
void compare_draw(void *self, const struct canvas *c);
/* Name of the recording before (or after), as in the visible rows. */
const char *compare_name(const struct compare_screen *s, bool after);
/* "before  perf.data.old  1,204 samples in 3.90 s, …" without the name. Returns buf. */
const char *compare_counts(const struct compare_screen *s, bool after, char *buf, size_t size);

/* ---- compare_print.c ---- */
/* Prints to perf.hist.N, the first free name, and shows it. */
void compare_print(struct compare_screen *s);

#endif
