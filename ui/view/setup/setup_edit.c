/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changing the choices: what follows from a change, and what is typed in prompts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "model/complete.h"
#include "model/setup/process.h"
#include "ptui/profile.h"
#include "text/i18n.h"
#include "view/setup/setup_private.h"

#define CHECK_TICKS 3 /* of setup_watch() */
#define UNDO_MAX    100

/* ---- after a change ---- */

const char *setup_key(const struct setup_screen *v, enum request req, char buf[32])
{
	return keymaps_label(stack_keys(v->stack), KEYMAP_SETUP, req, buf, 32);
}

/* The next step, with the user's keys. */
static void hint_target(struct setup_screen *v)
{
	char edit[32], process[32], all[32];

	setup_key(v, REQ_EDIT, edit);
	if (v->setup.target == SETUP_PROCESS)
		ptui_error_hint(&v->incomplete, _("press %s on Target to choose one"), edit);
	else
		ptui_error_hint(
			&v->incomplete,
			_("press %s on Target to set one, %s to choose a process, %s for the whole "
			  "system"),
			edit, setup_key(v, REQ_PROCESS, process),
			setup_key(v, REQ_WHOLE_SYSTEM, all));
}

static bool target_ended(const struct setup_screen *v)
{
	const struct setup *s = &v->setup;

	return s->target == SETUP_PROCESS && s->pid && !process_is(PROC, s->pid, s->pid_start);
}

const char *setup_state(const struct setup_screen *v)
{
	return v->states.n ? v->states.v[v->states.n - 1] : "";
}

/* Keeps the choices for undo, if there is memory. */
static void remember_change(struct setup_screen *v)
{
	char *text = setup_to_text(&v->setup);

	if (v->states.n > UNDO_MAX)
		words_remove(&v->states, 0);
	if (text && strcmp(text, setup_state(v)) != 0)
		(void)words_add(&v->states, text);
	free(text);
}

unsigned setup_changed(void *self)
{
	struct setup_screen *v = self;
	struct ptui_record_line *line = NULL;

	remember_change(v);
	words_release(&v->same_as);
	memset(&v->incomplete, 0, sizeof(v->incomplete));
	v->target_ended = target_ended(v);
	v->contradicts = false;
	if (setup_words(&v->setup, &v->same_as, &v->incomplete)) {
		if (words_add(&v->same_as, v->setup.target == SETUP_PROCESS ? "-p" : "--") ||
		    words_add(&v->same_as, "…"))
			stack_no_memory(v->stack);
		hint_target(v);
	} else if (v->target_ended) {
		ptui_error_set(&v->incomplete, PTUI_ERROR_INPUT, ESRCH, NULL,
			       _("process %d (%s) has ended"), (int)v->setup.pid,
			       v->setup.pid_name);
		hint_target(v);
	} else {
		line = setup_record_line(&v->setup, &v->incomplete);
		v->contradicts = !line;
	}
	setup_checker_ask(&v->checker, line);
	table_recalc(&v->table);
	return WISH_RECALC;
}

unsigned setup_undo(struct setup_screen *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	size_t n = v->states.n;

	if (n < 2)
		return stack_note(v->stack, _("nothing was changed that could be undone"));
	if (setup_from_text(&v->setup, v->states.v[n - 2], PROC, &err))
		return popup_error(v->stack, &err);
	words_remove(&v->states, n - 1);
	/* without a process that has exited since, it is another state, but not a change */
	words_remove(&v->states, n - 2);
	stack_say(v->stack, ROLE_GOOD, "%s", _("the last change is undone"));
	return setup_changed(v);
}

/* After a refusal the machine may have been changed; after a recording there is a new file. */
static bool should_check_again(struct setup_screen *v)
{
	const struct ptui_check *check = v->checker.answer;

	if (!stack_is_top(v->stack, v) || ptui_error_is_set(&v->incomplete) || !check)
		return false;
	return v->away || (check->n_problems && ++v->ticks % CHECK_TICKS == 0);
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
			setup_checker_again(&v->checker, line);
	}
}

/* ---- prompts for the rows ---- */

static int apply(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;
	struct setup *s = &v->setup;
	int ret;

	switch (v->edited) {
	case PART_TARGET:
		ret = setup_set_command(s, line, err);
		if (!ret)
			s->target = v->command_for;
		return ret;
	case PART_EVENT:
		return *line ? setup_set_event(s, v->edited_event, line, err) : 0;
	case PART_OUTPUT:
		return setup_set_output(s, line, err);
	default:
		return setup_set_choice_size(s, v->edited_choice, line, err);
	}
}

