/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line that is asked for until it is right.
 *
 *	┌───────────────────────────────────────┐
 *	│ no tracepoint is called 'sched:swich' │	what was refused, or the ways to go on
 *	│ did you mean sched:sched_switch?      │
 *	└───────────────────────────────────────┘
 *	event: sched:swich▏				what was typed stays, to be mended
 */
#ifndef VIEW_SETUP_SETUP_ASK_H
#define VIEW_SETUP_SETUP_ASK_H

#include "model/setup/setup_words.h"
#include "widget/prompt.h"
#include "widget/stack.h"

struct setup_question {
	const char *label;	 /* translated; copied */
	const char *line;	 /* what stands there first; NULL: nothing */
	const char *note;	 /* stands above it at first, dim; copied; NULL: nothing does */
	struct history *history; /* may be NULL */
	/* What the word that ends at `at` may become: model/setup_complete.h. May be NULL. */
	int (*ways)(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways);
	/* What is wrong with the line so far, told as one types; may be NULL. Quick. */
	int (*judge)(void *ctx, const char *line, struct ptui_error *err);
	/* Takes the line, or says what is wrong with it: then it is asked for again. */
	int (*take)(void *ctx, const char *line, struct ptui_error *err);
	/* The line was taken. Returns wishes of the screen `ctx`. */
	unsigned (*taken)(void *ctx);
	void *ctx; /* the screen that asks */
};

/* Asks, over the last lines. Says so itself when there is no memory. Returns wishes. */
unsigned setup_ask(struct stack *s, const struct setup_question *q);

#endif
