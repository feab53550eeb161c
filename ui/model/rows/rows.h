/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a view as a tree, for a widget that queries children when they are opened: what the
 * Browser, Live and Compare show. Nodes have 64-bit ids that are stable when samples are counted
 * again: hashes of the identifying texts and of the functions on the path. So the cursor, open rows
 * and zooms stay with their row.
 *
 *	row      71.32%  cc1  cc1  main			a row of the histogram
 *	  branch   71.20%  do_compile			the first function of a call tree's node
 *	    frame            finalize_unit		the other functions of that node;
 *	    frame            symbol_table::compile	below the last one are its children
 *	      branch   48.11%  expand_all_functions
 *	      branch   21.90%  c_parse_file
 *	  note     all branches are below 0.50%
 *	row      40.00%  7:worker			a thread or a CPU (rows_set_functions)
 *	  function 35.00%  eval				a function in it
 *	row      80.00%  work				a node of a hierarchy, by the first sort key
 *	  level    75.00%  libc.so.6			by the second one
 *	    level    70.00%  memcpy			by the last one: a row of the histogram
 *	      branch   60.00%  do_compile
 *
 * A single root that has all of the row's samples, or is the row's own function, is expanded at
 * once, without that function: its first frame shows the percentage. A call tree is made when its
 * row is first opened, or before by a thread (rows_trees.h). A node gets its id when rows_child() returns
 * it first: one may have tens of thousands of children. Not thread-safe.
 */
#ifndef MODEL_ROWS_ROWS_H
#define MODEL_ROWS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/annotate.h"
#include "ptui/profile.h"
#include "text/strings.h"

#define ROWS_TOP 0u /* id of the root, not used by any node */

struct rows;

enum rows_kind {
	ROWS_ROW,
	ROWS_BRANCH,
	ROWS_FRAME,
	ROWS_FUNCTION,
	ROWS_LEVEL,
	ROWS_NOTE,
};

struct rows_limits {
	double row_percent;   /* hides smaller rows */
	double chain_percent; /* hides smaller branches; of the total as well */
};

/* The order of the rows at depth 0. */
struct rows_order {
	char key[32]; /* the column's sort key; "": as counted, by overhead */
	bool reverse; /* else the largest number, or the first text, comes first */
};

struct rows_opts {
	struct rows_limits limits;
	struct rows_order order;
	size_t most;	/* omits the rows after these; 0: none */
	bool hierarchy; /* by one sort key after the other; callers have no rows (without children) */
	/*
	 * For rows that are counted again all the time: rows open only when rows_make() made their
	 * children, and smaller branches are omitted by their share of the row. Requires
	 * `has_chains`: whether rows have callchains at all.
	 */
	bool deferred, has_chains;
};

/* Owns `h` even on failure. Reads all rows once. NULL with err set: out of memory, or no hierarchy. */
struct rows *rows_new(struct ptui_hist *h, const struct rows_opts *opts, struct ptui_error *err);

/* Rows that are not those of one histogram; they have no children. */
struct rows_source {
	size_t n_columns;
	const struct ptui_column *(*column)(const void *of, size_t column);
	void (*cell)(const void *of, size_t row, size_t column, char *buf, size_t size);
	/* A histogram with the origin and the function of a row; *row becomes its row there. */
	const struct ptui_hist *(*hist)(const void *of, size_t *row);
};

/* `n` rows of `of`, which must outlive them, in this order. Owns `list`. NULL: out of memory. */
struct rows *rows_new_list(const struct rows_source *source, const void *of, uint32_t *list,
			   size_t n);

void rows_free(struct rows *b); /* drops a reference; NULL ok */
/* Thread-safe, as is rows_free(). */
struct rows *rows_ref(struct rows *b);
/* True if there is no other reference. */
bool rows_is_unshared(const struct rows *b);

/* NULL: the rows are those of another source. */
const struct ptui_hist *rows_hist(const struct rows *b);
/* Change the visible rows or their order; nodes keep their ids. 0, or -ENOMEM (then without rows). */
int rows_set_limits(struct rows *b, const struct rows_limits *limits);
int rows_set_order(struct rows *b, const struct rows_order *order);

/* True if changing the limits, or to this order, may take longer than a key should. */
bool rows_is_slow(const struct rows *b, const struct rows_order *order);

const struct rows_limits *rows_limits(const struct rows *b);

/* Visible rows, and rows below the limit. */
size_t rows_n(const struct rows *b);
size_t rows_n_hidden(const struct rows *b);

/* ---- the tree ---- */

