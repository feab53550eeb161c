/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with registers and a copy of the stack, rewritten as samples with a whole callchain:
 *
 *	ip tid time addr id cpu period | n kernel... | raw | regs | stack bytes | weight data_src ...
 *	ip tid time      id cpu period | n kernel... USER ip caller ... | raw | weight ...
 *
 * This is the form that the kernel writes with frame pointers, so every perf reads it. Fields that
 * only unwinding required are left out, all others are copied byte for byte.
 *
 * A chain that ends with a second PERF_CONTEXT_USER is incomplete:
 *
 *	kernel... USER USER		not unwound in time
 *	kernel... USER ip USER		the same, in user mode
 *	kernel... USER ip caller... USER	the copy of the stack ends before the next frame
 *	kernel... USER ip caller... USER USER	the next frame is on another stack, which was not copied
 *
 * Readers ignore a marker without addresses; ptui counts these samples. The kernel writes USER once.
 *
 * The attr keeps sample_stack_user, the size of the copies: without PERF_SAMPLE_STACK_USER it has no
 * meaning to readers, and shows ptui that these callchains were unwound.
 */
#ifndef RECORD_UNWIND_SHORT_SAMPLE_H
#define RECORD_UNWIND_SHORT_SAMPLE_H

#include <stdbool.h>
#include "kernel/counters.h"

/* One event: the fields of its samples as opened, and which of them are left out. */
struct short_event {
	uint64_t sample_type, left_out, read_format, branch_sample_type, user_regs, intr_regs;
	uint32_t max_stack; /* frames of a callchain, kernel and user */
	bool no_user;	    /* --kernel-callchains */
};

struct short_id {
	uint64_t id;
	uint32_t event;
};

/* Immutable after short_samples_open(): any thread may use it. */
struct short_samples {
	struct short_event *events;
	size_t n_events;
	struct short_id *ids; /* sorted */
	size_t n_ids;
	size_t id_off; /* of the id in a sample; 0: there is only one event */
	bool keeps_data, keeps_regs, no_user;
};

/*
 * For these options: `keeps_data` (-d) keeps the data address and source, `keeps_regs`
 * (--user-regs) the registers, `no_user` (--kernel-callchains) adds no user part.
 */
void short_samples_init(struct short_samples *s, bool keeps_data, bool keeps_regs, bool no_user);
void short_samples_release(struct short_samples *s);
/* The attr of an event in the output, from the attr that was opened. */
void short_samples_attr(const struct short_samples *s, struct perf_event_attr *attr);
/* All counters are open. `max_stack` is the kernel's limit for events without their own. */
int short_samples_open(struct short_samples *s, const struct counters *counters,
		       uint32_t max_stack);
/* The same for the events of a recording. Sorts a copy of the ids. */
int short_samples_open_attrs(struct short_samples *s, const struct perf_event_attr *const *attrs,
			     size_t n, const struct short_id *ids, size_t n_ids,
			     uint32_t max_stack);

/* The fields of a sample: offsets from its header. */
struct sample_parts {
	const struct short_event *event;
	uint32_t size;
	uint32_t addr, data_src;  /* 0: none */
	uint32_t chain, n_kernel; /* offset of the number of entries; kernel entries */
	uint32_t regs, stack;
	uint32_t stack_end;
	uint64_t user_abi; /* PERF_SAMPLE_REGS_ABI_*; NONE: a kernel thread */
};

/*
 * Finds the parts of a whole sample. `hint` is the caller's, zero at first. False: its fields do
 * not fit, or its event is unknown.
 */
bool short_sample_find(const struct short_samples *s, const uint8_t *sample, uint32_t *hint,
		       struct sample_parts *ret);
/* How many user frames may be added; 0: no user stack, or the callchain is full. */
uint32_t short_sample_room(const struct sample_parts *p, const uint8_t *sample);

/* What the copy of the stack has: all frames, or not the next one. */
enum short_sample_end {
	SHORT_SAMPLE_WHOLE,
	SHORT_SAMPLE_TRUNCATED,	  /* it is beyond the copy */
	SHORT_SAMPLE_OTHER_STACK, /* it is on another stack */
};

#define SHORT_SAMPLE_CUT UINT32_MAX
/*
 * Writes the short form to `out` (65536 bytes, not overlapping) with these `n` user addresses, the
 * IP first; SHORT_SAMPLE_CUT: there was no time to unwind. Returns its size.
 */
uint32_t short_sample_write(const struct sample_parts *p, const uint8_t *sample,
			    const uint64_t *addrs, uint32_t n, enum short_sample_end end,
			    uint8_t *out);

#endif
