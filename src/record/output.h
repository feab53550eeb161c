/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output file of a recording: create, write the header, finish. */
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include <stdbool.h>
#include "record/base_records.h"
#include "record/header/buildid_feature.h"
#include "record/record_sink.h"
#include "record/unwind/short_sample.h"

struct recording_watch;

struct output {
	struct record_sink sink;
	struct base_records *base; /* borrowed, as everything that follows */
	const struct buildid_feature *buildids;
	const struct buf *tracing_data;
	const struct recording_watch *watch; /* NULL: no live view */
	const struct short_samples *shorts;  /* rewrites samples and attrs; NULL: nothing does */
	int cancel_fd;			     /* readable: waiting must end */
};

/* "-": the workload's standard output is redirected then. */
bool output_is_stdout(const struct ptui_record_opts *given);
/* Creates the file under a temporary name, with the features that are known before recording. */
int output_open(struct output *o, struct ptui_error *err);
/* Adds events and base records; the counters must be open. */
int output_begin(struct output *o, struct buf *base, struct ptui_error *err);
/*
 * Renames the file to its final name, after the targets have started. Slow: do not call it in the
 * thread that drains the ring buffers.
 */
int output_name_file(struct output *o, struct ptui_error *err);
/*
 * Completes the header and ends the file, after all its records are written. Its samples are from
 * first_ns to last_ns (0: no samples, or no times).
 */
int output_finish(struct output *o, struct data_writer *w, uint64_t first_ns, uint64_t last_ns,
		  struct ptui_error *err);

#endif
