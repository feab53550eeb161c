/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

int setup_init(struct setup *s)
{
	*s = (struct setup){ .proc = "/proc", .seconds = SETUP_DEFAULT_SECONDS };
	s->rates[SETUP_RATE_FREQUENCY] = SETUP_DEFAULT_HZ;
	s->rates[SETUP_RATE_PERIOD] = 1000000;
	s->command = strdup("");
	s->pid_name = strdup("");
	if (s->command && s->pid_name && !setup_put_named(s, "event", "cycles", NULL) &&
	    !setup_set_choice(s, SETUP_CALLS, SETUP_CALLS_UNWOUND, NULL))
		return 0;
	setup_release(s);
	return -ENOMEM;
}

void setup_release(struct setup *s)
{
	setup_clear(s);
	free(s->uses);
	words_release(&s->history);
	words_release(&s->presets);
	free(s->command);
	free(s->pid_name);
	memset(s, 0, sizeof(*s));
}

void setup_replace(struct setup *s, struct setup *fresh, bool keeps_presets)
{
	struct setup before = *s;

	*s = *fresh;
	*fresh = before;
	fresh->history = s->history;
	s->history = before.history;
	if (keeps_presets) {
		fresh->presets = s->presets;
		s->presets = before.presets;
	}
}

/* NAME=value before the command's name: shell syntax for variables. */
static bool is_assignment(const char *word)
{
	size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");

	return n && word[n] == '=' && (*word < '0' || *word > '9');
}

int setup_set_command(struct setup *s, const char *text, struct ptui_error *err)
{
	struct words words = WORDS_INIT;
	int ret = words_split(&words, text, err);
	const char *first = words.n ? words.v[0] : "-";

	if (!ret && !*first) {
		ret = ptui_error_input(err, text, _("the command name is empty"));
	} else if (!ret && is_assignment(first)) {
		ret = ptui_error_input(
			err, first,
			_("%s would be taken as the command, as this line is run without a shell"),
			first);
		ptui_error_hint(err, _("to set a variable, start with env %s"), first);
	}
	words_release(&words);
	return !ret && words_set(&s->command, text) ? ptui_error_nomem(err) : ret;
}

int setup_set_process(struct setup *s, pid_t pid, uint64_t start, const char *name)
{
	if (words_set(&s->pid_name, name))
		return -ENOMEM;
	s->pid = pid;
	s->pid_start = start;
	return 0;
}

bool setup_can_be_timed(const struct setup *s)
{
	return s->target != SETUP_COMMAND && s->target != SETUP_SYSTEM_COMMAND;
}

int setup_set_output(struct setup *s, const char *path, struct ptui_error *err)
{
	char *expanded;
	int ret = 0;

	if (!strcmp(path, "-"))
		return ptui_error_input(err, path,
					_("the recording requires a file name, not '-'"));
	expanded = words_path(path);
	if (!expanded)
		return ptui_error_nomem(err);
	setup_remove(s, ptui_record_option_find("output"));
	if (*expanded && strcmp(expanded, SETUP_OUTPUT) != 0)
		ret = setup_put_named(s, "output", expanded, err);
	free(expanded);
	return ret;
}

const char *setup_output(const struct setup *s)
{
	const struct ptui_record_use *use = setup_named(s, "output");

	return use ? use->value : SETUP_OUTPUT;
}

/* ---- the same as a command line ---- */

/* Target and output are no part of how it is recorded. */
static bool is_how(enum setup_part part)
{
	return part <= SETUP_PART_OTHERS && part != SETUP_PART_CGROUP;
}

/* All options; or `program`: those of "ptui record" or "ptui stat", after these words. */
static void add_options(const struct setup *s, bool program, bool only_how, struct words *w)
{
	struct ptui_record_option o;

	if (program) {
		words_add(w, "ptui");
		words_add(w, s->counts ? "stat" : "record");
	}
	for (size_t i = 0; i < s->n_uses; i++)
		if ((!program || !s->counts ||
		     (ptui_record_option(s->uses[i].use.option, &o) && o.for_counts)) &&
		    (!only_how || is_how(s->uses[i].part)))
			setup_use_words(&s->uses[i].use, w);
}

char *setup_options_text(const struct setup *s, bool only_how)
{
	struct words words = WORDS_INIT;
	char *text;

	add_options(s, only_how, only_how, &words);
	text = words_join(&words);
	words_release(&words);
	return text;
}

/* -G requires -a, which other target options override. */
static bool is_system_wide(const struct setup *s)
{
	bool wide = s->target == SETUP_OPTIONS && setup_named(s, "cgroup");

	for (size_t i = 0; i < s->n_uses; i++)
		wide &= s->uses[i].part != SETUP_PART_TASKS;
	return wide || s->target == SETUP_SYSTEM || s->target == SETUP_SYSTEM_COMMAND;
}

static int add_command(const struct setup *s, struct words *w, struct ptui_error *err)
{
	struct words argv = WORDS_INIT;
	int ret = words_split(&argv, s->command, err);

	if (!ret && !argv.n)
		ret = ptui_error_input(err, NULL, _("no command yet"));
	if (!ret && !words_add(w, "--"))
		words_add_all(w, &argv);
	words_release(&argv);
	return ret;
}

static int add_target(const struct setup *s, struct words *w, struct ptui_error *err)
{
	char number[24];

	if (is_system_wide(s))
		words_add(w, "-a");
	if (s->target == SETUP_PROCESS && !s->pid)
		return ptui_error_input(err, NULL, _("no process yet"));
	if (s->target == SETUP_OPTIONS && !setup_names_target(s))
		return ptui_error_input(err, NULL, _("no option sets the target"));
	if (s->target == SETUP_PROCESS) {
		snprintf(number, sizeof(number), "%d", (int)s->pid);
		words_add(w, "-p");
		words_add(w, number);
	}
	if (!setup_can_be_timed(s))
		return add_command(s, w, err);
	if (s->timed) {
		/* perf's way to end a recording after a time */
		snprintf(number, sizeof(number), "%" PRIu64, s->seconds);
		words_add(w, "--");
		words_add(w, "sleep");
		words_add(w, number);
	}
	return 0;
}

int setup_words(const struct setup *s, struct words *ret, struct ptui_error *err)
{
	int failed;

	add_options(s, true, false, ret);
	failed = add_target(s, ret, err);
	return ret->failed ? ptui_error_nomem(err) : failed;
}

/* Parses the words, so that what they say is recorded. */
struct ptui_record_line *setup_record_line(const struct setup *s, struct ptui_error *err)
{
	struct words words = WORDS_INIT;
	struct ptui_record_line *line = NULL;

	if (!setup_words(s, &words, err))
		line = ptui_record_line_new((const char *const *)words.v, words.n, PTUI_LINE_STAT,
					    err);
	words_release(&words);
	return line;
}
