/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/strings.h"
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

/* ---- messages, questions and menus ---- */

/*
 *	message			question			menu
 *	text			text				• (a) current
 *	 (r) first action	 (y) yes    (n) no		  (b) other
 *	 (M) second action
 */
struct popup {
	struct stack *stack;
	enum { MESSAGE, QUESTION, MENU } kind;
	char *title, *text;	 /* NULL: none */
	struct menu_item *items; /* actions, answers, lines; their texts are owned */
	size_t n, cursor, top;
	struct rect item_at[POPUP_ACTIONS_MAX]; /* but for a menu; at the last draw */
	struct rect at;				/* of the text and the items, at the last draw */
	bool keys;				/* of a menu: some have a key: reserve a column */
	uint64_t opened_ns;
	struct scroll scroll;				    /* of the text */
	void (*text_of)(void *ctx, char *buf, size_t size); /* NULL: `text` does not change */
	int text_w;					    /* the widest so far */
	unsigned (*chosen)(void *ctx, int index);
	unsigned (*answered)(void *ctx, bool yes); /* of a question */
	void *ctx;
};

/* Columns of an action: " (y) text ". */
static int action_width(const struct popup *p, size_t i)
{
	return utf8_width(p->items[i].text) + 6;
}

static int actions_width(const struct popup *p)
{
	int most = 0, all = 0;

	for (size_t i = 0; i < p->n; i++) {
		all += action_width(p, i) + (i ? 2 : 0);
		if (action_width(p, i) > most)
			most = action_width(p, i);
	}
	return p->kind == QUESTION ? all : most;
}

/* In one line, or a line each, at the end. */
static void draw_actions(struct popup *p, const struct canvas *in)
{
	bool one_line = p->kind == QUESTION;
	int y = in->at.h - (one_line ? 1 : (int)p->n), x = 0;

	for (size_t i = 0; i < p->n; i++) {
		bool on = one_line && i == p->cursor;
		int w = one_line ? action_width(p, i) : in->at.w;

		canvas_printf(in, y, x, ROLE_KEY | (on ? STYLE_CURSOR : 0), " (%c) %s ",
			      p->items[i].key, p->items[i].text);
		p->item_at[i] = canvas_part(in, y, x, 1, w).at;
		if (one_line)
			x += w + 2;
		else
			y++;
	}
}

/* The actions are always visible, below a blank line if there is room; the text scrolls. */
static void message_draw(void *self, const struct canvas *c)
{
	struct popup *p = self;
	int width = c->at.w - 4 < TEXT_WIDTH ? c->at.w - 4 : TEXT_WIDTH, page;
	int below = p->kind == QUESTION ? 1 : (int)p->n;
	char changing[POPUP_TEXT_MAX] = "";
	const char *words = p->text_of ? changing : p->text;
	struct canvas in, text;
	size_t n;

	if (width < 1)
		return;
	if (p->text_of)
		p->text_of(p->ctx, changing, sizeof(changing));
	n = scroll_wrap_count(words, width);
	if (p->text_w < scroll_wrap_width(words, width))
		p->text_w = scroll_wrap_width(words, width);
	in = popup_frame(c, p->title, (n < (size_t)c->at.h ? (int)n : c->at.h) + below + !!below,
			 p->text_w > actions_width(p) ? p->text_w : actions_width(p));
	page = in.at.h - below - (below && in.at.h > (int)n + below);
	text = canvas_part(&in, 0, 0, page > 0 ? page : 0, in.at.w);
	scroll_fit(&p->scroll, n, page);
	p->at = in.at;
	scroll_lines(&text, -(int)p->scroll.top, 0, width, ROLE_TEXT, words);
	draw_actions(p, &in);
	popup_scrollbar(c, &in, page, p->scroll.top, n);
}

static int menu_width(const struct popup *p)
{
	int most = 0;

	for (size_t i = 0; i < p->n; i++)
		most = utf8_widest(most, p->items[i].text);
	return most + (p->keys ? 4 : 0) + 2;
}

static void draw_item(const struct popup *p, const struct canvas *c, int y, size_t i)
{
	const struct menu_item *item = &p->items[i];
	style_t style = item->off ? ROLE_DIM : ROLE_TEXT;
	char key[5] = "";
	int x = 2;

	if (item->current)
		canvas_text(c, y, 0, ROLE_NOTE, "•");
	if (item->key && key_is_char((key_code)item->key)) {
		key[utf8_put(key, (uint32_t)item->key)] = '\0';
		canvas_printf(c, y, x, item->off ? ROLE_DIM : ROLE_KEY, "(%s)", key);
	}
	if (p->keys)
		x += 4;
	canvas_cell(c, y, x, c->at.w - x, ALIGN_LEFT, style, item->text);
	if (i == p->cursor)
		canvas_add_flags(c, y, 0, c->at.w, STYLE_CURSOR);
}

