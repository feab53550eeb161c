/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The visible part of read-only lines. */
#ifndef WIDGET_SCROLL_H
#define WIDGET_SCROLL_H

#include <stddef.h>
#include <stdint.h>

#include "input/request.h"
#include "term/canvas.h"
#include "term/term.h"
#include "widget/wish.h"

struct scroll {
	size_t top;  /* first visible line */
	size_t n;    /* number of lines */
	size_t page; /* visible lines, at the last draw */
};

/* Call before drawing: the number of lines, and how many are visible. */
void scroll_fit(struct scroll *s, size_t n, int page);
unsigned scroll_request(struct scroll *s, enum request req);
/* Scrolls as little as needed to show the line. */
void scroll_show(struct scroll *s, size_t line);
/* Handles the wheel. */
unsigned scroll_mouse(struct scroll *s, const struct term_event *e);

/* ---- of a list with a cursor ---- */

/*
 * Where the cursor goes in `n` rows by UP, DOWN, PAGE_UP, PAGE_DOWN, FIRST, LAST; SIZE_MAX: another
 * request.
 */
size_t scroll_cursor(enum request req, size_t cursor, size_t n, int page);
/* A list as the mouse sees it; `cursor` and `top` belong to its widget. */
struct scroll_list {
	size_t n, cursor, *top;
	struct rect at;	     /* of the rows, at the last draw */
	uint64_t *opened_ns; /* the click that opened the cursor row; 0: none */
};
/*
 * A click on a row moves the cursor to *ret_row, on the cursor row it opens it (WISH_OPEN, a double
 * click once); the wheel scrolls, and takes the cursor along at the edges. If all rows are visible,
 * it moves the cursor. WISH_PASS: nothing hit.
 */
unsigned scroll_list_mouse(const struct scroll_list *l, const struct term_event *e,
			   size_t *ret_row);
/* Scrolls as little as needed to show it, and no further than the end. */
void scroll_follow(size_t *top, size_t cursor, size_t n, int page);

/* ---- wrapped text ---- */

/*
 * Wraps a text at blanks and next to wide characters: sets the length of the first line of at most
 * `width` columns, returns the start of the next; NULL after the last.
 */
const char *scroll_wrap(const char *text, int width, size_t *ret_bytes);
/* The number of wrapped lines, and the columns of the widest. */
size_t scroll_wrap_count(const char *text, int width);
int scroll_wrap_width(const char *text, int width);
/*
 * Draws a text, wrapped at `width`, from (y, x) up to the last row of the canvas, which ends with … if
 * there is more. Returns its lines, including those above and below the canvas; 0 for "" and NULL. `c`
 * may be NULL: then counts only.
 */
int scroll_text(const struct canvas *c, int y, int x, int width, style_t style, const char *text);
/* The same of a text that can be scrolled: without a mark. */
int scroll_lines(const struct canvas *c, int y, int x, int width, style_t style, const char *text);

#endif
