/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_attr as `perf evlist -v` writes it, so that the two can be compared. */
#ifndef EVENT_ATTR_TEXT_H
#define EVENT_ATTR_TEXT_H

#include "base/buf.h"
#include "event/event.h"

/* "NAME: type: 1, size: 64, ...", one line. */
void attr_text(struct buf *out, const struct event *ev);

#endif
