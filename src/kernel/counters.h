/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counter set: events x CPUs x threads, opened, enabled, read and closed together. One API
 * for recording, counting and previews.
 *
 *	          cpu0            cpu1
 *	tid 7   e0 e1 side      e0 e1 side        each box is one fd, with an id of its own
 *	tid 9   e0 e1 side      e0 e1 side
 *	            |               |
 *	          ring0           ring1            one ring per CPU: the first counter maps it,
 *	                                           the others are redirected to it
 *
 * or one ring per thread (counters_follow_tasks()), each counter on any CPU:
 *
 *	          any cpu
 *	tid 7   e0 e1 side -> ring of 7
 *	tid 9   e0 e1 side -> ring of 9
 *
 * Events in overwrite mode (attr.write_backward) use a second ring next to it, which the kernel
 * overwrites (ring_back.h).
 *
 * Threads are added one by one; thread -1 is everything on the CPUs. An event with its own cgroup
 * counts that cgroup then. Not thread-safe.
 */
#ifndef KERNEL_COUNTERS_H
#define KERNEL_COUNTERS_H

#include <stdbool.h>
#include "base/buf.h"
#include "event/event.h"
#include "kernel/ops.h"
#include "kernel/ring.h"
#include "kernel/ring_aux.h"

struct counter {
	int fd;
	int cpu;	/* -1: any */
	pid_t tid;	/* -1: any */
	uint32_t event; /* index in the list */
	uint32_t ring;	/* index; unused without rings */
	uint64_t id;
};

struct counter_ring {
	struct ring ring;
	void *base;
	size_t bytes;	     /* of the mapping, control page included */
	int cpu;	     /* -1: any, it is a thread's */
	pid_t tid;	     /* its thread with per-thread rings; else the first one */
	int fd;		     /* fd of the counter that maps it */
	size_t watch;	     /* the counter that is polled for it; n of the set: all are gone */
	bool back;	     /* overwrite mode, see ring_back.h: never polled */
	struct ring_aux aux; /* size 0: no event that writes to the ring has an AUX area */
	int aux_fd;	     /* of the counter that maps it */
};

struct counters {
	const struct kernel_ops *ops;
	struct event_list *events; /* borrowed; fallbacks change events in it */
	int *cpus;		   /* online or selected CPUs; -1 alone: any */
	size_t n_cpus;
	int *measured; /* of these, the CPUs of all events but the sideband; NULL: all */
	size_t n_measured;
	bool per_thread;
	struct counter *v;
	size_t n, cap;
	struct counter_ring *rings;
	size_t n_rings, cap_rings;
	size_t ring_bytes; /* size of the next ring; 0: no rings */
	size_t ring_bytes_wanted;
	/*
	 * Minimum size of the sideband rings next to overwrite-mode rings: sideband must not be
	 * lost, however small the sample rings are. 0: no minimum.
	 */
	size_t front_bytes;
	size_t aux_bytes;   /* of the AUX area of each ring with an event that has one; 0: none */
	bool aux_overwrite; /* AUX areas are mapped read-only: the newest data stays */
	struct buf changes; /* messages of the fallbacks, one per line, until logged */
	size_t expected;    /* number of counters to be opened, for errors about fd limits */
	size_t n_other_events; /* of other sets that are opened for the same targets */
	int *group_fds;	       /* scratch: fd by event and CPU, of the thread being opened */
	struct rlimit fd_limit_before;
	bool fd_limit_raised;
	/* disabled by counters_disable(): the counts do not change */
	_Atomic bool off;
	int overflow_limit;  /* overflows after which the kernel disables a counter; 0: none */
	bool counting;	     /* what cannot be counted is refused: a clock counts something else */
	bool filter_enables; /* events with filters are opened disabled, and enabled by these */
	uint32_t bad_filter; /* event whose filter the kernel rejected; PTUI_NONE */
};

/*
 * For all online CPUs. `ring_bytes` 0: counting only. `events` must be configured, leaders before
 * members. Opens nothing.
 */
int counters_init(struct counters *c, const struct kernel_ops *ops, struct event_list *events,
		  size_t ring_bytes, struct ptui_error *err);
/*
 * Call before opening: one counter per event and thread on any CPU, and one ring per thread (if
 * there are rings; inherited counters cannot be mapped per thread).
 */
void counters_follow_tasks(struct counters *c);
/*
 * Call between opening and enabling, while no target runs: the kernel disables each sampling counter after
 * `limit` overflows. -EINVAL: inherited counters cannot have a limit.
 */
