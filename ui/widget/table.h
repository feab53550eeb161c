/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of any length: only the rows that are seen are asked for, so that 100,000 rows cost what
 * 20 do.
 *
 *	   Overhead  Command  Shared object  Symbol		header (can be off)
 *	+   11.82 %  cc1      cc1            ggc_internal_alloc	rows; the cursor row is reversed
 *
 * It has the cursor, the scrolling, the layout of columns and the highlight of what was searched;
 * the rows are the caller's, behind a table of functions.
 */
#ifndef WIDGET_TABLE_H
#define WIDGET_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/request.h"
#include "term/canvas.h"
#include "term/term.h"
#include "widget/wish.h"

struct table_column {
	const char *title; /* translated */
	int width;	   /* wanted */
	int min;	   /* may be cut to that much; 0: not at all. Left-aligned columns only */
	enum align align;
	bool fill; /* takes what is left: one column, as a rule the last. Scrolls sideways */
	int hide;  /* who leaves first when it does not fit: the highest; 0: never */
};

struct table_ops {
	size_t (*count)(void *ctx);
	/*
	 * The text of a cell: buf, or a text of the caller's own that lives until the next call.
	 * *style is ROLE_TEXT unless it is set.
	 */
	const char *(*cell)(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style);
	/*
	 * May be NULL. Draws a row that has no columns (a callchain, a heading) into `line`, which
	 * is blank; `flags` is STYLE_CURSOR or 0 and goes into every style. `skip`: columns
	 * scrolled away. False: the row has columns.
	 */
	bool (*draw)(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip);
	/*
	 * May be NULL. A row's identity, not 0, and where it is now (SIZE_MAX: gone): with these
	 * the cursor stays with its row when the rows change.
	 */
	uint64_t (*id)(void *ctx, size_t row);
	size_t (*find)(void *ctx, uint64_t id);
	/* May be NULL: then search looks into the cells. Does the row contain the text? */
	bool (*matches)(void *ctx, size_t row, const char *text);
};

#define TABLE_COLUMNS_MAX 32

struct table {
	const struct table_ops *ops;
	void *ctx;
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t n_columns;
	bool header; /* show the titles */
	bool focus;  /* the cursor is seen; on from the start */

	size_t cursor;	   /* row */
	bool follow_first; /* until it is moved, the cursor stays on the first row, whichever that is */
	bool moved;	   /* it was; FIRST takes that back */
	size_t top;	   /* first row seen */
	int skip;	   /* columns scrolled to the right */

	char search[128]; /* highlighted; "": nothing */
	/*
	 * A search through very many rows takes its time in slices, so that keys are answered in
	 * between: set by who calls table_search_more() while look_left is not 0.
	 */
	bool in_slices;
	size_t look_at, look_left; /* the next row, and how many are to be looked at */
	int look_direction;
	bool look_ended; /* all were looked at, none had it */

	/* What is remembered between recalc and draw. */
	size_t n_rows;
	uint64_t cursor_id;
	int page;	    /* rows seen by the last draw */
	int header_h;	    /* and lines of its header */
	size_t sort;	    /* the column whose title is marked; SIZE_MAX: none */
	uint64_t opened_ns; /* the click that opened the cursor's row; 0: none did */
};

void table_init(struct table *t, const struct table_ops *ops, void *ctx);
/* Copies up to TABLE_COLUMNS_MAX columns; the titles stay the caller's. */
void table_set_columns(struct table *t, const struct table_column *columns, size_t n);

/* The rows changed: counts them, and puts the cursor back on its row. */
void table_recalc(struct table *t);
void table_draw(struct table *t, const struct canvas *c);

/* Moves the cursor or scrolls; WISH_PASS for requests that a table does not know. */
unsigned table_request(struct table *t, enum request req);
/*
 * Clicks and the wheel, in the canvas of the last draw; WISH_PASS: nothing was hit. A click on a row
 * goes there, one on the cursor's row opens it (WISH_OPEN): so a double click opens any.
 */
unsigned table_mouse(struct table *t, const struct term_event *e);
void table_move_to(struct table *t, size_t row);

/*
 * Sets what is searched, and goes to the first match at or behind the cursor (from the start
 * again at the end). False: there is none, nothing moved. "" ends the highlight.
 */
bool table_search(struct table *t, const char *text);
/* The next (+1) or previous (-1) match from the cursor on. */
bool table_search_again(struct table *t, int direction);
/* Goes on with a search in slices; as table_search(). Moving the cursor ends it. */
bool table_search_more(struct table *t);

/* How the columns share `width`: ret_width[i] is 0 for hidden ones. Pure; for tests. */
void table_layout(const struct table *t, int width, int ret_width[TABLE_COLUMNS_MAX]);

#endif