static void menu_draw(void *self, const struct canvas *c)
{
	struct popup *p = self;
	struct canvas in = popup_frame(c, p->title, p->n < 1000 ? (int)p->n : 1000, menu_width(p));
	size_t page = in.at.h > 0 ? (size_t)in.at.h : 1;

	scroll_follow(&p->top, p->cursor, p->n, in.at.h);
	p->at = in.at;
	for (size_t i = 0; i < page && p->top + i < p->n; i++)
		draw_item(p, &in, (int)i, p->top + i);
	popup_scrollbar(c, &in, in.at.h, p->top, p->n);
}

static unsigned end(struct popup *p, int index)
{
	struct popup was = *p;

	stack_remove(p->stack, p);
	if (was.answered)
		return was.answered(was.ctx, index == 0);
	return was.chosen ? was.chosen(was.ctx, index) : WISH_REDRAW;
}

static unsigned choose(struct popup *p, size_t i)
{
	return i >= p->n || p->items[i].off ? WISH_NONE : end(p, (int)i);
}

static unsigned popup_request(void *self, enum request req)
{
	struct popup *p = self;
	size_t row;

	if (req == REQ_OPEN && p->kind != MESSAGE)
		return choose(p, p->cursor);
	if (req == REQ_BACK && p->kind != MESSAGE)
		return end(p, p->kind == QUESTION ? 1 : -1);
	if (p->kind == MENU)
		row = scroll_cursor(req, p->cursor, p->n, p->at.h);
	else if (p->kind == QUESTION && (req == REQ_PREV_VALUE || req == REQ_NEXT_VALUE))
		row = !p->cursor;
	else
		return scroll_request(&p->scroll, req);
	if (row == SIZE_MAX)
		return WISH_PASS;
	p->cursor = row;
	return WISH_REDRAW;
}

/* Most texts have nothing to scroll; a menu has nothing to its sides. */
static bool popup_can(void *self, enum request req)
{
	const struct popup *p = self;

	if (p->kind == MENU)
		return req != REQ_PREV_VALUE && req != REQ_NEXT_VALUE;
	return req < REQ_UP || req > REQ_LAST || p->scroll.n > p->scroll.page;
}

/* The item with this key, of a question in either case; n: none. */
static size_t item_of(const struct popup *p, key_code key)
{
	size_t i = 0;

	if (p->kind == QUESTION && key >= 'A' && key <= 'Z')
		key += 'a' - 'A';
	while (i < p->n && (!key_is_char(key) || (key_code)p->items[i].key != key))
		i++;
	return i;
}

static bool popup_has_key(void *self, key_code key)
{
	const struct popup *p = self;

	return item_of(p, key) < p->n;
}

static unsigned popup_key(void *self, key_code key)
{
	struct popup *p = self;
	size_t i = item_of(p, key);

	return i < p->n ? choose(p, i) : WISH_PASS;
}

/* A click beside a message or a menu closes it; a question needs an answer. */
static unsigned message_mouse(void *self, const struct term_event *e)
{
	struct popup *p = self;

	if (e->mouse != MOUSE_PRESS || e->button != 1)
		return scroll_mouse(&p->scroll, e);
	for (size_t i = 0; i < p->n; i++)
		if (rect_has(&p->item_at[i], e->y, e->x))
			return choose(p, i);
	return p->kind == QUESTION || popup_has(&p->at, e->y, e->x) ? WISH_NONE : WISH_POP;
}

static unsigned menu_mouse(void *self, const struct term_event *e)
{
	struct popup *p = self;
	const struct scroll_list list = { p->n, p->cursor, &p->top, p->at, &p->opened_ns };
	size_t row;
	unsigned wishes = scroll_list_mouse(&list, e, &row);

	if (e->mouse == MOUSE_PRESS && e->button == 1) {
		if (!(wishes & WISH_PASS))
			return choose(p, row);
		return popup_has(&p->at, e->y, e->x) ? WISH_NONE : end(p, -1);
	}
	p->cursor = row;
	return wishes;
}

static void popup_close(void *self)
{
	struct popup *p = self;

	for (size_t i = 0; i < p->n; i++)
		free((void *)(uintptr_t)p->items[i].text);
	free(p->items);
	free(p->title);
	free(p->text);
	free(p);
}

/* Enter takes the answer or the line of a menu under the cursor. */
static const struct request_info *choice_info(void *self, enum request req)
{
	static const struct request_info choose_info = {
		.word = N_("choose"), .help = N_("open, edit or choose this row")
	};

	(void)self;
	return req == REQ_OPEN ? &choose_info : NULL;
}

