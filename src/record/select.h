/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the text of -e to events that can be recorded. */
#ifndef RECORD_SELECT_H
#define RECORD_SELECT_H

#include "event/catalog.h"

/*
 * Appends the events of `text` to `list`. Rejects what the selector syntax has but the recorder
 * does not support, and warns about terms without effect on a recording (PTUI_LOG_WARN). On failure
 * the list is unchanged.
 */
int record_select(struct catalog *catalog, const char *text, struct event_list *list,
		  struct ptui_error *err);

/*
 * Sets the filter (NULL: none) and exclusion of ptui itself for the events of one -e, from index
 * `from` on. 0, or negative with err set.
 */
int record_filter(struct catalog *catalog, struct event_list *list, size_t from, const char *filter,
		  bool exclude_self, struct ptui_error *err);

/* Warns that groups with PERF_FORMAT_GROUP (:S) do not count children. */
void record_warn_group_inherit(const struct event_list *list, bool inherit);

/*
 * Adds "not one of our threads" to the filters of events that exclude ptui; in a system-wide
 * recording that is every tracepoint. Call before opening counters: the kernel takes one filter
 * only. 0, or a negative errno if the threads cannot be listed.
 */
int record_exclude_self(struct event_list *list, const char *proc, bool system_wide);

#endif
