/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sample table: one row per sample, stored as columns, so that another sort key or filter is a
 * pass over a few arrays instead of reading the file again.
 *
 *   time_ns  | period | thread | comm | frame | stack | cpu | event
 *   ---------+--------+--------+------+-------+-------+-----+------
 *   u64        u64      u32      u32    u32     u32     u32   u16        44 bytes per sample
 *
 * `frame` is the sample's own address, `stack` the innermost node of its callchain in the stack
 * table (PTUI_NONE: none).
 */
#ifndef PROFILE_SAMPLES_H
#define PROFILE_SAMPLES_H

#include "base/hash.h"
#include "ptui/types.h"

struct sample_row {
	uint64_t time_ns;
	uint64_t period;
	uint32_t thread; /* index, see samples_thread() */
	uint32_t comm;	 /* strpool id */
	uint32_t frame;
	uint32_t stack;
	uint32_t cpu; /* PTUI_NONE: not recorded */
	uint16_t event;
};

struct thread_id {
	int32_t pid, tid;
	uint32_t last_comm; /* its last name, strpool id; PTUI_NONE: that of its last sample */
};

struct samples {
	size_t n, cap; /* rows; the columns belong to a store */
	uint64_t *time_ns;
	uint64_t *period;
	uint32_t *thread;
	uint32_t *comm;
	uint32_t *frame;
	uint32_t *stack;
	uint32_t *cpu;
	uint16_t *event;

	struct thread_id *threads;
	size_t n_threads, cap_threads;
	struct index_table thread_index;
};

void samples_init(struct samples *t);
void samples_release(struct samples *t); /* frees the threads */
/* Dense index of a thread; PTUI_NONE: out of memory. */
uint32_t samples_thread(struct samples *t, int32_t pid, int32_t tid);

/* Rebuilds the index of threads[]. 0 or -ENOMEM. */
int samples_threads_index(struct samples *t);

#endif
