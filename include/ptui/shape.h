/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in each sample, and what is told besides samples: the options of a recording that
 * shape the events themselves. Plain values, to be copied; all zeros are perf's defaults.
 */
#ifndef PTUI_SHAPE_H
#define PTUI_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ptui/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An option that can be said, taken back, or left to what else was said. */
enum ptui_said {
	PTUI_SAID_NOTHING,
	PTUI_SAID_YES,
	PTUI_SAID_NO,
};

enum ptui_callgraph {
	PTUI_CALLGRAPH_NONE,
	PTUI_CALLGRAPH_FP,    /* by frame pointers, walked by the kernel */
	PTUI_CALLGRAPH_DWARF, /* registers and a piece of the stack, unwound when it is read */
	PTUI_CALLGRAPH_LBR,   /* as the processor noted the calls */
};

#define PTUI_STACK_BYTES     8192u  /* of a stack to be unwound, when nobody says how much */
#define PTUI_STACK_BYTES_MAX 65528u /* a sample's record is at most 64 KiB; in steps of 8 */

/* What is told of before the recording began. */
#define PTUI_SYNTH_TASK	  (1u << 0)
#define PTUI_SYNTH_MMAP	  (1u << 1)
#define PTUI_SYNTH_CGROUP (1u << 2)
#define PTUI_SYNTH_ALL	  (PTUI_SYNTH_TASK | PTUI_SYNTH_MMAP | PTUI_SYNTH_CGROUP)

struct ptui_shape {
	enum ptui_callgraph callgraph;		 /* -g, --call-graph */
	uint32_t stack_bytes;			 /* of PTUI_CALLGRAPH_DWARF; 0: PTUI_STACK_BYTES */
	bool kernel_callchains, user_callchains; /* only the kernel's, only the user's half */

	enum ptui_said timestamp, period; /* -T, -P */
	bool data;			  /* -d: the addresses of data */
	bool phys_data;			  /* and where they are in physical memory */
	bool data_page_size, code_page_size;
	bool sample_cpu;
	bool sample_identifier;
	bool raw_samples; /* -R: raw data of all events, not of tracepoints only */
	bool weight;	  /* -W */
	bool transaction;
	uint64_t branch_filter;	       /* -b, -j: PERF_SAMPLE_BRANCH_* bits; 0: no branch stacks */
	uint64_t intr_regs, user_regs; /* -I, --user-regs: masks; 0: none */

	bool overwrite;	   /* --overwrite: only the last samples are kept, in rings that wrap */
	bool no_samples;   /* -n: the events are counted, not sampled */
	bool group;	   /* all events are one group */
	bool stat;	   /* -s: the counts of each thread at its end */
	bool running_time; /* how long events were counted, in samples with counts */
	bool all_kernel, all_user; /* of every event only this half */
	bool use_clockid;
	int32_t clockid; /* -k: CLOCK_*; the clock of the times, when use_clockid is set */

	bool switch_events; /* when tasks leave and take the CPU */
	bool namespaces;
	bool all_cgroups; /* cgroups as they are made, and of each sample its own */
	bool no_bpf_event;
};

/* The name of a register that samples can have on this machine; NULL: `bit` is none. */
const char *ptui_register_name(unsigned bit);

/*
 * Readers of perf's values; -EINVAL with the reason for what is none.
 *
 *	call graph:	"fp", "dwarf", "dwarf,4096", "lbr"
 *	branch filter:	"any,u"
 *	registers:	"ip,sp"; NULL: all
 *	clock:		"mono", "CLOCK_MONOTONIC_RAW", "4"
 *	synth:		"no", "all", "task,mmap"; 0 is a good answer
 */
int ptui_callgraph_parse(const char *text, enum ptui_callgraph *ret, uint32_t *ret_stack_bytes,
			 struct ptui_error *err);
int ptui_branch_filter_parse(const char *text, uint64_t *ret, struct ptui_error *err);
int ptui_registers_parse(const char *text, uint64_t *ret, struct ptui_error *err);
int ptui_clockid_parse(const char *text, int32_t *ret, struct ptui_error *err);
int ptui_synth_parse(const char *text, unsigned *ret, struct ptui_error *err);

#ifdef __cplusplus
}
#endif
#endif
