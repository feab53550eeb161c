/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "widget/box.h"

struct box *box_new(const char *name, const struct box *like)
{
	struct box *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	*b = *like;
	b->name = name;
	b->children = NULL;
	b->n_children = 0;
	b->at = (struct rect){ 0, 0, 0, 0 };
	b->shown = false;
	b->given = 0;
	return b;
}

void box_free(struct box *root)
{
	if (!root)
		return;
	for (size_t i = 0; i < root->n_children; i++)
		box_free(root->children[i]);
	free(root->children);
	free(root);
}

int box_add(struct box *parent, struct box *child)
{
	struct box **more;

	if (!child)
		return -ENOMEM;
	more = realloc(parent->children, (parent->n_children + 1) * sizeof(*more));
	if (!more) {
		box_free(child);
		return -ENOMEM;
	}
	parent->children = more;
	more[parent->n_children++] = child;
	return 0;
}

struct box *box_find(struct box *root, const char *name)
{
	if (!strcmp(root->name, name))
		return root;
	for (size_t i = 0; i < root->n_children; i++) {
		struct box *found = box_find(root->children[i], name);

		if (found)
			return found;
	}
	return NULL;
}

void box_set_content(struct box *b, int size)
{
	b->size = size;
}

void box_set_off(struct box *b, bool off)
{
	b->off = off;
}

/* ---- reflow ---- */

/* Size of a box before the fill boxes share the rest. */
static int box_wanted(const struct box *b)
{
	int size = b->size;

	switch (b->sizing) {
	case BOX_FILL:
		return b->min;
	case BOX_CONTENT:
		if (b->max && size > b->max)
			size = b->max;
		return size > b->min ? size : b->min;
	case BOX_FIXED:
		break;
	}
	return size;
}

/* Hides boxes, the highest `hide` first, until the children fit. */
static int box_hide_children(struct box *b, int room)
{
	int all, highest;

	for (size_t i = 0; i < b->n_children; i++)
		b->children[i]->shown = !b->children[i]->off;
	for (;;) {
		all = highest = 0;
		for (size_t i = 0; i < b->n_children; i++) {
			if (!b->children[i]->shown)
				continue;
			all += box_wanted(b->children[i]);
			if (b->children[i]->hide > highest)
				highest = b->children[i]->hide;
		}
		if (all <= room || !highest)
			return all;
		for (size_t i = 0; i < b->n_children; i++) {
			if (b->children[i]->hide == highest)
				b->children[i]->shown = false;
		}
	}
}

static int weight(const struct box *b)
{
	return b->weight ? b->weight : 1;
}

/*
 * Shares `left` columns or lines among the fill boxes, beyond their min. When a box reaches its
 * max, the others get the rest; so this may take several rounds, each of which completes at least
 * one box.
 */
static void box_fill_children(struct box *b, int left)
{
	bool again = true;

	while (left > 0 && again) {
		int weights = 0, given = 0, rest = left;

		again = false;
		for (size_t i = 0; i < b->n_children; i++) {
			const struct box *child = b->children[i];

			if (child->shown && child->sizing == BOX_FILL &&
			    (!child->max || child->given < child->max))
				weights += weight(child);
		}
		for (size_t i = 0; i < b->n_children && weights > 0; i++) {
			struct box *child = b->children[i];
			int share;

			if (!child->shown || child->sizing != BOX_FILL ||
			    (child->max && child->given >= child->max))
				continue;
			/* of the remaining room for the remaining boxes: no rounding loss */
			share = (int)((long)rest * weight(child) / weights);
			weights -= weight(child);
			rest -= share;
			if (child->max && child->given + share > child->max) {
				share = child->max - child->given;
				again = true;
			}
			child->given += share;
			given += share;
		}
		left -= given;
	}
}

/* Still too large although all hideable boxes are hidden: content shrinks to its min. */
static void shrink(struct box *b, int too_much)
{
	for (size_t i = b->n_children; i-- > 0 && too_much > 0;) {
		struct box *child = b->children[i];
		int spare;

		if (!child->shown || child->sizing != BOX_CONTENT)
			continue;
		spare = child->given - child->min < too_much ? child->given - child->min : too_much;
		child->given -= spare;
		too_much -= spare;
	}
}

static void hide_all(struct box *b)
{
	b->shown = false;
	b->at.h = b->at.w = 0;
	for (size_t i = 0; i < b->n_children; i++)
		hide_all(b->children[i]);
}

static void reflow(struct box *b)
{
	bool row = b->direction == BOX_ROW;
	int room = row ? b->at.w : b->at.h, at = 0, all = box_hide_children(b, room);

	for (size_t i = 0; i < b->n_children; i++)
		b->children[i]->given = b->children[i]->shown ? box_wanted(b->children[i]) : 0;
	if (all > room)
		shrink(b, all - room);
	else
		box_fill_children(b, room - all);
	for (size_t i = 0; i < b->n_children; i++) {
		struct box *child = b->children[i];
		int size = child->given < room - at ? child->given : room - at;

		if (!child->shown || size <= 0) {
			hide_all(child);
			continue;
		}
		if (row)
			child->at = (struct rect){ b->at.y, b->at.x + at, b->at.h, size };
		else
			child->at = (struct rect){ b->at.y + at, b->at.x, size, b->at.w };
		at += size;
		reflow(child);
	}
}

void box_reflow(struct box *root, int rows, int cols)
{
	root->shown = !root->off && rows > 0 && cols > 0;
	if (!root->shown) {
		hide_all(root);
		return;
	}
	root->at = (struct rect){ 0, 0, rows, cols };
	reflow(root);
}

struct canvas box_canvas(const struct box *b, const struct canvas *c)
{
	if (!b->shown)
		return canvas_part(c, 0, 0, 0, 0);
	return canvas_part(c, b->at.y, b->at.x, b->at.h, b->at.w);
}

bool box_has(const struct box *b, int y, int x)
{
	return b->shown && y >= b->at.y && y < b->at.y + b->at.h && x >= b->at.x &&
	       x < b->at.x + b->at.w;
}

size_t box_print(const struct box *root, char *buf, size_t size)
{
	size_t at = 0, children = 0;

	if (size)
		*buf = '\0';
	if (!root->shown)
		return 0;
#define PRINT(...) \
	at += (size_t)snprintf(at < size ? buf + at : NULL, at < size ? size - at : 0, __VA_ARGS__)
	PRINT("%s %d,%d %d*%d", root->name, root->at.y, root->at.x, root->at.h, root->at.w);
	for (size_t i = 0; i < root->n_children; i++) {
		if (!root->children[i]->shown)
			continue;
		PRINT("%s", children++ ? ", " : " (");
		at += box_print(root->children[i], at < size ? buf + at : NULL,
				at < size ? size - at : 0);
	}
	if (children)
		PRINT(")");
#undef PRINT
	return at;
}
