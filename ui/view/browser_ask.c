/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/browser_ask.h"

#include <stdio.h>
#include <string.h>

#include "input/keymap.h"
#include "model/trust.h"
#include "text/i18n.h"
#include "widget/popup.h"
#include "widget/prompt.h"

static void say_error(struct browser_ask *a, const struct ptui_error *err)
{
	if (*err->hint)
		stack_say(a->stack, ROLE_BAD, "%s: %s", err->text, err->hint);
	else
		stack_say(a->stack, ROLE_BAD, "%s", err->text);
}

static void ask_line(struct browser_ask *a, const struct prompt_opts *opts)
{
	if (prompt_ask(a->stack, opts))
		stack_say(a->stack, ROLE_BAD, "%s", _("out of memory"));
}

/* ---- searching: the first match is shown as it is typed ---- */

static unsigned search_changed(void *ctx, const char *line)
{
	struct browser_ask *a = ctx;
	struct table *t = &a->tree->table;

	table_move_to(t, a->search_from);
	table_search(t, line);
	return WISH_REDRAW;
}

static unsigned search_done(void *ctx, const char *line)
{
	struct browser_ask *a = ctx;
	struct table *t = &a->tree->table;

	table_move_to(t, a->search_from);
	if (!line) {
		table_search(t, "");
		return WISH_REDRAW;
	}
	(void)history_add(&a->searched, line); /* without memory it is not kept */
	if (!table_search(t, line) && *line)
		stack_say(a->stack, ROLE_NOTE, _("'%s' is in none of the rows shown"), line);
	return WISH_REDRAW;
}

static void search_ask(struct browser_ask *a)
{
	const struct prompt_opts opts = {
		.label = _("find: "),
		.history = &a->searched,
		.changed = search_changed,
		.done = search_done,
		.ctx = a,
	};

	a->search_from = a->tree->table.cursor;
	ask_line(a, &opts);
}

/* ---- n, N ---- */

static void search_again(struct browser_ask *a, int direction)
{
	if (!a->tree->table.search[0])
		search_ask(a);
	else if (!table_search_again(&a->tree->table, direction))
		stack_say(a->stack, ROLE_NOTE, _("'%s' is in none of the rows shown"),
			  a->tree->table.search);
}

/* ---- the percentage ---- */

static unsigned limit_done(void *ctx, const char *line)
{
	struct browser_ask *a = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	if (browser_set_limit(a->model, line, &err))
		say_error(a, &err);
	return WISH_RECALC;
}

static void limit_ask(struct browser_ask *a)
{
	char now[32];
	const struct prompt_opts opts = {
		.label = _("least percentage shown: "),
		.line = now,
		.done = limit_done,
		.ctx = a,
	};

	snprintf(now, sizeof(now), "%g", browser_opts(a->model)->limits.row_percent);
	ask_line(a, &opts);
}

/* ---- the keys to sort by ---- */

static unsigned sort_set(struct browser_ask *a, const char *keys)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (browser_set_sort(a->model, keys, &err))
		say_error(a, &err);
	return WISH_RECALC;
}

static unsigned sort_typed(void *ctx, const char *line)
{
	struct browser_ask *a = ctx;
	if (!line)
		return WISH_REDRAW;
	(void)history_add(&a->sorted, line);
	return sort_set(a, line);
}

static unsigned sort_chosen(void *ctx, int index)
{
	struct browser_ask *a = ctx;
	const struct prompt_opts opts = {
		.label = _("sort by: "),
		.line = browser_opts(a->model)->hist.sort,
		.history = &a->sorted,
		.done = sort_typed,
		.ctx = a,
	};

	if (index < 0)
		return WISH_REDRAW;
	if ((size_t)index < a->n_sorts)
		return sort_set(a, a->sorts[index]);
	ask_line(a, &opts);
	return WISH_REDRAW;
}

static void add_sort(struct browser_ask *a, const char *keys)
{
	if (a->n_sorts < BROWSER_SORTS_MAX)
		snprintf(a->sorts[a->n_sorts++], BROWSER_SORT_MAX, "%s", keys);
}

