/* SPDX-License-Identifier: GPL-2.0-or-later */

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/picker/picker.h"

static void release_event(struct ptui_selector_event *e)
{
	free(e->what);
	free(e->modifiers);
	free(e->filter);
}

static int init_event(struct ptui_selector_event *e, const char *what)
{
	*e = (struct ptui_selector_event){ .what = strdup(what), .modifiers = strdup("") };
	if (e->what && e->modifiers)
		return 0;
	release_event(e);
	return -ENOMEM;
}

void picker_marks_release(struct picker_marks *m)
{
	for (size_t i = 0; i < m->n; i++)
		release_event(&m->v[i].event);
	for (size_t i = 0; i < m->n_groups; i++) {
		free(m->groups[i].name);
		free(m->groups[i].modifiers);
	}
	free(m->v);
	free(m->groups);
	memset(m, 0, sizeof(*m));
}

/* The selector changed: the last result was for another one. */
static void forget_state(struct picker *p, size_t i)
{
	picker_set_state(p, p->marks.v[i].entry, PICKER_UNTRIED, NULL);
}

/* ---- marking ---- */

size_t picker_mark_of(const struct picker *p, size_t entry)
{
	for (size_t i = 0; i < p->marks.n; i++)
		if (p->marks.v[i].entry == entry)
			return i;
	return SIZE_MAX;
}

/* Takes ownership of the event, also on failure. */
static int add_mark(struct picker *p, size_t entry, struct ptui_selector_event *event)
{
	struct picker_marks *m = &p->marks;

	if (vec_grow(&m->v, &m->cap, m->n + 1)) {
		release_event(event);
		return -ENOMEM;
	}
	m->v[m->n++] = (struct picker_mark){ entry, *event };
	p->entries[entry].marked = true;
	return 0;
}

/* Takes the group, leaving it empty. 0 or -ENOMEM. */
static int add_group(struct picker_marks *m, struct ptui_selector_group *group)
{
	if (vec_grow(&m->groups, &m->groups_cap, m->n_groups + 1))
		return -ENOMEM;
	m->groups[m->n_groups++] = *group;
	memset(group, 0, sizeof(*group));
	return 0;
}

/* An entry has one mark: an event marked twice gets a typed entry. */
static size_t entry_for(struct picker *p, const char *what)
{
	size_t entry = picker_lookup(p, what);

	return entry == SIZE_MAX || p->entries[entry].marked ? picker_add_typed(p, what) : entry;
}

/* Takes ownership of the event. */
static int mark_event(struct picker *p, struct ptui_selector_event *event, size_t *ret_entry)
{
	size_t entry = entry_for(p, event->what);

	if (entry == SIZE_MAX) {
		release_event(event);
		return -ENOMEM;
	}
	if (ret_entry && *ret_entry == SIZE_MAX)
		*ret_entry = entry;
	return add_mark(p, entry, event) ? -ENOMEM : picker_reveal(p, entry);
}

/* Marks the events of a parsed selector, taking them and its groups. */
static int mark_selector(struct picker *p, struct ptui_selector *s, const char *filter,
			 size_t *ret_entry)
{
	unsigned base = (unsigned)p->marks.n_groups;

	for (size_t i = 0; i < s->n_groups; i++)
		if (add_group(&p->marks, &s->groups[i]))
			return -ENOMEM;
	for (size_t i = 0; i < s->n_events; i++) {
		struct ptui_selector_event event;

		if (*filter && words_set(&s->events[i].filter, filter))
			return -ENOMEM;
		event = s->events[i];
		memset(&s->events[i], 0, sizeof(s->events[i]));
		event.group = event.group ? base + event.group : 0;
		if (mark_event(p, &event, ret_entry))
			return -ENOMEM;
	}
	return 0;
}

/* As one event, whatever it is. */
static int mark_whole(struct picker *p, const char *text, const char *filter, size_t *ret_entry)
{
	struct ptui_selector_event event;
	struct ptui_selector s = { .events = &event, .n_events = 1 };
	int ret = init_event(&event, text);

	if (ret)
		return ret;
	ret = mark_selector(p, &s, filter, ret_entry);
	release_event(&event);
	return ret;
}

