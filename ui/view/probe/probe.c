/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/probe/probe.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/keymap.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/copy_row.h"
#include "view/probe/probe_private.h"
#include "widget/popup.h"

/* ---- requests ---- */

static unsigned changed(struct probe_screen *s)
{
	s->outdated = true;
	s->adds = false;
	probe_set_columns(s);
	probe_work(s);
	return WISH_RECALC;
}

static unsigned toggle(struct probe_screen *s, size_t row)
{
	if (row >= probe_choice_n_rows(&s->choice))
		return WISH_NONE;
	if (!probe_choice_toggle(&s->choice, row))
		return stack_note(s->stack, probe_choice_row(&s->choice, row).refusal);
	return changed(s);
}

/* The row of a kind, of which there is one. */
static unsigned toggle_kind(struct probe_screen *s, enum probe_row_kind kind)
{
	for (size_t i = 0; i < probe_choice_n_rows(&s->choice); i++)
		if (probe_choice_row(&s->choice, i).kind == kind)
			return toggle(s, i);
	return stack_note(s->stack, _("Only functions have return probes."));
}

static unsigned toggle_all(struct probe_screen *s)
{
	if (!probe_choice_toggle_all(&s->choice))
		return stack_note(s->stack, _("There are no variables here."));
	return changed(s);
}

static unsigned add(struct probe_screen *s)
{
	if (ptui_error_is_set(&s->refused) && !s->outdated && !s->worker)
		return popup_error(s->stack, &s->refused);
	probe_add(s);
	return WISH_REDRAW;
}

/* "ptui probe -x FILE 'fact n'" */
static unsigned copy_line(struct probe_screen *s)
{
	struct words words = WORDS_INIT;
	int ret = words_add(&words, "ptui") || words_add(&words, "probe");

	if (!s->plan.definition)
		return WISH_NONE;
	if (!ret && !s->place.kernel)
		ret = words_add(&words, "-x") || words_add(&words, s->path);
	if (!ret)
		ret = words_add(&words, s->plan.definition);
	return copy_command(s->stack, &words, ret ? -1 : 0);
}

static const enum request menu_requests[] = { REQ_PROBE_ADD,	REQ_PROBE_CHOOSE, REQ_PROBE_ALL,
					      REQ_PROBE_RETURN, REQ_PROBE_KEEP,	  REQ_COPY,
					      REQ_SEARCH,	REQ_NONE };

static const char *menu_title(void *self)
{
	const struct probe_screen *s = self;

	return s->choice.probe ? s->title : NULL;
}

static unsigned request(void *self, enum request req)
{
	struct probe_screen *s = self;

	if (!s->choice.probe) /* nothing to act on, but the way back */
		return WISH_PASS;
	switch (req) {
	case REQ_PROBE_ADD:
		return add(s);
	case REQ_PROBE_CHOOSE:
		return toggle(s, s->table.cursor);
	case REQ_PROBE_ALL:
		return toggle_all(s);
	case REQ_PROBE_RETURN:
		return toggle_kind(s, PROBE_ROW_RETURN);
	case REQ_PROBE_KEEP:
		return toggle_kind(s, PROBE_ROW_KEEP);
	case REQ_COPY:
		return copy_line(s);
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	const struct probe_screen *s = self;

	switch (req) {
	case REQ_PROBE_ALL:
		return s->choice.probe && ptui_probe_n_variables(s->choice.probe);
	case REQ_PROBE_RETURN:
		return probe_choice_can_return(&s->choice);
	default:
		return s->choice.probe || stack_answers(req);
	}
}

/* ---- the screen ---- */

static void close_screen(void *self)
{
	struct probe_screen *s = self;

	worker_abandon(&s->worker);
	find_release(&s->find);
	probe_choice_release(&s->choice);
	ptui_probe_plan_release(&s->plan);
	ptui_probe_free(s->probe);
	free(s->where);
	free(s->title);
	free(s->path);
	free(s->function);
	free(s->source);
	free(s);
}

static const enum request hints[] = { REQ_PROBE_ADD,	REQ_PROBE_CHOOSE, REQ_PROBE_ALL,
				      REQ_PROBE_RETURN, REQ_PROBE_KEEP,	  REQ_COPY,
				      REQ_MENU,		REQ_HELP,	  REQ_BACK,
				      REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Probe"),
	.keymap = KEYMAP_PROBE,
	.hints = hints,
	.head = probe_head,
	.draw = probe_draw,
	.menu = menu_requests,
	.menu_title = menu_title,
	.request = request,
	.can = can,
	.table = offsetof(struct probe_screen, table),
	.find = offsetof(struct probe_screen, find),
	.opens = REQ_PROBE_CHOOSE,
	.close = close_screen,
};

static const struct box boxes[PROBE_BOXES] = {
	[PROBE_BODY] = { .size = 4, .fill = true },
	[PROBE_RULE] = { .size = 1, .hide = 2 },
	[PROBE_PLAN] = { .size = 2, .hide = 1 },
};

/* "work.c:9", "work+12" or "work" */
static char *title_of(const struct probe_opts *o)
{
	char text[1024];

	if (o->source)
		snprintf(text, sizeof(text), "%s:%u", text_file_name(o->source), o->line);
	else if (o->offset)
		snprintf(text, sizeof(text), "%s+%llu", o->function->symbol,
			 (unsigned long long)o->offset);
	else
		snprintf(text, sizeof(text), "%s", o->function->symbol);
	return strdup(text);
}

static struct probe_screen *screen_new(struct stack *stack, const struct probe_opts *o)
{
	struct probe_screen *s = calloc(1, sizeof(*s));
	const struct ptui_function *f = o->function;

	if (!s)
		return NULL;
	s->stack = stack;
	memcpy(s->boxes, boxes, sizeof(boxes));
	table_init(&s->table, &probe_rows, s);
	find_init_table(&s->find, stack, &s->table);
	s->then = o->then;
	s->title = title_of(o);
	s->place = (struct ptui_probe_place){
		.start = f->start, .offset = o->offset, .line = o->line, .kernel = f->kernel
	};
	if (s->title && !text_copy(&s->where, o->where) && !text_copy(&s->path, f->path) &&
	    !text_copy(&s->function, f->symbol) && !text_copy(&s->source, o->source))
		return s;
	close_screen(s);
	return NULL;
}

unsigned probe_open(struct stack *stack, const struct probe_opts *opts)
{
	struct probe_screen *s;

	if (!opts->then.added)
		return stack_note(stack,
				  _("A probe cannot be recorded from here: browse the recording in "
				    "ptui, and probe from there."));
	if (!opts->function->symbol)
		return stack_note(stack,
				  _("The function of this row is unknown: it has no symbol."));
	s = screen_new(stack, opts);
	if (!s || stack_push(stack, &screen, s))
		return stack_no_memory(stack);
	probe_set_columns(s);
	probe_work(s);
	return WISH_REDRAW;
}
