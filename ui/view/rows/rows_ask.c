/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prompts, the menu and messages of a view of rows. */
#include <stdio.h>

#include "text/i18n.h"
#include "view/rows/rows_view.h"
#include "widget/popup.h"

void rows_view_say_error(struct rows_view *v, const struct ptui_error *err)
{
	stack_say(v->stack, ROLE_BAD, "%s%s%s", err->text, *err->hint ? ": " : "", err->hint);
}

static unsigned limit_done(void *ctx, const char *line)
{
	struct rows_view *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	if (rows_look_set_limit(v->look, line, &err)) {
		rows_view_say_error(v, &err);
		return WISH_REDRAW;
	}
	return rows_view_shown(v);
}

static unsigned limit_ask(struct rows_view *v)
{
	char now[32];
	const struct prompt_opts opts = {
		.label = _("minimum percentage: "),
		.line = now,
		.done = limit_done,
		.ctx = v,
	};

	snprintf(now, sizeof(now), "%g", v->look->limits.row_percent);
	return prompt_open(v->stack, &opts);
}

static unsigned filter_done(void *ctx, const char *line)
{
	struct rows_view *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	(void)history_add(&v->filtered, line); /* without memory there is no history */
	if (rows_look_zoom_text(v->look, line, &err)) {
		rows_view_say_error(v, &err);
		return WISH_REDRAW;
	}
	return rows_view_changed(v);
}

static unsigned filter_ask(struct rows_view *v)
{
	const struct prompt_opts opts = {
		.label = _("only functions with: "),
		.line = v->look->only.function,
		.history = &v->filtered,
		.done = filter_done,
		.ctx = v,
	};

	return prompt_open(v->stack, &opts);
}

/* ---- the menu of a row ---- */

static unsigned menu_chosen(void *ctx, int index)
{
	struct rows_view *v = ctx;
	struct stack *stack = v->stack;
	void *screen = v->screen;
	unsigned wishes;

	if (index < 0)
		return WISH_REDRAW;
	v->from_menu = true;
	wishes = v->ops->request(screen, v->menu[index]);
	if (stack_has(stack, screen)) /* recording again closes it, and frees v */
		v->from_menu = false;
	return wishes;
}

static const char *menu_text(struct rows_view *v, enum request req, char *buf, size_t size)
{
	static const struct {
		enum request req;
		enum rows_zoom zoom;
	} zooms[] = {
		{ REQ_ZOOM_THREAD, ROWS_ZOOM_THREAD },	   { REQ_ZOOM_DSO, ROWS_ZOOM_DSO },
		{ REQ_ZOOM_FUNCTION, ROWS_ZOOM_FUNCTION }, { REQ_ZOOM_CPU, ROWS_ZOOM_CPU },
		{ REQ_ZOOM_KERNEL, ROWS_ZOOM_KERNEL },
	};

	for (size_t i = 0; i < sizeof(zooms) / sizeof(zooms[0]); i++)
		if (zooms[i].req == req)
			return rows_look_zoom_offer(v->look, zooms[i].zoom, v->rows, v->menu_node,
						    buf, size);
	return _(request_info(req)->help);
}

static unsigned menu_ask(struct rows_view *v)
{
	struct menu_item items[ROWS_MENU_MAX] = { { 0 } };
	char texts[ROWS_MENU_MAX][ROWS_TEXT_MAX + 64];
	size_t n = 0;

	v->menu_node = tree_cursor(&v->tree);
	for (const enum request *req = v->ops->menu; *req && n < ROWS_MENU_MAX; req++) {
		items[n].text = menu_text(v, *req, texts[n], sizeof(texts[n]));
		if (!*items[n].text || !v->ops->can(v->screen, *req))
			continue;
		items[n].key = keymaps_letter(stack_keys(v->stack), v->ops->map, *req);
		v->menu[n++] = *req;
	}
	return popup_menu(v->stack, _(v->ops->title), items, n, menu_chosen, v);
}

unsigned rows_view_ask(struct rows_view *v, enum request req)
{
	switch (req) {
	case REQ_PERCENT_LIMIT:
		return limit_ask(v);
	case REQ_FILTER:
		return filter_ask(v);
	case REQ_SORT:
		return sort_ask(&v->sort, v->ops->event(v->screen));
	case REQ_MENU:
		return menu_ask(v);
	default:
		return WISH_PASS;
	}
}
