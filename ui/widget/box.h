/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of a screen as boxes, one below the other; pure arithmetic.
 *
 *	info	1 line, hide 2
 *	body	fills the rest, at least 4 lines
 *	rule	1 line, hide 3
 *	trust	1 line, hide 1
 *
 * If there are too few lines, the boxes with the highest `hide` are hidden, all of one value at
 * once, until the others fit; boxes with hide 0 are never hidden. If that does not suffice, boxes
 * with a `min` shrink to it, from the last on, and then the end is clipped. So a small terminal
 * loses rule lines first, then facts, and keeps the rows: 40x10 is the smallest supported size.
 */
#ifndef WIDGET_BOX_H
#define WIDGET_BOX_H

#include <stdbool.h>
#include <stddef.h>

#include "term/canvas.h"

struct box {
	int size;  /* lines; of one that fills the rest: at least so many */
	int min;   /* it shrinks down to it; 0: it does not shrink */
	int hide;  /* order of hiding: highest first; 0: never */
	bool fill; /* takes the remaining lines; at most one box */
	bool off;  /* disabled */

	/* Result of the last reflow. */
	int y, h; /* h 0: not shown */
};

void box_reflow(struct box *boxes, size_t n, int rows);
/* The canvas of a box, empty if hidden; `c` is that of all boxes. */
struct canvas box_canvas(const struct box *b, const struct canvas *c);

#endif
