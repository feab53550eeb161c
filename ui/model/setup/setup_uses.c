/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of a recording: one list in the order of the command line, whose parser gives them
 * their meaning. Events are among them, each followed by the options that belong to it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/setup/setup.h"
#include "text/i18n.h"
#include "text/strings.h"

/* Options that are more than a line of the Options screen. */
static const struct setup_option setup_options[] = {
	{ "freq", SETUP_PART_RATE, true },
	{ "count", SETUP_PART_RATE, true },
	{ "g", SETUP_PART_CALLS, true },
	{ "call-graph", SETUP_PART_CALLS, false }, /* the row has some of its values only */
	{ "event", SETUP_PART_EVENT, true },
	{ "filter", SETUP_PART_FILTER, true },
	{ "exclude-perf", SETUP_PART_EXCLUDE, false },
	{ "cgroup", SETUP_PART_CGROUP, false },
	{ "cpu", SETUP_PART_CPUS, false },
	{ "pid", SETUP_PART_TASKS, false },
	{ "tid", SETUP_PART_TASKS, false },
	{ "uid", SETUP_PART_TASKS, false },
	{ "output", SETUP_PART_OUTPUT, true },
	{ "all-cpus", SETUP_PART_SYSTEM, true },
	{ "quiet", SETUP_PART_NOWHERE, true },
	{ "verbose", SETUP_PART_NOWHERE, true },
	{ "dry-run", SETUP_PART_NOWHERE, true },
	{ "tui", SETUP_PART_NOWHERE, true },
	{ NULL, SETUP_PART_OTHERS, false }, /* all others */
};

const struct setup_option *setup_option(size_t option)
{
	const struct setup_option *known = setup_options;
	struct ptui_record_option o = { .name = "" };
	char letter[2] = "";

	ptui_record_option(option, &o);
	letter[0] = o.letter;
	while (known->name && strcmp(known->name, o.name ? o.name : letter) != 0)
		known++;
	return known;
}

bool setup_sets_target(enum setup_part part)
{
	return part == SETUP_PART_CGROUP || part == SETUP_PART_TASKS;
}

bool setup_names_target(const struct setup *s)
{
	for (size_t i = 0; i < s->n_uses; i++)
		if (setup_sets_target(s->uses[i].part))
			return true;
	return false;
}

const struct ptui_record_use *setup_find(const struct setup *s, size_t option)
{
	for (size_t i = 0; i < s->n_uses; i++)
		if (s->uses[i].use.option == option)
			return &s->uses[i].use;
	return NULL;
}

const struct ptui_record_use *setup_named(const struct setup *s, const char *name)
{
	return setup_find(s, ptui_record_option_find(name));
}

/* ---- changing the list ---- */

static int insert(struct setup *s, size_t at, const struct ptui_record_use *use,
		  struct ptui_error *err)
{
	enum setup_part part = setup_option(use->option)->part;
	char *copy;

	if (part == SETUP_PART_EVENT && setup_n_events(s) >= SETUP_EVENTS_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, NULL,
				      _("at most %d events at once"), SETUP_EVENTS_MAX);
	if (s->n_uses >= SETUP_USES_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, NULL, _("too many options"));
	if (vec_grow(&s->uses, &s->cap_uses, s->n_uses + 1) || text_copy(&copy, use->value))
		return ptui_error_nomem(err);
	memmove(&s->uses[at + 1], &s->uses[at], (s->n_uses++ - at) * sizeof(*s->uses));
	s->uses[at] = (struct setup_use){ { use->option, copy, use->off }, part };
	return 0;
}

static void remove_at(struct setup *s, size_t at)
{
	free((char *)s->uses[at].use.value);
	memmove(&s->uses[at], &s->uses[at + 1], (--s->n_uses - at) * sizeof(*s->uses));
}

void setup_remove(struct setup *s, size_t option)
{
	for (size_t i = s->n_uses; i-- > 0;)
		if (s->uses[i].use.option == option)
			remove_at(s, i);
}

void setup_clear(struct setup *s)
{
	while (s->n_uses)
		remove_at(s, s->n_uses - 1);
}

/* What belongs to the last event is in front of -G, which is for all events before it. */
static size_t end_of(const struct setup *s, enum setup_part part)
{
	size_t at = 0;

	while (at < s->n_uses && s->uses[at].part / 10 <= part / 10)
		at++;
	while (part == SETUP_PART_EXCLUDE && at && s->uses[at - 1].part == SETUP_PART_CGROUP)
		at--;
	return at;
}

int setup_put(struct setup *s, const struct ptui_record_use *use, struct ptui_error *err)
{
	const struct ptui_record_use *mode = setup_named(s, "call-graph");
	enum setup_part part = setup_option(use->option)->part;
	int ret, rate;

	if (use->option == ptui_record_option_find("g") && mode && !mode->off)
		return 0;
	/* only one of them can be shown */
	for (size_t i = s->n_uses; part <= SETUP_PART_CALLS && i-- > 0;)
		if (s->uses[i].part == part)
			remove_at(s, i);
	ret = insert(s, end_of(s, part), use, err);
	rate = setup_choice(s, SETUP_RATE);
	if (!ret && part == SETUP_PART_RATE && rate > SETUP_RATE_DEFAULT)
		s->rates[rate] = strtoull(use->value, NULL, 10);
	return ret;
}

