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

/* An option of ours and what it takes are not torn apart: "-e cycles". `end`: where the command begins. */
static size_t piece_words(const struct words *words, size_t i, size_t end)
{
	const char *word = words->v[i];

	return i + 1 < end && word[0] == '-' && word[1] && strchr("Fceop", word[1]) && !word[2] ? 2 : 1;
}

/* Words as a shell reads them back; NULL: no memory. free() it. */
static char *piece_text(const struct words *words, size_t i, size_t n)
{
	char *text = NULL;
	size_t size, k;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (k = 0; k < n; k++) {
		if (k)
			putc(' ', out);
		words_quote(out, words->v[i + k]);
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

int setup_command_text(const struct canvas *c, int y, int x, int width, style_t style,
		       const struct words *words)
{
	int rows = 0, at = 0, wide;
	size_t i, n, end;
	char *text;

	for (end = 0; end < words->n && strcmp(words->v[end], "--"); end++)
		;
	for (i = 0; i < words->n; i += n) {
		n = piece_words(words, i, end);
		text = piece_text(words, i, n);
		if (!text)
			return rows;
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
	}
	return at ? rows + 1 : rows;
}
