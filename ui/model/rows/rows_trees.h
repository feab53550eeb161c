/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes large call trees in a thread, so that keys do not wait; the rows get them when they are
 * done.
 *
 *	rows_trees_new() --thread: rows_trees_run()--> rows_trees_take()
 */
#ifndef MODEL_ROWS_ROWS_TREES_H
#define MODEL_ROWS_ROWS_TREES_H

#include "model/rows/rows.h"

struct rows_trees;

/*
 * For the row of a node, or for all visible rows (ROWS_TOP). NULL with *ret_err 0: few enough, and
 * small enough to be made directly. Takes a reference to the rows.
 */
struct rows_trees *rows_trees_new(struct rows *rows, uint64_t id, int *ret_err);
/* For those of `n` nodes that are rows. */
struct rows_trees *rows_trees_new_of(struct rows *rows, const uint64_t *ids, size_t n,
				     int *ret_err);
/* Accesses only the trees. 0, -ENOMEM, -ECANCELED. */
int rows_trees_run(struct rows_trees *t, ptui_progress_fn progress, void *ctx);
/* Moves the trees to the rows, in the thread that uses them; false: not all were made. */
bool rows_trees_take(struct rows_trees *t);
/* The rows of the trees. */
const struct rows *rows_trees_rows(const struct rows_trees *t);
/* From any thread. */
void rows_trees_free(struct rows_trees *t); /* NULL ok */

#endif