static void sort_ask(struct browser_ask *a)
{
	struct menu_item items[BROWSER_SORTS_MAX + 1] = { { 0 } };
	const char *now = browser_opts(a->model)->hist.sort;

	a->n_sorts = 0;
	add_sort(a, "comm,dso,symbol");
	add_sort(a, "dso,symbol");
	add_sort(a, "comm,dso");
	for (size_t i = 0; ptui_hist_key_name(i); i++) {
		if (ptui_hist_key_groups(i))
			add_sort(a, ptui_hist_key_name(i));
	}
	for (size_t i = 0; i < a->n_sorts; i++) {
		items[i].text = a->sorts[i];
		items[i].current = now ? !strcmp(now, a->sorts[i]) : !i;
	}
	items[a->n_sorts].text = _("other keys …");
	if (popup_menu(a->stack, _("One row for each"), items, a->n_sorts + 1, sort_chosen, a))
		stack_say(a->stack, ROLE_BAD, "%s", _("out of memory"));
}

/* ---- what the trust line means ---- */

static void trust_tell(struct browser_ask *a)
{
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct browser_rows *rows = browser_rows(a->model);
	char text[TRUST_FACTS_MAX * sizeof(struct trust_fact)] = "";
	size_t n, len = 0;

	if (!browser_n_tabs(a->model))
		return;
	n = trust_facts(browser_profile(a->model),
			browser_tab_event(a->model, browser_tab(a->model)),
			rows ? browser_rows_hist(rows) : NULL, facts);
	for (size_t i = 0; i < n; i++) {
		int more = snprintf(text + len, sizeof(text) - len, "%s%s%s%s%s", i ? "\n" : "",
				    facts[i].text, facts[i].level == TRUST_FINE ? "  ✓" : "",
				    *facts[i].advice ? "\n" : "", facts[i].advice);

		if (more < 0 || len + (size_t)more >= sizeof(text))
			break;
		len += (size_t)more;
	}
	if (popup_message(a->stack, _("How far to trust this"), text))
		stack_say(a->stack, ROLE_BAD, "%s", _("out of memory"));
}

/* ---- the menu of a row ---- */

static const enum request menu_requests[] = {
	REQ_TOGGLE,	   REQ_EXPAND_ENTRY, REQ_EXPAND_ALL, REQ_COLLAPSE_ALL, REQ_SORT,
	REQ_CHILDREN,	   REQ_CHAIN_ORDER,  REQ_PERCENT_LIMIT, REQ_HEADER,    REQ_TRUST,
};

#define N_MENU (sizeof(menu_requests) / sizeof(menu_requests[0]))

static unsigned menu_chosen(void *ctx, int index)
{
	struct browser_ask *a = ctx;

	return index < 0 ? WISH_REDRAW : a->request(a->self, menu_requests[index]);
}

static void menu_ask(struct browser_ask *a)
{
	struct menu_item items[N_MENU] = { { 0 } };
	key_code key;

	for (size_t i = 0; i < N_MENU; i++) {
		items[i].text = _(request_info(menu_requests[i])->help);
		if (keymaps_keys(stack_keys(a->stack), KEYMAP_BROWSER, menu_requests[i], &key, 1) &&
		    key_is_char(key) && key < 0x80)
			items[i].key = (int)key;
	}
	if (popup_menu(a->stack, _("Browser"), items, N_MENU, menu_chosen, a))
		stack_say(a->stack, ROLE_BAD, "%s", _("out of memory"));
}

bool browser_ask(struct browser_ask *a, enum request req)
{
	switch (req) {
	case REQ_SEARCH:
		search_ask(a);
		return true;
	case REQ_SEARCH_NEXT:
		search_again(a, 1);
		return true;
	case REQ_SEARCH_PREV:
		search_again(a, -1);
		return true;
	case REQ_PERCENT_LIMIT:
		limit_ask(a);
		return true;
	case REQ_SORT:
		sort_ask(a);
		return true;
	case REQ_TRUST:
		trust_tell(a);
		return true;
	case REQ_MENU:
		menu_ask(a);
		return true;
	default:
		return false;
	}
}

void browser_ask_release(struct browser_ask *a)
{
	history_release(&a->searched);
	history_release(&a->sorted);
}
