/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of a screen as a tree of boxes; pure arithmetic.
 *
 *	screen (column)			reflow
 *	 ├─ head   fixed 1		 0  head
 *	 ├─ rule   fixed 1, hide 1	 1  rule
 *	 ├─ body   fill, at least 3	 2  body
 *	 ├─ rule   fixed 1, hide 1	 …
 *	 └─ hints  fixed 1, hide 2	 23 hints
 *
 * Along the parent's direction, fixed boxes have their size, content boxes what box_set_content()
 * has set (at most `max`), and fill boxes share the rest by weight, with at least `min`. If that
 * does not fit, the boxes with the highest `hide` are hidden, all of one value at once, until it
 * does; boxes with hide 0 are never hidden, but clipped. So a small terminal loses rule lines
 * first, then facts, and keeps the rows: 40x10 is the smallest supported size.
 */
#ifndef WIDGET_BOX_H
#define WIDGET_BOX_H

#include <stdbool.h>
#include <stddef.h>

#include "term/canvas.h"

enum box_direction {
	BOX_COLUMN, /* vertical */
	BOX_ROW,    /* horizontal */
};

enum box_sizing {
	BOX_FIXED,
	BOX_CONTENT,
	BOX_FILL,
};

struct box {
	const char *name;
	enum box_sizing sizing;
	int size;   /* fixed: lines or columns; content: the last box_set_content() */
	int min;    /* content, fill */
	int max;    /* content, fill; 0: no limit */
	int weight; /* fill; 0 is 1 */
	int hide;   /* order of hiding: highest first; 0: never */
	bool off;   /* disabled */

	enum box_direction direction;
	struct box **children;
	size_t n_children;

	/* Result of the last reflow. */
	struct rect at; /* relative to the root */
	bool shown;
	int given; /* lines or columns along the parent's direction, before clipping */
};

/*
 * Copies sizing, sizes, hide and direction of `like`. NULL: out of memory. An added box is owned by
 * its parent: box_free() frees the tree.
 */
struct box *box_new(const char *name, const struct box *like);
void box_free(struct box *root); /* NULL ok */
/*
 * 0 or -ENOMEM (then `child` is freed). A NULL child is -ENOMEM, so that box_new() can be passed
 * directly.
 */
int box_add(struct box *parent, struct box *child);
/* The first box of that name in the tree; NULL: none. */
struct box *box_find(struct box *root, const char *name);

void box_set_content(struct box *b, int size);
void box_set_off(struct box *b, bool off);

/* Lays out the whole tree. */
void box_reflow(struct box *root, int rows, int cols);
/* The canvas of a box, empty if hidden. `c` is the root's. */
struct canvas box_canvas(const struct box *b, const struct canvas *c);
/* True if this cell of the root's canvas is in the box. */
bool box_has(const struct box *b, int y, int x);

/* "name y,x h*w" of the visible boxes, children in () after their parent; for tests. */
size_t box_print(const struct box *root, char *buf, size_t size);

#endif
