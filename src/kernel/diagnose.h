/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns an errno and the machine's state into an error message with a remedy: a table of cases by
 * errno and condition, of which the first match wins.
 */
#ifndef KERNEL_DIAGNOSE_H
#define KERNEL_DIAGNOSE_H

#include <stdbool.h>
#include "event/event.h"
#include "kernel/ops.h"

/* Capability numbers: include/uapi/linux/capability.h; some headers lack CAP_PERFMON. */
#define CAP_BIT_DAC_READ_SEARCH 2
#define CAP_BIT_IPC_LOCK	14
#define CAP_BIT_SYS_PTRACE	19
#define CAP_BIT_SYS_ADMIN	21
#define CAP_BIT_SYS_RESOURCE	24
#define CAP_BIT_SYSLOG		34
#define CAP_BIT_PERFMON		38
#define CAP_BIT_BPF		39

/* The rights of this process that matter for perf events. */
struct diagnose_rights {
	unsigned long long caps; /* effective */
	int seccomp;		 /* 0: none, 1: strict, 2: a filter */
	char lockdown[32];	 /* "", "none", "integrity", "confidentiality" */
};
void diagnose_rights(const struct kernel_ops *ops, struct diagnose_rights *ret);
bool diagnose_has_cap(const struct diagnose_rights *r, int bit);
/* Whether perf_event_paranoid does not apply to this process. */
bool diagnose_may_all(const struct diagnose_rights *r);

/* kernel.perf_event_paranoid now; 2 (the kernel's default) if it cannot be read. */
int diagnose_paranoid(const struct kernel_ops *ops);
/* kernel.perf_event_mlock_kb now; 516 if it cannot be read. */
long diagnose_mlock_kb(const struct kernel_ops *ops);

/*
 * Explains why perf_event_open() of `ev` failed with `errnum`, for `tid` (-1: all tasks, 0: a
 * command) on `cpu`. `n_fds`: the number of counters of the whole set. Sets err, returns -errnum.
 */
int diagnose_open(const struct kernel_ops *ops, const struct event *ev, pid_t tid, int cpu,
		  int errnum, size_t n_fds, struct ptui_error *err);

/* Explains why mapping a ring of `bytes` failed. Sets err, returns -errnum. */
int diagnose_mmap(const struct kernel_ops *ops, const struct event *ev, size_t bytes, int errnum,
		  struct ptui_error *err);
/* The same for the AUX area of a ring buffer. */
int diagnose_mmap_aux(const struct kernel_ops *ops, const struct event *ev, size_t bytes,
		      int errnum, struct ptui_error *err);

#endif
