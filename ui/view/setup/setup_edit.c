/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changing the choices: what follows from a change, prompts, and lists to choose from. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/text.h"
#include "model/complete.h"
#include "model/setup/process.h"
#include "ptui/profile.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "view/picker/picker.h"
#include "view/setup/setup_private.h"

#define CHECK_TICKS 3 /* of setup_watch() */
#define UNDO_MAX    100

/* ---- after a change ---- */

struct key_text setup_key(const struct setup_screen *v, enum request req)
{
	return keymaps_label(stack_keys(v->stack), KEYMAP_SETUP, req);
}

/* The next step, with the user's keys. */
static void hint_target(struct setup_screen *v)
{
	struct key_text edit = setup_key(v, REQ_EDIT);

	if (v->setup.target == SETUP_PROCESS)
		ptui_error_hint(&v->incomplete, _("press %s on Target to choose one"), edit.text);
	else
		ptui_error_hint(
			&v->incomplete,
			_("press %s on Target to set one, %s to choose a process, %s for the whole "
			  "system"),
			edit.text, setup_key(v, REQ_PROCESS).text,
			setup_key(v, REQ_WHOLE_SYSTEM).text);
}

static bool target_ended(const struct setup_screen *v)
{
	const struct setup *s = &v->setup;

	return s->target == SETUP_PROCESS && s->pid && !process_is(s->proc, s->pid, s->pid_start);
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
		words_add(&v->same_as, v->setup.target == SETUP_PROCESS ? "-p" : "--");
		words_add(&v->same_as, "…");
		if (v->same_as.failed)
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
	setup_checker_ask(v, line);
	table_recalc(&v->table);
	return WISH_RECALC;
}

unsigned setup_undo(struct setup_screen *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	size_t n = v->states.n;

	if (n < 2)
		return stack_note(v->stack, _("nothing was changed that could be undone"));
	if (setup_from_text(&v->setup, v->states.v[n - 2], &err))
		return popup_error(v->stack, &err);
	words_remove(&v->states, n - 1);
	/* without a process that has exited since, it is another state, but not a change */
	words_remove(&v->states, n - 2);
	stack_say(v->stack, ROLE_GOOD, "%s", _("the last change is undone"));
	return setup_changed(v);
}

/* True if the output file has appeared or is gone since the last call. */
static bool output_changed(struct setup_screen *v)
{
	bool was = v->has_output;
	struct stat st;

	v->has_output = !stat(setup_output(&v->setup), &st) && st.st_size;
	return v->has_output != was;
}

void setup_watch(void *ctx)
{
	struct setup_screen *v = ctx;
	struct ptui_record_line *line;

	if (target_ended(v) != v->target_ended) {
		stack_wish(v->stack, v, setup_changed(v));
	} else if (stack_is_shown(v->stack, v) && !ptui_error_is_set(&v->incomplete) && v->answer &&
		   /* the cause of a refusal may be gone */
		   (output_changed(v) || v->away ||
		    (v->answer->n_problems && ++v->ticks % CHECK_TICKS == 0))) {
		v->away = false;
		line = setup_record_line(&v->setup, NULL);
		if (line)
			latest_worker_submit(v->checker, line);
	}
}

/* ---- prompts for the rows ---- */

static int apply(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;
	struct setup *s = &v->setup;
	int ret;

	switch (v->edited) {
	case SETUP_TARGET:
		ret = setup_set_command(s, line, err);
		if (!ret)
			s->target = (enum setup_target)v->edited_i;
		return ret;
	case SETUP_EVENT:
		return *line ? setup_set_event(s, v->edited_i, line, err) : 0;
	case SETUP_FILE:
		return setup_set_output(s, line, err);
	default:
		return setup_set_choice_size(s, v->edited, line, err);
	}
}

