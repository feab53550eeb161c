/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/picker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/process.h"

#define OPEN_MAX_ENTRIES 40 /* a heading with more is closed at first */

void picker_init(struct picker *p)
{
	memset(p, 0, sizeof(*p));
}

void picker_release(struct picker *p)
{
	size_t i;

	for (i = 0; i < p->n_groups; i++) {
		free(p->groups[i].heading);
		free(p->groups[i].kind);
		free(p->groups[i].trouble);
	}
	free(p->groups);
	free(p->entries);
	free(p->rows);
	words_release(&p->typed);
	memset(p, 0, sizeof(*p));
}

/* Room for one more. */
static int grow(void *v_ptr, size_t n, size_t *cap, size_t bytes)
{
	void **v = v_ptr, *grown;
	size_t wanted = *cap ? *cap * 2 : 64;

	if (n < *cap)
		return 0;
	grown = reallocarray(*v, wanted, bytes);
	if (!grown)
		return -ENOMEM;
	*v = grown;
	*cap = wanted;
	return 0;
}

/* ---- the entries ---- */

/* The group of a kind: the last one, since they come kind by kind, or a new one. NULL: no memory. */
static struct picker_group *group_of(struct picker *p, const char *kind, const char *heading)
{
	struct picker_group *g = p->n_groups ? &p->groups[p->n_groups - 1] : NULL;

	if (g && !strcmp(g->kind, kind))
		return g;
	if (grow(&p->groups, p->n_groups, &p->groups_cap, sizeof(*p->groups)))
		return NULL;
	g = &p->groups[p->n_groups];
	memset(g, 0, sizeof(*g));
	g->heading = strdup(heading);
	g->kind = strdup(kind);
	if (!g->heading || !g->kind) {
		free(g->heading);
		free(g->kind);
		return NULL;
	}
	p->n_groups++;
	return g;
}

int picker_add(struct picker *p, const struct ptui_catalog_entry *entry)
{
	struct picker_group *g;

	/* nothing that could be marked; such events are typed */
	if (entry->form)
		return 0;
	g = group_of(p, entry->kind, entry->heading);
	if (!g || grow(&p->entries, p->n_entries, &p->entries_cap, sizeof(*p->entries)))
		return -ENOMEM;
	p->entries[p->n_entries++] = (struct picker_entry){
		.name = entry->name,
		.alias = entry->alias,
		.desc = entry->desc,
		.group = (size_t)(g - p->groups),
	};
	g->n++;
	g->open = g->n <= OPEN_MAX_ENTRIES;
	return 0;
}

int picker_add_trouble(struct picker *p, const char *kind, const struct ptui_error *err)
{
	struct picker_group *g = group_of(p, kind, kind);

	if (!g)
		return -ENOMEM;
	free(g->trouble);
	if (*err->hint)
		return asprintf(&g->trouble, "%s; %s", err->text, err->hint) < 0
			? (g->trouble = NULL, -ENOMEM) : 0;
	g->trouble = strdup(err->text);
	return g->trouble ? 0 : -ENOMEM;
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
	return ret ? ret : picker_search(p, "");
}

/* ---- the rows ---- */

static bool fits(const struct picker *p, const struct picker_entry *e)
{
	char line[1024];

	if (!*p->search)
		return true;
	snprintf(line, sizeof(line), "%s %s %s", e->name, e->alias ? e->alias : "",
		 e->desc ? e->desc : "");
	return text_has_words(line, p->search);
}

static int add_row(struct picker *p, size_t group, size_t entry)
{
	if (grow(&p->rows, p->n_rows, &p->rows_cap, sizeof(*p->rows)))
		return -ENOMEM;
	p->rows[p->n_rows++] = (struct picker_row){ group, entry };
	return 0;
}

static int rebuild(struct picker *p)
{
	struct picker_group *g;
	size_t i, group, heading;

	p->n_rows = 0;
	p->n_fits = 0;
	for (group = i = 0; group < p->n_groups; group++) {
		g = &p->groups[group];
		g->n_fits = 0;
		heading = p->n_rows;
		if (add_row(p, group, SIZE_MAX))
			return -ENOMEM;
		for (; i < p->n_entries && p->entries[i].group == group; i++) {
			if (!fits(p, &p->entries[i]))
				continue;
			g->n_fits++;
			if ((g->open || *p->search) && add_row(p, group, i))
				return -ENOMEM;
		}
		p->n_fits += g->n_fits;
		if (*p->search && !g->n_fits)
			p->n_rows = heading;
	}
	return 0;
}

