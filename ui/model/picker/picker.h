/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event picker: the catalog as a tree, marks, and search.
 *
 *	▾ Hardware (10)			heading
 *	   [x] cycles:u			entry, marked with a modifier
 *	▾ Tracepoints (2,307)
 *	   ▸ sched (24)			heading below a heading
 *
 * What this machine has comes first: headings with events that can be opened before those without,
 * and refused events last below their heading. A search shows all matching entries, whatever is
 * open. For the order of marks see picker_marks.h.
 */
#ifndef MODEL_PICKER_PICKER_H
#define MODEL_PICKER_PICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/picker/picker_marks.h"
#include "ptui/catalog.h"

/* Result of trying the event on this machine. */
enum picker_state {
	PICKER_UNTRIED,
	PICKER_AVAILABLE,
	PICKER_REFUSED,
};

struct picker_entry {
	const char *name, *alias, *desc; /* alias and desc may be NULL */
	size_t heading;
	enum picker_state state;
	char *reason; /* why it was refused, and the remedy; NULL: unknown */
	bool marked;
	bool fits;     /* matches the search, and is not hidden */
	bool try_late; /* slow to try: only when the cursor is on it */
	char *typed;   /* not in the catalog: its name, owned */
};

struct picker_heading {
	char *title;		     /* translated, or the name of a subsystem or PMU */
	char *kind;		     /* from the catalog; "typed" */
	size_t parent;		     /* SIZE_MAX: none */
	size_t place;		     /* among the headings, in display order */
	size_t n, n_fits, n_refused; /* entries, visible ones when open, refused ones; all levels */
	bool open, is_set;	     /* by the user, or for a mark */
	char *trouble;		     /* why it could not be read; NULL */
};

struct picker_row {
	size_t heading; /* SIZE_MAX in the list of marked events … */
	/* … except for group headings and members: the number of the group; else 0 */
	unsigned group;
	size_t entry; /* SIZE_MAX: the heading itself */
};

struct picker {
	struct picker_entry *entries;
	size_t n_entries, entries_cap;
	struct picker_heading *headings;
	size_t n_headings, headings_cap;
	size_t *heading_order, *entry_order; /* indexes in display order */
	struct picker_row *rows;
	size_t n_rows, rows_cap;
	struct picker_marks marks;
	char search[128];
	bool available_only; /* hides refused events */
	bool marked_only;    /* shows only the marks, in their order */
	size_t n_fits;
	bool touched; /* the user has changed marks */
};

void picker_init(struct picker *p);
void picker_release(struct picker *p);

/* Loads the catalog, which must outlive the picker. 0 or -ENOMEM. */
int picker_load(struct picker *p, struct ptui_catalog *catalog);
/* Callbacks of the catalog: one entry; a kind that cannot be read. 0 or -ENOMEM. */
int picker_add(struct picker *p, const struct ptui_catalog_entry *entry);
int picker_add_trouble(struct picker *p, const char *kind, const struct ptui_error *err);
/* The entry with this name or alias; else a new one below "As typed". SIZE_MAX: out of memory. */
size_t picker_add_typed(struct picker *p, const char *name);
/* The entry with this name, or with this alias if `by_alias` is set. SIZE_MAX: none. */
size_t picker_lookup(const struct picker *p, const char *name, bool *by_alias);

/* ---- visible rows: all return 0 or -ENOMEM ---- */

/* Shows entries that contain all words; "" shows all. */
int picker_search(struct picker *p, const char *text);
int picker_show_available(struct picker *p, bool only);
int picker_show_marked(struct picker *p, bool only);
/* Opens or closes the heading of the row, or the one above it. */
int picker_set_open(struct picker *p, size_t row, bool open);
/* Opens all headings of an entry. */
int picker_reveal(struct picker *p, size_t entry);
/* Sorts, and makes the rows again, after marks or states have changed. */
int picker_rebuild(struct picker *p);

/*
 * Sets the result of trying the event, with the reason (may be NULL). Rows change with the next
 * picker_rebuild().
 */
void picker_set_state(struct picker *p, size_t entry, enum picker_state state, const char *reason);
/* The cause in a reason: of "cannot open NAME for TARGET: CAUSE" without a remedy. Returns buf. */
char *picker_cause(const char *reason, char *buf, size_t size);
/* Why all entries of a heading were refused: the first reason, or ""; NULL: not all were. */
const char *picker_why_none(const struct picker *p, size_t heading);

/* ---- rows ---- */

/* True for an open heading. During a search all are open. */
bool picker_is_open(const struct picker *p, size_t row);
/* The row of the heading above; for a heading, of its parent. */
size_t picker_heading(const struct picker *p, size_t row);
/* Indentation: a heading 0 or 1, an entry one more. */
int picker_level(const struct picker *p, size_t row);
/* The entry of a row; NULL: a heading, or no row. */
const struct picker_entry *picker_entry(const struct picker *p, size_t row);
/* Its index; SIZE_MAX. */
size_t picker_entry_index(const struct picker *p, size_t row);
/* The mark of a row, or the first mark of a group's heading; SIZE_MAX: none. */
size_t picker_mark_at(const struct picker *p, size_t row);
/* Number of marks below a heading. */
size_t picker_n_marked_in(const struct picker *p, size_t heading);

/* A row's identity, not 0; its current row, SIZE_MAX: none. */
uint64_t picker_id(const struct picker *p, size_t row);
size_t picker_find(const struct picker *p, uint64_t id);
uint64_t picker_entry_id(size_t entry);

#endif
