/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was there before the recording began: which records, and when they are written. */
#ifndef RECORD_BASE_RECORDS_H
#define RECORD_BASE_RECORDS_H

#include "base/buf.h"
#include "ptui/error.h"

struct data_writer;
struct ptui_recording;

/* Into memory, what stands at the beginning of the file. 0 or a negative errno, told. */
int base_put(struct ptui_recording *r, struct buf *out, struct ptui_error *err);
/* --tail-synthesize: the rest of it, into a file that is to be finished. */
int base_write_tail(struct ptui_recording *r, struct data_writer *w, struct ptui_error *err);

#endif
