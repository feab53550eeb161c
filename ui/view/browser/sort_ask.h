/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks for sort keys: a menu of common keys, and a prompt for others. */
#ifndef VIEW_BROWSER_SORT_ASK_H
#define VIEW_BROWSER_SORT_ASK_H

#include "widget/prompt.h"
#include "widget/stack.h"

#define SORT_ASK_LINES	   32
#define SORT_ASK_LINE_SIZE 256

struct sort_ask {
	struct stack *stack;
	const char *(*now)(void *ctx);		      /* NULL: the default keys */
	unsigned (*set)(void *ctx, const char *keys); /* returns wishes, and shows errors */
	void *ctx;
	struct history typed;
	char lines[SORT_ASK_LINES][SORT_ASK_LINE_SIZE]; /* of the menu */
	size_t n;
};

void sort_ask_init(struct sort_ask *a, struct stack *s, const char *(*now)(void *ctx),
		   unsigned (*set)(void *ctx, const char *keys), void *ctx);
void sort_ask_release(struct sort_ask *a);
/* Opens the menu; `a` must outlive it. 0 or -ENOMEM. */
int sort_ask(struct sort_ask *a);

#endif
