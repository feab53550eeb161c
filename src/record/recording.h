/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rest of src may set on a recording beyond ptui/record.h. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include "kernel/ops.h"
#include "ptui/record.h"
#include "record/buildid.h"

/*
 * What ptui_recording_new() is made of, with any kernel; `ops` must outlive the recording. The
 * session room calls it with the real one, and sets who reads build-ids.
 */
struct ptui_recording *recording_new(const struct ptui_record_opts *opts,
				     const struct kernel_ops *ops, struct ptui_error *err);

/*
 * Before start: who reads build-ids of ELF files, for the maps of processes that run already
 * (what is mapped later gets them from the kernel). Called by the thread that starts.
 */
void recording_set_buildid(struct ptui_recording *r, buildid_fn fn, void *ctx);

#endif
