/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/state_file.h"
#include "ptui/probe.h"
#include "text/i18n.h"
#include "view/copy_row.h"
#include "view/picker/picker.h"
#include "view/setup/setup_private.h"

#define WATCH_MS 1000

/* ---- checks of the choices in a thread, since closing tracepoints is slow ---- */

/* In the thread. */
static void *answer_one(void *unused, void *question)
{
	struct ptui_check *answer = calloc(1, sizeof(*answer));

	(void)unused;
	if (answer)
		ptui_record_check(ptui_record_line_opts(question), answer);
	return answer;
}

static void question_free(void *question)
{
	ptui_record_line_free(question);
}

static void answer_free(void *answer)
{
	if (answer)
		ptui_check_release(answer);
	free(answer);
}

static void answered(void *owner, void *answer, bool is_latest)
{
	struct setup_screen *v = owner;
	bool failed = !is_latest || !answer;

	answer_free(failed ? answer : v->last);
	if (is_latest)
		v->is_checking = false;
	if (!failed)
		v->last = v->answer = answer;
	stack_wish(v->stack, v, WISH_RECALC);
}

bool setup_checker_init(struct setup_screen *v)
{
	static const struct latest_worker_ops ops = {
		.work = answer_one,
		.done = answered,
		.release_job = question_free,
		.release_answer = answer_free,
	};

	v->checker = latest_worker_new(stack_loop(v->stack), &ops, NULL, v);
	return v->checker;
}

void setup_checker_release(struct setup_screen *v)
{
	latest_worker_free(v->checker);
	answer_free(v->last);
}

void setup_checker_ask(struct setup_screen *v, struct ptui_record_line *line)
{
	v->answer = NULL;
	v->is_checking = latest_worker_submit(v->checker, line) && line;
}

/* ---- requests ---- */

static void mark_kept(struct setup_screen *v)
{
	free(v->kept);
	v->kept = strdup(setup_state(v));
}

/* 0, or an error: the choices are not saved. */
static int save(struct setup_screen *v, struct ptui_error *err)
{
	int ret;

	if (!v->state_path)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, NULL,
				      _("there is no home directory to keep the choices in"));
	ret = setup_save(&v->setup, v->state_path, err);
	if (!ret)
		mark_kept(v);
	return ret;
}

static unsigned start(struct setup_screen *v)
{
	const struct setup_screen_opts *o = &v->opts;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_record_line *line;
	unsigned wishes;

	setup_watch(v); /* the process may have exited */
	if (v->contradicts)
		return stack_say(v->stack, ROLE_BAD, "%s", v->incomplete.text);
	if (ptui_error_is_set(&v->incomplete)) {
		setup_go_to(v, SETUP_TARGET);
		wishes = setup_open_row(v);
		stack_note(v->stack, v->incomplete.text);
		return wishes;
	}
	line = setup_record_line(&v->setup, &err);
	if (!line)
		return popup_error(v->stack, &err);
	/* Without memory for the history it is recorded all the same. */
	if (v->setup.target == SETUP_COMMAND || v->setup.target == SETUP_SYSTEM_COMMAND)
		(void)words_remember(&v->setup.history, v->setup.command, SETUP_HISTORY_MAX);
	if (v->state_path && save(v, &err) && !v->reported_unsaved) {
		v->reported_unsaved = true; /* only once */
		stack_say(v->stack, ROLE_BAD, "%s", err.text);
	}
	wishes = v->setup.counts ? o->count(o->ctx, ptui_record_line_opts(line), &v->same_as) :
				   o->start(o->ctx, ptui_record_line_opts(line));
	ptui_record_line_free(line);
	v->away = true;
	return wishes;
}

static unsigned copy(struct setup_screen *v)
{
	unsigned wishes;
	char *text;

	if (ptui_error_is_set(&v->incomplete))
		return stack_note(v->stack, v->incomplete.text);
	text = words_join(&v->same_as);
	wishes = copy_or_say(v->stack, text, _("the command line cannot be copied"));
	free(text);
	return wishes;
}

