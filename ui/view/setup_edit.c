/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person can change. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "view/picker.h"
#include "view/setup_private.h"
#include "view/setup_process.h"
#include "widget/popup.h"

/* ---- what changes when anything does ---- */

unsigned setup_changed(struct setup_screen *v)
{
	struct setup_opts *opts;

	words_release(&v->same_as);
	memset(&v->incomplete, 0, sizeof(v->incomplete));
	setup_words(&v->setup, &v->same_as, &v->incomplete);
	opts = ptui_error_is_set(&v->incomplete) ? NULL : setup_opts_new(&v->setup, NULL);
	setup_checker_ask(v->checker, opts);
	return WISH_RECALC;
}

/* After a setter: tells what it refused. */
static unsigned changed_or_told(struct setup_screen *v, int ret, const struct ptui_error *err)
{
	if (!ret)
		return setup_changed(v);
	popup_error(v->stack, err);
	return WISH_RECALC;
}

/* ---- editing ---- */

static unsigned command_done(void *ctx, const char *line)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	history_add(&v->commands, line);
	return changed_or_told(v, setup_set_command(&v->setup, line, &err), &err);
}

static unsigned event_done(void *ctx, const char *line)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line || !*line)
		return WISH_REDRAW;
	return changed_or_told(v, setup_set_event(&v->setup, v->edited, line, &err), &err);
}

static unsigned rate_done(void *ctx, const char *line)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	return changed_or_told(v, setup_set_rate(&v->setup, line, &err), &err);
}

static unsigned output_done(void *ctx, const char *line)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	history_add(&v->outputs, line);
	return changed_or_told(v, setup_set_output(&v->setup, line, &err), &err);
}

static unsigned ask(struct setup_screen *v, const char *label, const char *line,
		    struct history *history, unsigned (*done)(void *ctx, const char *line))
{
	const struct prompt_opts opts = { .label = label, .line = line, .history = history,
					  .done = done, .ctx = v };

	prompt_ask(v->stack, &opts);
	return WISH_REDRAW;
}

unsigned setup_ask_command(struct setup_screen *v)
{
	form_move_to(&v->form, setup_row_of(v, PART_WHOM));
	return ask(v, _("command: "), v->setup.command, &v->commands, command_done);
}

unsigned setup_ask_event(struct setup_screen *v, size_t i)
{
	v->edited = i;
	return ask(v, _("event, as record -e takes it: "),
		   i < v->setup.events.n ? v->setup.events.v[i] : NULL, NULL, event_done);
}

unsigned setup_ask_rate(struct setup_screen *v)
{
	char line[24];

	snprintf(line, sizeof(line), "%" PRIu64,
		 v->setup.by_period ? v->setup.period : v->setup.freq_hz);
	form_move_to(&v->form, setup_row_of(v, PART_RATE));
	return ask(v, v->setup.by_period ? _("one sample every so many events: ") :
		   _("samples a second: "), line, NULL, rate_done);
}

unsigned setup_ask_output(struct setup_screen *v)
{
	form_move_to(&v->form, setup_row_of(v, PART_OUTPUT));
	return ask(v, _("output file: "), *v->setup.output ? v->setup.output : SETUP_OUTPUT,
		   &v->outputs, output_done);
}

static unsigned process_done(void *ctx, const struct process *p)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (setup_set_process(&v->setup, p->pid, p->start, p->name, &err))
		popup_error(v->stack, &err);
	stack_wish(v->stack, v, setup_changed(v));
	return WISH_NONE;
}

unsigned setup_ask_process(struct setup_screen *v)
{
	const struct setup_process_opts opts = { .proc = v->proc, .done = process_done, .ctx = v };
	struct ptui_error err = PTUI_ERROR_INIT;

	form_move_to(&v->form, setup_row_of(v, PART_WHOM));
	if (setup_process_open(v->stack, &opts, &err))
		popup_error(v->stack, &err);
	return WISH_REDRAW;
}

static unsigned events_done(void *ctx, const struct words *events)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (setup_set_events(&v->setup, events, &err))
		popup_error(v->stack, &err);
	form_move_to(&v->form, setup_row_of(v, PART_ADD));
	stack_wish(v->stack, v, setup_changed(v));
	return WISH_NONE;
}

unsigned setup_choose_events(struct setup_screen *v)
{
	const struct picker_opts opts = { .events = &v->setup.events, .done = events_done,
					  .ctx = v };
	struct ptui_error err = PTUI_ERROR_INIT;

	if (picker_open(v->stack, &opts, &err))
		popup_error(v->stack, &err);
	return WISH_REDRAW;
}

unsigned setup_set_target(struct setup_screen *v, enum setup_target target)
{
	v->setup.target = target;
	return setup_changed(v);
}

/* The target's own row: what it is, is said in a line or chosen from a list. */
static unsigned edit_whom(struct setup_screen *v)
{
	if (v->setup.target == SETUP_SYSTEM)
		return WISH_NONE;
	return v->setup.target == SETUP_COMMAND ? setup_ask_command(v) : setup_ask_process(v);
}

static unsigned act_target(struct setup_screen *v, enum form_act act)
{
	int step = act == FORM_PREV ? N_SETUP_TARGETS - 1 : 1;

	if (act == FORM_EDIT)
		return edit_whom(v);
	return setup_set_target(v, (enum setup_target)((v->setup.target + step) % N_SETUP_TARGETS));
}

unsigned setup_toggle_callchain(struct setup_screen *v)
{
	v->setup.callchain = !v->setup.callchain;
	return setup_changed(v);
}

static unsigned act_rate(struct setup_screen *v, enum form_act act)
{
	if (act == FORM_EDIT)
		return setup_ask_rate(v);
	v->setup.by_period = !v->setup.by_period;
	return setup_changed(v);
}

unsigned setup_form_act(void *ctx, size_t i, enum form_act act)
{
	struct setup_screen *v = ctx;

	switch (setup_part_of(v, i)) {
	case PART_TARGET:
		return act_target(v, act);
	case PART_WHOM:
		return edit_whom(v);
	case PART_EVENT:
		return setup_ask_event(v, i - 2);
	case PART_ADD:
		return setup_choose_events(v);
	case PART_RATE:
		return act_rate(v, act);
	case PART_CALLS:
		return setup_toggle_callchain(v);
	default:
		return setup_ask_output(v);
	}
}
