/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prompts, the menu and messages of a view of rows. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "view/rows/rows_view.h"
#include "widget/popup.h"

unsigned rows_view_say_error(struct rows_view *v, const struct ptui_error *err)
{
	return stack_say(v->stack, ROLE_BAD, "%s%s%s", err->text, *err->hint ? ": " : "",
			 err->hint);
}

/* Takes what was typed; NULL: nothing was. */
static unsigned take(struct rows_view *v, const char *line,
		     int (*set)(struct rows_look *l, const char *line, struct ptui_error *err),
		     unsigned (*then)(struct rows_view *v))
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	return set(v->look, line, &err) ? rows_view_say_error(v, &err) : then(v);
}

static unsigned limit_done(void *ctx, const char *line)
{
	return take(ctx, line, rows_look_set_limit, rows_view_shown);
}

static unsigned limit_ask(struct rows_view *v)
{
	return prompt_number(v->stack, _("minimum percentage: "), v->look->limits.row_percent,
			     limit_done, v);
}

static unsigned filter_done(void *ctx, const char *line)
{
	return take(ctx, line, rows_look_zoom_text, rows_view_changed);
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

/* ---- what is hidden ---- */

#define HIDE_PATTERNS  "?" /* asks for patterns */
#define HIDE_RECURSION "r"

static unsigned hidden_done(void *ctx, const char *line)
{
	return take(ctx, line, rows_look_set_hidden, rows_view_changed);
}

static unsigned hidden_ask(struct rows_view *v)
{
	char now[ROWS_TEXT_MAX];
	const struct prompt_opts opts = {
		.label = _("hide DSOs: "),
		.line = now,
		.note = _("libc.so*     names with wildcards\n"
			  "/usr/lib/*   paths\n"
			  "!/my/code/*  all others\n"
			  "[kernel]     the kernel and its modules\n"
			  "[unknown]    functions without a symbol"),
		.history = &v->hidden,
		.done = hidden_done,
		.ctx = v,
	};

	snprintf(now, sizeof(now), "%s", v->look->only.lists[ROWS_LIST_HIDDEN]);
	for (char *p = now; *p; p++)
		*p = *p == '\n' ? ',' : *p;
	return prompt_open(v->stack, &opts);
}

static unsigned hide_chosen(void *ctx, int index)
{
	struct rows_view *v = ctx;
	const char *way = index < 0 ? NULL : v->hide[index];

	if (way && !strcmp(way, HIDE_PATTERNS))
		return hidden_ask(v);
	if (!way || strcmp(way, HIDE_RECURSION) != 0)
		return take(v, way, rows_look_hide, rows_view_changed);
	rows_look_toggle_recursion(v->look);
	return rows_view_changed(v);
}

/* The pattern of all DSOs outside of the folder of the node's. "": unknown. */
static void outside_folder(const struct rows_view *v, uint64_t node, char *buf, size_t size)
{
	struct ptui_row_origin from;
	const char *slash;

	*buf = '\0';
	if (!v->rows || !rows_origin(v->rows, node, &from) || !from.dso_path || from.kernel)
		return;
	slash = strrchr(from.dso_path, '/');
	if (slash && *from.dso_path == '/')
		snprintf(buf, size, "!%.*s*", (int)(slash + 1 - from.dso_path), from.dso_path);
}

struct hide_menu {
	struct menu_item items[ROWS_HIDE_MAX];
	char texts[ROWS_HIDE_MAX][ROWS_TEXT_MAX + 64];
	size_t n;
};

__attribute__((format(printf, 5, 6))) static void add_hide(struct rows_view *v, struct hide_menu *m,
							   const char *pattern, int key,
							   const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(m->texts[m->n], sizeof(m->texts[0]), fmt, args);
	va_end(args);
	m->items[m->n] = (struct menu_item){ .text = m->texts[m->n], .key = key };
	snprintf(v->hide[m->n++], ROWS_TEXT_MAX, "%s", pattern);
}

static unsigned hide_ask(struct rows_view *v)
{
	uint64_t node = rows_view_node(v);
	const char *dso = v->rows && node ? rows_dso(v->rows, node) : NULL;
	struct hide_menu m = { .n = 0 };
	char outside[ROWS_TEXT_MAX];

	if (!v->ops->screen->can(v->screen, REQ_HIDE))
		return stack_note(v->stack, _("There are no callchains to hide functions in."));
	outside_folder(v, node, outside, sizeof(outside));
	if (dso && strncmp(dso, "[kernel", 7) != 0 && strcmp(dso, "[unknown]") != 0)
		add_hide(v, &m, dso, 'd', _("hide %s"), dso);
	if (*outside)
		add_hide(v, &m, outside, 'o', _("hide all DSOs outside of %.*s"),
			 (int)strlen(outside) - 2, outside + 1);
	add_hide(v, &m, "[kernel]", 'k', "%s", _("hide the kernel"));
	add_hide(v, &m, "[unknown]", 'u', "%s", _("hide functions without a symbol"));
	add_hide(v, &m, HIDE_RECURSION, 'r', "%s",
		 v->look->only.collapse_recursion ? _("show recursion again") :
						    _("collapse recursion"));
	add_hide(v, &m, HIDE_PATTERNS, 'p', "%s", _("patterns of names and paths …"));
	return popup_menu(v->stack, _("Time goes to the callers"), m.items, m.n, hide_chosen, v);
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
	wishes = v->ops->screen->request(screen, v->menu[index]);
	if (stack_has(stack, screen)) /* recording again closes it, and frees v */
		v->from_menu = false;
	return wishes;
}

static const char *menu_text(struct rows_view *v, enum request req, char *buf, size_t size)
{
	enum rows_zoom zoom = rows_view_zoom(req);

	if (zoom == ROWS_ZOOMS)
		return _(request_info(req)->help);
	return rows_look_zoom_offer(v->look, zoom, v->rows, v->menu_node, buf, size);
}

static unsigned menu_ask(struct rows_view *v)
{
	struct menu_item items[ROWS_MENU_MAX] = { { 0 } };
	char texts[ROWS_MENU_MAX][ROWS_TEXT_MAX + 64];
	size_t n = 0;

	v->menu_node = tree_cursor(&v->tree);
	for (const enum request *req = v->ops->menu; *req && n < ROWS_MENU_MAX; req++) {
		items[n].text = menu_text(v, *req, texts[n], sizeof(texts[n]));
		if (!*items[n].text || !v->ops->screen->can(v->screen, *req))
			continue;
		items[n].key = keymaps_letter(stack_keys(v->stack), v->ops->screen->keymap, *req);
		v->menu[n++] = *req;
	}
	return popup_menu(v->stack, _(v->ops->screen->title), items, n, menu_chosen, v);
}

unsigned rows_view_ask(struct rows_view *v, enum request req)
{
	switch (req) {
	case REQ_PERCENT_LIMIT:
		return limit_ask(v);
	case REQ_FILTER:
		return filter_ask(v);
	case REQ_SORT:
		return rows_sort_ask(v);
	case REQ_COLUMNS:
		return v->ops->sorted ? rows_sort_ask_columns(v) : WISH_PASS;
	case REQ_MENU:
		return menu_ask(v);
	case REQ_HIDE:
		return hide_ask(v);
	case REQ_ONLY:
		return rows_only_ask(v);
	default:
		return WISH_PASS;
	}
}
