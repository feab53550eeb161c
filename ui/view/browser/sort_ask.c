/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/browser/sort_ask.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "widget/popup.h"

void sort_ask_init(struct sort_ask *a, struct stack *s, enum keymap map,
		   const char *(*now)(void *ctx), unsigned (*set)(void *ctx, const char *keys),
		   void *ctx)
{
	memset(a, 0, sizeof(*a));
	a->stack = s;
	a->map = map;
	a->now = now;
	a->set = set;
	a->ctx = ctx;
}

void sort_ask_release(struct sort_ask *a)
{
	words_release(&a->typed);
	words_release(&a->columns);
	ptui_profile_unref(a->profile);
	a->profile = NULL;
}

static bool is_offered(const struct sort_ask *a, size_t i)
{
	return ptui_hist_key_applies(i, &a->event) && (!a->groups_only || ptui_hist_key_groups(i));
}

/* The i-th field of the event as a key; NULL: no more. */
static const char *field_name(const struct sort_ask *a, size_t i)
{
	return a->profile ? ptui_profile_trace_field(a->profile, a->number, i) : NULL;
}

/*
 * The first from *at on that rows can be sorted by: the keys that are offered (`groups`: of these only those
 * that identify rows), then the fields. NULL: no more. Sets *at to what follows it, and *ret_help to what
 * it is.
 */
static const char *next_name(const struct sort_ask *a, bool groups, size_t *at,
			     const char **ret_help)
{
	size_t n = 0;

	for (; ptui_hist_key_name(n); n++) {
		if (n < *at || !is_offered(a, n) || (groups && !ptui_hist_key_groups(n)))
			continue;
		*at = n + 1;
		*ret_help = ptui_hist_key_help(n);
		return ptui_hist_key_name(n);
	}
	*at = *at < n ? n : *at;
	*ret_help = _("field of the tracepoint");
	return field_name(a, (*at)++ - n);
}

/* "comm      command name", names aligned. Returns buf. */
static char *key_line(const struct sort_ask *a, const char *name, const char *help, char *buf,
		      size_t size)
{
	int width = 0;

	for (size_t k = 0; ptui_hist_key_name(k); k++)
		if (is_offered(a, k))
			width = utf8_widest(width, ptui_hist_key_name(k));
	snprintf(buf, size, "%-*s  %s", width, name, help);
	return buf;
}

/* ---- the prompt ---- */

/* The keys that begin like the one after the last comma. */
static int complete_key(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways)
{
	const char *name, *help;
	size_t from = at, i = 0;

	while (from && line[from - 1] != ',' && line[from - 1] != ' ' && line[from - 1] != '+')
		from--;
	*begin = from;
	while ((name = next_name(ctx, false, &i, &help)))
		if (!strncasecmp(name, line + from, at - from) && words_add(ways, name))
			return -1;
	return 0;
}

static bool is_field(const struct sort_ask *a, const char *word, size_t n)
{
	const char *name;

	for (size_t i = 0; (name = field_name(a, i)); i++)
		if (strlen(name) == n && !strncmp(name, word, n))
			return true;
	return false;
}

/* The first key in the line that is not offered; NULL: all are. Keys may be shortened. */
static const char *not_offered(const struct sort_ask *a, const char *line)
{
	for (line += strspn(line, "+, "); *line; line += strspn(line, ", ")) {
		size_t n = strcspn(line, ", ");
		const char *refused = NULL, *name;
		bool offered = false;

		for (size_t i = 0; (name = ptui_hist_key_name(i)); i++) {
			if (strncasecmp(name, line, n) != 0)
				continue;
			offered |= is_offered(a, i);
			refused = is_offered(a, i) ? refused : name;
		}
		if (refused && !offered && !is_field(a, line, n))
			return refused;
		line += n;
	}
	return NULL;
}

static int judge(void *ctx, const char *line, struct ptui_error *err)
{
	const struct sort_ask *a = ctx;
	const char *refused;

	if (!*line)
		return 0;
	if (ptui_hist_check_keys(a->profile, line, NULL, err))
		return -EINVAL;
	refused = not_offered(ctx, line);
	return refused ? ptui_error_input(err, refused, _("rows cannot be sorted by %s here"),
					  refused) :
			 0;
}

