/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sideband log: the records needed to resolve the samples that are still kept.
 *
 *	base records, each pass --> sideband_log_add() --> [ records, in order of arrival ]
 *	                                                  |                 |
 *	           sideband_log_prune(horizon) <---------------'                 '--> sideband_log_records()
 *	           drops what no sample after the horizon needs                 start of a snapshot file
 *
 * Records that belong to no task (kernel, modules, symbols, cgroups, ids) are never dropped.
 * Records of a moment (LOST, THROTTLE, SWITCH, READ) are dropped when older than the horizon. For
 * tasks see sideband_log_prune.c.
 *
 * Not thread-safe.
 */
#ifndef RECORD_SNAPSHOT_SIDEBAND_LOG_H
#define RECORD_SNAPSHOT_SIDEBAND_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>
#include "base/perf_abi.h"

struct sideband_log;

struct sideband_log *sideband_log_new(void);	/* NULL: out of memory */
void sideband_log_free(struct sideband_log *h); /* NULL ok */
/* Announces an opened event, so that times can be read from its records. 0, -EBADMSG or -ENOMEM. */
int sideband_log_event(struct sideband_log *h, const struct perf_event_attr *attr, const char *name,
		       const uint64_t *ids, size_t n_ids);
/* Adds whole records, which may be split between pieces; skips samples. 0 or -ENOMEM. */
int sideband_log_add(struct sideband_log *h, const struct iovec *iov, int n);
/* All records; valid until the next call of another function. */
struct iovec sideband_log_records(const struct sideband_log *h);
/*
 * The records added after sideband_log_note_written() and not pruned; valid until the next call of
 * another function.
 */
struct iovec sideband_log_unwritten(const struct sideband_log *h);
void sideband_log_note_written(struct sideband_log *h);
/* Time of the newest record; 0: none has a time. */
uint64_t sideband_log_newest_ns(const struct sideband_log *h);
/* True if the log has doubled since it was pruned: the total cost of pruning stays low. */
bool sideband_log_is_long(const struct sideband_log *h);
/* Drops what no sample from `horizon_ns` on needs. 0, or -ENOMEM with the log unchanged. */
int sideband_log_prune(struct sideband_log *h, uint64_t horizon_ns);

/* Process ids, ascending, without duplicates. */
struct sideband_pids {
	int32_t *v;
	size_t n, cap;
};

/*
 * Like sideband_log_prune(); in addition drops other processes than `sampled` that ended before
 * `settled_ns`, given that all samples before that time are of `sampled`. So one old sample of an
 * idle CPU keeps only what it needs. `sampled` NULL: of any process.
 */
int sideband_log_prune_others(struct sideband_log *h, uint64_t horizon_ns, uint64_t settled_ns,
			      const struct sideband_pids *sampled);

/*
 * Drops records of a moment (LOST, THROTTLE, SWITCH ...): they are in the last file, the next one
 * must not repeat them.
 */
int sideband_log_drop_moments(struct sideband_log *h);

#endif
