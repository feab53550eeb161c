/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks for sort keys: a menu of common ones and of each key, and a prompt for any, which lists all keys
 * that apply to the event with what they are.
 */
#ifndef VIEW_BROWSER_SORT_ASK_H
#define VIEW_BROWSER_SORT_ASK_H

#include "ptui/profile.h"
#include "widget/prompt.h"
#include "widget/stack.h"

#define SORT_ASK_LINES	   48
#define SORT_ASK_LINE_SIZE 256

struct sort_ask {
	struct stack *stack;
	enum keymap map;			      /* of the screen */
	const char *(*now)(void *ctx);		      /* NULL: the default keys */
	unsigned (*set)(void *ctx, const char *keys); /* returns wishes, and shows errors */
	void *ctx;				      /* the screen */
	bool groups_only; /* only keys that identify rows; false by default */
	struct history typed;
	struct ptui_event_info event; /* whose keys are offered; without its texts */
	char lines[SORT_ASK_LINES][SORT_ASK_LINE_SIZE]; /* of the menu */
	size_t n;
};

void sort_ask_init(struct sort_ask *a, struct stack *s, enum keymap map,
		   const char *(*now)(void *ctx), unsigned (*set)(void *ctx, const char *keys),
		   void *ctx);
void sort_ask_release(struct sort_ask *a);
/* Opens the menu; `a` must outlive it. `event`: the one that is shown; NULL: none. Returns wishes. */
unsigned sort_ask(struct sort_ask *a, const struct ptui_event_info *event);

#endif
