/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every record passes here exactly once, whichever file it goes to:
 *
 *	base records, passes over the rings --record_sink_put()--> output file
 *	                                          |---------> live view
 *	                                          '---------> sideband log
 *	with `holds`: live view and sideband log; record_sink_flush() --> output file
 *	records only in memory or in a snapshot file --record_sink_show()--> live view
 *	with `waits_for_base`: memory; record_sink_end_base() --> all of these
 *
 * Not thread-safe, except that another thread puts the base records while `waits_for_base` is set.
 */
#ifndef RECORD_RECORD_SINK_H
#define RECORD_RECORD_SINK_H

#include <stdbool.h>
#include "base/buf.h"
#include "data/write/writer.h"
#include "record/snapshot/sideband_log.h"

#define RECORD_SINK_EARLY_BYTES ((size_t)64 << 20)

struct record_sink {
	struct data_writer *writer;	   /* owned; replaced when the output is switched */
	uint64_t bytes_before, raw_before; /* of earlier output files */
	/*
	 * While another recording has attr.build_id set, the kernel sets MMAP_BUILD_ID in our MMAP2
	 * records as well, though they contain device and inode; perf 6.1 aborts when it reads
	 * them. If set, the records being put may have that bit: it is cleared in a copy, since
	 * ring buffers are read-only.
	 */
	bool false_build_ids;
	struct buf copy;
	/*
	 * Until the base records are written, records from the ring buffers are kept in `early`. They are
	 * sideband: no event that samples is enabled yet. At RECORD_SINK_EARLY_BYTES, the ring buffers are
	 * no longer drained: once they are full, the kernel counts what it drops, as at any other time.
	 */
	bool waits_for_base;
	struct buf early;
	struct sideband_log *sideband_log; /* owned; NULL: no snapshots */
	/*
	 * The sideband waits in the log for the samples that need it. When only the last samples
	 * are kept, most of it is never needed in the file.
	 */
	bool holds;
	uint64_t held_bytes; /* of all records that were ever held */
	void (*seen)(void *ctx, const struct iovec *iov, int n); /* live view; NULL: none */
	void *seen_ctx;
};

/* Also releases the writer and the sideband log. */
void record_sink_release(struct record_sink *o);
/* Puts whole records, as data_writer_write(). */
int record_sink_put(struct record_sink *o, const struct iovec *iov, int n, struct ptui_error *err);
/*
 * Puts a piece of AUX data with its AUXTRACE record: only into the output file. Not before the base records are
 * written.
 */
int record_sink_put_aux(struct record_sink *o, const struct data_auxtrace *a,
			const struct iovec *iov, int n, struct ptui_error *err);
/* For the thread that starts the recording: puts the records that come before all others. */
int record_sink_put_base(struct record_sink *o, const struct iovec *iov, struct ptui_error *err);
/* True if as much is kept as may be before the base records are written: put nothing more. */
bool record_sink_is_full(const struct record_sink *o);
/* After the base records: puts the records that were kept until then. 0, or negative with err set. */
int record_sink_end_base(struct record_sink *o, struct ptui_error *err);
/* Writes the held records. 0, or negative with err set. */
int record_sink_flush(struct record_sink *o, struct ptui_error *err);
/* Passes records to the live view that are in no file yet, or in a snapshot file. */
void record_sink_show(const struct record_sink *o, const struct iovec *iov, int n);
/* Bytes of records written to all output files so far. */
uint64_t record_sink_bytes(const struct record_sink *o);
uint64_t record_sink_passed_bytes(const struct record_sink *o); /* including held ones */
uint64_t record_sink_raw_bytes(const struct record_sink *o);	/* before compression */

#endif
