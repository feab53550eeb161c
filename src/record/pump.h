/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the ring buffers to the sink: a pass peeks at every ring, writes everything new with one
 * gathering write, adds a FINISHED_ROUND, and advances the tails.
 *
 *	ring0 [..ab]  ring1 [cd|..ef]   --->   a b | e f c d | FINISHED_ROUND
 *
 * Records are not decoded: the pump hops from header to header and counts.
 *
 * If stacks are unwound while recording, a pass waits in a queue (unwind/unwind_queue.h) before it
 * is written.
 *
 * AUX areas (kernel/ring_aux.h) are read after the rings, in pieces with a record of their own (pump_aux.c).
 *
 * In overwrite mode (overwrite_reader.h) and with -M (memory_ring.h) samples are kept until a
 * snapshot or the end. When they are written, they are older than records that are already in the
 * file, so such a file has no rounds and readers sort it as a whole.
 */
#ifndef RECORD_PUMP_H
#define RECORD_PUMP_H

#include <stdbool.h>
#include "kernel/counters.h"
#include "record/affinity.h"
#include "record/header/buildid_reader.h"
#include "record/record_sink.h"
#include "record/snapshot/memory_router.h"
#include "record/snapshot/overwrite_reader.h"
#include "record/unwind/unwind_queue.h"

/* Written by the recorder thread, read by any thread. */
struct pump_counts {
	_Atomic uint64_t bytes;
	_Atomic uint64_t samples; /* drained from the rings */
	_Atomic uint64_t held,
		forgotten; /* samples: in the memory ring; dropped from it without being read */
	_Atomic uint64_t lost;
	_Atomic uint64_t lost_sideband; /* part of `lost`, by the id in the LOST records */
	_Atomic uint64_t throttled;
	_Atomic uint64_t aux_bytes;	/* AUX data written */
	_Atomic uint64_t aux_truncated; /* AUX records of areas that were full */
	_Atomic uint64_t rounds;	/* passes that found something */
	/* fill level of the fullest ring: last pass, maximum */
	_Atomic uint32_t fill_permille, fill_max_permille;
};

struct pump {
	struct counters *counters;
	struct record_sink *sink;
	struct pump_counts *counts;
	struct iovec *iov;
	struct affinity affinity; /* zeros, or initialized after pump_init() */
	size_t *taken;		  /* bytes of this pass, by ring */
	/*
	 * Offset of the time in a sample; 0: differs between the events, or samples have no time.
	 */
	size_t time_off;
	/* read the time of every sample, not only of the first and last of a pass */
	bool exact_times;
	uint64_t min_drain_bytes;   /* rings with fewer bytes are left, unless a quarter full */
	uint64_t first_ns, last_ns; /* of the samples; 0: none yet */
	uint64_t newest_ns;	    /* time of the newest sample of a pass, as found; 0: none */
	uint64_t settled_ns; /* all records up to this time are drained; only with a sideband log */
	bool rounds;	     /* passes end with FINISHED_ROUND */
	bool kernel_buildids;		 /* an event has attr.build_id set */
	struct buildid_reader *buildids; /* reads build-ids of mapped files; NULL: none; borrowed */
	/* collects programs loaded while recording; NULL: none; borrowed */
	struct bpf_programs *bpf;
	/* unwinds stacks while recording; NULL: none; borrowed */
	struct unwind_queue *unwind_queue;
	size_t aux_snapshot_bytes; /* of each AUX area, in a snapshot; 0: all AUX data is written */
	bool aux_sampled;	   /* AUX data is in samples only */
	bool defers;		   /* a ring with few bytes was left by the last pass */
	bool idle;		   /* the rings were empty, and everything has passed the sink */
	struct overwrite_reader overwrite_reader; /* the rings in overwrite mode */
	struct memory_router memory_router;	  /* with -M */
};

int pump_init(struct pump *p, struct counters *counters, struct record_sink *sink,
	      struct pump_counts *counts);
void pump_release(struct pump *p);
/* One pass. 1: something was written; 0: nothing new; negative: err is set. */
int pump_pass(struct pump *p, struct ptui_error *err);
/*
 * The same, without leaving rings with few bytes; on return, it has all passed the sink, also what
 * has to be unwound.
 */
int pump_pass_all(struct pump *p, struct ptui_error *err);
/* Counts what was just written, with its first and last sample (0: without times). */
void pump_note_written(struct pump *p, uint64_t first_ns, uint64_t last_ns);

/* ---- pump_aux.c ---- */

/* Writes what is new in the AUX areas. 1: something was written; 0: nothing; negative: err is set. */
int pump_drain_aux(struct pump *p, struct ptui_error *err);
/*
 * Writes the newest data of AUX areas that are overwritten, which are stopped for it. The bytes written, or
 * negative with err set.
 */
int64_t pump_snapshot_aux(struct pump *p, struct ptui_error *err);

/* ---- pump_kept.c: samples that are kept ---- */

/*
 * Call before the first pass: keeps samples in a memory ring of `bytes`. 0, -EINVAL
 * (memory_ring.h), -ENOMEM.
 */
int pump_use_memory(struct pump *p, uint64_t bytes);
/* True if samples are kept (overwrite mode or -M). */
bool pump_keeps(const struct pump *p);

/* True if at least half of the kept bytes are new since the last read, or if nothing is kept. */
bool pump_is_half_new(const struct pump *p);

/*
 * Reads the kept samples; the output of rings in overwrite mode is paused only while they are
 * copied. On return, all sideband that these samples may need has passed the sink. 1, 0 (nothing is
 * kept), or negative with err set.
 */
int pump_read_kept(struct pump *p, struct kept_samples *ret, struct ptui_error *err);
/*
 * Writes what pump_read_kept() found, or only the new part, and removes it from the memory ring. 1,
 * 0 (nothing to write), or negative with err set.
 */
int pump_write_kept(struct pump *p, const struct kept_samples *found, bool only_new,
		    struct ptui_error *err);
/* Prunes the sideband log to what the found and later samples need. 0 or -ENOMEM. */
int pump_prune_sideband(struct pump *p, const struct kept_samples *found);
/*
 * Holds the sideband back, like the samples, until a snapshot, if it can be pruned by time. All
 * that has passed the sink before counts as written.
 */
void pump_hold_sideband(struct pump *p);
/*
 * Prunes the sideband log if it has become long. Invalidates the result of the last
 * pump_read_kept(). 0 or -ENOMEM.
 */
int pump_trim_sideband_log(struct pump *p, struct ptui_error *err);

#endif
