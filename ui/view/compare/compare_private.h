/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the Compare screen.
 *
 *	compare.c	the screen: opening, closing, requests; loading, counting and looking up in threads
 *	compare_draw.c	head, summary, notes, empty states; the columns that are not the rows'
 *
 * What it shares with the Browser and Live is in view/rows.
 */
#ifndef VIEW_COMPARE_COMPARE_PRIVATE_H
#define VIEW_COMPARE_COMPARE_PRIVATE_H

#include "model/browser/trust.h"
#include "model/compare/compare.h"
#include "view/compare/compare.h"
#include "view/rows/rows_view.h"
#include "view/worker.h"

struct compare_screen {
	struct rows_view view; /* first */
	struct stack *stack;
	struct probe_then probe_then;
	struct words texts;	/* of the next three */
	const char *name[2];	/* before, after, as given */
	const char *path[2];	/* NULL: in no file */
	const char *times[2];	/* only samples of these; NULL: all */
	struct compare *model;	/* NULL: still loading */
	struct worker *loading; /* NULL: loaded */
	struct worker *telling; /* details of a row; NULL: none */

	const struct compare_rows *rows; /* of the view */

	struct trust_fact worst[2]; /* notes: before, after */
	char lone[2][256];	    /* events that only this recording has */
};

/* ---- compare.c ---- */

/* For struct rows_view_ops. */
void *compare_job(void *self);

/* ---- compare_draw.c ---- */
/* For struct rows_view_ops. */
enum { COMPARE_BEFORE, COMPARE_AFTER, COMPARE_DELTA, COMPARE_BAR, COMPARE_OWN };
size_t compare_own(void *self, struct table_column ret[ROWS_OWN_MAX]);
const char *compare_own_cell(void *self, uint64_t node, size_t own, char *buf, size_t size,
			     style_t *style);
unsigned compare_own_order(void *self, size_t own);
/* Sorts the rows. Returns wishes. */
unsigned compare_order_by(struct compare_screen *s, enum compare_order order);

void compare_head(void *self, const struct canvas *line);
void compare_draw_info(void *self, const struct canvas *c);
void compare_draw_empty(void *self, const struct canvas *c);
void compare_draw_note(void *self, const struct canvas *c);
/* Name of the recording before (or after), as in the visible rows. */
const char *compare_name(const struct compare_screen *s, bool after);
/* x: the recordings are shown in reverse roles. */
bool compare_is_swapped(const struct compare_screen *s);
/* "before  perf.data.old  1,204 samples in 3.90 s, …" without the name. Returns buf. */
const char *compare_counts(const struct compare_screen *s, bool after, char *buf, size_t size);
/* For struct rows_view_ops. */
void compare_print_head(void *self, FILE *out);

#endif
