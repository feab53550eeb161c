/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells as text, and their styles. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/harness/private.h"
#include "text/utf8.h"

void screen_cell(struct screen *s, int y, int x, VTermScreenCell *ret)
{
	VTermPos pos = { .row = y, .col = x };

	memset(ret, 0, sizeof(*ret));
	vterm_screen_get_cell(s->cells, pos, ret);
}

static void make_room(struct screen *s)
{
	size_t size = (size_t)s->cols * VTERM_MAX_CHARS_PER_CELL * 4 + 1;

	if (size <= s->row_size)
		return;
	s->row = realloc(s->row, size);
	s->row_columns = realloc(s->row_columns, size * sizeof(*s->row_columns));
	s->looks = realloc(s->looks, size);
	assert_non_null(s->row);
	assert_non_null(s->row_columns);
	assert_non_null(s->looks);
	s->row_size = size;
}

const char *screen_row(struct screen *s, int y)
{
	size_t at = 0, begin, end = 0;
	int x, i;

	make_room(s);
	for (x = 0; y >= 0 && y < s->rows && x < s->cols; x++) {
		VTermScreenCell cell;

		screen_cell(s, y, x, &cell);
		if (!cell.chars[0] || cell.chars[0] == ' ') {
			s->row_columns[at] = x;
			s->row[at++] = ' ';
			continue;
		}
		begin = at;
		for (i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			at += utf8_put(s->row + at, cell.chars[i]);
		for (end = at; begin < end; begin++)
			s->row_columns[begin] = x;
		if (cell.width == 2)
			x++;
	}
	s->row[end] = '\0';
	return s->row;
}

int screen_column(struct screen *s, int y, const char *text)
{
	const char *row = screen_row(s, y), *found = strstr(row, text);

	return found ? s->row_columns[found - row] : -1;
}

int screen_find(struct screen *s, const char *text, int *ret_x)
{
	int y, x;

	for (y = 0; y < s->rows; y++) {
		x = screen_column(s, y, text);
		if (x >= 0) {
			if (ret_x)
				*ret_x = x;
			return y;
		}
	}
	return -1;
}

/* Dark, light, or something else. */
static char shade(struct screen *s, VTermColor colour)
{
	int sum;

	vterm_screen_convert_color_to_rgb(s->cells, &colour);
	sum = colour.rgb.red + colour.rgb.green + colour.rgb.blue;
	return sum < 3 * 40 ? 'd' : sum > 3 * 200 ? 'l' : 'o';
}

char screen_look(struct screen *s, int y, int x)
{
	static const char names[] = "krgybmcw";
	VTermScreenCell cell;
	char look;

	screen_cell(s, y, x, &cell);
	/* the right half of a wide character has the style of the left one */
	if (cell.chars[0] == (uint32_t)-1 && x > 0)
		screen_cell(s, y, x - 1, &cell);
	if (cell.attrs.reverse)
		return '#';
	if (!VTERM_COLOR_IS_DEFAULT_BG(&cell.bg) && shade(s, cell.bg) != 'd')
		return shade(s, cell.bg) == 'l' && shade(s, cell.fg) == 'd' ? '#' : '%';
	if (VTERM_COLOR_IS_DEFAULT_FG(&cell.fg))
		return cell.attrs.bold ? '*' : cell.attrs.underline ? '_' : '.';
	if (!VTERM_COLOR_IS_INDEXED(&cell.fg) || cell.fg.indexed.idx > 15)
		return '+';
	look = names[cell.fg.indexed.idx & 7];
	return (char)(cell.attrs.bold ? toupper(look) : look);
}

const char *screen_row_looks(struct screen *s, int y)
{
	int x, end = 0;

	make_room(s);
	for (x = 0; x < s->cols; x++) {
		s->looks[x] = screen_look(s, y, x);
		if (s->looks[x] != '.')
			end = x + 1;
	}
	s->looks[end] = '\0';
	return s->looks;
}

int screen_cursor_row(struct screen *s)
{
	int y, found = -1;

	for (y = 0; y < s->rows; y++) {
		if (strchr(screen_row_looks(s, y), '#'))
			found = found == -1 ? y : -2;
	}
	return found;
}

void screen_fail(struct screen *s, const char *file, int line, const char *fmt, ...)
{
	va_list ap;
	char what[512];
	int y;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	print_error("%s; the screen%s:\n", what, s->ended ? ", of a program that has ended" : "");
	for (y = 0; y < s->rows; y++) {
		const char *row = screen_row(s, y);

		if (*row)
			print_error("%3d|%s\n", y, row);
	}
	_fail(file, line);
	abort(); /* _fail() does not return */
}
