/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output file of a recording: create, write the header, finish. */
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include <stdbool.h>
#include "base/buf.h"
#include "ptui/error.h"

struct data_writer;
struct ptui_recording;

/* "-": the workload's standard output is redirected then. */
bool output_is_stdout(const struct ptui_recording *r);
/* Creates the file under a temporary name, with the features that are known before recording. */
int output_open(struct ptui_recording *r, struct ptui_error *err);
/* Adds events and base records; the counters must be open. */
int output_begin(struct ptui_recording *r, struct buf *base, struct ptui_error *err);
/*
 * Renames the file to its final name, after the targets have started. Slow: do not call it in the
 * thread that drains the ring buffers.
 */
int output_take_name(struct ptui_recording *r, struct ptui_error *err);
/*
 * Completes the header and ends the file, after all its records are written. Its samples are from
 * first_ns to last_ns (0: no samples, or no times).
 */
int output_finish(struct ptui_recording *r, struct data_writer *w, uint64_t first_ns,
		  uint64_t last_ns, struct ptui_error *err);
/* Callback for struct recorder: `ctx` is the recording, all records are written. */
int output_complete(void *ctx, struct ptui_error *err);
/*
 * Updates the reported path to the file's final name. Call it after the recorder thread has ended.
 * 0 or -ENOMEM.
 */
int output_note_path(struct ptui_recording *r);
/* Discards the file, or only releases it if it is finished. */
void output_close(struct ptui_recording *r);

#endif
