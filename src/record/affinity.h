/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --affinity: before the recorder's thread empties a ring it moves to where the ring's memory is.
 * It goes where it is allowed to only; a move that the kernel refuses is none.
 */
#ifndef RECORD_AFFINITY_H
#define RECORD_AFFINITY_H

#include <sched.h>
#include "base/file.h"
#include "ptui/record.h"

struct affinity {
	enum ptui_record_affinity mode;
	const struct roots *roots;
	int cpu;	/* whose ring was emptied last; -1: none yet */
	cpu_set_t *now; /* where the thread is bound to; NULL: not by us */
	cpu_set_t *next;
	size_t bytes; /* of a set */
	int n_cpus;
};

/* 0 or -ENOMEM. PTUI_AFFINITY_SYS takes nothing and does nothing. */
int affinity_init(struct affinity *a, enum ptui_record_affinity mode, const struct roots *roots);
void affinity_release(struct affinity *a);
/* The calling thread to the ring of `cpu`, or to its node. */
void affinity_move(struct affinity *a, int cpu);

#endif
