/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/picker/picker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
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

void picker_release(struct picker *p)
{
	picker_unmark_all(p);
	words_release(&p->texts);
	free(p->marks);
	free(p->rows);
	free(p->headings);
	free(p->entries);
	arena_release(&p->arena);
	ptui_catalog_free(p->catalog);
}

/* ---- adding ---- */

/*
 * The heading of a kind (`parent` NULL), or of the PMU or subsystem below it that the first `n`
 * bytes of `title` name; created if needed. NULL: out of memory.
 */
static struct picker_heading *heading_of(struct picker *p, struct picker_heading *parent,
					 const char *kind, const char *title, size_t n)
{
	struct picker_heading *h;

	/* usually the last one */
	for (size_t i = p->n_headings; i-- > 0;) {
		h = p->headings[i];
		if (h->parent == parent && !strcmp(h->kind, kind) &&
		    (!parent || (!strncmp(h->title, title, n) && !h->title[n])))
			return h;
	}
	h = arena_alloc(&p->arena, sizeof(*h));
	title = arena_memdup0(&p->arena, title, n);
	if (!h || !title || vec_grow(&p->headings, &p->headings_cap, p->n_headings + 1))
		return NULL;
	h->title = title;
	h->kind = kind;
	h->parent = parent;
	h->last = &h->first;
	return p->headings[p->n_headings++] = h;
}

static struct picker_heading *heading_of_kind(struct picker *p, const char *kind, const char *title)
{
	const struct kind *k = kind_of(kind);

	if (k->title)
		title = _(k->title);
	return heading_of(p, NULL, kind, title, strlen(title));
}

/* NULL: out of memory. */
static struct picker_entry *add_entry(struct picker *p, const struct picker_entry *entry)
{
	struct picker_entry *e = arena_alloc(&p->arena, sizeof(*e));

	if (!e || !entry->heading || vec_grow(&p->entries, &p->entries_cap, p->n_entries + 1))
		return NULL;
	*e = *entry;
	p->entries[p->n_entries++] = e;
	*e->heading->last = e;
	e->heading->last = &e->next;
	for (struct picker_heading *h = e->heading; h; h = h->parent)
		h->n++;
	return e;
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
	if (end && e.heading)
		e.heading = heading_of(p, e.heading, entry->kind, entry->name,
				       (size_t)(end - entry->name));
	return add_entry(p, &e) ? 0 : -ENOMEM;
}

struct picker_entry *picker_entry_for(struct picker *p, const char *what)
{
	struct picker_entry typed = { .try_late = true };

	for (size_t i = 0; i < p->n_entries; i++) {
		struct picker_entry *e = p->entries[i];

		if (!e->mark && (!strcmp(e->name, what) || (e->alias && !strcmp(e->alias, what))))
			return e;
	}
	typed.name = arena_strdup(&p->arena, what);
	typed.heading = heading_of_kind(p, KIND_TYPED, KIND_TYPED);
	return typed.name ? add_entry(p, &typed) : NULL;
}

void picker_add_trouble(void *picker, const char *kind, const struct ptui_error *err)
{
	struct picker *p = picker;
	struct picker_heading *h = heading_of_kind(p, kind, kind);

	if (h)
		h->trouble = arena_printf(&p->arena, "%s%s%s", err->text, *err->hint ? "; " : "",
					  err->hint);
}

int picker_load(struct picker *p)
{
	p->catalog = ptui_catalog_new();
	if (!p->catalog || ptui_catalog_each(p->catalog, picker_add, picker_add_trouble, p))
		return -ENOMEM;
	return picker_rebuild(p);
}

void picker_set_state(struct picker *p, struct picker_entry *e, enum picker_state state,
		      const char *reason)
{
	for (struct picker_heading *h = e->heading; h; h = h->parent) {
		h->n_refused -= e->state == PICKER_REFUSED;
		h->n_refused += state == PICKER_REFUSED;
	}
	e->reason = reason && *reason ? arena_strdup(&p->arena, reason) : NULL;
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

static bool is_below(const struct picker_entry *e, const struct picker_heading *h)
{
	return e->heading == h || e->heading->parent == h;
}

const char *picker_why_none(const struct picker *p, const struct picker_heading *h)
{
	if (!h->n || h->n_refused < h->n)
		return NULL;
	for (size_t i = 0; i < p->n_entries; i++)
		if (is_below(p->entries[i], h) && p->entries[i]->reason)
			return p->entries[i]->reason;
	return "";
}

size_t picker_n_marked_in(const struct picker *p, const struct picker_heading *h)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_marks; i++)
		n += is_below(p->marks[i], h);
	return n;
}

