/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Base records: the state before the recording begins, synthesized at the start or at the end. */
#ifndef RECORD_BASE_RECORDS_H
#define RECORD_BASE_RECORDS_H

#include "base/buf.h"
#include "kernel/counters.h"
#include "record/header/bpf_programs.h"
#include "record/header/buildid_reader.h"
#include "record/options.h"

struct base_records {
	const struct options *options; /* borrowed, as everything here */
	const struct counters *counters;
	const struct kernel_ops *ops;
	struct buildids *buildids;
	struct buildid_reader *reader; /* gets all maps; NULL: no reader */
	struct catalog *catalog;
	struct bpf_programs *bpf;
	pid_t workload;	    /* the held command; 0: none */
	bool kernel_hidden; /* set by base_records_put(): kernel addresses are hidden */
};

/* Appends the base records for the start of the file. 0, or negative with err set. */
int base_records_put(struct base_records *b, struct buf *out, struct ptui_error *err);
/* --tail-synthesize: appends the rest, for a file that is about to be finished. */
int base_records_put_tail(struct base_records *b, struct buf *out, struct ptui_error *err);

#endif
