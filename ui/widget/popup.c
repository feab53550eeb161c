/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/popup.h"
#include "widget/scroll.h"

#define TEXT_WIDTH 72 /* readable line length */

/* ---- the frame ---- */

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

/* Drawn over the frame's right edge. */
static void popup_scrollbar(const struct canvas *c, const struct canvas *inside, int h,
			    uint64_t first, uint64_t all)
{
	const struct rect *in = &inside->at;

	if (in->w > 0)
		canvas_scrollbar(c, in->y - c->at.y, in->x - c->at.x + in->w + 1, h, first,
				 h > 0 ? (uint64_t)h : 0, all);
}

/* True if the cell is on the frame or inside it. */
static bool popup_has(const struct rect *inside, int y, int x)
{
	const struct rect frame = { inside->y - 1, inside->x - 2, inside->h + 2, inside->w + 4 };

	return rect_has(&frame, y, x);
}

/* ---- messages and questions ---- */

/*
 *	message			question
 *	text			text
 *	 (r) first action	 (y) yes    (n) no	one of them current
 *	 (M) second action
 */
struct message {
	struct stack *stack;
	char *title, *text; /* title NULL: none */
	struct popup_action actions[POPUP_ACTIONS_MAX];
	struct rect action_at[POPUP_ACTIONS_MAX]; /* at the last draw */
	size_t n_actions, current;		  /* current: of a question */
	bool is_question;
	unsigned (*chosen)(void *ctx, size_t index);
	unsigned (*answered)(void *ctx, bool yes); /* of a question */
	void *ctx;
	struct scroll scroll;
	struct rect at; /* of the text and the actions, at the last draw */
};

/* Columns of an action: " (y) text ". */
static int action_width(const struct message *m, size_t i)
{
	return utf8_width(m->actions[i].text) + 6;
}

static int actions_width(const struct message *m)
{
	int most = 0, all = 0;

	for (size_t i = 0; i < m->n_actions; i++) {
		all += action_width(m, i) + (i ? 2 : 0);
		if (action_width(m, i) > most)
			most = action_width(m, i);
	}
	return m->is_question ? all : most;
}

/* In one line, or a line each, at the end. */
static void draw_actions(struct message *m, const struct canvas *in)
{
	int y = in->at.h - (m->is_question ? 1 : (int)m->n_actions), x = 0;

	for (size_t i = 0; i < m->n_actions; i++) {
		bool on = m->is_question && i == m->current;
		int w = m->is_question ? action_width(m, i) : in->at.w;

		canvas_printf(in, y, x, ROLE_KEY | (on ? STYLE_CURSOR : 0), " (%c) %s ",
			      m->actions[i].key, m->actions[i].text);
		m->action_at[i] = canvas_part(in, y, x, 1, w).at;
		if (m->is_question)
			x += w + 2;
		else
			y++;
	}
}

/* The actions are always visible, below a blank line if there is room; the text scrolls. */
static void message_draw(void *self, const struct canvas *c)
{
	struct message *m = self;
	int width = c->at.w - 4 < TEXT_WIDTH ? c->at.w - 4 : TEXT_WIDTH, text_w, page;
	int below = m->is_question ? 1 : (int)m->n_actions;
	struct canvas in, text;
	size_t n;

	if (width < 1)
		return;
	n = scroll_wrap_count(m->text, width);
	text_w = scroll_wrap_width(m->text, width);
	in = popup_frame(c, m->title, (n < (size_t)c->at.h ? (int)n : c->at.h) + below + !!below,
			 text_w > actions_width(m) ? text_w : actions_width(m));
	page = in.at.h - below - (below && in.at.h > (int)n + below);
	text = canvas_part(&in, 0, 0, page > 0 ? page : 0, in.at.w);
	scroll_fit(&m->scroll, n, page);
	m->at = in.at;
	scroll_text(&text, -(int)m->scroll.top, 0, width, ROLE_TEXT, m->text);
	draw_actions(m, &in);
	popup_scrollbar(c, &in, page, m->scroll.top, n);
}

