/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing the stack: whole screens and popups over them; dispatching the mouse. */
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/find.h"
#include "widget/line.h"
#include "widget/popup.h"
#include "widget/scroll.h"
#include "widget/stack_private.h"

#define NAME_COLUMNS 28
#define SEEN_MAX     16 /* limit of the first line */

/* ---- grouping ---- */

size_t stack_n_tabs(const struct stack *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->layers[i].tab != 0;
	return n;
}

/* The layer that begins the tab of this one; SIZE_MAX: below all tabs. */
static size_t begin_of(const struct stack *s, size_t layer)
{
	do {
		if (s->layers[layer].tab)
			return layer;
	} while (layer--);
	return SIZE_MAX;
}

size_t stack_end_of(const struct stack *s, size_t layer)
{
	size_t end = layer + 1;

	if (begin_of(s, layer) == SIZE_MAX)
		return s->n;
	while (end < s->n && !s->layers[end].tab)
		end++;
	return end;
}

/* Truncates at whole characters. */
static void set_name(struct layer *l, const char *name)
{
	size_t n = utf8_fit(name, NAME_COLUMNS);

	while (n >= sizeof(l->tab_name))
		n = utf8_before(name, n);
	memcpy(l->tab_name, name, n);
	l->tab_name[n] = '\0';
}

unsigned stack_make_tab(struct stack *s, void *self, const char *name)
{
	struct layer *l = s->n ? &s->layers[s->n - 1] : NULL;

	if (self)
		l = stack_layer_with(s, self);
	if (!l || l->ops->floating || (!self && l->tab))
		return 0;
	if (!l->tab) {
		l->tab = ++s->last_tab;
		l->below = 0;
	}
	set_name(l, name);
	loop_dirty(s->loop);
	return l->tab;
}

static struct layer *layer_of_tab(struct stack *s, unsigned tab)
{
	for (size_t i = 0; tab && i < s->n; i++)
		if (s->layers[i].tab == tab)
			return &s->layers[i];
	return NULL;
}

bool stack_name_tab(struct stack *s, unsigned tab, const char *name)
{
	struct layer *l = layer_of_tab(s, tab);

	return l && stack_make_tab(s, l->self, name);
}

/* ---- raising ---- */

static void reverse(struct layer *from, struct layer *to)
{
	while (from < to && from < --to) {
		struct layer l = *from;

		*from++ = *to;
		*to = l;
	}
}

/* Moves everything after the tab before it. */
static void raise_tab(struct stack *s, size_t begin)
{
	size_t end = stack_end_of(s, begin);

	reverse(s->layers + begin, s->layers + end);
	reverse(s->layers + end, s->layers + s->n);
	reverse(s->layers + begin, s->layers + s->n);
	loop_dirty(s->loop);
}

bool stack_raise_tab(struct stack *s, unsigned tab)
{
	struct layer *l = layer_of_tab(s, tab);

	if (l)
		raise_tab(s, (size_t)(l - s->layers));
	return l;
}

bool stack_raise(struct stack *s, void *self)
{
	struct layer *l = stack_layer_with(s, self);
	size_t begin = l ? begin_of(s, (size_t)(l - s->layers)) : SIZE_MAX;

	if (begin != SIZE_MAX)
		raise_tab(s, begin);
	return begin != SIZE_MAX;
}

/* ---- order ---- */

static int by_number(const void *a, const void *b)
{
	const struct layer *const *x = a, *const *y = b;

	return ((*x)->tab > (*y)->tab) - ((*x)->tab < (*y)->tab);
}

struct tabs {
	const struct layer *v[SEEN_MAX];
	const char *names[SEEN_MAX];
	size_t n, front;
};

/* In the order of opening. If there are too many, those most recently in front. */
static void list_tabs(const struct stack *s, struct tabs *t)
{
	const struct layer *front = NULL;

	t->n = t->front = 0;
	for (size_t i = s->n; i-- > 0 && t->n < SEEN_MAX;) {
		if (!s->layers[i].tab)
			continue;
		if (!front)
			front = &s->layers[i];
		t->v[t->n++] = &s->layers[i];
	}
	qsort(t->v, t->n, sizeof(t->v[0]), by_number);
	for (size_t i = 0; i < t->n; i++) {
		t->names[i] = t->v[i]->tab_name;
		if (t->v[i] == front)
			t->front = i;
	}
}

