/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the options' triggers make sense, before anything is opened for them. */
#ifndef RECORD_SNAPSHOT_TRIGGER_CHECK_H
#define RECORD_SNAPSHOT_TRIGGER_CHECK_H

#include "event/catalog.h"
#include "record/options.h"

/* Whether there is anything that a snapshot could be taken of; `events` are configured. */
bool trigger_can_snapshot(const struct options *o, const struct event_list *events);
/* -EOPNOTSUPP, told: there is not. */
int trigger_nothing_kept(const char *object, struct ptui_error *err);

/*
 * What a recording of these events would refuse of its triggers: each is told to `add`, whose failure is
 * returned. 0 or -ENOMEM.
 */
int trigger_check(const struct options *o, struct catalog *catalog, const struct event_list *events,
		  int (*add)(void *ctx, const struct ptui_error *what), void *ctx);

#endif
