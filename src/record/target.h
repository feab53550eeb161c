/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is measured: the threads of a process, as /proc shows them now. */
#ifndef RECORD_TARGET_H
#define RECORD_TARGET_H

#include <sys/types.h>
#include "base/file.h"
#include "kernel/counters.h"

/*
 * Thread ids of process `pid`, ascending, in *ret_tids (free() it). -ESRCH with one clear line
 * when there is no such process.
 */
int target_threads(const struct roots *roots, pid_t pid, pid_t **ret_tids, size_t *ret_n,
		   struct ptui_error *err);

/* Process ids of the whole system, ascending. */
int target_processes(const struct roots *roots, pid_t **ret_pids, size_t *ret_n,
		     struct ptui_error *err);

/*
 * Opens the counters on every thread of `pid`. A thread that dies meanwhile is passed over; one
 * that appears meanwhile is attached too, unless it has inherited the counters already: the list
 * is read again until nothing in it is new. `inherit`: the events are inherited by new threads.
 */
int target_attach(struct counters *c, pid_t pid, bool inherit, struct ptui_error *err);

#endif