bool stack_next_tab(struct stack *s, int direction)
{
	struct tabs t;

	list_tabs(s, &t);
	if (t.n < 2)
		return false;
	return stack_raise(s, t.v[(t.front + t.n + (direction > 0 ? 1 : t.n - 1)) % t.n]->self);
}

/* ---- first line ---- */

/* Draws the tabs in the first line; returns the rest of it. */
static struct canvas stack_draw_tabs(struct stack *s, const struct canvas *line)
{
	struct tabs t;
	int width;

	s->tabs_w = 0;
	list_tabs(s, &t);
	if (t.n < 2)
		return *line;
	width = line_tabs_fit(t.names, t.n, t.front, line->at.w / 2);
	line_tabs(line, 1, width, t.names, t.n, t.front);
	s->tabs_w = width + 2 < line->at.w ? width + 2 : line->at.w;
	return canvas_part(line, 0, s->tabs_w, 1, line->at.w - s->tabs_w);
}

/* Handles a click there. False: not on a tab. */
static bool stack_click_tab(struct stack *s, int x)
{
	struct tabs t;
	int hit;

	if (x < 1 || x >= s->tabs_w - 1)
		return false;
	list_tabs(s, &t);
	hit = line_tab_at(t.names, t.n, t.front, s->tabs_w - 2, x - 1);
	return hit >= 0 && stack_raise(s, t.v[hit]->self);
}

#define RULES_FROM 16 /* rows; smaller terminals have no rule lines */
#define HEAD_FROM  3  /* smaller ones have no first line either */
#define HINTS_MAX  32 /* limit of the last line */

static struct line_hint hint_of(const struct layer *l, enum request req)
{
	return (struct line_hint){ req, _(stack_request_info(l->ops, l->self, req)->word) };
}

/*
 * The hints of the screen that currently do something. With several tabs, the key for the next tab
 * comes second.
 */
static size_t hints_of(const struct stack *s, const struct layer *l,
		       struct line_hint offered[HINTS_MAX])
{
	const enum request *hint = l->ops->hints;
	size_t n = 0;

	for (; hint && *hint != REQ_NONE && n < HINTS_MAX - 1; hint++) {
		if (!stack_offers(s, l->ops, l->self, *hint))
			continue;
		offered[n++] = hint_of(l, *hint);
		if (n == 1 && stack_offers(s, l->ops, l->self, REQ_NEXT_TAB))
			offered[n++] = hint_of(l, REQ_NEXT_TAB);
	}
	return n;
}

static void draw_hints(struct stack *s, const struct canvas *c, int y, const struct layer *top)
{
	struct line_hint offered[HINTS_MAX];

	s->said_rows = 0;
	if (!*s->said)
		line_hints(c, y, s->keys, top->ops->keymap, offered, hints_of(s, top, offered));
}

/* In the last line; a longer text goes over the lines above, on half of the screen at most. */
static void draw_said(struct stack *s, const struct canvas *c)
{
	int n = (int)scroll_wrap_count(s->said, c->at.w - 1), most = s->rows / 2;
	const char *text = s->said;
	size_t bytes;

	s->said_rows = n < most ? n : most > 1 ? most : 1;
	for (int y = s->hints_y - s->said_rows + 1; y < s->hints_y && text; y++) {
		struct canvas line = canvas_part(c, y, 0, 1, c->at.w);
		const char *next = scroll_wrap(text, c->at.w - 1, &bytes);

		canvas_clear(&line);
		canvas_printf(&line, 0, 1, s->said_style, "%.*s", (int)bytes, text);
		text = next;
	}
	if (text)
		canvas_cell(c, s->hints_y, 1, c->at.w - 1, ALIGN_LEFT, s->said_style, text);
}

#define LIGHT_ROOM 60 /* narrower lines show its mark only */

/* Draws the light at the right; returns the rest of the line. */
static struct canvas draw_light(struct stack *s, const struct canvas *line)
{
	char text[128] = "";
	style_t style = ROLE_TEXT;
	int w;

	if (s->light.text)
		s->light.text(s->light.ctx, text, sizeof(text), &style);
	if (s->width < LIGHT_ROOM)
		text[utf8_fit(text, 1)] = '\0';
	w = utf8_width(text);
	if (!w || w + 3 > line->at.w)
		return *line;
	canvas_text(line, 0, line->at.w - 1 - w, style, text);
	return canvas_part(line, 0, 0, 1, line->at.w - 2 - w);
}

