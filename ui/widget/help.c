/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/key_name.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/help.h"
#include "widget/line.h"
#include "widget/scroll.h"

#define KEYS_MAX 8 /* told of one request */

struct help_row {
	char keys[128];	  /* "": a title, or nothing at all */
	const char *text; /* translated */
};

struct help {
	char *title;
	const struct keymaps *keys;
	enum keymap map;
	struct help_row rows[N_REQUESTS + 2 * N_GROUPS]; /* a blank and a title a group */
	size_t n;
	int keys_width;
	struct scroll scroll;
};

static void tell_keys(const struct help *h, enum request req, char *buf, size_t size)
{
	key_code keys[KEYS_MAX];
	char label[KEY_NAME_MAX];
	size_t i, at = 0, n = keymaps_keys(h->keys, h->map, req, keys, KEYS_MAX);

	*buf = '\0';
	for (i = 0; i < n && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? "  " : "",
				       key_label(keys[i], label));
}

static void fill_group(struct help *h, enum request_group group)
{
	struct help_row row;
	bool titled = false;
	int i;

	for (i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		if (request_info((enum request)i)->group != group)
			continue;
		tell_keys(h, (enum request)i, row.keys, sizeof(row.keys));
		if (!*row.keys)
			continue;
		row.text = _(request_info((enum request)i)->help);
		if (!titled && h->n)
			h->rows[h->n++] = (struct help_row){ "", "" };
		if (!titled)
			h->rows[h->n++] = (struct help_row){ "", _(request_group_title(group)) };
		titled = true;
		if (utf8_width(row.keys) > h->keys_width)
			h->keys_width = utf8_width(row.keys);
		h->rows[h->n++] = row;
	}
}

static void help_head(void *self, const struct canvas *line)
{
	struct help *h = self;
	char where[256];

	snprintf(where, sizeof(where), _("Help: %s"), h->title);
	line_head(line, 0, where, "", ROLE_TEXT);
}

static void help_draw(void *self, const struct canvas *c)
{
	struct help *h = self;
	int y, x = h->keys_width + 4;

	if (x > c->at.w / 2)
		x = c->at.w / 2;
	scroll_fit(&h->scroll, h->n, c->at.h);
	for (y = 0; y < c->at.h && h->scroll.top + (size_t)y < h->n; y++) {
		const struct help_row *row = &h->rows[h->scroll.top + (size_t)y];

		if (!*row->keys) {
			canvas_text(c, y, 1, ROLE_TITLE, row->text);
			continue;
		}
		canvas_cell(c, y, 2, x - 3, ALIGN_LEFT, ROLE_KEY, row->keys);
		canvas_cell(c, y, x, c->at.w - x - 1, ALIGN_LEFT, ROLE_TEXT, row->text);
	}
	canvas_scrollbar(c, 0, c->at.w - 1, c->at.h, h->scroll.top, h->scroll.page, h->n);
}

/* The help of the help is here already. */
static unsigned help_request(void *self, enum request req)
{
	struct help *h = self;

	return req == REQ_HELP ? WISH_POP : scroll_request(&h->scroll, req);
}

static unsigned help_mouse(void *self, const struct term_event *e)
{
	struct help *h = self;

	return scroll_mouse(&h->scroll, e);
}

static void help_close(void *self)
{
	struct help *h = self;

	free(h->title);
	free(h);
}

static const enum request help_hints[] = { REQ_PAGE_DOWN, REQ_PAGE_UP, REQ_BACK, REQ_NONE };

static const struct screen_ops help_ops = {
	.title = N_("Help"),
	.keymap = KEYMAP_HELP,
	.hints = help_hints,
	.head = help_head,
	.draw = help_draw,
	.request = help_request,
	.mouse = help_mouse,
	.close = help_close,
};

int help_open(struct stack *s, enum keymap map, const char *title)
{
	struct help *h = calloc(1, sizeof(*h));
	int group;

	if (!h)
		return -ENOMEM;
	h->title = strdup(title);
	if (!h->title) {
		free(h);
		return -ENOMEM;
	}
	h->keys = stack_keys(s);
	h->map = map;
	for (group = 0; group < N_GROUPS; group++)
		fill_group(h, (enum request_group)group);
	return stack_push(s, &help_ops, h);
}
