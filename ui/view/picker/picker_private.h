/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the event picker. */
#ifndef VIEW_PICKER_PICKER_PRIVATE_H
#define VIEW_PICKER_PICKER_PRIVATE_H

#include "model/picker/picker.h"
#include "ptui/catalog.h"
#include "view/latest_worker.h"
#include "view/picker/picker.h"
#include "view/worker.h"
#include "widget/filter.h"

/* Details of the event under the cursor. */
struct picker_description {
	struct ptui_event_details details;
	struct ptui_error error; /* details are missing, or incomplete */
	char modifiers[64];	 /* supported ones: "u k h" */
};

enum picker_edit { PICKER_MODIFIERS, PICKER_RATE, PICKER_FILTER };

struct picker_screen {
	struct stack *stack;
	struct picker_opts opts;
	struct ptui_catalog *catalog;
	struct picker picker;
	struct table table;
	char *described; /* the event under the cursor, as for -e; NULL: none */
	struct picker_description *description; /* NULL: none, or still being read */
	struct latest_worker *reader; /* of details that are slow to read; NULL: not needed yet */
	uint64_t looked_at;	      /* identity of the row … */
	unsigned settle;	      /* … and the timer until the cursor has rested on it; 0 */
	bool wide;		      /* details are on the right */
	struct worker *trier;	      /* NULL: none running */
	bool checking;		      /* not all of the catalog were tried yet */
	size_t try_from; /* all before it were tried, or are tried only under the cursor */

	struct ptui_count *count; /* NULL: no preview */
	unsigned count_watch;
	struct ptui_error count_refused; /* why there is no preview; unset: none was refused */
	bool previewed;			 /* columns are for the preview */

	struct filter filter;

	enum picker_edit edit;
	size_t edited;	       /* the entry being edited: modifiers, rate or filter */
	unsigned edited_group; /* or the group; 0 */

	struct words before; /* the marks when it was opened, each text of -e with its filter */
};

/* The wishes after a change of the model that returned this. */
static inline unsigned picker_result(int failed)
{
	return failed ? WISH_RECALC | WISH_NO_MEM : WISH_RECALC;
}

/* Call after changes of the cursor or the marks. */
void picker_update(struct picker_screen *v);
/* The first event, below its heading, until a key or a click. */
void picker_go_to_start(struct picker_screen *v);

/* ---- picker_draw.c: list and layout ---- */

void picker_draw_init(struct picker_screen *v);
void picker_head(void *self, const struct canvas *line);
void picker_draw(void *self, const struct canvas *c);

/* ---- picker_details.c: details of an event ---- */

/*
 * Of the entry under the cursor, if it changed. Tracepoint formats are read in a thread: the kernel
 * blocks them while a tracepoint is closed.
 */
void picker_description_update(struct picker_screen *v);
/* Reads missing details at once, for callers that need them. */
void picker_description_now(struct picker_screen *v);
void picker_description_release(struct picker_screen *v);
/* The fields of a tracepoint, one per line; NULL: none. */
const char *picker_fields(const struct picker_screen *v);
/* The next field in a list, one per line; false: no more. */
struct picker_field {
	char text[256]; /* "char prev_comm[16]" */
	char name[128]; /* "prev_comm" */
};
bool picker_next_field(const char **at, struct picker_field *ret);
/* "fields: prev_comm prev_pid …" of the event under the cursor. Returns buf. */
char *picker_field_names(const struct picker_screen *v, char *buf, size_t size);

/* Adds paragraphs to a text, or draws them from row `y` on; "" is none. */
struct picker_writer {
	struct buf *text;
	const struct canvas *c; /* NULL: only counts the rows */
	int width, y;
};
void picker_write(struct picker_writer *w, style_t style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Fills the canvas; what does not fit is cut at the end. */
void picker_details_draw(const struct picker_screen *v, const struct canvas *c);
/* Opens them in a window. Returns wishes. */
unsigned picker_details_open(struct picker_screen *v);

/* ---- picker_try.c: which events this machine supports ---- */

/*
 * Tries events in a thread, if none is running: first the one under the cursor, then the marked
 * ones, then the catalog, except for those that are slow to close.
 */
void picker_try_next(struct picker_screen *v);

/* ---- picker_preview.c: counting while the picker is open ---- */

#define PICKER_PREVIEW_COLUMNS 23 /* the last one is blank */

/* 0, or negative with err set. */
int picker_preview_start(struct picker_screen *v, struct ptui_error *err);
void picker_preview_stop(struct picker_screen *v);
/* Call after changes of the cursor or the marks. */
void picker_preview_update(struct picker_screen *v);
/* Both return wishes. */
unsigned picker_preview_toggle(struct picker_screen *v);
unsigned picker_preview_take_groups(struct picker_screen *v);

/* "1.24 M/s ▁▂▁▇▂▁ 100 %" for a row; NULL: not counted. */
const char *picker_preview_cell(const struct picker_screen *v, size_t row, char *buf, size_t size,
				style_t *style);
/* The event under the cursor; returns the rows used. */
int picker_preview_draw_event(const struct picker_screen *v, const struct canvas *c, int y);
/* Notes on the marked events together, or why there is no preview. */
void picker_preview_write(const struct picker_screen *v, struct picker_writer *w);

/* ---- picker_edit.c: editing marked events; each returns wishes ---- */

unsigned picker_ask_type(struct picker_screen *v);
unsigned picker_ask(struct picker_screen *v, enum picker_edit edit);
unsigned picker_group_events(struct picker_screen *v);

#endif
