/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The prompt as a popup over the last line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "widget/prompt.h"
#include "widget/stack.h"

struct ask {
	struct prompt prompt;
	struct stack *stack;
	struct prompt_opts opts;
	char *label;
	int y; /* its line, at the last draw */
};

static void ask_draw(void *self, const struct canvas *c)
{
	struct ask *a = self;
	struct canvas line = canvas_part(c, c->at.h - 1, 0, 1, c->at.w);

	a->y = line.at.y;
	prompt_draw(&a->prompt, &line, a->label);
}

/* Calls done() after the screen has left the stack: done() may open another one. */
static unsigned ask_end(struct ask *a, bool accept)
{
	struct prompt_opts opts = a->opts;
	char line[PROMPT_MAX];

	memcpy(line, a->prompt.line, a->prompt.length + 1);
	stack_remove(a->stack, a);
	/* accepted even if there is no memory for the history */
	if (accept && opts.history)
		history_add(opts.history, line);
	return opts.done ? opts.done(opts.ctx, accept ? line : NULL) : WISH_REDRAW;
}

/* Adds the wishes of changed(). */
static unsigned prompt_changed(struct ask *a, unsigned wishes, const char *before)
{
	if (wishes & WISH_PASS || !a->opts.changed || !strcmp(before, a->prompt.line))
		return wishes;
	return wishes | a->opts.changed(a->opts.ctx, a->prompt.line);
}

static unsigned ask_request(void *self, enum request req)
{
	struct ask *a = self;
	char before[PROMPT_MAX];

	if (req == REQ_ACCEPT || req == REQ_CANCEL)
		return ask_end(a, req == REQ_ACCEPT);
	memcpy(before, a->prompt.line, a->prompt.length + 1);
	return prompt_changed(a, prompt_request(&a->prompt, req), before);
}

static unsigned ask_key(void *self, key_code key)
{
	struct ask *a = self;
	char before[PROMPT_MAX];

	memcpy(before, a->prompt.line, a->prompt.length + 1);
	return prompt_changed(a, prompt_key(&a->prompt, key), before);
}

static unsigned ask_paste(void *self, const char *text)
{
	struct ask *a = self;
	char before[PROMPT_MAX];

	memcpy(before, a->prompt.line, a->prompt.length + 1);
	return prompt_changed(a, prompt_insert(&a->prompt, text) ? WISH_REDRAW : WISH_NONE, before);
}

static unsigned ask_mouse(void *self, const struct term_event *e)
{
	struct ask *a = self;

	if (e->mouse != MOUSE_PRESS || e->button != 1 || e->y != a->y)
		return WISH_NONE;
	return prompt_click(&a->prompt, e->x);
}

static bool ask_can(void *self, enum request req)
{
	const struct ask *a = self;

	if (req == REQ_HISTORY_PREV || req == REQ_HISTORY_NEXT)
		return a->opts.history;
	return req != REQ_COMPLETE || a->opts.complete;
}

static void ask_close(void *self)
{
	struct ask *a = self;

	free(a->label);
	free(a);
}

static const struct screen_ops ask_ops = {
	.title = N_("Edit a line"),
	.keymap = KEYMAP_PROMPT,
	.floating = true,
	.draw = ask_draw,
	.request = ask_request,
	.can = ask_can,
	.key = ask_key,
	.paste = ask_paste,
	.mouse = ask_mouse,
	.close = ask_close,
};

int prompt_ask(struct stack *s, const struct prompt_opts *opts)
{
	struct ask *a = malloc(sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->stack = s;
	a->opts = *opts;
	a->label = strdup(opts->label);
	if (!a->label) {
		free(a);
		return -ENOMEM;
	}
	prompt_init(&a->prompt, opts->line, opts->history);
	a->prompt.complete = opts->complete;
	a->prompt.ctx = opts->ctx;
	return stack_push(s, &ask_ops, a);
}