int setup_put_named(struct setup *s, const char *name, const char *value, struct ptui_error *err)
{
	return setup_put(
		s, &(struct ptui_record_use){ ptui_record_option_find(name), value, false }, err);
}

/* ---- events ---- */

/* The index of event `i` among the options; n_uses: there is none. */
static size_t event_at(const struct setup *s, size_t i)
{
	size_t at = 0;

	while (at < s->n_uses && (s->uses[at].part != SETUP_PART_EVENT || i--))
		at++;
	return at;
}

size_t setup_n_events(const struct setup *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_uses; i++)
		n += s->uses[i].part == SETUP_PART_EVENT;
	return n;
}

const char *setup_event(const struct setup *s, size_t i)
{
	size_t at = event_at(s, i);

	return at < s->n_uses ? s->uses[at].use.value : NULL;
}

const char *setup_filter(const struct setup *s, size_t i)
{
	size_t at = event_at(s, i) + 1;

	return at < s->n_uses && s->uses[at].part == SETUP_PART_FILTER ? s->uses[at].use.value :
									 NULL;
}

int setup_events(const struct setup *s, struct words *ret)
{
	for (size_t i = 0; setup_event(s, i); i++) {
		words_add(ret, setup_event(s, i));
		words_add(ret, setup_filter(s, i) ? setup_filter(s, i) : "");
	}
	return ret->failed ? -ENOMEM : 0;
}

int setup_check_event(const char *text, const char *filter, struct ptui_error *err)
{
	const struct ptui_record_opts opts = {
		.events = &text, .n_events = 1, .filters = &filter, .system_wide = true
	};
	struct ptui_recording *r = ptui_recording_new(&opts, err);

	ptui_recording_free(r);
	return r ? 0 : err && err->code ? -err->code : -EINVAL;
}

/* Before event `i`, or after all of them. */
static int insert_event(struct setup *s, size_t i, const char *text, struct ptui_error *err)
{
	const struct ptui_record_use use = { ptui_record_option_find("event"), text, false };
	size_t at = event_at(s, i);

	return insert(s, at < s->n_uses ? at : end_of(s, SETUP_PART_EXCLUDE), &use, err);
}

int setup_set_event(struct setup *s, size_t i, const char *text, struct ptui_error *err)
{
	size_t at = event_at(s, i);
	int ret = setup_check_event(text, setup_filter(s, i), err);

	if (ret)
		return ret;
	if (at == s->n_uses)
		return insert_event(s, i, text, err);
	return words_set((char **)&s->uses[at].use.value, text) ? ptui_error_nomem(err) : 0;
}

int setup_set_filter(struct setup *s, size_t i, const char *filter, struct ptui_error *err)
{
	const struct ptui_record_use use = { ptui_record_option_find("filter"), filter, false };
	size_t at = event_at(s, i) + 1;
	int ret = *filter ? insert(s, at, &use, err) : 0;

	at += *filter != '\0';
	if (!ret && at < s->n_uses && s->uses[at].part == SETUP_PART_FILTER)
		remove_at(s, at);
	return ret;
}

/* -G stays for the events that are left in front of it. */
void setup_remove_event(struct setup *s, size_t i)
{
	size_t at = event_at(s, i);

	do
		remove_at(s, at);
	while (at < s->n_uses &&
	       (s->uses[at].part == SETUP_PART_FILTER || s->uses[at].part == SETUP_PART_EXCLUDE));
	while (!i && at < end_of(s, SETUP_PART_EXCLUDE) && s->uses[at].part == SETUP_PART_CGROUP)
		remove_at(s, at);
}

/* The first event from `i` on with this text; SIZE_MAX: none. */
static size_t find_event(const struct setup *s, size_t i, const char *text)
{
	const char *event;

	for (; (event = setup_event(s, i)); i++)
		if (!strcmp(event, text))
			return i;
	return SIZE_MAX;
}

static bool is_chosen(const struct words *texts, const char *event)
{
	size_t i = 0;

	while (i < texts->n && strcmp(texts->v[i], event) != 0)
		i += 2;
	return i < texts->n;
}

