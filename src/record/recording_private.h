/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct ptui_recording, shared by recording*.c and watch.c. */
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
	/* NULL: no table, or the kernel provides the build-ids */
	struct buildid_reader *buildid_reader;
	struct bpf_programs bpf; /* loaded before the start, or while recording */
	recording_table_fn buildid_table;
	void *buildid_table_ctx;
	struct buf tracing_data; /* read at the start: a tracepoint's module may be unloaded */
	uint64_t lowered_hz;	 /* the kernel's frequency limit if it was exceeded, else 0 */
	bool kernel_hidden;
	uint64_t samples_before;	     /* in earlier output files (--switch-output) */
	uint64_t raw_bytes;		     /* of records, before compression; set at the end */
	double ratio;			     /* raw bytes to written bytes; 0: not compressed */
	const struct recording_watch *watch; /* NULL: no live view */
	bool started;
	bool saved; /* samples kept in memory have been saved to a file */
};

/* Parses the events of --switch-output-event; opens them, before the recording's own. */
int recording_add_triggers(struct ptui_recording *r, struct ptui_error *err);
int recording_open_triggers(struct ptui_recording *r, struct ptui_error *err);
/* Parses the conditions of --snapshot-when, after all is open. */
int recording_begin_triggers(struct ptui_recording *r, struct ptui_error *err);

/*
 * Tries to open event `i` for thread `tid`, and closes it again. 0 if it opens or the failure is
 * not about the event itself; else the reason in err.
 */
int recording_probe(struct ptui_recording *r, uint32_t i, pid_t tid, struct ptui_error *err);

/* Starts the build-id reader thread if needed; the events must be configured. */
int recording_start_buildids(struct ptui_recording *r, struct ptui_error *err);
/* Writes the build-ids known so far before the data. 0 or -ENOMEM. */
int recording_begin_buildids(struct ptui_recording *r);
/* Checks that build-ids can be stored as the options require. 0, or -EOPNOTSUPP with err set. */
int recording_check_buildids(const struct ptui_recording *r, struct ptui_error *err);

/*
 * Adds the BUILD_ID feature to a file about to be finished, and fills the cache, if the options say
 * so. 0 or -ENOMEM.
 */
int recording_put_buildids(struct ptui_recording *r, struct data_writer *w);
/* Opens the counters on the targets. */
int recording_open(struct ptui_recording *r, struct ptui_error *err);
/* Synthesizes names and maps of targets that already run. */
int recording_put_targets(struct ptui_recording *r, struct synth *s, struct ptui_error *err);

#endif
