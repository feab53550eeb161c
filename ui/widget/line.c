/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>

#include "text/strings.h"
#include "text/utf8.h"
#include "widget/line.h"

#define DOT	   " · "
#define DOT_WIDTH  3
#define FACTS_MAX  64
#define HINT_SPACE 3
#define NAME_LEAST 24 /* columns for a function in the title */

/* The columns that the state leaves to the title. */
static int title_room(const struct canvas *c, int state_w)
{
	return c->at.w - 1 - (state_w ? state_w + 2 : 0);
}

void line_head(const struct canvas *c, const char *where, const char *state, style_t state_style)
{
	int w = c->at.w, state_w = utf8_width(state), where_w = title_room(c, state_w);

	if (where_w > 0)
		canvas_cell(c, 0, 1, where_w, ALIGN_LEFT, ROLE_TITLE, where);
	canvas_text(c, 0, state_w + 1 < w ? w - 1 - state_w : 0, state_style, state);
}

void line_head_name(const struct canvas *c, const char *where, const char *name, const char *state,
		    style_t state_style)
{
	int room = title_room(c, utf8_width(state)), way = utf8_width(where);
	int least = utf8_width(name) < NAME_LEAST ? utf8_width(name) : NAME_LEAST;
	char title[ROW_BYTES], kept[ROW_BYTES];

	/* the function is more important than the way to it */
	if (room - way < least) {
		where = "… › ";
		way = utf8_width(where);
	}
	snprintf(title, sizeof(title), "%s%s", where,
		 name_short(name, room - way, kept, sizeof(kept)));
	line_head(c, title, state, state_style);
}

/* ---- tabs ---- */

/* The visible tabs around the current one; … stands for the others. */
struct tabs {
	size_t from, to;
	int width;
};

static int tab_width(const char *const *names, size_t current, size_t i)
{
	return utf8_width(names[i]) + (i == current ? 2 : 0);
}

static int tabs_width(const char *const *names, size_t n, size_t current, size_t from, size_t to)
{
	int width = (from > 0 ? 2 : 0) + (to < n ? 2 : 0);

	for (size_t i = from; i < to; i++)
		width += tab_width(names, current, i) + (i > from ? DOT_WIDTH : 0);
	return width;
}

int line_tabs_width(const char *const *names, size_t n)
{
	return tabs_width(names, n, 0, 0, n);
}

static struct tabs tabs_seen(const char *const *names, size_t n, size_t current, int width)
{
	struct tabs t = { current, current + 1, 0 };

	for (;;) {
		if (t.to < n && tabs_width(names, n, current, t.from, t.to + 1) <= width)
			t.to++;
		else if (t.from > 0 && tabs_width(names, n, current, t.from - 1, t.to) <= width)
			t.from--;
		else
			break;
	}
	t.width = tabs_width(names, n, current, t.from, t.to);
	return t;
}

int line_tabs_fit(const char *const *names, size_t n, size_t current, int width)
{
	int seen = tabs_seen(names, n, current, width).width;

	return seen < width ? seen : width;
}

int line_tabs(const struct canvas *c, int x, int width, const char *const *names, size_t n,
	      size_t current)
{
	struct canvas part = canvas_part(c, 0, x, 1, width);
	struct tabs t;

	if (current >= n || width <= 0)
		return 0;
	t = tabs_seen(names, n, current, width);
	if (t.width > width) {
		canvas_cell(&part, 0, 0, width, ALIGN_LEFT, ROLE_TITLE | STYLE_BOLD,
			    names[current]);
		return width;
	}
	x = width - t.width;
	if (t.from > 0)
		x += canvas_text(&part, 0, x, ROLE_DIM, "… ");
	for (size_t i = t.from; i < t.to; i++) {
		if (i > t.from)
			x += canvas_text(&part, 0, x, ROLE_DIM, DOT);
		if (i == current)
			x += canvas_printf(&part, 0, x, ROLE_TITLE | STYLE_BOLD, "[%s]", names[i]);
		else
			x += canvas_text(&part, 0, x, ROLE_TEXT, names[i]);
	}
	if (t.to < n)
		canvas_text(&part, 0, x, ROLE_DIM, " …");
	return t.width;
}

