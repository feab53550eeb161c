/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/picker/picker.h"
#include "text/i18n.h"

#define ASK_SECONDS .ask = N_("end after: "), .ask_note = N_("seconds, or a number with s, m or h")

const struct setup_form_row setup_form[N_SETUP_ROWS] = {
	[SETUP_TARGET] = {
		.label = N_("Target"),
		.explain = "",
		.key = "target",
		.n = N_SETUP_TARGETS,
		.values = {
			[SETUP_COMMAND] = { "command", N_("command"), .ask = N_("command: ") },
			[SETUP_PROCESS] = { "process", N_("process") },
			[SETUP_SYSTEM] = { "system", N_("whole system") },
			[SETUP_SYSTEM_COMMAND] = { "system-command", N_("whole system") },
			[SETUP_OPTIONS] = { "options", N_("by options") },
		},
	},
	[SETUP_END] = {
		.label = N_("End"),
		.explain = N_("manual · timed"),
		.key = "end",
		.n = 2,
		.values = {
			{ "manual", N_("manual"), ASK_SECONDS },
			{ "timed", N_("timed"), ASK_SECONDS },
		},
	},
	[SETUP_EVENT] = {
		.label = N_("Events"),
		.values = { { .ask = N_("event: "),
			      .ask_note = N_("in the syntax of ptui record -e; Tab completes") } },
	},
	[SETUP_ADD] = { .label = N_("Events") },
	[SETUP_FILE] = {
		.label = N_("Output"),
		.for_samples = true,
		.values = { { .ask = N_("output file: ") } },
	},
	[SETUP_MORE] = { .label = N_("More") },
	[SETUP_RATE] = {
		.label = N_("Sampling"),
		.explain = N_("auto · period · Hz · count"),
		.key = "rate",
		.n = N_SETUP_RATES,
		.values = {
			[SETUP_RATE_DEFAULT] = { "default", N_("auto"),
						 .ask = N_("sampling frequency in Hz: ") },
			[SETUP_RATE_PERIOD] = { "period", N_("period"), .option = "count",
						.size_from = "count",
						.ask = N_("events per sample: ") },
			[SETUP_RATE_FREQUENCY] = { "frequency", N_("frequency"), .option = "freq",
						   .size_from = "freq",
						   .ask = N_("sampling frequency in Hz: ") },
			[SETUP_RATE_COUNT] = { "none", N_("count only") },
		},
	},
	[SETUP_CALLS] = {
		.label = N_("Call graph"),
		.explain = N_("unwound · fp · off"),
		.for_samples = true,
		.n = 3,
		.values = {
			[SETUP_CALLS_UNWOUND] = { "unwound", N_("unwound"), .option = "call-graph",
						  .fixed = "dwarf,live" },
			[SETUP_CALLS_FP] = { "fp", N_("frame pointers"), .option = "g" },
			[SETUP_CALLS_OFF] = { "off", N_("off") },
		},
	},
	/* If both options are given, memory: they contradict each other, which is reported elsewhere. */
	[SETUP_KEEP] = {
		.label = N_("Flight rec."),
		.explain = N_("off · memory · rings"),
		.for_samples = true,
		.n = 3,
		.values = {
			[SETUP_KEEP_OFF] = { "off", N_("off") },
			/* 64M: about a minute of two CPUs with callchains */
			[SETUP_KEEP_MEMORY] = { "memory", N_("memory"), .option = "memory",
						.size_from = "memory", .size = "64M",
						.ask = N_("memory for samples: "),
						.ask_note = N_("a number with K, M or G") },
			[SETUP_KEEP_RINGS] = { "rings", N_("rings"), .option = "overwrite",
					       .size_from = "mmap-pages", .size = "8M",
					       .ask = N_("size of each ring buffer: "),
					       .ask_note = N_("pages, or bytes with K, M or G") },
		},
	},
};

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

/* ---- the rows of the form: their values ---- */

