/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of rows.h.
 *
 *	rows.c		nodes and their ids, the visible rows, properties of a node
 *	rows_below.c	children: call trees, functions of a thread or CPU
 */
#ifndef MODEL_ROWS_ROWS_PRIVATE_H
#define MODEL_ROWS_ROWS_PRIVATE_H

#include <stdatomic.h>

#include "base/hash.h"
#include "model/rows/rows.h"

#define NONE PTUI_NONE

/* Nodes are in one array; the children of a node are contiguous. */
struct node {
	uint64_t id;
	uint32_t row; /* of the histogram */
	/*
	 * Node of the row's call tree, or row of its functions; NONE: the row itself, or a note.
	 */
	uint32_t call;
	uint32_t frame;			  /* index of that node's function */
	uint32_t first_child, n_children; /* valid when made */
	uint8_t kind;
	bool head; /* a frame that shows its call tree's percentage */
	bool made;
};

/* What is known of a row besides the nodes. */
struct below {
	struct ptui_calltree *tree;  /* NULL: not made */
	struct ptui_hist *functions; /* of a thread or CPU; NULL: none */
};

struct rows {
	atomic_uint refs;
	const struct rows_source *source;
	const void *of;		/* of the source */
	struct ptui_hist *hist; /* NULL: another source */
	struct rows_opts opts;
	uint64_t total, min_period; /* of a branch */
	size_t symbol, dso;	    /* columns of functions and DSOs; SIZE_MAX: none */
	int path_width;

	uint32_t *all; /* all rows, as counted */
	uint64_t *ids; /* of these */
	size_t n_all;

	struct node *nodes; /* visible rows come first */
	size_t n_nodes, cap_nodes, n_rows;
	size_t hint;		  /* the last returned node: usually queried next */
	struct index_table index; /* of nodes, by id */
	struct below *below;	  /* by row of the histogram */
	bool incomplete;	  /* children are missing, for lack of memory */
	bool deferred;		  /* or because rows_make() was not called for them */
};

uint64_t rows_hash(uint64_t hash, const char *text);
/* NULL: unknown id. */
struct node *rows_find(const struct rows *b, uint64_t id);
/*
 * Adds a node. If an earlier node has the same id (static functions of one name), derives the next
 * id from it. 0 or -ENOMEM.
 */
int rows_add(struct rows *b, const struct node *like);
double rows_percent_of(const struct rows *b, uint64_t period);
/* "[.] main" is the function main; "" without that mark. */
const char *rows_unmarked(const char *cell);
/* Cells of a histogram by name; "": no such column. Returns buf. */
const char *rows_hist_cell(const struct ptui_hist *h, size_t row, const char *key, char *buf,
			   size_t size);

#endif
