/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the Browser, Live and Compare have in common: a tree of rows (model/rows), its columns, and
 * the requests that change how rows are counted and shown. A screen has a struct rows_view and a
 * table of functions.
 *
 *	key -> screen's request() -> rows_view_request() -> look changed -> ops->changed()
 *	rows made -> rows_view_set_rows() -> the tree: cursor, open rows and search stay
 *
 *	rows_view.c	requests, the mouse, boxes, tabs in the first line
 *	rows_tree.c	nodes as text, columns
 *	rows_walk.c	printing, and the search for a row, in slices
 *	rows_ask.c	prompts, the menu, messages
 */
#ifndef VIEW_ROWS_ROWS_VIEW_H
#define VIEW_ROWS_ROWS_VIEW_H

#include <stdio.h>

#include "model/rows/rows_tabs.h"
#include "view/annotate/annotate.h"
#include "view/butterfly/butterfly.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/prompt.h"
#include "widget/tree.h"

#define ROWS_MENU_MAX  40
#define ROWS_JUMPS_MAX 64	/* that can be undone */
#define ROWS_OWN_MAX   4	/* columns that are not the rows' */
#define ROWS_HIDE_MAX  6	/* lines of the menu of what to hide */
#define ROWS_SLICE_NS  4000000u /* of opening, printing and searching rows, between keys */

/* The width of a sort key's column. */
struct rows_room {
	const char *key;
	int least, most; /* bounds of the preferred width; most 0: none */
	int min;	 /* minimum width, as in table_column */
	int hide;	 /* order of hiding if even these do not fit */
};

struct rows_view;

struct rows_view_ops {
	/* Those of the screen: its title and keys are the menu's, whose lines are its requests. */
	const struct screen_ops *screen;
	const enum request *menu;      /* its lines, terminated by REQ_NONE */
	const struct rows_room *rooms; /* terminated by key NULL */
	const struct rows_room *other; /* of other keys; NULL: as wide as needed */
	/* Columns only grow, so that nothing moves while rows are counted again all the time. */
	bool grows;

	/*
	 * Returns wishes. The look or the tab changed: makes the rows if they do not match. NULL, with tabs:
	 * they are counted in a thread, by a job.
	 */
	unsigned (*changed)(void *screen);
	/* The next job of the tabs for a worker, whose done() is rows_view_counted(). NULL: out of memory. */
	void *(*job)(void *screen);
	const struct worker_ops *counting_ops;
	/* Only limits or order changed. NULL: rows_view_changed(). */
	unsigned (*shown)(void *screen);
	/* The event whose rows are shown; NULL: none. */
	const struct ptui_event_info *(*event)(void *screen);
	/* Lines above printed rows, each with "# ". */
	void (*print_head)(void *screen, FILE *out);

	/* What a copied row must not be read without; "": nothing. Returns buf. May be NULL. */
	const char *(*copy_note)(void *screen, char *buf, size_t size);

	/* For rows_view_draw_screen(): the line above the rows, what is shown without rows, the note. */
	void (*draw_info)(void *screen, const struct canvas *c);
	void (*draw_empty)(void *screen, const struct canvas *c);
	void (*draw_note)(void *screen, const struct canvas *c);

	/*
	 * Which samples of the function of a node are annotated, and what a probe of it leads to: all of *ret
	 * but the function. ret->profile is a reference for the caller; NULL: there are no samples yet.
	 * ROWS_TOP: of any node.
	 */
	void (*code)(void *screen, uint64_t node, struct annotate_opts *ret);

	/* The rest may be NULL. Which samples of a node's function the Butterfly counts. */
	void (*butterfly)(void *screen, uint64_t node, struct butterfly_opts *ret);
	/* Columns that are not the rows'; returns their number. */
	size_t (*own)(void *screen, struct table_column ret[ROWS_OWN_MAX]);
	const char *(*own_cell)(void *screen, uint64_t node, size_t own, char *buf, size_t size,
				style_t *style);
	/* Sorts by such a column. Returns wishes; WISH_PASS: not by this one. */
	unsigned (*own_order)(void *screen, size_t own);
	const char *(*column_title)(void *screen, const struct ptui_column *column);
	void (*sorted)(void *screen); /* sort keys or columns were chosen; changed() follows */
	/* The profile of the rows, and the number of the event. */
	struct ptui_profile *(*profile)(void *screen, uint32_t *ret_event);
	/* True: what these sort keys and columns need is loaded first; then the look gets them. */
	bool (*loads)(void *screen, const struct rows_look *wanted);
	/* The text of a cell, if it is not the rows'; NULL: it is. `column`: of the rows. */
	const char *(*text)(void *screen, uint64_t node, const struct ptui_column *column,
			    char *buf, size_t size);
};

