/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changing the choices. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/complete.h"
#include "model/setup/process.h"
#include "text/i18n.h"
#include "view/picker/picker.h"
#include "view/setup/setup_private.h"
#include "view/setup/setup_process.h"
#include "widget/popup.h"
#include "widget/prompt.h"

#define CHECK_TICKS 3 /* of setup_watch() */
#define UNDO_MAX    100

/* ---- after a change ---- */

/* Placeholder for a target that is not set. */
static void add_no_target(struct setup_screen *v)
{
	const char *option = v->setup.target == SETUP_PROCESS ? "-p" : "--";

	if (words_add(&v->same_as, option) || words_add(&v->same_as, "…"))
		stack_no_memory(v->stack);
}

static const char *label(const struct setup_screen *v, enum request req, char buf[32])
{
	return keymaps_label(stack_keys(v->stack), KEYMAP_SETUP, req, buf, 32);
}

/* The next step, with the user's keys. */
static void hint_target(struct setup_screen *v)
{
	char edit[32], process[32], all[32];

	label(v, REQ_EDIT, edit);
	if (v->setup.target == SETUP_PROCESS)
		ptui_error_hint(&v->incomplete, _("press %s on Target to choose one"), edit);
	else
		ptui_error_hint(
			&v->incomplete,
			_("press %s on Target to set one, %s to choose a process, %s for the whole "
			  "system"),
			edit, label(v, REQ_PROCESS, process), label(v, REQ_WHOLE_SYSTEM, all));
}

static bool target_ended(const struct setup_screen *v)
{
	const struct setup *s = &v->setup;

	return s->target == SETUP_PROCESS && s->pid && !process_is(v->proc, s->pid, s->pid_start);
}

/* Keeps the choices before the change for undo, if there is memory. */
static void remember_change(struct setup_screen *v)
{
	char *text = setup_to_text(&v->setup);

	if (!text)
		return;
	if (v->now && strcmp(text, v->now) != 0) {
		if (v->undo.n >= UNDO_MAX)
			words_remove(&v->undo, 0);
		(void)words_add(&v->undo, v->now);
	}
	free(v->now);
	v->now = text;
}

unsigned setup_changed(void *self)
{
	struct setup_screen *v = self;
	struct ptui_record_line *line;
	bool words_known;

	remember_change(v);
	words_release(&v->same_as);
	memset(&v->incomplete, 0, sizeof(v->incomplete));
	v->target_ended = target_ended(v);
	words_known = !setup_words(&v->setup, &v->same_as, &v->incomplete);
	if (!words_known) {
		add_no_target(v);
		hint_target(v);
	} else if (v->target_ended) {
		ptui_error_set(&v->incomplete, PTUI_ERROR_INPUT, ESRCH, NULL,
			       _("process %d (%s) has ended"), (int)v->setup.pid,
			       v->setup.pid_name);
		hint_target(v);
		words_known = false;
	}
	line = ptui_error_is_set(&v->incomplete) ? NULL :
						   setup_record_line(&v->setup, &v->incomplete);
	v->contradicts = !line && words_known;
	setup_checker_ask(v->checker, line);
	return WISH_RECALC;
}

const char *setup_undo_label(const struct setup_screen *v, char buf[32])
{
	return label(v, REQ_UNDO, buf);
}

unsigned setup_undo(struct setup_screen *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	unsigned wishes;

	if (!v->undo.n)
		return stack_say(v->stack, ROLE_NOTE, "%s",
				 _("nothing was changed that could be undone"));
	if (setup_from_text(&v->setup, v->undo.v[v->undo.n - 1], v->proc, &err))
		return popup_error(v->stack, &err);
	words_remove(&v->undo, v->undo.n - 1);
	/* without a process that has exited since: not a change */
	free(v->now);
	v->now = setup_to_text(&v->setup);
	wishes = setup_changed(v);
	form_recalc(&v->form);
	stack_say(v->stack, ROLE_GOOD, "%s", _("the last change is undone"));
	return wishes;
}

