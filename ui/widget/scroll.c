/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "text/utf8.h"
#include "widget/scroll.h"

#define WHEEL 3

static size_t last_top(const struct scroll *s)
{
	return s->n > s->page ? s->n - s->page : 0;
}

void scroll_fit(struct scroll *s, size_t n, int page)
{
	s->n = n;
	s->page = page > 0 ? (size_t)page : 1;
	if (s->top > last_top(s))
		s->top = last_top(s);
}

static size_t page_of(int page)
{
	return page > 1 ? (size_t)page : 1;
}

size_t scroll_cursor(enum request req, size_t cursor, size_t n, int page)
{
	size_t step = page_of(page), last = n ? n - 1 : 0;

	if (cursor > last)
		cursor = last;
	switch (req) {
	case REQ_UP:
		return cursor ? cursor - 1 : 0;
	case REQ_DOWN:
		return cursor < last ? cursor + 1 : last;
	case REQ_PAGE_UP:
		return cursor > step ? cursor - step : 0;
	case REQ_PAGE_DOWN:
		return last - cursor > step ? cursor + step : last;
	case REQ_FIRST:
		return 0;
	case REQ_LAST:
		return last;
	default:
		return SIZE_MAX;
	}
}

void scroll_follow(size_t *top, size_t cursor, size_t n, int page)
{
	size_t step = page_of(page), most = n > step ? n - step : 0;

	if (cursor < *top)
		*top = cursor;
	else if (cursor - *top >= step)
		*top = cursor - step + 1;
	if (*top > most)
		*top = most;
}

unsigned scroll_request(struct scroll *s, enum request req)
{
	size_t top = scroll_cursor(req, s->top, last_top(s) + 1, (int)s->page);

	if (top == SIZE_MAX)
		return WISH_PASS;
	s->top = top;
	return WISH_REDRAW;
}

void scroll_show(struct scroll *s, size_t line)
{
	if (line < s->top)
		s->top = line;
	else if (line - s->top >= s->page)
		s->top = line - s->page + 1;
}

/* -1, 1; 0: another event. */
static int wheel_of(const struct term_event *e)
{
	return e->mouse == MOUSE_WHEEL_UP ? -1 : e->mouse == MOUSE_WHEEL_DOWN;
}

static unsigned list_wheel(const struct scroll_list *l, int direction, size_t *ret_row)
{
	size_t page = page_of(l->at.h), most = l->n > page ? l->n - page : 0, was = *l->top;

	if (!most)
		*ret_row = scroll_cursor(direction < 0 ? REQ_UP : REQ_DOWN, l->cursor, l->n, 1);
	else if (direction < 0)
		*l->top -= was < WHEEL ? was : WHEEL;
	else
		*l->top = was + WHEEL < most ? was + WHEEL : most;
	if (most && l->cursor < *l->top)
		*ret_row = *l->top;
	else if (most && l->cursor - *l->top >= page)
		*ret_row = *l->top + page - 1;
	return *l->top == was && *ret_row == l->cursor ? WISH_NONE : WISH_REDRAW;
}

unsigned scroll_list_mouse(const struct scroll_list *l, const struct term_event *e, size_t *ret_row)
{
	size_t row = *l->top + (size_t)(e->y - l->at.y);

	*ret_row = l->cursor;
	if (wheel_of(e) && l->n)
		return list_wheel(l, wheel_of(e), ret_row);
	if (e->mouse != MOUSE_PRESS || e->button != 1 || !rect_has(&l->at, e->y, e->x) ||
	    row >= l->n)
		return WISH_PASS;
	*ret_row = row;
	if (row != l->cursor) {
		*l->opened_ns = 0;
		return WISH_REDRAW;
	}
	if (*l->opened_ns && e->time_ns - *l->opened_ns < MOUSE_DOUBLE_NS)
		return WISH_NONE;
	*l->opened_ns = e->time_ns;
	return WISH_OPEN;
}