static unsigned typed(void *ctx, const char *line)
{
	struct sort_ask *a = ctx;

	return line ? a->set(a->ctx, line) : WISH_REDRAW;
}

static int judge_columns(void *ctx, const char *line, struct ptui_error *err)
{
	struct sort_ask *a = ctx;

	return a->check(a->ctx, line, err);
}

static unsigned columns_typed(void *ctx, const char *line)
{
	struct sort_ask *a = ctx;

	return line ? a->set_columns(a->ctx, line) : WISH_REDRAW;
}

/* `columns`: those at present; NULL: sort keys are asked for. */
static unsigned prompt_keys(struct sort_ask *a, const char *columns)
{
	char keys[4096] = "", line[256];
	const char *name, *help;
	size_t at = 0;
	struct prompt_opts opts = {
		.label = _("sort by: "),
		.line = a->now(a->ctx),
		.note = keys,
		.history = &a->typed,
		.ways = complete_key,
		.judge = judge,
		.done = typed,
		.ctx = a,
	};

	while ((name = next_name(a, false, &at, &help)))
		text_join(keys, sizeof(keys), "\n", "%s",
			  key_line(a, name, help, line, sizeof(line)));
	if (columns) {
		opts.label = _("columns: ");
		opts.line = columns;
		opts.history = &a->columns;
		opts.judge = judge_columns;
		opts.done = columns_typed;
	}
	return prompt_open(a->stack, &opts);
}

/* ---- the menu ---- */

static unsigned chosen(void *ctx, int index)
{
	struct sort_ask *a = ctx;

	if (index < 0)
		return WISH_REDRAW;
	return (size_t)index < a->n ? a->set(a->ctx, a->lines[index]) : prompt_keys(a, NULL);
}

/* The default comes first. */
static const char *const *common_sorts(const struct ptui_event_info *event)
{
	static const char *const of_samples[] = { "comm,dso,symbol", "dso,symbol", "comm,dso",
						  NULL };
	static const char *const of_branches[] = { "comm,dso_from,symbol_from,symbol_to,cycles",
						   "symbol_from,symbol_to", "dso_from,dso_to",
						   "comm,dso,symbol", NULL };

	return event->extras & PTUI_EXTRA_BRANCH ? of_branches : of_samples;
}

/* What the event has. */
static void ask_for(struct sort_ask *a, const struct ptui_event_info *event,
		    struct ptui_profile *profile, uint32_t number)
{
	if (profile)
		ptui_profile_ref(profile);
	ptui_profile_unref(a->profile);
	a->profile = profile;
	a->number = number;
	a->event = event ? *event : (struct ptui_event_info){ .has_callchains = true };
}

unsigned sort_ask_columns(struct sort_ask *a, const struct ptui_event_info *event,
			  struct ptui_profile *profile, uint32_t number, const char *now)
{
	ask_for(a, event, profile, number);
	return prompt_keys(a, now);
}

unsigned sort_ask(struct sort_ask *a, const struct ptui_event_info *event,
		  struct ptui_profile *profile, uint32_t number)
{
	struct menu_item items[SORT_ASK_LINES + 1] = { { 0 } };
	char texts[SORT_ASK_LINES][SORT_ASK_LINE_SIZE];
	const char *now = a->now(a->ctx), *const * common, *name, *help;
	size_t at = 0;

	ask_for(a, event, profile, number);
	a->n = 0;
	for (common = common_sorts(&a->event); *common; common++) {
		items[a->n].text = *common;
		snprintf(a->lines[a->n++], SORT_ASK_LINE_SIZE, "%s", *common);
	}
	while (a->n < SORT_ASK_LINES && (name = next_name(a, true, &at, &help))) {
		items[a->n].text = key_line(a, name, help, texts[a->n], sizeof(texts[0]));
		snprintf(a->lines[a->n++], SORT_ASK_LINE_SIZE, "%s", name);
	}
	for (size_t i = 0; i < a->n; i++)
		items[i].current = now ? !strcmp(now, a->lines[i]) : !i;
	items[a->n].text = _("other keys …");
	items[a->n].key = keymaps_letter(stack_keys(a->stack), a->map, REQ_SORT);
	return popup_menu(a->stack, _("Sort by"), items, a->n + 1, chosen, a);
}