static void draw_first_line(struct stack *s, const struct canvas *c, const struct layer *l)
{
	struct canvas line = canvas_part(c, 0, 0, 1, c->at.w);

	if (c->at.h < HEAD_FROM)
		return;
	line = stack_draw_tabs(s, &line);
	if (!l->ops->has_light)
		line = draw_light(s, &line);
	if (l->ops->head)
		l->ops->head(l->self, &line);
	else
		line_head(&line, _(l->ops->title), "", ROLE_TEXT);
}

static void draw_whole(struct stack *s, const struct canvas *c, const struct layer *l)
{
	int h = c->at.h, w = c->at.w;
	int rules = h >= RULES_FROM;
	int head = h >= HEAD_FROM, foot = h >= 2;
	struct canvas body;

	s->width = w;
	s->rows = h;
	s->hints_y = foot ? h - 1 : -1;
	s->body_y = head + rules;
	s->body_h = h - head - foot - 2 * rules;
	body = canvas_part(c, s->body_y, 0, s->body_h, w);
	s->tabs_w = 0;
	draw_first_line(s, c, l);
	if (rules) {
		canvas_rule(c, 1);
		canvas_rule(c, h - 2);
	}
	if (foot)
		draw_hints(s, c, h - 1, &s->layers[s->n - 1]);
	l->ops->draw(l->self, &body);
	if (foot && *s->said && w > 1)
		draw_said(s, c);
}

/* The visible whole screen; popups follow it. */
static size_t base_of(const struct stack *s)
{
	size_t i = s->n;

	while (i > 0 && s->layers[--i].ops->floating)
		;
	return i;
}

bool stack_is_shown(const struct stack *s, const void *self)
{
	return s->n && s->layers[base_of(s)].self == self;
}

static void *widget_of(const struct layer *l, size_t offset)
{
	return offset ? (char *)l->self + offset : NULL;
}

static void stack_recalc(const struct layer *l)
{
	struct table *table = widget_of(l, l->ops->table);

	if (l->ops->recalc)
		l->ops->recalc(l->self);
	else if (table)
		table_recalc(table);
}

void stack_recalc_stale(struct stack *s)
{
	s->changed = false;
	for (size_t i = base_of(s); i < s->n; i++) {
		struct layer *l = &s->layers[i];
		bool stale = l->stale;

		l->stale = false;
		/* may push and remove: `l` is invalid then */
		if (stale)
			stack_recalc(l);
	}
}

void stack_draw(struct stack *s, struct grid *g)
{
	struct canvas c = canvas_of(g);

	grid_clear(g);
	s->part = 0;
	stack_recalc_stale(s);
	for (size_t i = base_of(s); i < s->n; i++) {
		struct layer *l = &s->layers[i];

		g->cursor_y = -1;
		if (l->ops->floating)
			l->ops->draw(l->self, &c);
		else
			draw_whole(s, &c, l);
	}
}

bool stack_draw_part(struct stack *s, struct grid *g)
{
	const struct layer *l = &s->layers[s->n - 1];
	struct canvas c = canvas_of(g), part;

	if (l->number != s->part || l->ops->floating || l->stale || !l->ops->draw_part ||
	    s->said_rows > 1 || c.at.w != s->width || c.at.h != s->rows)
		return false;
	if (c.at.h >= HEAD_FROM) {
		part = canvas_part(&c, 0, 0, 1, c.at.w);
		canvas_clear(&part);
		draw_first_line(s, &c, l);
	}
	part = canvas_part(&c, s->body_y, 0, s->body_h, c.at.w);
	l->ops->draw_part(l->self, &part);
	s->part = 0;
	return true;
}

void stack_body_size(const struct stack *s, int *ret_rows, int *ret_cols)
{
	*ret_rows = s->body_h;
	*ret_cols = s->width;
}

/* ---- the mouse ---- */

/* A click on a hint presses its key; one on a message clears it. False: neither was hit. */
static bool on_hint(struct stack *s, const struct layer *top, const struct term_event *e)
{
	struct line_hint offered[HINTS_MAX];
	enum request req;
	size_t n;
	key_code key;

	if (e->mouse != MOUSE_PRESS || e->button != 1 || e->y > s->hints_y ||
	    e->y < s->hints_y - (s->said_rows > 1 ? s->said_rows - 1 : 0))
		return false;
	if (*s->said) {
		*s->said = '\0';
		loop_dirty(s->loop);
		return true;
	}
	n = hints_of(s, top, offered);
	req = line_hint_at(s->keys, top->ops->keymap, offered, n, s->width, e->x);
	if (!keymaps_keys(s->keys, top->ops->keymap, req, &key, 1))
		return false;
	stack_key(s, key);
	return true;
}

