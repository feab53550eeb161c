/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of parsing a selector, in the form of selector.table: one line per event, in order
 * (those of a pattern by name),
 *
 *	NAME KIND TYPE:CONFIG FLAGS...
 *	! LINE					a line of the error
 *	? LINE					a line of the hint
 */
#ifndef TESTS_UNIT_EVENT_DESCRIBE_H
#define TESTS_UNIT_EVENT_DESCRIBE_H

#include "base/buf.h"
#include "event/catalog.h"

void describe_event(struct buf *out, const struct event_list *list, const struct event *ev);
void describe_selector(struct buf *out, struct catalog *catalog, const char *selector);

#endif