int picker_mark_text(struct picker *p, struct ptui_catalog *c, const char *text, const char *filter,
		     size_t *ret_entry)
{
	struct ptui_selector s = { 0 };
	int ret;

	if (ret_entry)
		*ret_entry = SIZE_MAX;
	ret = ptui_selector_parse(c, text, &s, NULL);
	if (!ret)
		ret = mark_selector(p, &s, filter, ret_entry);
	else if (ret == -EINVAL)
		ret = mark_whole(p, text, filter, ret_entry);
	ptui_selector_release(&s);
	return ret;
}

int picker_mark_all(struct picker *p, struct ptui_catalog *c, const struct words *events,
		    const struct words *filters)
{
	picker_marks_release(&p->marks);
	for (size_t i = 0; i < p->n_entries; i++)
		p->entries[i].marked = false;
	for (size_t i = 0; i < events->n; i++)
		if (picker_mark_text(p, c, events->v[i], i < filters->n ? filters->v[i] : "", NULL))
			return -ENOMEM;
	return picker_rebuild(p);
}

static void unmark(struct picker *p, size_t i)
{
	struct picker_marks *m = &p->marks;

	if (*m->v[i].event.modifiers)
		forget_state(p, i);
	p->entries[m->v[i].entry].marked = false;
	release_event(&m->v[i].event);
	m->n--;
	memmove(&m->v[i], &m->v[i + 1], (m->n - i) * sizeof(*m->v));
}

int picker_mark_entry(struct picker *p, size_t entry)
{
	struct ptui_selector_event event;

	p->touched = true;
	return init_event(&event, p->entries[entry].name) ? -ENOMEM : add_mark(p, entry, &event);
}

static int toggle_entry(struct picker *p, size_t entry)
{
	size_t mark = picker_mark_of(p, entry);

	if (mark == SIZE_MAX)
		return picker_mark_entry(p, entry);
	p->touched = true;
	unmark(p, mark);
	return 0;
}

static void unmark_group(struct picker *p, unsigned group)
{
	for (size_t i = p->marks.n; i-- > 0;)
		if (p->marks.v[i].event.group == group)
			unmark(p, i);
	p->touched = true;
}

int picker_toggle(struct picker *p, size_t row)
{
	const struct picker_row *r;
	int ret = 0;

	if (row >= p->n_rows)
		return 0;
	r = &p->rows[row];
	if (r->entry == SIZE_MAX && !r->group)
		return picker_set_open(p, row, !picker_is_open(p, row));
	if (r->entry == SIZE_MAX)
		unmark_group(p, r->group);
	else
		ret = toggle_entry(p, r->entry);
	return ret || !p->marked_only ? ret : picker_rebuild(p);
}

/* ---- the texts ---- */

size_t picker_group_of(const struct picker *p, size_t i, size_t *first)
{
	const struct picker_marks *m = &p->marks;
	unsigned group = m->v[i].event.group;
	size_t end = i + 1;

	*first = i;
	if (!group)
		return 1;
	while (*first && m->v[*first - 1].event.group == group)
		--*first;
	while (end < m->n && m->v[end].event.group == group)
		end++;
	return end - *first;
}

/* The text of consecutive marks; as a group if `group` is not NULL. */
static char *text_of(const struct picker_mark *marks, size_t n,
		     const struct ptui_selector_group *group)
{
	struct ptui_selector s = { .n_events = n };
	struct ptui_selector_group one;
	char *text = NULL;

	s.events = calloc(n, sizeof(*s.events));
	if (!s.events)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		s.events[i] = marks[i].event;
		s.events[i].group = group != NULL;
	}
	if (group) {
		one = *group;
		s.groups = &one;
		s.n_groups = 1;
	}
	text = ptui_selector_text(&s);
	free(s.events);
	return text;
}

char *picker_text(const struct picker *p, size_t entry)
{
	size_t mark = picker_mark_of(p, entry);

	return mark == SIZE_MAX ? strdup(p->entries[entry].name) :
				  text_of(&p->marks.v[mark], 1, NULL);
}

const char *picker_what(const struct picker *p, size_t entry)
{
	size_t mark = picker_mark_of(p, entry);

	return mark == SIZE_MAX ? p->entries[entry].name : p->marks.v[mark].event.what;
}

