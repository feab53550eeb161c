/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is chosen from lists: events in the picker, presets in a menu. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/setup/setup.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "view/picker/picker.h"
#include "view/setup/setup_private.h"

/* ---- events ---- */

/* Too many change nothing, which is reported. */
static unsigned events_done(void *ctx, const struct words *events, const struct words *filters)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	bool taken = !setup_set_events(&v->setup, events, filters, &err);

	if (!taken)
		popup_error(v->stack, &err);
	setup_go_to(v, PART_ADD);
	stack_wish(v->stack, v, setup_changed(v));
	return taken && v->taken ? v->taken(v->taken_ctx) : WISH_NONE;
}

/* For a screen above: `where` is its name, taken() is called with the events. */
static unsigned open_picker(struct setup_screen *v, const char *where, unsigned (*taken)(void *ctx),
			    void *ctx)
{
	struct words events = WORDS_INIT, filters = WORDS_INIT;
	const struct picker_opts opts = {
		.events = &events,
		.filters = &filters,
		.done = events_done,
		.ctx = v,
		.where = where,
		.at_marked = where,
		.preview = v->opts.preview,
		.pid = v->setup.target == SETUP_PROCESS ? v->setup.pid : 0,
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	v->taken = taken;
	v->taken_ctx = ctx;
	if (setup_events(&v->setup, &events, &filters))
		stack_no_memory(v->stack);
	else if (picker_open(v->stack, &opts, &err))
		popup_error(v->stack, &err);
	words_release(&events);
	words_release(&filters);
	return WISH_REDRAW;
}

unsigned setup_choose_events(struct setup_screen *v)
{
	return open_picker(v, NULL, NULL, NULL);
}

void setup_change_events(struct stack *s, const char *where, unsigned (*taken)(void *ctx),
			 void *ctx)
{
	struct setup_screen *v = setup_below(s);

	if (v)
		open_picker(v, where, taken, ctx);
}

/* ---- presets ---- */

/* Of an item: the name, and its line without the common words. */
#define NAME_WIDTH 16
#define ITEM_MAX   160 /* bytes of the line */

static int add_item(const struct setup *s, size_t i, struct words *ret)
{
	static const char same[] = "ptui record ";
	char text[sizeof(((struct setup_preset *)0)->name) + NAME_WIDTH + ITEM_MAX];
	struct setup_preset preset;
	int pad;

	setup_preset(s, i, &preset);
	pad = NAME_WIDTH - utf8_width(preset.name);
	if (!strncmp(preset.line, same, sizeof(same) - 1))
		preset.line += sizeof(same) - 1;
	snprintf(text, sizeof(text), "%s%*s  %.*s", preset.name, pad > 0 ? pad : 0, "", ITEM_MAX,
		 preset.line);
	return words_add(ret, text);
}

/* Presets from `first` on, then `n_more` items. */
static unsigned open_menu(struct setup_screen *v, const char *title, size_t first,
			  const struct menu_item *more, size_t n_more,
			  unsigned (*chosen)(void *ctx, int index))
{
	size_t n = setup_n_presets(&v->setup) - first;
	struct menu_item *items = calloc(n + n_more, sizeof(*items));
	struct words texts = WORDS_INIT;
	bool failed = !items;

	for (size_t i = 0; i < n && !failed; i++)
		failed = add_item(&v->setup, first + i, &texts);
	for (size_t i = 0; i < n + n_more && !failed; i++)
		items[i] = i < n ? (struct menu_item){ .text = texts.v[i] } : more[i - n];
	if (failed)
		stack_no_memory(v->stack);
	else
		popup_menu(v->stack, title, items, n + n_more, chosen, v);
	words_release(&texts);
	free(items);
	return WISH_REDRAW;
}

static size_t first_own(const struct setup *s)
{
	return setup_n_presets(s) - s->presets.n;
}

static unsigned apply_preset(struct setup_screen *v, size_t i)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup_taken taken;
	struct setup_preset preset;
	char undo[32];
	unsigned wishes;
	int failed;

	setup_preset(&v->setup, i, &preset);
	failed = setup_take_line(&v->setup, preset.line, PROC, true, &taken, &err);
	wishes = setup_changed(v);
	if (failed)
		popup_error(v->stack, &err);
	else if (taken.left_out.n)
		stack_say(v->stack, ROLE_BAD, "%s", taken.left_out.v[0]);
	else
		stack_say(v->stack, ROLE_GOOD, _("set up for: %s; %s undoes it"), preset.name,
			  setup_key(v, REQ_UNDO, undo));
	setup_taken_release(&taken);
	return wishes;
}

static int save_preset(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;

	return setup_keep_preset(&v->setup, line, err);
}

static unsigned kept(void *ctx)
{
	struct setup_screen *v = ctx;

	stack_say(v->stack, ROLE_GOOD, _("saved: press P to list it"));
	return setup_changed(v); /* may replace one of this name */
}

static unsigned prompt_name(struct setup_screen *v)
{
	const struct prompt_opts q = {
		.label = _("name: "),
		.note = _("the preset contains how to record, not the target or the output file"),
		.accept = save_preset,
		.accepted = kept,
		.ctx = v,
	};

	return prompt_open(v->stack, &q);
}

static unsigned remove_preset(void *ctx, int index)
{
	struct setup_screen *v = ctx;
	struct setup_preset preset;
	char undo[32];
	size_t i;

	if (index < 0)
		return WISH_REDRAW;
	i = first_own(&v->setup) + (size_t)index;
	setup_preset(&v->setup, i, &preset);
	stack_say(v->stack, ROLE_GOOD, _("removed: %s; %s restores it"), preset.name,
		  setup_key(v, REQ_UNDO, undo));
	setup_forget_preset(&v->setup, i);
	return setup_changed(v);
}

static unsigned chosen(void *ctx, int index)
{
	struct setup_screen *v = ctx;
	size_t n = setup_n_presets(&v->setup);

	if (index < 0)
		return WISH_REDRAW;
	if ((size_t)index < n)
		return apply_preset(v, (size_t)index);
	if ((size_t)index == n)
		return prompt_name(v);
	return open_menu(v, _("Remove a preset"), first_own(&v->setup), NULL, 0, remove_preset);
}

unsigned setup_choose_preset(struct setup_screen *v)
{
	const struct menu_item more[] = {
		{ .text = _("save the current setup as a new one"), .key = '+' },
		{ .text = _("remove one"), .key = '-', .off = !v->setup.presets.n },
	};

	return open_menu(v, _("Presets"), 0, more, 2, chosen);
}
