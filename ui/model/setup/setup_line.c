/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies a command line to Setup: pasted, or a preset. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/setup/process.h"
#include "model/setup/setup.h"
#include "text/i18n.h"

struct line_reader {
	struct setup *to;
	struct setup_taken *taken;
	const struct ptui_record_opts *opts;
	size_t n_argv;
	/* the command is sleep: only ends the recording; 0: another one, or none */
	uint64_t seconds;
};

static int skip_option(struct line_reader *t, const char *what, const char *why)
{
	/* most messages begin with the option's name */
	return words_addf(&t->taken->left_out, *what && !strstr(why, what) ? "%s: %s" : "%.0s%s",
			  what, why);
}

/* Of the last event; the record line has combined several into one. */
static int take_filter(struct setup *s, const char *filter, struct ptui_error *why)
{
	size_t i = setup_n_events(s) - 1;
	const char *first = setup_filter(s, i);
	char *both;
	int ret;

	if (!setup_event(s, 0))
		return ptui_error_input(why, NULL, _("its event was left out"));
	if (asprintf(&both, first ? "(%s) && (%s)" : "%s%s", first ? first : "", filter) < 0)
		return -ENOMEM;
	ret = setup_check_event(setup_event(s, i), both, why);
	if (!ret)
		ret = setup_set_filter(s, i, both, why);
	free(both);
	return ret;
}

/* An option with its meaning in Setup. */
static int take_use(struct line_reader *t, const struct ptui_record_use *use,
		    struct ptui_error *why)
{
	struct setup *s = t->to;
	int ret = 0;

	switch (setup_option(use->option)->part) {
	case SETUP_PART_EVENT:
		ret = setup_check_event(use->value, NULL, why);
		break;
	case SETUP_PART_FILTER:
		return take_filter(s, use->value, why);
	case SETUP_PART_OUTPUT:
		return setup_set_output(s, use->value, why);
	case SETUP_PART_SYSTEM:
		return 0; /* the target is set after all options are known */
	case SETUP_PART_NOWHERE:
		return ptui_error_input(why, NULL, _("only for the command line"));
	case SETUP_PART_TASKS:
		/* a single process has a row; for others the option stays */
		if (use->option == ptui_record_option_find("pid") && t->opts->n_pids == 1 &&
		    (!t->n_argv || t->seconds))
			return 0;
		break;
	default:
		break;
	}
	return ret ? ret : setup_put(s, use, why);
}

/* ---- the target ---- */

/* True for options that override -a, as in perf. */
static bool names_tasks(const struct ptui_record_opts *o)
{
	return o->n_pids || o->n_tids || o->user;
}

/* "-a -- sleep 3" and "-p 12 -- sleep 3": 3. 0 if the command is what is recorded, or another one. */
static uint64_t seconds_of(const struct ptui_record_opts *o, size_t n_argv)
{
	const char *end;
	uint64_t seconds;

	if (!(o->system_wide || names_tasks(o)) || n_argv != 2 ||
	    strcmp(o->argv[0], "sleep") != 0 || *o->argv[1] == '0')
		return 0;
	end = text_number(o->argv[1], 999999999, &seconds);
	return end && !*end ? seconds : 0;
}

static int apply_command(struct line_reader *t)
{
	const struct words words = { .v = (char **)(uintptr_t)t->opts->argv, .n = t->n_argv };
	struct ptui_error why = PTUI_ERROR_INIT;
	char *text = words_join(&words);
	int ret = text ? setup_set_command(t->to, text, &why) : -ENOMEM;

	if (t->opts->system_wide && !names_tasks(t->opts))
		t->to->target = SETUP_SYSTEM_COMMAND;
	if (ret && ret != -ENOMEM)
		ret = skip_option(t, text, why.text);
	free(text);
	return ret;
}

static int apply_process(struct line_reader *t)
{
	struct process p = { .pid = t->opts->pids[0] };
	char what[32];
	int ret;

	t->to->target = SETUP_PROCESS;
	if (!process_read(t->to->proc, &p)) {
		snprintf(what, sizeof(what), "-p %d", (int)p.pid);
		return skip_option(t, what, _("no such process"));
	}
	ret = setup_set_process(t->to, p.pid, p.start, p.name);
	free(p.name);
	return ret;
}

