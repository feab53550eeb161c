/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens counters on tasks that already run: no thread is missed, none is counted twice. */
#ifndef RECORD_TARGET_ATTACH_H
#define RECORD_TARGET_ATTACH_H

#include "kernel/counters.h"
#include "record/target/target.h"

/*
 * Opens the counters on the tasks of -p, -t and -u. Threads that exit before that are skipped; new
 * ones are attached too, unless they inherited the counters: the lists are read again until nothing
 * new appears. -ESRCH with err set: a task given by id does not exist. With -u, processes that ptui
 * has no right to are skipped with a warning.
 */
int attach_tasks(struct counters *c, const struct target *w, struct ptui_error *err);
/*
 * The same for one process. A set without rings receives no FORK records: if events are inherited,
 * its threads are listed only once.
 */
int attach_pid(struct counters *c, pid_t pid, bool inherit, struct ptui_error *err);

/*
 * Enables the counters repeatedly, until no new thread appears that could have inherited them while
 * they were disabled. 0 or a negative errno.
 */
int attach_enable(struct counters *c, const struct target *w);

#endif