static const enum request message_hints[] = { REQ_BACK, REQ_NONE };
static const enum request question_hints[] = { REQ_OPEN, REQ_NEXT_VALUE, REQ_BACK, REQ_NONE };
static const enum request menu_hints[] = { REQ_OPEN, REQ_BACK, REQ_NONE };

#define POPUP_OPS                                                                               \
	.floating = true, .request = popup_request, .can = popup_can, .has_key = popup_has_key, \
	.key = popup_key, .close = popup_close

static const struct screen_ops popup_ops[] = {
	[MESSAGE] = { POPUP_OPS, .title = N_("Message"), .keymap = KEYMAP_MESSAGE,
		      .hints = message_hints, .draw = message_draw, .mouse = message_mouse },
	[QUESTION] = { POPUP_OPS, .title = N_("Question"), .keymap = KEYMAP_MENU,
		       .hints = question_hints, .draw = message_draw, .info = choice_info,
		       .mouse = message_mouse },
	[MENU] = { POPUP_OPS, .title = N_("Menu"), .keymap = KEYMAP_MENU, .hints = menu_hints,
		   .draw = menu_draw, .info = choice_info, .mouse = menu_mouse },
};

/* Copies the texts of `like`, and opens it. 0 or -ENOMEM. */
static int popup_open(const struct popup *like, const char *title, const char *text,
		      const struct menu_item *items, size_t n)
{
	struct popup *p = malloc(sizeof(*p));
	bool failed;

	if (!p)
		return -ENOMEM;
	*p = *like;
	if (p->kind != MENU && n > POPUP_ACTIONS_MAX)
		n = POPUP_ACTIONS_MAX;
	p->items = calloc(n + 1, sizeof(*p->items));
	failed = text_copy(&p->title, title) || text_copy(&p->text, text) || !p->items;
	for (; p->n < n && !failed; p->n++) {
		p->items[p->n] = items[p->n];
		p->items[p->n].text = strdup(items[p->n].text);
		failed = !p->items[p->n].text;
		p->keys |= items[p->n].key != 0;
		if (items[p->n].current)
			p->cursor = p->n;
	}
	if (!failed)
		return stack_push(p->stack, &popup_ops[p->kind], p);
	popup_close(p);
	return -ENOMEM;
}

unsigned popup_message_with(struct stack *s, const char *title, const char *text,
			    const struct menu_item *actions, size_t n,
			    unsigned (*chosen)(void *ctx, int index), void *ctx)
{
	const struct popup like = { .stack = s, .chosen = chosen, .ctx = ctx };

	return text && !popup_open(&like, title, text, actions, n) ? WISH_REDRAW :
								     stack_no_memory(s);
}

unsigned popup_message(struct stack *s, const char *title, const char *text)
{
	return popup_message_with(s, title, text, NULL, 0, NULL, NULL);
}

unsigned popup_message_of(struct stack *s, const char *title,
			  void (*text_of)(void *ctx, char *buf, size_t size), void *ctx)
{
	const struct popup like = { .stack = s, .text_of = text_of, .ctx = ctx };

	return popup_open(&like, title, NULL, NULL, 0) ? stack_no_memory(s) : WISH_REDRAW;
}

unsigned popup_error(struct stack *s, const struct ptui_error *err)
{
	const struct popup like = { .stack = s };
	char text[sizeof(err->text) + sizeof(err->hint) + 4];

	snprintf(text, sizeof(text), "%s%s%s", err->text, *err->hint ? "\n\n" : "", err->hint);
	return popup_open(&like, _("Error"), text, NULL, 0) ?
		       stack_say(s, ROLE_BAD, "%s", err->text) :
		       WISH_REDRAW;
}

unsigned popup_ask(struct stack *s, const char *question, const char *yes, const char *no,
		   unsigned (*answered)(void *ctx, bool yes), void *ctx)
{
	const struct menu_item answers[] = { { .text = yes, .key = 'y' },
					     { .text = no, .key = 'n' } };
	const struct popup like = {
		.stack = s, .kind = QUESTION, .answered = answered, .ctx = ctx
	};

	return popup_open(&like, NULL, question, answers, 2) ? stack_no_memory(s) : WISH_REDRAW;
}

unsigned popup_menu(struct stack *s, const char *title, const struct menu_item *items, size_t n,
		    unsigned (*chosen)(void *ctx, int index), void *ctx)
{
	const struct popup like = { .stack = s, .kind = MENU, .chosen = chosen, .ctx = ctx };

	return popup_open(&like, title, NULL, items, n) ? stack_no_memory(s) : WISH_REDRAW;
}
