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
	memset(s, 0, sizeof(*s));
	s->freq_hz = SETUP_DEFAULT_HZ;
	s->period = 1000000;
	s->calls = SETUP_CALLS_UNWOUND;
	s->command = strdup("");
	s->pid_name = strdup("");
	s->output = strdup("");
	if (s->command && s->pid_name && s->output && !words_add(&s->events, "cycles"))
		return 0;
	setup_release(s);
	return -ENOMEM;
}

void setup_release(struct setup *s)
{
	words_release(&s->events);
	words_release(&s->filters);
	words_release(&s->history);
	words_release(&s->preset_names);
	words_release(&s->preset_lines);
	setup_more_release(&s->more);
	free(s->command);
	free(s->pid_name);
	free(s->output);
	memset(s, 0, sizeof(*s));
}

static int set_text(char **text, const char *to, struct ptui_error *err)
{
	return words_set(text, to) ? ptui_error_nomem(err) : 0;
}

/* NAME=value before the command's name: shell syntax for variables. */
static bool is_assignment(const char *word)
{
	size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");

	return n && word[n] == '=' && (*word < '0' || *word > '9');
}

static int needs_env(const char *word, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, word,
		       _("%s would be taken as the command, as this line is run without a shell"),
		       word);
	ptui_error_hint(err, _("to set a variable, start with env %s"), word);
	return -EINVAL;
}

int setup_set_command(struct setup *s, const char *text, struct ptui_error *err)
{
	struct words words = WORDS_INIT;
	int ret = words_split(&words, text, err);

	if (!ret && words.n && !*words.v[0])
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				     _("the command name is empty"));
	else if (!ret && words.n && is_assignment(words.v[0]))
		ret = needs_env(words.v[0], err);
	words_release(&words);
	if (!ret)
		ret = set_text(&s->command, text, err);
	if (!ret)
		s->target = SETUP_COMMAND;
	return ret;
}

int setup_remember(struct setup *s)
{
	if (!*s->command)
		return 0;
	for (size_t i = s->history.n; i-- > 0;)
		if (!strcmp(s->history.v[i], s->command))
			words_remove(&s->history, i);
	if (s->history.n == SETUP_HISTORY_MAX)
		words_remove(&s->history, 0);
	return words_add(&s->history, s->command);
}

int setup_set_process(struct setup *s, pid_t pid, uint64_t start, const char *name,
		      struct ptui_error *err)
{
	int ret = set_text(&s->pid_name, name, err);

	if (ret)
		return ret;
	s->pid = pid;
	s->pid_start = start;
	s->target = SETUP_PROCESS;
	return 0;
}

int setup_set_output(struct setup *s, const char *path, struct ptui_error *err)
{
	char *expanded;
	int ret;

	if (!strcmp(path, "-"))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, path,
				      _("the recording requires a file name, not '-'"));
	expanded = words_path(path);
	if (!expanded)
		return ptui_error_nomem(err);
	ret = set_text(&s->output, strcmp(expanded, SETUP_OUTPUT) ? expanded : "", err);
	free(expanded);
	return ret;
}

int setup_set_rate(struct setup *s, const char *text, struct ptui_error *err)
{
	static const char prefixes[] = "kKmMgG";
	uint64_t value = 0, times = 1;
	const char *at = text, *prefix;
	bool bad;

	at += strspn(at, " ");
	bad = *at < '0' || *at > '9';
	for (; *at >= '0' && *at <= '9'; at++)
		bad |= __builtin_mul_overflow(value, 10, &value) ||
		       __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value);
	at += strspn(at, " ");
	prefix = *at ? strchr(prefixes, *at) : NULL;
	if (prefix) {
		times = prefix < prefixes + 2 ? 1000 : prefix < prefixes + 4 ? 1000000 : 1000000000;
		at++;
	}
	bad |= __builtin_mul_overflow(value, times, &value);
	if (s->rate != SETUP_RATE_PERIOD && !strcmp(at, "Hz"))
		at += 2;
	at += strspn(at, " ");
	if (bad || *at || !value)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("'%s' is not a positive number such as 4000, 10k or 1M"),
				      text);
	if (s->rate == SETUP_RATE_DEFAULT)
		s->rate = SETUP_RATE_FREQUENCY;
	*(s->rate == SETUP_RATE_PERIOD ? &s->period : &s->freq_hz) = value;
	return 0;
}

/*
 * True for "sched:sched_switch", not for "cycles:u", "mem:0x10:rw" or "cpu/event=1/u": one event of
 * an -e.
 */