static unsigned leave_answered(void *ctx, bool yes)
{
	struct setup_screen *v = ctx;

	return !yes ? WISH_REDRAW : stack_is_bottom(v->stack, v) ? WISH_QUIT : WISH_POP;
}

/* Asks only if changes would be lost because they cannot be saved. */
static unsigned leave_setup(struct setup_screen *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char question[sizeof(err.text) + 64];

	if (!save(v, &err) || (v->kept && !strcmp(v->kept, setup_state(v))))
		return leave_answered(v, true);
	snprintf(question, sizeof(question), _("Leave and lose the changes? %s"), err.text);
	return popup_ask(v->stack, question, _("leave"), _("stay"), leave_answered, v);
}

static unsigned remove_event(struct setup_screen *v)
{
	size_t i;

	if (setup_row_here(v, &i) != SETUP_EVENT)
		return stack_note(v->stack, _("only events can be removed: go to one"));
	setup_remove_event(&v->setup, i);
	return setup_changed(v);
}

/* All messages of the check, scrollable. */
static unsigned show_messages(struct setup_screen *v)
{
	const struct ptui_check *check = v->answer;
	struct buf text = BUF_INIT;

	if (!check || !check->n_problems)
		return stack_note(v->stack, check ? _("no problems found") :
					    ptui_error_is_set(&v->incomplete) ?
						    v->incomplete.text :
						    _("still checking"));
	for (size_t i = 0; i < check->n_problems; i++) {
		const struct ptui_problem *p = &check->problems[i];

		buf_addf(&text, "%s%s %s\n", i ? "\n" : "", p->refused ? "✗" : "!", p->what.text);
		if (*p->what.hint)
			buf_addf(&text, "%s\n", p->what.hint);
	}
	popup_message(v->stack, _("Problems on this machine"), text.err ? NULL : buf_str(&text));
	buf_release(&text);
	return WISH_REDRAW;
}

