/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of tracepoints, and of addresses (symbol/address_filter.h). Tracepoint filters: "prev_pid == 0 && next_comm ~ \"cc*\"". The kernel validates them, but its
 * ioctl returns only EINVAL. So field names are checked here first, and the kernel's error message
 * is read from the log of a temporary trace instance.
 */
#ifndef EVENT_FILTER_H
#define EVENT_FILTER_H

#include "event/catalog.h"
#include "ptui/selector.h"

/*
 * Appends the contents of the tracepoint's format file to `out`. 0 or a negative errno with err
 * set.
 */
int event_format_read(struct catalog *cat, const struct event *ev, struct buf *out,
		      struct ptui_error *err);

/* Whether a filter is of addresses ("filter main @ prog"), by its words: of PMUs that trace. */
bool event_filter_is_address(const char *filter);
/*
 * Adds a filter to an event; an existing filter is combined with &&. -EINVAL with err set: not a
 * tracepoint, or an unknown field (with position and similar names).
 */
int event_filter_set(struct catalog *cat, struct event *ev, const char *filter,
		     struct ptui_error *err);
/* Only checks it. */
int event_filter_check(struct catalog *cat, const struct event *ev, const char *filter,
		       struct ptui_error *err);
/* Combines `text` with an existing filter by &&, without checks. 0 or -ENOMEM. */
int event_filter_also(struct event *ev, const char *text);

/*
 * Fills err with the kernel's message about the event's filter, with the position. Always returns
 * -EINVAL. Removes what it created.
 */
int event_filter_why(struct catalog *cat, const struct event *ev, struct ptui_error *err);

#endif
