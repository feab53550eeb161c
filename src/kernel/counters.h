/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counter set: events x CPUs x threads, opened, switched, read and closed together. One API
 * for recording, counting and previews.
 *
 *	          cpu0            cpu1
 *	tid 7   e0 e1 side      e0 e1 side        each box is one fd, with an id of its own
 *	tid 9   e0 e1 side      e0 e1 side
 *	            |               |
 *	          ring0           ring1            one ring a CPU: the first counter there has it
 *	                                           mapped, the others are directed to it
 *
 * or, a ring a thread (counters_follow_tasks()), each counter on whatever CPU its thread runs:
 *
 *	          any cpu
 *	tid 7   e0 e1 side -> ring of 7
 *	tid 9   e0 e1 side -> ring of 9
 *
 * Events that keep only the last samples (attr.write_backward) share a second ring beside it, which
 * the kernel overwrites (ring_back.h).
 *
 * Threads are added one by one; thread -1 is everything that runs on the CPUs; an event with a
 * control group of its own counts that group then. One thread at a time.
 */
#ifndef KERNEL_COUNTERS_H
#define KERNEL_COUNTERS_H

#include <stdbool.h>
#include "base/buf.h"
#include "event/event.h"
#include "kernel/ops.h"
#include "kernel/ring.h"

struct counter {
	int fd;
	int cpu;	/* -1: any */
	pid_t tid;	/* -1: any */
	uint32_t event; /* index in the list */
	uint32_t ring;	/* index; nothing when there are no rings */
	uint64_t id;
};

struct counter_ring {
	struct ring ring;
	void *base;
	size_t bytes; /* of the mapping, control page included */
	int cpu;      /* -1: any, it is a thread's */
	pid_t tid;    /* whose it is, where each thread has its own; else of the first one */
	int fd;	      /* of the counter that has it mapped */
	size_t watch; /* the counter that is polled for it; n of the set: all are gone */
	bool back;    /* overwritten, see ring_back.h: nobody waits for it */
};

struct counters {
	const struct kernel_ops *ops;
	struct event_list *events; /* borrowed; fallbacks change events in it */
	int *cpus;		   /* online ones, or those that were chosen; -1 alone: any */
	size_t n_cpus;
	bool per_thread;
	struct counter *v;
	size_t n, cap;
	struct counter_ring *rings;
	size_t n_rings, cap_rings;
	size_t ring_bytes; /* what the next ring gets; 0: no rings are wanted */
	size_t ring_bytes_wanted;
	/*
	 * Beside rings that are overwritten: what tells who is mapped where must not be lost, however few
	 * samples are to be kept. The others are at least so large; 0: no difference.
	 */
	size_t front_bytes;
	struct buf changes; /* what the fallbacks did, a sentence a line, until it is told */
	size_t expected;    /* counters that will be opened, for telling how many fds are needed */
	int *group_fds;	    /* scratch: fd by event and CPU, of the thread being opened */
	struct rlimit fd_limit_before;
	bool fd_limit_raised;
	_Atomic bool
		off; /* all were switched off, by counters_disable(): what they count stands still */
	bool counting;	     /* what cannot be counted is refused: a clock counts something else */
	uint32_t bad_filter; /* the event whose filter the kernel refused; PTUI_NONE */
};

/*
 * For every CPU that is online. `ring_bytes` 0: counting only. `events` is configured, its
 * leaders stand before their members. Nothing is opened yet.
 */
int counters_init(struct counters *c, const struct kernel_ops *ops, struct event_list *events,
		  size_t ring_bytes, struct ptui_error *err);
/*
 * Before the first is opened: each thread gets one counter an event, which goes with it from CPU to
 * CPU, and a ring of its own (if there are rings: what is inherited finds no place in one).
 */
void counters_follow_tasks(struct counters *c);
/* The same: on these CPUs only (copied). 0 or -ENOMEM. */
int counters_use_cpus(struct counters *c, const int *cpus, size_t n);
/* Closes and unmaps all, and puts the limit of fds back. A zeroed set is fine. */
void counters_release(struct counters *c);

/*
 * The same; but the kernel takes some ten milliseconds for each tracepoint that is closed: many of
 * them are closed in a thread that nobody waits for. `ops` must stay.
 */
void counters_release_aside(struct counters *c);

/*
 * The same, for a program that is about to end: many of them, or tracepoints, are left to a child
 * process that ends by itself, so that nobody who waits for the program waits for them.
 */
void counters_release_behind(struct counters *c);

/* The size perf gives a user's ring: what perf_event_mlock_kb grants, a power of two. */
size_t counters_default_ring_bytes(const struct kernel_ops *ops);

/* So many threads are going to be opened: lets a refusal say how many fds that needs. */
void counters_expect(struct counters *c, size_t n_threads);

/*
 * Opens every event on every CPU for thread `tid` (-1: all threads), sideband first, and maps
 * its rings. Where the kernel refuses, the fallbacks of event_open.h are tried first, then the
 * limit of fds is raised, then it is told why (diagnose.h). -ESRCH, with nothing in err: the
 * thread is gone, the set is as it was.
 */
int counters_open(struct counters *c, pid_t tid, struct ptui_error *err);

/*
 * Closes the counters of `tid` but for the sideband's, and opens them anew: what its children have
 * inherited of them meanwhile is gone with them. As counters_open().
 */
int counters_reopen(struct counters *c, pid_t tid, struct ptui_error *err);

/* Logs what is measured, and as PTUI_LOG_WARN what differs from what was asked for. */
void counters_tell(struct counters *c);

/* Event by event; the sideband's state is left alone (it is on from the start). */
int counters_enable(struct counters *c);
int counters_disable(struct counters *c);
int counters_switch(struct counters *c, uint32_t event, bool on); /* one event */

/* Keeps the kernel from writing into the overwritable rings, or lets it go on. The first error. */
int counters_pause_back(struct counters *c, bool paused);
bool counters_have_back(const struct counters *c);

/* ---- waiting ---- */

/*
 * One entry a ring, for poll(): fds[i] is for rings[i], fd -1 when all its counters are gone.
 * After poll, counters_polled() looks at the same entries: a counter whose task has ended
 * (POLLHUP) is replaced by the ring's next one. Returns false when no ring has one left.
 */
void counters_fill_poll(const struct counters *c, struct pollfd *fds);
bool counters_polled(struct counters *c, const struct pollfd *fds);

/* ---- reading ---- */

struct counter_value {
	uint64_t value;
	uint64_t enabled_ns, running_ns; /* 0 when the event does not ask for them */
	uint64_t lost;			 /* samples, by PERF_FORMAT_LOST; else 0 */
};

/* Of counter v[index]. 0 or a negative errno. */
int counters_read(const struct counters *c, size_t index, struct counter_value *ret);

/* Of one event, over all its counters; those that cannot be read are left out. */
struct counter_sum {
	uint64_t value, enabled_ns, running_ns, lost;
	uint64_t scaled; /* a thread or, without one, a CPU at a time: value * enabled / running */
	size_t n_failed; /* pinned counters that the kernel could not keep on: their error state */
};
void counters_sum(const struct counters *c, uint32_t event, struct counter_sum *ret);

/* Ids of one event's counters, in the order of opening. Returns how many; at most `max` stored. */
size_t counters_ids(const struct counters *c, uint32_t event, uint64_t *ids, size_t max);

#endif
