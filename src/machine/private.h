/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internals of struct machine, for the files of this room only.
 *
 *   events --sort by (when, seq)--> position in that order = "ord", the age
 *
 *   procs: pid -> spaces[]    space 0 is the kernel's
 *   space: nodes[0 .. n), sorted by start, read as a balanced tree:
 *
 *              the middle one is the root;  max_end: of the subtree
 *            [ left half ] mid [ right half ]
 *
 *   If a space has no map for an address, `parent` is looked up, with only the nodes older than
 *   `parent_ord`: the parent as of the fork.
 *
 *   Between two seals, new nodes follow the sorted ones; a seal merges them in the spaces that have
 *   some.
 */
#ifndef MACHINE_PRIVATE_H
#define MACHINE_PRIVATE_H

#include "machine/machine.h"

enum event_kind {
	EVENT_MAP,
	EVENT_UNMAP_KSYMBOL,
	EVENT_COMM,
	EVENT_EXEC, /* also a COMM */
	EVENT_FORK,
	EVENT_EXIT, /* only if ends are tracked */
};

struct timed_event {
	uint64_t when, seq;
	uint64_t start, end, pgoff;
	uint32_t added; /* sequence number of machine_add(): the last tie breaker */
	uint8_t kind;	/* enum event_kind */
	bool no_maps;	/* synthesized FORK: maps have their own records */
	int32_t pid, tid, ppid, ptid;
	uint32_t module, prot;
	uint32_t comm;
};

struct map_node {
	struct machine_map map; /* first member: machine_find_place() converts back from it */
	uint64_t gone;		/* time it was unregistered; UINT64_MAX: never */
	uint64_t max_end;	/* of the subtree */
	uint32_t ord;
};

struct space {
	uint64_t begin; /* when */
	uint32_t parent, parent_ord;
	uint32_t proc;
	struct map_node *nodes;
	size_t n, cap;
	size_t n_sorted;     /* of n; the rest is new since the last seal */
	size_t n_pruned;     /* n after the last space_prune() */
	uint32_t n_children; /* spaces that fall back to this one */
	bool dropped;	     /* dropped, but children may fall back to it */
	bool crowded;	     /* in machine.crowded */
};

struct proc {
	int32_t pid;
	uint32_t *spaces; /* by age, the newest last */
	size_t n, cap;
	bool counted;	 /* its begin was seen, so its number of tasks is known */
	int32_t n_tasks; /* living tasks */
	uint64_t ended;	 /* UINT64_MAX: not ended, as far as known */
};

struct comm_span {
	uint64_t when; /* start of its validity */
	uint32_t comm;
	bool named; /* false: comm is ":TID" until a COMM arrives */
};

struct thread {
	int32_t tid;
	struct comm_span *spans; /* by age */
	size_t n, cap;
	uint64_t untimed_seq; /* of its last name without a time */
	bool dropped;	      /* ended and dropped */
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
	uint32_t n_sealed;    /* events sealed so far, and the ord of the next one */
	uint64_t known_until; /* everything up to here is sealed */
	bool sealed;	      /* at least once */
	struct listed_build_id *listed;
	size_t n_listed, cap_listed;

	struct module_ref *modules;
	size_t n_modules, cap_modules;
	struct index_table module_index;

	struct space *spaces;
	size_t n_spaces, cap_spaces;
	uint32_t *touched; /* spaces with unsorted nodes */
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
	uint32_t *ended; /* processes, by time of their end */
	size_t n_ended, cap_ended;
	struct ended_thread {
		uint32_t thread;
		uint64_t when;
	} * ended_threads; /* the same for threads */
	size_t n_ended_threads, cap_ended_threads;
	uint32_t *free_spaces; /* ids to be reused */
	size_t n_free_spaces, cap_free_spaces;
	uint32_t *with_former; /* processes with more than one space */
	size_t n_with_former, cap_with_former;
	uint32_t *crowded; /* spaces with many new maps since they were last pruned */
	size_t n_crowded, cap_crowded;
	uint64_t dropped_before; /* no lookups before this time */
};

#define KERNEL_SPACE 0u

/* module.c */
uint32_t module_of_map(struct machine *m, const struct data_mmap *map, bool kernel);
uint32_t module_of_ksymbol(struct machine *m, const char *name);
bool module_is_kernel(const struct machine *m, uint32_t module); /* the kernel itself, not one of
								    its modules */
int modules_merge(struct machine *m);

/* Rebuild the hash tables from the arrays. 0 or -ENOMEM. */
int modules_index(struct machine *m);
int procs_index(struct machine *m);
int threads_index(struct machine *m);

/* spaces.c, comms.c: apply the first n events, which are sorted */
int spaces_build(struct machine *m, size_t n);
int comms_build(struct machine *m, size_t n);
/* drop.c: a process begins, a process loses a task, a thread ends */
void proc_begins(struct proc *p, bool counted);
int proc_loses_task(struct machine *m, uint32_t proc, uint64_t when);
int thread_ends(struct machine *m, uint32_t thread, uint64_t when);
/* prune.c: drops the maps that are hidden from `when` on; all are sorted. 0 or -ENOMEM. */
int space_prune(struct machine *m, uint32_t id, uint64_t when);
void space_fill_ends(struct space *s);
const struct proc *proc_find(const struct machine *m, int32_t pid);
/* The number of its spaces begun at `when`; the last of those is the current one. */
uint32_t spaces_begun(const struct machine *m, const struct proc *p, uint64_t when);

#endif
