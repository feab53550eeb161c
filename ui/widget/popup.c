/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages and questions; menus and progress have files of their own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/popup.h"
#include "widget/popup_frame.h"
#include "widget/scroll.h"

#define TEXT_WIDTH 72 /* columns that are read well */

struct canvas popup_frame(const struct canvas *c, const char *title, int h, int w)
{
	struct canvas frame;

	if (title && w < utf8_width(title) + 4)
		w = utf8_width(title) + 4;
	w += 4;
	h += 2;
	if (w > c->at.w)
		w = c->at.w;
	if (h > c->at.h)
		h = c->at.h;
	frame = canvas_part(c, (c->at.h - h) / 2, (c->at.w - w) / 2, h, w);
	canvas_clear(&frame);
	canvas_frame(&frame, title);
	return canvas_part(&frame, 1, 2, h - 2, w - 4);
}

static int text_width(const struct canvas *c)
{
	return c->at.w - 4 < TEXT_WIDTH ? c->at.w - 4 : TEXT_WIDTH;
}

/* The columns that a text takes when it is broken to `width`. */
static int widest(const char *text, int width)
{
	int most = 0;

	while (text) {
		char line[1024];
		size_t n;
		const char *next = scroll_wrap(text, width, &n);

		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		if (utf8_width(line) > most)
			most = utf8_width(line);
		text = next;
	}
	return most < width ? most : width;
}

static void draw_text(const struct canvas *c, const char *text, int width, size_t skip)
{
	int y = 0;

	while (text && y < c->at.h) {
		char line[1024];
		size_t n;
		const char *next = scroll_wrap(text, width, &n);

		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		if (skip)
			skip--;
		else
			canvas_text(c, y++, 0, ROLE_TEXT, line);
		text = next;
	}
}

/* ---- messages ---- */

struct message {
	char *title, *text;
	struct scroll scroll;
};

static void message_draw(void *self, const struct canvas *c)
{
	struct message *m = self;
	int width = text_width(c);
	size_t n = width > 0 ? scroll_wrap_count(m->text, width) : 0;
	struct canvas in;

	if (!n)
		return;
	in = popup_frame(c, m->title, n < (size_t)c->at.h ? (int)n : c->at.h,
			 widest(m->text, width));
	scroll_fit(&m->scroll, n, in.at.h);
	draw_text(&in, m->text, width, m->scroll.top);
	canvas_scrollbar(&in, 0, in.at.w - 1, in.at.h, m->scroll.top, m->scroll.page, n);
}

static unsigned message_request(void *self, enum request req)
{
	struct message *m = self;

	return scroll_request(&m->scroll, req);
}

static unsigned message_mouse(void *self, const struct term_event *e)
{
	struct message *m = self;

	return scroll_mouse(&m->scroll, e);
}

static void message_close(void *self)
{
	struct message *m = self;

	free(m->title);
	free(m->text);
	free(m);
}

static const enum request message_hints[] = { REQ_BACK, REQ_NONE };

static const struct screen_ops message_ops = {
	.title = N_("Message"),
	.keymap = KEYMAP_MESSAGE,
	.floating = true,
	.hints = message_hints,
	.draw = message_draw,
	.request = message_request,
	.mouse = message_mouse,
	.close = message_close,
};

int popup_message(struct stack *s, const char *title, const char *text)
{
	struct message *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->title = strdup(title);
	m->text = strdup(text);
	if (!m->title || !m->text) {
		message_close(m);
		return -ENOMEM;
	}
	return stack_push(s, &message_ops, m);
}

int popup_error(struct stack *s, const struct ptui_error *err)
{
	char text[sizeof(err->text) + sizeof(err->hint) + 4];

	snprintf(text, sizeof(text), "%s%s%s", err->text, *err->hint ? "\n\n" : "", err->hint);
	return popup_message(s, _("Error"), text);
}

/* ---- questions ---- */

struct question {
	struct stack *stack;
	char *text, *yes, *no;
	bool on_no;
	unsigned (*answered)(void *ctx, bool yes);
	void *ctx;
};

static void question_draw(void *self, const struct canvas *c)
{
	struct question *q = self;
	int width = text_width(c), yes_w, answers_w, text_w;
	struct canvas in;
	size_t n;

	if (width < 1)
		return;
	n = scroll_wrap_count(q->text, width);
	yes_w = utf8_width(q->yes) + 6;
	answers_w = yes_w + 2 + utf8_width(q->no) + 6;
	text_w = widest(q->text, width);
	in = popup_frame(c, NULL, (int)n + 2, text_w > answers_w ? text_w : answers_w);
	draw_text(&in, q->text, width, 0);
	/* The answers stay, whatever the text must lose. */
	canvas_fill(&in, in.at.h - 1, 0, 1, in.at.w, ROLE_TEXT, ' ');
	canvas_printf(&in, in.at.h - 1, 0, ROLE_KEY | (q->on_no ? 0 : STYLE_CURSOR), " (y) %s ",
		      q->yes);
	canvas_printf(&in, in.at.h - 1, yes_w + 2, ROLE_KEY | (q->on_no ? STYLE_CURSOR : 0),
		      " (n) %s ", q->no);
}

static unsigned question_end(struct question *q, bool yes)
{
	unsigned (*answered)(void *ctx, bool yes) = q->answered;
	void *ctx = q->ctx;

	stack_remove(q->stack, q);
	return answered ? answered(ctx, yes) : WISH_REDRAW;
}

static unsigned question_request(void *self, enum request req)
{
	struct question *q = self;

	switch (req) {
	case REQ_OPEN:
		return question_end(q, !q->on_no);
	case REQ_BACK:
		return question_end(q, false);
	case REQ_PREV_VALUE:
	case REQ_NEXT_VALUE:
		q->on_no = !q->on_no;
		return WISH_REDRAW;
	default:
		return WISH_PASS;
	}
}

static unsigned question_key(void *self, key_code key)
{
	if (key == 'y' || key == 'Y')
		return question_end(self, true);
	if (key == 'n' || key == 'N')
		return question_end(self, false);
	return WISH_PASS;
}

/* It has no rows to scroll. */
static bool question_can(void *self, enum request req)
{
	(void)self;
	return req < REQ_UP || req > REQ_LAST;
}

static void question_close(void *self)
{
	struct question *q = self;

	free(q->text);
	free(q->yes);
	free(q->no);
	free(q);
}

static const enum request question_hints[] = { REQ_OPEN, REQ_NEXT_VALUE, REQ_BACK, REQ_NONE };

static const struct screen_ops question_ops = {
	.title = N_("Question"),
	.keymap = KEYMAP_MENU,
	.floating = true,
	.hints = question_hints,
	.can = question_can,
	.draw = question_draw,
	.request = question_request,
	.key = question_key,
	.close = question_close,
};

int popup_ask(struct stack *s, const char *question, const char *yes, const char *no,
	      unsigned (*answered)(void *ctx, bool yes), void *ctx)
{
	struct question *q = calloc(1, sizeof(*q));

	if (!q)
		return -ENOMEM;
	q->stack = s;
	q->answered = answered;
	q->ctx = ctx;
	q->text = strdup(question);
	q->yes = strdup(yes);
	q->no = strdup(no);
	if (!q->text || !q->yes || !q->no) {
		question_close(q);
		return -ENOMEM;
	}
	return stack_push(s, &question_ops, q);
}
