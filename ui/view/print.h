/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a screen as text to a file, like perf's key P. */
#ifndef VIEW_PRINT_H
#define VIEW_PRINT_H

#include <stddef.h>
#include <stdio.h>

#include "widget/stack.h"
#include "widget/tree.h"

/*
 * Creates the file `name`, or `name`.1 and so on if it exists (NULL: the next perf.hist.N), and calls `put`;
 * reports what was written, or why not.
 */
void print_file(struct stack *s, const char *name, void (*put)(void *ctx, FILE *out), void *ctx);

/*
 * The parts of it, for long work: creates a file (`name` NULL: the next perf.hist.N), whose name it stores
 * in `path`; NULL with err set. Closes it, and sets err if writing failed; removes it then, or if it is to
 * be dropped. Reports the result.
 */
FILE *print_create(const char *name, char *path, size_t size, struct ptui_error *err);
void print_close(FILE *out, const char *path, bool drop, struct ptui_error *err);
unsigned print_report(struct stack *s, const char *path, bool dropped,
		      const struct ptui_error *err);

/* ---- for put() ---- */

/* Escapes control characters: the file may be shown on a terminal. */
void print_text(FILE *out, const char *text);
/* The same, as wide as the column; the last one is not padded on the right. */
void print_cell(FILE *out, const struct table *t, size_t column, const char *text);
/* The text of a cell, as in tree_ops, but without regard to the width of the screen. */
typedef const char *(*print_cell_fn)(void *ctx, uint64_t node, size_t column, char *buf,
				     size_t size, style_t *style);
/* The titles of a tree, and one of its rows, with the widths of the columns. */
void print_tree_titles(FILE *out, const struct tree *t);
void print_tree_row(FILE *out, const struct tree *t, size_t row, print_cell_fn cell);

#endif
