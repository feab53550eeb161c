/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups by events (-G): found below the mount of the perf_event controller, of version 1
 * where there is one, else of version 2, and held open for as long as counters are opened.
 */
#ifndef RECORD_TARGET_CGROUP_H
#define RECORD_TARGET_CGROUP_H

#include "base/file.h"
#include "event/event.h"
#include "ptui/record.h"

struct cgroups {
	int *fds;
	size_t n, cap;
	char *mount; /* NULL: not looked for yet */
	size_t next; /* the event that the next name is for */
};

/* The folder that names are below, in *ret (free() it); -ENOENT, told: there is none. */
int cgroup_mount(const struct roots *roots, char **ret, struct ptui_error *err);
/* Its version; 0: none is mounted. */
int cgroup_version(const struct roots *roots);

/*
 * The names of one -G, "a,,b": each for the next of the events that are in the list by now, an
 * empty one for none. A single one, when it is the first of all, is for all of them.
 */
int cgroups_add(struct cgroups *g, const struct roots *roots, const char *names,
		struct event_list *events, struct ptui_error *err);
/* Closes the folders; the events keep their names. A zeroed set is fine. */
void cgroups_release(struct cgroups *g);

#endif
