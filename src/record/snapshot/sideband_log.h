/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has to be known for samples that are still kept: the sideband's records, in memory.
 *
 *	base records, each pass --> sideband_log_add() --> [ records, in the order in which they came ]
 *	                                                  |                 |
 *	           sideband_log_prune(horizon) <---------------'                 '--> sideband_log_records()
 *	           leaves out what no sample behind the horizon can need        the beginning of a file
 *
 * Records that belong to no task (of the kernel, its modules and symbols, control groups, ids) stay.
 * What tells of a moment (LOST, THROTTLE, SWITCH, READ) leaves behind the horizon. Of tasks that
 * stays which still answers a question: sideband_log_prune.c.
 *
 * One thread at a time.
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
/* An event as it was opened: how its records say when they happened. 0, -EBADMSG or -ENOMEM. */
int sideband_log_event(struct sideband_log *h, const struct perf_event_attr *attr, const char *name,
		       const uint64_t *ids, size_t n_ids);
/* Whole records, which may be cut by the ends of the pieces. Samples are passed over. 0 or -ENOMEM. */
int sideband_log_add(struct sideband_log *h, const struct iovec *iov, int n);
/* All of them. Until the next call of another function. */
struct iovec sideband_log_records(const struct sideband_log *h);
/* Those that came after sideband_log_note_written(), as far as they were not pruned. Until the next call of another. */
struct iovec sideband_log_unwritten(const struct sideband_log *h);
void sideband_log_note_written(struct sideband_log *h);
/* Of the youngest record; 0: none had a time. */
uint64_t sideband_log_newest_ns(const struct sideband_log *h);
/* It has doubled since it was pruned: then that costs little, all in all. */
bool sideband_log_is_long(const struct sideband_log *h);
/*
 * From here on nobody will ask for samples from before `horizon_ns`. For all others the answers stay
 * what they were. 0 or -ENOMEM, with all as it was.
 */
int sideband_log_prune(struct sideband_log *h, uint64_t horizon_ns);

/* Process ids in ascending order, each once. */
struct sideband_pids {
	int32_t *v;
	size_t n, cap;
};

/*
 * As sideband_log_prune(), and all samples from before `settled_ns` are of these processes: the others
 * that ended before it are left out. One old sample of an idle CPU keeps no more than it needs. NULL:
 * they are of any.
 */
int sideband_log_prune_others(struct sideband_log *h, uint64_t horizon_ns, uint64_t settled_ns,
			      const struct sideband_pids *sampled);

/* Removes the records of moments (LOST, THROTTLE, SWITCH ...): a file has them, the next needs none. */
int sideband_log_drop_moments(struct sideband_log *h);

#endif