static int apply_target(struct line_reader *t)
{
	if (t->n_argv && !t->seconds)
		return apply_command(t);
	if (t->seconds) {
		t->to->timed = true;
		t->to->seconds = t->seconds;
	}
	if (t->opts->n_pids == 1)
		return apply_process(t);
	t->to->target = setup_names_target(t->to) ? SETUP_OPTIONS : SETUP_SYSTEM;
	return 0;
}

/* ---- all of it ---- */

static int apply_all(struct line_reader *t, const struct ptui_record_line *line)
{
	const struct ptui_record_refusal *refusal;
	const struct ptui_record_use *use;
	bool follows;
	int ret = 0;

	for (size_t i = 0; !ret && (refusal = ptui_record_line_refusal(line, i)); i++)
		ret = skip_option(t, refusal->word, refusal->why.text);
	for (size_t i = 0; !ret && (use = ptui_record_line_use(line, i)); i++) {
		struct ptui_error why = PTUI_ERROR_INIT;
		char *word;

		ret = take_use(t, use, &why);
		t->taken->n_options += !ret;
		if (!ret || ret == -ENOMEM)
			continue;
		word = ptui_record_use_word(use, &follows);
		ret = word ? skip_option(t, word, why.text) : -ENOMEM;
		free(word);
	}
	return ret ? ret : apply_target(t);
}

/* Target and output of the old choices. 0 or -ENOMEM. */
static int keep_target(struct setup *fresh, const struct setup *old)
{
	int ret = setup_set_output(fresh, setup_output(old), NULL);

	for (size_t i = 0; i < old->n_uses && !ret; i++)
		if (setup_sets_target(old->uses[i].part) || old->uses[i].part == SETUP_PART_CPUS)
			ret = setup_put(fresh, &old->uses[i].use, NULL);
	if (ret || words_set(&fresh->command, old->command) ||
	    setup_set_process(fresh, old->pid, old->pid_start, old->pid_name))
		return -ENOMEM;
	fresh->target = old->target;
	fresh->timed = old->timed;
	fresh->seconds = old->seconds;
	return 0;
}

/* A shell would expand patterns of the command: they are rejected. */
static struct ptui_record_line *read_line(struct line_reader *t, const char *text,
					  struct ptui_error *err)
{
	struct words words = WORDS_INIT;
	struct words_glob glob = { 0, 0 };
	struct ptui_record_line *line = NULL;
	int failed = words_split_line(&words, text, &glob, err);

	if (!failed && !words.n)
		ptui_error_input(err, "", _("expected a line such as 'perf record -g -- make'"));
	else if (!failed)
		line = ptui_record_line_new((const char *const *)words.v, words.n,
					    PTUI_LINE_TOLERANT | PTUI_LINE_STAT, err);
	if (line) {
		t->opts = ptui_record_line_opts(line);
		while (t->opts->argv && t->opts->argv[t->n_argv])
			t->n_argv++;
		t->seconds = seconds_of(t->opts, t->n_argv);
	}
	if (line && glob.c && glob.word >= words.n - t->n_argv) {
		words_need_shell(glob.c, err);
		ptui_record_line_free(line);
		line = NULL;
	}
	words_release(&words);
	return line;
}

int setup_take_line(struct setup *s, const char *text, bool keeps_target, struct setup_taken *ret,
		    struct ptui_error *err)
{
	struct setup fresh = { .target = SETUP_COMMAND };
	struct line_reader t = { .to = &fresh, .taken = ret };
	struct ptui_record_line *line = read_line(&t, text, err);
	int failed = -EINVAL;

	memset(ret, 0, sizeof(*ret));
	if (line) {
		failed = setup_init(&fresh);
		/* options missing in the line get record's defaults */
		setup_clear(&fresh);
		fresh.proc = s->proc;
		fresh.counts = ptui_record_line_counts(line);
		if (!failed)
			failed = apply_all(&t, line);
		if (!failed && keeps_target)
			failed = keep_target(&fresh, s);
		if (failed)
			failed = ptui_error_nomem(err);
	}
	ptui_record_line_free(line);
	if (failed)
		words_release(&ret->left_out);
	else
		setup_replace(s, &fresh, true);
	setup_release(&fresh);
	return failed;
}

