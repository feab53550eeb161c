/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the Snapshots screen.
 *
 *	snapshots.c		the screen: opening, closing, rows, requests
 *	snapshots_draw.c	head, rows, details, empty states
 *	snapshots_files.c	saving and deleting
 */
#ifndef VIEW_SNAPSHOTS_SNAPSHOTS_PRIVATE_H
#define VIEW_SNAPSHOTS_SNAPSHOTS_PRIVATE_H

#include "view/snapshots/snapshots.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/prompt.h"
#include "widget/table.h"

/* From the top. */
enum { BOX_ROWS, BOX_RULE, BOX_DETAILS, N_SNAPSHOTS_BOXES };

struct snapshots_view {
	struct stack *stack;
	struct snapshot_list *list;
	struct snapshots_recorder recorder; /* all NULL: closed */
	struct table table;
	bool has_aux; /* the table has their column */
	struct find find;
	struct box boxes[N_SNAPSHOTS_BOXES];
	struct words names, paths;
	size_t follow_from; /* go to the snapshot that was asked for: how many were there; 0: no */
	size_t asked;	    /* number of the snapshot that a question is about */
	char *save_to;	    /* path that a question is about */
	struct worker *saving; /* a copy to another file system; NULL: none */
};

/* The row of the cursor. NULL: there is none. */
struct snapshot_row *snapshots_here(const struct snapshots_view *v);

/* ---- snapshots_draw.c ---- */
extern const struct table_ops snapshots_table_ops; /* ctx: the view */
void snapshots_set_columns(struct snapshots_view *v);
void snapshots_draw_head(void *self, const struct canvas *line);
void snapshots_draw(void *self, const struct canvas *c);

/* ---- snapshots_files.c ---- */
unsigned snapshots_ask_path(struct snapshots_view *v, const struct snapshot_row *r);
unsigned snapshots_ask_delete(struct snapshots_view *v, const struct snapshot_row *r);

#endif
