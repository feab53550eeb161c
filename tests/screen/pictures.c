/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/pictures.h"

#include <stdio.h>

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 12;
}

static const char *const words[] = {
	"malloc", "中文", "e\u0301t\u0308", "▁▂▅█",    "std::vector<int>", "  ",
	"字",	  "x",	  "0x7f",	    "符号表 ",
};

static const style_t styles[] = {
	ROLE_TEXT, ROLE_TEXT,  ROLE_TEXT,  ROLE_HOT,
	ROLE_DIM,  ROLE_MATCH, ROLE_TITLE, ROLE_KEY | STYLE_BOLD,
};

/* A row that is the same whenever it has this number. */
static void draw_line(const struct canvas *c, int y, uint32_t number)
{
	uint32_t seed = number * 2654435761u;
	int x = (int)(next(&seed) % 4), n = (int)(next(&seed) % 9);

	for (int i = 0; i < n; i++) {
		const char *word = words[next(&seed) % 10];

		x += canvas_text(c, y, x, styles[next(&seed) % 8], word) + (int)(next(&seed) % 3);
	}
}

/* How far the list has been scrolled by then. */
static int offset_of(int n)
{
	uint32_t seed = 7;
	int offset = 10000;

	for (int i = 0; i < n; i++) {
		uint32_t r = next(&seed);

		if (r % 4 == 0)
			offset += (int)(r / 4 % 41) - 20;
		else if (r % 4 < 3)
			offset += (int)(r / 4 % 5) - 2;
	}
	return offset;
}

void picture_draw(struct grid *g, int n)
{
	uint32_t seed = (uint32_t)n * 40503u + 1;
	uint32_t page = (uint32_t)(n / 16); /* when all else changes too */
	struct canvas c = canvas_of(g);
	int h = c.at.h, w = c.at.w, offset = offset_of(n);
	int top = (int)(page % 4), end = h - 1 - (int)(page % 3), y;

	grid_clear(g);
	for (y = 0; y < h - 1; y++)
		draw_line(&c, y, y >= top && y < end ? (uint32_t)(offset + y) : (uint32_t)y + page);
	for (uint32_t i = next(&seed) % 4; i > 0; i--)
		canvas_text(&c, (int)next(&seed) % (h - 1), (int)next(&seed) % w,
			    styles[next(&seed) % 8], words[next(&seed) % 10]);
	if (next(&seed) % 3)
		canvas_scrollbar(&c, top, w - 1, end - top, (uint64_t)offset % 100, 10, 110);
	canvas_add_flags(&c, (int)next(&seed) % (h - 1), 0, w - (int)(page % 2), STYLE_CURSOR);
	canvas_printf(&c, h - 1, 0, ROLE_TEXT, "picture %d of %dx%d.", n, h, w);
	/* the last cells of the screen */
	canvas_text(&c, h - 1, w - 2, ROLE_TEXT, n % 2 ? "中" : "##");
	/* libvterm drops combining characters of the last column */
	for (y = 0; y < h; y++)
		g->cells[(y + 1) * w - 1].mark[0] = g->cells[(y + 1) * w - 1].mark[1] = 0;
}
