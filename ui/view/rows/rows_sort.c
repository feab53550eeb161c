/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks for columns in a prompt. Asks for sort keys: a menu of common ones and of each key, and a prompt for any, which
 * lists all keys that apply to the event with what they are.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/rows/rows_view.h"
#include "widget/popup.h"

#define LINE_SIZE 256

void rows_sort_release(struct rows_sort *a)
{
	words_release(&a->typed);
	words_release(&a->columns);
	ptui_profile_unref(a->profile);
	a->profile = NULL;
}

static const char *sort_now(const struct rows_view *v)
{
	return *v->look->sort ? v->look->sort : NULL;
}

/* What the event has. */
static void ask_for(struct rows_view *v)
{
	const struct ptui_event_info *event = v->ops->event(v->screen);
	struct rows_sort *a = &v->sort;
	struct ptui_profile *profile = NULL;

	a->number = 0;
	if (v->ops->profile)
		profile = v->ops->profile(v->screen, &a->number);
	if (profile)
		ptui_profile_ref(profile);
	ptui_profile_unref(a->profile);
	a->profile = profile;
	a->event = event ? *event : (struct ptui_event_info){ .has_callchains = true };
}

static bool is_offered(const struct rows_view *v, size_t i)
{
	/* Compare, whose rows do not open, has its own numbers */
	return ptui_hist_key_applies(i, &v->sort.event) &&
	       (!v->tree.flat || ptui_hist_key_groups(i));
}

/* The i-th field of the event as a key; NULL: no more. */
static const char *field_name(const struct rows_view *v, size_t i)
{
	return v->sort.profile ? ptui_profile_trace_field(v->sort.profile, v->sort.number, i) :
				 NULL;
}

/*
 * The first from *at on that rows can be sorted by: the keys that are offered (`groups`: of these only those
 * that identify rows), then the fields. NULL: no more. Sets *at to what follows it, and *ret_help to what
 * it is.
 */
static const char *next_name(const struct rows_view *v, bool groups, size_t *at,
			     const char **ret_help)
{
	size_t n = 0;

	for (; ptui_hist_key_name(n); n++) {
		if (n < *at || !is_offered(v, n) || (groups && !ptui_hist_key_groups(n)))
			continue;
		*at = n + 1;
		*ret_help = ptui_hist_key_help(n);
		return ptui_hist_key_name(n);
	}
	*at = *at < n ? n : *at;
	*ret_help = _("field of the tracepoint");
	return field_name(v, (*at)++ - n);
}

/* "comm      command name", names aligned. Returns buf. */
static char *key_line(const struct rows_view *v, const char *name, const char *help, char *buf,
		      size_t size)
{
	int width = 0;

	for (size_t k = 0; ptui_hist_key_name(k); k++)
		if (is_offered(v, k))
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

static bool is_field(const struct rows_view *v, const char *word, size_t n)
{
	const char *name;

	for (size_t i = 0; (name = field_name(v, i)); i++)
		if (strlen(name) == n && !strncmp(name, word, n))
			return true;
	return false;
}

/* The first key in the line that is not offered; NULL: all are. Keys may be shortened. */
static const char *not_offered(const struct rows_view *v, const char *line)
{
	for (line += strspn(line, "+, "); *line; line += strspn(line, ", ")) {
		size_t n = strcspn(line, ", ");
		const char *refused = NULL, *name;
		bool offered = false;

		for (size_t i = 0; (name = ptui_hist_key_name(i)); i++) {
			if (strncasecmp(name, line, n) != 0)
				continue;
			offered |= is_offered(v, i);
			refused = is_offered(v, i) ? refused : name;
		}
		if (refused && !offered && !is_field(v, line, n))
			return refused;
		line += n;
	}
	return NULL;
}

static int judge(void *ctx, const char *line, struct ptui_error *err)
{
	const struct rows_view *v = ctx;
	const char *refused;

	if (!*line)
		return 0;
	if (ptui_hist_check_keys(v->sort.profile, line, NULL, err))
		return -EINVAL;
	refused = not_offered(ctx, line);
	return refused ? ptui_error_input(err, refused, _("rows cannot be sorted by %s here"),
					  refused) :
			 0;
}

/* Takes sort keys, or columns; NULL: nothing was typed. */
static unsigned take_keys(struct rows_view *v, const char *keys,
			  int (*set)(struct rows_look *l, const struct ptui_profile *p,
				     const char *keys, struct ptui_error *err))
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct rows_look wanted = *v->look;

	if (!keys)
		return WISH_REDRAW;
	if (set(&wanted, v->sort.profile, keys, &err))
		return rows_view_say_error(v, &err);
	if (v->ops->loads && v->ops->loads(v->screen, &wanted))
		return WISH_RECALC;
	*v->look = wanted;
	if (v->ops->sorted)
		v->ops->sorted(v->screen);
	return rows_view_changed(v);
}