/* Lines of a screen of rows, from the top. */
enum { ROWS_INFO, ROWS_BODY, ROWS_RULE, ROWS_NOTES, ROWS_BOXES };

/* What can be sorted by, as it was asked for last. */
#define ROWS_SORT_LINES 96
struct rows_sort {
	struct words typed, columns;
	struct ptui_event_info event;	    /* whose keys are offered; without its texts */
	struct ptui_profile *profile;	    /* a reference, for its fields; NULL: none */
	uint32_t number;		    /* of the event */
	const char *lines[ROWS_SORT_LINES]; /* of the menu */
	size_t n;
};

/* What samples were chosen by last. */
#define ROWS_ONLY_WAYS 9
struct rows_asked_only {
	const struct only_way *ways[ROWS_ONLY_WAYS], *way; /* of the menu, and the one chosen */
	struct words typed[ROWS_ONLY_WAYS];		   /* by way */
};

/* A walk over all rows, in slices between keys: the next request ends it. */
struct rows_walk {
	bool (*step)(
		struct rows_view *v); /* a part of it; true: that was the last one. NULL: no walk */
	unsigned timer;		      /* of the next slice */
	const struct rows *rows;      /* that it began with, … */
	uint64_t revision;	      /* … and theirs */
	size_t at, n;		      /* next row, and all of them */
	int percent;		      /* as drawn */
	FILE *out;		      /* printed to; NULL: a function is searched */
	char path[64];
	uint64_t node, found; /* the function's, and its row so far */
};

struct rows_view {
	struct stack *stack;
	const struct rows_view_ops *ops;
	void *screen;
	struct rows_look *look; /* the screen's */
	struct rows_tabs *tabs; /* NULL: none */
	struct rows *rows;	/* the screen's; NULL: none yet */
	uint64_t rows_revision; /* of those in the tree */

	struct tree tree;
	int from[TABLE_COLUMNS_MAX]; /* by column of the table: of the rows, or -1 - own */
	int grown[TABLE_COLUMNS_MAX];
	uint64_t grown_for;  /* hash of the columns of `grown` */
	bool to_top;	     /* the new rows have another order: scroll to the top */
	uint64_t columns_id; /* of the columns that the cells are read from */
	int drawn_w;
	int columns_w;	 /* width that the columns were made for; 0: make them again */
	int own_sort;	 /* the own column that rows are sorted by, as in `from`; 0: none */
	size_t name;	 /* column of the rows: of functions, or the last */
	int name_w;	 /* its width, as laid out; 0: it is not shortened */
	bool modules;	 /* next to functions in callchains */
	bool paths;	 /* of DSOs instead of names */
	bool full_names; /* of functions, with their middle */

	struct find find;
	struct rows_sort sort;
	struct words filtered;
	enum request menu[ROWS_MENU_MAX];	 /* requests of its lines */
	char hide[ROWS_HIDE_MAX][ROWS_TEXT_MAX]; /* patterns of the menu of what to hide */
	struct rows_asked_only only;
	struct words hidden;
	uint64_t menu_node;		 /* its row, which may be gone when a line is chosen */
	bool from_menu;			 /* the request was chosen there */
	uint64_t jumped[ROWS_JUMPS_MAX]; /* nodes that were left by a jump, the last one last */
	size_t n_jumped;
	struct worker *counting; /* NULL: none */
	bool asked;		 /* for a request, not for newer samples only */
	struct rows_walk walk;

	struct box boxes[ROWS_BOXES];
	int tabs_x, tabs_w; /* in the first line, at the last draw */
};

/* `flat`: rows never open. 0 or -ENOMEM. */
int rows_view_init(struct rows_view *v, struct stack *s, const struct rows_view_ops *ops,
		   void *screen, bool flat);
void rows_view_release(struct rows_view *v);

