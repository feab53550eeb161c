/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Browser's prompts, menus and messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/keymap.h"
#include "model/browser/missing.h"
#include "text/i18n.h"
#include "view/browser/browser_private.h"
#include "widget/popup.h"

void browser_say_error(struct browser_screen *b, const struct ptui_error *err)
{
	if (*err->hint)
		stack_say(b->stack, ROLE_BAD, "%s: %s", err->text, err->hint);
	else
		stack_say(b->stack, ROLE_BAD, "%s", err->text);
}

static void open_prompt(struct browser_screen *b, const struct prompt_opts *opts)
{
	if (prompt_ask(b->stack, opts))
		stack_no_memory(b->stack);
}

/* ---- minimum percentage ---- */

static unsigned limit_done(void *ctx, const char *line)
{
	struct browser_screen *b = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	if (browser_set_limit(b->model, line, &err))
		browser_say_error(b, &err);
	return WISH_RECALC;
}

static void limit_ask(struct browser_screen *b)
{
	char now[32];
	const struct prompt_opts opts = {
		.label = _("minimum percentage: "),
		.line = now,
		.done = limit_done,
		.ctx = b,
	};

	snprintf(now, sizeof(now), "%g", browser_opts(b->model)->limits.row_percent);
	open_prompt(b, &opts);
}

/* ---- filter by symbol ---- */

static unsigned filter_done(void *ctx, const char *line)
{
	struct browser_screen *b = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	(void)history_add(&b->filtered, line); /* without memory there is no history */
	if (browser_zoom_symbol(b->model, line, &err))
		browser_say_error(b, &err);
	return browser_changed(b);
}

static void filter_ask(struct browser_screen *b)
{
	const struct prompt_opts opts = {
		.label = _("only functions with: "),
		.line = browser_opts(b->model)->hist.filter.symbol,
		.history = &b->filtered,
		.done = filter_done,
		.ctx = b,
	};

	open_prompt(b, &opts);
}

/* ---- sort keys ---- */

const char *browser_sort_now(void *ctx)
{
	const struct browser_screen *b = ctx;

	return browser_opts(b->model)->hist.sort;
}

unsigned browser_sort_set(void *ctx, const char *keys)
{
	struct browser_screen *b = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (browser_set_sort(b->model, keys, &err))
		browser_say_error(b, &err);
	return browser_changed(b);
}

/* ---- trust and header ---- */

static void symbols_show(struct browser_screen *b)
{
	const char *slash = strrchr(b->name, '/');
	struct symbols_opts opts = { .where = slash ? slash + 1 : b->name };
	const struct browser_rows *rows = browser_rows(b->model); /* b->rows may be older */

	if (!rows) {
		stack_say(b->stack, ROLE_NOTE, "%s", _("counting…"));
		return;
	}
	opts.list = missing_list_new(browser_rows_hist(rows));
	symbols_open(b->stack, &opts);
}

static unsigned remedy_chosen(void *ctx, enum trust_remedy remedy)
{
	struct browser_screen *b = ctx;

	if (remedy == TRUST_RECORD_UNWOUND)
		return browser_record_again(b);
	symbols_show(b);
	return WISH_REDRAW;
}

static bool has_missing(const struct browser_screen *b)
{
	const struct browser_rows *rows = browser_rows(b->model);
	struct ptui_missing one;

	return rows && ptui_hist_missing(browser_rows_hist(rows), &one, 1);
}

static void trust_tell(struct browser_screen *b)
{
	bool unwinds = browser_opts(b->model)->record_again &&
		       trust_wants_unwinding(b->facts, b->n_facts);

	b->trust_show = (struct trust_show){
		.stack = b->stack,
		.map = KEYMAP_BROWSER,
		.req = { [TRUST_RECORD_UNWOUND] = unwinds ? REQ_RECORD_AGAIN : REQ_NONE,
			 [TRUST_LIST_SYMBOLS] = has_missing(b) ? REQ_MISSING : REQ_NONE },
		.chosen = remedy_chosen,
		.ctx = b,
	};
	trust_show(&b->trust_show, b->facts, b->n_facts);
}

