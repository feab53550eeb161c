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

/*
 * A long task: what is done, how far it is, and what ESC does. From the loop's thread only: a
 * worker posts (loop_post) what it has to tell.
 *
 *	┌ Loading perf.data ──────────────────────┐
 *	│ ████████████▌                    43 %   │
 *	│ ESC stops loading; what is read stays   │
 *	└─────────────────────────────────────────┘
 */
struct progress;

/* NULL: out of memory. `cancel` is called once, on ESC; the owner closes when the task has ended. */
struct progress *progress_open(struct stack *s, const char *title, const char *escape_does,
			       void (*cancel)(void *ctx), void *ctx);
/* total 0: not known, then `done` is told as it is. `what`: NULL leaves it. */
void progress_set(struct progress *p, const char *what, uint64_t done, uint64_t total);
void progress_close(struct progress *p); /* NULL ok; `p` is gone */

/* The bar alone, `width` columns: for screens that show progress in a line of their own. */
void progress_bar(const struct canvas *c, int y, int x, int width, uint64_t done, uint64_t total,
		  style_t style);

#endif
