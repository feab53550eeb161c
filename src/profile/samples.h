/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sample table: one row per sample, stored as columns, so that another sort key or filter is a
 * pass over a few arrays instead of reading the file again.
 *
 *   time_ns  | period | thread | comm | frame | stack | cpu | event | how
 *   ---------+--------+--------+------+-------+-------+-----+-------+----
 *   u64        u64      u32      u32    u32     u32     u32   u16     u8      39 bytes per sample
 *
 * `frame` is the sample's own address, `stack` the innermost node of its callchain in the stack
 * table (PTUI_NONE: none).
 */
#ifndef PROFILE_SAMPLES_H
#define PROFILE_SAMPLES_H

#include "base/hash.h"
#include "ptui/types.h"

/* Source of the user part of a stack, and why it ends where it does. */
enum stack_how {
	STACK_RECORDED, /* recorded callchain: whether it is complete depends on its outermost frame */
	STACK_REACHED,	   /* unwound up to a function without a caller */
	STACK_CUT,	   /* unwound up to the maximum number of frames */
	STACK_TRUNCATED,   /* the copy of the stack ends before the next frame */
	STACK_OTHER,	   /* the next frame is on another stack than the one that was copied */
	STACK_BROKEN,	   /* the caller of the outermost frame cannot be found */
	STACK_NOT_UNWOUND, /* copy of the stack that cannot be unwound */
	STACK_LOST,	   /* the record with the deferred part is missing */
	STACK_LATE,	   /* was to be unwound while recording, and there was no time */
	STACK_HOWS,
	STACK_HOW_MASK = 0x0f,
	STACK_GUESSED = 0x10, /* has a caller that was found by frame pointer only */
	STACK_SKIPS = 0x20,   /* the caller of the innermost user function is missing */
};

struct sample_row {
	uint64_t time_ns;
	uint64_t period;
	uint32_t thread; /* index, see samples_thread() */
	uint32_t comm;	 /* strpool id */
	uint32_t frame;
	uint32_t stack;
	uint32_t cpu; /* PTUI_NONE: not recorded */
	uint16_t event;
	uint8_t how; /* enum stack_how, and flags */
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
	uint8_t *how;

	struct thread_id *threads;
	size_t n_threads, cap_threads;
	uint32_t last_thread; /* that was asked for: often the next one as well */
	struct index_table thread_index;
};

void samples_init(struct samples *t);
void samples_release(struct samples *t); /* frees the threads */
/* Dense index of a thread; PTUI_NONE: out of memory. */
uint32_t samples_thread(struct samples *t, int32_t pid, int32_t tid);

/* Rebuilds the index of threads[]. 0 or -ENOMEM. */
int samples_threads_index(struct samples *t);

#endif
