/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks for columns in a prompt. Asks for sort keys: a menu of common ones and of each key, and a prompt for any, which lists all keys
 * that apply to the event with what they are.
 */
#ifndef VIEW_BROWSER_SORT_ASK_H
#define VIEW_BROWSER_SORT_ASK_H

#include "ptui/profile.h"
#include "widget/prompt.h"
#include "widget/stack.h"

#define SORT_ASK_LINES	   96
#define SORT_ASK_LINE_SIZE 256

struct sort_ask {
	struct stack *stack;
	enum keymap map;			      /* of the screen */
	const char *(*now)(void *ctx);		      /* NULL: the default keys */
	unsigned (*set)(void *ctx, const char *keys); /* returns wishes, and shows errors */
	void *ctx;				      /* the screen */
	bool groups_only; /* only keys that identify rows; false by default */
	struct words typed, columns;
	struct ptui_event_info event; /* whose keys are offered; without its texts */
	struct ptui_profile *profile; /* a reference, for its fields; NULL: none */
	uint32_t number;	      /* of the event */
	int (*check)(void *ctx, const char *columns, struct ptui_error *err);
	unsigned (*set_columns)(void *ctx, const char *columns);
	char lines[SORT_ASK_LINES][SORT_ASK_LINE_SIZE]; /* of the menu */
	size_t n;
};

void sort_ask_init(struct sort_ask *a, struct stack *s, enum keymap map,
		   const char *(*now)(void *ctx), unsigned (*set)(void *ctx, const char *keys),
		   void *ctx);
void sort_ask_release(struct sort_ask *a);
/*
 * Opens the menu; `a` must outlive it. `event`: the one that is shown; NULL: none. `profile`: has the fields of
 * its tracepoint, event `number`; NULL: they are no keys. Returns wishes.
 */
unsigned sort_ask(struct sort_ask *a, const struct ptui_event_info *event,
		  struct ptui_profile *profile, uint32_t number);
/* Asks for columns, from `now` on, as rows_look_set_columns() takes them; a->check() and a->set_columns(). */
unsigned sort_ask_columns(struct sort_ask *a, const struct ptui_event_info *event,
			  struct ptui_profile *profile, uint32_t number, const char *now);

#endif