static unsigned message_choose(struct message *m, size_t i)
{
	struct message was = *m;

	stack_remove(m->stack, m);
	if (!was.is_question)
		return was.chosen(was.ctx, i);
	return was.answered ? was.answered(was.ctx, i == 0) : WISH_REDRAW;
}

static unsigned message_request(void *self, enum request req)
{
	struct message *m = self;

	return scroll_request(&m->scroll, req);
}

static unsigned question_request(void *self, enum request req)
{
	struct message *m = self;

	switch (req) {
	case REQ_OPEN:
		return message_choose(m, m->current);
	case REQ_BACK:
		return message_choose(m, 1);
	case REQ_PREV_VALUE:
	case REQ_NEXT_VALUE:
		m->current = !m->current;
		return WISH_REDRAW;
	default:
		return scroll_request(&m->scroll, req);
	}
}

/* Most have nothing to scroll. */
static bool message_can(void *self, enum request req)
{
	const struct message *m = self;

	return req < REQ_UP || req > REQ_LAST || m->scroll.n > m->scroll.page;
}

/* The action with this key, of a question in either case; SIZE_MAX: none. */
static size_t action_of(const struct message *m, key_code key)
{
	if (m->is_question && key >= 'A' && key <= 'Z')
		key += 'a' - 'A';
	for (size_t i = 0; i < m->n_actions; i++)
		if (key == (key_code)m->actions[i].key)
			return i;
	return SIZE_MAX;
}

static bool message_has_key(void *self, key_code key)
{
	return action_of(self, key) != SIZE_MAX;
}

static unsigned message_key(void *self, key_code key)
{
	size_t i = action_of(self, key);

	return i == SIZE_MAX ? WISH_PASS : message_choose(self, i);
}

