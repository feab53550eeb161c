/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup_text.h"

#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "widget/scroll.h"

static void put_text(const struct canvas *c, int y, int x, style_t style, const char *text,
		     size_t n)
{
	char line[1024];

	if (!c || y < 0 || y >= c->at.h)
		return;
	if (n >= sizeof(line))
		n = sizeof(line) - 1;
	memcpy(line, text, n);
	line[n] = '\0';
	canvas_text(c, y, x, style, line);
}

int setup_text(const struct canvas *c, int y, int x, int width, style_t style, const char *text)
{
	const char *next;
	int rows = 0;
	size_t n;

	while (text && *text) {
		next = scroll_wrap(text, width < 1 ? 1 : width, &n);
		put_text(c, y + rows++, x, style, text, n);
		text = next;
	}
	return rows;
}

/* An option of ptui and its value stay together: "-e cycles". `end`: index of the command. */
static size_t piece_words(const struct words *words, size_t i, size_t end)
{
	const char *word = words->v[i];

	return i + 1 < end && word[0] == '-' && word[1] && words->v[i + 1][0] != '-' ? 2 : 1;
}

/* Position of the next piece. */
struct pen {
	const struct canvas *c;
	int y, x, width;
	int row, at; /* start position */
};

/* A piece wider than the line wraps like on a terminal. */
static void put_piece(struct pen *p, style_t style, const char *text)
{
	size_t n;

	for (;;) {
		n = utf8_fit(text, p->width - p->at);
		if (!n && !p->at)
			n = utf8_fit(text, 2) ? utf8_fit(text, 2) : strlen(text);
		put_text(p->c, p->y + p->row, p->x + p->at, style, text, n);
		if (!text[n])
			break;
		text += n;
		p->row++;
		p->at = 0;
	}
	p->at += utf8_width(text);
}

int setup_command_text(const struct canvas *c, int y, int x, int width, style_t style,
		       const struct words *words)
{
	struct pen pen = { .c = c, .y = y, .x = x, .width = width > 0 ? width : 1 };
	size_t n, end;
	char *text;

	for (end = 0; end < words->n && strcmp(words->v[end], "--"); end++)
		;
	for (size_t i = 0; i < words->n; i += n) {
		n = piece_words(words, i, end);
		text = words_join_part(words, i, n);
		if (!text)
			return pen.row;
		if (i && pen.at + 1 + utf8_width(text) + 2 > width) { /* 2: the trailing \ */
			put_text(c, y + pen.row++, x + pen.at + 1, ROLE_DIM, "\\", 1);
			pen.at = width > 2 ? 2 : 0;
		} else if (i) {
			pen.at++;
		}
		put_piece(&pen, style, text);
		free(text);
	}
	return words->n ? pen.row + 1 : 0;
}
