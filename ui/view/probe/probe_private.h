/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the Probe screen.
 *
 *	probe.c		the screen: opening, closing, requests
 *	probe_work.c	reading debug information, making and adding probes in a thread
 *	probe_draw.c	rows, and what the choice becomes
 */
#ifndef VIEW_PROBE_PROBE_PRIVATE_H
#define VIEW_PROBE_PROBE_PRIVATE_H

#include "model/probe/probe_choice.h"
#include "view/probe/probe.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/table.h"

/* Lines of the screen, from the top. */
enum { PROBE_BODY, PROBE_RULE, PROBE_PLAN, PROBE_BOXES };

struct probe_screen {
	struct stack *stack;
	char *where;
	char *title; /* "work", "work.c:9", "work+12" */
	struct ptui_probe_place place;
	char *path, *function, *source; /* of the place */
	struct probe_then then;

	struct ptui_probe *probe; /* NULL: being read, in the thread, or failed */
	struct worker *worker;	  /* NULL: idle */
	bool outdated;		  /* the choice has changed since it started */
	bool adds;		  /* the user wants it to be added */
	struct ptui_error err;	  /* why there is nothing to choose */
	struct probe_choice choice;
	struct ptui_probe_plan plan;
	struct ptui_error refused; /* why the choice is no probe */

	struct table table;
	struct find find;
	struct box boxes[PROBE_BOXES];
};

/* ---- probe_work.c ---- */
/* Starts what is to do next: reading, or a plan of the choice. */
void probe_work(struct probe_screen *s);
void probe_add(struct probe_screen *s);

/* ---- probe_draw.c ---- */
extern const struct table_ops probe_rows;
void probe_set_columns(struct probe_screen *s);
void probe_head(void *self, const struct canvas *line);
void probe_draw(void *self, const struct canvas *c);

#endif
