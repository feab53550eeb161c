/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree in a table: rows with children that open in place.
 *
 *	-   71.32 %  cc1   cc1   main			depth 0: has the table's columns
 *	   - 70.01 % do_compile				deeper: one line of text, indented
 *	   │  + 48.11 % symbol_table::compile
 *	   │    21.90 % c_parse_file			no children
 *	   +  1.20 % finalize				connected to the next one of its level
 *	+   12.02 %  cc1   cc1   ggc_alloc
 *
 * Each node has a 64-bit id that is stable across refreshes (a hash of its content, not an index):
 * the cursor and open nodes are tracked by id. The children of a node are queried when it is
 * opened.
 */
#ifndef WIDGET_TREE_H
#define WIDGET_TREE_H

#include "widget/table.h"

#define TREE_TOP 0u /* id of the root, not used by any node */

/* Limit of a tree; opening more stops there. */
#define TREE_ROWS_MAX 4000000u

struct tree_ops {
	/* The children of a node; for TREE_TOP, the rows at depth 0. */
	size_t (*count)(void *ctx, uint64_t node);
	/* TREE_TOP: out of memory. Those at depth 0 are asked for whenever they are needed. */
	uint64_t (*child)(void *ctx, uint64_t node, size_t i);
	/*
	 * May be NULL, if looking at all rows is fast enough: the index of a row at depth 0; SIZE_MAX: it is
	 * none.
	 */
	size_t (*find)(void *ctx, uint64_t node);
	/* True if it has children. Must be cheap: called for every visible row. */
	bool (*opens)(void *ctx, uint64_t node);
	/* A cell of a row at depth 0, as in a table. */
	const char *(*cell)(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			    style_t *style);
	/*
	 * The text of a deeper row, as for a cell. `ret_head` may be set to a prefix with its own
	 * style: "71.20 %".
	 */
	const char *(*label)(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
			     char *head, size_t head_size, style_t *head_style);
	/* True if the row contains the text. */
	bool (*matches)(void *ctx, uint64_t node, const char *text);
};

struct tree_part;
struct tree_ids;
struct opening;

struct tree {
	struct table table; /* columns, header, cursor, search: use table_… on it */
	const struct tree_ops *ops;
	void *ctx;
	bool elide; /* labels without their middle, where they are too wide */
	/*
	 * Millions of rows at depth 0 cost nothing, since they are the caller's. Kept are the rows below the
	 * open ones, a part for each:
	 *
	 *	row 0  top 0
	 *	row 1  top 1	open
	 *	row 2	 .	part: top 1, first 2, 2 rows
	 *	row 3	 .
	 *	row 4  top 2
	 */
	size_t n_top, n_parts, room;
	struct tree_part *parts; /* in display order */
	size_t n_rows;		 /* all */
	size_t hint;		 /* where the cursor's node is looked for first */
	struct tree_ids *open;
	struct opening *opening; /* opening one or many, in slices; NULL: not in progress */
	/*
	 * What a request opens may take this long, then tree_expand_step() continues: the caller looks at
	 * `opening` after requests. 0: any time.
	 */
	uint64_t slice_ns;
	/* Frees in a thread; NULL: at once. */
	void (*put_away)(void (*release)(void *what), void *what);
	bool asks;	/* a click on a sign is WISH_OPEN, for the caller's request */
	bool full;	/* TREE_ROWS_MAX was reached */
	bool flat;	/* rows never open: there is no room for signs */
	uint64_t lines; /* while drawing: bits of levels with a connecting line */
};

/* 0 or -ENOMEM. */
int tree_init(struct tree *t, const struct tree_ops *ops, void *ctx);
void tree_release(struct tree *t);

/*
 * After a change: queries the nodes again; open nodes stay open, the cursor stays on its node or
 * moves to the nearest remaining ancestor. 0 or -ENOMEM.
 */
int tree_recalc(struct tree *t);
void tree_draw(struct tree *t, const struct canvas *c);

/*
 * Handles a table's requests, and: OPEN and TOGGLE (one level), EXPAND_ENTRY (a toggle),
 * COLLAPSE_ENTRY, EXPAND_ALL, COLLAPSE_ALL.
 */
unsigned tree_request(struct tree *t, enum request req);
unsigned tree_mouse(struct tree *t, const struct term_event *e);

/* Node and depth of a row: 0 … table.n_rows - 1, in display order. */
uint64_t tree_node(const struct tree *t, size_t row);
int tree_depth(const struct tree *t, size_t row);
/*
 * EXPAND_ALL for very many rows: begin, then steps of `ns` between keys, until one returns 0 (all
 * open) or a negative error; 1: more to do. The visible rows stay unchanged until then; opening or
 * closing rows aborts it, and so does tree_recalc().
 */
int tree_expand_begin(struct tree *t);
int tree_expand_step(struct tree *t, uint64_t ns, size_t *ret_rows);
void tree_expand_end(struct tree *t);
/*
 * The same for very many open nodes, of other rows: closes all without touching the rows, then (when tree_recalc()
 * got the other ones) begins to open them again. The cursor goes back to `cursor` at the end unless it was moved.
 */
struct tree_ids *tree_take_open(struct tree *t); /* NULL: out of memory */
int tree_reopen_begin(struct tree *t, struct tree_ids *open, uint64_t cursor); /* owns `open` */
/* The open nodes, or those that are being opened again; valid until the next change. */
const uint64_t *tree_open_nodes(const struct tree *t, size_t *ret_n);
/* The first row from `row` on, at a depth less than `depth`, that has rows below it; SIZE_MAX: none. */
size_t tree_next_open(const struct tree *t, size_t row, int depth);

/* The node under the cursor, TREE_TOP if there are no rows. */
uint64_t tree_cursor(const struct tree *t);
/* The row at depth 0 that it is below, or is. */
uint64_t tree_cursor_entry(const struct tree *t);
/* The cells, or the label, of the row under the cursor, separated by blanks. Returns buf. */
char *tree_cursor_text(const struct tree *t, char *buf, size_t size);
bool tree_is_open(const struct tree *t, uint64_t node);
/* Opens or closes it at once. 0 or -ENOMEM. */
int tree_set_open(struct tree *t, uint64_t node, bool open);

#endif
