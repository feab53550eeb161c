/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call trees that cost too much to be made while a key waits.
 *
 * Takes: rows, and which of them are to be opened. Gives: the trees, made in any thread, then taken
 * by the rows. Not for what is open, nor for the nodes: these are cheap once the trees are there.
 *
 *	browser_trees_new() --thread: browser_trees_run()--> browser_trees_take()
 */
#ifndef MODEL_BROWSER_BROWSER_TREES_H
#define MODEL_BROWSER_BROWSER_TREES_H

#include "model/browser/browser_rows.h"

struct browser_trees;

/*
 * Of the row of a node, or, for BROWSER_TOP, of all rows that are shown. NULL with *ret_err 0: it is
 * so little that it can be done at once. Takes a reference to the rows.
 */
struct browser_trees *browser_trees_new(struct browser_rows *rows, uint64_t id, int *ret_err);
/* Touches nothing but the trees. 0, -ENOMEM, -ECANCELED. */
int browser_trees_run(struct browser_trees *t, ptui_progress_fn progress, void *ctx);
/* The rows have them from now on; false: not all were made. Where the rows are used. */
bool browser_trees_take(struct browser_trees *t);
/* The rows that they are of. */
const struct browser_rows *browser_trees_rows(const struct browser_trees *t);
/* In any thread. */
void browser_trees_free(struct browser_trees *t); /* NULL ok */

#endif
