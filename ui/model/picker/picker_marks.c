/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/vec.h"
#include "model/picker/picker.h"

/* ---- marking ---- */

static void free_mark(struct picker_entry *e)
{
	ptui_selector_release(&(struct ptui_selector){ .events = e->mark, .n_events = 1 });
	e->mark = NULL;
}

void picker_unmark_all(struct picker *p)
{
	for (size_t i = 0; i < p->n_marks; i++)
		free_mark(p->marks[i]);
	ptui_selector_release(
		&(struct ptui_selector){ .groups = p->groups, .n_groups = p->n_groups });
	p->groups = NULL;
	p->n_marks = p->n_groups = p->groups_cap = 0;
}

/* Moves the event, leaving it empty. */
static int add_mark(struct picker *p, struct picker_entry *e, struct ptui_selector_event *event)
{
	struct ptui_selector_event *mark = malloc(sizeof(*mark));

	if (!mark || vec_grow(&p->marks, &p->marks_cap, p->n_marks + 1)) {
		free(mark);
		return -ENOMEM;
	}
	*mark = *event;
	memset(event, 0, sizeof(*event));
	e->mark = mark;
	p->marks[p->n_marks++] = e;
	return 0;
}

/* The same with a group. */
static int add_group(struct picker *p, struct ptui_selector_group *group)
{
	if (vec_grow(&p->groups, &p->groups_cap, p->n_groups + 1))
		return -ENOMEM;
	p->groups[p->n_groups++] = *group;
	memset(group, 0, sizeof(*group));
	return 0;
}

/* One event, whatever it is. To be released also on failure. */
static int one_event(const char *what, struct ptui_selector *ret)
{
	ret->events = calloc(1, sizeof(*ret->events));
	if (!ret->events)
		return -ENOMEM;
	ret->n_events = 1;
	return words_set(&ret->events->what, what) ? -ENOMEM :
						     words_set(&ret->events->modifiers, "");
}

int picker_mark_text(struct picker *p, const char *text, const char *filter,
		     struct picker_entry **ret_entry)
{
	unsigned n_before = (unsigned)p->n_groups;
	struct ptui_selector s = { 0 };
	int ret = ptui_selector_parse(p->catalog, text, &s, NULL);

	if (ret == -EINVAL)
		ret = one_event(text, &s);
	for (size_t i = 0; i < s.n_groups && !ret; i++)
		ret = add_group(p, &s.groups[i]);
	for (size_t i = s.n_events; i-- > 0 && !ret;) {
		s.events[i].group += s.events[i].group ? n_before : 0;
		ret = *filter ? words_set(&s.events[i].filter, filter) : 0;
	}
	for (size_t i = 0; i < s.n_events && !ret; i++) {
		struct picker_entry *e = picker_entry_for(p, s.events[i].what);

		ret = e ? add_mark(p, e, &s.events[i]) : -ENOMEM;
		if (e)
			picker_reveal(e);
		if (!i && ret_entry)
			*ret_entry = e;
	}
	ptui_selector_release(&s);
	return ret ? ret : picker_rebuild(p);
}

int picker_mark_all(struct picker *p, const struct words *texts)
{
	picker_unmark_all(p);
	for (size_t i = 0; i < texts->n; i += 2)
		if (picker_mark_text(p, texts->v[i], texts->v[i + 1], NULL))
			return -ENOMEM;
	return picker_rebuild(p);
}

static void unmark(struct picker *p, struct picker_entry *e)
{
	size_t i = 0;

	while (p->marks[i] != e)
		i++;
	/* it was tried with them */
	if (*e->mark->modifiers)
		picker_set_state(p, e, PICKER_UNTRIED, NULL);
	free_mark(e);
	p->n_marks--;
	memmove(&p->marks[i], &p->marks[i + 1], (p->n_marks - i) * sizeof(*p->marks));
}

static int mark_entry(struct picker *p, struct picker_entry *e)
{
	struct ptui_selector s = { 0 };
	int ret = one_event(e->name, &s);

	ret = ret ? ret : add_mark(p, e, s.events);
	ptui_selector_release(&s);
	return ret;
}

int picker_toggle(struct picker *p, size_t row)
{
	const struct picker_row *r = picker_row(p, row);
	unsigned group = r->leader ? r->leader->mark->group : 0;
	int ret = 0;

	if (r->heading && !r->entry)
		return picker_set_open(p, r->heading, !picker_is_open(p, r->heading));
	p->touched |= r->entry || group;
	if (r->entry && r->entry->mark)
		unmark(p, r->entry);
	else if (r->entry)
		ret = mark_entry(p, r->entry);
	for (size_t i = p->n_marks; group && i-- > 0;)
		if (p->marks[i]->mark->group == group)
			unmark(p, p->marks[i]);
	return ret || !p->marked_only ? ret : picker_rebuild(p);
}

/* ---- the texts ---- */

bool picker_are_together(const struct picker_entry *a, const struct picker_entry *b)
{
	return a->mark && b->mark &&
	       (a == b || (a->mark->group && a->mark->group == b->mark->group));
}

struct ptui_selector_group *picker_group(const struct picker *p, const struct picker_entry *e)
{
	return e->mark->group ? &p->groups[e->mark->group - 1] : NULL;
}

size_t picker_place(const struct picker *p, const struct picker_entry *e)
{
	size_t place = 0;

	for (size_t i = 0; p->marks[i] != e; i++)
		place += picker_are_together(p->marks[i], e);
	return place;
}

char *picker_text(const struct picker_entry *e)
{
	return e->mark ? ptui_selector_text(&(struct ptui_selector){ e->mark, 1, NULL, 0 }) :
			 strdup(e->name);
}

