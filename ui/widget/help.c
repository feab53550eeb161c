/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "input/key_name.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "widget/find.h"
#include "widget/line.h"
#include "widget/scroll.h"
#include "widget/stack_private.h"

#define KEYS_MAX 8 /* per request */

struct help_row {
	char keys[128];	  /* "": a title or an empty row */
	const char *text; /* translated */
};

struct help {
	const struct screen_ops *of; /* the screen, called while the rows are filled */
	void *self;
	const struct stack *stack;
	const struct keymaps *keys;

	struct help_row rows[N_REQUESTS + 2 * N_GROUPS]; /* an empty row and a title per group */
	size_t n;
	int keys_width;
	int text_width;	      /* of the last draw: longer texts wrap */
	struct scroll scroll; /* lines */

	struct find find;
	char search[FIND_SIZE];
	size_t found; /* row; FIND_NONE */
};

/* ---- the rows ---- */

static void format_keys(const struct help *h, enum request req, char *buf, size_t size)
{
	key_code keys[KEYS_MAX];
	char label[KEY_NAME_MAX];
	size_t n = keymaps_keys(h->keys, h->of->keymap, req, keys, KEYS_MAX);

	*buf = '\0';
	if (!stack_offers(h->stack, h->of, h->self, req))
		return;
	for (size_t i = 0; i < n; i++)
		if (!h->of->has_key || !h->of->has_key(h->self, keys[i]))
			text_join(buf, size, "  ", "%s", key_label(keys[i], label));
}

/* On most screens. */
static bool is_common(enum request_group group)
{
	return group == GROUP_GENERAL || group == GROUP_MOVE || group == GROUP_SEARCH ||
	       group == GROUP_TREE;
}

static void fill_group(struct help *h, enum request_group group)
{
	struct help_row row;
	bool titled = false;

	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		if (request_info((enum request)i)->group != group)
			continue;
		format_keys(h, (enum request)i, row.keys, sizeof(row.keys));
		if (!*row.keys)
			continue;
		row.text = _(stack_request_info(h->of, h->self, (enum request)i)->help);
		if (!titled && h->n)
			h->rows[h->n++] = (struct help_row){ "", "" };
		if (!titled)
			h->rows[h->n++] = (struct help_row){ "", _(request_group_title(group)) };
		titled = true;
		h->keys_width = utf8_widest(h->keys_width, row.keys);
		h->rows[h->n++] = row;
	}
}

/* ---- drawing ---- */

static size_t row_lines(const struct help *h, size_t i)
{
	return *h->rows[i].keys && h->text_width > 0 ?
		       scroll_wrap_count(h->rows[i].text, h->text_width) :
		       1;
}

static size_t first_line(const struct help *h, size_t row)
{
	size_t line = 0;

	for (size_t i = 0; i < row; i++)
		line += row_lines(h, i);
	return line;
}

static void help_head(void *self, const struct canvas *line)
{
	struct help *h = self;
	char where[256];

	snprintf(where, sizeof(where), _("Help: %s"), _(h->of->title));
	line_head(line, where, "", ROLE_TEXT);
}

/* One row from line `y` on, which may be above the visible part. */
static void draw_row(const struct help *h, const struct canvas *c, int y, int x, size_t i)
{
	const struct help_row *row = &h->rows[i];
	const char *text = row->text;
	int end = y + (int)row_lines(h, i), at;

	if (!*row->keys) {
		canvas_text(c, y, 1, ROLE_TITLE, text);
	} else {
		canvas_cell(c, y, 2, x - 3, ALIGN_LEFT, ROLE_KEY, row->keys);
		scroll_lines(c, y, x, h->text_width, ROLE_TEXT, text);
	}
	for (at = y; at < end; at++) {
		canvas_mark(c, at, h->search, ROLE_MATCH);
		if (i == h->found)
			canvas_add_flags(c, at, 0, c->at.w - 1, STYLE_CURSOR);
	}
}

