/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of which only the rows that match the search are shown.
 *
 *	/ text		shows matching rows while typing; cancelled, the list is as before
 *	n N		the next and the previous row
 *	ESC		shows all rows again
 */
#ifndef WIDGET_FILTER_H
#define WIDGET_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/stack.h"
#include "widget/table.h"

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
