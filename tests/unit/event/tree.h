/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made tree for the catalog: a tracefs with some events, a mounts file, kernel symbols, and the
 * counting units of a machine with one kind of cores.
 */
#ifndef TESTS_UNIT_EVENT_TREE_H
#define TESTS_UNIT_EVENT_TREE_H

#include "event/catalog.h"

struct tree {
	char dir[64];
	char proc[80];
	char tracefs[80];
	char sysfs[80];
	char debug[80];	    /* perf's cache of build-ids, with the markers of two programs */
	struct roots roots; /* tracefs NULL, as on a real machine: the mounts file says where */
};

/*
 * In a new folder below /tmp. The events of tree_events are there, and the mounts file has
 * this tracefs. 0 or -1.
 */
int tree_make(struct tree *t);
void tree_remove(struct tree *t);

/* A file below the folder, with the folders above it. 0 or -1. */
int tree_write(struct tree *t, const char *path, const char *text);

/* bus/event_source/devices/UNIT/FILE */
int tree_write_unit(struct tree *t, const char *unit, const char *file, const char *text);
/* From here on the units are another machine's, which has none yet. */
void tree_begin_machine(struct tree *t, const char *name);

struct tree_event {
	const char *system;
	const char *name;
	int id; /* negative: it has none */
};
extern const struct tree_event tree_events[];
extern const size_t tree_n_events;

#endif
