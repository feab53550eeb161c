/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks which samples are shown: a menu of what they can be chosen by, then a prompt with the value of the row. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "view/rows/rows_view.h"
#include "widget/popup.h"

#define LIST(which) (ROWS_ZOOM_LISTS + ROWS_LIST_##which)

struct only_way {
	enum rows_zoom kind;
	int key; /* in the menu */
	const char *text, *label, *note;
	const char *column; /* of the rows, with such a value; NULL: none */
	bool by_cpu;	    /* samples need CPU numbers, … */
	bool by_chain;	    /* … or callchains, … */
	unsigned extra;	    /* … or PTUI_EXTRA_... */
};

static const struct only_way ways[ROWS_ONLY_WAYS] = {
	{ LIST(COMMS), 'c', N_("commands"), N_("only commands: "), N_("sh,cc1   names of commands"),
	  "comm", false, false, 0 },
	{ LIST(PIDS), 'p', N_("processes"), N_("only processes: "),
	  N_("1200,1300-1399   process ids"), NULL, false, false, 0 },
	{ LIST(TIDS), 'i', N_("threads"), N_("only threads: "), N_("1200,1300-1399   thread ids"),
	  NULL, false, false, 0 },
	{ LIST(CPUS), 'u', N_("CPUs"), N_("only CPUs: "), N_("0-3,7   numbers of CPUs"), "cpu",
	  true, false, 0 },
	{ ROWS_ZOOM_SOCKET, 's', N_("processor socket"), N_("only processor socket: "),
	  N_("0   its number"), "socket", true, false, 0 },
	{ LIST(TIMES), 't', N_("times"), N_("only times: "),
	  N_("12.5,13          seconds, from and to\n"
	     "10%-20%,40%-60%  of the recording\n"
	     "10%/2            the second tenth of it"),
	  NULL, false, false, 0 },
	{ LIST(CGROUPS), 'g', N_("control groups"), N_("only control groups: "),
	  N_("/system.slice/*,/user.slice   names, with wildcards"), "cgroup", false, false,
	  PTUI_EXTRA_CGROUP },
	{ LIST(STACK), 'f', N_("callchains with a function"), N_("only callchains with: "),
	  N_("alloc   part of the name of a function"), "symbol", false, true, 0 },
	{ LIST(FIELDS), 'v', N_("values of fields"), N_("only fields: "),
	  N_("prev_pid > 100 && prev_comm == sh\n"
	     "==  !=  <  <=  >  >=\n"
	     "&   bits in common\n"
	     "~   wildcards: prev_comm ~ cc*"),
	  NULL, false, false, PTUI_EXTRA_TRACE },
};

void rows_only_release(struct rows_asked_only *a)
{
	for (size_t i = 0; i < ROWS_ONLY_WAYS; i++)
		words_release(&a->typed[i]);
}

static bool way_applies(struct rows_view *v, const struct only_way *way)
{
	const struct ptui_event_info *e = v->ops->event(v->screen);
	uint32_t event = 0;
	struct ptui_profile *p = v->ops->profile ? v->ops->profile(v->screen, &event) : NULL;

	/* those of several recordings were not kept */
	if (way->kind == LIST(FIELDS) && p && !ptui_profile_trace_field(p, event, 0))
		return false;
	return e && !(way->by_cpu && e->lacks_cpu) &&
	       !(way->by_chain && !ptui_event_has_chains(e)) && !(way->extra & ~e->extras);
}

/* ---- the prompt ---- */

/* The cell of a column of the row. False: there is no such column, or nothing in it. */
static bool row_cell(const struct rows_view *v, const char *column, char *buf, size_t size)
{
	uint64_t node = rows_view_node(v);
	size_t n, i = rows_find_column(v->rows, column);
	char cell[ROWS_TEXT_MAX];
	const char *text;

	if (!node || i == SIZE_MAX)
		return false;
	rows_cell(v->rows, node, i, cell, sizeof(cell));
	text = cell + strspn(cell, " ");
	n = strlen(text);
	while (n && text[n - 1] == ' ')
		n--;
	snprintf(buf, size, "%.*s", (int)n, text);
	return n > 0;
}