static unsigned request(void *self, enum request req)
{
	static unsigned (*const requests[N_REQUESTS])(struct setup_screen * v) = {
		[REQ_RECORD] = start,
		[REQ_BROWSE] = setup_ask_recording,
		[REQ_COPY] = copy,
		[REQ_EDIT] = setup_open_row,
		[REQ_OPEN] = setup_open_row,
		[REQ_BACK] = leave_setup,
		[REQ_UNDO] = setup_undo,
		[REQ_PROCESS] = setup_choose_process,
		[REQ_CHOOSE_EVENTS] = setup_choose_events,
		[REQ_REMOVE] = remove_event,
		[REQ_WHY] = show_messages,
		[REQ_OPTIONS] = setup_choose_options,
		[REQ_PRESETS] = setup_choose_preset,
	};
	struct setup_screen *v = self;

	switch (req) {
	case REQ_NEXT_VALUE:
		return setup_step_row(v, 1);
	case REQ_PREV_VALUE:
		return setup_step_row(v, -1);
	case REQ_COMMAND:
		return setup_ask(v, SETUP_TARGET, SETUP_COMMAND);
	case REQ_WHOLE_SYSTEM:
		v->setup.target = SETUP_SYSTEM;
		setup_go_to(v, SETUP_TARGET);
		return setup_changed(v);
	case REQ_TYPE_EVENT:
		return setup_ask(v, SETUP_EVENT, setup_n_events(&v->setup));
	case REQ_RATE:
		return setup_ask(v, SETUP_RATE, 0);
	case REQ_CALL_GRAPH:
		return setup_step_choice(v, SETUP_CALLS, 1);
	case REQ_OUTPUT_FILE:
		return setup_ask(v, SETUP_FILE, 0);
	case REQ_PASTE_LINE:
		return setup_ask_line(v, "");
	default:
		return requests[req] ? requests[req](v) : WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	struct setup_screen *v = self;
	size_t i;
	enum setup_row row = setup_row_here(v, &i);

	switch (req) {
	case REQ_REMOVE:
		return row == SETUP_EVENT;
	case REQ_UNDO:
		return v->states.n > 1;
	case REQ_NEXT_VALUE:
	case REQ_PREV_VALUE:
		return row < N_SETUP_ROWS && setup_form[row].n;
	case REQ_COPY:
		return !ptui_error_is_set(&v->incomplete);
	case REQ_WHY:
		return v->last && v->last->n_problems;
	default:
		return true;
	}
}

/* There is no screen below the first one. */
static const struct request_info *info(void *self, enum request req)
{
	static const struct request_info quit = {
		.word = N_("quit"), .help = N_("undo the last step, or leave this screen")
	};
	const struct setup_screen *v = self;

	return req == REQ_BACK && stack_is_bottom(v->stack, v) ? &quit : NULL;
}

static void close_screen(void *self)
{
	struct setup_screen *v = self;

	/* Temporary probes are removed at exit, so the next session could not record them. */
	for (size_t i = setup_n_events(&v->setup); i-- > 0;)
		if (ptui_probe_is_temporary(setup_event(&v->setup, i)))
			setup_remove_event(&v->setup, i);
	/* Errors cannot be shown any more. */
	if (v->state_path && v->is_open)
		setup_save(&v->setup, v->state_path, NULL);
	loop_remove(stack_loop(v->stack), v->watch);
	setup_checker_release(v);
	setup_release(&v->setup);
	words_release(&v->same_as);
	words_release(&v->commands);
	words_release(&v->outputs);
	words_release(&v->lines);
	words_release(&v->line_taken.left_out);
	words_release(&v->states);
	free(v->kept);
	free(v->state_path);
	free(v);
}

/* What does not fit is dropped from the end. */
static const enum request hints[] = { REQ_EDIT,	   REQ_RECORD,	REQ_REMOVE, REQ_CHOOSE_EVENTS,
				      REQ_OPTIONS, REQ_BROWSE,	REQ_WHY,    REQ_HELP,
				      REQ_BACK,	   REQ_PRESETS, REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Setup"),
	.keymap = KEYMAP_SETUP,
	.hints = hints,
	.head = setup_head,
	.draw = setup_draw,
	.request = request,
	.can = can,
	.info = info,
	.paste = setup_ask_line,
	.table = offsetof(struct setup_screen, table),
	.close = close_screen,
};

int setup_open(struct stack *s, const struct setup_screen_opts *opts, struct ptui_error *err)
{
	struct setup_screen *v = calloc(1, sizeof(*v));
	struct ptui_error not_read = PTUI_ERROR_INIT;
	const char *path = opts->state_path;

	if (!v || setup_init(&v->setup)) {
		free(v);
		return ptui_error_nomem(err);
	}
	v->stack = s;
	v->opts = *opts;
	v->state_path = !path ? state_path("setup") : *path ? strdup(path) : NULL;
	if (v->state_path)
		setup_load(&v->setup, v->state_path, &not_read);
	v->watch = loop_every(stack_loop(s), WATCH_MS, setup_watch, v);
	/* Up and Down in the prompt go through commands of earlier sessions. */
	if (!v->watch || !setup_checker_init(v) || words_add_all(&v->commands, &v->setup.history)) {
		close_screen(v);
		return ptui_error_nomem(err);
	}
	table_init(&v->table, &setup_row_ops, v);
	v->table.header = false;
	setup_changed(v);
	mark_kept(v);
	v->is_open = true;
	if (stack_push(s, &screen, v))
		return ptui_error_nomem(err);
	if (ptui_error_is_set(&not_read))
		stack_say(s, ROLE_NOTE, "%s", not_read.text);
	picker_prepare();
	return 0;
}

struct setup_screen *setup_below(struct stack *s)
{
	return stack_find(s, &screen);
}

void setup_record_again(struct stack *s)
{
	struct setup_screen *v = setup_below(s);

	if (!v)
		return;
	setup_watch(v);
	/* Setup shows what is missing */
	if (ptui_error_is_set(&v->incomplete))
		setup_return(s);
	stack_wish(s, v, start(v));
}

bool setup_return(struct stack *s)
{
	return stack_return_to(s, &screen);
}
