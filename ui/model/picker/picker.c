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
static const struct kind {
	const char *kind, *title; /* NULL: those of the catalog */
	const char *unit_end;	  /* NULL: no second level */
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
	{ NULL, NULL, NULL, false }, /* all others */
};

static const struct kind *kind_of(const char *name)
{
	const struct kind *k = kinds;

	while (k->kind && strcmp(k->kind, name) != 0)
		k++;
	return k;
}

void picker_init(struct picker *p)
{
	memset(p, 0, sizeof(*p));
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

/* ---- adding ---- */

/*
 * The heading of a kind (`parent` SIZE_MAX), or of the PMU or subsystem below it that the first `n`
 * bytes of `title` name; created if needed. SIZE_MAX: out of memory.
 */
static size_t heading_of(struct picker *p, size_t parent, const char *kind, const char *title,
			 size_t n)
{
	struct picker_heading *h;

	/* usually the last one */
	for (size_t i = p->n_headings; i-- > 0;) {
		h = &p->headings[i];
		if (h->parent == parent && !strcmp(h->kind, kind) &&
		    (parent == SIZE_MAX || (!strncmp(h->title, title, n) && !h->title[n])))
			return i;
	}
	if (vec_grow(&p->headings, &p->headings_cap, p->n_headings + 1))
		return SIZE_MAX;
	h = &p->headings[p->n_headings];
	*h = (struct picker_heading){ .title = strndup(title, n),
				      .kind = strdup(kind),
				      .parent = parent,
				      .first = SIZE_MAX,
				      .last = SIZE_MAX };
	if (h->title && h->kind)
		return p->n_headings++;
	free(h->title);
	free(h->kind);
	return SIZE_MAX;
}

static size_t heading_of_kind(struct picker *p, const char *kind, const char *title)
{
	const struct kind *k = kind_of(kind);

	if (k->title)
		title = _(k->title);
	return heading_of(p, SIZE_MAX, kind, title, strlen(title));
}

/* The index of the new entry; SIZE_MAX: out of memory. */
static size_t add_entry(struct picker *p, const struct picker_entry *entry)
{
	size_t i = p->n_entries, *link;

	if (entry->heading == SIZE_MAX || vec_grow(&p->entries, &p->entries_cap, i + 1))
		return SIZE_MAX;
	p->entries[p->n_entries++] = *entry;
	p->entries[i].next = SIZE_MAX;
	link = &p->headings[entry->heading].last;
	*(*link == SIZE_MAX ? &p->headings[entry->heading].first : &p->entries[*link].next) = i;
	*link = i;
	for (size_t at = entry->heading; at != SIZE_MAX; at = p->headings[at].parent)
		p->headings[at].n++;
	return i;
}

int picker_add(void *picker, const struct ptui_catalog_entry *entry)
{
	const struct kind *k = kind_of(entry->kind);
	struct picker_entry e = { .name = entry->name,
				  .alias = entry->alias,
				  .desc = entry->desc,
				  .try_late = k->try_late };
	struct picker *p = picker;
	const char *end;

	/* cannot be marked; such events are typed */
	if (entry->form)
		return 0;
	e.heading = heading_of_kind(p, entry->kind, entry->heading);
	end = k->unit_end ? strstr(entry->name, k->unit_end) : NULL;
	/* "sched:sched_switch" is below sched, "cpu/cache-misses/" below cpu */
	if (end && e.heading != SIZE_MAX)
		e.heading = heading_of(p, e.heading, entry->kind, entry->name,
				       (size_t)(end - entry->name));
	return add_entry(p, &e) == SIZE_MAX ? -ENOMEM : 0;
}

size_t picker_lookup(const struct picker *p, const char *name)
{
	for (size_t i = 0; i < p->n_entries; i++) {
		const struct picker_entry *e = &p->entries[i];

		if (!strcmp(e->name, name) || (e->alias && !strcmp(e->alias, name)))
			return i;
	}
	return SIZE_MAX;
}

size_t picker_add_typed(struct picker *p, const char *name)
{
	struct picker_entry e = { .try_late = true, .typed = strdup(name) };
	size_t i;

	e.name = e.typed;
	e.heading = e.typed ? heading_of_kind(p, KIND_TYPED, KIND_TYPED) : SIZE_MAX;
	i = add_entry(p, &e);
	if (i == SIZE_MAX)
		free(e.typed);
	return i;
}

void picker_add_trouble(void *picker, const char *kind, const struct ptui_error *err)
{
	struct picker *p = picker;
	size_t i = heading_of_kind(p, kind, kind);
	char *text;

	if (i == SIZE_MAX ||
	    asprintf(&text, "%s%s%s", err->text, *err->hint ? "; " : "", err->hint) < 0)
		return;
	free(p->headings[i].trouble);
	p->headings[i].trouble = text;
}

int picker_load(struct picker *p, struct ptui_catalog *catalog)
{
	int ret = ptui_catalog_each(catalog, picker_add, picker_add_trouble, p);

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

/* What the user typed, what may be opened here, what may not. */
static int rank_of(const struct picker_heading *h)
{
	if (!strcmp(h->kind, KIND_TYPED))
		return 0;
	return h->n_refused < h->n ? 1 : 2;
}

static void count_fits(struct picker *p)
{
	p->n_fits = 0;
	for (size_t i = 0; i < p->n_headings; i++)
		p->headings[i].n_fits = 0;
	for (size_t i = 0; i < p->n_entries; i++) {
		struct picker_entry *e = &p->entries[i];

		e->fits = fits(p, e);
		p->n_fits += e->fits && (!p->marked_only || e->marked);
		for (size_t at = e->heading; at != SIZE_MAX; at = p->headings[at].parent)
			p->headings[at].n_fits += e->fits;
	}
}

static int add_headings(struct picker *p, size_t parent);

/* A heading, its entries, refused ones last, and the headings below it. */
static int add_heading(struct picker *p, size_t i)
{
	const struct picker_heading *h = &p->headings[i];

	if ((*p->search || p->available_only) && !h->n_fits)
		return 0;
	if (add_row(p, i, 0, SIZE_MAX))
		return -ENOMEM;
	if (!is_open(p, i))
		return 0;
	for (int refused = 0; refused < 2; refused++)
		for (size_t k = h->first; k != SIZE_MAX; k = p->entries[k].next)
			if (p->entries[k].fits &&
			    (p->entries[k].state == PICKER_REFUSED) == refused &&
			    add_row(p, i, 0, k))
				return -ENOMEM;
	return h->parent == SIZE_MAX ? add_headings(p, i) : 0;
}

/* Those below a heading (SIZE_MAX: the top ones), by rank, then in the order of the catalog. */
static int add_headings(struct picker *p, size_t parent)
{
	for (int rank = 0; rank < 3; rank++)
		for (size_t i = 0; i < p->n_headings; i++)
			if (p->headings[i].parent == parent && rank_of(&p->headings[i]) == rank &&
			    add_heading(p, i))
				return -ENOMEM;
	return 0;
}

/* Groups begin with a heading row. */
static int add_marked_rows(struct picker *p)
{
	unsigned last = 0;

	for (size_t i = 0; i < p->marks.n; i++) {
		const struct picker_mark *mark = &p->marks.v[i];
		unsigned group = mark->event.group;

		if (!p->entries[mark->entry].fits)
			continue;
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
	count_fits(p);
	return p->marked_only ? add_marked_rows(p) : add_headings(p, SIZE_MAX);
}

int picker_search(struct picker *p, const char *text)
{
	if (text != p->search)
		snprintf(p->search, sizeof(p->search), "%s", text);
	return picker_rebuild(p);
}

void picker_set_state(struct picker *p, size_t entry, enum picker_state state, const char *reason)
{
	struct picker_entry *e = &p->entries[entry];

	for (size_t at = e->heading; at != SIZE_MAX; at = p->headings[at].parent) {
		p->headings[at].n_refused -= e->state == PICKER_REFUSED;
		p->headings[at].n_refused += state == PICKER_REFUSED;
	}
	free(e->reason);
	e->reason = reason ? strdup(reason) : NULL;
	e->state = state;
}

char *picker_cause(const char *reason, char *buf, size_t size)
{
	static const char *const colons[] = { ": ", "：" };
	size_t n = strcspn(reason, "\n");

	for (size_t i = 0; i < 2; i++) {
		const char *colon = memmem(reason, n, colons[i], strlen(colons[i]));
		size_t skip = colon ? (size_t)(colon - reason) + strlen(colons[i]) : 0;

		reason += skip;
		n -= skip;
	}
	snprintf(buf, size, "%.*s", (int)n, reason);
	return buf;
}

static bool is_below(const struct picker *p, size_t entry, size_t heading)
{
	size_t at = p->entries[entry].heading;

	return at == heading || p->headings[at].parent == heading;
}

const char *picker_why_none(const struct picker *p, size_t heading)
{
	if (!p->headings[heading].n || p->headings[heading].n_refused < p->headings[heading].n)
		return NULL;
	for (size_t i = 0; i < p->n_entries; i++)
		if (is_below(p, i, heading) && p->entries[i].reason)
			return p->entries[i].reason;
	return "";
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

/* Headings and entries may be added while the picker is open. */
uint64_t picker_entry_id(size_t entry)
{
	return (UINT64_C(1) << 32) + entry;
}

size_t picker_heading(const struct picker *p, size_t row)
{
	size_t above = row;

	while (above < p->n_rows && above && picker_level(p, above) >= picker_level(p, row))
		above--;
	return picker_level(p, above) < picker_level(p, row) ? above : row;
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
	size_t n = 0;

	for (size_t i = 0; i < p->marks.n; i++)
		n += is_below(p, p->marks.v[i].entry, heading);
	return n;
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
