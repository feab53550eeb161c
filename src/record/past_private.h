/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind struct past, for past.c and past_prune.c. */
#ifndef RECORD_PAST_PRIVATE_H
#define RECORD_PAST_PRIVATE_H

#include "base/buf.h"
#include "data/reader.h"
#include "record/past.h"

enum past_kind {
	PAST_STAYS,	/* belongs to no task */
	PAST_MOMENT, /* tells of a moment */
	PAST_MAP,
	PAST_COMM,
	PAST_EXEC, /* a COMM as well */
	PAST_NAMESPACES,
	PAST_FORK,
	PAST_EXIT,
};

struct past_entry {
	uint64_t time_ns; /* 0: from before the recording, or not told */
	uint64_t start, end; /* of a MAP */
	size_t off;
	uint32_t bytes;
	uint8_t kind; /* enum past_kind */
	bool no_maps; /* FORK: the maps of the child are told by themselves */
	int32_t pid, tid, ppid, ptid;
};

struct past {
	struct data_file *feed; /* knows the events */
	struct data_walk *walk;
	struct buf records;
	struct past_entry *v; /* each of records, in their order */
	size_t n, cap;
	size_t n_written; /* the first of them: see past_unwritten() */
	size_t n_pruned; /* so many there were behind the last look */
	uint64_t newest_ns;
};

/*
 * Which of the entries are needed by samples from `horizon_ns` on: keep[i], all false before. 0 or
 * -ENOMEM.
 */
int past_mark(const struct past *h, uint64_t horizon_ns, bool *keep);

#endif
