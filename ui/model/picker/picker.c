/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/vec.h"
#include "model/picker/picker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/words.h"

#define OPEN_MAX_ENTRIES 40 /* larger headings are initially closed */
#define KIND_TYPED	 "typed"

/*
 * Titles of the catalog's kinds, and the characters that end the PMU or subsystem in a name, which
 * gets its own heading.
 */
static const struct {
	const char *kind, *title;
	const char *unit_end; /* NULL: no second level */
	bool try_late;
} kinds[] = {
	{ "hardware", N_("Hardware"), NULL, false },
	{ "software", N_("Software"), NULL, false },
	{ "tool", N_("Counted by ptui"), NULL, false },
	{ "cache", N_("Hardware cache"), NULL, false },
	{ "pmu", N_("PMUs of this machine"), "/", false },
	{ "tracepoint", N_("Tracepoints"), ":", true },
	{ "probe", N_("Probes"), ":", true },
	{ "sdt", N_("Markers in programs (SDT)"), ":", true },
	{ "vendor", N_("The processor's manual"), NULL, false },
	{ KIND_TYPED, N_("As typed"), NULL, true },
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static size_t kind_index(const char *kind)
{
	size_t i;

	for (i = 0; i < N_KINDS && strcmp(kinds[i].kind, kind); i++)
		;
	return i;
}

void picker_init(struct picker *p)
{
	memset(p, 0, sizeof(*p));
	p->first_heading = SIZE_MAX;
}

void picker_release(struct picker *p)
{
	for (size_t i = 0; i < p->n_headings; i++) {
		free(p->headings[i].title);
		free(p->headings[i].kind);
		free(p->headings[i].trouble);
	}
	for (size_t i = 0; i < p->n_entries; i++) {
		free(p->entries[i].reason);
		free(p->entries[i].typed);
	}
	free(p->headings);
	free(p->entries);
	free(p->rows);
	picker_marks_release(&p->marks);
	picker_init(p);
}

/* ---- headings ---- */

/* After the last one of its level; typed events come first. */
static void link_heading(struct picker *p, size_t i)
{
	struct picker_heading *h = &p->headings[i], *parent;
	size_t *at = &p->first_heading;

	if (h->parent == SIZE_MAX) {
		if (!strcmp(h->kind, KIND_TYPED))
			h->next = p->first_heading;
		else
			while (*at != SIZE_MAX)
				at = &p->headings[*at].next;
		*at = i;
		return;
	}
	parent = &p->headings[h->parent];
	if (parent->last_child == SIZE_MAX)
		parent->first_child = i;
	else
		p->headings[parent->last_child].next = i;
	parent->last_child = i;
}

/* SIZE_MAX: out of memory. */
static size_t add_heading(struct picker *p, size_t parent, const char *kind, const char *title)
{
	struct picker_heading *h;

	if (vec_grow(&p->headings, &p->headings_cap, p->n_headings + 1))
		return SIZE_MAX;
	h = &p->headings[p->n_headings];
	memset(h, 0, sizeof(*h));
	h->parent = parent;
	h->first_child = h->last_child = h->next = h->first = h->last = SIZE_MAX;
	h->title = strdup(title);
	h->kind = strdup(kind);
	if (!h->title || !h->kind) {
		free(h->title);
		free(h->kind);
		return SIZE_MAX;
	}
	link_heading(p, p->n_headings);
	return p->n_headings++;
}

/* The first-level heading of a kind, created if needed. */
static size_t heading_of_kind(struct picker *p, const char *kind, const char *title)
{
	size_t k;

	for (size_t i = p->first_heading; i != SIZE_MAX; i = p->headings[i].next)
		if (!strcmp(p->headings[i].kind, kind))
			return i;
	k = kind_index(kind);
	return add_heading(p, SIZE_MAX, kind, k < N_KINDS ? _(kinds[k].title) : title);
}

/* The heading of a PMU or subsystem below it; usually the last one. */
static size_t heading_of_unit(struct picker *p, size_t parent, const char *unit)
{
	size_t i = p->headings[parent].last_child;

	if (i != SIZE_MAX && !strcmp(p->headings[i].title, unit))
		return i;
	for (i = p->headings[parent].first_child; i != SIZE_MAX; i = p->headings[i].next)
		if (!strcmp(p->headings[i].title, unit))
			return i;
	return add_heading(p, parent, p->headings[parent].kind, unit);
}

/* "sched:sched_switch": sched. "cpu/cache-misses/": cpu. False: none. */
static bool unit_of(const char *name, size_t kind, char *buf, size_t size)
{
	const char *end = kind < N_KINDS && kinds[kind].unit_end ?
				  strstr(name, kinds[kind].unit_end) :
				  NULL;

	if (!end)
		return false;
	snprintf(buf, size, "%.*s", (int)(end - name), name);
	return true;
}

/* ---- entries ---- */

/* The index of the new entry; SIZE_MAX: out of memory. */
static size_t add_entry(struct picker *p, const struct picker_entry *entry)
{
	size_t i = p->n_entries, at = entry->heading;
	struct picker_heading *h = &p->headings[at];

	if (vec_grow(&p->entries, &p->entries_cap, p->n_entries + 1))
		return SIZE_MAX;
	p->entries[p->n_entries++] = *entry;
	p->entries[i].next = SIZE_MAX;
	if (h->last == SIZE_MAX)
		h->first = i;
	else
		p->entries[h->last].next = i;
	h->last = i;
	for (; at != SIZE_MAX; at = p->headings[at].parent)
		p->headings[at].n++;
	return i;
}

int picker_add(struct picker *p, const struct ptui_catalog_entry *entry)
{
	struct picker_entry e = { .name = entry->name, .alias = entry->alias, .desc = entry->desc };
	size_t kind = kind_index(entry->kind);
	char unit[128];

	/* cannot be marked; such events are typed */
	if (entry->form)
		return 0;
	e.heading = heading_of_kind(p, entry->kind, entry->heading);
	if (e.heading != SIZE_MAX && unit_of(entry->name, kind, unit, sizeof(unit)))
		e.heading = heading_of_unit(p, e.heading, unit);
	e.try_late = kind < N_KINDS && kinds[kind].try_late;
	return e.heading == SIZE_MAX || add_entry(p, &e) == SIZE_MAX ? -ENOMEM : 0;
}

size_t picker_lookup(const struct picker *p, const char *name, bool *by_alias)
{
	for (size_t i = 0; i < p->n_entries; i++) {
		const struct picker_entry *e = &p->entries[i];

		*by_alias = e->alias && !strcmp(e->alias, name);
		if (*by_alias || !strcmp(e->name, name))
			return i;
	}
	return SIZE_MAX;
}

size_t picker_add_typed(struct picker *p, const char *name)
{
	struct picker_entry e = { .try_late = true, .typed = strdup(name) };
	size_t i = SIZE_MAX;

	e.name = e.typed;
	e.heading = e.typed ? heading_of_kind(p, KIND_TYPED, KIND_TYPED) : SIZE_MAX;
	if (e.heading != SIZE_MAX)
		i = add_entry(p, &e);
	if (i == SIZE_MAX)
		free(e.typed);
	return i;
}

int picker_add_trouble(struct picker *p, const char *kind, const struct ptui_error *err)
{
	size_t i = heading_of_kind(p, kind, kind);
	struct picker_heading *h;

	if (i == SIZE_MAX)
		return -ENOMEM;
	h = &p->headings[i];
	free(h->trouble);
	if (*err->hint)
		return asprintf(&h->trouble, "%s; %s", err->text, err->hint) < 0 ?
			       (h->trouble = NULL, -ENOMEM) :
			       0;
	h->trouble = strdup(err->text);
	return h->trouble ? 0 : -ENOMEM;
}

struct loading {
	struct picker *p;
	int ret;
};

static int load_one(void *ctx, const struct ptui_catalog_entry *entry)
{
	struct loading *l = ctx;

	return picker_add(l->p, entry);
}

static void load_trouble(void *ctx, const char *kind, const struct ptui_error *err)
{
	struct loading *l = ctx;

	if (picker_add_trouble(l->p, kind, err))
		l->ret = -ENOMEM;
}

int picker_load(struct picker *p, struct ptui_catalog *catalog)
{
	struct loading l = { .p = p };
	int ret = ptui_catalog_each(catalog, load_one, load_trouble, &l);

	if (!ret)
		ret = l.ret;
	return ret ? ret : picker_rebuild(p);
}

/* ---- the rows ---- */

static bool fits(const struct picker *p, const struct picker_entry *e)
{
	char line[1024];

	if (p->available_only && e->state == PICKER_REFUSED && !e->marked)
		return false;
	if (!*p->search)
		return true;
	snprintf(line, sizeof(line), "%s %s %s", e->name, e->alias ? e->alias : "",
		 e->desc ? e->desc : "");
	return words_are_in(line, p->search);
}

static int add_row(struct picker *p, size_t heading, unsigned group, size_t entry)
{
	if (vec_grow(&p->rows, &p->rows_cap, p->n_rows + 1))
		return -ENOMEM;
	p->rows[p->n_rows++] = (struct picker_row){ heading, group, entry };
	return 0;
}

/* Large headings are closed, with all below them, unless the user opened or closed them. */
static bool is_open(const struct picker *p, size_t heading)
{
	const struct picker_heading *h = &p->headings[heading];
	size_t n = h->parent == SIZE_MAX ? h->n : p->headings[h->parent].n;

	return *p->search || (h->is_set ? h->open : n <= OPEN_MAX_ENTRIES);
}

/* A heading with its entries. `seen`: not inside a closed one. */
static int add_heading_rows(struct picker *p, size_t heading, bool seen)
{
	bool open = seen && is_open(p, heading), narrowed = *p->search || p->available_only;
	struct picker_heading *h = &p->headings[heading];
	size_t at = p->n_rows;

	h->n_fits = 0;
	if (seen && add_row(p, heading, 0, SIZE_MAX))
		return -ENOMEM;
	for (size_t i = h->first_child; i != SIZE_MAX; i = p->headings[i].next) {
		if (add_heading_rows(p, i, open))
			return -ENOMEM;
		h->n_fits += p->headings[i].n_fits;
	}
	for (size_t i = h->first; i != SIZE_MAX; i = p->entries[i].next) {
		if (!fits(p, &p->entries[i]))
			continue;
		h->n_fits++;
		if (open && add_row(p, heading, 0, i))
			return -ENOMEM;
	}
	if (narrowed && !h->n_fits)
		p->n_rows = at;
	return 0;
}

/* Groups begin with a heading row. */
static int add_marked_rows(struct picker *p)
{
	unsigned last = 0;

	for (size_t i = 0; i < p->marks.n; i++) {
		const struct picker_mark *mark = &p->marks.v[i];
		unsigned group = mark->event.group;

		if (!fits(p, &p->entries[mark->entry]))
			continue;
		p->n_fits++;
		if (group && group != last && add_row(p, SIZE_MAX, group, SIZE_MAX))
			return -ENOMEM;
		last = group;
		if (add_row(p, SIZE_MAX, group, mark->entry))
			return -ENOMEM;
	}
	return 0;
}

int picker_rebuild(struct picker *p)
{
	p->n_rows = 0;
	p->n_fits = 0;
	if (p->marked_only)
		return add_marked_rows(p);
	for (size_t i = p->first_heading; i != SIZE_MAX; i = p->headings[i].next) {
		if (add_heading_rows(p, i, true))
			return -ENOMEM;
		p->n_fits += p->headings[i].n_fits;
	}
	return 0;
}

int picker_search(struct picker *p, const char *text)
{
	if (text != p->search)
		snprintf(p->search, sizeof(p->search), "%s", text);
	return picker_rebuild(p);
}

int picker_show_available(struct picker *p, bool only)
{
	p->available_only = only;
	return picker_rebuild(p);
}

int picker_show_marked(struct picker *p, bool only)
{
	p->marked_only = only;
	return picker_rebuild(p);
}

void picker_set_state(struct picker *p, size_t entry, enum picker_state state, const char *reason)
{
	struct picker_entry *e = &p->entries[entry];

	free(e->reason);
	e->reason = reason ? strdup(reason) : NULL;
	e->state = state;
}

bool picker_has_none(const struct picker *p, size_t heading)
{
	for (size_t i = p->headings[heading].first_child; i != SIZE_MAX; i = p->headings[i].next)
		if (!picker_has_none(p, i))
			return false;
	for (size_t i = p->headings[heading].first; i != SIZE_MAX; i = p->entries[i].next)
		if (p->entries[i].state != PICKER_REFUSED)
			return false;
	return p->headings[heading].n;
}

int picker_set_open(struct picker *p, size_t row, bool open)
{
	struct picker_heading *h;

	if (row >= p->n_rows || p->rows[row].heading == SIZE_MAX)
		return 0;
	h = &p->headings[p->rows[row].heading];
	h->open = open;
	h->is_set = true;
	return picker_rebuild(p);
}

int picker_reveal(struct picker *p, size_t entry)
{
	for (size_t i = p->entries[entry].heading; i != SIZE_MAX; i = p->headings[i].parent)
		p->headings[i].open = p->headings[i].is_set = true;
	return picker_rebuild(p);
}

const struct picker_entry *picker_entry(const struct picker *p, size_t row)
{
	size_t i = picker_entry_index(p, row);

	return i == SIZE_MAX ? NULL : &p->entries[i];
}

size_t picker_mark_at(const struct picker *p, size_t row)
{
	if (row >= p->n_rows)
		return SIZE_MAX;
	if (p->rows[row].entry != SIZE_MAX)
		return picker_mark_of(p, p->rows[row].entry);
	for (size_t i = 0; i < p->marks.n; i++)
		if (p->rows[row].group && p->marks.v[i].event.group == p->rows[row].group)
			return i;
	return SIZE_MAX;
}

size_t picker_entry_index(const struct picker *p, size_t row)
{
	return row < p->n_rows ? p->rows[row].entry : SIZE_MAX;
}

bool picker_is_open(const struct picker *p, size_t row)
{
	return row < p->n_rows && p->rows[row].entry == SIZE_MAX &&
	       (p->rows[row].heading == SIZE_MAX || is_open(p, p->rows[row].heading));
}

size_t picker_heading(const struct picker *p, size_t row)
{
	size_t wanted;

	if (row >= p->n_rows || p->rows[row].heading == SIZE_MAX)
		return row;
	wanted = p->rows[row].heading;
	if (p->rows[row].entry == SIZE_MAX && p->headings[wanted].parent != SIZE_MAX)
		wanted = p->headings[wanted].parent;
	while (row && (p->rows[row].entry != SIZE_MAX || p->rows[row].heading != wanted))
		row--;
	return row;
}

int picker_level(const struct picker *p, size_t row)
{
	const struct picker_row *r = &p->rows[row];

	if (r->heading == SIZE_MAX)
		return r->group && r->entry != SIZE_MAX;
	return (p->headings[r->heading].parent != SIZE_MAX) + (r->entry != SIZE_MAX);
}

size_t picker_n_marked_in(const struct picker *p, size_t heading)
{
	size_t at, n = 0;

	for (size_t i = 0; i < p->marks.n; i++) {
		at = p->entries[p->marks.v[i].entry].heading;
		while (at != heading && at != SIZE_MAX)
			at = p->headings[at].parent;
		n += at == heading;
	}
	return n;
}

/* Both may grow while the picker is open. */
uint64_t picker_entry_id(size_t entry)
{
	return (UINT64_C(1) << 32) + entry;
}

uint64_t picker_id(const struct picker *p, size_t row)
{
	const struct picker_row *r = &p->rows[row];

	if (r->entry != SIZE_MAX)
		return picker_entry_id(r->entry);
	return r->group ? (UINT64_C(2) << 32) + r->group : r->heading + 1;
}

size_t picker_find(const struct picker *p, uint64_t id)
{
	for (size_t i = 0; i < p->n_rows; i++)
		if (picker_id(p, i) == id)
			return i;
	return SIZE_MAX;
}