static unsigned typed(void *ctx, const char *line)
{
	return take_keys(ctx, line, rows_look_set_sort);
}

static int judge_columns(void *ctx, const char *line, struct ptui_error *err)
{
	const struct rows_view *v = ctx;
	struct rows_look look = *v->look;

	return rows_look_set_columns(&look, v->sort.profile, line, err);
}

static unsigned columns_typed(void *ctx, const char *line)
{
	return take_keys(ctx, line, rows_look_set_columns);
}

/* `columns`: those at present; NULL: sort keys are asked for. */
static unsigned prompt_keys(struct rows_view *v, const char *columns)
{
	char keys[4096] = "", line[256];
	const char *name, *help;
	size_t at = 0;
	struct prompt_opts opts = {
		.label = _("sort by: "),
		.line = sort_now(v),
		.note = keys,
		.history = &v->sort.typed,
		.ways = complete_key,
		.judge = judge,
		.done = typed,
		.ctx = v,
	};

	while ((name = next_name(v, false, &at, &help)))
		text_join(keys, sizeof(keys), "\n", "%s",
			  key_line(v, name, help, line, sizeof(line)));
	if (columns) {
		opts.label = _("columns: ");
		opts.line = columns;
		opts.history = &v->sort.columns;
		opts.judge = judge_columns;
		opts.done = columns_typed;
	}
	return prompt_open(v->stack, &opts);
}

/* ---- the menu ---- */

static unsigned chosen(void *ctx, int index)
{
	struct rows_view *v = ctx;

	if (index >= 0 && (size_t)index == v->sort.n)
		return prompt_keys(v, NULL);
	return take_keys(v, index < 0 ? NULL : v->sort.lines[index], rows_look_set_sort);
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

/* The columns as they are; those of a hierarchy, or of rows that are being counted, as they were chosen. */
unsigned rows_sort_ask_columns(struct rows_view *v)
{
	char now[ROWS_TEXT_MAX] = "";

	for (size_t i = 0; v->rows && i < v->tree.table.n_columns; i++) {
		const struct ptui_column *c = v->from[i] < 0 ?
						      NULL :
						      rows_column(v->rows, (size_t)v->from[i]);
		int width = c ? rows_look_width(&v->look->widths, c->name) : 0;

		if (!c)
			continue;
		text_join(now, sizeof(now), ",", "%s", c->name);
		if (width)
			text_append(now, sizeof(now), ":%d", width);
	}
	ask_for(v);
	return prompt_keys(v, !v->look->hierarchy ? now :
			      *v->look->fields	  ? v->look->fields :
						    v->look->sort);
}

unsigned rows_sort_ask(struct rows_view *v)
{
	struct menu_item items[ROWS_SORT_LINES + 1] = { { 0 } };
	char texts[ROWS_SORT_LINES][LINE_SIZE];
	struct rows_sort *a = &v->sort;
	const char *now = sort_now(v), *const * common, *name, *help;
	size_t at = 0;

	ask_for(v);
	a->n = 0;
	for (common = common_sorts(&a->event); *common; common++) {
		items[a->n].text = *common;
		a->lines[a->n++] = *common;
	}
	while (a->n < ROWS_SORT_LINES && (name = next_name(v, true, &at, &help))) {
		items[a->n].text = key_line(v, name, help, texts[a->n], LINE_SIZE);
		a->lines[a->n++] = name;
	}
	for (size_t i = 0; i < a->n; i++)
		items[i].current = now ? !strcmp(now, a->lines[i]) : !i;
	items[a->n].text = _("other keys …");
	items[a->n].key = keymaps_letter(stack_keys(v->stack), v->ops->screen->keymap, REQ_SORT);
	return popup_menu(v->stack, _("Sort by"), items, a->n + 1, chosen, v);
}