/* After a refusal the machine may have been changed; after a recording there is a new file. */
static bool should_check_again(struct setup_screen *v)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);

	if (!stack_is_top(v->stack, v) || ptui_error_is_set(&v->incomplete) || !check)
		return false;
	if (v->away)
		return true;
	return check->n_problems && ++v->ticks % CHECK_TICKS == 0;
}

void setup_watch(void *ctx)
{
	struct setup_screen *v = ctx;
	struct ptui_record_line *line;

	if (v->setup.target == SETUP_PROCESS && target_ended(v) != v->target_ended) {
		stack_wish(v->stack, v, setup_changed(v));
	} else if (should_check_again(v)) {
		v->away = false;
		line = setup_record_line(&v->setup, NULL);
		if (line)
			setup_checker_again(v->checker, line);
	}
}

/* ---- editing ---- */

static int apply_command(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;

	int ret = setup_set_command(&v->setup, line, err);

	if (!ret)
		v->setup.target = v->command_for;
	return ret;
}

unsigned setup_ask_command(struct setup_screen *v, enum setup_target target)
{
	const struct prompt_opts q = { .label = _("command: "),
				       .line = v->setup.command,
				       .history = &v->commands,
				       .ways = complete_command,
				       .accept = apply_command,
				       .accepted = setup_changed,
				       .ctx = v };

	v->command_for = target;
	form_move_to(&v->form, setup_row_of(v, PART_TARGET));
	return prompt_open(v->stack, &q);
}

static int apply_seconds(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;

	return setup_set_seconds(&v->setup, line, err);
}

unsigned setup_ask_seconds(struct setup_screen *v)
{
	char line[24];
	const struct prompt_opts q = {
		.label = _("end after: "),
		.note = _("seconds, or a number with s, m or h"),
		.line = line,
		.accept = apply_seconds,
		.accepted = setup_changed,
		.ctx = v,
	};

	snprintf(line, sizeof(line), "%" PRIu64, v->setup.seconds);
	return prompt_open(v->stack, &q);
}

/* An empty line changes nothing. */
static int apply_event(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;

	return *line ? setup_set_event(&v->setup, v->edited, line, err) : 0;
}

static int ways_event(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways)
{
	struct setup_screen *v = ctx;

	if (!v->catalog)
		v->catalog = ptui_catalog_new();
	return v->catalog ? complete_event(v->catalog, line, at, begin, ways) : -ENOMEM;
}

unsigned setup_ask_event(struct setup_screen *v, size_t i)
{
	const struct prompt_opts q = {
		.label = _("event: "),
		.note = _("in the syntax of ptui record -e; Tab completes"),
		.line = i < v->setup.events.n ? v->setup.events.v[i] : NULL,
		.ways = ways_event,
		.accept = apply_event,
		.accepted = setup_changed,
		.ctx = v,
	};

	v->edited = i;
	return prompt_open(v->stack, &q);
}

static int apply_size(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;

	/* an empty size changes nothing */
	if (v->sized != SETUP_RATE && !*line)
		return 0;
	return setup_set_choice_size(&v->setup, v->sized, line, err);
}

static const char *rate_note(const struct setup_screen *v, char *buf, size_t size)
{
	const struct ptui_check *check = setup_checker_last(v->checker);

	if (setup_choice(&v->setup, SETUP_RATE) == SETUP_RATE_PERIOD || !check ||
	    !check->max_freq_hz)
		return NULL;
	snprintf(buf, size, _("the kernel currently allows at most %" PRIu64), check->max_freq_hz);
	return buf;
}

