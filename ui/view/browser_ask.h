/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the browser asks the person: the prompts and menus over it. */
#ifndef VIEW_BROWSER_ASK_H
#define VIEW_BROWSER_ASK_H

#include "model/browser.h"
#include "widget/prompt.h"
#include "widget/stack.h"
#include "widget/tree.h"

#define BROWSER_SORTS_MAX 32

/* Part of the browser's screen, which sets the first five, and lives longer than what it asks. */
struct browser_ask {
	struct stack *stack;
	struct browser *model;
	struct tree *tree;
	void *self;
	unsigned (*request)(void *self, enum request req); /* what the menu chose */

	struct history searched, sorted;
	size_t search_from; /* the row where the search began */
	char sorts[BROWSER_SORTS_MAX][BROWSER_SORT_MAX]; /* the lines of the menu */
	size_t n_sorts;
};

/* Does what the request asks for, if it is one that is done here, else false. */
bool browser_ask(struct browser_ask *a, enum request req);
void browser_ask_release(struct browser_ask *a);

#endif
