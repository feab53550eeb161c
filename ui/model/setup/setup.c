/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "text/i18n.h"

int setup_init(struct setup *s)
{
	memset(s, 0, sizeof(*s));
	s->rates[SETUP_RATE_FREQUENCY] = SETUP_DEFAULT_HZ;
	s->rates[SETUP_RATE_PERIOD] = 1000000;
	s->seconds = SETUP_DEFAULT_SECONDS;
	s->command = strdup("");
	s->pid_name = strdup("");
	if (s->command && s->pid_name && !words_add(&s->events, "cycles") &&
	    !setup_set_choice(s, SETUP_CALLS, SETUP_CALLS_UNWOUND, NULL))
		return 0;
	setup_release(s);
	return -ENOMEM;
}

void setup_release(struct setup *s)
{
	words_release(&s->events);
	words_release(&s->filters);
	words_release(&s->history);
	words_release(&s->presets);
	setup_uses_release(&s->uses);
	free(s->command);
	free(s->pid_name);
	memset(s, 0, sizeof(*s));
}

static void swap_words(struct words *a, struct words *b)
{
	struct words was = *a;

	*a = *b;
	*b = was;
}

void setup_replace(struct setup *s, struct setup *fresh, bool keeps_presets)
{
	struct setup before = *s;

	*s = *fresh;
	*fresh = before;
	swap_words(&s->history, &fresh->history);
	if (keeps_presets)
		swap_words(&s->presets, &fresh->presets);
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
	return words_remember(&s->history, s->command, SETUP_HISTORY_MAX);
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

bool setup_can_be_timed(const struct setup *s)
{
	return s->target != SETUP_COMMAND && s->target != SETUP_SYSTEM_COMMAND;
}

int setup_set_seconds(struct setup *s, const char *text, struct ptui_error *err)
{
	uint64_t value = 0, times;
	const char *unit = text_number(text, 999999999, &value);
	char letter = unit ? *unit : '\0';

	times = letter == 'm' ? 60 : letter == 'h' ? 3600 : 1;
	if (letter && strchr("smh", letter))
		unit++;
	if (unit && value && !unit[strspn(unit, " ")]) {
		s->seconds = value * times;
		s->timed = true;
		return 0;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
			      _("'%s' is not a time such as 90, 90s, 2m or 1h"), text);
}

int setup_set_output(struct setup *s, const char *path, struct ptui_error *err)
{
	struct ptui_record_use use = { .option = ptui_record_option_find("output") };
	char *expanded;
	int ret = 0;

	if (!strcmp(path, "-"))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, path,
				      _("the recording requires a file name, not '-'"));
	expanded = words_path(path);
	if (!expanded)
		return ptui_error_nomem(err);
	use.value = expanded;
	setup_uses_remove(&s->uses, use.option);
	if (*expanded && strcmp(expanded, SETUP_OUTPUT) != 0)
		ret = setup_uses_add(&s->uses, &use);
	free(expanded);
	return ret ? ptui_error_nomem(err) : 0;
}

