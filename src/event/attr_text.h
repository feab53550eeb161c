/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_attr as `perf evlist -v` writes it, so that the two can be compared. */
#ifndef EVENT_ATTR_TEXT_H
#define EVENT_ATTR_TEXT_H

#include "base/buf.h"
#include "event/event.h"

/* ", type: 1, size: 64, …", each value after `equals` (": "). Only fields that are not 0, and the size. */
void attr_text_fields(struct buf *out, const struct perf_event_attr *a, const char *equals);

/* "NAME: type: 1, size: 64, ...", one line. */
void attr_text(struct buf *out, const struct event *ev);

#endif