int setup_set_events(struct setup *s, const struct words *texts, struct ptui_error *err)
{
	size_t i = setup_n_events(s), n = texts->n / 2;
	int ret = 0;

	if (n > SETUP_EVENTS_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, NULL,
				      _("at most %d events at once"), SETUP_EVENTS_MAX);
	while (i-- > 0)
		if (!is_chosen(texts, setup_event(s, i)))
			setup_remove_event(s, i);
	for (i = 0; i < n && !ret; i++) {
		const char *text = texts->v[2 * i];
		size_t was = find_event(s, i, text);

		if (was == SIZE_MAX)
			ret = insert_event(s, i, text, err);
		else
			while (was-- > i)
				setup_remove_event(s, i);
		if (!ret)
			ret = setup_set_filter(s, i, texts->v[2 * i + 1], err);
	}
	while (!ret && setup_event(s, n))
		setup_remove_event(s, n);
	return ret;
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

void setup_count_tracepoints(const char *event, size_t *tracepoints, size_t *others)
{
	bool in_terms = false;

	for (const char *at = event, *begin = at;; at++) {
		in_terms ^= *at == '/';
		if (*at && (in_terms || !strchr(",{}", *at)))
			continue;
		/* after a brace there may be group modifiers, before it the group's name */
		if (at > begin && *begin != ':' && *at != '{')
			++*(is_tracepoint(begin, (size_t)(at - begin)) ? tracepoints : others);
		if (!*at)
			break;
		begin = at + 1;
	}
}

/* ---- what no row shows ---- */

static bool is_shown(const struct setup *s, const struct setup_use *u)
{
	if (u->part == SETUP_PART_RATE || u->part == SETUP_PART_CALLS)
		return !setup_choice_use(s, u->part == SETUP_PART_RATE ? SETUP_RATE : SETUP_CALLS);
	return u->part == SETUP_PART_EVENT || u->part == SETUP_PART_FILTER ||
	       u->part == SETUP_PART_OUTPUT;
}

const struct ptui_record_use *setup_more(const struct setup *s, size_t *at)
{
	while (*at < s->n_uses)
		if (!is_shown(s, &s->uses[(*at)++]))
			return &s->uses[*at - 1].use;
	return NULL;
}

size_t setup_more_count(const struct setup *s)
{
	const struct ptui_record_use *use;
	size_t n = 0, at = 0;

	while ((use = setup_more(s, &at)))
		n += setup_find(s, use->option) == use;
	return n;
}

/* ---- texts ---- */

const char *setup_use_value(const struct ptui_record_use *u)
{
	return u->off ? _("off") : u->value ? u->value : _("on");
}

void setup_use_words(const struct ptui_record_use *u, struct words *ret)
{
	bool follows;
	char *first = ptui_record_use_word(u, &follows);

	words_add(ret, first);
	if (first && follows)
		words_add(ret, u->value);
	free(first);
}

/* ---- one option, as the Options screen shows and edits it ---- */

/* The next use of the option from index *at on. */
static const struct ptui_record_use *next_use(const struct setup *s, size_t option, size_t *at)
{
	const struct ptui_record_use *use;

	while ((use = setup_more(s, at)) && use->option != option)
		;
	return use;
}

bool setup_option_is_given(const struct setup *s, size_t option)
{
	return next_use(s, option, &(size_t){ 0 });
}

void setup_option_value(const struct setup *s, size_t option, char *buf, size_t size)
{
	const struct ptui_record_use *u;
	size_t at = 0;

	*buf = '\0';
	while ((u = next_use(s, option, &at)))
		text_join(buf, size, ", ", "%s", setup_use_value(u));
}

char *setup_option_line(const struct setup *s, size_t option)
{
	struct words values = WORDS_INIT;
	const struct ptui_record_use *u;
	size_t at = 0;
	char *line;

	while ((u = next_use(s, option, &at)))
		words_add(&values, u->value ? u->value : "");
	line = values.n == 1 && !values.failed ? strdup(values.v[0]) : words_join(&values);
	words_release(&values);
	return line;
}

/* One value, or as many words if there were several before. */
int setup_option_set(struct setup *s, size_t option, const char *line, bool only_check,
		     struct ptui_error *err)
{
	struct ptui_record_use use = { .option = option };
	struct ptui_record_option o;
	struct words values = WORDS_INIT;
	size_t at = 0;
	int ret = 0;

	if (next_use(s, option, &at) && next_use(s, option, &at))
		ret = words_split(&values, line, err);
	else if (*line && words_add(&values, line))
		ret = ptui_error_nomem(err);
	for (size_t i = 0; i < values.n && !ret; i++) {
		use.value = values.v[i];
		ret = ptui_record_use_check(&use, err);
	}
	if (!ret && !only_check) {
		setup_remove(s, option);
		/* "": given without a value, if allowed */
		if (!values.n && ptui_record_option(option, &o) && o.may_lack)
			ret = setup_put(s, &use, err);
		for (size_t i = 0; i < values.n && !ret; i++) {
			use.value = values.v[i];
			ret = setup_put(s, &use, err);
		}
	}
	words_release(&values);
	return ret;
}

int setup_option_turn(struct setup *s, size_t option, struct ptui_error *err)
{
	const struct ptui_record_use *u = setup_find(s, option);
	struct ptui_record_use use = { .option = option, .off = u && !u->off };
	bool was_off = u && u->off;
	struct ptui_record_option o;

	ptui_record_option(option, &o);
	setup_remove(s, option);
	return was_off || (use.off && !o.can_be_off) ? 0 : setup_put(s, &use, err);
}
