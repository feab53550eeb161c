/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts selected events to perf_event_attr as `perf record` makes them: sample_type, read_format
 * and the sideband event. Bit-identical to perf except for the table in tests/diff.
 */
#ifndef EVENT_ATTR_H
#define EVENT_ATTR_H

#include "event/event.h"
#include "ptui/shape.h"

struct attr_options {
	struct ptui_shape shape;
	uint64_t freq_hz; /* in Hz; 0: use period */
	uint64_t period;  /* events between samples; used when freq_hz is 0 */
	/* -F: also applies to tracepoints, which otherwise sample every event */
	bool freq_given;
	bool period_given;   /* -c: likewise */
	bool per_cpu_target; /* -a or -C: PERF_SAMPLE_CPU, as perf does */
	bool per_thread;     /* --per-thread: each ring has a single thread, in order without
			    timestamps */
	bool starts_off;     /* -D: sideband records are enabled from the start */
	bool enable_on_exec; /* the target is a workload only */
	bool inherit;
	bool live;		/* a session with a screen: read_format gets the times too */
	uint32_t aux_watermark; /* of events with an AUX area: wakes the recorder; 0: half of it */
	uint32_t
		aux_sample_bytes; /* AUX data in the samples of the others of their groups; 0: none */
	bool aux_switches;	  /* AUX data requires records of context switches */
	bool aux_switches_of_all; /* … of all tasks, by an event of its own */
	bool text_poke;	      /* records of changes of the kernel's code, by an event of its own */
	bool kernel_lost;     /* the kernel knows PERF_FORMAT_LOST */
	bool kernel_build_id; /* the kernel knows attr.build_id */
	bool kernel_weight_struct; /* the kernel knows PERF_SAMPLE_WEIGHT_STRUCT */
};

/*
 * Appends the sideband dummy event (if missing) and completes every attr: sampling, sample_type,
 * read_format, disabled/enable_on_exec, and size, the smallest version that has all fields in use.
 * 0 or -ENOMEM.
 */
int event_attrs_configure(struct event_list *list, const struct attr_options *opts);

/* The smallest PTUI_ATTR_SIZE_VER* that holds the last field of `attr` that is not zero. */
uint32_t attr_size_min(const struct perf_event_attr *attr);

/* True for ftrace:function, which is the function tracer: no user stacks, and rules of its own. */
bool event_is_ftrace_function(const struct event *ev);

/* Counting only: no samples, enabled from the start, inherited by children if asked for. */
void event_configure_counting(struct event *ev, bool inherit);

#endif
