/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "widget/box.h"

/* Hides boxes, the highest `hide` first, until the others fit. Returns the lines left; < 0: none. */
static int hide_boxes(struct box *boxes, size_t n, int rows)
{
	for (;;) {
		int left = rows, highest = 0;

		for (size_t i = 0; i < n; i++) {
			left -= boxes[i].h;
			if (boxes[i].h && boxes[i].hide > highest)
				highest = boxes[i].hide;
		}
		if (left >= 0 || !highest)
			return left;
		for (size_t i = 0; i < n; i++)
			if (boxes[i].hide == highest)
				boxes[i].h = 0;
	}
}

void box_reflow(struct box *boxes, size_t n, int rows)
{
	int left, y = 0;

	for (size_t i = 0; i < n; i++) {
		struct box *b = &boxes[i];

		b->h = b->off ? 0 : b->size > b->min ? b->size : b->min;
	}
	left = hide_boxes(boxes, n, rows);
	for (size_t i = n; i-- > 0 && left < 0;) {
		int spare = boxes[i].min ? boxes[i].h - boxes[i].min : 0;

		if (spare > -left)
			spare = -left;
		if (spare > 0) {
			boxes[i].h -= spare;
			left += spare;
		}
	}
	for (size_t i = 0; i < n; i++) {
		struct box *b = &boxes[i];

		if (b->fill && b->h && left > 0)
			b->h += left;
		if (b->h > rows - y)
			b->h = rows > y ? rows - y : 0;
		b->y = y;
		y += b->h;
	}
}

struct canvas box_canvas(const struct box *b, const struct canvas *c)
{
	return canvas_part(c, b->y, 0, b->h, b->h ? c->at.w : 0);
}
