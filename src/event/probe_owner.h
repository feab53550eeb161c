/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Temporary probes: the screens add them in a group that names the process that removes them.
 *
 *	ptui_PID_START		the start time as in /proc/PID/stat, in clock ticks
 *	ptui_PID_START_NS	the same in a pid namespace other than the initial one: its inode number
 *
 * The start time distinguishes the process from a later one with the same pid. The name is all there is, so
 * there is never a probe whose owner is not known yet, and probes of other programs cannot be meant.
 */
#ifndef EVENT_PROBE_OWNER_H
#define EVENT_PROBE_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/buf.h"
#include "base/file.h"

#define PROBE_OWNER_MAX 64 /* of a group's name */

struct probe_owner {
	pid_t pid;
	uint64_t start;
	uint64_t pid_ns; /* 0: the initial one */
};

/* False: the group is not one of temporary probes. */
bool probe_owner_parse(const char *group, struct probe_owner *ret);
/* Of process `pid` (0: the caller). 0, or a negative errno: it has ended. */
int probe_owner_of(const struct roots *roots, pid_t pid, struct probe_owner *ret);
/* Returns buf. */
const char *probe_owner_group(const struct probe_owner *o, char buf[PROBE_OWNER_MAX]);
/* False also if that cannot be known: the process is in another pid namespace. */
bool probe_owner_has_ended(const struct roots *roots, const struct probe_owner *o);

/* Temporary probes whose process has ended: it was killed. */
struct probe_leftovers {
	char **names; /* "GROUP:NAME", in the kernel's order */
	size_t n, cap;
};

/* 0, or a negative errno: the lists cannot be read. Where none is left, there is nothing to release. */
int probe_leftovers_read(const struct roots *roots, const char *tracefs,
			 struct probe_leftovers *ret);
void probe_leftovers_release(struct probe_leftovers *l);
/* "ptui_1_2:fact, ptui_1_2:main"; at most `most`, then how many more there are. */
void probe_leftovers_names(const struct probe_leftovers *l, size_t most, struct buf *out);
/* The command that removes them: "ptui probe -d 'ptui_1_2:*'". */
void probe_leftovers_command(const struct probe_leftovers *l, struct buf *out);

#endif