/* A rate is a number: "max" is not one of its values. */
static bool makes(const struct setup_choice_value *v, const struct ptui_record_use *use)
{
	if (v->fixed)
		return use->value && !strcmp(use->value, v->fixed);
	return !v->size_from || v->size ||
	       (*use->value != '0' && !use->value[strspn(use->value, "0123456789")]);
}

int setup_choice(const struct setup *s, enum setup_row c)
{
	const struct setup_form_row *row = &setup_form[c];
	int none = SETUP_BY_OPTION, value = SETUP_BY_OPTION;
	bool given = false;

	if (c == SETUP_TARGET)
		return (int)s->target;
	if (c == SETUP_END)
		return s->timed;
	if (c == SETUP_RATE && s->counts)
		return SETUP_RATE_COUNT;
	for (int i = row->n - 1; i >= 0; i--) {
		const struct setup_choice_value *v = &row->values[i];
		const struct ptui_record_use *use = v->option ? setup_named(s, v->option) : NULL;

		if (!v->option)
			none = i; /* of two the first */
		else if (use && !use->off && makes(v, use))
			value = i;
		given |= use != NULL;
	}
	/* --no-memory is as without the option; --no-call-graph is not, with a configuration file */
	return value == SETUP_BY_OPTION && (!given || c == SETUP_KEEP) ? none : value;
}

const struct ptui_record_use *setup_choice_use(const struct setup *s, enum setup_row c)
{
	const struct setup_form_row *row = &setup_form[c];
	const struct ptui_record_use *use = NULL;

	for (int i = 0; i < row->n && !use && setup_choice(s, c) == SETUP_BY_OPTION; i++)
		if (row->values[i].option)
			use = setup_named(s, row->values[i].option);
	return use;
}

/* The option with the size of the current value; NULL: none. */
static const char *size_option(const struct setup *s, enum setup_row c)
{
	int value = setup_choice(s, c);

	return value < 0 ? NULL : setup_form[c].values[value].size_from;
}

const char *setup_choice_size(const struct setup *s, enum setup_row c)
{
	const char *option = size_option(s, c);
	const struct ptui_record_use *use = option ? setup_named(s, option) : NULL;

	return use ? use->value : NULL;
}

const char *setup_choice_number(const struct setup *s, enum setup_row c, char *buf, size_t size)
{
	const char *given = setup_choice_size(s, c);

	if (given || c == SETUP_KEEP)
		return given;
	snprintf(buf, size, "%" PRIu64,
		 c == SETUP_END ? s->seconds : s->rates[SETUP_RATE_FREQUENCY]);
	return buf;
}

int setup_set_choice(struct setup *s, enum setup_row c, int value, struct ptui_error *err)
{
	const struct setup_form_row *row = &setup_form[c];
	const struct setup_choice_value *v = &row->values[value], *was;
	const char *size = setup_choice_size(s, c);
	char number[24] = "";
	int ret = 0;

	if (c == SETUP_TARGET)
		s->target = (enum setup_target)value;
	if (c == SETUP_END)
		s->timed = value;
	if (c == SETUP_TARGET || c == SETUP_END)
		return 0;
	/* the ring size for overwrite mode does not fit other modes */
	was = size ? &row->values[setup_choice(s, c)] : NULL;
	if (was && was->size && !strcmp(size, was->size))
		setup_remove(s, ptui_record_option_find(was->size_from));
	for (int i = 0; i < row->n; i++)
		if (row->values[i].option)
			setup_remove(s, ptui_record_option_find(row->values[i].option));
	if (c == SETUP_RATE) {
		s->counts = value == SETUP_RATE_COUNT;
		snprintf(number, sizeof(number), "%" PRIu64, s->rates[value]);
	}
	if (v->option && v->option != v->size_from)
		ret = setup_put_named(s, v->option, v->fixed, err);
	if (!ret && v->size_from && !setup_named(s, v->size_from))
		ret = setup_put_named(s, v->size_from, v->size ? v->size : number, err);
	return ret;
}

