/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of one view as a tree, for a widget that asks for children when they are opened.
 *
 * Takes: a histogram (which it owns from then on), limits in percent. Gives: nodes by an id of 64
 * bits that stays the same when the same thing is counted again: a hash of the texts that tell rows
 * apart, and of the functions on the way down. Not for drawing, and not for what is open.
 *
 *	row      71.32%  cc1  cc1  main			a row of the histogram
 *	  branch   71.20%  do_compile			the first function of a call tree's node
 *	    frame            finalize_unit		the rest of that node's functions;
 *	    frame            symbol_table::compile	below the last one stand its children
 *	      branch   48.11%  expand_all_functions
 *	      branch   21.90%  c_parse_file
 *	  note     all branches are below 0.50%
 *
 * A single root that has all of the row's samples, or is the row's own function, is shown at once,
 * without that function: its first frame has the percentage. A call tree is made when its row is first opened. One thread
 * at a time.
 */
#ifndef MODEL_BROWSER_BROWSER_ROWS_H
#define MODEL_BROWSER_BROWSER_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/profile.h"

#define BROWSER_TOP 0u /* the id above all rows; no node has it */

struct browser_rows;

enum browser_kind {
	BROWSER_ROW,
	BROWSER_BRANCH,
	BROWSER_FRAME,
	BROWSER_NOTE,
};

struct browser_limits {
	double row_percent;   /* rows below are left out */
	double chain_percent; /* and branches, of the total as well */
};

/* Takes `h` in any case. Walks over all rows once. NULL: out of memory. */
struct browser_rows *browser_rows_new(struct ptui_hist *h, const struct browser_limits *limits,
				      struct ptui_error *err);
void browser_rows_free(struct browser_rows *b); /* a reference; NULL ok */
/* For a thread that makes trees (browser_trees.h). Thread-safe. */
struct browser_rows *browser_rows_ref(struct browser_rows *b);

const struct ptui_hist *browser_rows_hist(const struct browser_rows *b);
/* Other limits: other nodes, the same ids. 0 or -ENOMEM (then there are no rows). */
int browser_rows_set_limits(struct browser_rows *b, const struct browser_limits *limits);

/* Rows that are above the limit, and those below it. */
size_t browser_rows_n(const struct browser_rows *b);
size_t browser_rows_n_hidden(const struct browser_rows *b);

/* Children of a node, of BROWSER_TOP the rows; asked for the first time, they are made. */
size_t browser_rows_count(struct browser_rows *b, uint64_t id);
uint64_t browser_rows_child(struct browser_rows *b, uint64_t id, size_t i);
/* Has it any? Makes nothing. Ids that are no node's have none. */
bool browser_rows_opens(const struct browser_rows *b, uint64_t id);

enum browser_kind browser_rows_kind(const struct browser_rows *b, uint64_t id);
/* Share of all samples of the event, as the node's number says; most frames, and notes: < 0. */
double browser_rows_percent(const struct browser_rows *b, uint64_t id);
/* Cell of a row (of a histogram's column). Returns buf. */
const char *browser_rows_cell(const struct browser_rows *b, uint64_t id, size_t column, char *buf,
			      size_t size);
/* The longest path of a row's module, in columns; 0: there are none, or modules are no column. */
int browser_rows_path_width(const struct browser_rows *b);
/* What the node's samples have in common: of a row, and of what stands below it. False: no node. */
bool browser_rows_origin(const struct browser_rows *b, uint64_t id, struct ptui_row_origin *ret);
/* The module of a node's function, as a cell says it; NULL: it has none. */
const char *browser_rows_dso(const struct browser_rows *b, uint64_t id);
/* Does what says what the node is (numbers do not) contain the text? */
bool browser_rows_match(const struct browser_rows *b, uint64_t id, const char *text);
/* ---- call trees that are made elsewhere: rows are those of the histogram ---- */

/* The histogram, as those need it who make trees of it. */
struct ptui_hist *browser_rows_view(struct browser_rows *b);
/* The row that the node is or stands below; PTUI_NONE: no node. */
uint32_t browser_rows_row(const struct browser_rows *b, uint64_t id);
/* The i-th that is above the limit. */
uint32_t browser_rows_shown(const struct browser_rows *b, size_t i);
bool browser_rows_has_tree(const struct browser_rows *b, uint32_t row);
/* Branches below are left out of the trees. */
uint64_t browser_rows_min_period(const struct browser_rows *b);
/* Takes the tree; one that is not needed any more is freed. */
void browser_rows_set_tree(struct browser_rows *b, uint32_t row, struct ptui_calltree *tree,
			   uint64_t min_period);

/* Text of the others: a function, or the note. Returns buf. */
const char *browser_rows_label(const struct browser_rows *b, uint64_t id, char *buf, size_t size);

#endif
