/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searching with / n N: the prompt, its history, and what is said when nothing is found. Where the
 * text stands and what is highlighted is the searched widget's.
 */
#ifndef WIDGET_FIND_H
#define WIDGET_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/prompt.h"
#include "widget/stack.h"

#define FIND_SIZE 128	   /* bytes of what is searched, with its NUL */
#define FIND_NONE SIZE_MAX /* no line */

enum find_found {
	FIND_NOWHERE,
	FIND_HERE,
	FIND_LATER,
	FIND_GIVEN_UP, /* the person went elsewhere */
};

struct find_ops {
	/* Highlights it ("": nothing) and goes to the first place from here on. False: none. */
	bool (*search)(void *ctx, const char *text);
	/* To the next (+1) or previous (-1) one. */
	bool (*again)(void *ctx, int direction);
	/*
	 * May be NULL: then both of them look everywhere. Else what they have not found may still
	 * come: goes on for some milliseconds, and is called again while it returns FIND_LATER.
	 */
	enum find_found (*more)(void *ctx);
	/* Where the person is, and back there: while he types, and when he gives up. */
	uint64_t (*place)(void *ctx);
	void (*go)(void *ctx, uint64_t place);
};

struct find {
	struct stack *stack;
	const struct find_ops *ops;
	void *ctx;
	char text[FIND_SIZE]; /* "": nothing is searched */
	unsigned timer;	      /* while more is to be looked at; 0: nothing is */
	bool tell;	      /* when it is nowhere */
	uint64_t began;	      /* where the person was when he began to type */
	struct history history;
};

void find_init(struct find *f, struct stack *s, const struct find_ops *ops, void *ctx);
void find_release(struct find *f);
/* SEARCH, SEARCH_NEXT, SEARCH_PREV; WISH_PASS for others. */
unsigned find_request(struct find *f, enum request req);

/* ---- for those that are searched ---- */

/* `more` of a table whose rows are looked at in slices (table_search_more()). */
struct table;
enum find_found find_table_more(struct table *t);
/* As many whole characters as there is room for. */
void find_copy(char to[FIND_SIZE], const char *text);
/*
 * Looks at each of `n` lines once, from `from` on and around the end; FIND_NONE: none matches.
 */
size_t find_line(size_t n, size_t from, int direction, bool (*matches)(void *ctx, size_t i),
		 void *ctx);

#endif