unsigned scroll_mouse(struct scroll *s, const struct term_event *e)
{
	int direction = wheel_of(e);

	if (direction < 0)
		s->top -= s->top < WHEEL ? s->top : WHEEL;
	else if (direction > 0)
		s->top = s->top + WHEEL < last_top(s) ? s->top + WHEEL : last_top(s);
	return direction ? WISH_REDRAW : WISH_PASS;
}

/* Lines do not begin with a closing character, nor end with an opening one. */
static const wchar_t closing[] = L"、。，．：；！？）］｝」』】〉》”’…·!,.:;?)]}%";
static const wchar_t opening[] = L"（［｛「『【〈《“‘([{";

/* Chinese has no blanks: lines may break next to any wide character. */
static bool may_break(uint32_t a, uint32_t b)
{
	return a != ' ' && (utf8_char_width(a) > 1 || utf8_char_width(b) > 1) &&
	       !wcschr(opening, (wchar_t)a) && !wcschr(closing, (wchar_t)b);
}

/* The last possible break in text[0, fits] after a word; 0: none. */
static size_t last_gap(const char *text, size_t fits)
{
	size_t at = strspn(text, " "), n = strnlen(text, fits + 4), found = 0;
	uint32_t before = ' ', c;

	for (; at <= fits && at < n; before = c) {
		size_t bytes = utf8_next(text + at, n - at, &c);

		if (c == ' ' ? before != ' ' : may_break(before, c))
			found = at;
		at += bytes;
	}
	return found;
}

/* A newline of the text where the line was wrapped counts as the same break. */
static const char *behind_break(const char *next)
{
	if (*next == '\n')
		return next + 1;
	return *next ? next : NULL;
}

const char *scroll_wrap(const char *text, int width, size_t *ret_bytes)
{
	size_t fits = utf8_fit(text, width), line, at;
	const char *end = memchr(text, '\n', fits);

	line = end ? (size_t)(end - text) : fits;
	if (!text[line] || text[line] == '\n') {
		*ret_bytes = line;
		return text[line] ? text + line + 1 : NULL;
	}
	at = last_gap(text, fits);
	if (at) {
		*ret_bytes = at;
		/* skip the blanks at the break */
		return behind_break(text + at + strspn(text + at, " "));
	}
	/* Cuts a word longer than the line; at least one character, to make progress. */
	if (!fits) {
		uint32_t c;

		fits = utf8_next(text, strlen(text), &c);
	}
	*ret_bytes = fits;
	return behind_break(text + fits);
}

size_t scroll_wrap_count(const char *text, int width)
{
	size_t n = 0, bytes;

	while (text) {
		text = scroll_wrap(text, width, &bytes);
		n++;
	}
	return n;
}

/* "the last line that fits…" */
static void draw_cut(const struct canvas *c, int y, int x, int width, style_t style,
		     const char *text, size_t bytes)
{
	char line[1024];

	snprintf(line, sizeof(line), "%.*s…", (int)bytes, text);
	canvas_cell(c, y, x, width, ALIGN_LEFT, style, line);
}

static int draw_wrapped(const struct canvas *c, int y, int x, int width, style_t style,
			const char *text, bool marks_cut)
{
	int lines = 0;

	width = width < 1 ? 1 : width;
	while (text && *text) {
		size_t bytes;
		const char *next = scroll_wrap(text, width, &bytes);

		if (c && marks_cut && next && *next && y + lines == c->at.h - 1)
			draw_cut(c, y + lines, x, width, style, text, bytes);
		else if (c)
			canvas_printf(c, y + lines, x, style, "%.*s", (int)bytes, text);
		lines++;
		text = next;
	}
	return lines;
}

int scroll_text(const struct canvas *c, int y, int x, int width, style_t style, const char *text)
{
	return draw_wrapped(c, y, x, width, style, text, true);
}

int scroll_lines(const struct canvas *c, int y, int x, int width, style_t style, const char *text)
{
	return draw_wrapped(c, y, x, width, style, text, false);
}

int scroll_wrap_width(const char *text, int width)
{
	int most = 0;

	while (text) {
		char line[1024];
		size_t n;
		const char *next = scroll_wrap(text, width, &n);

		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		most = utf8_widest(most, line);
		text = next;
	}
	return most < width ? most : width;
}
