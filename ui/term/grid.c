/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "term/canvas.h"
#include "text/utf8.h"

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

static const struct cell *cell_at(const struct grid *g, int y, int x)
{
	return &g->cells[(size_t)y * (size_t)g->cols + (size_t)x];
}

/* Appends like snprintf(): counts everything, writes what fits. */
static void row_add(char *buf, size_t size, size_t *at, uint32_t c)
{
	char bytes[4];
	size_t i, n = utf8_put(bytes, c);

	for (i = 0; i < n; i++, (*at)++) {
		if (*at + 1 < size)
			buf[*at] = bytes[i];
	}
}

size_t grid_row_text(const struct grid *g, int y, char *buf, size_t size)
{
	size_t at = 0;
	int x, m, last = g->cols - 1;

	while (last >= 0 && cell_at(g, y, last)->ch == ' ' && !cell_at(g, y, last)->mark[0])
		last--;
	for (x = 0; x <= last; x++) {
		const struct cell *cell = cell_at(g, y, x);

		if (!cell->ch)
			continue;
		row_add(buf, size, &at, cell->ch);
		for (m = 0; m < 2 && cell->mark[m]; m++)
			row_add(buf, size, &at, cell->mark[m]);
	}
	if (size)
		buf[at < size ? at : size - 1] = '\0';
	return at;
}

style_t grid_style(const struct grid *g, int y, int x)
{
	return cell_at(g, y, x)->style;
}