/* The rows changed or were replaced; call it before the old ones are freed. */
void rows_view_set_rows(struct rows_view *v, struct rows *rows);
/* The look changed. Returns wishes. */
unsigned rows_view_changed(struct rows_view *v);
unsigned rows_view_shown(struct rows_view *v); /* only limits or order */
/* WISH_PASS: not handled. */
unsigned rows_view_request(struct rows_view *v, enum request req);
/* The node of a request: under the cursor, or of the menu. */
uint64_t rows_view_node(const struct rows_view *v);
/* Annotates the hottest function with this name; NULL: of all. Returns wishes. */
unsigned rows_view_annotate(struct rows_view *v, const char *symbol);
/* Whether shared requests do something, for rows with callchains or not. */
bool rows_view_can(const struct rows_view *v, enum request req, bool has_chains);
/* Whether a request does nothing where there are no rows. */
bool rows_view_needs_rows(enum request req);
void rows_view_draw(struct rows_view *v, const struct canvas *c);

/* ---- rows that are counted in a thread ---- */

/* Starts counting if needed, unless a job is running: its end calls this again. */
void rows_view_count(struct rows_view *v);
/* A job is done, and the screen has its rows. */
void rows_view_counted(struct rows_view *v);

/* ---- a screen of rows: info above, a note below ---- */

/* Draws the tabs into the first line. Returns what is left of them. */
struct canvas rows_view_draw_tabs(struct rows_view *v, const struct canvas *line);

/* For struct screen_ops of a screen that begins with its struct rows_view. */
void rows_view_draw_screen(void *view, const struct canvas *c);
unsigned rows_view_mouse(void *view, const struct term_event *e);
/* Returns wishes. */
unsigned rows_view_show_tab(struct rows_view *v, size_t tab);
unsigned rows_view_head_mouse(void *view, const struct term_event *e); /* a click on a tab */

/* ---- rows_ask.c ---- */

/* Prompts for the limit, the filter and sort keys; the menu. WISH_PASS: none of these. */
unsigned rows_view_ask(struct rows_view *v, enum request req);
/* Returns WISH_REDRAW. */
unsigned rows_view_say_error(struct rows_view *v, const struct ptui_error *err);
/* For screens above: shows the functions of this DSO only. False: that failed, and was reported. */
bool rows_view_zoom_dso(struct rows_view *v, const char *dso);
/* What the request zooms into; ROWS_ZOOMS: nothing. */
enum rows_zoom rows_view_zoom(enum request req);

/* ---- rows_only.c ---- */

/* A menu of what samples can be chosen by, and a prompt for it. Returns wishes. */
unsigned rows_only_ask(struct rows_view *v);
void rows_only_release(struct rows_asked_only *a);

/* ---- rows_sort.c ---- */

/* Opens a menu of sort keys, or a prompt for columns. Returns wishes. */
unsigned rows_sort_ask(struct rows_view *v);
unsigned rows_sort_ask_columns(struct rows_view *v);
void rows_sort_release(struct rows_sort *a);

/* ---- rows_tree.c ---- */

extern const struct tree_ops rows_tree_ops; /* ctx: the view */
void rows_view_set_columns(struct rows_view *v, int width);
/* Of the names of the columns of @v's rows. */
uint64_t rows_view_columns_id(const struct rows_view *v);
/* A click on the title of a column of the table sorts by it. Returns wishes. */
unsigned rows_view_order_by(struct rows_view *v, size_t column);
/* The text of a cell without regard to the width of the screen. `ctx`: the view. */
const char *rows_view_whole_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
				 style_t *style);

/* ---- rows_walk.c ---- */

/* Writes the visible rows as text to the next perf.hist.N. Returns wishes. */
unsigned rows_view_print(struct rows_view *v);
/* Searches the row of a node's function, then calls rows_view_jump_to(). Returns wishes. */
unsigned rows_walk_jump(struct rows_view *v, uint64_t node);
/* True: there was one. What was printed is removed. */
bool rows_walk_stop(struct rows_view *v);
/* "printing… 43%"; "": no walk. Returns buf. */
const char *rows_walk_text(const struct rows_view *v, char *buf, size_t size);
/* Moves to a row that was found (ROWS_TOP: none) for a node. In rows_view.c. */
void rows_view_jump_to(struct rows_view *v, uint64_t row, uint64_t node);

#endif
