/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes large call trees in a thread, so that keys do not wait; the rows get them when they are
 * done.
 *
 *	browser_trees_new() --thread: browser_trees_run()--> browser_trees_take()
 */
#ifndef MODEL_BROWSER_BROWSER_TREES_H
#define MODEL_BROWSER_BROWSER_TREES_H

#include "model/browser/browser_rows.h"

struct browser_trees;

/*
 * For the row of a node, or for all visible rows (BROWSER_TOP). NULL with *ret_err 0: small enough
 * to be made directly. Takes a reference to the rows.
 */
struct browser_trees *browser_trees_new(struct browser_rows *rows, uint64_t id, int *ret_err);
/* Accesses only the trees. 0, -ENOMEM, -ECANCELED. */
int browser_trees_run(struct browser_trees *t, ptui_progress_fn progress, void *ctx);
/* Moves the trees to the rows, in the thread that uses them; false: not all were made. */
bool browser_trees_take(struct browser_trees *t);
/* The rows of the trees. */
const struct browser_rows *browser_trees_rows(const struct browser_trees *t);
/* From any thread. */
void browser_trees_free(struct browser_trees *t); /* NULL ok */

#endif
