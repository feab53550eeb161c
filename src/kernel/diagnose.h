/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the kernel said no: from an errno and the state of the machine to a sentence with the
 * remedy. A table of cases by errno and condition; the first that fits speaks.
 */
#ifndef KERNEL_DIAGNOSE_H
#define KERNEL_DIAGNOSE_H

#include "event/event.h"
#include "kernel/ops.h"

/* kernel.perf_event_paranoid now; 2 (the kernel's default) when it cannot be read. */
int diagnose_paranoid(const struct kernel_ops *ops);
/* kernel.perf_event_mlock_kb now; 516 when it cannot be read. */
long diagnose_mlock_kb(const struct kernel_ops *ops);

/*
 * perf_event_open of `ev` for `tid` (-1: everything, 0: a command) on `cpu` failed with `errnum`. `n_fds`:
 * how many counters the whole set needs. Fills err, returns -errnum.
 */
int diagnose_open(const struct kernel_ops *ops, const struct event *ev, pid_t tid, int cpu,
		  int errnum, size_t n_fds, struct ptui_error *err);

/* The mapping of a ring of `bytes` failed. Fills err, returns -errnum. */
int diagnose_mmap(const struct kernel_ops *ops, const struct event *ev, size_t bytes, int errnum,
		  struct ptui_error *err);

#endif