static bool is_tracepoint(const char *event, size_t n)
{
	const char *colon = memchr(event, ':', n), *slash = memchr(event, '/', n);
	size_t left;

	if (!colon || slash || (colon == event + 3 && !memcmp(event, "mem", 3)) ||
	    (colon == event + 3 && !memcmp(event, "pfm", 3)))
		return false;
	/* a name is more than modifiers */
	left = n - (size_t)(colon + 1 - event);
	return left && strspn(colon + 1, "ukhpPGHISDWeb") < left;
}

void setup_count_tracepoints(const char *const *events, size_t n, size_t *ret_tracepoints,
			     size_t *ret_others)
{
	*ret_tracepoints = *ret_others = 0;
	for (size_t i = 0; i < n; i++) {
		bool in_terms = false;
		const char *at = events[i], *begin = at;

		for (;; at++) {
			in_terms ^= *at == '/';
			if (*at && (in_terms || !strchr(",{}", *at)))
				continue;
			/* after a brace there may be group modifiers, before it the group's name */
			if (at > begin && *begin != ':' && *at != '{')
				++*(is_tracepoint(begin, (size_t)(at - begin)) ? ret_tracepoints :
										 ret_others);
			if (!*at)
				break;
			begin = at + 1;
		}
	}
}

int setup_check_event(const char *text, const char *filter, struct ptui_error *err)
{
	const struct ptui_record_opts opts = {
		.events = &text, .n_events = 1, .filters = &filter, .system_wide = true
	};
	struct ptui_error why = PTUI_ERROR_INIT;
	struct ptui_recording *r = ptui_recording_new(&opts, &why);

	ptui_recording_free(r);
	if (r)
		return 0;
	if (err)
		*err = why;
	return why.code ? -why.code : -EINVAL;
}

static int too_many(struct ptui_error *err)
{
	return ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, NULL, _("at most %d events at once"),
			      SETUP_EVENTS_MAX);
}

int setup_set_events(struct setup *s, const struct words *events, const struct words *filters,
		     struct ptui_error *err)
{
	struct words copy = WORDS_INIT, with = WORDS_INIT;

	if (events->n > SETUP_EVENTS_MAX)
		return too_many(err);
	if (words_add_all(&copy, events) || words_add_all(&with, filters)) {
		words_release(&copy);
		words_release(&with);
		return ptui_error_nomem(err);
	}
	words_release(&s->events);
	words_release(&s->filters);
	s->events = copy;
	s->filters = with;
	return 0;
}

int setup_set_event(struct setup *s, size_t i, const char *text, struct ptui_error *err)
{
	int ret;

	if (i >= SETUP_EVENTS_MAX)
		return too_many(err);
	ret = setup_check_event(text, setup_filter(s, i), err);
	if (ret)
		return ret;
	if (i < s->events.n)
		return set_text(&s->events.v[i], text, err);
	return words_add(&s->events, text) ? ptui_error_nomem(err) : 0;
}

void setup_remove_event(struct setup *s, size_t i)
{
	words_remove(&s->events, i);
	if (i < s->filters.n)
		words_remove(&s->filters, i);
}

const char *setup_filter(const struct setup *s, size_t i)
{
	return i < s->events.n && i < s->filters.n && *s->filters.v[i] ? s->filters.v[i] : NULL;
}

/* ---- the same as a command line ---- */

static int add_number(struct words *w, const char *option, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return words_add(w, option) || words_add(w, text) ? -ENOMEM : 0;
}

/* Options that replace a row of Setup. */
static bool is_said(const struct setup *s, const char *name)
{
	return setup_more_named(&s->more, name) != NULL;
}

