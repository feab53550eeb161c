/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fake kernel: the perf system calls over plain memory, and a fake /proc and /sys in a directory
 * of its own. A test sets what this kernel has, what it refuses and which tasks are dead, fills its
 * rings and ends its tasks. Its fds are pipes, so that poll() is real. Thread-safe: a recorder may
 * run on it in another thread.
 */
#ifndef TESTS_FAKE_KERNEL_H
#define TESTS_FAKE_KERNEL_H

#include <pthread.h>
#include <stdbool.h>
#include "fake/bpf.h"
#include "kernel/ops.h"

#define FAKE_FDS 512

struct fake_fd {
	bool used, enabled;
	bool paused;	 /* output to its ring is paused */
	bool failed;	 /* pinned without a free counter: error state */
	int fd, wake_fd; /* wake_fd -1: the task has ended */
	pid_t opener;
	struct perf_event_attr attr;
	pid_t pid;
	int cpu, group_fd, output_fd;
	unsigned long flags;
	uint64_t id, count, lost;
	uint64_t enabled_ns, running_ns; /* enabled 0: for 1000 ns, and runs for half of that */
	void *base;			 /* its ring, when it was mapped */
	size_t bytes;
	void *aux; /* the AUX area of its ring */
	size_t aux_bytes;
	bool aux_writable;
	uint64_t aux_written; /* ever */
	char filter[256];
};

/* Refuses matching calls with `errnum`; -1 (or tid 0) matches any. */
struct fake_refusal {
	int errnum, type, config, cpu;
	pid_t tid;
	int times; /* how often; -1: always */
};

struct fake_kernel {
	struct kernel_ops ops;
	pthread_mutex_t lock;
	char folder[64], proc[80], sysfs[80];
	/* what it has and forbids */
	bool no_own_switch; /* a sandbox refuses prctl() */
	bool never_runs;    /* counters are on, but never get their turn */
	bool has_pmu, has_lost, has_build_id, privileged, no_perf;
	bool before_4_1;	 /* no clocks, no records of switches, namespaces and cgroups */
	uint64_t no_sample_type; /* unsupported bits */
	int max_precise, paranoid;
	uint32_t no_modes; /* type of a PMU that supports no exclude_*; 0: none */
	uint32_t max_attr_bytes;
	size_t max_ring_bytes;	 /* EPERM above */
	uint32_t aux_type;	 /* type of the PMU with an AUX area; 0: none */
	size_t max_aux_bytes;	 /* EPERM above; 0: any */
	size_t max_locked_bytes; /* of all rings together; the same; 0: any */
	size_t max_group;	 /* events that fit a group; EINVAL above; 0: any number */
	/*
	 * Counters of the PMU of each CPU, see fake_run(). 0: unlimited, and times are those of the
	 * fd. `pmu_held` of them are pinned elsewhere, as by the NMI watchdog.
	 */
	size_t pmu_counters, pmu_held;
	size_t turn; /* current head of the rotated list */
	struct rlimit fd_limit;
	struct fake_refusal refusals[8];
	size_t n_refusals;
	pid_t dead[8];
	size_t n_dead;
	int offline_cpu;     /* -2: none */
	struct fake_bpf bpf; /* loaded programs: none */
	/* called without the lock before each perf_event_open */
	void (*on_open)(struct fake_kernel *k, pid_t pid, int cpu,
			const struct perf_event_attr *attr);
	void *on_open_ctx;
	/* the same, with the CPU whose ring was just paused */
	void (*on_pause)(struct fake_kernel *k, int cpu);
	void *on_pause_ctx;
	/* results */
	struct fake_fd fds[FAKE_FDS];
	size_t n_open, n_opens; /* now; ever tried */
	size_t n_pauses;	/* of rings */
	size_t n_own_switches;	/* by prctl() */
	size_t locked_bytes;	/* now */
	uint64_t next_id, now_ns;
};

/* CPUs 0 and 1, no PMU, privileged, current features, all tasks alive. */
void fake_kernel_init(struct fake_kernel *k);
void fake_kernel_release(struct fake_kernel *k); /* asserts that all was closed and unmapped */

/* Writes a file of the made tree; folders are made: fake_file(k, "proc/42/task/42/comm", "x\n"). */
void fake_file(struct fake_kernel *k, const char *name, const char *fmt, ...) PTUI_PRINTF(3, 4);
void fake_remove(struct fake_kernel *k, const char *name); /* with all below it */
/* A process with these threads (the first is its pid). */
void fake_process(struct fake_kernel *k, const char *comm, const pid_t *tids, size_t n);
void fake_set_paranoid(struct fake_kernel *k, int level);
void fake_refuse(struct fake_kernel *k, struct fake_refusal refusal);

/* The first open fd with this type and config on this CPU for this task; NULL: none. */
struct fake_fd *fake_find(struct fake_kernel *k, uint32_t type, uint64_t config, pid_t pid,
			  int cpu);
/* Puts a record into the ring of `cpu` as the kernel would, and wakes; false: it was full. */
bool fake_emit(struct fake_kernel *k, int cpu, uint32_t type, uint16_t misc, const void *body,
	       size_t body_bytes);
/* The same for consecutive whole records with one wakeup: all of them or, false, none. */
bool fake_emit_many(struct fake_kernel *k, int cpu, const void *records, size_t bytes);
/*
 * The PMU writes `n` bytes into the AUX area of `cpu`, as many as fit, and the kernel its AUX record. An area
 * that is full stops the event. Returns how many were written; 0: the event is stopped.
 */
size_t fake_emit_aux(struct fake_kernel *k, int cpu, const void *bytes, size_t n);
/* True once all of the AUX area was consumed. */
bool fake_aux_is_drained(struct fake_kernel *k, int cpu);
/*
 * Puts a sample into the overwrite-mode ring of `cpu`, over the oldest. False: paused, the sample
 * is lost.
 */
bool fake_emit_back(struct fake_kernel *k, int cpu, const void *body, size_t body_bytes);
/*
 * Advances time by `ms`: pinned groups always count, others from the head of a list that rotates
 * each millisecond, until one does not fit. A running counter counts a million per second. Counters
 * of tasks run on CPU 0.
 */
void fake_run(struct fake_kernel *k, unsigned ms);
/* True once everything that was emitted on `cpu` was consumed. */
bool fake_is_drained(struct fake_kernel *k, int cpu);
/* The task's counters hang up. */
void fake_end_task(struct fake_kernel *k, pid_t pid);

#endif
