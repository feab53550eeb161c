/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup_text.h"

#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "widget/scroll.h"

static void put(const struct canvas *c, int y, int x, style_t style, const char *text, size_t n)
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
		put(c, y + rows++, x, style, text, n);
		text = next;
	}
	return rows;
}

int setup_command_text(const struct canvas *c, int y, int x, int width, style_t style,
		       const struct words *words)
{
	int rows = 0, at = 0, wide;
	char *text = NULL;
	size_t i, size;
	FILE *out;

	for (i = 0; i < words->n; i++) {
		out = open_memstream(&text, &size);
		if (!out)
			return rows;
		words_quote(out, words->v[i]);
		if (fclose(out)) {
			free(text);
			return rows;
		}
		wide = utf8_width(text);
		if (at && at + 1 + wide + 2 > width) { /* 2: the \ at its end */
			put(c, y + rows++, x + at + 1, ROLE_DIM, "\\", 1);
			at = 2;
		} else if (at) {
			at++;
		}
		put(c, y + rows, x + at, style, text, strlen(text));
		at += wide;
		free(text);
		text = NULL;
	}
	return at ? rows + 1 : rows;
}
