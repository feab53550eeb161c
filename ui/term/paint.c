/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the grid to bytes: sends what differs from the terminal, row by row.
 *
 *	shown	main      12.3 %  libc.so
 *	grid	main      11.9 %  libc.so
 *	sent	          ^^^^ one run: move, style, 4 characters
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "term/loop.h"
#include "term/private.h"
#include "text/utf8.h"

/* Runs with a smaller gap are sent as one: moving the cursor costs as much. */
#define RUN_GAP 5

/* Longer blank row ends are erased instead of written. */
#define ERASE_MIN 4

static int style_slot(style_t style)
{
	return (int)(style & STYLE_ROLE) * 4 + (style & STYLE_CURSOR ? 2 : 0) +
	       (style & STYLE_BOLD ? 1 : 0);
}

void paint_forget_styles(struct term *t)
{
	int i;

	for (i = 0; i < STYLES; i++) {
		free(t->styles[i]);
		t->styles[i] = NULL;
	}
}

static void out_color(struct term *t, struct out *o, bool background, int32_t color)
{
	if (color == LOOK_DEFAULT)
		return;
	if (t->depth == DEPTH_TRUE)
		out_printf(o, "\033[%d;2;%d;%d;%dm", background ? 48 : 38, color >> 16 & 255,
			   color >> 8 & 255, color & 255);
	else
		caps_color(&t->caps, o, background, color);
}

/* "\033[m\033[7m" to "\033[;7m", in place; only if all sequences have that form. */
static void join_sequences(char *text)
{
	char *from, *to;

	for (from = text; *from; from++) {
		if (strncmp(from, "\033[", 2))
			return;
		from += 2 + strspn(from + 2, "0123456789;");
		if (*from != 'm')
			return;
	}
	for (from = to = text; *from; from++) {
		if (strncmp(from, "m\033[", 3)) {
			*to++ = *from;
		} else {
			*to++ = ';';
			from += 2;
		}
	}
	*to = '\0';
}

/* sgr0 without switching character sets, which were set at the start. */
static void out_plain(struct term *t, struct out *o)
{
	const char *plain = strstr(t->caps.sgr0, "\033[m");

	out_text(o, plain ? "\033[m" : t->caps.sgr0);
}

static char *style_make(struct term *t, style_t style)
{
	struct look look = theme_look(t->theme, t->depth, style);
	struct out o = { NULL, 0, 0, 0, false };

	out_plain(t, &o);
	if (look.attrs & LOOK_BOLD)
		out_text(&o, t->caps.bold);
	if (look.attrs & LOOK_DIM)
		out_text(&o, t->caps.dim);
	if (look.attrs & LOOK_UNDERLINE)
		out_text(&o, t->caps.smul);
	if (look.attrs & LOOK_REVERSE)
		out_text(&o, t->caps.rev);
	out_color(t, &o, false, look.fg);
	out_color(t, &o, true, look.bg);
	out_add(&o, "", 1);
	if (o.failed) {
		free(o.bytes);
		return NULL;
	}
	join_sequences(o.bytes);
	return o.bytes;
}

void paint_style(struct term *t, style_t style)
{
	int slot = style_slot(style);

	if (t->style == slot)
		return;
	if (!t->styles[slot])
		t->styles[slot] = style_make(t, style);
	if (!t->styles[slot]) {
		t->out.failed = true;
		return;
	}
	out_text(&t->out, t->styles[slot]);
	t->style = slot;
}

static void out_move(struct term *t, int y, int x)
{
	if (t->y == y && t->x == x)
		return;
	caps_cup(&t->caps, &t->out, y, x);
	t->y = y;
	t->x = x;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->mark[0] == b->mark[0] && a->mark[1] == b->mark[1] &&
	       a->style == b->style && a->width == b->width;
}

static void out_cell(struct term *t, const struct cell *cell)
{
	char bytes[4];
	int m;

	paint_style(t, cell->style);
	out_add(&t->out, bytes, utf8_put(bytes, cell->ch));
	for (m = 0; m < 2 && cell->mark[m]; m++)
		out_add(&t->out, bytes, utf8_put(bytes, cell->mark[m]));
	t->x += cell->width;
	/*
	 * Terminals differ in the cursor's position at the edge and in the width of rare
	 * characters: move it explicitly.
	 */
	if (t->x >= t->grid->cols || cell->width != 1 || cell->mark[0])
		t->x = -1;
}

/* The first column of the blank end of the row, in the text style. */
static int blank_from(const struct term *t, const struct cell *row)
{
	int x = t->grid->cols;

	if (!*t->caps.el || theme_look(t->theme, t->depth, ROLE_TEXT).bg != LOOK_DEFAULT)
		return x;
	while (x > 0 && row[x - 1].ch == ' ' && !row[x - 1].mark[0] &&
	       row[x - 1].style == ROLE_TEXT)
		x--;
	return x;
}

