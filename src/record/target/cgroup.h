/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cgroups of events (-G): looked up below the mount of the perf_event controller, version 1 if
 * there is one, else version 2, and held open while counters are opened.
 */
#ifndef RECORD_TARGET_CGROUP_H
#define RECORD_TARGET_CGROUP_H

#include "base/file.h"
#include "event/event.h"
#include "ptui/record.h"

struct cgroups {
	int *fds;
	size_t n, cap;
	char *mount; /* NULL: not looked up yet */
	size_t next; /* index of the event for the next name */
};

/* The mount point of cgroups in *ret (free() it); -ENOENT with err set if there is none. */
int cgroup_mount(const struct roots *roots, char **ret, struct ptui_error *err);
/* 1 or 2; 0: not mounted. */
int cgroup_version(const struct roots *roots);

/*
 * The names of one -G, "a,,b": each for the next event in the list, an empty one for none. A single
 * name that is the first of all applies to all events so far.
 */
int cgroups_add(struct cgroups *g, const struct roots *roots, const char *names,
		struct event_list *events, struct ptui_error *err);
/* This cgroup for all events from index `from` on (perf stat --for-each-cgroup). */
int cgroups_set(struct cgroups *g, const struct roots *roots, const char *name,
		struct event_list *events, size_t from, struct ptui_error *err);
/* Closes the directories; the events keep their names. A zeroed set is fine. */
void cgroups_release(struct cgroups *g);

#endif
