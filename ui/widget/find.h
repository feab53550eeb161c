/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searching lines with / n N: prompt, history, and messages. The searched widget keeps the text and
 * highlights matches.
 */
#ifndef WIDGET_FIND_H
#define WIDGET_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/prompt.h"
#include "widget/stack.h"
#include "widget/table.h"

#define FIND_SIZE 128	   /* length of the text, with its NUL */
#define FIND_NONE SIZE_MAX /* no line */

enum find_found {
	FIND_NOWHERE,
	FIND_HERE,
	FIND_LATER,    /* a slice was searched: call find_more() */
	FIND_GIVEN_UP, /* the user moved elsewhere, or there is no text */
};

struct find_ops {
	size_t (*count)(void *ctx); /* of lines */
	bool (*matches)(void *ctx, size_t line);
	/* Where a search begins; *ret_match: that is the last match. */
	size_t (*here)(void *ctx, bool *ret_match);
	/* Goes to a match. */
	void (*show)(void *ctx, size_t line);
	/* The text to search and to highlight; "": none. There is no match yet. */
	void (*set_text)(void *ctx, const char *text);
	/* Current position, and back to it: while typing, and on cancel. */
	uint64_t (*place)(void *ctx);
	void (*go)(void *ctx, uint64_t place);
};

struct find {
	struct stack *stack;
	const struct find_ops *ops;
	void *ctx;
	bool in_slices;	      /* of very many lines, so that keys are handled in between */
	char text[FIND_SIZE]; /* "": no search */
	unsigned timer;	      /* of an incomplete search or count; 0: none */
	bool report;	      /* report it if there is no match */
	bool typing;	      /* the prompt is open, and shows … */
	enum find_found last; /* … the last result, */
	size_t at, n;	      /* … and which match it is of how many; n 0: unknown */
	uint64_t began;	      /* position when typing began */
	struct words history;

	size_t line, left;	      /* next line, and number of lines left to check */
	int direction;		      /* 1, -1 */
	uint64_t from;		      /* position: moving elsewhere ends the search */
	size_t counted, n_found, nth; /* lines, matches in them, those up to here */
};

void find_init(struct find *f, struct stack *s, const struct find_ops *ops, void *ctx);
/* For the rows of a table. */
void find_init_table(struct find *f, struct stack *s, struct table *t);
void find_release(struct find *f);
/* Handles SEARCH, SEARCH_NEXT, SEARCH_PREV; WISH_PASS for others. */
unsigned find_request(struct find *f, enum request req);

/* ---- the search, without its prompt ---- */

/* The first match from here on, wrapping around; nothing moves if there is none. */
enum find_found find_text(struct find *f, const char *text);
/* The next (+1) or previous (-1) one. */
enum find_found find_again(struct find *f, int direction);
/* Continues after FIND_LATER. */
enum find_found find_more(struct find *f);
/* Which match this is of how many, in at and n; 0: none. False: so far not all were checked; call it again. */
bool find_count(struct find *f);

/* ---- for searched widgets ---- */

/* Copies as many whole characters as fit. */
void find_copy(char to[FIND_SIZE], const char *text);

/* ---- filters ---- */

/*
 * A list of which only the rows that match the search are shown.
 *
 *	/ text		shows matching rows while typing; cancelled, the list is as before
 *	n N		the next and the previous row
 *	ESC		shows all rows again
 */
struct filter {
	struct stack *stack;
	struct table *table; /* has the text in `search`, and `ctx`; with id */
	/* Makes the rows that match table->search; "": all. */
	void (*show)(void *ctx);
	/* May be NULL. False for headings, which a search passes over. */
	bool (*is_entry)(void *ctx, size_t row);

	/* before typing */
	char text_before[sizeof(((struct table *)0)->search)];
	uint64_t cursor_before; /* 0: no row */
	size_t top_before;
};

/* The first line of the screen: `where`, what is searched for, and the state. */
void filter_head(const struct filter *f, const struct canvas *line, const char *where,
		 const char *state, style_t style);
/* Shows the rows that match; "": all. Returns wishes; the table is recalculated later. */
unsigned filter_show(struct filter *f, const char *text);
/* SEARCH, SEARCH_NEXT, SEARCH_PREV, BACK (WISH_PASS if all are shown), and those of the table. */
unsigned filter_request(struct filter *f, enum request req);

#endif