/* ---- presets ---- */

/*
 * Callchains by frame pointers for events that may come a million times a second, and for rings in
 * overwrite mode, which would hold copies of stacks: a fiftieth of the time.
 */
static const struct {
	const char *name, *line;
} ours[SETUP_PRESETS_OURS] = {
	{ N_("CPU profile"), "ptui record -F 4000 --call-graph dwarf,live -e cycles" },
	{ N_("page faults"), "ptui record -c 1 --call-graph dwarf,live -e page-faults" },
	{ N_("system calls"), "ptui record -c 1 -e raw_syscalls:sys_enter" },
	{ N_("scheduler"), "ptui record -c 1 -g -e sched:sched_switch -e sched:sched_wakeup" },
	{ N_("cache misses"),
	  "ptui record -F 4000 --call-graph dwarf,live -e '{cache-misses,cache-references}'" },
	{ N_("flight recorder"), "ptui record -F 4000 --call-graph dwarf,live -e cycles -M 64M" },
	{ N_("flight rings"), "ptui record -F 4000 -g -e cycles --overwrite -m 8M" },
};

size_t setup_n_presets(const struct setup *s)
{
	return SETUP_PRESETS_OURS + s->presets.n;
}

struct setup_preset setup_preset(const struct setup *s, size_t i)
{
	const char *own = i < SETUP_PRESETS_OURS ? NULL : s->presets.v[i - SETUP_PRESETS_OURS];
	struct setup_preset preset = { .line = own ? strchr(own, '\t') + 1 : ours[i].line };

	snprintf(preset.name, sizeof(preset.name), "%.*s",
		 own ? (int)(preset.line - 1 - own) : SETUP_PRESET_BYTES,
		 own ? own : _(ours[i].name));
	return preset;
}

/* The index among all presets, built-in ones also by their English names; their number: there is none. */
static size_t find_preset(const struct setup *s, const char *name)
{
	size_t i = 0;

	while (i < setup_n_presets(s) && strcmp(setup_preset(s, i).name, name) != 0 &&
	       (i >= SETUP_PRESETS_OURS || strcmp(ours[i].name, name) != 0))
		i++;
	return i;
}

static int check_name(const struct setup *s, const char *name, struct ptui_error *err)
{
	size_t i = find_preset(s, name);

	if (!*name || strpbrk(name, "\t\n"))
		return ptui_error_input(err, name, _("a preset requires a name"));
	if (strlen(name) > SETUP_PRESET_NAME_MAX)
		return ptui_error_input(err, name, _("name too long: at most %d bytes"),
					SETUP_PRESET_NAME_MAX);
	if (i < SETUP_PRESETS_OURS)
		return ptui_error_input(err, name, _("%s already exists and cannot be replaced"),
					name);
	if (i == setup_n_presets(s) && s->presets.n >= SETUP_PRESETS_MAX)
		return ptui_error_input(err, name,
					_("there are already %d presets: remove one first"),
					SETUP_PRESETS_MAX);
	return 0;
}

static int add_preset(struct setup *s, const char *name, const char *line, struct ptui_error *err)
{
	int ret = check_name(s, name, err);

	if (ret)
		return ret;
	setup_forget_preset(s, find_preset(s, name));
	return words_addf(&s->presets, "%s\t%s", name, line) ? ptui_error_nomem(err) : 0;
}

int setup_keep_preset(struct setup *s, const char *name, struct ptui_error *err)
{
	char *line = setup_options_text(s, true);
	int ret = line ? add_preset(s, name, line, err) : ptui_error_nomem(err);

	free(line);
	return ret;
}

void setup_forget_preset(struct setup *s, size_t i)
{
	if (i >= SETUP_PRESETS_OURS && i < setup_n_presets(s))
		words_remove(&s->presets, i - SETUP_PRESETS_OURS);
}

int setup_read_preset(struct setup *s, const char *text, struct ptui_error *err)
{
	int n = (int)strcspn(text, "\t");
	char name[SETUP_PRESET_BYTES]; /* of a longer one enough to refuse it */

	snprintf(name, sizeof(name), "%.*s", n, text);
	return text[n] && text[n + 1] ? add_preset(s, name, text + n + 1, err) : -EINVAL;
}
