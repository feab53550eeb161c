/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adding the events of a definition to the kernel. */
#ifndef PROBE_ADD_H
#define PROBE_ADD_H

#include "probe/event.h"

/* Both lists of the kernel. 0, or a negative errno with `err` set. */
int probe_lists_read(struct arena *mem, const char **ret_tracefs, struct probe_events *ret,
		     struct ptui_error *err);

/* Sets the symbol that kprobes of the running kernel are relative to, since functions of one name are many. */
int probe_base_symbol(struct probe_binary *b, struct probe_make_opts *o, struct ptui_error *err);

struct probe_add_opts {
	bool force;	/* number events whose name exists */
	bool dry_run;	/* only name them */
	bool own_group; /* names are taken only in the same group; perf looks at all groups */
};

/*
 * Names the events and adds all of them, or none. Their groups are set. `known`: the probes there are. 0, or
 * a negative errno with `err` set.
 */
int probe_events_add(const struct probe_definition *def, struct probe_events *events,
		     const char *tracefs, const struct probe_events *known,
		     const struct probe_add_opts *o, struct arena *mem, struct ptui_error *err);

#endif
