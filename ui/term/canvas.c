/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "term/canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "text/utf8.h"

/* ---- grids ---- */

static const struct cell blank = { .ch = ' ', .width = 1 };

void grid_clear(struct grid *g)
{
	size_t i, n = (size_t)g->rows * (size_t)g->cols;

	for (i = 0; i < n; i++)
		g->cells[i] = blank;
	g->cursor_y = -1;
	g->cursor_x = 0;
}

int grid_resize(struct grid *g, int rows, int cols)
{
	struct cell *cells;

	if (rows < 1)
		rows = 1;
	if (cols < 1)
		cols = 1;
	cells = calloc((size_t)rows * (size_t)cols, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	free(g->cells);
	g->cells = cells;
	g->rows = rows;
	g->cols = cols;
	grid_clear(g);
	return 0;
}

struct grid *grid_new(int rows, int cols)
{
	struct grid *g = calloc(1, sizeof(*g));

	if (g && grid_resize(g, rows, cols) < 0) {
		free(g);
		g = NULL;
	}
	return g;
}

void grid_free(struct grid *g)
{
	if (!g)
		return;
	free(g->cells);
	free(g);
}

size_t cell_put(const struct cell *cell, char *buf)
{
	size_t n = cell->ch ? utf8_put(buf, cell->ch) : 0;

	for (int m = 0; n && m < 2 && cell->mark[m]; m++)
		n += utf8_put(buf + n, cell->mark[m]);
	return n;
}

bool rect_has(const struct rect *r, int y, int x)
{
	return y >= r->y && y < r->y + r->h && x >= r->x && x < r->x + r->w;
}

struct canvas canvas_of(struct grid *g)
{
	return (struct canvas){ g, { 0, 0, g->rows, g->cols } };
}

struct canvas canvas_part(const struct canvas *c, int y, int x, int h, int w)
{
	struct rect at = c->at;

	if (y < 0) {
		h += y;
		y = 0;
	}
	if (x < 0) {
		w += x;
		x = 0;
	}
	if (y > at.h)
		y = at.h;
	if (x > at.w)
		x = at.w;
	if (h > at.h - y)
		h = at.h - y;
	if (w > at.w - x)
		w = at.w - x;
	return (struct canvas){ c->grid, { at.y + y, at.x + x, h < 0 ? 0 : h, w < 0 ? 0 : w } };
}

static struct cell *cell_of(const struct canvas *c, int y, int x)
{
	return &c->grid->cells[(size_t)(c->at.y + y) * (size_t)c->grid->cols +
			       (size_t)(c->at.x + x)];
}

/* Before a cell is overwritten: blanks the other half of a wide character. */
static void part_halves(const struct canvas *c, int y, int x)
{
	struct cell *cell = cell_of(c, y, x);
	struct cell *other = NULL;

	if (cell->width == 0 && c->at.x + x > 0)
		other = cell - 1;
	else if (cell->width == 2 && c->at.x + x + 1 < c->grid->cols)
		other = cell + 1;
	if (other) {
		other->ch = ' ';
		other->mark[0] = other->mark[1] = 0;
		other->width = 1;
	}
}

static bool row_is_seen(const struct canvas *c, int y)
{
	return y >= 0 && y < c->at.h;
}

void canvas_put(const struct canvas *c, int y, int x, style_t style, uint32_t ch, int width)
{
	struct cell *cell;

	if (x < 0 || x + width > c->at.w) {
		for (int i = x; i < x + width; i++) {
			if (i >= 0 && i < c->at.w)
				canvas_put(c, y, i, style, ' ', 1);
		}
		return;
	}
	for (int i = 0; i < width; i++)
		part_halves(c, y, x + i);
	cell = cell_of(c, y, x);
	*cell = (struct cell){ .ch = ch, .style = style, .width = (uint16_t)width };
	if (width == 2)
		cell[1] = (struct cell){ .ch = 0, .style = style, .width = 0 };
}

void canvas_put_mark(const struct canvas *c, int y, int x, uint32_t ch)
{
	struct cell *cell;

	if (x < 1 || x > c->at.w || c->grid->ascii_text)
		return;
	cell = cell_of(c, y, x - 1);
	if (cell->width == 0)
		cell--;
	if (!cell->mark[0])
		cell->mark[0] = ch;
	else if (!cell->mark[1])
		cell->mark[1] = ch;
}

/* What is shown for characters that the terminal does not have, one below the other. */
static const wchar_t art[] =
	L"·–•…‹›←↑→↓⏸─│┌┐└┘├┤┬┴┼▁▂▃▄▅▆▇█▉▊▋▌▍▎▏░▸▾○●✓✗";
static const char ascii_art[] = ".-*~<><^>v|-|++++||+++__.--=####==--..>vo*+x";
_Static_assert(sizeof(art) / sizeof(*art) == sizeof(ascii_art), "each has one");

static uint32_t shown_as(const struct grid *g, uint32_t c)
{
	const wchar_t *found;

	if (c < 0x80 || !(g->ascii_art || g->ascii_text))
		return c;
	found = wcschr(art, (wchar_t)c);
	if (found)
		return (uint32_t)ascii_art[found - art];
	return g->ascii_text ? '?' : c;
}

/* A control character as ASCII text: \n, \x1b, \u202e. */
static void escape_control(uint32_t c, char buf[8])
{
	if (c == '\n' || c == '\t')
		snprintf(buf, 8, c == '\n' ? "\\n" : "\\t");
	else
		snprintf(buf, 8, c <= 0xff ? "\\x%02x" : "\\u%04x", (unsigned)(c & 0xffff));
}

/* One character, clipped by its canvas; control characters are escaped. */
static int put_char(const struct canvas *clip, int y, int x, style_t style, uint32_t ch, int width)
{
	char escape[8];
	int i;

	if (width > 0) {
		uint32_t shown = shown_as(clip->grid, ch);

		canvas_put(clip, y, x, style, shown, shown == ch ? width : 1);
		if (shown != ch && width == 2 && x + 1 < clip->at.w)
			canvas_put(clip, y, x + 1, style, ' ', 1);
		return width;
	}
	escape_control(ch, escape);
	for (i = 0; escape[i]; i++) {
		if (x + i >= 0 && x + i < clip->at.w)
			canvas_put(clip, y, x + i, style, (uint32_t)escape[i], 1);
	}
	return i;
}

/*
 * Draws a text, truncated with … at the right edge. Returns the column after what was looked at, and
 * in *ret_rest what was not: the cost depends on what is visible, even if a line has megabytes.
 */
static int put_text(const struct canvas *c, int y, int x, style_t style, const char *text,
		    const char **ret_rest)
{
	bool seen = row_is_seen(c, y) && x < c->at.w;

	while (*text) {
		uint32_t ch;
		size_t bytes = utf8_next(text, strnlen(text, 4), &ch);
		int width = utf8_char_width(ch);

		if (width && (!seen || x >= c->at.w))
			break;
		if (width)
			x += put_char(c, y, x, style, ch, width);
		else if (seen)
			canvas_put_mark(c, y, x, ch);
		text += bytes;
	}
	if (seen && (*text || x > c->at.w))
		put_char(c, y, c->at.w - 1, style, 0x2026, 1);
	*ret_rest = text;
	return x;
}

int canvas_text(const struct canvas *c, int y, int x, style_t style, const char *text)
{
	const char *rest;
	int end = put_text(c, y, x, style, text, &rest);

	return end - x + utf8_width(rest);
}

int canvas_printf(const struct canvas *c, int y, int x, style_t style, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return canvas_text(c, y, x, style, buf);
}

void canvas_cell_from(const struct canvas *c, int y, int x, int width, int skip, style_t style,
		      const char *text)
{
	struct canvas cell = canvas_part(c, y, x, 1, width);
	const char *rest;

	canvas_fill(&cell, 0, 0, 1, width, style, ' ');
	put_text(&cell, 0, (x < 0 ? x : 0) - skip, style, text, &rest);
}

void canvas_cell(const struct canvas *c, int y, int x, int width, enum align align, style_t style,
		 const char *text)
{
	int all = align == ALIGN_RIGHT ? utf8_width(text) : width;

	canvas_cell_from(c, y, x, width, all < width ? all - width : 0, style, text);
}

void canvas_fill(const struct canvas *c, int y, int x, int h, int w, style_t style, uint32_t ch)
{
	struct canvas part = canvas_part(c, y, x, h, w);
	uint32_t shown = shown_as(c->grid, ch);

	for (int row = 0; row < part.at.h; row++) {
		for (int col = 0; col < part.at.w; col++)
			canvas_put(&part, row, col, style, shown, 1);
	}
}

void canvas_clear(const struct canvas *c)
{
	canvas_fill(c, 0, 0, c->at.h, c->at.w, ROLE_TEXT, ' ');
}

void canvas_add_flags(const struct canvas *c, int y, int x, int w, style_t flags)
{
	struct canvas part = canvas_part(c, y, x, 1, w);

	for (int col = 0; part.at.h && col < part.at.w; col++)
		cell_of(&part, 0, col)->style |= flags;
}

void canvas_set_style(const struct canvas *c, int y, int x, int w, style_t style)
{
	struct canvas part = canvas_part(c, y, x, 1, w);

	for (int col = 0; part.at.h && col < part.at.w; col++)
		cell_of(&part, 0, col)->style = style;
}

/* The row as text, with the column of each byte. */
static size_t row_bytes(const struct canvas *c, int y, char *buf, int *cols, size_t size)
{
	size_t at = 0;
	int x;

	for (x = 0; x < c->at.w && at + CELL_BYTES + 1 < size; x++) {
		size_t begin = at;

		at += cell_put(cell_of(c, y, x), buf + at);
		while (begin < at)
			cols[begin++] = x;
	}
	buf[at] = '\0';
	cols[at] = x;
	return at;
}

int canvas_mark(const struct canvas *c, int y, const char *wanted, style_t role)
{
	size_t size = (size_t)c->at.w * CELL_BYTES + 16;
	const char *from, *match;
	int *cols, found = 0;
	size_t bytes;
	char *buf;

	if (!row_is_seen(c, y) || !*wanted)
		return 0;
	buf = malloc(size);
	cols = calloc(size, sizeof(*cols));
	if (!buf || !cols)
		goto out;
	row_bytes(c, y, buf, cols, size);
	for (from = buf; (match = utf8_find(from, wanted, &bytes)); from = match + bytes) {
		int x, end = cols[match - buf + (ptrdiff_t)bytes];

		for (x = cols[match - buf]; x < end; x++) {
			struct cell *cell = cell_of(c, y, x);

			cell->style = (cell->style & (STYLE_CURSOR | STYLE_BOLD)) | role;
		}
		found++;
	}
out:
	free(buf);
	free(cols);
	return found;
}

void canvas_rule(const struct canvas *c, int y)
{
	canvas_fill(c, y, 0, 1, c->at.w, ROLE_FRAME, 0x2500);
}

void canvas_frame(const struct canvas *c, const char *title)
{
	int h = c->at.h, w = c->at.w;

	if (h < 2 || w < 2)
		return;
	canvas_fill(c, 0, 0, 1, w, ROLE_FRAME, 0x2500);
	canvas_fill(c, h - 1, 0, 1, w, ROLE_FRAME, 0x2500);
	canvas_fill(c, 0, 0, h, 1, ROLE_FRAME, 0x2502);
	canvas_fill(c, 0, w - 1, h, 1, ROLE_FRAME, 0x2502);
	canvas_text(c, 0, 0, ROLE_FRAME, "┌");
	canvas_text(c, 0, w - 1, ROLE_FRAME, "┐");
	canvas_text(c, h - 1, 0, ROLE_FRAME, "└");
	canvas_text(c, h - 1, w - 1, ROLE_FRAME, "┘");
	if (title && *title && w > 6) {
		int width = utf8_width(title);

		if (width > w - 6)
			width = w - 6;
		canvas_fill(c, 0, 2, 1, width + 2, ROLE_TITLE, ' ');
		canvas_cell(c, 0, 3, width, ALIGN_LEFT, ROLE_TITLE, title);
	}
}

void canvas_scrollbar(const struct canvas *c, int y, int x, int h, uint64_t first, uint64_t seen,
		      uint64_t all)
{
	int top, size;

	if (all <= seen || h < 1)
		return;
	size = (int)((double)h * (double)seen / (double)all);
	if (size < 1)
		size = 1;
	top = (int)((double)(h - size) * (double)first / (double)(all - seen) + 0.5);
	if (top > h - size)
		top = h - size;
	canvas_fill(c, y, x, h, 1, ROLE_FRAME, 0x2502);
	canvas_fill(c, y + top, x, size, 1, ROLE_FRAME, 0x2588);
}

void canvas_set_cursor(const struct canvas *c, int y, int x)
{
	if (!row_is_seen(c, y) || x < 0 || x >= c->at.w)
		return;
	c->grid->cursor_y = c->at.y + y;
	c->grid->cursor_x = c->at.x + x;
}
