/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events to choose from: the catalog as a tree, what is marked, what is searched.
 *
 *	▾ Hardware (10)			heading
 *	   [x] cycles:u			entry, marked with a modifier
 *	▾ Tracepoints (2,307)
 *	   ▸ sched (24)			heading below a heading
 *
 * A search shows the entries that fit, whatever is open. What is marked is in order: picker_marks.h.
 */
#ifndef MODEL_PICKER_PICKER_H
#define MODEL_PICKER_PICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/picker/picker_marks.h"
#include "ptui/catalog.h"

/* What this machine says to it. */
enum picker_state {
	PICKER_UNTRIED,
	PICKER_AVAILABLE,
	PICKER_REFUSED,
};

struct picker_entry {
	const char *name, *alias, *desc; /* alias and desc may be NULL */
	size_t heading;
	size_t next; /* under the same heading; SIZE_MAX: the last */
	enum picker_state state;
	char *reason; /* why it was refused, and what would lift that; NULL: not said */
	bool marked;
	bool try_late; /* trying it takes long: only when a person looks at it */
	char *typed;   /* it is none of the catalog: its name, owned */
};

struct picker_heading {
	char *title;			      /* translated, or the name of a subsystem or unit */
	char *kind;			      /* the catalog's; "typed" */
	size_t parent;			      /* SIZE_MAX: none */
	size_t first_child, last_child, next; /* headings; SIZE_MAX: none */
	size_t first, last;		      /* entries; SIZE_MAX: none */
	size_t n, n_fits;  /* entries, and those that are shown when it is open; all levels */
	bool open, is_set; /* by a person, or for a mark */
	char *trouble;	   /* it could not be read: why; NULL */
};

struct picker_row {
	size_t heading; /* SIZE_MAX: in the list of the marked there are none … */
	unsigned group; /* … but of groups: its number there, also of its members; else 0 */
	size_t entry;	/* SIZE_MAX: the heading itself */
};

struct picker {
	struct picker_entry *entries;
	size_t n_entries, entries_cap;
	struct picker_heading *headings;
	size_t n_headings, headings_cap;
	size_t first_heading; /* SIZE_MAX: none */
	struct picker_row *rows;
	size_t n_rows, rows_cap;
	struct picker_marks marks;
	char search[128];
	bool available_only; /* what this machine refused is not shown */
	bool marked_only;    /* the marks, in their order, and nothing else */
	size_t n_fits;
	bool touched; /* something was marked or unmarked by hand */
};

void picker_init(struct picker *p);
void picker_release(struct picker *p);

/* All of the catalog, which must live as long. 0 or -ENOMEM. */
int picker_load(struct picker *p, struct ptui_catalog *catalog);
/* What the catalog calls: one entry; a kind that cannot be read. 0 or -ENOMEM. */
int picker_add(struct picker *p, const struct ptui_catalog_entry *entry);
int picker_add_trouble(struct picker *p, const char *kind, const struct ptui_error *err);
/* The entry of a name or its other name; else one more, below "As typed". SIZE_MAX: no memory. */
size_t picker_add_typed(struct picker *p, const char *name);
/* The entry of a name; its other name when `by_alias` comes back true. SIZE_MAX: none. */
size_t picker_lookup(const struct picker *p, const char *name, bool *by_alias);

/* ---- what is shown: all of these give 0 or -ENOMEM ---- */

/* Shows what has every word of it; "" shows all. */
int picker_search(struct picker *p, const char *text);
int picker_show_available(struct picker *p, bool only);
int picker_show_marked(struct picker *p, bool only);
/* Opens or closes the heading of the row: its own, or that it stands under. */
int picker_set_open(struct picker *p, size_t row, bool open);
/* Opens all that an entry stands under. */
int picker_reveal(struct picker *p, size_t entry);
/* The rows anew, after marks have changed. */
int picker_rebuild(struct picker *p);

/*
 * The machine has answered, with its reason (may be NULL). What is shown changes by the next
 * picker_rebuild().
 */
void picker_set_state(struct picker *p, size_t entry, enum picker_state state, const char *reason);
/* Are all entries of a heading refused? */
bool picker_has_none(const struct picker *p, size_t heading);

/* ---- rows ---- */

/* Is it a heading that is open? While something is searched, all are. */
bool picker_is_open(const struct picker *p, size_t row);
/* The row of the heading above; of a heading, of the one that it stands under. */
size_t picker_heading(const struct picker *p, size_t row);
/* How far it is indented: a heading 0 or 1, an entry one more. */
int picker_level(const struct picker *p, size_t row);
/* The entry of a row; NULL: a heading, or no row. */
const struct picker_entry *picker_entry(const struct picker *p, size_t row);
/* Its number; SIZE_MAX. */
size_t picker_entry_index(const struct picker *p, size_t row);
/* The mark of a row, of a group's heading the first of the group; SIZE_MAX: none. */
size_t picker_mark_at(const struct picker *p, size_t row);
/* The marked below a heading. */
size_t picker_n_marked_in(const struct picker *p, size_t heading);

/* A row's identity, not 0; where it is now, SIZE_MAX: nowhere. */
uint64_t picker_id(const struct picker *p, size_t row);
size_t picker_find(const struct picker *p, uint64_t id);
uint64_t picker_entry_id(size_t entry);

#endif