static void help_draw(void *self, const struct canvas *c)
{
	struct help *h = self;
	int y, x = h->keys_width + 4;

	if (x > c->at.w / 2)
		x = c->at.w / 2;
	h->text_width = c->at.w - x - 2;
	scroll_fit(&h->scroll, first_line(h, h->n), c->at.h);
	y = -(int)h->scroll.top;
	for (size_t i = 0; i < h->n && y < c->at.h; i++) {
		draw_row(h, c, y, x, i);
		y += (int)row_lines(h, i);
	}
	canvas_scrollbar(c, 0, c->at.w - 1, c->at.h, h->scroll.top, h->scroll.page, h->scroll.n);
}

/* ---- searching ---- */

static size_t rows_count(void *ctx)
{
	return ((struct help *)ctx)->n;
}

static bool row_matches(void *ctx, size_t i)
{
	const struct help *h = ctx;
	size_t bytes;

	return utf8_find(h->rows[i].keys, h->search, &bytes) ||
	       utf8_find(h->rows[i].text, h->search, &bytes);
}

/* The last match, or the first row seen. */
static size_t here(void *ctx, bool *ret_match)
{
	const struct help *h = ctx;
	size_t i = 0;

	*ret_match = h->found != FIND_NONE;
	while (!*ret_match && i < h->n && first_line(h, i) < h->scroll.top)
		i++;
	return *ret_match ? h->found : i;
}

static void show(void *ctx, size_t row)
{
	struct help *h = ctx;

	h->found = row;
	scroll_show(&h->scroll, first_line(h, row + 1) - 1);
	scroll_show(&h->scroll, first_line(h, row));
}

static void set_text(void *ctx, const char *text)
{
	struct help *h = ctx;

	find_copy(h->search, text);
	h->found = FIND_NONE;
}

static uint64_t place(void *ctx)
{
	return ((struct help *)ctx)->scroll.top;
}

static void go(void *ctx, uint64_t top)
{
	((struct help *)ctx)->scroll.top = (size_t)top;
}

static const struct find_ops help_find = {
	.count = rows_count,
	.matches = row_matches,
	.here = here,
	.show = show,
	.set_text = set_text,
	.place = place,
	.go = go,
};

/* ---- the screen ---- */

/* Help is already open. */
static unsigned help_request(void *self, enum request req)
{
	(void)self;
	return req == REQ_HELP ? WISH_POP : WISH_PASS;
}

/* Nothing is truncated, so horizontal scrolling is off. */
static bool help_can(void *self, enum request req)
{
	(void)self;
	return req != REQ_LEFT && req != REQ_RIGHT;
}

static void help_close(void *self)
{
	struct help *h = self;

	find_release(&h->find);
	free(h);
}

static const enum request help_hints[] = { REQ_PAGE_DOWN, REQ_PAGE_UP, REQ_SEARCH, REQ_BACK,
					   REQ_NONE };

static const struct screen_ops help_ops = {
	.title = N_("Help"),
	.keymap = KEYMAP_HELP,
	.hints = help_hints,
	.head = help_head,
	.draw = help_draw,
	.request = help_request,
	.can = help_can,
	.scroll = offsetof(struct help, scroll),
	.find = offsetof(struct help, find),
	.close = help_close,
};

int help_open(struct stack *s, const struct screen_ops *of, void *self)
{
	struct help *h = calloc(1, sizeof(*h));

	if (!h)
		return -ENOMEM;
	find_init(&h->find, s, &help_find, h);
	h->found = FIND_NONE;
	h->stack = s;
	h->keys = stack_keys(s);
	h->of = of;
	h->self = self;
	/* the screen's own keys first */
	for (int common = 0; common < 2; common++)
		for (int group = 0; group < N_GROUPS; group++)
			if (is_common((enum request_group)group) == common)
				fill_group(h, (enum request_group)group);
	return stack_push(s, &help_ops, h);
}
