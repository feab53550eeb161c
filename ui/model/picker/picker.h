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

#include "base/arena.h"
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
	struct picker_heading *heading;
	struct picker_entry *next; /* directly below the same heading */
	enum picker_state state;
	const char *reason; /* why it was refused, and the remedy; NULL: unknown */
	bool fits;	    /* matches the search, and is not hidden */
	bool try_late;	    /* slow to try: only when the cursor is on it */
	/* NULL: unmarked. Its `what` is the name or alias; a group's filter is in all members */
	struct ptui_selector_event *mark;
};

struct picker_heading {
	const char *title; /* translated, or the name of a subsystem or PMU */
	const char *kind;  /* from the catalog; "typed" */
	struct picker_heading *parent;
	struct picker_entry *first,
		**last;		     /* entries directly below it; where the next is linked */
	size_t n, n_fits, n_refused; /* entries, visible ones when open, refused ones; all levels */
	bool open, is_set;	     /* by the user, or for a mark */
	const char *trouble;	     /* why it could not be read; NULL */
};

/* An entry, a heading, or in the list of marked events the heading of a group. */
struct picker_row {
	struct picker_heading *heading; /* NULL in the list of marked events */
	struct picker_entry *entry;	/* NULL: a heading */
	struct picker_entry *leader;	/* of a group's heading: its first member; else NULL */
	int level;			/* indentation */
};

/*
 * Marked entries are in order, members of a group adjacent.
 *
 *	-e '{cycles/period=1000/u,instructions}:S'  -e sched:sched_switch --filter 'prev_state > 0'
 *
 *	cycles			period 1000, modifiers u	group 1
 *	instructions						group 1, modifiers S
 *	sched:sched_switch	filter prev_state > 0		by itself
 */
struct picker {
	struct ptui_catalog *catalog; /* of this machine; owned */
	struct arena arena;	      /* of entries, headings and their texts */
	struct picker_entry **entries;
	size_t n_entries, entries_cap;
	struct picker_heading **headings;
	size_t n_headings, headings_cap;
	struct picker_row *rows;
	size_t n_rows, rows_cap;
	struct picker_entry **marks;
	size_t n_marks, marks_cap;
	struct ptui_selector_group *groups; /* by number - 1; kept when empty */
	size_t n_groups, groups_cap;
	struct words texts; /* of picker_marked() */
	/* picker_rebuild() follows changes of these */
	const char *search;  /* shows entries that contain all words; "": all */
	bool available_only; /* hides refused events */
	bool marked_only;    /* shows only the marks, in their order */
	size_t n_fits;
	bool touched;	/* the user has changed marks */
	bool no_memory; /* for all of the rows */
};

/* Zeroed but for `search`. Reads the catalog. 0 or -ENOMEM. */
int picker_load(struct picker *p);
void picker_release(struct picker *p);
/* Callbacks of the catalog: an entry (0 or -ENOMEM), and a kind that cannot be read. */
int picker_add(void *picker, const struct ptui_catalog_entry *entry);
void picker_add_trouble(void *picker, const char *kind, const struct ptui_error *err);
/* The unmarked entry with this name or alias; else a new one "As typed". NULL: out of memory. */
struct picker_entry *picker_entry_for(struct picker *p, const char *what);

/* The result of trying the event; reason NULL or "": none. Rows change with picker_rebuild(). */
void picker_set_state(struct picker *p, struct picker_entry *e, enum picker_state state,
		      const char *reason);
/* The cause in a reason: of "cannot open NAME for TARGET: CAUSE" without a remedy. Returns buf. */
char *picker_cause(const char *reason, char *buf, size_t size);
/* Why all entries of a heading were refused: the first reason, or ""; NULL: not all were. */
const char *picker_why_none(const struct picker *p, const struct picker_heading *h);
/* Number of marks below a heading. */
size_t picker_n_marked_in(const struct picker *p, const struct picker_heading *h);

/* ---- rows: changes return 0 or -ENOMEM ---- */

/* Opens all headings of an entry; rows change with picker_rebuild(). */
void picker_reveal(const struct picker_entry *e);
/* Makes the rows again, after marks, states or what is shown have changed. */
int picker_rebuild(struct picker *p);
int picker_set_open(struct picker *p, struct picker_heading *h, bool open);
/* A row without a heading or an entry if there is none. */
const struct picker_row *picker_row(const struct picker *p, size_t row);
/* During a search all headings are open. */
bool picker_is_open(const struct picker *p, const struct picker_heading *h);
/* The row of the heading above; for a heading, of its parent; or the row itself. */
size_t picker_above(const struct picker *p, size_t row);

/* ---- marks (picker_marks.c): texts of -e to marks and back, validated by ptui/selector.h ---- */

void picker_unmark_all(struct picker *p);
/* Replaces the marks by texts of -e, each followed by its filter ("": none). 0 or -ENOMEM. */
int picker_mark_all(struct picker *p, const struct words *texts);
/*
 * Marks the events of another text of -e, and opens their headings. Unknown events, and an invalid
 * text as a whole, become typed entries. *ret_entry (NULL ok): the first of them, if any was marked.
 * 0 or -ENOMEM.
 */
int picker_mark_text(struct picker *p, const char *text, const char *filter,
		     struct picker_entry **ret_entry);
/* Toggles an entry's mark; unmarks a group at its heading; opens or closes other headings. */
int picker_toggle(struct picker *p, size_t row);

/* The marks as such texts, valid until the next call. NULL: out of memory. */
const struct words *picker_marked(struct picker *p);
/* True if both are marked, and in the same text of -e. */
bool picker_are_together(const struct picker_entry *a, const struct picker_entry *b);
/* Which member of its group a marked entry is; 0 for the first, and without a group. */
size_t picker_place(const struct picker *p, const struct picker_entry *e);
/* The text of -e that contains a marked entry. NULL: out of memory. free() it. */
char *picker_whole_text(const struct picker *p, const struct picker_entry *e);
/* Only the event of an entry, as it is marked: "cycles/period=1000/u". */
char *picker_text(const struct picker_entry *e);
/* The same without modifiers, rate and filter; valid until the next change. */
const char *picker_what(const struct picker_entry *e);
/* The group of a marked entry; NULL: none. */
struct ptui_selector_group *picker_group(const struct picker *p, const struct picker_entry *e);

/* Sampling rate of one event; at most one of them is set. */
struct picker_rate {
	uint64_t period, freq_hz;
};
/* Of "100k", "999 Hz"; both 0 for "" and blanks. 0, or -EINVAL with *ret zeroed. */
int picker_rate_parse(const char *text, struct picker_rate *ret);

enum picker_edit {
	PICKER_MODIFIERS,
	PICKER_GROUP_MODIFIERS,
	PICKER_RATE,
	PICKER_FILTER, /* of all members of its group; "": none */
};
/* Changes the mark of an entry, which is marked if it was not. 0 or -ENOMEM. */
int picker_edit(struct picker *p, struct picker_entry *e, enum picker_edit edit, const char *text);
/* Groups all single marks without a filter. Their number, fewer than two are no group; -ENOMEM. */
int picker_make_group(struct picker *p);
/* Splits the group of a member; members without modifiers get those of the group. */
int picker_ungroup(struct picker *p, const struct picker_entry *e);

#endif
