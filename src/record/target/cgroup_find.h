/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which cgroups exist: all of them, those of some names or patterns, and those with tasks. */
#ifndef RECORD_TARGET_CGROUP_FIND_H
#define RECORD_TARGET_CGROUP_FIND_H

#include <stddef.h>
#include <stdint.h>
#include "base/file.h"
#include "ptui/error.h"

/* `name` is below the mount, "/a/b", or "/"; `path` is that of its directory, whose inode is its id. Nonzero ends the walk. */
typedef int (*cgroup_fn)(void *ctx, const char *path, const char *name, uint64_t id);
/*
 * Calls `fn` for each cgroup, parents first; those that vanish meanwhile are skipped. What `fn` returned,
 * 0, or -ENOENT with err set if there is no cgroup file system.
 */
int cgroups_walk(const struct roots *roots, cgroup_fn fn, void *ctx, struct ptui_error *err);

/* Initialize with zeros. */
struct cgroup_names {
	struct cgroup_name {
		char *name;	/* as -G takes it: "a/b", or "/" */
		size_t n_tasks; /* of cgroup_names_find_busy() */
	} * v;
	size_t n, cap;
};

void cgroup_names_release(struct cgroup_names *names);
/*
 * "a,b", or perf's patterns: if one of the words has a character of {}[]()|*+?^$, all are regular
 * expressions (basic ones, which match anywhere in "a/b"). Words without one need not exist.
 * -ENOENT with err set if no cgroup matches a pattern.
 */
int cgroup_names_find(struct cgroup_names *names, const struct roots *roots, const char *list,
		      struct ptui_error *err);
/* Those that have tasks of their own, by name. -ENOENT with err set if there is none. */
int cgroup_names_find_busy(struct cgroup_names *names, const struct roots *roots,
			   struct ptui_error *err);
/* Keeps the `max` cgroups with most tasks. */
void cgroup_names_limit(struct cgroup_names *names, size_t max);

#endif