int line_tab_at(const char *const *names, size_t n, size_t current, int width, int x)
{
	struct tabs t;

	if (current >= n || x < 0 || x >= width)
		return -1;
	t = tabs_seen(names, n, current, width);
	if (t.width > width)
		return (int)current;
	x -= width - t.width;
	if (t.from > 0 && x >= 0 && x < 2)
		return (int)t.from - 1;
	x -= t.from > 0 ? 2 : 0;
	for (size_t i = t.from; i < t.to && x >= 0; i++) {
		int w = tab_width(names, current, i);

		if (x < w)
			return (int)i;
		x -= w + (i + 1 < t.to ? DOT_WIDTH : 0);
	}
	return x >= 0 && t.to < n ? (int)t.to : -1;
}

/* ---- facts ---- */

void line_add_fact(struct line_fact *facts, size_t *n, style_t style, int hide, const char *fmt,
		   ...)
{
	struct line_fact *f = &facts[(*n)++];
	va_list args;

	va_start(args, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, args);
	va_end(args);
	f->style = style;
	f->hide = hide;
}

void line_facts(const struct canvas *c, const char *title, const struct line_fact *facts, size_t n)
{
	bool left_out[FACTS_MAX] = { false };
	int x = 1, width, title_w = title ? utf8_width(title) : 0;
	size_t first = 1;

	if (n > FACTS_MAX)
		n = FACTS_MAX;
	for (;;) {
		size_t leaves = n;

		width = 1 + (title_w ? title_w + 2 : 0);
		for (size_t i = 0; i < n; i++) {
			if (left_out[i])
				continue;
			width += utf8_width(facts[i].text) + DOT_WIDTH;
			if (facts[i].hide > 0 &&
			    (leaves == n || facts[i].hide >= facts[leaves].hide))
				leaves = i;
		}
		if (width - DOT_WIDTH <= c->at.w || leaves == n)
			break;
		left_out[leaves] = true;
	}
	if (title_w)
		x += canvas_text(c, 0, x, ROLE_TITLE, title) + 2;
	for (size_t i = 0; i < n; i++) {
		if (left_out[i])
			continue;
		if (!first)
			x += canvas_text(c, 0, x, ROLE_DIM, DOT);
		x += canvas_text(c, 0, x, facts[i].style, facts[i].text);
		first = 0;
	}
}

/* ---- hints ---- */

static int hint_width(const struct key_text *label, const struct line_hint *hint)
{
	return *label->text ? utf8_width(label->text) + 1 + utf8_width(hint->word) : 0;
}

/* Walks the hints that fit into `width`: draws them (`c`), or returns the one at column `at`. */
static enum request walk_hints(const struct canvas *c, int y, const struct keymaps *keys,
			       enum keymap map, const struct line_hint *hints, size_t n, int width,
			       int at)
{
	enum request found = REQ_NONE;
	struct key_text label;
	int x = 1, help = 0;

	label = keymaps_label(keys, map, REQ_HELP);
	for (size_t i = 0; i < n; i++)
		if (hints[i].req == REQ_HELP)
			help = hint_width(&label, &hints[i]) + HINT_SPACE;
	for (size_t i = 0; i < n; i++) {
		int w;

		label = keymaps_label(keys, map, hints[i].req);
		w = hint_width(&label, &hints[i]);
		if (hints[i].req == REQ_HELP)
			help = 0;
		if (!w || (x + w + help > width && hints[i].req != REQ_HELP))
			continue;
		if (at >= x && at < x + w)
			found = hints[i].req;
		if (c) {
			int key_w = canvas_text(c, y, x, ROLE_KEY, label.text);

			canvas_text(c, y, x + key_w + 1, ROLE_DIM, hints[i].word);
		}
		x += w + HINT_SPACE;
	}
	return found;
}

void line_hints(const struct canvas *c, int y, const struct keymaps *keys, enum keymap map,
		const struct line_hint *hints, size_t n)
{
	walk_hints(c, y, keys, map, hints, n, c->at.w, -1);
}

enum request line_hint_at(const struct keymaps *keys, enum keymap map,
			  const struct line_hint *hints, size_t n, int width, int x)
{
	return walk_hints(NULL, 0, keys, map, hints, n, width, x < width ? x : -1);
}
