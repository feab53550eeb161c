/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct ptui_recording, shared by recording.c and recording_*.c. */
#ifndef RECORD_RECORDING_PRIVATE_H
#define RECORD_RECORDING_PRIVATE_H

#include "event/catalog.h"
#include "record/aux_area.h"
#include "record/options.h"
#include "record/output.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "record/snapshot/snapshot_file.h"
#include "record/target/cgroup.h"

struct ptui_recording {
	struct options options;
	const struct kernel_ops *ops;
	struct catalog *catalog;
	struct event_list events;
	struct cgroups cgroups; /* of the events */
	struct counters counters;
	struct aux_area aux;
	struct workload workload;
	struct base_records base;
	struct output output;
	struct recorder recorder;
	struct triggers triggers;
	struct snapshot_file snapshot_file;
	struct control control;
	struct buildids buildids;
	struct buildid_feature buildid_feature;
	struct bpf_programs bpf;		 /* loaded before the start, or while recording */
	const struct stack_unwinding *unwinding; /* NULL: cannot unwind stacks while recording */
	probe_adder_fn probe_adder;		 /* NULL: BPF programs cannot have probes */
	struct unwind_queue *unwind_queue;	 /* NULL: stacks are not unwound */
	struct buf tracing_data;    /* read at the start: a tracepoint's module may be unloaded */
	uint64_t lowered_hz;	    /* the kernel's frequency limit if it was exceeded, else 0 */
	_Atomic uint64_t raw_bytes; /* of records, before compression; set at the end */
	_Atomic double ratio;	    /* raw bytes to written bytes; 0: not compressed */
	const struct recording_watch *watch; /* NULL: no live view */
	bool started;
	_Atomic bool saved; /* samples kept in memory have been saved to a file */
};

/* Parses the events of --switch-output-event; opens them, before the recording's own. */
int recording_add_triggers(struct ptui_recording *r, struct ptui_error *err);
int recording_open_triggers(struct ptui_recording *r, struct ptui_error *err);
/* Parses the conditions of --snapshot-when, after all is open. */
int recording_begin_triggers(struct ptui_recording *r, struct ptui_error *err);

/* Before the counters are opened: drops unsupported events, as long as another one is left. */
int recording_drop_unsupported(struct ptui_recording *r, struct ptui_error *err);
/*
 * Starts the thread that unwinds stacks if the options say so; the events are not configured yet.
 * If stacks cannot be unwound here, callchains are those of frame pointers, with a warning.
 */
void recording_start_unwinding(struct ptui_recording *r);
/* The counters are open. 0, or negative with err set. */
int recording_open_unwinding(struct ptui_recording *r, struct ptui_error *err);
/* What is mapped already, which comes before all passes. 0, or negative with err set. */
int recording_put_unwinding(struct ptui_recording *r, const struct buf *base,
			    struct ptui_error *err);
/* Events for the output of BPF programs, after all of -e are parsed. */
int recording_add_bpf_outputs(struct ptui_recording *r, struct ptui_error *err);
/* The counters are open: the programs' maps get them. */
int recording_connect_bpf(struct ptui_recording *r, struct ptui_error *err);
/* Opens the counters on the targets. */
int recording_open(struct ptui_recording *r, struct ptui_error *err);

#endif
