/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind struct machine, for the files of this room only.
 *
 *   events --sort by (when, seq)--> place in that order = "ord", the age of everything
 *
 *   procs: pid -> spaces[]    space 0 is the kernel's
 *   space: nodes[first .. first + n), sorted by start, read as a balanced tree:
 *
 *              the middle one is the root;  max_end: over the subtree
 *            [ left half ] mid [ right half ]
 *
 *   A space without an answer asks `parent`, which then counts only nodes older than
 *   `parent_ord`: that is the parent as it was at the fork.
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
};

struct event {
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
	uint32_t space;
};

struct space {
	uint64_t begin; /* when */
	uint32_t parent, parent_ord;
	uint32_t proc;
	uint32_t first, n; /* nodes */
};

struct proc {
	int32_t pid;
	uint32_t last;	   /* while building: its newest space */
	uint32_t first, n; /* in space_order[] */
};

struct comm_span {
	uint64_t when; /* from here on */
	uint32_t comm; /* PTUI_NONE: not known */
	uint32_t thread;
};

struct thread {
	int32_t tid;
	uint32_t last;	   /* while building: its newest span */
	uint32_t first, n; /* in spans[] */
};

struct told_build_id {
	uint32_t path;
	uint8_t bytes;
	uint8_t id[DATA_BUILD_ID_MAX];
};

struct machine {
	struct strpool *names;

	struct event *events;
	size_t n_events, cap_events;
	struct told_build_id *told;
	size_t n_told, cap_told;

	struct module_ref *modules;
	size_t n_modules, cap_modules;
	struct index_table module_index;

	struct map_node *nodes;
	size_t n_nodes, cap_nodes;
	struct space *spaces;
	size_t n_spaces, cap_spaces;
	uint32_t *space_order; /* space ids by proc, then by age */
	struct proc *procs;
	size_t n_procs, cap_procs;
	struct index_table proc_index;

	struct comm_span *spans;
	size_t n_spans, cap_spans;
	struct thread *threads;
	size_t n_threads, cap_threads;
	struct index_table thread_index;
	uint32_t swapper; /* strpool id */
};

#define KERNEL_SPACE 0u

/* module.c */
uint32_t module_of_map(struct machine *m, const struct data_mmap *map, bool kernel);
uint32_t module_of_ksymbol(struct machine *m, const char *name);
bool module_is_kernel(const struct machine *m, uint32_t module); /* itself, not a module of it */
int modules_merge(struct machine *m);

/* spaces.c, comms.c: events are sorted when these are called */
int spaces_build(struct machine *m);
int comms_build(struct machine *m);
const struct proc *proc_find(const struct machine *m, int32_t pid);
/* How many of its spaces have begun: the last of those is the one that counts. */
uint32_t spaces_begun(const struct machine *m, const struct proc *p, uint64_t when);

#endif
