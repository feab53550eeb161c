/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What samples have besides the columns of the sample table: weights, latencies, page sizes, control
 * groups, the text of tracepoints, branches, memory accesses. Only what sort keys ask for is kept
 * (PTUI_EXTRA_...), and equal values once:
 *
 *	sample i --extra_of[i]--> struct extra
 */
#ifndef PROFILE_EXTRAS_H
#define PROFILE_EXTRAS_H

#include "base/hash.h"
#include "ptui/types.h"

struct extra {
	uint64_t weight, code_page, cgroup;
	uint64_t data_src, data_addr, phys_addr, data_page;
	uint64_t transaction;
	uint64_t ip;	    /* in its process */
	uint64_t map_bytes; /* size of the map that the sample is in; 0: unknown */
	uint64_t cgroup_dev, cgroup_inode;
	uint32_t latency,
		stage;	      /* of the instruction; of the pipeline stage, or until it retired */
	uint32_t trace;	      /* strpool id; PTUI_NONE: not a tracepoint */
	uint32_t cgroup_name; /* strpool id; PTUI_NONE: unknown */
	uint32_t from_frame;  /* source of a branch; PTUI_NONE: none */
	uint32_t branch;      /* EXTRA_BRANCH_... and cycles */
	uint32_t data_frame;  /* of data_addr; PTUI_NONE: none */
	uint32_t data_pid;    /* if the data is anonymous memory */
	uint32_t data_shared; /* 1: in a shared map of a file, without code */
	uint32_t ip_frame;    /* of ip; PTUI_NONE: none */
	uint32_t fields;      /* of a tracepoint: place in trace_values.tuples; 0: none */
	uint32_t history;     /* place in ptui_profile.history; 0: none */
	uint32_t zero;	      /* so that there is no gap at the end */
	uint32_t running;     /* tasks that ran at that time, at least 1; 0: unknown */
};

enum {
	EXTRA_BRANCH_MISPREDICTED = 1 << 0,
	EXTRA_BRANCH_PREDICTED = 1 << 1,
	EXTRA_BRANCH_IN_TX = 1 << 2,
	EXTRA_BRANCH_ABORT = 1 << 3,
	EXTRA_CYCLES_SHIFT = 4, /* 16 bits */
};

/*
 * Of branches that are part of a callchain: two words for each position, from the innermost one on.
 *
 *	target   flags                                  BRANCH_... of its type
 *	source   flags, cycles since the branch before  iterations that are left out after it, and
 *	                                                the cycles of the last of these
 */
#define BRANCH_POSITION_WORDS  2
#define BRANCH_CYCLES_SHIFT    4  /* 16 bits */
#define BRANCH_RUN_CYCLES_BITS 24 /* the number of iterations is above */

enum {
	BRANCH_WAS_PREDICTED = 1 << 0,
	BRANCH_WAS_ABORTED = 1 << 1,
	BRANCH_IS_TARGET = 1 << 2,
	/* types */
	BRANCH_COND_FORWARD = 1 << 0,
	BRANCH_COND_BACK = 1 << 1,
	BRANCH_CROSS_4K = 1 << 2,
	BRANCH_CROSS_2M = 1 << 3,
};

#define BRANCH_TYPE(type) (1u << (4 + (type))) /* PERF_BR_..., below 16 */

static inline uint32_t extra_cycles(uint32_t branch)
{
	return branch >> EXTRA_CYCLES_SHIFT & 0xffff;
}

#define EXTRA_NONE                                                                     \
	{                                                                              \
		.trace = PTUI_NONE, .cgroup_name = PTUI_NONE, .from_frame = PTUI_NONE, \
		.data_frame = PTUI_NONE                                                \
	}

struct extras {
	struct extra *v;
	size_t n, cap;
	struct index_table index;
	bool failed; /* out of memory */
};

void extras_release(struct extras *t); /* accepts a zeroed one */
/* The number of these values; 0 with t->failed set: out of memory. */
uint32_t extras_add(struct extras *t, const struct extra *e);
/* These values without those that are not in `keep`, a mask of PTUI_EXTRA_... */
struct extra extra_masked(const struct extra *e, unsigned keep);

