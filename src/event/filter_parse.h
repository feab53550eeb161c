/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The form of a tracepoint's filter, and its names. Inside the event room only. */
#ifndef EVENT_FILTER_PARSE_H
#define EVENT_FILTER_PARSE_H

#include "event/parser.h"

/*
 * Reads p->text to its end. `names` are the fields of `ev`. 0 or -EINVAL, told with the place. What
 * it takes the kernel may still refuse: it knows the types of the fields.
 */
int filter_parse(struct parser *p, const char *const *names, size_t n, const struct event *ev);

#endif