char *picker_text_with_group_modifiers(const struct picker *p, size_t i, const char *modifiers)
{
	const struct picker_marks *m = &p->marks;
	struct ptui_selector_group group;
	size_t first, n = picker_group_of(p, i, &first);

	if (!m->v[i].event.group)
		return text_of(&m->v[i], 1, NULL);
	group = m->groups[m->v[i].event.group - 1];
	if (modifiers)
		group.modifiers = (char *)modifiers; /* read only */
	return text_of(&m->v[first], n, &group);
}

char *picker_mark_text_of(const struct picker *p, size_t i)
{
	return picker_text_with_group_modifiers(p, i, NULL);
}

int picker_marked(const struct picker *p, struct words *events, struct words *filters)
{
	size_t n, first;

	for (size_t i = 0; i < p->marks.n; i += n) {
		char *text = picker_mark_text_of(p, i);
		const char *filter = p->marks.v[i].event.filter;
		int ret = !text || words_add(events, text) ||
			  words_add(filters, filter ? filter : "");

		free(text);
		if (ret)
			return -ENOMEM;
		n = picker_group_of(p, i, &first);
	}
	return 0;
}

/* ---- changes ---- */

int picker_set_modifiers(struct picker *p, size_t i, const char *modifiers)
{
	p->touched = true;
	forget_state(p, i);
	return words_set(&p->marks.v[i].event.modifiers, modifiers);
}

int picker_set_group_modifiers(struct picker *p, size_t i, const char *modifiers)
{
	unsigned group = p->marks.v[i].event.group;

	p->touched = true;
	return group ? words_set(&p->marks.groups[group - 1].modifiers, modifiers) : 0;
}

int picker_set_filter(struct picker *p, size_t i, const char *filter)
{
	size_t first, n = picker_group_of(p, i, &first);

	p->touched = true;
	for (i = first; i < first + n; i++) {
		char **at = &p->marks.v[i].event.filter;

		if (*filter && words_set(at, filter))
			return -ENOMEM;
		if (!*filter) {
			free(*at);
			*at = NULL;
		}
	}
	return 0;
}

void picker_set_rate(struct picker *p, size_t i, uint64_t period, uint64_t freq_hz)
{
	p->touched = true;
	p->marks.v[i].event.period = period;
	p->marks.v[i].event.freq_hz = freq_hz;
}

static bool is_loose(const struct picker_mark *mark)
{
	return !mark->event.group && !mark->event.filter;
}

/* Moves the members to the first of them; the others stay in order. */
static void gather(struct picker_marks *m, unsigned group)
{
	size_t at = 0;

	while (m->v[at].event.group != group)
		at++;
	for (size_t i = at; i < m->n; i++) {
		struct picker_mark mark = m->v[i];

		if (mark.event.group != group)
			continue;
		memmove(&m->v[at + 1], &m->v[at], (i - at) * sizeof(mark));
		m->v[at++] = mark;
	}
}

int picker_group(struct picker *p)
{
	struct picker_marks *m = &p->marks;
	struct ptui_selector_group fresh = { NULL, NULL };
	unsigned group = (unsigned)m->n_groups + 1;
	int n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += is_loose(&m->v[i]);
	if (n < 2)
		return n;
	if (words_set(&fresh.modifiers, "") || add_group(m, &fresh)) {
		free(fresh.modifiers);
		return -ENOMEM;
	}
	for (size_t i = 0; i < m->n; i++)
		if (is_loose(&m->v[i]))
			m->v[i].event.group = group;
	gather(m, group);
	p->touched = true;
	return picker_rebuild(p) ? -ENOMEM : n;
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

int picker_ungroup(struct picker *p, size_t i)
{
	struct picker_marks *m = &p->marks;
	unsigned group = m->v[i].event.group;
	size_t first, n = picker_group_of(p, i, &first);

	for (i = first; group && i < first + n; i++) {
		struct ptui_selector_event *e = &m->v[i].event;

		e->group = 0;
		if (!*e->modifiers && words_set(&e->modifiers, m->groups[group - 1].modifiers))
			return -ENOMEM;
		remove_letters(e->modifiers, "SW");
	}
	p->touched = true;
	return picker_rebuild(p);
}