/* "prev_comm == sh": the first field that the rows show. */
static void row_field(const struct rows_view *v, char *buf, size_t size)
{
	struct ptui_profile *p = NULL;
	char cell[ROWS_TEXT_MAX / 2];
	uint32_t event = 0;
	const char *name;

	if (v->ops->profile)
		p = v->ops->profile(v->screen, &event);
	for (size_t i = 0; p && (name = ptui_profile_trace_field(p, event, i)); i++) {
		if (!row_cell(v, name, cell, sizeof(cell)))
			continue;
		snprintf(buf, size, strpbrk(cell, " &|") ? "%s == \"%s\"" : "%s == %s", name, cell);
		return;
	}
}

/* What is chosen now, else what the row has. */
static void begin_with(const struct rows_view *v, const struct only_way *way, char *buf,
		       size_t size)
{
	rows_look_only_text(v->look, way->kind, buf, size);
	if (*buf || !v->rows)
		return;
	if (way->kind == LIST(FIELDS))
		row_field(v, buf, size);
	else if (way->by_chain)
		rows_function(v->rows, rows_view_node(v), buf, size);
	else if (way->column)
		(void)row_cell(v, way->column, buf, size);
}

/* Sets it in a copy of the look. */
static int set_in(struct rows_view *v, const char *line, struct rows_look *ret,
		  struct ptui_error *err)
{
	const struct only_way *way = v->only.way;
	struct ptui_profile *p = NULL;
	struct ptui_hist_filter filter;
	uint32_t event;
	bool lacks;

	*ret = *v->look;
	if (rows_look_set_only(ret, way->kind, line, err))
		return -EINVAL;
	if (v->ops->profile)
		p = v->ops->profile(v->screen, &event);
	filter = rows_only_filter(&ret->only);
	return p ? ptui_profile_check_filter(p, &filter, &lacks, err) : 0;
}

static int judge(void *ctx, const char *line, struct ptui_error *err)
{
	struct rows_look look;

	return set_in(ctx, line, &look, err);
}

static unsigned typed(void *ctx, const char *line)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct rows_view *v = ctx;
	struct rows_look wanted;

	if (!line)
		return WISH_REDRAW;
	if (set_in(v, line, &wanted, &err))
		return rows_view_say_error(v, &err);
	if (v->ops->loads && v->ops->loads(v->screen, &wanted))
		return WISH_RECALC;
	*v->look = wanted;
	return rows_view_changed(v);
}

/* ---- the menu ---- */

static unsigned chosen(void *ctx, int index)
{
	struct rows_view *v = ctx;
	const struct only_way *way = index < 0 ? NULL : v->only.ways[index];
	struct prompt_opts opts = { .judge = judge, .done = typed, .ctx = v };
	char now[ROWS_TEXT_MAX];

	if (!way)
		return WISH_REDRAW;
	v->only.way = way;
	begin_with(v, way, now, sizeof(now));
	opts.label = _(way->label);
	opts.note = _(way->note);
	opts.line = now;
	opts.history = &v->only.typed[way - ways];
	return prompt_open(v->stack, &opts);
}

unsigned rows_only_ask(struct rows_view *v)
{
	struct menu_item items[ROWS_ONLY_WAYS] = { { 0 } };
	size_t n = 0;

	for (size_t i = 0; i < ROWS_ONLY_WAYS; i++) {
		const struct only_way *way = &ways[i];

		if (!way_applies(v, way))
			continue;
		items[n] = (struct menu_item){ .text = _(way->text),
					       .key = way->key,
					       .current = rows_look_is_zoomed(v->look, way->kind) };
		v->only.ways[n++] = way;
	}
	return n ? popup_menu(v->stack, _("Only samples by"), items, n, chosen, v) :
		   stack_note(v->stack, _("There are no samples to choose from."));
}