/*
 * Fields of tracepoints, as keys: each value of a field once, and each combination of values once.
 *
 *	extra.fields --> tuples: [ n | value ... ] --> v --> its text
 */
struct trace_key {
	uint32_t event;
	uint32_t name;	/* strpool id */
	uint32_t bytes; /* as declared */
	bool text, common;
	bool loaded; /* the samples' values are known; else only its name */
};

struct trace_value {
	uint32_t field;	 /* in `fields` */
	uint32_t bytes;	 /* strpool id: in hexadecimal, so that their order is that of the text */
	uint32_t shown;	 /* strpool ids: its text in the payload's text, */
	uint32_t raw;	 /* and by itself */
	uint32_t length; /* of a dynamic field; else 0 */
};

/* Lists of numbers, each once: [ n | number ... ] at a place; at 0 the empty list. */
struct tuples {
	uint32_t *v;
	size_t n, cap;
	struct index_table index; /* of the places */
	bool failed;		  /* out of memory */
};

struct trace_values {
	struct trace_key *fields; /* those of an event are neighbours */
	size_t n_fields, cap_fields;
	struct trace_value *v;
	size_t n, cap;
	struct index_table index; /* of `v`, by field and bytes */
	struct tuples tuples;
};

void tuples_release(struct tuples *t); /* accepts a zeroed one */
/* A copy to be read. 0, or -ENOMEM with *ret to be released. */
int tuples_copy(const struct tuples *t, struct tuples *ret);
/* The place of the list; 0 with t->failed set: out of memory. */
uint32_t tuples_add(struct tuples *t, const uint32_t *v, uint32_t n);
void trace_values_release(struct trace_values *t);
/* A copy to be read. 0, or -ENOMEM with *ret to be released. */
int trace_values_copy(const struct trace_values *t, struct trace_values *ret);
/* The number of a known value; PTUI_NONE: none. */
uint32_t trace_values_find(const struct trace_values *t, uint32_t field, uint32_t bytes);
/* Returns the number of a new one; PTUI_NONE: out of memory. */
uint32_t trace_values_add(struct trace_values *t, const struct trace_value *value);
/* The value of a field in a tuple; PTUI_NONE: it has none. */
uint32_t trace_values_of(const struct trace_values *t, uint32_t tuple, uint32_t field);

/*
 * Blocks: code between two taken branches of a branch stack, and the cycles that it took.
 *
 *	branch stack, newest first:  f->t  e->s  c->r
 *	blocks:                      s..f  r..e  ?..c     from the target of a branch to the next branch
 *
 *	list --row--> sample table
 *	     --first--> runs --block--> the two frames, each pair once
 *
 * Only kept if they are asked for (ptui_load_opts.cycles): there is a run per branch.
 */
struct block {
	uint32_t start; /* frame; PTUI_NONE: unknown */
	uint32_t end;	/* frame of the branch */
};

struct block_run {
	uint32_t block;
	uint16_t cycles; /* since the branch before; 0: not measured */
};

/* The runs of a sample end where those of the next one begin. */
struct block_list {
	uint32_t row;
	size_t first;
};

/* Zero-initialized. */
struct blocks {
	struct block *v;
	size_t n, cap;
	struct block_run *runs;
	size_t n_runs, cap_runs;
	struct block_list *lists;
	size_t n_lists, cap_lists;
	struct index_table index; /* of `v` */
};

void blocks_release(struct blocks *b);
/* A copy to be read; accepts a zeroed one. 0, or -ENOMEM with *ret to be released. */
int blocks_copy(const struct blocks *b, struct blocks *ret);
/* The next runs are of this row. 0 or -ENOMEM. */
int blocks_begin(struct blocks *b, uint32_t row);
int blocks_add(struct blocks *b, uint32_t start, uint32_t end, uint16_t cycles);

#endif
