/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the Compare screen share.
 *
 *	compare.c	the screen: its life, and what its keys ask for
 *	compare_work.c	what is loaded, counted and looked up beside the loop
 *	compare_draw.c	head, info, notes, what is said where there are no rows
 *	compare_table.c	the table's cells and columns
 *	compare_print.c	what is shown, into a file
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

struct compare_screen {
	struct stack *stack;
	char *name[2];	       /* before, after, as they were given */
	struct compare *model; /* NULL: they are being loaded */
	const struct ptui_profile
		*loaded_after;	 /* the model's, to know its name by; not a reference */
	struct worker *loading;	 /* NULL: they are loaded */
	struct worker *counting; /* a compare_job; NULL: none */
	struct worker *telling;	 /* the details of a row; NULL: none */
	unsigned look_timer;	 /* while any goes on */

	struct table table;
	const struct compare_rows *rows;   /* those that the table is of */
	const struct compare_views *views; /* theirs: other ones have other rows */
	bool to_top; /* the rows that come stand in another order: the first is looked at */
	struct trust_fact worst[2]; /* what is to be told of either: before, after */
	char lone[2][256];	    /* events that only this one has */

	struct box *root, *info, *body, *rule, *note; /* root owns the others */
	int tabs_x, tabs_w;			      /* in the first line, as it was drawn */
	struct find find;
	struct history filtered;
};

/* ---- compare.c ---- */
/* What is shown follows the rows that there are now. */
void compare_recalc(void *self);

/* ---- compare_work.c ---- */
/* Loads both. Owner of the worker: `s`. */
int compare_load(struct compare_screen *s, const struct compare_view_opts *opts,
		 struct ptui_error *err);
/* What is shown has to be made again. Returns wishes. */
unsigned compare_changed(struct compare_screen *s);
/* The details of row `i`, in a popup, when they are found. */
void compare_tell(struct compare_screen *s, size_t i);
/* Stops what goes on and goes back to what is shown; WISH_PASS: nothing goes on. */
unsigned compare_stop(struct compare_screen *s);
/* The screen goes; nothing is waited for. */
void compare_leave(struct compare_screen *s);
/* False: nothing goes on. */
bool compare_get_work(struct compare_screen *s, struct worker_state *ret);

/* ---- compare_table.c ---- */
extern const struct table_ops compare_table_ops; /* ctx: the screen */
extern const struct find_ops compare_find_ops;
void compare_set_columns(struct compare_screen *s);
/* The columns in front of the names. */
enum { COMPARE_BEFORE, COMPARE_AFTER, COMPARE_DELTA, COMPARE_BAR, COMPARE_NAMES };

/* ---- compare_draw.c ---- */
void compare_head(void *self, const struct canvas *line);
void compare_draw(void *self, const struct canvas *c);
/* How before (or after) is called, as the rows that are shown have it. */
const char *compare_name(const struct compare_screen *s, bool after);
/* "before  perf.data.old  1,204 samples in 3.90 s, …" without the name. Returns buf. */
const char *compare_counts(const struct compare_screen *s, bool after, char *buf, size_t size);

/* ---- compare_print.c ---- */
/* Into perf.hist.N, the first that is free; says which. */
void compare_print(struct compare_screen *s);

#endif
