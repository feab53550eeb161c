/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The marked events in order, with their terms.
 *
 *	-e '{cycles/period=1000/u,instructions}:S'  -e sched:sched_switch --filter 'prev_state > 0'
 *
 *	mark	cycles			period 1000, modifiers u	group 1
 *	mark	instructions						group 1, modifiers S
 *	mark	sched:sched_switch	filter prev_state > 0		by itself
 *
 * Converts texts of -e to marks and back. Validation is up to ptui/selector.h.
 */
#ifndef MODEL_PICKER_PICKER_MARKS_H
#define MODEL_PICKER_PICKER_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "ptui/selector.h"
#include "text/words.h"

struct picker;

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
