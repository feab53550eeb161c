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
 *
 * In a table of merged samples, a row has those that are equal in event, comm, frame, stack and how,
 * and if asked for in thread and cpu:
 *
 *   time_ns  | period | comm | frame | event | count | (thread) | (cpu) | (stack) | (how)
 *   ---------+--------+------+-------+-------+-------+----------+-------+---------+------
 *   u64: of    u64      u32    u32     u16     u32     u32        u32     u32       u8
 *   the first                                                                 30 to 43 bytes per row
 *
 * With stacks, it has the thread of its first sample, if not of all. Two rows may be equal.
 *
 * A column that a table lacks is NULL.
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
	STACK_ASKS =
		0x40, /* whether STACK_SKIPS applies is found out when all merged rows are there */
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

#define THREAD_TIDS (1 << 22)

struct thread_id {
	int32_t pid;
	int32_t tid;	    /* of the thread of a guest machine: plus a multiple of THREAD_TIDS */
	uint32_t last_comm; /* its last name, strpool id; PTUI_NONE: that of its last sample */
};

/* Its own id, in its machine. */
static inline int32_t thread_tid(const struct thread_id *t)
{
	return t->tid < 0 ? t->tid : t->tid % THREAD_TIDS;
}

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
	uint32_t *count; /* of samples; NULL: each row is one */

	struct thread_id *threads;
	size_t n_threads, cap_threads;
	uint32_t last_thread; /* that was asked for: often the next one as well */
	struct index_table thread_index;
};

void samples_init(struct samples *t);
void samples_release(struct samples *t); /* frees the threads */
/* Dense index of a thread; PTUI_NONE: out of memory. */
uint32_t samples_thread(struct samples *t, int32_t pid, int32_t tid);

static inline uint32_t samples_stack(const struct samples *t, size_t i)
{
	return t->stack ? t->stack[i] : PTUI_NONE;
}

static inline uint64_t samples_count(const struct samples *t, size_t i)
{
	return t->count ? t->count[i] : 1;
}

/*
 * A row of merged samples while samples are added: all that a sample changes is in one cache line. It
 * moves into the columns afterwards.
 */
struct merged_row {
	uint64_t time_ns, period;
	uint32_t frame, comm, stack, thread, cpu, count;
	uint32_t next; /* 1 + the row that was added before to its list; 0: none */
	uint16_t event;
	uint8_t how;
};
_Static_assert(sizeof(struct merged_row) == 48, "one or two cache lines a sample");

#define MERGED_BATCH 32u

/* By stack or frame: 1 + its newest row, which begins a list; 0: there is none. */
struct merged_lists {
	uint32_t *newest;
	size_t cap;
};

/* Zero-initialized, but for the keys. */
struct merged_rows {
	bool by_thread, by_cpu;
	struct merged_row *v;
	size_t n, cap;
	struct merged_lists stacks;
	struct merged_lists frames; /* of rows without a stack, unless by_thread or by_cpu */
	struct index_table others;  /* rows without a list, or after the first few of one */
	struct sample_row
		waiting[MERGED_BATCH]; /* until what they look at is loaded from memory, */
	uint32_t counts[MERGED_BATCH]; /* and how many samples each is */
	size_t n_waiting;
	bool last;	 /* merged_rows_begin_last() was called, */
	size_t n_stacks; /* with that; see there */
};

void merged_rows_release(struct merged_rows *m);
/* Makes room for n rows, with as many stacks, as far as there is memory. */
void merged_rows_reserve(struct merged_rows *m, size_t n, size_t stacks);
/* The row of `count` samples. 0 or -ENOMEM. */
int merged_rows_add(struct merged_rows *m, const struct sample_row *row, uint32_t count);
/* The same for `n` rows, MERGED_BATCH at most; `counts` NULL: each is one sample. */
int merged_rows_add_batch(struct merged_rows *m, const struct sample_row *rows,
			  const uint32_t *counts, size_t n);
/*
 * No two of the rows that come after this are to be merged, and those before have stacks below `n_stacks` only.
 * 0 or -ENOMEM.
 */
int merged_rows_begin_last(struct merged_rows *m, size_t n_stacks);
/* To be called after the last one; frees what only finds rows. 0 or -ENOMEM. */
int merged_rows_end(struct merged_rows *m);

/* Such a row as a sample. */
static inline struct sample_row merged_row_sample(const struct merged_row *m)
{
	return (struct sample_row){ .time_ns = m->time_ns,
				    .period = m->period,
				    .thread = m->thread,
				    .comm = m->comm,
				    .frame = m->frame,
				    .stack = m->stack,
				    .cpu = m->cpu,
				    .event = m->event,
				    .how = m->how };
}

/* Rebuilds the index of threads[]. 0 or -ENOMEM. */
int samples_threads_index(struct samples *t);

#endif
