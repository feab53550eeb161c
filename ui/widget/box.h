/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen as a tree of boxes, and how it gives them room: plain arithmetic, no terminal.
 *
 *	screen (column)			reflow
 *	 ├─ head   fixed 1		 0  head
 *	 ├─ rule   fixed 1, hide 1	 1  rule
 *	 ├─ body   fill, at least 3	 2  body
 *	 ├─ rule   fixed 1, hide 1	 …
 *	 └─ hints  fixed 1, hide 2	 23 hints
 *
 * Room along the parent's direction: fixed boxes take their size, boxes by content take what
 * box_set_content() said (at most `max`), fill boxes share the rest by weight and never have less
 * than `min`. Where that does not fit, the boxes with the highest `hide` leave, all of one number
 * at once, until it fits; hide 0 never leaves, and is cut in the end. So a small terminal loses
 * rule lines before facts, and facts before the rows: 40x10 is the smallest that is cared for.
 */
#ifndef WIDGET_BOX_H
#define WIDGET_BOX_H

#include <stdbool.h>
#include <stddef.h>

#include "term/canvas.h"

enum box_direction {
	BOX_COLUMN, /* children one below the other */
	BOX_ROW,    /* side by side */
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
	int hide;   /* who leaves first: the highest; 0: never */
	bool off;   /* not wanted now */

	enum box_direction direction;
	struct box **children;
	size_t n_children;

	/* What the last reflow gave. */
	struct rect at; /* relative to the root's grid */
	bool shown;
	int given; /* lines or columns along the parent's direction, before it is cut */
};

/*
 * `like` gives sizing, sizes, hide and direction; it is copied. NULL: out of memory. A box that
 * was added belongs to its parent: box_free() frees the tree.
 */
struct box *box_new(const char *name, const struct box *like);
void box_free(struct box *root); /* NULL ok */
/* 0 or -ENOMEM (then `child` is freed). NULL as child is -ENOMEM, so that box_new() can stand here. */
int box_add(struct box *parent, struct box *child);
/* The first box of that name in the tree; NULL: none. */
struct box *box_find(struct box *root, const char *name);

void box_set_content(struct box *b, int size);
void box_set_off(struct box *b, bool off);

/* Gives room to the whole tree. */
void box_reflow(struct box *root, int rows, int cols);
/* Where a box draws: nothing at all when it is not shown. `c` is what the root was reflowed to. */
struct canvas box_canvas(const struct box *b, const struct canvas *c);
/* Is this cell of the root's canvas in the box? */
bool box_has(const struct box *b, int y, int x);

/* "name y,x h*w" of the shown boxes, children in () behind their parent; for tests. */
size_t box_print(const struct box *root, char *buf, size_t size);

#endif
