/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Base records: the state before the recording begins, synthesized at the start or at the end. */
#ifndef RECORD_BASE_RECORDS_H
#define RECORD_BASE_RECORDS_H

#include "base/buf.h"
#include "ptui/error.h"

struct data_writer;
struct ptui_recording;

/* Appends the base records for the start of the file. 0, or negative with err set. */
int base_put(struct ptui_recording *r, struct buf *out, struct ptui_error *err);
/* --tail-synthesize: writes the rest to a file that is about to be finished. */
int base_write_tail(struct ptui_recording *r, struct data_writer *w, struct ptui_error *err);

#endif
