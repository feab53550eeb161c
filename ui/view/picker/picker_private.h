/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events picker's own: its state, between the files that draw it, tell of an event and act. */
#ifndef VIEW_PICKER_PICKER_PRIVATE_H
#define VIEW_PICKER_PICKER_PRIVATE_H

#include <stdio.h>

#include "model/picker/picker.h"
#include "model/picker/picker_preview.h"
#include "ptui/catalog.h"
#include "ptui/count.h"
#include "view/worker.h"
#include "widget/stack.h"
#include "widget/table.h"

/* What is told of the event under the cursor. */
struct picker_told {
	char *text; /* the event, as -e takes it; NULL: nothing is told */
	char *what; /* it without modifiers and rate */
	bool ready; /* else what follows comes yet */
	struct ptui_event_details details;
	struct ptui_error error; /* it cannot be told, or not all of it */
	char modifiers[64];	 /* those that it takes: "u k h" */
};

struct picker_screen {
	struct stack *stack;
	const char *where;
	struct ptui_catalog *catalog;
	struct picker picker;
	struct table table;
	struct picker_told told;
	struct worker *teller; /* reads of a tracepoint what told has not; NULL: nobody does */
	struct ptui_catalog *teller_catalog; /* of its own; NULL: not made yet, or at work */
	uint64_t looked_at;		     /* the row, by its identity … */
	unsigned settle;      /* … and the timer until it is one that a person looks at; 0 */
	bool wide;	      /* the event is told of at the right */
	struct worker *trier; /* NULL: nothing is being tried */
	size_t try_from;      /* all before it were tried, or are not tried unless looked at */
	int (*try)(const char *event, struct ptui_error *why);

	pid_t pid; /* that the preview counts; 0: the whole system */
	struct ptui_count *(*count_new)(const struct ptui_count_opts *opts, struct ptui_error *err);
	struct ptui_count *count; /* NULL: there is no preview */
	unsigned count_watch;
	struct preview preview;
	bool previewed; /* the columns are those of a preview */

	/* while a search is typed: what there was before */
	char search_before[128];
	uint64_t cursor_before;
	size_t top_before;

	size_t edited;	       /* the entry whose modifiers, rate or filter are typed */
	unsigned edited_group; /* or the group; 0 */

	struct words events, filters; /* what was marked when it was opened */
	unsigned (*done)(void *ctx, const struct words *events, const struct words *filters);
	void *ctx;
};

/* After anything that may have changed where the cursor is, or what is marked. */
void picker_look(struct picker_screen *v);

/* ---- picker_draw.c: the list, and where things stand ---- */

void picker_draw_init(struct picker_screen *v);
void picker_head(void *self, const struct canvas *line);
void picker_draw(void *self, const struct canvas *c);

/* ---- picker_told.c: what can be said of an event ---- */

/*
 * Of the entry under the cursor, when it is another one than before. Files of tracepoints are read
 * in a thread: while one is closed the kernel lets nobody read them.
 */
void picker_told_update(struct picker_screen *v);
/* Reads what is not there yet, for who cannot do without it. */
void picker_told_now(struct picker_screen *v);
void picker_told_release(struct picker_told *t);
/* Calls `fn` with each paragraph. `all`: also what is long. */
typedef void (*picker_paragraph_fn)(void *ctx, style_t style, const char *text);
void picker_told_each(const struct picker_screen *v, bool all, picker_paragraph_fn fn, void *ctx);

/* ---- picker_details.c: that, on the screen ---- */

/* Into all of the canvas; what has no room is left out from the end. */
void picker_details_draw(const struct picker_screen *v, const struct canvas *c);
/* All of it in a window. Returns wishes. */
unsigned picker_details_open(struct picker_screen *v);

/* ---- picker_try.c: what this machine says ---- */

/*
 * Tries in a thread, if none is at work: first the event under the cursor, then those that are
 * marked, then the catalog, but nothing whose closing takes the kernel long.
 */
void picker_try_next(struct picker_screen *v);

/* ---- picker_preview.c: counted while one looks ---- */

#define PICKER_PREVIEW_COLUMNS 23 /* the last one is blank */

/* 0 or negative, told. */
int picker_preview_start(struct picker_screen *v, struct ptui_error *err);
void picker_preview_stop(struct picker_screen *v);
/* After anything that may have changed where the cursor is, or what is marked. */
void picker_preview_look(struct picker_screen *v);
/* Each returns wishes. */
unsigned picker_preview_toggle(struct picker_screen *v);
unsigned picker_preview_take_groups(struct picker_screen *v);

/* "1.24 M/s ▁▂▁▇▂▁ 100 %" of a row; NULL: it is not counted. */
const char *picker_preview_cell(const struct picker_screen *v, size_t row, char *buf, size_t size,
				style_t *style);
/* Of the event under the cursor; returns the rows that it took. */
int picker_preview_draw_event(const struct picker_screen *v, const struct canvas *c, int y);
/*
 * What is to be said of the marked together, or why there is no preview. Returns the rows that it
 * takes; `c` NULL: draws nothing.
 */
int picker_preview_draw_fit(const struct picker_screen *v, const struct canvas *c, int width);
/* Whom it counts, for the first line; "": nobody. */
void picker_preview_head(const struct picker_screen *v, char *buf, size_t size);

/* ---- picker_edit.c: how a marked event is asked for; each returns wishes ---- */

unsigned picker_ask_type(struct picker_screen *v);
unsigned picker_ask_modifiers(struct picker_screen *v);
unsigned picker_ask_rate(struct picker_screen *v);
unsigned picker_ask_filter(struct picker_screen *v);
unsigned picker_group_events(struct picker_screen *v);

#endif
