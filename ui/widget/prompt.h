/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line editor: UTF-8, emacs keys, history, completion.
 *
 *	find: cache mi▏
 *
 * struct prompt is the editor, without a screen; prompt_open() opens it over the last line of the
 * screen.
 */
#ifndef WIDGET_PROMPT_H
#define WIDGET_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "input/request.h"
#include "ptui/error.h"
#include "term/canvas.h"
#include "term/key.h"
#include "text/words.h"
#include "widget/wish.h"

/* ---- the editor ---- */

#define PROMPT_MAX	   4096 /* length of a line, with its NUL */
#define PROMPT_HISTORY_MAX 100

struct prompt {
	char line[PROMPT_MAX];
	size_t length, at; /* bytes; `at` is the cursor */
	char cut[PROMPT_MAX];
	int skip;   /* columns scrolled away */
	int text_x; /* start of the line, at the last draw */

	struct words *history;	/* accepted lines, oldest first; may be NULL; borrowed */
	size_t history_at;	/* history->n: the line being typed */
	char typed[PROMPT_MAX]; /* that line, while browsing the history */
};

void prompt_init(struct prompt *p, const char *line, struct words *history);
void prompt_set(struct prompt *p, const char *line);
/*
 * Inserts a text, all of it or (false: too long) nothing. Several lines become one: newlines and
 * tabs become blanks, \ before a newline joins lines as in a shell, trailing ones are dropped;
 * other control characters are dropped.
 */
bool prompt_insert(struct prompt *p, const char *text);
/* Replaces what is between `begin` and the cursor, unless the text is "" or too long. */
void prompt_complete(struct prompt *p, size_t begin, const char *text);
/* Handles the EDIT_ and HISTORY_ requests; WISH_PASS for others. */
unsigned prompt_request(struct prompt *p, enum request req);
/* Types an unbound key. WISH_PASS if it is not a character. */
unsigned prompt_key(struct prompt *p, key_code key);
/* Moves the cursor to a click in the row. */
unsigned prompt_click(struct prompt *p, int x);
/* Draws label and line in row 0, and sets the text cursor. */
void prompt_draw(struct prompt *p, const struct canvas *c, const char *label);

/*
 * ---- the screen ----
 *
 *	┌───────────────────────────────────────┐
 *	│ no tracepoint is called 'sched:swich' │	a note, the error, or completions
 *	│ did you mean sched:sched_switch?      │
 *	└───────────────────────────────────────┘
 *	event: sched:swich▏				the line stays until it is valid
 */

struct stack;

struct prompt_opts {
	const char *label;     /* translated; copied */
	const char *line;      /* initial text; NULL: none */
	const char *note;      /* initial note above it, dim; copied; NULL: none */
	struct words *history; /* accepted lines, oldest first; may be NULL */
	/*
	 * Adds the completions of the word that ends at `at`, and sets *begin to its start. If there
	 * are several, they are shown. 0, or negative: none. May be NULL.
	 */
	int (*ways)(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways);
	/*
	 * Called after every change of the line, for incremental search; may be NULL. Returns
	 * wishes.
	 */
	unsigned (*changed)(void *ctx, const char *line);
	/*
	 * Shown at the right of the line, at each draw: "3 of 17"; "": nothing. May be NULL. The
	 * style is preset to ROLE_DIM.
	 */
	void (*state)(void *ctx, char *buf, size_t size, style_t *style);
	/* Checks the line while typing, and before accept(); may be NULL. Must be fast. */
	int (*judge)(void *ctx, const char *line, struct ptui_error *err);
	/* Accepts the line, or returns an error: then the prompt stays, and shows it. May be NULL. */
	int (*accept)(void *ctx, const char *line, struct ptui_error *err);
	/*
	 * Called after the prompt has closed with an accepted line; may be NULL. Returns wishes for
	 * the screen `ctx`.
	 */
	unsigned (*accepted)(void *ctx);
	/*
	 * Called after the prompt has closed, with the line, or NULL if cancelled. Returns wishes
	 * for the screen below. May be NULL.
	 */
	unsigned (*done)(void *ctx, const char *line);
	void *ctx;
};

/* Opens the prompt over the last line, or reports a lack of memory. Returns wishes. */
unsigned prompt_open(struct stack *s, const struct prompt_opts *opts);
/* The same for a number: `label`, done() and `ctx` are those of the options. */
unsigned prompt_number(struct stack *s, const char *label, double now,
		       unsigned (*done)(void *ctx, const char *line), void *ctx);

#endif