bool setup_option_targets(size_t option)
{
	static const char *const names[] = { "pid", "tid", "uid", "cgroup" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (ptui_record_option_find(names[i]) == option)
			return true;
	return false;
}

bool setup_belongs_to_target(size_t option)
{
	return setup_option_targets(option) || option == ptui_record_option_find("cpu");
}

bool setup_names_target(const struct setup *s)
{
	for (size_t i = 0; i < s->more.n; i++)
		if (setup_option_targets(s->more.v[i].option))
			return true;
	return false;
}

static int add_rate(const struct setup *s, struct words *w)
{
	if (is_said(s, "freq") || is_said(s, "count"))
		return 0;
	switch (s->rate) {
	case SETUP_RATE_PERIOD:
		return add_number(w, "-c", s->period);
	case SETUP_RATE_FREQUENCY:
		return add_number(w, "-F", s->freq_hz);
	default:
		return 0;
	}
}

static int add_calls(const struct setup *s, struct words *w)
{
	if (is_said(s, "call-graph") || s->calls == SETUP_CALLS_OFF)
		return 0;
	if (s->calls == SETUP_CALLS_FP)
		return words_add(w, "-g");
	return words_add(w, "--call-graph") || words_add(w, SETUP_CALLS_MODE) ? -ENOMEM : 0;
}

static int add_settings(const struct setup *s, struct words *w)
{
	if (words_add(w, "ptui") || words_add(w, "record") || add_rate(s, w))
		return -ENOMEM;
	if (add_calls(s, w))
		return -ENOMEM;
	for (size_t i = 0; i < s->events.n; i++) {
		const char *filter = setup_filter(s, i);

		if (words_add(w, "-e") || words_add(w, s->events.v[i]))
			return -ENOMEM;
		if (filter && (words_add(w, "--filter") || words_add(w, filter)))
			return -ENOMEM;
	}
	if (setup_more_words(&s->more, w))
		return -ENOMEM;
	if (*s->output && (words_add(w, "-o") || words_add(w, s->output)))
		return -ENOMEM;
	return 0;
}

static int split_command(const struct setup *s, struct words *argv, struct ptui_error *err)
{
	int ret = words_split(argv, s->command, err);

	if (ret || argv->n)
		return ret;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, _("no command yet"));
}

/* -G requires -a, which other target options override. */
static bool only_cgroups(const struct setup *s)
{
	return is_said(s, "cgroup") && !is_said(s, "pid") && !is_said(s, "tid") &&
	       !is_said(s, "uid");
}

static int add_target(const struct setup *s, struct words *w, struct ptui_error *err)
{
	struct words argv = WORDS_INIT;
	int ret;

	switch (s->target) {
	case SETUP_SYSTEM_COMMAND:
		if (words_add(w, "-a"))
			return ptui_error_nomem(err);
		/* fall through */
	case SETUP_COMMAND:
		ret = split_command(s, &argv, err);
		if (!ret && (words_add(w, "--") || words_add_all(w, &argv)))
			ret = ptui_error_nomem(err);
		words_release(&argv);
		return ret;
	case SETUP_PROCESS:
		if (!s->pid)
			return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
					      _("no process yet"));
		return add_number(w, "-p", (uint64_t)s->pid) ? ptui_error_nomem(err) : 0;
	case SETUP_OPTIONS:
		if (only_cgroups(s))
			return words_add(w, "-a") ? ptui_error_nomem(err) : 0;
		if (setup_names_target(s))
			return 0;
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("no option sets the target"));
	default:
		return words_add(w, "-a") ? ptui_error_nomem(err) : 0;
	}
}

int setup_words(const struct setup *s, struct words *ret, struct ptui_error *err)
{
	if (add_settings(s, ret))
		return ptui_error_nomem(err);
	return add_target(s, ret, err);
}

/* ---- the same as options ---- */

/* The words, each terminated by \0, as in the header. */
static int make_cmdline(struct setup_opts *o)
{
	size_t n, bytes = 0;

	for (size_t i = 0; i < o->words.n; i++)
		bytes += strlen(o->words.v[i]) + 1;
	o->cmdline = malloc(bytes);
	if (!o->cmdline)
		return -ENOMEM;
	for (size_t i = bytes = 0; i < o->words.n; i++, bytes += n) {
		n = strlen(o->words.v[i]) + 1;
		memcpy(o->cmdline + bytes, o->words.v[i], n);
	}
	o->opts.cmdline = o->cmdline;
	o->opts.cmdline_bytes = bytes;
	return 0;
}

/* Parses the words, so that what they say is recorded. */
static int fill_opts(const struct setup *s, struct setup_opts *o, struct ptui_error *err)
{
	int ret = setup_words(s, &o->words, err);

	if (ret)
		return ret;
	o->line = ptui_record_line_new((const char *const *)o->words.v, o->words.n, 0, err);
	if (!o->line)
		return -EINVAL;
	o->opts = *ptui_record_line_opts(o->line);
	return make_cmdline(o) ? ptui_error_nomem(err) : 0;
}

struct setup_opts *setup_opts_new(const struct setup *s, struct ptui_error *err)
{
	struct setup_opts *o = calloc(1, sizeof(*o));

	if (!o) {
		ptui_error_nomem(err);
		return NULL;
	}
	if (!fill_opts(s, o, err))
		return o;
	setup_opts_free(o);
	return NULL;
}

void setup_opts_free(struct setup_opts *o)
{
	if (!o)
		return;
	ptui_record_line_free(o->line);
	words_release(&o->words);
	free(o->cmdline);
	free(o);
}
