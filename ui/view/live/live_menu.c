/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The menu of a row in Live, and the keys of perf top for rows and columns. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "input/keymap.h"
#include "model/percent.h"
#include "text/i18n.h"
#include "view/live/live_private.h"
#include "widget/popup.h"

/* After the zooms, which have digits in the menu and no keys on the screen. */
static const enum request lines[] = {
	REQ_TOGGLE,	 REQ_EXPAND_ENTRY, REQ_SORT,  REQ_PERCENTAGE, REQ_PERCENT_LIMIT,
	REQ_MODULES,	 REQ_HEADER,	   REQ_PRINT, REQ_EXPAND_ALL, REQ_COLLAPSE_ALL,
	REQ_HIDE_KERNEL, REQ_HIDE_USER,	   REQ_ZERO,  REQ_FREEZE,     REQ_DECAY,
	REQ_TRUST,	 REQ_MISSING,
};

#define N_LINES (sizeof(lines) / sizeof(*lines))
_Static_assert(LIVE_ZOOMS + N_LINES <= LIVE_MENU_MAX, "the menu's lines have room");

static unsigned anew(struct live_view *v)
{
	live_tree_submit(v);
	return WISH_REDRAW;
}

static void show_error(struct live_view *v, const struct ptui_error *err)
{
	stack_say(v->stack, ROLE_BAD, "%s%s%s", err->text, *err->hint ? ": " : "", err->hint);
}

/* ---- sort keys ---- */

static const char *sort_now(void *ctx)
{
	const struct live_view *v = ctx;

	return *v->look.view.sort ? v->look.view.sort : NULL;
}

static unsigned sort_set(void *ctx, const char *keys)
{
	struct live_view *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (strlen(keys) >= sizeof(v->look.view.sort)) {
		stack_say(v->stack, ROLE_BAD, "%s", _("Too many sort keys."));
		return WISH_REDRAW;
	}
	if (*keys && ptui_hist_check_keys(keys, NULL, &err)) {
		show_error(v, &err);
		return WISH_REDRAW;
	}
	snprintf(v->look.view.sort, sizeof(v->look.view.sort), "%s", keys);
	v->look.view.by = LIVE_HOT_FUNCTIONS;
	return anew(v);
}

void live_menu_init(struct live_view *v)
{
	sort_ask_init(&v->sort, v->stack, sort_now, sort_set, v);
}

void live_menu_release(struct live_view *v)
{
	sort_ask_release(&v->sort);
}

/* ---- minimum percentage ---- */

static unsigned limit_done(void *ctx, const char *line)
{
	struct live_view *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	if (percent_read(line, &v->look.view.least_percent, &err))
		show_error(v, &err);
	return anew(v);
}

static unsigned limit_ask(struct live_view *v)
{
	char now[32];
	const struct prompt_opts opts = {
		.label = _("minimum percentage: "),
		.line = now,
		.done = limit_done,
		.ctx = v,
	};

	snprintf(now, sizeof(now), "%g", v->look.view.least_percent);
	if (prompt_ask(v->stack, &opts))
		stack_no_memory(v->stack);
	return WISH_REDRAW;
}

/* ---- the menu ---- */

/* True if functions are filtered: percentages may be relative then. */
static bool is_narrow(const struct live_view *v)
{
	const struct live_hot_view *view = &v->look.view;

	return v->look.n_zooms || view->hide_kernel || view->hide_user || view->relative;
}

static unsigned chosen(void *ctx, int index)
{
	struct live_view *v = ctx;
	int what;

	if (index < 0)
		return WISH_REDRAW;
	what = v->menu[index];
	if (what >= LIVE_ZOOMS)
		return live_request(v, lines[what - LIVE_ZOOMS]);
	live_zoom_do(v, (enum live_zoom)what);
	return WISH_REDRAW;
}

/* The screen's key for the request. */
static int key_of(const struct live_view *v, enum request req)
{
	key_code key;

	if (!keymaps_keys(stack_keys(v->stack), KEYMAP_LIVE, req, &key, 1) || !key_is_char(key) ||
	    key >= 0x80)
		return 0;
	return (int)key;
}

/* None if the user bound it to something else on this screen. */
static int zoom_key_of(const struct live_view *v, enum live_zoom zoom)
{
	int key = live_zoom_key(zoom);

	return keymaps_find(stack_keys(v->stack), KEYMAP_LIVE, (key_code)key) == REQ_NONE ? key : 0;
}

static unsigned menu_ask(struct live_view *v)
{
	struct menu_item items[LIVE_MENU_MAX] = { { 0 } };
	char texts[LIVE_ZOOMS][LIVE_HOT_TEXT_MAX + 64];
	size_t n = 0;

	v->menu_node = tree_cursor(&v->tree);
	for (int i = 0; i < LIVE_ZOOMS; i++) {
		if (!live_zoom_offer(v, (enum live_zoom)i, texts[i], sizeof(texts[i])))
			continue;
		items[n].text = texts[i];
		items[n].key = zoom_key_of(v, (enum live_zoom)i);
		v->menu[n++] = i;
	}
	for (size_t i = 0; i < N_LINES; i++) {
		if (!live_can(v, lines[i]) || (lines[i] == REQ_PERCENTAGE && !is_narrow(v)))
			continue;
		items[n].text = _(request_info(lines[i])->help);
		items[n].key = key_of(v, lines[i]);
		v->menu[n++] = LIVE_ZOOMS + (int)i;
	}
	if (popup_menu(v->stack, _("Live"), items, n, chosen, v))
		stack_no_memory(v->stack);
	return WISH_REDRAW;
}

unsigned live_menu_request(struct live_view *v, enum request req)
{
	switch (req) {
	case REQ_MENU:
		return menu_ask(v);
	case REQ_SORT:
		if (sort_ask(&v->sort))
			stack_no_memory(v->stack);
		return WISH_REDRAW;
	case REQ_PERCENT_LIMIT:
		return limit_ask(v);
	case REQ_PERCENTAGE:
		if (!is_narrow(v)) {
			stack_say(
				v->stack, ROLE_NOTE, "%s",
				_("Percentages are already relative to the total: filter rows in the menu "
				  "(m) first."));
			return WISH_REDRAW;
		}
		v->look.view.relative = !v->look.view.relative;
		return anew(v);
	case REQ_HEADER:
		v->tree.table.header = !v->tree.table.header;
		return WISH_REDRAW;
	case REQ_MODULES:
		v->modules = !v->modules;
		return WISH_REDRAW;
	case REQ_PRINT:
		live_print(v);
		return WISH_REDRAW;
	default:
		return WISH_PASS;
	}
}

bool live_menu_can(const struct live_view *v, enum request req)
{
	switch (req) {
	case REQ_TOGGLE:
	case REQ_EXPAND_ENTRY:
	case REQ_COLLAPSE_ENTRY:
	case REQ_EXPAND_ALL:
	case REQ_COLLAPSE_ALL:
	case REQ_MODULES:
		return live_hot_may_open(v->hot);
	default:
		return true;
	}
}

void live_menu_text(const struct live_view *v, char *buf, size_t size)
{
	char text[64];

	if (v->look.view.least_percent > 0) {
		snprintf(text, sizeof(text), _("from %g %% on (L)"), v->look.view.least_percent);
		live_add_text(buf, size, text);
	}
}
