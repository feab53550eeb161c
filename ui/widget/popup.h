/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Popups: messages, questions, menus. Each is a screen of its own on the stack and frees itself. The
 * functions return wishes, and report a lack of memory in the last line.
 */
#ifndef WIDGET_POPUP_H
#define WIDGET_POPUP_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/error.h"
#include "widget/stack.h"

/* A message, scrollable; Enter, ESC, q or a click outside closes it. `text` NULL: out of memory. */
unsigned popup_message(struct stack *s, const char *title, const char *text);

#define POPUP_TEXT_MAX 2048

/* The same for a text that changes: `text_of` writes it at each draw. Closes before the screen of `ctx`. */
unsigned popup_message_of(struct stack *s, const char *title,
			  void (*text_of)(void *ctx, char *buf, size_t size), void *ctx);

struct menu_item {
	const char *text; /* translated; copied */
	int key;	  /* key that selects it, 0: none; shown before the text */
	bool off;	  /* dim, cannot be selected: the text says why */
	bool current;	  /* marked; the cursor starts here */
};

#define POPUP_ACTIONS_MAX 4

/*
 * A message with actions below the text, each with a key, which stay visible when it scrolls.
 * `chosen` is called after it has closed, with the index of the action; not if it is closed without
 * one. Returns wishes for the screen below.
 */
unsigned popup_message_with(struct stack *s, const char *title, const char *text,
			    const struct menu_item *actions, size_t n,
			    unsigned (*chosen)(void *ctx, int index), void *ctx);
/* An error as a message: text and hint; without memory only its text, in the last line. */
unsigned popup_error(struct stack *s, const struct ptui_error *err);

/*
 * A centred frame for `h` lines of `w` columns, clipped to the screen; returns its inside. The last
 * line of the screen stays free for hints.
 */
struct canvas popup_frame(const struct canvas *c, const char *title, int h, int w);

/*
 * A list to choose from. `chosen` is called after the menu has closed, with the index, or -1 if
 * cancelled. Returns wishes for the screen below.
 */
unsigned popup_menu(struct stack *s, const char *title, const struct menu_item *items, size_t n,
		    unsigned (*chosen)(void *ctx, int index), void *ctx);

/*
 * A question with two answers; `answered` gets true for y, a click on yes, or Enter on it. ESC is
 * no.
 */
unsigned popup_ask(struct stack *s, const char *question, const char *yes, const char *no,
		   unsigned (*answered)(void *ctx, bool yes), void *ctx);

#endif