static int next_difference(const struct cell *want, const struct cell *have, int x, int end)
{
	while (x < end && same_cell(&want[x], &have[x]))
		x++;
	return x;
}

static bool can_erase(int x, int blank, int last)
{
	return x >= blank && last - x >= ERASE_MIN;
}

/* Sends from the difference at `x` on, across short equal stretches; returns the end. */
static int paint_run(struct term *t, int y, const struct cell *want, const struct cell *have, int x,
		     int blank, int last)
{
	int begin = x;

	if (!want[x].width && x > 0)
		x--;
	for (; x < last && !can_erase(x, blank, last); x++) {
		if (x > begin && same_cell(&want[x], &have[x]) &&
		    next_difference(want, have, x, last) - x >= RUN_GAP)
			break;
		if (want[x].width) {
			out_move(t, y, x);
			out_cell(t, &want[x]);
		}
	}
	return x;
}

static void paint_row(struct term *t, int y)
{
	int cols = t->grid->cols, end = cols, blank, x, last;
	struct cell *want = t->grid->cells + (size_t)y * (size_t)cols;
	struct cell *have = t->shown + (size_t)y * (size_t)cols;

	if (t->caps.wraps_at_once && y == t->grid->rows - 1)
		end--;
	x = next_difference(want, have, 0, end);
	if (x == end)
		return;
	blank = blank_from(t, want);
	for (last = end; last > x && same_cell(&want[last - 1], &have[last - 1]); last--)
		;
	while (x < last && !can_erase(x, blank, last)) {
		x = paint_run(t, y, want, have, x, blank, last);
		x = next_difference(want, have, x, last);
	}
	if (x < last) {
		out_move(t, y, x);
		paint_style(t, ROLE_TEXT);
		out_text(&t->out, t->caps.el);
	}
	memcpy(have, want, (size_t)cols * sizeof(*have));
}

static void paint_cursor(struct term *t)
{
	struct grid *g = t->grid;
	bool show = g->cursor_y >= 0;

	if (show)
		out_move(t, g->cursor_y, g->cursor_x);
	if (show != t->cursor_shown)
		out_text(&t->out, show ? t->caps.cnorm : t->caps.civis);
	t->cursor_shown = show;
}

/* A cleared cell, if the terminal's default background applies; else unknown. */
static struct cell blank_cell(const struct term *t)
{
	struct cell blank = { .ch = ' ', .width = 1 };

	if (theme_look(t->theme, t->depth, ROLE_TEXT).bg != LOOK_DEFAULT)
		blank.ch = 1;
	return blank;
}

static void paint_all_anew(struct term *t)
{
	size_t i, n = (size_t)t->grid->rows * (size_t)t->grid->cols;
	struct cell blank = blank_cell(t);

	out_text(&t->out, t->caps.sgr0);
	t->style = -1;
	t->x = -1;
	paint_style(t, ROLE_TEXT);
	out_text(&t->out, t->caps.clear);
	for (i = 0; i < n; i++)
		t->shown[i] = blank;
	out_text(&t->out, t->caps.civis);
	t->cursor_shown = false;
	t->forget = false;
}

static void paint_moved(struct term *t)
{
	struct cell blank = blank_cell(t);

	paint_shift(t, &blank);
}

int term_flush(struct term *t)
{
	struct out *o = &t->out;

	while (o->at < o->n && !t->hung_up) {
		ssize_t sent = write(t->fd, o->bytes + o->at, o->n - o->at);

		if (sent >= 0) {
			o->at += (size_t)sent;
		} else if (errno == EAGAIN) {
			return 0;
		} else if (errno != EINTR) {
			t->hung_up = true;
		}
	}
	o->at = o->n = 0;
	return t->hung_up ? -EIO : 0;
}

bool term_wants_write(const struct term *t)
{
	return t->out.at < t->out.n && !t->hung_up;
}

int term_paint(struct term *t)
{
	uint64_t begin = loop_now_ns();
	size_t bytes;
	int y, rc;

	if (t->hung_up)
		return -EIO;
	if (term_wants_write(t)) {
		t->stats.deferred++;
		return 0;
	}
	if (t->forget)
		paint_all_anew(t);
	else
		paint_moved(t);
	for (y = 0; y < t->grid->rows; y++)
		paint_row(t, y);
	paint_cursor(t);
	if (t->out.failed) {
		/* Out of memory: drop the incomplete frame; the next one is sent completely. */
		t->out.failed = false;
		t->out.n = 0;
		t->forget = true;
	}
	bytes = t->out.n;
	rc = term_flush(t);
	if (bytes) {
		t->stats.paints++;
		t->stats.bytes += bytes;
		t->stats.last_bytes = bytes;
		t->stats.last_paint_ns = loop_now_ns() - begin;
		t->stats.paint_ns += t->stats.last_paint_ns;
	}
	return rc;
}
