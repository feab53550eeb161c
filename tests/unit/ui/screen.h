/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A grid for tests, and its contents. */
#ifndef TESTS_UNIT_UI_SCREEN_H
#define TESTS_UNIT_UI_SCREEN_H

#include <locale.h>
#include <string.h>

#include "lib/need.h"
#include "term/canvas.h"

static inline int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_ALL, "C.UTF-8") ? 0 : -1;
}

static inline style_t grid_style(const struct grid *g, int y, int x)
{
	return g->cells[y * g->cols + x].style;
}

/* A row as UTF-8 without trailing blanks, as far as it fits. Returns its length. */
static inline size_t grid_row_text(const struct grid *g, int y, char *buf, size_t size)
{
	size_t at = 0, end = 0;

	for (int x = 0; x < g->cols && at + CELL_BYTES < size; x++) {
		const struct cell *cell = &g->cells[y * g->cols + x];

		at += cell_put(cell, buf + at);
		if (cell->ch && (cell->ch != ' ' || cell->mark[0]))
			end = at;
	}
	buf[end] = '\0';
	return end;
}

static inline const char *row_text(const struct grid *g, int y)
{
	static char buf[8192];

	grid_row_text(g, y, buf, sizeof(buf));
	return buf;
}

/* Compares the rows from the top on; NULL at the end. */
static inline void check_rows_at(const struct grid *g, const char *const *rows, const char *file,
				 int line)
{
	int y;

	for (y = 0; rows[y]; y++) {
		if (y >= g->rows || strcmp(row_text(g, y), rows[y])) {
			print_error("row %d: \"%s\"\n   not: \"%s\"\n", y,
				    y < g->rows ? row_text(g, y) : "(none)", rows[y]);
			_fail(file, line);
		}
	}
}
#define check_rows(g, ...) \
	check_rows_at(g, (const char *const[]){ __VA_ARGS__, NULL }, __FILE__, __LINE__)

/* The only row that begins in the cursor style; -1: none, -2: several. */
static inline int cursor_row(const struct grid *g, int x)
{
	int y, found = -1;

	for (y = 0; y < g->rows; y++) {
		if (grid_style(g, y, x) & STYLE_CURSOR)
			found = found == -1 ? y : -2;
	}
	return found;
}

#endif