unsigned setup_ask(struct setup_screen *v, enum setup_row row, size_t i)
{
	struct prompt_opts q = { .accept = apply, .accepted = setup_changed, .ctx = v };
	const struct ptui_check *check = v->last;
	int value = row == SETUP_TARGET || !setup_form[row].n ? 0 : setup_choice(&v->setup, row);
	const struct setup_choice_value *how = &setup_form[row].values[value < 0 ? 0 : value];
	char note[128], number[24];

	if (!how->ask) /* for a frequency, while events are only counted */
		how = setup_form[row].values;
	v->edited = row;
	v->edited_i = i;
	if (row != SETUP_EVENT)
		setup_go_to(v, row);
	q.label = _(how->ask);
	if (how->ask_note)
		q.note = _(how->ask_note);
	switch (row) {
	case SETUP_TARGET:
		q.line = v->setup.command;
		q.history = &v->commands;
		q.ways = complete_command;
		break;
	case SETUP_EVENT:
		q.line = setup_event(&v->setup, i);
		q.ways = complete_event;
		break;
	case SETUP_FILE:
		q.line = setup_output(&v->setup);
		q.history = &v->outputs;
		q.ways = complete_path;
		break;
	default:
		q.line = setup_choice_number(&v->setup, row, number, sizeof(number));
		if (row != SETUP_RATE || value == SETUP_RATE_PERIOD || !check ||
		    !check->max_freq_hz)
			break;
		snprintf(note, sizeof(note), _("the kernel currently allows at most %" PRIu64),
			 check->max_freq_hz);
		q.note = note;
	}
	return prompt_open(v->stack, &q);
}

/* ---- existing recordings ---- */

static int judge_recording(void *ctx, const char *line, struct ptui_error *err)
{
	char *path = words_path(line);
	int ret = path ? 0 : ptui_error_nomem(err);

	(void)ctx;
	if (path && access(path, R_OK))
		ret = ptui_error_errno(err, errno, path, _("cannot read %s"), path);
	free(path);
	return ret;
}

static unsigned browse(void *ctx, const char *line)
{
	struct setup_screen *v = ctx;
	char *path = line ? words_path(line) : NULL;
	unsigned wishes = path ? v->opts.browse(v->opts.ctx, path) : WISH_REDRAW;

	v->away |= path != NULL;
	free(path);
	return wishes;
}

unsigned setup_ask_recording(struct setup_screen *v)
{
	const struct prompt_opts q = {
		.label = _("recording: "),
		.line = setup_output(&v->setup),
		.history = &v->outputs,
		.ways = complete_path,
		.accept = judge_recording,
		.done = browse,
		.ctx = v,
	};

	return prompt_open(v->stack, &q);
}

/* ---- a command line, pasted or of a recording ---- */

static int take_text(void *ctx, const char *line, struct ptui_error *err)
{
	struct setup_screen *v = ctx;

	words_release(&v->line_taken.left_out);
	return setup_take_line(&v->setup, line, false, &v->line_taken, err);
}

/* Skipped options by name with the reason; below them the resulting line. */
static void show_skipped(struct setup_screen *v)
{
	const struct words *left_out = &v->line_taken.left_out;
	char *same = words_join(&v->same_as);
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s\n", _("Skipped:"));
	for (size_t i = 0; i < left_out->n; i++)
		buf_addf(&text, "✗ %s\n", left_out->v[i]);
	buf_addf(&text, "\n%s\n%s\n", _("Set up without it:"), same ? same : "");
	popup_message(v->stack, _("Pasted command line"), text.err ? NULL : buf_str(&text));
	buf_release(&text);
	free(same);
}

static unsigned line_taken(void *ctx)
{
	struct setup_screen *v = ctx;
	size_t n = v->line_taken.n_options;
	unsigned wishes = setup_changed(v);

	/* it may have been pasted into the Options screen: Setup shows everything */
	setup_return(v->stack);
	if (v->line_taken.left_out.n)
		show_skipped(v);
	else
		stack_say(v->stack, ROLE_GOOD,
			  Q_("set %zu option from the command line; %s undoes it",
			     "set %zu options from the command line; %s undoes it", n),
			  n, setup_key(v, REQ_UNDO).text);
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
		.accept = take_text,
		.accepted = line_taken,
		.ctx = v,
	};

	return prompt_open(v->stack, &q);
}