/* Children of a node, or the rows of ROWS_TOP; made on the first call, unless deferred. */
size_t rows_count(struct rows *b, uint64_t id);
/* Another number after each change of existing children, and for any other rows; 0: no rows. */
uint64_t rows_revision(const struct rows *b);
/* True if children that were asked for since the last call are missing, for lack of memory. */
bool rows_incomplete(struct rows *b);
/* True if deferred children were asked for since the last call and must be made. */
bool rows_deferred(struct rows *b);
/* Makes all children, also deferred ones. 0 or -ENOMEM. */
int rows_make(struct rows *b, uint64_t id);
/* Makes the functions of a row, a thread or CPU, the children of its node. Owns `functions`. */
int rows_set_functions(struct rows *b, uint64_t id, struct ptui_hist *functions);
/* ROWS_TOP: there is no such child, or it has no id for lack of memory (see rows_incomplete()). */
uint64_t rows_child(struct rows *b, uint64_t id, size_t i);
/* The place of a visible row at depth 0; SIZE_MAX: another id. */
size_t rows_place(const struct rows *b, uint64_t id);
/* True if it has children; makes nothing. False for unknown ids. */
bool rows_opens(const struct rows *b, uint64_t id);

/* Deferred rows: true if any can be opened. */
bool rows_may_open(const struct rows *b);

/* ---- properties of a node ---- */

enum rows_kind rows_kind(const struct rows *b, uint64_t id);
/* Its row, or its ancestor's; PTUI_NONE: unknown node. */
uint32_t rows_row(const struct rows *b, uint64_t id);
/* The row of the i-th visible one. */
uint32_t rows_shown(const struct rows *b, size_t i);
/* Share of all samples of the event, as shown; < 0 for most frames, and notes. */
double rows_percent(const struct rows *b, uint64_t id);
/* A cell of a row, by column of the histogram. Returns buf. */
const char *rows_cell(const struct rows *b, uint64_t id, size_t column, char *buf, size_t size);
/* Whether the rows are a hierarchy. */
bool rows_is_hierarchy(const struct rows *b);
/* Its levels; 1 without one. */
int rows_n_levels(const struct rows *b);
/* A node of a hierarchy that is no row of the histogram: others are below it. */
bool rows_is_inner(const struct rows *b, uint64_t id);
/* The i-th measure of a ROWS_LEVEL, as in a cell; NULL: no more. Returns buf. */
const char *rows_measure(const struct rows *b, uint64_t id, size_t i, char *buf, size_t size);
/* Text of other nodes: a function, values of sort keys, or the note. Returns buf. */
const char *rows_label(const struct rows *b, uint64_t id, char *buf, size_t size);
/* What all samples of the node have in common. False: unknown node. */
bool rows_origin(const struct rows *b, uint64_t id, struct ptui_row_origin *ret);
/* The DSO of a node's function, as in a cell; NULL: none. */
const char *rows_dso(const struct rows *b, uint64_t id);
/* The name of a node's function; "" if it has none. Returns buf. */
const char *rows_function(const struct rows *b, uint64_t id, char *buf, size_t size);
/* That function, to be annotated. False: it has none, or several. */
bool rows_code(const struct rows *b, uint64_t id, struct ptui_function *ret);
/* A frame of that function, for the profile of the histogram. PTUI_NONE: it has none, or several. */
uint32_t rows_frame(const struct rows *b, uint64_t id);
/*
 * Searches the visible row of a node's function, of the same command if there is one, in the next `n` rows from *at
 * on (0 at first). *ret: the one so far (ROWS_TOP at first). True: no more to search.
 */
bool rows_of_function(const struct rows *b, uint64_t id, size_t n, size_t *at, uint64_t *ret);
/* The CPU of a node's row; -1: several, or unknown. */
int rows_cpu(const struct rows *b, uint64_t id);
/* True if the identifying texts (not the numbers) contain the text. */
bool rows_match(const struct rows *b, uint64_t id, const char *text);

/* ---- columns ---- */

size_t rows_n_columns(const struct rows *b);
const struct ptui_column *rows_column(const struct rows *b, size_t column);
/* SIZE_MAX: no such column. */
size_t rows_find_column(const struct rows *b, const char *key);
/* Columns of the widest cell among the first hundred visible rows, without leading blanks. */
int rows_width(const struct rows *b, size_t column);
/* The longest DSO path in columns; 0: none, or no DSO column. */
int rows_path_width(const struct rows *b);

/* ---- for threads that make call trees; rows are those of the histogram ---- */

struct ptui_hist *rows_view(struct rows *b);
/*
 * The rows whose call trees are shown when all below a node is opened (ROWS_TOP: all): at most
 * rows_n_trees(), of which the i-th is PTUI_NONE if it is none.
 */
size_t rows_n_trees(const struct rows *b, uint64_t id);
uint32_t rows_tree(const struct rows *b, uint64_t id, size_t i);
/* The row whose call tree is right below a node; PTUI_NONE: none. */
uint32_t rows_own_tree(const struct rows *b, uint64_t id);
bool rows_has_tree(const struct rows *b, uint32_t row);
/* Smaller branches are omitted from the trees. */
uint64_t rows_min_period(const struct rows *b);
/* Takes ownership of the tree; frees it if it is not needed any more. */
void rows_set_tree(struct rows *b, uint32_t row, struct ptui_calltree *tree, uint64_t min_period);

#endif
