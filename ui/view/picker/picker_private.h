/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the event picker. */
#ifndef VIEW_PICKER_PICKER_PRIVATE_H
#define VIEW_PICKER_PICKER_PRIVATE_H

#include "model/picker/picker.h"
#include "ptui/catalog.h"
#include "ptui/count.h"
#include "view/picker/picker.h"
#include "view/worker.h"
#include "widget/find.h"

/* Details of the event under the cursor. */
struct picker_description {
	struct ptui_event_details details;
	struct ptui_error error;    /* details are missing, or incomplete */
	char modifiers[64];	    /* supported ones: "u k h" */
	struct words fields, names; /* of a tracepoint: "int prev_pid", "prev_pid" */
};

#define EARLY_MAX 64

struct picker_screen {
	struct stack *stack;
	struct picker_opts opts;
	struct picker picker;
	struct table table;
	struct worker *loader;	   /* of the catalog; NULL: it is loaded */
	key_code early[EARLY_MAX]; /* keys pressed before */
	size_t n_early;
	char *described; /* the event under the cursor, as for -e; NULL: none */
	struct picker_description *description; /* NULL: none, or still being read */
	struct latest_worker *reader;		/* of details that are slow to read */
	unsigned settle;			/* the timer until the cursor has rested on it; 0 */
	bool wide;				/* details are on the right */
	struct worker *trier;			/* NULL: none running */
	bool checking;				/* not all of the catalog were tried yet */
	size_t try_from; /* all before it were tried, or are tried only under the cursor */

	struct ptui_count *count; /* NULL: no preview */
	unsigned count_watch;
	struct ptui_error count_refused; /* why there is no preview; unset: none was refused */

	struct filter filter;

	enum picker_edit edit;
	struct picker_entry *edited; /* whose modifiers, rate or filter are edited; the typed one */

	struct words before; /* the marks when it was opened, each text of -e with its filter */
};

/* The row under the cursor. */
const struct picker_row *picker_current(const struct picker_screen *v);
/* The rows were changed by a function that returned `failed`. Returns wishes. */
unsigned picker_changed(struct picker_screen *v, int failed);

/* ---- picker_draw.c: list and layout ---- */

extern const struct table_ops picker_row_ops;
void picker_head(void *self, const struct canvas *line);
void picker_draw(void *self, const struct canvas *c);

/* ---- picker_details.c: details of an event ---- */

/* False: out of memory. */
bool picker_details_init(struct picker_screen *v);
/*
 * Of the entry under the cursor, if it changed. Tracepoint formats are read in a thread, unless
 * `now`: the kernel blocks them while a tracepoint is closed.
 */
void picker_describe(struct picker_screen *v, bool now);
void picker_details_release(struct picker_screen *v);
/* Names of the fields of a tracepoint under the cursor; NULL: it is none. */
const struct words *picker_field_names(const struct picker_screen *v);
/* "fields: prev_comm prev_pid …" Returns buf. */
char *picker_fields_text(const struct picker_screen *v, char *buf, size_t size);

/* Adds paragraphs to a text, or draws them from row `y` on; "" is none. */
struct picker_writer {
	struct buf *text;
	const struct canvas *c; /* NULL: only counts the rows */
	int width, y;
};
void picker_write(struct picker_writer *w, style_t style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Fills the canvas; what does not fit is cut at the end. */
void picker_details_draw(struct picker_screen *v, const struct canvas *c);
/* Opens them in a window. Returns wishes. */
unsigned picker_details_open(struct picker_screen *v);

/* ---- picker_preview.c: counting while the picker is open ---- */

#define PICKER_PREVIEW_COLUMNS 23 /* the last one is blank */

/* Starts or stops it. If it fails, `count_refused` has the reason. Returns wishes. */
unsigned picker_preview_toggle(struct picker_screen *v);
void picker_preview_stop(struct picker_screen *v);
/* Counts the marks, and the event under the cursor. */
void picker_preview_update(struct picker_screen *v);
/* Returns wishes. */
unsigned picker_preview_take_groups(struct picker_screen *v);

/* "1.24 M/s ▁▂▁▇▂▁ 100 %" for a row; NULL: not counted. */
const char *picker_preview_cell(const struct picker_screen *v, const struct picker_entry *e,
				char *buf, size_t size, style_t *style);
/* The event under the cursor. */
void picker_preview_write_event(const struct picker_screen *v, struct picker_writer *w);
/* Notes on the marked events together, or why there is no preview. */
void picker_preview_write(const struct picker_screen *v, struct picker_writer *w);

/* Not yet counted; with one more of several events: the sum, lowest share and worst state. */
#define PREVIEW_NOTHING                         \
	(struct ptui_count_event)               \
	{                                       \
		.rate = NAN, .running_share = 1 \
	}
void preview_add(struct ptui_count_event *sum, const struct ptui_count_event *e);
/* "Marked together: 5 events, 1 counter too few: expect 80 % running" */
void preview_write_fit(const struct ptui_count_fit *f, struct picker_writer *w);
/*
 * Adds the lines of a proposal, each with its filter ("": none): that of the mark with this text. They are
 * in the same order, so that duplicates keep their own. 0 or -ENOMEM.
 */
int preview_proposal(char *lines, const struct words *marks, struct words *ret);

/* ---- picker_edit.c: editing marked events; each returns wishes ---- */

unsigned picker_ask_type(struct picker_screen *v);
unsigned picker_ask(struct picker_screen *v, enum picker_edit edit);
unsigned picker_group_events(struct picker_screen *v);

#endif