static int take_recording(struct setup_screen *v, const char *path, struct ptui_error *err)
{
	char **argv = ptui_recording_command(path, err), *line;
	struct words words = WORDS_INIT;
	int ret;

	if (!argv)
		return -ENODATA;
	/* it may have another name there, such as perf_6.1 */
	for (size_t i = 0; argv[i]; i++)
		words_add(&words, i ? argv[i] : "perf");
	line = words_join(&words);
	ret = line ? take_text(v, line, err) : ptui_error_nomem(err);
	words_release(&words);
	free(line);
	free(argv);
	return ret;
}

/* Each hit is a sample, whatever the rate of the recording was. */
static int set_probes(struct setup_screen *v, const char *events, struct ptui_error *err)
{
	struct words list = WORDS_INIT, texts = WORDS_INIT;
	int ret = words_split(&list, events, err);

	for (size_t i = 0; i < list.n; i++) {
		words_add(&texts, list.v[i]);
		words_add(&texts, "");
	}
	if (texts.failed)
		ret = ptui_error_nomem(err);
	if (!ret)
		ret = setup_set_events(&v->setup, &texts, err);
	if (!ret)
		ret = setup_set_choice(&v->setup, SETUP_RATE, SETUP_RATE_DEFAULT, err);
	words_release(&list);
	words_release(&texts);
	return ret;
}

void setup_prepare(struct stack *s, const struct setup_like *like)
{
	struct setup_screen *v = setup_below(s);
	struct ptui_error err = PTUI_ERROR_INIT;
	/* if that fails, the probes are recorded as it is set up */
	struct ptui_error *strict = like->probes ? NULL : &err;

	if (!v || (!like->path && !like->line && !like->probes && !like->unwound))
		return;
	if (like->path)
		(void)take_recording(v, like->path, strict);
	else if (like->line)
		(void)take_text(v, like->line, strict);
	if (like->probes)
		(void)set_probes(v, like->probes, &err);
	if (like->unwound)
		(void)setup_set_choice(&v->setup, SETUP_CALLS, SETUP_CALLS_UNWOUND, &err);
	stack_wish(s, v, setup_changed(v));
	if (like->quiet)
		return;
	if (like->probes || like->unwound)
		setup_go_to(v, like->probes ? SETUP_EVENT : SETUP_CALLS);
	if (ptui_error_is_set(&err))
		stack_say(s, ROLE_BAD, "%s", err.text);
	else if (like->probes)
		stack_say(s, ROLE_GOOD, _("the probe is added; %s records it"),
			  setup_key(v, REQ_RECORD).text);
	else
		stack_say(s, ROLE_GOOD,
			  like->unwound ?
				  _("set up to record again with unwound stacks; %s undoes it") :
				  _("set up like this recording; %s undoes it"),
			  setup_key(v, REQ_UNDO).text);
	if (like->path && !like->probes && v->line_taken.left_out.n)
		show_skipped(v);
}

/* ---- events, in the picker ---- */

/* Too many change nothing, which is reported. */
static unsigned events_done(void *ctx, const struct words *marks)
{
	struct setup_screen *v = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	bool taken = !setup_set_events(&v->setup, marks, &err);

	if (!taken)
		popup_error(v->stack, &err);
	setup_go_to(v, SETUP_ADD);
	stack_wish(v->stack, v, setup_changed(v));
	return taken && v->taken ? v->taken(v->taken_ctx) : WISH_NONE;
}

