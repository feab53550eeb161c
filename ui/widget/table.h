/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of any length: only visible rows are queried, so that 100,000 rows cost as much as 20.
 *
 *	   Overhead  Command  Shared object  Symbol		header (can be off)
 *	+   11.82 %  cc1      cc1            ggc_internal_alloc	rows; the cursor row is reversed
 *
 * It has the cursor, scrolling, column layout and search highlighting; the rows belong to the
 * caller, behind a table of functions.
 */
#ifndef WIDGET_TABLE_H
#define WIDGET_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/request.h"
#include "term/canvas.h"
#include "term/term.h"
#include "text/strings.h"
#include "widget/wish.h"

struct table_column {
	const char *title; /* translated */
	int width;	   /* preferred width */
	int min;	   /* minimum width; 0: fixed. Left-aligned columns only */
	int most;	   /* for table_fit_columns(); 0: whatever the cells are */
	enum align align;
	bool fill; /* takes the remaining width; usually the last column. Scrolls sideways */
	/* What is too wide loses its middle until scrolled sideways, but not a mark: "[x] ". */
	bool elide;
	int hide; /* order of hiding if space is short: highest first; 0: never */
	bool bar; /* a bar: not reversed in the cursor row, where it could not be told from blanks */
};

struct table_ops {
	size_t (*count)(void *ctx);
	/*
	 * Without count(): the offset of their number, a size_t, in `ctx`; or with `list`, the offset of a
	 * pointer in `ctx`, in what that points to (NULL: no rows).
	 */
	size_t n_rows, list;
	/*
	 * The text of a cell: buf, or the caller's text, valid until the next call. *style is
	 * preset to ROLE_TEXT.
	 */
	const char *(*cell)(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style);
	/*
	 * May be NULL. Draws a row without columns (a callchain, a heading) into `line`, which is
	 * blank; `flags` is STYLE_CURSOR or 0, to be added to every style. `skip`: columns scrolled
	 * away. False: the row has columns.
	 */
	bool (*draw)(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip);
	/*
	 * May be NULL. A row's identity (not 0): with it the cursor stays on its row when rows change.
	 * find() may be NULL even so, if looking at all rows is fast enough; SIZE_MAX: it is gone.
	 */
	uint64_t (*id)(void *ctx, size_t row);
	size_t (*find)(void *ctx, uint64_t id);
	/* May be NULL: then cells are searched. True if the row contains the text. */
	bool (*matches)(void *ctx, size_t row, const char *text);
};

#define TABLE_COLUMNS_MAX 32

struct table {
	const struct table_ops *ops;
	void *ctx;
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t n_columns;
	bool header; /* show the titles */
	bool focus;  /* the cursor is visible; default true */

	size_t cursor;	   /* row */
	bool follow_first; /* until moved, the cursor stays on the first row, whichever that is */
	bool moved;	   /* the cursor was moved; reset by FIRST */
	size_t top;	   /* first visible row */
	int skip;	   /* columns scrolled to the right */

	char search[128]; /* highlighted; "": nothing */

	/* State between recalc and draw. */
	size_t n_rows;
	uint64_t cursor_id;
	int page;	    /* visible rows, at the last draw */
	int header_h;	    /* height of the header */
	struct rect at;	    /* at the last draw */
	int width;	    /* of the columns, at the last draw */
	bool is_cut;	    /* a text of a column with `elide` was wider than that */
	size_t sort;	    /* column with the sort mark; SIZE_MAX: none */
	bool sort_up;	    /* the mark points up: the smallest comes first */
	uint64_t opened_ns; /* the click that opened the cursor row; 0: none */
};

void table_init(struct table *t, const struct table_ops *ops, void *ctx);
/* Copies up to TABLE_COLUMNS_MAX columns; titles are borrowed. */
void table_set_columns(struct table *t, const struct table_column *columns, size_t n);
/*
 * The same, but no column is narrower than its title, and one with `most` is as wide as the widest of its
 * first thousand cells, up to that.
 */
void table_fit_columns(struct table *t, const struct table_column *columns, size_t n);

/* The rows changed: counts them, and moves the cursor to its row. */
void table_recalc(struct table *t);
void table_draw(struct table *t, const struct canvas *c);

/* Moves the cursor or scrolls; WISH_PASS for unknown requests. */
unsigned table_request(struct table *t, enum request req);
/* Clicks and the wheel, as scroll_list_mouse(). */
unsigned table_mouse(struct table *t, const struct term_event *e);
void table_move_to(struct table *t, size_t row);
/* The row with this identity; SIZE_MAX: none. */
size_t table_row_of(const struct table *t, uint64_t id);
/* Moves the cursor to it, if it is there; id 0: nowhere. */
void table_move_to_id(struct table *t, uint64_t id);
/* The same as table_move_to(); a row that was not visible comes into the middle, with its surroundings. */
void table_show(struct table *t, size_t row);
/* Without its middle if it is too wide; but a mark before it, and what was searched for, stay. */
const char *table_elide(const struct table *t, const char *text, int width, char buf[ROW_BYTES]);
/* The cells of the cursor row that are not empty, as a text. Returns buf. */
char *table_cursor_text(const struct table *t, char *buf, size_t size);
/* The column whose title was clicked; SIZE_MAX: none. */
size_t table_header_at(const struct table *t, const struct term_event *e);

/* Searches the rows from the cursor on; the context is the table. */
extern const struct find_ops table_find_ops;

/* Distributes `width` over the columns: ret_width[i] is 0 for hidden ones. Pure; for tests. */
void table_layout(const struct table *t, int width, int ret_width[TABLE_COLUMNS_MAX]);

#endif