/* The second press of a double click must not reach a screen that the first one opened. */
static bool is_second_press(struct stack *s, const struct term_event *e)
{
	unsigned top = s->layers[s->n - 1].number;

	if (e->mouse != MOUSE_PRESS)
		return false;
	if (s->press.time_ns && e->time_ns - s->press.time_ns < MOUSE_DOUBLE_NS &&
	    e->y == s->press.y && e->x == s->press.x && top != s->pressed)
		return true;
	s->press = *e;
	s->pressed = top;
	return false;
}

/* ---- widgets ---- */

unsigned stack_widget_request(const struct layer *l, enum request req)
{
	struct filter *filter = widget_of(l, l->ops->filter);
	struct find *find = widget_of(l, l->ops->find);
	struct table *table = widget_of(l, l->ops->table);
	struct scroll *scroll = widget_of(l, l->ops->scroll);
	unsigned wishes = WISH_PASS;

	if (filter)
		return filter_request(filter, req);
	if (find)
		wishes = find_request(find, req);
	if (wishes & WISH_PASS && table)
		wishes = table_request(table, req);
	if (wishes & WISH_PASS && scroll)
		wishes = scroll_request(scroll, req);
	return wishes;
}

#define MENU_MAX 32

static bool in_menu(struct stack *s, const struct layer *l, enum request req)
{
	return l->ops->menu_kind != MENU_OMITS || stack_offers(s, l->ops, l->self, req);
}

/* The menu is gone, its screen is on top again. */
static unsigned menu_chosen(void *ctx, int index)
{
	struct stack *s = ctx;
	struct layer top = s->layers[s->n - 1];

	for (const enum request *req = top.ops->menu; index >= 0 && *req; req++)
		if (in_menu(s, &top, *req) && !index--)
			return stack_request(s, &top, *req);
	return WISH_REDRAW;
}

unsigned stack_show_menu(struct stack *s, const struct layer *top)
{
	const struct screen_ops *ops = top->ops;
	struct menu_item items[MENU_MAX] = { { 0 } };
	const char *title = ops->menu_title(top->self);
	size_t n = 0;

	if (!title)
		return WISH_PASS;
	for (const enum request *req = ops->menu; *req && n < MENU_MAX; req++) {
		if (!in_menu(s, top, *req))
			continue;
		items[n++] = (struct menu_item){
			.text = _(*req == REQ_OPEN && ops->menu_open ? ops->menu_open :
								       request_info(*req)->help),
			.key = keymaps_letter(s->keys, ops->keymap, *req),
			.off = ops->menu_kind == MENU_DIMS &&
			       !stack_offers(s, ops, top->self, *req),
		};
	}
	return popup_menu(s, title, items, n, menu_chosen, s);
}

static unsigned body_mouse(const struct layer *l, const struct term_event *e)
{
	struct table *table = widget_of(l, l->ops->table);
	struct scroll *scroll = widget_of(l, l->ops->scroll);

	if (l->ops->mouse)
		return l->ops->mouse(l->self, e);
	if (table)
		return table_mouse(table, e);
	return scroll ? scroll_mouse(scroll, e) : WISH_PASS;
}

static unsigned head_mouse(const struct stack *s, const struct layer *l, const struct term_event *e)
{
	struct term_event in = *e;

	in.x -= s->tabs_w;
	return l->ops->head_mouse ? l->ops->head_mouse(l->self, &in) : WISH_PASS;
}

void stack_mouse(struct stack *s, const struct term_event *e)
{
	struct layer top = s->layers[s->n - 1];
	bool whole = !top.ops->floating;
	unsigned wishes;

	if (is_second_press(s, e) || on_hint(s, &top, e))
		return;
	if (whole && e->y == 0 && s->body_y) {
		if (e->mouse == MOUSE_PRESS && e->button == 1 && stack_click_tab(s, e->x))
			return;
		wishes = head_mouse(s, &top, e);
	} else if (whole && (e->y < s->body_y || e->y >= s->body_y + s->body_h)) {
		return;
	} else {
		wishes = body_mouse(&top, e);
	}
	/* the screen may be gone; then the wishes are those of the one below */
	if (wishes & WISH_OPEN && stack_layer(s, top.number))
		wishes |= stack_request(s, &top, top.ops->opens ? top.ops->opens : REQ_OPEN);
	stack_fulfil(s, top.number, top.below, wishes);
}
