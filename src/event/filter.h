/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of tracepoints: "prev_pid == 0 && next_comm ~ \"cc*\"". The kernel judges them; but it
 * says no more than EINVAL to an ioctl, so names of fields are looked at before, and what it has
 * to say to the rest is fetched from the log of a throw-away trace instance.
 */
#ifndef EVENT_FILTER_H
#define EVENT_FILTER_H

#include "event/catalog.h"
#include "ptui/selector.h"

/* Adds the text of the tracepoint's format file to `out`. 0 or a negative errno, told. */
int event_format_read(struct catalog *cat, const struct event *ev, struct buf *out,
		      struct ptui_error *err);

/*
 * Sets the filter of an event, beside one that it has: both must hold then. What is no tracepoint
 * has none, and names must be those of its fields: else -EINVAL, told with the place and near names.
 */
int event_filter_set(struct catalog *cat, struct event *ev, const char *filter,
		     struct ptui_error *err);
/* Only looks at it; *mistake (may be NULL) has the parts of the error. */
int event_filter_check(struct catalog *cat, const struct event *ev, const char *filter,
		       struct ptui_mistake *mistake, struct ptui_error *err);
/* Beside what it has, `text` must hold; it is not looked at. 0 or -ENOMEM. */
int event_filter_also(struct event *ev, const char *text);

/*
 * Why the kernel refuses the event's filter, in its own words, with the place. Always fills err;
 * returns -EINVAL. Leaves nothing behind.
 */
int event_filter_why(struct catalog *cat, const struct event *ev, struct ptui_error *err);

#endif
