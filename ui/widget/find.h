/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searching with / n N: prompt, history, and messages. The searched widget keeps the text and
 * highlights matches.
 */
#ifndef WIDGET_FIND_H
#define WIDGET_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/prompt.h"
#include "widget/stack.h"

#define FIND_SIZE 128	   /* length of the text, with its NUL */
#define FIND_NONE SIZE_MAX /* no line */

enum find_found {
	FIND_NOWHERE,
	FIND_HERE,
	FIND_LATER,
	FIND_GIVEN_UP, /* the user moved elsewhere */
};

struct table;

struct find_ops {
	/* Highlights the text ("": nothing) and goes to the first match from here. False: none. */
	bool (*search)(void *ctx, const char *text);
	/* To the next (+1) or previous (-1) match. */
	bool (*again)(void *ctx, int direction);
	/* May be NULL. Of how many matches this is which one; false: call it again, as `more`. */
	bool (*count)(void *ctx, size_t *ret_at, size_t *ret_n);
	/*
	 * May be NULL: then search and again look everywhere. Else continues an incomplete search
	 * for some milliseconds; called again while it returns FIND_LATER.
	 */
	enum find_found (*more)(void *ctx);
	/* Current position, and back to it: while typing, and on cancel. */
	uint64_t (*place)(void *ctx);
	void (*go)(void *ctx, uint64_t place);
};

struct find {
	struct stack *stack;
	const struct find_ops *ops;
	void *ctx;
	char text[FIND_SIZE]; /* "": no search */
	unsigned timer;	      /* of an incomplete search or count; 0: none */
	bool report;	      /* report it if there is no match */
	bool typing;	      /* the prompt is open, and shows … */
	enum find_found last; /* … the last result, */
	size_t at, n;	      /* … and which match it is of how many; n 0: unknown */
	uint64_t began;	      /* position when typing began */
	struct history history;
};

void find_init(struct find *f, struct stack *s, const struct find_ops *ops, void *ctx);
/* For the rows of a table. */
void find_init_table(struct find *f, struct stack *s, struct table *t);
void find_release(struct find *f);
/* Handles SEARCH, SEARCH_NEXT, SEARCH_PREV; WISH_PASS for others. */
unsigned find_request(struct find *f, enum request req);

/* ---- for searched widgets ---- */

/* "3 of 17", or "not found" if there are none. */
void find_count_text(size_t at, size_t n, char *buf, size_t size, style_t *style);

/* Copies as many whole characters as fit. */
void find_copy(char to[FIND_SIZE], const char *text);
/* Checks each of `n` lines once, from `from` on, wrapping around; FIND_NONE: no match. */
size_t find_line(size_t n, size_t from, int direction, bool (*matches)(void *ctx, size_t i),
		 void *ctx);

#endif
