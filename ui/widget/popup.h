/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What floats over a screen: messages, menus, progress. The only things with a frame. Each is a
 * screen of its own on the stack, frees itself, and gives back the focus when it goes; a progress
 * is freed by its owner.
 */
#ifndef WIDGET_POPUP_H
#define WIDGET_POPUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/error.h"
#include "widget/stack.h"

/*
 * A text to be read, scrolls when it is long; Enter, ESC, q or a click beside it closes it. 0 or
 * -ENOMEM.
 */
int popup_message(struct stack *s, const char *title, const char *text);
/* An error as a message: the sentence, and what can be done. */
int popup_error(struct stack *s, const struct ptui_error *err);

struct menu_item {
	const char *text; /* translated; copied */
	int key;	  /* a character that chooses it, 0: none; shown before the text */
	bool off;	  /* shown dim, cannot be chosen: the text says why */
	bool current;	  /* marked, and where the cursor starts */
};

/*
 * A list to choose from. `chosen` gets the index, or -1 for left without a choice; the menu is
 * closed already. Returns wishes for the screen below. 0 or -ENOMEM.
 */
int popup_menu(struct stack *s, const char *title, const struct menu_item *items, size_t n,
	       unsigned (*chosen)(void *ctx, int index), void *ctx);

/*
 * A question with two answers; `answered` gets true for y, a click on it or Enter on yes. ESC is
 * no. 0 or -ENOMEM.
 */
int popup_ask(struct stack *s, const char *question, const char *yes, const char *no,
	      unsigned (*answered)(void *ctx, bool yes), void *ctx);

#endif