/* Of this row, on which the cursor goes; fills in what all prompts have in common. */
static unsigned ask(struct setup_screen *v, enum part part, struct prompt_opts q)
{
	v->edited = part;
	if (part != PART_EVENT)
		setup_go_to(v, part);
	q.accept = apply;
	q.accepted = setup_changed;
	q.ctx = v;
	return prompt_open(v->stack, &q);
}

unsigned setup_ask_command(struct setup_screen *v, enum setup_target target)
{
	v->command_for = target;
	return ask(v, PART_TARGET,
		   (struct prompt_opts){ .label = _("command: "),
					 .line = v->setup.command,
					 .history = &v->commands,
					 .ways = complete_command });
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
	v->edited_event = i;
	return ask(v, PART_EVENT,
		   (struct prompt_opts){
			   .label = _("event: "),
			   .note = _("in the syntax of ptui record -e; Tab completes"),
			   .line = setup_event(&v->setup, i),
			   .ways = ways_event,
		   });
}

unsigned setup_ask_size(struct setup_screen *v, enum part part, enum setup_choice c)
{
	const struct ptui_check *check = v->checker.last;
	int now = setup_choice(&v->setup, c);
	const struct setup_choice_value *value = &setup_choices[c].values[now < 0 ? 0 : now];
	char note[128] = "", number[24];

	v->edited_choice = c;
	if (value->ask_note)
		snprintf(note, sizeof(note), "%s", _(value->ask_note));
	else if (now != SETUP_RATE_PERIOD && check && check->max_freq_hz)
		snprintf(note, sizeof(note), _("the kernel currently allows at most %" PRIu64),
			 check->max_freq_hz);
	return ask(v, part,
		   (struct prompt_opts){
			   .label = _(value->ask),
			   .line = setup_choice_number(&v->setup, c, number, sizeof(number)),
			   .note = *note ? note : NULL,
		   });
}

unsigned setup_ask_output(struct setup_screen *v)
{
	return ask(v, PART_OUTPUT,
		   (struct prompt_opts){ .label = _("output file: "),
					 .line = setup_output(&v->setup),
					 .history = &v->outputs,
					 .ways = complete_path });
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
	return v->opts.browse(v->opts.ctx, v->recording);
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

/* ---- a command line, pasted or of a recording ---- */

int setup_take_text(struct setup_screen *v, const char *line, struct ptui_error *err)
{
	setup_taken_release(&v->line_taken);
	return setup_take_line(&v->setup, line, PROC, false, &v->line_taken, err);
}

static int apply_line(void *ctx, const char *line, struct ptui_error *err)
{
	return setup_take_text(ctx, line, err);
}

/* Skipped options by name with the reason; below them the resulting line. */
void setup_show_skipped(struct setup_screen *v)
{
	const struct setup_taken *t = &v->line_taken;
	char *same = words_join(&v->same_as);
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s\n", _("Skipped:"));
	for (size_t i = 0; i < t->left_out.n; i++)
		buf_addf(&text, "✗ %s\n", t->left_out.v[i]);
	buf_addf(&text, "\n%s\n%s\n", _("Set up without it:"), same ? same : "");
	popup_message(v->stack, _("Pasted command line"), text.err ? NULL : buf_str(&text));
	buf_release(&text);
	free(same);
}

static unsigned line_taken(void *ctx)
{
	struct setup_screen *v = ctx;
	size_t n = v->line_taken.n_options;
	char undo[32];
	unsigned wishes = setup_changed(v);

	/* it may have been pasted into the Options screen: Setup shows everything */
	setup_return(v->stack);
	if (v->line_taken.left_out.n)
		setup_show_skipped(v);
	else
		stack_say(v->stack, ROLE_GOOD,
			  Q_("set %zu option from the command line; %s undoes it",
			     "set %zu options from the command line; %s undoes it", n),
			  n, setup_key(v, REQ_UNDO, undo));
	return wishes;
}

unsigned setup_ask_line(void *ctx, const char *text)
{
	struct setup_screen *v = ctx;
	const struct prompt_opts q = {
		.label = _("line: "),
		.note = _(
			"a command line such as perf record -F 99 -g -- make; replaces the current "
			"setup"),
		.line = text,
		.history = &v->lines,
		.accept = apply_line,
		.accepted = line_taken,
		.ctx = v,
	};

	return prompt_open(v->stack, &q);
}

int setup_take_recording(struct setup_screen *v, const char *path, struct ptui_error *err)
{
	static char perf[] = "perf"; /* it may have another name there, such as perf_6.1 */
	char **argv = ptui_recording_command(path, err), *line;
	struct words words = { argv, 0, 0 };
	int ret;

	if (!argv)
		return -ENODATA;
	while (argv[words.n])
		words.n++;
	if (words.n)
		argv[0] = perf;
	line = words_join(&words);
	ret = line ? setup_take_text(v, line, err) : ptui_error_nomem(err);
	free(line);
	free(argv);
	return ret;
}
