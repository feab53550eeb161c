/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages and questions; for menus and progress see popup_*.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/popup.h"
#include "widget/popup_frame.h"
#include "widget/scroll.h"

#define TEXT_WIDTH 72 /* readable line length */

struct canvas popup_frame(const struct canvas *c, const char *title, int h, int w)
{
	struct canvas frame;

	if (title && w < utf8_width(title) + 4)
		w = utf8_width(title) + 4;
	w += 4;
	h += 2;
	if (w > c->at.w)
		w = c->at.w;
	if (h > c->at.h - 1)
		h = c->at.h - 1;
	frame = canvas_part(c, (c->at.h - h) / 2, (c->at.w - w) / 2, h, w);
	canvas_clear(&frame);
	canvas_frame(&frame, title);
	return canvas_part(&frame, 1, 2, h - 2, w - 4);
}

void popup_scrollbar(const struct canvas *c, const struct canvas *inside, int h, uint64_t first,
		     uint64_t all)
{
	const struct rect *in = &inside->at;

	if (in->w > 0)
		canvas_scrollbar(c, in->y - c->at.y, in->x - c->at.x + in->w + 1, h, first,
				 h > 0 ? (uint64_t)h : 0, all);
}

bool popup_has(const struct rect *inside, int y, int x)
{
	return y >= inside->y - 1 && y <= inside->y + inside->h && x >= inside->x - 2 &&
	       x <= inside->x + inside->w + 1;
}

static int text_width(const struct canvas *c)
{
	return c->at.w - 4 < TEXT_WIDTH ? c->at.w - 4 : TEXT_WIDTH;
}

/* The columns of a text wrapped at `width`. */
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

/* ---- messages ---- */

struct message {
	struct stack *stack;
	char *title, *text;
	struct popup_action actions[POPUP_ACTIONS_MAX];
	size_t n_actions;
	unsigned (*chosen)(void *ctx, size_t index);
	void *ctx;
	struct scroll scroll;
	struct rect at; /* of the text and the actions, at the last draw */
	int page;	/* lines of the text in it */
};

static int actions_width(const struct message *m)
{
	int most = 0;

	for (size_t i = 0; i < m->n_actions; i++) {
		int w = utf8_width(m->actions[i].text) + 6;

		if (w > most)
			most = w;
	}
	return most;
}

/* A line each, below a blank one if there is room. */
static void draw_actions(struct message *m, const struct canvas *in)
{
	int y = in->at.h - (int)m->n_actions;

	for (size_t i = 0; i < m->n_actions; i++)
		canvas_printf(in, y + (int)i, 0, ROLE_KEY, " (%c) %s ", m->actions[i].key,
			      m->actions[i].text);
}

static void message_draw(void *self, const struct canvas *c)
{
	struct message *m = self;
	int width = text_width(c), below = (int)m->n_actions, text_w;
	size_t n = width > 0 ? scroll_wrap_count(m->text, width) : 0;
	struct canvas in, text;

	if (!n)
		return;
	text_w = widest(m->text, width);
	in = popup_frame(c, m->title, (n < (size_t)c->at.h ? (int)n : c->at.h) + below + !!below,
			 text_w > actions_width(m) ? text_w : actions_width(m));
	m->page = in.at.h - below - (below && in.at.h > (int)n + below);
	if (m->page < 1)
		m->page = in.at.h;
	text = canvas_part(&in, 0, 0, m->page, in.at.w);
	scroll_fit(&m->scroll, n, m->page);
	m->at = in.at;
	scroll_text(&text, -(int)m->scroll.top, 0, width, ROLE_TEXT, m->text);
	if (m->page < in.at.h)
		draw_actions(m, &in);
	popup_scrollbar(c, &in, m->page, m->scroll.top, n);
}

static unsigned message_request(void *self, enum request req)
{
	struct message *m = self;

	return scroll_request(&m->scroll, req);
}

static bool message_can(void *self, enum request req)
{
	const struct message *m = self;

	return req < REQ_UP || req > REQ_LAST || m->scroll.n > m->scroll.page;
}

static unsigned message_choose(struct message *m, size_t i)
{
	unsigned (*chosen)(void *, size_t) = m->chosen;
	void *ctx = m->ctx;

	stack_remove(m->stack, m);
	return chosen(ctx, i);
}

static bool message_has_key(void *self, key_code key)
{
	const struct message *m = self;

	for (size_t i = 0; i < m->n_actions; i++)
		if (key == (key_code)m->actions[i].key)
			return true;
	return false;
}

static unsigned message_key(void *self, key_code key)
{
	struct message *m = self;

	for (size_t i = 0; i < m->n_actions; i++)
		if (key == (key_code)m->actions[i].key)
			return message_choose(m, i);
	return WISH_PASS;
}

