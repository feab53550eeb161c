/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --affinity: before the recorder thread drains a ring buffer, it moves to the CPU or node of the
 * ring's memory, if its CPU mask allows that. If the kernel refuses, it stays where it is.
 */
#ifndef RECORD_AFFINITY_H
#define RECORD_AFFINITY_H

#include <sched.h>
#include "base/file.h"
#include "ptui/record.h"

struct affinity {
	enum ptui_record_affinity mode;
	const struct roots *roots;
	int cpu;	/* of the ring drained last; -1: none yet */
	cpu_set_t *now; /* current CPU mask of the thread; NULL: not set by us */
	cpu_set_t *next;
	size_t bytes; /* of one CPU mask */
	int n_cpus;
};

/* 0 or -ENOMEM. With PTUI_AFFINITY_SYS it allocates nothing and affinity_move() does nothing. */
int affinity_init(struct affinity *a, enum ptui_record_affinity mode, const struct roots *roots);
void affinity_release(struct affinity *a);
/* Moves the calling thread to `cpu`, or to its node. */
void affinity_move(struct affinity *a, int cpu);

#endif
