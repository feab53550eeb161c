/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree in a table: rows with children that open in place.
 *
 *	-   71.32 %  cc1   cc1   main			depth 0: has the table's columns
 *	   - 70.01 % do_compile				deeper: one line of text, indented
 *	   │  + 48.11 % symbol_table::compile
 *	   │    21.90 % c_parse_file			no children
 *	   +  1.20 % finalize				the line led to the next of its level
 *	+   12.02 %  cc1   cc1   ggc_alloc
 *
 * Every node has an id of 64 bits that stays the same when the facts are refreshed (a hash of what
 * it stands for, not an index): the cursor and what is open follow the id. The children of a node
 * are asked for when it is opened, not before.
 */
#ifndef WIDGET_TREE_H
#define WIDGET_TREE_H

#include "widget/table.h"

#define TREE_TOP 0u /* the id above all rows; no node has it */

/* No tree grows past so many rows; opening more than that stops there. */
#define TREE_ROWS_MAX 4000000u

struct tree_ops {
	/* The children of a node; of TREE_TOP, the rows at depth 0. */
	size_t (*count)(void *ctx, uint64_t node);
	uint64_t (*child)(void *ctx, uint64_t node, size_t i);
	/* Has it any? Cheap: asked for every row that is drawn. */
	bool (*opens)(void *ctx, uint64_t node);
	/* A cell of a row at depth 0, as in a table. */
	const char *(*cell)(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			    style_t *style);
	/*
	 * The text of a deeper row, as of a cell. `ret_head` may be set to a text that stands
	 * before it in a style of its own: "71.20 %".
	 */
	const char *(*label)(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
			     char *head, size_t head_size, style_t *head_style);
	/* May be NULL: then search looks into the cells and labels of the rows that are there. */
	bool (*matches)(void *ctx, uint64_t node, const char *text);
};

struct tree_row;
struct gather;

struct tree {
	struct table table; /* columns, header, cursor, search: use table_… on it */
	const struct tree_ops *ops;
	void *ctx;
	struct tree_row *rows; /* what is open, in the order it is seen */
	size_t n_rows, room;
	struct tree_ids *open;
	struct gather *expanding; /* all, in slices; NULL: nothing is */
	bool full;		  /* TREE_ROWS_MAX was reached */
	uint64_t lines;		  /* while it is drawn: levels whose line goes on, by bit */
};

/* 0 or -ENOMEM. */
int tree_init(struct tree *t, const struct tree_ops *ops, void *ctx);
void tree_release(struct tree *t);

/*
 * The facts changed: asks for the nodes again; what was open stays open, the cursor stays on its
 * node, or on the nearest parent that is still there. 0 or -ENOMEM.
 */
int tree_recalc(struct tree *t);
void tree_draw(struct tree *t, const struct canvas *c);

/*
 * Knows what a table knows, and: OPEN and TOGGLE (one level), EXPAND_ENTRY (a toggle),
 * COLLAPSE_ENTRY, EXPAND_ALL, COLLAPSE_ALL.
 */
unsigned tree_request(struct tree *t, enum request req);
unsigned tree_mouse(struct tree *t, const struct term_event *e);

/* The node of a row, and its depth: 0 … table.n_rows - 1, what is open in the order it is seen. */
uint64_t tree_node(const struct tree *t, size_t row);
int tree_depth(const struct tree *t, size_t row);
/*
 * EXPAND_ALL for very many rows: begin, then a step of some nanoseconds between the keys, until it
 * returns 0 (all is open) or a negative error; 1: there is more. What is shown stays until then;
 * what opens or closes rows ends it, and so does tree_recalc().
 */
int tree_expand_begin(struct tree *t);
int tree_expand_step(struct tree *t, uint64_t ns, size_t *ret_rows);
void tree_expand_end(struct tree *t);

/* The node under the cursor, TREE_TOP when there are no rows. */
uint64_t tree_cursor(const struct tree *t);
bool tree_is_open(const struct tree *t, uint64_t node);
/* Opens or closes it; the rows change at once. 0 or -ENOMEM. */
int tree_set_open(struct tree *t, uint64_t node, bool open);

#endif
