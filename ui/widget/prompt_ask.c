/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The prompt as a popup over the last line, with a note above it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/prompt.h"
#include "widget/scroll.h"
#include "widget/stack.h"

#define TEXT_WIDTH 76 /* readable line length */
#define WAYS_ROWS  6
#define RULES_FROM 16 /* lines; from this height on there is a rule above the prompt */

struct ask {
	struct prompt prompt;
	struct stack *stack;
	struct prompt_opts opts;
	char *label;
	char *note;		 /* above the line; NULL: none */
	char *error;		 /* instead of the note; NULL: none */
	bool judged;		 /* it is about the line */
	char before[PROMPT_MAX]; /* the line as it was before a request or a key */
	struct words ways;	 /* shown until the line changes; empty: none */
	int y;			 /* its line, at the last draw */
};

/* ---- the note ---- */

/* A frame for `h` lines of `w` columns just above the prompt; returns its inside. */
static struct canvas note_place(const struct canvas *c, int h, int w)
{
	int end = c->at.h - (c->at.h >= RULES_FROM ? 2 : 1);
	struct canvas frame;

	if (h > end - 2)
		h = end - 2;
	if (h < 0)
		h = 0;
	frame = canvas_part(c, end - 2 - h, 0, h + 2, w + 4);
	canvas_clear(&frame);
	canvas_frame(&frame, NULL);
	return canvas_part(&frame, 1, 2, h, w);
}

static void draw_note(const struct ask *a, const struct canvas *c)
{
	const char *text = a->error ? a->error : a->note;
	style_t style = a->error ? ROLE_TEXT : ROLE_DIM;
	int width = c->at.w - 4 < TEXT_WIDTH ? c->at.w - 4 : TEXT_WIDTH;
	int widest = scroll_wrap_width(text, INT_MAX); /* of its lines */
	struct canvas in;

	if (widest < width)
		width = widest;
	in = note_place(c, scroll_text(NULL, 0, 0, width, style, text), width);
	scroll_text(&in, 0, 0, width, style, text);
}

/* The file name of a path, or of a folder with its slash. */
static const char *short_way(const char *way)
{
	size_t n = strlen(way);

	while (n > 1 && way[n - 2] != '/')
		n--;
	return n ? way + n - 1 : way;
}

/* In columns, like ls. Counts what does not fit. */
static void draw_ways(const struct ask *a, const struct canvas *c)
{
	int width = c->at.w - 4, column = 1, rows, columns;
	size_t seen, n = a->ways.n;
	struct canvas in;

	for (size_t i = 0; i < n; i++) {
		int w = utf8_width(short_way(a->ways.v[i])) + 2;

		if (w > column)
			column = w < width ? w : width;
	}
	columns = width / column > 0 ? width / column : 1;
	rows = (int)((n + (size_t)columns - 1) / (size_t)columns);
	if (rows > WAYS_ROWS)
		rows = WAYS_ROWS;
	seen = (size_t)rows * (size_t)columns < n ? (size_t)rows * (size_t)columns : n;
	columns = (int)((seen + (size_t)rows - 1) / (size_t)rows);
	in = note_place(c, rows + (seen < n), width < columns * column ? width : columns * column);
	for (size_t i = 0; i < seen; i++)
		canvas_cell(&in, (int)i % rows, (int)i / rows * column, column - 1, ALIGN_LEFT,
			    ROLE_TEXT, short_way(a->ways.v[i]));
	if (seen < n)
		canvas_printf(&in, rows, 0, ROLE_DIM, _("and %zu more"), n - seen);
}

/* Draws the state at the right of the line; returns the rest of it. */
static struct canvas draw_state(const struct ask *a, const struct canvas *line)
{
	style_t style = ROLE_DIM;
	char state[64] = "";
	int w;

	if (a->opts.state)
		a->opts.state(a->opts.ctx, state, sizeof(state), &style);
	w = utf8_width(state);
	if (!w || w > line->at.w / 2)
		return *line;
	canvas_fill(line, 0, line->at.w - w - 2, 1, w + 2, ROLE_TEXT, ' ');
	canvas_text(line, 0, line->at.w - w - 1, style, state);
	return canvas_part(line, 0, 0, 1, line->at.w - w - 2);
}

static void ask_draw(void *self, const struct canvas *c)
{
	struct ask *a = self;
	struct canvas line = canvas_part(c, c->at.h - 1, 0, 1, c->at.w);

	if (a->ways.n > 1)
		draw_ways(a, c);
	else if (a->error || a->note)
		draw_note(a, c);
	a->y = line.at.y;
	line = draw_state(a, &line);
	prompt_draw(&a->prompt, &line, a->label);
}

/* It stays above the line until that is accepted or cancelled. NULL: none; none without memory. */
static void set_error(struct ask *a, const struct ptui_error *err)
{
	free(a->error);
	if (!err || asprintf(&a->error, "%s%s%s", err->text, *err->hint ? "\n" : "", err->hint) < 0)
		a->error = NULL;
}