/* A click beside a message closes it; a question needs an answer. */
static unsigned message_mouse(void *self, const struct term_event *e)
{
	struct message *m = self;

	if (e->mouse != MOUSE_PRESS || e->button != 1)
		return scroll_mouse(&m->scroll, e);
	for (size_t i = 0; i < m->n_actions; i++)
		if (rect_has(&m->action_at[i], e->y, e->x))
			return message_choose(m, i);
	return m->is_question || popup_has(&m->at, e->y, e->x) ? WISH_NONE : WISH_POP;
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

/* Enter takes the answer or the line of a menu under the cursor. */
static const struct request_info *choice_info(void *self, enum request req)
{
	static const struct request_info choose = { .word = N_("choose"),
						    .help = N_("open, edit or choose this row") };

	(void)self;
	return req == REQ_OPEN ? &choose : NULL;
}

static const enum request message_hints[] = { REQ_BACK, REQ_NONE };
static const enum request question_hints[] = { REQ_OPEN, REQ_NEXT_VALUE, REQ_BACK, REQ_NONE };

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

static const struct screen_ops question_ops = {
	.title = N_("Question"),
	.keymap = KEYMAP_MENU,
	.floating = true,
	.hints = question_hints,
	.draw = message_draw,
	.request = question_request,
	.info = choice_info,
	.can = message_can,
	.has_key = message_has_key,
	.key = message_key,
	.mouse = message_mouse,
	.close = message_close,
};

/* Copies the texts of `like`, and opens it. 0 or -ENOMEM. */
static int message_open(const struct message *like, const struct popup_action *actions, size_t n)
{
	struct message *m = malloc(sizeof(*m));
	bool failed;

	if (!m)
		return -ENOMEM;
	*m = *like;
	m->title = like->title ? strdup(like->title) : NULL;
	m->text = strdup(like->text);
	failed = !m->text || (like->title && !m->title);
	for (size_t i = 0; i < n && i < POPUP_ACTIONS_MAX && !failed; i++) {
		m->actions[i] = (struct popup_action){ actions[i].key, strdup(actions[i].text) };
		failed = !m->actions[i].text;
		m->n_actions = i + 1;
	}
	if (!failed)
		return stack_push(m->stack, m->is_question ? &question_ops : &message_ops, m);
	message_close(m);
	return -ENOMEM;
}

unsigned popup_message_with(struct stack *s, const char *title, const char *text,
			    const struct popup_action *actions, size_t n,
			    unsigned (*chosen)(void *ctx, size_t index), void *ctx)
{
	const struct message like = { .stack = s,
				      .title = (char *)(uintptr_t)title,
				      .text = (char *)(uintptr_t)text,
				      .chosen = chosen,
				      .ctx = ctx };

	return text && !message_open(&like, actions, n) ? WISH_REDRAW : stack_no_memory(s);
}

unsigned popup_message(struct stack *s, const char *title, const char *text)
{
	return popup_message_with(s, title, text, NULL, 0, NULL, NULL);
}

unsigned popup_error(struct stack *s, const struct ptui_error *err)
{
	char text[sizeof(err->text) + sizeof(err->hint) + 4];

	const struct message like = { .stack = s,
				      .title = (char *)(uintptr_t)_("Error"),
				      .text = text };

	snprintf(text, sizeof(text), "%s%s%s", err->text, *err->hint ? "\n\n" : "", err->hint);
	return message_open(&like, NULL, 0) ? stack_say(s, ROLE_BAD, "%s", err->text) : WISH_REDRAW;
}

unsigned popup_ask(struct stack *s, const char *question, const char *yes, const char *no,
		   unsigned (*answered)(void *ctx, bool yes), void *ctx)
{
	const struct popup_action answers[] = { { 'y', yes }, { 'n', no } };
	const struct message like = { .stack = s,
				      .text = (char *)(uintptr_t)question,
				      .is_question = true,
				      .answered = answered,
				      .ctx = ctx };

	return message_open(&like, answers, 2) ? stack_no_memory(s) : WISH_REDRAW;
}

/* ---- menus ---- */

struct menu {
	struct stack *stack;
	char *title;
	struct menu_item *items; /* their texts are owned */
	size_t n, cursor, top;
	bool keys;	/* some have a key: reserve a column */
	struct rect at; /* of the rows, at the last draw */
	uint64_t opened_ns;
	unsigned (*chosen)(void *ctx, int index);
	void *ctx;
};

static int menu_width(const struct menu *m)
{
	int most = 0;

	for (size_t i = 0; i < m->n; i++)
		most = utf8_widest(most, m->items[i].text);
	return most + (m->keys ? 4 : 0) + 2;
}

static void draw_item(const struct menu *m, const struct canvas *c, int y, size_t i)
{
	const struct menu_item *item = &m->items[i];
	style_t style = item->off ? ROLE_DIM : ROLE_TEXT;
	char key[5] = "";
	int x = 2;

	if (item->current)
		canvas_text(c, y, 0, ROLE_NOTE, "•");
	if (item->key && key_is_char((key_code)item->key)) {
		key[utf8_put(key, (uint32_t)item->key)] = '\0';
		canvas_printf(c, y, x, item->off ? ROLE_DIM : ROLE_KEY, "(%s)", key);
	}
	if (m->keys)
		x += 4;
	canvas_cell(c, y, x, c->at.w - x, ALIGN_LEFT, style, item->text);
	if (i == m->cursor)
		canvas_add_flags(c, y, 0, c->at.w, STYLE_CURSOR);
}

static void menu_draw(void *self, const struct canvas *c)
{
	struct menu *m = self;
	struct canvas in = popup_frame(c, m->title, m->n < 1000 ? (int)m->n : 1000, menu_width(m));
	size_t page = in.at.h > 0 ? (size_t)in.at.h : 1;

	scroll_follow(&m->top, m->cursor, m->n, in.at.h);
	m->at = in.at;
	for (size_t i = 0; i < page && m->top + i < m->n; i++)
		draw_item(m, &in, (int)i, m->top + i);
	popup_scrollbar(c, &in, in.at.h, m->top, m->n);
}

static unsigned menu_end(struct menu *m, int index)
{
	unsigned (*chosen)(void *ctx, int index) = m->chosen;
	void *ctx = m->ctx;

	stack_remove(m->stack, m);
	return chosen ? chosen(ctx, index) : WISH_REDRAW;
}

static unsigned menu_choose(struct menu *m, size_t i)
{
	if (i >= m->n || m->items[i].off)
		return WISH_NONE;
	return menu_end(m, (int)i);
}

static unsigned menu_request(void *self, enum request req)
{
	struct menu *m = self;
	size_t row = scroll_cursor(req, m->cursor, m->n, m->at.h);

	if (row != SIZE_MAX)
		m->cursor = row;
	else if (req == REQ_OPEN)
		return menu_choose(m, m->cursor);
	else if (req == REQ_BACK)
		return menu_end(m, -1);
	else
		return WISH_PASS;
	return WISH_REDRAW;
}

/* The item with this key; m->n: none. */
static size_t item_of(const struct menu *m, key_code key)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		if (key_is_char(key) && (key_code)m->items[i].key == key)
			break;
	}
	return i;
}

