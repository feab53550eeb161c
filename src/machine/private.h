/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind struct machine, for the files of this room only.
 *
 *   events --sort by (when, seq)--> place in that order = "ord", the age of everything
 *
 *   procs: pid -> spaces[]    space 0 is the kernel's
 *   space: nodes[0 .. n), sorted by start, read as a balanced tree:
 *
 *              the middle one is the root;  max_end: over the subtree
 *            [ left half ] mid [ right half ]
 *
 *   A space without an answer asks `parent`, which then counts only nodes older than
 *   `parent_ord`: that is the parent as it was at the fork.
 *
 *   Between two seals new nodes stand behind the sorted ones; a seal merges them in, in the
 *   spaces that got some, and leaves the others alone.
 */
#ifndef MACHINE_PRIVATE_H
#define MACHINE_PRIVATE_H

#include "machine/machine.h"

enum event_kind {
	EVENT_MAP,
	EVENT_UNMAP_KSYMBOL,
	EVENT_COMM,
	EVENT_EXEC, /* a COMM as well */
	EVENT_FORK,
	EVENT_EXIT, /* only where ends are tracked */
};

struct timed_event {
	uint64_t when, seq;
	uint64_t start, end, pgoff;
	uint32_t added; /* place in the order of machine_add(): the last tie breaker */
	uint8_t kind;	/* enum event_kind */
	bool no_maps;	/* FORK that was synthesized: maps are told separately */
	int32_t pid, tid, ppid, ptid;
	uint32_t module, prot;
	uint32_t comm;
};

struct map_node {
	struct machine_map map;
	uint64_t gone;	  /* `when` it was unregistered; UINT64_MAX: never */
	uint64_t max_end; /* in the subtree */
	uint32_t ord;
};

struct space {
	uint64_t begin; /* when */
	uint32_t parent, parent_ord;
	uint32_t proc;
	struct map_node *nodes;
	size_t n, cap;
	size_t n_sorted;     /* of n; the rest came since the last seal */
	size_t n_pruned;     /* what was left when covered maps last left */
	uint32_t n_children; /* spaces that fall back to this one */
	bool dropped;	     /* its process has ended, or has exec'ed, and this was forgotten */
	bool crowded;	     /* stands in the machine's list of such */
};

struct proc {
	int32_t pid;
	uint32_t *spaces; /* by age: the last is its newest */
	size_t n, cap;
	bool counted;	 /* it was seen to begin: so its threads are known, and its end */
	int32_t n_tasks; /* of it that live */
	uint64_t ended;	 /* UINT64_MAX: it lives, as far as is known */
};

struct comm_span {
	uint64_t when; /* from here on */
	uint32_t comm;
	bool named; /* else comm is ":TID", until a COMM tells better */
};

struct thread {
	int32_t tid;
	struct comm_span *spans; /* by age */
	size_t n, cap;
	bool dropped; /* it has ended, and this was forgotten */
};

struct listed_build_id {
	uint32_t path;
	uint8_t bytes;
	uint8_t id[DATA_BUILD_ID_MAX];
};

struct machine {
	struct strpool *names;

	struct timed_event *events; /* not sealed yet */
	size_t n_events, cap_events;
	uint32_t n_sealed;    /* sealed so far: the next one's ord */
	uint64_t known_until; /* all that was up to then is sealed */
	bool sealed;	      /* once at least */
	struct listed_build_id *listed;
	size_t n_listed, cap_listed;

	struct module_ref *modules;
	size_t n_modules, cap_modules;
	struct index_table module_index;

	struct space *spaces;
	size_t n_spaces, cap_spaces;
	uint32_t *touched; /* spaces with nodes that are not sorted in */
	size_t n_touched, cap_touched;
	struct proc *procs;
	size_t n_procs, cap_procs;
	struct index_table proc_index;

	struct thread *threads;
	size_t n_threads, cap_threads;
	struct index_table thread_index;
	uint32_t swapper; /* strpool id */

	/* machine_track_ends() */
	bool track_ends;
	uint32_t *ended; /* processes, by the time of their end */
	size_t n_ended, cap_ended;
	struct ended_thread {
		uint32_t thread;
		uint64_t when;
	} * ended_threads; /* the same of threads */
	size_t n_ended_threads, cap_ended_threads;
	uint32_t *free_spaces; /* to be used again */
	size_t n_free_spaces, cap_free_spaces;
	uint32_t *with_former; /* processes that have begun a space behind another one */
	size_t n_with_former, cap_with_former;
	uint32_t *crowded; /* spaces that have got many maps since they were last pruned */
	size_t n_crowded, cap_crowded;
	uint64_t dropped_before; /* nothing is asked of the time before */
};

#define KERNEL_SPACE 0u

/* module.c */
uint32_t module_of_map(struct machine *m, const struct data_mmap *map, bool kernel);
uint32_t module_of_ksymbol(struct machine *m, const char *name);
bool module_is_kernel(const struct machine *m, uint32_t module); /* itself, not a module of it */
int modules_merge(struct machine *m);

/* Rebuild the hash tables from the arrays. 0 or -ENOMEM. */
int modules_index(struct machine *m);
int procs_index(struct machine *m);
int threads_index(struct machine *m);

/* spaces.c, comms.c: take in the first n of the events, which are sorted */
int spaces_build(struct machine *m, size_t n);
int comms_build(struct machine *m, size_t n);
/* forget.c: a process begins, gets a thread, loses one */
void proc_begins(struct proc *p, bool counted);
int proc_loses_task(struct machine *m, uint32_t proc, uint64_t when);
int thread_ends(struct machine *m, uint32_t thread, uint64_t when);
/* prune.c: maps that nobody sees from `when` on leave; all of them are sorted. 0 or -ENOMEM. */
int space_prune(struct machine *m, uint32_t id, uint64_t when);
void space_fill_ends(struct space *s);
const struct proc *proc_find(const struct machine *m, int32_t pid);
/* How many of its spaces have begun: the last of those is the one that counts. */
uint32_t spaces_begun(const struct machine *m, const struct proc *p, uint64_t when);

#endif