/* ---- the rows ---- */

static bool fits(const struct picker *p, const struct picker_entry *e)
{
	char line[1024];

	if (p->available_only && e->state == PICKER_REFUSED && !e->mark)
		return false;
	if (!*p->search)
		return true;
	if (!e->alias && !e->desc)
		return words_are_in(e->name, p->search);
	snprintf(line, sizeof(line), "%s %s %s", e->name, e->alias ? e->alias : "",
		 e->desc ? e->desc : "");
	return words_are_in(line, p->search);
}

static void count_fits(struct picker *p)
{
	p->n_fits = 0;
	for (size_t i = 0; i < p->n_headings; i++)
		p->headings[i]->n_fits = 0;
	for (size_t i = 0; i < p->n_entries; i++) {
		struct picker_entry *e = p->entries[i];

		e->fits = fits(p, e);
		p->n_fits += e->fits && (!p->marked_only || e->mark);
		for (struct picker_heading *h = e->heading; h; h = h->parent)
			h->n_fits += e->fits;
	}
}

/* Large headings are closed, with all below them, unless the user opened or closed them. */
bool picker_is_open(const struct picker *p, const struct picker_heading *h)
{
	size_t n = h->parent ? h->parent->n : h->n;

	return *p->search || (h->is_set ? h->open : n <= OPEN_MAX_ENTRIES);
}

/* What the user typed, what may be opened here, what may not. */
static int rank_of(const struct picker_heading *h)
{
	if (!strcmp(h->kind, KIND_TYPED))
		return 0;
	return h->n_refused < h->n ? 1 : 2;
}

/* Without memory rows are missing, which `no_memory` says. */
static void add_row(struct picker *p, struct picker_row row)
{
	if (vec_grow(&p->rows, &p->rows_cap, p->n_rows + 1))
		p->no_memory = true;
	else
		p->rows[p->n_rows++] = row;
}

/* A heading and its entries, refused ones last. False: nothing is shown below it. */
static bool add_heading(struct picker *p, struct picker_heading *h)
{
	int level = h->parent ? 1 : 0;

	if ((*p->search || p->available_only) && !h->n_fits)
		return false;
	add_row(p, (struct picker_row){ .heading = h, .level = level });
	if (!picker_is_open(p, h))
		return false;
	for (int refused = 0; refused < 2; refused++)
		for (struct picker_entry *e = h->first; e; e = e->next)
			if (e->fits && (e->state == PICKER_REFUSED) == refused)
				add_row(p, (struct picker_row){ h, e, NULL, level + 1 });
	return true;
}

/* Those below a heading (NULL: the top ones), by rank, then in the order of the catalog. */
static void add_headings(struct picker *p, const struct picker_heading *parent)
{
	for (int rank = 0; rank < 3; rank++)
		for (size_t i = 0; i < p->n_headings; i++)
			if (p->headings[i]->parent == parent && rank_of(p->headings[i]) == rank &&
			    add_heading(p, p->headings[i]) && !parent)
				add_headings(p, p->headings[i]);
}

/* Groups begin with a heading row. */
static void add_marked_rows(struct picker *p)
{
	unsigned last = 0;

	for (size_t i = 0; i < p->n_marks; i++) {
		struct picker_entry *e = p->marks[i];
		unsigned group = e->mark->group;

		if (!e->fits)
			continue;
		if (group && group != last)
			add_row(p, (struct picker_row){ .leader = e });
		last = group;
		add_row(p, (struct picker_row){ .entry = e, .level = group != 0 });
	}
}

int picker_rebuild(struct picker *p)
{
	p->n_rows = 0;
	p->no_memory = false;
	count_fits(p);
	if (p->marked_only)
		add_marked_rows(p);
	else
		add_headings(p, NULL);
	return p->no_memory ? -ENOMEM : 0;
}

int picker_set_open(struct picker *p, struct picker_heading *h, bool open)
{
	h->open = open;
	h->is_set = true;
	return picker_rebuild(p);
}

void picker_reveal(const struct picker_entry *e)
{
	for (struct picker_heading *h = e->heading; h; h = h->parent)
		h->open = h->is_set = true;
}

const struct picker_row *picker_row(const struct picker *p, size_t row)
{
	static const struct picker_row none = { 0 };

	return row < p->n_rows ? &p->rows[row] : &none;
}

size_t picker_above(const struct picker *p, size_t row)
{
	size_t above = row;

	while (above && p->rows[above].level >= p->rows[row].level)
		above--;
	return p->rows[above].level < p->rows[row].level ? above : row;
}
