/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a view as a tree, for a widget that queries children when they are opened. Owns the
 * histogram. Nodes have 64-bit ids that are stable when samples are counted again: hashes of the
 * identifying texts and of the functions on the path.
 *
 *	row      71.32%  cc1  cc1  main			a row of the histogram
 *	  branch   71.20%  do_compile			the first function of a call tree's node
 *	    frame            finalize_unit		the other functions of that node;
 *	    frame            symbol_table::compile	below the last one are its children
 *	      branch   48.11%  expand_all_functions
 *	      branch   21.90%  c_parse_file
 *	  note     all branches are below 0.50%
 *
 * A single root that has all of the row's samples, or is the row's own function, is expanded at
 * once, without that function: its first frame shows the percentage. A call tree is made when its
 * row is first opened. Not thread-safe.
 */
#ifndef MODEL_BROWSER_BROWSER_ROWS_H
#define MODEL_BROWSER_BROWSER_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/profile.h"

#define BROWSER_TOP 0u /* id of the root, not used by any node */

struct browser_rows;

enum browser_kind {
	BROWSER_ROW,
	BROWSER_BRANCH,
	BROWSER_FRAME,
	BROWSER_NOTE,
};

struct browser_limits {
	double row_percent;   /* hides smaller rows */
	double chain_percent; /* hides smaller branches; of the total as well */
};

/* Owns `h` even on failure. Reads all rows once. NULL: out of memory. */
struct browser_rows *browser_rows_new(struct ptui_hist *h, const struct browser_limits *limits,
				      struct ptui_error *err);
void browser_rows_free(struct browser_rows *b); /* drops a reference; NULL ok */
/* For threads that make trees (browser_trees.h). Thread-safe. */
struct browser_rows *browser_rows_ref(struct browser_rows *b);

const struct ptui_hist *browser_rows_hist(const struct browser_rows *b);
/* Changes the limits: different nodes with the same ids. 0, or -ENOMEM (then without rows). */
int browser_rows_set_limits(struct browser_rows *b, const struct browser_limits *limits);

/* Visible rows, and rows below the limit. */
size_t browser_rows_n(const struct browser_rows *b);
size_t browser_rows_n_hidden(const struct browser_rows *b);

/* Children of a node, or the rows of BROWSER_TOP; made on the first call. */
size_t browser_rows_count(struct browser_rows *b, uint64_t id);
/* True if children that were asked for since the last call are missing, for lack of memory. */
bool browser_rows_incomplete(struct browser_rows *b);
uint64_t browser_rows_child(struct browser_rows *b, uint64_t id, size_t i);
/* True if it has children; makes nothing. False for unknown ids. */
bool browser_rows_opens(const struct browser_rows *b, uint64_t id);

enum browser_kind browser_rows_kind(const struct browser_rows *b, uint64_t id);
/* Share of all samples of the event, as shown; < 0 for most frames, and notes. */
double browser_rows_percent(const struct browser_rows *b, uint64_t id);
/* A cell of a row, by column of the histogram. Returns buf. */
const char *browser_rows_cell(const struct browser_rows *b, uint64_t id, size_t column, char *buf,
			      size_t size);
/* The longest DSO path in columns; 0: none, or no DSO column. */
int browser_rows_path_width(const struct browser_rows *b);
/* What all samples of the node have in common. False: unknown node. */
bool browser_rows_origin(const struct browser_rows *b, uint64_t id, struct ptui_row_origin *ret);
/* The DSO of a node's function, as in a cell; NULL: none. */
const char *browser_rows_dso(const struct browser_rows *b, uint64_t id);
/* True if the identifying texts (not the numbers) contain the text. */
bool browser_rows_match(const struct browser_rows *b, uint64_t id, const char *text);
/* ---- for threads that make call trees; rows are those of the histogram ---- */

/* The histogram. */
struct ptui_hist *browser_rows_view(struct browser_rows *b);
/* The row of the node or of its ancestor; PTUI_NONE: unknown node. */
uint32_t browser_rows_row(const struct browser_rows *b, uint64_t id);
/* The i-th visible row. */
uint32_t browser_rows_shown(const struct browser_rows *b, size_t i);
bool browser_rows_has_tree(const struct browser_rows *b, uint32_t row);
/* Smaller branches are omitted from the trees. */
uint64_t browser_rows_min_period(const struct browser_rows *b);
/* Takes ownership of the tree; frees it if it is not needed any more. */
void browser_rows_set_tree(struct browser_rows *b, uint32_t row, struct ptui_calltree *tree,
			   uint64_t min_period);

/* Text of other nodes: a function, or the note. Returns buf. */
const char *browser_rows_label(const struct browser_rows *b, uint64_t id, char *buf, size_t size);

#endif
