/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/popup.h"
#include "widget/popup_frame.h"

struct menu {
	struct stack *stack;
	char *title;
	struct menu_item *items; /* their texts are owned */
	size_t n, cursor, top;
	bool keys;	/* some have a key: reserve a column */
	struct rect at; /* of the rows, at the last draw */
	unsigned (*chosen)(void *ctx, int index);
	void *ctx;
};

static int menu_width(const struct menu *m)
{
	int most = 0;

	for (size_t i = 0; i < m->n; i++) {
		int w = utf8_width(m->items[i].text);

		if (w > most)
			most = w;
	}
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

	if (m->cursor < m->top)
		m->top = m->cursor;
	if (m->cursor >= m->top + page)
		m->top = m->cursor - page + 1;
	if (m->top + page > m->n)
		m->top = m->n > page ? m->n - page : 0;
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

static unsigned move(struct menu *m, size_t row)
{
	m->cursor = row < m->n ? row : m->n ? m->n - 1 : 0;
	return WISH_REDRAW;
}

static unsigned menu_request(void *self, enum request req)
{
	struct menu *m = self;
	size_t page = m->at.h > 1 ? (size_t)m->at.h : 1;

	switch (req) {
	case REQ_UP:
		return move(m, m->cursor ? m->cursor - 1 : 0);
	case REQ_DOWN:
		return move(m, m->cursor + 1);
	case REQ_PAGE_UP:
		return move(m, m->cursor > page ? m->cursor - page : 0);
	case REQ_PAGE_DOWN:
		return move(m, m->cursor + page);
	case REQ_FIRST:
		return move(m, 0);
	case REQ_LAST:
		return move(m, m->n);
	case REQ_OPEN:
		return menu_choose(m, m->cursor);
	case REQ_BACK:
		return menu_end(m, -1);
	default:
		return WISH_PASS;
	}
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
	int y = e->y - m->at.y, x = e->x - m->at.x;

	if (e->mouse == MOUSE_WHEEL_UP)
		return menu_request(m, REQ_UP);
	if (e->mouse == MOUSE_WHEEL_DOWN)
		return menu_request(m, REQ_DOWN);
	if (e->mouse != MOUSE_PRESS || e->button != 1)
		return WISH_PASS;
	if (!popup_has(&m->at, e->y, e->x))
		return menu_end(m, -1);
	if (y < 0 || y >= m->at.h || x < 0 || x >= m->at.w)
		return WISH_NONE;
	return menu_choose(m, m->top + (size_t)y);
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
	.can = menu_can,
	.key = menu_key,
	.has_key = menu_has_key,
	.mouse = menu_mouse,
	.close = menu_close,
};

int popup_menu(struct stack *s, const char *title, const struct menu_item *items, size_t n,
	       unsigned (*chosen)(void *ctx, int index), void *ctx)
{
	struct menu *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
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
	return stack_push(s, &menu_ops, m);
nomem:
	menu_close(m);
	return -ENOMEM;
}