static void header_show(struct browser_screen *b)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *header = ptui_profile_header(browser_profile(b->model), true);
	char *text = header ? NULL : ptui_recording_header(b->name, true, &err);

	if (!header && !text)
		browser_say_error(b, &err);
	else if (popup_message(b->stack, _("The recording"), header ? header : text))
		stack_no_memory(b->stack);
	free(text);
}

/* ---- menu of a row ---- */

static const enum request menu_requests[] = {
	REQ_TOGGLE,	   REQ_EXPAND_ENTRY, REQ_ZOOM_THREAD,  REQ_ZOOM_DSO,	REQ_ZOOM_KERNEL,
	REQ_FILTER,	   REQ_PERCENTAGE,   REQ_SORT,	       REQ_CHILDREN,	REQ_CHAIN_ORDER,
	REQ_PERCENT_LIMIT, REQ_EXPAND_ALL,   REQ_COLLAPSE_ALL, REQ_MODULES,	REQ_INLINES,
	REQ_PATHS,	   REQ_FULL_NAMES,   REQ_COPY_ROW,     REQ_HEADER,	REQ_TRUST,
	REQ_MISSING,	   REQ_HEADER_INFO,  REQ_PRINT,	       REQ_SWITCH_FILE, REQ_COMPARE_FILE,
	REQ_RECORD_AGAIN,
};

#define N_MENU (sizeof(menu_requests) / sizeof(menu_requests[0]))
_Static_assert(N_MENU <= BROWSER_MENU_MAX, "the menu's requests have room");

static unsigned menu_chosen(void *ctx, int index)
{
	struct browser_screen *b = ctx;

	return index < 0 ? WISH_REDRAW : browser_request(b, b->menu[index]);
}

static const char *menu_text(struct browser_screen *b, enum request req, char *buf, size_t size)
{
	uint64_t node = tree_cursor(&b->tree);

	switch (req) {
	case REQ_ZOOM_THREAD:
		return browser_zoom_offer(b->model, BROWSER_ZOOM_THREAD, node, buf, size);
	case REQ_ZOOM_DSO:
		return browser_zoom_offer(b->model, BROWSER_ZOOM_DSO, node, buf, size);
	case REQ_ZOOM_KERNEL:
		return browser_zoom_offer(b->model, BROWSER_ZOOM_KERNEL, node, buf, size);
	default:
		return _(request_info(req)->help);
	}
}

static void menu_ask(struct browser_screen *b)
{
	struct menu_item items[N_MENU] = { { 0 } };
	char texts[N_MENU][256];
	key_code key;
	size_t n = 0;

	for (size_t i = 0; i < N_MENU; i++) {
		enum request req = menu_requests[i];

		items[n].text = menu_text(b, req, texts[n], sizeof(texts[n]));
		if (!*items[n].text || !browser_can(b, req))
			continue;
		if (keymaps_keys(stack_keys(b->stack), KEYMAP_BROWSER, req, &key, 1) &&
		    key_is_char(key) && key < 0x80)
			items[n].key = (int)key;
		b->menu[n++] = req;
	}
	if (popup_menu(b->stack, _("Browser"), items, n, menu_chosen, b))
		stack_no_memory(b->stack);
}

bool browser_ask(struct browser_screen *b, enum request req)
{
	switch (req) {
	case REQ_PERCENT_LIMIT:
		limit_ask(b);
		return true;
	case REQ_FILTER:
		filter_ask(b);
		return true;
	case REQ_SORT:
		if (sort_ask(&b->sort))
			stack_no_memory(b->stack);
		return true;
	case REQ_TRUST:
		trust_tell(b);
		return true;
	case REQ_MISSING:
		symbols_show(b);
		return true;
	case REQ_HEADER_INFO:
		header_show(b);
		return true;
	case REQ_SWITCH_FILE:
	case REQ_COMPARE_FILE:
		browser_files_ask(b, req == REQ_COMPARE_FILE);
		return true;
	case REQ_PRINT:
		browser_print(b);
		return true;
	case REQ_MENU:
		menu_ask(b);
		return true;
	default:
		return false;
	}
}
