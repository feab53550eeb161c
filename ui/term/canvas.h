/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where widgets draw: a grid of cells in memory, and clipped windows into it.
 *
 *	grid     rows x columns of cells: the terminal's next frame, or a test's
 *	canvas   a rectangle of a grid; (0,0) is its top left corner, and nothing
 *	         is drawn outside
 *
 * Text cannot control the terminal: control characters are shown as \xHH (newline \n, tab \t),
 * damaged UTF-8 as U+FFFD. A wide character that would be cut in half is shown as a space.
 */
#ifndef TERM_CANVAS_H
#define TERM_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/style.h"

struct cell {
	uint32_t ch;	  /* 0: the right half of the previous wide character */
	uint32_t mark[2]; /* combining characters; 0: none */
	style_t style;
	uint16_t width; /* 1 or 2; 0 for the right half */
};

struct grid {
	int rows, cols;
	bool ascii_art;	 /* rules, marks and bars as ASCII */
	bool ascii_text; /* show other non-ASCII characters as ? */
	int cursor_y;	 /* text cursor of a prompt; -1: hidden */
	int cursor_x;
	struct cell *cells; /* rows * cols */
};

struct rect {
	int y, x, h, w;
};

bool rect_has(const struct rect *r, int y, int x);

struct canvas {
	struct grid *grid;
	struct rect at; /* in the grid, always within it */
};

/* At least 1x1. NULL: out of memory. */
struct grid *grid_new(int rows, int cols);
void grid_free(struct grid *g);
/* Also clears it. 0, or -ENOMEM with the grid unchanged. */
int grid_resize(struct grid *g, int rows, int cols);
/* Blanks all cells and hides the text cursor. */
void grid_clear(struct grid *g);

#define CELL_BYTES 12 /* of its text, at most */
/* The characters of a cell as UTF-8, without a NUL; returns their length. */
size_t cell_put(const struct cell *cell, char *buf);

struct canvas canvas_of(struct grid *g);
/* A part of a canvas, clipped to it. */
struct canvas canvas_part(const struct canvas *c, int y, int x, int h, int w);

enum align {
	ALIGN_LEFT,
	ALIGN_RIGHT,
};

/* Draws a text, truncated with … at the right edge. Returns its columns, including truncated ones. */
int canvas_text(const struct canvas *c, int y, int x, style_t style, const char *text);
int canvas_printf(const struct canvas *c, int y, int x, style_t style, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Exactly `width` columns: padded with blanks, or truncated with … */
void canvas_cell(const struct canvas *c, int y, int x, int width, enum align align, style_t style,
		 const char *text);
/* The same, without the first `skip` columns of the text (horizontal scrolling). */
void canvas_cell_from(const struct canvas *c, int y, int x, int width, int skip, style_t style,
		      const char *text);
/* A character of width 1 or 2, which is not escaped; cut halves become blanks. */
void canvas_put(const struct canvas *c, int y, int x, style_t style, uint32_t ch, int width);
/* Adds a combining character to the character before column `x`; without one it is dropped. */
void canvas_put_mark(const struct canvas *c, int y, int x, uint32_t ch);
/* Fills a rectangle with one character. */
void canvas_fill(const struct canvas *c, int y, int x, int h, int w, style_t style, uint32_t ch);
/* Blanks the canvas. */
void canvas_clear(const struct canvas *c);
/* Adds STYLE_ flags to cells that have been drawn. */
void canvas_add_flags(const struct canvas *c, int y, int x, int w, style_t flags);
/* Replaces the style of cells that have been drawn. */
void canvas_set_style(const struct canvas *c, int y, int x, int w, style_t style);
/* Highlights every occurrence of `wanted` in row `y` with the role; returns their number. */
int canvas_mark(const struct canvas *c, int y, const char *wanted, style_t role);
/* A dim rule line over the whole width. */
void canvas_rule(const struct canvas *c, int y);
/* A frame around the edge, with a title in the top line (NULL: none). */
void canvas_frame(const struct canvas *c, const char *title);
/* A scroll bar in column `x`, rows y … y+h, if not everything is visible. */
void canvas_scrollbar(const struct canvas *c, int y, int x, int h, uint64_t first, uint64_t seen,
		      uint64_t all);
/* Shows the text cursor at this position. */
void canvas_set_cursor(const struct canvas *c, int y, int x);

#endif