const char *setup_output(const struct setup *s)
{
	const struct ptui_record_use *use = setup_uses_named(&s->uses, "output");

	return use ? use->value : SETUP_OUTPUT;
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

/* The index in `now` of what was event `i`; SIZE_MAX: it is gone. Events may be equal. */
static size_t find_event(const struct words *was, size_t i, const struct words *now)
{
	size_t nth = 0;

	for (size_t k = 0; k < i; k++)
		nth += !strcmp(was->v[k], was->v[i]);
	for (size_t k = 0; k < now->n; k++)
		if (!strcmp(now->v[k], was->v[i]) && !nth--)
			return k;
	return SIZE_MAX;
}

/*
 * Event `i` moves to to[i] (SIZE_MAX: removed): --exclude-perf stays with its event, and -G after
 * the last of its events. Without events they are removed.
 */
static void move_following(struct setup *s, const size_t *to)
{
	if (s->events.n)
		setup_uses_pin(&s->uses, s->events.n, false);
	for (size_t i = s->uses.n; i-- > 0;) {
		struct setup_use *u = &s->uses.v[i];
		size_t at = u->after;

		if (!setup_follows_events(u->use.option) || !at || at > s->events.n)
			continue;
		if (setup_option_part(u->use.option) == SETUP_PART_TARGET)
			while (at && to[at - 1] == SIZE_MAX)
				at--;
		if (at && to[at - 1] != SIZE_MAX)
			u->after = to[at - 1] + 1;
		else
			setup_uses_remove_at(&s->uses, i);
	}
}

int setup_set_events(struct setup *s, const struct words *events, const struct words *filters,
		     struct ptui_error *err)
{
	struct words copy = WORDS_INIT, with = WORDS_INIT;
	size_t to[SETUP_EVENTS_MAX];

	if (events->n > SETUP_EVENTS_MAX)
		return too_many(err);
	if (words_add_all(&copy, events) || words_add_all(&with, filters)) {
		words_release(&copy);
		words_release(&with);
		return ptui_error_nomem(err);
	}
	for (size_t i = 0; i < s->events.n; i++)
		to[i] = find_event(&s->events, i, &copy);
	move_following(s, to);
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
	setup_uses_pin(&s->uses, s->events.n, false);
	return words_add(&s->events, text) ? ptui_error_nomem(err) : 0;
}

void setup_remove_event(struct setup *s, size_t i)
{
	size_t to[SETUP_EVENTS_MAX];

	for (size_t k = 0; k < s->events.n; k++)
		to[k] = k < i ? k : k > i ? k - 1 : SIZE_MAX;
	move_following(s, to);
	words_remove(&s->events, i);
	if (i < s->filters.n)
		words_remove(&s->filters, i);
}

const char *setup_filter(const struct setup *s, size_t i)
{
	return i < s->events.n && i < s->filters.n && *s->filters.v[i] ? s->filters.v[i] : NULL;
}

int setup_set_filter(struct setup *s, size_t i, const char *filter)
{
	while (s->filters.n <= i)
		if (words_add(&s->filters, ""))
			return -ENOMEM;
	return words_set(&s->filters.v[i], filter);
}

/* ---- options ---- */

bool setup_names_target(const struct setup *s)
{
	for (size_t i = 0; i < s->uses.n; i++)
		if (setup_option_part(s->uses.v[i].use.option) == SETUP_PART_TARGET)
			return true;
	return false;
}

int setup_put(struct setup *s, const struct ptui_record_use *use)
{
	const struct ptui_record_use *mode = setup_uses_named(&s->uses, "call-graph");
	enum setup_part part = setup_option_part(use->option);
	int rate;

	if (use->option == ptui_record_option_find("g") && mode && !mode->off)
		return 0;
	/* only one of them can be shown */
	for (size_t i = s->uses.n; part <= SETUP_PART_CALLS && i-- > 0;) {
		if (setup_option_part(s->uses.v[i].use.option) != part)
			continue;
		setup_uses_remove(&s->uses, s->uses.v[i].use.option);
		i = s->uses.n;
	}
	if (setup_uses_add(&s->uses, use))
		return s->uses.n >= SETUP_USES_MAX ? -E2BIG : -ENOMEM;
	rate = setup_choice(s, SETUP_RATE);
	if (part == SETUP_PART_RATE && rate > SETUP_RATE_DEFAULT)
		s->rates[rate] = strtoull(use->value, NULL, 10);
	return 0;
}

/* Shown by the row of its choice, or by the row Output. */
static bool has_its_row(const struct setup *s, size_t option)
{
	enum setup_part part = setup_option_part(option);

	if (part == SETUP_PART_RATE || part == SETUP_PART_CALLS)
		return !setup_choice_use(s, part == SETUP_PART_RATE ? SETUP_RATE : SETUP_CALLS);
	return part == SETUP_PART_OUTPUT;
}

const struct ptui_record_use *setup_more(const struct setup *s, size_t *at)
{
	while (*at < s->uses.n) {
		const struct ptui_record_use *use = &s->uses.v[(*at)++].use;

		if (!has_its_row(s, use->option))
			return use;
	}
	return NULL;
}

size_t setup_more_count(const struct setup *s)
{
	const struct ptui_record_use *use;
	size_t n = 0, at = 0;

	while ((use = setup_more(s, &at)))
		n += setup_uses_find(&s->uses, use->option, 0) == use;
	return n;
}

/* ---- the same as a command line ---- */

/* The options that follow the first `i` events. */
static int add_following(const struct setup *s, size_t i, bool target, struct words *w)
{
	for (size_t k = 0; k < s->uses.n; k++) {
		const struct setup_use *u = &s->uses.v[k];

		if (setup_use_follows(u, i, s->events.n) &&
		    (!s->counts || setup_is_for_counts(u->use.option)) &&
		    (target || setup_option_part(u->use.option) != SETUP_PART_TARGET) &&
		    setup_use_words(&u->use, w))
			return -ENOMEM;
	}
	return 0;
}

static int add_events(const struct setup *s, bool target, struct words *w)
{
	int ret = add_following(s, 0, target, w);

	for (size_t i = 0; i < s->events.n && !ret; i++) {
		const char *filter = setup_filter(s, i);

		if (words_add(w, "-e") || words_add(w, s->events.v[i]))
			return -ENOMEM;
		if (filter && (words_add(w, "--filter") || words_add(w, filter)))
			return -ENOMEM;
		ret = add_following(s, i + 1, target, w);
	}
	return ret;
}

static int add_part(const struct setup *s, enum setup_part part, bool target, struct words *w)
{
	for (size_t i = 0; i < s->uses.n; i++) {
		enum setup_part of = setup_option_part(s->uses.v[i].use.option);

		if (target && (of == SETUP_PART_CPUS || of == SETUP_PART_TARGET))
			of = SETUP_PART_OTHERS;
		if (s->counts && !setup_is_for_counts(s->uses.v[i].use.option))
			continue;
		if (of == part && !setup_follows_events(s->uses.v[i].use.option) &&
		    setup_use_words(&s->uses.v[i].use, w))
			return -ENOMEM;
	}
	return part == SETUP_PART_EVENTS ? add_events(s, target, w) : 0;
}

static int add_parts(const struct setup *s, const char *program, enum setup_part last, bool target,
		     struct words *w)
{
	int ret = words_add(w, "ptui") || words_add(w, program) ? -ENOMEM : 0;

	for (int part = SETUP_PART_RATE; part <= (int)last && !ret; part++)
		ret = add_part(s, (enum setup_part)part, target, w);
	return ret;
}

int setup_how_words(const struct setup *s, struct words *ret)
{
	return add_parts(s, s->counts ? "stat" : "record", SETUP_PART_OTHERS, false, ret);
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
	return setup_uses_named(&s->uses, "cgroup") && !setup_uses_named(&s->uses, "pid") &&
	       !setup_uses_named(&s->uses, "tid") && !setup_uses_named(&s->uses, "uid");
}

static int add_target(const struct setup *s, struct words *w, struct ptui_error *err)
{
	struct words argv = WORDS_INIT;
	char pid[16];
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
		snprintf(pid, sizeof(pid), "%d", (int)s->pid);
		return words_add(w, "-p") || words_add(w, pid) ? ptui_error_nomem(err) : 0;
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

/* perf's way to end a recording after a time. */
static int add_end(const struct setup *s, struct words *w)
{
	char seconds[24];

	snprintf(seconds, sizeof(seconds), "%" PRIu64, s->seconds);
	return words_add(w, "--") || words_add(w, "sleep") || words_add(w, seconds) ? -ENOMEM : 0;
}

static int words_of(const struct setup *s, const char *program, struct words *ret,
		    struct ptui_error *err)
{
	int failed;

	if (add_parts(s, program, SETUP_PART_OUTPUT, true, ret))
		return ptui_error_nomem(err);
	failed = add_target(s, ret, err);
	if (!failed && s->timed && setup_can_be_timed(s) && add_end(s, ret))
		failed = ptui_error_nomem(err);
	return failed;
}

int setup_words(const struct setup *s, struct words *ret, struct ptui_error *err)
{
	return words_of(s, s->counts ? "stat" : "record", ret, err);
}

/* Parses the words, so that what they say is recorded. What is counted has no more of them. */
struct ptui_record_line *setup_record_line(const struct setup *s, struct ptui_error *err)
{
	struct words words = WORDS_INIT;
	struct ptui_record_line *line = NULL;

	if (!words_of(s, "record", &words, err))
		line = ptui_record_line_new((const char *const *)words.v, words.n, 0, err);
	words_release(&words);
	return line;
}