const char *picker_what(const struct picker_entry *e)
{
	return e->mark ? e->mark->what : e->name;
}

char *picker_whole_text(const struct picker *p, const struct picker_entry *e)
{
	struct ptui_selector s = { .groups = p->groups, .n_groups = p->n_groups };
	char *text;

	s.events = calloc(p->n_marks, sizeof(*s.events));
	if (!s.events)
		return NULL;
	for (size_t i = 0; i < p->n_marks; i++)
		if (picker_are_together(p->marks[i], e))
			s.events[s.n_events++] = *p->marks[i]->mark;
	text = ptui_selector_text(&s);
	free(s.events);
	return text;
}

const struct words *picker_marked(struct picker *p)
{
	words_release(&p->texts);
	for (size_t i = 0; i < p->n_marks; i++) {
		const struct picker_entry *e = p->marks[i];
		char *text;

		if (picker_place(p, e))
			continue;
		text = picker_whole_text(p, e);
		p->texts.failed |= !text || words_add(&p->texts, text) ||
				   words_add(&p->texts, e->mark->filter ? e->mark->filter : "");
		free(text);
	}
	return p->texts.failed ? NULL : &p->texts;
}

/* ---- changes ---- */

int picker_rate_parse(const char *text, struct picker_rate *ret)
{
	static const char prefixes[] = "kKmMgG";
	static const uint64_t times[] = { 1, 1000, 1000000, 1000000000 };
	const char *at = text + strspn(text, " "), *prefix;
	uint64_t value;
	bool is_freq;

	memset(ret, 0, sizeof(*ret));
	if (!*at)
		return 0;
	at = text_number(at, UINT64_MAX, &value);
	if (!at)
		return -EINVAL;
	at += strspn(at, " ");
	prefix = *at ? strchr(prefixes, *at) : NULL;
	if (__builtin_mul_overflow(value, times[prefix ? (prefix - prefixes) / 2 + 1 : 0], &value))
		return -EINVAL;
	at += prefix != NULL;
	at += strspn(at, " ");
	is_freq = !strncasecmp(at, "Hz", 2);
	at += is_freq ? 2 : 0;
	if (!value || at[strspn(at, " ")])
		return -EINVAL;
	*(is_freq ? &ret->freq_hz : &ret->period) = value;
	return 0;
}

static int set_filter(struct picker *p, const struct picker_entry *e, const char *filter)
{
	for (size_t i = 0; i < p->n_marks; i++) {
		char **of = &p->marks[i]->mark->filter;

		if (!picker_are_together(p->marks[i], e))
			continue;
		if (*filter && words_set(of, filter))
			return -ENOMEM;
		if (!*filter) {
			free(*of);
			*of = NULL;
		}
	}
	return 0;
}

int picker_edit(struct picker *p, struct picker_entry *e, enum picker_edit edit, const char *text)
{
	struct picker_rate rate;

	p->touched = true;
	if (!e->mark && mark_entry(p, e))
		return -ENOMEM;
	switch (edit) {
	case PICKER_MODIFIERS:
		/* the last result was for another text */
		picker_set_state(p, e, PICKER_UNTRIED, NULL);
		return words_set(&e->mark->modifiers, text);
	case PICKER_GROUP_MODIFIERS:
		return words_set(&picker_group(p, e)->modifiers, text);
	case PICKER_FILTER:
		return set_filter(p, e, text);
	case PICKER_RATE:
		picker_rate_parse(text, &rate);
		e->mark->period = rate.period;
		e->mark->freq_hz = rate.freq_hz;
	}
	return 0;
}

static bool is_loose(const struct picker_entry *e)
{
	return !e->mark->group && !e->mark->filter;
}

int picker_make_group(struct picker *p)
{
	struct ptui_selector_group group = { NULL, NULL };
	size_t n = 0, at = SIZE_MAX;

	for (size_t i = 0; i < p->n_marks; i++)
		n += is_loose(p->marks[i]);
	if (n < 2)
		return (int)n;
	if (words_set(&group.modifiers, "") || add_group(p, &group)) {
		free(group.modifiers);
		return -ENOMEM;
	}
	/* members move to the first of them; the others stay in order */
	for (size_t i = 0; i < p->n_marks; i++) {
		struct picker_entry *e = p->marks[i];

		if (!is_loose(e))
			continue;
		e->mark->group = (unsigned)p->n_groups;
		at = at == SIZE_MAX ? i : at;
		memmove(&p->marks[at + 1], &p->marks[at], (i - at) * sizeof(*p->marks));
		p->marks[at++] = e;
	}
	p->touched = true;
	return picker_rebuild(p) ? -ENOMEM : (int)n;
}

/* Removes letters that are for groups only. */
static void remove_letters(char *modifiers, const char *letters)
{
	char *to = modifiers;

	for (; *modifiers; modifiers++)
		if (!strchr(letters, *modifiers))
			*to++ = *modifiers;
	*to = '\0';
}

int picker_ungroup(struct picker *p, const struct picker_entry *e)
{
	const struct ptui_selector_group *group = picker_group(p, e);
	unsigned number = e->mark->group;

	for (size_t i = 0; i < p->n_marks; i++) {
		struct ptui_selector_event *mark = p->marks[i]->mark;

		if (mark->group != number)
			continue;
		mark->group = 0;
		if (!*mark->modifiers && words_set(&mark->modifiers, group->modifiers))
			return -ENOMEM;
		remove_letters(mark->modifiers, "SW");
	}
	p->touched = true;
	return picker_rebuild(p);
}
