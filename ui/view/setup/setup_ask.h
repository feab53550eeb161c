/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A prompt that is repeated until the line is valid.
 *
 *	┌───────────────────────────────────────┐
 *	│ no tracepoint is called 'sched:swich' │	the error, or completions
 *	│ did you mean sched:sched_switch?      │
 *	└───────────────────────────────────────┘
 *	event: sched:swich▏				the line stays, to be corrected
 */
#ifndef VIEW_SETUP_SETUP_ASK_H
#define VIEW_SETUP_SETUP_ASK_H

#include "model/setup/setup_words.h"
#include "widget/prompt.h"
#include "widget/stack.h"

struct setup_question {
	const char *label;	 /* translated; copied */
	const char *line;	 /* initial text; NULL: none */
	const char *note;	 /* initial note above it, dim; copied; NULL: none */
	struct history *history; /* may be NULL */
	/* Completions of the word that ends at `at`: model/setup/setup_complete.h. May be NULL. */
	int (*ways)(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways);
	/* Checks the line while typing, and before accept(); may be NULL. Must be fast. */
	int (*judge)(void *ctx, const char *line, struct ptui_error *err);
	/* Accepts the line, or returns an error: then the prompt stays. */
	int (*accept)(void *ctx, const char *line, struct ptui_error *err);
	/* The line was accepted. Returns wishes for the screen `ctx`. */
	unsigned (*accepted)(void *ctx);
	void *ctx; /* the calling screen */
};

/* Opens the prompt over the last lines. Reports errors itself. Returns wishes. */
unsigned setup_ask(struct stack *s, const struct setup_question *q);

#endif
