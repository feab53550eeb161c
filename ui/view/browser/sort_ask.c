/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/browser/sort_ask.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ptui/profile.h"
#include "text/i18n.h"
#include "widget/popup.h"

void sort_ask_init(struct sort_ask *a, struct stack *s, const char *(*now)(void *ctx),
		   unsigned (*set)(void *ctx, const char *keys), void *ctx)
{
	memset(a, 0, sizeof(*a));
	a->stack = s;
	a->now = now;
	a->set = set;
	a->ctx = ctx;
	a->typed = (struct history)HISTORY_INIT;
}

void sort_ask_release(struct sort_ask *a)
{
	history_release(&a->typed);
}

static unsigned typed(void *ctx, const char *line)
{
	struct sort_ask *a = ctx;

	if (!line)
		return WISH_REDRAW;
	(void)history_add(&a->typed, line); /* without memory there is no history */
	return a->set(a->ctx, line);
}

/* The key after the last comma. */
static int complete_key(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways)
{
	const char *name;
	size_t from = at;
	int ret = 0;

	(void)ctx;
	while (from && line[from - 1] != ',' && line[from - 1] != ' ' && line[from - 1] != '+')
		from--;
	for (size_t i = 0; !ret && (name = ptui_hist_key_name(i)); i++)
		if (!strncasecmp(name, line + from, at - from))
			ret = words_add(ways, name);
	*begin = from;
	return ret;
}

static unsigned chosen(void *ctx, int index)
{
	struct sort_ask *a = ctx;
	const struct prompt_opts opts = {
		.label = _("sort by: "),
		.line = a->now(a->ctx),
		.history = &a->typed,
		.ways = complete_key,
		.done = typed,
		.ctx = a,
	};

	if (index < 0)
		return WISH_REDRAW;
	if ((size_t)index < a->n)
		return a->set(a->ctx, a->lines[index]);
	if (prompt_ask(a->stack, &opts))
		stack_no_memory(a->stack);
	return WISH_REDRAW;
}

static void add_line(struct sort_ask *a, const char *keys)
{
	if (a->n < SORT_ASK_LINES)
		snprintf(a->lines[a->n++], SORT_ASK_LINE_SIZE, "%s", keys);
}

int sort_ask(struct sort_ask *a)
{
	struct menu_item items[SORT_ASK_LINES + 1] = { { 0 } };
	const char *now = a->now(a->ctx);

	a->n = 0;
	add_line(a, "comm,dso,symbol");
	add_line(a, "dso,symbol");
	add_line(a, "comm,dso");
	for (size_t i = 0; ptui_hist_key_name(i); i++) {
		if (ptui_hist_key_groups(i))
			add_line(a, ptui_hist_key_name(i));
	}
	for (size_t i = 0; i < a->n; i++) {
		items[i].text = a->lines[i];
		items[i].current = now ? !strcmp(now, a->lines[i]) : !i;
	}
	items[a->n].text = _("other keys …");
	items[a->n].key = '/';
	return popup_menu(a->stack, _("Sort by"), items, a->n + 1, chosen, a);
}
