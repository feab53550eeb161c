/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct sideband_log, shared by sideband_log.c and sideband_log_prune.c. */
#ifndef RECORD_SNAPSHOT_SIDEBAND_LOG_PRIVATE_H
#define RECORD_SNAPSHOT_SIDEBAND_LOG_PRIVATE_H

#include "base/buf.h"
#include "data/read/reader.h"
#include "record/snapshot/sideband_log.h"

enum sideband_kind {
	SIDEBAND_STAYS,	 /* belongs to no task */
	SIDEBAND_MOMENT, /* of a moment */
	SIDEBAND_MAP,
	SIDEBAND_COMM,
	SIDEBAND_EXEC, /* a COMM caused by exec */
	SIDEBAND_NAMESPACES,
	SIDEBAND_FORK,
	SIDEBAND_EXIT,
};

struct sideband_entry {
	uint64_t time_ns;    /* 0: from before the recording, or unknown */
	uint64_t start, end; /* of a MAP */
	size_t off;
	uint32_t bytes;
	uint8_t kind; /* enum sideband_kind */
	bool no_maps; /* FORK: the child's maps have their own records */
	int32_t pid, tid, ppid, ptid;
};

struct sideband_log {
	struct data_file *feed; /* has the events */
	struct data_walk *walk;
	struct buf records;
	struct sideband_entry *v; /* one for each record, in order */
	size_t n, cap;
	size_t n_written; /* number of entries before sideband_log_note_written() */
	size_t n_pruned;  /* number of entries after the last prune */
	uint64_t newest_ns;
};

/*
 * Sets keep[i] of each entry that samples from `horizon_ns` on need; all must be false before. 0 or
 * -ENOMEM.
 */
int sideband_log_mark(const struct sideband_log *h, uint64_t horizon_ns, bool *keep);

/*
 * Clears keep[] of entries that neither samples of `sampled` nor samples from `settled_ns` on need.
 * 0 or -ENOMEM.
 */
int sideband_log_mark_sampled(const struct sideband_log *h, uint64_t settled_ns,
			      const struct sideband_pids *sampled, bool *keep);

#endif
