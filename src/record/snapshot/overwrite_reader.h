/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads rings in overwrite mode: their output is paused only while their memory is copied;
 * everything else happens after it has resumed.
 *
 *	pause --> copy each ring --> resume | hop over the copies, count, drop records cut by the wrap
 *	|<------- pause_ns -------->|       | --> whole records
 *
 * The memory for the copies and the rings' pages are populated in advance: no page faults during
 * the pause. Not thread-safe.
 */
#ifndef RECORD_SNAPSHOT_OVERWRITE_READER_H
#define RECORD_SNAPSHOT_OVERWRITE_READER_H

#include <sys/uio.h>
#include "kernel/counters.h"
#include "record/snapshot/sideband_log.h"

struct overwrite_ring;

/* Result of one read of kept samples, in whole records; newest first within each ring. */
struct kept_samples {
	const struct iovec *all;   /* valid until the next read */
	const struct iovec *fresh; /* the part that is new since the last read */
	int n_all, n_fresh;
	uint64_t bytes, samples;	 /* of `all` */
	uint64_t new_bytes, new_samples; /* of `fresh` */
	/* Of the samples; 0: no samples, or no times. */
	uint64_t first_ns, last_ns;
	/* of all samples; NULL: unknown; valid until the next read */
	const struct sideband_pids *pids;
	uint64_t new_first_ns; /* of `fresh` */
	uint64_t overlap_ns;   /* part of first_ns..last_ns that the last read had as well */
	uint64_t pause_ns;     /* how long the kernel could not write */
	uint64_t resumed_ns;   /* end of the pause, CLOCK_MONOTONIC */
	uint64_t lost;	       /* samples lost in the pause, as the kernel counts; 0: unknown */
	bool shown;	       /* already shown to the live view, and counted, on arrival */
	bool gap;	       /* some records between two reads were overwritten */
};

/* For readers: add one sample (`ns` 0: no time); finish the sums. */
void kept_samples_note(struct kept_samples *c, uint64_t ns, bool is_new);
void kept_samples_end(struct kept_samples *c);

struct overwrite_reader {
	struct counters *counters; /* borrowed */
	size_t time_off;	   /* offset of the time in a sample; 0: none */
	size_t pid_off;		   /* offset of the process id in a sample; 0: unknown */
	struct sideband_pids pids; /* of the samples of the last read */
	struct overwrite_ring *rings;
	int n_rings;	 /* rings in overwrite mode */
	uint8_t *memory; /* for all copies */
	size_t memory_bytes;
	struct iovec *iov; /* `all` and `fresh` */
	uint64_t lost;	   /* up to the last read */
};

/* The counters must be open. 0 or -ENOMEM; without rings in overwrite mode it does nothing. */
int overwrite_reader_init(struct overwrite_reader *c, struct counters *counters, size_t time_off,
			  size_t pid_off);
void overwrite_reader_release(struct overwrite_reader *c); /* zeros are fine */

/* 1, 0 (no such rings, or all empty), or negative with err set. */
int overwrite_reader_read(struct overwrite_reader *c, struct kept_samples *ret,
			  struct ptui_error *err);
/* Bytes in the rings, and how many of them are new since the last read. Does not pause. */
void overwrite_reader_peek(const struct overwrite_reader *c, uint64_t *ret_bytes,
			   uint64_t *ret_new);
/*
 * Time of the oldest sample and processes of all; does not count as a read. first_ns is 0 if there
 * are no samples, no times, or an error.
 */
void overwrite_reader_find_oldest(struct overwrite_reader *c, struct kept_samples *ret);

#endif