static bool menu_has_key(void *self, key_code key)
{
	const struct menu *m = self;

	return item_of(m, key) < m->n;
}

static unsigned menu_key(void *self, key_code key)
{
	struct menu *m = self;
	size_t i = item_of(m, key);

	return i < m->n ? menu_choose(m, i) : WISH_PASS;
}

static bool menu_can(void *self, enum request req)
{
	(void)self;
	return req != REQ_PREV_VALUE && req != REQ_NEXT_VALUE;
}

static unsigned menu_mouse(void *self, const struct term_event *e)
{
	struct menu *m = self;
	const struct scroll_list list = { m->n, m->cursor, &m->top, m->at, &m->opened_ns };
	size_t row;
	unsigned wishes = scroll_list_mouse(&list, e, &row);

	if (e->mouse == MOUSE_PRESS && e->button == 1) {
		if (!(wishes & WISH_PASS))
			return menu_choose(m, row);
		return popup_has(&m->at, e->y, e->x) ? WISH_NONE : menu_end(m, -1);
	}
	m->cursor = row;
	return wishes;
}

static void menu_close(void *self)
{
	struct menu *m = self;

	for (size_t i = 0; i < m->n; i++)
		free((char *)m->items[i].text);
	free(m->items);
	free(m->title);
	free(m);
}

static const enum request menu_hints[] = { REQ_OPEN, REQ_BACK, REQ_NONE };

static const struct screen_ops menu_ops = {
	.title = N_("Menu"),
	.keymap = KEYMAP_MENU,
	.floating = true,
	.hints = menu_hints,
	.draw = menu_draw,
	.request = menu_request,
	.info = choice_info,
	.can = menu_can,
	.key = menu_key,
	.has_key = menu_has_key,
	.mouse = menu_mouse,
	.close = menu_close,
};

unsigned popup_menu(struct stack *s, const char *title, const struct menu_item *items, size_t n,
		    unsigned (*chosen)(void *ctx, int index), void *ctx)
{
	struct menu *m = calloc(1, sizeof(*m));

	if (!m)
		return stack_no_memory(s);
	m->stack = s;
	m->chosen = chosen;
	m->ctx = ctx;
	m->title = strdup(title);
	m->items = calloc(n ? n : 1, sizeof(*m->items));
	if (!m->title || !m->items)
		goto nomem;
	for (; m->n < n; m->n++) {
		m->items[m->n] = items[m->n];
		m->items[m->n].text = strdup(items[m->n].text);
		if (!m->items[m->n].text)
			goto nomem;
		if (items[m->n].key)
			m->keys = true;
		if (items[m->n].current)
			m->cursor = m->n;
	}
	return stack_push(s, &menu_ops, m) ? stack_no_memory(s) : WISH_REDRAW;
nomem:
	menu_close(m);
	return stack_no_memory(s);
}
