/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tabs of the stack: grouping, raising and drawing. */
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "widget/line.h"
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

/* Moves everything behind the tab before it. */
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

struct canvas stack_draw_tabs(struct stack *s, const struct canvas *line)
{
	int width, most = line->at.w / 2;
	struct tabs t;

	s->tabs_w = 0;
	list_tabs(s, &t);
	if (t.n < 2)
		return *line;
	width = line_tabs_width(t.names, t.n);
	if (width > most)
		width = most;
	line_tabs(line, 0, 1, width, t.names, t.n, t.front);
	s->tabs_w = width + 2 < line->at.w ? width + 2 : line->at.w;
	return canvas_part(line, 0, s->tabs_w, 1, line->at.w - s->tabs_w);
}

bool stack_click_tab(struct stack *s, int x)
{
	struct tabs t;
	int hit;

	if (x < 1 || x >= s->tabs_w - 1)
		return false;
	list_tabs(s, &t);
	hit = line_tab_at(t.names, t.n, t.front, s->tabs_w - 2, x - 1);
	return hit >= 0 && stack_raise(s, t.v[hit]->self);
}
