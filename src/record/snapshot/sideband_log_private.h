/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind struct sideband_log, for past.c and sideband_log_prune.c. */
#ifndef RECORD_SNAPSHOT_SIDEBAND_LOG_PRIVATE_H
#define RECORD_SNAPSHOT_SIDEBAND_LOG_PRIVATE_H

#include "base/buf.h"
#include "data/read/reader.h"
#include "record/snapshot/sideband_log.h"

enum sideband_kind {
	SIDEBAND_STAYS,	 /* belongs to no task */
	SIDEBAND_MOMENT, /* tells of a moment */
	SIDEBAND_MAP,
	SIDEBAND_COMM,
	SIDEBAND_EXEC, /* a COMM as well */
	SIDEBAND_NAMESPACES,
	SIDEBAND_FORK,
	SIDEBAND_EXIT,
};

struct sideband_entry {
	uint64_t time_ns;    /* 0: from before the recording, or not told */
	uint64_t start, end; /* of a MAP */
	size_t off;
	uint32_t bytes;
	uint8_t kind; /* enum sideband_kind */
	bool no_maps; /* FORK: the maps of the child are told by themselves */
	int32_t pid, tid, ppid, ptid;
};

struct sideband_log {
	struct data_file *feed; /* knows the events */
	struct data_walk *walk;
	struct buf records;
	struct sideband_entry *v; /* each of records, in their order */
	size_t n, cap;
	size_t n_written; /* the first of them: see sideband_log_unwritten() */
	size_t n_pruned;  /* so many there were behind the last look */
	uint64_t newest_ns;
};

/*
 * Which of the entries are needed by samples from `horizon_ns` on: keep[i], all false before. 0 or
 * -ENOMEM.
 */
int sideband_log_mark(const struct sideband_log *h, uint64_t horizon_ns, bool *keep);

/* Of what `keep` has, what samples of these processes, or from `settled_ns` on, need. 0 or -ENOMEM. */
int sideband_log_mark_sampled(const struct sideband_log *h, uint64_t settled_ns,
			      const struct sideband_pids *sampled, bool *keep);

#endif
