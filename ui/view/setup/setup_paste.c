/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pasting a command line; also opens the Options screen. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "ptui/profile.h"
#include "text/i18n.h"
#include "view/setup/setup.h"
#include "view/setup/setup_options.h"
#include "view/setup/setup_private.h"
#include "widget/popup.h"
#include "widget/prompt.h"

int setup_take_text(struct setup_screen *v, const char *line, struct ptui_error *err)
{
	setup_taken_release(&v->line_taken);
	return setup_take_line(&v->setup, line, v->proc, &v->line_taken, err);
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
	form_recalc(&v->form);
	if (v->line_taken.left_out.n)
		setup_show_skipped(v);
	else
		stack_say(v->stack, ROLE_GOOD,
			  Q_("set %zu option from the command line; %s undoes it",
			     "set %zu options from the command line; %s undoes it", n),
			  n, setup_undo_label(v, undo));
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

/* The program may have another name there, such as perf_6.1. */
static char *recorded_line(char *const *argv)
{
	struct words words = WORDS_INIT;
	char *line = NULL;
	int ret = words_add(&words, "perf");

	for (size_t i = 1; argv[0] && argv[i] && !ret; i++)
		ret = words_add(&words, argv[i]);
	if (!ret)
		line = words_join(&words);
	words_release(&words);
	return line;
}

int setup_take_recording(struct setup_screen *v, const char *path, struct ptui_error *err)
{
	char **argv = ptui_recording_command(path, err), *line;
	int ret = -ENODATA;

	if (!argv)
		return ret;
	line = recorded_line(argv);
	ret = line ? apply_line(v, line, err) : ptui_error_nomem(err);
	free(line);
	free(argv);
	return ret;
}

static unsigned option_changed(void *ctx)
{
	struct setup_screen *v = ctx;

	/* the target option was removed */
	if (v->setup.target == SETUP_OPTIONS && !setup_names_target(&v->setup))
		v->setup.target = SETUP_SYSTEM;
	return setup_changed(v);
}

unsigned setup_open_options(struct setup_screen *v)
{
	const struct setup_options_opts opts = {
		.setup = &v->setup, .changed = option_changed, .paste = setup_ask_line, .ctx = v
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	form_move_to(&v->form, setup_row_of(v, PART_MORE));
	if (setup_options_open(v->stack, &opts, &err))
		popup_error(v->stack, &err);
	return WISH_REDRAW;
}
