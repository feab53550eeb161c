/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a recording goes: made at the start, told what is known of it, and finished. */
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include <stdbool.h>
#include "base/buf.h"
#include "ptui/error.h"

struct data_writer;
struct ptui_recording;

/* "-": what the command prints must not go there as well. */
bool output_is_stdout(const struct ptui_recording *r);
/* Creates it, under another name still, and tells it what is known before anything is recorded. */
int output_open(struct ptui_recording *r, struct ptui_error *err);
/* The counters are open: its events, the base records. */
int output_begin(struct ptui_recording *r, struct buf *base, struct ptui_error *err);
/* It gets its name: the targets run. Not in the thread that empties the ring buffers: this may take long. */
int output_take_name(struct ptui_recording *r, struct ptui_error *err);
/*
 * All records of this file are written, its samples are from first_ns to last_ns (0: there are none, or
 * no times): what has become known, and its end.
 */
int output_finish(struct ptui_recording *r, struct data_writer *w, uint64_t first_ns,
		  uint64_t last_ns, struct ptui_error *err);
/* For struct recorder: `ctx` is the recording, all records are written. */
int output_complete(void *ctx, struct ptui_error *err);
/*
 * The name that it has got at its end is the one that is told from now on: by the thread that asks for it,
 * when the recorder's has ended. 0 or -ENOMEM.
 */
int output_note_path(struct ptui_recording *r);
/* Gives it up, or away when it is finished. */
void output_close(struct ptui_recording *r);

#endif
