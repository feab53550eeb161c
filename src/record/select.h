/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the text of -e to events that this recorder can record. */
#ifndef RECORD_SELECT_H
#define RECORD_SELECT_H

#include "event/catalog.h"

/*
 * Appends the events of `text` to `list`. What the language has and the recorder has not yet is
 * refused; what says nothing to a recording is told (PTUI_LOG_WARN). On failure the list is as it
 * was.
 */
int record_select(struct catalog *catalog, const char *text, struct event_list *list,
		  struct ptui_error *err);

/*
 * The events from index `from` on, which one -e named: what must hold of them (NULL: nothing), and
 * that what ptui itself does is left out. 0 or negative, told.
 */
int record_filter(struct catalog *catalog, struct event_list *list, size_t from, const char *filter,
		  bool exclude_self, struct ptui_error *err);

/* What groups that are read together (S) cannot have: the counts of children. Told. */
void record_tell_unread(const struct event_list *list, bool inherit);

/*
 * Adds to the filters of those that leave us out the threads that we have now; in a recording of
 * the whole machine that is every tracepoint. Before counters are opened, since the kernel takes
 * one filter only. 0, or a negative errno: they cannot be told.
 */
int record_exclude_self(struct event_list *list, const char *proc, bool system_wide);

#endif
