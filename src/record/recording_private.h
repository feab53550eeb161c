/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind struct ptui_recording, for recording.c and watch.c. */
#ifndef RECORD_RECORDING_PRIVATE_H
#define RECORD_RECORDING_PRIVATE_H

#include "base/buf.h"
#include "event/catalog.h"
#include "record/header/bpf_programs.h"
#include "record/header/buildid_reader.h"
#include "record/header/synth.h"
#include "record/options.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "record/target/cgroup.h"

struct ptui_recording {
	struct options options;
	const struct kernel_ops *ops;
	struct catalog *catalog;
	struct event_list events;
	struct cgroups cgroups; /* of the events */
	struct counters counters;
	struct workload workload;
	struct record_sink sink;
	struct recorder recorder;
	struct triggers triggers;
	struct control control;
	struct buildids buildids;
	struct buildid_reader
		*buildid_reader; /* NULL: no table, or the kernel gives the build-ids */
	struct bpf_programs bpf; /* loaded at the start, or while it records */
	recording_table_fn buildid_table;
	void *buildid_table_ctx;
	struct buf tracing_data; /* read at the start: a tracepoint's module may go away */
	uint64_t lowered_hz; /* what the kernel allows of the frequency that was asked for, or 0 */
	bool kernel_hidden;
	uint64_t samples_before; /* in the files before this one (--switch-output) */
	uint64_t raw_bytes;	 /* of records, before they were compressed; when it is over */
	double ratio;		 /* of that to what was written; 0: not compressed */
	const struct recording_watch *watch; /* NULL: nobody watches */
	bool started;
	bool saved; /* what stayed in memory is in a file */
};

/* The events of --switch-output-event: their texts read; and opened, before the recording's own. */
int recording_add_triggers(struct ptui_recording *r, struct ptui_error *err);
int recording_open_triggers(struct ptui_recording *r, struct ptui_error *err);
/* When all is open: the conditions of --snapshot-when are read. */
int recording_begin_triggers(struct ptui_recording *r, struct ptui_error *err);

/*
 * Whether event `i` can be opened for thread `tid`, on one counter that is closed again. 0, also
 * when that cannot be told here; else why not.
 */
int recording_probe(struct ptui_recording *r, uint32_t i, pid_t tid, struct ptui_error *err);

/* Starts the thread that reads build-ids, where one is needed; the events are configured. */
int recording_start_buildids(struct ptui_recording *r, struct ptui_error *err);
/* What is known by now, in front of the data. 0 or -ENOMEM. */
int recording_begin_buildids(struct ptui_recording *r);
/* Whether the build-ids can go where the options say. 0, or -EOPNOTSUPP told in err. */
int recording_check_buildids(const struct ptui_recording *r, struct ptui_error *err);

/*
 * To a file that is to be finished: adds the BUILD_ID feature, and fills the cache, where the options
 * say so. 0 or -ENOMEM.
 */
int recording_put_buildids(struct ptui_recording *r, struct data_writer *w);
/* Opens the counters on whom they are for. */
int recording_open(struct ptui_recording *r, struct ptui_error *err);
/* Names and maps of those that run already. */
int recording_put_targets(struct ptui_recording *r, struct synth *s, struct ptui_error *err);

#endif
