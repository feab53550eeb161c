/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two floating screens: the prompt, and below it in the stack, so that it gets no keys, the note.
 */
#include "view/setup/setup_ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/setup/setup_complete.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/scroll.h"

#define TEXT_WIDTH 76 /* readable line length */
#define WAYS_ROWS  6
#define RULES_FROM 16 /* lines; from this height on there is a rule above the prompt */

struct asking {
	struct stack *stack;
	struct setup_question q;
	char *label;
	char *first_note; /* NULL: none */
	char *note;	  /* above the line; NULL: none */
	style_t note_style;
	bool judged;	   /* it shows an error of the line */
	struct words ways; /* shown until the line changes; empty: none */
	bool way_comes;	   /* the next change is made by completion */
};

/* ---- the note ---- */

static int widest_line(const char *text)
{
	int widest = 0;

	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = strndup(text, n);
		int w = line ? utf8_width(line) : 0;

		free(line);
		if (w > widest)
			widest = w;
		text += n + (text[n] == '\n');
	}
	return widest;
}

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

static void draw_note(const struct asking *a, const struct canvas *c)
{
	int width = c->at.w - 4 < TEXT_WIDTH ? c->at.w - 4 : TEXT_WIDTH;
	int widest = widest_line(a->note);
	struct canvas in;

	if (widest < width)
		width = widest;
	in = note_place(c, scroll_text(NULL, 0, 0, width, ROLE_TEXT, a->note), width);
	scroll_text(&in, 0, 0, width, a->note_style, a->note);
}

/* The file name of a path. */
static const char *short_way(const char *way)
{
	size_t n = strlen(way);

	while (n > 1 && way[n - 2] != '/')
		n--;
	return n ? way + n - 1 : way;
}

/* In columns, like ls. Counts what does not fit. */
static void draw_ways(const struct asking *a, const struct canvas *c)
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

static void draw(void *self, const struct canvas *c)
{
	struct asking *a = self;

	if (a->ways.n > 1)
		draw_ways(a, c);
	else if (a->note)
		draw_note(a, c);
}

static void close_note(void *self)
{
	struct asking *a = self;

	words_release(&a->ways);
	free(a->first_note);
	free(a->note);
	free(a->label);
	free(a);
}

static const struct screen_ops note = {
	.title = "",
	.keymap = KEYMAP_PROMPT,
	.floating = true,
	.draw = draw,
	.close = close_note,
};

/* ---- the line ---- */

static size_t complete(void *ctx, const char *line, size_t at, size_t *begin, char *buf,
		       size_t size)
{
	struct asking *a = ctx;
	size_t n;

	words_release(&a->ways);
	a->way_comes = false;
	if (a->q.ways(a->q.ctx, line, at, begin, &a->ways))
		words_release(&a->ways);
	if (!a->ways.n)
		return 0;
	complete_common(&a->ways, buf, size);
	n = strlen(buf);
	a->way_comes = n != at - *begin || memcmp(buf, line + *begin, n);
	return a->ways.n;
}

/* Replaces the note above the line. `text` NULL: none. */
static void set_note(struct asking *a, const char *text, style_t style)
{
	free(a->note);
	a->note = text ? strdup(text) : NULL; /* skipped without memory */
	a->note_style = style;
}

/* The error stays above the line until it is accepted or cancelled. */
static void show_error(struct asking *a, const struct ptui_error *err)
{
	char text[sizeof(err->text) + sizeof(err->hint) + 1];

	snprintf(text, sizeof(text), "%s%s%s", err->text, *err->hint ? "\n" : "", err->hint);
	set_note(a, text, ROLE_TEXT);
}

/* While typing: shows the error, or the initial note again. */
static void judge(struct asking *a, const char *line)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (a->q.judge && a->q.judge(a->q.ctx, line, &err)) {
		show_error(a, &err);
		a->judged = true;
	} else if (a->judged) {
		set_note(a, a->first_note, ROLE_DIM);
		a->judged = false;
	}
}

static unsigned changed(void *ctx, const char *line)
{
	struct asking *a = ctx;

	if (a->way_comes) {
		a->way_comes = false;
		return WISH_NONE;
	}
	words_release(&a->ways);
	judge(a, line);
	return WISH_REDRAW;
}

static unsigned done(void *ctx, const char *line);

static unsigned open_prompt(struct asking *a, const char *line)
{
	const struct prompt_opts opts = {
		.label = a->label,
		.line = line,
		.history = a->q.history,
		.complete = a->q.ways ? complete : NULL,
		.changed = changed,
		.done = done,
		.ctx = a,
	};
	struct stack *s = a->stack;

	if (prompt_ask(s, &opts)) {
		stack_remove(s, a);
		stack_no_memory(s);
	}
	return WISH_REDRAW;
}

static unsigned done(void *ctx, const char *line)
{
	struct asking *a = ctx;
	struct setup_question q = a->q;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct stack *s = a->stack;

	if (line && ((q.judge && q.judge(q.ctx, line, &err)) || q.accept(q.ctx, line, &err))) {
		show_error(a, &err);
		words_release(&a->ways);
		a->judged = q.judge != NULL;
		return open_prompt(a, line);
	}
	stack_remove(s, a);
	if (line)
		stack_wish(s, q.ctx, q.accepted(q.ctx));
	return WISH_REDRAW;
}

unsigned setup_ask(struct stack *s, const struct setup_question *q)
{
	struct asking *a = calloc(1, sizeof(*a));

	if (a)
		a->label = strdup(q->label);
	if (!a || !a->label) {
		free(a);
		stack_no_memory(s);
		return WISH_REDRAW;
	}
	a->first_note = q->note ? strdup(q->note) : NULL;
	set_note(a, q->note, ROLE_DIM);
	a->stack = s;
	a->q = *q;
	if (stack_push(s, &note, a)) {
		stack_no_memory(s);
		return WISH_REDRAW;
	}
	return open_prompt(a, q->line);
}
