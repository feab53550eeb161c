/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made-up tree for the catalog: a tracefs with some events, a mounts file, kernel symbols, and
 * the PMUs of a machine with one core type.
 */
#ifndef TESTS_UNIT_EVENT_TREE_H
#define TESTS_UNIT_EVENT_TREE_H

#include "event/catalog.h"

struct tree {
	char dir[64];
	char proc[80];
	char tracefs[80];
	char sysfs[80];
	char debug[80];	    /* perf's build-id cache, with the markers of two programs */
	struct roots roots; /* tracefs is NULL, as on a real machine: the mounts file has it */
};

/*
 * Creates a directory below /tmp, with the events of tree_events, and a mounts file with this
 * tracefs. 0 or -1.
 */
int tree_make(struct tree *t);
void tree_remove(struct tree *t);

/* Creates a file below the directory, with its parent directories. 0 or -1. */
int tree_write(struct tree *t, const char *path, const char *text);

/* bus/event_source/devices/UNIT/FILE */
int tree_write_unit(struct tree *t, const char *unit, const char *file, const char *text);
/* Removes all PMUs, for another machine. */
void tree_begin_machine(struct tree *t, const char *name);

struct tree_event {
	const char *system;
	const char *name;
	int id; /* negative: none */
};
extern const struct tree_event tree_events[];
extern const size_t tree_n_events;

/* Where the mark of an error is, in bytes of ASCII; 0: it has none. */
static inline size_t caret(const struct ptui_error *err)
{
	const char *line = strrchr(err->text, '\n');

	return line ? strspn(line + 3, " ") : 0;
}

#endif
