/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events to choose from: the catalog by headings that open, what is marked, what is searched.
 *
 *	▾ Hardware event (10)		heading
 *	 [x] cycles			entry
 *	▸ Tracepoint event (2,307)
 *
 * A search shows the entries that fit, whatever is open.
 */
#ifndef MODEL_PICKER_H
#define MODEL_PICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/catalog.h"
#include "model/setup_words.h"

struct picker_entry {
	const char *name, *alias, *desc; /* the catalog's; alias and desc may be NULL */
	size_t group;
	unsigned mark; /* 0: not marked; else its place among the marks */
	bool by_alias; /* it was marked by its other name, which stays */
};

struct picker_group {
	char *heading;
	char *kind;
	size_t n, n_fits; /* entries; those that fit the search */
	bool open;
	char *trouble; /* it could not be read: why; NULL */
};

struct picker_row {
	size_t group;
	size_t entry; /* SIZE_MAX: the heading itself */
};

struct picker {
	struct picker_entry *entries; /* group by group */
	size_t n_entries, entries_cap;
	struct picker_group *groups;
	size_t n_groups, groups_cap;
	struct picker_row *rows;
	size_t n_rows, rows_cap;
	struct words typed; /* events that are no entry: with modifiers, groups, globs */
	char search[128];
	size_t n_fits;
	unsigned last_mark;
	bool touched; /* something was marked or unmarked by hand */
};

void picker_init(struct picker *p);
void picker_release(struct picker *p);

/* All of the catalog, which must live as long. 0 or -ENOMEM. */
int picker_load(struct picker *p, struct ptui_catalog *catalog);
/* What the catalog calls: one entry; a kind that cannot be read. 0 or -ENOMEM. */
int picker_add(struct picker *p, const struct ptui_catalog_entry *entry);
int picker_add_trouble(struct picker *p, const char *kind, const struct ptui_error *err);

/* Marks these; those that are no entry are kept as they are. Opens where marks are. 0 or -ENOMEM. */
int picker_mark_all(struct picker *p, const struct words *events);
/* What is marked: first what was typed, then entries in the order they were marked. 0 or -ENOMEM. */
int picker_marked(const struct picker *p, struct words *ret);
size_t picker_n_marked(const struct picker *p);
/* Of them, in a group. */
size_t picker_n_marked_in(const struct picker *p, size_t group);

/* Shows what has every word of it; "" shows all. 0 or -ENOMEM. */
int picker_search(struct picker *p, const char *text);
/* An entry: marks or unmarks; a heading: opens or closes. 0 or -ENOMEM. */
int picker_toggle(struct picker *p, size_t row);
/* Opens or closes the heading that the row belongs to. 0 or -ENOMEM. */
int picker_set_open(struct picker *p, size_t row, bool open);
/* Is it a heading that is open? While something is searched, all are. */
bool picker_is_open(const struct picker *p, size_t row);
/* The row of the heading above. */
size_t picker_heading(const struct picker *p, size_t row);
/* The entry of a row; NULL: a heading, or no row. */
const struct picker_entry *picker_entry(const struct picker *p, size_t row);

/* A row's identity, not 0; where it is now, SIZE_MAX: nowhere. */
uint64_t picker_id(const struct picker *p, size_t row);
size_t picker_find(const struct picker *p, uint64_t id);

#endif
