/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that nobody records: each time one happens a snapshot is taken (--switch-output-event). They
 * have counters and small rings of their own beside those of the recording; nothing of them stands in
 * the file.
 *
 * As in perf they are counted on whole CPUs when a command or the whole system is recorded, and else on the
 * tasks that are. What ptui itself does is no hit: taking a snapshot would be one for the next.
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
/* The kernel takes long to close tracepoints; `aside`: in a thread, and not at the program's end. */
void trigger_event_close(struct trigger_event *t, bool aside);

/* A text as of -e, and of its tracepoints the filter (may be NULL). 0 or negative, told. */
int trigger_event_add(struct trigger_event *t, struct catalog *catalog, const char *text,
		      const char *filter, struct ptui_error *err);
/* Opens them and switches them on. Nothing to open: 0. */
int trigger_event_open(struct trigger_event *t, struct catalog *catalog,
		       const struct kernel_ops *ops, const struct target *w,
		       struct ptui_error *err);

/* For poll(); 0 when it is not open. */
size_t trigger_event_n_fds(const struct trigger_event *t);
void trigger_event_fill_poll(const struct trigger_event *t, struct pollfd *fds);
/* Behind it: how often one has happened since. Those that had no room are told as one. */
uint64_t trigger_event_hits(struct trigger_event *t, const struct pollfd *fds);

#endif
