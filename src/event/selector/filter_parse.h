/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The syntax of tracepoint filters. Private to the event room. */
#ifndef EVENT_FILTER_PARSE_H
#define EVENT_FILTER_PARSE_H

#include "event/selector/parser.h"

/*
 * Parses all of p->text. `names` are the fields of `ev`. 0, or -EINVAL with err set and the
 * position. The kernel may still refuse a valid filter: it knows the field types.
 */
int filter_parse(struct parser *p, const char *const *names, size_t n, const struct event *ev);

#endif
