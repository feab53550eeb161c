/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of a recording and their maps, for perf report --tasks and --mmaps. As in perf, a thread
 * keeps its last name, its first parent, and all maps that no later one covers, also after its end;
 * a thread id that is used again is one thread.
 */
#ifndef MACHINE_TASK_LIST_H
#define MACHINE_TASK_LIST_H

#include <stdbool.h>
#include "base/hash.h"
#include "base/strpool.h"
#include "data/data.h"

struct task_map {
	uint64_t start, end, pgoff, ino;
	uint32_t prot, flags;
	uint32_t name; /* of the list's names */
};

/* The maps of a process, in the order of their addresses. */
struct task_space {
	struct task_map *maps;
	size_t n, cap;
};

struct task {
	int32_t pid, tid;
	int32_t ppid;	/* thread id of the parent; -1: unknown */
	uint32_t comm;	/* of the list's names; PTUI_NONE: unknown */
	uint32_t space; /* of the list's spaces */
};

struct task_list {
	struct strpool names;
	struct task *tasks;
	size_t n, cap;
	struct index_table index; /* by thread id */
	struct task_space *spaces;
	size_t n_spaces, cap_spaces;
	bool maps; /* keep them */
};

/* 0 or -ENOMEM; to be released in either case. It has the idle task. */
int task_list_init(struct task_list *l, bool maps);
void task_list_release(struct task_list *l);
/* Adds a record, in the order of their times. 0 or -ENOMEM. */
int task_list_add(struct task_list *l, const struct data_record *rec);

/*
 * Calls `fn` for each thread in perf's order: parents before their children, which are one level
 * deeper. 0, -ENOMEM, or what `fn` returned.
 */
int task_list_walk(const struct task_list *l,
		   int (*fn)(void *ctx, const struct task *task, unsigned level), void *ctx);

#endif
