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
 * open.
 */
#ifndef MODEL_PICKER_PICKER_H
#define MODEL_PICKER_PICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/catalog.h"
#include "ptui/selector.h"
#include "text/words.h"

/* Result of trying the event on this machine. */
enum picker_state {
	PICKER_UNTRIED,
	PICKER_AVAILABLE,
	PICKER_REFUSED,
};

struct picker_entry {
	const char *name, *alias, *desc; /* alias and desc may be NULL */
	size_t heading, next; /* the next entry directly below the heading; SIZE_MAX: none */
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
	size_t first, last;	     /* entries directly below it; SIZE_MAX: none */
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

/*
 * Marked events in order, with their terms.
 *
 *	-e '{cycles/period=1000/u,instructions}:S'  -e sched:sched_switch --filter 'prev_state > 0'
 *
 *	mark	cycles			period 1000, modifiers u	group 1
 *	mark	instructions						group 1, modifiers S
 *	mark	sched:sched_switch	filter prev_state > 0		by itself
 */
struct picker_mark {
	size_t entry;
	/* event.what is the entry's name or alias. The filter belongs to the whole group. */
	struct ptui_selector_event event;
};

struct picker_marks {
	struct picker_mark *v; /* members of a group are adjacent */
	size_t n, cap;
	struct ptui_selector_group *groups; /* by number - 1; kept when empty */
	size_t n_groups, groups_cap;
};

struct picker {
	struct picker_entry *entries;
	size_t n_entries, entries_cap;
	struct picker_heading *headings;
	size_t n_headings, headings_cap;
	struct picker_row *rows;
	size_t n_rows, rows_cap;
	struct picker_marks marks;
	char search[128];
	/* picker_rebuild() follows changes of these */
	bool available_only; /* hides refused events */
	bool marked_only;    /* shows only the marks, in their order */
	size_t n_fits;
	bool touched; /* the user has changed marks */
};

void picker_init(struct picker *p);
void picker_release(struct picker *p);

/* Loads the catalog, which must outlive the picker. 0 or -ENOMEM. */
int picker_load(struct picker *p, struct ptui_catalog *catalog);
/*
 * Callbacks of the catalog: one entry, 0 or -ENOMEM; a kind that cannot be read, without memory lacks the
 * reason.
 */
int picker_add(void *picker, const struct ptui_catalog_entry *entry);
void picker_add_trouble(void *picker, const char *kind, const struct ptui_error *err);
/* The entry with this name or alias; else a new one below "As typed". SIZE_MAX: out of memory. */
size_t picker_add_typed(struct picker *p, const char *name);
/* The entry with this name or alias. SIZE_MAX: none. */
size_t picker_lookup(const struct picker *p, const char *name);

/* ---- visible rows: all return 0 or -ENOMEM ---- */

/* Shows entries that contain all words; "" shows all. */
int picker_search(struct picker *p, const char *text);
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

/*
 * ---- marks (picker_marks.c): texts of -e to marks and back. Validation is up to ptui/selector.h ----
 */

void picker_marks_release(struct picker_marks *m);

/*
 * Replaces the marks, each with its filter ("", or missing at the end); unknown events become typed
 * entries. Opens the headings of marks. 0 or -ENOMEM.
 */
int picker_mark_all(struct picker *p, struct ptui_catalog *c, const struct words *events,
		    const struct words *filters);
/*
 * Marks the events of another text of -e. *ret_entry (may be NULL): the entry of the first. An
 * invalid text becomes one typed entry. 0 or -ENOMEM.
 */
int picker_mark_text(struct picker *p, struct ptui_catalog *c, const char *text, const char *filter,
		     size_t *ret_entry);
/*
 * Toggles the mark of an entry; on a group's heading unmarks the group; opens or closes other
 * headings. 0 or -ENOMEM.
 */
int picker_toggle(struct picker *p, size_t row);
/* Marks an unmarked entry. 0 or -ENOMEM. */
int picker_mark_entry(struct picker *p, size_t entry);
/* The mark of an entry; SIZE_MAX: unmarked. */
size_t picker_mark_of(const struct picker *p, size_t entry);

/* The marks as texts of -e, with one filter each, "" for none. 0 or -ENOMEM. */
int picker_marked(const struct picker *p, struct words *events, struct words *filters);
/*
 * The members of the group of mark `i`, or only itself: index of the first in *first; returns the
 * number.
 */
size_t picker_group_of(const struct picker *p, size_t i, size_t *first);
/* The text of -e that contains mark `i`. NULL: out of memory. free() it. */
char *picker_mark_text_of(const struct picker *p, size_t i);
/* Only the event of an entry, as it is marked: "cycles/period=1000/u". */
char *picker_text(const struct picker *p, size_t entry);
/* The same without modifiers, rate and filter; valid until the next change. */
const char *picker_what(const struct picker *p, size_t entry);

/* ---- changes of mark `i`; 0 or -ENOMEM ---- */

int picker_set_modifiers(struct picker *p, size_t i, const char *modifiers);
/* Of its group. */
int picker_set_group_modifiers(struct picker *p, size_t i, const char *modifiers);
/* "" removes it; for the whole group. */
int picker_set_filter(struct picker *p, size_t i, const char *filter);
/* At most one of them is not 0. */
void picker_set_rate(struct picker *p, size_t i, uint64_t period, uint64_t freq_hz);
/* The text of -e if the group had these modifiers. NULL: out of memory. free() it. */
char *picker_text_with_group_modifiers(const struct picker *p, size_t i, const char *modifiers);

/*
 * Groups all single marks without a filter, at the first of them. Returns their number: fewer than
 * two are not grouped. Negative: -ENOMEM.
 */
int picker_group(struct picker *p);
/* Splits the group of mark `i`; members without modifiers get those of the group. */
int picker_ungroup(struct picker *p, size_t i);

#endif
