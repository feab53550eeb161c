/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target selection, by perf's rules:
 *
 *	-p, -t		tasks; -C, -u and -a are ignored then
 *	-u		all tasks of a user; -C and -a are ignored then
 *	-a, -C		CPUs; --per-thread is ignored then; -C alone means whole CPUs, too
 *	none		the command, or without a command all CPUs
 *
 * A command given with one of these runs for as long as the recording is to last.
 */
#ifndef RECORD_TARGET_TARGET_H
#define RECORD_TARGET_TARGET_H

#include <stdbool.h>
#include <sys/types.h>
#include "base/buf.h"
#include "kernel/ops.h"
#include "ptui/record.h"

struct target {
	bool system_wide; /* whole CPUs */
	bool all;	  /* -a, or no target given; required by -G */
	bool per_thread;  /* one ring per thread instead of per CPU */
	bool inherit;
	pid_t *pids, *tids; /* without duplicates */
	size_t n_pids, n_tids;
	const char *user;     /* as given; NULL: none */
	uid_t uid;	      /* of the user, after target_settle() */
	bool any_user;	      /* all tasks; set by target_use_all_tasks() */
	const char *cpu_list; /* as given; NULL: all online CPUs */
	int *cpus; /* of cpu_list, ascending, without duplicates, after target_settle() */
	size_t n_cpus;
	struct buf conflicts; /* options that override others, one sentence per line */
};

/* Borrows the strings of `from`. 0 or -ENOMEM; call target_release() in any case. */
int target_copy(struct target *w, const struct ptui_record_opts *from);
void target_release(struct target *w);

/* Instead of whole CPUs: the tasks that are there, as with -u. Before target_settle(). */
void target_use_all_tasks(struct target *w);

/* Resolves the user and the CPUs. Fails if they do not exist. */
int target_settle(struct target *w, const struct kernel_ops *ops, struct ptui_error *err);

/* Whether any task of -p and -t is there; true if there is none of these options. */
bool target_tasks_live(const struct ptui_record_opts *opts);

/* True with -p, -t or -u. */
bool target_has_tasks(const struct target *w);

/* True if the effective user of the process is the target's; false if it has exited. */
bool target_owns(const struct target *w, const struct roots *roots, pid_t pid);

#endif
