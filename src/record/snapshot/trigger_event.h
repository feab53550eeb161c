/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that are not recorded: each occurrence triggers a snapshot (--switch-output-event). They
 * have their own counters and small rings, and no records in the file.
 *
 * As in perf they are counted on all CPUs if a command or the whole system is recorded, else on the
 * target tasks. Events of ptui itself do not count: a snapshot would trigger the next one.
 */
#ifndef RECORD_SNAPSHOT_TRIGGER_EVENT_H
#define RECORD_SNAPSHOT_TRIGGER_EVENT_H

#include "event/catalog.h"
#include "kernel/counters.h"
#include "record/target/target.h"

struct trigger_event {
	struct event_list events;
	struct counters counters; /* no ops: not open */
};

void trigger_event_init(struct trigger_event *t);
void trigger_event_release(struct trigger_event *t);
/* Closing tracepoints is slow; `aside`: in a thread, but not when the program exits. */
void trigger_event_close(struct trigger_event *t, bool aside);

/*
 * Adds events of a text as for -e, with a filter for its tracepoints (may be NULL). 0, or negative
 * with err set.
 */
int trigger_event_add(struct trigger_event *t, struct catalog *catalog, const char *text,
		      const char *filter, struct ptui_error *err);
/* Opens and enables the events. 0 if there are none. */
int trigger_event_open(struct trigger_event *t, struct catalog *catalog,
		       const struct kernel_ops *ops, const struct target *w,
		       struct ptui_error *err);

/* For poll(); 0 if not open. */
size_t trigger_event_n_fds(const struct trigger_event *t);
void trigger_event_fill_poll(const struct trigger_event *t, struct pollfd *fds);
/* Call after poll(): the number of occurrences since the last call. Lost records count as one. */
uint64_t trigger_event_hits(struct trigger_event *t, const struct pollfd *fds);

#endif