int counters_limit_overflows(struct counters *c, int limit);
/* How many counters that has stopped in all: their overflows until then. 0: none have a limit. */
uint64_t counters_overflows_until_stop(const struct counters *c);
/* The same: on these CPUs only (copied). 0 or -ENOMEM. */
int counters_use_cpus(struct counters *c, const int *cpus, size_t n);
/*
 * The same, but for the sideband, which stays on all CPUs: a task may execute a program on another one before it is
 * sampled on one of these.
 */
int counters_measure_cpus(struct counters *c, const int *cpus, size_t n);
/* Closes and unmaps everything, and restores the fd limit. Accepts a zeroed set. */
void counters_release(struct counters *c);

/*
 * The same, but many tracepoints are closed by a child process, for which a detached thread waits: the kernel
 * needs about 10 ms for each. `ops` must stay valid.
 */
void counters_release_aside(struct counters *c);

/*
 * The same, for a process about to exit: many counters, or tracepoints, are closed by a child
 * process, so that the exit is not delayed.
 */
void counters_release_in_child(struct counters *c);
/* Several sets, by one child. */
void counters_release_all_in_child(struct counters *const *sets, size_t n);

/* perf's default ring size: what perf_event_mlock_kb allows, rounded down to a power of two. */
size_t counters_default_ring_bytes(const struct kernel_ops *ops);

/* Announces the number of threads, so that errors can report how many fds are needed. */
void counters_expect(struct counters *c, size_t n_threads);

/*
 * Opens every event on every CPU for thread `tid` (-1: all threads), the sideband first, and maps
 * the rings. If the kernel refuses: tries the fallbacks of event_open.h, then raises the fd limit,
 * then fails with err set (diagnose.h). -ESRCH without err: the thread exited, the set is
 * unchanged but for sideband that may have written to the ring of another thread.
 */
int counters_open(struct counters *c, pid_t tid, struct ptui_error *err);

/*
 * Closes the counters of `tid` except the sideband, and opens them again; inherited counters of its
 * children are closed with them. Returns like counters_open().
 */
int counters_reopen(struct counters *c, pid_t tid, struct ptui_error *err);

/* Logs what is measured, and deviations from the request as PTUI_LOG_WARN. */
void counters_log(struct counters *c);

/* All events but the sideband, which is enabled from the start. */
int counters_enable(struct counters *c);
int counters_disable(struct counters *c);
int counters_switch(struct counters *c, uint32_t event, bool on); /* one event */
/* They were switched by kernel_ops.switch_own. */
void counters_note_switch(struct counters *c, bool on);

/* Pauses or resumes output to overwrite-mode rings. Returns the first error. */
int counters_pause_back(struct counters *c, bool paused);
bool counters_have_back(const struct counters *c);

/*
 * Events with an AUX area, as far as they write to ring `ring` (PTUI_NONE: any): the kernel stops one
 * whose area is full, so it is resumed after the area was read, unless all counters are off. Returns the first error.
 */
int counters_resume_aux(struct counters *c, uint32_t ring);
int counters_pause_aux(struct counters *c);

/* ---- waiting ---- */

/*
 * One entry per ring for poll(): fds[i] is of rings[i], -1 when all its counters are closed. After
 * poll(), pass the same entries to counters_polled(): a counter whose task exited (POLLHUP) is
 * replaced by the next one of the ring. False: no ring has one left.
 */
void counters_fill_poll(const struct counters *c, struct pollfd *fds);
bool counters_polled(struct counters *c, const struct pollfd *fds);

/* ---- reading ---- */

struct counter_value {
	uint64_t value;
	uint64_t enabled_ns, running_ns; /* 0 if not in read_format */
	uint64_t lost;			 /* samples, by PERF_FORMAT_LOST; else 0 */
};

/* Of counter v[index]. 0 or a negative errno. */
int counters_read(const struct counters *c, size_t index, struct counter_value *ret);

/* Sums one event over all its counters; unreadable ones are skipped. */
struct counter_sum {
	uint64_t value, enabled_ns, running_ns, lost;
	uint64_t scaled; /* a thread or, without one, a CPU at a time: value * enabled / running */
	size_t n_failed; /* pinned counters that the kernel could not keep on: their error state */
};
void counters_sum(const struct counters *c, uint32_t event, struct counter_sum *ret);

/* Ids of one event's counters, in the order of opening. Returns how many; at most `max` stored. */
size_t counters_ids(const struct counters *c, uint32_t event, uint64_t *ids, size_t max);

#endif
