/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's lists of probes, kprobe_events and uprobe_events in tracefs. A line that is written is a new
 * probe, "-:GROUP/EVENT" deletes one.
 */
#ifndef PROBE_TRACEFS_H
#define PROBE_TRACEFS_H

#include "probe/event.h"

/* 0: *ret_path is the folder (owned by `mem`); or a negative errno with `err` set. */
int probe_tracefs(const struct roots *roots, struct arena *mem, const char **ret_path,
		  struct ptui_error *err);

/*
 * Appends the probes of one list, strings in `mem`. A list that the kernel does not have is empty. 0, or a
 * negative errno with `err` set.
 */
int probe_tracefs_read(const char *tracefs, bool uprobes, struct arena *mem,
		       struct probe_events *ret, struct ptui_error *err);
/* `dry_run`: only logs the line. */
int probe_tracefs_add(const char *tracefs, const struct probe_event *e, bool dry_run,
		      struct ptui_error *err);
int probe_tracefs_delete(const char *tracefs, const struct probe_event *e, struct ptui_error *err);

#endif