unsigned setup_ask_size(struct setup_screen *v, enum setup_choice c)
{
	int now = setup_choice(&v->setup, c);
	const struct setup_choice_value *value = &setup_choices[c].values[now < 0 ? 0 : now];
	const char *size = setup_choice_size(&v->setup, c);
	char note[128], number[24];
	const struct prompt_opts q = {
		.label = _(value->ask),
		.line = c == SETUP_RATE && !size ? number : size,
		.note = c == SETUP_RATE ? rate_note(v, note, sizeof(note)) :
			value->ask_note ? _(value->ask_note) :
					  NULL,
		.accept = apply_size,
		.accepted = setup_changed,
		.ctx = v,
	};

	snprintf(number, sizeof(number), "%" PRIu64, v->setup.rates[SETUP_RATE_FREQUENCY]);
	v->sized = c;
	return prompt_open(v->stack, &q);
}

static int apply_output(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;

	return setup_set_output(&v->setup, line, err);
}

unsigned setup_ask_output(struct setup_screen *v)
{
	const struct prompt_opts q = {
		.label = _("output file: "),
		.line = setup_output(&v->setup),
		.history = &v->outputs,
		.ways = complete_path,
		.accept = apply_output,
		.accepted = setup_changed,
		.ctx = v,
	};

	form_move_to(&v->form, setup_row_of(v, PART_OUTPUT));
	return prompt_open(v->stack, &q);
}

/* ---- existing recordings ---- */

static int apply_recording(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;
	char *path = words_path(line);

	if (!path)
		return ptui_error_nomem(err);
	if (access(path, R_OK)) {
		ptui_error_errno(err, errno, path, _("cannot read %s"), path);
		free(path);
		return -EINVAL;
	}
	free(v->recording);
	v->recording = path;
	return 0;
}

static unsigned recording_taken(void *ctx)
{
	struct setup_screen *v = ctx;

	v->away = true;
	return v->browse(v->ctx, v->recording);
}

unsigned setup_ask_recording(struct setup_screen *v)
{
	const struct prompt_opts q = {
		.label = _("recording: "),
		.line = setup_output(&v->setup),
		.history = &v->outputs,
		.ways = complete_path,
		.accept = apply_recording,
		.accepted = recording_taken,
		.ctx = v,
	};

	return prompt_open(v->stack, &q);
}

/* ---- choosing from lists ---- */

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

	form_move_to(&v->form, setup_row_of(v, PART_TARGET));
	if (setup_process_open(v->stack, &opts, &err))
		popup_error(v->stack, &err);
	return WISH_REDRAW;
}

/* False: they cannot be combined; reported, nothing has changed. */
static bool apply_events(struct setup_screen *v, const struct words *events,
			 const struct words *filters)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	bool taken = !setup_set_events(&v->setup, events, filters, &err);

	if (!taken)
		popup_error(v->stack, &err);
	form_move_to(&v->form, setup_row_of(v, PART_ADD));
	stack_wish(v->stack, v, setup_changed(v));
	return taken;
}

static unsigned events_done(void *ctx, const struct words *events, const struct words *filters)
{
	apply_events(ctx, events, filters);
	return WISH_NONE;
}

static unsigned events_done_above(void *ctx, const struct words *events,
				  const struct words *filters)
{
	struct setup_screen *v = ctx;

	return apply_events(v, events, filters) ? v->taken(v->taken_ctx) : WISH_NONE;
}

static bool open_picker(struct setup_screen *v, struct picker_opts *opts)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	opts->events = &v->setup.events;
	opts->filters = &v->setup.filters;
	opts->ctx = v;
	opts->preview = v->preview;
	opts->pid = v->setup.target == SETUP_PROCESS ? v->setup.pid : 0;
	if (!picker_open(v->stack, opts, &err))
		return true;
	popup_error(v->stack, &err);
	return false;
}

unsigned setup_choose_events(struct setup_screen *v)
{
	struct picker_opts opts = { .done = events_done };

	open_picker(v, &opts);
	return WISH_REDRAW;
}

bool setup_choose_events_above(struct setup_screen *v, const char *where)
{
	struct picker_opts opts = { .done = events_done_above, .where = where, .at_marked = true };

	return open_picker(v, &opts);
}
