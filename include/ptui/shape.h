/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sample fields and other record types: the recording options that set perf_event_attr. Plain
 * values; all zero is perf's default.
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

/* A tri-state option: its default depends on other options. */
enum ptui_said {
	PTUI_SAID_NOTHING,
	PTUI_SAID_YES,
	PTUI_SAID_NO,
};

enum ptui_callgraph {
	PTUI_CALLGRAPH_NONE,
	PTUI_CALLGRAPH_FP,    /* frame pointers, walked by the kernel */
	PTUI_CALLGRAPH_DWARF, /* registers and a copy of the stack, unwound later */
	PTUI_CALLGRAPH_LBR,   /* last branch records (call stack mode) */
	/* as DWARF, but unwound while recording: the output has plain callchains */
	PTUI_CALLGRAPH_LIVE,
};

#define PTUI_STACK_BYTES     8192u  /* default size of the stack copy */
#define PTUI_STACK_BYTES_MAX 65528u /* a record is at most 64 KiB; multiple of 8 */

/* Synthesized records for tasks, maps and cgroups that exist before the recording. */
#define PTUI_SYNTH_TASK	  (1u << 0)
#define PTUI_SYNTH_MMAP	  (1u << 1)
#define PTUI_SYNTH_CGROUP (1u << 2)
#define PTUI_SYNTH_ALL	  (PTUI_SYNTH_TASK | PTUI_SYNTH_MMAP | PTUI_SYNTH_CGROUP)

struct ptui_shape {
	enum ptui_callgraph callgraph; /* -g, --call-graph */
	uint32_t stack_bytes;	       /* for PTUI_CALLGRAPH_DWARF and LIVE; 0: PTUI_STACK_BYTES */
	/* callchains of the kernel only, of user space only */
	bool kernel_callchains, user_callchains;

	enum ptui_said timestamp, period; /* -T, -P */
	bool data;			  /* -d: data addresses */
	bool phys_data;			  /* physical data addresses */
	bool data_page_size, code_page_size;
	bool sample_cpu;
	bool sample_identifier;
	bool raw_samples; /* -R: raw data for all events, not only tracepoints */
	bool weight;	  /* -W */
	bool transaction;
	uint64_t branch_filter;	       /* -b, -j: PERF_SAMPLE_BRANCH_* bits; 0: no branch stacks */
	uint64_t intr_regs, user_regs; /* -I, --user-regs: masks; 0: none */

	bool overwrite;	   /* --overwrite: rings in overwrite mode keep only the latest samples */
	bool no_samples;   /* -n: count events without sampling */
	bool group;	   /* put all events into one group */
	bool stat;	   /* -s: per-thread counts when a thread exits */
	bool running_time; /* add enabled and running times to counts in samples */
	bool all_kernel, all_user; /* exclude user space, exclude the kernel */
	bool use_clockid;
	int32_t clockid; /* -k: CLOCK_* of timestamps, if use_clockid is set */

	bool switch_events; /* record context switches */
	bool namespaces;
	bool all_cgroups; /* record cgroup creation, and the cgroup of each sample */
	bool no_bpf_event;
};

/* Name of a sample register of this architecture; NULL: `bit` is not a register. */
const char *ptui_register_name(unsigned bit);

/*
 * Parsers of option values in perf's syntax. 0, or -EINVAL with err set.
 *
 *	call graph:	"fp", "dwarf", "dwarf,4096", "dwarf,4096,live", "dwarf,live", "lbr"
 *	branch filter:	"any,u"
 *	registers:	"ip,sp"; NULL: all
 *	clock:		"mono", "CLOCK_MONOTONIC_RAW", "4"
 *	synth:		"no", "all", "task,mmap"; *ret may be 0
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