/* While typing: shows the error, or the initial note again. */
static void judge(struct ask *a)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (a->opts.judge && a->opts.judge(a->opts.ctx, a->prompt.line, &err)) {
		set_error(a, &err);
		a->judged = true;
	} else if (a->judged) {
		set_error(a, NULL);
		a->judged = false;
	}
}

static void remember(struct ask *a)
{
	memcpy(a->before, a->prompt.line, a->prompt.length + 1);
}

/* ---- completion ---- */

/* The completions stay to be seen. */
static unsigned complete(struct ask *a)
{
	struct prompt *p = &a->prompt;
	size_t begin = p->at;
	char text[PROMPT_MAX];

	words_release(&a->ways);
	if (!a->opts.ways || a->opts.ways(a->opts.ctx, p->line, p->at, &begin, &a->ways))
		words_release(&a->ways);
	if (a->ways.n)
		prompt_complete(p, begin, words_common(&a->ways, text, sizeof(text)));
	remember(a);
	return a->ways.n ? WISH_REDRAW : WISH_NONE;
}

/* ---- requests ---- */

/* Calls done() or accepted() after the screen has left the stack: it may open another one. */
static unsigned ask_end(struct ask *a, bool accept)
{
	struct prompt_opts opts = a->opts;
	struct stack *s = a->stack;
	char line[PROMPT_MAX];

	memcpy(line, a->prompt.line, a->prompt.length + 1);
	stack_remove(s, a);
	if (accept && opts.accepted)
		stack_wish(s, opts.ctx, opts.accepted(opts.ctx));
	return opts.done ? opts.done(opts.ctx, accept ? line : NULL) : WISH_REDRAW;
}

static unsigned ask_accept(struct ask *a)
{
	const struct prompt_opts *o = &a->opts;
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *line = a->prompt.line;

	/* accepted even if there is no memory for the history */
	if (o->history && !words_remember(o->history, line, PROMPT_HISTORY_MAX))
		a->prompt.history_at = o->history->n;
	if ((!o->judge || !o->judge(o->ctx, line, &err)) &&
	    (!o->accept || !o->accept(o->ctx, line, &err)))
		return ask_end(a, true);
	set_error(a, &err);
	words_release(&a->ways);
	a->judged = o->judge;
	return WISH_REDRAW;
}

/* Adds the wishes of changed(). */
static unsigned prompt_changed(struct ask *a, unsigned wishes)
{
	if (wishes & WISH_PASS || !strcmp(a->before, a->prompt.line))
		return wishes;
	remember(a);
	words_release(&a->ways);
	judge(a);
	return wishes | (a->opts.changed ? a->opts.changed(a->opts.ctx, a->prompt.line) : 0);
}

static unsigned ask_request(void *self, enum request req)
{
	struct ask *a = self;

	if (req == REQ_ACCEPT)
		return ask_accept(a);
	if (req == REQ_CANCEL)
		return ask_end(a, false);
	if (req == REQ_COMPLETE)
		return complete(a);
	return prompt_changed(a, prompt_request(&a->prompt, req));
}

static unsigned ask_key(void *self, key_code key)
{
	struct ask *a = self;

	return prompt_changed(a, prompt_key(&a->prompt, key));
}

static unsigned ask_paste(void *self, const char *text)
{
	struct ask *a = self;

	return prompt_changed(a, prompt_insert(&a->prompt, text) ? WISH_REDRAW : WISH_NONE);
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
	return req != REQ_COMPLETE || a->opts.ways;
}

static void ask_close(void *self)
{
	struct ask *a = self;

	words_release(&a->ways);
	free(a->note);
	free(a->error);
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

unsigned prompt_open(struct stack *s, const struct prompt_opts *opts)
{
	struct ask *a = malloc(sizeof(*a));

	if (!a)
		return stack_no_memory(s);
	a->stack = s;
	a->opts = *opts;
	a->label = strdup(opts->label);
	if (!a->label) {
		free(a);
		return stack_no_memory(s);
	}
	a->note = opts->note ? strdup(opts->note) : NULL;
	a->error = NULL;
	a->judged = false;
	a->ways = (struct words)WORDS_INIT;
	prompt_init(&a->prompt, opts->line, opts->history);
	remember(a);
	return stack_push(s, &ask_ops, a) ? stack_no_memory(s) : WISH_REDRAW;
}

unsigned prompt_number(struct stack *s, const char *label, double now,
		       unsigned (*done)(void *ctx, const char *line), void *ctx)
{
	char line[32];

	snprintf(line, sizeof(line), "%g", now);
	return prompt_open(
		s, &(struct prompt_opts){ .label = label, .line = line, .done = done, .ctx = ctx });
}
