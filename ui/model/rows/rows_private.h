/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of rows.h.
 *
 *	rows.c		nodes and their ids, the visible rows, properties of a node
 *	rows_below.c	children: call trees, functions of a thread or CPU
 *	rows_levels.c	rows as a hierarchy
 */
#ifndef MODEL_ROWS_ROWS_PRIVATE_H
#define MODEL_ROWS_ROWS_PRIVATE_H

#include <stdatomic.h>

#include "base/hash.h"
#include "model/rows/rows.h"

#define NONE	    PTUI_NONE
#define ROWS_TABLES 256
#define ROWS_BLOCK  2048 /* nodes */

/* Nodes have indices and never move; the children of a node have contiguous ones. */
struct node {
	uint64_t id;  /* ROWS_TOP: not asked for yet */
	uint32_t row; /* of the histogram; of a hierarchy, the first one below */
	/*
	 * Node of the row's call tree, or row of its functions; NONE: the row itself, or a note.
	 */
	uint32_t call;
	uint32_t
		frame; /* index of that node's function; of a row or level of a hierarchy: its node */
	uint32_t first_child, n_children; /* valid when made */
	uint8_t kind;
	bool head; /* a frame that shows its call tree's percentage */
	bool made;
	bool hidden; /* a row below the limit */
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
	/*
	 * With it, rows of the source (which is these rows) are its nodes, and the last column has the texts
	 * of all sort keys.
	 */
	struct ptui_hierarchy *levels; /* NULL: no hierarchy */
	struct ptui_column *columns;   /* of that */
	size_t *measures;	       /* columns of the histogram, by such a column */
	size_t n_measures;
	char title[256]; /* of the last one */
	struct rows_opts opts;
	uint64_t total, min_period; /* of a branch */
	size_t symbol, dso;	    /* columns of functions and DSOs; SIZE_MAX: none */
	int path_width;

	uint32_t *all;	   /* all rows of the source at depth 0, as counted */
	uint64_t *periods; /* of these, if there is a histogram */
	uint32_t *shown;   /* the visible ones in their order: indices of `all` */
	uint32_t *places;  /* the other way round: by index of `all`, if visible */
	size_t n_all, n_rows;

	/* Nodes, those of `all` first: in blocks, since moving millions takes longer than a key should. */
	struct node **blocks;
	size_t n_nodes, n_blocks, cap_blocks;
	size_t hint;		  /* the last returned node: usually queried next */
	struct index_table index; /* by id: of `all` */
	/* … and of the other nodes: only one of the tables grows at once, which delays no key */
	struct index_table index_below[ROWS_TABLES];
	struct below *below; /* by row of the histogram … */
	size_t n_below;	     /* … of which there are so many */
	size_t n_made;	     /* of which have something */
	bool incomplete;     /* children are missing, for lack of memory */
	bool deferred;	     /* or because rows_make() was not called for them */
	uint64_t revision;   /* see rows_revision() */
};

static inline struct node *rows_node(const struct rows *b, size_t i)
{
	return &b->blocks[i / ROWS_BLOCK][i % ROWS_BLOCK];
}

void rows_changed(struct rows *b); /* after nodes came or went */

uint64_t rows_hash(uint64_t hash, const char *text);
/* A frame of a call tree: its function, and what else the tree knows of it. */
void rows_frame_text(const struct ptui_calltree *t, uint32_t call, uint32_t frame, char *buf,
		     size_t size);
/* A row or a level of a hierarchy. */
static inline bool rows_is_entry(const struct node *n)
{
	return n->kind == ROWS_ROW || n->kind == ROWS_LEVEL;
}

/* The row of the source of such a node, and the other way round. */
static inline uint32_t rows_source_row(const struct rows *b, const struct node *n)
{
	return b->levels ? n->frame : n->row;
}

struct node rows_entry(const struct rows *b, uint32_t row, enum rows_kind kind);

bool rows_is_visible(const struct rows *b, uint32_t row);
/* Sorts rows of the source; `v`: indices of `all`, or (NULL) the rows. 0 or -ENOMEM. */
int rows_sort(const struct rows *b, const uint32_t *all, uint32_t *v, size_t n);

/* rows_levels.c */
/* Makes a hierarchy of the histogram. Returns the rows at depth 0, to be freed; NULL with err set. */
uint32_t *rows_levels_make(struct rows *b, size_t *ret_n, struct ptui_error *err);
void rows_levels_release(struct rows *b);
/* The visible ones right below a node, sorted; to be freed. NULL: out of memory. */
uint32_t *rows_levels_below(const struct rows *b, uint32_t node, size_t *ret_n);
/* Index of a column of the histogram with a sort key that a node of the source has; SIZE_MAX: none. */
size_t rows_levels_column(const struct rows *b, uint32_t node, const char *key);

/* NULL: unknown id. */
struct node *rows_find(const struct rows *b, uint64_t id);
/* Adds a node, which gets its id later. 0 or -ENOMEM. */
int rows_add(struct rows *b, const struct node *like);
/*
 * Gives the i-th node an id. If an earlier node has it (static functions of one name), derives the next
 * id from it. 0 or -ENOMEM.
 */
int rows_set_id(struct rows *b, uint32_t i, uint64_t id);
/* Index of a node at depth 0; PTUI_NONE: unknown id, hidden, or deeper. */
uint32_t rows_top_find(const struct rows *b, uint64_t id);
/* "[.] main" is the function main; "" without that mark. */
const char *rows_unmarked(const char *cell);
/* Cells of a histogram by name; "": no such column. Returns buf. */
const char *rows_hist_cell(const struct ptui_hist *h, size_t row, const char *key, char *buf,
			   size_t size);

#endif