static unsigned message_mouse(void *self, const struct term_event *e)
{
	struct message *m = self;
	int action = e->y - (m->at.y + m->at.h - (int)m->n_actions);

	if (e->mouse != MOUSE_PRESS || e->button != 1)
		return scroll_mouse(&m->scroll, e);
	if (!popup_has(&m->at, e->y, e->x))
		return WISH_POP;
	if (action >= 0 && action < (int)m->n_actions && m->page < m->at.h)
		return message_choose(m, (size_t)action);
	return WISH_NONE;
}

static void message_close(void *self)
{
	struct message *m = self;

	for (size_t i = 0; i < m->n_actions; i++)
		free((void *)(uintptr_t)m->actions[i].text);
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
	.can = message_can,
	.has_key = message_has_key,
	.key = message_key,
	.mouse = message_mouse,
	.close = message_close,
};

int popup_message_with(struct stack *s, const char *title, const char *text,
		       const struct popup_action *actions, size_t n,
		       unsigned (*chosen)(void *ctx, size_t index), void *ctx)
{
	struct message *m = calloc(1, sizeof(*m));
	bool failed;

	if (!m)
		return -ENOMEM;
	m->stack = s;
	m->chosen = chosen;
	m->ctx = ctx;
	m->title = strdup(title);
	m->text = strdup(text);
	failed = !m->title || !m->text;
	for (size_t i = 0; i < n && i < POPUP_ACTIONS_MAX && !failed; i++) {
		m->actions[i] = (struct popup_action){ actions[i].key, strdup(actions[i].text) };
		failed = !m->actions[i].text;
		m->n_actions = i + 1;
	}
	if (failed) {
		message_close(m);
		return -ENOMEM;
	}
	return stack_push(s, &message_ops, m);
}

int popup_message(struct stack *s, const char *title, const char *text)
{
	return popup_message_with(s, title, text, NULL, 0, NULL, NULL);
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
	struct scroll scroll;
	struct rect yes_at, no_at; /* at the last draw */
	unsigned (*answered)(void *ctx, bool yes);
	void *ctx;
};

static struct rect draw_answer(const struct canvas *in, int x, const char *key, const char *text,
			       bool on)
{
	style_t style = ROLE_KEY | (on ? STYLE_CURSOR : 0);
	int w = canvas_printf(in, in->at.h - 1, x, style, " (%s) %s ", key, text);

	return canvas_part(in, in->at.h - 1, x, 1, w).at;
}

static void question_draw(void *self, const struct canvas *c)
{
	struct question *q = self;
	int width = text_width(c), yes_w, answers_w, text_w, page;
	struct canvas in, text;
	size_t n;

	if (width < 1)
		return;
	n = scroll_wrap_count(q->text, width);
	yes_w = utf8_width(q->yes) + 6;
	answers_w = yes_w + 2 + utf8_width(q->no) + 6;
	text_w = widest(q->text, width);
	in = popup_frame(c, NULL, (int)n + 2, text_w > answers_w ? text_w : answers_w);
	/* The answers are always visible; a longer text above them scrolls. */
	page = in.at.h >= (int)n + 2 ? (int)n : in.at.h - 1;
	text = canvas_part(&in, 0, 0, page, in.at.w);
	scroll_fit(&q->scroll, n, page);
	scroll_text(&text, -(int)q->scroll.top, 0, width, ROLE_TEXT, q->text);
	popup_scrollbar(c, &in, page, q->scroll.top, n);
	q->yes_at = draw_answer(&in, 0, "y", q->yes, !q->on_no);
	q->no_at = draw_answer(&in, yes_w + 2, "n", q->no, q->on_no);
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
		return scroll_request(&q->scroll, req);
	}
}

static bool question_has_key(void *self, key_code key)
{
	(void)self;
	return key == 'y' || key == 'Y' || key == 'n' || key == 'N';
}

static unsigned question_key(void *self, key_code key)
{
	if (!question_has_key(self, key))
		return WISH_PASS;
	return question_end(self, key == 'y' || key == 'Y');
}

static bool is_at(const struct rect *r, const struct term_event *e)
{
	return e->y >= r->y && e->y < r->y + r->h && e->x >= r->x && e->x < r->x + r->w;
}

/* Only clicks on an answer count. */
static unsigned question_mouse(void *self, const struct term_event *e)
{
	struct question *q = self;

	if (e->mouse != MOUSE_PRESS || e->button != 1)
		return scroll_mouse(&q->scroll, e);
	if (is_at(&q->yes_at, e) || is_at(&q->no_at, e))
		return question_end(q, is_at(&q->yes_at, e));
	return WISH_NONE;
}

/* Most questions have nothing to scroll. */
static bool question_can(void *self, enum request req)
{
	const struct question *q = self;

	return req < REQ_UP || req > REQ_LAST || q->scroll.n > q->scroll.page;
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
	.has_key = question_has_key,
	.mouse = question_mouse,
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
