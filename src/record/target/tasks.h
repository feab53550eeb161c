/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists processes and threads from /proc. */
#ifndef RECORD_TARGET_TASKS_H
#define RECORD_TARGET_TASKS_H

#include <sys/types.h>
#include "base/file.h"
#include "ptui/error.h"

/*
 * Thread ids of process `pid`, ascending, in *ret_tids (free() it). -ESRCH with err set if there is
 * no such process.
 */
int tasks_threads(const struct roots *roots, pid_t pid, pid_t **ret_tids, size_t *ret_n,
		  struct ptui_error *err);

/* Process ids of the whole system, ascending. */
int tasks_processes(const struct roots *roots, pid_t **ret_pids, size_t *ret_n,
		    struct ptui_error *err);

/* The process id of a thread; 0: it has exited. */
pid_t tasks_leader(const struct roots *roots, pid_t tid);

/*
 * The children of process `pid`, as -p takes them ("12,13"), in the empty *ret; nothing if it has none. The first
 * process of a server often does nothing but start others.
 */
void tasks_children(const struct roots *roots, pid_t pid, struct buf *ret);

/* For qsort() and bsearch() of pids. */
int tasks_pid_compare(const void *a, const void *b);

#endif
