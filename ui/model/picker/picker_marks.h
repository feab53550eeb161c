/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that are marked, in their order, and how each is asked for.
 *
 *	-e '{cycles/period=1000/u,instructions}:S'  -e sched:sched_switch --filter 'prev_state > 0'
 *
 *	mark	cycles			period 1000, modifiers u	group 1
 *	mark	instructions						group 1, modifiers S
 *	mark	sched:sched_switch	filter prev_state > 0		by itself
 *
 * Takes: texts of -e, and what a person changes. Gives: texts of -e. It judges nothing: that is
 * ptui/selector.h.
 */
#ifndef MODEL_PICKER_PICKER_MARKS_H
#define MODEL_PICKER_PICKER_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/setup/setup_words.h"
#include "ptui/selector.h"

struct picker;

struct picker_mark {
	size_t entry;
	/* event.what is the entry's name or its other one. The filter is the whole group's. */
	struct ptui_selector_event event;
};

struct picker_marks {
	struct picker_mark *v; /* members of a group are neighbours */
	size_t n, cap;
	struct ptui_selector_group
		*groups; /* of number 1, 2, …; they stay when nobody is in them */
	size_t n_groups, groups_cap;
};

void picker_marks_release(struct picker_marks *m);

/*
 * Marks these instead of what is marked, each with its filter ("", or none at the end); what is no
 * entry becomes one, as typed. Opens where marks are. 0 or -ENOMEM.
 */
int picker_mark_all(struct picker *p, struct ptui_catalog *c, const struct words *events,
		    const struct words *filters);
/*
 * Marks the events of one more text of -e. *ret_entry (may be NULL): the entry of the first. What
 * makes no sense is one event, as typed. 0 or -ENOMEM.
 */
int picker_mark_text(struct picker *p, struct ptui_catalog *c, const char *text, const char *filter,
		     size_t *ret_entry);
/*
 * An entry: marks or unmarks; the heading of a group: unmarks all of it; another heading: opens or
 * closes. 0 or -ENOMEM.
 */
int picker_toggle(struct picker *p, size_t row);
/* Marks an entry that is not. 0 or -ENOMEM. */
int picker_mark_entry(struct picker *p, size_t entry);
/* The mark of an entry; SIZE_MAX: it is not marked. */
size_t picker_mark_of(const struct picker *p, size_t entry);

/* What is marked as texts of -e, with their filters: as many, "" for none. 0 or -ENOMEM. */
int picker_marked(const struct picker *p, struct words *events, struct words *filters);
/* The members of the group of mark `i`, or itself alone: *first and so many; how many. */
size_t picker_group_of(const struct picker *p, size_t i, size_t *first);
/* The text of -e that mark `i` is in. NULL: no memory. free() it. */
char *picker_mark_text_of(const struct picker *p, size_t i);
/* It alone: "cycles/period=1000/u". */
char *picker_event_text(const struct picker_mark *mark);

/* ---- changes of mark `i`; 0 or -ENOMEM ---- */

int picker_set_modifiers(struct picker *p, size_t i, const char *modifiers);
/* Of the group that it is in. */
int picker_set_group_modifiers(struct picker *p, size_t i, const char *modifiers);
/* "" ends it; of all of the group. */
int picker_set_filter(struct picker *p, size_t i, const char *filter);
/* One of them, or none, is not 0. */
void picker_set_rate(struct picker *p, size_t i, uint64_t period, uint64_t freq_hz);
/* What the text of -e would be if the group had these modifiers. NULL: no memory. free() it. */
char *picker_text_with_group_modifiers(const struct picker *p, size_t i, const char *modifiers);

/*
 * Puts all that stand by themselves without a filter into one group, where the first of them is.
 * Returns how many these are: fewer than two make none. Negative: -ENOMEM.
 */
int picker_group(struct picker *p);
/* Takes the group of mark `i` apart; modifiers of the group go to those that have none. */
int picker_ungroup(struct picker *p, size_t i);

#endif