void setup_change_events(struct stack *s, const char *where, unsigned (*taken)(void *ctx),
			 void *ctx)
{
	struct setup_screen *v = setup_below(s);
	struct words marks = WORDS_INIT;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct picker_opts opts = {
		.marks = &marks,
		.done = events_done,
		.ctx = v,
		.where = where,
	};

	if (!v)
		return;
	opts.preview = v->opts.preview;
	opts.pid = v->setup.target == SETUP_PROCESS ? v->setup.pid : 0;
	v->taken = taken;
	v->taken_ctx = ctx;
	if (setup_events(&v->setup, &marks))
		stack_no_memory(s);
	else if (picker_open(s, &opts, &err))
		popup_error(s, &err);
	words_release(&marks);
}

unsigned setup_choose_events(struct setup_screen *v)
{
	setup_change_events(v->stack, NULL, NULL, NULL);
	return WISH_REDRAW;
}

/* ---- presets, in a menu ---- */

#define NAME_WIDTH 16
#define LINE_MAX   160 /* bytes */

/* Presets from `first` on, each with its line without the common words; then `n_more` items. */
static unsigned open_menu(struct setup_screen *v, const char *title, size_t first,
			  const struct menu_item *more, size_t n_more,
			  unsigned (*chosen)(void *ctx, int index))
{
	static const char same[] = "ptui record ";
	struct menu_item items[SETUP_PRESETS_OURS + SETUP_PRESETS_MAX + 2] = { { 0 } };
	struct words texts = WORDS_INIT;
	unsigned wishes;

	for (size_t i = first; i < setup_n_presets(&v->setup) && !texts.failed; i++) {
		struct setup_preset preset = setup_preset(&v->setup, i);
		int pad = NAME_WIDTH - utf8_width(preset.name);

		if (text_starts_with(preset.line, same))
			preset.line += strlen(same);
		words_addf(&texts, "%s%*s  %.*s", preset.name, pad > 0 ? pad : 0, "", LINE_MAX,
			   preset.line);
		items[i - first].text = texts.v[texts.n - 1];
	}
	for (size_t i = 0; i < n_more; i++)
		items[texts.n + i] = more[i];
	wishes = texts.failed ? stack_no_memory(v->stack) :
				popup_menu(v->stack, title, items, texts.n + n_more, chosen, v);
	words_release(&texts);
	return wishes;
}

static unsigned apply_preset(struct setup_screen *v, size_t i)
{
	struct setup_preset preset = setup_preset(&v->setup, i);
	const struct words *left_out = &v->line_taken.left_out;
	struct ptui_error err = PTUI_ERROR_INIT;

	words_release(&v->line_taken.left_out);
	if (setup_take_line(&v->setup, preset.line, true, &v->line_taken, &err))
		popup_error(v->stack, &err);
	else if (left_out->n)
		stack_say(v->stack, ROLE_BAD, "%s", left_out->v[0]);
	else
		stack_say(v->stack, ROLE_GOOD, _("set up for: %s; %s undoes it"), preset.name,
			  setup_key(v, REQ_UNDO).text);
	return setup_changed(v);
}

static int save_preset(void *ctx, const char *line, struct ptui_error *err)
{
	return setup_keep_preset(&((struct setup_screen *)ctx)->setup, line, err);
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
	size_t i = SETUP_PRESETS_OURS + (size_t)index;

	if (index < 0)
		return WISH_REDRAW;
	stack_say(v->stack, ROLE_GOOD, _("removed: %s; %s restores it"),
		  setup_preset(&v->setup, i).name, setup_key(v, REQ_UNDO).text);
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
	return open_menu(v, _("Remove a preset"), SETUP_PRESETS_OURS, NULL, 0, remove_preset);
}

unsigned setup_choose_preset(struct setup_screen *v)
{
	const struct menu_item more[] = {
		{ .text = _("save the current setup as a new one"), .key = '+' },
		{ .text = _("remove one"), .key = '-', .off = !v->setup.presets.n },
	};

	return open_menu(v, _("Presets"), 0, more, 2, chosen);
}
