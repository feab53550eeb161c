/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters onto tasks that run already: none of their threads is missed, none is counted twice. */
#ifndef RECORD_TARGET_ATTACH_H
#define RECORD_TARGET_ATTACH_H

#include "kernel/counters.h"
#include "record/target/target.h"

/*
 * Opens the counters on the tasks of -p, -t and -u. A thread that dies meanwhile is passed over;
 * one that appears meanwhile is attached too, unless it has inherited the counters already: the
 * lists are read again until nothing in them is new. -ESRCH, told: one of those that were named
 * is not there. Of a user's processes those that are not ours to look at are passed over, and
 * told as a warning.
 */
int attach_tasks(struct counters *c, const struct target *w, struct ptui_error *err);
/*
 * The same for one process. A set without rings hears of no FORK: its list of threads is read once
 * then, if the events are inherited.
 */
int attach_pid(struct counters *c, pid_t pid, bool inherit, struct ptui_error *err);

/*
 * Switches the counters on, again and again until no new thread is seen that could have been
 * inherited while they were still off. 0 or a negative errno.
 */
int attach_enable(struct counters *c, const struct target *w);

#endif
