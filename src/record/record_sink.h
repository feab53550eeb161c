/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where all records pass, each of them once, whatever file it goes to:
 *
 *	base records, passes over the rings --record_sink_put()--> the file that is being written
 *	                                          |---------> who watches
 *	                                          '---------> the history of the sideband
 *	with `holds`: who watches, and the history; record_sink_flush() --> the file
 *	what only sits in memory, or in a snapshot --record_sink_show()--> who watches
 *
 * All of it in one thread at a time.
 */
#ifndef RECORD_RECORD_SINK_H
#define RECORD_RECORD_SINK_H

#include <stdbool.h>
#include "base/buf.h"
#include "data/write/writer.h"
#include "record/snapshot/sideband_log.h"

struct record_sink {
	struct data_writer *writer;	   /* owned; another one, when the output has changed */
	uint64_t bytes_before, raw_before; /* in the files before it */
	/*
	 * While another recording asks for build-ids, the kernel sets the bit for them in our MMAP2 records,
	 * too, though device and inode follow; perf 6.1 aborts when it reads that. Set: there are such
	 * records in what is put now, and the bit is cleared in a copy (a ring buffer cannot be written).
	 */
	bool false_build_ids;
	struct buf copy;
	struct sideband_log *sideband_log; /* owned; NULL: nobody can ask for it */
	/*
	 * The sideband waits in the history for the samples that need it, instead of filling the file: of a
	 * recording that keeps only the last samples most of it is needed by none in the end.
	 */
	bool holds;
	uint64_t held_bytes; /* of all records that had to wait, ever */
	void (*seen)(void *ctx, const struct iovec *iov,
		     int n); /* of who watches; NULL: nobody does */
	void *seen_ctx;
};

/* The writer and the history. */
void record_sink_release(struct record_sink *o);
/* Whole records, gathered. As data_writer_write(). */
int record_sink_put(struct record_sink *o, const struct iovec *iov, int n, struct ptui_error *err);
/* What waits is written now. 0, or negative: told. */
int record_sink_flush(struct record_sink *o, struct ptui_error *err);
/* Records that have come, and are in no file yet, or in one of their own. */
void record_sink_show(const struct record_sink *o, const struct iovec *iov, int n);
/* Of records so far, in all files, as written. */
uint64_t record_sink_bytes(const struct record_sink *o);
uint64_t
record_sink_passed_bytes(const struct record_sink *o);	     /* and of those that wait, or waited */
uint64_t record_sink_raw_bytes(const struct record_sink *o); /* before they were compressed */

#endif