static int set_seconds(struct setup *s, const char *text, struct ptui_error *err)
{
	uint64_t value = 0;
	const char *unit = text_number(text, 999999999, &value);
	char letter = unit ? *unit : '\0';

	if (letter && strchr("smh", letter))
		unit++;
	if (!unit || !value || unit[strspn(unit, " ")])
		return ptui_error_input(err, text,
					_("'%s' is not a time such as 90, 90s, 2m or 1h"), text);
	s->seconds = value * (letter == 'm' ? 60 : letter == 'h' ? 3600 : 1);
	s->timed = true;
	return 0;
}

static int set_rate(struct setup *s, const char *text, struct ptui_error *err)
{
	int by = setup_choice(s, SETUP_RATE) == SETUP_RATE_PERIOD ? SETUP_RATE_PERIOD :
								    SETUP_RATE_FREQUENCY;
	struct picker_rate rate;
	uint64_t value = 0;

	if (!picker_rate_parse(text, &rate) && !(by == SETUP_RATE_PERIOD && rate.freq_hz))
		value = rate.freq_hz ? rate.freq_hz : rate.period;
	if (!value)
		return ptui_error_input(err, text,
					_("'%s' is not a positive number such as 4000, 10k or 1M"),
					text);
	s->rates[by] = value;
	return setup_set_choice(s, SETUP_RATE, by, err);
}

int setup_set_choice_size(struct setup *s, enum setup_row c, const char *text,
			  struct ptui_error *err)
{
	const char *name = size_option(s, c);

	if (c == SETUP_END)
		return set_seconds(s, text, err);
	if (c == SETUP_RATE)
		return set_rate(s, text, err);
	return name && *text ?
		       setup_option_set(s, ptui_record_option_find(name), text, false, err) :
		       0;
}

/* ---- the same as a command line ---- */

/* Target and output are no part of how it is recorded. */
static bool is_how(enum setup_part part)
{
	return part <= SETUP_PART_OTHERS && part != SETUP_PART_CGROUP;
}

/* "ptui record" or "ptui stat" with its options; `program` NULL: all options. */
static void add_options(const struct setup *s, const char *program, bool only_how, struct words *w)
{
	struct ptui_record_option o;

	if (program) {
		words_add(w, "ptui");
		words_add(w, program);
	}
	for (size_t i = 0; i < s->n_uses; i++)
		if ((!program || !s->counts ||
		     (ptui_record_option(s->uses[i].use.option, &o) && o.for_counts)) &&
		    (!only_how || is_how(s->uses[i].part)))
			setup_use_words(&s->uses[i].use, w);
}

static const char *program_of(const struct setup *s)
{
	return s->counts ? "stat" : "record";
}

char *setup_options_text(const struct setup *s, bool only_how)
{
	struct words words = WORDS_INIT;
	char *text;

	add_options(s, only_how ? program_of(s) : NULL, only_how, &words);
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
	if (is_system_wide(s))
		words_add(w, "-a");
	if (s->target == SETUP_PROCESS && !s->pid)
		return ptui_error_input(err, NULL, _("no process yet"));
	if (s->target == SETUP_OPTIONS && !setup_names_target(s))
		return ptui_error_input(err, NULL, _("no option sets the target"));
	if (s->target == SETUP_PROCESS) {
		words_add(w, "-p");
		words_addf(w, "%d", (int)s->pid);
	}
	if (!setup_can_be_timed(s))
		return add_command(s, w, err);
	if (s->timed) {
		/* perf's way to end a recording after a time */
		words_add(w, "--");
		words_add(w, "sleep");
		words_addf(w, "%" PRIu64, s->seconds);
	}
	return 0;
}

int setup_words(const struct setup *s, struct words *ret, struct ptui_error *err)
{
	int failed;

	add_options(s, program_of(s), false, ret);
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
