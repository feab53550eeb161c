/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a living process has mapped, for the unwinder: tables of its files, opened when they are met. */
#ifndef TESTS_UNIT_UNWIND_PROCESS_H
#define TESTS_UNIT_UNWIND_PROCESS_H

#include <sys/types.h>
#include "unwind/unwind.h"

struct process_map {
	uint64_t start, end, bias;
	char path[256];
	struct unwind_table *table; /* NULL: no CFI */
	bool owner;		    /* of the table: the first map of a file */
};

struct process {
	struct process_map *v;
	size_t n, cap;
};

/* Of executable code only. The maps of a process; again after it has mapped something. */
void process_read(struct process *p, pid_t pid);
void process_release(struct process *p);
/* For unwinder_new(). */
bool process_find(void *process, uint64_t addr, struct unwind_place *ret);

#endif
