/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Validates trigger options before anything is opened. */
#ifndef RECORD_SNAPSHOT_TRIGGER_CHECK_H
#define RECORD_SNAPSHOT_TRIGGER_CHECK_H

#include "event/catalog.h"
#include "record/options.h"

/* True if snapshots are possible; `events` must be configured. */
bool trigger_can_snapshot(const struct options *o, const struct event_list *events);
/* Fills err: nothing is kept to take a snapshot of. Returns -EOPNOTSUPP. */
int trigger_nothing_kept(const char *object, struct ptui_error *err);

/* Passes each error in the triggers to `add`, and returns its result if nonzero. 0 or -ENOMEM. */
int trigger_check(const struct options *o, struct catalog *catalog, const struct event_list *events,
		  int (*add)(void *ctx, const struct ptui_error *what), void *ctx);

#endif
