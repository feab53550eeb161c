/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of tree.h.
 *
 *	tree.c		the widget: requests, the mouse, drawing
 *	tree_rows.c	where a row is, and the rows below the open ones
 *	tree_open.c	opening and closing, at once or in slices
 *	tree_gather.c	the rows below a node are gathered; the set of open nodes
 */
#ifndef WIDGET_TREE_PRIVATE_H
#define WIDGET_TREE_PRIVATE_H

#include "widget/tree_gather.h"

/* ---- tree_rows.c ---- */

/* Where a row is: in the rows below an open one, or (NULL) at depth 0. *ret_at: its index there. */
struct tree_part *tree_row_part(const struct tree *t, size_t row, size_t *ret_at);
struct tree_row tree_row_at(const struct tree *t, size_t row);
/* The end of the rows below a row. */
size_t tree_rows_end(const struct tree *t, size_t row);
/* The row at depth 0 that it is, or is below. */
size_t tree_row_entry(const struct tree *t, size_t row);
/* SIZE_MAX: none. */
size_t tree_row_find(const struct tree *t, uint64_t node);
/* The number of parts above a row at depth 0, whose own part would be the next. */
size_t tree_parts_before(const struct tree *t, size_t top);
/* Places of the parts from the i-th on, after their rows changed. */
void tree_parts_number(struct tree *t, size_t i);
/* Replaces the rows below one. May take rows->rows. 0 or -ENOMEM. */
int tree_set_below(struct tree *t, size_t row, struct gather *rows);
/* After the rows changed: moves the cursor to `node`. `row`: where it probably is, or any. */
void tree_follow(struct tree *t, uint64_t node, size_t row);
/* The cursor's node and its ancestors, nearest first; *ret_n of them. NULL: none, or out of memory. */
uint64_t *tree_cursor_path(const struct tree *t, size_t *ret_n);
/* The nearest one of a path that there is; its node is the result. TREE_TOP: none. */
uint64_t tree_path_find(const struct tree *t, const uint64_t *path, size_t n, size_t *ret_row);

/* ---- tree_open.c: 0 or -ENOMEM ---- */

int tree_row_set_open(struct tree *t, size_t row, bool open);
/* With all levels. */
int tree_entry_expand(struct tree *t, size_t row);
int tree_entry_collapse(struct tree *t, size_t row);
int tree_expand_all(struct tree *t);
int tree_collapse_all(struct tree *t);
/* Owns them; `open` may be NULL. */
void tree_discard(struct tree *t, struct tree_part *parts, size_t n, struct tree_ids *open);

#endif
