/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where all records pass, each of them once, whatever file it goes to:
 *
 *	base records, passes over the rings --outlet_put()--> the file that is being written
 *	                                          |---------> who watches
 *	                                          '---------> the history of the sideband
 *	with `holds`: who watches, and the history; outlet_flush() --> the file
 *	what only sits in memory, or in a snapshot --outlet_show()--> who watches
 *
 * All of it in one thread at a time.
 */
#ifndef RECORD_OUTLET_H
#define RECORD_OUTLET_H

#include <stdbool.h>
#include "data/writer.h"
#include "base/buf.h"
#include "record/past.h"

struct outlet {
	struct data_writer *writer; /* owned; another one, when the output has changed */
	uint64_t bytes_before, raw_before; /* in the files before it */
	/*
	 * While another recording asks for build-ids, the kernel sets the bit for them in our MMAP2 records,
	 * too, though device and inode follow; perf 6.1 aborts when it reads that. Set: there are such
	 * records in what is put now, and the bit is cleared in a copy (a ring buffer cannot be written).
	 */
	bool false_build_ids;
	struct buf copy;
	struct past *past; /* owned; NULL: nobody can ask for it */
	/*
	 * The sideband waits in the history for the samples that need it, instead of filling the file: of a
	 * recording that keeps only the last samples most of it is needed by none in the end.
	 */
	bool holds;
	uint64_t held_bytes; /* of all records that had to wait, ever */
	void (*seen)(void *ctx, const struct iovec *iov, int n); /* of who watches; NULL: nobody does */
	void *seen_ctx;
};

/* The writer and the history. */
void outlet_release(struct outlet *o);
/* Whole records, gathered. As data_writer_write(). */
int outlet_put(struct outlet *o, const struct iovec *iov, int n, struct ptui_error *err);
/* What waits is written now. 0, or negative: told. */
int outlet_flush(struct outlet *o, struct ptui_error *err);
/* Records that have come, and are in no file yet, or in one of their own. */
void outlet_show(const struct outlet *o, const struct iovec *iov, int n);
/* Of records so far, in all files, as written. */
uint64_t outlet_bytes(const struct outlet *o);
uint64_t outlet_passed_bytes(const struct outlet *o); /* and of those that wait, or waited */
uint64_t outlet_raw_bytes(const struct outlet *o); /* before they were compressed */

#endif
