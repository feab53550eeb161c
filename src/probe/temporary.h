/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The temporary probes of this process: their group, and their removal at every kind of end. */
#ifndef PROBE_TEMPORARY_H
#define PROBE_TEMPORARY_H

#include "probe/event.h"

/* The group of this process, in `mem`. NULL with `err` set: it is not known. */
const char *probe_temporary_group(struct arena *mem, struct ptui_error *err);
/* Before such events are added: they are removed at the end. 0, or a negative errno with `err` set. */
int probe_temporary_note(const char *tracefs, const struct probe_event *e, struct ptui_error *err);

/*
 * Adds temporary probes of a definition: in a program, in a kernel module, or in the kernel (both NULL).
 * *ret_events: as of ptui_probe_add(). 0, or a negative errno with `err` set.
 */
int probe_temporary_add(const char *definition, const char *exec, const char *module,
			char **ret_events, struct ptui_error *err);

#endif
