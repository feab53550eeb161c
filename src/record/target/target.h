/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is to be recorded, by perf's rules:
 *
 *	-p, -t		tasks; -C, -u and -a beside them are left aside
 *	-u		all tasks of a user; -C and -a beside it are left aside
 *	-a, -C		CPUs; --per-thread beside them is left aside; -C alone is whole CPUs, too
 *	none		the command, or without one all CPUs
 *
 * With a command beside the others, it is recorded for as long as the command runs.
 */
#ifndef RECORD_TARGET_TARGET_H
#define RECORD_TARGET_TARGET_H

#include <stdbool.h>
#include <sys/types.h>
#include "base/buf.h"
#include "kernel/ops.h"
#include "ptui/record.h"

struct target {
	bool system_wide; /* CPUs, whatever runs on them */
	bool all;	  /* -a, or nothing was said: -G needs that */
	bool per_thread;  /* a ring a thread, not a CPU */
	bool inherit;
	pid_t *pids, *tids; /* each once */
	size_t n_pids, n_tids;
	const char *user;     /* as it was said; NULL: none */
	uid_t uid;	      /* of it, after target_settle() */
	const char *cpu_list; /* as it was said; NULL: all CPUs that are online */
	int *cpus;	      /* of it, ascending, each once, after target_settle() */
	size_t n_cpus;
	struct buf conflicts; /* what overrides what, a sentence a line */
};

/* Borrows the strings of `from`. 0 or -ENOMEM, with *w to be released in any case. */
int target_copy(struct target *w, const struct ptui_record_opts *from);
void target_release(struct target *w);

/* Looks the user and the CPUs up: they have to be there. */
int target_settle(struct target *w, const struct kernel_ops *ops, struct ptui_error *err);

/* There are tasks to attach to: -p, -t or -u. */
bool target_has_tasks(const struct target *w);

/* The process is the user's, as it acts now; false also when it is gone. */
bool target_owns(const struct target *w, const struct roots *roots, pid_t pid);

#endif
