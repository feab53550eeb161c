/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind struct history, for history.c and history_prune.c. */
#ifndef RECORD_HISTORY_PRIVATE_H
#define RECORD_HISTORY_PRIVATE_H

#include "base/buf.h"
#include "data/reader.h"
#include "record/history.h"

enum history_kind {
	HISTORY_STAYS,	/* belongs to no task */
	HISTORY_MOMENT, /* tells of a moment */
	HISTORY_MAP,
	HISTORY_COMM,
	HISTORY_EXEC, /* a COMM as well */
	HISTORY_NAMESPACES,
	HISTORY_FORK,
	HISTORY_EXIT,
};

struct history_entry {
	uint64_t time_ns; /* 0: from before the recording, or not told */
	uint64_t start, end; /* of a MAP */
	size_t off;
	uint32_t bytes;
	uint8_t kind; /* enum history_kind */
	bool no_maps; /* FORK: the maps of the child are told by themselves */
	int32_t pid, tid, ppid, ptid;
};

struct history {
	struct data_file *feed; /* knows the events */
	struct data_walk *walk;
	struct buf records;
	struct history_entry *v; /* each of records, in their order */
	size_t n, cap;
	size_t n_pruned; /* so many there were behind the last look */
	uint64_t newest_ns;
};

/*
 * Which of the entries are needed by samples from `horizon_ns` on: keep[i], all false before. 0 or
 * -ENOMEM.
 */
int history_mark(const struct history *h, uint64_t horizon_ns, bool *keep);

#endif
