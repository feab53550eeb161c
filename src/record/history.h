/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has to be known for samples that are still kept: the sideband's records, in memory.
 *
 *	base records, each pass --> history_add() --> [ records, in the order in which they came ]
 *	                                                  |                 |
 *	           history_prune(horizon) <---------------'                 '--> history_records()
 *	           leaves out what no sample behind the horizon can need        the beginning of a file
 *
 * Records that belong to no task (of the kernel, its modules and symbols, control groups, ids) stay.
 * What tells of a moment (LOST, THROTTLE, SWITCH, READ) leaves behind the horizon. Of tasks that
 * stays which still answers a question: history_prune.c.
 *
 * One thread at a time.
 */
#ifndef RECORD_HISTORY_H
#define RECORD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>
#include "base/perf_abi.h"

struct history;

struct history *history_new(void); /* NULL: out of memory */
void history_free(struct history *h); /* NULL ok */
/* An event as it was opened: how its records say when they happened. 0, -EBADMSG or -ENOMEM. */
int history_event(struct history *h, const struct perf_event_attr *attr, const char *name,
		  const uint64_t *ids, size_t n_ids);
/* Whole records, which may be cut by the ends of the pieces. Samples are passed over. 0 or -ENOMEM. */
int history_add(struct history *h, const struct iovec *iov, int n);
/* All of them. Until the next call of another function. */
struct iovec history_records(const struct history *h);
/* Of the youngest record; 0: none had a time. */
uint64_t history_newest_ns(const struct history *h);
/* It has doubled since it was pruned: then that costs little, all in all. */
bool history_is_long(const struct history *h);
/*
 * From here on nobody will ask for samples from before `horizon_ns`. For all others the answers stay
 * what they were. 0 or -ENOMEM, with all as it was.
 */
int history_prune(struct history *h, uint64_t horizon_ns);

#endif