int picker_search(struct picker *p, const char *text)
{
	if (text != p->search)
		snprintf(p->search, sizeof(p->search), "%s", text);
	return rebuild(p);
}

const struct picker_entry *picker_entry(const struct picker *p, size_t row)
{
	if (row >= p->n_rows || p->rows[row].entry == SIZE_MAX)
		return NULL;
	return &p->entries[p->rows[row].entry];
}

int picker_toggle(struct picker *p, size_t row)
{
	struct picker_entry *e;
	struct picker_group *g;

	if (row >= p->n_rows)
		return 0;
	if (p->rows[row].entry == SIZE_MAX) {
		g = &p->groups[p->rows[row].group];
		g->open = !g->open;
		return rebuild(p);
	}
	e = &p->entries[p->rows[row].entry];
	e->mark = e->mark ? 0 : ++p->last_mark;
	e->by_alias = false;
	p->touched = true;
	return 0;
}

int picker_set_open(struct picker *p, size_t row, bool open)
{
	if (row >= p->n_rows)
		return 0;
	p->groups[p->rows[row].group].open = open;
	return rebuild(p);
}

bool picker_is_open(const struct picker *p, size_t row)
{
	return row < p->n_rows && p->rows[row].entry == SIZE_MAX &&
	       (*p->search || p->groups[p->rows[row].group].open);
}

size_t picker_heading(const struct picker *p, size_t row)
{
	while (row && p->rows[row].entry != SIZE_MAX)
		row--;
	return row;
}

/* Headings from 1 on, entries behind all of them. */
uint64_t picker_id(const struct picker *p, size_t row)
{
	const struct picker_row *r = &p->rows[row];

	return r->entry == SIZE_MAX ? r->group + 1 : p->n_groups + 1 + r->entry;
}

size_t picker_find(const struct picker *p, uint64_t id)
{
	size_t i;

	for (i = 0; i < p->n_rows; i++)
		if (picker_id(p, i) == id)
			return i;
	return SIZE_MAX;
}

/* ---- marks ---- */

static bool mark_entry(struct picker *p, const char *text)
{
	size_t i;

	for (i = 0; i < p->n_entries; i++) {
		struct picker_entry *e = &p->entries[i];
		bool alias = e->alias && !strcmp(e->alias, text);

		if (e->mark || (!alias && strcmp(e->name, text)))
			continue;
		e->mark = ++p->last_mark;
		e->by_alias = alias;
		p->groups[e->group].open = true;
		return true;
	}
	return false;
}

int picker_mark_all(struct picker *p, const struct words *events)
{
	size_t i;

	words_release(&p->typed);
	for (i = 0; i < p->n_entries; i++)
		p->entries[i].mark = 0;
	for (i = 0; i < events->n; i++)
		if (!mark_entry(p, events->v[i]) && words_add(&p->typed, events->v[i]))
			return -ENOMEM;
	return rebuild(p);
}

size_t picker_n_marked(const struct picker *p)
{
	size_t i, n = p->typed.n;

	for (i = 0; i < p->n_entries; i++)
		n += p->entries[i].mark != 0;
	return n;
}

size_t picker_n_marked_in(const struct picker *p, size_t group)
{
	size_t i, n = 0;

	for (i = 0; i < p->n_entries; i++)
		n += p->entries[i].mark && p->entries[i].group == group;
	return n;
}

static int by_mark(const void *a, const void *b)
{
	const struct picker_entry *const *x = a, *const *y = b;

	return ((*x)->mark > (*y)->mark) - ((*x)->mark < (*y)->mark);
}

int picker_marked(const struct picker *p, struct words *ret)
{
	const struct picker_entry **marked = calloc(p->n_entries + 1, sizeof(*marked));
	size_t i, n = 0;
	int failed;

	if (!marked)
		return -ENOMEM;
	for (i = 0; i < p->n_entries; i++)
		if (p->entries[i].mark)
			marked[n++] = &p->entries[i];
	if (n)
		qsort(marked, n, sizeof(*marked), by_mark);
	failed = words_add_all(ret, &p->typed);
	for (i = 0; i < n && !failed; i++)
		failed = words_add(ret, marked[i]->by_alias ? marked[i]->alias : marked[i]->name);
	free(marked);
	return failed;
}
