/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line that is typed: UTF-8, emacs' keys, history, completion.
 *
 *	find: cache mi▏
 *
 * struct prompt is the editor, without any screen; prompt_ask() opens it over the last line of the
 * screen stack.
 */
#ifndef WIDGET_PROMPT_H
#define WIDGET_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "input/request.h"
#include "term/canvas.h"
#include "term/key.h"
#include "widget/wish.h"

/* ---- history: the lines that were taken, oldest first, without repetition ---- */

struct history {
	char **lines;
	size_t n, max;
};
#define HISTORY_INIT         \
	{                    \
		NULL, 0, 100 \
	}

/* 0 or -ENOMEM. Empty lines are not kept. */
int history_add(struct history *h, const char *line);
void history_release(struct history *h);

/* ---- the editor ---- */

#define PROMPT_MAX 4096 /* bytes of a line, with its NUL */

/*
 * Completes the word that ends at `at`: writes what stands there instead of bytes [*begin, at)
 * into buf and sets *begin. Returns how many ways there are: 0 nothing, 1 done, more: buf has what
 * all of them begin with.
 */
typedef size_t (*prompt_complete_fn)(void *ctx, const char *line, size_t at, size_t *begin,
				     char *buf, size_t size);

struct prompt {
	char line[PROMPT_MAX];
	size_t length, at; /* bytes; `at` is where typing goes */
	char cut[PROMPT_MAX];
	int skip;   /* columns scrolled away */
	int text_x; /* where the line begins, by the last draw */

	struct history *history; /* may be NULL; the owner's */
	size_t history_at;	 /* history->n: the line that is typed now */
	char typed[PROMPT_MAX];	 /* that line, while older ones are looked at */

	prompt_complete_fn complete; /* may be NULL */
	void *ctx;
};

void prompt_init(struct prompt *p, const char *line, struct history *history);
void prompt_set(struct prompt *p, const char *line);
/*
 * Types a text, all of it or (false: there is no room) nothing. Of several lines it makes one:
 * newlines and tabs are blanks, \ before a newline joins as in a shell, those at the end go; other
 * control characters are left out.
 */
bool prompt_insert(struct prompt *p, const char *text);
/* The EDIT_, HISTORY_ and COMPLETE requests; WISH_PASS for others. */
unsigned prompt_request(struct prompt *p, enum request req);
/* A key that is bound to nothing: types it. WISH_PASS if it types no character. */
unsigned prompt_key(struct prompt *p, key_code key);
/* A click in the row: typing goes on there. */
unsigned prompt_click(struct prompt *p, int x);
/* Draws label and line into row 0, and sets the text cursor. */
void prompt_draw(struct prompt *p, const struct canvas *c, const char *label);

/* ---- asking ---- */

struct stack;

struct prompt_opts {
	const char *label;	     /* translated; copied */
	const char *line;	     /* what stands there first; NULL: nothing */
	struct history *history;     /* may be NULL */
	prompt_complete_fn complete; /* may be NULL */
	/* After every change of the line, may be NULL: search as it is typed. Returns wishes. */
	unsigned (*changed)(void *ctx, const char *line);
	/*
	 * The end: the line, or NULL for cancelled. The prompt is closed already. Returns wishes
	 * for the screen below. May be NULL.
	 */
	unsigned (*done)(void *ctx, const char *line);
	void *ctx;
};

/* Opens the prompt over the last line. 0 or -ENOMEM. */
int prompt_ask(struct stack *s, const struct prompt_opts *opts);

#endif
