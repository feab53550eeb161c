/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the annotate screen.
 *
 *	annotate.c	the screen: opening, closing, requests
 *	annotate_work.c	reading code and counting in threads
 *	annotate_draw.c	head, summary, columns, empty states, printing
 */
#ifndef VIEW_ANNOTATE_ANNOTATE_PRIVATE_H
#define VIEW_ANNOTATE_ANNOTATE_PRIVATE_H

#include <stdio.h>

#include "model/annotate/annotate.h"
#include "view/annotate/annotate.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/table.h"

/* Lines of the screen, from the top. */
enum { ANNOTATE_INFO, ANNOTATE_BODY, ANNOTATE_RULE, ANNOTATE_NOTE, ANNOTATE_BOXES };

struct annotate_screen {
	struct stack *stack;
	struct words texts;	       /* of the options and the function */
	struct annotate_opts opts;     /* but for its function; the profile is that of the counts */
	uint64_t generation;	       /* of these; 0: unknown */
	struct ptui_function function; /* symbol NULL: the thread finds it by its name */

	struct worker *reading;	 /* NULL: read, or failed */
	struct worker *counting; /* newer counts; NULL: none */
	unsigned timer;		 /* for newer profiles; 0: they do not change */
	struct ptui_error err;	 /* why there is nothing to show */
	struct annotate *model;	 /* NULL: nothing to show yet */

	struct table table;
	struct find find;
	struct box boxes[ANNOTATE_BOXES];
	bool to_middle; /* scroll the cursor into the middle at the next draw, if it is not visible */
	int from[ANNOTATE_EVENTS_MAX +
		 N_PLACES]; /* by column of the table: a place, or N_PLACES + event */
	int columns_w;	    /* width that the columns were made for; 0: make them again */
};

/* ---- annotate.c ---- */
/* Opens a function above this one. Returns wishes. */
unsigned annotate_open_callee(struct annotate_screen *s, const struct ptui_function *f);

/* ---- annotate_work.c ---- */
/* With texts of its own. */
struct ptui_function annotate_function_copy(const struct ptui_function *of, struct words *texts);
/* Reads the function in a thread. 0, or a negative errno with err set. */
int annotate_read(struct annotate_screen *s, struct ptui_error *err);
/* Counts again if there is a newer profile; ctx: the screen. */
void annotate_refresh(void *ctx);

/* ---- annotate_draw.c ---- */
void annotate_head(void *self, const struct canvas *line);
void annotate_draw(void *self, const struct canvas *c);
extern const struct table_ops annotate_rows;
/* The line under the cursor; PTUI_NONE: none. */
uint32_t annotate_cursor(const struct annotate_screen *s);
/* A row as text, for the clipboard. Returns buf. */
const char *annotate_row_text(struct annotate_screen *s, char *buf, size_t size);
/* All rows as text; ctx: the screen. */
void annotate_put(void *ctx, FILE *out);

#endif
